//! Which words follow each other in a corpus. This is used to check whether a rule still reads like the documents after
//! words were put into it.
//!
//! Some wrong choices can be recognised at once: names that no document uses ("the European Data Protection
//! Supervisors", "health statuses"), and names in a position in which no document has one ("each Board"). Only words,
//! and runs of two or three words, are stored, without the places where they occur. So questions can use the phrases of
//! the documents without revealing the content of the rules.

use crate::words::is_stop;
use lexforge_text::is_han;
use lexforge_text::plural::singular;
use lexforge_text::words;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// In a corpus with at least this many words it is informative that two words never occur together.
const ENOUGH: usize = 40_000;
/// In a smaller corpus a missing form of a word is informative if the word itself occurs this often.
const FORM: usize = 6;
/// In a smaller corpus it is informative that two words never occur together if each of them occurs this often.
const OFTEN: usize = 20;
/// Determiners before which a name stands that several have.
const ONE_OF_MANY: &[&str] = &["a", "an", "any", "each", "every", "another", "no"];

/// The words of a corpus and which of them stand beside each other.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    runs: HashSet<u64>,
    counts: HashMap<u64, usize>,
    words: usize,
}

/// A number that stands for a run of words.
pub(crate) fn hashed(run: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    run.hash(&mut hasher);
    hasher.finish()
}

/// The runs of words between two punctuation marks. Words on different sides of a mark are not neighbours.
fn stretches(text: &str) -> impl Iterator<Item = Vec<String>> + '_ {
    let mark = |c: char| {
        !c.is_alphanumeric()
            && !c.is_whitespace()
            && !matches!(c, '-' | '’' | '\'' | '\u{ad}' | '/')
    };
    text.split(mark).map(words).filter(|w| !w.is_empty())
}

impl Usage {
    /// The words, pairs and runs of three words in the sentences of a corpus.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let (mut runs, mut counts, mut count) = (HashSet::new(), HashMap::new(), 0);
        for stretch in texts.flat_map(stretches) {
            count += stretch.len();
            for word in &stretch {
                *counts
                    .entry(hashed(std::slice::from_ref(word)))
                    .or_default() += 1;
            }
            for size in 1..=3 {
                runs.extend(stretch.windows(size).map(hashed));
            }
        }
        Self {
            runs,
            counts,
            words: count,
        }
    }

    fn has(&self, run: &[String]) -> bool {
        self.runs.contains(&hashed(run))
    }

    /// Whether every word of a phrase stands somewhere beside the next one.
    pub(crate) fn writes(&self, phrase: &str) -> bool {
        stretches(phrase).all(|w| {
            // The other number of the last word is known, and this one is not.
            let (Some(last), rest) = (w.last(), w.windows(2)) else {
                return true;
            };
            let telling = self.tells()
                || self
                    .count(&singular(last))
                    .max(self.count(&format!("{last}s")))
                    >= FORM;
            let stands = if w.len() == 1 {
                self.has(&w)
            } else {
                rest.into_iter().all(|pair| self.has(pair))
            };
            stands || !telling
        })
    }

    /// Whether the corpus is so large that word pairs which it lacks are really unusual.
    fn tells(&self) -> bool {
        self.words >= ENOUGH
    }

    fn count(&self, word: &str) -> usize {
        self.counts
            .get(&hashed(&[word.to_owned()]))
            .copied()
            .unwrap_or_default()
    }

    /// Whether `new`, one place of `old` changed, reads at that place.
    pub(crate) fn reads(&self, old: &str, new: &str) -> bool {
        let Some(place) = Place::of(old, new) else {
            return true;
        };
        let name = place.name.join(" ");
        if new.chars().any(is_han) {
            return self.joins(&place.before, &place.name) && self.joins(&place.name, &place.after);
        }
        // A determiner that came or stayed before the name.
        let all: Vec<String> = place.before.iter().chain(&place.name).cloned().collect();
        let from = place.before.len();
        let first = (from..all.len())
            .find(|at| !all.get(*at).is_some_and(|w| is_stop(w)))
            .unwrap_or(from);
        let many = first
            .checked_sub(1)
            .and_then(|at| all.get(at))
            .is_some_and(|d| ONE_OF_MANY.contains(&d.as_str()));
        let countable = |noun: &String| {
            let stands = |d: &&str| self.has(&[(*d).to_owned(), noun.clone()]);
            ONE_OF_MANY.iter().any(stands)
        };
        (!many || all.get(first).is_none_or(countable))
            && self.writes(&name)
            && (self.beside(&place.before, &place.name) || self.beside(&place.name, &place.after))
    }

    /// Whether the last word of one stretch stands before the first of the other somewhere.
    fn beside(&self, one: &[String], other: &[String]) -> bool {
        match (one.last(), other.first()) {
            (Some(a), Some(b)) => {
                let telling = self.tells() || self.count(a).min(self.count(b)) >= OFTEN;
                !telling || self.has(&[a.clone(), b.clone()])
            }
            _ => true,
        }
    }

    /// Whether three characters over the border of two Chinese stretches stand together somewhere.
    fn joins(&self, one: &[String], other: &[String]) -> bool {
        if !self.tells() {
            return true;
        }
        let tail = one.get(one.len().saturating_sub(2)..).unwrap_or_default();
        let head = other.get(..other.len().min(2)).unwrap_or_default();
        let all: Vec<String> = tail.iter().chain(head).cloned().collect();
        tail.is_empty()
            || head.is_empty()
            || all.len() < 3
            || all.windows(3).any(|run| self.has(run))
    }
}

/// The words of a text that another one has otherwise, and those up to the next mark on both sides.
struct Place {
    before: Vec<String>,
    name: Vec<String>,
    after: Vec<String>,
}

impl Place {
    /// `None` if no new word was added.
    fn of(old: &str, new: &str) -> Option<Self> {
        let han = new.chars().any(is_han);
        let same = old
            .chars()
            .zip(new.chars())
            .take_while(|(a, b)| a == b)
            .count();
        let (all, was) = (new.chars().collect::<Vec<_>>(), old.chars().count());
        let most = all.len().min(was) - same;
        let back = old
            .chars()
            .rev()
            .zip(all.iter().rev())
            .take(most)
            .take_while(|(a, b)| a == *b)
            .count();
        let (mut start, mut end) = (same, all.len() - back);
        // Whole words.
        let part = |at: usize| {
            all.get(at)
                .is_some_and(|c| c.is_alphanumeric() && !is_han(*c) || *c == '-')
        };
        while !han && start > 0 && part(start - 1) && (part(start) || start == end) {
            start -= 1;
        }
        while !han && end < all.len() && part(end) && end > 0 && part(end - 1) {
            end += 1;
        }
        let text = |range: &[char]| range.iter().collect::<String>();
        let last = |t: String| -> Vec<String> {
            let bare = t.trim_end_matches(' ');
            if bare.ends_with(is_mark) {
                Vec::new()
            } else {
                stretches(bare).last().unwrap_or_default()
            }
        };
        let first = |t: String| -> Vec<String> {
            let bare = t.trim_start_matches(' ');
            if bare.starts_with(is_mark) {
                Vec::new()
            } else {
                stretches(bare).next().unwrap_or_default()
            }
        };
        let name = words(&text(all.get(start..end)?));
        (!name.is_empty()).then(|| Self {
            before: last(text(&all[..start])),
            name,
            after: first(text(&all[end..])),
        })
    }
}

fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corpus that says the same over and over.
    fn large(texts: &[&str]) -> Usage {
        Usage::of(std::iter::repeat_n(texts, ENOUGH / 20).flatten().copied())
    }

    #[test]
    fn in_a_small_corpus_only_what_comes_back_is_missed() {
        let text = "The keeper shall inform the Agency of each pallet of the keeper and of the weight of the pallet.";
        let few = Usage::of(std::iter::repeat_n(text, 2));
        let old = "The keeper shall inform the Agency.";
        assert!(few.reads(old, "The keeper shall inform the weights."));
        let many = Usage::of(std::iter::repeat_n(text, 8));
        assert!(!many.reads(old, "The keeper shall inform the weights."));
        assert!(many.reads(old, "The keeper shall inform the pallet."));
    }

    #[test]
    fn a_name_reads_where_documents_have_it() {
        let usage = large(&[
            "The Supervisor shall inform the Board of each breach by the agency.",
            "Each agency and every controller shall inform a supervisor, the authority and the health service.",
            "The data of the premises and of any agency.",
        ]);
        let old = "Each agency shall inform the authority.";
        let check = |new: &str, expected| assert_eq!(usage.reads(old, new), expected, "{new}");
        check("Each controller shall inform the authority.", true);
        // There is one Board only, and nobody writes of several supervisors or of one premise.
        check("Each Board shall inform the authority.", false);
        check("Each agency shall inform the supervisors.", false);
        check("Each agency shall inform the premise.", false);
        check("Each agency shall inform the Board.", true);
        check("Each agency shall inform the health agency.", false);
        check(old, true);
    }

    #[test]
    fn a_chinese_word_joins_what_stands_around_it() {
        let usage = large(&[
            "存货人应当主动与仓储公司协商。",
            "问题持续得不到整改的，应要求说明。",
        ]);
        let check =
            |old: &str, new: &str, expected| assert_eq!(usage.reads(old, new), expected, "{new}");
        check(
            "应当主动与仓储公司协商。",
            "应当应要求与仓储公司协商。",
            false,
        );
        check(
            "长期得不到整改的，应要求说明。",
            "持续得不到整改的，应要求说明。",
            true,
        );
        check("持续得不到整改的。", "一次性得不到整改的。", false);
    }
}
