//! Draws sentences at random from PDFs, equally many from each file. A person then judges each: is it complete, is its
//! kind right, is its place right?
//!
//! `cargo run --release -p lexforge-parser --example draw -- [--seed N] [--count N] [--all] FILE…`
//!
//! Every line is JSON: file, page, kind, path of the section, text, its rectangles. `--all` gives every sentence
//! instead.
#![forbid(unsafe_code)]

use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;

/// A draw is the same for the same seed (SplitMix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % count.max(1) as u64) as usize
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut seed, mut count, mut all, mut files) = (1u64, 300usize, false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seed" => seed = arguments.next().ok_or("--seed takes a number")?.parse()?,
            "--count" => count = arguments.next().ok_or("--count takes a number")?.parse()?,
            "--all" => all = true,
            _ => files.push(argument),
        }
    }
    let options = ParseOptions::default();
    let mut documents = Vec::new();
    for file in &files {
        match read::read(file, std::fs::read(file)?, &options, &mut |_, _| {}) {
            Ok(document) if !document.sentences.is_empty() => documents.push((file, document)),
            Ok(_) => eprintln!("{file}: no sentence"),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
    if all {
        for (file, document) in &documents {
            for at in 0..document.sentences.len() {
                println!("{}", told(file, document, at));
            }
        }
        return Ok(());
    }
    let mut draw = Draw(seed);
    let mut drawn: Vec<(usize, usize)> = (0..count.min(count * documents.len()))
        .map(|_| {
            let file = draw.below(documents.len());
            (file, draw.below(documents[file].1.sentences.len()))
        })
        .collect();
    drawn.sort_unstable();
    for (file, at) in drawn {
        println!("{}", told(documents[file].0, &documents[file].1, at));
    }
    Ok(())
}

fn told(file: &str, document: &ParsedDocument, at: usize) -> serde_json::Value {
    let sentence = &document.sentences[at];
    let section = sentence.section.map(|s| &document.sections[s]);
    let regions: Vec<_> = sentence
        .regions
        .iter()
        .map(|r| (r.page, r.x0, r.y0, r.x1, r.y1))
        .collect();
    serde_json::json!({
        "file": file,
        "at": at,
        "page": sentence.page,
        "kind": format!("{:?}", sentence.kind),
        "path": section.map(|s| s.path.clone()),
        "label": section.map(|s| s.label.clone()),
        "title": section.map(|s| s.title.clone()),
        "title_page": section.map(|s| s.page),
        "text": sentence.text,
        "regions": regions,
    })
}
