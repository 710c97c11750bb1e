//! Why a file is not opened.

use lexforge_domain::{Code, Failure};
use std::path::{Path, PathBuf};

/// Why a file is not opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The path leads out of the folder, or is written so that another system could read it so.
    #[error("{path:?} is no path inside {}", folder.display())]
    NotInside {
        folder: PathBuf,
        /// What was named.
        path: String,
    },
    /// A link stands there or on the way.
    #[error("{} is a link, and links are not followed here", .0.display())]
    Link(PathBuf),
    /// Something else than a file is there: a device, a pipe, a folder.
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// Something else than a folder stands there.
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The file is larger than what is read of it.
    #[error("{} is larger than {most} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The bound.
        most: u64,
    },
    /// The system refuses.
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
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<'_> {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// Whether nothing stands there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
    }

    /// The failure as a person reads it, if a received folder is not what it should be.
    pub fn refusal(&self) -> Failure {
        Failure::new(
            Code::BundleInvalid,
            format!("A file that belongs to this workspace is not used: {self}."),
            "Nothing was read from there or written there. If the workspace came from elsewhere, ask for it again with \
             plain files in its folders; if you made the link yourself, put the files in its place.",
        )
    }
}
