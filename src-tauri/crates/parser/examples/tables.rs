//! Measures how well the structure of tables is found, with the measure of the ICDAR 2013 table competition.
//!
//! `cargo run --release -p lexforge-parser --example tables -- [--show] FOLDER`: the folder holds `NAME.pdf`, and the
//! true tables in `NAME-str.xml` in the form of the competition. The program prints precision, recall and F1 of
//! neighbouring cells over all documents, and their means over the documents. `--show` also prints pairs that were
//! missed and pairs that were found wrongly.
//!
//! `… -- --json FILE…` prints the tables of files as they are read.
#![forbid(unsafe_code)]

#[path = "../tests/it/adjacency.rs"]
mod adjacency;

use adjacency::{Score, compare, found, gold};
use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::path::{Path, PathBuf};

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--json", files @ ..] => {
            for file in files {
                println!(
                    "{}",
                    serde_json::to_string(&parse(Path::new(file))?.tables)?
                );
            }
            Ok(())
        }
        ["--show", folder] => measure(Path::new(folder), true),
        [folder] => measure(Path::new(folder), false),
        _ => Err("[--show] FOLDER | --json FILE…".into()),
    }
}

fn parse(file: &Path) -> Result<ParsedDocument, Failed> {
    let options = ParseOptions {
        second_reader: false,
        ocr: None,
        ..ParseOptions::default()
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(read::read(
        &name,
        std::fs::read(file)?,
        &options,
        &mut |_, _| {},
    )?)
}

fn measure(folder: &Path, show: bool) -> Result<(), Failed> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|f| f.extension().is_some_and(|e| e == "pdf"));
    files.sort();
    let (mut all, mut precision, mut recall, mut documents) = (Score::default(), 0.0, 0.0, 0.0);
    for file in files {
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Ok(xml) = std::fs::read_to_string(file.with_file_name(format!("{stem}-str.xml")))
        else {
            println!("{stem}: no truth");
            continue;
        };
        let document = parse(&file)?;
        let score = compare(
            &gold(&xml),
            &found(&document.tables),
            |page, pair, of_truth| {
                if show {
                    let (what, way) = (
                        if of_truth { "missed" } else { "excess" },
                        if pair.2 { "below" } else { "right" },
                    );
                    println!("    {what} page {page} {way}: {} | {}", pair.0, pair.1);
                }
            },
        );
        line(&stem, score);
        all.add(score);
        precision += score.precision();
        recall += score.recall();
        documents += 1.0;
    }
    line("all pairs", all);
    let (p, r) = (precision / documents, recall / documents);
    println!(
        "mean of documents: P {p:.4} R {r:.4} F1 {:.4}",
        2.0 * p * r / (p + r)
    );
    Ok(())
}

fn line(name: &str, score: Score) {
    println!(
        "{name}: P {:.4} R {:.4} F1 {:.4} ({} of {} pairs, {} found)",
        score.precision(),
        score.recall(),
        score.f1(),
        score.right,
        score.gold,
        score.found
    );
}
