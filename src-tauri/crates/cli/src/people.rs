//! `people`: who reviews, and by what plan.

use crate::output::{Outcome, Output, done};
use crate::review_args::{PeopleAction, PeopleArgs};
use lexforge_domain::api::{PeopleView, ReviewPlan};
use lexforge_engine::Engine;
use std::fmt::Write as _;

pub fn people(args: &PeopleArgs, out: &Output) -> Outcome {
    let engine = match &args.action {
        PeopleAction::List(ws) => Engine::open(&ws.workspace)?,
        PeopleAction::Add {
            workspace,
            name,
            role,
            share,
            like,
        } => {
            let engine = Engine::open(workspace)?;
            engine
                .review()
                .put_person(name, (*role).into(), *share, (*like).into())?;
            engine
        }
        PeopleAction::Use { workspace, id } => {
            let engine = Engine::open(workspace)?;
            engine.review().be_person(*id)?;
            engine
        }
        PeopleAction::Plan {
            workspace,
            second,
            blind,
            gate,
            terms,
        } => {
            let engine = Engine::open(workspace)?;
            let plan = engine.review().people()?.plan;
            engine.review().set_review_plan(ReviewPlan {
                second_review: second.unwrap_or(plan.second_review),
                blind: blind.unwrap_or(plan.blind),
                gate: gate.unwrap_or(plan.gate),
                terms: terms.map_or(plan.terms, Into::into),
            })?;
            engine
        }
    };
    let view = engine.review().people()?;
    out.document(&view, || describe_people(&view));
    done()
}

/// The reviewers, as a person reads them.
pub fn describe_people(view: &PeopleView) -> String {
    let mut text = String::new();
    for p in &view.people {
        let me = if p.id == view.me.id { "*" } else { " " };
        let _ = writeln!(
            text,
            "{me} {:>4}  {}  {}, share {}",
            p.id,
            p.name,
            p.role.tag(),
            p.share
        );
    }
    let plan = &view.plan;
    let _ = write!(
        text,
        "second review of {:.0} % · {} · α under {} is unreliable · graph and questions: {}",
        plan.second_review * 100.0,
        if plan.blind { "blind" } else { "open" },
        plan.gate,
        plan.terms.label()
    );
    if let Some(origin) = &view.packet {
        let _ = write!(
            text,
            "\nMade from packet {} of {}, for {}",
            origin.packet, origin.workspace, origin.person
        );
    }
    text
}
