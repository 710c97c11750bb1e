//! `key`: key files behind a passphrase, and how a passphrase is asked for.

use crate::output::{Outcome, Output, ask, done};
use clap::{Args, Subcommand};
use lexforge_domain::Failure;
use lexforge_engine::{protect_key_file, unprotect_key_file};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The variable that holds the passphrase where there is no terminal.
const VARIABLE: &str = "LEXFORGE_PASSPHRASE";

/// `key`
#[derive(Debug, Args)]
pub struct KeyArgs {
    /// What to do.
    #[command(subcommand)]
    action: KeyAction,
}

/// What to do with a key file.
#[derive(Debug, Subcommand)]
enum KeyAction {
    /// Protect a key file with a passphrase. The passphrase is asked for on the terminal, or taken from
    /// LEXFORGE_PASSPHRASE.
    Protect {
        /// A file with an endpoint's key, a proxy's password or the key that heads are signed with.
        file: PathBuf,
    },
    /// Remove the passphrase from a key file.
    Unprotect {
        /// The file.
        file: PathBuf,
    },
}

pub fn key(args: &KeyArgs, out: &Output) -> Outcome {
    let (file, said) = match &args.action {
        KeyAction::Protect { file } => {
            protect_key_file(file, &new_passphrase(file)?)?;
            (
                file,
                "is protected by its passphrase. Without it the key is lost.",
            )
        }
        KeyAction::Unprotect { file } => {
            unprotect_key_file(file, &given(file)?)?;
            (file, "is not protected by a passphrase any more.")
        }
    };
    out.document(&file, || format!("{} {said}", file.display()));
    done()
}

/// Asks on the terminal for the passphrase of a key file or a workspace; without one nobody answers.
pub fn passphrase_of(file: &Path) -> Option<String> {
    typed(&format!("Passphrase of {}:", file.display()))
}

/// A passphrase without an echo, also where standard input is a file.
fn typed(question: &str) -> Option<String> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    ask(question);
    rpassword::read_password()
        .ok()
        .filter(|typed| !typed.is_empty())
}

fn of_variable() -> Option<String> {
    std::env::var(VARIABLE).ok().filter(|text| !text.is_empty())
}

fn given(file: &Path) -> Result<String, Failure> {
    of_variable()
        .or_else(|| passphrase_of(file))
        .ok_or_else(missing)
}

/// A new passphrase of a key file.
fn new_passphrase(file: &Path) -> Result<String, Failure> {
    of_variable().map_or_else(|| typed_twice(file, VARIABLE), Ok)
}

/// A new passphrase, typed twice. Where there is no terminal, the failure names the variable that it can stand in.
pub fn typed_twice(file: &Path, variable: &str) -> Result<String, Failure> {
    let missing = || missing_in(variable);
    let first = typed(&format!("New passphrase of {}:", file.display())).ok_or_else(missing)?;
    if typed("Once more:").as_ref() == Some(&first) {
        return Ok(first);
    }
    Err(Failure::invalid(
        "The two passphrases differ; nothing was changed.",
        "Type the same one twice.",
    ))
}

fn missing() -> Failure {
    missing_in(VARIABLE)
}

fn missing_in(variable: &str) -> Failure {
    Failure::invalid(
        "There is no passphrase.",
        format!("Type one on the terminal, or put it into the variable {variable}."),
    )
}
