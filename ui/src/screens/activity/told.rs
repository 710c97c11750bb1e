//! An entry of the chain in words. The technical name is shown small beside them.

use crate::i18n::{t, tag, tf};
use lexforge_domain::api::{AuditRow, DocumentRow};
use lexforge_domain::{DocumentId, RunId};

/// The actions that have words. What a newer version calls otherwise shows its name.
#[cfg(test)]
pub const ACTIONS: [&str; 85] = [
    "answer.judge",
    "answer.prefer",
    "answer.put",
    "asking.begin",
    "asking.cancelled",
    "asking.failed",
    "asking.finished",
    "asking.interrupted",
    "bench.scored",
    "certificate.put",
    "data.known",
    "dataset.export",
    "dataset.freeze",
    "deployment.activate",
    "deployment.override",
    "deployment.roll_back",
    "document.force",
    "document.import",
    "document.link",
    "drift_sample.put",
    "embeddings.add",
    "embeddings.put",
    "endpoint.check",
    "endpoint.confirm",
    "endpoint.put",
    "endpoint.remove",
    "evaluation.put",
    "exam.put",
    "exam.remove",
    "glossary.export",
    "glossary.import",
    "graph.build",
    "host_key.replace",
    "host_key.trust",
    "leftovers.remove",
    "match.decide",
    "match.export",
    "match.propose",
    "matching.put",
    "model.export",
    "outcome.put",
    "packet.answer",
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
    "run.died",
    "run.failed",
    "run.finished",
    "run.paused",
    "run.queued",
    "run.running",
    "run.starting",
    "run.stopped",
    "run.unfollowed",
    "run.unknown",
    "setting.set",
    "similarity.draw",
    "terms.confusables",
    "terms.extract",
    "triplets.add",
    "triplets.decide",
    "triplets.make",
    "workspace.create",
    "workspace.decrypt",
    "workspace.encrypt",
    "workspace.passphrase",
];

/// The settings that have words, by the beginning of their name; some have a number or an account behind it.
const SETTINGS: [&str; 27] = [
    "answering.encoder",
    "answering.rerank",
    "bench.attack",
    "bench.exam",
    "bench.general",
    "bench.last",
    "bench.terms",
    "documents.checked",
    "documents.classes",
    "exports",
    "gate.general",
    "gate.general.measured",
    "gate.policy",
    "graph.encoders",
    "models.folders",
    "review.first",
    "review.items",
    "review.me",
    "review.names",
    "review.packet",
    "review.packet_workspace",
    "review.plan",
    "split.shares",
    "sweep",
    "terms.rejected",
    "terms.report",
    "terms.schemas",
];

/// The settings that have the name of something brought in behind theirs. Such a name may have dots and spaces.
const NAMED: [&str; 2] = ["bench.exam", "bench.terms"];

/// The setting that was changed, in words.
fn setting(name: &str) -> Option<String> {
    let name = name.split(' ').next()?;
    let known = |name: &str| SETTINGS.contains(&name).then(|| format!("deed_set.{name}"));
    let is_named = |set: &&str| {
        let rest = name.strip_prefix(*set);
        rest.is_some_and(|rest| rest.starts_with('.'))
    };
    if let Some(set) = NAMED.into_iter().find(is_named) {
        return known(set).map(|key| t(&key));
    }
    // The last part may be a number.
    let key = known(name).or_else(|| known(name.rsplit_once('.')?.0))?;
    Some(t(&key))
}

/// The keys of all that is said here and in the filters.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let told = ACTIONS.iter().map(|action| format!("deed_told.{action}"));
    let kinds = ACTIONS.iter().filter_map(|action| action.split('.').next());
    let kinds = kinds.map(|kind| format!("deed_kind.{kind}"));
    let spans = ["today", "week", "month"].map(|span| format!("activity.{span}"));
    let settings = SETTINGS.iter().map(|name| format!("deed_set.{name}"));
    told.chain(kinds).chain(spans).chain(settings).collect()
}

/// What was done.
pub fn told(row: &AuditRow, documents: &[DocumentRow]) -> String {
    let key = format!("deed_told.{}", row.action);
    let name = row.subject.split_once(' ').map_or("", |(_, name)| name);
    if row.action == "setting.set"
        && let Some(words) = setting(name)
    {
        return words;
    }
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
    use lexforge_domain::api::RunState;
    use lexforge_domain::endpoint::AskingState;
    use std::path::{Path, PathBuf};

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
        assert_eq!(told(&row("run.finished", "run 2"), &[]), "Run 2 finished");
        for (name, expected) in [
            ("review.plan", "The plan of the review was changed"),
            ("sweep.3", "The record of a sweep was written"),
            (
                "bench.general",
                "The bench’s pairs of general language were kept",
            ),
            ("bench.attack", "A table of the bench under attack was kept"),
            (
                "bench.terms",
                "A table of the bench on telling terms apart was kept",
            ),
            (
                "bench.terms.house 1.2",
                "A table of the bench on telling terms apart was kept",
            ),
            (
                "bench.exam.harbour",
                "A table of the bench on an exam was kept",
            ),
            (
                "bench.exam.harbour v1.2 of May",
                "A table of the bench on an exam was kept",
            ),
            ("bench.examined", "Setting bench.examined was changed"),
            (
                "exports of run 3",
                "The list of a run’s exports was written",
            ),
            (
                "of.a.newer.version",
                "Setting of.a.newer.version was changed",
            ),
        ] {
            let row = row("setting.set", &format!("setting {name}"));
            assert_eq!(told(&row, &[]), expected);
        }
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

    /// All files below these folders, with what stands in them.
    fn sources(mut folders: Vec<PathBuf>) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let source = std::fs::read_to_string(&path).unwrap();
                    found.push((path, source));
                }
            }
        }
        found
    }

    /// Every setting that the engine keeps has words.
    #[test]
    fn every_setting_has_words() {
        let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates/engine/src");
        let mut kept = Vec::new();
        for (_, source) in sources(vec![engine]) {
            // A name that is set in its own file, or of review's settings.
            let constants = source.lines().filter_map(|line| {
                let (name, value) = line.split_once(": &str = \"")?;
                let name = name.rsplit(' ').next()?;
                let is_set = source.contains(&format!("set_setting({name}, "))
                    || value.starts_with("review.");
                is_set.then(|| value.split('"').next().unwrap_or_default().to_owned())
            });
            kept.extend(constants);
        }
        assert!(kept.len() > 10, "{kept:?}");
        for name in &kept {
            // The entry that names the workspace belongs to making it, and is told by the words for that.
            assert!(
                SETTINGS.contains(&name.as_str()) || name == "workspace.uid",
                "{name}"
            );
        }
    }

    /// Every action that is written to the chain has words in both languages.
    #[test]
    fn every_action_has_words() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates");
        let mut written = Vec::new();
        for (path, source) in sources(vec![crates.join("store/src"), crates.join("engine/src")]) {
            // Tests write actions of their own.
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if stem == "tests" || stem.ends_with("_tests") {
                continue;
            }
            let calls = [".record(", ".note(", "keep_confirmed(&endpoint,"];
            for (at, call) in calls.iter().flat_map(|call| source.match_indices(call)) {
                if let Some(rest) = source[at + call.len()..].trim_start().strip_prefix('"') {
                    written.push(rest.split('"').next().unwrap().to_owned());
                }
            }
        }
        let of_runs = [
            RunState::Queued,
            RunState::Starting,
            RunState::Running,
            RunState::Paused,
            RunState::Stopped,
            RunState::Died,
            RunState::Failed,
            RunState::Finished,
            RunState::Unknown,
            RunState::Unfollowed,
        ];
        written.extend(of_runs.map(|state| format!("run.{}", state.tag())));
        let of_askings = [
            AskingState::Finished,
            AskingState::Cancelled,
            AskingState::Failed,
            AskingState::Interrupted,
        ];
        written.extend(of_askings.map(|state| format!("asking.{}", state.tag())));
        assert!(written.len() > 60, "{written:?}");
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
