//! `text segment|definitions|references|terms`: the text stages on a plain file.

use crate::args::{FileArgs, TextArgs, TextStage};
use crate::corpus::read_text;
use crate::none_yet;
use crate::output::{Outcome, Output, done, print};
use lexforge_domain::reference::CrossReference;
use lexforge_domain::text::Language;
use lexforge_engine::text;
use serde::Serialize;

/// Most terms that a file gives.
const MOST_TERMS: usize = 1_000;

/// `text`
pub fn run(args: &TextArgs, out: &Output) -> Outcome {
    match &args.stage {
        TextStage::Segment(file) => {
            let (content, language) = load(file)?;
            let sentences = text::segment(&content, language);
            out.rows(&sentences, none_yet::SENTENCES, |s| {
                format!("{:>7} {:>7}  {}", s.start, s.end, s.text)
            });
        }
        TextStage::Definitions(file) => {
            let (content, language) = load(file)?;
            let definitions = text::definitions(&content, language);
            out.rows(&definitions, none_yet::DEFINITIONS, |d| {
                let names = std::iter::once(&d.term)
                    .chain(&d.aliases)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(" / ");
                format!("{names}: {}", d.definition)
            });
        }
        TextStage::References(file) => references(file, out)?,
        TextStage::Terms(file) => {
            let (content, language) = load(file)?;
            for t in text::terms(&content, language, MOST_TERMS) {
                if out.json {
                    // A candidate's text goes by the name of "term" here, beside what else is known of it.
                    out.line(&serde_json::json!({
                        "term": t.text, "score": t.score, "count": t.count, "class": t.found, "definition": t.definition
                    }));
                } else {
                    print(&format!("{:>9.2} {:>6}  {}", t.score, t.count, t.text));
                }
            }
        }
    }
    done()
}

/// A reference in a plain text, with what it names in words.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    reference: CrossReference,
    target: String,
    internal: bool,
}

fn references(file: &FileArgs, out: &Output) -> Result<(), lexforge_domain::Failure> {
    if file
        .file
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("jsonl"))
    {
        let content = read_text(&file.file)?;
        let language = file.language.as_deref().map(Language::from_tag);
        let (found, bad) =
            text::corpus_references(&file.file.display().to_string(), &content, language)?;
        out.rows(&found, none_yet::REFERENCES, |f| {
            let to = f.target_id.as_deref().unwrap_or("–");
            format!(
                "{:>12} {:>5} {:>5}  {} → {to}",
                f.id, f.reference.start, f.reference.end, f.target
            )
        });
        if bad > 0 {
            crate::output::tell(&format!(
                "warning: {bad} lines are not passages and were left out."
            ));
        }
        return Ok(());
    }
    let (content, language) = load(file)?;
    let found: Vec<Found> = text::references(&content, language)
        .into_iter()
        .map(|reference| Found {
            target: reference.target(),
            internal: reference.instrument.is_none(),
            reference,
        })
        .collect();
    out.rows(&found, none_yet::REFERENCES, |f| {
        format!(
            "{:>7} {:>7}  {}",
            f.reference.start, f.reference.end, f.target
        )
    });
    Ok(())
}

fn load(args: &FileArgs) -> Result<(String, Language), lexforge_domain::Failure> {
    let content = read_text(&args.file)?;
    let language = match &args.language {
        Some(tag) => Language::from_tag(tag),
        None => text::detect(&content),
    };
    Ok((content, language))
}
