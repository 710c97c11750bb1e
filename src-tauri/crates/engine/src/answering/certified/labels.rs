//! The labels on which a measurement rests.

use lexforge_domain::api::Pair;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Hexadecimal digits by which a question is known again.
const DIGITS: usize = 16;

/// A labelled question as it was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::answering) struct MeasuredLabel {
    /// The beginning of the question's SHA-256.
    question: String,
    /// The clauses that answer it; none if nothing does.
    clauses: Vec<u32>,
}

impl MeasuredLabel {
    pub fn of(pair: &Pair, clauses: Vec<u32>) -> Self {
        let mut question = hex::encode(Sha256::digest(&pair.question));
        question.truncate(DIGITS);
        Self { question, clauses }
    }
}

/// Whether the labels that were measured still hold today. Two changes do not matter: questions that were labelled
/// later, and further right clauses of a question that already had one.
pub(super) fn stand(measured: &[MeasuredLabel], today: &[MeasuredLabel]) -> bool {
    let known: HashMap<&str, &[u32]> = today
        .iter()
        .map(|label| (label.question.as_str(), label.clauses.as_slice()))
        .collect();
    measured.iter().all(|label| {
        let Some(now) = known.get(label.question.as_str()) else {
            return false;
        };
        label.clauses.is_empty() == now.is_empty()
            && label.clauses.iter().all(|clause| now.contains(clause))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::PairSource;

    #[test]
    fn a_label_that_is_changed_or_taken_back_stands_no_more() {
        let label = |question: &str, clauses: &[u32]| {
            let pair = Pair {
                id: question.to_owned(),
                question: question.to_owned(),
                passage_ids: Vec::new(),
                answer: None,
                source: PairSource::Imported,
            };
            MeasuredLabel::of(&pair, clauses.to_vec())
        };
        let measured = [label("Who?", &[4]), label("Why?", &[])];
        for (today, expected) in [
            (vec![label("Who?", &[4]), label("Why?", &[])], true),
            // Another question, and a further clause.
            (
                vec![
                    label("When?", &[7]),
                    label("Why?", &[]),
                    label("Who?", &[3, 4]),
                ],
                true,
            ),
            (vec![label("Who?", &[5]), label("Why?", &[])], false),
            (vec![label("Who?", &[4]), label("Why?", &[4])], false),
            (vec![label("Who?", &[]), label("Why?", &[])], false),
            (vec![label("Who?", &[4])], false),
        ] {
            assert_eq!(stand(&measured, &today), expected, "{today:?}");
        }
    }
}
