//! Files and programs, by Landlock: what is not named here can be neither opened nor started.

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use lexforge_ingest::sandbox::Granted;
use std::path::{Path, PathBuf};

/// The version of Landlock that is requested; an older kernel grants what it knows.
const KNOWN: ABI = ABI::V6;
/// Where libraries lie below a prefix, and what Tesseract knows of languages.
const BELOW_A_PREFIX: [&str; 7] = [
    "lib",
    "lib32",
    "lib64",
    "share/tessdata",
    "share/tesseract",
    "share/tesseract-ocr",
    "share/locale",
];
/// Stores of packages whose programs and libraries each have a folder of their own.
const STORES: [&str; 2] = ["/nix/store", "/gnu/store"];

/// Leaves nothing open, or with a program what that program needs to start and to work.
pub(super) fn close(program: Option<&Path>) -> Granted {
    match restrict(&program.map(Open::for_program).unwrap_or_default()) {
        Ok(RulesetStatus::FullyEnforced) => Granted::Whole,
        Ok(RulesetStatus::PartiallyEnforced) => Granted::Partly,
        Ok(RulesetStatus::NotEnforced) => Granted::Refused("the kernel has none".to_owned()),
        Err(error) => Granted::Refused(error.to_string()),
    }
}

fn restrict(open: &Open) -> Result<RulesetStatus, RulesetError> {
    let restricted = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        // A path that does not exist is left out.
        .add_rules(path_beneath_rules(
            &open.to_read,
            AccessFs::ReadFile | AccessFs::ReadDir,
        ))?
        .add_rules(path_beneath_rules(
            &open.to_start,
            AccessFs::ReadFile | AccessFs::Execute,
        ))?
        .restrict_self()?;
    Ok(restricted.ruleset)
}

/// What stays open.
#[derive(Debug, Default, PartialEq, Eq)]
struct Open {
    to_read: Vec<PathBuf>,
    to_start: Vec<PathBuf>,
}

impl Open {
    /// For Tesseract, which this process itself becomes.
    fn for_program(program: &Path) -> Self {
        let mut prefixes: Vec<PathBuf> = ["/", "/usr", "/usr/local"].map(PathBuf::from).to_vec();
        // The path as it is named, and the real path.
        let real = program.canonicalize().ok();
        prefixes.extend(
            [Some(program), real.as_deref()]
                .into_iter()
                .flatten()
                .filter_map(prefix),
        );
        prefixes.sort();
        prefixes.dedup();
        let libraries = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let store = real
            .iter()
            .flat_map(|real| STORES.iter().filter(|store| real.starts_with(store)));
        let store: Vec<PathBuf> = store.map(PathBuf::from).collect();
        let mut to_read: Vec<PathBuf> = prefixes
            .iter()
            .flat_map(|prefix| BELOW_A_PREFIX.map(|folder| prefix.join(folder)))
            .collect();
        to_read.extend(std::env::split_paths(&libraries).filter(|path| path.is_absolute()));
        to_read.extend(languages());
        to_read.extend(["/etc/ld.so.cache", "/sys/devices/system/cpu"].map(PathBuf::from));
        let mut to_start = vec![program.to_path_buf()];
        to_start.extend(std::env::current_exe());
        to_start.extend(loaders(&prefixes));
        to_start.extend(store.iter().cloned());
        to_read.extend(store);
        Self { to_read, to_start }
    }
}

/// The folder above the one that a program lies in.
fn prefix(program: &Path) -> Option<PathBuf> {
    program.parent()?.parent().map(Path::to_path_buf)
}

/// The folder of Tesseract's languages that the user names.
fn languages() -> Option<PathBuf> {
    let named = PathBuf::from(std::env::var_os("TESSDATA_PREFIX")?);
    let below = named.join("tessdata");
    Some(if below.is_dir() { below } else { named })
}

/// The programs that load a program with its libraries; the kernel starts one of them with whatever it starts.
fn loaders(prefixes: &[PathBuf]) -> Vec<PathBuf> {
    let is_loader = |name: &str| {
        name.starts_with("ld-linux") || name.starts_with("ld-musl") || name.starts_with("ld64.")
    };
    prefixes
        .iter()
        .flat_map(|prefix| ["lib", "lib64"].map(|folder| prefix.join(folder)))
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten())
        .filter(|entry| entry.file_name().to_str().is_some_and(is_loader))
        .map(|entry| entry.path())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_in_a_folder_of_its_own_opens_its_libraries_and_nothing_above() {
        let open = Open::for_program(Path::new("/opt/ocr/bin/tesseract"));
        for folder in [
            "/opt/ocr/lib",
            "/opt/ocr/share/tessdata",
            "/usr/lib",
            "/usr/share/tesseract-ocr",
        ] {
            assert!(
                open.to_read.contains(&PathBuf::from(folder)),
                "{folder} in {open:?}"
            );
        }
        assert!(
            open.to_start
                .contains(&PathBuf::from("/opt/ocr/bin/tesseract"))
        );
        for closed in [
            "/", "/opt", "/opt/ocr", "/usr", "/usr/bin", "/etc", "/home", "/root", "/tmp", "/proc",
            "/dev",
        ] {
            let all = open.to_read.iter().chain(&open.to_start);
            assert!(
                !all.into_iter().any(|path| path == Path::new(closed)),
                "{closed} in {open:?}"
            );
        }
        assert!(
            !open.to_read.iter().any(|path| path.starts_with("/nix")),
            "{open:?}"
        );
    }
}
