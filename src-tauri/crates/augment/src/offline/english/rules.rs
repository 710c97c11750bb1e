//! Which English sentences lay something down.

use crate::clause::{Duty, Parsed};
use crate::english::{lexicon, parse};
use crate::offline::patterns::Place;

/// Whether a sentence lays something down, as far as its words and its place tell.
pub(super) fn lays_down(sentence: &Parsed, place: &Place<'_>) -> bool {
    let about = |title: &str| {
        let title = title.trim().to_lowercase();
        lexicon::BACKGROUND_HEADINGS.contains(&title.as_str())
            || lexicon::BACKGROUND_HEADING_PARTS
                .iter()
                .any(|p| title.contains(p))
    };
    if about(place.heading)
        || place.above.iter().copied().any(about)
        || place.section.split(" › ").any(about)
    {
        return false;
    }
    let Some(clause) = &sentence.clause else {
        // Guidance beside the rules only explains them, unless a regulator says in it what it expects.
        let guidance =
            place.section.split(" › ").any(|p| p == "Guidance") || place.heading == "Guidance";
        let says = [
            "expect", "consider", "require", "applies", "apply", "includes", "prohibit", "permit",
            "does not", "do not", "is not", "are not",
        ];
        return !guidance
            || sentence.definition.is_some()
            || says.iter().any(|w| sentence.text.contains(w));
    };
    // "Natural persons may be associated with online identifiers": nobody is allowed anything.
    let recital = place.section.starts_with("Recitals");
    let happens = lexicon::HAPPENS.iter().any(|h| {
        clause
            .predicate
            .strip_prefix(h)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
    });
    clause.duty != Duty::May
        || !(happens
            || recital
                && (clause.predicate.starts_with("be ") || !parse::is_agent(&clause.subject)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;

    #[test]
    fn what_tells_of_a_rule_is_none() {
        let check = |text: &str, section, heading, expected| {
            let parsed = Parsed {
                id: SentenceId(1),
                text: text.to_owned(),
                clause: parse::clause(text),
                definition: None,
            };
            assert_eq!(
                lays_down(
                    &parsed,
                    &Place {
                        section,
                        heading,
                        above: &[],
                        title: ""
                    }
                ),
                expected,
                "{text} {heading}"
            );
        };
        let rule = "The keeper must record the weight of every pallet.";
        check(rule, "4 › 2", "Records", true);
        check(rule, "Executive summary", "Executive summary", false);
        check(
            rule,
            "2 › Main policy choices › 9",
            "Main policy choices",
            false,
        );
        check(rule, "Article 36", "Prior consultation", true);
        check(
            "Depositors may suffer a loss by fire.",
            "Article 3",
            "",
            false,
        );
        check(
            "The depositor may inspect the goods in his presence.",
            "Recitals › (4)",
            "",
            true,
        );
        check(
            "Depositors may be associated with the marks on their goods.",
            "Recitals › (4)",
            "",
            false,
        );
        check(
            "The warehouse is made of four halls.",
            "2 › Guidance › 3",
            "",
            false,
        );
        check(
            "The Regulator expects a keeper to weigh every pallet.",
            "2 › Guidance › 3",
            "",
            true,
        );
        check(
            "The receipt may be transferred by endorsement to another person.",
            "Article 5",
            "",
            true,
        );
    }
}
