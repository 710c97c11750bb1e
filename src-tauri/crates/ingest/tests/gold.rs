//! Fidelity on real documents with independent gold text. Skipped where the data folder is absent.
#![allow(clippy::unwrap_used, clippy::panic)]

use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::similarity::common_length;
use lexforge_ingest::{ParseOptions, read};
use serde_json::Value;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

fn data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?;
    let folder = std::env::var_os("LEXFORGE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: data folder absent");
    None
}

fn parse(path: &Path) -> ParsedDocument {
    let options = ParseOptions { second_reader: false, ..ParseOptions::default() };
    let name = path.file_name().unwrap().to_string_lossy();
    read::read(&name, std::fs::read(path).unwrap(), &options, &mut |_, _| {}).unwrap()
}

/// NFKC, folded quotes and dashes, white space dropped.
fn normal(text: &str) -> Vec<char> {
    text.nfkc()
        .filter(|c| !c.is_whitespace() && *c != '\u{AD}')
        .map(|c| match c {
            '‘' | '’' | '‚' | '`' | '′' => '\'',
            '“' | '”' | '„' | '″' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '−' | '―' => '-',
            other => other,
        })
        .collect()
}

/// All sentences, in order, whose section path has the component `name`.
fn under(document: &ParsedDocument, name: &str) -> String {
    let sentences = document.sentences.iter().filter(|s| {
        s.section.is_some_and(|i| document.sections[i].path.split(" › ").any(|part| part.eq_ignore_ascii_case(name)))
    });
    sentences.map(|s| s.text.as_str()).collect::<Vec<_>>().join("\n")
}

struct Score {
    name: String,
    ratio: f64,
    surplus: usize,
    gold: usize,
}

fn score(name: &str, ours: &str, gold: &str) -> Score {
    let (ours, gold) = (normal(ours), normal(gold));
    let common = common_length(&ours, &gold);
    let ratio = 2.0 * common as f64 / (ours.len() + gold.len()).max(1) as f64;
    if std::env::var_os("SHOW").is_some() && ratio < 0.99 {
        println!("--- {name} {ratio:.4}\nOURS {}\nGOLD {}", String::from_iter(&ours), String::from_iter(&gold));
    }
    Score { name: name.to_owned(), ratio, surplus: ours.len() - common, gold: gold.len() }
}

/// Mean ratio and share of surplus characters; prints the worst.
fn summary(title: &str, scores: &mut [Score]) -> (f64, f64) {
    let mean = scores.iter().map(|s| s.ratio).sum::<f64>() / scores.len().max(1) as f64;
    let surplus = scores.iter().map(|s| s.surplus).sum::<usize>() as f64
        / scores.iter().map(|s| s.gold).sum::<usize>().max(1) as f64;
    scores.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let worst: Vec<String> = scores.iter().take(6).map(|s| format!("{} {:.3}", s.name, s.ratio)).collect();
    println!(
        "{title}: {} texts, mean ratio {:.3} %, surplus {:.3} %, worst {worst:?}",
        scores.len(),
        mean * 100.0,
        surplus * 100.0
    );
    (mean, surplus)
}

#[test]
fn gdpr_articles_and_recitals() {
    let Some(data) = data() else { return };
    let gold: Value = serde_json::from_slice(
        &std::fs::read(data.join("pdf-gold-gdpr/gdpr_gold_articles_1-50_recitals_1-86.json")).unwrap(),
    )
    .unwrap();
    let document = parse(&data.join("pdf-core-en/GDPR.pdf"));
    let mut scores: Vec<Score> = gold["articles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|article| {
            let name = format!("Article {}", article["number"].as_str().unwrap());
            // Both sides carry label, title and text; the gold has some titles inside its text.
            let text =
                format!("{name}\n{}\n{}", article["title"].as_str().unwrap_or(""), article["text"].as_str().unwrap());
            score(&name, &under(&document, &name), &text)
        })
        .collect();
    let (mean, surplus) = summary("GDPR articles", &mut scores);
    assert!(mean >= 0.985 && surplus <= 0.005, "mean {mean}, surplus {surplus}");

    let mut scores: Vec<Score> = gold["recitals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|recital| {
            let name = format!("({})", recital["recital_number"]);
            let path = format!("Recitals › {name}");
            let ours: Vec<&str> = document
                .sentences
                .iter()
                .filter(|s| s.section.is_some_and(|i| document.sections[i].path == path))
                .map(|s| s.text.as_str())
                .collect();
            score(&path, &ours.join("\n"), &format!("{name}\n{}", recital["text"].as_str().unwrap()))
        })
        .collect();
    let (mean, _) = summary("GDPR recitals", &mut scores);
    assert!(mean >= 0.985, "mean {mean}");
}

#[test]
fn chinese_laws() {
    let Some(data) = data() else { return };
    let folder = data.join("pdf-zh-nfra");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder.join("gold")).unwrap() {
        let gold_path = entry.unwrap().path();
        let file = gold_path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(law) = file.strip_suffix(".articles.jsonl") else { continue };
        let document = parse(&folder.join(format!("{law}.pdf")));
        let gold = std::fs::read_to_string(&gold_path).unwrap();
        let mut scores = Vec::new();
        let mut wrong = Vec::new();
        for line in gold.lines() {
            let article: Value = serde_json::from_str(line).unwrap();
            let name = article["article"].as_str().unwrap();
            let times = document.sections.iter().filter(|s| s.label == name).count();
            if times != 1 {
                wrong.push(format!("{name} ×{times}"));
            }
            let text = format!("{name}{}", article["text"].as_str().unwrap());
            scores.push(score(&format!("{law} {name}"), &under(&document, name), &text));
        }
        let articles =
            document.sections.iter().filter(|s| s.label.starts_with('第') && s.label.ends_with('条')).count();
        let (mean, _) = summary(law, &mut scores);
        println!("{law}: {articles} article labels, {} in the gold", scores.len());
        assert!(mean >= 0.995, "{law} {mean}");
        assert!(wrong.is_empty(), "{law}: {wrong:?}");
        all.extend(scores);
    }
    summary("Chinese laws", &mut all);
}

/// Every marker at the beginning of an article is one section, in all laws, gold text or not.
#[test]
fn chinese_articles_count_up() {
    let Some(data) = data() else { return };
    for entry in std::fs::read_dir(data.join("pdf-zh-nfra")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "pdf") {
            continue;
        }
        let document = parse(&path);
        let labels: Vec<&str> = document
            .sections
            .iter()
            .filter(|s| s.label.starts_with('第') && s.label.ends_with('条'))
            .map(|s| s.label.as_str())
            .collect();
        let mut unique = labels.clone();
        unique.sort_unstable();
        unique.dedup();
        println!("{}: {} articles", path.file_stem().unwrap().to_string_lossy(), labels.len());
        assert_eq!(unique.len(), labels.len(), "{}: {labels:?}", path.display());
        assert!(labels.len() > 5, "{}", path.display());
    }
}
