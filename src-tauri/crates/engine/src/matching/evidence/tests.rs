//! Tests of `evidence`.

use super::*;
use lexforge_domain::api::{
    MatchAddressee, MatchCandidate, MatchDecision, NearStatement, Severity, WhyNot, WhyNotReason,
};
use lexforge_domain::{DocumentId, SentenceId};

fn text(id: i64) -> MatchText {
    MatchText {
        id: SentenceId(id),
        document: DocumentId(1),
        page: 1,
        text: format!("Text {id}."),
        section: format!("Article {id}"),
        external_id: None,
    }
}

fn one<'r>(
    texts: &'r [MatchText],
    rule: usize,
    accepted: &[usize],
    rejected: &[usize],
    listed: Option<usize>,
) -> Decided<'r> {
    let of = |numbers: &[usize]| numbers.iter().map(|n| &texts[*n]).collect();
    Decided {
        rule: &texts[rule],
        accepted: of(accepted),
        rejected: of(rejected),
        listed: listed.map(|n| &texts[n]),
    }
}

fn told(learnt: &[Learnt]) -> Vec<(&str, &str, &str)> {
    learnt
        .iter()
        .map(|one| {
            let item = &one.item;
            (
                item.source.as_str(),
                item.positive.as_str(),
                item.negative.as_str(),
            )
        })
        .collect()
}

/// A rule (0) for which 1 and 2 were found, with a decision.
fn row(id: i64, verdict: MatchVerdict, policies: Vec<MatchText>) -> MatchRow {
    let found = |id: i64, covers: bool| MatchCandidate {
        statement: text(id),
        score: 1.0,
        votes: 1,
        covers,
        found_by: Vec::new(),
        edges: None,
        terms: Vec::new(),
    };
    MatchRow {
        rule: text(0),
        policies: vec![found(1, true), found(2, true), found(3, false)],
        status: "corrected".to_owned(),
        verdict: MatchVerdict::Covered,
        relation: None,
        probability: 0.9,
        differences: Vec::new(),
        nearest: vec![NearStatement {
            policy: text(4),
            score: 0.1,
            why_not: WhyNot {
                reason: WhyNotReason::AnotherMatter,
                words: Vec::new(),
                text: String::new(),
            },
        }],
        by_method: Vec::new(),
        severity: Severity::Low,
        binds: MatchAddressee::Nobody,
        method: "words alone".to_owned(),
        decision: Some(MatchDecision {
            id,
            rule: text(0),
            accepted: false,
            undecided: false,
            verdict,
            relation: None,
            policies,
            note: String::new(),
            owner: String::new(),
            due: None,
            against: Vec::new(),
            made: String::new(),
            actor: String::new(),
        }),
        proposed: Vec::new(),
        learned: None,
        plain: None,
    }
}

/// The texts that a decision rejects, of a matching that takes account of the decisions to 7.
fn rejected(row: MatchRow) -> Vec<String> {
    let rows = [row];
    let decided = decided(&rows, 7);
    let texts = decided.iter().flat_map(|one| &one.rejected);
    texts.map(|text| text.text.clone()).collect()
}

#[test]
fn only_a_decision_about_this_matching_rejects_what_it_found() {
    let (covered, not) = (MatchVerdict::Covered, MatchVerdict::NotCovered);
    assert_eq!(rejected(row(8, covered, vec![text(1)])), ["Text 2."]);
    let all = ["Text 1.", "Text 2.", "Text 4."];
    assert_eq!(rejected(row(8, not, Vec::new())), all);
    // A decision about an earlier matching is carried over. Nobody has seen the new results yet.
    for (verdict, policies) in [(covered, vec![text(1)]), (not, Vec::new())] {
        let carried = rejected(row(7, verdict, policies));
        assert_eq!(carried, Vec::<String>::new(), "{verdict:?}");
    }
    let rows = [row(7, covered, vec![text(1)])];
    assert_eq!(decided(&rows, 7)[0].accepted.len(), 1);
}

#[test]
fn a_statement_that_was_imported_anew_is_not_rejected() {
    // It was accepted as sentence 91 of the policy of then.
    let then = MatchText {
        id: SentenceId(91),
        ..text(1)
    };
    let rows = [row(8, MatchVerdict::Covered, vec![then])];
    let decided = decided(&rows, 7);
    let (learnt, counts) = triplets(&decided);
    assert_eq!(told(&learnt), [("Text 0.", "Text 1.", "Text 2.")]);
    assert_eq!((counts.accepted, counts.rejected), (1, 1));
}

#[test]
fn texts_that_read_alike_are_one() {
    let texts: Vec<MatchText> = (0..6).map(text).collect();
    let again = |id: i64, of: usize| MatchText {
        id: SentenceId(id),
        ..texts[of].clone()
    };
    let (rule, statement) = (again(90, 0), again(91, 3));
    // Statement 3 was accepted for rule 0. For another copy of rule 0, a copy of statement 3 was rejected. The two
    // decisions disagree, so neither makes a triplet.
    let mut other = one(&texts, 1, &[], &[], None);
    (other.rule, other.rejected) = (&rule, vec![&statement]);
    let decided = [one(&texts, 0, &[3], &[], None), other];
    assert!(triplets(&decided).0.is_empty());
    // The statement of one rule, imported anew, was rejected for another one.
    let mut other = one(&texts, 1, &[], &[], None);
    other.rejected = vec![&statement];
    let decided = [one(&texts, 0, &[3], &[4], None), other];
    assert_eq!(
        told(&triplets(&decided).0),
        [
            ("Text 0.", "Text 3.", "Text 4."),
            ("Text 3.", "Text 0.", "Text 1."),
        ]
    );
}

#[test]
fn what_was_accepted_is_near_and_what_was_rejected_is_far() {
    let texts: Vec<MatchText> = (0..8).map(text).collect();
    // Rule 0: statement 4 was accepted and 5 rejected. Rules 1 and 3: statements 5 and 7 were accepted; 4 was
    // listed and not linked. Rule 2: nothing was accepted, and 6, which came near, was rejected.
    let decided = [
        one(&texts, 0, &[4], &[5], None),
        one(&texts, 1, &[5], &[], Some(4)),
        one(&texts, 2, &[], &[6], None),
        one(&texts, 3, &[7], &[], Some(4)),
    ];
    let (learnt, counts) = triplets(&decided);
    assert_eq!(
        told(&learnt),
        [
            ("Text 0.", "Text 4.", "Text 5."),
            // Statement 5 covers rule 1 and not rule 0.
            ("Text 5.", "Text 1.", "Text 0."),
            ("Text 3.", "Text 7.", "Text 4."),
        ]
    );
    let expected = Counts {
        accepted: 3,
        rejected: 2,
        unused: 1,
        listed: 1,
    };
    assert_eq!(counts, expected);
    // The section of the rule is held out as a whole, on whichever side of the triplet the rule is.
    assert_eq!(learnt[1].rule.id, SentenceId(1));
}

#[test]
fn what_belongs_together_through_others_is_one_group() {
    let texts: Vec<MatchText> = (0..6).map(text).collect();
    let decided = [
        one(&texts, 0, &[3, 4], &[5], None),
        one(&texts, 1, &[4], &[5], None),
        one(&texts, 2, &[5], &[3], None),
    ];
    let (learnt, _) = triplets(&decided);
    let group = |source: &str| {
        let found = learnt.iter().find(|one| one.item.source == source);
        found.map(|one| one.item.group)
    };
    assert_eq!(group("Text 0."), group("Text 1."));
    assert_ne!(group("Text 0."), group("Text 2."));
}
