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

/// The verb of an English question that asks until when something must be done: "painted" in "When must a berth be
/// painted?", "paint" in "How soon must we paint it?" `None` for all other questions.
pub fn due_when(question: &str) -> Option<String> {
    let asked = words(&with_must(question));
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let is_demand = |word: &&str| matches!(*word, "must" | "shall" | "should");
    let demand = asked.iter().position(is_demand)?;
    let (begin, rest) = (&asked[..demand], &asked[demand + 1..]);
    let begin = match begin {
        // "How soon do we must": the question had "have to".
        [begin @ .., "do" | "does", _] => begin,
        begin => begin,
    };
    if !DUE.contains(&begin) {
        return None;
    }
    let done = rest.iter().position(|word| *word == "be");
    let verb = match (done, rest) {
        (Some(done), _) if done > 0 => rest.get(done + 1),
        (None, [by, verb, ..]) if ASKING.contains(by) => Some(verb),
        (None, [verb, ..]) if begin.len() < demand => Some(verb),
        _ => None,
    };
    verb.map(|verb| (*verb).to_owned())
}

/// How such a question begins.
const DUE: [&[&str]; 9] = [
    &["when"],
    &["by", "when"],
    &["until", "when"],
    &["how", "soon"],
    &["how", "fast"],
    &["how", "quickly"],
    &["within", "how", "many", "days"],
    &["within", "what", "time"],
    &["within", "which", "time"],
];

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
    let is_lifted = demand
        .checked_sub(1)
        .is_some_and(|before| words[before] == "not");
    // "Information" is what is told, and has the stem of what is done.
    let is_done = |word: &String| !word.ends_with("ation") && is_verb(word);
    !(is_allowed || is_forbidden || is_lifted) && words[demand + 1..].iter().any(is_done)
}

/// Whether an English sentence lays a duty on somebody in so many words: "must file", "shall without delay file". Of two
/// verbs the second, which may belong to something else, does not count.
pub fn is_laid_outright(sentence: &str, is_verb: impl Fn(&str) -> bool) -> bool {
    let words = words(sentence);
    let is_not = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|w| w == "not");
    let is_denied = |at: usize| is_not(Some(at + 1)) || is_not(at.checked_sub(1));
    let lays = |at: usize| {
        let behind = words[at + 1..].iter().take(MOST_BETWEEN);
        let mut behind = behind.filter(|word| *word != "to");
        behind.any(|word| is_verb(word) && !is_done(word))
    };
    (0..words.len()).any(|at| is_demand(&words[at]) && !is_denied(at) && lays(at))
}

/// The verb is among this many words behind the word that demands.
const MOST_BETWEEN: usize = 4;

/// Whether an English sentence lifts a duty: "is not required to notify", "need not notify". `is_verb` recognises the verb
/// of the duty in all its forms.
pub fn is_lifted(sentence: &str, is_verb: impl Fn(&str) -> bool) -> bool {
    let words = words(&sentence.replace(" have to ", " must "));
    let lifts = |at: usize| {
        let behind = words.get(at + 1).map(String::as_str);
        match words[at].as_str() {
            "not" => matches!(behind, Some("required" | "obliged" | "must")),
            "need" => behind == Some("not"),
            "exempt" | "exempted" => behind == Some("from"),
            _ => false,
        }
    };
    (0..words.len()).any(|at| lifts(at) && words[at..].iter().any(|word| is_verb(word)))
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
    let is_lifted = demand
        .checked_sub(1)
        .is_some_and(|before| words[before] == "not");
    let is_passive = behind == Some("be");
    !(is_allowed || is_forbidden || is_lifted)
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
    (word.ends_with("ed") && !word.ends_with("eed"))
        || word.ends_with("ing")
        || word.ends_with("ings")
}

/// Whether a sentence breaks off after the word that demands or permits, so that it says nothing without what follows it:
/// "Operational systems must:", 应急预案应当：.
pub fn breaks_off(sentence: &str) -> bool {
    let said = sentence
        .trim_end()
        .trim_end_matches([':', '：', '—', '-'])
        .trim_end();
    let last = said.rsplit(|c: char| !c.is_alphanumeric()).next();
    last.is_some_and(|last| BREAKING.contains(&last))
        || BREAKING_HAN.iter().any(|word| said.ends_with(word))
}

/// Words after which a sentence breaks off.
const BREAKING: [&str; 6] = ["must", "shall", "should", "may", "can", "will"];
/// The same in Chinese.
const BREAKING_HAN: [&str; 4] = ["应当", "不得", "可以", "必须"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_breaks_off_after_its_verb() {
        for (sentence, breaks) in [
            ("Operational systems must:", true),
            ("A pilot may —", true),
            ("The master shall report the following:", false),
            ("A pilot must report.", false),
            ("船长应当：", true),
            ("船长应当报告下列事项：", false),
        ] {
            assert_eq!(breaks_off(sentence), breaks, "{sentence}");
        }
    }

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
    fn until_when_something_must_be_done_is_asked_for() {
        for (question, verb) in [
            ("When must a berth be painted?", Some("painted")),
            ("When must we paint a berth?", Some("paint")),
            ("When do we have to paint a berth?", Some("paint")),
            ("How soon does a master have to paint a berth?", None),
            (
                "Within how many days must a wreck be reported?",
                Some("reported"),
            ),
            ("Where must a berth be painted?", None),
            ("When is a berth painted?", None),
            ("When must a berth pay?", None),
        ] {
            assert_eq!(due_when(question).as_deref(), verb, "{question}");
        }
    }

    #[test]
    fn a_duty_is_laid_outright() {
        for (sentence, laid) in [
            ("A master must file a log.", true),
            (
                "If a berth is lost, the master shall without delay file a log.",
                true,
            ),
            ("A master is required to file a log.", true),
            ("A master must not file a log.", false),
            (
                "A master must state that the log is kept as if it were among its filings.",
                false,
            ),
            ("A log must be filed.", false),
        ] {
            let is_verb = |word: &str| word.starts_with("fil");
            assert_eq!(is_laid_outright(sentence, is_verb), laid, "{sentence}");
        }
    }

    #[test]
    fn a_duty_may_be_lifted() {
        for (sentence, lifted) in [
            ("A master is not required to paint the berth.", true),
            ("A master need not paint the berth.", true),
            ("Pilots do not have to paint a berth.", true),
            ("Pilots are exempt from painting.", true),
            ("A master must not paint the berth.", false),
            ("A master is required to paint the berth.", false),
            ("A master is not required to pay.", false),
        ] {
            let is_verb = |word: &str| word.starts_with("paint");
            assert_eq!(is_lifted(sentence, is_verb), lifted, "{sentence}");
        }
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
