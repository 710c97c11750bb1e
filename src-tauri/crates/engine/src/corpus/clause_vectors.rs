//! Vectors of texts that clauses have beside their sentences: a clause of several sentences as a whole, and the
//! sentences of a passage that a corpus file brought in as one. What a clause is, the caller says.

use super::Corpus;
use super::encoders::{Marked, Wanted};
use super::vectors::{Asked, Rows, SentenceVectors, matrix_of};
use crate::models::{BaseModel, Models, Shipped, is_by_last_token};
use crate::workspace::{Result, Watcher};
use lexforge_domain::SentenceId;
use lexforge_store::EmbeddingKind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Texts whose vectors are kept together, so that little is lost when the work is ended.
const TOGETHER: usize = 1_024;
/// Encoders whose vectors stay in memory.
const REMEMBERED: usize = 2;
/// The bits of an id that tell the part. The others are the id of the sentence.
const PART_BITS: u32 = 8;

/// A text that a clause has beside its sentences.
pub(crate) struct ClauseText {
    /// The first sentence of the clause.
    pub(crate) sentence: SentenceId,
    /// 0 is the whole clause. The sentences of a long passage are numbered from 1.
    pub(crate) part: u8,
    pub(crate) text: String,
}

/// The vectors of such texts by one encoder.
pub(crate) struct ClauseVectors {
    /// The name under which they are kept.
    label: String,
    ids: Vec<i64>,
    rows: Rows,
}

impl ClauseVectors {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The first sentence of the clause of each vector, and whether it is of the whole clause.
    pub(crate) fn of(&self) -> impl Iterator<Item = (SentenceId, bool)> {
        let is_whole = |id: i64| id & ((1 << PART_BITS) - 1) == 0;
        let ids = self.ids.iter();
        ids.map(move |id| (SentenceId(id >> PART_BITS), is_whole(*id)))
    }
}

/// The vectors that were read last, with the state that they are of.
#[derive(Default)]
struct Known(Mutex<Vec<(String, Arc<ClauseVectors>)>>);

impl Corpus<'_> {
    /// Whether an encoder that is searched has no vectors of clauses for this state of them, and could make them.
    pub(crate) fn lacks_clause_vectors(&self, state: &str) -> Result<bool> {
        for part in self.encoders_searched()? {
            let is_decoder =
                part.choice.as_ref().is_some_and(|c| c.echo) || is_by_last_token(&part.encoder);
            let can_make = part.choice.is_some() || Shipped::of_label(&part.encoder).is_some();
            if can_make && !is_decoder && !self.are_of(&part.encoder, state)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the vectors of clauses by an encoder are made for this state of the clauses.
    fn are_of(&self, encoder: &str, state: &str) -> Result<bool> {
        let kept = self.workspace.store.read(|r| r.setting(&key(encoder)))?;
        Ok(kept.as_deref() == Some(state))
    }

    /// Whether an encoder has nothing to make: its vectors of clauses are made for this state, its vectors are counted,
    /// or a decoder makes them.
    pub(crate) fn has_clause_vectors(&self, part: &SentenceVectors, state: &str) -> Result<bool> {
        Ok(source(part).is_none() || self.are_of(&part.encoder, state)?)
    }

    /// The vectors of clauses by this encoder. `None` if they are not made for this state of the clauses: a clause
    /// without them would be compared with others in another way.
    pub(crate) fn clause_vectors(
        &self,
        part: &SentenceVectors,
        state: &str,
    ) -> Result<Option<Arc<ClauseVectors>>> {
        if source(part).is_none() || !self.are_of(&part.encoder, state)? {
            return Ok(None);
        }
        let label = label(part);
        let state = self.state_of(&label, state)?;
        let memo = self.workspace.memo::<Known>();
        let mut known = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, vectors)) = known
            .iter()
            .find(|(of, v)| *of == state && v.label == label)
        {
            return Ok(Some(Arc::clone(vectors)));
        }
        let (rows, ids) = match self.scanned(&label, &state) {
            Some(scanned) => scanned,
            None => {
                let kept = self
                    .workspace
                    .store
                    .read(|r| r.embeddings(EmbeddingKind::Sentence, &label))?;
                let Some(kept) = kept else {
                    return Ok(None);
                };
                let (ids, rows) = matrix_of(kept);
                (self.searchable(&label, &state, &ids, rows)?, ids)
            }
        };
        known.retain(|(_, of)| of.label != label);
        if known.len() >= REMEMBERED {
            known.remove(0);
        }
        let vectors = Arc::new(ClauseVectors { label, ids, rows });
        known.push((state, Arc::clone(&vectors)));
        Ok(Some(vectors))
    }

    /// Makes the vectors of these texts by an encoder, batch by batch, and removes those of other texts. Returns how many
    /// were made. `state` is the state of the clauses from which the texts are.
    ///
    /// # Errors
    /// When the worker or the encoder is missing, the workspace cannot be written, or the watcher cancels. Vectors that
    /// were made before that are kept.
    pub(crate) fn make_clause_vectors(
        &self,
        part: &SentenceVectors,
        texts: Vec<ClauseText>,
        state: &str,
        watcher: &dyn Watcher,
    ) -> Result<u64> {
        self.workspace.require_writable()?;
        let Some((base, adapter)) = source(part) else {
            return Ok(0);
        };
        if let Asked::By(encoder) = &part.asked
            && !self.still_reads_so(encoder, &part.encoder)?
        {
            // The encoder was changed since it read the sentences.
            return Ok(0);
        }
        let texts: Vec<Marked> = texts
            .into_iter()
            .map(|one| {
                let id = one.sentence.0 << PART_BITS | i64::from(one.part);
                Marked::new(id, one.text)
            })
            .collect();
        let label = label(part);
        let wanted = Wanted {
            label: &label,
            base: &base,
            adapter,
            read: &Models::of(self.workspace).read_by(&base, adapter)?,
            together: TOGETHER,
            handed_back: false,
        };
        let (_, made, _) = self.completed(&wanted, &texts, watcher)?;
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.set_setting(&key(&part.encoder), state)
        })?;
        Ok(made)
    }

    /// The cosine of a question's vector with each of these vectors, in their order.
    pub(crate) fn clause_cosines(
        &self,
        vectors: &ClauseVectors,
        asked: &[f32],
    ) -> Result<Vec<f32>> {
        self.cosines_with(&vectors.label, &vectors.ids, &vectors.rows, asked)
    }
}

/// The model that makes vectors of further texts as it made those of sentences; `None` if they are counted, or a decoder
/// makes them, which reads one text at a time.
fn source(part: &SentenceVectors) -> Option<(BaseModel, Option<&Path>)> {
    match &part.asked {
        Asked::ByShipped(shipped) => Some((shipped.base(), None)),
        Asked::By(encoder) if !encoder.echo && !encoder.last_token => {
            Some((encoder.base.clone(), encoder.adapter.as_deref()))
        }
        Asked::By(_) | Asked::Counted(_) => None,
    }
}

fn label(part: &SentenceVectors) -> String {
    format!("{} of clauses", part.encoder)
}

/// The setting that tells from which state of the clauses the vectors are.
fn key(encoder: &str) -> String {
    format!("clause_vectors.{encoder}")
}
