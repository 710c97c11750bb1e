//! Access that the parser program gives up before it reads any part of a document: the network, all writing, other
//! programs, and all files.
//!
//! The document comes through a pipe and the answer leaves through a pipe, so reading needs no files. The only
//! exception is the recognition of scanned pages. Then Tesseract may be started, and the folders of Tesseract and its
//! libraries may be read. Landlock restricts files and programs, seccomp restricts system calls. If the kernel lacks
//! one of them, the other restricts what it can. `lexforge-parse sandbox` reports which restrictions are in force.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;

#[cfg(not(target_os = "linux"))]
use lexforge_ingest::sandbox::Granted;
use lexforge_ingest::sandbox::Sandbox;
use std::path::Path;

/// Takes away all rights that reading does not need, from this thread and from all threads that it starts later. If
/// `program` is given, that program may still be started. Call this function before any other thread is started.
#[cfg(target_os = "linux")]
pub fn close(program: Option<&Path>) -> Sandbox {
    // Landlock opens the folders that it leaves open, which seccomp would have to allow: so it comes first.
    Sandbox {
        files: files::close(program),
        calls: calls::close(program.is_some()),
    }
}

/// No such restriction is known on this system.
#[cfg(not(target_os = "linux"))]
pub fn close(_program: Option<&Path>) -> Sandbox {
    let missing = || Granted::Refused("it is a part of Linux".to_owned());
    Sandbox {
        files: missing(),
        calls: missing(),
    }
}
