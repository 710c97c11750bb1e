//! Search by words: postings from the full-text index, ranked by BM25 over words and pairs of adjacent words.

use crate::bm25::PARAMETERS;
use crate::error::Result;
use crate::handle::Reader;
use crate::row::unreadable;
use crate::words::{is_cjk, words};
use lexforge_domain::SentenceId;
use lexforge_domain::api::SearchHit;
use rusqlite::{OptionalExtension, params};
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
    places: usize,
}

/// Places kept in memory (8 bytes each) before all are forgotten.
const MOST_PLACES: usize = 16 << 20;

/// How many words each sentence has.
#[derive(Debug, Default)]
struct Lengths {
    /// By sentence id; ids without a sentence have 0.
    of: Vec<u16>,
    sentences: usize,
    mean: f64,
}

/// Where a word or a pair of words stands.
#[derive(Debug, Default)]
struct Postings {
    /// (sentence, position of the word in it), ascending.
    places: Vec<(u32, u32)>,
    /// Different sentences.
    sentences: usize,
}

impl Postings {
    fn new(places: Vec<(u32, u32)>) -> Self {
        let sentences = places.chunk_by(|a, b| a.0 == b.0).count();
        Self { places, sentences }
    }

    /// The places of this word at which `next` follows.
    fn followed_by(&self, next: &Self) -> Self {
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
    /// The sentences that match the query best, best first; ties by id. A sentence that shares no word with the
    /// query is not found.
    ///
    /// # Errors
    /// The database's own.
    pub fn search_lexical(&self, query: &str, top: usize) -> Result<Vec<SearchHit>> {
        let ranked = self.rank_lexical(query, top)?;
        let mut hits = Vec::with_capacity(ranked.len());
        for (index, (id, score)) in ranked.into_iter().enumerate() {
            let s = self.sentence(id)?;
            hits.push(SearchHit {
                rank: index + 1,
                id,
                external_id: s.external_id,
                score,
                text: s.text,
                document: s.document,
                page: s.page,
                section: s.section,
                kind: s.kind,
                boxes: s.boxes,
            });
        }
        Ok(hits)
    }

    /// The same as ids with their scores.
    ///
    /// # Errors
    /// The database's own.
    pub fn rank_lexical(&self, query: &str, top: usize) -> Result<Vec<(SentenceId, f64)>> {
        let lengths = self.lengths()?;
        let words = words(query);
        let mut postings = Vec::with_capacity(words.len());
        for word in &words {
            postings.push(self.postings(word)?);
        }
        let mut scores = Scores::new(&lengths);
        for (index, (word, places)) in words.iter().zip(&postings).enumerate() {
            // A word that is asked for twice counts once.
            if !words[..index].contains(word) {
                scores.add(places, 1.0);
            }
            let Some(next) = words.get(index + 1) else { continue };
            let seen = (0..index).any(|i| words[i] == *word && words[i + 1] == *next);
            if !seen {
                scores.add(&places.followed_by(&postings[index + 1]), PARAMETERS.pair_weight);
            }
        }
        Ok(scores.best(top))
    }

    fn corpus_state(&self) -> Result<Option<[u8; 32]>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT hash FROM audit WHERE covers = 'document ' || (SELECT max(id) FROM document)
             ORDER BY sequence DESC LIMIT 1",
        )?;
        Ok(statement.query_row([], |row| row.get(0)).optional()?)
    }

    fn lengths(&self) -> Result<Arc<Lengths>> {
        let state = self.corpus_state()?;
        if let Some(lengths) = self.with_cache(|cached| (cached.state == state).then(|| Arc::clone(&cached.lengths))) {
            return Ok(lengths);
        }
        let lengths = Arc::new(self.read_lengths()?);
        self.with_cache(|cached| {
            *cached = Cached { state, lengths: Arc::clone(&lengths), ..Cached::default() };
        });
        Ok(lengths)
    }

    fn read_lengths(&self) -> Result<Lengths> {
        let mut statement =
            self.connection.prepare_cached("SELECT first_sentence, lengths FROM full_text_length ORDER BY document")?;
        let mut rows = statement.query([])?;
        let mut lengths = Lengths::default();
        let mut total = 0_u64;
        while let Some(row) = rows.next()? {
            let first: usize = row.get(0)?;
            let blob = row.get_ref(1)?.as_blob().map_err(|e| unreadable("full_text_length", e))?;
            let of: Vec<u16> = blob.as_chunks().0.iter().map(|b| u16::from_le_bytes(*b)).collect();
            lengths.sentences += of.len();
            total += of.iter().map(|&n| u64::from(n)).sum::<u64>();
            lengths.of.resize(first.max(lengths.of.len()), 0);
            lengths.of.splice(first.., of);
        }
        lengths.mean = total as f64 / lengths.sentences.max(1) as f64;
        Ok(lengths)
    }

    fn postings(&self, word: &str) -> Result<Arc<Postings>> {
        if let Some(found) = self.with_cache(|cached| cached.postings.get(word).cloned()) {
            return Ok(found);
        }
        let read = Arc::new(self.read_postings(word)?);
        self.with_cache(|cached| {
            if cached.places + read.places.len() > MOST_PLACES {
                cached.postings.clear();
                cached.places = 0;
            }
            cached.places += read.places.len();
            cached.postings.insert(word.to_owned(), Arc::clone(&read));
        });
        Ok(read)
    }

    fn read_postings(&self, word: &str) -> Result<Postings> {
        let mut places = Vec::new();
        // A single CJK character is the beginning of every bigram that it begins.
        let one_character = word.chars().count() == 1 && word.chars().all(is_cjk);
        let sql = if one_character {
            "SELECT doc, offset FROM full_text_place WHERE term >= ?1 AND term < ?1 || char(1114111)"
        } else {
            "SELECT doc, offset FROM full_text_place WHERE term = ?1"
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![word])?;
        while let Some(row) = rows.next()? {
            places.push((row.get(0)?, row.get(1)?));
        }
        if one_character {
            places.sort_unstable();
        }
        Ok(Postings::new(places))
    }

    fn with_cache<T>(&self, f: impl FnOnce(&mut Cached) -> T) -> T {
        f(&mut self.postings.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The scores of the sentences that some word was found in.
struct Scores<'l> {
    lengths: &'l Lengths,
    of: Vec<f64>,
    touched: Vec<u32>,
}

impl<'l> Scores<'l> {
    fn new(lengths: &'l Lengths) -> Self {
        Self { lengths, of: vec![0.0; lengths.of.len()], touched: Vec::new() }
    }

    fn add(&mut self, postings: &Postings, weight: f64) {
        let idf = weight * PARAMETERS.idf(self.lengths.sentences, postings.sentences);
        for places in postings.places.chunk_by(|a, b| a.0 == b.0) {
            let sentence = places[0].0;
            let Some(score) = self.of.get_mut(sentence as usize) else { continue };
            if *score == 0.0 {
                self.touched.push(sentence);
            }
            let length = f64::from(self.lengths.of[sentence as usize]);
            *score += idf * PARAMETERS.saturation(places.len() as f64, length, self.lengths.mean);
        }
    }

    fn best(mut self, top: usize) -> Vec<(SentenceId, f64)> {
        let of = &self.of;
        let order = |a: &u32, b: &u32| of[*b as usize].total_cmp(&of[*a as usize]).then(a.cmp(b));
        if top < self.touched.len() {
            self.touched.select_nth_unstable_by(top, order);
            self.touched.truncate(top);
        }
        self.touched.sort_unstable_by(order);
        self.touched.iter().map(|&id| (SentenceId(i64::from(id)), of[id as usize])).collect()
    }
}
