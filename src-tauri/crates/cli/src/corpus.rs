//! `new`, `import`, `docs`, `search`.

use crate::args::{DocsArgs, ImportArgs, ReadingArgs, SearchArgs, WorkspaceArgs};
use crate::output::{Outcome, Output, count, done, print};
use crate::terminal::Terminal;
use lexforge_domain::api::{ImportReport, ImportedDocument};
use lexforge_domain::{Code, Failure};
use lexforge_engine::{Engine, ParseOptions, SearchRequest};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// `new`
pub fn new(args: &WorkspaceArgs, out: &Output) -> Outcome {
    let engine = Engine::create(&args.workspace)?;
    let view = engine.view()?;
    out.document(&view, || format!("Made {}.", view.path));
    done()
}

/// `import`
pub fn import(args: &ImportArgs, out: &Output) -> Outcome {
    let engine = Engine::open_or_create(&args.workspace)?;
    let watcher = Terminal::new(false);
    let report = engine.import(&args.files, &parse_options(&args.reading)?, &watcher);
    watcher.finish();
    let report = report?;
    out.document(&report, || describe(&report));
    let nothing = report.imported.is_empty() && report.unchanged.is_empty();
    Ok(if nothing && !report.failed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How documents are to be read.
pub fn parse_options(args: &ReadingArgs) -> Result<ParseOptions, Failure> {
    let password = match &args.password_file {
        None => None,
        Some(path) => Some(read_text(path)?.trim_end_matches(['\r', '\n']).to_owned()),
    };
    Ok(ParseOptions { second_reader: !args.no_second_reader, password, ..ParseOptions::default() })
}

/// An import as a person reads it.
pub fn describe(report: &ImportReport) -> String {
    let mut text = String::new();
    for d in &report.imported {
        let _ = writeln!(text, "{}", describe_document(d));
    }
    for d in &report.unchanged {
        let _ = writeln!(text, "= {:>4}  {}  already there, nothing to do", d.id, d.file);
    }
    for f in &report.failed {
        let page = f.page.map(|p| format!(", page {p}")).unwrap_or_default();
        let _ = writeln!(text, "! {}{page}: {} [{}]", f.file.as_deref().unwrap_or(""), f.message, f.code.tag());
        let _ = writeln!(text, "        {}", f.hint);
    }
    let _ = write!(
        text,
        "{} imported, {} already there, {} failed",
        report.imported.len(),
        report.unchanged.len(),
        report.failed.len()
    );
    text
}

fn describe_document(d: &ImportedDocument) -> String {
    let mut text = format!(
        "+ {:>4}  {}  “{}” · {} · {} pages · {} sentences",
        d.id,
        d.file,
        d.title,
        d.language.tag(),
        count(d.pages.into()),
        count(d.sentences.into())
    );
    if let Some(agreement) = d.reader_agreement {
        let _ = write!(text, " · readers agree on {:.2} %", agreement * 100.0);
    }
    if d.scanned_pages > 0 {
        let _ = write!(text, " · {} scanned pages without text", d.scanned_pages);
    }
    const SHOWN: usize = 5;
    for w in d.warnings.iter().take(SHOWN) {
        let page = w.page.map(|p| format!("page {p}: ")).unwrap_or_default();
        let _ = write!(text, "\n        {page}{} [{}]", w.message, w.code);
    }
    if d.warnings.len() > SHOWN {
        let _ = write!(text, "\n        … and {} more; --json lists them all", d.warnings.len() - SHOWN);
    }
    text
}

/// `docs`
pub fn docs(args: &DocsArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    if let Some(id) = args.text {
        let text = engine.document_text(id)?;
        out.document(&serde_json::json!({ "id": id, "text": text }), || text.clone());
    } else if let Some(document) = args.sentences {
        for s in engine.sentences(document)? {
            if out.json {
                out.line(&s);
            } else {
                print(&format!("{:>6}  p. {:<4} {:<10} {}  {}", s.id, s.page, s.kind.tag(), s.section, s.text));
            }
        }
    } else {
        out.rows(&engine.documents()?, |d| {
            let agreement =
                d.reader_agreement.map(|a| format!(" · readers agree on {:.2} %", a * 100.0)).unwrap_or_default();
            format!(
                "{:>4}  {}  “{}” · {} · {} pages · {} sentences{agreement}",
                d.id,
                d.file,
                d.title,
                d.language.tag(),
                count(d.pages.into()),
                count(d.sentences.into())
            )
        });
    }
    done()
}

/// `search`
pub fn search(args: &SearchArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let request = |query: &str| SearchRequest { query: query.to_owned(), mode: args.mode.into(), top: args.top };
    if let (Some(queries), Some(trec)) = (&args.queries, &args.trec) {
        let queries = read_queries(queries)?;
        let texts: Vec<&str> = queries.iter().map(|(_, text)| text.as_str()).collect();
        let mut run = String::new();
        for ((id, _), hits) in queries.iter().zip(engine.search_all(&texts, args.mode.into(), args.top)?) {
            for hit in hits {
                let document = hit.external_id.unwrap_or_else(|| hit.id.to_string());
                let _ = writeln!(run, "{id} Q0 {document} {} {:.6} lexforge", hit.rank, hit.score);
            }
        }
        std::fs::write(trec, run).map_err(|e| file_failure(trec, &e))?;
        let done = serde_json::json!({ "queries": queries.len(), "trec": trec });
        out.document(&done, || format!("{} queries answered into {}.", queries.len(), trec.display()));
    }
    if let Some(query) = &args.query {
        out.rows(&engine.search(&request(query))?, |h| {
            format!(
                "{:>3}  {:.3}  document {}, page {}, {}\n     {}",
                h.rank, h.score, h.document, h.page, h.section, h.text
            )
        });
    }
    done()
}

/// (id, text) of each line.
fn read_queries(path: &Path) -> Result<Vec<(String, String)>, Failure> {
    let mut queries = Vec::new();
    for (i, line) in read_text(path)?.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let bad = |why: &str| {
            Failure::new(
                Code::CorpusLineInvalid,
                format!("{}, line {}: {why}.", path.display(), i + 1),
                "Each line must be a JSON object with an \"id\" and a \"text\".",
            )
        };
        let value: serde_json::Value = serde_json::from_str(line).map_err(|e| bad(&e.to_string()))?;
        let id = match value.get("id") {
            Some(serde_json::Value::String(id)) => id.clone(),
            Some(serde_json::Value::Number(id)) => id.to_string(),
            _ => return Err(bad("it has no \"id\"")),
        };
        let text = value.get("text").and_then(|t| t.as_str()).ok_or_else(|| bad("it has no \"text\""))?;
        queries.push((id, text.to_owned()));
    }
    Ok(queries)
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

fn file_failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        Code::FileUnreadable,
        format!("{} cannot be used: {error}.", path.display()),
        "Check the path and the permissions.",
    )
}
