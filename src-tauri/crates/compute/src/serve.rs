//! A worker that serves a model to this process: started here, asked over HTTP on this machine, and ended with us.

use crate::error::Error;
use crate::program::{WorkerProgram, loader_complaint};
use lexforge_domain::Failure;
use serde::Deserialize;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};
use tracing::info;

/// Pause between two looks at the port file.
const POLL: Duration = Duration::from_millis(50);
/// The longest wait for a model to be loaded.
const READY_WITHIN: Duration = Duration::from_secs(300);
/// A worker that has not left after this time is ended.
const LEAVES_WITHIN: Duration = Duration::from_secs(3);
const PORT_FILE: &str = "port.json";
const STDERR_FILE: &str = "stderr.log";
const TOKEN_ENV: &str = "LEXFORGE_TOKEN";

/// The model to serve, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServeRequest {
    /// The base model, by name or folder.
    pub model: String,
    /// Folders in which models are looked for.
    pub models: Vec<PathBuf>,
    /// Adapters by name.
    pub adapters: Vec<(String, PathBuf)>,
}

/// A worker that serves over HTTP. It ends when this value is dropped. It also ends when this process ends in any other
/// way, because its standard input is then closed.
#[derive(Debug)]
pub struct Served {
    child: Child,
    input: Option<ChildStdin>,
    port: u16,
    token: String,
}

#[derive(Deserialize)]
struct PortFile {
    port: u16,
}

/// Starts a worker that serves over HTTP, and returns when it is ready. Only this worker uses `folder`, which remains
/// when the worker ends.
///
/// # Errors
/// [`lexforge_domain::Code::WorkerMissing`] if the program cannot start. [`lexforge_domain::Code::WorkerDied`] if the
/// worker ended or does not become ready. [`lexforge_domain::Code::Cancelled`] if the caller cancelled. A failure that
/// the worker reports is returned as it is.
pub fn serve(
    program: &WorkerProgram,
    request: &ServeRequest,
    folder: &Path,
    cancelled: &dyn Fn() -> bool,
) -> Result<Served, Failure> {
    let token = hex::encode(rand::random::<[u8; 24]>());
    let (port_file, log) = (folder.join(PORT_FILE), folder.join(STDERR_FILE));
    let mut command = program.command();
    command
        .arg("serve")
        .arg("--model")
        .arg(&request.model)
        .arg("--port-file")
        .arg(&port_file);
    for (name, adapter) in &request.adapters {
        let mut value = std::ffi::OsString::from(format!("{name}="));
        value.push(adapter);
        command.arg("--adapter").arg(value);
    }
    for models in &request.models {
        command.arg("--models").arg(models);
    }
    command
        .env(TOKEN_ENV, &token)
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    command.stderr(File::create(&log).map_err(Error::io(&log))?);
    // Ctrl-C is for us: we end the worker when we have kept what it said.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = program.start(&mut command)?;
    info!(pid = child.id(), "a serving worker begins");
    let input = child.stdin.take();
    let mut served = Served {
        child,
        input,
        port: 0,
        token,
    };
    let since = Instant::now();
    loop {
        // The file appears whole: it is written under another name and renamed.
        if let Some(ready) = std::fs::read(&port_file)
            .ok()
            .and_then(|b| serde_json::from_slice::<PortFile>(&b).ok())
        {
            served.port = ready.port;
            info!(ms = since.elapsed().as_millis(), "it is ready");
            return Ok(served);
        }
        if served
            .child
            .try_wait()
            .map_err(|e| program.unusable(e.to_string()))?
            .is_some()
        {
            return Err(last_words(program, &log));
        }
        if cancelled() {
            return Err(Error::Stopped.into());
        }
        if since.elapsed() > READY_WITHIN {
            let last_words = Some(format!(
                "it was not ready after {} s",
                READY_WITHIN.as_secs()
            ));
            return Err(Error::WorkerDied { last_words }.into());
        }
        std::thread::sleep(POLL);
    }
}

/// Why a worker ended before it was ready.
fn last_words(program: &WorkerProgram, log: &Path) -> Failure {
    let words = std::fs::read_to_string(log).unwrap_or_default();
    if let Some(complaint) = loader_complaint(&words) {
        return program.unusable(complaint).into();
    }
    crate::bundle::told_in(&words).unwrap_or_else(|| {
        let last_words = words
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .map(str::to_owned);
        Error::WorkerDied { last_words }.into()
    })
}

impl Served {
    /// The server's address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// The token that it demands.
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The worker leaves when nobody can speak to it any more.
        drop(self.input.take());
        let since = Instant::now();
        while since.elapsed() < LEAVES_WITHIN {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(POLL);
        }
        // A worker that has ended cannot be killed, and its status is known.
        let _ = self.child.kill();
        let exit = self.child.wait().ok().and_then(|status| status.code());
        info!(pid = self.child.id(), exit, "a serving worker ended");
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use lexforge_domain::Code;
    use std::os::unix::fs::PermissionsExt;

    /// A program that behaves like a serving worker in one respect: a shell script, with the port file as `$5`.
    fn script(folder: &Path, body: &str) -> WorkerProgram {
        let path = folder.join("program");
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        WorkerProgram::at(path)
    }

    fn start(body: &str, cancel: bool) -> Result<Served, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let request = ServeRequest {
            model: "m".into(),
            ..ServeRequest::default()
        };
        serve(
            &script(folder.path(), body),
            &request,
            folder.path(),
            &|| cancel,
        )
    }

    #[test]
    fn it_is_ready_when_its_port_file_is_there_and_ends_with_us() {
        let ready = r#"test -n "$LEXFORGE_TOKEN" && echo '{"port": 4711, "pid": 1}' > "$5.new" && mv "$5.new" "$5"; cat > /dev/null"#;
        let served = start(ready, false).unwrap();
        assert_eq!(served.url(), "http://127.0.0.1:4711/v1");
        assert_eq!(served.token().len(), 48);
        let began = Instant::now();
        drop(served);
        assert!(began.elapsed() < LEAVES_WITHIN, "it had to be killed");
    }

    #[test]
    fn why_it_is_not_ready_is_told() {
        assert_eq!(
            start(
                "echo 'error[model_missing]: no such folder' >&2; echo 'hint: choose' >&2; exit 1",
                false
            )
            .unwrap_err()
            .code,
            Code::ModelMissing
        );
        assert_eq!(start("exit 3", false).unwrap_err().code, Code::WorkerDied);
        assert_eq!(start("sleep 20", true).unwrap_err().code, Code::Cancelled);
    }
}
