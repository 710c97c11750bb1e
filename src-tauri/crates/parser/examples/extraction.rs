//! Measures how well and how fast terms are found without a language model.
//!
//! `cargo run --release -p lexforge-parser --example extraction -- MODE …` has these modes:
//! - `gold FOLDER` (a folder like data/definitions-eu-law): the share of the gold terms that are found in the articles'
//!   text, and the number of candidates for each gold term, article by article and in total;
//! - `top N FILE…`: the first N terms of a file;
//! - `all FILE…`: all terms of the files as one corpus, to take samples from;
//! - `defined FILE…`: the definitions in a file, each as one line of JSON;
//! - `speed REPEAT FILE…`: sentences per second in one thread, first for the candidates alone, then with all their
//!   mentions.
#![forbid(unsafe_code)]

use lexforge_domain::TermId;
use lexforge_domain::term::TermCandidate;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_ingest::mentions::MentionFinder;
use lexforge_ingest::{ParseOptions, definitions, terms};
use lexforge_parser::read;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["gold", folder] => gold(Path::new(folder)),
        ["top", n, files @ ..] => top(n.parse()?, files),
        ["defined", files @ ..] => defined(files),
        ["all", files @ ..] => all(files),
        ["speed", repeat, files @ ..] => speed(repeat.parse()?, files),
        _ => {
            Err("gold FOLDER | top N FILE… | all FILE… | defined FILE… | speed REPEAT FILE…".into())
        }
    }
}

/// The sentences of a file as the product reads it, with its language.
fn sentences(file: &Path) -> Result<(Language, Vec<(SentenceKind, String)>), Failed> {
    let options = ParseOptions {
        second_reader: false,
        ocr: None,
        ..ParseOptions::default()
    };
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let document = read::read(&name, std::fs::read(file)?, &options, &mut |_, _| {})?;
    Ok((
        document.language,
        document
            .sentences
            .into_iter()
            .map(|s| (s.kind, s.text))
            .collect(),
    ))
}

fn borrowed(sentences: &[(SentenceKind, String)]) -> Vec<(SentenceKind, &str)> {
    sentences
        .iter()
        .map(|(kind, text)| (*kind, text.as_str()))
        .collect()
}

/// The terms that the product finds in these sentences.
fn extract(sentences: &[(SentenceKind, String)], language: Language) -> Vec<TermCandidate> {
    let sentences = borrowed(sentences);
    let defined = definitions::find_all(sentences.iter().copied(), language);
    terms::candidates(&sentences, &defined, language, terms::most(sentences.len()))
}

/// Letters and digits alone: gold and text differ in quotation marks and blanks.
fn folded(term: &str) -> String {
    term.to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect()
}

fn gold(folder: &Path) -> Result<(), Failed> {
    let mut by_act: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("definitions.jsonl"))?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let of = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
        by_act
            .entry(of("regulation"))
            .or_default()
            .insert(of("term"));
    }
    let (mut all, mut every): (Vec<(SentenceKind, String)>, BTreeSet<String>) = Default::default();
    let (mut terms_of_all, mut found_of_all, mut candidates_of_all) = (0, 0, 0);
    let mut files: Vec<_> =
        std::fs::read_dir(folder.join("definition_articles"))?.collect::<Result<_, _>>()?;
    files.sort_by_key(std::fs::DirEntry::path);
    for file in files {
        let path = file.path();
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let act = name
            .rsplit_once("_art")
            .map_or(name.as_str(), |(act, _)| act);
        let Some(gold) = by_act.get(act) else {
            continue;
        };
        let (_, sentences) = sentences(&path)?;
        let (found, missed, candidates) = compare(gold, &extract(&sentences, Language::En));
        println!(
            "{act:<16} {found:>3} of {:>3} gold terms, {candidates:>3} candidates  {missed:?}",
            gold.len()
        );
        terms_of_all += gold.len();
        found_of_all += found;
        candidates_of_all += candidates;
        every.extend(gold.iter().cloned());
        all.extend(sentences);
    }
    let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
    println!(
        "article by article: {found_of_all} of {terms_of_all} ({:.4}), {:.2} candidates per gold term",
        share(found_of_all, terms_of_all),
        share(candidates_of_all, terms_of_all)
    );
    let (found, _, candidates) = compare(&every, &extract(&all, Language::En));
    println!(
        "all as one corpus: {found} of {} ({:.4}), {:.2} candidates per gold term",
        every.len(),
        share(found, every.len()),
        share(candidates, every.len())
    );
    Ok(())
}

fn compare(gold: &BTreeSet<String>, candidates: &[TermCandidate]) -> (usize, Vec<String>, usize) {
    let known: BTreeSet<String> = candidates
        .iter()
        .flat_map(|c| [folded(&c.text), folded(&c.normal)])
        .collect();
    let missed: Vec<String> = gold
        .iter()
        .filter(|term| !known.contains(&folded(term)))
        .cloned()
        .collect();
    (gold.len() - missed.len(), missed, candidates.len())
}

fn defined(files: &[&str]) -> Result<(), Failed> {
    for file in files {
        let (language, sentences) = sentences(Path::new(file))?;
        let sentences = borrowed(&sentences);
        for one in definitions::find_all(sentences.iter().copied(), language) {
            println!("{}", serde_json::to_string(&one.definition)?);
        }
    }
    Ok(())
}

fn top(n: usize, files: &[&str]) -> Result<(), Failed> {
    for file in files {
        let (language, sentences) = sentences(Path::new(file))?;
        let candidates = extract(&sentences, language);
        println!(
            "{file}: {} sentences, {} candidates",
            sentences.len(),
            candidates.len()
        );
        for (place, c) in candidates.iter().take(n).enumerate() {
            println!(
                "{:>4} {:>8.2} {:>5}× {:<12} {}",
                place + 1,
                c.score,
                c.count,
                c.found.tag(),
                c.text
            );
        }
    }
    Ok(())
}

/// The sentences of all files, by language.
fn corpora(files: &[&str]) -> Result<BTreeMap<Language, Vec<(SentenceKind, String)>>, Failed> {
    let mut by_language: BTreeMap<Language, Vec<(SentenceKind, String)>> = BTreeMap::new();
    for file in files {
        let (language, sentences) = sentences(Path::new(file))?;
        by_language.entry(language).or_default().extend(sentences);
    }
    Ok(by_language)
}

fn all(files: &[&str]) -> Result<(), Failed> {
    for (language, sentences) in corpora(files)? {
        for c in extract(&sentences, language) {
            println!("{:.2}\t{}\t{}\t{}", c.score, c.count, c.found.tag(), c.text);
        }
    }
    Ok(())
}

fn speed(repeat: usize, files: &[&str]) -> Result<(), Failed> {
    for (language, sentences) in corpora(files)? {
        // The segmenter's dictionary is loaded once a program.
        let _ = extract(&sentences[..sentences.len().min(10)], language);
        let (mut candidates, mut seconds) = (Vec::new(), [f64::MAX; 2]);
        for _ in 0..repeat {
            let began = Instant::now();
            candidates = extract(&sentences, language);
            seconds[0] = seconds[0].min(began.elapsed().as_secs_f64());
        }
        let keyed: Vec<(TermId, &str)> = candidates
            .iter()
            .zip(1..)
            .map(|(c, id)| (TermId(id), c.text.as_str()))
            .collect();
        let mut mentions = 0;
        for _ in 0..repeat {
            let began = Instant::now();
            let finder = MentionFinder::new(&keyed, language);
            mentions = sentences
                .iter()
                .map(|(_, text)| finder.find(text).len())
                .sum();
            seconds[1] = seconds[1].min(began.elapsed().as_secs_f64());
        }
        let rate = |seconds: f64| sentences.len() as f64 / seconds;
        println!(
            "{}: {} sentences, {} terms, {mentions} mentions · {:.0} sentences/s for terms, {:.0} for mentions, {:.0} together",
            language.tag(),
            sentences.len(),
            candidates.len(),
            rate(seconds[0]),
            rate(seconds[1]),
            rate(seconds[0] + seconds[1])
        );
    }
    Ok(())
}
