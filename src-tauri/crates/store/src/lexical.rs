//! Search by words, ranked by BM25 over words and pairs of adjacent words.

use crate::bm25::PARAMETERS;
use crate::error::Result;
use crate::marks::marks;
use crate::posting_cache::{Frequency, Lengths, Postings};
use crate::reader::Reader;
use crate::words::{Side, each_word, words};
use lexforge_domain::api::SearchHit;
use lexforge_domain::{DocumentId, SentenceId};
use std::collections::HashMap;
use std::sync::Arc;

/// At most this many places of a query's words are read. The rarest word is read first, however many places it has.
/// Small corpora never reach this limit. In a corpus of a million sentences the limit keeps queries with common words
/// fast.
const MOST_READ: usize = 200_000;

/// The places of very common words are not read. Instead, the best sentences for the rare words are found first: at
/// least this many. The common words are then looked for in the texts of these sentences only.
const LOOKED_AT: usize = 500;

/// Words of a query whose places were read.
pub(crate) type Read<'q> = HashMap<&'q str, Arc<Postings>>;

/// Words of a query that are too common to read their places.
pub(crate) type Common<'q> = HashMap<&'q str, Frequency>;

impl Reader<'_> {
    /// The sentences of one document that match the query best, or of all documents if none is named, best first.
    /// Sentences with equal scores are ordered by id. A sentence that shares no word with the query is not found.
    pub fn search_lexical_in(
        &self,
        query: &str,
        document: Option<DocumentId>,
        top: usize,
    ) -> Result<Vec<SearchHit>> {
        let ranked = self.rank(query, document, top)?;
        let mut hits = Vec::with_capacity(ranked.len());
        for (index, (id, score)) in ranked.into_iter().enumerate() {
            let s = self.sentence(id)?;
            hits.push(SearchHit {
                rank: index + 1,
                id,
                external_id: s.external_id,
                score,
                marks: marks(query, &s.text),
                text: s.text,
                document: s.document,
                page: s.page,
                section: s.section,
                kind: s.kind,
                boxes: s.boxes,
                out_of_force: None,
            });
        }
        Ok(hits)
    }

    fn rank(
        &self,
        query: &str,
        document: Option<DocumentId>,
        top: usize,
    ) -> Result<Vec<(SentenceId, f64)>> {
        let lengths = self.lengths()?;
        let words = words(query);
        let (read, common) = self.read_words(&lengths, &words)?;
        let mut scores = Scores::new(&lengths);
        for (index, word) in words.iter().enumerate() {
            let Some(postings) = read.get(word.as_str()) else {
                continue;
            };
            // A word, or a pair, that is asked for twice counts once.
            if !words[..index].contains(word) {
                scores.add(postings, 1.0);
            }
            if let Some(next) = words.get(index + 1)
                && let Some(next_postings) = read.get(next.as_str())
                && !words[..=index]
                    .windows(2)
                    .any(|pair| pair[0] == *word && pair[1] == *next)
            {
                scores.add(
                    &postings.followed_by(next_postings),
                    PARAMETERS.weight_of_pair(word, next),
                );
            }
        }
        if let Some(document) = document {
            let (first, last) = self.sentence_range(document)?;
            scores
                .touched
                .retain(|id| (first..=last).contains(&i64::from(*id)));
        }
        if common.is_empty() {
            return Ok(scores.best(top));
        }
        let best = scores.best(top.max(LOOKED_AT));
        self.add_common(&lengths, best, &common, top)
    }

    /// The postings of the query's words as far as [`MOST_READ`] allows, and the other words with their frequency.
    pub(crate) fn read_words<'q>(
        &self,
        lengths: &Arc<Lengths>,
        words: &'q [String],
    ) -> Result<(Read<'q>, Common<'q>)> {
        let mut by_frequency: Vec<(&str, Frequency)> = Vec::with_capacity(words.len());
        let limited = lengths.words > MOST_READ as u64;
        for word in words {
            if !by_frequency.iter().any(|(known, _)| known == word) {
                let frequency = if limited {
                    self.frequency(lengths, word)?
                } else {
                    Frequency::default()
                };
                by_frequency.push((word, frequency));
            }
        }
        by_frequency.retain(|(_, frequency)| !limited || frequency.places > 0);
        by_frequency.sort_by_key(|(_, frequency)| frequency.places);
        let (mut read, mut common, mut places) = (HashMap::new(), HashMap::new(), 0);
        for (word, frequency) in by_frequency {
            places += frequency.places;
            if read.is_empty() || places <= MOST_READ {
                read.insert(word, self.postings(lengths, word)?);
            } else {
                common.insert(word, frequency);
            }
        }
        Ok((read, common))
    }

    /// Adds the scores of common words to the best sentences, and sorts them again. Pairs of words with a common word
    /// get no score: to find out how rare such a pair is, all places of the common word would have to be read.
    fn add_common(
        &self,
        lengths: &Lengths,
        mut best: Vec<(SentenceId, f64)>,
        common: &Common,
        top: usize,
    ) -> Result<Vec<(SentenceId, f64)>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT text FROM sentence WHERE id = ?1")?;
        for (id, score) in &mut best {
            let text: String = statement.query_row([id.0], |row| row.get(0))?;
            let mut counts: HashMap<&str, u32> = HashMap::new();
            each_word(&text, Side::Document, |word| {
                if let Some((&word, _)) = common.get_key_value(word) {
                    *counts.entry(word).or_default() += 1;
                }
            });
            let length = usize::try_from(id.0)
                .ok()
                .and_then(|i| lengths.of.get(i))
                .copied()
                .unwrap_or(0);
            // In the order of the query's own map of words the sum would differ in its last bits from run to run.
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort_unstable();
            for (word, count) in counts {
                let idf = PARAMETERS.idf(lengths.sentences, common[word].sentences);
                *score += idf
                    * PARAMETERS.saturation(f64::from(count), f64::from(length), lengths.mean());
            }
        }
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(top);
        Ok(best)
    }
}

/// The scores of the sentences that some word was found in.
struct Scores<'l> {
    lengths: &'l Lengths,
    mean: f64,
    of: Vec<f64>,
    touched: Vec<u32>,
}

impl<'l> Scores<'l> {
    fn new(lengths: &'l Lengths) -> Self {
        Self {
            lengths,
            mean: lengths.mean(),
            of: vec![0.0; lengths.of.len()],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, postings: &Postings, weight: f64) {
        let idf = weight * PARAMETERS.idf(self.lengths.sentences, postings.sentences);
        for places in postings.places.chunk_by(|a, b| a.0 == b.0) {
            let sentence = places[0].0;
            let Some(score) = self.of.get_mut(sentence as usize) else {
                continue;
            };
            if *score == 0.0 {
                self.touched.push(sentence);
            }
            let length = f64::from(self.lengths.of[sentence as usize]);
            *score += idf * PARAMETERS.saturation(places.len() as f64, length, self.mean);
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
        self.touched
            .iter()
            .map(|&id| (SentenceId(i64::from(id)), of[id as usize]))
            .collect()
    }
}
