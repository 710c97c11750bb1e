//! Reads PDFs in this process, as the parser program does. Prints the speed and how much the two readers agree.
//!
//! `cargo run --release -p lexforge-parser --example reading -- [OPTION…] FILE…`. The options are `--no-second-reader`,
//! `--no-ocr`, `--differences` and `--repeat N`.
#![forbid(unsafe_code)]

use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = ParseOptions::default();
    let (mut differences, mut repeat, mut files) = (false, 1usize, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--no-second-reader" => options.second_reader = false,
            "--no-ocr" => options.ocr = None,
            "--differences" => differences = true,
            "--repeat" => repeat = arguments.next().ok_or("--repeat takes a number")?.parse()?,
            _ => files.push(argument),
        }
    }
    let (mut pages, mut sentences, mut seconds) = (0usize, 0usize, 0f64);
    for file in &files {
        let bytes = std::fs::read(file)?;
        let started = Instant::now();
        let mut outcome = None;
        for _ in 0..repeat {
            outcome = Some(read::read(file, bytes.clone(), &options, &mut |_, _| {}));
        }
        let took = started.elapsed().as_secs_f64();
        match outcome {
            Some(Ok(document)) => {
                pages += repeat * document.pages.len();
                sentences += repeat * document.sentences.len();
                seconds += took;
                let agreement = document
                    .reader_agreement
                    .map_or(String::new(), |a| format!("{:.3} %", 100.0 * a));
                println!(
                    "{file}: {} pages, {took:.3} s, agreement {agreement}",
                    document.pages.len()
                );
                for warning in document.warnings.iter().filter(|_| differences) {
                    println!(
                        "    {} {:?}: {}",
                        warning.code, warning.page, warning.message
                    );
                }
                for page in document.pages.iter().filter(|_| differences) {
                    for d in &page.differences {
                        let (before, after) = &d.context;
                        println!(
                            "    p. {} …{before} [{} | {}] {after}… {:?}",
                            page.number, d.kept, d.other, d.regions
                        );
                    }
                }
            }
            Some(Err(error)) => println!("{file}: {error}"),
            None => {}
        }
    }
    println!(
        "{pages} pages, {sentences} sentences, {seconds:.3} s, {:.0} pages/s",
        pages as f64 / seconds
    );
    Ok(())
}
