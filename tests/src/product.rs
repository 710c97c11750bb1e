//! The built programs, run as a user runs them.
#![allow(clippy::panic)] // A test that cannot run the product has failed.

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The variables by which an environment names proxies.
pub const PROXY_VARIABLES: [&str; 8] = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// A program of the product: the path that `make test` passes in `variable`, or else the program beside this test's own
/// folder. `None`, with a message, if nothing was built and `variable` is not set.
pub fn program(variable: &str, name: &str) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable).map(PathBuf::from) {
        assert!(
            path.is_file(),
            "{variable} names {}, which is no file",
            path.display()
        );
        return Some(path);
    }
    let folder = std::env::current_exe()
        .ok()?
        .parent()?
        .parent()?
        .to_path_buf();
    let path = folder.join(name);
    if path.is_file() {
        return Some(path);
    }
    lexforge_needs::missing(format!("{name} is not built (make test builds it)"));
    None
}

/// The command line with a folder of its own for workspaces and files; the folder goes with it.
pub struct Product {
    program: PathBuf,
    folder: tempfile::TempDir,
    variables: Vec<(String, String)>,
    starter: Vec<String>,
}

/// The result of a command.
pub struct Finished {
    /// Exit code; −1 where a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The message of a command that failed with this code, which must come with a hint.
#[track_caller]
pub fn refused(done: &Finished, code: &str) -> String {
    assert_eq!(done.code, 1, "{}\n{}", done.out, done.err);
    let value: Value = serde_json::from_str(done.out.lines().last().unwrap_or_default())
        .unwrap_or_else(|problem| panic!("no JSON ({problem}): {}\n{}", done.out, done.err));
    assert_eq!(value["error"]["code"], code, "{value:#}");
    assert!(!value["error"]["hint"].as_str().is_none_or(str::is_empty));
    value["error"]["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

impl Product {
    /// The command line, if it and the programs that it starts are built.
    pub fn find() -> Option<Self> {
        let program = program("LEXFORGE_BIN", "lexforge")?;
        self::program("LEXFORGE_PARSE", "lexforge-parse")?;
        let folder =
            tempfile::tempdir().unwrap_or_else(|problem| panic!("no temporary folder: {problem}"));
        Some(Self {
            program,
            folder,
            variables: Vec::new(),
            starter: Vec::new(),
        })
    }

    /// The product with the worker and the decoder that comes with it.
    pub fn with_decoder() -> Option<Self> {
        program("LEXFORGE_WORKER", "lexforge-worker")?;
        Some(Self::find()?.with("LEXFORGE_MODELS", crate::repository::demo_decoder()))
    }

    /// This product, with one environment variable set for each command.
    pub fn with(mut self, variable: &str, value: impl AsRef<Path>) -> Self {
        self.variables
            .push((variable.to_owned(), value.as_ref().display().to_string()));
        self
    }

    /// This product, each command of which is started by these words.
    pub fn started_by(mut self, words: Vec<String>) -> Self {
        self.starter = words;
        self
    }

    /// A path in its folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into its folder.
    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes)
            .unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        path
    }

    /// The folder of what this user has confirmed.
    pub fn state(&self) -> PathBuf {
        self.path("user-state")
    }

    /// Names of what stands in the folder of settings and secrets, sorted.
    pub fn kept(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.state())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// A command, not yet started.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut words = self.starter.iter().map(OsStr::new);
        let mut command = Command::new(words.next().unwrap_or(self.program.as_os_str()));
        command.args(words);
        if !self.starter.is_empty() {
            command.arg(&self.program);
        }
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        // What a user has confirmed is this test's, and no proxy of the machine's comes in between.
        command.env("LEXFORGE_STATE", self.state());
        for name in PROXY_VARIABLES {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(k, v)| (k, v)));
        command
    }

    /// Runs a command to its end.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Finished {
        let output = self.command(arguments).output();
        finished(output.unwrap_or_else(|problem| panic!("{}: {problem}", self.program.display())))
    }

    /// Starts a command and leaves it running, its streams thrown away.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Child {
        let child = self
            .command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        child.unwrap_or_else(|problem| panic!("{}: {problem}", self.program.display()))
    }

    /// Runs a command that must succeed, with `--json`, and reads its one document.
    #[track_caller]
    pub fn json<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Value {
        let done = self.succeed(arguments);
        serde_json::from_str(&done.out)
            .unwrap_or_else(|problem| panic!("no JSON document ({problem}): {}", done.out))
    }

    /// Runs a command that must succeed, with `--json`, and reads its lines.
    #[track_caller]
    pub fn lines<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Vec<Value> {
        let done = self.succeed(arguments);
        let read = |line| {
            serde_json::from_str(line)
                .unwrap_or_else(|problem| panic!("no JSON ({problem}): {line}"))
        };
        done.out.lines().map(read).collect()
    }

    #[track_caller]
    fn succeed<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Finished {
        let mut words: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        if !words.contains(&OsStr::new("--json")) {
            words.push(OsStr::new("--json"));
        }
        let done = self.run(&words);
        assert_eq!(done.code, 0, "{words:?}\n{}\n{}", done.out, done.err);
        done
    }
}

fn finished(output: Output) -> Finished {
    Finished {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
