//! `new`, `import`, `docs`, `search`.

mod found;

pub use found::{read_queries, search};

use crate::args::{ImportArgs, ReadingArgs};
use crate::docs_args::{DocsAction, DocsArgs};
use crate::none_yet;
use crate::output::{Outcome, Output, count, counted, done, print, tell};
use crate::terminal::Terminal;
use crate::workspace_args::NewArgs;
use crate::{docs_check, docs_diff, docs_force, encryption, vectors};
use lexforge_domain::api::{ImportReport, ImportedDocument};
use lexforge_domain::document::RemovedWhy;
use lexforge_domain::{Code, Failure};
use lexforge_engine::{DriftRequest, Engine, ParseOptions};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

pub fn new(args: &NewArgs, out: &Output) -> Outcome {
    let workspace = &args.place.workspace;
    if !args.encrypted {
        let view = Engine::create(workspace)?.view()?;
        out.document(&view, || format!("Made {}.", view.path));
        return done();
    }
    let view = encryption::new(workspace)?.view()?;
    out.document(&view, || {
        format!(
            "Made {}, encrypted.\n{}",
            view.path,
            encryption::not_reached()
        )
    });
    done()
}

pub fn import(args: &ImportArgs, out: &Output) -> Outcome {
    let options = parse_options(&args.reading)?;
    let watcher = Terminal::new(false);
    let is_new = std::fs::symlink_metadata(&args.workspace).is_err();
    let report = Engine::fill(&args.workspace, |engine| {
        let had_all = !args.no_vectors && engine.answering().has_all_vectors()?;
        let report = engine.corpus().import(&args.files, &options, &watcher)?;
        if args.vectors || (had_all && engine.answering().awaits_vectors().unwrap_or(false)) {
            vectors::after_import(engine, &watcher);
        } else if !args.no_vectors && !report.imported.is_empty() {
            vectors::offer(engine);
        }
        sample(engine, &watcher);
        Ok(report)
    });
    watcher.finish();
    if let Some(so_far) = watcher.imported_so_far() {
        tell(&describe(&so_far));
    }
    let report = report?;
    // A misspelt name makes a new workspace, which should be seen.
    if is_new && args.workspace.exists() {
        let made = args.workspace.display();
        tell(&format!("Made {made}; there was none."));
    }
    out.document(&report, || describe(&report));
    let nothing = report.imported.is_empty() && report.unchanged.is_empty();
    if nothing && report.failed.is_empty() {
        tell(
            "Nothing was imported: the folders that were named hold no file that can be imported.",
        );
    }
    Ok(if nothing {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// If drift is watched, takes a sample of what is new. A failure of the sample does not affect the import.
fn sample(engine: &Engine, watcher: &Terminal) {
    let sampled = engine.evaluation().is_watched().and_then(|watched| {
        let look = || engine.evaluation().drift(&DriftRequest::default(), watcher);
        watched.then(look).transpose()
    });
    let said = match sampled {
        Ok(Some(report)) if report.alarm => {
            "Drift: an alarm was raised. The command drift shows what moved.".to_owned()
        }
        Ok(_) => return,
        Err(failure) => format!("No sample was taken for drift: {}", failure.message),
    };
    watcher.finish();
    tell(&said);
}

/// How documents are to be read.
pub fn parse_options(args: &ReadingArgs) -> Result<ParseOptions, Failure> {
    let text = match &args.password_file {
        None if args.password_stdin => Some(first_line()?),
        None => None,
        Some(path) => Some(read_text(path)?),
    };
    let password = text.map(|t| t.trim_end_matches(['\r', '\n']).to_owned());
    let defaults = ParseOptions::default();
    let ocr = defaults.ocr.clone().filter(|_| !args.no_ocr);
    Ok(ParseOptions {
        second_reader: !args.no_second_reader,
        password,
        ocr,
        ..defaults
    })
}

fn first_line() -> Result<String, Failure> {
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line) {
        Ok(_) => Ok(line),
        Err(e) => Err(file_failure(Path::new("-"), &e)),
    }
}

/// An import as a person reads it.
pub fn describe(report: &ImportReport) -> String {
    let mut text = String::new();
    for d in &report.imported {
        let _ = writeln!(text, "{}", describe_document(d));
    }
    for d in &report.unchanged {
        let _ = writeln!(
            text,
            "= {:>4}  {}  already there, nothing to do",
            d.id, d.file
        );
    }
    for f in &report.failed {
        let page = f.page.map(|p| format!(", page {p}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "! {}{page}: {} [{}]",
            f.file.as_deref().unwrap_or(""),
            f.message,
            f.code.tag()
        );
        let _ = writeln!(text, "        {}", crate::remedies::hint(f));
    }
    let _ = write!(
        text,
        "{} imported, {} already there, {} failed",
        report.imported.len(),
        report.unchanged.len(),
        report.failed.len()
    );
    let left_out: u64 = report.skipped.counts.values().sum();
    if left_out > 0 {
        let reasons: Vec<String> = report
            .skipped
            .counts
            .iter()
            .map(|(reason, n)| format!("{} {}", count(*n), reason.words()))
            .collect();
        let _ = write!(
            text,
            ", {} left out of the folders ({})",
            count(left_out),
            reasons.join(", ")
        );
    }
    text
}

fn describe_document(d: &ImportedDocument) -> String {
    let mut text = format!(
        "+ {:>4}  {}  “{}” · {} · {} · {}",
        d.id,
        d.file,
        d.title,
        d.language.tag(),
        counted(d.pages, "page"),
        counted(d.sentences, "sentence")
    );
    if let Some(agreement) = d.reader_agreement {
        let _ = write!(text, " · readers agree on {:.2} %", agreement * 100.0);
    }
    if d.scanned_pages > 0 {
        let _ = write!(text, " · {} scanned pages without text", d.scanned_pages);
    }
    if d.engines.ocr > 0 {
        let _ = write!(
            text,
            " · {} read by optical character recognition",
            counted(d.engines.ocr, "page")
        );
    }
    if let Some(earlier) = d.predecessor {
        let _ = write!(text, " · new version of document {earlier}");
    }
    if let Some(later) = d.successor {
        let _ = write!(text, " · earlier version of document {later}");
    }
    text.push_str(&docs_force::facts(&d.metadata));
    const SHOWN: usize = 5;
    for w in d.warnings.iter().take(SHOWN) {
        let page = w.page.map(|p| format!("page {p}: ")).unwrap_or_default();
        let _ = write!(text, "\n        {page}{} [{}]", w.message, w.code);
    }
    if d.warnings.len() > SHOWN {
        let _ = write!(
            text,
            "\n        … and {} more: lexforge docs WORKSPACE --json lists them all",
            d.warnings.len() - SHOWN
        );
    }
    text
}

pub fn docs(args: &DocsArgs, out: &Output) -> Outcome {
    let workspace = match (&args.action, &args.workspace) {
        (
            Some(DocsAction::Diff {
                workspace,
                first,
                second,
            }),
            _,
        ) => return docs_diff::diff(workspace, *first, *second, out),
        (
            Some(DocsAction::Check {
                workspace,
                document,
            }),
            _,
        ) => return docs_check::check(workspace, *document, out),
        (None, Some(workspace)) => workspace,
        (None, None) => {
            return Err(Failure::invalid(
                "No workspace is named.",
                "Name the workspace's file.",
            ));
        }
    };
    let engine = Engine::open(workspace)?;
    if let Some(id) = args.force.about {
        return docs_force::about(&engine, id, &args.force, out);
    }
    if let Some(id) = args.text {
        let text = engine.corpus().document_text(id)?;
        out.verbatim(&serde_json::json!({ "id": id, "text": text }), || {
            text.clone()
        });
    } else if let Some(id) = args.removed {
        let lines = engine.corpus().removed_lines(id)?;
        if lines.is_empty() && !out.json {
            print("Nothing was taken out of this document's text.");
            return done();
        }
        out.rows(&lines, none_yet::NOTHING, |line| {
            format!("p. {:<4} {:<28} {}", line.page, reason(line.why), line.text)
        });
    } else if let Some(document) = args.sentences {
        for s in engine.corpus().sentences(document)? {
            if out.json {
                out.line(&s);
            } else {
                print(&format!(
                    "{:>6}  p. {:<4} {:<10} {}  {}",
                    s.id,
                    s.page,
                    s.kind.tag(),
                    s.section,
                    s.text
                ));
            }
        }
    } else if let Some(id) = args.link.or(args.unlink) {
        let row = engine.corpus().link_predecessor(id, args.replaces)?;
        out.document(&row, || match row.predecessor {
            Some(earlier) => format!("Document {id} is the new version of document {earlier}."),
            None => format!("Document {id} is linked to no earlier version."),
        });
    } else {
        out.rows(&engine.corpus().documents()?, none_yet::DOCUMENTS, |d| {
            let agreement = d
                .reader_agreement
                .map(|a| format!(" · readers agree on {:.2} %", a * 100.0))
                .unwrap_or_default();
            let version = d
                .predecessor
                .map(|p| format!(" · new version of {p}"))
                .unwrap_or_default();
            format!(
                "{:>4}  {}  “{}” · {} · {} · {}{agreement}{version}{}{}",
                d.id,
                d.file,
                d.title,
                d.language.tag(),
                counted(d.pages, "page"),
                counted(d.sentences, "sentence"),
                docs_force::in_force(d.validity.as_ref()),
                docs_force::facts(&d.metadata)
            )
        });
    }
    done()
}

/// Why a line was taken out, in words.
fn reason(why: RemovedWhy) -> &'static str {
    match why {
        RemovedWhy::Repeats => "stands on several pages",
        RemovedWhy::Counts => "counts the pages",
        RemovedWhy::Changes => "stands where heads stand",
        RemovedWhy::Printed => "printed around the text",
    }
}

/// A text file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|e| file_failure(path, &e))?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::new(
            Code::UnsupportedFormat,
            format!("{} is not UTF-8 text.", path.display()),
            "Save it as UTF-8; a PDF is read with lexforge import.",
        )
    })
}

/// The failure for an error with a file.
pub fn file_failure(path: &Path, error: &std::io::Error) -> Failure {
    use std::io::ErrorKind;
    let shown = path.display();
    let missing = path
        .parent()
        .filter(|f| !f.as_os_str().is_empty() && !f.exists());
    let message = match (error.kind(), missing) {
        (ErrorKind::NotFound, Some(folder)) => {
            let folder = folder.display();
            format!("{shown} cannot be used: there is no folder {folder}.")
        }
        (ErrorKind::NotFound, None) => format!("{shown} does not exist."),
        (ErrorKind::IsADirectory, _) => format!("{shown} is a folder, and a file is needed."),
        _ => format!("{shown} cannot be used: {error}."),
    };
    Failure::new(
        Code::FileUnreadable,
        message,
        "Check the path and the permissions.",
    )
}
