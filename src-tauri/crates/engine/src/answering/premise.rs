//! What a question takes for granted, and whether a clause that answers it says otherwise.

use lexforge_augment::{Binding, Compared, Difference};
use lexforge_domain::api::{Citation, Premise};
use lexforge_store::words;
use lexforge_text::granted;
use std::collections::HashSet;

/// Share of the assumption's words that a clause must have, to be about the same.
const ABOUT_THE_SAME: f64 = 0.6;
/// The same where only a figure is taken for granted: words of the question stand behind it.
const ABOUT_THE_FIGURE: f64 = 0.5;

/// The first citation that contradicts what the question takes for granted.
pub(super) fn contradicted(question: &str, citations: &[Citation]) -> Option<Premise> {
    let said_otherwise = granted::clause(question)
        .or_else(|| granted::asserted(question))
        .filter(|assumed| words(assumed).len() >= 3)
        .and_then(|assumed| contradicts(assumed, ABOUT_THE_SAME, citations, otherwise));
    said_otherwise.or_else(|| {
        granted::figures(question)
            .into_iter()
            .find_map(|assumed| contradicts(assumed, ABOUT_THE_FIGURE, citations, another_figure))
    })
}

/// The first citation about the same that differs from an assumption in what counts.
fn contradicts(
    assumed: &str,
    about: f64,
    citations: &[Citation],
    differs: fn(&Difference) -> bool,
) -> Option<Premise> {
    let asked = subject(assumed);
    let mut found = None;
    for (place, citation) in citations.iter().enumerate() {
        for sentence in sentences(&citation.quote) {
            let compared = Compared {
                anchor: sentence,
                answer: assumed,
                asked: "",
                place: &citation.section,
                language: citation.language,
                terms: &[],
            };
            let differences = compared.differences();
            // Another clause has the figure: it may be that one that the question means.
            let figures_stand = !differences.iter().any(is_figure);
            if figures_stand && has_figure(assumed) && shared(&asked, sentence) > 0.0 {
                return None;
            }
            if found.is_none()
                && shared(&asked, sentence) >= about
                && differences.iter().any(differs)
            {
                found = Some(Premise {
                    assumed: assumed.to_owned(),
                    citation: place,
                });
            }
        }
    }
    found
}

/// Share of the words that a sentence has.
fn shared(asked: &HashSet<String>, sentence: &str) -> f64 {
    let own: HashSet<String> = words(sentence).into_iter().collect();
    asked.intersection(&own).count() as f64 / asked.len().max(1) as f64
}

/// The words of an assumption without its figures.
fn subject(assumed: &str) -> HashSet<String> {
    words(assumed)
        .into_iter()
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
        .collect()
}

fn has_figure(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit()) || !granted::figures(text).is_empty()
}

fn is_figure(difference: &Difference) -> bool {
    matches!(difference.kind, Binding::Number | Binding::Date)
}

/// What an assumption leaves out does not contradict; a force, a negation or a figure that is another one does.
fn otherwise(difference: &Difference) -> bool {
    let said = !difference.answer.is_empty();
    match difference.kind {
        Binding::Modal | Binding::Negation => said,
        _ => another_figure(difference),
    }
}

/// The clause has a figure of the same unit that is another one.
fn another_figure(difference: &Difference) -> bool {
    is_figure(difference) && !difference.answer.is_empty() && !difference.anchor.is_empty()
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
    fn a_false_premise_is_told_and_a_true_one_is_not() {
        let english = [citation(
            "The controller shall notify the personal data breach to the supervisory authority within 72 hours.",
            Language::En,
        )];
        let chinese = [citation(
            "商业银行应当在每季度结束后15日内向监管机构报告重大风险。",
            Language::Zh,
        )];
        for (question, citations, told) in [
            (
                "Since the controller need not notify the personal data breach to the supervisory authority, what is recorded?",
                &english,
                true,
            ),
            (
                "Given that the controller shall not notify the personal data breach to the authority, who does?",
                &english,
                true,
            ),
            (
                "Why need the controller not notify the personal data breach to the supervisory authority?",
                &english,
                true,
            ),
            (
                "Given that the controller shall notify the personal data breach within 48 hours, who does so?",
                &english,
                true,
            ),
            (
                "When does the 48-hour period for notifying the supervisory authority of a breach begin?",
                &english,
                true,
            ),
            (
                "既然商业银行应当在每季度结束后10日内向监管机构报告重大风险，由谁报告？",
                &chinese,
                true,
            ),
            ("为什么商业银行不得向监管机构报告重大风险？", &chinese, true),
            ("商业银行不得向监管机构报告重大风险，对吗？", &chinese, true),
            (
                "商业银行应当向监管机构报告重大风险，对吗？",
                &chinese,
                false,
            ),
            (
                "商业银行向监管机构报告重大风险30日的期限可以延长吗？",
                &chinese,
                true,
            ),
            (
                "商业银行向监管机构报告重大风险三十日的期限可以延长吗？",
                &chinese,
                true,
            ),
            (
                "商业银行向监管机构报告重大风险十五日的期限可以延长吗？",
                &chinese,
                false,
            ),
            (
                "Since the controller shall notify the personal data breach to the supervisory authority, how soon?",
                &english,
                false,
            ),
            (
                "Why must the controller notify the personal data breach to the supervisory authority?",
                &english,
                false,
            ),
            (
                "When does the 72-hour period for notifying the supervisory authority of a breach begin?",
                &english,
                false,
            ),
            (
                "Since the bank pays a fee, who notifies the breach?",
                &english,
                false,
            ),
            (
                "When does the 30-day period for paying the fee of the register begin?",
                &english,
                false,
            ),
            (
                "为什么商业银行应当向监管机构报告重大风险？",
                &chinese,
                false,
            ),
        ] {
            let found = contradicted(question, citations);
            assert_eq!(found.is_some(), told, "{question}: {found:?}");
        }
    }

    #[test]
    fn a_figure_that_another_clause_has_is_no_false_one() {
        let two = [
            citation("The bank shall report losses within 10 days.", Language::En),
            citation("The bank shall report gains within 20 days.", Language::En),
        ];
        let question = "When does the 20-day period for reporting gains of the bank begin?";
        assert_eq!(contradicted(question, &two), None);
        let other = "When does the 30-day period for reporting losses of the bank begin?";
        assert_eq!(contradicted(other, &two).map(|p| p.citation), Some(0));
    }
}
