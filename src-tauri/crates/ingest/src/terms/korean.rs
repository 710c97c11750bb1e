//! Korean candidates: runs of one to three words without their particles.

use super::candidate::candidate;
use super::cvalue::cvalues;
use super::named::{count_of, is_text, named};
use lexforge_domain::extract::Defined;
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_text::lists::Word;
use lexforge_text::{is_hangul, word_lists};
use std::collections::HashMap;

word_lists! {
    /// Particles and endings after nouns, longest first.
    PARTICLES: Vec<Word> = "korean/particles.txt";
}

/// Endings of verbs and adjectives: such a word breaks a run.
const VERBAL: &[&str] = &[
    "다", "한다", "하는", "하여", "하고", "하며", "할", "된", "되는", "되어", "한", "있는", "없는",
    "따른", "따라", "위한", "대한", "관한", "경우", "때",
];

pub(super) fn candidates(
    sentences: &[(SentenceKind, &str)],
    defined: &[Defined],
) -> Vec<TermCandidate> {
    let mut frequency: HashMap<Vec<String>, u32> = HashMap::new();
    for (_, text) in sentences.iter().filter(|(kind, _)| is_text(*kind)) {
        for clause in text.split(|c: char| !c.is_alphanumeric() && !c.is_whitespace()) {
            let words: Vec<Option<(String, bool)>> = clause.split_whitespace().map(noun).collect();
            for start in 0..words.len() {
                let mut phrase = Vec::new();
                for word in words[start..].iter().take(3) {
                    let Some((stem, ended)) = word else { break };
                    phrase.push(stem.clone());
                    *frequency.entry(phrase.clone()).or_default() += 1;
                    if *ended {
                        break;
                    }
                }
            }
        }
    }
    frequency.retain(|words, count| *count >= if words.len() == 1 { 4 } else { 3 });
    let mut found: HashMap<String, TermCandidate> = cvalues(&frequency)
        .into_iter()
        .filter(|(_, score)| *score > 0.0)
        .map(|(words, score)| {
            let (text, count) = (words.join(" "), frequency[&words]);
            let found = candidate(text.clone(), Language::Ko, FoundBy::Phrase, score, count);
            (text, found)
        })
        .collect();
    for (normal, term) in named(defined, str::to_owned) {
        let count = count_of(&term.written, sentences);
        let score = f64::from(count);
        let entry = found.entry(normal).or_insert_with(|| {
            candidate(term.written, Language::Ko, FoundBy::Defined, score, count)
        });
        entry.found = FoundBy::Defined;
        entry.score += 10.0;
        entry.definition = Some(term.definition);
        entry.names = term.names;
    }
    found.into_values().collect()
}

/// A word without its particle, and whether it had one, which ends the phrase; `None` if it is no noun.
fn noun(word: &str) -> Option<(String, bool)> {
    let hangul = word.chars().all(is_hangul);
    if !hangul || VERBAL.iter().any(|end| word.ends_with(end)) {
        return None;
    }
    let stem = PARTICLES
        .iter()
        .find_map(|p| word.strip_suffix(p).filter(|s| s.chars().count() >= 2));
    let (stem, ended) = stem.map_or((word, false), |s| (s, true));
    (stem.chars().count() >= 2).then(|| (stem.to_owned(), ended))
}
