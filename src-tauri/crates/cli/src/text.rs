//! `text segment|definitions|terms`: the text stages on a plain file.

use crate::args::{FileArgs, TextArgs, TextStage};
use crate::corpus::read_text;
use crate::output::{Outcome, Output, done};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_ingest::{definitions, language, segment, terms};

/// Most terms that a file gives.
const MOST_TERMS: usize = 1_000;

/// `text`
pub fn run(args: &TextArgs, out: &Output) -> Outcome {
    match &args.stage {
        TextStage::Segment(file) => {
            let (text, language) = load(file)?;
            out.rows(&segment::segment(&text, language), |s| format!("{:>7} {:>7}  {}", s.start, s.end, s.text));
        }
        TextStage::Definitions(file) => {
            let (text, language) = load(file)?;
            out.rows(&definitions::find(&text, language), |d| format!("{}: {}", d.term, d.definition));
        }
        TextStage::Terms(file) => {
            let (text, language) = load(file)?;
            let spans = segment::segment(&text, language);
            let sentences: Vec<(SentenceKind, &str)> =
                spans.iter().map(|s| (SentenceKind::Rule, s.text.as_str())).collect();
            out.rows(&terms::candidates(&sentences, language, MOST_TERMS), |t| {
                format!("{:>9.2} {:>6}  {}", t.score, t.count, t.text)
            });
        }
    }
    done()
}

fn load(args: &FileArgs) -> Result<(String, Language), lexforge_domain::Failure> {
    let text = read_text(&args.file)?;
    let language = match &args.language {
        Some(tag) => Language::from_tag(tag),
        None => language::detect(&text),
    };
    Ok((text, language))
}
