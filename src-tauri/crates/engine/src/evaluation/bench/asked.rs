//! The questions of a bench, and which of them a model can read.

use super::asked_vectors::readable;
use crate::evaluation::Evaluations;
use crate::models::{BaseModel, folder_of};
use crate::training::{FrozenItem, Training};
use crate::workspace::Result;
use lexforge_domain::DocumentId;
use lexforge_domain::dataset::Dataset;
use lexforge_domain::protocol::InspectResult;
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use lexforge_text::language::detect;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Models and questions that are remembered while a workspace is open.
const MOST_LOOKS: usize = 32;

/// The questions that systems are asked.
#[derive(Clone, Copy)]
pub(super) enum Questions<'a> {
    /// The test questions of a snapshot.
    OfSnapshot(&'a Dataset, &'a [FrozenItem]),
    /// Questions that are in no snapshot.
    Others(&'a [FrozenItem]),
    /// Questions that belong to no snapshot, with their languages. The languages are given because an attack can change
    /// a text so much that its language cannot be recognised.
    InLanguages(&'a [FrozenItem], &'a [Language]),
    /// Questions that are in no snapshot, for which a decoder, too, is asked for its vectors and nothing else.
    ByVectors(&'a [FrozenItem]),
}

impl<'a> Questions<'a> {
    /// All questions, even those that a system cannot read.
    pub(super) fn items(self) -> &'a [FrozenItem] {
        match self {
            Self::OfSnapshot(_, items)
            | Self::Others(items)
            | Self::InLanguages(items, _)
            | Self::ByVectors(items) => items,
        }
    }

    /// Differs wherever a model could be asked something else.
    fn mark(self) -> [u8; 32] {
        let mut mark = Sha256::new();
        match self {
            Self::OfSnapshot(dataset, _) => {
                mark.update(format!("snapshot {} {}", dataset.id, dataset.hash));
                return mark.finalize().into();
            }
            Self::Others(_) => mark.update("others"),
            Self::InLanguages(_, languages) => {
                let tags: Vec<&str> = languages.iter().map(|language| language.tag()).collect();
                mark.update(format!("in {}", tags.join(" ")));
            }
            Self::ByVectors(_) => mark.update("by vectors"),
        }
        for item in self.items() {
            let (id, draft) = (item.question.id.0, &item.question.draft);
            let text = serde_json::json!([id, item.cluster, draft.question, draft.choices]);
            mark.update(text.to_string());
        }
        mark.finalize().into()
    }
}

/// The questions that a model gets.
pub(super) struct Asked {
    pub(super) model: InspectResult,
    /// The questions that it can read.
    pub(super) items: Vec<FrozenItem>,
    pub(super) vectors_alone: bool,
    /// A decoder also answers without the choices.
    pub(super) open: bool,
}

/// A model in the state in which it was looked at, and the questions.
#[derive(PartialEq, Eq)]
struct Look {
    name: String,
    sha256: String,
    folder: Stamp,
    questions: [u8; 32],
    /// What the languages of a snapshot's questions go by.
    documents: Vec<(DocumentId, Language)>,
}

/// The files of a model's folder: how many, how large together, and when the newest was changed.
type Stamp = (usize, u64, SystemTime);

/// Remembers which questions each model can read, as long as the model's folder does not change. To find this out, a
/// worker must be started. A bench may have many runs of one model, and with this memory the worker is started only
/// once for all of them.
#[derive(Default)]
pub(super) struct Looks(Mutex<Vec<(Look, Arc<Asked>)>>);

impl Looks {
    /// What a model is asked; `look` finds it out if it is not known.
    ///
    /// # Errors
    /// Those of `look`.
    pub(super) fn of(
        &self,
        questions: Questions<'_>,
        base: &BaseModel,
        documents: Vec<(DocumentId, Language)>,
        look: impl FnOnce() -> Result<Asked>,
    ) -> Result<Arc<Asked>> {
        let Some(folder) = folder_of(base).and_then(|folder| stamp(&folder)) else {
            return look().map(Arc::new);
        };
        let key = Look {
            name: base.name.clone(),
            sha256: base.sha256.clone(),
            folder,
            questions: questions.mark(),
            documents,
        };
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known()
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, asked)| Arc::clone(asked));
        if let Some(asked) = found {
            return Ok(asked);
        }
        let asked = Arc::new(look()?);
        let mut all = known();
        all.push((key, Arc::clone(&asked)));
        let over = all.len().saturating_sub(MOST_LOOKS);
        all.drain(..over);
        Ok(asked)
    }
}

fn stamp(folder: &Path) -> Option<Stamp> {
    let (mut count, mut bytes, mut newest) = (0, 0, SystemTime::UNIX_EPOCH);
    for entry in std::fs::read_dir(folder).ok()? {
        let about = std::fs::metadata(entry.ok()?.path()).ok()?;
        count += 1;
        bytes += about.len();
        newest = newest.max(about.modified().ok()?);
    }
    Some((count, bytes, newest))
}

impl Evaluations<'_> {
    /// The questions that a base model can read.
    pub(super) fn asked(&self, questions: Questions<'_>, base: &BaseModel) -> Result<Asked> {
        let dataset = match questions {
            Questions::OfSnapshot(dataset, _) => dataset,
            Questions::InLanguages(items, languages) => {
                return asked_in(items, languages, false, base);
            }
            Questions::Others(items) | Questions::ByVectors(items) => {
                let languages: Vec<Language> = items.iter().map(language_of).collect();
                let vectors_alone = matches!(questions, Questions::ByVectors(_));
                return asked_in(items, &languages, vectors_alone, base);
            }
        };
        let readable = Training::of(self.workspace).readable(dataset, base)?;
        let items: Vec<FrozenItem> = readable
            .items
            .into_iter()
            .filter(|item| item.question.split == Split::Test)
            .collect();
        Ok(Asked {
            model: readable.model,
            items,
            vectors_alone: false,
            open: true,
        })
    }
}

/// The language in which a question is asked.
pub(super) fn language_of(item: &FrozenItem) -> Language {
    let draft = &item.question.draft;
    detect(&format!("{} {}", draft.question, draft.choices.join(" ")))
}

/// The questions that a base model reads, by the language of each.
fn asked_in(
    items: &[FrozenItem],
    languages: &[Language],
    vectors_alone: bool,
    base: &BaseModel,
) -> Result<Asked> {
    let questions = items
        .iter()
        .map(|item| item.question.draft.question.as_str());
    let texts: Vec<(Language, &str)> = languages.iter().copied().zip(questions).collect();
    let (model, read) = readable(base, &texts)?;
    let items = read.into_iter().map(|place| items[place].clone()).collect();
    Ok(Asked {
        model,
        items,
        vectors_alone,
        open: false,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
