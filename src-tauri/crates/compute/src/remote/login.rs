//! One connection to a target: the system's `ssh`, and behind it a plain shell.
//!
//! The user's own configuration of a host is used (jump hosts, agents, smart cards, one-time codes). But a changed host
//! key is always refused. An unknown host key is refused unless somebody at the window confirms its fingerprint. No
//! agent, port or display is forwarded. Any login shell will do, because it only starts `sh`.

use crate::program::PASSPHRASE_ENVS;
use lexforge_domain::{Code, Failure, Remedy};
use std::io::{BufReader, IsTerminal, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::{info, warn};

use super::deadline::{Deadline, end};
use super::{askpass, frame};

/// Environment variable that names the program to use instead of `ssh`.
const SSH_ENV: &str = "LEXFORGE_SSH";
/// Environment variable that names a program that answers questions of `ssh`.
const ASKPASS_ENV: &str = "SSH_ASKPASS";
/// How long a shell may take to answer, and how long where somebody is asked for a password or a code first.
const ANSWERS_WITHIN: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(300)];
/// Bytes of standard error that are kept.
const LAST_WORDS: usize = 1 << 14;
/// A connection that was closed has this long to end by itself.
const ENDS_WITHIN: Duration = Duration::from_millis(1500);

/// Where a target is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Behind `ssh`, by a host's name or alias.
    Host(String),
    /// This machine.
    Here,
}

/// A shell on a target, or what was started in its place.
pub(crate) struct Line {
    child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: Option<BufReader<ChildStdout>>,
    words: Arc<Mutex<Vec<u8>>>,
    place: Place,
}

/// What a script prints before anything else of it is listened to.
pub(crate) const SHELL_MARK: &[u8] = b"\0lexforge shell\x01\n";

/// Opens a shell on a target, runs a script in it, and waits for [`SHELL_MARK`].
///
/// # Errors
/// [`Code::TargetUnreachable`], [`Code::TargetRefused`], [`Code::TargetUnready`] if the target has no such shell.
pub(crate) fn open(place: &Place, script: &str) -> Result<Line, Failure> {
    let mut command = command(place)?;
    for name in PASSPHRASE_ENVS {
        command.env_remove(name);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Ctrl-C at our terminal is handled by us and must not end the connection. But a connection that may ask for a
    // password at the terminal must stay attached to the terminal.
    #[cfg(unix)]
    if !may_ask() || askpass::is_listening() {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let name = command.get_program().display().to_string();
    let mut child = command.spawn().map_err(|e| no_program(&name, &e))?;
    let words = Arc::new(Mutex::new(Vec::new()));
    if let Some(errors) = child.stderr.take() {
        let kept = Arc::clone(&words);
        std::thread::spawn(move || keep_last(errors, &kept));
    }
    let mut line = Line {
        input: child.stdin.take(),
        output: child.stdout.take().map(BufReader::new),
        child,
        words,
        place: place.clone(),
    };
    let within = ANSWERS_WITHIN[usize::from(may_ask())];
    let (host, began) = (alias(place), Instant::now());
    match line.pass(SHELL_MARK, Some(script), within) {
        Ok(()) => info!(host, ms = began.elapsed().as_millis(), "connected"),
        Err(failure) => {
            warn!(host, code = failure.code.tag(), "no connection");
            if let (Place::Host(host), Code::TargetRefused) = (place, failure.code) {
                askpass::note_refused(host);
            }
            return Err(failure);
        }
    }
    Ok(line)
}

impl Line {
    /// Sends a text, and waits until a mark comes back.
    pub(crate) fn pass(
        &mut self,
        mark: &[u8],
        script: Option<&str>,
        within: Duration,
    ) -> Result<(), Failure> {
        let deadline = Deadline::of(self.child.id(), within);
        let since = Instant::now();
        // A shell that is gone has said why, which is looked at below.
        if let (Some(input), Some(script)) = (self.input.as_mut(), script) {
            let _ = input
                .write_all(script.as_bytes())
                .and_then(|()| input.flush());
        }
        let passed = match self.output.as_mut() {
            Some(output) => frame::pass_to(mark, output),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        };
        drop(deadline);
        match passed {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => Err(Failure::new(
                Code::TargetUnready,
                format!("{} does not come to the point: {e}.", self.name()),
                "Let the login shell print less where nobody looks on (its start file, for example .bashrc).",
            )),
            Err(_) => Err(self.why(since.elapsed() >= within)),
        }
    }

    /// Why the connection ended, by what was said on standard error.
    pub(crate) fn why(&mut self, too_slow: bool) -> Failure {
        self.input = None;
        warn!(host = alias(&self.place), "a connection ended");
        let since = Instant::now();
        let mut status = None;
        while status.is_none() && since.elapsed() < ENDS_WITHIN {
            status = self.child.try_wait().ok().flatten();
            std::thread::sleep(Duration::from_millis(5));
        }
        // The thread that listens has what was said once the process has ended; it is given a moment.
        std::thread::sleep(Duration::from_millis(30));
        let said = self.words();
        if let Place::Host(host) = &self.place
            && askpass::was_declined(host)
        {
            return declined(host);
        }
        told(&self.place, &said, too_slow, status.and_then(|s| s.code()))
    }

    /// The text from standard error.
    pub(crate) fn words(&self) -> String {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&words).into_owned()
    }

    /// Ends the connection after so long, unless what this gives is dropped before.
    pub(super) fn deadline(&self, within: Duration) -> Deadline {
        Deadline::of(self.child.id(), within)
    }

    /// The target in messages.
    fn name(&self) -> String {
        name(&self.place)
    }

    /// The process id of the connection.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.input = None;
        let since = Instant::now();
        while since.elapsed() < ENDS_WITHIN {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // A connection that hangs holds nothing that is worth waiting for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends a connection that has fallen silent.
pub(crate) fn cut(pid: u32) {
    end(pid);
}

fn name(place: &Place) -> String {
    match place {
        Place::Host(host) => host.clone(),
        Place::Here => "this machine".to_owned(),
    }
}

/// The host in the log, without the name of a user on it.
fn alias(place: &Place) -> &str {
    match place {
        Place::Host(host) => host.rsplit('@').next().unwrap_or_default(),
        Place::Here => "here",
    }
}

/// Whether there is a person who can be asked for a password or a code.
fn may_ask() -> bool {
    askpass::is_listening()
        || std::env::var_os(ASKPASS_ENV).is_some_and(|v| !v.is_empty())
        || std::io::stdin().is_terminal()
}

/// The program that connects.
pub(super) fn program() -> Command {
    let program = std::env::var_os(SSH_ENV).filter(|v| !v.is_empty());
    Command::new(program.unwrap_or_else(|| "ssh".into()))
}

/// A program of OpenSSH that cannot be started.
pub(super) fn no_program(name: &str, error: &std::io::Error) -> Failure {
    Failure::new(
        Code::TargetUnreachable,
        format!("The program {name} cannot be started: {error}."),
        "Install OpenSSH's client.",
    )
}

fn command(place: &Place) -> Result<Command, Failure> {
    let Place::Host(host) = place else {
        return Ok(Command::new("sh"));
    };
    check_host(host)?;
    let mut command = program();
    command.arg("-T");
    askpass::prepare(&mut command, host);
    let settings = [
        // Asked at the window, where only the fingerprint itself is an answer. A changed key is refused either way.
        if askpass::is_listening() {
            "StrictHostKeyChecking=ask"
        } else {
            "StrictHostKeyChecking=yes"
        },
        "ForwardAgent=no",
        "ForwardX11=no",
        "ClearAllForwardings=yes",
        "PermitLocalCommand=no",
        "RemoteCommand=none",
        "ConnectTimeout=20",
        "ServerAliveInterval=15",
        "ServerAliveCountMax=4",
    ];
    for setting in settings {
        command.args(["-o", setting]);
    }
    if !may_ask() {
        command.args(["-o", "BatchMode=yes"]);
    } else if !askpass::is_listening() && !std::io::stdin().is_terminal() {
        // A program answers, and would give the same wrong code again until the host locks the account.
        command.args(["-o", "NumberOfPasswordPrompts=1"]);
    }
    command.args(["--", host, "sh"]);
    Ok(command)
}

/// Checks that a text can be a host or its alias, without characters that `ssh` or a shell could misread.
///
/// # Errors
/// [`Code::InvalidRequest`] if it cannot be a host.
pub fn check_host(host: &str) -> Result<(), Failure> {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | ':' | '[' | ']' | '%');
    if !host.is_empty() && host.len() <= 255 && !host.starts_with('-') && host.chars().all(plain) {
        return Ok(());
    }
    Err(Failure::new(
        Code::InvalidRequest,
        format!("{host:?} is no name of a host."),
        "Name a host, user@host, or an alias of your OpenSSH configuration.",
    ))
}

fn keep_last(mut errors: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(n) = errors.read(&mut buffer) {
        if n == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..n]);
        let over = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..over);
    }
}

/// Somebody said no at a question of `ssh`.
fn declined(host: &str) -> Failure {
    Failure::new(
        Code::Cancelled,
        format!("The connection to {host} was called off when ssh asked."),
        "Nothing was sent. Connect again once you have the answer.",
    )
}

/// Turns what `ssh` or the shell said into a failure. All errors of `ssh` itself have the same exit code, so its words
/// decide.
pub(super) fn told(place: &Place, said: &str, too_slow: bool, status: Option<i32>) -> Failure {
    let host = name(place);
    let has = |part: &str| said.contains(part);
    let unreachable = |what: String, hint: &str| Failure::new(Code::TargetUnreachable, what, hint);
    let refused = |what: String, hint: String| Failure::new(Code::TargetRefused, what, hint);
    if has("REMOTE HOST IDENTIFICATION HAS CHANGED") {
        return Failure::new(
            Code::TargetRefused,
            format!(
                "{host} shows another host key than before. Either it was set up anew, or somebody else answers in its place."
            ),
            Remedy::LookAtBothKeys,
        );
    }
    if has("Host key verification failed") || has("host key is known for") {
        return refused(
            format!("The host key of {host} is not known on this machine."),
            format!(
                "Log in once by hand (ssh {host}), compare the fingerprint with that which those who run it give, and \
                 confirm it there."
            ),
        );
    }
    if has("Permission denied") || has("Too many authentication failures") {
        let user = last_line(said);
        return refused(
            format!("{host} does not let this user in: {user}."),
            format!(
                "Check user and key of the host in your OpenSSH configuration; ssh {host} must work by hand. Where a password \
                 or a code is asked for, do this in the window, or start it in a terminal."
            ),
        );
    }
    if has("Could not resolve hostname") {
        return unreachable(
            format!("There is no host of the name {host}."),
            "Check the name, the alias in your OpenSSH configuration, and the network.",
        );
    }
    if has("Connection refused") {
        return unreachable(
            format!("Nothing on {host} answers ssh."),
            "Check that the machine is on, its address and port, and that its ssh server runs.",
        );
    }
    if too_slow || has("timed out") || has("not responding") {
        return unreachable(
            format!("{host} does not answer in time."),
            "Check that the machine is on and the network (a VPN, a firewall); what runs there goes on.",
        );
    }
    if status == Some(127) && !matches!(place, Place::Here) && (has("sh:") || has("not found")) {
        return Failure::new(
            Code::TargetUnready,
            format!("{host} has no POSIX shell: {}.", last_line(said)),
            "Choose a target with Linux.",
        );
    }
    let last = last_line(said);
    let why = if last.is_empty() {
        String::new()
    } else {
        format!(": {last}")
    };
    unreachable(
        format!("The connection to {host} ended{why}."),
        "Try again; what runs there goes on.",
    )
}

/// The last line that says something, without its full stop.
fn last_line(said: &str) -> String {
    let line = said
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty());
    line.unwrap_or_default().trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests;
