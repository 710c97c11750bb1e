//! Kinds of English terms, so that a wrong term could be meant and is no wider or narrower name of the right one.

use super::{lexicon, parse};
use crate::words::{self, contains_words};
use lexforge_text::plural;

/// The head of a name in the singular, lower case: the last word before a preposition.
fn head(term: &str) -> String {
    let lower = term.to_lowercase();
    let tokens: Vec<&str> = lower.split([' ', '-']).filter(|t| !t.is_empty()).collect();
    let links = [
        "of", "for", "to", "by", "with", "in", "on", "from", "at", "under", "between", "against",
        "as",
    ];
    let end = tokens
        .iter()
        .skip(1)
        .position(|t| links.contains(t))
        .map_or(tokens.len(), |p| p + 1);
    plural::singular(tokens.get(end.wrapping_sub(1)).unwrap_or(&""))
}

fn kind(head: &str) -> Option<usize> {
    lexicon::KINDS.iter().position(|k| k.contains(&head))
}

/// Whether the words before the head set a name apart from others with that head.
fn set_apart(term: &str) -> bool {
    // "Relevant Person": a name that the rules define.
    if term.contains(' ') && term.split(' ').all(|w| w.starts_with(char::is_uppercase)) {
        return true;
    }
    let head = head(term);
    telling(term).iter().any(|w| *w != head)
}

/// The words of a name that tell it from others, in the singular.
fn telling(term: &str) -> Vec<String> {
    let lower = term.to_lowercase();
    // "data subject": who acts is told by the thing that he has to do with.
    let things = if parse::is_agent(term) {
        &["data", "information"][..]
    } else {
        &[]
    };
    lower
        .split([' ', '-'])
        .filter(|w| {
            (!lexicon::LOOSE.contains(w) || things.contains(w)) && !words::is_stop(w) && w.len() > 1
        })
        .map(plural::singular)
        .collect()
}

/// Whether one of two names may be a wider name of the other.
pub(crate) fn may_include(a: &str, b: &str) -> bool {
    if contains_words(a, b) || contains_words(b, a) {
        return true;
    }
    let (one, other) = (head(a), head(b));
    // "lead supervisory authority", "competent supervisory authority": one body may be both.
    let defined =
        |t: &str| t.contains(' ') && t.split(' ').all(|w| w.starts_with(char::is_uppercase));
    if !defined(a) && !defined(b) && !telling(a).is_empty() && telling(a) == telling(b) {
        return true;
    }
    if one == other {
        return !set_apart(a) || !set_apart(b);
    }
    // "processing activities" are "processing operations".
    let alike = lexicon::SAME_HEADS
        .iter()
        .any(|heads| heads.contains(&one.as_str()) && heads.contains(&other.as_str()));
    let rest = |term: &str| term.rsplit_once(' ').map(|(rest, _)| rest.to_lowercase());
    if alike && rest(a) == rest(b) {
        return true;
    }
    let wide = |head: &str, term: &str, list: &[&str]| list.contains(&head) && !set_apart(term);
    let agents = parse::is_agent(a) && parse::is_agent(b);
    let list = if agents {
        &lexicon::ANYBODY
    } else {
        &lexicon::WIDE
    };
    // "the processing of personal data" includes their transfer.
    let tail = |t: &str| t.split_once(" of ").map(|(_, tail)| tail.to_lowercase());
    let same_tail = tail(a).is_some() && tail(a) == tail(b);
    wide(&one, a, list)
        || wide(&other, b, list)
        || same_tail
            && (lexicon::WIDE.contains(&one.as_str()) || lexicon::WIDE.contains(&other.as_str()))
}

/// Whether one term could be taken for the other. Both must be actors, or both must be things of one kind, and neither
/// may include the other.
pub(crate) fn of_one_kind(a: &str, b: &str) -> bool {
    if may_include(a, b) || parse::is_agent(a) != parse::is_agent(b) {
        return false;
    }
    if parse::is_agent(a) {
        return true;
    }
    let (one, other) = (head(a), head(b));
    one == other || kind(&one).is_some() && kind(&one) == kind(&other)
}

/// What kind of person or body somebody is, as far as the main word of the name shows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// An authority, a court, a state.
    State,
    /// A part of a firm or of an authority.
    Organ,
    /// Who is not in business.
    Person,
    /// Everybody else.
    Firm,
}

fn rank(name: &str) -> Rank {
    let head = head(name);
    let head = head.as_str();
    // "Relevant Person", "Authorised Person": firms by another name.
    let defined = name.contains(' ') && name.split(' ').all(|w| w.starts_with(char::is_uppercase));
    match () {
        () if lexicon::STATES.contains(&head) => Rank::State,
        () if lexicon::ORGANS.contains(&head) => Rank::Organ,
        () if lexicon::PERSONS.contains(&head) && !defined => Rank::Person,
        () => Rank::Firm,
    }
}

/// Whether one who acts could be taken for the other: a citizen does not answer a consultation.
pub(crate) fn could_act(a: &str, b: &str) -> bool {
    use Rank::{Firm, Organ, Person, State};
    let (a, b) = (rank(a), rank(b));
    a == b
        || matches!(
            (a, b),
            (State | Firm, Organ) | (Organ, State | Firm) | (Firm, Person) | (Person, Firm)
        )
}

/// Whether a term is a noun phrase as far as its words tell: it neither begins with a verb nor ends with one.
pub(crate) fn is_noun(term: &str) -> bool {
    let last = term.rsplit([' ', '-']).next().unwrap_or("").to_lowercase();
    let first = term.split(' ').next().unwrap_or("").to_lowercase();
    let (first, last) = (first.as_str(), last.as_str());
    let does = ["ise", "ize", "ify"].iter().any(|e| first.ends_with(e))
        && !["otherwise", "enterprise"].contains(&first);
    let opens = lexicon::OPENS_NO_NAME.contains(&first) && !term.contains(" of ");
    let verb = does || lexicon::ENDS_NO_NAME.contains(&last) || opens;
    !(term.contains(' ') && verb || last.ends_with("ly") || lexicon::POINTS.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_terms_could_be_meant() {
        let check = |a, b, expected| assert_eq!(of_one_kind(a, b), expected, "{a} / {b}");
        check("administrative fines", "criminal penalties", true);
        check("risk disclosure statement", "financial statement", true);
        check("compliance", "security measure", false);
        check("regulatory status", "user", false);
        check("controller", "processor", true);
        check("controller", "personal data", false);
        // A wider name of the same thing is not wrong.
        check(
            "processing of personal data",
            "erasure of personal data",
            false,
        );
        check("supervisory authority", "competent authority", false);
        check("the auditor", "the person", false);
        check("Payment Service Provider", "Third Party Provider", true);
    }

    #[test]
    fn what_has_a_verb_is_no_term() {
        let check = |term, expected| assert_eq!(is_noun(term), expected, "{term}");
        check("Authorised Person holding", false);
        check("controls Client Investments", false);
        check("Stored Value held", false);
        check("holding company", true);
        check("transfer of personal data", true);
    }
}
