//! The errors of the worker, and their messages for a person.

use lexforge_domain::{Advice, Code, Failure};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The crate's result.
pub type Result<T> = std::result::Result<T, Error>;

/// The errors of the worker.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something that is already worded for a person.
    #[error("{0}")]
    Told(Box<Failure>),
    /// libtorch refused.
    #[error("{0}")]
    Torch(#[from] tch::TchError),
    /// The C++ shim refused.
    #[error("{0}")]
    Shim(String),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Error {
    /// A failure with its remedy.
    pub fn told(code: Code, message: impl Into<String>, advice: impl Into<Advice>) -> Self {
        Self::Told(Box::new(Failure::new(code, message, advice)))
    }

    /// A failure with its remedy, about a file.
    pub fn told_of(
        path: &Path,
        code: Code,
        message: impl Into<String>,
        advice: impl Into<Advice>,
    ) -> Self {
        Self::Told(Box::new(
            Failure::new(code, message, advice).in_file(path.display().to_string()),
        ))
    }

    /// For `map_err` on file operations.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<'_> {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// As a person reads it.
    pub fn into_failure(self) -> Failure {
        match self {
            Self::Told(failure) => *failure,
            Self::Torch(error) => library_failure(&error.to_string()),
            Self::Shim(message) => library_failure(&message),
            Self::Io { path, source } => file_failure(&path, &source),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Told(Box::new(failure))
    }
}

/// Returns `number` if it is finite. A NaN or an infinite number shows that the weights of the model are damaged; a
/// result computed from it would look like a real answer.
///
/// # Errors
/// [`Code::ModelUnsupported`] if the number is not finite.
pub fn finite(number: f64) -> Result<f64> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(Error::told(
        Code::ModelUnsupported,
        "The model computes values that are no numbers (NaN or infinite): its weights, or the adapter's, are damaged.",
        "Copy the model's folder again. If an adapter is in use, leave it out to see which of the two it is.",
    ))
}

/// Refuses values that are NaN or infinite, as [`finite`] does.
///
/// # Errors
/// As [`finite`].
pub(crate) fn all_finite(values: &[f32]) -> Result<()> {
    // The sum is finite, unless a value is not, or unless the values are extremely large.
    finite(values.iter().map(|&value| f64::from(value)).sum()).map(drop)
}

/// A failure of libtorch or of the program itself, made from the text of the error or panic.
///
/// libtorch reports a lack of memory only in its text. So the text is searched for the phrases that libtorch's
/// allocators for CPU and CUDA use.
pub(crate) fn library_failure(text: &str) -> Failure {
    const NO_MEMORY: [&str; 6] = [
        "not enough memory",
        "can't allocate memory",
        "cannot allocate memory",
        "out of memory",
        "std::bad_alloc",
        "bad allocation",
    ];
    let lower = text.to_lowercase();
    // Frames of the C++ stack follow the first line; they are for the log.
    let first = text.lines().next().unwrap_or_default().trim();
    if NO_MEMORY.iter().any(|phrase| lower.contains(phrase)) {
        return Failure::new(
            Code::OutOfMemory,
            format!("Memory ran out: {first}"),
            "Lower micro_batch or batch_size (halve it first) or max_length, switch activation_checkpointing on, or close \
             other programs. The newest checkpoint is kept; resume the run where more memory is free.",
        );
    }
    Failure::new(
        Code::Internal,
        format!("The model library reported an error: {first}"),
        "Resume the run; if it happens again, send the bundle's stderr.log to the developers.",
    )
}

fn file_failure(path: &Path, source: &std::io::Error) -> Failure {
    let (code, hint) = match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => (
            Code::DiskFull,
            "Free some space on that disk and resume the run; nothing finished is lost.",
        ),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => (
            Code::ReadOnly,
            "Give this user the right to write there, or choose another folder.",
        ),
        ErrorKind::OutOfMemory => (
            Code::OutOfMemory,
            "Lower batch_size or close other programs.",
        ),
        _ => (
            Code::FileUnreadable,
            "Check that the file is there and can be read.",
        ),
    };
    Failure::new(code, format!("{source}"), hint).in_file(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_of_memory_is_recognised_in_libtorchs_words() {
        let check = |text: &str, code: Code| assert_eq!(library_failure(text).code, code, "{text}");
        check(
            "[enforce fail at alloc_cpu.cpp:121] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 400 bytes.",
            Code::OutOfMemory,
        );
        check(
            "CUDA out of memory. Tried to allocate 2.00 GiB",
            Code::OutOfMemory,
        );
        check(
            "DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes.",
            Code::OutOfMemory,
        );
        check("mat1 and mat2 shapes cannot be multiplied", Code::Internal);
        assert!(
            library_failure("CUDA out of memory")
                .hint
                .contains("batch_size")
        );
    }

    #[test]
    fn a_full_disk_and_a_read_only_folder_are_told_apart() {
        let check = |kind: ErrorKind, code: Code| {
            let error = Error::Io {
                path: "a".into(),
                source: kind.into(),
            };
            assert_eq!(error.into_failure().code, code);
        };
        check(ErrorKind::StorageFull, Code::DiskFull);
        check(ErrorKind::PermissionDenied, Code::ReadOnly);
        check(ErrorKind::NotFound, Code::FileUnreadable);
    }
}
