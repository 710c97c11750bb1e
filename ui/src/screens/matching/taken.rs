//! Applies a decision that was just made to the data that the screen has already, so that the screen does not show the
//! old state until the data is read again.

use super::place::{STALE, UNREVIEWED};
use lexforge_domain::api::{MatchBrief, MatchDecision, MatchedRule};

/// What was decided, in the rule as it was read before.
pub fn take_in(detail: &mut MatchedRule, kept: &[MatchDecision]) {
    let of_rule = |decision: &&MatchDecision| decision.rule.id == detail.row.rule.id;
    let Some(decision) = kept.iter().find(of_rule) else {
        return;
    };
    detail.row.status = status(decision).to_owned();
    detail.verdict = decision.verdict;
    detail.relation = decision.relation;
    detail.policies = decision.policies.clone();
    detail.row.decision = Some(decision.clone());
}

/// What was decided, in the rule's row of the list.
pub fn take_into_list(row: &mut MatchBrief, kept: &[MatchDecision]) {
    let Some(decision) = kept.iter().find(|d| d.rule.id == row.rule.id) else {
        return;
    };
    // A remark leaves open again what a changed text has opened.
    if !(decision.undecided && row.status == STALE) {
        row.status = status(decision).to_owned();
    }
    row.verdict = decision.verdict;
    row.owner = decision.owner.clone();
    row.due = decision.due.clone();
}

/// What a rule is by a decision.
fn status(decision: &MatchDecision) -> &'static str {
    match (decision.undecided, decision.accepted) {
        (true, _) => UNREVIEWED,
        (false, true) => "accepted",
        (false, false) => "corrected",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::{MatchText, MatchVerdict, Severity};
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

    #[test]
    fn the_row_of_a_rule_says_at_once_what_was_decided() {
        let decided = |undecided: bool, accepted: bool| MatchDecision {
            id: 1,
            rule: text(1),
            accepted,
            undecided,
            verdict: MatchVerdict::Partly,
            relation: None,
            policies: Vec::new(),
            note: String::new(),
            owner: "Ana".to_owned(),
            due: Some("2026-12-31".to_owned()),
            against: Vec::new(),
            made: String::new(),
            actor: "Ben".to_owned(),
        };
        for (id, before, undecided, accepted, expected) in [
            (1, UNREVIEWED, false, true, "accepted"),
            (1, UNREVIEWED, false, false, "corrected"),
            (1, "accepted", true, false, UNREVIEWED),
            (1, STALE, true, false, STALE),
            (1, STALE, false, true, "accepted"),
            (2, UNREVIEWED, false, true, UNREVIEWED),
        ] {
            let mut row = MatchBrief {
                rule: text(id),
                chapter: 0,
                verdict: MatchVerdict::NotCovered,
                severity: Severity::None,
                probability: 0.1,
                status: before.to_owned(),
                owner: String::new(),
                due: None,
                proposed: 0,
            };
            take_into_list(&mut row, &[decided(undecided, accepted)]);
            let taken = id == 1;
            assert_eq!(row.status, expected, "{id} {before} {undecided} {accepted}");
            assert_eq!(row.verdict == MatchVerdict::Partly, taken);
            assert_eq!((row.owner == "Ana", row.due.is_some()), (taken, taken));
        }
    }
}
