//! The differences between operating systems.

use lexforge_domain::{Code, Failure};
use std::path::Path;
use std::process::{Command, Stdio};

/// WebKitGTK's DMA-BUF renderer leaves the window blank with NVIDIA's driver. The variable that switches this renderer
/// off must be set before the process has threads, so the program sets it and starts itself again.
#[cfg(target_os = "linux")]
pub fn prepare_display() {
    use std::os::unix::process::CommandExt;
    const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    let nvidia = Path::new("/proc/driver/nvidia/version").exists();
    if nvidia
        && std::env::var_os(VARIABLE).is_none()
        && let Ok(program) = std::env::current_exe()
    {
        // `exec` returns only if it failed; the window may still work then.
        let error = Command::new(program)
            .args(std::env::args_os().skip(1))
            .env(VARIABLE, "1")
            .exec();
        eprintln!("{VARIABLE} could not be set: {error}");
    }
}

/// Nothing to prepare.
#[cfg(not(target_os = "linux"))]
pub fn prepare_display() {}

/// Opens a file with the program that the system has for it.
pub fn open_file(path: &Path) -> Result<(), Failure> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started = Command::new(program)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        Ok(mut child) => {
            // Waited for apart, so that no ended process is left behind.
            std::thread::spawn(move || drop(child.wait()));
            Ok(())
        }
        Err(error) => Err(Failure::new(
            Code::FileUnreadable,
            format!(
                "{} could not be opened with {program}: {error}.",
                path.display()
            ),
            "Open the file in a browser yourself.",
        )),
    }
}
