//! `packet`: shares of the review for colleagues, and their answers.

use crate::output::{Outcome, Output, count, done};
use crate::people::describe_people;
use crate::review::filter;
use crate::review_args::{PacketAction, PacketArgs};
use lexforge_domain::api::{MergeReport, MergeRequest, PacketReport, PacketRequest};
use lexforge_engine::Engine;
use std::fmt::Write as _;

pub fn packet(args: &PacketArgs, out: &Output) -> Outcome {
    let written = |report: &PacketReport, what: &str| {
        format!(
            "{what}: {} items, {} sentences · {} · packet {}",
            count(report.items),
            count(report.sentences),
            report.person,
            report.packet
        )
    };
    match &args.action {
        PacketAction::Write {
            workspace,
            packet,
            person,
            role,
            filter: wanted,
            most,
            like,
        } => {
            let request = PacketRequest {
                person: person.clone(),
                role: (*role).into(),
                filter: filter(wanted),
                most: *most,
                like: (*like).into(),
            };
            let report = Engine::open(workspace)?
                .review()
                .write_packet(&request, packet)?;
            out.document(&report, || written(&report, "Written"));
        }
        PacketAction::Open { packet, workspace } => {
            let view = Engine::open_packet(packet, workspace)?.review().people()?;
            out.document(&view, || describe_people(&view));
        }
        PacketAction::Answer { workspace, answer } => {
            let report = Engine::open(workspace)?.review().write_answer(answer)?;
            out.document(&report, || written(&report, "Answered"));
        }
        PacketAction::Merge {
            workspace,
            answer,
            packet,
            like,
        } => {
            let request = MergeRequest {
                like: (*like).into(),
                packet: packet.clone(),
            };
            let report = Engine::open(workspace)?
                .review()
                .merge_answer(answer, &request)?;
            out.document(&report, || describe_merge(&report));
        }
    }
    done()
}

fn describe_merge(report: &MergeReport) -> String {
    let mut text = format!(
        "{} of {} merged, {} were here already, {} new conflicts",
        decisions(report.merged),
        report.person,
        count(report.known),
        count(report.conflicts)
    );
    for item in &report.without_item {
        let _ = write!(
            text,
            "\n! {item} is no longer in the workspace; the decision about it was left out"
        );
    }
    if report.untimely.decisions > 0 {
        let _ = write!(
            text,
            "\n! Left out, for a time that has not come or lies before the packet: {} ({}).\n  \
             Set the clock of the colleague's machine right (or this one's), decide about these again there, and send \
             the answer anew.",
            decisions(report.untimely.decisions),
            some(&report.untimely.items)
        );
    }
    if report.foreign.decisions > 0 {
        let _ = write!(
            text,
            "\n! Left out, because the packet did not hold what is decided about: {} ({}).\n  To have these reviewed, \
             write a packet that holds them.",
            decisions(report.foreign.decisions),
            some(&report.foreign.items)
        );
    }
    text
}

fn decisions(n: u64) -> String {
    if n == 1 {
        "1 decision".to_owned()
    } else {
        format!("{} decisions", count(n))
    }
}

/// Some of many items.
fn some(items: &[String]) -> String {
    const SHOWN: usize = 10;
    let mut text = items
        .iter()
        .take(SHOWN)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    if items.len() > SHOWN {
        let _ = write!(
            text,
            " and {} more; --json lists them",
            count((items.len() - SHOWN) as u64)
        );
    }
    text
}
