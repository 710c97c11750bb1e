//! `terms extract`, `terms confusables`, `terms rejected` and `terms schemas`.

use crate::answering::write_file;
use crate::endpoints::agreed;
use crate::none_yet;
use crate::output::{Outcome, Output, count, done, in_full};
use crate::reports::{describe_batch, describe_batch_out, describe_terms};
use crate::term_args::{ConfusablesArgs, ExtractArgs, SchemasAction};
use crate::terminal::Terminal;
use lexforge_domain::api::TermsReport;
use lexforge_domain::schema::TermSchema;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_engine::{AskRequest, Engine, TermRequest};
use std::fmt::Write as _;
use std::path::Path;

/// Most bytes of a file of schemas.
const LONGEST_FILE: u64 = 4 << 20;

/// `terms extract`
pub fn extract(args: &ExtractArgs, out: &Output) -> Outcome {
    let engine = Engine::open_to_write(&args.workspace)?;
    let watcher = Terminal::new(false);
    let request = TermRequest {
        ask: AskRequest {
            endpoint: args.endpoint.clone().unwrap_or_default(),
            local: (&args.local).into(),
            limit: args.limit,
            concurrency: args.concurrency,
            max_tokens: args.max_tokens,
            ..AskRequest::default()
        },
        schemas: args.schema.clone(),
    };
    if let Some(path) = &args.batch_out {
        let written = engine
            .terms()
            .terms_batch_out(&request, args.model.as_deref(), path)?;
        out.document(&written, || describe_batch_out(&written));
        return done();
    }
    if let Some(path) = &args.batch_in {
        let read = watcher.finished(engine.terms().terms_batch_in(path, &watcher))?;
        out.document(&read, || {
            let terms = read.terms.as_ref().map(describe_terms).unwrap_or_default();
            format!("{}\n{terms}", describe_batch(&read.batch))
        });
        return done();
    }
    let report = match &args.endpoint {
        None => engine.terms().extract_terms(&watcher),
        Some(_) => with_consent(&engine, request, args.yes, &watcher),
    };
    watcher.finish();
    let report = report?;
    out.document(&report, || describe_terms(&report));
    done()
}

/// Shows what would be sent, has it agreed to, and finds terms.
fn with_consent(
    engine: &Engine,
    mut request: TermRequest,
    yes: bool,
    watcher: &Terminal,
) -> Result<TermsReport, Failure> {
    let plan = engine.terms().plan_terms(&request)?;
    request.ask.consent = agreed(&plan, yes);
    engine.terms().extract_terms_with(&request, watcher)
}

/// `terms confusables`
pub fn confusables(args: &ConfusablesArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    if args.find {
        engine.workspace().require_writable()?;
        let watcher = Terminal::new(false);
        let report = watcher.finished(engine.terms().find_confusables(&watcher))?;
        crate::output::tell(&format!(
            "{} pairs of {} terms.",
            count(report.pairs),
            count(report.terms)
        ));
        if let Some(reason) = &report.reason {
            crate::output::tell(&format!(
                "{} terms were compared by spelling alone: {reason}",
                count(report.without_vectors)
            ));
        }
    }
    let pairs = engine.terms().confusables(args.limit)?;
    out.rows(&pairs, none_yet::CONFUSABLES, |row| {
        let cosine = row
            .cosine
            .map(|c| format!("{c:.2}"))
            .unwrap_or_else(|| "–".to_owned());
        let mut text = format!(
            "{:.2}  cos {cosine}  spelling {:.2}  {} | {}",
            row.score, row.spelling, row.one, row.other
        );
        for example in [&row.one_example, &row.other_example].into_iter().flatten() {
            let _ = write!(text, "\n      {example}");
        }
        text
    });
    done()
}

/// `terms rejected`
pub fn rejected(workspace: &Path, out: &Output) -> Outcome {
    let rejected = Engine::open(workspace)?.terms().rejected_terms()?;
    out.rows(&rejected, none_yet::REJECTED_TERMS, |r| {
        format!(
            "{:<22} sentence {:>6}  {} ({})",
            r.reason, r.sentence, r.text, r.class
        )
    });
    done()
}

/// `terms schemas`
pub fn schemas(action: &SchemasAction, out: &Output) -> Outcome {
    match action {
        SchemasAction::List { workspace } => {
            let schemas = Engine::open(workspace)?.terms().term_schemas()?;
            out.rows(&schemas, none_yet::NOTHING, |s| {
                let classes: Vec<&str> = s.classes.iter().map(|c| c.name.as_str()).collect();
                format!(
                    "{:<22} {}  {}: {}",
                    s.name,
                    s.language.tag(),
                    s.label,
                    classes.join(", ")
                )
            });
        }
        SchemasAction::Show {
            workspace,
            name,
            language,
        } => {
            let language = Language::from_tag(language);
            let all = Engine::open(workspace)?.terms().term_schemas()?;
            let schema = all
                .into_iter()
                .find(|s| s.name == *name && s.language == language)
                .ok_or_else(|| {
                    Failure::new(
                        Code::NotFound,
                        format!("There is no schema {name} in this language."),
                        "List them with lexforge terms schemas list.",
                    )
                })?;
            out.document(&schema, || describe_schema(&schema));
        }
        SchemasAction::Export {
            workspace,
            file,
            name,
        } => {
            let mut all = Engine::open(workspace)?.terms().term_schemas()?;
            all.retain(|s| name.as_ref().is_none_or(|name| s.name == *name));
            let text = serde_json::to_string_pretty(&all).unwrap_or_default();
            write_file(file, Some(workspace), &(text + "\n"))?;
            let written = serde_json::json!({ "file": file, "schemas": all.len() });
            out.document(&written, || {
                format!("{} schemas in {}.", all.len(), in_full(file))
            });
        }
        SchemasAction::Import { workspace, file } => {
            let size = std::fs::metadata(file)
                .map_err(|e| unusable(file, &e.to_string()))?
                .len();
            if size > LONGEST_FILE {
                return Err(unusable(file, "it is far too large for schemas"));
            }
            let text = std::fs::read_to_string(file).map_err(|e| unusable(file, &e.to_string()))?;
            let read: Vec<TermSchema> =
                serde_json::from_str(&text).map_err(|e| unusable(file, &e.to_string()))?;
            let engine = Engine::open(workspace)?;
            let taken = read.len();
            for schema in read {
                engine.terms().put_term_schema(schema)?;
            }
            out.document(&serde_json::json!({ "schemas": taken }), || {
                format!("{taken} schemas taken.")
            });
        }
        SchemasAction::Remove {
            workspace,
            name,
            language,
        } => {
            Engine::open(workspace)?
                .terms()
                .remove_term_schema(name, Language::from_tag(language))?;
            out.document(&serde_json::json!({ "removed": name }), || {
                format!("Removed the workspace's own {name}.")
            });
        }
    }
    done()
}

fn describe_schema(schema: &TermSchema) -> String {
    let mut text = format!(
        "{} · {} · {}",
        schema.label,
        schema.name,
        schema.language.tag()
    );
    for class in &schema.classes {
        let _ = write!(
            text,
            "\n  {} ({}): {}",
            class.label, class.name, class.description
        );
        let _ = write!(text, "\n      {}", class.examples.join(" · "));
    }
    text
}

fn unusable(file: &Path, why: &str) -> Failure {
    Failure::invalid(
        format!("{} cannot be used: {why}.", file.display()),
        "Write one with lexforge terms schemas export, change it, and read it back in.",
    )
}
