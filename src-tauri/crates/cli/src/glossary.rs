//! `terms import`, `terms export`: glossaries.

use crate::output::{Outcome, Output, count, done, in_full};
use crate::stands_for::stands_for;
use clap::{Subcommand, ValueEnum};
use lexforge_domain::Failure;
use lexforge_domain::api::{GlossaryFormat, GlossaryReport};
use lexforge_domain::term::ReviewStatus;
use lexforge_engine::Engine;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The format of a glossary.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum GlossaryArg {
    /// Comma-separated values with a head line.
    Csv,
    /// TermBase eXchange.
    Tbx,
    /// SKOS in Turtle.
    Skos,
    /// JSON.
    Json,
}

stands_for!(GlossaryArg => GlossaryFormat: Csv, Tbx, Skos, Json);

fn glossary_status(tag: &str) -> Result<ReviewStatus, String> {
    ReviewStatus::from_tag(tag).ok_or_else(|| format!("{tag} is no state of the review"))
}

/// What to do with glossaries.
#[derive(Debug, Subcommand)]
pub enum GlossaryAction {
    /// Import the terms of a glossary: CSV, TBX, SKOS in Turtle, JSON.
    Import {
        /// The workspace's file.
        workspace: PathBuf,
        /// The glossary.
        file: PathBuf,
        /// The glossary's format. Default: the one that the file's extension says.
        #[arg(long, value_enum)]
        format: Option<GlossaryArg>,
    },
    /// Write the terms as a glossary.
    Export {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        file: PathBuf,
        /// The glossary's format. Default: the one that the file's extension says.
        #[arg(long, value_enum)]
        format: Option<GlossaryArg>,
        /// Write only terms of this status (accepted, unreviewed, conflict, rejected). Default: all that are not
        /// rejected.
        #[arg(long, value_delimiter = ',', value_parser = glossary_status)]
        status: Vec<ReviewStatus>,
        /// Replace a file that is already there.
        #[arg(long)]
        replace: bool,
    },
}

/// `terms import`, `terms export`
pub fn run(action: &GlossaryAction, out: &Output) -> Outcome {
    match action {
        GlossaryAction::Import {
            workspace,
            file,
            format,
        } => import(workspace, file, format.map(Into::into), out),
        GlossaryAction::Export {
            workspace,
            file,
            format,
            status,
            replace,
        } => {
            let format = format_of(file, format.map(Into::into))?;
            export(workspace, (file, *replace), format, status, out)
        }
    }
}

/// Rejected entries that are printed.
const SHOWN: usize = 20;

/// The format that was named, else that of the file's extension.
fn format_of(file: &Path, named: Option<GlossaryFormat>) -> Result<GlossaryFormat, Failure> {
    let extension = file
        .extension()
        .map(|e| e.to_string_lossy().into_owned())
        .unwrap_or_default();
    named
        .or_else(|| GlossaryFormat::of_extension(&extension))
        .ok_or_else(|| {
            Failure::invalid(
                format!(
                    "The name {} does not say which format the glossary is in.",
                    file.display()
                ),
                "Name it: --format csv, tbx, skos or json.",
            )
        })
}

/// `terms import`
fn import(workspace: &Path, file: &Path, format: Option<GlossaryFormat>, out: &Output) -> Outcome {
    let format = format_of(file, format)?;
    let report = Engine::open_to_write(workspace)?
        .terms()
        .import_glossary(file, format)?;
    out.document(&report, || describe(&report));
    done()
}

/// `terms export`
fn export(
    workspace: &Path,
    (file, replace): (&Path, bool),
    format: GlossaryFormat,
    statuses: &[ReviewStatus],
    out: &Output,
) -> Outcome {
    if !replace && file.exists() {
        return Err(Failure::invalid(
            format!("{} is there already.", file.display()),
            "Choose another name, or say --replace.",
        ));
    }
    let usual = [
        ReviewStatus::Accepted,
        ReviewStatus::Unreviewed,
        ReviewStatus::Conflict,
    ];
    let statuses = if statuses.is_empty() {
        &usual[..]
    } else {
        statuses
    };
    let made = Engine::open(workspace)?
        .terms()
        .write_glossary(file, format, statuses)?;
    out.document(&made, || {
        format!(
            "{} terms with {} other names and {} relations in {}",
            count(made.terms),
            count(made.synonyms),
            count(made.relations),
            in_full(file)
        )
    });
    done()
}

/// An import as a person reads it.
fn describe(r: &GlossaryReport) -> String {
    let mut text = format!(
        "{} entries read: {} terms added, {} joined, {} known already, {} refused · {} other names, {} mentions",
        count(r.read),
        count(r.added),
        count(r.joined),
        count(r.known),
        count(r.refused),
        count(r.synonyms),
        count(r.mentions)
    );
    // Writing to a string does not fail.
    for warning in &r.warnings {
        let _ = write!(text, "\n  {warning}");
    }
    if !r.unread.is_empty() {
        let parts: Vec<String> = r
            .unread
            .iter()
            .map(|(name, n)| format!("{name} {}", count(*n)))
            .collect();
        let _ = write!(text, "\n  left out: {}", parts.join(", "));
    }
    for entry in r.rejected.iter().take(SHOWN) {
        let _ = write!(
            text,
            "\n  {:>6}  {}: {}",
            entry.entry, entry.text, entry.reason
        );
    }
    let more = r.refused.saturating_sub(SHOWN as u64);
    if more > 0 {
        let _ = write!(text, "\n  and {} more", count(more));
    }
    text
}
