//! What a person has chosen and typed for the next run, and the request that it makes.

use crate::swept::Swept;
use lexforge_domain::api::{Preset, RunDetail, SweepRequest, TrainRequest};
use lexforge_domain::protocol::{MemoryAdvice, Objective, Precision, StageSpec, TokenLossKind};
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
    /// Looks without improvement after which a stage ends.
    Patience,
    /// Seed.
    Seed,
    /// Threads.
    Threads,
    /// Steps between checkpoints.
    CheckpointEvery,
}

impl Figure {
    /// The figures that are always in view.
    pub const FIRST: [Self; 4] = [Self::Batch, Self::Rate, Self::Epochs, Self::MaxSteps];
    /// The figures that are folded away.
    pub const MORE: [Self; 8] = [
        Self::MicroBatch,
        Self::MaxLength,
        Self::Rank,
        Self::Temperature,
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

/// The next run as it stands in the form.
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
    /// Figures as they were typed.
    pub figures: BTreeMap<Figure, String>,
    /// Type of the frozen weights.
    pub precision: Option<Precision>,
    /// Compute layers again instead of keeping what they saw.
    pub checkpointing: Option<bool>,
    /// The machine that computes; none = this one.
    pub on: Option<String>,
    /// The figures of which several values are tried.
    pub swept: Swept,
}

impl Draft {
    /// Another recipe, with its own figures; the base stays.
    pub fn choose(&mut self, preset: Preset) {
        let (base, folders) = (self.base.take(), std::mem::take(&mut self.folders));
        let on = self.on.take();
        *self = Self {
            preset: Some(preset),
            base,
            folders,
            on,
            ..Self::default()
        };
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

    /// What the engine is asked for; none while a figure makes no sense.
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
            epochs: count(Figure::Epochs),
            batch_size: count(Figure::Batch),
            micro_batch: count(Figure::MicroBatch),
            learning_rate: real(Figure::Rate),
            temperature: real(Figure::Temperature),
            max_steps: count(Figure::MaxSteps),
            max_length: count(Figure::MaxLength),
            rank: count(Figure::Rank),
            precision: self.precision,
            activation_checkpointing: self.checkpointing,
            patience: count(Figure::Patience),
            threads: count(Figure::Threads),
            seed: value(self.text(Figure::Seed), |_: &u64| true).flatten(),
            checkpoint_every: count(Figure::CheckpointEvery),
            with: self.with.clone(),
            on: self.on.clone(),
            ..TrainRequest::default()
        })
    }

    /// The trainings of all combinations that stand in the form; none where nothing is tried, or something makes no sense.
    /// A figure that is tried takes the place of the one value above it.
    pub fn sweep(&self) -> Option<SweepRequest> {
        let axes = self.swept.axes().filter(|_| !self.swept.is_empty())?;
        let mut train = self.request()?;
        train.learning_rate = train
            .learning_rate
            .filter(|_| axes.learning_rate.is_empty());
        train.temperature = train.temperature.filter(|_| axes.temperature.is_empty());
        Some(SweepRequest { train, axes })
    }

    /// Everything as it was in a run, so that it can be changed and tried again. Figures in which its stages differ are
    /// the recipe's own.
    pub fn take_over(&mut self, preset: Option<Preset>, run: &RunDetail) {
        let settings = &run.settings;
        let usual = if settings.stages.len() == 1 {
            Preset::Encoder
        } else {
            Preset::QuickLook
        };
        let preset = preset.unwrap_or(usual);
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
        self.precision = Some(settings.precision).filter(|p| *p != Precision::Auto);
        self.checkpointing = Some(true).filter(|_| settings.activation_checkpointing);
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
            (Figure::MaxLength, Some(settings.max_length.to_string())),
            (Figure::Rank, Some(settings.lora.r.to_string())),
            (Figure::Seed, Some(settings.seed.to_string())),
        ];
        self.figures = typed
            .into_iter()
            .filter_map(|(figure, text)| Some((figure, text?)))
            .collect();
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
                self.precision = precision(&advice.value);
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

/// The types of weights that can be chosen.
pub const PRECISIONS: [Precision; 5] = [
    Precision::Auto,
    Precision::Fp32,
    Precision::Bf16,
    Precision::Fp16,
    Precision::Nf4,
];

/// The tag of a type of weights.
pub fn precision_tag(precision: Precision) -> &'static str {
    match precision {
        Precision::Auto => "auto",
        Precision::Fp32 => "fp32",
        Precision::Bf16 => "bf16",
        Precision::Fp16 => "fp16",
        Precision::Nf4 => "nf4",
    }
}

/// The type of weights of a tag.
pub fn precision(tag: &str) -> Option<Precision> {
    PRECISIONS.into_iter().find(|p| precision_tag(*p) == tag)
}

/// The losses of the token stage.
pub const TOKEN_LOSSES: [TokenLossKind; 3] = [
    TokenLossKind::Candidates,
    TokenLossKind::Divergence,
    TokenLossKind::Paper,
];

/// The tag of a token loss.
pub fn token_loss_tag(loss: TokenLossKind) -> &'static str {
    match loss {
        TokenLossKind::Candidates => "candidates",
        TokenLossKind::Divergence => "divergence",
        TokenLossKind::Paper => "paper",
    }
}

/// Names of a recipe's stages, of which each can be left out as long as one remains.
pub fn stages_of(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Encoder => &["sentence"],
        Preset::QuickLook | Preset::TermgptPaper | Preset::Thorough => {
            &["sft", "sentence", "token"]
        }
        Preset::Joint | Preset::EncoderJoint => &["joint"],
        Preset::Gritlm => &["gritlm"],
        Preset::ContrastiveToken => &["contrastive_token"],
        Preset::Retrieval => &["retrieval"],
        Preset::Nmixx | Preset::RulesAndPolicies => &["triplets"],
    }
}

/// Stages that can be added to a decoder's recipe.
pub const ADDED: [&str; 2] = ["plain_text", "mntp"];

/// A value in which all stages agree.
fn same(stages: &[StageSpec], show: impl Fn(&StageSpec) -> Option<String>) -> Option<String> {
    let first = show(stages.first()?)?;
    stages
        .iter()
        .all(|stage| show(stage).as_ref() == Some(&first))
        .then_some(first)
}

/// A number, or nothing for the recipe's own; none if it is neither.
fn value<T: FromStr>(text: &str, fits: impl Fn(&T) -> bool) -> Option<Option<T>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(None);
    }
    text.parse().ok().filter(fits).map(Some)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn typed(figure: Figure, text: &str) -> Draft {
        Draft {
            figures: [(figure, text.to_owned())].into(),
            ..Draft::default()
        }
    }

    #[test]
    fn an_empty_field_means_the_recipes_own_value() {
        for figure in Figure::FIRST.into_iter().chain(Figure::MORE) {
            assert!(figure.takes(" "), "{}", figure.tag());
        }
        assert_eq!(
            typed(Figure::Batch, " ").request().unwrap().batch_size,
            None
        );
        assert!(!typed(Figure::Batch, " ").is_changed());
    }

    #[test]
    fn a_figure_is_read_or_nothing_is_asked() {
        for (figure, right, wrong) in [
            (Figure::Batch, "8", "1"),
            (Figure::Rate, "5e-4", "fast"),
            (Figure::Rate, "0.9", "1"),
            (Figure::MaxSteps, "400", "0"),
            (Figure::Temperature, "0.07", "-1"),
            (Figure::MaxLength, "128", "15"),
            (Figure::Seed, "0", "x"),
            (Figure::Threads, "0", "2.5"),
        ] {
            assert!(
                typed(figure, right).request().is_some(),
                "{} {right}",
                figure.tag()
            );
            assert_eq!(
                typed(figure, wrong).request(),
                None,
                "{} {wrong}",
                figure.tag()
            );
        }
        assert_eq!(
            typed(Figure::Rate, "5e-4").request().unwrap().learning_rate,
            Some(5e-4)
        );
    }

    #[test]
    fn another_recipe_brings_its_own_figures_and_keeps_the_base() {
        let mut draft = typed(Figure::Epochs, "9");
        draft.base = Some("tiny".to_owned());
        draft.without = vec!["sft".to_owned()];
        draft.choose(Preset::Joint);
        assert_eq!(draft.base.as_deref(), Some("tiny"));
        assert!(!draft.is_changed());
    }

    #[test]
    fn a_figure_that_is_tried_takes_the_place_of_the_one_value() {
        use crate::swept::Tried;
        let mut draft = typed(Figure::Rate, "5e-4");
        assert_eq!(draft.sweep(), None);
        draft.swept.put(Tried::Rate, "1e-4, 2e-4".to_owned());
        let sweep = draft.sweep().unwrap();
        assert_eq!(sweep.train.learning_rate, None);
        assert_eq!(sweep.axes.learning_rate, [1e-4, 2e-4]);
        // A single training keeps what was typed for it.
        assert_eq!(draft.request().unwrap().learning_rate, Some(5e-4));
        draft.swept.put(Tried::Rate, "fast".to_owned());
        assert_eq!(draft.sweep(), None);
        assert!(draft.request().is_some() && draft.is_changed());
    }

    #[test]
    fn a_run_can_be_set_up_again() {
        let stage = |kind: &str, rate: f64| {
            serde_json::json!({ "objective": { "kind": kind, "loss": "paper" }, "epochs": 3, "batch_size": 8,
                "max_steps": 40, "learning_rate": rate, "warmup_steps": 1, "weight_decay": 0.0, "max_grad_norm": 1.0 })
        };
        let detail = serde_json::json!({
            "run": { "id": 1, "state": "failed", "recipe": "", "base": "own", "dataset": 1, "stage": "", "step": 1, "of": 1,
                "started": "", "best": null, "adapter": null, "loss": null, "eta_s": null, "failure": null,
                "evaluated": false },
            "settings": { "lora": { "r": 8, "alpha": 16.0, "dropout": 0.0, "targets": [] },
                "stages": [stage("contrastive_token", 1e-5), stage("token", 2e-5)], "max_length": 256, "seed": 7,
                "threads": 0, "activation_checkpointing": true },
            "device": "cpu", "result": null, "evaluation": null,
        });
        let mut draft = Draft::default();
        draft.take_over(
            Some(Preset::Thorough),
            &serde_json::from_value(detail).unwrap(),
        );
        let request = draft.request().unwrap();
        assert_eq!(request.base.as_deref(), Some("own"));
        assert_eq!(request.without, ["sft", "sentence"]);
        assert_eq!(
            (request.batch_size, request.max_steps, request.rank),
            (Some(8), Some(40), Some(8))
        );
        assert_eq!(request.learning_rate, None, "the stages differ in it");
        assert_eq!(
            (request.token_loss, request.activation_checkpointing),
            (Some(TokenLossKind::Paper), Some(true))
        );
    }

    #[test]
    fn an_advice_about_memory_fills_its_field() {
        let advice = |setting: &str, value: &str| MemoryAdvice {
            setting: setting.to_owned(),
            value: value.to_owned(),
            total_mb: 0.0,
        };
        let mut draft = Draft::default();
        assert!(draft.take(&advice("micro_batch", "4")));
        assert_eq!(draft.text(Figure::MicroBatch), "4");
        assert!(draft.take(&advice("activation_checkpointing", "true")));
        assert_eq!(draft.checkpointing, Some(true));
        assert!(draft.take(&advice("precision", "bf16")));
        assert_eq!(draft.precision, Some(Precision::Bf16));
        assert!(!draft.take(&advice("precision", "fp8")));
        assert!(!draft.take(&advice("colour", "blue")));
    }
}
