//! Two runs beside each other: what was set differently, and whether their figures can be compared at all.

use crate::format;
use crate::i18n::{t, tag, tf};
use lexforge_domain::api::RunDetail;
use lexforge_domain::protocol::{LABELS_ARE_COMPLETE, Objective, QuestionForm, StageSpec, Tune};

/// A setting with its value in either run; none = the run has no such setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    /// In the first run.
    pub a: Option<String>,
    /// In the second run.
    pub b: Option<String>,
}

impl Setting {
    /// Whether the runs differ in it.
    pub fn differs(&self) -> bool {
        self.a != self.b
    }
}

/// All settings of two runs, in order. What is the same in all stages of either run is told once.
pub fn settings(a: &RunDetail, b: &RunDetail) -> Vec<Setting> {
    let (plain_a, plain_b) = (of_run(a), of_run(b));
    let mut rows = paired(&plain_a, &plain_b);
    let stages = |detail: &RunDetail| -> Vec<(String, Vec<(String, String)>)> {
        let stages = detail.settings.stages.iter();
        stages
            .map(|s| (tag("stage_name", s.objective.stage()), of_stage(s)))
            .collect()
    };
    let (stages_a, stages_b) = (stages(a), stages(b));
    let common_a = common(&stages_a);
    let common_b = common(&stages_b);
    let once = |name: &String| at(&common_a, name).is_some() && at(&common_b, name).is_some();
    rows.extend(
        paired(&common_a, &common_b)
            .into_iter()
            .filter(|row| once(&row.name)),
    );
    let of_each = |stages: &[(String, Vec<(String, String)>)]| -> Vec<(String, String)> {
        let own = |(stage, rows): &(String, Vec<(String, String)>)| {
            let rows = rows.iter().filter(|(name, _)| !once(name));
            rows.map(|(name, value)| (format!("{stage} · {name}"), value.clone()))
                .collect::<Vec<_>>()
        };
        stages.iter().flat_map(own).collect()
    };
    rows.extend(paired(&of_each(&stages_a), &of_each(&stages_b)));
    rows
}

fn at(list: &[(String, String)], name: &str) -> Option<String> {
    list.iter()
        .find(|(n, _)| n == name)
        .map(|(_, value)| value.clone())
}

fn paired(a: &[(String, String)], b: &[(String, String)]) -> Vec<Setting> {
    let mut names: Vec<String> = a.iter().map(|(name, _)| name.clone()).collect();
    names.extend(
        b.iter()
            .filter(|(name, _)| at(a, name).is_none())
            .map(|(name, _)| name.clone()),
    );
    names
        .into_iter()
        .map(|name| Setting {
            a: at(a, &name),
            b: at(b, &name),
            name,
        })
        .collect()
}

/// The settings that all stages of a run have, with one value.
fn common(stages: &[(String, Vec<(String, String)>)]) -> Vec<(String, String)> {
    let Some(((_, first), others)) = stages.split_first() else {
        return Vec::new();
    };
    let shared = |(name, value): &&(String, String)| {
        others
            .iter()
            .all(|(_, rows)| at(rows, name).as_ref() == Some(value))
    };
    first.iter().filter(shared).cloned().collect()
}

fn of_run(detail: &RunDetail) -> Vec<(String, String)> {
    let settings = &detail.settings;
    let count = |n: usize| format::count(n as u64);
    let yes = |on: bool| {
        if on {
            t("compare.on")
        } else {
            t("compare.off")
        }
    };
    let stages: Vec<String> = settings
        .stages
        .iter()
        .map(|s| tag("stage_name", s.objective.stage()))
        .collect();
    let threads = if settings.threads == 0 {
        t("training.all_threads")
    } else {
        count(settings.threads)
    };
    let all = settings.tune == Tune::All;
    let tuned = match all {
        true => t("compare.all_weights"),
        false => t("compare.low_rank"),
    };
    let mut rows = vec![
        (t("training.base"), detail.run.base.clone()),
        (
            t("training.recipe_name"),
            format::recipe(&detail.run.recipe),
        ),
        (
            t("training.dataset"),
            detail.run.dataset.map_or_else(
                || t("training.labelled_questions"),
                |id| tf("training.snapshot", &[("n", &id.to_string())]),
            ),
        ),
        (t("training.stages"), format::list(&stages)),
        (t("compare.tuned"), tuned),
    ];
    if !all {
        rows.extend([
            (tag("figure", "rank"), count(settings.lora.r)),
            (t("compare.alpha"), settings.lora.alpha.to_string()),
            (t("compare.dropout"), settings.lora.dropout.to_string()),
            (t("compare.targets"), settings.lora.targets.join(", ")),
        ]);
    }
    rows.extend([
        (tag("figure", "max_length"), count(settings.max_length)),
        (
            tag("figure", "precision"),
            tag("precision", settings.precision.tag()),
        ),
        (
            tag("figure", "checkpointing"),
            yes(settings.activation_checkpointing),
        ),
        (tag("figure", "seed"), settings.seed.to_string()),
        (tag("figure", "threads"), threads),
        (t("compare.device"), detail.device.clone()),
    ]);
    rows
}

fn of_stage(stage: &StageSpec) -> Vec<(String, String)> {
    let count = |n: usize| format::count(n as u64);
    let mut rows = vec![
        (tag("figure", "epochs"), count(stage.epochs)),
        (tag("figure", "batch"), count(stage.batch_size)),
        (
            tag("figure", "micro_batch"),
            stage
                .micro_batch
                .map_or_else(|| t("training.automatic"), count),
        ),
        (
            tag("figure", "steps"),
            stage
                .max_steps
                .map_or_else(|| t("training.all_steps"), count),
        ),
        (tag("figure", "rate"), format::rate(stage.learning_rate)),
        (t("compare.warmup"), count(stage.warmup_steps)),
        (t("compare.weight_decay"), stage.weight_decay.to_string()),
        (
            tag("figure", "patience"),
            stage.patience.map_or_else(|| t("training.never"), count),
        ),
    ];
    rows.extend(of_objective(&stage.objective));
    rows
}

/// The settings that only a stage with this objective has.
fn of_objective(objective: &Objective) -> Vec<(String, String)> {
    let count = |n: usize| format::count(n as u64);
    let mut rows = Vec::new();
    match objective {
        Objective::Sft { form, replay } => {
            let form = match form {
                QuestionForm::Choices => t("compare.form_choices"),
                QuestionForm::Open => t("compare.form_open"),
                QuestionForm::Both => t("compare.form_both"),
            };
            rows.push((t("compare.form"), form));
            rows.push((t("compare.replay"), format::share(*replay)));
        }
        Objective::Sentence(sentence) | Objective::Gritlm(sentence) => {
            rows.push((
                tag("figure", "temperature"),
                sentence.temperature.to_string(),
            ));
            let in_batch = if sentence.in_batch {
                t("compare.on")
            } else {
                t("compare.off")
            };
            rows.push((t("compare.in_batch"), in_batch));
        }
        Objective::Retrieval(retrieval) => {
            let temperature = retrieval.temperature.to_string();
            rows.push((tag("figure", "temperature"), temperature));
            rows.push((t("compare.mined"), count(retrieval.negatives)));
            let taught = retrieval.distillation.map(|how| format::share(how.share));
            let taught = taught.unwrap_or_else(|| t("compare.off"));
            rows.push((t("compare.distillation"), taught));
            let complete = if retrieval.too_alike >= LABELS_ARE_COMPLETE {
                t("compare.on")
            } else {
                t("compare.off")
            };
            rows.push((t("compare.complete_labels"), complete));
        }
        Objective::Rerank(pairs) => rows.push((t("compare.mined"), count(pairs.negatives))),
        Objective::Triplets(triplets) => {
            let temperature = triplets.temperature.to_string();
            rows.push((tag("figure", "temperature"), temperature));
            rows.push((t("compare.loss"), triplets.loss.tag().to_owned()));
        }
        Objective::Joint {
            temperature,
            sentence,
            token,
            term_layer,
            ..
        } => {
            rows.push((tag("figure", "temperature"), temperature.to_string()));
            rows.push((t("compare.weights"), format!("{sentence} / {token}")));
            let layer = term_layer.map_or_else(|| t("training.last_layer"), |n| n.to_string());
            rows.push((t("compare.term_layer"), layer));
        }
        Objective::Token { loss } => {
            rows.push((t("training.token_loss"), tag("token_loss", loss.tag())))
        }
        _ => {}
    }
    rows
}

/// Why the figures of two runs cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// A run was not evaluated.
    NotEvaluated(u64),
    /// They were measured on other questions.
    OtherSnapshot,
    /// They were measured in other ways.
    OtherScorer(String, String),
    /// They have the same snapshot, but not the same number of questions: the bases read different languages.
    OtherQuestions(usize, usize),
}

impl Apart {
    /// In a sentence.
    pub fn told(&self) -> String {
        match self {
            Self::NotEvaluated(run) => tf("compare.not_evaluated", &[("n", &run.to_string())]),
            Self::OtherSnapshot => t("compare.other_snapshot"),
            Self::OtherScorer(a, b) => tf(
                "compare.other_scorer",
                &[("a", &tag("scorer", a)), ("b", &tag("scorer", b))],
            ),
            Self::OtherQuestions(a, b) => tf(
                "compare.other_questions",
                &[
                    ("a", &format::count(*a as u64)),
                    ("b", &format::count(*b as u64)),
                ],
            ),
        }
    }
}

/// Checks that the figures of two runs can be compared.
///
/// # Errors
/// The reason why they cannot be compared.
pub fn comparable(a: &RunDetail, b: &RunDetail) -> Result<(), Apart> {
    let of = |detail: &RunDetail| {
        let number = u64::try_from(detail.run.id.0).unwrap_or_default();
        detail.evaluation.clone().ok_or(Apart::NotEvaluated(number))
    };
    let (a, b) = (of(a)?, of(b)?);
    if a.hashes.dataset != b.hashes.dataset {
        return Err(Apart::OtherSnapshot);
    }
    let (a, b) = (a.evaluation, b.evaluation);
    if a.scorer != b.scorer {
        return Err(Apart::OtherScorer(a.scorer, b.scorer));
    }
    if a.after.n != b.after.n {
        return Err(Apart::OtherQuestions(a.after.n, b.after.n));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
