//! Tuning an encoder on triplets. The encoder learns to distinguish texts that differ in meaning but hardly in words
//! (docs/methods.md, "Financial embeddings").

use super::Training;
use super::item_counts::ItemCounts;
use super::recipe::Recipe;
use super::train::{DEV_FILE, Decided, TRAIN_FILE, job_of};
use crate::models::{BaseModel, Models, hindrances, inspect, reads};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{
    NewTriplet, Preset, RunPlan, RunRow, TrainRequest, TripletFilter, TripletRow,
};
use lexforge_domain::protocol::{InspectResult, Lineage, Taught, TripletItem};
use lexforge_domain::qca::Split;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_graph::near::near_pairs;
use lexforge_text::language;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashSet};

/// Triplets on which an encoder can be tuned.
const FEWEST: usize = 20;
/// Sources a language by which it is seen whether a model has tokens for it.
const SAMPLE: usize = 50;

/// A tuning on triplets, or on other items that are in no snapshot, with everything decided.
pub(crate) struct TripletTuning<I = TripletItem> {
    pub(crate) base: BaseModel,
    pub(crate) model: InspectResult,
    pub(crate) recipe: Recipe,
    pub(crate) train: Vec<I>,
    pub(crate) dev: Vec<I>,
    /// The source of the triplets, for the run's record.
    pub(crate) policy: String,
    /// Whose margins they have, where it is a teacher of this workspace.
    pub(crate) taught: Option<Taught>,
    /// What stops it.
    pub(crate) problems: Vec<Failure>,
}

impl Training<'_> {
    /// Tunes an encoder on the workspace's triplets. A worker process does the run. It continues after this process has
    /// ended.
    ///
    /// # Errors
    /// When there are too few triplets, the request makes no sense, or the worker or the model is missing.
    pub(crate) fn train_on_triplets(
        &self,
        request: &TrainRequest,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let tuning = self.tuning(request)?;
        self.start_tuning(tuning, request.on.clone(), watcher)
    }

    /// Starts a tuning that is decided, on the target of this name or here.
    pub(crate) fn start_tuning<I: Serialize>(
        &self,
        tuning: TripletTuning<I>,
        on: Option<String>,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let TripletTuning {
            base,
            model,
            recipe,
            train,
            dev,
            policy,
            taught,
            problems,
        } = tuning;
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        let mut data = Sha256::new();
        for item in train.iter().chain(&dev) {
            data.update(serde_json::json!(item).to_string());
        }
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let lineage = Lineage {
            dataset: hex::encode(data.finalize()),
            corpus,
            policy,
            taught,
            ..Lineage::default()
        };
        let job = job_of(&recipe, &base, &model, lineage);
        let decided = Decided {
            label: recipe.label(),
            base,
            dataset: None,
            job,
            start_from: recipe.start_from,
            on,
        };
        self.start(
            decided,
            |bundle| {
                bundle.write_jsonl(TRAIN_FILE, &train)?;
                bundle.write_jsonl(DEV_FILE, &dev)?;
                Ok(())
            },
            watcher,
        )
    }

    /// Says what a tuning on triplets would do and need, but starts nothing. `problems` lists everything that would
    /// prevent it.
    ///
    /// # Errors
    /// As `train_on_triplets`, except for what is listed in `problems`.
    pub fn plan_triplets(&self, request: &TrainRequest) -> Result<RunPlan> {
        self.tuning(request)?.plan()
    }

    fn tuning(&self, request: &TrainRequest) -> Result<TripletTuning> {
        let rows = self
            .workspace
            .store
            .read(|r| r.triplets(&TripletFilter::default()))?
            .rows;
        let mut others = Others::of(&rows);
        let used: Vec<TripletRow> = rows.into_iter().filter(TripletRow::is_used).collect();
        let base = Models::of(self.workspace).base(request.base.as_deref())?;
        let mut by_language: BTreeMap<Language, Vec<&str>> = BTreeMap::new();
        for row in &used {
            let texts = by_language.entry(row.triplet.language).or_default();
            texts.push(&row.triplet.source);
            if let Some(other) = other_language(&row.triplet) {
                let texts = by_language.entry(other).or_default();
                texts.push(&row.triplet.positive);
            }
        }
        let (model, unread) = readable(&base, &by_language)?;
        let mut problems = hindrances(&model);
        let read = |row: &&TripletRow| {
            let other = other_language(&row.triplet);
            let mut languages = [Some(row.triplet.language), other].into_iter().flatten();
            languages.all(|language| !unread.contains_key(&language))
        };
        let of = |split: Split| -> Vec<&TripletRow> {
            let rows = used.iter().filter(read);
            rows.filter(|row| row.triplet.split == split).collect()
        };
        let held_out = [of(Split::Dev), of(Split::Test)].concat();
        let texts = |row: &&TripletRow| {
            let triplet = &row.triplet;
            [&triplet.source, &triplet.positive, &triplet.negative].map(String::clone)
        };
        let (train, leaked) = without_leaks(of(Split::Train), &held_out, texts);
        others.unread = used.iter().filter(|row| !read(row)).count();
        (others.held_out, others.leaked) = (held_out.len(), leaked);
        if train.len() < FEWEST {
            problems.push(others.too_few(train.len(), &model.name));
        }
        let mut recipe = Recipe::of(
            &TrainRequest {
                preset: Some(Preset::Nmixx),
                ..request.clone()
            },
            &model,
            ItemCounts::triplets(train.len()),
        )?;
        recipe.warnings.extend(left_out(&unread, &model, leaked));
        let Others {
            rejected, disputed, ..
        } = others;
        if rejected + disputed > 0 {
            recipe.warnings.push(format!(
                "Triplets are left out: {rejected} that reviewers rejected, and {disputed} about which reviewers differ."
            ));
        }
        let all = train.len() + held_out.len();
        let reviewed = train.iter().chain(&held_out);
        let unreviewed = reviewed
            .filter(|row| row.status == ReviewStatus::Unreviewed)
            .count();
        if unreviewed > 0 {
            recipe.warnings.push(format!(
                "{} of {all} triplets have been reviewed.",
                all - unreviewed
            ));
        }
        let policy = match unreviewed {
            0 => "triplets, all reviewed".to_owned(),
            n => format!("triplets, {n} unreviewed (automatic)"),
        };
        Ok(TripletTuning {
            base,
            model,
            recipe,
            train: train.into_iter().map(item).collect(),
            dev: of(Split::Dev).into_iter().map(item).collect(),
            policy,
            taught: None,
            problems,
        })
    }
}

/// The triplets that nothing is learned from, each counted for one reason.
#[derive(Debug, Default, PartialEq, Eq)]
struct Others {
    /// They did not pass a check.
    unchecked: usize,
    rejected: usize,
    disputed: usize,
    unread: usize,
    held_out: usize,
    /// Nearly the same text is held out.
    leaked: usize,
}

impl Others {
    /// Those that are left out whatever the model is.
    fn of(rows: &[TripletRow]) -> Self {
        let count = |status: Option<ReviewStatus>| {
            let rows = rows.iter().filter(|row| match status {
                None => row.triplet.reason.is_some(),
                Some(status) => row.triplet.reason.is_none() && row.status == status,
            });
            rows.count()
        };
        Self {
            unchecked: count(None),
            rejected: count(Some(ReviewStatus::Rejected)),
            disputed: count(Some(ReviewStatus::Conflict)),
            ..Self::default()
        }
    }

    /// That so many are too few, and why the others are left out.
    fn too_few(&self, train: usize, model: &str) -> Failure {
        let Self {
            unchecked,
            rejected,
            disputed,
            unread,
            held_out,
            leaked,
        } = self;
        Failure::new(
            Code::TooLittleData,
            format!(
                "There are {train} triplets to learn from that {model} reads; an encoder is tuned on {FEWEST} or more. Left out: {held_out} that are kept for testing, {leaked} that are nearly the same as one of those, {unread} in a language that the model does not read, {rejected} that reviewers rejected, {disputed} about which reviewers differ, and {unchecked} that failed a check."
            ),
            Remedy::MakeTriplets,
        )
    }
}

impl<I> TripletTuning<I> {
    /// What this tuning would do and need.
    pub(crate) fn plan(self) -> Result<RunPlan> {
        let model = match self.problems.is_empty() {
            true => inspect(&self.base, Some(&self.recipe.settings), &[])?,
            false => self.model,
        };
        let items = self.train.len() as u64;
        Ok(self.recipe.plan(model, items, self.problems))
    }
}

/// The model, and how many texts there are of each language that it does not read.
pub(crate) fn readable(
    base: &BaseModel,
    by_language: &BTreeMap<Language, Vec<&str>>,
) -> Result<(InspectResult, BTreeMap<Language, usize>)> {
    let sample: Vec<(Language, &str)> = by_language
        .iter()
        .flat_map(|(language, texts)| texts.iter().take(SAMPLE).map(|text| (*language, *text)))
        .collect();
    let model = inspect(base, None, &sample)?;
    let unread = by_language
        .iter()
        .filter(|(language, _)| !reads(base, &model, **language));
    let unread = unread.map(|(language, texts)| (*language, texts.len()));
    let unread = unread.collect();
    Ok((model, unread))
}

/// Warnings about triplets that are left out: those in languages that the model does not read, and those that nearly
/// equal a held-out one.
pub(crate) fn left_out(
    unread: &BTreeMap<Language, usize>,
    model: &InspectResult,
    leaked: usize,
) -> Vec<String> {
    let unread = unread.iter().map(|(language, n)| {
        format!(
            "Triplets in the language {} are left out ({n}): {} does not read it.",
            language.tag(),
            model.name
        )
    });
    let leaked = (leaked > 0).then(|| {
        format!(
            "Training triplets of which nearly the same text is held out are left out: {leaked}."
        )
    });
    unread.chain(leaked).collect()
}

/// The training triplets without those that have a held-out text, or nearly one; and how many were left out.
pub(crate) fn without_leaks<T, const N: usize>(
    train: Vec<T>,
    held_out: &[T],
    texts: impl Fn(&T) -> [String; N],
) -> (Vec<T>, usize) {
    let border = N * train.len();
    let all: Vec<String> = train.iter().chain(held_out).flat_map(texts).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let leaks = near_pairs(&all, |a, b| a < border && b >= border);
    let leaked: HashSet<usize> = leaks.into_iter().map(|pair| pair.a / N).collect();
    let kept = train.into_iter().enumerate();
    let kept = kept.filter(|(place, _)| !leaked.contains(place));
    (kept.map(|(_, item)| item).collect(), leaked.len())
}

/// The language of a positive that is a translation: a model has to read both.
fn other_language(triplet: &NewTriplet) -> Option<Language> {
    let found = language::detect(&triplet.positive);
    let own = [triplet.language, Language::Other];
    (!triplet.positive.is_empty() && !own.contains(&found)).then_some(found)
}

fn item(row: &TripletRow) -> TripletItem {
    let triplet = &row.triplet;
    TripletItem {
        id: row.id.0,
        group: triplet.group,
        source: triplet.source.clone(),
        positive: triplet.positive.clone(),
        negative: triplet.negative.clone(),
        margin: triplet.margin,
    }
}

#[cfg(test)]
mod tests;
