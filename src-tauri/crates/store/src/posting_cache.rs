//! Where words stand, kept in memory for one state of the corpus.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Postings and lengths of one state of the corpus, shared by all readers of a workspace.
#[derive(Debug, Default)]
pub(crate) struct PostingCache(Mutex<Cached>);

/// The content of the cache.
#[derive(Debug, Default)]
pub(crate) struct Cached {
    /// Hash of the audit row of the newest document: one state of the corpus, committed or not, has one.
    pub state: Option<[u8; 32]>,
    pub lengths: Arc<Lengths>,
    pub postings: HashMap<String, Arc<Postings>>,
    pub frequencies: HashMap<String, Frequency>,
    pub places: usize,
}

/// Places kept in memory (8 bytes each) before all are forgotten.
pub(crate) const MOST_PLACES: usize = 16 << 20;

/// How many words each sentence has.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    /// The number of words of each sentence, by sentence id; ids without a sentence have 0.
    pub of: Vec<u16>,
    pub sentences: usize,
    pub words: u64,
}

impl Lengths {
    /// Words a sentence.
    pub fn mean(&self) -> f64 {
        self.words as f64 / self.sentences.max(1) as f64
    }
}

/// How common a word is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frequency {
    /// Sentences that have it.
    pub sentences: usize,
    pub places: usize,
}

/// The places of a word or of a pair of words.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    /// (sentence, position of the word in it), ascending.
    pub places: Vec<(u32, u32)>,
    /// Different sentences.
    pub sentences: usize,
}

impl Postings {
    pub fn new(places: Vec<(u32, u32)>) -> Self {
        let sentences = places.chunk_by(|a, b| a.0 == b.0).count();
        Self { places, sentences }
    }

    /// The places of this word at which `next` follows.
    pub(crate) fn followed_by(&self, next: &Self) -> Self {
        let mut rest = next.places.iter().peekable();
        let followed = self.places.iter().filter(|&&(sentence, position)| {
            let wanted = (sentence, position + 1);
            while rest.next_if(|&&place| place < wanted).is_some() {}
            rest.peek().is_some_and(|&&place| place == wanted)
        });
        Self::new(followed.copied().collect())
    }
}

impl PostingCache {
    /// Does something with what is kept.
    pub fn with<T>(&self, f: impl FnOnce(&mut Cached) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Cached {
    /// Itself, if it is still of the state whose lengths these are: another reader may see a newer one.
    pub fn of(&mut self, lengths: &Arc<Lengths>) -> Option<&mut Self> {
        Arc::ptr_eq(&self.lengths, lengths).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_stands_where_the_second_word_follows_the_first() {
        let check = |first: &[(u32, u32)], second: &[(u32, u32)], expected: &[(u32, u32)]| {
            let found = Postings::new(first.to_vec()).followed_by(&Postings::new(second.to_vec()));
            assert_eq!(found.places, expected);
        };
        check(
            &[(1, 0), (1, 5), (2, 3)],
            &[(1, 1), (1, 7), (2, 4)],
            &[(1, 0), (2, 3)],
        );
        check(&[(1, 0)], &[(2, 1)], &[]);
        check(
            &[(1, 0), (1, 1), (1, 2)],
            &[(1, 0), (1, 1), (1, 2)],
            &[(1, 0), (1, 1)],
        );
        check(&[], &[(1, 1)], &[]);
    }
}
