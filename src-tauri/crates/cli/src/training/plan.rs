//! What a training would do and need, as text.

use crate::output::{count, counted};
use crate::remedies::described;
use crate::{power_text, recipes, taught_text};
use lexforge_domain::api::RunPlan;
use lexforge_domain::protocol::{MemoryEstimate, Tune};
use std::fmt::Write as _;

/// A plan as a person reads it.
pub(super) fn describe_plan(plan: &RunPlan) -> String {
    let settings = &plan.settings;
    let tuned = match settings.tune {
        Tune::Lora => format!(
            "adapter of rank {}, α {}",
            settings.lora.r, settings.lora.alpha
        ),
        Tune::All => "all weights".to_owned(),
    };
    let mut text = format!(
        "{} on {} · {} training questions · {tuned} · at most {} tokens · seed {}",
        plan.preset.tag(),
        plan.base.name,
        count(plan.items),
        settings.max_length,
        settings.seed
    );
    for stage in &plan.stages {
        let _ = write!(
            text,
            "\n  {}: {} steps on {} questions",
            stage.name,
            count(stage.steps),
            count(stage.items)
        );
        let spec = settings
            .stages
            .iter()
            .find(|s| s.objective.stage() == stage.name);
        if let Some(spec) = spec {
            let _ = write!(
                text,
                " · batch {} · learning rate {:e} · {}",
                spec.batch_size,
                spec.learning_rate,
                counted(spec.warmup_steps as u64, "warm-up step")
            );
        }
    }
    if !plan.attacks.is_empty() {
        let forms: Vec<String> = plan
            .attacks
            .iter()
            .map(|(attack, n)| format!("{attack} {}", count(*n)))
            .collect();
        let _ = write!(text, "\n  with forms under attack: {}", forms.join(", "));
    }
    if let Some(told) = taught_text::of_plan(plan) {
        let _ = write!(text, "\n  {told}");
    }
    for sample in &plan.samples {
        let _ = write!(text, "\n  {}", taught_text::sample(sample));
    }
    if let Some(power) = &plan.power {
        text.push_str(&power_text::before_a_run(power));
    }
    text.push_str(&recipes::before_a_run(plan));
    if let Some(memory) = &plan.base.memory {
        let _ = write!(text, "\n{}", describe_memory(memory));
    }
    for warning in &plan.warnings {
        let _ = write!(text, "\n! {warning}");
    }
    for problem in &plan.problems {
        text.push_str(&described(problem, ""));
    }
    text
}

/// A memory estimate in words.
pub fn describe_memory(m: &MemoryEstimate) -> String {
    let mut text = format!(
        "Memory: about {} MiB on {} at the peak, in the stage {} (weights {}, adapter with its optimiser {}, one step {})",
        count(m.total_mb.round() as u64),
        m.device,
        m.stage,
        count(m.weights_mb.round() as u64),
        count(m.adapter_mb.round() as u64),
        count(m.activations_mb.round() as u64)
    );
    match (m.available_mb, m.fits) {
        (Some(free), true) => {
            let _ = write!(
                text,
                "; {} MiB are free: it fits.",
                count(free.round() as u64)
            );
        }
        (Some(free), false) => {
            let _ = write!(
                text,
                "; only {} MiB are free: it does not fit.",
                count(free.round() as u64)
            );
        }
        (None, _) => text.push_str("; how much is free is not known."),
    }
    if let Some(advice) = &m.advice {
        let _ = write!(
            text,
            "\n  With --{}: about {} MiB{}.",
            option(&advice.setting, &advice.value),
            count(advice.total_mb.round() as u64),
            match m.available_mb {
                Some(free) if advice.total_mb > free => ", which is still more than is free",
                _ => "",
            }
        );
    }
    text
}

/// A setting and its value as an option of the command line; one that is turned on takes no value.
fn option(setting: &str, value: &str) -> String {
    let name = setting.replace('_', "-");
    match value {
        "true" => name,
        value => format!("{name} {value}"),
    }
}
