//! English questions and the statements that answer them.

use super::edits::find_word;
use crate::clause::{Clause, Duty, Parsed};
use crate::english::agreement::{self, Number, capital, uncapital};
use crate::english::{lexicon, parse};
use crate::offline::patterns::{Asked, Part, Statuses};
use crate::words::{is_stop, length};
use regex::Regex;
use std::sync::LazyLock;

/// Longest condition that a question repeats, in scalar values.
const LONGEST_CONDITION: usize = 170;
/// A question repeats a predicate, or the name of an actor, only if it has at most this many words. A longer run of
/// words occurs only in its own document, so it would show where the answer is.
const LONGEST_PREDICATE: usize = 24;
const LONGEST_ACTOR: usize = 4;

/// The end of the first part of a predicate.
static CUT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[,;:] | (?:unless|where|in accordance with|pursuant to|referred to|without prejudice|provided that|except|if|when|in order to|so that|whether)\b").expect("a constant pattern")
});
/// Words that begin a limitation of the part before them.
static LIMIT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r" (?:unless|except|if|where|provided|without prejudice|only|when)\b")
        .expect("a constant pattern")
});
/// The place where a subject begins to refer to another place.
static REFERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r" (?:referred to|mentioned in|under paragraph|pursuant to|(?:provided for|set out|laid down|specified) in)\b",
    )
    .expect("a constant pattern")
});

pub(super) fn inverted(duty: Duty) -> &'static str {
    match duty {
        Duty::Must | Duty::MustNot => "must",
        Duty::May => "may",
        Duty::Should => "should",
    }
}

fn negation(clause: &Clause) -> &'static str {
    if clause.duty == Duty::MustNot {
        " not"
    } else {
        ""
    }
}

/// "Where X, who must do Y?"
pub(super) fn who(clause: &Clause) -> Option<String> {
    let asked = format!(
        "{}who {}{} {}?",
        case(clause)?,
        inverted(clause.duty),
        negation(clause),
        short(&clause.predicate)?
    );
    Some(capital(&asked))
}

/// "It is the controller that must notify the authority."
pub(super) fn actor(clause: &Clause, subject: &str) -> Option<String> {
    let does = short(&clause.predicate)?;
    let fits = subject.split_whitespace().count() <= LONGEST_ACTOR;
    fits.then(|| {
        format!(
            "It is {subject} that {}{} {does}.",
            inverted(clause.duty),
            negation(clause)
        )
    })
}

/// "Where X, what must Y do as regards Z?", for statements that differ in the `open` parts.
pub(super) fn wording(clause: &Clause, open: &[Part], topic: Option<&str>) -> Option<Asked> {
    let case = condition(&clause.lead).filter(|_| !open.contains(&Part::Lead));
    let says_lead = case.is_some();
    let as_regards = topic
        .map(|t| format!(" as regards {t}"))
        .unwrap_or_default();
    let acts = parse::is_actor(clause);
    let asked = match named_subject(clause).filter(|_| !open.contains(&Part::Subject)) {
        Some(subject) if acts && !open.contains(&Part::Modal) => {
            format!(
                "what {} {subject}{} do{as_regards}?",
                inverted(clause.duty),
                negation(clause)
            )
        }
        Some(subject) if topic.is_none() || acts => {
            format!("what rule applies to {subject}{as_regards}?")
        }
        _ => format!("what is laid down{as_regards}?"),
    };
    let question = case.map_or(asked.clone(), |case| format!("{case}, {asked}"));
    Some(Asked {
        question: capital(&question),
        says_lead,
    })
}

/// The condition in the form that it has inside a sentence. `None` if there is none, or if it has no content.
pub(super) fn condition(lead: &str) -> Option<String> {
    let case = lead.trim_end_matches([',', ' ']);
    let lower = case.to_lowercase();
    let empty = lexicon::EMPTY_LEADS.iter().any(|l| lower.starts_with(l));
    let pointing = lexicon::POINTING_LEADS.iter().any(|p| lower.starts_with(p))
        || lower.contains(" paragraph ") && length(case) < 60
        || case.split_whitespace().count() < 4;
    (!case.is_empty() && !empty && !pointing && length(case) <= LONGEST_CONDITION)
        .then(|| uncapital(case))
}

/// The condition of a rule with its comma, as a question begins with it; empty if the rule has none.
pub(super) fn case(clause: &Clause) -> Option<String> {
    if clause.lead.is_empty() {
        return Some(String::new());
    }
    condition(&clause.lead).map(|case| format!("{case}, "))
}

/// The subject as a question names it: without "referred to in paragraph 1".
fn named_subject(clause: &Clause) -> Option<String> {
    let cut = REFERS
        .find(&clause.subject)
        .map_or(clause.subject.len(), |found| found.start());
    let subject = clause.subject[..cut].trim();
    let pointing = subject
        .to_lowercase()
        .split(' ')
        .any(|word| lexicon::POINTING_WORDS.contains(&word));
    (!subject.is_empty() && !pointing && subject.split_whitespace().count() <= 12)
        .then(|| subject.to_owned())
}

/// A predicate that is repeated to its end: nothing that follows could limit it.
fn whole(predicate: &str) -> Option<String> {
    let does = short(predicate)?;
    let half = does.contains("either ") && !does.contains(" or ");
    (!LIMIT.is_match(predicate.get(does.len()..)?) && !does.starts_with("only") && !half)
        .then_some(does)
}

/// The first part of a predicate, short enough to be asked with.
pub(super) fn short(predicate: &str) -> Option<String> {
    if predicate.starts_with(',') {
        return None;
    }
    let cut = CUT
        .find(predicate)
        .map_or(predicate.len(), |found| found.start());
    let (part, rest) = (predicate[..cut].trim(), &predicate[cut..]);
    let tokens: Vec<&str> = part.split_whitespace().collect();
    let open_end = tokens.last().is_some_and(|w| is_stop(&w.to_lowercase()));
    // In "ensure that the imposition", the words that say what must be ensured come after the cut.
    let verbs = [
        "is", "are", "has", "have", "can", "may", "does", "do", "will", "shall", "must",
    ];
    let unsaid = !rest.is_empty()
        && part
            .rsplit_once(" that ")
            .is_some_and(|(_, said)| !said.split(' ').any(|w| verbs.contains(&w)));
    let even = |open: char, close: char| part.matches(open).count() == part.matches(close).count();
    // An enumeration that was cut in the middle would read as if it were the whole.
    let linked = ["and", "or"]
        .iter()
        .any(|w| find_word(rest, w).is_some_and(|a| a < 90));
    let listed = rest.starts_with(", ")
        && linked
        && !rest.contains(", which")
        && !rest.contains(", including");
    let fits = (4..=LONGEST_PREDICATE).contains(&tokens.len()) && even('(', ')') && even('“', '”');
    (fits && !open_end && !unsaid && !listed).then(|| part.to_owned())
}

/// A question whose answer is the term at `mention`, with a sentence that says it whole.
pub(super) fn term_question(
    sentence: &Parsed,
    mention: (usize, usize),
) -> Option<(String, String)> {
    let text = &sentence.text;
    let (surface, before) = (text.get(mention.0..mention.1)?, text.get(..mention.0)?);
    if let Some((term, meaning)) = sentence
        .definition
        .as_ref()
        .filter(|(term, _)| term.eq_ignore_ascii_case(surface))
    {
        let question = format!("Which term means {}?", meaning.trim_end_matches('.'));
        return Some((question, format!("“{term}” means {meaning}.")));
    }
    let article = ["an ", "a ", "An ", "A "].into_iter().find(|article| {
        before
            .strip_suffix(article)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
    });
    let before = match article {
        Some(article) => {
            let letter = article.get(..1).unwrap_or_default();
            format!(
                "{}{letter}(n) ",
                before.strip_suffix(article).unwrap_or_default()
            )
        }
        None => before.to_owned(),
    };
    let gap = format!("{before}____{}", text.get(mention.1..)?);
    Some((
        format!(
            "Which term completes the rule “{}”?",
            gap.trim_end_matches('.')
        ),
        text.clone(),
    ))
}

/// The subject with another term in the place of `mention`, where it is a determiner and the mention only.
pub(super) fn with_actor(subject: &str, mention: &str, other: &str) -> Option<String> {
    let (determiner, name) = ["the ", "a ", "an ", "each ", "every ", "any ", ""]
        .iter()
        .find_map(|d| subject.strip_prefix(d).map(|rest| (*d, rest)))?;
    if !name.eq_ignore_ascii_case(mention)
        && agreement::singular(name) != agreement::singular(mention)
    {
        return None;
    }
    let plural = agreement::number(subject) == Number::Plural;
    if plural && agreement::is_uncounted(other.rsplit(' ').next().unwrap_or("")) {
        return None;
    }
    let other = if plural {
        agreement::plural(other)
    } else {
        agreement::singular(other)
    };
    Some(match determiner {
        "a " | "an " => format!("{} {other}", agreement::article(&other)),
        kept => format!("{kept}{other}"),
    })
}

/// "Is X obligated, advised, free or forbidden to do Y?" and what can be answered.
pub(super) fn statuses(clause: &Clause) -> Option<Statuses> {
    let does = whole(&clause.predicate).filter(|does| infinitive(does))?;
    // "collate the marks and shall publish them": a second rule with its own modal.
    if MODAL.is_match(&does) {
        return None;
    }
    let be = if agreement::number(&clause.subject) == Number::Plural {
        "are"
    } else {
        "is"
    };
    let subject = &clause.subject;
    let case = case(clause)?;
    let question = capital(&format!(
        "{case}{be} {subject} obligated, advised, free or forbidden to {does}?"
    ));
    let said = [
        (Duty::Must, "obligated"),
        (Duty::Should, "advised"),
        (Duty::May, "free"),
        (Duty::MustNot, "forbidden"),
    ];
    let said =
        said.map(|(duty, word)| (duty, capital(&format!("{subject} {be} {word} to {does}."))));
    Some((question, said.to_vec()))
}

static MODAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:and|or) (?:shall|must|may|should)\b").expect("a constant pattern")
});

/// Whether a predicate reads behind "to": it begins with its verb.
fn infinitive(does: &str) -> bool {
    let first = does.split([' ', ',']).next().unwrap_or("");
    !first.is_empty() && !first.ends_with("ly") && !lexicon::NO_INFINITIVE.contains(&first)
}

/// The modal of a duty as the rule has it, and the other one of the same force.
pub(super) fn modals(clause: &Clause, duty: Duty) -> Option<[String; 2]> {
    let must = clause.modal.starts_with("must") || clause.modal.contains("require");
    let usual = match duty {
        _ if duty == clause.duty => clause.modal.as_str(),
        Duty::Must if must => "must",
        Duty::Must => "shall",
        Duty::Should => "should",
        Duty::May => "may",
        Duty::MustNot if must => "must not",
        Duty::MustNot if clause.duty == Duty::Should => "should not",
        Duty::MustNot => "shall not",
    };
    let plain = parse::is_passive(&clause.predicate) || !infinitive(&clause.predicate);
    let other = match (usual, duty) {
        ("must", _) => "shall",
        ("must not", _) => "shall not",
        ("should", _) => "ought to",
        ("should not", _) => "ought not to",
        (_, Duty::Must) => "must",
        (_, Duty::MustNot) => "must not",
        (_, Duty::Should) => "should",
        (_, Duty::May) if plain => "can",
        (_, Duty::May) if agreement::number(&clause.subject) == Number::Plural => {
            "are permitted to"
        }
        (_, Duty::May) => "is permitted to",
    };
    (usual != other).then(|| [usual.to_owned(), other.to_owned()])
}

/// The forces that a rule could have instead of its own, where its predicate reads with them.
pub(super) fn other_duties(clause: &Clause) -> Vec<Duty> {
    let predicate = clause.predicate.as_str();
    let done = predicate.strip_prefix("be ").is_some_and(|rest| {
        let verb = rest
            .split([' ', ','])
            .find(|w| !w.ends_with("ly"))
            .unwrap_or("");
        [
            "ed", "en", "made", "kept", "sent", "held", "paid", "put", "set",
        ]
        .iter()
        .any(|e| verb.ends_with(e))
    });
    let does = infinitive(predicate) || predicate.starts_with("not ");
    let acts = parse::is_actor(clause) && does
        || parse::is_agent(&clause.subject) && predicate.starts_with("be ");
    // A negation within a "that" clause is not reversed together with the force of the rule.
    let main = predicate.split(" that ").next().unwrap_or("");
    let (_, rest) = main.split_once(' ').unwrap_or_default();
    let unclear = lexicon::UNCLEAR_FORCE
        .iter()
        .any(|w| find_word(rest, w).is_some());
    // "can be able to", "may be encouraged to": the force of such a rule lies in its verb.
    let forced = predicate
        .strip_prefix("be ")
        .is_some_and(|rest| lexicon::FORCED.iter().any(|v| rest.starts_with(v)));
    let fixed = forced || unclear || predicate.starts_with("have the right");
    match clause.duty {
        _ if !(acts || done) || fixed => Vec::new(),
        // "The bank shall not keep records" is nothing that a rule would say.
        Duty::Must | Duty::Should | Duty::MustNot => vec![Duty::May],
        Duty::May => vec![Duty::Must, Duty::MustNot],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
