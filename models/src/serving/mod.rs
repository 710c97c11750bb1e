//! `lexforge-worker serve`: one model and its adapters behind OpenAI's HTTP API, only on loopback.
//!
//! There are two halves, which share [`shared`]. [`http`] takes requests in OpenAI's format ([`wire`]), gives them as
//! [`work`] to the model's thread, and turns the results into OpenAI's format ([`answers`], [`refusal`]). [`engine`] is
//! the model's thread. It writes answers together ([`writing`], with [`sampling`], [`constraint`] and [`pieces`]) with
//! the model and its adapters in [`served`], as long as their files do not change ([`watch`]).

pub mod admission;
pub mod answers;
pub mod constraint;
pub mod engine;
pub mod http;
pub mod pieces;
pub mod refusal;
pub mod sampling;
pub mod served;
pub mod shared;
pub mod watch;
pub mod wire;
pub mod work;
pub mod writing;

use crate::files::write_atomically;
use crate::folder::{CONFIG_FILE, ModelFolders};
use crate::jobs::lease::{self, Lease};
use crate::platform::{Parent, StopSignal, available_mb, input_is_pipe};
use crate::{Error, Result, device, shim};
use clap::Args;
use engine::Engine;
use http::Door;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use lexforge_domain::Code;
use lexforge_domain::protocol::{ModelRef, PROTOCOL_VERSION};
use served::Served;
use shared::{Limits, Shared};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tch::Device;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use watch::Watch;

/// Name of the environment variable that holds the token.
pub const TOKEN_ENV: &str = "LEXFORGE_TOKEN";
/// Said where a mapped file became shorter between two looks at it, and the system ends the process.
const BUS_ERROR: &str = "error[model_missing]: A file of the model became shorter while it was in use.\n\
    hint: Put the model's files back and start the server again.\n";
/// How often signals, parent and queue are looked at.
const TICK: Duration = Duration::from_millis(50);
/// How long a connection may take to send its headers.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// Connections at a time; more wait.
const MOST_CONNECTIONS: usize = 1024;
/// How long answers that were broken off have to get out.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Tokens that answers may hold where the memory is not known.
const USUAL_TOKENS: usize = 131_072;

/// The settings of the server.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The base model: its name among the model folders, or its folder.
    #[arg(long, value_name = "NAME_OR_DIR")]
    pub model: String,
    /// An adapter under the name by which requests ask for it. May be repeated.
    #[arg(long = "adapter", value_name = "NAME=DIR")]
    pub adapters: Vec<String>,
    /// A folder that holds model folders; searched before the usual ones. May be repeated.
    #[arg(long = "models", value_name = "DIR")]
    pub models: Vec<PathBuf>,
    /// Written when the server is ready: port, process, model, adapters, protocol version (JSON).
    #[arg(long, value_name = "FILE")]
    pub port_file: PathBuf,
    /// Port on 127.0.0.1; 0 = any free one.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Goes on when the process that started it ends.
    #[arg(long)]
    pub detached: bool,
    /// Threads; 0 = all.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Answers that are written together at most.
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub batch: usize,
    /// Requests that may wait beyond those; more are told to come again (429).
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub queue: usize,
    /// Seconds that a request may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub time_limit: u64,
    /// Seconds that running requests have when the server is told to end.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub drain: u64,
}

/// Serves until the system or the parent process asks it to end.
///
/// # Errors
/// If there is no token, the model or an adapter cannot be served, or the port cannot be opened.
pub fn serve(settings: &Settings) -> Result<()> {
    let parent = Parent::now();
    shim::tell_bus_errors(BUS_ERROR, 1);
    // The message of a panic may quote what was asked.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        eprintln!("error[internal]: the program stumbled at {place}");
    }));
    let token = token()?;
    let signal = StopSignal::listen();
    if !settings.detached {
        end_with_input(&signal);
    }
    let (name, folder) = found(settings)?;
    let adapters = adapters(&settings.adapters, &name)?;
    device::set_threads(settings.threads);
    let device_note = spare_gpu();
    let (sender, jobs) = std::sync::mpsc::channel();
    let mut watch = Watch::default();
    let answers = settings.batch.max(1);
    let served = Served::open(&name, &folder, &adapters, &mut watch)?;
    let tokens = served.decoder().map_or(USUAL_TOKENS, |model| {
        let free = available_mb(model.decoder.device()).map(|mb| mb / 2.0 * f64::from(1 << 20));
        let fitting = free.map_or(USUAL_TOKENS, |bytes| {
            bytes as usize / engine::token_bytes(model).max(1)
        });
        fitting.max(served.positions)
    });
    let limits = Limits {
        time: Duration::from_secs(settings.time_limit.max(1)),
        answers,
        places: answers + settings.queue,
        tokens,
    };
    let names = adapters.iter().map(|(name, _)| name.clone()).collect();
    let device = device::name(device::device());
    let shared = Arc::new(Shared::new(
        name,
        names,
        (device, device_note),
        limits,
        sender,
    ));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| Error::Shim(format!("the runtime cannot start: {e}")))?;
    let listener = runtime
        .block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port)))
        .map_err(|e| {
            Error::told(
                Code::InvalidRequest,
                format!("Port {} of 127.0.0.1 cannot be had: {e}.", settings.port),
                "Choose another port, or none for any free one.",
            )
        })?;
    let port = listener
        .local_addr()
        .map_err(|e| Error::Shim(e.to_string()))?
        .port();
    let door = Arc::new(Door::new(Arc::clone(&shared), port, &token));
    write_port_file(&settings.port_file, &shared, port)?;
    eprintln!("serving {} on 127.0.0.1:{port}", shared.model);
    // The model lives on a thread of its own: this one, whose stack libtorch knows. Connections have the runtime's.
    let ends = Ends {
        signal,
        parent: (!settings.detached).then_some(parent),
        drain: Duration::from_secs(settings.drain),
    };
    let state = Arc::clone(&shared);
    let connections = runtime.spawn(async move { accept(listener, door, state, ends).await });
    Engine::new(served, Arc::clone(&shared), watch, jobs).run();
    // The connections have been told to end before the thread ends, so only their last bytes are left.
    let _ = runtime.block_on(connections);
    runtime.shutdown_timeout(LAST_WORDS);
    forget_port_file(&settings.port_file);
    eprintln!("ended");
    Ok(())
}

/// When the server ends.
struct Ends {
    signal: StopSignal,
    /// The process with which it ends.
    parent: Option<Parent>,
    drain: Duration,
}

/// Takes connections until the end: then running requests finish within their time, and new ones are refused.
async fn accept(listener: TcpListener, door: Arc<Door>, shared: Arc<Shared>, ends: Ends) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut tick = tokio::time::interval(TICK);
    let mut until: Option<Instant> = None;
    loop {
        tokio::select! {
            accepted = next(&listener, &room) => {
                let Some((stream, place)) = accepted else { continue };
                let door = Arc::clone(&door);
                tokio::spawn(async move {
                    connection(stream, door).await;
                    drop(place);
                });
            }
            _ = tick.tick() => {
                let gone = ends.parent.is_some_and(Parent::is_gone);
                if until.is_none() && (gone || ends.signal.asked()) {
                    shared.drain();
                    until = Some(Instant::now() + ends.drain);
                }
                if let Some(until) = until {
                    let now = Instant::now();
                    if now >= until {
                        shared.end();
                    }
                    if shared.is_idle() || now >= until + LAST_WORDS {
                        // The last answers are with their connections, which send them meanwhile.
                        tokio::time::sleep(2 * TICK).await;
                        shared.close();
                        return;
                    }
                }
            }
        }
    }
}

/// Answers the requests of one connection until it ends.
pub async fn connection(stream: impl AsyncRead + AsyncWrite + Unpin, door: Arc<Door>) {
    let answer = service_fn(move |request| Arc::clone(&door).answer(request));
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME);
    // A connection that breaks is the client's affair.
    let _ = server.serve_connection(TokioIo::new(stream), answer).await;
}

/// The next connection and its place among them.
async fn next(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(room).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            let _ = stream.set_nodelay(true);
            Some((stream, place))
        }
        Err(_) => {
            // Too many open files, for example: better soon than at once.
            tokio::time::sleep(TICK).await;
            None
        }
    }
}

/// Leaves the GPU to a training that has it, and says so.
fn spare_gpu() -> Option<String> {
    let device = device::device();
    if device == Device::Cpu || !Lease::is_taken(&lease::usual_folder(), &device::name(device)) {
        return None;
    }
    device::leave_gpu();
    let note = format!(
        "A training has {}; this server computes on the CPU until it is started again.",
        device::name(device)
    );
    eprintln!("{note}");
    Some(note)
}

/// The token, without which nobody is served.
fn token() -> Result<String> {
    let token = std::env::var(TOKEN_ENV).unwrap_or_default();
    if token.trim().is_empty() {
        return Err(Error::told(
            Code::InvalidRequest,
            format!("There is no token: {TOKEN_ENV} is not set, or empty."),
            format!("Set {TOKEN_ENV} to a long random text; clients send it as a bearer token."),
        ));
    }
    Ok(token.trim().to_owned())
}

/// Ends the server when its input ends, where that is a pipe from its parent.
fn end_with_input(signal: &StopSignal) {
    if !input_is_pipe() {
        return;
    }
    let signal = signal.clone();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        signal.ask();
    });
}

/// Name and folder of the base model.
fn found(settings: &Settings) -> Result<(String, PathBuf)> {
    let path = Path::new(&settings.model);
    if path.join(CONFIG_FILE).is_file() {
        let whole = std::path::absolute(path).map_err(Error::io(path))?;
        let name = whole.file_name().map_or_else(
            || settings.model.clone(),
            |name| name.to_string_lossy().into_owned(),
        );
        return Ok((name, path.to_owned()));
    }
    let wanted = ModelRef {
        name: settings.model.clone(),
        sha256: String::new(),
    };
    Ok((
        settings.model.clone(),
        ModelFolders::usual(&settings.models).find(&wanted)?,
    ))
}

/// Adapters by name.
fn adapters(named: &[String], base: &str) -> Result<Vec<(String, PathBuf)>> {
    let mut adapters: Vec<(String, PathBuf)> = Vec::with_capacity(named.len());
    for pair in named {
        let wrong = |why: &str| {
            Error::told(
                Code::InvalidRequest,
                format!("--adapter {pair:?} {why}."),
                "Write NAME=DIR with a name of its own for each adapter.",
            )
        };
        let (name, folder) = pair.split_once('=').ok_or_else(|| wrong("has no ="))?;
        if name.is_empty() || folder.is_empty() {
            return Err(wrong("lacks its name or its folder"));
        }
        if name == base || adapters.iter().any(|(other, _)| other == name) {
            return Err(wrong("has a name that is taken"));
        }
        adapters.push((name.to_owned(), PathBuf::from(folder)));
    }
    Ok(adapters)
}

fn write_port_file(path: &Path, shared: &Shared, port: u16) -> Result<()> {
    let content = serde_json::json!({
        "port": port, "pid": std::process::id(), "model": shared.model, "adapters": shared.adapters,
        "protocol_version": PROTOCOL_VERSION,
    });
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        std::fs::create_dir_all(parent).map_err(Error::io(parent))?;
    }
    write_atomically(path, content.to_string().as_bytes())
}

/// Removes the port file if it is still this server's own.
fn forget_port_file(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let own = serde_json::from_str::<serde_json::Value>(&text)
        .is_ok_and(|v| v["pid"] == std::process::id());
    if own {
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters_have_names_of_their_own() {
        let check = |named: &[&str], expected: Option<usize>| {
            let named: Vec<String> = named.iter().map(|n| (*n).to_owned()).collect();
            assert_eq!(
                adapters(&named, "base").ok().map(|list| list.len()),
                expected,
                "{named:?}"
            );
        };
        check(&[], Some(0));
        check(&["a=x", "b=y=z"], Some(2));
        check(&["a"], None);
        check(&["=x"], None);
        check(&["a="], None);
        check(&["a=x", "a=y"], None);
        check(&["base=x"], None);
    }
}
