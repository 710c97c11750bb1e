//! Recognises questions that ask who has a duty, and sentences that impose a duty on somebody. Also replaces the
//! different words for a duty in a question by one word.

use crate::words::words;

/// The question with "have to" and "has to" replaced by "must", because rules say "must" or "shall". The search ignores
/// the words of "have to", because they are very common. Without the replacement, clauses that impose no duty would
/// seem to fit the question.
pub(crate) fn with_must(question: &str) -> String {
    let mut text = question.to_owned();
    for phrase in [" have to ", " has to "] {
        // The phrases are plain letters, so that places in the text in small letters are places in the text.
        while let Some(at) = text.to_ascii_lowercase().find(phrase) {
            text.replace_range(at..at + phrase.len(), " must ");
        }
    }
    text
}

/// The verb of an English question that asks who must do something: "appoint" in "Who has to appoint a warden?" `None`
/// for all other questions, also for a question that asks to whom something must be done: "Who must be told?"
pub fn asked_of(question: &str) -> Option<String> {
    let asked = words(&with_must(question));
    let mut asked = asked.iter().map(String::as_str);
    let begins = asked.next() == Some("who") && matches!(asked.next(), Some("must" | "shall"));
    let verb = asked
        .next()
        .filter(|verb| begins && *verb != "be" && !ASKING.contains(verb));
    verb.map(str::to_owned)
}

/// The verb of an English question that asks to whom something must be done: "told" in "Who must be told of a wreck?",
/// "inform" in "Whom must we inform?" `None` for all other questions.
pub fn done_to_whom(question: &str) -> Option<String> {
    let asked = words(&with_must(question));
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let verb = match asked.as_slice() {
        ["who", "must" | "shall" | "should", "be", verb, ..] => verb,
        ["who" | "whom", "must" | "shall" | "should", by, verb, ..]
        | ["who" | "whom", "do", by, "must", verb, ..]
        | ["who" | "whom", "do", by, "need", "to", verb, ..]
            if ASKING.contains(by) =>
        {
            verb
        }
        _ => return None,
    };
    Some((*verb).to_owned())
}

/// Those who ask what they must do.
const ASKING: [&str; 5] = ["we", "i", "you", "they", "one"];

/// Whether an English sentence demands something: "shall notify the office", "requires that the office be notified".
/// `is_verb` recognises the demanded verb in all its forms. The result is false for a sentence that allows this action
/// ("may") or forbids it.
pub fn is_demanded(sentence: &str, is_verb: impl Fn(&str) -> bool) -> bool {
    let words = words(&with_must(sentence));
    let demands = |word: &String| {
        is_demand(word) || matches!(word.as_str(), "should" | "require" | "requires")
    };
    let Some(demand) = words.iter().position(demands) else {
        return false;
    };
    let is_allowed = words[..demand].iter().any(|word| word == "may");
    let is_forbidden = words.get(demand + 1).is_some_and(|word| word == "not");
    // "Information" is what is told, and has the stem of what is done.
    let is_done = |word: &String| !word.ends_with("ation") && is_verb(word);
    !(is_allowed || is_forbidden) && words[demand + 1..].iter().any(is_done)
}

/// Whether an English sentence demands something.
pub fn demands(sentence: &str) -> bool {
    words(sentence).iter().any(|word| is_demand(word))
}

/// Whether an English sentence says who must do something: "shall appoint", or "shall be appointed by". `is_verb`
/// recognises the verb in all its forms. The result is false for a sentence that allows the action ("may"), forbids it,
/// or only says how it must be done.
pub fn is_laid(sentence: &str, is_verb: impl Fn(&str) -> bool) -> bool {
    let words = words(sentence);
    let Some(demand) = words.iter().position(|word| is_demand(word)) else {
        return false;
    };
    let behind = words.get(demand + 1).map(String::as_str);
    let is_allowed = words[..demand].iter().any(|word| word == "may");
    let is_forbidden = behind == Some("not");
    let is_passive = behind == Some("be");
    !(is_allowed || is_forbidden)
        && match is_passive {
            true => {
                let mut from_the_verb = words[demand..].iter().skip_while(|word| !is_verb(word));
                from_the_verb.any(|word| word == "by")
            }
            // "Designated" behind "shall seek the advice of" is no duty to designate.
            false => words[demand..]
                .iter()
                .any(|word| is_verb(word) && !is_done(word)),
        }
}

/// Words by which a rule lays a duty on somebody.
fn is_demand(word: &str) -> bool {
    matches!(word, "shall" | "must" | "required" | "obliged")
}

/// Whether a word has the form of what is done to something: "designated", and not "need" or "proceed".
pub(crate) fn is_done(word: &str) -> bool {
    (word.ends_with("ed") && !word.ends_with("eed")) || word.ends_with("ing")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_duty_is_asked_for() {
        for (question, verb) in [
            ("Who must appoint a warden?", Some("appoint")),
            ("Who has to appoint a warden?", Some("appoint")),
            ("Who shall paint the berth?", Some("paint")),
            ("Who must be told of a wreck?", None),
            ("Who must we inform of a wreck?", None),
            ("Who may appoint a warden?", None),
            ("When must a warden be appointed?", None),
            ("Who?", None),
        ] {
            assert_eq!(asked_of(question).as_deref(), verb, "{question}");
        }
        assert_eq!(
            with_must("Do we have to pay, and who HAS TO know?"),
            "Do we must pay, and who must know?"
        );
        assert_eq!(with_must("We have two berths."), "We have two berths.");
    }

    #[test]
    fn with_whom_something_must_be_done_is_asked_for() {
        for (question, verb) in [
            ("Who must be told of a wreck?", Some("told")),
            ("Who has to be told of a wreck?", Some("told")),
            ("Whom must we inform of a wreck?", Some("inform")),
            ("Who must we inform of a wreck?", Some("inform")),
            ("Who do we have to tell of a wreck?", Some("tell")),
            ("Who do I need to notify of a wreck?", Some("notify")),
            ("Who do I notify of a wreck?", None),
            ("Who must appoint a warden?", None),
            ("Who may be told of a wreck?", None),
            ("When must a port be told?", None),
            ("Who must be?", None),
        ] {
            assert_eq!(done_to_whom(question).as_deref(), verb, "{question}");
        }
        let is_verb = |word: &str| word.starts_with("inform") || word.starts_with("notif");
        for (sentence, demanded) in [
            ("The master shall notify the port of a wreck.", true),
            (
                "The rule requires that the port be notified of a wreck.",
                true,
            ),
            ("A port should be informed of a wreck.", true),
            ("You have to inform the port of a wreck.", true),
            ("The port may be informed of a wreck.", false),
            ("The master shall not inform the port.", false),
            ("A master who was informed must keep silent.", false),
            ("Whoever needs information must call the port.", false),
            ("The port must have information on a wreck.", false),
            ("The port is informed of a wreck.", false),
            ("", false),
        ] {
            assert_eq!(is_demanded(sentence, is_verb), demanded, "{sentence}");
        }
    }

    #[test]
    fn a_duty_is_laid_on_somebody() {
        let is_verb = |word: &str| word.starts_with("appoint");
        for (sentence, laid, demands_it) in [
            ("Each quay shall appoint a warden.", true, true),
            (
                "A quay shall, without delay, and not later than in May, appoint a warden.",
                true,
                true,
            ),
            ("A warden must be appointed by the quay.", true, true),
            // Without the one who has to do it.
            ("A warden shall be appointed for his skill.", false, true),
            ("Several quays may appoint one warden.", false, false),
            ("A barge shall not appoint a warden.", false, true),
            (
                "A port may or, where that is required, shall appoint a warden.",
                false,
                true,
            ),
            (
                "A port shall hear the warden who was appointed.",
                false,
                true,
            ),
            ("A quay shall paint its berths.", false, true),
            ("", false, false),
        ] {
            assert_eq!(is_laid(sentence, is_verb), laid, "{sentence}");
            assert_eq!(demands(sentence), demands_it, "{sentence}");
        }
    }
}
