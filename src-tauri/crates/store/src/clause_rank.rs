//! Clauses ranked by BM25. A clause is a sequence of sentences that are read together; the caller says which sentences
//! these are. The words of a document's title count as words of each of its clauses. So a question that names an act
//! finds the clauses of that act.

mod scores;

use crate::bm25::PARAMETERS;
use crate::error::Result;
use crate::lexical::Read;
use crate::posting_cache::{Lengths, Postings};
use crate::reader::Reader;
use crate::words::{Side, each_word, words};
use lexforge_domain::SentenceId;
use lexforge_text::{everyday, spelling};
use scores::{Counts, Scores, Sizes};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

/// A sentence that belongs to no clause.
const NONE: u32 = u32::MAX;

/// Which sentences make which clause: numbers from 0 in reading order, document after document.
#[derive(Debug, Default)]
pub struct ClauseMap {
    /// Number of the clause by sentence id.
    of: Vec<u32>,
    /// First and last sentence of each clause.
    sentences: Vec<(SentenceId, SentenceId)>,
    /// The clauses of the documents whose title has a word.
    titled: HashMap<String, Vec<Range<u32>>>,
    /// Words of its title that each clause has.
    title_words: Vec<u32>,
    /// How long they are, once that was counted.
    sizes: OnceLock<Sizes>,
}

impl ClauseMap {
    /// Adds the clauses of the next document, each with its first and last sentence; the ids rise.
    pub fn add(&mut self, title: &str, clauses: &[(SentenceId, SentenceId)]) {
        self.sizes = OnceLock::new();
        let first = self.sentences.len() as u32;
        for (from, to) in clauses {
            let number = self.sentences.len() as u32;
            let (Ok(start), Ok(end)) = (usize::try_from(from.0), usize::try_from(to.0)) else {
                continue;
            };
            self.of.resize(self.of.len().max(end + 1), NONE);
            self.of[start..=end].fill(number);
            self.sentences.push((*from, *to));
        }
        let mut named: Vec<String> = Vec::new();
        each_word(title, Side::Document, |word| {
            // A bare number in a title says nothing about the content of the document.
            if word.chars().any(char::is_alphabetic) && !named.iter().any(|known| known == word) {
                named.push(word.to_owned());
            }
        });
        let range = first..self.sentences.len() as u32;
        self.title_words
            .resize(self.sentences.len(), named.len() as u32);
        for word in named {
            self.titled.entry(word).or_default().push(range.clone());
        }
    }

    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The clause of a sentence.
    pub fn clause(&self, sentence: SentenceId) -> Option<u32> {
        let at = usize::try_from(sentence.0).ok()?;
        self.of.get(at).copied().filter(|clause| *clause != NONE)
    }

    /// First and last sentence of a clause.
    pub fn sentences(&self, clause: u32) -> Option<(SentenceId, SentenceId)> {
        self.sentences.get(clause as usize).copied()
    }

    /// Words of a clause, with those of its title; `None` before clauses were ranked for the first time.
    pub fn length(&self, clause: u32) -> Option<u32> {
        self.sizes.get()?.of.get(clause as usize).copied()
    }

    /// How long the clauses are: their sentences never change, so they are counted once.
    fn sizes(&self, lengths: &Lengths) -> &Sizes {
        self.sizes.get_or_init(|| {
            let of: Vec<u32> = self
                .sentences
                .iter()
                .zip(&self.title_words)
                .map(|((first, last), title)| {
                    let (from, to) = (usize::try_from(first.0), usize::try_from(last.0));
                    let body = match (from, to) {
                        (Ok(from), Ok(to)) => lengths.of.get(from..=to).unwrap_or_default(),
                        _ => &[],
                    };
                    title + body.iter().map(|n| u32::from(*n)).sum::<u32>()
                })
                .collect();
            let sum: f64 = of.iter().map(|n| f64::from(*n)).sum();
            Sizes {
                mean: sum / of.len().max(1) as f64,
                of,
            }
        })
    }
}

/// The clauses that fit a question, best first, and what they have of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClauseRanking {
    /// Inverse document frequency of each different word of the question.
    pub words: Vec<f64>,
    /// Inverse document frequency of each different pair of adjacent words.
    pub pairs: Vec<f64>,
    /// The clauses.
    pub hits: Vec<ClauseHit>,
    /// The score that a clause of mean length gets that has every word and every pair once.
    pub ideal: f64,
}

/// A clause that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ClauseHit {
    /// Its number.
    pub clause: u32,
    /// BM25.
    pub score: f64,
    /// The words of the question that it contains.
    pub words: Vec<bool>,
    /// The pairs of words of the question that it contains.
    pub pairs: Vec<bool>,
}

impl Reader<'_> {
    /// Those words of a text that occur in a clause or in a title. A word also counts if a formal word with the same
    /// meaning occurs there. Words that are so common that they are not looked up count as occurring.
    pub fn standing(&self, text: &str, clauses: &ClauseMap) -> Result<HashSet<String>> {
        let lengths = self.lengths()?;
        let asked = words(text);
        let instead = asked.iter().flat_map(|word| formal(word));
        let instead = instead.flat_map(|other| other.split(' '));
        let instead = instead.map(str::to_owned);
        let looked_for: Vec<String> = asked.iter().cloned().chain(instead).collect();
        let (read, common) = self.read_words(&lengths, &looked_for)?;
        let itself = |word: &String| {
            common.contains_key(word.as_str())
                || clauses.titled.contains_key(word)
                || places_of(&read, word).is_some_and(|found| !found.places.is_empty())
        };
        let stands = |word: &&String| itself(word) || formal(word).iter().any(itself);
        Ok(asked.iter().filter(stands).cloned().collect())
    }

    /// The clauses that fit a question best, among those that `wanted` selects. Clauses with equal scores are in
    /// reading order. In a very large corpus, words that are too common are ignored.
    pub fn rank_clauses(
        &self,
        question: &str,
        clauses: &ClauseMap,
        wanted: impl Fn(u32) -> bool,
        top: usize,
    ) -> Result<ClauseRanking> {
        let lengths = self.lengths()?;
        let asked = words(question);
        // Also look for the formal words that rules use instead of everyday ones, and for other spellings. Words that
        // the question itself contains are already in the list.
        let mut looked_for = asked.clone();
        let own = asked.as_slice();
        let spelt = spelt_otherwise(question);
        let things = everyday::named_as_things(question);
        let things: HashSet<String> = things.iter().flat_map(|word| words(word)).collect();
        let instead = |word: &String| {
            let otherwise = spelt.get(word).map_or(&[] as &[String], Vec::as_slice);
            let formal = match things.contains(word) {
                true => &[] as &[String],
                false => formal(word),
            };
            formal
                .iter()
                .chain(otherwise)
                .filter(move |other| !own.contains(other))
        };
        let others = asked.iter().flat_map(instead);
        looked_for.extend(others.flat_map(|other| other.split(' ')).map(str::to_owned));
        let (read, common) = self.read_words(&lengths, &looked_for)?;
        let sizes = clauses.sizes(&lengths);
        let mut scores = Scores::none(sizes);
        let (mut by_word, mut word_idf): (Vec<Counts>, Vec<f64>) = Default::default();
        let mut ideal_of_pairs = 0.0;
        let (mut by_pair, mut pair_idf): (Vec<Counts>, Vec<f64>) = Default::default();
        for (index, word) in asked.iter().enumerate() {
            if !asked[..index].contains(word) && !common.contains_key(word.as_str()) {
                let itself = read.get(word.as_str()).cloned();
                let others = instead(word).filter_map(|other| places_of(&read, other));
                let stand: Vec<Arc<Postings>> = itself.into_iter().chain(others).collect();
                let lists: Vec<&[(u32, u32)]> = stand.iter().map(|p| p.places.as_slice()).collect();
                let places = together(&lists);
                let counts = counted(clauses, &places, clauses.titled.get(word));
                word_idf.push(scores.add(&counts, 1.0));
                by_word.push(counts);
            }
            let Some(next) = asked.get(index + 1) else {
                continue;
            };
            let (Some(first), Some(second)) = (read.get(word.as_str()), read.get(next.as_str()))
            else {
                continue;
            };
            if !asked[..=index]
                .windows(2)
                .any(|pair| pair[0] == *word && pair[1] == *next)
            {
                let counts = counted(clauses, &first.followed_by(second).places, None);
                let weight = PARAMETERS.weight_of_pair(word, next);
                let idf = scores.add(&counts, weight);
                ideal_of_pairs += weight * idf;
                pair_idf.push(idf);
                by_pair.push(counts);
            }
        }
        let has = |lists: &[Counts], clause: u32| -> Vec<bool> {
            lists
                .iter()
                .map(|counts| counts.binary_search_by_key(&clause, |c| c.0).is_ok())
                .collect()
        };
        let hits = scores
            .best(wanted, top)
            .into_iter()
            .map(|(clause, score)| ClauseHit {
                clause,
                score,
                words: has(&by_word, clause),
                pairs: has(&by_pair, clause),
            })
            .collect();
        let usual = sizes.mean.max(1.0);
        let once = PARAMETERS.saturation(1.0, usual, usual);
        let ideal = once * (word_idf.iter().sum::<f64>() + ideal_of_pairs);
        Ok(ClauseRanking {
            words: word_idf,
            pairs: pair_idf,
            hits,
            ideal,
        })
    }
}

/// The words that rules use instead of an everyday word. All words are in the form used by the index. If a replacement
/// consists of several words ("non-performing"), they are separated by blanks.
pub fn formal(word: &str) -> &'static [String] {
    static FORMAL: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        let indexed = |list: &[&str]| -> Vec<String> {
            let mut all: Vec<String> = list.iter().map(|word| words(word).join(" ")).collect();
            all.retain(|word| !word.is_empty());
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut formal: HashMap<String, Vec<String>> = HashMap::new();
        for (forms, others) in everyday::swaps() {
            for form in indexed(forms) {
                let known = formal.entry(form.clone()).or_default();
                for other in indexed(others) {
                    if other != form && !known.contains(&other) {
                        known.push(other);
                    }
                }
            }
        }
        formal
    });
    FORMAL.get(word).map_or(&[], Vec::as_slice)
}

/// Whether a text contains one of the words that rules use instead of an everyday word. `has` says whether the text
/// contains a given word. All words are in the form used by the index.
pub fn stands_instead(word: &str, has: impl Fn(&str) -> bool) -> bool {
    let mut others = formal(word).iter();
    others.any(|other| other.split(' ').all(&has))
}

/// The places of a word, or of words that stand side by side: those of the first of them.
fn places_of(read: &Read<'_>, wanted: &str) -> Option<Arc<Postings>> {
    let mut parts = wanted.rsplit(' ');
    let mut found = Arc::clone(read.get(parts.next()?)?);
    for part in parts {
        found = Arc::new(read.get(part)?.followed_by(&found));
    }
    Some(found)
}

/// The words of a question that are spelt in two ways, with the other ones, all as the index has them.
fn spelt_otherwise(question: &str) -> HashMap<String, Vec<String>> {
    let mut spelt: HashMap<String, Vec<String>> = HashMap::new();
    for word in question.split(|c: char| !c.is_alphanumeric()) {
        let Some(indexed) = words(word).pop() else {
            continue;
        };
        let others = spelling::others(word);
        for other in others.iter().flat_map(|other| words(other)) {
            if other != indexed {
                spelt.entry(indexed.clone()).or_default().push(other);
            }
        }
    }
    spelt
}

/// The places of several words as those of one.
fn together<'p>(lists: &[&'p [(u32, u32)]]) -> Cow<'p, [(u32, u32)]> {
    match lists {
        [] => Cow::Borrowed(&[]),
        [one] => Cow::Borrowed(one),
        several => {
            let mut all = several.concat();
            all.sort_unstable();
            Cow::Owned(all)
        }
    }
}

/// How often each clause has a word that is at these places and in these titles; by clause, each once.
fn counted(clauses: &ClauseMap, places: &[(u32, u32)], titled: Option<&Vec<Range<u32>>>) -> Counts {
    let mut counts: Counts = Vec::new();
    for (sentence, _) in places {
        let Some(clause) = clauses.clause(SentenceId(i64::from(*sentence))) else {
            continue;
        };
        match counts.last_mut() {
            Some((last, n)) if *last == clause => *n += 1,
            _ => counts.push((clause, 1)),
        }
    }
    let Some(titled) = titled else { return counts };
    let mut both: Counts = Vec::with_capacity(counts.len());
    let mut body = counts.into_iter().peekable();
    for clause in titled.iter().cloned().flatten() {
        while let Some(earlier) = body.next_if(|(c, _)| *c < clause) {
            both.push(earlier);
        }
        let n = body.next_if(|(c, _)| *c == clause).map_or(0, |(_, n)| n);
        both.push((clause, n + 1));
    }
    both.extend(body);
    both
}

#[cfg(test)]
mod tests;
