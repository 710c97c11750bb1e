//! The items of a snapshot, and which of them a base model can read.

use super::Training;
use crate::graph::full_width_punctuation;
use crate::models::{BaseModel, DEFAULT_ENCODER, inspect, suits_minilm};
use crate::workspace::Result;
use lexforge_domain::dataset::Dataset;
use lexforge_domain::protocol::{InspectResult, TrainItem};
use lexforge_domain::qca::{Qca, Split};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy, SentenceId};
use lexforge_store::DatasetItem;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// Questions of a language on which a tokenizer is tried.
pub(crate) const SAMPLE: usize = 100;

/// A snapshot's item as the freeze step wrote it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FrozenItem {
    pub(crate) question: Qca,
    pub(crate) cluster: i64,
    pub(crate) answer_group: i64,
}

/// How many items each cluster has.
pub(crate) fn cluster_sizes<'i>(items: impl IntoIterator<Item = &'i FrozenItem>) -> Vec<usize> {
    let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
    for item in items {
        *sizes.entry(item.cluster).or_default() += 1;
    }
    sizes.into_values().collect()
}

/// A snapshot's items that a base model can read, and what is known of the model.
pub(crate) struct Readable {
    pub(crate) model: InspectResult,
    pub(crate) items: Vec<FrozenItem>,
    /// Text of each anchor.
    pub(crate) rules: HashMap<SentenceId, String>,
    /// Questions in languages that it cannot read.
    pub(crate) unread: BTreeMap<Language, usize>,
}

impl Training<'_> {
    /// The items of a snapshot that a base model can read. For the default encoder these are the English items, because
    /// it was trained on English. For any other model they are the items in languages that its vocabulary covers.
    ///
    /// # Errors
    /// When the worker or the model is missing.
    pub(crate) fn readable(&self, dataset: &Dataset, base: &BaseModel) -> Result<Readable> {
        let (rows, documents) = self
            .workspace
            .store
            .read(|r| Ok((r.dataset_items(dataset.id, None)?, r.documents()?)))?;
        let languages: HashMap<_, _> = documents.into_iter().map(|d| (d.id, d.language)).collect();
        let items = rows.iter().map(frozen).collect::<Result<Vec<_>>>()?;
        let anchors: Vec<SentenceId> = items
            .iter()
            .map(|i| i.question.draft.anchor_sentence)
            .collect();
        let sentences = self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&anchors))?;
        let mut rules = HashMap::new();
        let mut language_of: HashMap<SentenceId, Language> = HashMap::new();
        for sentence in sentences {
            let language = languages
                .get(&sentence.document)
                .copied()
                .unwrap_or(Language::Other);
            language_of.insert(sentence.id, language);
            // In the same form as when the questions were written.
            let chinese = language == Language::Zh;
            rules.insert(
                sentence.id,
                if chinese {
                    full_width_punctuation(&sentence.text)
                } else {
                    sentence.text
                },
            );
        }
        let language = |i: &FrozenItem| {
            language_of
                .get(&i.question.draft.anchor_sentence)
                .copied()
                .unwrap_or(Language::Other)
        };
        let mut by_language: BTreeMap<Language, Vec<&FrozenItem>> = BTreeMap::new();
        items
            .iter()
            .for_each(|i| by_language.entry(language(i)).or_default().push(i));
        let sample: Vec<(Language, &str)> = by_language
            .iter()
            .flat_map(|(language, items)| items.iter().take(SAMPLE).map(|i| (*language, i)))
            .map(|(language, i)| (language, i.question.draft.question.as_str()))
            .collect();
        let model = inspect(base, None, &sample)?;
        let reads = |language: Language| reads(base, &model, language);
        let unread: BTreeMap<Language, usize> = by_language
            .iter()
            .filter(|(l, _)| !reads(**l))
            .map(|(l, items)| (*l, items.len()))
            .collect();
        let items: Vec<FrozenItem> = items
            .iter()
            .filter(|i| reads(language(i)))
            .cloned()
            .collect();
        Ok(Readable {
            model,
            items,
            rules,
            unread,
        })
    }
}

/// Whether a base model reads a language. `model` describes it after it was tried on texts of that language. The
/// default encoder reads only English, on which it was trained. Any other model reads the languages that its vocabulary
/// covers.
pub(crate) fn reads(base: &BaseModel, model: &InspectResult, language: Language) -> bool {
    if base.name == DEFAULT_ENCODER {
        return suits_minilm(language);
    }
    model
        .vocabulary_use
        .iter()
        .any(|u| u.language == language && u.has_the_language())
}

impl Training<'_> {
    /// The test questions of a snapshot.
    pub(crate) fn test_items(&self, dataset: &Dataset) -> Result<Vec<FrozenItem>> {
        let store = &self.workspace.store;
        let rows = store.read(|r| r.dataset_items(dataset.id, Some(Split::Test)))?;
        rows.iter().map(frozen).collect()
    }
}

impl Readable {
    /// Why there is nothing that the model can read.
    pub(crate) fn nothing_to_read(&self) -> Failure {
        let name = &self.model.name;
        if name == DEFAULT_ENCODER {
            return Failure::new(
                Code::LanguageUnsupported,
                format!(
                    "{DEFAULT_ENCODER} reads English only, and the snapshot has no English question."
                ),
                "Graph and questions are there. To tune on this corpus, use a model that reads its language.",
            );
        }
        let languages: Vec<&str> = self.unread.keys().map(|l| l.tag()).collect();
        Failure::new(
            Code::LanguageUnsupported,
            format!(
                "The vocabulary of {name} has no tokens for the language of the snapshot's questions ({}).",
                languages.join(", ")
            ),
            Remedy::ChooseModelOfLanguage,
        )
    }

    /// Whether the model can read any question of the test part.
    pub(crate) fn has_test_item(&self) -> bool {
        self.items
            .iter()
            .any(|item| item.question.split == Split::Test)
    }

    /// Why a run of the model cannot be evaluated: it reads no question of the test part.
    pub(crate) fn nothing_to_test(&self) -> Failure {
        let advice = if self.unread.is_empty() {
            "Import more documents, then build graph, questions and snapshot again."
        } else {
            "The snapshot also has questions in languages that the model does not read: train one that reads them, or \
             import more documents in its language, then build graph, questions and snapshot again."
        };
        Failure::new(
            Code::TooLittleData,
            "The snapshot has no test question for this model.",
            advice,
        )
    }

    /// Warnings if the model does not read the language of some questions, or of all test questions. Empty if it reads
    /// no question at all. Without a warning now, a user would learn only after the whole training that the run cannot
    /// be evaluated.
    pub(super) fn warned(&self) -> Vec<String> {
        if self.items.is_empty() {
            return Vec::new();
        }
        let mut warned: Vec<String> = self.left_unread().collect();
        if !self.has_test_item() {
            warned.push(
                "The test part has no question that the model reads: the run cannot be evaluated on this snapshot."
                    .to_owned(),
            );
        }
        warned
    }

    /// A warning for each language whose questions the model does not read.
    pub(super) fn left_unread(&self) -> impl Iterator<Item = String> {
        self.unread.iter().map(|(language, n)| {
            format!(
                "Questions in the language {} are left out ({n}): {} does not read it.",
                language.tag(),
                self.model.name
            )
        })
    }

    pub(super) fn train_items(&self, split: Split) -> Vec<TrainItem> {
        self.items
            .iter()
            .filter(|i| i.question.split == split)
            .map(|i| self.train_item(i))
            .collect()
    }

    pub(super) fn train_item(&self, item: &FrozenItem) -> TrainItem {
        let draft = &item.question.draft;
        let (answer, negatives): (Vec<_>, Vec<_>) = draft
            .choices
            .iter()
            .cloned()
            .enumerate()
            .partition(|(at, _)| *at == draft.answer);
        TrainItem {
            id: item.question.id.0,
            anchor: draft.anchor_sentence.0,
            question: draft.question.clone(),
            answer: answer
                .into_iter()
                .map(|(_, text)| text)
                .next()
                .unwrap_or_default(),
            negatives: negatives.into_iter().map(|(_, text)| text).collect(),
            answer_group: item.answer_group,
            level: draft.level,
            rephrased: draft.rephrased.clone(),
            rule: self
                .rules
                .get(&draft.anchor_sentence)
                .cloned()
                .unwrap_or_default(),
        }
    }
}

/// Read an item back from its snapshot.
pub(crate) fn frozen(item: &DatasetItem) -> Result<FrozenItem> {
    serde_json::from_str(&item.json).map_err(|e| {
        Failure::new(
            Code::WorkspaceInvalid,
            format!("An item of the snapshot cannot be read: {e}."),
            Remedy::VerifyAndFreezeAgain,
        )
    })
}
