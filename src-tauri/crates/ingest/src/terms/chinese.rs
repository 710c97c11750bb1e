//! Chinese candidates for terms: sequences of nouns and of other words that occur in names of things. They are judged
//! by their words, by where they occur, and by how freely their neighbours vary.

mod lexicon;
mod phrases;
mod termhood;
mod usage;
mod words;

use self::termhood::Termhood;
use self::usage::Usage;
use self::words::Words;
use super::candidate::candidate;
use super::cvalue::cvalues;
use super::named::{count_of, is_text, named};
use lexforge_domain::extract::Defined;
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use std::collections::HashMap;

/// The bonus of defined terms.
const DEFINED_BONUS: f64 = 10.0;

pub(super) fn candidates(
    sentences: &[(SentenceKind, &str)],
    defined: &[Defined],
) -> Vec<TermCandidate> {
    let mut words = Words::new();
    let read: Vec<Vec<u32>> = sentences
        .iter()
        .filter(|(kind, _)| is_text(*kind))
        .map(|(_, text)| words.read(text))
        .collect();
    let usage = Usage::learn(&read, &words);
    let roles = phrases::roles(&words, &usage);
    let counted = phrases::counted(&read, &words, &roles);
    let frequency: HashMap<Vec<u32>, u32> =
        counted.iter().map(|(w, c)| (w.clone(), c.count)).collect();
    let values = cvalues(&frequency);
    let termhood = Termhood {
        words: &words,
        roles: &roles,
        usage: &usage,
        counted: &counted,
        total: read.iter().map(Vec::len).sum::<usize>() as f64,
    };
    let mut found: HashMap<String, TermCandidate> = HashMap::new();
    // In a fixed order, because the scores of a text that was segmented in several ways are added up.
    let mut ordered: Vec<_> = counted.iter().collect();
    ordered.sort_unstable_by_key(|(phrase, _)| *phrase);
    for (phrase, c) in ordered {
        if !termhood.holds(phrase, c) {
            continue;
        }
        let count = f64::from(c.count);
        let independence = f64::from(c.whole) / count;
        // Freedom at both ends: a fragment of one longer term has always the same neighbour.
        let [left, right] = c.neighbours();
        let freedom = (f64::from(left.min(right)) / count.sqrt()).min(1.0);
        let score = values[phrase] * (0.2 + 0.8 * independence) * freedom;
        if score > 0.0 {
            let text = words.text(phrase);
            let known = found
                .entry(text.clone())
                .or_insert_with(|| candidate(text, Language::Zh, FoundBy::Phrase, 0.0, 0));
            known.score += score;
            known.count += c.count;
        }
    }
    add_defined(sentences, defined, &mut found);
    found.into_values().collect()
}

fn add_defined(
    sentences: &[(SentenceKind, &str)],
    defined: &[Defined],
    found: &mut HashMap<String, TermCandidate>,
) {
    for (normal, term) in named(defined, str::to_owned) {
        if !(2..=25).contains(&term.written.chars().count()) {
            continue;
        }
        let count = count_of(&term.written, sentences);
        let score = f64::from(count);
        let entry = found.entry(normal).or_insert_with(|| {
            candidate(term.written, Language::Zh, FoundBy::Defined, score, count)
        });
        entry.found = FoundBy::Defined;
        entry.score = entry.score.max(score) + DEFINED_BONUS;
        entry.definition = Some(term.definition);
        entry.names = term.names;
    }
}
