//! The parts of the file, in their order.

use super::hidden::Hidden;
use super::readme::README;
use super::{system, workspaces};
use crate::models::{described, doctor};
use crate::targets::targets;
use crate::workspace::{
    Result, io_failure, log_folder, log_view, package, user_folder, workspace_logs,
};
use lexforge_domain::api::{Check, SupportPart, TargetPlace};
use lexforge_domain::{Code, Failure};
use lexforge_log::rolling::is_log;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;

/// The parts that the support file would contain. If a part cannot be read, its text says why.
///
/// # Errors
/// Never.
pub fn support_parts() -> Result<Vec<SupportPart>> {
    Ok(shown(&parts()))
}

/// Writes the information for a support request into a new file, and lists its parts.
///
/// # Errors
/// Where something exists at the path already, or the file cannot be written.
pub fn write_support(path: &Path) -> Result<Vec<SupportPart>> {
    let parts = parts();
    let named: Vec<(&str, &str)> = parts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let bytes = package(&named).ok_or_else(|| {
        Failure::new(
            Code::TooLarge,
            "The logs are larger than an archive can be.",
            "Remove old logs, then try again.",
        )
    })?;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|e| io_failure(&e, path))?;
    let written = std::io::Write::write_all(&mut file, &bytes).and_then(|()| file.sync_all());
    written.map_err(|e| {
        // A half-written one is of no use, and would stand in the way of the next.
        let _ = std::fs::remove_file(path);
        io_failure(&e, path)
    })?;
    Ok(shown(&parts))
}

fn shown(parts: &[(String, String)]) -> Vec<SupportPart> {
    parts
        .iter()
        .map(|(name, text)| SupportPart {
            name: name.clone(),
            bytes: text.len() as u64,
        })
        .collect()
}

fn parts() -> Vec<(String, String)> {
    let checks = doctor();
    let logged = workspace_logs();
    let mut parts = vec![
        ("README.txt".to_owned(), README.to_owned()),
        ("versions.json".to_owned(), lines(&system::versions())),
        ("checks.txt".to_owned(), table(&checks)),
        ("settings.json".to_owned(), lines(&settings())),
        ("models.json".to_owned(), lines(&models())),
    ];
    let (about, runs) = workspaces::of(&logged);
    parts.push(("workspaces.json".to_owned(), lines(&about)));
    parts.extend(runs);
    parts.extend(logs(&log_folder(), "logs"));
    for (_, folder) in logged.iter().take(workspaces::NEWEST) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        parts.extend(logs(folder, &format!("logs/{name}")));
    }
    let mut folders = vec![user_folder(), log_folder()];
    let programs = [std::env::current_exe().ok(), std::env::current_dir().ok()];
    folders.extend(programs.into_iter().flatten());
    folders.extend(logged.into_iter().map(|(path, _)| path));
    let mut hidden = Hidden::of_user(&folders);
    // The first part is written by this program about the file itself.
    for (_, text) in parts.iter_mut().skip(1) {
        *text = hidden.text(text);
    }
    let sums: String = parts
        .iter()
        .map(|(name, text)| format!("{}  {name}\n", hex::encode(Sha256::digest(text))))
        .collect();
    parts.push(("SHA256SUMS".to_owned(), sums));
    parts
}

/// A value as text that a person reads.
fn lines(value: &Value) -> String {
    format!("{value:#}\n")
}

fn table(checks: &[Check]) -> String {
    let line = |check: &Check| {
        let state = if check.ok { "ok" } else { "missing" };
        format!(
            "{state}\t{}\t{}\t{}\n",
            check.check, check.found, check.remedy
        )
    };
    checks.iter().map(line).collect()
}

fn settings() -> Value {
    let logs = log_view();
    let list = targets();
    let folder_unreadable = list.as_ref().err().map(|failure| failure.code.tag());
    let list = list.unwrap_or_default();
    let unreadable = list.unreadable.len();
    let hosts: Vec<Value> = list
        .targets
        .into_iter()
        .map(|target| {
            let host = match target.place {
                TargetPlace::Ssh { host } => host.rsplit('@').next().unwrap_or_default().to_owned(),
                TargetPlace::Here => "here".to_owned(),
            };
            json!({ "host": host, "queue": target.slurm.is_some(), "worker": target.worker })
        })
        .collect();
    json!({
        "log_level": logs.level.tag(),
        "log_level_by_variable": logs.by_variable,
        "lost_log_lines": logs.lost,
        "variables_set": system::variables_set(),
        "machines": hosts,
        "machines_unreadable": unreadable,
        "machines_folder": folder_unreadable,
    })
}

fn models() -> Value {
    match described() {
        Err(failure) => json!({ "code": failure.code.tag() }),
        Ok(models) => models
            .into_iter()
            .map(|(name, about)| match about {
                Ok(model) => json!({
                    "name": name,
                    "architecture": model.architecture,
                    "parameters": model.parameters,
                    "dtype": model.dtype,
                    "sha256": model.sha256,
                }),
                Err(failure) => json!({ "name": name, "code": failure.code.tag() }),
            })
            .collect(),
    }
}

/// The logs of a folder by name. One that cannot be read says so.
fn logs(folder: &Path, under: &str) -> Vec<(String, String)> {
    let mut logs: Vec<(String, String)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            // Logs of earlier versions were written by other rules.
            if !is_log(&name) {
                return None;
            }
            let text = match std::fs::read(&path) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error) => format!("It cannot be read: {error}.\n"),
            };
            Some((format!("{under}/{name}"), text))
        })
        .collect();
    logs.sort();
    logs
}
