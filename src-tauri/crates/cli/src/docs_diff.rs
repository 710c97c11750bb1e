//! `docs diff`.

use crate::output::{Outcome, Output, count, done};
use lexforge_domain::DocumentId;
use lexforge_domain::api::DocumentDiff;
use lexforge_domain::document::Sentence;
use lexforge_engine::Engine;
use std::fmt::Write as _;
use std::path::Path;

/// `docs diff`: between two documents, or between a document and the version before it.
pub fn diff(
    workspace: &Path,
    first: DocumentId,
    second: Option<DocumentId>,
    out: &Output,
) -> Outcome {
    let engine = Engine::open(workspace)?;
    let diff = match second {
        Some(second) => engine.corpus().document_diff(first, second)?,
        None => engine.corpus().document_changes(first)?,
    };
    out.document(&diff, || describe_diff(&diff));
    done()
}

/// The changes in the newer version's reading order: `-` gone, `+` new, `~` other words.
fn describe_diff(diff: &DocumentDiff) -> String {
    let place = |s: &Sentence| {
        let section = if s.section.is_empty() {
            String::new()
        } else {
            format!("{}, ", s.section)
        };
        format!("{section}page {}", s.page)
    };
    let mut text = String::new();
    for s in &diff.removed {
        let _ = writeln!(text, "- {}\n    {}", place(s), s.text);
    }
    let mut later: Vec<(u32, String)> = Vec::new();
    for s in &diff.added {
        later.push((s.position, format!("+ {}\n    {}", place(s), s.text)));
    }
    for c in &diff.changed {
        let lines = format!(
            "~ {}\n  - {}\n  + {}",
            place(&c.after),
            c.before.text,
            c.after.text
        );
        later.push((c.after.position, lines));
    }
    later.sort_by_key(|(position, _)| *position);
    for (_, lines) in later {
        let _ = writeln!(text, "{lines}");
    }
    let _ = write!(
        text,
        "document {} → {}: {} added, {} removed, {} changed, {} unchanged",
        diff.from,
        diff.to,
        count(diff.added.len() as u64),
        count(diff.removed.len() as u64),
        count(diff.changed.len() as u64),
        count(diff.unchanged)
    );
    text
}
