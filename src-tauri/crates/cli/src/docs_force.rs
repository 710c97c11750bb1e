//! `docs --about`: since when and until when a document is in force.

use crate::docs_args::ForceArgs;
use crate::output::{Outcome, Output, done};
use lexforge_domain::DocumentId;
use lexforge_domain::api::{OutOfForce, Validity, ValidityProposal};
use lexforge_domain::document::DocumentMetadata;
use lexforge_engine::Engine;
use std::fmt::Write as _;

/// Prints what is known about a document, or sets how long it is in force.
pub fn about(engine: &Engine, id: DocumentId, args: &ForceArgs, out: &Output) -> Outcome {
    let corpus = engine.corpus();
    let row = corpus.outline(id)?.document;
    let sets = args.from.is_some() || args.until.is_some() || args.repealed.is_some();
    let row = if sets || args.as_stated {
        corpus.set_validity(id, &changed(row.validity.unwrap_or_default(), args))?
    } else if !args.turn_down.is_empty() {
        corpus.turn_down(id, &args.turn_down)?
    } else {
        row
    };
    let proposals: Vec<ValidityProposal> = corpus
        .validity_proposals()?
        .into_iter()
        .filter(|p| p.document == id)
        .collect();
    let told = serde_json::json!({ "document": row, "proposals": proposals });
    out.document(&told, || {
        let mut text = format!(
            "{id}  “{}”{}{}",
            row.title,
            in_force(row.validity.as_ref()),
            facts(&row.metadata)
        );
        for proposal in &proposals {
            let _ = write!(text, "\n{}", proposed(proposal));
        }
        text
    });
    done()
}

/// The facts that a document states about itself, on a separate line. Empty if it states none.
pub fn facts(metadata: &DocumentMetadata) -> String {
    let effective = metadata
        .effective
        .as_ref()
        .map(|e| format!("applies from {e}"));
    let owner = metadata.owner.as_ref().map(|o| format!("kept by {o}"));
    let parts = [
        &metadata.identifier,
        &metadata.issuer,
        &metadata.jurisdiction,
        &metadata.date,
        &effective,
        &metadata.version,
        &owner,
    ];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("\n        {}", parts.join(" · "))
    }
}

/// What was set, with the days that are named. A repeal takes the place of a last day, and the other way round.
fn changed(now: Validity, args: &ForceArgs) -> Validity {
    if args.as_stated {
        return Validity::default();
    }
    let ends = args.until.is_some() || args.repealed.is_some();
    Validity {
        from: args.from.clone().or(now.from),
        until: args.until.clone().or(now.until.filter(|_| !ends)),
        repealed: args.repealed.clone().or(now.repealed.filter(|_| !ends)),
        refused: now.refused,
    }
}

/// What a document says, and how to accept it or to turn it down.
fn proposed(proposal: &ValidityProposal) -> String {
    let (by, title, page) = (proposal.said_by, &proposal.by_title, proposal.page);
    let id = proposal.document;
    let validity = &proposal.validity;
    let accept = match (&validity.until, &validity.repealed) {
        (Some(day), _) => format!("--until {day}"),
        (None, Some(day)) => format!("--repealed {day}"),
        (None, None) => "--repealed DAY (it names no day)".to_owned(),
    };
    format!(
        "  Document {by} (“{title}”), page {page}: “{}”\n    Accept: docs WORKSPACE --about {id} {accept}. Or not: docs WORKSPACE --about {id} --turn-down {}.",
        proposal.text, proposal.sentence
    )
}

/// What a person set, behind the other facts of a row; empty where nothing was set.
pub fn in_force(validity: Option<&Validity>) -> String {
    let mut text = String::new();
    let Some(validity) = validity else {
        return text;
    };
    for (words, day) in [
        ("in force from", &validity.from),
        ("in force until", &validity.until),
        ("repealed from", &validity.repealed),
    ] {
        if let Some(day) = day {
            let _ = write!(text, " · {words} {day}");
        }
    }
    text
}

/// That a place is not in force, behind it; empty where it is.
pub fn not_in_force(why: Option<&OutOfForce>) -> String {
    match why {
        None => String::new(),
        Some(OutOfForce::Repealed { since }) => format!(" (repealed from {since})"),
        Some(OutOfForce::Expired { until }) => format!(" (was in force until {until})"),
        Some(OutOfForce::NotYet { from }) => format!(" (in force only from {from})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(from: &str, until: &str, repealed: &str, as_stated: bool) -> ForceArgs {
        let day = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        ForceArgs {
            about: Some(DocumentId(1)),
            from: day(from),
            until: day(until),
            repealed: day(repealed),
            as_stated,
            turn_down: Vec::new(),
        }
    }

    #[test]
    fn a_day_that_is_named_changes_only_what_it_is_about() {
        let set = |from: &str, until: &str, repealed: &str| {
            let args = args(from, until, repealed, false);
            Validity {
                from: args.from,
                until: args.until,
                repealed: args.repealed,
                ..Validity::default()
            }
        };
        for (now, asked, expected) in [
            (
                set("2020-01-01", "", ""),
                args("", "2025-12-31", "", false),
                set("2020-01-01", "2025-12-31", ""),
            ),
            (
                set("", "2025-12-31", ""),
                args("", "", "2024-01-01", false),
                set("", "", "2024-01-01"),
            ),
            (
                set("", "2025-12-31", ""),
                args("2020-01-01", "", "", false),
                set("2020-01-01", "2025-12-31", ""),
            ),
            (
                set("2020-01-01", "", "2024-01-01"),
                args("", "", "", true),
                Validity::default(),
            ),
        ] {
            assert_eq!(changed(now, &asked), expected);
        }
    }

    #[test]
    fn what_was_set_is_told_in_words() {
        assert_eq!(in_force(None), "");
        let set = Validity {
            from: Some("2020-01-01".to_owned()),
            repealed: Some("2024-01-01".to_owned()),
            ..Validity::default()
        };
        assert_eq!(
            in_force(Some(&set)),
            " · in force from 2020-01-01 · repealed from 2024-01-01"
        );
        let since = "2024-01-01".to_owned();
        let told = not_in_force(Some(&OutOfForce::Repealed { since }));
        assert_eq!(told, " (repealed from 2024-01-01)");
        assert_eq!(not_in_force(None), "");
    }
}
