//! Targets that this user has added: a file each, in the user's own folder.

use super::queue::check_settings;
use crate::workspace::{
    Result, io_failure, now, own_folder, user_folder, writable_by_others, write_own,
};
use lexforge_compute::remote::{KnownHashes, login, random_id};
use lexforge_domain::api::{HourlyPrice, Target, TargetList, TargetPlace, UnreadableTarget};
use lexforge_domain::plain::is_plain_name;
use lexforge_domain::protocol::{JobId, SlurmSettings};
use lexforge_domain::{Code, Failure};
use lexforge_text::likeness::nearest;
use serde_json::Value;
use std::path::{Path, PathBuf};

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

/// Stores a new target, without connecting to it.
///
/// # Errors
/// When a target with this name exists, or the name, the host or the settings are not valid.
pub fn add_target(
    name: &str,
    place: TargetPlace,
    folder_there: &str,
    slurm: Option<SlurmSettings>,
    price: Option<HourlyPrice>,
) -> Result<Target> {
    let path = file(name)?;
    check_target_settings(&place, folder_there, slurm.as_ref())?;
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
        price,
    };
    keep(&target)?;
    Ok(target)
}

/// Changes where a target is, how its queue is used and what it costs. The target remains the one that earlier runs
/// were sent to. If host or folder change, the worker has to be installed there first.
///
/// # Errors
/// When there is no such target, or host or settings are not valid.
pub fn change_target(
    name: &str,
    place: TargetPlace,
    folder_there: &str,
    slurm: Option<SlurmSettings>,
    price: Option<HourlyPrice>,
) -> Result<Target> {
    let known = target(name)?;
    check_target_settings(&place, folder_there, slurm.as_ref())?;
    let same = known.place == place && plain(&known.folder) == plain(folder_there);
    let changed = Target {
        worker: known.worker.clone().filter(|_| same),
        place,
        // If the folder is the same, its old spelling is kept, because runs remember it in that spelling.
        folder: if same {
            known.folder.clone()
        } else {
            folder_there.to_owned()
        },
        slurm,
        price,
        ..known
    };
    keep(&changed)?;
    Ok(changed)
}

/// A folder on the target, without parts that have no effect.
fn plain(folder: &str) -> &str {
    match folder.trim_end_matches('/') {
        // The default folder, where the user names none.
        "~/.lexforge" => "",
        plain => plain,
    }
}

fn check_target_settings(
    place: &TargetPlace,
    folder_there: &str,
    slurm: Option<&SlurmSettings>,
) -> Result<()> {
    if let TargetPlace::Ssh { host } = place {
        login::check_host(host)?;
    }
    if folder_there.starts_with('~') && folder_there != "~" && !folder_there.starts_with("~/") {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!("{folder_there} is in somebody else's home folder."),
            "Name a folder from the root on, or one in your own home folder (~/…).",
        ));
    }
    slurm.map_or(Ok(()), check_settings)
}

/// Keeps a target as it is now.
pub(super) fn keep(target: &Target) -> Result<()> {
    own_folder(&folder())?;
    let text = serde_json::json!(target).to_string();
    write_own(&file(&target.name)?, text.as_bytes())
}

/// All targets, ordered by name. A target whose file is damaged, or could have been written by other users, is listed
/// apart with the reason.
///
/// # Errors
/// When the folder cannot be read.
pub fn targets() -> Result<TargetList> {
    let mut list = TargetList::default();
    for name in names()? {
        match target(&name) {
            Ok(target) => list.targets.push(target),
            // Another program has just removed it.
            Err(failure) if failure.code == Code::NotFound => {}
            Err(failure) => list.unreadable.push(UnreadableTarget { name, failure }),
        }
    }
    Ok(list)
}

/// The names of the files in which targets are kept, in order.
fn names() -> Result<Vec<String>> {
    names_in(&folder())
}

fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|e| io_failure(&e, folder))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|e| io_failure(&e, folder))?.file_name();
        let name = name.to_string_lossy();
        // Hidden files are half-written ones and hashes.
        if let Some(name) = name.strip_suffix(".json").filter(|n| !n.starts_with('.')) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// A target by its name.
///
/// # Errors
/// When no target has this name, its file cannot be read, or other users could have written it.
pub(crate) fn target(name: &str) -> Result<Target> {
    let path = file(name)?;
    let bytes = std::fs::read(&path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => unknown(name),
        _ => io_failure(&e, &path),
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
    read(&path, &bytes)
}

fn unknown(name: &str) -> Failure {
    let said = format!("There is no target of the name {name}.");
    match nearest(name, names().unwrap_or_default()) {
        Some(meant) => Failure::new(
            Code::NotFound,
            said,
            format!("Perhaps {meant} is meant; otherwise look at the list of targets, or add one."),
        ),
        None => Failure::new(
            Code::NotFound,
            said,
            "Look at the list of targets, or add one.",
        ),
    }
}

/// The target that a file describes. Somebody may have edited the file by hand, so the price in it is checked as if a
/// user had typed it.
fn read(path: &Path, bytes: &[u8]) -> Result<Target> {
    let refused = |message: String| {
        Failure::new(
            Code::InvalidRequest,
            message,
            "Correct this file, or remove the target and add it again.",
        )
    };
    let unreadable = |e: serde_json::Error| refused(format!("{}: {e}.", path.display()));
    let written: Value = serde_json::from_slice(bytes).map_err(unreadable)?;
    if !written.get("price").is_none_or(is_price) {
        return Err(refused(format!(
            "{} has no valid price of an hour: ten_thousandths must be a number above 0, and a currency must be named.",
            path.display()
        )));
    }
    serde_json::from_value(written).map_err(unreadable)
}

/// Whether this is `null` (no price), or a price that a person could also have typed.
fn is_price(written: &Value) -> bool {
    let typed = |price: HourlyPrice| {
        let read = HourlyPrice::read(&price.amount(), &price.currency);
        read.is_ok_and(|read| read == price)
    };
    serde_json::from_value::<Option<HourlyPrice>>(written.clone())
        .is_ok_and(|price| price.is_none_or(typed))
}

/// Removes a target from the list. Files on the target stay until it is cleaned. `None` if its file cannot be read or
/// other users could have written it; the target is removed nevertheless.
///
/// # Errors
/// When no target has this name.
pub fn remove_target(name: &str) -> Result<Option<Target>> {
    let path = match file(name) {
        // It has a name that could not be given today, and is in the list.
        Err(_) if names()?.iter().any(|known| known == name) => {
            folder().join(format!("{name}.json"))
        }
        other => other?,
    };
    let known = target(name);
    match std::fs::remove_file(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(unknown(name)),
        Err(e) => Err(io_failure(&e, &path)),
        Ok(()) => Ok(known.ok()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_price_that_was_written_by_hand_is_checked() {
        let with = |price: Value| {
            let target = serde_json::json!({
                "name": "box", "id": "0".repeat(32), "place": {"at": "here"}, "folder": "", "slurm": null,
                "worker": null, "added": "2026-01-01T00:00:00Z", "price": price,
            });
            read(Path::new("box.json"), target.to_string().as_bytes())
        };
        let price = |amount: Value, currency: &str| serde_json::json!({"ten_thousandths": amount, "currency": currency});
        assert!(with(Value::Null).is_ok_and(|target| target.price.is_none()));
        assert!(with(price(24_000.into(), "EUR")).is_ok_and(|target| target.price.is_some()));
        for wrong in [
            price((-1).into(), "EUR"),
            price(0.into(), "EUR"),
            price(2.4.into(), "EUR"),
            price("2.40".into(), "EUR"),
            price("NaN".into(), "EUR"),
            price(u64::MAX.into(), "EUR"),
            price(24_000.into(), ""),
            price(24_000.into(), " EUR"),
            price(24_000.into(), "E\nR"),
            "2.40 EUR".into(),
            2.4.into(),
        ] {
            let failure = with(wrong.clone()).err();
            assert!(
                failure.is_some_and(|failure| failure.message.contains("price of an hour")),
                "{wrong}"
            );
        }
        // A number that JSON does not have.
        assert!(read(Path::new("box.json"), b"{\"price\": NaN}").is_err());
    }

    #[test]
    fn a_folder_that_is_written_otherwise_is_the_same_one() {
        for (one, other, same) in [
            ("", "~/.lexforge", true),
            ("~/x", "~/x/", true),
            ("~/x", "/x", false),
            ("", "~/x", false),
        ] {
            assert_eq!(plain(one) == plain(other), same, "{one} {other}");
        }
    }

    #[test]
    fn each_file_of_a_target_is_named_whatever_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        assert!(names_in(&folder.path().join("absent")).is_ok_and(|names| names.is_empty()));
        for name in [
            "b.json",
            "a.json",
            "my box.json",
            ".b.json",
            ".hashes",
            "b.json.old",
        ] {
            std::fs::write(folder.path().join(name), "{").unwrap();
        }
        assert_eq!(names_in(folder.path()).unwrap(), ["a", "b", "my box"]);
        // A folder that cannot be read is no empty one.
        assert!(names_in(&folder.path().join("a.json")).is_err());
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
