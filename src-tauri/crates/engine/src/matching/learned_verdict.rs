//! Combines the learned prediction with the result of the matching: which verdict counts, and which statement supports
//! it.

use super::learned::Said;
use super::verdict::Beside;
use lexforge_domain::api::MatchVerdict;

/// The verdict that learning gives, and the index of the statement that supports it. If the matching itself found the
/// same verdict, its result is kept. Otherwise the supporting statement is the first one in `beside` that says what is
/// done. A rule that no statement covers gets no statement.
pub(super) fn by_learned(
    said: Said,
    found: (MatchVerdict, Option<usize>),
    beside: &[Beside],
) -> (MatchVerdict, Option<usize>) {
    let first = beside.iter().position(Beside::tells_what_is_done);
    match (said, found.0) {
        (Said::Covered, MatchVerdict::Covered | MatchVerdict::Partly)
        | (Said::Contradicted, MatchVerdict::Contradicted)
        | (Said::Open, MatchVerdict::NotCovered) => found,
        (Said::Open, _) => (MatchVerdict::NotCovered, None),
        // Copies of the rules and titles alone cover nothing.
        _ if first.is_none() => (MatchVerdict::NotCovered, None),
        (Said::Covered, _) => (MatchVerdict::Covered, first),
        (Said::Contradicted, _) => (MatchVerdict::Contradicted, first),
    }
}

#[cfg(test)]
mod tests {
    use super::super::pick::Picked;
    use super::super::sides::Text;
    use super::super::weigh::Likeness;
    use super::*;
    use lexforge_domain::api::{MatchAddressee, MatchText};
    use lexforge_domain::text::{Language, SentenceKind};
    use lexforge_domain::{DocumentId, SentenceId};
    use std::collections::HashSet;

    fn beside(quotes: bool) -> Beside {
        let one = |text: &str, repeats: bool| Picked {
            shown: MatchText {
                id: SentenceId(1),
                document: DocumentId(1),
                page: 1,
                text: text.to_owned(),
                section: String::new(),
                external_id: None,
            },
            compared: Text::default(),
            demands: true,
            force: None,
            binds: MatchAddressee::Nobody,
            repeats,
            own_words: HashSet::new(),
            kind: SentenceKind::Rule,
            language: Language::En,
        };
        let (rule, statement) = ("The firm shall keep records.", "Doors are painted.");
        Beside::of(
            &one(rule, false),
            &one(statement, quotes),
            Likeness::default(),
        )
    }

    #[test]
    fn what_was_learned_decides_and_keeps_the_statement_that_was_found() {
        use MatchVerdict::{Contradicted, Covered, NotCovered, Partly};
        let mixed = [beside(true), beside(false), beside(false)];
        for (said, found, expected) in [
            (Said::Covered, (Partly, Some(2)), (Partly, Some(2))),
            (Said::Covered, (NotCovered, None), (Covered, Some(1))),
            (Said::Covered, (Contradicted, Some(2)), (Covered, Some(1))),
            (Said::Open, (Covered, Some(2)), (NotCovered, None)),
            (
                Said::Contradicted,
                (Covered, Some(2)),
                (Contradicted, Some(1)),
            ),
            (
                Said::Contradicted,
                (Contradicted, Some(2)),
                (Contradicted, Some(2)),
            ),
        ] {
            assert_eq!(
                by_learned(said, found, &mixed),
                expected,
                "{said:?} {found:?}"
            );
        }
        let copies = [beside(true)];
        let found = by_learned(Said::Covered, (NotCovered, None), &copies);
        assert_eq!(found, (NotCovered, None));
    }
}
