//! What the parser program shuts itself off from before it reads a byte of a document: the network, all writing, other
//! programs, and files that are not the document.
//!
//! The document comes through a pipe and the answer goes through one, so reading needs no file at all. Only recognition of
//! scanned pages does: then Tesseract may be started, and the folders that it and its libraries lie in may be read. Landlock
//! holds files and programs, seccomp holds calls of the system; where the kernel lacks one of them the other holds what it
//! can, and what was granted is told (`lexforge-parse sandbox`).

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;

#[cfg(not(target_os = "linux"))]
use lexforge_ingest::sandbox::Granted;
use lexforge_ingest::sandbox::Sandbox;
use std::path::Path;

/// Shuts this thread, and those that it starts later, off from all that reading does not need; `program` may be started, if
/// there is one. To be called before any other thread is started.
#[cfg(target_os = "linux")]
pub fn close(program: Option<&Path>) -> Sandbox {
    // Landlock opens the folders that it leaves open, which seccomp would have to allow: so it comes first.
    Sandbox {
        files: files::close(program),
        calls: calls::close(program.is_some()),
    }
}

/// Nothing of the kind is known on this system.
#[cfg(not(target_os = "linux"))]
pub fn close(_program: Option<&Path>) -> Sandbox {
    let missing = || Granted::Refused("it is a part of Linux".to_owned());
    Sandbox {
        files: missing(),
        calls: missing(),
    }
}
