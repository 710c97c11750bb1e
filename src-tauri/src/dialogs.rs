//! The file dialogs of the operating system.
//!
//! On Linux a dialog runs in a process of its own. GTK's dialog opens and closes the files of the folder that it lists,
//! to find out their kinds. If a process closes a file, it loses all its POSIX locks on this file. So in the window's
//! process, the dialog could remove SQLite's locks on the open workspace.

use crate::shell::Answer;
use lexforge_domain::{Code, Failure};
use std::path::PathBuf;

/// The thing that a dialog asks the user to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    File,
    Files,
    Folder,
    /// A file that is written; the dialog asks before one is replaced.
    Save,
}

/// The settings of one dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialog {
    wanted: Wanted,
    /// The name that a file to be written begins with.
    name: String,
    /// What the choice of endings is called.
    label: String,
    /// Endings of the files that are offered; none: all files.
    endings: Vec<String>,
}

impl Dialog {
    pub fn of(wanted: Wanted) -> Self {
        Self {
            wanted,
            name: String::new(),
            label: String::new(),
            endings: Vec::new(),
        }
    }

    pub fn offering(self, label: impl Into<String>, endings: &[impl ToString]) -> Self {
        Self {
            label: label.into(),
            endings: endings.iter().map(ToString::to_string).collect(),
            ..self
        }
    }

    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }
}

/// The one path of an answer; `None` if the user closed the dialog.
pub fn one(paths: Vec<PathBuf>) -> Answer<Option<String>> {
    paths.into_iter().next().map(text).transpose()
}

/// A path as the page can hold it.
pub fn text(path: PathBuf) -> Answer<String> {
    path.into_os_string().into_string().map_err(|path| {
        Failure::new(
            Code::FileUnreadable,
            format!("The name {} cannot be read as text.", path.display()),
            "Give the file or folder another name, then choose it again.",
        )
    })
}

#[cfg(target_os = "linux")]
pub use apart::{ask, show};

#[cfg(not(target_os = "linux"))]
pub use within::{ask, show};

/// The dialog in a separate process, which is the window's program started once more. Its arguments say which dialog to
/// show. It prints the chosen paths, each followed by a zero byte. When the window ends, the dialog's standard input is
/// closed, and the dialog ends, too.
#[cfg(target_os = "linux")]
mod apart {
    use super::{Dialog, Wanted};
    use crate::shell::Answer;
    use lexforge_domain::{Code, Failure};
    use std::ffi::{OsStr, OsString};
    use std::io::{Read, Write};
    use std::os::unix::ffi::OsStrExt;
    use std::path::PathBuf;
    use std::process::{Command, ExitCode, Stdio};
    use tauri::AppHandle;

    /// The first argument of a program that shows a dialog and does nothing else.
    const ARGUMENT: &str = "--dialog";

    const WANTED: [(Wanted, &str); 4] = [
        (Wanted::File, "file"),
        (Wanted::Files, "files"),
        (Wanted::Folder, "folder"),
        (Wanted::Save, "save"),
    ];

    /// The paths that the user chose. Empty if the dialog was closed.
    pub fn ask(_: &AppHandle, dialog: Dialog) -> Answer<Vec<PathBuf>> {
        let failed = |error: String| {
            Failure::new(
                Code::Internal,
                format!("The dialog for files could not be opened: {error}."),
                "Try again; what can be dropped on the window needs no dialog.",
            )
        };
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut child = Command::new(program)
            .args(arguments(&dialog))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        // Held until the dialog has ended.
        let input = child.stdin.take();
        let output = child
            .wait_with_output()
            .map_err(|error| failed(error.to_string()))?;
        drop(input);
        if output.status.success() {
            Ok(paths(&output.stdout))
        } else {
            Err(failed(output.status.to_string()))
        }
    }

    /// Shows the dialog where this program was started for one; otherwise nothing.
    pub fn show() -> Option<ExitCode> {
        let mut arguments = std::env::args_os().skip(1);
        if arguments.next()? != ARGUMENT {
            return None;
        }
        let Some(dialog) = read(arguments) else {
            return Some(ExitCode::from(2));
        };
        // The window holds the other end and never writes.
        std::thread::spawn(|| {
            let mut rest = Vec::new();
            drop(std::io::stdin().read_to_end(&mut rest));
            std::process::exit(0);
        });
        Some(match chosen(dialog) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        })
    }

    fn chosen(asked: Dialog) -> std::io::Result<()> {
        let mut dialog = rfd::FileDialog::new();
        if !asked.endings.is_empty() {
            dialog = dialog.add_filter(asked.label, &asked.endings);
        }
        if !asked.name.is_empty() {
            dialog = dialog.set_file_name(asked.name);
        }
        let paths = match asked.wanted {
            Wanted::File => dialog.pick_file().map(|path| vec![path]),
            Wanted::Files => dialog.pick_files(),
            Wanted::Folder => dialog.pick_folder().map(|path| vec![path]),
            Wanted::Save => dialog.save_file().map(|path| vec![path]),
        };
        let mut out = std::io::stdout().lock();
        for path in paths.unwrap_or_default() {
            out.write_all(path.as_os_str().as_bytes())?;
            out.write_all(&[0])?;
        }
        out.flush()
    }

    fn arguments(dialog: &Dialog) -> Vec<OsString> {
        let wanted = WANTED.iter().find(|(wanted, _)| *wanted == dialog.wanted);
        let wanted = wanted.map_or("", |(_, word)| word);
        [ARGUMENT, wanted, &dialog.name, &dialog.label]
            .into_iter()
            .chain(dialog.endings.iter().map(String::as_str))
            .map(OsString::from)
            .collect()
    }

    /// Reads what [`arguments`] wrote, without the first argument.
    fn read(mut arguments: impl Iterator<Item = OsString>) -> Option<Dialog> {
        let mut next = || arguments.next()?.into_string().ok();
        let word = next()?;
        let (wanted, _) = WANTED.iter().find(|(_, known)| **known == word)?;
        let (name, label) = (next()?, next()?);
        let mut endings = Vec::new();
        while let Some(ending) = next() {
            endings.push(ending);
        }
        Some(Dialog {
            wanted: *wanted,
            name,
            label,
            endings,
        })
    }

    fn paths(output: &[u8]) -> Vec<PathBuf> {
        output
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
            .map(|path| PathBuf::from(OsStr::from_bytes(path).to_os_string()))
            .collect()
    }

    #[cfg(test)]
    #[allow(clippy::unwrap_used)]
    mod tests {
        use super::*;
        use std::os::unix::ffi::OsStringExt;

        #[test]
        fn what_is_asked_for_comes_over_in_the_arguments() {
            for dialog in [
                Dialog::of(Wanted::Folder),
                Dialog::of(Wanted::File).offering("Lexforge", &["lexforge"]),
                Dialog::of(Wanted::Files).offering("pdf, md", &["pdf", "md"]),
                Dialog::of(Wanted::Save)
                    .offering("XLSX", &["xlsx"])
                    .named("gaps – 缺口.xlsx"),
            ] {
                let mut sent = arguments(&dialog).into_iter();
                assert_eq!(sent.next().unwrap(), ARGUMENT);
                assert_eq!(read(sent), Some(dialog));
            }
        }

        #[test]
        fn what_is_no_dialog_is_refused() {
            for sent in [vec![], vec!["file"], vec!["directory", "", ""]] {
                assert_eq!(read(sent.into_iter().map(OsString::from)), None);
            }
        }

        #[test]
        fn paths_come_back_whatever_bytes_they_hold() {
            let odd = OsString::from_vec(vec![b'/', 0xff, b'\n']);
            let mut output = b"/rules/one.pdf\0".to_vec();
            output.extend_from_slice(odd.as_bytes());
            output.push(0);
            assert_eq!(
                paths(&output),
                [PathBuf::from("/rules/one.pdf"), PathBuf::from(odd)]
            );
            assert!(paths(b"").is_empty());
        }
    }
}

/// In the window's own process, where the system has no such locks or asks in a process of its own anyway.
#[cfg(not(target_os = "linux"))]
mod within {
    use super::{Dialog, Wanted};
    use crate::shell::Answer;
    use std::path::PathBuf;
    use std::process::ExitCode;
    use tauri::AppHandle;
    use tauri_plugin_dialog::{DialogExt, FilePath};

    /// The paths that the user chose. Empty if the dialog was closed.
    pub fn ask(app: &AppHandle, asked: Dialog) -> Answer<Vec<PathBuf>> {
        let mut dialog = app.dialog().file();
        if !asked.endings.is_empty() {
            let endings: Vec<&str> = asked.endings.iter().map(String::as_str).collect();
            dialog = dialog.add_filter(asked.label, &endings);
        }
        if !asked.name.is_empty() {
            dialog = dialog.set_file_name(asked.name);
        }
        let one = |path: Option<FilePath>| path.map(|path| vec![path]);
        let chosen = match asked.wanted {
            Wanted::File => one(dialog.blocking_pick_file()),
            Wanted::Files => dialog.blocking_pick_files(),
            Wanted::Folder => one(dialog.blocking_pick_folder()),
            Wanted::Save => one(dialog.blocking_save_file()),
        };
        let chosen = chosen.unwrap_or_default().into_iter();
        Ok(chosen.filter_map(|path| path.into_path().ok()).collect())
    }

    /// On this system, dialogs run in the window's own process.
    pub fn show() -> Option<ExitCode> {
        None
    }
}
