//! Two kinds of answers that a model could give, in both languages: answers that reverse a rule on purpose, and honest
//! answers. The tests count how many of each are rejected.
//!
//! Each answer comes with its rule and its question; the texts were written for these tests. `kind` says what was
//! reversed: a number, a unit, a date, a modal, a negation, an actor, a term, a quantifier, a condition, or a
//! comparison.

use lexforge_augment::{Compared, Difference, differences};
use lexforge_domain::text::Language;
use serde::Deserialize;

const OBEYING: &str = include_str!("binding/obeying.jsonl");
const HONEST: &str = include_str!("binding/honest.jsonl");
/// All 200 reversed answers are rejected now, and none of 102 honest answers. The second half of both was also measured
/// before anybody had looked at it: then 95 of 98 reversed answers were rejected, and 3 of 44 honest ones.
const CAUGHT: usize = 200;
const WRONGLY_REFUSED: usize = 0;

#[derive(Deserialize)]
struct Case {
    language: Language,
    anchor: String,
    question: String,
    answer: String,
    /// The kind of part that was reversed. `None` for honest answers.
    kind: Option<String>,
    #[serde(default)]
    terms: Vec<String>,
}

impl Case {
    fn differences(&self) -> Vec<Difference> {
        let terms: Vec<&str> = self.terms.iter().map(String::as_str).collect();
        let compared = Compared {
            anchor: &self.anchor,
            answer: &self.answer,
            asked: &self.question,
            place: "",
            language: self.language,
            terms: &terms,
        };
        compared.differences()
    }
}

fn cases(lines: &str) -> Vec<Case> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn answers_that_turn_a_rule_round_are_refused() {
    let cases = cases(OBEYING);
    assert_eq!(cases.len(), 200);
    assert_eq!(
        cases
            .iter()
            .filter(|case| case.language == Language::Zh)
            .count(),
        100
    );
    let passed: Vec<String> = cases
        .iter()
        .filter(|case| case.differences().is_empty())
        .map(|case| format!("{:?}: {} <- {}", case.kind, case.answer, case.anchor))
        .collect();
    assert!(cases.len() - passed.len() >= CAUGHT, "{passed:#?}");
}

#[test]
fn honest_answers_pass() {
    let cases = cases(HONEST);
    assert!(cases.len() >= 100);
    let refused: Vec<String> = cases
        .iter()
        .filter(|case| !case.differences().is_empty())
        .map(|case| {
            format!(
                "{} <- {}: {:?}",
                case.answer,
                case.anchor,
                case.differences()
            )
        })
        .collect();
    assert!(refused.len() == WRONGLY_REFUSED, "{refused:#?}");
}

#[test]
fn a_rule_is_not_different_from_itself() {
    for case in cases(OBEYING).iter().chain(&cases(HONEST)) {
        assert_eq!(
            differences(&case.anchor, &case.anchor, case.language, &[]),
            [],
            "{}",
            case.anchor
        );
    }
}
