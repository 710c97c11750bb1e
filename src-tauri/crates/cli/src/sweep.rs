//! `train --sweep`, `runs sweep`.

use crate::args::TrainArgs;
use crate::output::{Outcome, Output, count, done, share, tell, word};
use crate::sweep_args::axes;
use crate::terminal::Terminal;
use lexforge_domain::api::{Combination, DevFigure, Sweep, SweepRequest, SweepRow, TrainRequest};
use lexforge_domain::{Code, Failure};
use lexforge_engine::Engine;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// `train --sweep`
pub fn sweep(engine: &Engine, train: TrainRequest, args: &TrainArgs, out: &Output) -> Outcome {
    let axes = axes(&args.sweep, &train)?;
    let planned = engine.plan_sweep(&SweepRequest { train, axes })?;
    let measured = planned.rows.iter().filter(|row| row.dev.is_some()).count();
    tell(&format!(
        "Sweep {}: {} combinations, {measured} of them done ({} are the most).",
        planned.number,
        planned.rows.len(),
        planned.most
    ));
    if args.plan {
        out.document(&planned, || describe(&planned));
        return done();
    }
    // Its events are no part of the one document that is printed.
    let watcher = Terminal::new(false);
    let sweep = watcher.finished(engine.sweep(planned, &watcher))?;
    out.document(&sweep, || {
        let next = best_of(&sweep).and_then(|row| row.run);
        let hint = next.filter(|_| sweep.request.train.dataset.is_some());
        let hint = hint.map_or(String::new(), |run| {
            format!(
                "\n  The test part was not read: lexforge eval {} --run {run}",
                word(&args.workspace.to_string_lossy())
            )
        });
        describe(&sweep) + &hint
    });
    Ok(match sweep.best {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::FAILURE,
    })
}

/// `runs sweep`
pub fn show(workspace: &Path, number: Option<u64>, out: &Output) -> Outcome {
    let sweeps = Engine::open(workspace)?.sweeps()?;
    let found = match number {
        None => sweeps.first(),
        Some(number) => sweeps.iter().find(|sweep| sweep.number == number),
    };
    let sweep = found.ok_or_else(|| {
        Failure::new(
            Code::NotFound,
            match number {
                None => "There is no sweep in this workspace.".to_owned(),
                Some(number) => format!("There is no sweep {number} in this workspace."),
            },
            "Begin one: lexforge train WORKSPACE --sweep lr=1e-4,2e-4.",
        )
    })?;
    out.document(sweep, || describe(sweep));
    done()
}

fn best_of(sweep: &Sweep) -> Option<&SweepRow> {
    let best = sweep.best?;
    sweep.rows.iter().find(|row| row.number == best)
}

/// A sweep as a person reads it.
fn describe(sweep: &Sweep) -> String {
    let mut text = format!(
        "Sweep {} · {} combinations · begun {}",
        sweep.number,
        sweep.rows.len(),
        sweep.started
    );
    for row in &sweep.rows {
        let run = row.run.map_or("–".to_owned(), |run| format!("run {run}"));
        let _ = write!(
            text,
            "\n  {:>2}  {:<34}{:<9}{:<10}{:<28}",
            row.number,
            values(&row.values),
            run,
            row.state.tag(),
            row.dev.as_ref().map_or("–".to_owned(), figure)
        );
        if let Some(loss) = row.dev_loss {
            let _ = write!(text, "  held-out loss {loss:.4}");
        }
        if let Some(items) = row.learnt_from {
            let _ = write!(text, "  {} questions", count(items));
        }
        if let Some(minutes) = row.minutes {
            let _ = write!(text, "  {minutes:.1} min");
        }
        if let Some(failure) = &row.failure {
            let _ = write!(
                text,
                "\n      {failure}\n      {}",
                crate::remedies::hint(failure)
            );
        }
    }
    match best_of(sweep) {
        None => text.push_str("\n  None has a figure on the dev part yet, so none is best."),
        Some(row) => {
            let _ = write!(text, "\n  Best: {}, {}", row.number, values(&row.values));
            if let Some(dev) = &row.dev {
                let _ = write!(
                    text,
                    "; {} on {} items of the dev part",
                    figure(dev),
                    dev.items
                );
            }
            if !sweep.tied.is_empty() {
                let tied: Vec<String> = sweep.tied.iter().map(u64::to_string).collect();
                let _ = write!(
                    text,
                    ". The same figure: {}; the first in the table is taken",
                    tied.join(", ")
                );
            }
            text.push('.');
        }
    }
    let row_of = |number: u64| sweep.rows.iter().find(|row| row.number == number);
    if let Some(row) = sweep.enough.and_then(row_of) {
        let _ = write!(
            text,
            "\n  Enough: {}, {}: the fewest questions whose figure lies within the interval of the best.",
            row.number,
            values(&row.values)
        );
    }
    text
}

fn figure(dev: &DevFigure) -> String {
    let interval = dev.interval.map_or(String::new(), |[low, high]| {
        format!(" [{}, {}]", share(low), share(high))
    });
    format!("{} {}{interval}", dev.measure.tag(), share(dev.value))
}

/// `lr 1e-4 · τ .05 · weights .4/.6`.
fn values(combination: &Combination) -> String {
    let mut parts = Vec::new();
    if let Some(rate) = combination.learning_rate {
        parts.push(format!("lr {rate:e}"));
    }
    if let Some(temperature) = combination.temperature {
        parts.push(format!("τ {temperature}"));
    }
    if let Some(weights) = combination.weights {
        parts.push(format!("weights {}/{}", weights.sentence, weights.token));
    }
    if let Some(items) = combination.items {
        let most = items.most().map_or("all".to_owned(), |n| n.to_string());
        parts.push(format!("items {most}"));
    }
    parts.join(" · ")
}
