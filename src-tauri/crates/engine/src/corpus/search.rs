//! Searching the corpus: by words, by vectors, by both.

use super::Corpus;
use crate::models::{BaseModel, LSA_DIM, Models, basis_name, minilm_label, no_graph};
use crate::workspace::{DEFAULT_SEED, Result, Silent};
use lexforge_domain::api::{SearchHit, SearchMode, SearchRequest, Stage};
use lexforge_domain::document::Sentence;
use lexforge_domain::{Code, Failure, Remedy, SentenceId};
use lexforge_graph::{Matrix, lsa};
use lexforge_store::EmbeddingKind;
use std::collections::HashMap;

/// Constant of reciprocal rank fusion: a document's score is the sum of 1 / (60 + rank).
const RRF_K: f64 = 60.0;
/// How deep each ranking is read before they are fused, for each hit that is wanted.
const FUSION_DEPTH: usize = 5;

impl Corpus<'_> {
    /// The sentences that fit a query best.
    ///
    /// # Errors
    /// When the query is empty; when the workspace cannot be read; by vectors also when no graph was built, or the worker
    /// is missing.
    pub fn search(&self, request: &SearchRequest) -> Result<Vec<SearchHit>> {
        if request.query.trim().is_empty() {
            return Err(Failure::new(
                Code::InvalidRequest,
                "There is nothing to search for: the query is empty.",
                Remedy::GiveWord,
            ));
        }
        if request.document.is_some() && request.mode == SearchMode::Lexical {
            return Ok(self
                .workspace
                .store
                .read(|r| r.search_lexical_in(&request.query, request.document, request.top))?);
        }
        let mut hits = self.search_all(&[&request.query], request.mode, request.top)?;
        Ok(hits.pop().unwrap_or_default())
    }

    /// The hits of many queries, in their order. By vectors, all queries are embedded in one job.
    ///
    /// # Errors
    /// As [`Corpus::search`].
    pub fn search_all(
        &self,
        queries: &[&str],
        mode: SearchMode,
        top: usize,
    ) -> Result<Vec<Vec<SearchHit>>> {
        match mode {
            SearchMode::Lexical => queries.iter().map(|q| self.lexical(q, top)).collect(),
            SearchMode::Dense => self.dense(queries, top),
            SearchMode::Hybrid => {
                let depth = top * FUSION_DEPTH;
                let dense = self.dense(queries, depth)?;
                let both = queries.iter().zip(dense);
                both.map(|(q, dense)| Ok(fused([self.lexical(q, depth)?, dense], top)))
                    .collect()
            }
        }
    }

    fn lexical(&self, query: &str, top: usize) -> Result<Vec<SearchHit>> {
        Ok(self
            .workspace
            .store
            .read(|r| r.search_lexical(query, top))?)
    }

    /// Cosine between queries and the kept sentence vectors, in each encoder's part; parts are merged by rank since
    /// cosines of different encoders cannot be compared.
    fn dense(&self, queries: &[&str], top: usize) -> Result<Vec<Vec<SearchHit>>> {
        let encoders = Models::of(self.workspace).encoders()?;
        if encoders.is_empty() {
            return Err(no_graph());
        }
        let mut by_query: Vec<Vec<Vec<SearchHit>>> = vec![Vec::new(); queries.len()];
        for part in &encoders {
            let kept = self
                .workspace
                .store
                .read(|r| r.embeddings(EmbeddingKind::Sentence, &part.encoder))?
                .ok_or_else(no_graph)?;
            let (asked, sentences) = if part.encoder == minilm_label() {
                let asked = Models::of(self.workspace)
                    .embed_texts(
                        &BaseModel::named(None),
                        None,
                        queries,
                        Stage::Embed,
                        &Silent,
                    )?
                    .0;
                (
                    asked,
                    Matrix {
                        rows: kept.ids.len(),
                        dim: kept.dim,
                        data: kept.vectors,
                    },
                )
            } else {
                match self
                    .workspace
                    .store
                    .read(|r| r.graph_kept(&basis_name(&part.encoder)))?
                    .as_deref()
                    .and_then(lsa::Basis::from_bytes)
                {
                    Some(basis) => (
                        basis.vectors(queries),
                        Matrix {
                            rows: kept.ids.len(),
                            dim: kept.dim,
                            data: kept.vectors,
                        },
                    ),
                    None => self.counted(queries, &kept.ids)?,
                }
            };
            for (i, rankings) in by_query.iter_mut().enumerate() {
                rankings.push(self.nearest(asked.row(i), &kept.ids, &sentences, top)?);
            }
        }
        Ok(by_query
            .into_iter()
            .map(|mut rankings| {
                if rankings.len() == 1 {
                    rankings.remove(0)
                } else {
                    fused(rankings, top)
                }
            })
            .collect())
    }

    /// The sentences nearest to a unit vector.
    fn nearest(
        &self,
        asked: &[f32],
        ids: &[i64],
        sentences: &Matrix,
        top: usize,
    ) -> Result<Vec<SearchHit>> {
        let mut best: Vec<(i64, f32)> = ids
            .iter()
            .enumerate()
            .map(|(i, id)| (*id, dot(asked, sentences.row(i))))
            .collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(top);
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

    /// Where a graph of an earlier version left no basis for new text, the queries are factored together with the
    /// sentences.
    fn counted(&self, queries: &[&str], ids: &[i64]) -> Result<(Matrix, Matrix)> {
        let wanted: Vec<SentenceId> = ids.iter().map(|id| SentenceId(*id)).collect();
        let text: HashMap<SentenceId, String> = self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&wanted))?
            .into_iter()
            .map(|s| (s.id, s.text))
            .collect();
        let texts: Vec<&str> = queries
            .iter()
            .copied()
            .chain(
                wanted
                    .iter()
                    .map(|id| text.get(id).map_or("", String::as_str)),
            )
            .collect();
        let all = lsa::char_ngram_lsa(&texts, LSA_DIM, DEFAULT_SEED);
        let (asked, rest) = all.data.split_at(queries.len() * all.dim);
        Ok((
            Matrix {
                rows: queries.len(),
                dim: all.dim,
                data: asked.to_vec(),
            },
            Matrix {
                rows: ids.len(),
                dim: all.dim,
                data: rest.to_vec(),
            },
        ))
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
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
    }
}

/// Reciprocal rank fusion.
fn fused(rankings: impl IntoIterator<Item = Vec<SearchHit>>, top: usize) -> Vec<SearchHit> {
    let mut by_id: HashMap<SentenceId, SearchHit> = HashMap::new();
    let mut score: HashMap<SentenceId, f64> = HashMap::new();
    for ranking in rankings {
        for hit in ranking {
            *score.entry(hit.id).or_default() += 1.0 / (RRF_K + hit.rank as f64);
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
                score: 0.0,
                text: String::new(),
                document: DocumentId(1),
                page: 1,
                section: String::new(),
                kind: SentenceKind::Rule,
                boxes: Vec::new(),
                marks: Vec::new(),
            })
            .collect()
    }

    #[test]
    fn what_both_rankings_know_comes_first() {
        let order: Vec<i64> = fused([ranking(&[1, 2, 3]), ranking(&[4, 2, 5])], 3)
            .iter()
            .map(|h| h.id.0)
            .collect();
        assert_eq!(order, [2, 1, 4]);
    }
}
