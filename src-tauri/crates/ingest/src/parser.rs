//! The supervised parser: one child process for each file, with limits on memory and time, and a way to stop it.
//!
//! Whatever a file does to the child (abort, stack overflow, endless loop, garbage on the stream), it causes only one
//! failure here and no other damage.

use crate::allowance::Allowance;
use crate::environment;
use crate::error::IngestError;
use crate::format;
use crate::options::{ParseLimits, ParseOptions};
use crate::sandbox::Sandbox;
use crate::wire::{self, Frame};
use crate::workbook::Sheet;
use lexforge_domain::document::{DocumentWarning, ParsedDocument};
use lexforge_domain::{Code, Failure};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use tracing::{info, warn};

/// Names the program where it does not lie beside the application.
pub(crate) const PROGRAM_VARIABLE: &str = "LEXFORGE_PARSE";
/// The text in the error stream of a child that ran out of memory.
pub const OUT_OF_MEMORY: &str = "memory allocation of";
/// How often a running child is checked for the clock and for cancellation.
const TICK: Duration = Duration::from_millis(50);
/// How much of the child's error stream is kept.
const STDERR_KEPT: u64 = 4096;

/// Starts and supervises the parser program.
#[derive(Clone, Debug)]
pub struct Parser {
    program: PathBuf,
    limits: ParseLimits,
}

impl Parser {
    /// A parser that runs `program`.
    pub fn new(program: impl Into<PathBuf>, limits: ParseLimits) -> Self {
        Self {
            program: program.into(),
            limits,
        }
    }

    /// Finds the parser program. This function looks at the variable `LEXFORGE_PARSE`, then in the folder of the
    /// running program, then on the search path.
    ///
    /// # Errors
    /// When the program is in none of these places.
    pub fn locate() -> Result<Self, Failure> {
        let name = format!("lexforge-parse{}", std::env::consts::EXE_SUFFIX);
        if let Some(named) = std::env::var_os(PROGRAM_VARIABLE) {
            let path = PathBuf::from(named);
            return if path.is_file() {
                Ok(Self::new(path, ParseLimits::default()))
            } else {
                let why = format!(
                    "{PROGRAM_VARIABLE} names {}, which is no file",
                    path.display()
                );
                Err(IngestError::ProgramMissing(why).into())
            };
        }
        // A test's program lies one folder deeper than the others.
        let here = std::env::current_exe().ok();
        let beside = here
            .iter()
            .flat_map(|exe| exe.ancestors().skip(1).take(2))
            .map(Path::to_path_buf);
        let path = std::env::var_os("PATH").unwrap_or_default();
        beside
            .chain(std::env::split_paths(&path))
            .map(|folder| folder.join(&name))
            .find(|candidate| candidate.is_file())
            .map(|program| Self::new(program, ParseLimits::default()))
            .ok_or_else(|| {
                IngestError::ProgramMissing(format!(
                    "{name} is neither beside the application nor on the path"
                ))
                .into()
            })
    }

    /// The program that is run.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Reads a file. `on_page(done, of)` is called with the progress; `cancelled` is asked many times a second.
    ///
    /// # Errors
    /// One failure that names the file, whatever went wrong.
    pub fn parse(
        &self,
        file_name: &str,
        bytes: &[u8],
        options: &ParseOptions,
        on_page: &mut dyn FnMut(u32, u32),
        cancelled: &dyn Fn() -> bool,
    ) -> Result<ParsedDocument, Failure> {
        self.parse_file(file_name, bytes, options, on_page, cancelled)
            .map_err(|failure| failure.in_file(file_name))
    }

    fn parse_file(
        &self,
        file_name: &str,
        bytes: &[u8],
        options: &ParseOptions,
        on_page: &mut dyn FnMut(u32, u32),
        cancelled: &dyn Fn() -> bool,
    ) -> Result<ParsedDocument, Failure> {
        format::sniff(file_name, bytes)?;
        self.check_size(bytes)?;
        let started = Instant::now();
        // In one argument, since a name may begin with a hyphen and would be taken for an option.
        let mut arguments = vec!["read".to_owned(), format!("--name={file_name}")];
        arguments.extend(["--max-pages".to_owned(), options.max_pages.to_string()]);
        if let Some(program) = &options.ocr {
            arguments.extend(["--ocr".to_owned(), program.display().to_string()]);
            arguments.extend([
                "--ocr-page-seconds".to_owned(),
                options.ocr_page_seconds.to_string(),
            ]);
        }
        let whole = self.limits.wall_for(bytes.len());
        let mut attempt = |second_reader: bool, wall: Duration| {
            let mut arguments = arguments.clone();
            if !second_reader {
                arguments.push("--no-second-reader".to_owned());
            }
            self.run(
                &arguments,
                options.password.as_deref(),
                bytes,
                wall,
                &mut *on_page,
                cancelled,
            )
        };
        let answer = match attempt(options.second_reader, whole) {
            // The second reader may crash and end the child process. Then read the file again without it, in the time
            // that is left. One reader needs less time than two. So try this even if the clock of a busy machine says
            // that no time is left.
            Err(failure) if options.second_reader && is_loss(&failure) => {
                let left = whole.saturating_sub(started.elapsed()).max(whole / 4);
                let mut answer = attempt(false, left)?;
                if let Frame::Document(document) = &mut answer {
                    document.warnings.push(DocumentWarning {
                        code: "second_reader_failed".to_owned(),
                        page: None,
                        message: "The second reader could not read the file; nothing was compared."
                            .to_owned(),
                    });
                }
                answer
            }
            other => other?,
        };
        match answer {
            Frame::Document(document) => Ok(*document),
            _ => Err(
                IngestError::Crashed("it sent something else than a document".to_owned()).into(),
            ),
        }
    }

    /// Renders page `page` (from 1) at `dpi` dots per inch as a PNG. The password opens a locked file.
    ///
    /// # Errors
    /// When the file or the page cannot be rendered.
    pub fn render_page(
        &self,
        bytes: &[u8],
        password: Option<&str>,
        page: u32,
        dpi: f32,
    ) -> Result<Vec<u8>, Failure> {
        if bytes.is_empty() {
            return Err(IngestError::Empty.into());
        }
        self.check_size(bytes)?;
        let arguments = [
            "render",
            "--page",
            &page.to_string(),
            "--dpi",
            &dpi.to_string(),
        ]
        .map(str::to_owned)
        .to_vec();
        let wall = self.limits.wall_for(bytes.len());
        match self.run(&arguments, password, bytes, wall, &mut |_, _| {}, &|| false)? {
            Frame::Image(image) => Ok(image),
            _ => {
                Err(IngestError::Crashed("it sent something else than an image".to_owned()).into())
            }
        }
    }

    /// The version that the program reports; `None` if it reports none.
    pub fn version(&self) -> Option<String> {
        let mut command = Command::new(&self.program);
        environment::reduce(&mut command);
        let said = command.arg("--version").output().ok()?;
        let words = String::from_utf8(said.stdout).ok()?;
        words.split_whitespace().nth(1).map(str::to_owned)
    }

    /// Reads the sheets of a workbook; `cancelled` is asked many times a second.
    ///
    /// # Errors
    /// When the workbook cannot be read, or the child process ended because of it.
    pub fn sheets(
        &self,
        bytes: &[u8],
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<Sheet>, Failure> {
        self.check_size(bytes)?;
        let wall = self.limits.wall_for(bytes.len());
        let task = ["sheets".to_owned()];
        match self.run(&task, None, bytes, wall, &mut |_, _| {}, cancelled)? {
            Frame::Sheets(sheets) => Ok(sheets),
            _ => Err(IngestError::Crashed("it sent something else than sheets".to_owned()).into()),
        }
    }

    /// The restrictions that the parser program puts on itself on this system.
    ///
    /// # Errors
    /// When the parser program does not start or does not answer.
    pub fn sandbox(&self) -> Result<Sandbox, Failure> {
        let wall = self.limits.wall_for(0);
        let task = ["sandbox".to_owned()];
        match self.run(&task, None, &[], wall, &mut |_, _| {}, &|| false)? {
            Frame::Sandbox(sandbox) => Ok(sandbox),
            _ => Err(IngestError::Crashed("it did not say what it may not do".to_owned()).into()),
        }
    }

    fn check_size(&self, bytes: &[u8]) -> Result<(), IngestError> {
        let limit = self.limits.file_bytes;
        if bytes.len() as u64 > limit {
            return Err(IngestError::TooLarge(format!(
                "the file has {} MiB, more than the limit of {} MiB",
                bytes.len() >> 20,
                limit >> 20
            )));
        }
        Ok(())
    }

    /// Runs the program once and returns the frame before its end.
    fn run(
        &self,
        arguments: &[String],
        password: Option<&str>,
        bytes: &[u8],
        wall: Duration,
        on_page: &mut dyn FnMut(u32, u32),
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Frame, Failure> {
        let mut command = Command::new(&self.program);
        environment::reduce(&mut command);
        command.args(arguments);
        command
            .arg("--memory-bytes")
            .arg(self.limits.memory_bytes.to_string());
        // Two threads read; the limit that is kept from here is the real one.
        command
            .arg("--cpu-seconds")
            .arg((self.limits.wall.as_secs().max(1) * 4).to_string());
        if password.is_some() {
            command.arg("--password-on-stdin");
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|e| IngestError::ProgramMissing(format!("{}: {e}", self.program.display())))?;
        let (began, pid) = (Instant::now(), child.id());
        let kind = arguments.first().map_or("", String::as_str);
        info!(pid, kind, bytes = bytes.len(), "a parser begins");
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) = (stdin, stdout, stderr) else {
            stop(&mut child);
            return Err(IngestError::Crashed("its streams could not be opened".to_owned()).into());
        };
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A child that ends early closes the pipe; its answer says why.
                let _ = password
                    .map_or(Ok(()), |p| writeln!(stdin, "{p}"))
                    .and_then(|()| stdin.write_all(bytes));
            });
            let errors = scope.spawn(move || {
                let mut kept = Vec::new();
                let _ = stderr.by_ref().take(STDERR_KEPT).read_to_end(&mut kept);
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
                String::from_utf8_lossy(&kept).into_owned()
            });
            // A small channel: a child that floods its stream waits for us.
            let (sender, frames) = mpsc::sync_channel(8);
            scope.spawn(move || {
                loop {
                    let frame = wire::read(&mut stdout);
                    let last = matches!(frame, Err(_) | Ok(Frame::End));
                    if sender.send(frame).is_err() || last {
                        return;
                    }
                }
            });
            let time = Allowance::new(pid, wall);
            let outcome = listen(&frames, time, self.limits.wall, on_page, cancelled);
            drop(frames);
            match outcome {
                Ok(frame) => {
                    // The answer is complete; the child may still be busy with a reader that hangs.
                    stop(&mut child);
                    let ms = began.elapsed().as_millis();
                    match frame {
                        Frame::Failure(failure) => {
                            warn!(pid, ms, code = failure.code.tag(), "a parser refused");
                            Err(failure)
                        }
                        frame => {
                            info!(pid, ms, "a parser answered");
                            Ok(frame)
                        }
                    }
                }
                Err(Interrupt::Error(error)) => {
                    stop(&mut child);
                    let failure = Failure::from(error);
                    let ms = began.elapsed().as_millis();
                    warn!(pid, ms, code = failure.code.tag(), "a parser was ended");
                    Err(failure)
                }
                Err(Interrupt::Lost) => {
                    let status = stop(&mut child);
                    let exit = status.and_then(|status| status.code());
                    warn!(pid, exit, "a parser was lost");
                    let errors = errors.join().unwrap_or_default();
                    Err(self.loss(status, &errors, wall).into())
                }
            }
        })
    }
}

impl Parser {
    /// The failure when the child process has ended: its last output shows the reason, or its exit status.
    fn loss(&self, status: Option<ExitStatus>, errors: &str, wall: Duration) -> IngestError {
        if errors.contains(OUT_OF_MEMORY) {
            return IngestError::Memory(self.limits.memory_bytes >> 20);
        }
        if errors.contains("has overflowed its stack") {
            return IngestError::Nesting;
        }
        if status.is_some_and(is_out_of_time) {
            return IngestError::Timeout(wall.as_secs());
        }
        IngestError::Crashed(describe(status, errors))
    }
}

/// Whether the child was lost, to the second reader perhaps.
fn is_loss(failure: &Failure) -> bool {
    let nested = Failure::from(IngestError::Nesting).message;
    failure.code == Code::ParserCrashed
        || failure.message == nested
        || (failure.code == Code::TooLarge && failure.message.contains("memory"))
}

/// Whether the system ended the child because its processor time was used up.
#[cfg(unix)]
fn is_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

#[cfg(not(unix))]
fn is_out_of_time(_status: ExitStatus) -> bool {
    false
}

/// Why listening ended without an answer.
enum Interrupt {
    /// The stream ended or made no sense.
    Lost,
    /// The clock or the user.
    Error(IngestError),
}

/// Waits for the last frame. Recognising a scan takes seconds for each page, so every finished page gives the following
/// ones the full time again. The child process itself limits the time of a single page.
fn listen(
    frames: &mpsc::Receiver<std::io::Result<Frame>>,
    mut time: Allowance,
    recognition_wall: Duration,
    on_page: &mut dyn FnMut(u32, u32),
    cancelled: &dyn Fn() -> bool,
) -> Result<Frame, Interrupt> {
    let mut recognising = false;
    let mut answer = None;
    loop {
        if cancelled() {
            return Err(Interrupt::Error(IngestError::Cancelled));
        }
        if time.is_spent() {
            let seconds = time.allowed().as_secs();
            return Err(Interrupt::Error(IngestError::Timeout(seconds)));
        }
        match frames.recv_timeout(TICK.min(time.allowed())) {
            Ok(Ok(Frame::Progress(done, of))) => {
                recognising |= done == 0;
                if recognising {
                    time.renew(recognition_wall);
                }
                on_page(done, of);
            }
            Ok(Ok(Frame::End)) => return answer.ok_or(Interrupt::Lost),
            Ok(Ok(frame)) => answer = Some(frame),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(Interrupt::Lost),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Ends the child, if it has not ended, and collects it.
fn stop(child: &mut Child) -> Option<ExitStatus> {
    // A child that has just closed its stream is about to end with its own status.
    for _ in 0..10 {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // Both fail only when the child is gone already.
    let _ = child.kill();
    child.wait().ok()
}

/// How a child ended, in words.
fn describe(status: Option<ExitStatus>, errors: &str) -> String {
    let end = match status {
        Some(status) => status.to_string(),
        None => "it could not be waited for".to_owned(),
    };
    let line = errors.lines().map(str::trim).find(|l| !l.is_empty());
    match line {
        Some(line) => format!("{end}; {}", line.chars().take(200).collect::<String>()),
        None => end,
    }
}
