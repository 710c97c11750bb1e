//! The worker program: where it is and what it is.

use crate::error::Error;
use crate::pack;
use lexforge_domain::Failure;
use lexforge_domain::protocol::{PROTOCOL_VERSION, WorkerVersion};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The environment variables that hold the passphrases of key files and of workspaces. The programs that are started
/// from here read no such file, so they do not get these variables.
pub(crate) const PASSPHRASE_ENVS: [&str; 4] = [
    "LEXFORGE_PASSPHRASE",
    "LEXFORGE_WORKSPACE_PASSPHRASE",
    "LEXFORGE_WORKSPACE_PASSPHRASE_FILE",
    "LEXFORGE_NEW_WORKSPACE_PASSPHRASE",
];

/// Environment variable that names the worker program.
pub(crate) const WORKER_ENV: &str = "LEXFORGE_WORKER";
/// Name of the program.
pub(crate) const WORKER_NAME: &str = "lexforge-worker";

/// The variable that lists folders for libraries. The system looks there first, and only then in the folders that the
/// program itself names.
const LIBRARIES_ENV: &str = if cfg!(target_os = "macos") {
    "DYLD_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// How libtorch's threads wait for each other. By default a waiting thread runs in a loop and uses a processor. If the
/// machine does anything else at the same time, the thread that the others wait for may get no processor. With two busy
/// cores, a training step took 16 times as long.
const WAIT_POLICY_ENV: &str = "OMP_WAIT_POLICY";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerProgram {
    path: PathBuf,
    /// Folder of the libtorch that the worker starts with; `None` = the libtorch beside it.
    libtorch: Option<PathBuf>,
}

impl WorkerProgram {
    /// Finds the worker program: the one that `LEXFORGE_WORKER` names, otherwise the one beside this program, otherwise
    /// the one on the search path. If a libtorch pack is in use, the worker starts with the libtorch of that pack.
    ///
    /// # Errors
    /// [`lexforge_domain::Code::WorkerMissing`] if no program is found.
    pub fn locate() -> Result<Self, Failure> {
        let file = format!("{WORKER_NAME}{}", std::env::consts::EXE_SUFFIX);
        let mut candidates = Vec::new();
        if let Some(named) = std::env::var_os(WORKER_ENV).filter(|v| !v.is_empty()) {
            // A user who names a program means that program and no other.
            candidates.push(PathBuf::from(named));
        } else {
            let here = std::env::current_exe()
                .ok()
                .and_then(|exe| exe.parent().map(Path::to_owned));
            // Test programs lie one folder below the others.
            let above = here
                .as_deref()
                .filter(|f| f.ends_with("deps"))
                .and_then(Path::parent)
                .map(Path::to_owned);
            candidates.extend(
                here.into_iter()
                    .chain(above)
                    .map(|folder| folder.join(&file)),
            );
            if let Some(path) = std::env::var_os("PATH") {
                candidates.extend(std::env::split_paths(&path).map(|folder| folder.join(&file)));
            }
        }
        match candidates.iter().find(|path| path.is_file()) {
            Some(path) => Ok(Self {
                path: path.clone(),
                libtorch: pack::libraries(),
            }),
            None => {
                let mut looked_at: Vec<String> = candidates
                    .iter()
                    .take(3)
                    .map(|p| p.display().to_string())
                    .collect();
                if candidates.len() > looked_at.len() {
                    looked_at.push("the other folders of PATH".into());
                }
                Err(Error::WorkerMissing { looked_at }.into())
            }
        }
    }

    /// This program, with the libtorch beside it.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            libtorch: None,
        }
    }

    /// This program with the libtorch of this folder.
    #[must_use]
    pub fn with_libtorch(self, folder: &Path) -> Self {
        Self {
            libtorch: Some(folder.to_owned()),
            ..self
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the libtorch that the program is started with. `None` if it uses the libtorch beside it.
    pub fn libtorch(&self) -> Option<&Path> {
        self.libtorch.as_deref()
    }

    /// Begins the command that starts it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        for name in PASSPHRASE_ENVS {
            command.env_remove(name);
        }
        if let Some(folder) = &self.libtorch {
            let named = std::env::var_os(LIBRARIES_ENV).unwrap_or_default();
            let others = std::env::split_paths(&named).filter(|p| !p.as_os_str().is_empty());
            let all = std::env::join_paths(std::iter::once(folder.clone()).chain(others));
            // If the folder's name cannot be part of a list of folders, the list consists of this folder alone.
            command.env(LIBRARIES_ENV, all.unwrap_or_else(|_| folder.into()));
        }
        command
    }

    /// Starts the worker by this command. Its threads wait for each other without using a processor, unless the
    /// environment says otherwise. The worker writes its log into the same folder as this program.
    pub(crate) fn start(&self, command: &mut Command) -> Result<Child, Error> {
        if std::env::var_os(WAIT_POLICY_ENV).is_none() {
            command.env(WAIT_POLICY_ENV, "passive");
        }
        lexforge_log::hand_on(command);
        command.spawn().map_err(|e| self.unusable(e.to_string()))
    }

    /// The version that the worker states about itself.
    ///
    /// # Errors
    /// [`lexforge_domain::Code::WorkerMissing`] if the worker cannot start (for example because libtorch is missing),
    /// [`lexforge_domain::Code::WorkerIncompatible`] if its protocol version differs.
    pub fn version(&self) -> Result<WorkerVersion, Failure> {
        let output = self
            .command()
            .args(["--version", "--json"])
            .stdin(Stdio::null())
            .output()
            .map_err(|e| self.unusable(e.to_string()))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            let words = words.trim();
            let reason =
                loader_complaint(words).unwrap_or_else(|| format!("{} {words}", output.status));
            return Err(self.unusable(reason).into());
        }
        let version: WorkerVersion = serde_json::from_slice(&output.stdout)
            .map_err(|e| self.unusable(format!("its version cannot be read: {e}")))?;
        if version.protocol_version != PROTOCOL_VERSION {
            return Err(Error::WorkerIncompatible {
                found: version.protocol_version,
                wanted: PROTOCOL_VERSION,
            }
            .into());
        }
        Ok(version)
    }

    pub(crate) fn unusable(&self, reason: String) -> Error {
        let program = self.path.clone();
        match self.libtorch.clone() {
            None => Error::WorkerUnusable { program, reason },
            Some(libtorch) => Error::PackUnusable {
                program,
                libtorch,
                reason,
            },
        }
    }
}

/// The line in which the dynamic loader says which library is missing, if there is such a line. The messages of Linux
/// and macOS are recognised.
pub(crate) fn loader_complaint(words: &str) -> Option<String> {
    let complaints = [
        "error while loading shared libraries",
        "Library not loaded",
        "image not found",
    ];
    let line = words
        .lines()
        .find(|line| complaints.iter().any(|c| line.contains(c)))?;
    // "program: error while loading …: libtorch.so: cannot open …" without the program.
    let from = complaints
        .iter()
        .filter_map(|c| line.find(c))
        .min()
        .unwrap_or(0);
    Some(line[from..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::Code;

    #[test]
    fn a_program_that_is_not_there_is_told_with_the_remedy() {
        let failure = WorkerProgram::at("/nowhere/lexforge-worker")
            .version()
            .unwrap_err();
        assert_eq!(failure.code, Code::WorkerMissing);
        assert!(failure.hint.contains("tools/setup"));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_says_decides_how_its_failure_is_told() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let check = |body: &str, code: Code, named: &str| {
            let path = folder.path().join("w");
            std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            let failure = WorkerProgram::at(&path).version().unwrap_err();
            assert_eq!(failure.code, code, "{body}");
            assert!(failure.message.contains(named), "{}", failure.message);
        };
        let loader = "echo 'w: error while loading shared libraries: libtorch.so: cannot open' >&2; exit 127";
        check(loader, Code::WorkerMissing, "libtorch.so");
        check("exit 1", Code::WorkerMissing, "1");
        check("echo nonsense", Code::WorkerMissing, "cannot be read");
        let newer = r#"echo '{"version":"9","protocol_version":99,"libtorch":"x","devices":[],"cuda_note":null}'"#;
        check(newer, Code::WorkerIncompatible, "99");
    }

    #[cfg(unix)]
    #[test]
    fn the_libtorch_of_a_pack_goes_before_the_others() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        let body = r#"printf '{"version":"1","protocol_version":%s,"libtorch":"%s","devices":[],"cuda_note":null}' PROTOCOL "${LD_LIBRARY_PATH%%:*}""#;
        let body = body.replace("PROTOCOL", &PROTOCOL_VERSION.to_string());
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let program = WorkerProgram::at(&path).with_libtorch(Path::new("/pack/lib"));
        if cfg!(target_os = "linux") {
            assert_eq!(program.version().unwrap().libtorch, "/pack/lib");
        }
        // The pack may be the reason why the worker does not start. The message says so, and what to do.
        let absent = WorkerProgram::at("/nowhere").with_libtorch(Path::new("/pack/lib"));
        let failure = absent.version().unwrap_err();
        assert!(failure.message.contains("/pack/lib"), "{failure:?}");
        assert!(failure.hint.contains("Remove that pack"), "{failure:?}");
    }
}
