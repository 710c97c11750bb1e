//! What an entry of the chain says, in words. The technical name stands small beside it.

use crate::i18n::{tag, tf};
use lexforge_domain::api::{AuditRow, DocumentRow};
use lexforge_domain::{DocumentId, RunId};

/// The actions that have words. What a newer version calls otherwise shows its name.
#[cfg(test)]
pub const ACTIONS: [&str; 55] = [
    "answer.judge",
    "answer.prefer",
    "answer.put",
    "asking.begin",
    "bench.scored",
    "certificate.put",
    "dataset.freeze",
    "deployment.activate",
    "deployment.override",
    "deployment.roll_back",
    "document.import",
    "document.link",
    "drift_sample.put",
    "embeddings.add",
    "embeddings.put",
    "endpoint.put",
    "endpoint.remove",
    "evaluation.put",
    "exam.put",
    "exam.remove",
    "glossary.import",
    "graph.build",
    "match.decide",
    "matching.put",
    "outcome.put",
    "packet.held",
    "packet.questions",
    "packet.terms",
    "packet.write",
    "pairs.add",
    "person.put",
    "prompt.edit",
    "prompt.reset",
    "question.note",
    "questions.augment",
    "questions.rejected",
    "ranker.put",
    "review.accept",
    "review.confusable",
    "review.merge",
    "review.reject",
    "review.same",
    "review.score",
    "review.skip",
    "review.undo",
    "review.unrelated",
    "run.create",
    "setting.set",
    "similarity.draw",
    "terms.confusables",
    "terms.extract",
    "triplets.add",
    "triplets.decide",
    "triplets.make",
    "workspace.create",
];

/// The keys of all that is said here and in the filters.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let told = ACTIONS.iter().map(|action| format!("deed_told.{action}"));
    let kinds = ACTIONS.iter().filter_map(|action| action.split('.').next());
    let kinds = kinds.map(|kind| format!("deed_kind.{kind}"));
    let spans = ["today", "week", "month"].map(|span| format!("activity.{span}"));
    told.chain(kinds).chain(spans).collect()
}

/// What was done.
pub fn told(row: &AuditRow, documents: &[DocumentRow]) -> String {
    let key = format!("deed_told.{}", row.action);
    let name = row.subject.split_once(' ').map_or("", |(_, name)| name);
    let title = document(row)
        .and_then(|id| documents.iter().find(|document| document.id == id))
        .map_or(row.subject.as_str(), |document| document.title.as_str());
    let words = tf(&key, &[("n", name), ("name", name), ("title", title)]);
    if words == key {
        format!("{} · {}", row.action, row.subject)
    } else {
        words
    }
}

/// What kind of thing it was done to.
pub fn kind(kind: &str) -> String {
    tag("deed_kind", kind)
}

/// Where the thing can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A document.
    Document(DocumentId),
    /// A training run.
    Run(RunId),
}

/// The thing that an entry is about, where there is a place for it.
pub fn thing(row: &AuditRow) -> Option<Thing> {
    document(row).map(Thing::Document).or_else(|| {
        let id = row.subject.strip_prefix("run ")?.parse().ok()?;
        Some(Thing::Run(RunId(id)))
    })
}

fn document(row: &AuditRow) -> Option<DocumentId> {
    let id = row.subject.strip_prefix("document ")?.parse().ok()?;
    Some(DocumentId(id))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, text_in};
    use std::path::Path;

    fn row(action: &str, subject: &str) -> AuditRow {
        AuditRow {
            sequence: 1,
            time: "2026-11-24T07:44:05.120Z".to_owned(),
            actor: "A".to_owned(),
            action: action.to_owned(),
            subject: subject.to_owned(),
            reason: String::new(),
            hash: String::new(),
        }
    }

    #[test]
    fn an_entry_is_told_in_words() {
        assert_eq!(told(&row("run.create", "run 2"), &[]), "Run 2 was set up");
        assert_eq!(
            told(&row("setting.set", "setting review.plan"), &[]),
            "Setting review.plan was changed"
        );
        assert_eq!(
            told(&row("moon.landing", "moon 1"), &[]),
            "moon.landing · moon 1"
        );
        assert_eq!(
            thing(&row("run.create", "run 2")),
            Some(Thing::Run(RunId(2)))
        );
        assert_eq!(thing(&row("terms.extract", "terms")), None);
    }

    /// The store writes no action that has no words, in either language.
    #[test]
    fn every_action_has_words() {
        let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates/store/src");
        let mut written = Vec::new();
        for entry in std::fs::read_dir(store).unwrap() {
            let path = entry.unwrap().path();
            let source = std::fs::read_to_string(path).unwrap_or_default();
            for (at, call) in ["record(", "note("].iter().flat_map(|call| {
                source
                    .match_indices(call)
                    .map(|(at, call)| (at + call.len(), call))
            }) {
                let _ = call;
                if let Some(rest) = source[at..].trim_start().strip_prefix('"') {
                    written.push(rest.split('"').next().unwrap().to_owned());
                }
            }
        }
        assert!(written.len() > 20, "{written:?}");
        for action in written.iter().map(String::as_str).chain(ACTIONS) {
            let kind = action.split('.').next().unwrap();
            for lang in [Lang::En, Lang::Zh] {
                for key in [format!("deed_told.{action}"), format!("deed_kind.{kind}")] {
                    assert!(text_in(lang, &key).is_some(), "{lang:?} {key}");
                }
            }
        }
    }
}
