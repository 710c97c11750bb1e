//! Where words stand, as the full-text index has it, kept in memory for one state of the corpus.

use crate::error::Result;
use crate::handle::Reader;
use crate::row::unreadable;
use crate::words::is_cjk;
use rusqlite::OptionalExtension;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Postings and lengths of one state of the corpus, shared by all readers of a workspace.
#[derive(Debug, Default)]
pub(crate) struct PostingCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    /// Hash of the audit row of the newest document: one state of the corpus, committed or not, has one.
    state: Option<[u8; 32]>,
    lengths: Arc<Lengths>,
    postings: HashMap<String, Arc<Postings>>,
    frequencies: HashMap<String, Frequency>,
    places: usize,
}

/// Places kept in memory (8 bytes each) before all are forgotten.
const MOST_PLACES: usize = 16 << 20;

/// How many words each sentence has.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    /// By sentence id; ids without a sentence have 0.
    pub of: Vec<u16>,
    /// Sentences.
    pub sentences: usize,
    /// Words.
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
    /// Its places.
    pub places: usize,
}

/// Where a word or a pair of words stands.
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
    pub fn followed_by(&self, next: &Self) -> Self {
        let mut rest = next.places.iter().peekable();
        let followed = self.places.iter().filter(|&&(sentence, position)| {
            let wanted = (sentence, position + 1);
            while rest.next_if(|&&place| place < wanted).is_some() {}
            rest.peek().is_some_and(|&&place| place == wanted)
        });
        Self::new(followed.copied().collect())
    }
}

impl Reader<'_> {
    /// The lengths of all sentences. Call it before the other functions here: it makes the cache that of the state
    /// which this reader sees.
    pub(crate) fn lengths(&self) -> Result<Arc<Lengths>> {
        let state = self.corpus_state()?;
        if let Some(lengths) = self.with_cache(|cached| (cached.state == state).then(|| Arc::clone(&cached.lengths))) {
            return Ok(lengths);
        }
        let lengths = Arc::new(self.read_lengths()?);
        self.with_cache(|cached| *cached = Cached { state, lengths: Arc::clone(&lengths), ..Cached::default() });
        Ok(lengths)
    }

    /// Where a word stands.
    pub(crate) fn postings(&self, lengths: &Arc<Lengths>, word: &str) -> Result<Arc<Postings>> {
        let known = self.with_cache(|cached| cached.of(lengths)?.postings.get(word).cloned());
        if let Some(found) = known {
            return Ok(found);
        }
        let read = Arc::new(self.read_postings(word)?);
        self.with_cache(|cached| {
            let Some(cached) = cached.of(lengths) else { return };
            if cached.places + read.places.len() > MOST_PLACES {
                cached.postings.clear();
                cached.places = 0;
            }
            cached.places += read.places.len();
            cached.postings.insert(word.to_owned(), Arc::clone(&read));
        });
        Ok(read)
    }

    /// How common a word is: much quicker than reading where it stands.
    pub(crate) fn frequency(&self, lengths: &Arc<Lengths>, word: &str) -> Result<Frequency> {
        let known = self.with_cache(|cached| cached.of(lengths)?.frequencies.get(word).copied());
        if let Some(found) = known {
            return Ok(found);
        }
        let read = self
            .connection
            .prepare_cached(&format!(
                "SELECT coalesce(sum(doc), 0), coalesce(sum(cnt), 0) FROM full_text_word {}",
                range(word)
            ))?
            .query_row([word], |row| Ok(Frequency { sentences: row.get(0)?, places: row.get(1)? }))?;
        self.with_cache(|cached| cached.of(lengths).map(|cached| cached.frequencies.insert(word.to_owned(), read)));
        Ok(read)
    }

    fn corpus_state(&self) -> Result<Option<[u8; 32]>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT hash FROM audit WHERE covers = 'document ' || (SELECT max(id) FROM document)
             ORDER BY sequence DESC LIMIT 1",
        )?;
        Ok(statement.query_row([], |row| row.get(0)).optional()?)
    }

    fn read_lengths(&self) -> Result<Lengths> {
        let mut statement =
            self.connection.prepare_cached("SELECT first_sentence, lengths FROM full_text_length ORDER BY document")?;
        let mut rows = statement.query([])?;
        let mut lengths = Lengths::default();
        while let Some(row) = rows.next()? {
            let first: usize = row.get(0)?;
            let blob = row.get_ref(1)?.as_blob().map_err(|e| unreadable("full_text_length", e))?;
            // Ids never fall from document to document.
            lengths.of.resize(first.max(lengths.of.len()), 0);
            for length in blob.as_chunks().0.iter().map(|b| u16::from_le_bytes(*b)) {
                lengths.of.push(length);
                lengths.sentences += 1;
                lengths.words += u64::from(length);
            }
        }
        Ok(lengths)
    }

    fn read_postings(&self, word: &str) -> Result<Postings> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT doc, offset FROM full_text_place {}", range(word)))?;
        let mut rows = statement.query([word])?;
        let mut places = Vec::new();
        while let Some(row) = rows.next()? {
            places.push((row.get(0)?, row.get(1)?));
        }
        if begins_others(word) {
            places.sort_unstable();
        }
        Ok(Postings::new(places))
    }

    fn with_cache<T>(&self, f: impl FnOnce(&mut Cached) -> T) -> T {
        f(&mut self.postings.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Cached {
    /// Itself, if it is still of the state whose lengths these are: another reader may see a newer one.
    fn of(&mut self, lengths: &Arc<Lengths>) -> Option<&mut Self> {
        Arc::ptr_eq(&self.lengths, lengths).then_some(self)
    }
}

/// A single CJK character stands for every bigram that it begins.
fn begins_others(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(is_cjk) && characters.next().is_none()
}

/// The condition under which a row of the vocabulary (`?1`: the word) belongs to the word.
fn range(word: &str) -> &'static str {
    if begins_others(word) { "WHERE term >= ?1 AND term < ?1 || char(1114111)" } else { "WHERE term = ?1" }
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
        check(&[(1, 0), (1, 5), (2, 3)], &[(1, 1), (1, 7), (2, 4)], &[(1, 0), (2, 3)]);
        check(&[(1, 0)], &[(2, 1)], &[]);
        check(&[(1, 0), (1, 1), (1, 2)], &[(1, 0), (1, 1), (1, 2)], &[(1, 0), (1, 1)]);
        check(&[], &[(1, 1)], &[]);
    }
}
