//! Compares the key that a host shows now with the keys that the user's `ssh` trusts for this host. If asked, replaces
//! the trusted keys by the new one.
//!
//! The key is requested by the system's `ssh`, so that aliases and jump hosts lead to the same host as in every other
//! connection. `ssh` does not log in: it writes the key into a file that we name, and ends.

use super::askpass;
use super::deadline::Deadline;
use super::login::{self, Place};
use lexforge_domain::api::{HostKey, HostKeyState, HostKeys, KnownKey};
use lexforge_domain::{Code, Failure};
use lexforge_files::{Aside, Scratch};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A look ends within this time. Somebody may be asked for a password of a host on the way.
const LOOKS_WITHIN: Duration = Duration::from_secs(120);
/// A program that only reads files ends within this time.
const READS_WITHIN: Duration = Duration::from_secs(20);
/// The word of `ssh-keygen` for a key that must not be trusted.
const REVOKED: &str = "REVOKED";

/// What a look found: what people are shown, and the line that goes into the list of known hosts.
pub struct Looked {
    pub keys: HostKeys,
    line: String,
}

/// A key in the list of known hosts, with its mark if it has one.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    key: HostKey,
    line: u64,
    mark: String,
}

/// Asks a host for its key, and looks up the keys of this host that are trusted already. Nothing is changed.
///
/// # Errors
/// [`Code::InvalidRequest`] for a place without `ssh`, [`Code::TargetUnreachable`] and [`Code::TargetRefused`] if the
/// host shows no key or one that was revoked.
pub fn look(place: &Place) -> Result<Looked, Failure> {
    let Place::Host(host) = place else {
        return Err(Failure::new(
            Code::InvalidRequest,
            "This machine is not reached with ssh and shows no host key.",
            "Name a target that ssh leads to.",
        ));
    };
    login::check_host(host)?;
    let settings = settings(host)?;
    let lists = lists(&settings);
    let scratch = Scratch::new(&std::env::temp_dir(), "hosts").map_err(|e| e.refusal())?;
    let fresh = scratch.path().join("known_hosts");
    let mut said = shown_by(host, &fresh, None)?;
    let mut seen = first_key(&fresh)?;
    if let Some((line, shown)) = &seen {
        let known = found_in(&lists, name_in(line))?;
        let known = || known.iter().map(|(_, found)| found.key.algorithm.as_str());
        // Where only other kinds of keys are known of a host, `ssh` asks for those kinds first. So does the comparison.
        if !known().any(|algorithm| algorithm == shown.algorithm) {
            let wanted: Vec<&str> = known().flat_map(kinds_of).copied().collect();
            if !wanted.is_empty() {
                let _ = std::fs::remove_file(&fresh);
                said = shown_by(host, &fresh, Some(&wanted.join(",")))?;
                seen = first_key(&fresh)?;
            }
        }
    }
    let Some((line, shown)) = seen else {
        return Err(login::told(place, &said, false, Some(255)));
    };
    let name = name_in(&line).to_owned();
    let known = found_in(&lists, &name)?;
    if known
        .iter()
        .any(|(_, found)| found.mark == REVOKED && found.key.fingerprint == shown.fingerprint)
    {
        return Err(Failure::new(
            Code::TargetRefused,
            format!("The host key that {host} shows is marked as revoked on this machine."),
            "Do not connect. Tell those who run the host.",
        ));
    }
    let known: Vec<KnownKey> = known
        .into_iter()
        .filter(|(_, found)| found.mark.is_empty())
        .map(|(file, found)| KnownKey {
            key: found.key,
            file: file.display().to_string(),
            line: found.line,
            trusted: None,
        })
        .collect();
    let state = if known.is_empty() {
        HostKeyState::Unknown
    } else if known
        .iter()
        .any(|known| known.key.fingerprint == shown.fingerprint)
    {
        HostKeyState::Same
    } else {
        HostKeyState::Changed
    };
    let keys = HostKeys {
        host: name,
        state,
        shown,
        known,
    };
    Ok(Looked { keys, line })
}

impl Looked {
    /// Replaces the trusted keys of the host by the key that it shows now. `first` is called when everything is
    /// prepared; if it fails, nothing is changed.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if a trusted key is in a file that this program must not change. Also the errors of
    /// `first`, and if a file cannot be written.
    pub fn replace(&self, first: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let mut files: Vec<&str> = self.keys.known.iter().map(|k| k.file.as_str()).collect();
        files.dedup();
        let mut written = Vec::new();
        for (at, file) in files.iter().enumerate() {
            // A link is followed, so that it stays a link.
            let path = std::fs::canonicalize(file).map_err(|e| not_written(file, &e))?;
            let text = std::fs::read_to_string(&path).map_err(|e| not_written(file, &e))?;
            let gone = |line: u64| {
                let mut of_file = self.keys.known.iter().filter(|k| k.file == *file);
                of_file.any(|known| known.line == line)
            };
            let mut kept = String::new();
            for (number, line) in (1..).zip(text.lines()) {
                if !gone(number) {
                    kept.push_str(line);
                    kept.push('\n');
                } else if is_pattern(line) {
                    return Err(Failure::new(
                        Code::InvalidRequest,
                        format!("Line {number} of {file} is for several hosts by a pattern."),
                        "Change this line by hand, or ask those who keep the file. Then check the target again.",
                    ));
                }
            }
            if at == 0 {
                kept.push_str(&self.line);
                kept.push('\n');
            }
            let access = std::fs::metadata(&path).map_err(|e| not_written(file, &e))?;
            if access.permissions().readonly() || !may_write(&path) {
                return Err(not_written(
                    file,
                    &std::io::ErrorKind::PermissionDenied.into(),
                ));
            }
            written.push((path, kept, access.permissions()));
        }
        first()?;
        for (path, kept, access) in written {
            Aside::write_whole(&path, kept.as_bytes()).map_err(|e| e.refusal())?;
            // It was readable by those who could read it before.
            let _ = std::fs::set_permissions(&path, access);
        }
        Ok(())
    }
}

fn may_write(path: &Path) -> bool {
    std::fs::OpenOptions::new().append(true).open(path).is_ok()
}

/// Whether a line of known hosts names hosts by a pattern.
fn is_pattern(line: &str) -> bool {
    let names = line.split_whitespace().next().unwrap_or_default();
    names.contains(['*', '?', '!'])
}

fn not_written(file: &str, error: &std::io::Error) -> Failure {
    Failure::new(
        Code::ReadOnly,
        format!("The known key stands in {file}, which cannot be changed: {error}."),
        "Ask those who keep this file to put the new key there. Nothing was changed.",
    )
}

fn unread() -> Failure {
    Failure::new(
        Code::TargetUnready,
        "The host key could not be read.",
        "Check that ssh-keygen, a part of OpenSSH's client, is installed and works.",
    )
}

/// The line with the key that `ssh` wrote into this list, and the key; `None` if it wrote none.
fn first_key(list: &Path) -> Result<Option<(String, HostKey)>, Failure> {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let Some(line) = text.lines().next() else {
        return Ok(None);
    };
    let found = found_in(&[list.to_owned()], name_in(line))?.pop();
    let (_, found) = found.ok_or_else(unread)?;
    Ok(Some((line.to_owned(), found.key)))
}

/// The host in a line of known hosts that `ssh` wrote.
fn name_in(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// The names by which `ssh` chooses keys of a kind.
fn kinds_of(algorithm: &str) -> &'static [&'static str] {
    match algorithm {
        "ED25519" => &["ssh-ed25519"],
        "ECDSA" => &[
            "ecdsa-sha2-nistp256",
            "ecdsa-sha2-nistp384",
            "ecdsa-sha2-nistp521",
        ],
        "RSA" => &["rsa-sha2-512", "rsa-sha2-256"],
        _ => &[],
    }
}

/// Lets `ssh` write the key of a host into a file, and gives what it said. It does not log in.
fn shown_by(host: &str, list: &Path, kinds: Option<&str>) -> Result<String, Failure> {
    let mut command = login::program();
    command.arg("-T");
    askpass::prepare(&mut command, host);
    let list = list.display().to_string().replace('\\', "/");
    let mut settings = vec![
        "StrictHostKeyChecking=accept-new".to_owned(),
        format!("UserKnownHostsFile=\"{list}\""),
        "GlobalKnownHostsFile=none".to_owned(),
        "HashKnownHosts=no".to_owned(),
        "CheckHostIP=no".to_owned(),
        "UpdateHostKeys=no".to_owned(),
        // No connection that is open already: it would show no key.
        "ControlPath=none".to_owned(),
        "PreferredAuthentications=none".to_owned(),
        "BatchMode=yes".to_owned(),
        "ForwardAgent=no".to_owned(),
        "ForwardX11=no".to_owned(),
        "ClearAllForwardings=yes".to_owned(),
        "PermitLocalCommand=no".to_owned(),
        "RemoteCommand=none".to_owned(),
        "ConnectTimeout=20".to_owned(),
    ];
    settings.extend(kinds.map(|kinds| format!("HostKeyAlgorithms=^{kinds}")));
    for setting in settings {
        command.args(["-o", &setting]);
    }
    command.args(["--", host, "true"]);
    let done = output(command, LOOKS_WITHIN)?;
    Ok(String::from_utf8_lossy(&done.stderr).into_owned())
}

/// The settings that `ssh` has for a host, as `ssh -G` prints them.
fn settings(host: &str) -> Result<String, Failure> {
    let mut command = login::program();
    command.args(["-G", "--", host]);
    let done = output(command, READS_WITHIN)?;
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The lists of known hosts that these settings name: the user's own first.
fn lists(settings: &str) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    let named = |key: &str| {
        let line = settings.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_default().split_whitespace()
    };
    named("userknownhostsfile ")
        .chain(named("globalknownhostsfile "))
        .filter(|path| *path != "none")
        .map(|path| match (path.strip_prefix("~/"), &home) {
            (Some(rest), Some(home)) => Path::new(home).join(rest),
            _ => PathBuf::from(path),
        })
        .collect()
}

/// The keys of a host in these lists.
fn found_in(lists: &[PathBuf], name: &str) -> Result<Vec<(PathBuf, Found)>, Failure> {
    let mut all = Vec::new();
    for list in lists.iter().filter(|list| list.is_file()) {
        let mut command = Command::new("ssh-keygen");
        command.args(["-l", "-F", name, "-f"]).arg(list);
        let done = output(command, READS_WITHIN)?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        all.extend(read(&text).into_iter().map(|found| (list.clone(), found)));
    }
    Ok(all)
}

/// The keys in what `ssh-keygen -l -F` prints: a line with the number, and after it one with the key.
fn read(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = None;
    for line in text.lines() {
        if let Some((_, rest)) = line
            .strip_prefix("# Host ")
            .and_then(|rest| rest.split_once(" found: line "))
        {
            let mut words = rest.split_whitespace();
            let number = words.next().and_then(|n| n.parse().ok());
            at = number.map(|n: u64| (n, words.next().unwrap_or_default().to_owned()));
        } else if let Some((line_number, mark)) = at.take() {
            let mut words = line.split_whitespace().skip(1);
            if let (Some(algorithm), Some(fingerprint)) = (words.next(), words.next()) {
                found.push(Found {
                    key: HostKey {
                        algorithm: algorithm.to_owned(),
                        fingerprint: fingerprint.to_owned(),
                    },
                    line: line_number,
                    mark,
                });
            }
        }
    }
    found
}

/// Runs a program to its end, or to the end of its time.
fn output(mut command: Command, within: Duration) -> Result<Output, Failure> {
    let name = command.get_program().display().to_string();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| login::no_program(&name, &e))?;
    let _deadline = Deadline::of(child.id(), within);
    child
        .wait_with_output()
        .map_err(|e| login::no_program(&name, &e))
}

#[cfg(test)]
mod tests;
