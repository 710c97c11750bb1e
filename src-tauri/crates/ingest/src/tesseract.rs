//! Tesseract, a separate program that the user may have installed: where it is, which languages it can read, and how it
//! is started.
//!
//! It is started through the parser program. The parser program sets limits, asks the system to kill it when its parent
//! ends, and then replaces itself by Tesseract. So a cancelled import leaves no process behind.

use crate::environment;
use lexforge_domain::text::Language;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names Tesseract where it is not on the path; a name that is no file switches it off.
pub(crate) const PROGRAM_VARIABLE: &str = "LEXFORGE_TESSERACT";
/// Seconds that a page may take.
pub const PAGE_SECONDS: u64 = 90;
/// Address space that it may take.
pub(crate) const MEMORY_BYTES: u64 = 2 << 30;
/// Tesseract's names of the languages that this product reads.
const LANGUAGES: [(&str, Language); 4] = [
    ("eng", Language::En),
    ("chi_sim", Language::Zh),
    ("kor", Language::Ko),
    ("chi_tra", Language::Zh),
];

/// The program and how it is started.
#[derive(Clone, Debug)]
pub struct Tesseract {
    program: PathBuf,
    guard: Option<PathBuf>,
    languages: Vec<(&'static str, Language)>,
}

/// The program: the variable `LEXFORGE_TESSERACT`, then the path.
pub fn locate() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(PROGRAM_VARIABLE) {
        return Some(PathBuf::from(named)).filter(|p| p.is_file());
    }
    let name = format!("tesseract{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(&name))
        .find(|candidate| candidate.is_file())
}

/// Asks Tesseract for its languages, and returns a text with the place of the program and these languages. `guard` is
/// the parser program through which it is started. The version is not asked for: to answer that, Debian's Tesseract
/// would look up the name of this machine in the network (through curl and LDAP), and this must not happen here.
///
/// # Errors
/// When the program does not start, or does not answer as Tesseract does.
pub fn describe(program: &Path, guard: Option<PathBuf>) -> Result<String, String> {
    let tesseract = Tesseract::open(program.to_path_buf(), guard)?;
    let languages: Vec<&str> = tesseract.languages.iter().map(|(name, _)| *name).collect();
    Ok(format!(
        "Tesseract, {} ({})",
        program.display(),
        languages.join(", ")
    ))
}

/// Whether a file needs another program to be run, which the sandbox of the parser does not let start.
fn is_script(program: &Path) -> bool {
    let mut beginning = [0; 2];
    let read = std::fs::File::open(program).and_then(|mut file| file.read_exact(&mut beginning));
    cfg!(target_os = "linux") && read.is_ok() && beginning == *b"#!"
}

impl Tesseract {
    /// Asks Tesseract for its languages. `guard` is the parser program through which it is started.
    ///
    /// # Errors
    /// The reason why it cannot be used.
    pub fn open(program: PathBuf, guard: Option<PathBuf>) -> Result<Self, String> {
        if is_script(&program) {
            return Err(format!(
                "{} is a script, and the parser may start nothing but Tesseract: name the program that the script starts",
                program.display()
            ));
        }
        let mut tesseract = Self {
            program,
            guard,
            languages: Vec::new(),
        };
        let listed = tesseract.answer(&["--list-langs"], &[], Duration::from_secs(20))?;
        let listed: Vec<&str> = listed.lines().map(str::trim).collect();
        tesseract.languages = LANGUAGES
            .into_iter()
            .filter(|(name, _)| listed.contains(name))
            .collect();
        if tesseract.languages.is_empty() {
            return Err("Tesseract knows neither English nor Chinese nor Korean".to_owned());
        }
        Ok(tesseract)
    }

    /// Languages that are installed, by its name for them.
    pub fn languages(&self) -> &[(&'static str, Language)] {
        &self.languages
    }

    /// The language of a page that it read.
    pub fn language(name: &str) -> Option<Language> {
        LANGUAGES
            .into_iter()
            .find(|(n, _)| *n == name)
            .map(|(_, language)| language)
    }

    /// Runs Tesseract once and returns what it writes.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub fn answer(
        &self,
        arguments: &[&str],
        input: &[u8],
        wait: Duration,
    ) -> Result<String, String> {
        let seconds = wait.as_secs().max(1);
        let mut command = match &self.guard {
            Some(guard) => {
                let mut command = Command::new(guard);
                command.args(["guard", "--memory-bytes", &MEMORY_BYTES.to_string()]);
                command.args(["--cpu-seconds", &(2 * seconds).to_string(), "--"]);
                command.arg(&self.program);
                command
            }
            None => Command::new(&self.program),
        };
        environment::reduce(&mut command);
        // One thread is used: several pages are read at the same time, so more threads would cost more than they help.
        command.args(arguments).env("OMP_THREAD_LIMIT", "1");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|e| format!("Tesseract cannot be started: {e}"))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) = (stdin, stdout, stderr) else {
            return Err("Tesseract's streams could not be opened".to_owned());
        };
        let deadline = Instant::now() + wait;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A program that ends early closes the pipe; its status says why.
                let _ = stdin.write_all(input);
            });
            let output = scope.spawn(move || {
                let mut text = Vec::new();
                stdout.read_to_end(&mut text).map(|_| text)
            });
            let complaint = scope.spawn(move || {
                let mut text = Vec::new();
                // The stream ends with the program.
                let _ = stderr.read_to_end(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            });
            let status = loop {
                match child.try_wait() {
                    Ok(Some(status)) => break Ok(status),
                    Ok(None) if Instant::now() < deadline => {
                        std::thread::sleep(Duration::from_millis(10))
                    }
                    Ok(None) => break Err(format!("Tesseract did not finish within {seconds} s")),
                    Err(e) => break Err(format!("Tesseract cannot be waited for: {e}")),
                }
            };
            if status.is_err() {
                // Both calls fail only if the process has ended already.
                let _ = child.kill();
                let _ = child.wait();
            }
            let output = output.join().ok().and_then(Result::ok).unwrap_or_default();
            let complaint = complaint.join().unwrap_or_default();
            if !status?.success() {
                let line = complaint
                    .lines()
                    .map(str::trim)
                    .find(|l| !l.is_empty())
                    .unwrap_or("it gave no reason");
                return Err(format!(
                    "Tesseract failed: {}",
                    line.chars().take(160).collect::<String>()
                ));
            }
            Ok(String::from_utf8_lossy(&output).into_owned())
        })
    }
}
