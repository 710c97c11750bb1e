//! How the model was trained, or that it was not.

mod objective;

use super::charts;
use super::input::{Model, ReportInput, Training};
use super::markup::{Page, columns, escape, foreign, key_values, mono, table};
use super::numbers::{count, duration, figure, moment};
use lexforge_domain::metrics::CurvePoint;
use lexforge_domain::protocol::{Decay, Objective, StageSpec, TrainJob, TrainResult, Tune};
use objective::objective;

/// Rows of the table beneath the curve.
const TABLE_ROWS: usize = 24;

pub(super) fn section(page: &mut Page, model: &Model) {
    let mut body = String::new();
    if let Some(e) = model.evaluation.map(|view| &view.evaluation) {
        let whole = [("", &e.train_curve, &e.dev_curve)];
        let by_stage: Vec<_> = e
            .stages
            .iter()
            .map(|s| (s.name.as_str(), &s.train, &s.dev))
            .collect();
        // Losses of different stages measure different things: one drawing for each.
        let parts = if by_stage.len() > 1 {
            &by_stage[..]
        } else {
            &whole[..]
        };
        for (name, train, dev) in parts {
            if let Some(curve) = charts::loss_curve(train, dev) {
                if !name.is_empty() {
                    body.push_str(&format!("<h3>Stage {}</h3>", stage_name(name)));
                }
                body.push_str(&format!("<figure>{curve}</figure>"));
                body.push_str(&curve_table(train, dev));
            }
        }
    }
    if let Some(training) = &model.training {
        body.push_str(&facts(training));
    }
    page.section("training", "Training", &body);
}

/// Notes on steps that were left out, wholly or in part, and on a training that was not made.
pub(super) fn left_out(page: &mut Page, input: &ReportInput) {
    let untrained = input.models().is_empty();
    if input.skipped.is_empty() && !untrained {
        return;
    }
    let mut out = if untrained {
        "<p>No model was trained.</p>".to_owned()
    } else {
        String::new()
    };
    for failure in input.skipped {
        out.push_str(&format!(
            "<div class=\"note-box\"><p><strong>{}</strong> {}</p><p>{}</p></div>",
            foreign(&failure.to_string()),
            foreign(&failure.hint),
            mono(&failure.code.tag())
        ));
    }
    let (id, title) = if untrained {
        ("training", "Training")
    } else {
        ("left-out", "Left out")
    };
    page.section(id, title, &out);
}

/// Run, outcome and settings.
pub(super) fn facts(training: &Training) -> String {
    let run = training.run;
    let mut rows = vec![
        ("Run", format!("{} · {}", run.id, escape(run.state.tag()))),
        ("Recipe", escape(&run.recipe)),
        ("Base model", escape(&run.base)),
        ("Steps", format!("{} of {}", count(run.step), count(run.of))),
        (
            "Chosen checkpoint",
            run.best.map_or(String::new(), |s| {
                let no_better = training.result.is_some_and(TrainResult::is_no_better);
                let than = if no_better {
                    ", which is no lower than before the stage"
                } else {
                    ""
                };
                format!("step {}, by held-out loss{than}", count(s))
            }),
        ),
        ("Started", escape(&moment(&run.started))),
        ("Where", escape(training.device)),
    ];
    if let Some(result) = training.result {
        rows.extend(outcome(result));
    }
    if let Some(failure) = &run.failure {
        rows.push((
            "Failed",
            format!("{} {}", escape(&failure.message), escape(&failure.hint)),
        ));
    }
    let mut out = format!(
        "<div class=\"columns\"><div><h3>Run</h3>{}</div>",
        key_values(&rows)
    );
    if let Some(job) = training.job {
        out.push_str(&format!(
            "<div><h3>Settings</h3>{}</div>",
            key_values(&settings(job))
        ));
    }
    out + "</div>"
}

fn outcome(result: &TrainResult) -> Vec<(&'static str, String)> {
    let dev = |loss: Option<f64>| loss.map_or("–".to_owned(), figure);
    let mut rows = Vec::new();
    for stage in &result.stages {
        let early = if stage.stopped_early {
            ", ended early: the held-out loss no longer fell"
        } else {
            ""
        };
        rows.push((
            "Stage",
            format!(
                "{}: {} steps on {} items{early}",
                stage_name(&stage.name),
                count(stage.steps),
                count(stage.items)
            ),
        ));
        rows.push((
            "Training loss",
            format!(
                "{} in the first tenth, {} in the last",
                figure(stage.first_loss),
                figure(stage.last_loss)
            ),
        ));
        rows.push((
            "Held-out loss",
            format!(
                "{} before, {} at the chosen checkpoint",
                dev(stage.dev_loss_before),
                dev(stage.dev_loss_best)
            ),
        ));
    }
    for (reason, n) in &result.left_out {
        rows.push((
            "Left out",
            format!("{}: {}", escape(&reason.replace('_', " ")), count(*n)),
        ));
    }
    rows.extend([
        ("Trained parameters", count(result.trainable_parameters)),
        ("Time", duration(result.seconds)),
        (
            "Peak memory",
            format!("{} MiB", count(result.peak_memory_mb.round() as u64)),
        ),
    ]);
    rows
}

/// A stage's name as a person reads it.
fn stage_name(name: &str) -> String {
    match name {
        "sft" => "SFT".to_owned(),
        "mntp" => "masked next token".to_owned(),
        "mlm" => "masked words".to_owned(),
        "tsdae" => "sentences restored".to_owned(),
        "plain_text" => "plain text".to_owned(),
        other => escape(&other.replace('_', " ")),
    }
}

fn settings(job: &TrainJob) -> Vec<(&'static str, String)> {
    let all = &job.settings;
    let mut rows = Vec::new();
    for stage in &all.stages {
        rows.push(("Stage", stage_name(stage.objective.stage())));
        rows.extend(objective(&stage.objective));
        rows.push((
            "Epochs · batch",
            format!("{} · {}", stage.epochs, stage.batch_size),
        ));
        let fall = match stage.decay {
            Decay::Linear => "then linear to 0",
            Decay::Cosine => "then along a cosine to 0",
            Decay::Constant => "then constant",
        };
        rows.push((
            "Learning rate",
            format!(
                "{:e}, {} warm-up steps, {fall}",
                stage.learning_rate, stage.warmup_steps
            ),
        ));
        rows.push((
            "Weight decay · gradient norm",
            format!("{} · {}", stage.weight_decay, stage.max_grad_norm),
        ));
    }
    if !job.lineage.attacks.is_empty() {
        let forms = job.lineage.attacks.iter();
        let forms: Vec<String> = forms
            .map(|(attack, n)| format!("{} {}", escape(&attack.replace('_', " ")), count(*n)))
            .collect();
        rows.push(("Learnt under attack, too", forms.join(", ")));
    }
    if let Some(taught) = &job.lineage.taught {
        let [labelled, others] = [taught.labelled, taught.unlabelled()].map(count);
        let on_triplets = |stage: &StageSpec| matches!(stage.objective, Objective::Triplets(_));
        rows.push(match taught.ordered_by {
            Some(run) if all.stages.iter().any(on_triplets) => (
                "Margins learnt from",
                format!("{others} questions without a label, as the cross-encoder of run {run} scores their clauses"),
            ),
            _ => (
                "Ranking learnt from",
                format!("{labelled} labelled questions and {others} without a label"),
            ),
        });
    }
    match all.tune {
        Tune::Lora => {
            let lora = format!(
                "LoRA, r {}, α {}, dropout {}",
                all.lora.r, all.lora.alpha, all.lora.dropout
            );
            rows.push(("Adapter", lora));
            rows.push(("On layers", escape(&all.lora.targets.join(", "))));
        }
        Tune::All => rows.push(("Adapter", "what was added to all weights".to_owned())),
    }
    rows.extend([
        (
            "Longest input",
            format!("{} tokens", count(all.max_length as u64)),
        ),
        (
            "Seed · threads",
            format!(
                "{} · {}",
                all.seed,
                if all.threads == 0 {
                    "all".to_owned()
                } else {
                    all.threads.to_string()
                }
            ),
        ),
    ]);
    rows
}

/// The curve as figures: the moving mean at evenly spaced steps, and every look at the held-out part.
fn curve_table(train: &[CurvePoint], dev: &[CurvePoint]) -> String {
    let smooth = charts::moving_mean(train);
    let stride = smooth.len().div_ceil(TABLE_ROWS).max(1);
    let mut steps: Vec<u64> = smooth
        .iter()
        .step_by(stride)
        .chain(smooth.last())
        .map(|p| p.step)
        .collect();
    steps.extend(dev.iter().map(|p| p.step));
    steps.sort_unstable();
    steps.dedup();
    let at = |points: &[CurvePoint], step| {
        points
            .iter()
            .find(|p| p.step == step)
            .map_or(String::new(), |p| figure(p.loss))
    };
    let rows: Vec<Vec<String>> = steps
        .iter()
        .map(|&step| vec![count(step), at(&smooth, step), at(dev, step)])
        .collect();
    let columns = columns![
        Figures "Step", Figures "Training loss, moving mean", Figures "Held-out loss",
    ];
    format!(
        "<details><summary>Show as table</summary>{}</details>",
        table("Loss by optimiser step.", &columns, &rows)
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;
    use lexforge_domain::RunId;
    use lexforge_domain::protocol::{Pooling, Taught, TripletLoss, TripletObjective};

    #[test]
    fn a_teacher_of_margins_is_named() {
        let mut job = sample(61, -0.02, 0.16).job;
        job.lineage.taught = Some(Taught {
            ordered_by: Some(RunId(7)),
            headings: 1_200,
            terms: 30,
            ..Taught::default()
        });
        let has = |job: &TrainJob, name: &str, words: &str| {
            let rows = settings(job);
            rows.iter()
                .any(|(known, said)| *known == name && said.contains(words))
        };
        assert!(has(&job, "Ranking learnt from", "1,230 without a label"));
        job.settings.stages[0].objective = Objective::Triplets(TripletObjective {
            loss: TripletLoss::MarginMse,
            temperature: 0.05,
            pooling: Pooling::Mean,
            of_cosines: true,
        });
        let words = "1,230 questions without a label, as the cross-encoder of run 7";
        assert!(has(&job, "Margins learnt from", words));
        assert!(!has(&job, "Ranking learnt from", ""));
        assert!(has(&job, "Loss", "differences of cosines"));
    }
}
