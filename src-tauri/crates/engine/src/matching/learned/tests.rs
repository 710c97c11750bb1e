//! Learning from decisions about made-up policies.

use super::*;

/// Twelve policies of four statements each. In two of three policies a statement covers rule 0, but in other words. In
/// every second policy rule 1 is covered. About rule 2 there are decisions in only two policies.
fn lesson() -> Lesson {
    let mut lesson = Lesson {
        rules: ["Data are deleted.", "Staff are trained.", "Keys are kept."]
            .map(str::to_owned)
            .to_vec(),
        groups: (0..12).collect(),
        ..Lesson::default()
    };
    for policy in 0..12 {
        let covers = [policy % 3 != 0, policy % 2 == 0];
        let said = |covers: bool, yes: &str, no: &str| -> String {
            let text = if covers { yes } else { no };
            text.to_owned()
        };
        lesson.policies.push(vec![
            "This policy is about the office and its people.".to_owned(),
            said(
                covers[0],
                "Records are shredded after a year.",
                "Doors are painted after a year.",
            ),
            said(
                covers[1],
                "Workshops are held for our people.",
                "Lunches are held for our people.",
            ),
            format!("The office has floor {policy} of the house."),
        ]);
        for (rule, covers) in covers.into_iter().enumerate() {
            lesson.judged.push(Judged {
                rule,
                policy,
                said: if covers { Said::Covered } else { Said::Open },
                named: if covers { vec![rule + 1] } else { Vec::new() },
            });
        }
        if policy < 2 {
            lesson.judged.push(Judged {
                rule: 2,
                policy,
                said: Said::Open,
                named: Vec::new(),
            });
        }
    }
    lesson
}

fn all_but(policy: usize) -> Vec<bool> {
    (0..12).map(|one| one != policy).collect()
}

#[test]
fn planted_words_are_learned_from_other_policies() {
    let learner = Learner::new(lesson());
    for policy in 0..12 {
        let learned = learner.learned(&all_but(policy)).expect("enough decisions");
        for (rule, covered) in [(0, policy % 3 != 0), (1, policy % 2 == 0)] {
            let found = learner.judgement(&learned, rule, policy).expect("decided");
            assert_eq!(found.spoken > 0.5, covered, "{rule} {policy} {found:?}");
            assert_eq!(found.said() == Said::Covered, covered);
            assert!(!found.is_pooled());
            assert_eq!(found.decisions, 11);
            let best = (0..4).max_by(|a, b| found.scores[*a].total_cmp(&found.scores[*b]));
            assert!(!covered || best == Some(rule + 1), "{rule} {policy}");
        }
    }
}

#[test]
fn a_policy_is_judged_without_what_was_decided_of_it() {
    // All decisions about policy 7 are reversed. This must not change its own result.
    let turned = || {
        let mut lesson = lesson();
        for one in lesson.judged.iter_mut().filter(|one| one.policy == 7) {
            one.said = Said::Contradicted;
            one.named = vec![0, 3];
        }
        lesson
    };
    let judged = |lesson: Lesson, from: &[bool]| {
        let learner = Learner::new(lesson);
        let learned = learner.learned(from)?;
        let found = [0, 1, 2].map(|rule| learner.judgement(&learned, rule, 7));
        Some(found)
    };
    let without = all_but(7);
    assert_eq!(judged(lesson(), &without), judged(turned(), &without));
    let with = [true; 12];
    assert_ne!(judged(lesson(), &with), judged(turned(), &with));
}

#[test]
fn versions_of_a_document_are_never_scored_by_each_other() {
    let mut lesson = lesson();
    lesson.groups = (0..12).map(|policy| policy / 2).collect();
    let learner = Learner::new(lesson);
    let parts = learner.parts(&[true; 12]);
    for pair in parts.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    let used: BTreeSet<Option<usize>> = parts.into_iter().collect();
    assert_eq!(used.len(), PARTS);
    assert_eq!(learner.parts(&all_but(3))[3], None);
}

#[test]
fn what_too_little_was_decided_of_is_pooled_or_not_learned() {
    let learner = Learner::new(lesson());
    let learned = learner.learned(&[true; 12]).expect("enough decisions");
    let few = learner.judgement(&learned, 2, 5).expect("two decisions");
    assert!(few.is_pooled() && few.decisions == 2);
    // Nine policies hold eighteen decisions and two about the third rule; eight hold too few.
    let first = |n: usize| -> Vec<bool> { (0..12).map(|policy| policy < n).collect() };
    assert!(learner.learned(&first(9)).is_some());
    assert!(learner.learned(&first(8)).is_none());
    // A rule about which nothing was decided is left as it is.
    let mut other = lesson();
    other.rules.push("Fees are low.".to_owned());
    let learner = Learner::new(other);
    let learned = learner.learned(&[true; 12]).expect("enough decisions");
    assert_eq!(learner.judgement(&learned, 3, 5), None);
}

#[test]
fn the_likeliest_of_three_is_said() {
    for (spoken, against, expected) in [
        (0.9, 0.1, Said::Covered),
        (0.9, 0.8, Said::Contradicted),
        (0.3, 0.9, Said::Open),
        (0.5, 0.0, Said::Covered),
    ] {
        let one = Judgement {
            spoken,
            against,
            scores: Vec::new(),
            decisions: 1,
        };
        assert_eq!(one.said(), expected, "{spoken} {against}");
    }
}
