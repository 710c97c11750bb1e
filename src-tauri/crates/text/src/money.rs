//! Sums that are paid: a fine, a fee, a salary, a tax. Figures of other things do not count.

use crate::lists::Swap;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    SUMS: Vec<Swap> = "english/money.txt";
}

/// Whether a text mentions each kind of sum (fee, fine) that an English question names. If the question asks what is
/// paid and names no kind, a text that mentions any kind of sum that is paid is enough. A limit of 500 euros is not
/// such a sum.
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
    spoken_of.all(|so| so) && (!asks_what_is_paid(question) || speaks_of_a_sum(&told))
}

/// Whether an English text has a figure of money, or a share in percent: "up to 5 000 EUR", "$10,000", "2 % of the turnover".
pub fn has_a_sum(text: &str) -> bool {
    const UNITS: [&str; 14] = [
        "eur", "euro", "euros", "usd", "dollar", "dollars", "gbp", "pound", "pounds", "chf",
        "francs", "percent", "million", "billion",
    ];
    let is_near = |c: char| matches!(c, '€' | '$' | '£' | '%');
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
        digits.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_unit = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !is_near(c));
        word.starts_with(is_near) || UNITS.contains(&word.to_lowercase().as_str())
    };
    words.iter().enumerate().any(|(at, word)| {
        let is_beside = |other: Option<&&str>| other.is_some_and(|other| is_unit(other));
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        is_number(word)
            && (word.contains(is_near) || is_beside(words.get(at + 1)) || is_beside(before))
    })
}

/// Whether an English question asks how much is paid, and names no thing behind "how much".
fn asks_what_is_paid(question: &str) -> bool {
    let lower = question.to_lowercase();
    let Some((_, behind)) = lower.split_once("how much ") else {
        return false;
    };
    let mut words = behind.split(|c: char| !c.is_alphanumeric());
    let is_helping = words.next().is_some_and(|word| HELPING.contains(&word));
    is_helping && words.any(|word| PAID.contains(&word))
}

/// Whether words speak of a sum of any kind, or of paying.
fn speaks_of_a_sum(words: &HashSet<String>) -> bool {
    let mut known = SUMS
        .iter()
        .flat_map(|(forms, others)| forms.iter().chain(others));
    known.any(|word| words.contains(*word)) || ALSO_PAID.iter().any(|word| words.contains(*word))
}

/// The thing whose cost an English question asks for: "a berth" in "How much does a berth cost?" `None` if the question
/// names nothing before the verb.
pub fn priced(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let (_, behind) = lower.split_once("how much ")?;
    let words: Vec<&str> = behind
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let helping = words.first().filter(|word| HELPING.contains(*word));
    let cost = words
        .iter()
        .position(|word| matches!(*word, "cost" | "costs"))?;
    let thing = words.get(1..cost).filter(|_| helping.is_some())?;
    let named = |word: &&str| word.chars().nth(2).is_some() && !UNNAMED.contains(word);
    thing.iter().any(named).then(|| thing.join(" "))
}

/// Whether an English question asks for a sum of money: "How much does a berth cost?", "What is the maximum fine for a
/// spill?" A question for something else may name a sum, too: "How much notice is given before a fee is due?"
pub fn is_asked_for(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_sum = |word: &str| SUMS.iter().any(|(forms, _)| forms.contains(&word));
    let much = words.windows(2).position(|pair| *pair == ["how", "much"]);
    match much.map(|at| &words[at + 2..]) {
        Some([next, ..]) if is_sum(next) || *next == "money" => true,
        Some([next, ..]) => {
            let is_paid = |word: &&str| is_sum(word) || PAID.contains(word);
            HELPING.contains(next) && words.iter().any(is_paid)
        }
        Some([]) => false,
        None => {
            let head = words
                .iter()
                .take_while(|word| !BEHIND_A_HEAD.contains(word));
            head.last().is_some_and(|word| is_sum(word))
        }
    }
}

/// Verbs that ask what is paid.
const PAID: [&str; 4] = ["pay", "pays", "paid", "owe"];
/// Words by which a text speaks of paying, apart from the names of sums.
const ALSO_PAID: [&str; 12] = [
    "paying",
    "payments",
    "due",
    "owe",
    "owed",
    "rate",
    "rates",
    "contribution",
    "contributions",
    "instalment",
    "instalments",
    "reimbursed",
];
/// Words before "cost" that name no thing.
const UNNAMED: [&str; 8] = [
    "this", "that", "they", "these", "those", "all", "the", "usually",
];
/// Verbs behind "how much" where no thing is named between.
const HELPING: [&str; 20] = [
    "is", "are", "was", "were", "do", "does", "did", "must", "may", "can", "could", "shall",
    "should", "will", "would", "has", "have", "had", "am", "might",
];
/// Words behind the thing that a question asks for.
const BEHIND_A_HEAD: [&str; 11] = [
    "for", "of", "on", "if", "when", "under", "in", "to", "at", "that", "which",
];

/// Whether an English question asks for a sum by its verb: "What does the port charge for a berth?"
pub(crate) fn asks_for_a_charge(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let [what, helping, rest @ ..] = words.as_slice() else {
        return false;
    };
    let is_verb = |pair: &[&str]| matches!(pair[1], "charge" | "charged") && pair[0] != "in";
    *what == "what" && HELPING.contains(helping) && rest.windows(2).any(is_verb)
}

fn lower_words(text: &str) -> HashSet<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = parts
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    // Whoever is in charge charges nothing.
    let is_office = |at: usize| words[at] == "charge" && at > 0 && words[at - 1] == "in";
    let places = (0..words.len()).filter(|at| !is_office(*at));
    places.map(|at| words[at].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_a_figure_of_money() {
        for (text, has) in [
            ("Fines of up to 10 000 000 EUR are due.", true),
            ("A fine of $5,000 is due.", true),
            ("A fine of up to € 500, or more.", true),
            ("A fine of 2 % of the turnover.", true),
            ("The fines of Article 83 are due.", false),
            ("Fines are due within 30 days.", false),
        ] {
            assert_eq!(has_a_sum(text), has, "{text}");
        }
    }

    #[test]
    fn a_question_asks_for_a_sum_or_for_something_else() {
        for (question, sum) in [
            ("How much does a berth cost?", true),
            ("How much is the fine for a spill?", true),
            ("How much must a master pay?", true),
            ("How much tax is due?", true),
            ("How much money does a pilot get?", true),
            ("What is the maximum fine for a spill?", true),
            ("What is the fee?", true),
            ("How much may a vessel spill?", false),
            ("How much notice is given before a fee is due?", false),
            ("What is the maximum period for paying a fine?", false),
            ("How many pilots are paid?", false),
            ("How much", false),
            ("", false),
        ] {
            assert_eq!(is_asked_for(question), sum, "{question}");
        }
    }

    #[test]
    fn a_charge_is_asked_for_by_a_verb() {
        for (question, so) in [
            ("What does the port charge for a berth?", true),
            ("What will a pilot be charged?", true),
            ("What is a pilot in charge of?", false),
            ("Who charges for a berth?", false),
            ("What?", false),
        ] {
            assert_eq!(asks_for_a_charge(question), so, "{question}");
        }
    }

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
            (
                "What does a port charge for a berth?",
                "The pilots-in-charge of a berth are 5.",
                false,
            ),
            (
                "What does a port charge for a berth?",
                "A port may levy certain charges of 5 euros for a berth.",
                true,
            ),
            // All of them.
            ("What is the tax on the fee?", "The fee is 5 euros.", false),
            ("How much may a vessel spill?", rule, true),
            // What is paid is a sum, and no limit.
            (
                "How much do we pay for a report?",
                "A report is due for cargo under 500 euros.",
                true,
            ),
            (
                "How much do we pay for a report?",
                "A report is filed on cargo under 500 euros.",
                false,
            ),
            (
                "How much do we pay for a report?",
                "A report has a fee of 5 euros.",
                true,
            ),
            (
                "If we pay late, how much notice do we get?",
                "It is 5 days.",
                true,
            ),
        ] {
            assert_eq!(is_of_the_sum(question, text), so, "{question} {text}");
        }
    }

    #[test]
    fn a_question_names_what_costs() {
        for (question, thing) in [
            ("How much does a berth cost?", Some("a berth")),
            (
                "How much will an inspection of a hull cost the master?",
                Some("an inspection of a hull"),
            ),
            ("How much does it cost to moor?", None),
            ("How much does this cost?", None),
            ("How much cargo costs less?", None),
            ("How much is the fee for a berth?", None),
            ("What does a berth cost?", None),
        ] {
            assert_eq!(priced(question).as_deref(), thing, "{question}");
        }
    }
}
