//! Carries questions of `ssh` to a person, and the answers back.
//!
//! `ssh` asks through a program that it starts (`SSH_ASKPASS`). We use the window's own program for this: if `ssh`
//! starts it, it only sends the question to the running window and prints the answer. Both talk over a socket on
//! loopback. A secret in the environment of `ssh` proves that the question comes from one of our connections. No
//! answer is stored or logged.

use super::prompt;
use lexforge_domain::api::{SshAsks, SshQuestion};
use lexforge_domain::shown;
use lexforge_domain::{Code, Failure};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Variables of the program that `ssh` starts: where the window listens, the secret, and the host as its user calls it.
const AT_ENV: &str = "LEXFORGE_ASK_AT";
const SECRET_ENV: &str = "LEXFORGE_ASK_SECRET";
const HOST_ENV: &str = "LEXFORGE_ASK_HOST";
/// The variable in which `ssh` says whether something must be entered.
const HINT_ENV: &str = "SSH_ASKPASS_PROMPT";
/// Longest message.
const LONGEST: u64 = 1 << 16;
/// How long a program that connects may take to prove who it is.
const SPEAKS_WITHIN: Duration = Duration::from_secs(5);
/// Pause between two looks whether `ssh` still waits.
const LOOK: Duration = Duration::from_millis(200);

/// Where questions are answered.
struct Desk {
    address: SocketAddr,
    secret: String,
    program: PathBuf,
    open: Mutex<Vec<Open>>,
    /// Hosts whose question somebody has refused since the last connection to them.
    declined: Mutex<Vec<String>>,
    /// Hosts that did not let this user in at the last connection to them.
    refused: Mutex<Vec<String>>,
    told: Box<dyn Fn(Vec<SshQuestion>) + Send + Sync>,
}

/// A question that waits for its answer.
struct Open {
    question: SshQuestion,
    answer: SyncSender<Option<String>>,
}

static DESK: OnceLock<Arc<Desk>> = OnceLock::new();

#[derive(Serialize, Deserialize)]
struct Asked {
    secret: String,
    host: String,
    hint: String,
    words: String,
}

#[derive(Serialize, Deserialize)]
struct Answered {
    answer: Option<String>,
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, every `ssh` that this process starts asks its questions here: it starts `program`, which passes the
/// question on. `told` gets the list of open questions whenever it changes. A second call changes nothing.
///
/// # Errors
/// If the program cannot listen on loopback.
pub fn listen(
    program: PathBuf,
    told: impl Fn(Vec<SshQuestion>) + Send + Sync + 'static,
) -> std::io::Result<()> {
    let (desk, listener) = Desk::open(program, told)?;
    if DESK.set(Arc::clone(&desk)).is_ok() {
        std::thread::spawn(move || desk.serve(&listener));
    }
    Ok(())
}

/// The questions that wait, oldest first.
pub fn questions() -> Vec<SshQuestion> {
    DESK.get().map_or_else(Vec::new, |desk| desk.questions())
}

/// Answers a question. With `None`, `ssh` gets no answer. A host key is confirmed by giving its fingerprint.
///
/// # Errors
/// [`Code::NotFound`] if no `ssh` waits for this answer any more, [`Code::InvalidRequest`] if the fingerprint differs.
pub fn answer(id: u64, answer: Option<String>) -> Result<(), Failure> {
    DESK.get()
        .map_or_else(|| Err(gone()), |desk| desk.answer(id, answer))
}

/// Whether somebody sits where questions are answered.
pub fn is_listening() -> bool {
    DESK.get().is_some()
}

/// Makes `ssh` ask here about a host.
pub(super) fn prepare(command: &mut Command, host: &str) {
    let Some(desk) = DESK.get() else {
        return;
    };
    held(&desk.declined).retain(|declined| declined != host);
    held(&desk.refused).retain(|refused| refused != host);
    command
        .env("SSH_ASKPASS", &desk.program)
        .env("SSH_ASKPASS_REQUIRE", "force")
        .env(AT_ENV, desk.address.to_string())
        .env(SECRET_ENV, &desk.secret)
        .env(HOST_ENV, host);
    // Versions before 8.4 ask a program only where there is a display.
    if std::env::var_os("DISPLAY").is_none() {
        command.env("DISPLAY", ":0");
    }
}

/// Whether somebody said no when this host was connected to last.
pub(super) fn was_declined(host: &str) -> bool {
    DESK.get()
        .is_some_and(|desk| held(&desk.declined).iter().any(|declined| declined == host))
}

/// Remembers that a host did not let this user in.
pub(super) fn note_refused(host: &str) {
    if let Some(desk) = DESK.get() {
        held(&desk.refused).push(host.to_owned());
    }
}

/// Whether only a person may start a connection to this host. This is so if a person answered no to a question of
/// `ssh`, or if the host did not let this user in. Many hosts lock an account after some wrong passwords or codes.
pub fn is_left_alone(host: &str) -> bool {
    was_declined(host)
        || DESK
            .get()
            .is_some_and(|desk| held(&desk.refused).iter().any(|refused| refused == host))
}

/// If `ssh` has started this program to ask a question, sends the question to the window and prints the answer. `None`
/// if `ssh` did not start this program.
pub fn carry_question() -> Option<ExitCode> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (address, secret) = (variable(AT_ENV)?, variable(SECRET_ENV)?);
    let asked = Asked {
        secret,
        host: variable(HOST_ENV).unwrap_or_default(),
        hint: variable(HINT_ENV).unwrap_or_default(),
        words: std::env::args_os()
            .nth(1)
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };
    let answer = address
        .parse()
        .ok()
        .and_then(|address| ask(address, &asked).ok().flatten());
    Some(match answer {
        Some(answer) => {
            let mut out = std::io::stdout();
            let printed = writeln!(out, "{answer}").and_then(|()| out.flush());
            if printed.is_ok() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        None => ExitCode::FAILURE,
    })
}

fn ask(address: SocketAddr, asked: &Asked) -> std::io::Result<Option<String>> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(format!("{}\n", serde_json::json!(asked)).as_bytes())?;
    let answered: Answered = message(&stream)?;
    Ok(answered.answer)
}

/// One line of JSON.
fn message<T: serde::de::DeserializeOwned>(stream: &TcpStream) -> std::io::Result<T> {
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
    serde_json::from_str(&line).map_err(|_| ErrorKind::InvalidData.into())
}

impl Desk {
    fn open(
        program: PathBuf,
        told: impl Fn(Vec<SshQuestion>) + Send + Sync + 'static,
    ) -> std::io::Result<(Arc<Self>, TcpListener)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let desk = Self {
            address: listener.local_addr()?,
            secret: hex::encode(rand::random::<[u8; 32]>()),
            program,
            open: Mutex::default(),
            declined: Mutex::default(),
            refused: Mutex::default(),
            told: Box::new(told),
        };
        Ok((Arc::new(desk), listener))
    }

    fn serve(self: &Arc<Self>, listener: &TcpListener) {
        for (id, stream) in (1..).zip(listener.incoming().flatten()) {
            let desk = Arc::clone(self);
            // A program that disconnects without a message has asked nothing.
            std::thread::spawn(move || drop(desk.hear(id, stream)));
        }
    }

    /// One question, until it is answered or `ssh` waits no longer.
    fn hear(&self, id: u64, mut stream: TcpStream) -> std::io::Result<()> {
        stream.set_read_timeout(Some(SPEAKS_WITHIN))?;
        let asked: Asked = message(&stream)?;
        if !same(&asked.secret, &self.secret) {
            return Ok(());
        }
        let answer = match prompt::read(&asked.words, &asked.hint) {
            None => None,
            Some(asks) => self.wait(id, &asked, asks, &stream)?,
        };
        stream.write_all(format!("{}\n", serde_json::json!(Answered { answer })).as_bytes())
    }

    fn wait(
        &self,
        id: u64,
        asked: &Asked,
        asks: SshAsks,
        stream: &TcpStream,
    ) -> std::io::Result<Option<String>> {
        let (sender, answers) = sync_channel(1);
        let question = SshQuestion {
            id,
            host: asked.host.clone(),
            asks,
            // The words are the other side's in part: what acts on a reader's eye is shown by its number.
            words: shown::visible(asked.words.trim()).into_owned(),
        };
        held(&self.open).push(Open {
            question,
            answer: sender,
        });
        (self.told)(self.questions());
        stream.set_read_timeout(Some(Duration::from_millis(1)))?;
        let answer = loop {
            match answers.recv_timeout(LOOK) {
                Ok(answer) => break answer,
                Err(RecvTimeoutError::Timeout) if waits(stream) => {}
                Err(_) => break None,
            }
        };
        held(&self.open).retain(|open| open.question.id != id);
        (self.told)(self.questions());
        Ok(answer)
    }

    fn questions(&self) -> Vec<SshQuestion> {
        held(&self.open)
            .iter()
            .map(|open| open.question.clone())
            .collect()
    }

    fn answer(&self, id: u64, answer: Option<String>) -> Result<(), Failure> {
        let open = held(&self.open);
        let open = open
            .iter()
            .find(|open| open.question.id == id)
            .ok_or_else(gone)?;
        match (&open.question.asks, &answer) {
            (SshAsks::HostKey { fingerprint, .. }, Some(compared))
                if compared != fingerprint || fingerprint.is_empty() =>
            {
                return Err(Failure::new(
                    Code::InvalidRequest,
                    "The fingerprint that was compared is not the one that the host shows.",
                    "Do not connect. Ask those who run the host for its fingerprint.",
                ));
            }
            // A notice is closed without an answer; this is not a refusal of the host.
            (SshAsks::Touch, _) | (_, Some(_)) => {}
            (_, None) => held(&self.declined).push(open.question.host.clone()),
        }
        // Who waited may be gone in this moment; then there is nothing to tell.
        let _ = open.answer.try_send(answer);
        Ok(())
    }
}

fn gone() -> Failure {
    Failure::new(
        Code::NotFound,
        "Nobody waits for this answer any more.",
        "Connect again; ssh asks again where it has to.",
    )
}

/// Whether the other side of a connection is still there.
fn waits(stream: &TcpStream) -> bool {
    match stream.peek(&mut [0]) {
        Ok(bytes) => bytes > 0,
        Err(e) => matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    }
}

/// Compares without telling by its time how much was the same.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |all, (a, b)| all | (a ^ b))
            == 0
}

#[cfg(test)]
mod tests;
