//! Sums that are paid: a fine, a fee, a salary, a tax. Figures of other things do not count.

use crate::lists::Swap;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    SUMS: Vec<Swap> = "english/money.txt";
}

/// Whether a text speaks of each kind of sum that an English question names.
pub fn is_of_the_sum(question: &str, text: &str) -> bool {
    let asked = lower_words(question);
    let named = SUMS
        .iter()
        .filter(|(forms, _)| forms.iter().any(|form| asked.contains(*form)));
    let told = lower_words(text);
    let mut spoken_of = named.map(|(forms, others)| {
        let mut all = forms.iter().chain(others);
        all.any(|word| told.contains(*word))
    });
    spoken_of.all(|so| so)
}

fn lower_words(text: &str) -> HashSet<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_of_something_else_is_no_sum_that_is_paid() {
        let rule = "A vessel may spill 5 litres.";
        for (question, text, so) in [
            ("What is the fine for a spill?", rule, false),
            (
                "What is the fine for a spill?",
                "It is fined up to 500 euros.",
                true,
            ),
            (
                "What is the fine for a spill?",
                "The penalty is 500 euros.",
                true,
            ),
            (
                "How much does a berth cost?",
                "A berth is free of charge.",
                true,
            ),
            ("How much does a pilot earn?", "A pilot has 5 tasks.", false),
            // All of them.
            ("What is the tax on the fee?", "The fee is 5 euros.", false),
            ("How much may a vessel spill?", rule, true),
        ] {
            assert_eq!(is_of_the_sum(question, text), so, "{question} {text}");
        }
    }
}
