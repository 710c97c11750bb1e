//! Tuning on labelled questions. An encoder is tuned so that questions find the clauses that answer them. A
//! cross-encoder is tuned so that the first clauses are in the right order.

use super::Answering;
use super::clauses::Clauses;
use super::taught::{Unlabelled, taught};
use super::to_learn::{ToLearn, left_out};
use crate::models::{BaseModel, Models, hindrances, inspect};
use crate::training::{
    DEV_FILE, Decided, ItemCounts, PASSAGES_FILE, Recipe, TRAIN_FILE, Training, job_of, readable,
};
use crate::workspace::{Result, Watcher, cancelled, tell};
use lexforge_domain::api::{Preset, RunPlan, RunRow, Stage, TrainRequest};
use lexforge_domain::protocol::{
    InspectResult, Lineage, RetrievalItem, RetrievalPassage, Taught, TrainJob,
};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Questions from which an encoder can be tuned.
const FEWEST: usize = 20;
/// Share of the questions that is held out, and their greatest number.
const HELD_OUT: (f64, usize) = (0.05, 150);

/// A tuning with everything decided.
struct Tuning {
    base: BaseModel,
    model: InspectResult,
    recipe: Recipe,
    train: Vec<RetrievalItem>,
    dev: Vec<RetrievalItem>,
    /// Questions without a label, from which a teacher's ranking is learnt.
    unlabelled: Vec<Unlabelled>,
    /// Documents that are held out, by their place.
    held_out: Vec<u32>,
    problems: Vec<Failure>,
}

impl Answering<'_> {
    /// Tunes an encoder on labelled questions. A worker process does the run, and goes on when this process ends.
    ///
    /// # Errors
    /// When there are too few labelled questions, the request makes no sense, or the worker or the model is missing.
    pub fn tune(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        let mut tuning = self.tuning(request)?;
        if let Some(problem) = tuning.problems.drain(..).next() {
            return Err(problem);
        }
        let clauses = self.clauses()?;
        if tuning.recipe.preset == Preset::Rerank {
            let (train, dev) = (&tuning.train, &tuning.dev);
            let items = self.rerank_items(&clauses, train, dev, &tuning.held_out, watcher)?;
            if items.train.is_empty() {
                return Err(nothing_beside());
            }
            return self.start(
                &tuning,
                request,
                (&items.train[..], &items.dev[..], &items.passages[..]),
                None,
                watcher,
            );
        }
        let (mut train, mut dev) = (
            std::mem::take(&mut tuning.train),
            std::mem::take(&mut tuning.dev),
        );
        let mut unlabelled = std::mem::take(&mut tuning.unlabelled);
        let all = (train.len() + dev.len()) as u64;
        for (done, item) in train.iter_mut().chain(&mut dev).enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("No run was started."));
            }
            tell(watcher, Stage::Train, "questions", done as u64, all);
            item.by_words = self.by_words(&item.question, &clauses)?;
        }
        let taught: Option<Taught> = match request.distillation {
            Some(_) => Some(self.teach(&mut train, &mut unlabelled, request.teacher, watcher)?),
            None => None,
        };
        train.extend(unlabelled.into_iter().map(|one| one.item));
        let passages = self.passages(&clauses)?;
        self.start(
            &tuning,
            request,
            (&train[..], &dev[..], &passages[..]),
            taught,
            watcher,
        )
    }

    /// Starts a worker on items and what they speak of.
    fn start<T: Serialize>(
        &self,
        tuning: &Tuning,
        request: &TrainRequest,
        (train, dev, passages): (&[T], &[T], &[RetrievalPassage]),
        taught: Option<Taught>,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let Tuning {
            base,
            model,
            recipe,
            ..
        } = tuning;
        let mut data = Sha256::new();
        for item in train.iter().chain(dev) {
            data.update(serde_json::json!(item).to_string());
        }
        for passage in passages {
            data.update(&passage.text);
            data.update(passage.clause.to_le_bytes());
        }
        let lineage = Lineage {
            dataset: hex::encode(data.finalize()),
            corpus: self.clauses()?.corpus.clone(),
            policy: "labelled questions".to_owned(),
            taught,
            ..Lineage::default()
        };
        let job = TrainJob {
            passages: Some(PASSAGES_FILE.to_owned()),
            ..job_of(recipe, base, model, lineage)
        };
        let decided = Decided {
            label: recipe.label(),
            base: base.clone(),
            dataset: None,
            job,
            start_from: request.start_from,
            on: request.on.clone(),
        };
        Training::of(self.workspace).start(
            decided,
            |bundle| {
                bundle.write_jsonl(TRAIN_FILE, train)?;
                bundle.write_jsonl(DEV_FILE, dev)?;
                bundle.write_jsonl(PASSAGES_FILE, passages)?;
                Ok(())
            },
            watcher,
        )
    }

    /// Says what the tuning would do and need, but starts nothing. `problems` lists everything that would prevent it.
    ///
    /// # Errors
    /// As [`Answering::tune`], except for what is listed in `problems`.
    pub(crate) fn plan_tuning(&self, request: &TrainRequest) -> Result<RunPlan> {
        let tuning = self.tuning(request)?;
        let model = match tuning.problems.is_empty() {
            true => inspect(&tuning.base, Some(&tuning.recipe.settings), &[])?,
            false => tuning.model,
        };
        let labelled = items_of(&tuning.train, request);
        let without = tuning.unlabelled.len();
        let taught = match request.distillation {
            Some(_) => {
                let questions = tuning.train.iter().map(|item| item.question.as_str());
                let index = self.index_for(&questions.collect::<Vec<_>>())?;
                Some(Taught {
                    labelled: tuning.train.len() as u64,
                    ordered_by: request.teacher,
                    ..taught(&index, &tuning.unlabelled)
                })
            }
            None => None,
        };
        Ok(RunPlan {
            taught,
            ..tuning
                .recipe
                .plan(model, (labelled + without) as u64, tuning.problems)
        })
    }

    /// Decides everything but what takes long: what the words of each question find.
    fn tuning(&self, request: &TrainRequest) -> Result<Tuning> {
        let base = Models::of(self.workspace).base(request.base.as_deref())?;
        let clauses = self.clauses()?;
        let ToLearn {
            labelled,
            inconsistent,
        } = self.questions_to_learn(request.learn_from, &clauses)?;
        let mut by_language: BTreeMap<Language, Vec<&str>> = BTreeMap::new();
        for one in &labelled {
            let clause = one.clauses.first().copied();
            let document = clause.and_then(|clause| clauses.document_of(clause));
            let language = document.map_or(Language::Other, |document| document.language);
            let texts = by_language.entry(language).or_default();
            texts.push(&one.question);
        }
        let (model, unread) = readable(&base, &by_language)?;
        let mut problems = hindrances(&model);
        if labelled.len() < FEWEST {
            problems.push(Failure::new(
                Code::TooLittleData,
                format!(
                    "There are {} questions whose answering clauses are known; an encoder is tuned on {FEWEST} or more.",
                    labelled.len()
                ),
                "Judge answers as right, bring in a file of questions with the passages that answer them, or write questions \
                 for the workspace's sentences.",
            ));
        }
        let items = labelled.into_iter().map(|one| RetrievalItem {
            id: one.id,
            question: one.question,
            clauses: one.clauses,
            by_words: Vec::new(),
            teacher: Vec::new(),
        });
        let seed = request.seed.unwrap_or(crate::workspace::DEFAULT_SEED);
        let HeldOut {
            train,
            dev,
            documents,
        } = held_out(items.collect(), &clauses.document, seed);
        let unlabelled = match request.distillation {
            Some(how) if how.unlabelled => {
                let known = train.iter().chain(&dev);
                let known: Vec<&str> = known.map(|item| item.question.as_str()).collect();
                let documents = documents.iter();
                let documents =
                    documents.filter_map(|place| clauses.documents.get(*place as usize));
                let documents: HashSet<_> = documents.map(|document| document.id).collect();
                self.unlabelled(&clauses, &known, &documents, seed)?
            }
            _ => Vec::new(),
        };
        if let Some(run) = request.teacher {
            if request.distillation.is_none() {
                return Err(Failure::new(
                    Code::InvalidRequest,
                    "A teacher is named, and no ranking of it is to be learnt.",
                    "Say which share of the loss its ranking is to be, or name no teacher.",
                ));
            }
            problems.extend(self.teacher(run).err());
        }
        let mut recipe = Recipe::of(
            &TrainRequest {
                preset: request.preset.or(Some(Preset::Retrieval)),
                ..request.clone()
            },
            &model,
            ItemCounts::labelled(items_of(&train, request) + unlabelled.len()),
        )?;
        recipe.warnings.extend(left_out(inconsistent));
        recipe.warnings.extend(unread.iter().map(|(language, n)| {
            format!(
                "Questions in the language {} ({n}) are not read by {}: choose an encoder that reads it.",
                language.tag(),
                model.name
            )
        }));
        Ok(Tuning {
            base,
            model,
            recipe,
            train,
            dev,
            unlabelled,
            held_out: documents,
            problems,
        })
    }

    /// Every sentence that is in a clause.
    fn passages(&self, clauses: &Clauses) -> Result<Vec<RetrievalPassage>> {
        let mut passages = Vec::new();
        for document in &clauses.documents {
            let sentences = self
                .workspace
                .store
                .read(|r| r.sentences(Some(document.id)))?;
            passages.extend(sentences.into_iter().filter_map(|sentence| {
                let clause = clauses.map.clause(sentence.id)?;
                let text = sentence.text;
                Some(RetrievalPassage { text, clause })
            }));
        }
        Ok(passages)
    }
}

fn nothing_beside() -> Failure {
    Failure::new(
        Code::TooLittleData,
        "The search finds no other clause beside those that answer the questions, and a cross-encoder learns to tell them apart.",
        "Import more documents, or bring in questions about those that are there.",
    )
}

/// How many items of the stage these questions are.
fn items_of(questions: &[RetrievalItem], request: &TrainRequest) -> usize {
    let alone = request.distillation.is_some_and(|d| d.is_alone());
    questions.iter().map(|item| item.items(alone)).sum()
}

/// Questions to learn from, and what is held out.
pub(super) struct HeldOut {
    pub train: Vec<RetrievalItem>,
    pub dev: Vec<RetrievalItem>,
    /// Documents that are held out, by their place.
    pub documents: Vec<u32>,
}

/// Divides questions into those to learn from and those held out. Whole documents are held out, so that no held-out
/// question is about a clause that a training question is about. If there is only one document, single questions are
/// held out.
pub(super) fn held_out(items: Vec<RetrievalItem>, document: &[u32], seed: u64) -> HeldOut {
    let of = |clause: &u32| document.get(*clause as usize).copied().unwrap_or_default();
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for item in &items {
        *sizes.entry(item.clauses.first().map_or(0, of)).or_default() += 1;
    }
    let wanted = ((items.len() as f64 * HELD_OUT.0).ceil() as usize).min(HELD_OUT.1);
    // The order depends only on the seed.
    let drawn = |what: &str, number: usize| -> [u8; 32] {
        Sha256::digest(format!("{seed} {what} {number}")).into()
    };
    let mut documents: Vec<u32> = sizes.keys().copied().collect();
    documents.sort_by_key(|document| drawn("document", *document as usize));
    let (mut chosen, mut n) = (Vec::new(), 0);
    for document in documents {
        let more = sizes[&document];
        // A document with a large part of the questions is needed to learn from.
        if n < wanted && n + more <= 2 * wanted {
            n += more;
            chosen.push(document);
        }
    }
    let mut numbers: Vec<usize> = (0..items.len()).collect();
    numbers.sort_by_key(|number| drawn("question", *number));
    let single: Vec<usize> = match chosen.is_empty() {
        true => numbers.into_iter().take(wanted).collect(),
        false => Vec::new(),
    };
    let (mut train, mut dev) = (Vec::new(), Vec::new());
    for (number, item) in items.into_iter().enumerate() {
        let about = |chosen: &[u32]| {
            item.clauses
                .iter()
                .any(|clause| chosen.contains(&of(clause)))
        };
        if single.contains(&number) || about(&chosen) {
            dev.push(item);
        } else {
            train.push(item);
        }
    }
    dev.truncate(HELD_OUT.1);
    HeldOut {
        train,
        dev,
        documents: chosen,
    }
}

#[cfg(test)]
mod tests;
