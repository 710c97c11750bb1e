//! Counts the noun phrases of English sentences. A sentence is divided at words that no noun phrase contains. In each
//! part between such words, every permitted sequence of words is counted.

use super::lexicon::{EMPTY_MODIFIER, LIGHT_HEAD, STRUCTURE};
use super::tokens::{Token, Words};
use super::usage::{MODALS, Usage};
use lexforge_text::plural::singular;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Most words of a phrase.
const LONGEST: usize = 5;

/// A phrase: the numbers of its words, the head in the singular; 0 fills the rest.
type Phrase = [u32; LONGEST];

/// Counts of one phrase.
#[derive(Debug, Default)]
struct Tally {
    count: u32,
    whole: u32,
    before_of: u32,
    governed: u32,
    /// How it was written, with counts.
    forms: Vec<(Phrase, u32)>,
}

/// Counts of one candidate.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub count: u32,
    /// Occurrences that fill a whole chunk: nothing nominal stands before or after.
    pub whole: u32,
    /// Occurrences right before "of": the phrase goes on.
    pub before_of: u32,
    /// Occurrences right after "to" or a modal, where a word that can be a verb is one.
    pub governed: u32,
    /// How it was written.
    pub forms: BTreeMap<String, u32>,
}

/// The known properties of each word, by its number.
struct Lexis {
    /// No phrase contains it.
    breaks: Vec<bool>,
    /// Whether the word as written is a Roman number.
    roman: Vec<bool>,
    heads: Vec<bool>,
    begins: Vec<bool>,
    empty: Vec<bool>,
    light: Vec<bool>,
    /// "to" and the modals.
    governs: Vec<bool>,
    singular: Vec<u32>,
    of: u32,
}

impl Lexis {
    fn new(words: &mut Words, usage: &Usage) -> Self {
        let texts: Vec<String> = words.texts().map(str::to_owned).collect();
        let of = words.id("of");
        let each = |test: &dyn Fn(&str) -> bool| {
            texts.iter().map(|text| test(text)).collect::<Vec<bool>>()
        };
        Self {
            breaks: each(&|w| w.chars().count() < 2 || usage.breaks(w) || STRUCTURE.contains(w)),
            roman: each(&is_roman),
            heads: each(&|w| usage.heads(w)),
            begins: each(&|w| usage.begins(w)),
            empty: each(&|w| EMPTY_MODIFIER.contains(w)),
            light: each(&|w| LIGHT_HEAD.contains(w)),
            governs: each(&|w| w == "to" || MODALS.contains(&w)),
            singular: texts.iter().map(|text| words.id(&singular(text))).collect(),
            of,
        }
    }

    fn breaks(&self, token: Token) -> bool {
        // Capitals alone tell a Roman number from a word.
        !token.word || self.breaks[token.lower as usize] || self.roman[token.written as usize]
    }

    fn nominal(&self, token: Token) -> bool {
        !self.breaks(token) && !self.empty[token.lower as usize]
    }
}

/// The phrases of all sentences that occur often enough, with their counts.
pub(super) fn counted(
    sentences: &[Vec<Token>],
    words: &mut Words,
    usage: &Usage,
    least: u32,
) -> HashMap<Vec<String>, Counted> {
    let lexis = Lexis::new(words, usage);
    let mut tallies: HashMap<Phrase, Tally> = HashMap::new();
    for sentence in sentences {
        for chunk in chunks(sentence, &lexis) {
            let before_of = sentence.get(chunk.end).is_some_and(|t| t.lower == lexis.of);
            count_phrases(sentence, chunk, before_of, &lexis, &mut tallies);
        }
        count_of_phrases(sentence, &lexis, &mut tallies);
    }
    tallies
        .into_iter()
        .filter(|(phrase, tally)| tally.count >= if phrase[1] == 0 { least + 1 } else { least })
        .map(|(phrase, tally)| {
            (
                spelt(&phrase, words).map(str::to_owned).collect(),
                tally.spelt(words),
            )
        })
        .collect()
}

/// The words of a phrase.
fn spelt<'a>(phrase: &Phrase, words: &'a Words) -> impl Iterator<Item = &'a str> {
    phrase
        .iter()
        .take_while(|id| **id != 0)
        .map(|id| words.text(*id))
}

impl Tally {
    fn spelt(self, words: &Words) -> Counted {
        let forms = self
            .forms
            .iter()
            .map(|(form, n)| (spelt(form, words).collect::<Vec<_>>().join(" "), *n))
            .collect();
        Counted {
            count: self.count,
            whole: self.whole,
            before_of: self.before_of,
            governed: self.governed,
            forms,
        }
    }
}

/// The stretches of a sentence between breaks.
fn chunks(tokens: &[Token], lexis: &Lexis) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    for (end, last) in tokens
        .iter()
        .enumerate()
        .map(|(i, t)| (i, lexis.breaks(*t)))
        .chain([(tokens.len(), true)])
    {
        if last {
            if start < end {
                chunks.push(start..end);
            }
            start = end + 1;
        }
    }
    chunks
}

fn is_roman(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X'))
}

/// Counts every admissible sub-phrase of a chunk.
fn count_phrases(
    sentence: &[Token],
    range: Range<usize>,
    before_of: bool,
    lexis: &Lexis,
    tallies: &mut HashMap<Phrase, Tally>,
) {
    let governed = range
        .start
        .checked_sub(1)
        .is_some_and(|before| lexis.governs[sentence[before].lower as usize]);
    let chunk = &sentence[range];
    // Empty modifiers at the front belong to no term; without them the rest is the whole chunk.
    let skipped = chunk
        .iter()
        .take_while(|t| lexis.empty[t.lower as usize])
        .count();
    let chunk = &chunk[skipped.min(chunk.len().saturating_sub(1))..];
    for start in 0..chunk.len() {
        let first = chunk[start].lower as usize;
        if !lexis.begins[first] || lexis.empty[first] {
            continue;
        }
        for end in start + 1..=chunk.len().min(start + LONGEST) {
            if !lexis.heads[chunk[end - 1].lower as usize] {
                continue;
            }
            let phrase = &chunk[start..end];
            let tally = note(
                tallies,
                phrase,
                phrase.len() - 1,
                phrase.len() == chunk.len(),
                lexis,
            );
            tally.before_of += u32::from(before_of && end == chunk.len());
            tally.governed += u32::from(governed && start == 0 && skipped == 0);
        }
    }
}

/// Counts "N of N" phrases: "right of access", "processing of personal data". The preposition must not be followed by
/// an article, and the noun before it must not be one of little meaning.
fn count_of_phrases(tokens: &[Token], lexis: &Lexis, tallies: &mut HashMap<Phrase, Tally>) {
    for (of, _) in tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| t.lower == lexis.of)
    {
        let Some(head) = of.checked_sub(1).map(|h| tokens[h]) else {
            continue;
        };
        let lower = head.lower as usize;
        if !lexis.nominal(head) || !lexis.heads[lower] || lexis.light[lower] {
            continue;
        }
        let right = tokens[of + 1..]
            .iter()
            .take(3)
            .take_while(|t| lexis.nominal(**t))
            .count();
        if right == 0 || !lexis.heads[tokens[of + right].lower as usize] {
            continue;
        }
        let first = of - 1;
        let bounded = first == 0 || !lexis.nominal(tokens[first - 1]);
        note(tallies, &tokens[first..=of + right], 0, bounded, lexis);
    }
}

/// Counts a phrase whose head is its word number `head`.
fn note<'a>(
    tallies: &'a mut HashMap<Phrase, Tally>,
    tokens: &[Token],
    head: usize,
    whole: bool,
    lexis: &Lexis,
) -> &'a mut Tally {
    let (mut phrase, mut written) = ([0; LONGEST], [0; LONGEST]);
    for ((token, lower), form) in tokens.iter().zip(&mut phrase).zip(&mut written) {
        (*lower, *form) = (token.lower, token.written);
    }
    phrase[head] = lexis.singular[phrase[head] as usize];
    let tally = tallies.entry(phrase).or_default();
    tally.count += 1;
    tally.whole += u32::from(whole);
    match tally.forms.iter_mut().find(|(form, _)| *form == written) {
        Some((_, n)) => *n += 1,
        None => tally.forms.push((written, 1)),
    }
    tally
}
