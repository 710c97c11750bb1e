//! Finds out whether a weaker word in a statement concerns another action than the one that the rule demands. For
//! example, "The file shall contain the result of the latest test" demands that the file contains something, and only
//! mentions a test. So the statement "the plan may be tested" is not weaker than this rule.

use super::english::{Text, stem};
use super::lexicon::Mark;
use super::token::Token;

/// Words after which a noun names something that is not demanded itself.
const BESIDE: [&str; 4] = ["of", "on", "about", "from"];
/// Words that begin the object of a verb.
const BEGIN_OBJECTS: [&str; 8] = ["the", "a", "an", "its", "their", "his", "this", "these"];
/// Verbs that say nothing without their noun: who "performs the review of" a plan reviews it.
const EMPTY: [&str; 16] = [
    "ensure",
    "carry",
    "conduct",
    "perform",
    "undertake",
    "make",
    "do",
    "have",
    "take",
    "give",
    "arrange",
    "provide",
    "complete",
    "begin",
    "start",
    "be",
];

/// Whether the weaker word of an English statement ("may") concerns only actions that the rule does not demand.
/// `demanded` holds the words with which the rule demands something ("shall"); `weaker` is the weaker word. The result
/// is true if the rule mentions every verb that follows the weaker word, but demands none of these actions.
pub(super) fn is_aside(rule: &str, statement: &str, demanded: &[Mark], weaker: Mark) -> bool {
    let (rule, statement) = (Text::read(rule), Text::read(statement));
    let (Some(asked), Some(allowed)) = (
        verbs_after(&rule, demanded),
        verbs_after(&statement, &[weaker]),
    ) else {
        return false;
    };
    let empty: Vec<String> = EMPTY.iter().map(|verb| stem(verb)).collect();
    !allowed.is_empty()
        && !asked.iter().any(|verb| empty.contains(verb))
        && allowed
            .iter()
            .all(|verb| !asked.contains(verb) && is_named_beside(&rule, verb))
}

/// Whether the weaker word of an English statement ("may") governs a verb that the rule has, too, or one of the same
/// deed. A verb in a case of the rule does not count: "where the master objects, the pilot shall leave".
pub(super) fn governs_a_word_of(rule: &str, statement: &str, weaker: Mark) -> bool {
    let (rule, statement) = (Text::read(rule), Text::read(statement));
    let of = statement.marks().filter(|(_, mark, _)| *mark == weaker);
    let mut allowed = of.filter_map(|(at, _, _)| statement.governed_place(at));
    let cases = rule.in_cases();
    allowed.any(|place| {
        let mut own = rule.tokens.iter().zip(&cases);
        own.any(|(token, in_case)| !in_case && token.is_one_deed(&statement.tokens[place]))
    })
}

/// The stems of the verbs behind these words; `None` if a word has no verb.
fn verbs_after(text: &Text, marks: &[Mark]) -> Option<Vec<String>> {
    let of = text.marks().filter(|(_, mark, _)| marks.contains(mark));
    of.map(|(at, _, _)| text.governed(at).map(str::to_owned))
        .collect()
}

/// Whether a rule has the stem, and each time as a noun that depends on another word.
fn is_named_beside(rule: &Text, verb: &str) -> bool {
    let mut places = (0..rule.tokens.len())
        .filter(|at| rule.tokens[*at].stem() == Some(verb))
        .peekable();
    places.peek().is_some() && places.all(|at| depends(&rule.tokens, at))
}

/// Whether the word at a place stands in a phrase that "of" or another such word begins, and has no object of its own.
fn depends(tokens: &[Token], at: usize) -> bool {
    let is_one = |token: &Token, words: &[&str]| words.iter().any(|word| token.is_little(word));
    let has_object = tokens
        .get(at + 1)
        .is_some_and(|next| is_one(next, &BEGIN_OBJECTS));
    let is_of_the_phrase = |token: &Token| {
        matches!(token, Token::Word(..))
            || matches!(token.mark(), Some(Mark::Each | Mark::All | Mark::Some))
            || is_one(token, &BEGIN_OBJECTS)
    };
    let before = tokens[..at].iter().rev().find(|t| !is_of_the_phrase(t));
    !has_object
        && before.is_some_and(|token| {
            is_one(token, &BESIDE) || matches!(token.mark(), Some(Mark::Before | Mark::After))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &str, statement: &str, expected: bool) {
        let found = is_aside(rule, statement, &[Mark::Must], Mark::May);
        assert_eq!(found, expected, "{rule} | {statement}");
    }

    #[test]
    fn what_a_rule_names_beside_its_demand_is_another_action() {
        for (rule, statement) in [
            (
                "The file shall contain the recovery plan and the result of its latest test.",
                "The recovery plan may be tested with the provider.",
            ),
            (
                "The bank shall keep a record of each review of the register.",
                "The register may be reviewed by a colleague.",
            ),
            (
                "After an audit, the bank shall inform the board.",
                "The board may audit a branch.",
            ),
        ] {
            check(rule, statement, true);
        }
    }

    #[test]
    fn what_a_rule_demands_is_no_other_action_however_it_is_said() {
        for (rule, statement) in [
            // The verb itself.
            (
                "The bank shall test the recovery plan.",
                "The recovery plan may be tested.",
            ),
            // One of several verbs.
            (
                "The bank shall write, keep and test the plan.",
                "The plan may be tested.",
            ),
            (
                "The bank shall inform the heads of units and test the plan.",
                "The plan may be tested.",
            ),
            (
                "On receipt of the notice the bank shall write and test the plan.",
                "The plan may be tested.",
            ),
            // A verb without a meaning of its own, with the noun that says what is done.
            (
                "The bank shall conduct a test of the plan.",
                "The plan may be tested.",
            ),
            (
                "The bank shall ensure the performance of a test.",
                "The plan may be tested.",
            ),
            (
                "A test of the plan shall be made.",
                "The plan may be tested.",
            ),
            // The purpose of what is demanded.
            (
                "The bank shall hire staff to test the plan.",
                "The plan may be tested.",
            ),
            // Another word for the same.
            (
                "The bank shall notify the board of incidents.",
                "The team may report incidents to the board.",
            ),
            // The demand beside the other action.
            (
                "The bank shall report the result of the test.",
                "The plan may be tested, and its result may be reported.",
            ),
        ] {
            check(rule, statement, false);
        }
    }
}
