//! What can go wrong with a workspace, and how a person is told.

use lexforge_domain::{Advice, Code, Failure, Remedy};
use rusqlite::ffi;
use std::path::{Path, PathBuf};

/// The result type of this crate's functions.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The errors of a workspace.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("there is no workspace")]
    Missing,
    /// Something already stands where the workspace is to be made.
    #[error("a file of this name is there already")]
    Exists,
    /// The file was written by a newer version.
    #[error("the workspace has format {found}; this version knows formats up to {known}")]
    Newer {
        /// Format of the file (`user_version`).
        found: u32,
        /// The newest format that this version knows.
        known: u32,
    },
    /// The file is no workspace.
    #[error("the file is not a Lexforge workspace ({0})")]
    NotAWorkspace(String),
    /// The file is encrypted, and no key was given.
    #[error("the workspace is encrypted")]
    Encrypted,
    /// The file is encrypted with another key.
    #[error("the passphrase does not open the workspace")]
    WrongKey,
    /// SQLite finds the file damaged.
    #[error("the workspace is damaged ({0})")]
    Damaged(String),
    /// Another process held the write lock for longer than the time limit.
    #[error("another program has been writing to the workspace for too long")]
    Busy,
    /// The file lies on a network share.
    #[error("the workspace lies on a network share ({0}), where its write-ahead log is not safe")]
    NetworkShare(String),
    /// File or folder cannot be written.
    #[error("the workspace cannot be written ({0})")]
    ReadOnly(String),
    /// Beside the file lies the write-ahead log of another state of it.
    #[error(
        "beside the workspace lies a write-ahead log that is not of this file, {}: a copy was put where another state \
         had been at work, and the log would mix the two", .0.display()
    )]
    LogForeign(PathBuf),
    /// The open file does not stand at its path any more.
    #[error("the workspace was moved, deleted or replaced while it was open: {0}")]
    Moved(String),
    /// No space is left.
    #[error("no space is left on the disk; the last change was not made")]
    DiskFull,
    /// No row has this id.
    #[error("there is no {what} {id} in the workspace")]
    NotFound {
        /// The kind of row, for example `document`.
        what: &'static str,
        /// Its id or key.
        id: String,
    },
    /// A row has content that this version cannot read.
    #[error("a row of {table} cannot be read: {reason}")]
    Row {
        table: &'static str,
        /// Why.
        reason: String,
    },
    /// The workspace was altered by something else than this program; nothing was changed.
    #[error("nothing was written: {0}")]
    Altered(String),
    /// The caller gave the change up for a reason of its own; nothing was changed.
    #[error("{0}")]
    Refused(Failure),
    /// Any other error of SQLite.
    #[error("the database reports: {0}")]
    Sqlite(rusqlite::Error),
    /// Any other error of the file system.
    #[error("the file system reports: {0}")]
    Io(std::io::Error),
    /// One of the errors above, with the file that it is about.
    #[error("{}: {source}", path.display())]
    At {
        /// The workspace's file.
        path: PathBuf,
        /// What went wrong.
        source: Box<StoreError>,
    },
}

impl StoreError {
    /// Adds a file to this error. Errors that the caller caused are not changed.
    #[must_use]
    pub fn at(self, path: &Path) -> Self {
        match self {
            Self::At { .. } | Self::Refused(_) | Self::NotFound { .. } => self,
            other => Self::At {
                path: path.to_owned(),
                source: Box::new(other),
            },
        }
    }

    /// The error itself, without the file that it is about.
    pub fn cause(&self) -> &Self {
        match self {
            Self::At { source, .. } => source.cause(),
            other => other,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(code, message) = &error else {
            return Self::Sqlite(error);
        };
        let text = || message.clone().unwrap_or_else(|| code.to_string());
        match code.code {
            ffi::ErrorCode::DatabaseBusy | ffi::ErrorCode::DatabaseLocked => Self::Busy,
            ffi::ErrorCode::DiskFull => Self::DiskFull,
            ffi::ErrorCode::ReadOnly | ffi::ErrorCode::PermissionDenied => Self::ReadOnly(text()),
            ffi::ErrorCode::NotADatabase => Self::NotAWorkspace(text()),
            ffi::ErrorCode::DatabaseCorrupt => Self::Damaged(text()),
            // The shared-memory file beside the log could not grow: on a full disk this comes before `DiskFull`.
            ffi::ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
                Self::DiskFull
            }
            // The log beside the file could not be made: the folder cannot be written.
            ffi::ErrorCode::CannotOpen => Self::ReadOnly(text()),
            _ => Self::Sqlite(error),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            // Or a file stands where a folder of its path should be.
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Missing,
            ErrorKind::AlreadyExists => Self::Exists,
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                Self::ReadOnly(error.to_string())
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Io(error),
        }
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (code, advice): (Code, Advice) = match &error {
            StoreError::At { .. } => return with_file(error),
            StoreError::Refused(failure) => return failure.clone(),
            StoreError::Missing => {
                (Code::WorkspaceMissing, Remedy::MakeWorkspace.into())
            }
            StoreError::Exists => (Code::WorkspaceExists, "open it, or choose another name".into()),
            StoreError::Newer { .. } => {
                (Code::WorkspaceNewer, "install the newer version of Lexforge that wrote it; nothing was changed".into())
            }
            StoreError::NotAWorkspace(_) => {
                (Code::WorkspaceInvalid, "choose a file that Lexforge made; this one was not changed".into())
            }
            StoreError::Encrypted | StoreError::WrongKey => {
                (Code::WorkspaceLocked, Remedy::GiveWorkspacePassphrase.into())
            }
            StoreError::Damaged(_) => {
                (Code::WorkspaceInvalid, "work on from your last copy, and keep this file for a recovery".into())
            }
            StoreError::Busy => {
                (Code::WorkspaceBusy, "wait until the other program's import or export is done, then try again".into())
            }
            StoreError::NetworkShare(_) => (
                Code::WorkspaceOnNetworkShare,
                "copy the workspace to a disk of this machine and open it there; copies on the share are safe to keep".into(),
            ),
            StoreError::ReadOnly(_) => (
                Code::ReadOnly,
                Remedy::WriteElsewhere.into(),
            ),
            StoreError::LogForeign(_) => (
                Code::LogForeign,
                Remedy::MoveLogAside.into(),
            ),
            StoreError::Moved(_) => (
                Code::WorkspaceMoved,
                "put the file back under its name, beside the log that may still be there (its name ends in -wal), and \
                 repeat the step; a file that was moved is whole again when this program has ended".into(),
            ),
            StoreError::DiskFull => (Code::DiskFull, "free some space on this disk and repeat the step".into()),
            StoreError::NotFound { what: "run", .. } => (Code::NotFound, Remedy::ListRuns.into()),
            StoreError::NotFound { what: "document", .. } => {
                (Code::NotFound, Remedy::ListDocuments.into())
            }
            StoreError::NotFound { .. } => (Code::NotFound, "list what there is, and use one of those ids".into()),
            StoreError::Row { .. } => {
                (Code::WorkspaceInvalid, Remedy::GoBackToCopy.into())
            }
            StoreError::Altered(_) => (
                Code::AuditBroken,
                Remedy::WorkFromEarlierCopy.into(),
            ),
            StoreError::Sqlite(_) | StoreError::Io(_) => {
                (Code::Internal, "repeat the step; if it happens again, report it with this message".into())
            }
        };
        Self::new(code, error.to_string(), advice)
    }
}

fn with_file(error: StoreError) -> Failure {
    match error {
        StoreError::At { path, source } => {
            let shown = path.display().to_string();
            let failure = Failure::from(*source).in_file(shown.clone());
            if failure.code == Code::WorkspaceLocked {
                // So that whoever asks for its passphrase knows which one it is.
                failure.at_path(shown)
            } else {
                failure
            }
        }
        other => Failure::from(other),
    }
}
