//! Definitions, measured on public benchmarks where they lie beside the repository.

use super::find;
use lexforge_domain::text::Language;
use std::collections::HashSet;

/// The repository's neighbour with public benchmark data, where there is one.
fn data(folder: &str) -> Option<std::path::PathBuf> {
    lexforge_needs::data(folder)
}

/// 805 definitions of 24 acts of the European Union.
#[test]
fn definitions_of_european_acts() {
    let Some(folder) = data("definitions-eu-law") else {
        return;
    };
    let gold = std::fs::read_to_string(folder.join("definitions.jsonl")).unwrap();
    let gold: Vec<serde_json::Value> = gold
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let fold = |s: &str| s.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let (mut right_term, mut right_wording, mut found_count) = (0usize, 0usize, 0usize);
    for entry in std::fs::read_dir(folder.join("definition_articles")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let act = name.rsplit_once("_art").unwrap().0.to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let found = find(&text, Language::En);
        found_count += found.iter().filter(|d| d.kind.is_legal()).count();
        for gold in gold.iter().filter(|g| g["regulation"] == act.as_str()) {
            let (term, wording) = (
                fold(gold["term"].as_str().unwrap()),
                fold(gold["definition"].as_str().unwrap()),
            );
            let Some(d) = found.iter().find(|d| fold(&d.term) == term) else {
                println!("missing in {act}: {}", gold["term"]);
                continue;
            };
            right_term += 1;
            let mine = fold(&d.definition);
            if mine == wording || mine.starts_with(&wording) || wording.starts_with(&mine) {
                right_wording += 1;
            } else {
                println!(
                    "differs in {act}: {}: {:?}",
                    gold["term"],
                    d.definition.chars().take(90).collect::<String>()
                );
            }
        }
    }
    let recall = right_term as f64 / gold.len() as f64;
    let precision = right_term as f64 / found_count as f64;
    println!(
        "EU acts: {} gold, {found_count} found, recall {recall:.4}, terms of the gold among those found {precision:.4}, wording {right_wording}",
        gold.len()
    );
    assert!(recall >= 0.999 && precision >= 0.988);
}

/// Parts of the textbooks of DEFT: a name, its folder, the beginnings of its files, the least precision and F1.
type Part = (
    &'static str,
    &'static str,
    &'static [&'static str],
    (f64, f64),
);
/// Rules were chosen on the first two. Errors of the last were read once, after they had been measured.
const PARTS: [Part; 3] = [
    ("development", "dev", &["t"], (0.9, 0.6)),
    (
        "training, half that was read",
        "train_economic_government",
        &["t5_economic_0", "t7_government_0", "t7_government_1"],
        (0.88, 0.42),
    ),
    (
        "training, other half",
        "train_economic_government",
        &["t5_economic_1", "t5_economic_2", "t7_government_2"],
        (0.77, 0.51),
    ),
];

/// The sentences of a file of DEFT, and whether each holds a definition.
fn sentences_of_deft(path: &std::path::Path) -> Vec<(String, bool)> {
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("\n\n").map(|block| {
        let rows: Vec<Vec<&str>> = block
            .lines()
            .map(|l| l.split('\t').map(str::trim).collect())
            .filter(|r: &Vec<&str>| r.len() > 4)
            .collect();
        let defines = rows.iter().any(|r| r[4].get(2..) == Some("Definition"));
        let sentence = rows
            .iter()
            .map(|r| r[0])
            .collect::<Vec<_>>()
            .join(" ")
            .replace(" ,", ",")
            .replace(" .", ".")
            .replace("( ", "(")
            .replace(" )", ")");
        (sentence, defines)
    });
    blocks
        .filter(|(sentence, _)| !sentence.is_empty())
        .collect()
}

/// Sentences of textbooks with and without a definition (SemEval-2020 task 6, subtask 1).
#[test]
fn sentences_of_textbooks_that_define() {
    let Some(folder) = data("definitions-deft") else {
        return;
    };
    // The books repeat each other in places: a sentence counts in the first part that has it.
    let mut seen: HashSet<String> = HashSet::new();
    let mut below = Vec::new();
    for (part, at, books, least) in PARTS {
        let (mut hit, mut wrong, mut missed) = (0usize, 0usize, 0usize);
        let mut files: Vec<_> = std::fs::read_dir(folder.join(at))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| {
                let name = p.file_name().unwrap_or_default().to_string_lossy();
                books.iter().any(|book| name.starts_with(book))
            })
            .collect();
        files.sort();
        let mut sentences: Vec<(String, bool)> =
            files.iter().flat_map(|p| sentences_of_deft(p)).collect();
        sentences.retain(|(sentence, _)| !seen.contains(sentence));
        for (sentence, defines) in &sentences {
            let found = find(sentence, Language::En);
            let label = match (*defines, !found.is_empty()) {
                (true, true) => {
                    hit += 1;
                    "right"
                }
                (false, true) => {
                    wrong += 1;
                    "wrong"
                }
                (true, false) => {
                    missed += 1;
                    "missed"
                }
                (false, false) => continue,
            };
            if std::env::var_os("SHOW").is_some() && part != "training, other half" {
                let terms: Vec<&str> = found.iter().map(|d| d.term.as_str()).collect();
                println!("{part}, {label} {terms:?}: {sentence}");
            }
        }
        let (precision, recall) = (
            hit as f64 / (hit + wrong) as f64,
            hit as f64 / (hit + missed) as f64,
        );
        let f1 = 2.0 * precision * recall / (precision + recall);
        println!(
            "DEFT {part}: {hit} right, {wrong} wrong, {missed} missed, precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}"
        );
        if precision < least.0 || f1 < least.1 {
            below.push(part);
        }
        seen.extend(sentences.into_iter().map(|(sentence, _)| sentence));
    }
    assert!(below.is_empty(), "{below:?}");
}
