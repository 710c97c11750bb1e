//! What can go wrong between the application and a worker.

use lexforge_domain::{Advice, Code, Failure, Remedy};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What can go wrong between the application and a worker.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The worker program is not there.
    #[error("the worker program was not found; looked at: {}", .looked_at.join(", "))]
    WorkerMissing {
        /// Paths that were looked at.
        looked_at: Vec<String>,
    },
    /// The worker program is there but cannot start.
    #[error("the worker at {} cannot start: {reason}", program.display())]
    WorkerUnusable {
        program: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The worker does not start with the libtorch of a pack.
    #[error("the worker at {} cannot start with the pack in {}: {reason}", program.display(), libtorch.display())]
    PackUnusable {
        program: PathBuf,
        /// Folder of the pack's libraries.
        libtorch: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The worker speaks another protocol.
    #[error("the worker speaks protocol {found}, the application speaks {wanted}")]
    WorkerIncompatible {
        /// The worker's.
        found: u32,
        /// The version that this program uses.
        wanted: u32,
    },
    /// The worker ended without a result and without a word.
    #[error("the worker ended without a result{}", .last_words.as_ref().map(|w| format!(": {w}")).unwrap_or_default())]
    WorkerDied {
        /// The last line of its standard error.
        last_words: Option<String>,
    },
    /// The worker said why it failed.
    #[error("{0}")]
    Worker(Box<Failure>),
    /// Another worker holds the bundle.
    #[error("another worker is already running this job")]
    Locked,
    /// The user stopped it.
    #[error("the job was stopped")]
    Stopped,
    /// The folder is not a bundle, or damaged.
    #[error("{} is not a job bundle: {reason}", folder.display())]
    Invalid {
        folder: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file of the bundle does not say what it should.
    #[error("{}: {reason}", file.display())]
    Unusable {
        file: PathBuf,
        /// Which field, and what is wrong with it.
        reason: String,
    },
    /// A file of the bundle is a link or a device, or lies elsewhere.
    #[error("{0}")]
    Foreign(lexforge_files::Error),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl Error {
    /// For `map_err` on file operations.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<'_> {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}

impl From<lexforge_files::Error> for Error {
    fn from(error: lexforge_files::Error) -> Self {
        match error {
            lexforge_files::Error::Io { path, source } => Self::Io { path, source },
            other => Self::Foreign(other),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = sentence(&error.to_string());
        let (code, advice): (Code, Advice) = match &error {
            Error::Worker(failure) => return (**failure).clone(),
            Error::Foreign(error) => return error.refusal(),
            Error::WorkerMissing { .. } | Error::WorkerUnusable { .. } => (Code::WorkerMissing, Remedy::SetUpWorker.into()),
            Error::PackUnusable { .. } => (
                Code::WorkerMissing,
                "Remove that pack: the worker then starts with the libtorch that came with it. After an update, take the pack in that was made for the new version.".into(),
            ),
            Error::WorkerIncompatible { .. } => {
                (Code::WorkerIncompatible, "Install the worker and the application of the same version.".into())
            }
            Error::WorkerDied { .. } => (
                Code::WorkerDied,
                "Resume the run: it goes on from its newest checkpoint. The bundle's stderr.log has the details.".into(),
            ),
            Error::Locked => (Code::BundleLocked, "Follow that run, or stop it first.".into()),
            Error::Stopped => (Code::Cancelled, "Resume the run to go on from its checkpoint.".into()),
            Error::Invalid { .. } => (Code::BundleInvalid, "Make the job again.".into()),
            Error::Unusable { .. } => (
                Code::BundleInvalid,
                "Nothing was taken from this run. It was damaged or made by another program: train again to have its result.".into(),
            ),
            Error::Io { source, .. } => match source.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    (Code::DiskFull, "Free some space on that disk and try again; nothing finished is lost.".into())
                }
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                    (Code::ReadOnly, "Give this user the right to write there, or choose another folder.".into())
                }
                _ => (Code::FileUnreadable, "Check that the folder is there and can be read.".into()),
            },
        };
        Self::new(code, message, advice)
    }
}

/// The text as a sentence: first letter capital, full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end().chars();
    let mut sentence: String = letters
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    sentence.push_str(letters.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_code_and_a_remedy() {
        let check = |error: Error, code: Code| {
            let failure = Failure::from(error);
            assert_eq!(failure.code, code);
            assert!(!failure.hint.is_empty() && !failure.message.is_empty());
        };
        check(
            Error::WorkerMissing {
                looked_at: vec!["a".into()],
            },
            Code::WorkerMissing,
        );
        check(
            Error::WorkerIncompatible {
                found: 2,
                wanted: 1,
            },
            Code::WorkerIncompatible,
        );
        check(Error::WorkerDied { last_words: None }, Code::WorkerDied);
        check(Error::Locked, Code::BundleLocked);
        check(Error::Stopped, Code::Cancelled);
        let io = |kind: ErrorKind| Error::Io {
            path: "a".into(),
            source: kind.into(),
        };
        check(io(ErrorKind::StorageFull), Code::DiskFull);
        check(io(ErrorKind::PermissionDenied), Code::ReadOnly);
        let said = Failure::new(Code::LossNotFinite, "m", "h");
        assert_eq!(Failure::from(Error::Worker(Box::new(said.clone()))), said);
    }
}
