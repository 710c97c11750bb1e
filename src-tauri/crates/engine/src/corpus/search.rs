//! Searching the corpus: by words, by vectors, by both.

use super::Corpus;
use super::vectors::SentenceVectors;
use crate::models::no_graph;
use crate::workspace::{Result, today};
use lexforge_domain::api::{EncoderChoice, OutOfForce, SearchHit, SearchMode, SearchRequest};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, Failure, Remedy, SentenceId};
use lexforge_graph::int8::greatest;
use lexforge_text::{asked, expected};
use std::collections::HashMap;

/// Constant of reciprocal rank fusion: a document's score is the sum of 1 / (60 + rank).
const RRF_K: f64 = 60.0;
/// How deep each ranking is read before they are fused, for each hit that is asked for.
const FUSION_DEPTH: usize = 5;
/// The number of best sentences that are searched for the kind of thing that a question asks for.
const LOOKED_AT: usize = 50;
/// The score of a sentence that contains this kind of thing is multiplied by this, as in the ranking of clauses.
const EXPECTED: f64 = 1.2;
/// If the query is a question, the score of a heading is multiplied by this.
const HEADING: f64 = 0.5;

impl Corpus<'_> {
    /// The sentences that fit a query best.
    ///
    /// # Errors
    /// When the query is empty or the workspace cannot be read. For a search by vectors also when no graph was built,
    /// or the worker is missing.
    pub fn search(&self, request: &SearchRequest) -> Result<Vec<SearchHit>> {
        if request.query.trim().is_empty() {
            return Err(Failure::invalid(
                "There is nothing to search for: the query is empty.",
                Remedy::GiveWord,
            ));
        }
        if request.document.is_some() && request.mode == SearchMode::Lexical {
            let mut hits = self.lexical(&request.query, request.document, request.top)?;
            self.tell_out_of_force(&mut hits)?;
            return Ok(hits);
        }
        let mut hits = self.search_all(
            &[&request.query],
            request.mode,
            request.encoder.as_ref(),
            request.top,
        )?;
        Ok(hits.pop().unwrap_or_default())
    }

    /// The hits of many queries, in the order of the queries. For a search by vectors, all queries are embedded
    /// together, by the named encoder or else by the encoder of the graph.
    ///
    /// # Errors
    /// As [`Corpus::search`].
    pub fn search_all(
        &self,
        queries: &[&str],
        mode: SearchMode,
        encoder: Option<&EncoderChoice>,
        top: usize,
    ) -> Result<Vec<Vec<SearchHit>>> {
        let mut all: Vec<Vec<SearchHit>> = match mode {
            SearchMode::Lexical => queries
                .iter()
                .map(|q| self.lexical(q, None, top))
                .collect::<Result<_>>()?,
            SearchMode::Dense => self.dense(queries, encoder, top)?,
            SearchMode::Hybrid => {
                let depth = top * FUSION_DEPTH;
                let dense = self.dense(queries, encoder, depth)?;
                let both = queries.iter().zip(dense);
                both.map(|(q, dense)| Ok(fused([self.lexical(q, None, depth)?, dense], top)))
                    .collect::<Result<_>>()?
            }
        };
        for hits in &mut all {
            self.tell_out_of_force(hits)?;
        }
        Ok(all)
    }

    /// Says of each hit whether its document is not in force today. Nothing is left out: a search may be for just that.
    fn tell_out_of_force(&self, hits: &mut [SearchHit]) -> Result<()> {
        let set = self.workspace.store.read(|r| r.validities())?;
        if set.is_empty() {
            return Ok(());
        }
        let today = today();
        let why: HashMap<DocumentId, OutOfForce> = set
            .into_iter()
            .filter_map(|(id, validity)| Some((id, validity.out_of_force(&today)?)))
            .collect();
        for hit in hits {
            hit.out_of_force = why.get(&hit.document).cloned();
        }
        Ok(())
    }

    /// The sentences that fit the words best. If the query is a question, two things change: words that only help to
    /// ask are ignored, and headings come after sentences. Sentences that hold the kind of thing that is asked for (a
    /// list, an amount, a time) come first.
    fn lexical(
        &self,
        query: &str,
        document: Option<DocumentId>,
        top: usize,
    ) -> Result<Vec<SearchHit>> {
        let read = |query: &str, top: usize| -> Result<Vec<SearchHit>> {
            Ok(self
                .workspace
                .store
                .read(|r| r.search_lexical_in(query, document, top))?)
        };
        if !asked::is_question(query) {
            return read(query, top);
        }
        let mut hits = read(&asked::subject(query), top.max(LOOKED_AT))?;
        let wanted = expected::of_question(query);
        for hit in &mut hits {
            if hit.kind == SentenceKind::Heading {
                hit.score *= HEADING;
            } else if wanted.is_some_and(|wanted| wanted.is_in_sentence(&hit.text)) {
                hit.score *= EXPECTED;
            }
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        hits.truncate(top);
        for (index, hit) in hits.iter_mut().enumerate() {
            hit.rank = index + 1;
        }
        Ok(hits)
    }

    /// Cosines between the queries and the stored sentence vectors, for each encoder's part of the sentences. The parts
    /// are merged by rank, because cosines of different encoders cannot be compared.
    fn dense(
        &self,
        queries: &[&str],
        encoder: Option<&EncoderChoice>,
        top: usize,
    ) -> Result<Vec<Vec<SearchHit>>> {
        let parts = self.vectors_of(encoder)?;
        if parts.is_empty() {
            return Err(no_graph());
        }
        let mut by_query: Vec<Vec<Vec<SearchHit>>> = vec![Vec::new(); queries.len()];
        for part in &parts {
            let (asked, part) = self.questions_among(part, queries)?;
            for (i, rankings) in by_query.iter_mut().enumerate() {
                rankings.push(self.nearest(&part, asked.row(i), top)?);
            }
        }
        Ok(by_query
            .into_iter()
            .map(|mut rankings| {
                if rankings.len() == 1 {
                    rankings.remove(0)
                } else {
                    by_rank(rankings, top)
                }
            })
            .collect())
    }

    /// The sentences nearest to a unit vector.
    fn nearest(&self, part: &SentenceVectors, asked: &[f32], top: usize) -> Result<Vec<SearchHit>> {
        let cosines = self.cosines(part, asked)?;
        let mut best: Vec<(i64, f32)> = greatest(&cosines, top)
            .into_iter()
            .map(|place| (part.ids[place], cosines[place]))
            .collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let wanted: Vec<SentenceId> = best.iter().map(|(id, _)| SentenceId(*id)).collect();
        let found: HashMap<SentenceId, Sentence> = self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&wanted))?
            .into_iter()
            .map(|s| (s.id, s))
            .collect();
        let known = best
            .iter()
            .filter_map(|(id, score)| Some((found.get(&SentenceId(*id))?, *score)));
        Ok(known
            .enumerate()
            .map(|(i, (s, score))| hit(i + 1, s, f64::from(score)))
            .collect())
    }
}

fn hit(rank: usize, s: &Sentence, score: f64) -> SearchHit {
    SearchHit {
        rank,
        id: s.id,
        external_id: s.external_id.clone(),
        score,
        text: s.text.clone(),
        document: s.document,
        page: s.page,
        section: s.section.clone(),
        kind: s.kind,
        boxes: s.boxes.clone(),
        marks: Vec::new(),
        out_of_force: None,
    }
}

/// Rankings whose scores cannot be compared, by reciprocal rank.
fn by_rank(rankings: impl IntoIterator<Item = Vec<SearchHit>>, top: usize) -> Vec<SearchHit> {
    merged(rankings, top, |hit, _| 1.0 / (RRF_K + hit.rank as f64))
}

/// Merges rankings by words and by vectors with equal weight. Each score is divided by the highest score of its
/// ranking. On ObliQA's development questions this is better than words alone, while merging by reciprocal ranks is
/// worse.
fn fused(rankings: impl IntoIterator<Item = Vec<SearchHit>>, top: usize) -> Vec<SearchHit> {
    merged(rankings, top, |hit, greatest| {
        0.5 * (hit.score / greatest).max(0.0)
    })
}

/// Merges several rankings into one. Each hit is ranked by the sum of its values in the rankings. `worth` computes such
/// a value from the hit and the greatest score of its ranking.
fn merged(
    rankings: impl IntoIterator<Item = Vec<SearchHit>>,
    top: usize,
    worth: impl Fn(&SearchHit, f64) -> f64,
) -> Vec<SearchHit> {
    let mut by_id: HashMap<SentenceId, SearchHit> = HashMap::new();
    let mut score: HashMap<SentenceId, f64> = HashMap::new();
    for ranking in rankings {
        let greatest = ranking.first().map_or(1.0, |hit| hit.score).max(1e-9);
        for hit in ranking {
            *score.entry(hit.id).or_default() += worth(&hit, greatest);
            by_id.entry(hit.id).or_insert(hit);
        }
    }
    let mut order: Vec<(SentenceId, f64)> = score.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order
        .into_iter()
        .take(top)
        .enumerate()
        .filter_map(|(i, (id, score))| {
            by_id.remove(&id).map(|h| SearchHit {
                rank: i + 1,
                score,
                ..h
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;
    use lexforge_domain::text::SentenceKind;

    fn ranking(ids: &[i64]) -> Vec<SearchHit> {
        ids.iter()
            .enumerate()
            .map(|(i, id)| SearchHit {
                rank: i + 1,
                id: SentenceId(*id),
                external_id: None,
                score: 1.0 / (i + 1) as f64,
                text: String::new(),
                document: DocumentId(1),
                page: 1,
                section: String::new(),
                kind: SentenceKind::Rule,
                boxes: Vec::new(),
                marks: Vec::new(),
                out_of_force: None,
            })
            .collect()
    }

    #[test]
    fn what_both_rankings_know_comes_first() {
        let order = |hits: Vec<SearchHit>| hits.iter().map(|h| h.id.0).collect::<Vec<_>>();
        let two = || [ranking(&[1, 2, 3]), ranking(&[4, 2, 5])];
        assert_eq!(order(by_rank(two(), 3)), [2, 1, 4]);
        // Two halves of the greatest are as much as one whole.
        assert_eq!(order(fused(two(), 3)), [1, 2, 4]);
    }
}
