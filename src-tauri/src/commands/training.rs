//! Commands about training runs.

use super::reply::{Reply, apart, ask, job};
use crate::shell::{Answer, Shell};
use crate::{follow, vectors};
use lexforge_domain::api::RunRow;
use lexforge_domain::api::commands::{Command, TrainingRequest as Request};
use lexforge_engine::{Engine, Silent, say_reading};
use std::path::Path;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::BaseModels(asked) => ask(shell, asked, |engine, _| engine.models().base_models()),
        Request::SetReading(asked) => ask(shell, asked, |_, asked| {
            say_reading(Path::new(&asked.folder), &asked.said)
        }),
        Request::PlanRun(asked) => ask(shell, asked, |engine, asked| {
            engine.plan_training(&asked.request)
        }),
        Request::StartTraining(asked) => followed(shell, asked, |engine, asked| {
            engine.begin_training(&asked.request, &Silent)
        }),
        Request::Runs(asked) => ask(shell, asked, |engine, _| engine.runs().runs()),
        Request::RunDetail(asked) => ask(shell, asked, |engine, asked| {
            engine.training().run_detail(asked.id)
        }),
        Request::RunEvents(asked) => ask(shell, asked, |engine, asked| {
            engine.runs().run_events(asked.id, None)
        }),
        Request::ControlRun(asked) => ask(shell, asked, |engine, asked| {
            engine.runs().control_run(asked.id, asked.control)
        }),
        Request::ResumeRun(asked) => followed(shell, asked, |engine, asked| {
            engine.runs().resume_run(asked.id)
        }),
        Request::StopFollowing(asked) => ask(shell, asked, |engine, asked| {
            engine.runs().stop_following(asked.id, asked.sure)
        }),
        Request::BringCheckpoints(asked) => {
            let title = asked.id.to_string();
            job(shell, asked, "bring", &title, |engine, watch, asked| {
                engine.runs().bring_checkpoints(asked.id, watch).map(|_| ())
            })
        }
        Request::Sweeps(asked) => ask(shell, asked, |engine, _| engine.sweeps()),
        Request::PlanSweep(asked) => ask(shell, asked, |engine, asked| {
            engine.plan_sweep(&asked.request)
        }),
        Request::StartSweep(asked) => job(shell, asked, "sweep", "", |engine, watch, asked| {
            let planned = engine.plan_sweep(&asked.request)?;
            engine.sweep(planned, watch).map(|_| ())
        }),
    }
}

/// Does something that makes a worker live, and follows its run.
fn followed<C: Command<Answer = RunRow>>(
    shell: &Shell,
    command: C,
    deed: impl FnOnce(&Engine, C) -> Answer<RunRow> + Send + 'static,
) -> Reply {
    let shell = shell.clone();
    apart(command, move |command| {
        let engine = shell.engine()?;
        let run = deed(&engine, command)?;
        vectors::make_way_for(&shell, &engine, run.id);
        follow::run_of(&shell, &engine, run.id);
        Ok(run)
    })
}
