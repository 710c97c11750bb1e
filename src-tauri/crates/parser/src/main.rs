//! `lexforge-parse`: reads one file from the standard input and answers with frames on the standard output.
//!
//! It first limits its own memory and time and gives up access to files, programs and the network. So a hostile file
//! can harm only this process.
#![forbid(unsafe_code)]

use clap::{Args, Parser, Subcommand};
use lexforge_domain::Failure;
use lexforge_ingest::error::IngestError;
use lexforge_ingest::options::ParseOptions;
use lexforge_ingest::parser::OUT_OF_MEMORY;
use lexforge_ingest::sandbox::Sandbox;
use lexforge_ingest::tesseract::PAGE_SECONDS;
use lexforge_ingest::wire::{self, Frame};
use lexforge_parser::pdf::{SECOND_READER, processors};
use lexforge_parser::reader::{Source, owner};
use lexforge_parser::{limits, read, render, sandbox, workbook};
use std::ffi::OsString;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Stack of the working thread: deeply nested files recurse.
const STACK: usize = 64 << 20;

#[derive(Parser)]
#[command(version, about = "Reads one document from standard input, behind limits", long_about = None)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Reads the document.
    Read {
        /// Name of the file; it shows the format if the content does not.
        #[arg(long)]
        name: String,
        /// Leaves the second reader out.
        #[arg(long)]
        no_second_reader: bool,
        /// The Tesseract program, which reads pages without a text layer; without it they stay unread.
        #[arg(long)]
        ocr: Option<PathBuf>,
        /// Seconds that the recognition of a page may take.
        #[arg(long, default_value_t = PAGE_SECONDS)]
        ocr_page_seconds: u64,
        /// Refuses a document of more pages.
        #[arg(long, default_value_t = 10_000)]
        max_pages: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Draws one page of a PDF as a PNG.
    Render {
        /// Page, from 1.
        #[arg(long)]
        page: u32,
        /// Dots to the inch.
        #[arg(long, default_value_t = 110.0)]
        dpi: f32,
        #[command(flatten)]
        common: Common,
    },
    /// Reads the sheets of a workbook.
    Sheets {
        #[command(flatten)]
        common: Common,
    },
    /// Reports which access it gives up on this system.
    Sandbox {
        #[command(flatten)]
        common: Common,
    },
    /// Becomes another program, behind limits and only as long as its parent lives.
    #[command(hide = true)]
    Guard {
        #[command(flatten)]
        common: Common,
        /// The program and its arguments.
        #[arg(last = true, required = true)]
        command: Vec<OsString>,
    },
}

#[derive(Args, Clone, Copy)]
struct Common {
    /// The first line of the input is the password of the file.
    #[arg(long)]
    password_on_stdin: bool,
    /// Limit of address space.
    #[arg(long, default_value_t = 3 << 30)]
    memory_bytes: u64,
    /// Limit of processor time.
    #[arg(long, default_value_t = 2400)]
    cpu_seconds: u64,
}

impl Task {
    fn common(&self) -> Common {
        match self {
            Self::Read { common, .. }
            | Self::Render { common, .. }
            | Self::Sheets { common }
            | Self::Sandbox { common }
            | Self::Guard { common, .. } => *common,
        }
    }

    /// The only other program that it may need.
    fn program(&self) -> Option<&Path> {
        match self {
            Self::Read { ocr, .. } => ocr.as_deref(),
            Self::Guard { command, .. } => command.first().map(Path::new),
            Self::Render { .. } | Self::Sheets { .. } | Self::Sandbox { .. } => None,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let common = arguments.task.common();
    if let Err(error) = limits::apply(common.memory_bytes, common.cpu_seconds) {
        eprintln!("the limits cannot be set: {error}");
        return ExitCode::FAILURE;
    }
    // The system reports it through files.
    processors();
    let closed = sandbox::close(arguments.task.program());
    if let Task::Guard { command, .. } = &arguments.task {
        return become_program(command);
    }
    // The second reader panics on some files, which is expected and guarded.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(SECOND_READER) {
            report(panic);
        }
    }));
    let work = std::thread::Builder::new()
        .name("parser".to_owned())
        .stack_size(STACK)
        .spawn(move || run(arguments.task, closed));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
        // The panic's message stands on the error stream already.
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{OUT_OF_MEMORY}: the working thread cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Turns this process into another program, which keeps its limits and its parent.
#[cfg(unix)]
fn become_program(command: &[OsString]) -> ExitCode {
    use std::os::unix::process::CommandExt;
    let Some((program, arguments)) = command.split_first() else {
        return ExitCode::FAILURE;
    };
    let error = std::process::Command::new(program).args(arguments).exec();
    eprintln!("{}: {error}", program.display());
    ExitCode::FAILURE
}

/// Runs another program where a process cannot turn into one.
#[cfg(not(unix))]
fn become_program(command: &[OsString]) -> ExitCode {
    let Some((program, arguments)) = command.split_first() else {
        return ExitCode::FAILURE;
    };
    match std::process::Command::new(program).args(arguments).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error}", program.display());
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task, closed: Sandbox) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout());
    let answer = answer(task, closed, &mut out)?;
    let frame = answer.unwrap_or_else(|error| Frame::Failure(Failure::from(error)));
    wire::write(&mut out, &frame)?;
    wire::write(&mut out, &Frame::End)?;
    out.flush()
}

fn answer(
    task: Task,
    closed: Sandbox,
    out: &mut impl Write,
) -> std::io::Result<Result<Frame, IngestError>> {
    Ok(match task {
        Task::Sandbox { .. } => Ok(Frame::Sandbox(closed)),
        // Guarded programs are started before this.
        Task::Guard { .. } => return Err(std::io::ErrorKind::Unsupported.into()),
        Task::Read {
            name,
            no_second_reader,
            ocr,
            ocr_page_seconds,
            max_pages,
            common,
        } => {
            let (password, bytes) = input(common)?;
            let guard = std::env::current_exe().ok();
            let second_reader = !no_second_reader;
            let options = ParseOptions {
                second_reader,
                password,
                max_pages,
                ocr,
                ocr_page_seconds,
                guard,
            };
            let mut lost = None;
            let mut tell = |done, of| {
                if lost.is_none() {
                    lost = wire::write(out, &Frame::Progress(done, of)).err();
                }
            };
            let document = read::read(&name, bytes, &options, &mut tell);
            if let Some(error) = lost {
                return Err(error);
            }
            document.map(|d| Frame::Document(Box::new(d)))
        }
        Task::Sheets { common } => {
            let (_, bytes) = input(common)?;
            workbook::read(&bytes).map(Frame::Sheets)
        }
        Task::Render { page, dpi, common } => {
            let (password, bytes) = input(common)?;
            let bytes = Arc::new(bytes);
            let source = Source {
                password: owner::for_readers(&bytes, password),
                bytes,
                max_pages: u32::MAX,
            };
            render::png(&source, page, dpi).map(Frame::Image)
        }
    })
}

/// The password, if one is announced, and the file.
fn input(common: Common) -> std::io::Result<(Option<String>, Vec<u8>)> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    if !common.password_on_stdin {
        return Ok((None, bytes));
    }
    let end = bytes
        .iter()
        .position(|b| *b == b'\n')
        .unwrap_or(bytes.len());
    let password = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let rest = bytes.get(end + 1..).unwrap_or_default().to_vec();
    Ok((Some(password), rest))
}
