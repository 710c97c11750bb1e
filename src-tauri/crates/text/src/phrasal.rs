//! Verbs and names in everyday questions that have two words or more: "sign off", "hand over", "bad loan", "rainy-day
//! money". Rules use other words instead ("approve", "non-performing"). Without this list the search would look for the
//! single words ("off", "bad", "rainy"), which mean something else.

use crate::lists::{Swap, Word};
use crate::word_lists;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

word_lists! {
    /// The word that stands for all forms, then the forms; and the words of rules.
    PHRASAL: Vec<Swap> = "english/phrasal.txt";
    /// The same for names of things. Where rules may have the name itself, it is among the words of rules.
    NAMES: Vec<Swap> = "english/everyday_names.txt";
}

/// The forms of verbs by their first word, each with the word that stands for it.
static VERBS: LazyLock<HashMap<Word, Vec<(Word, Word)>>> = LazyLock::new(|| {
    let mut verbs: HashMap<Word, Vec<(Word, Word)>> = HashMap::new();
    for (forms, _) in PHRASAL.iter() {
        let Some((one, forms)) = forms.split_first() else {
            continue;
        };
        for form in forms {
            let verb = form.split(' ').next().unwrap_or(form);
            verbs.entry(verb).or_default().push((form, one));
        }
    }
    verbs
});

/// The words that stand for names.
struct Names {
    /// By the forms of a name.
    of: HashMap<Word, Word>,
    /// The words that names begin with.
    begin: HashSet<Word>,
    /// The words that stand for them.
    ones: HashSet<Word>,
}

static BY_NAME: LazyLock<Names> = LazyLock::new(|| {
    let rows = NAMES.iter().filter_map(|(forms, _)| forms.split_first());
    let of: HashMap<Word, Word> = rows
        .flat_map(|(one, forms)| forms.iter().map(move |form| (*form, *one)))
        .collect();
    let begin = of.keys().filter_map(|form| form.split(' ').next());
    Names {
        begin: begin.collect(),
        ones: of.values().copied().collect(),
        of,
    }
});

/// The most words of a name.
const LONGEST_NAME: usize = 5;

/// Words between a verb and its particle, at most: "hand the running of a berth over to a pilot".
const MOST_BETWEEN: usize = 8;
/// Words that may follow a particle which is separated from its verb: "hand the log over to a pilot". If any other word
/// follows, it is not a particle but a preposition: "put the log in the box".
const BEHIND: [&str; 14] = [
    "to", "for", "by", "until", "till", "from", "when", "if", "because", "before", "after", "and",
    "or", "without",
];

/// Each word that stands for such a verb or name in a search, with the words of rules that may stand in its place.
pub(crate) fn swaps() -> impl Iterator<Item = &'static Swap> {
    static AS_ONE: LazyLock<Vec<Swap>> = LazyLock::new(|| {
        let rows = PHRASAL.iter().chain(NAMES.iter());
        rows.map(|(forms, others)| (forms.iter().take(1).copied().collect(), others.clone()))
            .collect()
    });
    AS_ONE.iter()
}

/// After one of these words comes a noun and not a verb: "the first step in the process", "which checks on pilots".
const BEFORE_NOUNS: [&str; 34] = [
    "a", "an", "the", "this", "that", "these", "those", "any", "each", "every", "no", "some",
    "which", "what", "whose", "its", "their", "our", "your", "my", "his", "her", "first", "second",
    "third", "last", "next", "previous", "other", "another", "more", "many", "of", "all",
];

/// Whether a word stands for a name of several words.
pub fn is_name(word: &str) -> bool {
    BY_NAME.ones.contains(word)
}

/// The words of all such verbs and names.
pub(crate) fn parts() -> impl Iterator<Item = Word> {
    let rows = PHRASAL.iter().chain(NAMES.iter());
    rows.flat_map(|(forms, _)| forms.iter().skip(1).flat_map(|form| form.split(' ')))
}

/// The English question with each such verb and name replaced by one word.
pub(crate) fn as_one(question: &str) -> String {
    let mut words: Vec<String> = question.split(' ').map(str::to_owned).collect();
    let mut at = 0;
    while at < words.len() {
        let verbs = VERBS.get(bare(&words[at]).as_str());
        let found = verbs.into_iter().flatten().filter_map(|(form, one)| {
            let stand = places(form, &words, at);
            stand.map(|stand| (*one, stand))
        });
        let found = found.chain(name(&words, at));
        // "Check up on" is no "check up".
        if let Some((one, stand)) = found.max_by_key(|(_, stand)| stand.len()) {
            let is_together = stand.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            // The mark behind the last word ends a part of the question.
            let last = stand.last().filter(|_| is_together);
            let mark = last.map_or("", |last| behind(&words[*last]));
            words[at] = format!("{one}{mark}");
            for place in stand.iter().skip(1).rev() {
                words.remove(*place);
            }
        }
        at += 1;
    }
    words.join(" ")
}

/// The places of the words of a verb with its particle, if the verb is at `at`. The particle may follow the verb
/// directly, or after the object ("hand the log over"). A particle of several words is found only if these follow each
/// other.
fn places(form: &str, words: &[String], at: usize) -> Option<Vec<usize>> {
    let (verb, particle) = form.split_once(' ')?;
    if bare(&words[at]) != verb || !behind(&words[at]).is_empty() {
        return None;
    }
    let before = at.checked_sub(1).map(|before| bare(&words[before]));
    if before.is_some_and(|before| BEFORE_NOUNS.contains(&before.as_str())) {
        return None;
    }
    let particle: Vec<&str> = particle.split(' ').collect();
    let stands = |from: usize| {
        let own = words.get(from..from + particle.len())?;
        let is_so = own
            .iter()
            .zip(&particle)
            .all(|(word, one)| bare(word) == *one);
        let all = std::iter::once(at).chain(from..from + particle.len());
        is_so.then(|| all.collect::<Vec<usize>>())
    };
    if let Some(together) = stands(at + 1) {
        // "Work out of hours", "hand in hand".
        let next = words.get(at + 1 + particle.len()).map(|next| bare(next));
        let is_other = next.is_some_and(|next| next == "of" || next == verb);
        return (!is_other).then_some(together);
    }
    // The object stands between: no mark does.
    let between = (at + 1..words.len()).take(MOST_BETWEEN);
    let mut apart = between.take_while(|place| behind(&words[*place]).is_empty());
    apart.find_map(|place| {
        let stand = stands(place + 1)?;
        let last = stand.last().copied()?;
        let ends = !behind(&words[last]).is_empty() || last + 1 == words.len();
        let next = words.get(last + 1).map(|next| bare(next));
        let goes_on = next.is_some_and(|next| BEHIND.contains(&next.as_str()));
        (ends || goes_on).then_some(stand)
    })
}

/// Finds a name of several words that begins at `at`. Returns the one word that stands for it in a search, and the
/// places of its words. A hyphen separates words as a blank does.
fn name(words: &[String], at: usize) -> Option<(Word, Vec<usize>)> {
    let mut said = bare(&words[at]).replace(['-', '‑'], " ");
    let first = said.split(' ').next()?;
    if !BY_NAME.begin.contains(first) {
        return None;
    }
    let mut found = None;
    for last in (at..words.len()).take(LONGEST_NAME) {
        if last > at {
            said.push(' ');
            said.push_str(&bare(&words[last]).replace(['-', '‑'], " "));
        }
        if let Some(one) = BY_NAME.of.get(said.as_str()) {
            found = Some((*one, (at..=last).collect()));
        }
        // A mark ends a name.
        if !behind(&words[last]).is_empty() {
            break;
        }
    }
    found
}

/// A word in lower case, without the marks around it.
fn bare(word: &str) -> String {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    bare.to_lowercase()
}

/// The marks behind a word.
fn behind(word: &str) -> &str {
    let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    &word[letters.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_of_two_words_is_one() {
        for (question, one) in [
            (
                "Who signs off the berth plan?",
                "Who signoff the berth plan?",
            ),
            (
                "Who signs the berth plan off?",
                "Who signoff the berth plan",
            ),
            (
                "May a master hand the running of a barge over to a pilot?",
                "May a master handover the running of a barge to a pilot?",
            ),
            ("Can the dues be put off?", "Can the dues be putoff?"),
            (
                "Can the dues be put off, and until when?",
                "Can the dues be putoff, and until when?",
            ),
            (
                "Who must check up on a berth?",
                "Who must checkupon a berth?",
            ),
            // A preposition, and a verb that another part of the question has.
            (
                "Must a pilot send the log in the box?",
                "Must a pilot send the log in the box?",
            ),
            (
                "If a pilot hands the log, is it over?",
                "If a pilot hands the log, is it over?",
            ),
            // A noun before a preposition.
            (
                "What is the first step in the mooring of a barge?",
                "What is the first step in the mooring of a barge?",
            ),
            (
                "Which checks on pilots must a port make?",
                "Which checks on pilots must a port make?",
            ),
            (
                "May a pilot work out of hours at a berth?",
                "May a pilot work out of hours at a berth?",
            ),
            ("Is a pilot needed?", "Is a pilot needed?"),
            // Names of things, with hyphens as with blanks.
            ("Do bad loans count?", "Do badloan count?"),
            (
                "Must a port put by rainy-day money, or a rainy-day fund?",
                "Must a port put by rainydaymoney, or a rainydayfund?",
            ),
            (
                "If a berth is bad, loans are due?",
                "If a berth is bad, loans are due?",
            ),
            ("Is a bad pilot heard?", "Is a bad pilot heard?"),
            ("", ""),
        ] {
            assert_eq!(as_one(question), one, "{question}");
        }
    }

    #[test]
    fn each_form_begins_with_a_verb_and_is_known_once() {
        let (mut seen, mut stand) = (HashSet::new(), HashSet::new());
        for (forms, others) in PHRASAL.iter().chain(NAMES.iter()) {
            let (one, forms) = (forms[0], &forms[1..]);
            assert!(!one.contains(' ') && !forms.is_empty(), "{one}");
            assert!(!others.is_empty(), "{one}");
            assert!(stand.insert(one), "{one} stands there twice");
            for form in forms {
                assert!(form.contains(' ') && !form.contains('-'), "{form}");
                assert!(form.split(' ').count() <= LONGEST_NAME, "{form}");
                assert!(seen.insert(*form), "{form} stands there twice");
            }
        }
    }
}
