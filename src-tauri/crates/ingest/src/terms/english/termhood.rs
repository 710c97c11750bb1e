//! Whether a phrase that was found by counting can be a term. This is decided by its words, by the words before and
//! after it, and by the other phrases that were counted.

use crate::terms::lexicon::{
    BOILERPLATE, COMMON_TERM, EMPTY_MODIFIER, GENERAL_ADJECTIVE, GENERIC, VERB, WEAK_HEAD,
};
use crate::terms::phrases::Counted;
use crate::terms::usage::Usage;
use lexforge_text::plural::{plural, singular};
use std::collections::HashMap;

/// How often a word that is on no list must occur to be a term by itself, as a multiple of the least count of a
/// candidate. Such a word must also be part of as many compounds as [`PRODUCTIVE`] says.
const FREQUENT: u32 = 7;
/// Different two-word phrases that a word must be in to be a term by itself.
const PRODUCTIVE: u32 = 5;
/// Occurrences below which a gerund before a frequent phrase governs it.
const RARE: u32 = 6;
/// Endings of nouns that name what is done or how something is: as single words they are seldom terms.
const ABSTRACT: &[&str] = &[
    "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ency", "ancy", "ing", "al", "ship",
    "able", "ible", "ive", "ous", "ful", "ed", "ly", "ic", "ism", "sis", "ure", "th",
];
/// Endings of nouns that name an act: "calculation of X" is an act with X.
const ACTS: &[&str] = &[
    "tion", "sion", "ment", "ing", "ance", "ence", "sis", "al", "ity", "ness",
];

/// The counted phrases of a corpus, to be judged one by one.
pub(super) struct Termhood<'a> {
    counted: &'a HashMap<Vec<String>, Counted>,
    usage: &'a Usage,
    /// The fewest occurrences that are counted.
    least: u32,
    /// For each word the different phrases of two words that it is in.
    compounds: HashMap<&'a str, u32>,
}

impl<'a> Termhood<'a> {
    pub(super) fn new(
        counted: &'a HashMap<Vec<String>, Counted>,
        usage: &'a Usage,
        least: u32,
    ) -> Self {
        let mut compounds: HashMap<&str, u32> = HashMap::new();
        for words in counted.keys().filter(|words| words.len() == 2) {
            for word in words {
                *compounds.entry(word).or_default() += 1;
            }
        }
        Self {
            counted,
            usage,
            least,
            compounds,
        }
    }

    /// Whether the phrase is a term.
    pub(super) fn holds(&self, words: &[String], c: &Counted) -> bool {
        let independence = f64::from(c.whole) / f64::from(c.count);
        if words.iter().any(|w| w == "of") {
            return self.is_of_phrase(words, c) && !self.is_composed(words);
        }
        if is_boilerplate(words) || f64::from(c.before_of) > 0.6 * f64::from(c.count) {
            return false;
        }
        match words {
            [] => false,
            [word] => self.is_single(word, c) && independence >= 0.25,
            _ => {
                self.says_enough(words, c, independence)
                    && !self.is_clause(words, c)
                    && !self.repeats_of_phrase(words)
            }
        }
    }

    /// Met often enough for a phrase whose words say little: 4 times in a small corpus, 9 times in a large one.
    fn is_frequent(&self, c: &Counted) -> bool {
        c.count >= self.least * self.least
    }

    fn is_single(&self, word: &str, c: &Counted) -> bool {
        let noun = c
            .forms
            .keys()
            .any(|form| self.usage.is_noun(&form.to_lowercase()));
        if !noun || word.chars().count() <= 3 {
            return false;
        }
        // Known as a term, or an abbreviation that is written no other way.
        if COMMON_TERM.contains(word) || c.forms.keys().all(|form| is_short_form(form)) {
            return true;
        }
        let compounds = self.compounds.get(word).copied().unwrap_or(0);
        !is_generic(word)
            && !WEAK_HEAD.contains(word)
            && !GENERAL_ADJECTIVE.contains(word)
            && !VERB.contains(word)
            && !ABSTRACT.iter().any(|ending| word.ends_with(ending))
            && c.count >= FREQUENT * self.least
            && compounds >= PRODUCTIVE
    }

    /// Whether the words of a phrase without "of" say enough together.
    fn says_enough(&self, words: &[String], c: &Counted, independence: f64) -> bool {
        let Some((head, modifiers)) = words.split_last() else {
            return false;
        };
        let little = |word: &String| is_generic(word) || GENERAL_ADJECTIVE.contains(word.as_str());
        if WEAK_HEAD.contains(head.as_str()) {
            // "staffing levels" is said of staffing; "risk appetite statement" is a thing of its own.
            return !modifiers.iter().all(little)
                && independence >= 0.5
                && (self.is_frequent(c) || modifiers.len() > 1 && c.count > self.least);
        }
        if modifiers
            .iter()
            .all(|w| GENERAL_ADJECTIVE.contains(w.as_str()))
            && is_generic(head)
        {
            return false;
        }
        // Generic words may still make a term ("risk management"), but then it must be met on its own.
        if words.iter().all(little) {
            independence >= 0.5 && self.is_frequent(c)
        } else {
            independence >= 0.15
        }
    }

    /// Whether the words are a verb with its object and not a noun phrase. One case is "process personal data", if it
    /// often follows "to" or a modal verb. The other is a rare phrase with a gerund such as "controlling liquidity
    /// risk", if "liquidity risk" is much more frequent.
    fn is_clause(&self, words: &[String], c: &Counted) -> bool {
        let (first, rest) = (&words[0], &words[1..]);
        let governed = VERB.contains(first.as_str()) && 4 * c.governed > c.count;
        let gerund = first.ends_with("ing")
            && c.count < RARE
            && !rest.iter().all(|w| is_generic(w))
            && self
                .counted
                .get(rest)
                .is_some_and(|alone| alone.count > 5 * c.count);
        governed || gerund
    }

    fn is_of_phrase(&self, words: &[String], c: &Counted) -> bool {
        let mut rest = words.iter().filter(|w| *w != "of");
        c.count > self.least && !rest.clone().all(|w| is_generic(w)) && {
            let last = rest.next_back();
            last.is_none_or(|last| !GENERAL_ADJECTIVE.contains(last.as_str()))
        }
    }

    /// Whether the words are only a combination of a phrase and a general noun or a noun for an action, and the phrase
    /// is counted by itself. In "protection of natural persons" the phrase is "natural persons".
    fn is_composed(&self, words: &[String]) -> bool {
        let [head, of, rest @ ..] = words else {
            return false;
        };
        let act = ACTS.iter().any(|ending| head.ends_with(ending));
        let last = rest.len().saturating_sub(1);
        let empty = is_generic(head) || WEAK_HEAD.contains(head.as_str());
        of == "of" && (act && !COMMON_TERM.contains(head.as_str()) || empty && rest.len() > 1) && {
            let mut tail = rest.to_vec();
            if let Some(word) = tail.get_mut(last) {
                *word = singular(word);
            }
            self.counted.contains_key(&tail)
        }
    }

    /// "processing personal data" beside "processing of personal data": the verb's form, not a term of its own.
    fn repeats_of_phrase(&self, words: &[String]) -> bool {
        words.len() > 1 && words[0].ends_with("ing") && {
            let of_phrase: Vec<String> = [&words[..1], &["of".to_owned()], &words[1..]].concat();
            let last = words.len();
            self.counted.contains_key(&of_phrase) || {
                let mut many = of_phrase;
                many[last] = plural(&many[last]);
                self.counted.contains_key(&many)
            }
        }
    }
}

fn is_generic(word: &str) -> bool {
    GENERIC.contains(word)
        || GENERIC.contains(singular(word).as_str())
        || EMPTY_MODIFIER.contains(word)
}

fn is_short_form(form: &str) -> bool {
    form.chars().filter(|c| c.is_uppercase()).count() > 1
}

/// Institutions and set phrases that every act of a legislator has, alone or with a generic word ("Member State law").
fn is_boilerplate(words: &[String]) -> bool {
    let generic = |words: &[String]| words.iter().all(|w| is_generic(w));
    (1..=words.len())
        .any(|n| BOILERPLATE.contains(words[..n].join(" ").as_str()) && generic(&words[n..]))
        || (1..words.len())
            .any(|n| BOILERPLATE.contains(words[n..].join(" ").as_str()) && generic(&words[..n]))
}
