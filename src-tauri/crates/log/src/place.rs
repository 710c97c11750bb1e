//! Where the log of this process goes.

use crate::level::{LEVEL_ENV, level, level_of_variable, set_level, wanted};
use crate::line::Line;
use crate::queue::{Queue, Writing};
use crate::rolling::Rolling;
use lexforge_domain::api::LogLevel;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tracing::{Subscriber, error, info, warn};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;

/// The variable in which a program names the log folder to a program that it starts.
const FOLDER_ENV: &str = "LEXFORGE_LOGS";

/// How lines get to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A separate thread writes them, so that nobody waits for a disk.
    Behind,
    /// At once: for a program that is ended as soon as it has answered.
    AtOnce,
}

/// Where lines go.
struct Here {
    program: &'static str,
    folder: PathBuf,
    pace: Pace,
    out: Out,
    writing: Option<Writing>,
}

static HERE: RwLock<Option<Here>> = RwLock::new(None);

impl Here {
    fn of(program: &'static str, folder: &Path, pace: Pace) -> Self {
        let file = || Rolling::new(folder, program);
        let behind = match pace {
            Pace::Behind => Queue::begin(file()),
            Pace::AtOnce => None,
        };
        let (out, writing) = match behind {
            Some((queue, writing)) => (Out::Behind(queue), Some(writing)),
            None => (Out::AtOnce(Arc::new(Mutex::new(file()))), None),
        };
        Self {
            program,
            folder: folder.to_owned(),
            pace,
            out,
            writing,
        }
    }
}

/// Takes lines.
#[derive(Clone)]
enum Out {
    Behind(Queue),
    AtOnce(Arc<Mutex<Rolling>>),
    Nowhere,
}

impl Write for Out {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self {
            Self::Behind(queue) => queue.give(line),
            Self::AtOnce(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.put(line);
            }
            Self::Nowhere => {}
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives whoever writes a line the place where lines go now.
struct Current;

impl<'a> MakeWriter<'a> for Current {
    type Writer = Out;

    fn make_writer(&'a self) -> Out {
        HERE.read()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map_or(Out::Nowhere, |here| here.out.clone())
    }
}

/// The log of this process. When it goes, what was said is written; keep it until the end of `main`.
#[must_use]
pub struct Log {
    ours: bool,
}

impl Drop for Log {
    fn drop(&mut self) {
        if !self.ours {
            return;
        }
        let writing = HERE
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
            .and_then(|here| here.writing.take());
        // Waits for the thread that writes, for a second at most.
        drop(writing);
    }
}

/// Begins the log of this process in a folder, which must be there. The first call of a process counts.
pub fn begin(program: &'static str, folder: &Path, setting: LogLevel, pace: Pace) -> Log {
    let variable = level_of_variable();
    set_level(variable.clone().ok().flatten().unwrap_or(setting));
    let here = Here::of(program, folder, pace);
    let ours = tracing::subscriber::set_global_default(subscriber(Current)).is_ok();
    if ours {
        *HERE.write().unwrap_or_else(PoisonError::into_inner) = Some(here);
        let version = env!("CARGO_PKG_VERSION");
        let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
        let level = level().tag();
        info!(program, version, system, processor, level, "begins");
        if variable.is_err() {
            warn!("the variable LEXFORGE_LOG names no level; the setting counts");
        }
        log_panics();
    }
    Log { ours }
}

/// Begins the log of a program that another program of the product started and gave a folder for its log. A program
/// that a person started, or that runs on another machine, writes no log.
pub fn begin_for_parent(program: &'static str, pace: Pace) -> Option<Log> {
    let folder = std::env::var_os(FOLDER_ENV).filter(|folder| !folder.is_empty())?;
    Some(begin(
        program,
        Path::new(&folder),
        LogLevel::default(),
        pace,
    ))
}

/// Whether this process has a log.
pub fn begun() -> bool {
    HERE.read()
        .unwrap_or_else(PoisonError::into_inner)
        .is_some()
}

/// From now on lines go to a file in this folder, which must be there.
pub fn switch(folder: &Path) {
    let mut here = HERE.write().unwrap_or_else(PoisonError::into_inner);
    let before = match here.as_mut() {
        Some(now) if now.folder != folder => {
            let next = Here::of(now.program, folder, now.pace);
            std::mem::replace(now, next)
        }
        _ => return,
    };
    // Release the lock first, so that other threads can log while the old file is being written.
    drop(here);
    drop(before);
}

/// Passes to another program of the product, which is about to be started, where and how much to log.
pub fn hand_on(command: &mut Command) {
    let here = HERE.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(here) = here.as_ref() {
        command.env(FOLDER_ENV, &here.folder);
        command.env(LEVEL_ENV, level().tag());
    }
}

/// Writes the selected lines into the log.
pub(crate) fn subscriber<W>(writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .with_ansi(false)
        // A line that cannot be made is nothing for somebody's terminal.
        .log_internal_errors(false)
        .event_format(Line);
    tracing_subscriber::registry().with(lines.with_filter(filter_fn(wanted)))
}

/// Logs the place of a panic. The message of the panic is left out, because it may contain text of a document.
fn log_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |about| {
        let place = about.location().map(ToString::to_string);
        error!(place = place.as_deref().unwrap_or("unknown"), "broke off");
        usual(about);
    }));
}
