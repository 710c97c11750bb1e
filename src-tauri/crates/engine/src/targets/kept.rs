//! Targets that this user has added: a file each, in the user's own folder.

use crate::workspace::{
    Result, io_failure, now, own_folder, user_folder, writable_by_others, write_own,
};
use lexforge_compute::remote::{Connection, KnownHashes, Place, login, random_id};
use lexforge_domain::api::{Target, TargetPlace};
use lexforge_domain::plain::is_plain_name;
use lexforge_domain::protocol::{JobId, SlurmSettings};
use lexforge_domain::{Code, Failure};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

fn folder() -> PathBuf {
    user_folder().join("targets")
}

fn file(name: &str) -> Result<PathBuf> {
    if is_plain_name(name) && name.len() <= 64 && !name.starts_with('.') {
        return Ok(folder().join(format!("{name}.json")));
    }
    Err(Failure::new(
        Code::InvalidRequest,
        format!("{name:?} cannot be the name of a target."),
        "Choose a short name of letters, digits, dots and dashes.",
    ))
}

/// Hashes of large files that were sent to targets.
pub(crate) fn hashes() -> KnownHashes {
    KnownHashes::of_file(&folder().join(".hashes"))
}

/// Writes a target down; nothing is connected to.
///
/// # Errors
/// When there is one of this name, or name, host or settings cannot be what they are given as.
pub fn add_target(
    name: &str,
    place: TargetPlace,
    folder_there: &str,
    slurm: Option<SlurmSettings>,
) -> Result<Target> {
    let path = file(name)?;
    if let TargetPlace::Ssh { host } = &place {
        login::check_host(host)?;
    }
    if folder_there.starts_with('~') && folder_there != "~" && !folder_there.starts_with("~/") {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!("{folder_there} is in somebody else's home folder."),
            "Name a folder from the root on, or one in your own home folder (~/…).",
        ));
    }
    if let Some(settings) = &slurm {
        check_settings(settings)?;
    }
    if path.exists() {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!("There is a target of the name {name} already."),
            "Choose another name, or remove that one first.",
        ));
    }
    let target = Target {
        name: name.to_owned(),
        id: JobId::of_bytes(random_id()),
        place,
        folder: folder_there.to_owned(),
        slurm,
        worker: None,
        added: now(),
    };
    keep(&target)?;
    Ok(target)
}

/// Keeps a target as it is now.
pub(super) fn keep(target: &Target) -> Result<()> {
    own_folder(&folder())?;
    let text = serde_json::json!(target).to_string();
    write_own(&file(&target.name)?, text.as_bytes())
}

/// All targets, by name. A file that others could have written counts for nothing.
///
/// # Errors
/// When the folder cannot be read.
pub fn targets() -> Result<Vec<Target>> {
    let folder = folder();
    let entries = match std::fs::read_dir(&folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|e| io_failure(&e, &folder))?,
    };
    let names = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_suffix(".json").map(str::to_owned)
    });
    let mut found: Vec<Target> = names.filter_map(|name| target(&name).ok()).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// A target by its name.
///
/// # Errors
/// When there is none, or others could have written it.
pub(crate) fn target(name: &str) -> Result<Target> {
    let path = file(name)?;
    let bytes = std::fs::read(&path).map_err(|_| {
        Failure::new(
            Code::NotFound,
            format!("There is no target of the name {name}."),
            "Look at the list of targets, or add one.",
        )
    })?;
    if writable_by_others(&folder()) || writable_by_others(&path) {
        return Err(Failure::new(
            Code::ReadOnly,
            format!(
                "{} can be written by others; what it says is not believed.",
                path.display()
            ),
            "Remove the target and add it again, in a folder that is yours alone.",
        ));
    }
    serde_json::from_slice(&bytes).map_err(|e| {
        Failure::new(
            Code::InvalidRequest,
            format!("{}: {e}.", path.display()),
            "Remove the target and add it again.",
        )
    })
}

/// Forgets a target. What lies on it stays until it is cleaned.
///
/// # Errors
/// When there is none.
pub fn remove_target(name: &str) -> Result<Target> {
    let path = file(name)?;
    let known = target(name)?;
    std::fs::remove_file(&path).map_err(|e| io_failure(&e, &path))?;
    Ok(known)
}

pub(crate) fn place_of(target: &Target) -> Place {
    match &target.place {
        TargetPlace::Ssh { host } => Place::Host(host.clone()),
        TargetPlace::Here => Place::Here,
    }
}

/// Connections of this process, by target and worker: whoever has to give a code for one gives it once.
static CONNECTED: Mutex<Vec<(JobId, String, Arc<Connection>)>> = Mutex::new(Vec::new());

/// Connects to the worker on a target, or gives the connection that there is.
///
/// # Errors
/// When no worker was put there, or the connection fails.
pub(crate) fn connect(target: &Target) -> Result<Arc<Connection>> {
    let Some(worker) = &target.worker else {
        return Err(Failure::new(
            Code::TargetUnready,
            format!("No worker was put on {} yet.", target.name),
            "Install the worker on the target first.",
        ));
    };
    let mut connected = CONNECTED.lock().unwrap_or_else(PoisonError::into_inner);
    connected.retain(|(_, _, connection)| connection.is_alive());
    let known = connected
        .iter()
        .find(|(id, version, _)| *id == target.id && version == worker);
    if let Some((_, _, connection)) = known {
        return Ok(Arc::clone(connection));
    }
    let opened = Connection::open(&place_of(target), &target.folder, worker)?;
    let connection = Arc::new(opened);
    connected.push((target.id.clone(), worker.clone(), Arc::clone(&connection)));
    Ok(connection)
}

/// Values that become lines of a batch script: of one line each.
fn check_settings(settings: &SlurmSettings) -> Result<()> {
    let SlurmSettings {
        partition,
        account,
        time,
        gres,
        constraint,
        cpus,
        memory,
        modules,
        container,
        lines,
        ..
    } = settings;
    let one_word = [partition, account, time, gres, constraint, cpus, memory];
    let spread = one_word
        .iter()
        .find(|value| value.contains(char::is_whitespace));
    let broken = modules.iter().chain(lines).chain([container]);
    let broken = broken
        .into_iter()
        .find(|value| value.contains(['\n', '\r']));
    match spread.copied().or(broken) {
        None => Ok(()),
        Some(value) => Err(Failure::new(
            Code::InvalidRequest,
            format!("{value:?} cannot be a setting of the queue: it has a blank or a line break."),
            "Give each setting as sbatch takes it.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_becomes_one_line() {
        let with = |partition: &str, line: &str| SlurmSettings {
            partition: partition.into(),
            lines: vec![line.into()],
            ..SlurmSettings::default()
        };
        assert!(check_settings(&with("gpu", "export A=b c")).is_ok());
        assert!(check_settings(&with("gpu\n#SBATCH x", "")).is_err());
        assert!(check_settings(&with("gpu", "a\nb")).is_err());
    }

    #[test]
    fn a_name_is_no_path() {
        for name in ["box", "my-box.1"] {
            assert!(file(name).is_ok(), "{name}");
        }
        for name in ["", "../x", "a/b", ".hidden", "con"] {
            assert!(file(name).is_err(), "{name}");
        }
    }
}
