//! Vectors of the corpus's sentences, read once for a state of the workspace, and questions placed among them.

use super::Corpus;
use super::named_encoder::NamedEncoder;
use crate::models::{BaseModel, LSA_DIM, Models, basis_name, minilm_label, no_graph};
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::SentenceId;
use lexforge_domain::text::Language;
use lexforge_graph::{Matrix, lsa};
use lexforge_store::{EmbeddingKind, Scope};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The sentence vectors of one encoder.
pub(crate) struct SentenceVectors {
    /// Name of the encoder.
    pub(crate) encoder: String,
    /// Languages that it covers.
    pub(crate) languages: Vec<Language>,
    /// What each vector belongs to.
    pub(crate) ids: Vec<i64>,
    /// The vectors, of unit length.
    pub(crate) vectors: Matrix,
    /// How a question becomes a vector among them.
    pub(super) asked: Asked,
}

/// How a question becomes a vector among those of sentences.
pub(super) enum Asked {
    /// By the graph's encoder.
    ByMiniLm,
    /// Counted vectors: by what new texts are placed by; none where an earlier version left nothing.
    Counted(Option<lsa::Basis>),
    /// By an encoder that a user named.
    By(NamedEncoder),
}

/// The vectors that were read last.
#[derive(Default)]
struct Read(Mutex<Option<Parts>>);

/// Vectors with the state of the workspace that they are of: the audit entries that cover them.
struct Parts {
    state: Vec<i64>,
    parts: Vec<Arc<SentenceVectors>>,
}

impl SentenceVectors {
    /// The cosine of a unit vector with each of them, in their order.
    pub(crate) fn cosines(&self, asked: &[f32]) -> Vec<f32> {
        (0..self.vectors.rows)
            .map(|row| {
                let one = self.vectors.row(row);
                asked.iter().zip(one).map(|(x, y)| x * y).sum()
            })
            .collect()
    }
}

impl Corpus<'_> {
    /// The vectors of sentences, one part an encoder; empty before the first build of the graph.
    pub(crate) fn sentence_vectors(&self) -> Result<Vec<Arc<SentenceVectors>>> {
        let encoders = Models::of(self.workspace).encoders()?;
        let state = self.workspace.store.read(|r| {
            encoders
                .iter()
                .map(|part| {
                    let name = format!("{} {}", EmbeddingKind::Sentence.tag(), part.encoder);
                    r.newest_row_of(&Scope::Embeddings(name))
                })
                .collect::<lexforge_store::Result<Vec<i64>>>()
        })?;
        let memo = self.workspace.memo::<Read>();
        let mut read = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.as_ref().filter(|known| known.state == state) {
            return Ok(known.parts.clone());
        }
        let mut parts = Vec::with_capacity(encoders.len());
        for part in encoders {
            let (kept, basis) = self.workspace.store.read(|r| {
                Ok((
                    r.embeddings(EmbeddingKind::Sentence, &part.encoder)?,
                    r.graph_kept(&basis_name(&part.encoder))?,
                ))
            })?;
            let kept = kept.ok_or_else(no_graph)?;
            parts.push(Arc::new(SentenceVectors {
                vectors: Matrix {
                    rows: kept.ids.len(),
                    dim: kept.dim,
                    data: kept.vectors,
                },
                ids: kept.ids,
                asked: if part.encoder == minilm_label() {
                    Asked::ByMiniLm
                } else {
                    Asked::Counted(basis.as_deref().and_then(lsa::Basis::from_bytes))
                },
                encoder: part.encoder,
                languages: part.languages,
            }));
        }
        *read = Some(Parts {
            state,
            parts: parts.clone(),
        });
        Ok(parts)
    }

    /// Questions as vectors among those of an encoder; with them its vectors, which are other ones where a graph of an
    /// earlier version left nothing to place new texts by.
    pub(crate) fn questions_among(
        &self,
        part: &Arc<SentenceVectors>,
        questions: &[&str],
    ) -> Result<(Matrix, Arc<SentenceVectors>)> {
        let asked = match &part.asked {
            Asked::ByMiniLm => Models::of(self.workspace).question_vectors(
                &BaseModel::named(None),
                None,
                questions,
            )?,
            Asked::By(encoder) => self.asked_by(encoder, questions)?,
            Asked::Counted(Some(basis)) => basis.vectors(questions),
            Asked::Counted(None) => return self.counted(questions, part),
        };
        Ok((asked, Arc::clone(part)))
    }

    /// The questions are factored together with the sentences.
    fn counted(
        &self,
        questions: &[&str],
        part: &SentenceVectors,
    ) -> Result<(Matrix, Arc<SentenceVectors>)> {
        let wanted: Vec<SentenceId> = part.ids.iter().map(|id| SentenceId(*id)).collect();
        let text: HashMap<SentenceId, String> = self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&wanted))?
            .into_iter()
            .map(|s| (s.id, s.text))
            .collect();
        let sentences = wanted
            .iter()
            .map(|id| text.get(id).map_or("", String::as_str));
        let texts: Vec<&str> = questions.iter().copied().chain(sentences).collect();
        let all = lsa::char_ngram_lsa(&texts, LSA_DIM, DEFAULT_SEED);
        let (asked, rest) = all.data.split_at(questions.len() * all.dim);
        let matrix = |rows: usize, data: &[f32]| Matrix {
            rows,
            dim: all.dim,
            data: data.to_vec(),
        };
        Ok((
            matrix(questions.len(), asked),
            Arc::new(SentenceVectors {
                encoder: part.encoder.clone(),
                languages: part.languages.clone(),
                ids: part.ids.clone(),
                vectors: matrix(part.ids.len(), rest),
                asked: Asked::Counted(None),
            }),
        ))
    }
}
