//! Whether a question asks when something is done, and whether a text tells it: at a time, or in a case.

use crate::expected::Beside;

/// Whether a question asks when something is done, and not only in which case something is so, as "When is a log needed?" does.
pub fn asks_when_it_is_done(question: &str) -> bool {
    let lower = question.trim().to_lowercase();
    WHEN_DONE.iter().any(|begin| lower.starts_with(begin))
}

/// How such a question begins.
const WHEN_DONE: [&str; 11] = [
    "by when ",
    "until when ",
    "when must ",
    "when shall ",
    "when should ",
    "when do ",
    "when does ",
    "when did ",
    "when was ",
    "when were ",
    "when will ",
];

/// Whether a text tells when something is done: at what time, or in which case.
pub fn tells_when(text: &str) -> bool {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let mut words = parts.map(str::to_lowercase);
    Beside::Time.may_be_told_in(text) || words.any(|word| CASES.contains(&word.as_str()))
}

/// Words before a case.
const CASES: [&str; 9] = [
    "if", "when", "where", "unless", "whenever", "wherever", "case", "cases", "event",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_something_is_done_is_told_by_a_time_or_a_case() {
        for (question, asks) in [
            ("When must the report be filed?", true),
            ("by when is it due", true),
            ("When was the fee introduced?", true),
            ("When is a log needed?", false),
            ("Who files the report when it is late?", false),
        ] {
            assert_eq!(asks_when_it_is_done(question), asks, "{question}");
        }
        for (text, tells) in [
            ("It is filed by 1 March.", true),
            ("It is filed without delay.", true),
            ("It is filed where a vessel was damaged.", true),
            ("It is filed when a vessel was damaged.", true),
            ("It was introduced in 2002.", true),
            ("It is filed with the harbour master.", false),
        ] {
            assert_eq!(tells_when(text), tells, "{text}");
        }
    }
}
