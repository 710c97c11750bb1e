//! The window's command line: `lexforge-app [WORKSPACE] [FILE…]`.

use crate::commands::tasks::import;
use crate::shell::Shell;
use lexforge_domain::{Code, Failure};
use std::ffi::OsString;
use std::path::PathBuf;

/// A workspace to open (or to make), and documents to import into it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Launch {
    workspace: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl Launch {
    /// The first argument is the workspace if it is named like one; all others are documents.
    pub fn from_arguments(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
        let named = paths
            .first()
            .is_some_and(|path| path.extension().is_some_and(|e| e == "lexforge"));
        let workspace = named.then(|| paths.remove(0));
        Self {
            workspace,
            files: paths,
        }
    }

    /// Opens the workspace and begins the import. A failure waits until the window asks for it.
    pub fn begin(&self, shell: &Shell) {
        if let Err(failure) = self.try_begin(shell) {
            shell.failed_at_start(failure);
        }
    }

    fn try_begin(&self, shell: &Shell) -> Result<(), Failure> {
        if let Some(path) = &self.workspace {
            shell.open_or_create(path)?;
        } else if !self.files.is_empty() {
            return Err(Failure::new(
                Code::InvalidRequest,
                "Documents were named without a workspace to import them into.",
                "Create or open a workspace, then import them; or name it first: lexforge-app NAME.lexforge FILE…",
            ));
        }
        if !self.files.is_empty() {
            import(shell, self.files.clone(), None)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn launch(arguments: &[&str]) -> Launch {
        Launch::from_arguments(arguments.iter().map(OsString::from))
    }

    #[test]
    fn a_workspace_comes_first() {
        let got = launch(&["bank.lexforge", "a.pdf", "b.txt"]);
        assert_eq!(got.workspace, Some(PathBuf::from("bank.lexforge")));
        assert_eq!(got.files, [PathBuf::from("a.pdf"), PathBuf::from("b.txt")]);
        assert_eq!(launch(&["a.pdf"]).workspace, None);
        assert_eq!(launch(&[]), Launch::default());
    }

    #[test]
    fn documents_without_a_workspace_are_a_failure_that_waits() {
        let shell = Shell::new(|_| ());
        launch(&["a.pdf"]).begin(&shell);
        assert_eq!(shell.start_failure().unwrap().code, Code::InvalidRequest);
    }
}
