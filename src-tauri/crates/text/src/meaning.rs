//! Questions for the meaning of a term, and sentences that say what a term means.

use crate::asked;
use crate::script::is_han;
use crate::words::words;

/// How English questions begin that ask for a meaning and for nothing else.
const ONLY_FOR_A_MEANING: [&str; 8] = [
    "what does ",
    "what is meant by ",
    "what is the meaning of ",
    "what is the definition of ",
    "what is understood by ",
    "what counts as ",
    "how is ",
    "how are ",
];
/// How English questions begin that ask for a meaning, unless more words say otherwise.
const FOR_A_MEANING: [&str; 7] = [
    "who counts as ",
    "who is a ",
    "who is an ",
    "what is a ",
    "what is an ",
    "what is ",
    "what are ",
];
/// How English questions begin that ask who has a role.
const WHO_HAS_A_ROLE: [&str; 5] = [
    "who is the ",
    "who is our ",
    "who is your ",
    "who's the ",
    "who’s the ",
];
/// A longer phrase is no term.
const MOST_WORDS: usize = 4;
/// Words that are in no term: a question with one of them asks for more than a meaning.
const IN_NO_TERM: [&str; 30] = [
    "the", "this", "that", "these", "those", "my", "our", "your", "his", "her", "its", "their",
    "some", "any", "for", "in", "on", "to", "with", "under", "by", "from", "between", "if", "when",
    "at", "and", "or", "not", "new",
];

/// The term of an English question that asks for its meaning and for nothing else: "What is a berth?", but not "What is
/// the fee for a berth?"
pub fn only_asked_for(question: &str) -> Option<&str> {
    let term = asked::meaning_of(question).filter(|_| !question.chars().any(is_han))?;
    let lower = question.trim().to_lowercase();
    let begins = |list: &[&str]| list.iter().any(|begin| lower.starts_with(begin));
    if begins(&ONLY_FOR_A_MEANING) {
        return Some(term);
    }
    let rest = FOR_A_MEANING
        .iter()
        .find_map(|begin| lower.strip_prefix(begin))?;
    let all = words(rest);
    let is_term = (1..=MOST_WORDS).contains(&all.len())
        && !all.iter().any(|word| IN_NO_TERM.contains(&word.as_str()))
        // "What is required?"
        && !all.last().is_some_and(|word| word.ends_with("ed"));
    is_term.then_some(term)
}

/// Whether an English question asks only who has a role of several words: "Who is the harbour master?", but not "Who is
/// the master of a tug?"
pub fn asks_who_has_a_role(question: &str) -> bool {
    let lower = question.trim().to_lowercase();
    let role = WHO_HAS_A_ROLE
        .iter()
        .find_map(|begin| lower.strip_prefix(begin));
    let Some(all) = role.map(words) else {
        return false;
    };
    let is_of_it = |word: &String| word == "of" || IN_NO_TERM.contains(&word.as_str());
    (2..=MOST_WORDS).contains(&all.len())
        && !all.iter().any(is_of_it)
        // "Who is the bank supervised by?"
        && !all.last().is_some_and(|word| word.ends_with("ed"))
}

/// The names that an English text gives to what it describes: in quotes within brackets ("a vessel without a crew (the
/// ‘dead ship’)"), or behind "known as", "called" and the like. A name from behind such words may be followed by more
/// words of the sentence.
pub fn names_given(text: &str) -> Vec<&str> {
    let quotes = |c: char| matches!(c, '"' | '“' | '”' | '‘' | '’' | '\'' | '«' | '»');
    let mut names = Vec::new();
    for (open, _) in text.match_indices('(') {
        let inside = text[open + 1..].split(')').next().unwrap_or_default();
        let mut name = inside.trim();
        for before in ["hereinafter ", "hereafter ", "the "] {
            name = name.strip_prefix(before).unwrap_or(name);
        }
        let is_quoted = name.starts_with(quotes) && name.ends_with(quotes);
        if is_quoted && open > 0 {
            names.push(name.trim_matches(quotes));
        }
    }
    for called in [" known as ", " referred to as ", " called ", " termed "] {
        for (at, _) in text.match_indices(called) {
            let rest = text[at + called.len()..].trim_start();
            let rest = ["a ", "an ", "the "]
                .iter()
                .find_map(|article| rest.strip_prefix(article))
                .unwrap_or(rest);
            let end = rest.find([',', ';', '.', '(', ')', ':']);
            names.push(rest[..end.unwrap_or(rest.len())].trim_matches(|c| quotes(c) || c == ' '));
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// What an English sentence says that something is, where it begins with its name: ("A late berth", "a berth …") for "A
/// late berth is a berth …". `None` if the sentence only says what is done with it.
pub fn described(sentence: &str) -> Option<(&str, &str)> {
    const SAYING: [&str; 12] = [
        " means ",
        " mean ",
        " refers to ",
        " refer to ",
        " consists of ",
        " consist of ",
        " comprises ",
        " comprise ",
        " includes ",
        " include ",
        " is ",
        " are ",
    ];
    /// Words behind "is" that begin what something is.
    const BEGINS: [&str; 8] = [
        "a",
        "an",
        "the",
        "any",
        "those",
        "one",
        "defined",
        "considered",
    ];
    let text = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    let found = SAYING
        .iter()
        .filter_map(|verb| Some((text.find(verb)?, *verb)));
    let (at, verb) = found.min_by_key(|(at, _)| *at)?;
    let meaning = &text[at + verb.len()..];
    let first = meaning.split(' ').next().unwrap_or_default();
    let says = !matches!(verb, " is " | " are ") || BEGINS.contains(&first);
    says.then_some((&text[..at], meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meaning_alone_is_asked_for() {
        for (question, term) in [
            ("What is a dead ship?", Some("dead ship")),
            ("Who is a licensed pilot?", Some("licensed pilot")),
            ("What is demurrage?", Some("demurrage")),
            ("What are mooring fees?", Some("mooring fees")),
            ("What does demurrage mean?", Some("demurrage")),
            ("How is duty of care defined?", Some("duty of care")),
            ("What is the mooring fee?", None),
            ("What is a reason for refusal?", None),
            ("What is required?", None),
            ("What are our dues?", None),
            ("Who is the harbour master?", None),
            ("When is a ship dead?", None),
            ("什么是停泊费？", None),
        ] {
            assert_eq!(only_asked_for(question), term, "{question}");
        }
    }

    #[test]
    fn who_has_a_role_is_asked() {
        for (question, asks) in [
            ("Who is the harbour master?", true),
            ("Who’s the chief pilot?", true),
            ("Who is the pilot?", false),
            ("Who is the master of a tug?", false),
            ("Who is the log kept by?", false),
            ("Who is the ship inspected by?", false),
            ("Who is a harbour master?", false),
            ("谁是船长？", false),
        ] {
            assert_eq!(asks_who_has_a_role(question), asks, "{question}");
        }
    }

    #[test]
    fn a_name_is_given_by_the_way() {
        for (text, names) in [
            (
                "Ships that lie without a crew, also known as “dead ships” (DS), are towed.",
                &["dead ships"][..],
            ),
            (
                "Dues of a vessel (‘harbour dues’) are paid to the office (the “Office”).",
                &["harbour dues", "Office"],
            ),
            (
                "A vessel without a crew is called a dead ship.",
                &["dead ship"],
            ),
            ("Vessels (barges and tugs) pay.", &[]),
        ] {
            assert_eq!(names_given(text), names, "{text}");
        }
    }

    #[test]
    fn a_sentence_describes_what_it_begins_with() {
        for (text, found) in [
            (
                "(a) A dead ship is a vessel without a crew.",
                Some(("a) A dead ship", "a vessel without a crew.")),
            ),
            ("Demurrage means a sum.", Some(("Demurrage", "a sum."))),
            ("A dead ship is towed.", None),
            ("Dead ships lie idle.", None),
        ] {
            assert_eq!(described(text), found, "{text}");
        }
    }
}
