//! `train`, `runs`, `models`.

use crate::args::{ModelsAction, ModelsArgs, RecipeArgs, RunRefArgs, RunsAction, RunsArgs, TrainArgs};
use crate::output::{Outcome, Output, count, done};
use crate::terminal::{Terminal, duration};
use lexforge_domain::api::{RunRow, RunState, TrainRequest};
use lexforge_domain::protocol::Control;
use lexforge_domain::{Code, Failure, RunId};
use lexforge_engine::{Engine, embed_file, inspect_model};
use std::process::ExitCode;

/// `train`
pub fn train(args: &TrainArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let watcher = Terminal::new(out.json);
    let mut request = request(&args.recipe);
    request.dataset = args.dataset;
    let run = engine.train(&request, &watcher)?;
    if args.detach {
        out.document(&run, || {
            format!("Run {} is under way. Follow it: lexforge runs follow {}", run.id, args.workspace.display())
        });
        return done();
    }
    follow(&engine, run.id, &watcher, out)
}

/// The recipe with what the user changed.
pub fn request(args: &RecipeArgs) -> TrainRequest {
    TrainRequest {
        base: args.base.clone(),
        epochs: args.epochs,
        batch_size: args.batch_size,
        learning_rate: args.learning_rate,
        max_steps: args.max_steps,
        threads: args.threads,
        seed: args.seed,
        checkpoint_every: args.checkpoint_every,
        ..TrainRequest::default()
    }
}

/// `runs`
pub fn runs(args: &RunsArgs, out: &Output) -> Outcome {
    match &args.action {
        RunsAction::List(ws) => {
            out.rows(&Engine::open(&ws.workspace)?.runs()?, describe_run);
            done()
        }
        RunsAction::Follow(run) => {
            let (engine, id) = open(run)?;
            follow(&engine, id, &Terminal::new(out.json), out)
        }
        RunsAction::Stop(run) => {
            let (engine, id) = open(run)?;
            engine.control_run(id, Control::Stop)?;
            let row = engine.follow_run(id, &Terminal::new(false))?;
            out.document(&row, || describe_run(&row));
            done()
        }
        RunsAction::Resume { run, detach } => {
            let (engine, id) = open(run)?;
            let row = engine.resume_run(id)?;
            if *detach {
                out.document(&row, || describe_run(&row));
                return done();
            }
            follow(&engine, id, &Terminal::new(out.json), out)
        }
    }
}

fn open(args: &RunRefArgs) -> Result<(Engine, RunId), Failure> {
    let engine = Engine::open(&args.workspace)?;
    let id = match args.run {
        Some(id) => id,
        None => engine.runs()?.first().map(|r| r.id).ok_or_else(|| {
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
    let row = engine.follow_run(id, watcher);
    watcher.finish();
    let row = row?;
    if let Some(failure) = &row.failure {
        return Err(failure.clone());
    }
    if !out.json {
        crate::output::print(&describe_run(&row));
    }
    match row.state {
        RunState::Finished | RunState::Running | RunState::Paused | RunState::Stopped => done(),
        _ => {
            eprintln!("hint: lexforge runs resume {} {id}", engine.path().display());
            Ok(ExitCode::FAILURE)
        }
    }
}

/// A run as a person reads it.
pub fn describe_run(r: &RunRow) -> String {
    let mut text = format!(
        "Run {} · {} · {} · {} · snapshot {} · step {} of {}",
        r.id,
        r.state.tag(),
        r.recipe,
        r.base,
        r.dataset,
        r.step,
        r.of
    );
    if let Some(loss) = r.loss {
        text.push_str(&format!(" · loss {loss:.4}"));
    }
    if let (RunState::Running, Some(eta)) = (r.state, r.eta_s) {
        text.push_str(&format!(" · {} left", duration(eta)));
    }
    if let Some(best) = r.best {
        text.push_str(&format!(" · best at step {best}"));
    }
    if let Some(adapter) = &r.adapter {
        text.push_str(&format!(" · adapter {adapter}"));
    }
    if let Some(failure) = &r.failure {
        text.push_str(&format!("\n  {failure}\n  {}", failure.hint));
    }
    text
}

/// `models`
pub fn models(args: &ModelsArgs, out: &Output) -> Outcome {
    match &args.action {
        ModelsAction::Inspect { model } => {
            let m = inspect_model(model)?;
            out.document(&m, || {
                let mut text = format!(
                    "{} · {} · {} parameters · {} layers · hidden {} · vocabulary {} · at most {} tokens · {} · {} MB\n{}",
                    m.name,
                    m.architecture,
                    count(m.parameters),
                    m.layers,
                    m.hidden_size,
                    count(m.vocabulary),
                    m.max_positions,
                    m.dtype,
                    m.bytes >> 20,
                    m.sha256
                );
                for p in &m.problems {
                    text.push_str(&format!("\n! {} [{}]\n  {}", p.message, p.code.tag(), p.hint));
                }
                text
            });
            Ok(if m.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        ModelsAction::Embed { model, input, out: output } => {
            let watcher = Terminal::new(false);
            let result = embed_file(model, None, input, output, &watcher);
            watcher.finish();
            let result = result?;
            out.document(&result, || {
                format!(
                    "{} rows of {} dimensions in {} ({:.1} s; {} inputs cut; unknown tokens {:.2} %)",
                    count(result.rows),
                    result.dim,
                    result.output,
                    result.seconds,
                    count(result.truncated),
                    result.unknown_rate * 100.0
                )
            });
            done()
        }
    }
}
