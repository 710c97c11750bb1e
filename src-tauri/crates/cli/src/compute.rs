//! `compute`: machines that a training can run on.

use crate::compute_args::{AddArgs, ComputeAction, ComputeArgs};
use crate::figures::describe_check;
use crate::output::{Outcome, Output, count, done};
use crate::terminal::Terminal;
use lexforge_domain::api::{Target, TargetPlace};
use lexforge_domain::protocol::SlurmSettings;
use std::fmt::Write as _;
use std::process::ExitCode;

/// `compute`
pub fn run(args: &ComputeArgs, out: &Output) -> Outcome {
    match &args.action {
        ComputeAction::Add(args) => {
            let target = add(args)?;
            out.document(&target, || {
                format!(
                    "{}\nNothing was connected to. Look at it: lexforge compute check {}",
                    describe(&target),
                    target.name
                )
            });
        }
        ComputeAction::List => out.rows(&lexforge_engine::targets()?, describe),
        ComputeAction::Check(args) => {
            let checks = lexforge_engine::check_target(&args.name)?;
            out.rows(&checks, describe_check);
            if !checks.iter().all(|check| check.ok) {
                return Ok(ExitCode::FAILURE);
            }
        }
        ComputeAction::Install { name, libtorch } => {
            let watcher = Terminal::new(false);
            let installed = lexforge_engine::install_on(name, libtorch.as_deref(), &watcher);
            watcher.finish();
            let installed = installed?;
            out.document(&installed, || {
                format!(
                    "{}: worker {} is there ({} MiB, of which {} were sent, in {:.0} s)",
                    installed.target,
                    installed.worker,
                    count(installed.bytes >> 20),
                    count(installed.sent >> 20),
                    installed.seconds
                )
            });
        }
        ComputeAction::Clean { name, all, discard } => {
            let cleaned = lexforge_engine::clean_target(name, *all, *discard)?;
            out.document(&cleaned, || {
                let mut said = format!(
                    "{}: {} jobs removed, {} still worked on stay; {} MiB freed",
                    cleaned.target,
                    count(cleaned.jobs),
                    count(cleaned.kept),
                    count(cleaned.bytes >> 20)
                );
                if cleaned.waiting > 0 {
                    let _ = write!(
                        said,
                        "\n{} stay whose results were not fetched, or which can go on (runs follow, runs resume; \
                         --discard removes them)",
                        count(cleaned.waiting)
                    );
                }
                said
            });
        }
        ComputeAction::Remove(args) => {
            let target = lexforge_engine::remove_target(&args.name)?;
            out.document(&target, || format!("{} is forgotten.", target.name));
        }
        ComputeAction::Manifest(args) => {
            let text = lexforge_engine::manifest(&args.name)?;
            out.verbatim(
                &serde_json::json!({ "target": args.name, "manifest": text }),
                || text.clone(),
            );
        }
    }
    done()
}

fn add(args: &AddArgs) -> Result<Target, lexforge_domain::Failure> {
    let ssh = |host: &String| TargetPlace::Ssh { host: host.clone() };
    let host = args.ssh.as_ref().or(args.slurm.as_ref());
    let place = host.map_or(TargetPlace::Here, ssh);
    let queue = &args.queue;
    let settings = SlurmSettings {
        partition: queue.partition.clone(),
        account: queue.account.clone(),
        time: queue.time.clone(),
        gres: queue.gres.clone(),
        constraint: queue.constraint.clone(),
        cpus: queue.cpus.clone(),
        memory: queue.memory.clone(),
        ranks: queue.ranks,
        notice: queue.notice,
        modules: queue.modules.clone(),
        container: queue.container.clone(),
        lines: queue.lines.clone(),
    };
    let slurm = args.ssh.is_none().then_some(settings);
    lexforge_engine::add_target(&args.name, place, &args.folder, slurm)
}

fn describe(target: &Target) -> String {
    let place = match &target.place {
        TargetPlace::Ssh { host } => format!("ssh {host}"),
        TargetPlace::Here => "this machine".to_owned(),
    };
    let queue = target.slurm.as_ref().map_or(String::new(), |slurm| {
        let partition = if slurm.partition.is_empty() {
            "usual partition"
        } else {
            &slurm.partition
        };
        format!(" · Slurm, {partition}")
    });
    let worker = target
        .worker
        .as_deref()
        .map_or("no worker yet".to_owned(), |id| format!("worker {id}"));
    format!("{} · {place}{queue} · {worker}", target.name)
}
