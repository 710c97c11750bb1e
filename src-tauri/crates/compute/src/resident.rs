//! A worker that stays loaded to make vectors of questions, or to score pairs of a question and a passage. It gets
//! requests on its standard input, answers on its standard output, and ends with this process. It uses no port.

use crate::error::Error;
use crate::program::{WorkerProgram, loader_complaint};
use lexforge_domain::protocol::{
    PROTOCOL_VERSION, RerankRequest, RerankScores, ResidentReady, ResidentReply, ResidentRequest,
    TextSide, vector_of_hex,
};
use lexforge_domain::{Code, Failure};
use serde::Serialize;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tracing::info;

/// The longest wait for a model to be loaded.
const READY_WITHIN: Duration = Duration::from_secs(300);
/// How long a worker may think about a question, and about each more of the same request.
const ANSWERS_WITHIN: [Duration; 2] = [Duration::from_secs(120), Duration::from_millis(500)];
/// A worker that has not left after this time is ended; it has nothing to lose.
const LEAVES_WITHIN: Duration = Duration::from_millis(500);
/// Pause between two looks at a leaving worker.
const POLL: Duration = Duration::from_millis(5);
/// Bytes of its standard error that are kept.
const LAST_WORDS: usize = 1 << 14;

/// The model of a worker that stays loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResidentModel {
    /// The base model by its name.
    pub model: String,
    /// The hash that the model's content must have; empty = any content.
    pub content: String,
    /// Folders in which models are looked for.
    pub models: Vec<PathBuf>,
    /// The folder of an adapter to it.
    pub adapter: Option<PathBuf>,
    /// It scores pairs of a question and a passage instead of making vectors; the adapter is a cross-encoder's.
    pub pairs: bool,
}

/// A worker that stays loaded. It ends when this value is dropped. It also ends when this process ends in any other
/// way, because its standard input is then closed.
#[derive(Debug)]
pub struct Resident {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<Vec<u8>>>,
    program: WorkerProgram,
    ready: ResidentReady,
}

impl Resident {
    /// Starts a worker and returns when it is ready.
    ///
    /// # Errors
    /// [`Code::WorkerMissing`] if the program cannot start. [`Code::WorkerDied`] if the worker ended or does not become
    /// ready. [`Code::WorkerIncompatible`] if it uses another version of the protocol. A failure that the worker
    /// reports is returned as it is.
    pub fn start(program: &WorkerProgram, model: &ResidentModel) -> Result<Self, Failure> {
        let mut command = program.command();
        command.arg("resident").arg("--model").arg(&model.model);
        if !model.content.is_empty() {
            command.arg("--content").arg(&model.content);
        }
        if let Some(adapter) = &model.adapter {
            command.arg("--adapter").arg(adapter);
        }
        if model.pairs {
            command.arg("--pairs");
        }
        for folder in &model.models {
            command.arg("--models").arg(folder);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C is for us: the worker leaves when we do.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = program.start(&mut command)?;
        info!(pid = child.id(), "a worker that stays begins");
        let (sender, lines) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        let errors = child
            .stderr
            .take()
            .map(|errors| std::thread::spawn(move || end_of(errors)));
        let mut resident = Self {
            input: child.stdin.take(),
            child,
            lines,
            errors,
            program: program.clone(),
            ready: ResidentReady {
                protocol_version: PROTOCOL_VERSION,
                dim: 0,
                reading: lexforge_domain::protocol::TextReading::default(),
                content: String::new(),
            },
        };
        resident.ready = resident.heard(READY_WITHIN)?;
        if resident.ready.protocol_version != PROTOCOL_VERSION {
            return Err(Error::WorkerIncompatible {
                found: resident.ready.protocol_version,
                wanted: PROTOCOL_VERSION,
            }
            .into());
        }
        Ok(resident)
    }

    /// The worker's description of itself from when it was ready.
    pub fn ready(&self) -> &ResidentReady {
        &self.ready
    }

    /// One vector for each text, in the order of the texts.
    ///
    /// # Errors
    /// The worker's own failure, or [`Code::WorkerDied`] if the worker has ended or does not answer.
    pub fn vectors(&mut self, side: TextSide, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let request = ResidentRequest {
            side,
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
        };
        let vectors = match self.asked(&request, texts.len())? {
            ResidentReply::Vectors(vectors) => vectors,
            ResidentReply::Failed(failure) => return Err(failure),
            ResidentReply::Scores(_) => return Err(odd()),
        };
        let dim = self.ready.dim;
        let vectors: Option<Vec<Vec<f32>>> = vectors
            .iter()
            .map(|text| vector_of_hex(text).filter(|vector| vector.len() == dim))
            .collect();
        vectors
            .filter(|vectors| vectors.len() == texts.len())
            .ok_or_else(odd)
    }

    /// The scores of a question's passages. The worker must have been started to score pairs.
    ///
    /// # Errors
    /// As [`Resident::vectors`].
    pub fn scores(&mut self, request: &RerankRequest) -> Result<RerankScores, Failure> {
        match self.asked(request, request.passages.len())? {
            ResidentReply::Scores(found) if found.scores.len() == request.passages.len() => {
                Ok(found)
            }
            ResidentReply::Failed(failure) => Err(failure),
            _ => Err(odd()),
        }
    }

    /// Its answer to a request of so many texts.
    fn asked(&mut self, request: &impl Serialize, texts: usize) -> Result<ResidentReply, Failure> {
        let mut line = serde_json::to_string(request).map_err(|_| odd())?;
        line.push('\n');
        let written = match &mut self.input {
            Some(input) => input
                .write_all(line.as_bytes())
                .and_then(|()| input.flush())
                .is_ok(),
            None => false,
        };
        if !written {
            return Err(self.gone());
        }
        let most = u32::try_from(texts).unwrap_or(u32::MAX);
        self.heard(ANSWERS_WITHIN[0] + ANSWERS_WITHIN[1] * most)
    }

    /// The next line that it says.
    fn heard<T: serde::de::DeserializeOwned>(&mut self, within: Duration) -> Result<T, Failure> {
        match self.lines.recv_timeout(within) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| odd()),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
            Err(RecvTimeoutError::Timeout) => {
                self.end();
                Err(died(Some(format!(
                    "it did not answer for {} s",
                    within.as_secs()
                ))))
            }
        }
    }

    /// Why it is not there any more.
    fn gone(&mut self) -> Failure {
        self.end();
        let words = self.errors.take().and_then(|thread| thread.join().ok());
        let words = String::from_utf8_lossy(&words.unwrap_or_default()).into_owned();
        if let Some(complaint) = loader_complaint(&words) {
            return self.program.unusable(complaint).into();
        }
        crate::bundle::told_in(&words).unwrap_or_else(|| {
            let last = words.lines().rev().find(|line| !line.trim().is_empty());
            died(last.map(str::to_owned))
        })
    }

    /// Ends it: it leaves when its input is closed.
    fn end(&mut self) {
        let Some(input) = self.input.take() else {
            // It was ended before.
            return;
        };
        drop(input);
        let since = Instant::now();
        while since.elapsed() < LEAVES_WITHIN && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(POLL);
        }
        // A worker that has ended cannot be killed, and its status is known.
        let _ = self.child.kill();
        let exit = self.child.wait().ok().and_then(|status| status.code());
        info!(pid = self.child.id(), exit, "a worker that stays ended");
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.end();
    }
}

/// Everything that is said there, and of it the end.
fn end_of(mut errors: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0u8; 4096];
    while let Ok(read @ 1..) = errors.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..read]);
        let past = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..past);
    }
    kept
}

fn died(last_words: Option<String>) -> Failure {
    let words = last_words.map(|w| format!(": {w}")).unwrap_or_default();
    Failure::new(
        Code::WorkerDied,
        format!("The worker that makes vectors of questions ended{words}."),
        "Ask again. If it ends again, close other programs: there may be too little memory.",
    )
}

fn odd() -> Failure {
    Failure::new(
        Code::WorkerIncompatible,
        "The worker's answer is not of the form that was asked for.",
        "Install application and worker of the same version.",
    )
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const READY: &str = r#"echo '{"protocol_version":VERSION,"dim":1,"reading":{"pooling":"mean","normalize":true,"question":"","passage":"","max_length":256},"content":"ab"}'"#;

    /// A program that behaves like a worker that stays in one respect: a shell script.
    fn start(body: &str) -> Result<Resident, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let body = body.replace("VERSION", &PROTOCOL_VERSION.to_string());
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Resident::start(&WorkerProgram::at(path), &ResidentModel::default())
    }

    #[test]
    fn it_answers_line_by_line_and_leaves_with_its_input() {
        let answer = r#"while read line; do echo '{"vectors":["0000803f"]}'; done"#;
        let mut resident = start(&format!("{READY}\n{answer}")).unwrap();
        assert_eq!(resident.ready().content, "ab");
        for _ in 0..2 {
            let vectors = resident.vectors(TextSide::Question, &["a"]).unwrap();
            assert_eq!(vectors, [[1.0]]);
        }
        // One vector for two texts is no answer.
        let odd = resident
            .vectors(TextSide::Question, &["a", "b"])
            .unwrap_err();
        assert_eq!(odd.code, Code::WorkerIncompatible);
        let began = Instant::now();
        drop(resident);
        assert!(began.elapsed() < LEAVES_WITHIN, "it had to be killed");
    }

    #[test]
    fn a_worker_that_scores_pairs_gives_one_score_a_passage() {
        let answer = r#"read line; echo "$line" | grep -q '"question":"q","passages":\["a","b"\]' && echo '{"scores":{"scores":[0.5,-1.25],"truncated":1}}'; read line; echo '{"scores":{"scores":[1.0],"truncated":0}}'; read line; echo '{"vectors":["0000803f"]}'; read line"#;
        let mut resident = start(&format!("{READY}\n{answer}")).unwrap();
        let request = RerankRequest {
            question: "q".into(),
            passages: vec!["a".into(), "b".into()],
        };
        let found = resident.scores(&request).unwrap();
        assert_eq!((found.scores, found.truncated), (vec![0.5, -1.25], 1));
        for what in ["one score for two passages", "vectors"] {
            let odd = resident.scores(&request).unwrap_err();
            assert_eq!(odd.code, Code::WorkerIncompatible, "{what}");
        }
    }

    #[test]
    fn why_it_is_gone_is_told() {
        let told = "echo 'error[model_missing]: no such folder' >&2; echo 'hint: choose' >&2";
        assert_eq!(start(told).unwrap_err().code, Code::ModelMissing);
        assert_eq!(start("exit 3").unwrap_err().code, Code::WorkerDied);
        assert_eq!(start("echo x").unwrap_err().code, Code::WorkerIncompatible);
        let other = READY.replace("VERSION", "99");
        assert_eq!(start(&other).unwrap_err().code, Code::WorkerIncompatible);
        let mut dies = start(&format!("{READY}\nread line; echo 'bad luck' >&2")).unwrap();
        let failure = dies.vectors(TextSide::Plain, &["a"]).unwrap_err();
        assert_eq!(failure.code, Code::WorkerDied);
        assert!(failure.message.contains("bad luck"), "{failure}");
        // A worker that is gone stays gone.
        let again = dies.vectors(TextSide::Plain, &["a"]).unwrap_err();
        assert_eq!(again.code, Code::WorkerDied);
        let failed = r#"read line; echo '{"failed":{"code":"model_unsupported","message":"m","hint":"h"}}'; read line"#;
        let mut refuses = start(&format!("{READY}\n{failed}")).unwrap();
        let failure = refuses.vectors(TextSide::Plain, &["a"]).unwrap_err();
        assert_eq!(failure.code, Code::ModelUnsupported);
    }
}
