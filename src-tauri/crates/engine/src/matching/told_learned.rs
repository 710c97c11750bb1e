//! The remarks in papers about what a matching learned from decisions.

use lexforge_domain::api::{MatchLearning, MatchRow};

/// What a matching learned from decisions about other policies, or why it learned nothing.
pub(super) fn learning(learning: &MatchLearning) -> String {
    let MatchLearning {
        policies,
        own,
        pooled,
        needed,
        void,
        ..
    } = learning;
    let decisions = learning.decisions.len();
    if *void > 0 {
        format!(
            "What was learned from decisions is void, since some of them were taken back or changed ({void}): these are the verdicts without it."
        )
    } else if *needed > 0 {
        format!(
            "Nothing was learned yet from decisions about other policies: there are {decisions} of the {needed} that are needed."
        )
    } else if own + pooled == 0 {
        format!(
            "Nothing was learned from decisions about other policies ({decisions}): they say nothing of these rules, or all the same."
        )
    } else {
        format!(
            "Learned from decisions about other policies ({decisions}, {policies}): of the rules {own} by their own, {pooled} weighed by the decisions about all."
        )
    }
}

/// What the probability of a rule rests on: decisions about other policies, or what comes with the product.
pub(super) fn rests_on(row: &MatchRow) -> String {
    let Some(learned) = row.learned else {
        return "fitted on public contracts, not learned from decisions".to_owned();
    };
    let (n, all) = (learned.decisions, learned.of_all);
    if learned.pooled {
        format!(
            "weighed by {all} decisions about all rules in other policies, {n} of them about this one"
        )
    } else {
        format!("learned from {n} decisions about this rule in other policies")
    }
}

#[cfg(test)]
mod tests {
    use super::super::about::About;
    use super::*;
    use lexforge_domain::api::{MatchLearned, MatchVerdict};

    #[test]
    fn a_paper_says_what_was_learned_from_decisions() {
        let mut about = About::of_rules(&[("unreviewed", MatchVerdict::Covered)]);
        let used = MatchLearning {
            decisions: (1..=34).collect(),
            policies: 6,
            own: 1,
            ..MatchLearning::default()
        };
        for (learning, expected) in [
            (
                used.clone(),
                "Learned from decisions about other policies (34, 6): of the rules 1 by",
            ),
            (
                MatchLearning {
                    needed: 40,
                    ..used.clone()
                },
                "there are 34 of the 40 that are needed.",
            ),
            (
                MatchLearning {
                    own: 0,
                    ..used.clone()
                },
                "nothing of these rules",
            ),
            (
                MatchLearning { void: 2, ..used },
                "taken back or changed (2)",
            ),
        ] {
            about.report.learning = Some(learning);
            let said = about.opening().join(" ");
            assert!(said.contains(expected), "{said}");
        }
        let row = &mut about.report.rows[0];
        assert_eq!(
            rests_on(row),
            "fitted on public contracts, not learned from decisions"
        );
        for (pooled, expected) in [
            (
                false,
                "learned from 12 decisions about this rule in other policies",
            ),
            (
                true,
                "weighed by 34 decisions about all rules in other policies, 12 of them about this one",
            ),
        ] {
            row.learned = Some(MatchLearned {
                decisions: 12,
                of_all: 34,
                pooled,
                needed: 5,
            });
            assert_eq!(rests_on(row), expected);
        }
    }
}
