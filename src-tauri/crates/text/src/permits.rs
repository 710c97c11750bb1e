//! Whether a question asks if something is allowed or required, and whether a sentence says that of anything.

use crate::duty;
use crate::figures::ENGLISH_UNITS;
use crate::lists::Word;
use crate::when;
use crate::word_lists;
use crate::words::words;
use std::collections::HashSet;

word_lists! {
    /// How such a question begins.
    ASKS: Vec<Word> = "english/asks_whether.txt";
    /// Words that bind.
    BINDS: HashSet<Word> = "english/binds.txt";
    /// The words after the actor that grant a permission.
    BEHIND_WHOM: Vec<Word> = "english/behind_whom.txt";
}

/// Verbs before the actor of such a question: "is the master allowed to".
const BEFORE_WHOM: [&str; 6] = ["is", "are", "does", "do", "has", "have"];

/// Whether an English question asks if something is allowed, forbidden or required.
pub fn asks_whether(question: &str) -> bool {
    let asked = words(question);
    let text = format!("{} ", asked.join(" "));
    let begins = ASKS.iter().any(|begin| {
        let rest = text.strip_prefix(*begin);
        rest.is_some_and(|rest| rest.starts_with(' '))
    });
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    let of_whom = asked.first().is_some_and(|word| is_in(&BEFORE_WHOM, word))
        && asked.iter().skip(1).any(|word| is_in(&BEHIND_WHOM, word));
    begins || of_whom
}

/// Whether an English text allows, forbids or requires something.
pub fn binds(text: &str) -> bool {
    words(text).iter().any(|word| BINDS.contains(word.as_str()))
}

/// Whether an English question asks in which case or from when on something may be done.
pub fn asks_when_it_may_be_done(question: &str) -> bool {
    let lower = question.trim().to_lowercase();
    let begins = ["when can ", "when may ", "when could "];
    begins.iter().any(|begin| lower.starts_with(begin))
}

/// Whether a text names a case, a condition or a time in which something may be done. A figure that the question itself
/// contains does not count. For example, the question "When may the cycle be 18 months?" is not answered by a text that
/// says only "banks with an 18-month cycle".
pub fn tells_when_it_may_be_done(question: &str, text: &str) -> bool {
    let is_part = |c: char| !c.is_alphanumeric();
    let own: HashSet<&str> = question
        .split(is_part)
        .filter(|part| part.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let mut kept = String::with_capacity(text.len());
    let mut is_own = false;
    for part in text.split_inclusive(is_part) {
        let word = part.trim_end_matches(is_part).to_lowercase();
        // The unit goes with its figure.
        let is_unit = is_own && ENGLISH_UNITS.contains(&word.as_str());
        is_own = own.contains(word.as_str());
        if !is_own && !is_unit {
            kept.push_str(part);
        }
    }
    when::tells_when(&kept)
        || words(&kept)
            .iter()
            .any(|word| CONDITIONS.contains(&word.as_str()))
}

/// Words by which a text tells a condition, beside "if" and "when".
const CONDITIONS: [&str; 16] = [
    "eligible",
    "eligibility",
    "criteria",
    "criterion",
    "condition",
    "conditions",
    "provided",
    "subject",
    "only",
    "meets",
    "qualify",
    "qualifies",
    "approval",
    "consent",
    "permission",
    "requirements",
];

/// Whether an English question asks what is forbidden, or to whom: "Which vessels may not moor at night?" A question
/// that is answered by yes or no ("May we not moor?") does not ask this.
pub fn asks_what_is_forbidden(question: &str) -> bool {
    let begins = ["which", "what", "who", "whom", "when", "where", "whose"];
    let asked: Vec<&str> = question.split_whitespace().collect();
    // What stands in a side clause is not what is asked: "What must a pilot do if a vessel cannot moor?"
    let leads_in = |word: &str| SIDE.contains(&word.to_lowercase().as_str());
    let side = asked.iter().skip(2).position(|word| leads_in(word));
    let main = asked[..side.map_or(asked.len(), |at| at + 2)].join(" ");
    let first = words(&main);
    let mut first = first.iter().take(2);
    first.any(|word| begins.contains(&word.as_str()))
        && (is_denied(&main) || is_denied_behind_whom(&main))
}

/// Whether a question denies a permission behind the one who would have it: "may a pilot not refuse". What follows must
/// be a verb: in "must a vessel report a berth not listed", nothing is forbidden.
fn is_denied_behind_whom(question: &str) -> bool {
    let words = words(question);
    let is_granting = |word: &&String| GRANTING.contains(&word.as_str());
    let mut behind = words.iter().skip_while(|word| !is_granting(word)).skip(1);
    let before = behind.by_ref().take_while(|word| *word != "not").last();
    // The form of the verb shows behind an adverb: "not fully adopting". "Apply" is a verb itself.
    let first = behind.next();
    let verb = first.filter(|word| word.ends_with("ly")).and(behind.next());
    let is_form = |word: &&String| duty::is_done(word);
    before.is_some_and(|word| !DENIES_ITSELF.contains(&word.as_str()))
        && first.is_some_and(|word| !NO_VERB.contains(&word.as_str()) && !is_form(&word))
        && verb.filter(is_form).is_none()
}

/// Words with which a "not" behind them denies something else: "what must a pilot do to not be late".
const DENIES_ITSELF: [&str; 10] = [
    "to", "for", "do", "does", "did", "is", "are", "was", "were", "has",
];
/// Words behind "not" that are no verb: "a vessel not under command" is a kind of vessel.
const NO_VERB: [&str; 20] = [
    "under", "in", "on", "at", "of", "by", "with", "for", "from", "to", "subject", "yet", "only",
    "more", "less", "later", "a", "an", "the", "being",
];

/// Words that lead in a side clause.
const SIDE: [&str; 14] = [
    "if", "when", "where", "because", "unless", "that", "who", "which", "while", "although",
    "since", "until", "whose", "as",
];

/// Whether an English sentence forbids something, or allows it to some alone.
pub fn forbids(sentence: &str) -> bool {
    let is_allowed = |word: &str| matches!(word, "allowed" | "permitted" | "possible" | "may");
    let only = words(sentence).windows(2).any(|pair| {
        (pair[0] == "only" && is_allowed(&pair[1])) || (is_allowed(&pair[0]) && pair[1] == "only")
    });
    only || is_denied(sentence)
}

/// Whether a text denies a permission.
fn is_denied(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    let written = lower.replace("can't", "can not").replace("n't", " not");
    let words = words(&written);
    words.iter().any(|word| FORBIDDEN.contains(&word.as_str()))
        || words.windows(2).any(|pair| {
            let (one, other) = (pair[0].as_str(), pair[1].as_str());
            (other == "not" && GRANTING.contains(&one))
                || (one == "not" && GRANTED.contains(&other))
        })
}

/// Words by which something is forbidden.
const FORBIDDEN: [&str; 9] = [
    "cannot",
    "prohibited",
    "prohibits",
    "forbidden",
    "forbids",
    "banned",
    "barred",
    "precluded",
    "disallowed",
];
/// Verbs with which a "not" behind them forbids.
const GRANTING: [&str; 5] = ["may", "must", "can", "shall", "should"];
/// Words with which a "not" before them forbids.
const GRANTED: [&str; 4] = ["allowed", "permitted", "possible", "eligible"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forbidden_is_asked_for_and_told() {
        for (question, so) in [
            ("Which vessels may not moor at night?", true),
            ("What is a pilot not allowed to refuse?", true),
            ("Under which sails can't a vessel moor?", true),
            ("Where can’t a vessel moor?", true),
            ("What may a pilot not refuse?", true),
            ("Under which sails must a small barge not moor?", true),
            ("What must a vessel not under command show?", false),
            ("What can a pilot do, and what not?", false),
            ("Which vessels must report a berth not listed?", false),
            ("What must a pilot do to not be late?", false),
            ("What must a pilot do so that vessels do not drift?", false),
            ("What must a port give reasons for not fully paying?", false),
            ("What must a pilot not knowingly hide?", true),
            (
                "Under what conditions must a port not apply the rules?",
                true,
            ),
            ("What must a pilot do if a vessel cannot moor?", false),
            ("Who must be told when a vessel may not moor?", false),
            ("Which vessels may moor at night?", false),
            ("Which vessels need not moor?", false),
            ("May we not moor?", false),
            ("", false),
        ] {
            assert_eq!(asks_what_is_forbidden(question), so, "{question}");
        }
        for (text, so) in [
            ("A barge shall not moor at night.", true),
            ("Mooring is prohibited.", true),
            ("Mooring is only possible by day.", true),
            ("Barges moor at night.", false),
            ("A barge need not moor.", false),
            ("A barge may moor, and not only by day.", false),
        ] {
            assert_eq!(forbids(text), so, "{text}");
        }
    }

    #[test]
    fn the_case_in_which_something_may_be_done_is_a_condition() {
        let question = "When can the 18-month cycle be used?";
        assert!(asks_when_it_may_be_done(question));
        assert!(!asks_when_it_may_be_done("When must the cycle be used?"));
        for (text, told) in [
            ("It is for vessels on an 18-month cycle.", false),
            ("A vessel is eligible where it is small.", true),
            ("The cycle may be used after 12 months.", true),
            ("It takes the approval of the port.", true),
            ("The cycle is used.", false),
        ] {
            assert_eq!(tells_when_it_may_be_done(question, text), told, "{text}");
        }
    }

    #[test]
    fn what_is_asked_about_a_permission_is_told() {
        for (question, so) in [
            ("Can a pilot refuse a vessel?", true),
            ("Are we allowed to moor at night?", true),
            ("Is the master allowed to moor at night?", true),
            ("Does a barge need a pilot?", true),
            ("Do barges have to pay dues?", true),
            ("What may a pilot refuse?", false),
            ("Is a barge a vessel?", false),
            ("Candles at night?", false),
            ("", false),
        ] {
            assert_eq!(asks_whether(question), so, "{question}");
        }
        assert!(binds("A pilot shall not refuse a vessel."));
        assert!(binds("Mooring at night is prohibited."));
        assert!(!binds("A barge is a vessel."));
    }
}
