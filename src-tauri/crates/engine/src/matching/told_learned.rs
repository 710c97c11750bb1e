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
            "What was learned from decisions is void, since {void} of them were taken back or changed: these are the verdicts without it."
        )
    } else if *needed > 0 {
        format!(
            "Nothing was learned from {decisions} decisions about other policies: {needed} are needed."
        )
    } else if own + pooled == 0 {
        format!(
            "Nothing was learned from {decisions} decisions about other policies: they say nothing of these rules, or all the same."
        )
    } else {
        format!(
            "Learned from {decisions} decisions about other policies ({policies}): {own} rules by their own, {pooled} weighed by the decisions about all."
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
            (used.clone(), "Learned from 34 decisions"),
            (
                MatchLearning {
                    needed: 20,
                    ..used.clone()
                },
                "20 are needed.",
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
                "is void, since 2 of them",
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
