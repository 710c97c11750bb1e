//! What `match import` says.

use crate::output::count;
use lexforge_domain::api::{MatchImported, MatchSide};
use std::fmt::Write as _;

/// The result of importing a mapping collection, as a person reads it.
pub fn taken_in(imported: &MatchImported) -> String {
    let gaps = imported.gaps();
    let mut text = format!(
        "{} of {} of {} (SHA-256 {}) {} about these documents. Each rule that they name gets a proposal: {} new, {} of them with statements and {} that say that nothing covers the rule; {} known before. Nothing is decided.",
        count(imported.found as u64),
        entries(imported.maps),
        imported.from.file,
        imported.from.sha256,
        if imported.found == 1 { "is" } else { "are" },
        count(imported.proposed.len() as u64),
        count((imported.proposed.len() - gaps) as u64),
        count(gaps as u64),
        count(imported.known as u64)
    );
    for one in &imported.missing {
        let side = match one.side {
            MatchSide::Source => "source",
            MatchSide::Target => "target",
        };
        let _ = write!(text, "\n  {}: {side} {}", one.why.tag(), one.named);
    }
    text
}

/// So many entries of a file.
fn entries(n: usize) -> String {
    match n {
        1 => "1 entry".to_owned(),
        n => format!("{} entries", count(n as u64)),
    }
}
