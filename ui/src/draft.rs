//! What a person has chosen and typed for the next run, and the request that it makes.

pub use crate::choices::{ADDED, stages_of};
use crate::swept::Swept;
use lexforge_domain::RunId;
use lexforge_domain::api::{Preset, RunDetail, SweepRequest, TrainRequest};
use lexforge_domain::protocol::{
    Distillation, LABELS_ARE_COMPLETE, MemoryAdvice, Objective, Precision, StageSpec,
    TokenLossKind, TrainSettings, Tune,
};
use std::collections::BTreeMap;
use std::str::FromStr;

/// A figure of the recipe that can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// Epochs of each stage.
    Epochs,
    /// Items an optimiser step.
    Batch,
    /// Most items computed at a time.
    MicroBatch,
    /// Peak learning rate.
    Rate,
    /// Temperature τ.
    Temperature,
    /// Most steps of each stage.
    MaxSteps,
    /// Longest input in tokens.
    MaxLength,
    /// Rank of the adapter.
    Rank,
    /// After how many layers terms are read.
    TermLayer,
    /// Looks without improvement after which a stage ends.
    Patience,
    Seed,
    Threads,
    /// Steps between checkpoints.
    CheckpointEvery,
}

impl Figure {
    /// The figures that are always in view.
    pub const FIRST: [Self; 4] = [Self::Batch, Self::Rate, Self::Epochs, Self::MaxSteps];
    /// The figures that are folded away.
    pub const MORE: [Self; 9] = [
        Self::MicroBatch,
        Self::MaxLength,
        Self::Rank,
        Self::Temperature,
        Self::TermLayer,
        Self::Patience,
        Self::CheckpointEvery,
        Self::Seed,
        Self::Threads,
    ];

    /// Its name in element ids and in the locale files.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Epochs => "epochs",
            Self::Batch => "batch",
            Self::MicroBatch => "micro_batch",
            Self::Rate => "rate",
            Self::Temperature => "temperature",
            Self::MaxSteps => "steps",
            Self::MaxLength => "max_length",
            Self::Rank => "rank",
            Self::TermLayer => "term_layer",
            Self::Patience => "patience",
            Self::Seed => "seed",
            Self::Threads => "threads",
            Self::CheckpointEvery => "checkpoint_every",
        }
    }

    /// Whether a text is empty (the recipe's own value) or a value that makes sense.
    pub fn takes(self, text: &str) -> bool {
        match self {
            Self::Rate => value(text, |n: &f64| *n > 0.0 && *n < 1.0).is_some(),
            Self::Temperature => value(text, |n: &f64| *n > 0.0 && n.is_finite()).is_some(),
            Self::Batch => value(text, |n: &usize| *n > 1).is_some(),
            Self::MaxLength => value(text, |n: &usize| *n > 15).is_some(),
            Self::Seed => value(text, |_: &u64| true).is_some(),
            Self::Threads => value(text, |n: &usize| *n < 1024).is_some(),
            _ => value(text, |n: &usize| *n > 0).is_some(),
        }
    }
}

/// The next run as it is in the form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The recipe; none = the one that suits the base.
    pub preset: Option<Preset>,
    /// The recipe that was in use before a folder was chosen whose kind is not known yet.
    pub wanted: Option<Preset>,
    /// The base model; none = the product's own.
    pub base: Option<String>,
    /// Folders that were chosen as base models in this window.
    pub folders: Vec<String>,
    /// Stages that are left out.
    pub without: Vec<String>,
    /// Stages that are added to the recipe's.
    pub with: Vec<String>,
    /// The token stage's loss.
    pub token_loss: Option<TokenLossKind>,
    /// How the ranking of the search as it is is learnt, too.
    pub distillation: Option<Distillation>,
    /// Labels name every clause that answers, so that all others are learnt as wrong ones.
    pub complete_labels: bool,
    /// Figures as they were typed.
    pub figures: BTreeMap<Figure, String>,
    /// All weights of an encoder are tuned instead of a low-rank adapter.
    pub all_weights: bool,
    /// Type of the frozen weights.
    pub precision: Option<Precision>,
    /// Compute layers again instead of keeping what they saw.
    pub checkpointing: Option<bool>,
    /// The machine that computes; none = this one.
    pub on: Option<String>,
    /// The run whose result is trained further; none = the base model is trained as it is.
    pub start_from: Option<RunId>,
    /// The figures for which several values are tried.
    pub swept: Swept,
}

impl Draft {
    /// Chooses another recipe, with its own settings. The base stays, and so does the run that the training continues,
    /// with its way of tuning.
    pub fn choose(&mut self, preset: Preset) {
        let (base, folders) = (self.base.take(), std::mem::take(&mut self.folders));
        let (on, start_from) = (self.on.take(), self.start_from);
        *self = Self {
            preset: Some(preset),
            base,
            folders,
            on,
            start_from,
            all_weights: self.all_weights && start_from.is_some(),
            ..Self::default()
        };
    }

    /// Trains further what a run has made: on its base model, in its way of tuning, with its rank.
    pub fn go_on_from(&mut self, run: &RunDetail) {
        self.start_from = Some(run.run.id);
        self.base = Some(run.run.base.clone());
        self.all_weights = run.settings.tune == Tune::All;
        self.figures.remove(&Figure::Rank);
    }

    /// The recipe as it is, without what was changed.
    pub fn reset(&mut self) {
        if let Some(preset) = self.preset {
            self.choose(preset);
        }
    }

    /// Whether anything differs from the recipe.
    pub fn is_changed(&self) -> bool {
        !self.without.is_empty()
            || !self.with.is_empty()
            || self.token_loss.is_some()
            || (self.all_weights && self.start_from.is_none())
            || self.distillation.is_some()
            || self.complete_labels
            || self.precision.is_some()
            || self.checkpointing.is_some()
            || self.figures.values().any(|text| !text.trim().is_empty())
            || !self.swept.is_empty()
    }

    /// What was typed for a figure.
    pub fn text(&self, figure: Figure) -> &str {
        self.figures.get(&figure).map_or("", String::as_str)
    }

    /// Whether all that was typed makes sense.
    pub fn is_sound(&self) -> bool {
        self.figures.iter().all(|(figure, text)| figure.takes(text))
    }

    /// The request to the engine. `None` while a figure is not valid.
    pub fn request(&self) -> Option<TrainRequest> {
        if !self.is_sound() {
            return None;
        }
        let count = |figure| value(self.text(figure), |_: &usize| true).flatten();
        let real = |figure| value(self.text(figure), |_: &f64| true).flatten();
        Some(TrainRequest {
            dataset: None,
            base: self.base.clone(),
            preset: self.preset,
            without: self.without.clone(),
            token_loss: self.token_loss,
            distillation: self.distillation,
            complete_labels: self.complete_labels,
            epochs: count(Figure::Epochs),
            batch_size: count(Figure::Batch),
            micro_batch: count(Figure::MicroBatch),
            learning_rate: real(Figure::Rate),
            temperature: real(Figure::Temperature),
            max_steps: count(Figure::MaxSteps),
            max_length: count(Figure::MaxLength),
            tune: self.all_weights.then_some(Tune::All),
            // All weights have none.
            rank: count(Figure::Rank).filter(|_| !self.all_weights),
            term_layer: count(Figure::TermLayer),
            precision: self.precision,
            activation_checkpointing: self.checkpointing,
            patience: count(Figure::Patience),
            threads: count(Figure::Threads),
            seed: value(self.text(Figure::Seed), |_: &u64| true).flatten(),
            checkpoint_every: count(Figure::CheckpointEvery),
            with: self.with.clone(),
            on: self.on.clone(),
            start_from: self.start_from,
            ..TrainRequest::default()
        })
    }

    /// The training request for all combinations of the values in the form. `None` if no figure has several values, or
    /// if one of the values is not valid. If several values are given for the learning rate or the temperature, the
    /// form's field with a single value for it is ignored.
    pub fn sweep(&self) -> Option<SweepRequest> {
        let axes = self.swept.axes().filter(|_| !self.swept.is_empty())?;
        let mut train = self.request()?;
        train.learning_rate = train
            .learning_rate
            .filter(|_| axes.learning_rate.is_empty());
        train.temperature = train.temperature.filter(|_| axes.temperature.is_empty());
        Some(SweepRequest { train, axes })
    }

    /// Sets the form to train the base model itself instead of continuing the result of a run. This is needed in
    /// another workspace, because there the number of a run means another run.
    pub fn begin_anew(&mut self) {
        if self.start_from.take().is_some() {
            self.all_weights = false;
        }
    }

    /// Sets the form to the settings of a run, so that they can be changed and tried again. Figures that differ between
    /// the run's stages are left to the recipe.
    pub fn take_over(&mut self, preset: Option<Preset>, run: &RunDetail) {
        let settings = &run.settings;
        let usual = if settings.stages.len() == 1 {
            Preset::Encoder
        } else {
            Preset::QuickLook
        };
        let preset = preset.unwrap_or(usual);
        self.start_from = run.start_from;
        self.choose(preset);
        self.base = Some(run.run.base.clone());
        let has = |name: &str| settings.stages.iter().any(|s| s.objective.stage() == name);
        self.without = stages_of(preset)
            .iter()
            .filter(|name| !has(name))
            .map(|name| (*name).to_owned())
            .collect();
        self.with = ADDED
            .iter()
            .filter(|name| has(name))
            .map(|name| (*name).to_owned())
            .collect();
        self.token_loss = settings
            .stages
            .iter()
            .find_map(|stage| match stage.objective {
                Objective::Token { loss } => Some(loss),
                _ => None,
            });
        self.all_weights = settings.tune == Tune::All;
        let retrieval = settings
            .stages
            .iter()
            .find_map(|stage| match &stage.objective {
                Objective::Retrieval(retrieval) => Some(retrieval),
                _ => None,
            });
        self.distillation = retrieval.and_then(|retrieval| retrieval.distillation);
        self.complete_labels =
            retrieval.is_some_and(|retrieval| retrieval.too_alike >= LABELS_ARE_COMPLETE);
        self.precision = Some(settings.precision).filter(|p| *p != Precision::Auto);
        self.checkpointing = Some(true).filter(|_| settings.activation_checkpointing);
        self.figures = figures_of(settings);
    }

    /// Takes an advice about memory; false where it names something that cannot be set here.
    pub fn take(&mut self, advice: &MemoryAdvice) -> bool {
        let figure = match advice.setting.as_str() {
            "micro_batch" => Figure::MicroBatch,
            "max_length" => Figure::MaxLength,
            "batch_size" => Figure::Batch,
            "rank" => Figure::Rank,
            "activation_checkpointing" => {
                self.checkpointing = Some(matches!(advice.value.as_str(), "true" | "on"));
                return true;
            }
            "precision" => {
                self.precision = Precision::from_tag(&advice.value);
                return self.precision.is_some();
            }
            _ => return false,
        };
        let fits = figure.takes(&advice.value);
        if fits {
            self.figures.insert(figure, advice.value.clone());
        }
        fits
    }
}

/// The figures of a run as they are typed; those that differ between its stages are left out.
fn figures_of(settings: &TrainSettings) -> BTreeMap<Figure, String> {
    let stages = &settings.stages;
    let typed = [
        (Figure::Epochs, same(stages, |s| Some(s.epochs.to_string()))),
        (
            Figure::Batch,
            same(stages, |s| Some(s.batch_size.to_string())),
        ),
        (
            Figure::MicroBatch,
            same(stages, |s| s.micro_batch.map(|n| n.to_string())),
        ),
        (
            Figure::Rate,
            same(stages, |s| Some(format!("{:e}", s.learning_rate))),
        ),
        (
            Figure::MaxSteps,
            same(stages, |s| s.max_steps.map(|n| n.to_string())),
        ),
        (
            Figure::Patience,
            same(stages, |s| s.patience.map(|n| n.to_string())),
        ),
        (
            Figure::TermLayer,
            same(stages, |s| s.objective.term_layer().map(|n| n.to_string())),
        ),
        (Figure::MaxLength, Some(settings.max_length.to_string())),
        (
            Figure::Rank,
            Some(settings.lora.r.to_string()).filter(|_| settings.tune != Tune::All),
        ),
        (Figure::Seed, Some(settings.seed.to_string())),
    ];
    typed
        .into_iter()
        .filter_map(|(figure, text)| Some((figure, text?)))
        .collect()
}

/// A value in which all stages agree.
fn same(stages: &[StageSpec], show: impl Fn(&StageSpec) -> Option<String>) -> Option<String> {
    let first = show(stages.first()?)?;
    stages
        .iter()
        .all(|stage| show(stage).as_ref() == Some(&first))
        .then_some(first)
}

/// A number, or nothing for the recipe's own; `None` if it is neither.
fn value<T: FromStr>(text: &str, fits: impl Fn(&T) -> bool) -> Option<Option<T>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(None);
    }
    text.parse().ok().filter(fits).map(Some)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
