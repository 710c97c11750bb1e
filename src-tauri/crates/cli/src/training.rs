//! `train`, `runs`.

mod plan;

pub use plan::describe_memory;

use crate::args::TrainArgs;
use crate::none_yet;
use crate::output::{Outcome, Output, done, tell, word};
use crate::recipe_args::{AdaptArg, FigureArgs, RecipeArgs, TaskArg};
use crate::runs_args::{RunRefArgs, RunsAction, RunsArgs};
use crate::terminal::{Terminal, duration};
use crate::{comparison, cost_text, sweep, taught_text};
use lexforge_domain::api::{CostEstimate, LearnFrom, Preset, RunRow, RunState, TrainRequest};
use lexforge_domain::protocol::{Control, Precision, Tune};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_engine::Engine;
use plan::describe_plan;
use std::process::ExitCode;

pub fn train(args: &TrainArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let watcher = Terminal::new(out.json);
    let mut request = request(&args.recipe);
    request.dataset = args.dataset;
    request.on = args.on.clone();
    request.start_from = args.start_from;
    request.learn_from = args.learn_from.into();
    let objective = args.objective.unwrap_or(AdaptArg::Mlm);
    if args.objective.is_some() && args.task != Some(TaskArg::Adapt) {
        return Err(Failure::invalid(
            "Only the task adapt has an objective to choose.",
            "Leave it out, or name the task adapt.",
        ));
    }
    match args.task {
        Some(TaskArg::Retrieval) => request.preset = Some(Preset::Retrieval),
        Some(TaskArg::Rerank) => request.preset = Some(Preset::Rerank),
        Some(TaskArg::Triplets) => request.preset = Some(Preset::Nmixx),
        Some(TaskArg::Matches) => request.preset = Some(Preset::RulesAndPolicies),
        Some(TaskArg::Gpl) => request.preset = Some(Preset::Gpl),
        Some(TaskArg::Adapt) => request.preset = Some(objective.into()),
        None if request.learn_from == LearnFrom::Matches => {
            request.preset = request.preset.or(Some(Preset::RulesAndPolicies));
        }
        Some(TaskArg::Questions) | None => {}
    }
    if !args.sweep.is_empty() {
        return sweep::sweep(&engine, request, args, out);
    }
    if args.plan {
        let plan = engine.plan_training(&request)?;
        out.document(&plan, || describe_plan(&plan));
        return Ok(if plan.problems.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    if request.preset == Some(Preset::Gpl) && !out.json {
        // Show samples of the teacher's ranking before it is learnt.
        let samples = engine.plan_training(&request)?.samples;
        let told = samples.iter().map(taught_text::sample);
        told.for_each(|sample| sample.lines().for_each(tell));
    }
    if !out.json && request.precision == Some(Precision::Bf16) && request.on.is_none() {
        // On many processors bf16 is far slower than fp32, and only a plan knows it.
        let plan = engine.plan_training(&request)?;
        let warnings = plan.warnings.iter();
        warnings.for_each(|warning| tell(&format!("! {warning}")));
    }
    if !out.json
        && let Some(cost) = cost_before(&engine, &request)?
    {
        tell(&cost_text::before(&cost));
    }
    let run = engine.begin_training(&request, &watcher)?;
    let bring = || engine.runs().bring_checkpoints(run.id, &watcher);
    args.with_checkpoints.then(bring).transpose()?;
    if args.detach {
        out.document(&run, || {
            format!(
                "Run {} is under way. Follow it: lexforge runs follow {}",
                run.id,
                word(&args.workspace.to_string_lossy())
            )
        });
        return done();
    }
    follow(&engine, run.id, &watcher, out)
}

/// What a run will cost on a machine with a price, as far as that is known.
fn cost_before(engine: &Engine, request: &TrainRequest) -> Result<Option<CostEstimate>, Failure> {
    let Some(on) = &request.on else {
        return Ok(None);
    };
    // A plan takes a while: it is made only where there is something to say.
    let targets = lexforge_engine::targets()?.targets;
    match targets.iter().any(|t| t.name == *on && t.price.is_some()) {
        true => Ok(engine.plan_training(request)?.cost),
        false => Ok(None),
    }
}

/// The recipe with what the user changed.
pub fn request(args: &RecipeArgs) -> TrainRequest {
    TrainRequest {
        base: args.base.clone(),
        threads: args.threads,
        seed: args.seed,
        checkpoint_every: args.checkpoint_every,
        ..figures(&args.figures)
    }
}

/// The recipe with only the changed figures.
pub fn figures(args: &FigureArgs) -> TrainRequest {
    TrainRequest {
        preset: args.preset.map(Into::into),
        without: args.without.clone(),
        with: args.with.clone(),
        attacks: args.attacks,
        replay: args.replay.clone(),
        replay_share: args.replay_share,
        token_loss: args.token_loss.map(Into::into),
        triplet_loss: args.triplet_loss.map(Into::into),
        distillation: args.distillation(),
        teacher: args.teacher,
        complete_labels: args.complete_labels,
        epochs: args.epochs,
        batch_size: args.batch_size,
        micro_batch: args.micro_batch,
        learning_rate: args.learning_rate,
        temperature: args.temperature,
        weights: args.weights,
        term_layer: args.term_layer,
        items_per_anchor: args.items_per_anchor,
        max_steps: args.max_steps,
        max_length: args.max_length,
        tune: args.all_weights.then_some(Tune::All),
        rank: args.rank,
        precision: args.precision.map(Into::into),
        activation_checkpointing: args.activation_checkpointing.then_some(true),
        patience: args.patience,
        ..TrainRequest::default()
    }
}

pub fn runs(args: &RunsArgs, out: &Output) -> Outcome {
    match &args.action {
        RunsAction::List(ws) => {
            let runs = Engine::open(&ws.workspace)?.runs().runs()?;
            out.rows(&runs, none_yet::RUNS, describe_run);
            done()
        }
        RunsAction::Follow {
            run,
            with_checkpoints,
        } => {
            let (engine, id) = open(run)?;
            let watcher = Terminal::new(out.json);
            let bring = || engine.runs().bring_checkpoints(id, &watcher);
            with_checkpoints.then(bring).transpose()?;
            follow(&engine, id, &watcher, out)
        }
        RunsAction::Pause(run) => {
            let (engine, id) = open(run)?;
            engine.runs().control_run(id, Control::Pause)?;
            let row = engine.runs().run(id)?;
            out.document(&row, || describe_told(&row, RunState::Paused));
            done()
        }
        RunsAction::Stop(run) => {
            let (engine, id) = open(run)?;
            engine.runs().control_run(id, Control::Stop)?;
            let row = engine.runs().follow_run(id, &Terminal::new(false))?;
            out.document(&row, || describe_run(&row));
            done()
        }
        RunsAction::Resume { run, detach } => {
            let (engine, id) = open(run)?;
            let row = engine.runs().resume_run(id)?;
            if *detach {
                out.document(&row, || describe_told(&row, RunState::Running));
                return done();
            }
            follow(&engine, id, &Terminal::new(out.json), out)
        }
        RunsAction::Unfollow {
            workspace,
            run,
            yes,
        } => {
            let row = Engine::open(workspace)?.runs().stop_following(*run, *yes)?;
            out.document(&row, || describe_run(&row));
            done()
        }
        RunsAction::Sweep { workspace, sweep } => sweep::show(workspace, *sweep, out),
        RunsAction::Compare {
            workspace,
            first,
            second,
        } => {
            let engine = Engine::open(workspace)?;
            let runs = [
                engine.training().run_detail(*first)?,
                engine.training().run_detail(*second)?,
            ];
            out.document(&runs, || comparison::describe(&runs));
            done()
        }
    }
}

fn open(args: &RunRefArgs) -> Result<(Engine, RunId), Failure> {
    let engine = Engine::open(&args.workspace)?;
    let id = match args.run {
        Some(id) => id,
        None => engine.runs().runs()?.first().map(|r| r.id).ok_or_else(|| {
            Failure::new(
                Code::StepMissing,
                "There is no training run in this workspace.",
                "Start one: lexforge train WORKSPACE.",
            )
        })?,
    };
    Ok((engine, id))
}

/// Follow a run to the end of its worker. With `--json` its events are the stream and nothing else is printed.
fn follow(engine: &Engine, id: RunId, watcher: &Terminal, out: &Output) -> Outcome {
    let row = watcher.finished(engine.runs().follow_run(id, watcher))?;
    if let Some(failure) = &row.failure {
        return Err(failure.clone());
    }
    if !out.json {
        crate::output::print(&describe_run(&row));
        if let Some(spent) = engine.runs().spent(id)? {
            crate::output::print(&cost_text::after(&spent));
        }
    }
    let place = word(&engine.workspace().path().to_string_lossy());
    match row.state {
        RunState::Finished | RunState::Stopped | RunState::Unfollowed => done(),
        RunState::Queued
        | RunState::Starting
        | RunState::Running
        | RunState::Paused
        | RunState::Unknown => {
            tell(&format!(
                "The run itself was not ended. Follow it again: lexforge runs follow {place} {id}. End it after a checkpoint: lexforge runs stop {place} {id}"
            ));
            done()
        }
        _ => {
            // Its events say no word of a worker that was killed.
            if out.json {
                tell(&describe_run(&row));
            }
            tell(&format!("hint: lexforge runs resume {place} {id}"));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The last known state of a run that was told to pause or to go on. Its worker reads requests between two steps.
fn describe_told(row: &RunRow, wanted: RunState) -> String {
    let told = match (row.state, wanted) {
        (RunState::Starting | RunState::Running, RunState::Paused) => {
            "\n  It was told to pause, and does so before its next step."
        }
        (RunState::Paused, RunState::Running) => {
            "\n  It was told to go on, and does so in a moment."
        }
        _ => "",
    };
    describe_run(row) + told
}

/// A run as a person reads it.
pub fn describe_run(r: &RunRow) -> String {
    let mut text = format!(
        "Run {} · {} · {} · {}{}",
        r.id,
        r.state.tag(),
        r.recipe,
        r.base,
        r.dataset
            .map(|id| format!(" · snapshot {id}"))
            .unwrap_or_default()
    );
    // Before its first step nobody knows how many there are.
    if r.of > 0 {
        text.push_str(&format!(" · step {} of {}", r.step, r.of));
    }
    if let Some(loss) = r.loss {
        text.push_str(&format!(" · loss {loss:.4}"));
    }
    if let (RunState::Running, Some(eta)) = (r.state, r.eta_s) {
        text.push_str(&format!(" · {} left", duration(eta)));
    }
    match r.best {
        Some(best) if r.no_better => text.push_str(&format!(
            " · no step is better than the start (by held-out loss); that of step {best} is kept"
        )),
        Some(best) if r.state == RunState::Finished => {
            text.push_str(&format!(" · best at step {best}"));
        }
        Some(best) => text.push_str(&format!(" · best so far at step {best}")),
        None => {}
    }
    if let Some(adapter) = &r.adapter {
        text.push_str(&format!(" · adapter {adapter}"));
    }
    for note in &r.notes {
        text.push_str(&format!("\n  {note}"));
    }
    if let Some(failure) = &r.failure {
        text.push_str(&format!(
            "\n  {failure}\n  {}",
            crate::remedies::hint(failure)
        ));
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::MemoryEstimate;

    fn row(state: &str, of: u64) -> RunRow {
        serde_json::from_value(serde_json::json!({
            "id": 1, "state": state, "recipe": "encoder", "base": "all-MiniLM-L6-v2", "dataset": 1, "stage": "sentence",
            "step": 3, "of": of, "started": "2026-01-01T00:00:00Z", "best": null, "adapter": null, "loss": null,
            "eta_s": null, "failure": null, "evaluated": false
        }))
        .unwrap()
    }

    #[test]
    fn a_run_that_was_told_something_says_what_it_does_next() {
        let told = |state, wanted| describe_told(&row(state, 9), wanted);
        assert!(told("running", RunState::Paused).contains("told to pause"));
        assert!(told("starting", RunState::Paused).contains("told to pause"));
        assert!(told("paused", RunState::Running).contains("told to go on"));
        assert!(!told("paused", RunState::Paused).contains("told"));
        assert!(!told("running", RunState::Running).contains("told"));
    }

    #[test]
    fn what_would_save_memory_is_said_as_it_is_typed_and_whether_it_is_enough() {
        let told = |setting: &str, value: &str, free: f64| {
            let estimate: MemoryEstimate = serde_json::from_value(serde_json::json!({
                "device": "cpu", "total_mb": 9000.0, "weights_mb": 1.0, "adapter_mb": 1.0, "activations_mb": 1.0,
                "stage": "sft", "available_mb": free, "fits": false,
                "advice": { "setting": setting, "value": value, "total_mb": 5000.0 }
            }))
            .unwrap();
            describe_memory(&estimate)
        };
        let enough = told("activation_checkpointing", "true", 6000.0);
        assert!(
            enough.ends_with("With --activation-checkpointing: about 5,000 MiB."),
            "{enough}"
        );
        let little = told("micro_batch", "4", 4000.0);
        assert!(
            little.contains("With --micro-batch 4: about 5,000 MiB, which is still more"),
            "{little}"
        );
    }

    #[test]
    fn a_run_without_improvement_says_so() {
        let mut run = row("finished", 9);
        run.best = Some(3);
        assert!(describe_run(&run).contains("best at step 3"));
        run.no_better = true;
        let told = describe_run(&run);
        assert!(told.contains("no step is better than the start"), "{told}");
        assert!(!told.contains("best at"), "{told}");
    }

    #[test]
    fn a_number_of_steps_that_nobody_knows_is_not_said() {
        assert!(describe_run(&row("running", 9)).contains("step 3 of 9"));
        assert!(!describe_run(&row("running", 0)).contains("step"));
    }
}
