//! `text segment|definitions|terms`: the text stages on a plain file.

use crate::args::{FileArgs, TextArgs, TextStage};
use crate::corpus::read_text;
use crate::output::{Outcome, Output, done, print};
use lexforge_domain::text::Language;
use lexforge_engine::text;

/// Most terms that a file gives.
const MOST_TERMS: usize = 1_000;

/// `text`
pub fn run(args: &TextArgs, out: &Output) -> Outcome {
    match &args.stage {
        TextStage::Segment(file) => {
            let (content, language) = load(file)?;
            out.rows(&text::segment(&content, language), |s| format!("{:>7} {:>7}  {}", s.start, s.end, s.text));
        }
        TextStage::Definitions(file) => {
            let (content, language) = load(file)?;
            out.rows(&text::definitions(&content, language), |d| format!("{}: {}", d.term, d.definition));
        }
        TextStage::Terms(file) => {
            let (content, language) = load(file)?;
            for t in text::terms(&content, language, MOST_TERMS) {
                if out.json {
                    // A candidate's text goes by the name of "term" here, beside what else is known of it.
                    out.line(&serde_json::json!({
                        "term": t.text, "score": t.score, "count": t.count, "class": t.class, "definition": t.definition
                    }));
                } else {
                    print(&format!("{:>9.2} {:>6}  {}", t.score, t.count, t.text));
                }
            }
        }
    }
    done()
}

fn load(args: &FileArgs) -> Result<(String, Language), lexforge_domain::Failure> {
    let content = read_text(&args.file)?;
    let language = match &args.language {
        Some(tag) => Language::from_tag(tag),
        None => text::detect(&content),
    };
    Ok((content, language))
}
