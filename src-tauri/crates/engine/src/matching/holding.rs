//! Whether a statement is about the same matter as a rule. The statement must contain the rule's content words, above
//! all its verb and its object.

use super::weigh::Likeness;
use lexforge_store::words;
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Words after "not" that make no prohibition of it.
    FORBIDS_NOTHING: Vec<Word> = "forbids_nothing.txt";
    /// What allows.
    ALLOWS: Vec<Word> = "allows.txt";
}

/// The greatest number of words that are shown of a part that a statement leaves out.
const MOST_WORDS: usize = 8;
/// A statement that covers a rule has this share of the weight of its words.
const HALF: f64 = 0.5;
/// A statement covers an item of a list if it has at least one in this many of its words.
const ITEM_SHARE: usize = 5;
/// What obliges.
const MODALS: [&str; 3] = [" shall ", " must ", " should "];
/// Words between a modal and its verb.
const BETWEEN: [&str; 9] = [
    "not", "also", "only", "at", "least", "always", "either", "to", "then",
];
/// Verbs that mean nothing without their object.
const EMPTY: [&str; 12] = [
    "have", "has", "take", "make", "made", "ensure", "apply", "carry", "out", "do", "be", "in",
];
/// What ends the object of a verb or the noun of a subject.
const ENDS: [&str; 26] = [
    "of", "for", "in", "to", "with", "under", "against", "between", "by", "on", "as", "that",
    "which", "who", "whom", "within", "from", "at", "where", "when", "if", "unless", "without",
    "after", "before", "upon",
];

/// Whether a statement covers a rule by its words. The statement must have at least half of the rule's words by weight,
/// and the stems of the rule's verb and object. If the rule has no modal verb, its verb cannot be found; then only the
/// words count.
pub(super) fn holds(rule: &str, statement: &str, likeness: &Likeness) -> bool {
    let own: HashSet<String> = words(statement).into_iter().collect();
    let has = |stems: &Vec<String>| stems.iter().all(|stem| own.contains(stem));
    likeness.covered >= HALF && turns_on(rule).iter().all(has)
}

/// Whether a rule that says "not" forbids something, and does not only say how far another rule goes.
pub(super) fn denies(rule: &str) -> bool {
    !FORBIDS_NOTHING.iter().any(|verb| rule.contains(verb))
}

/// Whether a statement allows something in its main clause: "may", and not "which may".
pub(super) fn allows(statement: &str) -> bool {
    let told = tokens(statement);
    let before = |at: usize| at.checked_sub(1).map(|at| told[at].as_str());
    let main = |at: usize| !matches!(before(at), Some("which" | "that" | "who"));
    (0..told.len()).any(|at| told[at] == "may" && main(at))
        || ALLOWS.iter().any(|words| statement.contains(words))
}

/// The stems of the verb and of the object; fewer where a rule has none that can be found.
fn turns_on(rule: &str) -> Vec<Vec<String>> {
    let modal = MODALS
        .iter()
        .filter_map(|modal| rule.find(modal).map(|at| (at, at + modal.len())))
        .min();
    let Some((at, after)) = modal else {
        return Vec::new();
    };
    let (subject, predicate) = (&rule[..at], &rule[after..]);
    // "Shall have the following tasks: to inform the staff": the item says what is done.
    let item = predicate.split_once(": ").map(|(_, item)| item);
    let told = tokens(item.unwrap_or(predicate));
    let mut rest = told
        .iter()
        .skip_while(|word| BETWEEN.contains(&word.as_str()) || word.ends_with("ly"))
        .peekable();
    let passive = rest.next_if(|word| *word == "be").is_some();
    let verb: Option<&String> =
        rest.find(|word| !BETWEEN.contains(&word.as_str()) && !word.ends_with("ly"));
    let object: Option<String> = if passive {
        noun(&tokens(subject.rsplit(',').next().unwrap_or(subject)))
    } else {
        let behind: Vec<String> = rest.cloned().collect();
        noun(&behind)
    };
    let verb = verb.filter(|verb| !EMPTY.contains(&verb.as_str()));
    [verb.cloned(), object]
        .into_iter()
        .flatten()
        .map(|word| words(&word))
        .filter(|stems| !stems.is_empty())
        .collect()
}

/// Words in lower case; a comma or another mark is a word of its own.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() {
            found.push(bare.to_lowercase());
        }
        if word.ends_with([',', ';', '.', ':']) {
            found.push(",".to_owned());
        }
    }
    found
}

/// The last word with content of the first noun phrase.
fn noun(told: &[String]) -> Option<String> {
    let from = told.iter().position(|word| !words(word).is_empty())?;
    told[from..]
        .iter()
        .take_while(|word| *word != "," && !ENDS.contains(&word.as_str()))
        .filter(|word| !words(word).is_empty())
        .last()
        .cloned()
}

/// Words of the rule that carry content and that the statement does not have, as the rule writes them, in its order.
pub(super) fn left_out(rule: &str, statement: &str) -> Vec<String> {
    let own: HashSet<String> = words(statement).into_iter().collect();
    told(rule, |stem| !own.contains(stem))
}

/// Words that both have, as the rule writes them.
pub(super) fn shared(rule: &str, statement: &str) -> Vec<String> {
    let own: HashSet<String> = words(statement).into_iter().collect();
    told(rule, |stem| own.contains(stem))
}

/// Whether a statement is about the same thing as a rule: it must share a word with the rule. If the rule is an item
/// of a list, the statement must also have a fifth of the item's own words. It is not enough to share words with the
/// sentence that introduces the list.
pub(super) fn touches(rule: &str, item: &str, statement: &str) -> bool {
    if words(rule).is_empty() {
        return true;
    }
    let own: HashSet<String> = words(statement).into_iter().collect();
    let item: HashSet<String> = words(item).into_iter().collect();
    let both = item.iter().filter(|stem| own.contains(*stem)).count();
    words(rule).iter().any(|stem| own.contains(stem)) && both * ITEM_SHARE >= item.len()
}

/// Words that oblige or allow are told of as forces.
const FORCES: [&str; 8] = [
    "shall", "must", "may", "should", "can", "not", "any", "such",
];

fn told(rule: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let written: Vec<&str> = rule
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|w| w.chars().count() > 2)
        .collect();
    for word in written {
        let stems = words(word);
        let carries = !stems.is_empty() && !FORCES.contains(&word.to_lowercase().as_str());
        let known = found.iter().any(|f| f.eq_ignore_ascii_case(word));
        if carries && !known && stems.iter().all(|stem| wanted(stem)) {
            found.push(word.to_owned());
        }
    }
    found.truncate(MOST_WORDS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &str, statement: &str, expected: bool) {
        let likeness = Likeness {
            covered: 0.7,
            ..Likeness::default()
        };
        assert_eq!(
            holds(rule, statement, &likeness),
            expected,
            "{rule} | {statement}: {:?}",
            turns_on(rule)
        );
    }

    #[test]
    fn what_covers_has_the_verb_and_the_object() {
        check(
            "The bank shall report a major incident to the supervisor.",
            "The bank reports each major incident to the supervisor.",
            true,
        );
        check(
            "To reach its goals, the office should have legal personality.",
            "The company will measure whether it has reached all goals.",
            false,
        );
        check(
            "Those measures shall be reviewed and updated where necessary.",
            "The firm must review incident procedures once a year, and update them as required.",
            false,
        );
        check(
            "Access rights shall be reviewed each month.",
            "Each month the team reviews access rights.",
            true,
        );
        check(
            "The officer shall have the following tasks: to train the staff.",
            "The officer must train staff.",
            true,
        );
        check(
            "The officer shall have the following tasks: to train the staff.",
            "The officer has the following tasks: he answers questions of staff.",
            false,
        );
        // A control that states a fact.
        check("Access is reviewed.", "Access is reviewed each year.", true);
        let little = Likeness {
            covered: 0.3,
            ..Likeness::default()
        };
        assert!(!holds(
            "Access is reviewed.",
            "Access is reviewed.",
            &little
        ));
    }

    #[test]
    fn what_forbids_and_what_allows_stand_in_the_main_clause() {
        assert!(denies("The firm shall not share data."));
        assert!(!denies("The notice shall not be required for small firms."));
        assert!(allows("Details may be shared with partners."));
        assert!(!allows("We answer incidents, which may take a day."));
        assert!(!allows("We share nothing."));
    }

    #[test]
    fn what_leads_a_list_in_is_not_what_its_item_says() {
        let rule =
            "The record shall contain the following information: the purposes of the processing.";
        let log = "The log shall contain the following information: the tool that was used.";
        assert!(!touches(rule, "(b) the purposes of the processing;", log));
        assert!(touches(
            rule,
            "(b) the purposes of the processing;",
            "Purposes are listed."
        ));
        assert!(touches(rule, "", log));
        assert!(!touches(rule, "", "Staff wash the cups."));
    }

    #[test]
    fn what_is_left_out_is_told_as_the_rule_writes_it() {
        let rule = "The controller shall notify the breach to the Supervisory Authority.";
        assert_eq!(
            left_out(rule, "The controller notifies breaches."),
            ["Supervisory", "Authority"]
        );
        assert_eq!(shared(rule, "A breach."), ["breach"]);
    }
}
