//! Tests of `decide`.

use super::super::about::About;
use super::*;
use lexforge_domain::api::MatchCandidate;

#[test]
fn another_verdict_or_another_statement_does_not_keep_the_relation_that_was_found() {
    use MatchRelation::{Equal, Intersects, Subset, Superset};
    use MatchVerdict::{Contradicted, Covered, Partly};
    for (found, decided, same, expected) in [
        ((Covered, Some(Equal)), Covered, true, Some(Equal)),
        ((Covered, Some(Equal)), Partly, true, Some(Intersects)),
        (
            (Covered, Some(Subset)),
            Contradicted,
            true,
            Some(Intersects),
        ),
        ((Covered, Some(Superset)), Partly, true, Some(Superset)),
        ((Partly, Some(Subset)), Partly, true, Some(Subset)),
        ((Partly, Some(Intersects)), Covered, true, Some(Intersects)),
        ((Covered, Some(Equal)), Covered, false, None),
        ((Partly, None), Covered, true, None),
    ] {
        let mut about = About::of_rules(&[("unreviewed", found.0)]);
        let row = &mut about.report.rows[0];
        row.relation = found.1;
        let left = left_of(row, decided, same);
        assert_eq!(left, expected, "{found:?} {decided:?} {same}");
    }
}

#[test]
fn a_gap_is_open_again_where_a_new_version_closes_it() {
    use MatchVerdict::{Covered, NotCovered, Partly};
    // Document 3 is the new version of document 2, in which the old text stood.
    let before = HashMap::from([(DocumentId(2), HashSet::from([letters("It is said.")]))]);
    for (decided, found, text, seen, expected) in [
        (NotCovered, Covered, "It is kept.", &[2][..], true),
        (NotCovered, Partly, "It is kept.", &[2, 4], true),
        // The person has seen this text, and found that it does not cover the rule.
        (NotCovered, Covered, "It is said.", &[2], false),
        // The new version does not cover it either.
        (NotCovered, NotCovered, "It is kept.", &[2], false),
        // It was decided about just this version, or it is not known about which.
        (NotCovered, Covered, "It is kept.", &[3], false),
        (NotCovered, Covered, "It is kept.", &[], false),
        // The texts of other verdicts are compared by themselves.
        (Partly, Covered, "It is kept.", &[2], false),
    ] {
        let mut about = About::of_rules(&[("unreviewed", found)]);
        let row = &mut about.report.rows[0];
        row.policies = vec![MatchCandidate {
            statement: MatchText {
                document: DocumentId(3),
                text: text.to_owned(),
                ..row.rule.clone()
            },
            score: 0.8,
            votes: 1,
            covers: true,
            edges: None,
            terms: Vec::new(),
            found_by: Vec::new(),
        }];
        let decision = MatchDecision {
            id: 1,
            rule: row.rule.clone(),
            accepted: true,
            undecided: false,
            verdict: decided,
            relation: None,
            policies: Vec::new(),
            note: String::new(),
            owner: String::new(),
            due: None,
            against: seen.iter().copied().map(DocumentId).collect(),
            made: String::new(),
            actor: "Ada".to_owned(),
        };
        let since = is_found_since(&decision, row, &before);
        assert_eq!(since, expected, "{decided:?} {found:?} {text} {seen:?}");
    }
}

#[test]
fn a_verdict_rests_on_a_statement_or_a_note() {
    use MatchVerdict::{Contradicted, Covered, NotCovered, Partly};
    let statement = About::of_rules(&[("unreviewed", Covered)]).report.rows[0]
        .rule
        .clone();
    for verdict in [Covered, Partly, Contradicted] {
        assert!(says_by_nothing(verdict, &[], "  "), "{verdict:?}");
        assert!(!says_by_nothing(verdict, &[], "See the manual."));
        let named = std::slice::from_ref(&statement);
        assert!(!says_by_nothing(verdict, named, ""), "{verdict:?}");
    }
    assert!(!says_by_nothing(NotCovered, &[], ""));
}

#[test]
fn a_day_is_one_of_the_calendar() {
    assert!(is_a_day("2026-02-28"));
    for wrong in [
        "2026-02-30",
        "2026-13-01",
        "26-01-01",
        "tomorrow",
        "2026-1-1",
    ] {
        assert!(!is_a_day(wrong), "{wrong}");
    }
}
