//! `workspace`: whole copies, putting them back, and encryption.

use crate::encryption;
use crate::output::{Outcome, Output, count, done};
use clap::{Args, Subcommand};
use lexforge_domain::api::{BackupReport, ModelFiles, RestoreReport, Storage};
use lexforge_engine::Engine;
use std::fmt::Write as _;
use std::path::PathBuf;

/// `workspace`
#[derive(Debug, Args)]
pub struct CopiesArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: CopiesAction,
}

/// `workspace` …
#[derive(Debug, Subcommand)]
pub enum CopiesAction {
    /// Copy a whole workspace as it is at one moment. Others may go on working in it meanwhile.
    Backup {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to make. It is a workspace of its own. Its model files go into the folder FILE.artifacts beside it.
        file: PathBuf,
        /// Leave the model files out: trained adapters and the folders of jobs.
        #[arg(long)]
        without_models: bool,
    },
    /// Show how much disk space a workspace and this user's models take, and how much is left.
    Storage {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Encrypt a workspace with a passphrase. If the passphrase is lost, nobody can open the workspace again. The
    /// passphrase is asked for on the terminal, or taken from LEXFORGE_NEW_WORKSPACE_PASSPHRASE.
    Encrypt {
        /// The workspace's file. Nobody may have it open meanwhile.
        workspace: PathBuf,
        /// Also keep the workspace's key in the key ring of this user, so that the passphrase is not asked for here.
        #[arg(long)]
        remember: bool,
    },
    /// Take the encryption of a workspace away.
    Decrypt {
        /// The workspace's file. Nobody may have it open meanwhile.
        workspace: PathBuf,
    },
    /// Give an encrypted workspace another passphrase. The new one is asked for on the terminal, or taken from
    /// LEXFORGE_NEW_WORKSPACE_PASSPHRASE.
    Passphrase {
        /// The workspace's file. Nobody may have it open meanwhile.
        workspace: PathBuf,
    },
    /// Keep the key of an encrypted workspace in the key ring of this user, so that its passphrase is not asked for
    /// here.
    Remember {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Remove the key of an encrypted workspace from the key ring of this user.
    Forget {
        /// The workspace's file.
        workspace: PathBuf,
    },
    /// Replace a workspace by a copy of a backup.
    Restore {
        /// What `workspace backup` made; it is only read.
        file: PathBuf,
        /// The workspace's file.
        workspace: PathBuf,
        /// Replace the workspace that exists there already. The old workspace is kept under a name with the date, with
        /// its log and its model files.
        #[arg(long)]
        replace: bool,
        /// Leave the backup's model files out.
        #[arg(long)]
        without_models: bool,
    },
}

/// `workspace`
pub fn run(args: &CopiesArgs, out: &Output) -> Outcome {
    match &args.action {
        CopiesAction::Backup {
            workspace,
            file,
            without_models,
        } => {
            let report = Engine::open(workspace)?
                .workspace()
                .backup(file, !without_models)?;
            out.document(&report, || describe_backup(&report));
        }
        CopiesAction::Storage { workspace } => {
            let storage = Engine::open(workspace)?.models().storage();
            out.document(&storage, || describe_storage(&storage));
        }
        CopiesAction::Encrypt {
            workspace,
            remember,
        } => encryption::encrypt(workspace, *remember, out)?,
        CopiesAction::Decrypt { workspace } => encryption::decrypt(workspace, out)?,
        CopiesAction::Passphrase { workspace } => encryption::passphrase(workspace, out)?,
        CopiesAction::Remember { workspace } => encryption::remember(workspace, out)?,
        CopiesAction::Forget { workspace } => encryption::forget(workspace, out)?,
        CopiesAction::Restore {
            file,
            workspace,
            replace,
            without_models,
        } => {
            let report = lexforge_engine::restore(file, workspace, *replace, !without_models)?;
            out.document(&report, || describe_restore(&report));
        }
    }
    done()
}

fn describe_backup(report: &BackupReport) -> String {
    let mut text = format!(
        "Made {}: {}, {} bytes, read again and whole. SHA-256 {}",
        report.file,
        documents(report.documents),
        count(report.bytes),
        report.sha256
    );
    if report.encrypted {
        text.push_str("\nIt is encrypted, with the passphrase that the workspace has now.");
    }
    describe_models(&mut text, &report.models);
    describe_chain(&mut text, &report.audit_head, report.audit_ok);
    text
}

fn describe_storage(storage: &Storage) -> String {
    let mut text = String::new();
    for row in &storage.rows {
        let _ = writeln!(
            text,
            "{:<10} {:>16} bytes  {:>7} files  {}",
            row.part.tag(),
            count(row.bytes),
            count(row.files),
            row.path
        );
    }
    let _ = writeln!(
        text,
        "encrypted  {}",
        if storage.encrypted {
            "the workspace's file; what lies beside it is not"
        } else {
            "no"
        }
    );
    match storage.free {
        Some(free) => text + &format!("free       {:>16} bytes", count(free)),
        None => text.trim_end().to_owned(),
    }
}

fn describe_restore(report: &RestoreReport) -> String {
    let mut text = format!(
        "Restored {}: {}.",
        report.workspace,
        documents(report.documents)
    );
    if report.encrypted {
        text.push_str("\nIt is encrypted, with the passphrase of the backup.");
    }
    if report.no_longer_encrypted {
        text.push_str(
            "\nIt is not encrypted, and what stood there was: the backup is not encrypted.",
        );
    }
    describe_models(&mut text, &report.models);
    describe_chain(&mut text, &report.audit_head, Some(report.audit_ok));
    if let Some(kept) = &report.kept {
        let _ = write!(text, "\nWhat stood there is kept as {kept}.");
    }
    text
}

fn documents(n: u64) -> String {
    if n == 1 {
        "1 document".to_owned()
    } else {
        format!("{} documents", count(n))
    }
}

fn describe_models(text: &mut String, models: &ModelFiles) {
    let _ = if models.included {
        write!(
            text,
            "\nModel files: {}, {} bytes, each read again.",
            count(models.files),
            count(models.bytes)
        )
    } else {
        write!(
            text,
            "\nModel files: not included; the adapters of its runs are missing in it."
        )
    };
    for name in &models.left_out {
        let _ = write!(text, "\n  ! {name}: no plain file, left out");
    }
    for name in &models.altered {
        let _ = write!(
            text,
            "\n  ! adapter {name}: its weights are not those that its name says"
        );
    }
}

fn describe_chain(text: &mut String, head: &str, ok: Option<bool>) {
    let _ = match ok {
        Some(true) => write!(text, "\nIts audit chain holds. Head {head}"),
        Some(false) => {
            write!(
                text,
                "\nIts audit chain does not hold: lexforge audit verify names the entry. Head {head}"
            )
        }
        None => write!(
            text,
            "\nIts audit chain is that of an older format, verified when it is opened. Head {head}"
        ),
    };
}
