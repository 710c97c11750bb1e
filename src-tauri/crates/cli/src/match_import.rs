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

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::{MatchProposal, MatchSource, MatchText};
    use lexforge_domain::{DocumentId, SentenceId};

    fn text(id: i64) -> MatchText {
        MatchText {
            id: SentenceId(id),
            document: DocumentId(1),
            page: 1,
            text: format!("Text {id}."),
            section: String::new(),
            external_id: None,
        }
    }

    fn proposal(policies: Vec<MatchText>) -> MatchProposal {
        MatchProposal {
            id: 0,
            rule: text(1),
            policies,
            relation: None,
            said: String::new(),
            named: String::new(),
            path: String::new(),
            confidence: None,
            from: MatchSource::default(),
            made: String::new(),
            actor: String::new(),
            gone: false,
        }
    }

    #[test]
    fn proposals_with_statements_and_gaps_are_counted_apart() {
        let mut imported = MatchImported {
            maps: 2,
            found: 2,
            proposed: vec![
                proposal(vec![text(2)]),
                proposal(Vec::new()),
                proposal(Vec::new()),
            ],
            ..MatchImported::default()
        };
        let told = taken_in(&imported);
        assert!(told.starts_with("2 of 2 entries of "), "{told}");
        let counts = "3 new, 1 of them with statements and 2 that say that nothing covers the rule";
        assert!(told.contains(counts), "{told}");
        (imported.maps, imported.found) = (1, 1);
        let told = taken_in(&imported);
        assert!(told.starts_with("1 of 1 entry of ") && told.contains(" is about"));
    }
}
