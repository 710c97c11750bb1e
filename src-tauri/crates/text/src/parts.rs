//! English questions that ask for several things: "Who must notify, and within how long?", "the difference between a
//! berth and a mooring". Also questions that continue an earlier one: "And for barges?"

use crate::asked::{self, named};
use crate::expected::{Beside, Expected, beside, of_question};
use crate::granted::{self, HELPING};
use crate::language::{ENGLISH, ENGLISH_TELLING};
use crate::lists::Word;
use crate::script::is_han;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Words with which a question begins.
    OPENS: Vec<Word> = "english/opens_a_question.txt";
    /// Words that refer to something that was said before.
    POINTS: HashSet<Word> = "english/points_back.txt";
}

/// A question of more parts than these is looked for as a whole.
const MOST: usize = 4;
/// A question of more words than these, too, is looked for as a whole: its parts mostly need each other.
const LONGEST: usize = 30;
/// Something that is compared has at most so many words.
const MOST_WORDS: usize = 6;
/// How many words after the question word the auxiliary verb may be: "what kind of papers must".
const VERB_WITHIN: usize = 5;

/// A part of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// How it is called: in the words of the question, or what is compared.
    pub said: String,
    /// The question that is looked for.
    pub asked: String,
    /// Words that what answers it must have, since its other words are those of another part.
    pub adds: String,
    /// The content that a sentence must have to answer it, for the same reason.
    pub wanted: Option<Beside>,
    /// The part asks about one of two things that are compared. Only a text that says what the thing is answers it.
    pub is_compared: bool,
    /// It needs no other part: what answers it may be far from the question as a whole.
    pub by_itself: bool,
    /// Whether the question is answered as a whole if this part has no answer of its own.
    pub or_whole: bool,
}

impl Part {
    /// A question as a whole.
    pub fn whole(question: &str) -> Self {
        Self {
            said: question.to_owned(),
            asked: question.to_owned(),
            ..Self::default()
        }
    }
}

/// The parts of a question that asks for several things, in their order. The list is empty if the question asks for one
/// thing. It is also empty if the question takes something for granted, because this applies to all of its parts.
pub fn of(question: &str) -> Vec<Part> {
    let is_long = question.split_whitespace().count() > LONGEST;
    if is_long || question.chars().any(is_han) || granted::clause(question).is_some() {
        return Vec::new();
    }
    if let Some(both) = compared(question) {
        return both.map(|term| of_comparison(&term)).into();
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut context = String::new();
    for clause in sentences(question).into_iter().flat_map(clauses) {
        if context.is_empty() {
            context = without_opening(clause).to_owned();
            parts.push(Part::whole(clause));
        } else if let Some(part) = after(&context, clause) {
            parts.push(part);
        } else if let Some(last) = parts.last_mut() {
            // "By whom?" belongs to the question before it.
            last.said = format!("{}, {clause}", last.said);
            last.asked = format!("{} {clause}", last.asked);
        }
    }
    match parts.len() {
        2..=MOST => parts,
        _ => Vec::new(),
    }
}

/// A question that continues the one before it. `None` if it is complete without that one.
pub fn continued(before: &str, question: &str) -> Option<Part> {
    let clause = question.trim().trim_end_matches('?').trim();
    let lower = clause.to_lowercase();
    let joined = JOINED.iter().any(|joint| lower.starts_with(joint));
    let first = lower_words(clause).next().unwrap_or_default();
    // "Is it allowed to moor at night?" asks by itself.
    let is_short = content(clause).len() <= 2;
    let points =
        asked::points_back(question) || (GOES_ON.contains(&first.as_str()) && !opens(clause));
    let goes_on = joined || (is_short && points);
    if !goes_on || question.chars().any(is_han) || before.trim().is_empty() {
        return None;
    }
    let before = before.trim().trim_end_matches('?');
    let clause = without_joint(clause);
    let part = after(without_opening(before), clause)?;
    if part == Part::whole(clause) {
        return None;
    }
    Some(Part {
        said: question.to_owned(),
        ..part
    })
}

/// How a question begins that says so itself.
const JOINED: [&str; 4] = ["and ", "but ", "what about ", "how about "];
/// How a question begins that names another case of the one before it.
const GOES_ON: [&str; 9] = [
    "for", "with", "without", "if", "in", "under", "to", "even", "during",
];

/// A part after others whose words it needs; `None` if it has no word that could be looked for.
fn after(context: &str, clause: &str) -> Option<Part> {
    let own = content(clause);
    let points = lower_words(clause).any(|word| POINTS.contains(word.as_str()));
    let by_itself = own.len() >= 2 || asked::meaning_of(clause).is_some();
    if opens(clause) && by_itself && !points {
        return Some(Part::whole(clause));
    }
    let wanted = match of_question(clause) {
        Some(Expected::Time | Expected::Amount | Expected::Extent) => beside(clause),
        _ => None,
    };
    let adds = match own.len() {
        // What has words enough of its own is found, or not, by these.
        _ if wanted.is_some() => String::new(),
        0 => return None,
        1 => own.join(" "),
        _ if opens(clause) => String::new(),
        _ => own.join(" "),
    };
    Some(Part {
        said: clause.to_owned(),
        asked: format!("{clause} {context}"),
        adds,
        wanted,
        ..Part::default()
    })
}

/// What a question compares.
fn compared(question: &str) -> Option<[String; 2]> {
    let text = question.trim().trim_end_matches(['?', '.', ' ']);
    let lower = text.to_lowercase();
    // Lower case may be of another length in other scripts; then no place is the same.
    if lower.len() != text.len() || text.contains('?') {
        return None;
    }
    let two = |from: usize, to: usize, joint: &str| -> Option<[String; 2]> {
        let mut places = lower.get(from..to)?.match_indices(joint);
        let (at, _) = places.next()?;
        // "Terms and conditions and policies": which two?
        if places.next().is_some() {
            return None;
        }
        let sides = [
            text.get(from..from + at)?,
            text.get(from + at + joint.len()..to)?,
        ];
        both(sides)
    };
    let end = lower.len();
    for begin in [
        "difference between ",
        "differences between ",
        "distinction between ",
    ] {
        if let Some(at) = lower.find(begin) {
            return two(at + begin.len(), end, " and ");
        }
    }
    for (begin, joint, ends) in COMPARES {
        let inside = lower
            .strip_prefix(begin)
            .and_then(|rest| rest.strip_suffix(ends));
        if let Some(inside) = inside.filter(|inside| inside.contains(joint)) {
            return two(begin.len(), begin.len() + inside.len(), joint);
        }
    }
    [" vs. ", " vs ", " versus "]
        .into_iter()
        .find_map(|joint| two(0, end, joint))
}

/// The texts before, between and after two things that are compared.
const COMPARES: [(&str, &str, &str); 13] = [
    ("how does ", " differ from ", ""),
    ("how do ", " differ from ", ""),
    ("how is ", " different from ", ""),
    ("how are ", " different from ", ""),
    ("how do ", " and ", " differ"),
    ("how are ", " and ", " different"),
    ("what distinguishes ", " from ", ""),
    ("compare ", " with ", ""),
    ("compare ", " to ", ""),
    ("compare ", " and ", ""),
    ("how does ", " compare to ", ""),
    ("how does ", " compare with ", ""),
    ("how do ", " and ", " compare"),
];

/// The two things, each by its name; `None` if one is no name.
fn both([one, other]: [&str; 2]) -> Option<[String; 2]> {
    let is_name = |name: &str| {
        let words: Vec<String> = lower_words(name).collect();
        // "Differences in dues and in fees" are no differences between two things.
        (1..=MOST_WORDS).contains(&words.len())
            && words.first() == content(name).first()
            && !words.iter().any(|word| OPENS.contains(&word.as_str()))
    };
    let one = named(asked::meaning_of(one).unwrap_or(one)).to_owned();
    let ends = [" under ", " in ", " for ", " according to ", " within "];
    let end = ends.iter().filter_map(|end| other.find(end)).min();
    let other = named(&other[..end.unwrap_or(other.len())]).to_owned();
    // "Phase one and phase two permits".
    let (short, long): (Vec<&str>, Vec<&str>) =
        (one.split(' ').collect(), other.split(' ').collect());
    let one = match short.len() < long.len() && short.len() > 1 && short[0] == long[0] {
        true => format!("{one} {}", long[short.len()..].join(" ")),
        false => one,
    };
    (is_name(&one) && is_name(&other) && one != other).then_some([one, other])
}

fn of_comparison(term: &str) -> Part {
    Part {
        said: term.to_owned(),
        asked: format!("What is {term}?"),
        adds: term.to_owned(),
        is_compared: true,
        ..Part::default()
    }
}

/// The sentences of a text that ask. What follows the last of them belongs to it.
fn sentences(question: &str) -> Vec<&str> {
    let ends: Vec<usize> = question.match_indices('?').map(|(at, _)| at).collect();
    let mut from = 0;
    let mut sentences = Vec::new();
    for end in ends {
        sentences.push(question[from..end].trim());
        from = end + 1;
    }
    if sentences.is_empty() {
        sentences.push(question.trim());
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The questions within one sentence: "who signs it and when is it due".
fn clauses(sentence: &str) -> Vec<&str> {
    let mut rest = without_joint(sentence);
    let mut found = Vec::new();
    while let Some((clause, next)) = first_clause(rest) {
        found.push(clause);
        rest = next;
    }
    found.push(rest);
    found
}

/// A sentence up to its first further question, and the rest.
fn first_clause(sentence: &str) -> Option<(&str, &str)> {
    // The joints are plain letters; as those of others change, so may the places.
    let lower = sentence.to_ascii_lowercase();
    if !opens(sentence) {
        return None;
    }
    let mut places: Vec<(usize, &str)> = JOINTS
        .iter()
        .flat_map(|joint| lower.match_indices(joint))
        .collect();
    // Of those that begin at one place the longest.
    places.sort_by_key(|(at, joint)| (*at, std::cmp::Reverse(joint.len())));
    places.into_iter().find_map(|(at, joint)| {
        let (clause, next) = (&sentence[..at], &sentence[at + joint.len()..]);
        let asks_on = asks_further(next, joint == ", ");
        (asks_on && is_whole(clause)).then_some((clause.trim(), next.trim()))
    })
}

/// The texts between two questions.
const JOINTS: [&str; 7] = [", and ", "; and ", ", but ", " and ", " but ", "; ", ", "];

/// Whether a text is a further question. There are three cases. A question word is directly followed by an auxiliary
/// verb (so "how data are used" is not a question). The text begins with a time ("within how long"). Or a verb comes
/// before its subject ("and may it be sold").
fn asks_further(text: &str, after_comma: bool) -> bool {
    let words: Vec<String> = lower_words(text).collect();
    let Some(first) = words.first().map(String::as_str) else {
        return false;
    };
    if HELPING.contains(&first) {
        // "And have it stopped" goes on telling.
        let next = words.get(1).map_or("", String::as_str);
        return !first.starts_with("ha") && SUBJECTS.contains(&next);
    }
    let Some(opening) = opening(text) else {
        return false;
    };
    // "The master, who …" asks for nothing.
    let relates = matches!(
        opening,
        "who" | "whom" | "whose" | "which" | "when" | "where"
    );
    if after_comma && relates {
        return false;
    }
    let behind = words.iter().skip(opening.split(' ').count());
    let helped = |word: &String| HELPING.contains(&word.as_str());
    match opening {
        "who" | "whose" => words.len() > 1,
        "when" | "where" | "why" => behind.clone().next().is_none_or(helped),
        "how" => asks_how(&words[1..]),
        // "Within how many working days".
        _ if opening.ends_with(" how") && words.len() <= VERB_WITHIN => true,
        _ => words.len() <= 3 || behind.take(VERB_WITHIN).any(helped),
    }
}

/// Whether the words behind "how" ask, and do not tell how something is done.
fn asks_how(behind: &[String]) -> bool {
    let helped = |word: &String| HELPING.contains(&word.as_str());
    match behind {
        [] => true,
        [degree, rest @ ..] if DEGREES.contains(&degree.as_str()) => {
            rest.is_empty() || rest.iter().take(VERB_WITHIN).any(helped)
        }
        [first, ..] => helped(first),
    }
}

/// What "how" asks for.
const DEGREES: [&str; 10] = [
    "long", "soon", "often", "many", "much", "large", "high", "far", "fast", "quickly",
];

/// The words that can follow the verb of a question.
const SUBJECTS: [&str; 14] = [
    "the", "a", "an", "it", "they", "we", "he", "she", "this", "that", "these", "our", "any", "i",
];

/// Whether a clause is a complete question. A question inside another question is not complete: in "who decides what is
/// kept and how it is kept" only "who decides" is. The other two clauses depend on it.
fn is_whole(clause: &str) -> bool {
    let within = ["who", "whom", "whose", "which", "what", "whether", "how"];
    let behind = without_opening(clause);
    let mut rest = lower_words(behind);
    // "When a vessel leaves, …" asks nothing yet.
    let asks = match opening(clause) {
        None | Some("what") => true,
        Some(_) => asks_further(clause, false),
    };
    asks && !content(behind).is_empty() && !rest.any(|word| within.contains(&word.as_str()))
}

/// Whether a text begins like a question.
fn opens(text: &str) -> bool {
    let helps = |word: String| HELPING.contains(&word.as_str());
    opening(text).is_some() || lower_words(text).next().is_some_and(helps)
}

/// The words with which a question begins.
fn opening(text: &str) -> Option<Word> {
    let lower = format!("{} ", text.trim().to_lowercase());
    let begins = |opening: &&Word| {
        let rest = lower.strip_prefix(**opening);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    OPENS.iter().find(begins).copied()
}

/// A question without the words with which it begins.
fn without_opening(text: &str) -> &str {
    let text = text.trim();
    let length = opening(text).map_or(0, str::len);
    text.get(length..).unwrap_or(text).trim_start()
}

/// A text without the conjunction at its beginning.
fn without_joint(text: &str) -> &str {
    let joints = [
        "And ", "and ", "But ", "but ", "Or ", "or ", "Also ", "also ",
    ];
    let text = text.trim();
    let mut without = joints.iter().filter_map(|joint| text.strip_prefix(joint));
    without.next().unwrap_or(text).trim_start()
}

/// The words of a question that it is about.
fn content(clause: &str) -> Vec<String> {
    let subject = asked::subject(clause);
    let is_small = |word: &String| {
        let word = word.as_str();
        ENGLISH.contains(word)
            || ENGLISH_TELLING.contains(word)
            || HELPING.contains(&word)
            || POINTS.contains(word)
            || asked::helps_to_ask(word)
    };
    lower_words(&subject)
        .filter(|word| !is_small(word))
        .collect()
}

fn lower_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests;
