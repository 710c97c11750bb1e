//! Encrypting a workspace, on the command line.

use crate::key::typed_twice;
use crate::output::{Output, tell};
use lexforge_domain::Failure;
use lexforge_engine::{
    Engine, change_passphrase, decrypt_workspace, encrypt_workspace, forget_workspace,
    remember_workspace,
};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::Path;

/// The variable that holds a new passphrase where there is no terminal.
const NEW_VARIABLE: &str = "LEXFORGE_NEW_WORKSPACE_PASSPHRASE";

/// What is said before a new passphrase is typed.
const LOST: &str = "\
If the passphrase is lost, nobody can open the workspace again, and nobody can restore it. Write it down first, and keep it
apart from this machine.";

/// What is said of the bytes that encryption does not reach.
const NOT_REACHED: &str = "\
Keep the passphrase where it cannot be lost: without it nobody can open the workspace, and nobody can restore it.
Not encrypted are:
  the folder of artifacts beside the workspace (models, vectors, the texts of trainings)
  backups, exports and reports that were made before, and all exports and reports
  what the disk may still hold of the earlier file, until it is written over";

/// How a workspace's file is now.
#[derive(Serialize)]
struct Told<'p> {
    workspace: &'p Path,
    encrypted: bool,
    /// Whether its key is in the key ring of this user.
    #[serde(skip_serializing_if = "Option::is_none")]
    remembered: Option<bool>,
}

/// Makes a new workspace that is encrypted.
pub fn new(workspace: &Path) -> Result<Engine, Failure> {
    Engine::create_encrypted(workspace, &new_passphrase(workspace)?)
}

/// What is to be known of an encrypted workspace.
pub fn not_reached() -> &'static str {
    NOT_REACHED
}

pub fn encrypt(workspace: &Path, remember: bool, out: &Output) -> Result<(), Failure> {
    encrypt_workspace(workspace, &new_passphrase(workspace)?, remember)?;
    let told = Told {
        workspace,
        encrypted: true,
        remembered: Some(remember),
    };
    out.document(&told, || {
        format!("Encrypted {}.\n{NOT_REACHED}", workspace.display())
    });
    Ok(())
}

pub fn decrypt(workspace: &Path, out: &Output) -> Result<(), Failure> {
    decrypt_workspace(workspace, None)?;
    let told = Told {
        workspace,
        encrypted: false,
        remembered: None,
    };
    out.document(&told, || {
        format!("{} is not encrypted any more.", workspace.display())
    });
    Ok(())
}

pub fn passphrase(workspace: &Path, out: &Output) -> Result<(), Failure> {
    // The present one is asked for before the new one.
    drop(Engine::open(workspace)?);
    change_passphrase(workspace, None, &new_passphrase(workspace)?)?;
    let told = Told {
        workspace,
        encrypted: true,
        remembered: None,
    };
    out.document(&told, || {
        format!(
            "{} has another passphrase. Backups that were made before open with the earlier one.",
            workspace.display()
        )
    });
    Ok(())
}

pub fn remember(workspace: &Path, out: &Output) -> Result<(), Failure> {
    remember_workspace(workspace)?;
    say_remembered(workspace, true, out, "is in the key ring of this user.");
    Ok(())
}

pub fn forget(workspace: &Path, out: &Output) -> Result<(), Failure> {
    let said = if forget_workspace(workspace)? {
        "is not in the key ring any more."
    } else {
        "was not in the key ring."
    };
    say_remembered(workspace, false, out, said);
    Ok(())
}

fn say_remembered(workspace: &Path, remembered: bool, out: &Output, said: &str) {
    let told = Told {
        workspace,
        encrypted: true,
        remembered: Some(remembered),
    };
    out.document(&told, || {
        format!("The key of {} {said}", workspace.display())
    });
}

fn new_passphrase(workspace: &Path) -> Result<String, Failure> {
    let of_variable = std::env::var(NEW_VARIABLE)
        .ok()
        .filter(|text| !text.is_empty());
    if let Some(passphrase) = of_variable {
        return Ok(passphrase);
    }
    if std::io::stderr().is_terminal() {
        tell(LOST);
    }
    typed_twice(workspace, NEW_VARIABLE)
}
