//! `compute key|replace-key`: the key of a target's host, and one that has changed.

use crate::compute_args::ReplaceKeyArgs;
use crate::output::{Outcome, Output, done, word};
use lexforge_domain::api::{HostKey, HostKeyState, HostKeys, KnownKey};
use lexforge_engine::Engine;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// `compute key`
pub fn show(name: &str, workspace: Option<&Path>, out: &Output) -> Outcome {
    let engine = workspace.map(Engine::open).transpose()?;
    let keys = lexforge_engine::show_host_key(name, engine.as_ref().map(Engine::workspace))?;
    out.document(&keys, || describe(&keys, name));
    match keys.state {
        HostKeyState::Changed => Ok(ExitCode::FAILURE),
        HostKeyState::Same | HostKeyState::Unknown => done(),
    }
}

/// `compute replace-key`
pub fn replace(args: &ReplaceKeyArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let keys = lexforge_engine::replace_host_key(
        engine.workspace(),
        &args.name,
        &args.fingerprint,
        &args.reason,
    )?;
    out.document(&keys, || {
        format!(
            "{} is trusted with the key {}. The earlier key is no longer known.\nCheck it: lexforge compute check {}",
            keys.host,
            key(&keys.shown),
            word(&args.name)
        )
    });
    done()
}

fn key(key: &HostKey) -> String {
    format!("{} {}", key.algorithm, key.fingerprint)
}

fn describe(keys: &HostKeys, name: &str) -> String {
    let state = match keys.state {
        HostKeyState::Same => "shows the key that is known",
        HostKeyState::Unknown => "shows a key, and none of it is known",
        HostKeyState::Changed => {
            "shows another key than the known one; every connection is refused"
        }
    };
    let mut said = format!("{} {state}\nshown now  {}", keys.host, key(&keys.shown));
    for known in &keys.known {
        let _ = write!(
            said,
            "\nknown      {}\n           {}",
            key(&known.key),
            origin(known)
        );
    }
    if keys.state == HostKeyState::Changed {
        let _ = write!(
            said,
            "\nAsk those who run the host for its fingerprint. Only if it is the one shown now:\nlexforge compute replace-key \
             WORKSPACE {} --fingerprint FINGERPRINT --reason TEXT",
            word(name)
        );
    }
    said
}

/// Where a known key stands, and who trusted it.
fn origin(known: &KnownKey) -> String {
    let by = known.trusted.as_ref().map_or_else(
        || "no row of a workspace says who trusted it".to_owned(),
        |trusted| {
            format!(
                "trusted by {} on {} (row {} of the audit chain)",
                trusted.actor, trusted.time, trusted.sequence
            )
        },
    );
    format!("line {} of {} · {by}", known.line, known.file)
}
