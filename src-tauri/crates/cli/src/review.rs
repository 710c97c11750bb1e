//! `terms decide|queue|doubtful|undo|conflicts|show`, `qca decide|note`.

mod shown;

use crate::none_yet;
use crate::output::{Outcome, Output, count, done};
use crate::review_args::{
    DecideQuestionsArgs, DecideTermsArgs, DoubtfulArgs, FilterArgs, QuestionReview, TermsReview,
    WhoArgs,
};
use crate::terminal::duration;
use lexforge_domain::Failure;
use lexforge_domain::api::{ActView, NewDecision, QueueFilter, QueueView};
use lexforge_domain::review::{Choice, Edit, Subject, SubjectKind};
use lexforge_domain::text::Language;
use lexforge_engine::Engine;
use shown::describe_item;
use std::fmt::Write as _;

/// `terms decide|queue|doubtful|undo|conflicts|show`
pub fn terms(action: &TermsReview, out: &Output) -> Outcome {
    match action {
        TermsReview::Decide(args) => {
            let act = open(&args.who)?
                .review()
                .decide(&decision_about_terms(args))?;
            out.document(&act, || describe_act(&act));
        }
        TermsReview::Queue(args) => {
            let view = open(&args.who)?
                .review()
                .review_queue(&filter(&args.filter), None)?;
            out.document(&view, || describe_queue(&view));
        }
        TermsReview::Doubtful(args) => doubtful(args, out)?,
        TermsReview::Undo(args) => {
            let undone = open(args)?.review().undo_decision()?;
            out.document(&undone, || match &undone {
                Some(act) => format!("Taken back: {}", describe_act(act)),
                None => "There is nothing left to take back.".to_owned(),
            });
        }
        TermsReview::Conflicts(args) => {
            let rows = Engine::open(&args.workspace)?
                .review()
                .conflicts(args.kind.into())?;
            out.rows(&rows, none_yet::CONFLICTS, |row| {
                let said: Vec<String> = row
                    .said
                    .iter()
                    .map(|(choice, n)| format!("{n} {}", choice.tag()))
                    .collect();
                format!(
                    "{:<14} {:<24} {}  since {}",
                    named(row.subject),
                    said.join(", "),
                    row.text,
                    row.since
                )
            });
        }
        TermsReview::Show { workspace, id } => {
            let item = Engine::open(workspace)?
                .review()
                .review_item(Subject::term(*id))?;
            out.document(&item, || describe_item(&item));
        }
    }
    done()
}

fn doubtful(args: &DoubtfulArgs, out: &Output) -> Result<(), Failure> {
    let engine = open(&args.who)?;
    let filter = QueueFilter {
        document: args.document,
        language: args.language.as_deref().map(Language::from_tag),
        ..QueueFilter::of(SubjectKind::Term)
    };
    let keep: Vec<Subject> = args.keep.iter().map(|id| Subject::term(*id)).collect();
    let mut listed = engine.review().doubtful_terms(&filter, args.most)?;
    listed.retain(|item| !keep.contains(&item.subject));
    if !args.reject || listed.is_empty() {
        out.rows(&listed, none_yet::DOUBTFUL_TERMS, |item| {
            let (id, times) = (named(item.subject), format!("{}×", item.mentions));
            format!("{id:<12} {times:>6}  {}", item.text)
        });
        return Ok(());
    }
    let act = engine.review().decide(&NewDecision {
        subjects: listed.iter().map(|item| item.subject).collect(),
        choice: Choice::Reject,
        edit: Edit::default(),
        reason: args.reason.clone(),
        adjudicates: false,
    })?;
    out.document(&act, || describe_act(&act));
    Ok(())
}

/// `qca decide|note`
pub fn questions(action: &QuestionReview, out: &Output) -> Outcome {
    match action {
        QuestionReview::Decide(args) => {
            let act = open(&args.who)?
                .review()
                .decide(&decision_about_questions(args))?;
            out.document(&act, || describe_act(&act));
        }
        QuestionReview::Note { who, id, text } => {
            let row = open(who)?.review().note_question(*id, text)?;
            out.document(&row, || match &row.note {
                Some(note) => format!("Noted on question {id}: {note}"),
                None => format!("Nothing is noted on question {id}."),
            });
        }
    }
    done()
}

pub fn open(who: &WhoArgs) -> Result<Engine, Failure> {
    let engine = Engine::open(&who.workspace)?;
    if let Some(name) = &who.name {
        engine.review().act_as(name)?;
    }
    Ok(engine)
}

/// Which items the options name.
pub fn filter(args: &FilterArgs) -> QueueFilter {
    QueueFilter {
        class: args.class.clone(),
        document: args.document,
        language: args.language.as_deref().map(Language::from_tag),
        mine: args.mine,
        ..QueueFilter::of(args.kind.into())
    }
}

fn decision_about_terms(args: &DecideTermsArgs) -> NewDecision {
    let subjects = match args.pair.as_deref() {
        Some([a, b]) => vec![Subject::pair(*a, *b)],
        _ => args.ids.iter().map(|id| Subject::term(*id)).collect(),
    };
    let said = [
        (args.accept, Choice::Accept),
        (args.reject, Choice::Reject),
        (args.merge_into.is_some(), Choice::Merge),
        (args.same, Choice::Same),
        (args.confusable, Choice::Confusable),
        (args.unrelated, Choice::Unrelated),
    ];
    NewDecision {
        subjects,
        choice: said
            .into_iter()
            .find(|(said, _)| *said)
            .map_or(Choice::Skip, |(_, choice)| choice),
        edit: Edit {
            text: args.text.clone(),
            class: args.class.clone(),
            into: args.merge_into,
            choices: None,
        },
        reason: args.reason.clone(),
        adjudicates: args.adjudicate,
    }
}

/// What was decided about a question or a triplet, which cannot be merged.
pub fn choice(accept: bool, reject: bool) -> Choice {
    match (accept, reject) {
        (true, _) => Choice::Accept,
        (_, true) => Choice::Reject,
        _ => Choice::Skip,
    }
}

fn decision_about_questions(args: &DecideQuestionsArgs) -> NewDecision {
    let choices = (!args.choices.is_empty()).then(|| args.choices.clone());
    NewDecision {
        subjects: args.ids.iter().map(|id| Subject::question(*id)).collect(),
        choice: choice(args.accept, args.reject),
        edit: Edit {
            text: args.text.clone(),
            choices,
            ..Edit::default()
        },
        reason: args.reason.clone(),
        adjudicates: args.adjudicate,
    }
}

pub fn named(subject: Subject) -> String {
    match subject.keys() {
        (a, 0) => format!("{} {a}", subject.kind().tag()),
        (a, b) => format!("{} {a} {b}", subject.kind().tag()),
    }
}

pub fn describe_act(act: &ActView) -> String {
    let others = if act.items > 1 {
        format!(" and {} more", count(act.items - 1))
    } else {
        String::new()
    };
    format!(
        "{} {}: {}{others}",
        act.choice.tag(),
        named(act.subject),
        act.text
    )
}

pub fn describe_queue(view: &QueueView) -> String {
    let s = &view.standing;
    let mut text = format!(
        "{} of {} to do · {} accepted · {} rejected · {} merged · {} skipped",
        count(s.to_do),
        count(s.total),
        count(s.accepted),
        count(s.rejected),
        count(s.merged),
        count(s.skipped)
    );
    if let Some(seconds) = s.median_seconds {
        let _ = write!(
            text,
            " · {seconds:.1} s a decision, {} left",
            duration(seconds * s.to_do as f64)
        );
    }
    if view.conflicts > 0 {
        let _ = write!(text, " · {} conflicts", count(view.conflicts));
    }
    if let Some(sample) = view.sample {
        let _ = write!(
            text,
            "\nFirst comes a sample of the triplets that fill thin shifts: {} of {} decided, {} accepted",
            count(sample.decided),
            count(sample.drawn),
            count(sample.accepted)
        );
    }
    match &view.item {
        None if s.total == 0 => {
            let _ = write!(text, "\n{}", none_yet::TO_DECIDE);
        }
        None => text.push_str("\nEverything is decided."),
        Some(item) => {
            let _ = write!(text, "\n\n{}. {}", count(view.place), describe_item(item));
        }
    }
    text
}
