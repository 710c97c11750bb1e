//! The leak check: no training text may be a held-out text, or nearly so.

use crate::near::near_pairs;
use lexforge_domain::SentenceId;
use lexforge_domain::dataset::{Leak, LeakReport};
use lexforge_domain::qca::Split;

/// A training text: the anchor sentence of its item, the text, and its role (`anchor`, `candidate` or
/// `distractor`).
pub type TrainText<'a> = (SentenceId, &'a str, &'a str);

/// A held-out text with the part that it belongs to.
pub type HeldOutText<'a> = (SentenceId, Split, &'a str, &'a str);

/// Compares every training text with every held-out text: identical ones and near-duplicates (character-shingle Jaccard
/// ≥ 0.8) are leaks. If either text is a distractor, the leak's role is `distractor`. Equal findings are listed once;
/// nothing is removed here.
pub fn check(train: &[TrainText<'_>], held_out: &[HeldOutText<'_>]) -> LeakReport {
    let texts: Vec<&str> = train
        .iter()
        .map(|t| t.1)
        .chain(held_out.iter().map(|h| h.2))
        .collect();
    let border = train.len();
    let mut leaks: Vec<Leak> = near_pairs(&texts, |a, b| a < border && b >= border)
        .into_iter()
        .map(|pair| {
            let (train, held) = (&train[pair.a], &held_out[pair.b - border]);
            let role = if rank(train.2) >= rank(held.3) {
                train.2
            } else {
                held.3
            };
            Leak {
                train: train.0,
                held_out: held.0,
                split: held.1,
                jaccard: pair.jaccard,
                role: role.to_owned(),
            }
        })
        .collect();
    leaks.sort_by(|a, b| {
        let key = |l: &Leak| (l.train, l.held_out, l.split, l.role.clone());
        key(a).cmp(&key(b)).then(b.jaccard.total_cmp(&a.jaccard))
    });
    leaks.dedup_by(|b, a| {
        (a.train, a.held_out, a.split, &a.role) == (b.train, b.held_out, b.split, &b.role)
    });
    LeakReport {
        compared: texts.len() as u64,
        removed: 0,
        leaks,
    }
}

fn rank(role: &str) -> u8 {
    match role {
        "anchor" => 0,
        "candidate" => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_identical_and_nearly_identical_texts_across_the_border_only() {
        let long = "The institution shall report the amount of its eligible own funds to the authority each quarter.";
        let near = "The institution shall report the amount of its eligible own funds to the authority every quarter.";
        let train = [
            (SentenceId(1), long, "anchor"),
            (
                SentenceId(2),
                "Something else entirely is said in this sentence.",
                "distractor",
            ),
            (SentenceId(3), long, "candidate"),
        ];
        let held_out = [
            (SentenceId(8), Split::Test, near, "anchor"),
            (
                SentenceId(9),
                Split::Dev,
                "Nobody has read this one before today.",
                "anchor",
            ),
            (
                SentenceId(9),
                Split::Dev,
                "something else entirely is said in this sentence",
                "candidate",
            ),
        ];
        let report = check(&train, &held_out);
        assert_eq!(report.compared, 6);
        let found: Vec<_> = report
            .leaks
            .iter()
            .map(|l| (l.train.0, l.held_out.0, l.split, l.role.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (1, 8, Split::Test, "anchor"),
                (2, 9, Split::Dev, "distractor"),
                (3, 8, Split::Test, "candidate"),
            ]
        );
        assert!(report.leaks[0].jaccard >= 0.8 && report.leaks[0].jaccard < 1.0);
        assert_eq!(report.leaks[1].jaccard, 1.0);
    }
}
