//! Where words stand, as the full-text index has it.

use crate::error::Result;
use crate::posting_cache::{Cached, Frequency, Lengths, MOST_PLACES, Postings};
use crate::reader::Reader;
use crate::row::{bytes_in, first};
use crate::words::is_cjk;
use std::sync::Arc;

impl Reader<'_> {
    /// The lengths of all sentences. Call this function before the other functions in this file, because it updates the
    /// cache to the state that this reader sees.
    pub(crate) fn lengths(&self) -> Result<Arc<Lengths>> {
        let state = self.corpus_state()?;
        if let Some(lengths) =
            self.with_cache(|cached| (cached.state == state).then(|| Arc::clone(&cached.lengths)))
        {
            return Ok(lengths);
        }
        let lengths = Arc::new(self.read_lengths()?);
        self.with_cache(|cached| {
            *cached = Cached {
                state,
                lengths: Arc::clone(&lengths),
                ..Cached::default()
            }
        });
        Ok(lengths)
    }

    /// The places of a word.
    pub(crate) fn postings(&self, lengths: &Arc<Lengths>, word: &str) -> Result<Arc<Postings>> {
        let known = self.with_cache(|cached| cached.of(lengths)?.postings.get(word).cloned());
        if let Some(found) = known {
            return Ok(found);
        }
        let read = Arc::new(self.read_postings(word)?);
        self.with_cache(|cached| {
            let Some(cached) = cached.of(lengths) else {
                return;
            };
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
            .query_row([word], |row| {
                Ok(Frequency {
                    sentences: row.get(0)?,
                    places: row.get(1)?,
                })
            })?;
        self.with_cache(|cached| {
            cached
                .of(lengths)
                .map(|cached| cached.frequencies.insert(word.to_owned(), read))
        });
        Ok(read)
    }

    fn corpus_state(&self) -> Result<Option<[u8; 32]>> {
        let sql =
            "SELECT hash FROM audit WHERE covers = 'document ' || (SELECT max(id) FROM document)
             ORDER BY sequence DESC LIMIT 1";
        first(self.connection, sql, [], |row| Ok(row.get(0)?))
    }

    fn read_lengths(&self) -> Result<Lengths> {
        let mut statement = self.connection.prepare_cached(
            "SELECT first_sentence, lengths FROM full_text_length ORDER BY document",
        )?;
        let mut rows = statement.query([])?;
        let mut lengths = Lengths::default();
        while let Some(row) = rows.next()? {
            let first: usize = row.get(0)?;
            let blob = bytes_in("full_text_length", row, 1)?;
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
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT doc, offset FROM full_text_place {}",
            range(word)
        ))?;
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
        self.postings.with(f)
    }
}

/// Whether a word is a single CJK character, which matches every bigram that begins with it.
fn begins_others(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(is_cjk) && characters.next().is_none()
}

/// The condition under which a row of the vocabulary (`?1`: the word) belongs to the word.
fn range(word: &str) -> &'static str {
    if begins_others(word) {
        "WHERE term >= ?1 AND term < ?1 || char(1114111)"
    } else {
        "WHERE term = ?1"
    }
}
