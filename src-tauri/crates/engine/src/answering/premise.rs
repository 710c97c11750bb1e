//! What a question takes for granted, and whether a clause that answers it says otherwise.

use lexforge_augment::{Binding, Compared};
use lexforge_domain::api::{Citation, Premise};
use lexforge_store::words;
use std::collections::HashSet;

/// Words after which a question says what it takes for granted.
const ENGLISH: [&str; 7] = [
    "since",
    "because",
    "given that",
    "as",
    "now that",
    "considering that",
    "although",
];
/// The same in Chinese.
const CHINESE: [&str; 6] = ["既然", "由于", "因为", "鉴于", "考虑到", "虽然"];
/// Share of the assumption's words that a clause must have, to be about the same.
const ABOUT_THE_SAME: f64 = 0.6;

/// The first citation that contradicts what the question takes for granted.
pub(super) fn contradicted(question: &str, citations: &[Citation]) -> Option<Premise> {
    let assumed = assumed(question)?;
    let asked: HashSet<String> = words(assumed).into_iter().collect();
    for (place, citation) in citations.iter().enumerate() {
        for sentence in sentences(&citation.quote) {
            let own: HashSet<String> = words(sentence).into_iter().collect();
            let shared = asked.intersection(&own).count() as f64 / asked.len().max(1) as f64;
            if shared < ABOUT_THE_SAME {
                continue;
            }
            let compared = Compared {
                anchor: sentence,
                answer: assumed,
                asked: "",
                place: &citation.section,
                language: citation.language,
                terms: &[],
            };
            // What an assumption leaves out does not contradict; a force or a negation that is another one does.
            let otherwise = compared.differences().into_iter().any(|difference| {
                matches!(difference.kind, Binding::Modal | Binding::Negation)
                    && !difference.answer.is_empty()
            });
            if otherwise {
                return Some(Premise {
                    assumed: assumed.to_owned(),
                    citation: place,
                });
            }
        }
    }
    None
}

/// The part of a question that it takes for granted.
fn assumed(question: &str) -> Option<&str> {
    let lower = question.to_lowercase();
    // Lower case may be of another length in other scripts; then nothing is cut out.
    if lower.len() != question.len() {
        return None;
    }
    let english = ENGLISH.iter().filter_map(|word| {
        let at = lower.match_indices(word).map(|(at, _)| at).find(|at| {
            let before = lower[..*at].trim_end();
            let starts = before.is_empty() || before.ends_with([',', '.', ';']);
            starts && lower[at + word.len()..].starts_with(' ')
        })?;
        Some(at + word.len())
    });
    let chinese = CHINESE
        .iter()
        .filter_map(|word| Some(question.find(word)? + word.len()));
    let start = english.chain(chinese).min()?;
    let rest = question.get(start..)?.trim_start();
    let end = rest.find([',', '，', '?', '？', ';']).unwrap_or(rest.len());
    let assumed = rest[..end].trim();
    (words(assumed).len() >= 3).then_some(assumed)
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '。', ';', '；'])
        .map(str::trim)
        .filter(|s| !s.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::text::Language;
    use lexforge_domain::{DocumentId, SentenceId};

    fn citation(quote: &str, language: Language) -> Citation {
        Citation {
            document: DocumentId(1),
            title: String::new(),
            language,
            page: 1,
            section: String::new(),
            boxes: Vec::new(),
            quote: quote.to_owned(),
            sentence: SentenceId(1),
            external_id: None,
            superseded_by: None,
        }
    }

    #[test]
    fn what_is_taken_for_granted_is_found() {
        for (question, expected) in [
            (
                "Since the controller need not notify the authority, whom does it tell?",
                Some("the controller need not notify the authority"),
            ),
            ("Whom does the controller tell?", None),
            ("How is it paid as long as it lasts?", None),
            (
                "既然银行不得向股东发放贷款，应当如何处理？",
                Some("银行不得向股东发放贷款"),
            ),
        ] {
            assert_eq!(assumed(question), expected, "{question}");
        }
    }

    #[test]
    fn a_false_premise_is_told_and_a_true_one_is_not() {
        let rule = citation(
            "The controller shall notify the personal data breach to the supervisory authority.",
            Language::En,
        );
        let asked = |question: &str| contradicted(question, std::slice::from_ref(&rule)).is_some();
        assert!(asked(
            "Since the controller need not notify the personal data breach to the supervisory authority, what is recorded?"
        ));
        assert!(asked(
            "Given that the controller shall not notify the personal data breach to the authority, who does?"
        ));
        assert!(!asked(
            "Since the controller shall notify the personal data breach to the supervisory authority, how soon?"
        ));
        assert!(!asked(
            "Since the bank pays a fee, who notifies the breach?"
        ));
    }
}
