//! Checks the boxes of sentences: the text that other engines read inside a sentence's boxes must be that sentence.
//! Skipped if the data folder or the other engine is missing.

use crate::read_once::parse;
use lexforge_domain::document::{ParsedDocument, ParsedSentence};
use lexforge_domain::text::Region;
use lexforge_parser::reader::pdf_extract::PdfExtract;
use lexforge_parser::reader::{RawPage, Reader, Source};
use lexforge_parser::similarity::common_length;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;

/// Two languages, one and two columns, tables, long documents and short ones.
const FILES: [&str; 6] = [
    "pdf-core-en/GDPR.pdf",
    "pdf-core-en/FDIC_RMS_manual_8-1_BSA_AML.pdf",
    "pdf-core-en/EBA_GL_stress_testing.pdf",
    "pdf-core-en/OCC_bank_supervision_process.pdf",
    "pdf-zh-nfra/商业银行资本管理办法.pdf",
    "pdf-zh-nfra/中华人民共和国保险法.pdf",
];
/// Sentences from each.
const SAMPLE: usize = 34;

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

/// Sentences spread evenly over a document.
fn sample(document: &ParsedDocument) -> Vec<&ParsedSentence> {
    let step = (document.sentences.len() / SAMPLE).max(1);
    document
        .sentences
        .iter()
        .skip(step / 2)
        .step_by(step)
        .take(SAMPLE)
        .collect()
}

/// NFKC, quotes, dashes and bullets folded, blanks and soft hyphens dropped. A hyphen before a blank parts a word.
fn folded(text: &str) -> Vec<char> {
    text.nfkc()
        .filter(|c| !c.is_whitespace() && *c != '\u{AD}' && !c.is_control())
        .map(|c| match c {
            '‘' | '’' | '`' | '′' => '\'',
            '“' | '”' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
            '\u{F0B7}' | '\u{F0A7}' | '●' | '▪' => '•',
            other => other,
        })
        .collect()
}

/// Mean ratio; prints the worst sentences.
fn summary(engine: &str, mut scores: Vec<(f64, String, String)>) -> f64 {
    let mean = scores.iter().map(|s| s.0).sum::<f64>() / scores.len() as f64;
    let good = scores.iter().filter(|s| s.0 >= 0.98).count();
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (score, ours, theirs) in scores.iter().take(12) {
        println!("{score:.3} {ours}\n      {theirs}");
    }
    println!(
        "{engine}: {} sentences, mean {:.2} %, {good} at 98 % or more",
        scores.len(),
        100.0 * mean
    );
    mean
}

/// The characters of a page whose middle stands in one of the boxes, box by box.
fn inside(page: &RawPage, boxes: &[&Region]) -> String {
    let mut text = String::new();
    for region in boxes {
        for glyph in &page.glyphs {
            let (along, up) = (glyph.advance / 2.0, 0.3 * glyph.size);
            let (x, y) = match glyph.turn {
                1 => (glyph.x + up, glyph.y + along),
                2 => (glyph.x - along, glyph.y + up),
                3 => (glyph.x - up, glyph.y - along),
                _ => (glyph.x + along, glyph.y - up),
            };
            if x > region.x0 && x < region.x1 && y > region.y0 && y < region.y1 {
                text.push(glyph.ch);
            }
        }
    }
    text
}

pub(crate) fn the_second_reader_finds_the_sentences_in_their_boxes() {
    let Some(data) = data() else { return };
    let mut scores = Vec::new();
    for file in FILES {
        let path = data.join(file);
        let document = parse(&path);
        let source = Source {
            bytes: Arc::new(std::fs::read(&path).unwrap()),
            password: None,
            max_pages: 10_000,
        };
        let raw = PdfExtract.read(&source, &mut |_, _| {}).unwrap();
        for sentence in sample(&document) {
            let mut text = String::new();
            for (index, page) in raw.pages.iter().enumerate() {
                let boxes: Vec<&Region> = sentence
                    .regions
                    .iter()
                    .filter(|r| r.page as usize == index + 1)
                    .collect();
                if let (Some(page), false) = (page, boxes.is_empty()) {
                    text.push_str(&inside(page, &boxes));
                }
            }
            scores.push((
                ratio(&folded(&sentence.text), &folded(&text)),
                sentence.text.clone(),
                text,
            ));
        }
    }
    assert!(scores.len() >= 200);
    assert!(summary("second reader", scores) >= 0.98);
}

pub(crate) fn poppler_finds_the_sentences_in_their_boxes() {
    let Some(data) = data() else { return };
    if Command::new("pdftotext").arg("-v").output().is_err() {
        lexforge_needs::unavailable("pdftotext is absent");
        return;
    }
    let mut scores = Vec::new();
    for file in FILES {
        let path = data.join(file);
        let document = parse(&path);
        for sentence in sample(&document) {
            let text: String = sentence
                .regions
                .iter()
                .map(|region| cropped(&path, region))
                .collect();
            scores.push((
                ratio(&folded(&sentence.text), &folded(&text)),
                sentence.text.clone(),
                text,
            ));
        }
    }
    assert!(scores.len() >= 200);
    assert!(summary("poppler", scores) >= 0.98);
}

/// The text that poppler reads inside a box, in tenths of a point.
fn cropped(path: &Path, region: &Region) -> String {
    let tenths = |v: f32| format!("{}", (v * 10.0).round());
    let page = region.page.to_string();
    let output = Command::new("pdftotext")
        .args([
            "-f",
            &page,
            "-l",
            &page,
            "-r",
            "720",
            "-nopgbrk",
            "-x",
            &tenths(region.x0),
            "-y",
            &tenths(region.y0),
        ])
        .args([
            "-W",
            &tenths(region.x1 - region.x0),
            "-H",
            &tenths(region.y1 - region.y0),
        ])
        .arg(path)
        .arg("-")
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn ratio(a: &[char], b: &[char]) -> f64 {
    2.0 * common_length(a, b) as f64 / (a.len() + b.len()).max(1) as f64
}
