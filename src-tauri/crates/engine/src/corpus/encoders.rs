//! Vectors of the sentences by an encoder that a user names: a model on disk, or a model with an adapter that was tuned
//! in this workspace.

use super::Corpus;
use super::vectors::{Asked, SentenceVectors, matrix_of};
use crate::models::{BaseModel, Embedding, Models, named_label};
use crate::workspace::{Result, Silent, Watcher, cancelled};
use lexforge_domain::api::{EncoderChoice, EncoderVectors, Stage};
use lexforge_domain::protocol::{ResidentReady, TextSide};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_store::{EmbeddingKind, Embeddings, MarkedEmbeddings};
use sha2::Digest as _;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Sentences whose vectors are kept together, so that little is lost when the work is ended.
const TOGETHER: usize = 8192;
/// Parts in which a large corpus is kept at most: each part's audit row covers all before it.
const MOST_PARTS: usize = 8;
/// Encoders whose vectors stay in memory.
const REMEMBERED: usize = 2;

/// The vectors that were asked for last, with the state of the corpus and of the model's folder that they are of.
#[derive(Default)]
struct Known(Mutex<Vec<(EncoderChoice, String, Arc<SentenceVectors>)>>);

/// A sentence with its text's mark.
pub(super) struct Marked {
    pub(super) id: i64,
    mark: u64,
    text: String,
}

impl Marked {
    pub(super) fn new(id: i64, text: String) -> Self {
        let mark = mark_of(&text);
        Self { id, mark, text }
    }
}

/// The vectors that sentences should have.
pub(super) struct Wanted<'a> {
    /// The name under which they are kept.
    pub(super) label: &'a str,
    pub(super) base: &'a BaseModel,
    pub(super) adapter: Option<&'a Path>,
    /// How the encoder reads texts.
    pub(super) read: &'a ResidentReady,
    /// Sentences whose vectors are kept together at least.
    pub(super) together: usize,
    /// Whether the vectors are handed back as well: those of a million sentences fill 1.5 GB.
    pub(super) handed_back: bool,
}

impl Corpus<'_> {
    /// Makes the vectors of this encoder for all sentences that have none yet, and removes the vectors of sentences
    /// that no longer exist. The graph is not changed.
    ///
    /// # Errors
    /// When the model, the run or the worker is missing, when the model's folder asks for something that is not
    /// supported, or when the watcher cancels. Vectors that were made before that are kept.
    pub fn prepare_encoder(
        &self,
        choice: &EncoderChoice,
        watcher: &dyn Watcher,
    ) -> Result<EncoderVectors> {
        let (vectors, made, removed) = self.made_by(choice, watcher)?;
        Ok(EncoderVectors {
            encoder: vectors.encoder.clone(),
            sentences: vectors.ids.len() as u64,
            made,
            clauses: 0,
            removed,
        })
    }

    /// The vectors of sentences by the encoder that is named, else those of the graph.
    pub(crate) fn vectors_of(
        &self,
        encoder: Option<&EncoderChoice>,
    ) -> Result<Vec<Arc<SentenceVectors>>> {
        match encoder {
            Some(choice) => Ok(vec![self.vectors_by(choice)?]),
            None => self.sentence_vectors(),
        }
    }

    /// The sentences' vectors by an encoder; those that are missing are made first.
    fn vectors_by(&self, choice: &EncoderChoice) -> Result<Arc<SentenceVectors>> {
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let state = as_of(
            &corpus,
            Models::of(self.workspace).state_of(&self.base_of(choice)?),
        );
        let memo = self.workspace.memo::<Known>();
        let known = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known
            .iter()
            .find(|(c, of, _)| c == choice && *of == state)
            .map(|(_, _, vectors)| Arc::clone(vectors));
        drop(known);
        match found {
            Some(vectors) => Ok(vectors),
            None => Ok(self.made_by(choice, &Silent)?.0),
        }
    }

    /// The vectors, how many were made, and how many were removed.
    fn made_by(
        &self,
        choice: &EncoderChoice,
        watcher: &dyn Watcher,
    ) -> Result<(Arc<SentenceVectors>, u64, u64)> {
        let encoder = self.named_encoder(choice)?;
        let folder = Models::of(self.workspace).state_of(&encoder.base);
        if encoder.echo {
            return Err(Failure::invalid(
                "Texts are read twice for the graph alone.",
                "Build the graph so, and search with its encoder.",
            ));
        }
        let read = Models::of(self.workspace).read_by(&encoder.base, encoder.adapter.as_deref())?;
        let label = named_label(&encoder.base.name, encoder.sha256.as_ref(), &read);
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let read_from = as_of(&corpus, folder);
        // A file of this state has a vector of every sentence, or there would be none.
        let state = self.state_of(&label, &corpus)?;
        if let Some((rows, ids)) = self.scanned(&label, &state) {
            let vectors = Arc::new(SentenceVectors {
                encoder: label,
                languages: self.languages()?,
                rows,
                ids,
                asked: Asked::By(encoder),
            });
            self.remember(choice, &read_from, &vectors);
            return Ok((vectors, 0, 0));
        }
        let sentences = self.marked(|_| true)?;
        if sentences.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There are no documents to search.",
                Remedy::ImportDocument,
            ));
        }
        let wanted = Wanted {
            label: &label,
            base: &encoder.base,
            adapter: encoder.adapter.as_deref(),
            read: &read,
            together: TOGETHER,
            handed_back: true,
        };
        let (all, made, removed) = self.completed(&wanted, &sentences, watcher)?;
        let state = self.state_of(&label, &corpus)?;
        let (ids, rows) = matrix_of(all.embeddings);
        let vectors = Arc::new(SentenceVectors {
            languages: self.languages()?,
            rows: self.searchable(&label, &state, &ids, rows)?,
            encoder: label,
            ids,
            asked: Asked::By(encoder),
        });
        self.remember(choice, &read_from, &vectors);
        Ok((vectors, made, removed))
    }

    /// Returns three values: the vectors of these sentences by an encoder; how many of them were newly made; and how
    /// many stored ones were removed because their sentence no longer exists or they were stored twice. Missing
    /// vectors are made batch by batch, and each batch is stored as soon as it is made.
    pub(super) fn completed(
        &self,
        wanted: &Wanted<'_>,
        sentences: &[Marked],
        watcher: &dyn Watcher,
    ) -> Result<(MarkedEmbeddings, u64, u64)> {
        let kept = self.workspace.store.read(|r| r.marks_of(wanted.label))?;
        let now: HashMap<i64, u64> = sentences.iter().map(|s| (s.id, s.mark)).collect();
        let standing: HashSet<i64> = kept
            .iter()
            .filter(|(id, mark)| now.get(id) == Some(mark))
            .map(|(id, _)| *id)
            .collect();
        let removed = kept.len() - standing.len();
        let reading = serde_json::json!(wanted.read.reading).to_string();
        let mut all = match wanted.handed_back || removed > 0 {
            true => self.kept_by(wanted.label, &reading, &now, wanted.read.dim)?,
            false => MarkedEmbeddings::default(),
        };
        if removed > 0 && !self.is_read_only() {
            self.workspace.store.write(&self.workspace.actor, |w| {
                w.put_marked_embeddings(wanted.label, &all, true)
            })?;
        }
        let missing: Vec<&Marked> = sentences
            .iter()
            .filter(|s| !standing.contains(&s.id))
            .collect();
        let part = wanted.together.max(missing.len().div_ceil(MOST_PARTS));
        for (number, some) in missing.chunks(part).enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("The vectors so far are kept."));
            }
            let before = (number * part) as u64;
            let what = Embedding {
                stage: Stage::Embed,
                side: TextSide::Passage,
                goes_on: false,
                part: Some((before, missing.len() as u64)),
            };
            let texts: Vec<&str> = some.iter().map(|s| s.text.as_str()).collect();
            let (vectors, _) = Models::of(self.workspace)
                .embed_as(wanted.base, wanted.adapter, &texts, &what, watcher)
                .map_err(parts_are_kept)?;
            let new = MarkedEmbeddings {
                embeddings: Embeddings {
                    ids: some.iter().map(|s| s.id).collect(),
                    dim: vectors.dim,
                    vectors: vectors.data,
                },
                marks: some.iter().map(|s| s.mark).collect(),
                reading: reading.clone(),
            };
            if !self.is_read_only() {
                self.workspace.store.write(&self.workspace.actor, |w| {
                    // A second window, or the command line, may have made some of them meanwhile.
                    let there: HashSet<(i64, u64)> =
                        w.marks_of(wanted.label)?.into_iter().collect();
                    let new = those(&new, |one| !there.contains(&one));
                    match new.marks.is_empty() {
                        true => Ok(()),
                        false => w.put_marked_embeddings(wanted.label, &new, false),
                    }
                })?;
            }
            if wanted.handed_back {
                all.embeddings.ids.extend(new.embeddings.ids);
                all.embeddings.vectors.extend(new.embeddings.vectors);
            }
        }
        Ok((all, missing.len() as u64, removed as u64))
    }

    fn remember(&self, choice: &EncoderChoice, state: &str, vectors: &Arc<SentenceVectors>) {
        let memo = self.workspace.memo::<Known>();
        let mut known = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(c, ..)| c != choice);
        if known.len() >= REMEMBERED {
            known.remove(0);
        }
        known.push((choice.clone(), state.to_owned(), Arc::clone(vectors)));
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.workspace.store.read_only().is_some()
    }

    /// The stored vectors of these sentences, with their marks (short hashes of the texts). Each sentence gets at most
    /// one vector, and only if its text has not changed since the vector was made.
    fn kept_by(
        &self,
        label: &str,
        reading: &str,
        now: &HashMap<i64, u64>,
        dim: usize,
    ) -> Result<MarkedEmbeddings> {
        let kept = self.workspace.store.read(|r| {
            let kept = r.embeddings(EmbeddingKind::Sentence, label)?;
            Ok(MarkedEmbeddings {
                embeddings: kept.unwrap_or(Embeddings {
                    dim,
                    ..Embeddings::default()
                }),
                marks: r.marks_of(label)?.into_iter().map(|(_, m)| m).collect(),
                reading: reading.to_owned(),
            })
        })?;
        let mut taken = HashSet::new();
        Ok(those(&kept, |(id, mark)| {
            now.get(&id) == Some(&mark) && taken.insert(id)
        }))
    }

    fn languages(&self) -> Result<Vec<Language>> {
        let documents = self.workspace.store.read(|r| r.documents())?;
        let languages: BTreeSet<Language> = documents.iter().map(|d| d.language).collect();
        Ok(languages.into_iter().collect())
    }

    /// All sentences of these languages in the order of their ids.
    pub(super) fn marked(&self, wanted: impl Fn(Language) -> bool) -> Result<Vec<Marked>> {
        let mut all = Vec::new();
        let mut by_language = self.sentences_by_language()?;
        by_language.retain(|language, _| wanted(*language));
        for sentences in by_language.into_values() {
            all.extend(sentences.into_iter().map(|s| Marked::new(s.id.0, s.text)));
        }
        all.sort_by_key(|s| s.id);
        Ok(all)
    }
}

/// The state of the corpus and of a model's folder, of which vectors are.
fn as_of(corpus: &str, folder: Option<String>) -> String {
    format!("{corpus} {}", folder.unwrap_or_default())
}

/// The vectors that `wanted` selects by id and mark, in the same order.
fn those(all: &MarkedEmbeddings, mut wanted: impl FnMut((i64, u64)) -> bool) -> MarkedEmbeddings {
    let mut some = MarkedEmbeddings {
        reading: all.reading.clone(),
        ..MarkedEmbeddings::default()
    };
    some.embeddings.dim = all.embeddings.dim;
    let rows = all.embeddings.vectors.chunks(all.embeddings.dim.max(1));
    for ((id, mark), row) in all.embeddings.ids.iter().zip(&all.marks).zip(rows) {
        if wanted((*id, *mark)) {
            some.embeddings.ids.push(*id);
            some.embeddings.vectors.extend_from_slice(row);
            some.marks.push(*mark);
        }
    }
    some
}

/// If the work is stopped within a batch, only this batch is lost.
fn parts_are_kept(failure: Failure) -> Failure {
    match failure.code {
        Code::Cancelled => cancelled("The vectors so far are kept."),
        _ => failure,
    }
}

/// A mark of a text: a changed text has another mark.
pub(super) fn mark_of(text: &str) -> u64 {
    let digest = sha2::Sha256::digest(text);
    let (first, _) = digest.as_slice().split_at(8);
    first
        .iter()
        .fold(0, |all, byte| all << 8 | u64::from(*byte))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
