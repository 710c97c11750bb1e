//! `compute`: machines that a training can run on.

use crate::compute_args::{AddArgs, ChangeArgs, ComputeAction, ComputeArgs, PriceArgs, QueueArgs};
use crate::figures::describe_check;
use crate::host_key;
use crate::none_yet;
use crate::output::{Outcome, Output, count, done, word};
use crate::remedies;
use crate::terminal::Terminal;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    HourlyPrice, KeptThere, Pack, PackTaken, Target, TargetList, TargetPlace, UnreadableTarget,
};
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
                    word(&target.name)
                )
            });
        }
        ComputeAction::Change(args) => {
            let target = change(args)?;
            out.document(&target, || describe(&target));
        }
        ComputeAction::List => return Ok(list(&lexforge_engine::targets()?, out)),
        ComputeAction::Check(args) => {
            let checks = remedies::of_checks(lexforge_engine::check_target(&args.name)?);
            out.rows(&checks, none_yet::NOTHING, describe_check);
            if !checks.iter().all(|check| check.ok) {
                return Ok(ExitCode::FAILURE);
            }
        }
        ComputeAction::Key { name, workspace } => {
            return host_key::show(name, workspace.as_deref(), out);
        }
        ComputeAction::ReplaceKey(args) => return host_key::replace(args, out),
        ComputeAction::Install {
            name: Some(name),
            libtorch,
            ..
        } => {
            let watcher = Terminal::new(false);
            let installed = watcher.finished(lexforge_engine::install_on(
                name,
                libtorch.as_deref(),
                &watcher,
            ))?;
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
        ComputeAction::Install { local, .. } => {
            let watcher = Terminal::new(false);
            let taken = watcher.finished(lexforge_engine::take_pack_in(local, &watcher))?;
            out.document(&taken, || told(&taken));
            if !taken.pack.missing.is_empty() {
                return Ok(ExitCode::FAILURE);
            }
        }
        ComputeAction::Packs { remove: Some(id) } => {
            let pack = lexforge_engine::remove_pack(id)?;
            out.document(&pack, || {
                let mut said = format!("{} is removed.", describe_pack(&pack));
                if pack.used {
                    said.push_str(
                        "\nRuns at work with it may fail; they go on from their newest checkpoint (runs resume).",
                    );
                }
                said
            });
        }
        ComputeAction::Packs { remove: None } => {
            out.rows(&lexforge_engine::packs()?, none_yet::PACKS, describe_pack);
        }
        ComputeAction::Clean {
            name, plan: true, ..
        } => {
            let kept = lexforge_engine::kept_there(name)?;
            out.document(&kept, || describe_kept(&kept));
        }
        ComputeAction::Clean {
            name,
            plan: false,
            all,
            discard,
            old_workers,
        } => {
            let what = lexforge_engine::Cleaning {
                everything: *all,
                discard: *discard,
                old_workers: *old_workers,
            };
            let cleaned = lexforge_engine::clean_target(name, what)?;
            out.document(&cleaned, || {
                let mut said = format!(
                    "{}: {} jobs removed, {} still worked on stay; {} MiB freed",
                    cleaned.target,
                    count(cleaned.jobs),
                    count(cleaned.kept),
                    count(cleaned.bytes >> 20)
                );
                if *old_workers {
                    let _ = write!(said, "\nolder workers removed: {}", count(cleaned.workers));
                }
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
            let known = lexforge_engine::remove_target(&args.name)?;
            out.document(&known, || {
                format!(
                    "{} is forgotten. A run that was sent there is put away with lexforge runs unfollow WORKSPACE RUN.",
                    args.name
                )
            });
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

/// The targets, and after them why others cannot be read.
fn list(list: &TargetList, out: &Output) -> ExitCode {
    let TargetList {
        targets,
        unreadable,
    } = list;
    if !targets.is_empty() || unreadable.is_empty() {
        out.rows(targets, none_yet::MACHINES, describe);
    }
    for UnreadableTarget { name, failure } in unreadable {
        out.failure(&Failure {
            message: format!("The target {name} cannot be read. {}", failure.message),
            hint: format!(
                "{} Remove it: lexforge compute remove {}",
                failure.hint,
                word(name)
            ),
            ..failure.clone()
        });
    }
    match unreadable.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn describe_pack(pack: &Pack) -> String {
    if pack.libtorch.is_empty() {
        return format!(
            "{} · a pack whose list cannot be read; it can be removed",
            pack.id
        );
    }
    let state = match (pack.used, pack.missing.len()) {
        (true, _) => "used".to_owned(),
        (false, 0) => "not used".to_owned(),
        (false, missing) => format!("{missing} of {} parts are missing", pack.parts),
    };
    format!(
        "{} · libtorch {} for {} · {} MiB · {state}",
        pack.id,
        pack.libtorch,
        pack.device,
        count(pack.bytes >> 20)
    )
}

fn told(taken: &PackTaken) -> String {
    let pack = &taken.pack;
    let mut said = format!(
        "{} ({} parts taken in, in {:.0} s)",
        describe_pack(pack),
        count(taken.taken),
        taken.seconds
    );
    if let Some(words) = &taken.signed {
        let _ = write!(said, "\nThe signer wrote: {words}");
    }
    if pack.missing.is_empty() {
        let _ = write!(
            said,
            "\nThe worker starts with {}/lib from now on. Back: lexforge compute packs --remove {}",
            pack.folder, pack.id
        );
    } else {
        let _ = write!(
            said,
            "\nMissing: {}. Name them to go on: lexforge compute install --local FILE…",
            pack.missing.join(", ")
        );
    }
    said
}

fn add(args: &AddArgs) -> Result<Target, Failure> {
    let ssh = |host: &String| TargetPlace::Ssh { host: host.clone() };
    let host = args.ssh.as_ref().or(args.slurm.as_ref());
    let place = host.map_or(TargetPlace::Here, ssh);
    let slurm = args
        .ssh
        .is_none()
        .then(|| settings(&args.queue, SlurmSettings::default()));
    let price = price(&args.price, None)?;
    lexforge_engine::add_target(&args.name, place, &args.folder, slurm, price)
}

fn change(args: &ChangeArgs) -> Result<Target, Failure> {
    let list = lexforge_engine::targets()?;
    let known = list
        .targets
        .into_iter()
        .find(|target| target.name == args.name);
    let Some(known) = known else {
        // The engine reports that there is no such target.
        return lexforge_engine::change_target(&args.name, TargetPlace::Here, "", None, None);
    };
    let (mut place, mut folder, mut slurm) = (known.place, known.folder, known.slurm);
    if let Some(host) = args.ssh.as_ref().or(args.slurm.as_ref()) {
        place = TargetPlace::Ssh { host: host.clone() };
        slurm = args.slurm.as_ref().map(|_| slurm.unwrap_or_default());
    } else if args.slurm_local {
        (place, slurm) = (TargetPlace::Here, Some(slurm.unwrap_or_default()));
    }
    if let Some(other) = &args.folder {
        folder.clone_from(other);
    }
    if slurm.is_none() && is_given(&args.queue) {
        return Err(Failure::invalid(
            format!("{} has no queue that could be set.", args.name),
            "Give --slurm HOST with the settings to make it a cluster with a queue.",
        ));
    }
    let slurm = slurm.map(|before| settings(&args.queue, before));
    let price = price(&args.price, known.price)?;
    lexforge_engine::change_target(&args.name, place, &folder, slurm, price)
}

/// The earlier price, with the given parts in its place.
fn price(args: &PriceArgs, before: Option<HourlyPrice>) -> Result<Option<HourlyPrice>, Failure> {
    let PriceArgs { price, currency } = args;
    match (price.as_deref(), currency.as_deref()) {
        (None, None) => Ok(before),
        (Some(""), _) => Ok(None),
        (amount, currency) => {
            let (known, of) = before.map_or_else(Default::default, |p| (p.amount(), p.currency));
            let (amount, currency) = (amount.unwrap_or(&known), currency.unwrap_or(&of));
            HourlyPrice::read(amount, currency).map(Some)
        }
    }
}

/// Whether any setting of a queue is given.
fn is_given(queue: &QueueArgs) -> bool {
    let QueueArgs {
        partition,
        account,
        time,
        gres,
        constraint,
        cpus,
        memory,
        ranks,
        nodes,
        notice,
        modules,
        container,
        lines,
    } = queue;
    let texts = [
        partition, account, time, gres, constraint, cpus, memory, nodes, container,
    ];
    texts.iter().any(|text| text.is_some())
        || ranks.or(*notice).is_some()
        || !(modules.is_empty() && lines.is_empty())
}

/// The earlier settings, with the given ones in their place.
fn settings(queue: &QueueArgs, before: SlurmSettings) -> SlurmSettings {
    let text = |given: &Option<String>, before: String| given.clone().unwrap_or(before);
    // One empty value takes a list away.
    let list = |given: &[String], before: Vec<String>| match given {
        [] => before,
        given => given.iter().filter(|g| !g.is_empty()).cloned().collect(),
    };
    SlurmSettings {
        partition: text(&queue.partition, before.partition),
        account: text(&queue.account, before.account),
        time: text(&queue.time, before.time),
        gres: text(&queue.gres, before.gres),
        constraint: text(&queue.constraint, before.constraint),
        cpus: text(&queue.cpus, before.cpus),
        memory: text(&queue.memory, before.memory),
        ranks: queue.ranks.unwrap_or(before.ranks),
        nodes: text(&queue.nodes, before.nodes),
        notice: queue.notice.unwrap_or(before.notice),
        modules: list(&queue.modules, before.modules),
        container: text(&queue.container, before.container),
        lines: list(&queue.lines, before.lines),
    }
}

/// What is kept on a target: a line each, and how much it is in all.
fn describe_kept(kept: &KeptThere) -> String {
    let mut text = format!("{}: {}", kept.target, kept.folder);
    for thing in &kept.things {
        let state = match thing.fetched {
            None => "",
            Some(true) => "  fetched",
            Some(false) => "  not fetched",
        };
        let size = thing.bytes.map_or_else(
            || "not known".to_owned(),
            |bytes| format!("{} MiB", count(bytes.div_ceil(1 << 20))),
        );
        let _ = write!(
            text,
            "\n{size:>14}  {:<11}  {}{state}",
            thing.kind.tag(),
            thing.name
        );
    }
    let (all, known) = kept.in_all();
    let least = if known { "" } else { "at least " };
    let all = format!("{least}{} MiB", count(all.div_ceil(1 << 20)));
    let _ = write!(
        text,
        "\n{all:>14}  in all. Without --plan, runs go whose results were fetched, and models if no other run is there."
    );
    text
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
    let price = target
        .price
        .as_ref()
        .map_or(String::new(), |price| format!(" · {price} an hour"));
    format!("{} · {place}{queue} · {worker}{price}", target.name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
