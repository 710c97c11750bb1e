//! Vectors of the corpus's sentences, read once for a state of the workspace, and questions placed among them.

use super::Corpus;
use super::named_encoder::NamedEncoder;
use super::scan_file::{ScanFile, name_of, state, write};
use crate::models::{
    LSA_DIM, Models, Shipped, basis_name, for_languages, is_by_last_token, no_graph,
};
use crate::workspace::{DEFAULT_SEED, Result, VECTORS, file_failure};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy, SentenceId};
use lexforge_files::inside;
use lexforge_graph::{Matrix, lsa};
use lexforge_store::{EmbeddingKind, Embeddings, Scope};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The sentence vectors of one encoder.
pub(crate) struct SentenceVectors {
    /// Name of the encoder.
    pub(crate) encoder: String,
    /// Languages that it covers.
    pub(crate) languages: Vec<Language>,
    /// The ids of the things that the vectors represent.
    pub(crate) ids: Vec<i64>,
    /// The vectors.
    pub(super) rows: Rows,
    /// How a question becomes a vector among them.
    pub(super) asked: Asked,
}

/// Vectors of sentences: few of them in memory, many of them in a file that is scanned.
pub(super) enum Rows {
    InMemory(Matrix),
    Scanned(ScanFile),
}

/// From so many vectors on they are scanned as bytes.
const SCANNED_FROM: usize = 4_096;

/// How a question becomes a vector among those of sentences.
pub(super) enum Asked {
    /// By an encoder that comes with the product.
    ByShipped(Shipped),
    /// By counting, as the vectors of the sentences were made. The value is the data from which new texts get their
    /// vectors; `None` if an earlier version did not store it.
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

/// The product of a vector with each row.
fn products(rows: &Matrix, asked: &[f32]) -> Vec<f32> {
    (0..rows.rows)
        .map(|row| {
            let one = rows.row(row);
            asked.iter().zip(one).map(|(x, y)| x * y).sum()
        })
        .collect()
}

impl SentenceVectors {
    /// Whether a question in one language finds what is said in another, as far as that is known of the encoder.
    pub(crate) fn reads_across(&self) -> bool {
        match &self.asked {
            Asked::ByShipped(shipped) => shipped.reads_across(),
            Asked::Counted(_) | Asked::By(_) => false,
        }
    }
}

impl Corpus<'_> {
    /// The cosine of a question's vector with each vector of an encoder, in their order. It is exact for the nearest
    /// few hundred and approximate for the others.
    pub(crate) fn cosines(&self, part: &SentenceVectors, asked: &[f32]) -> Result<Vec<f32>> {
        self.cosines_with(&part.encoder, &part.ids, &part.rows, asked)
    }

    /// The cosines with the vectors that are kept under a name, in their order.
    pub(super) fn cosines_with(
        &self,
        kept_as: &str,
        ids: &[i64],
        rows: &Rows,
        asked: &[f32],
    ) -> Result<Vec<f32>> {
        let scan = match rows {
            Rows::InMemory(rows) => return Ok(products(rows, asked)),
            Rows::Scanned(scan) => scan,
        };
        if let Some(found) = scan.products(asked) {
            return Ok(found);
        }
        // Another program has changed the file while it was in use. The workspace has the vectors, so they are read
        // from there. The file is removed, and the next opening makes it again.
        let folder = self.workspace.store.artifacts_path().join(VECTORS);
        let _ = std::fs::remove_file(folder.join(name_of(kept_as)));
        let kept = self.kept_and_ahead(kept_as)?;
        let kept = kept.filter(|k| k.ids == ids).ok_or_else(no_graph)?;
        Ok(products(&matrix_of(kept).1, asked))
    }

    /// The recorded state from which the vectors of an encoder were made.
    pub(super) fn state_of(&self, encoder: &str, corpus: &str) -> Result<String> {
        let name = format!("{} {encoder}", EmbeddingKind::Sentence.tag());
        let recorded = self
            .workspace
            .store
            .read(|r| r.recorded(&Scope::Embeddings(name)))?;
        Ok(state(recorded.as_deref(), corpus))
    }

    /// The file of an encoder's vectors, if there is one for this state of the corpus.
    pub(super) fn scanned(&self, encoder: &str, state: &str) -> Option<(Rows, Vec<i64>)> {
        let folder = inside::folder(&self.workspace.store.artifacts_path(), VECTORS).ok()?;
        let (scan, ids) = ScanFile::open(&folder, &name_of(encoder), state)?;
        Some((Rows::Scanned(scan), ids))
    }

    /// Prepares vectors for searching. A large set is put into a file and searched there. If the file cannot be
    /// written, the vectors stay in memory.
    pub(super) fn searchable(
        &self,
        encoder: &str,
        state: &str,
        ids: &[i64],
        rows: Matrix,
    ) -> Result<Rows> {
        if ids.len() < SCANNED_FROM || self.workspace.store.read_only().is_some() {
            return Ok(Rows::InMemory(rows));
        }
        let Ok(folder) = self.workspace.artifacts_folder(VECTORS) else {
            return Ok(Rows::InMemory(rows));
        };
        self.forget_files(&folder, encoder)?;
        let written = inside::place(&folder, &name_of(encoder))
            .and_then(|path| write(&path, state, ids, &rows));
        let scanned = written.ok().and_then(|()| self.scanned(encoder, state));
        Ok(scanned.map_or(Rows::InMemory(rows), |(rows, _)| rows))
    }

    /// Removes the files of encoders that have no vectors any more.
    fn forget_files(&self, folder: &Path, encoder: &str) -> Result<()> {
        let encoders = self
            .workspace
            .store
            .read(|r| r.encoders(EmbeddingKind::Sentence))?;
        // Their vectors may be kept under another name, until a graph is built.
        let shipped = Shipped::ALL.map(Shipped::label);
        let names: Vec<String> = encoders
            .iter()
            .chain(&shipped)
            .map(String::as_str)
            .chain([encoder])
            .map(name_of)
            .collect();
        for file in inside::files(folder).map_err(file_failure)? {
            if file.ends_with(".vectors") && !names.contains(&file) {
                let _ = std::fs::remove_file(folder.join(file));
            }
        }
        Ok(())
    }

    /// The vectors of sentences, one part an encoder; empty before any were made.
    pub(crate) fn sentence_vectors(&self) -> Result<Vec<Arc<SentenceVectors>>> {
        let encoders = self.encoders_searched()?;
        let mut state = self.workspace.store.read(|r| {
            encoders
                .iter()
                .map(|part| {
                    let name = format!("{} {}", EmbeddingKind::Sentence.tag(), part.encoder);
                    r.newest_row_of(&Scope::Embeddings(name))
                })
                .collect::<lexforge_store::Result<Vec<i64>>>()
        })?;
        for shipped in Shipped::ALL {
            state.push(self.newest_ahead(shipped)?);
        }
        let memo = self.workspace.memo::<Read>();
        let mut read = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.as_ref().filter(|known| known.state == state) {
            return Ok(known.parts.clone());
        }
        let mut parts = Vec::with_capacity(encoders.len());
        for part in encoders {
            let basis = self
                .workspace
                .store
                .read(|r| r.graph_kept(&basis_name(&part.encoder)))?;
            let shipped = match part.choice {
                None => Shipped::of_label(&part.encoder),
                Some(_) => None,
            };
            // Vectors that were made before the graph are searched together with those of the graph.
            let ahead = shipped.map_or(Ok(0), |shipped| self.newest_ahead(shipped))?;
            let more = match ahead {
                0 => String::new(),
                newest => format!("ahead {newest}"),
            };
            let state = self.state_of(&part.encoder, &more)?;
            let (rows, ids) = match self.scanned(&part.encoder, &state) {
                Some(scanned) => scanned,
                None => {
                    let kept = self.kept_and_ahead(&part.encoder)?;
                    let (ids, rows) = matrix_of(kept.ok_or_else(no_graph)?);
                    (self.searchable(&part.encoder, &state, &ids, rows)?, ids)
                }
            };
            parts.push(Arc::new(SentenceVectors {
                rows,
                ids,
                asked: match (&part.choice, shipped) {
                    (Some(choice), _) => {
                        let only_for = match part.by_language {
                            true => part.languages.clone(),
                            false => Vec::new(),
                        };
                        let encoder = self
                            .named_encoder(choice)
                            .map_err(|failure| for_languages(failure, &only_for))?;
                        Asked::By(NamedEncoder {
                            only_for,
                            last_token: is_by_last_token(&part.encoder),
                            ..encoder
                        })
                    }
                    (None, Some(shipped)) => Asked::ByShipped(shipped),
                    (None, None) => {
                        Asked::Counted(basis.as_deref().and_then(lsa::Basis::from_bytes))
                    }
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

    /// Makes the vectors of questions by an encoder. Also returns the sentence vectors to compare them with, which
    /// usually are the stored ones. A graph of an earlier version does not hold what is needed to make vectors of new
    /// texts. Then the sentence vectors are computed again, together with those of the questions.
    pub(crate) fn questions_among(
        &self,
        part: &Arc<SentenceVectors>,
        questions: &[&str],
    ) -> Result<(Matrix, Arc<SentenceVectors>)> {
        let asked = match &part.asked {
            Asked::ByShipped(shipped) => {
                Models::of(self.workspace).question_vectors(&shipped.base(), None, questions)?
            }
            Asked::By(encoder) if !self.still_reads_so(encoder, &part.encoder)? => {
                return Err(reads_otherwise(&encoder.base.name));
            }
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
                rows: Rows::InMemory(matrix(part.ids.len(), rest)),
                asked: Asked::Counted(None),
            }),
        ))
    }
}

/// A question's vector would not lie among those of the sentences, and what is near it would be nothing but chance.
fn reads_otherwise(model: &str) -> Failure {
    Failure::new(
        Code::StepMissing,
        format!("{model} was changed after the graph was built by it."),
        Remedy::BuildGraphAgain,
    )
}

/// Stored vectors as ids and rows.
pub(super) fn matrix_of(kept: Embeddings) -> (Vec<i64>, Matrix) {
    let rows = Matrix {
        rows: kept.ids.len(),
        dim: kept.dim,
        data: kept.vectors,
    };
    (kept.ids, rows)
}
