//! Compares the references that the product finds between the clauses of forty rulebooks with published gold data.
//! Skipped if the data folder is missing.
//!
//! How the figures are counted: the gold data lists (passage, reference text, target passage). A *mention* is a
//! distinct (passage, reference text). It is at every place where its text occurs in the passage, except as part of a
//! longer number. A gold text that occurs nowhere literally ("58 to 71 of FSMR - 60") counts as a mention that every
//! system misses. A mention is found if a reference that the product finds overlaps an occurrence of it. A found
//! reference is right if it overlaps an occurrence of some mention of its passage. Only the passages with gold data are
//! scored. The gold data does not list every reference of a passage ("MIR Rule 2.10" twice, listed once under another
//! text), so precision is a lower bound.
//!
//! Resolution is scored over all gold rows whose target is in the corpus. A row is right if the found references that
//! overlap the mention lead to exactly that passage. A range ("Rules 17.1 to 17.6") has one row for each clause. The
//! corpus is given without titles, only with document numbers, so names such as `COBS` have to be learned from the
//! texts.

use lexforge_domain::text::Language;
use lexforge_ingest::references::{PassageReference, in_corpus};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

/// The rows of a CSV file as maps by column.
fn csv(text: &str) -> Vec<HashMap<String, String>> {
    let mut rows: Vec<Vec<String>> = vec![vec![String::new()]];
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted => {}
            '\n' if !quoted => rows.push(vec![String::new()]),
            c => row.last_mut().unwrap().push(c),
        }
    }
    let header = rows.remove(0);
    rows.retain(|r| r.len() == header.len());
    rows.into_iter()
        .map(|r| header.iter().cloned().zip(r).collect())
        .collect()
}

/// The places of `needle` in `text`, in scalar values, without those that are part of a longer number.
fn occurrences(text: &str, needle: &str) -> Vec<(usize, usize)> {
    let bounded = |at: usize| {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        let after = text[at + needle.len()..].chars().next().unwrap_or(' ');
        !before.is_alphanumeric() && before != '.' && !after.is_ascii_digit()
    };
    let places = text
        .match_indices(needle)
        .map(|(at, _)| at)
        .filter(|at| bounded(*at));
    places
        .map(|at| {
            let start = text[..at].chars().count();
            (start, start + needle.chars().count())
        })
        .collect()
}

#[test]
fn rulebooks() {
    let Some(data) = data() else { return };
    let mut lines = Vec::new();
    let mut texts: HashMap<String, String> = HashMap::new();
    for number in 1..=40 {
        let file = data.join(format!(
            "retrieval-obliqa/StructuredRegulatoryDocuments/{number}.json"
        ));
        let passages: Vec<Value> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        for p in passages {
            let line = json!({"id": p["ID"], "title": number.to_string(), "section": p["PassageID"], "text": p["Passage"]});
            lines.push(line.to_string());
            texts.insert(
                p["ID"].as_str().unwrap().to_owned(),
                p["Passage"].as_str().unwrap().to_owned(),
            );
        }
    }
    let begun = std::time::Instant::now();
    let (found, bad) = in_corpus(lines.join("\n").as_bytes(), Some(Language::En)).unwrap();
    println!(
        "{} passages, {} references, {:.1?}",
        lines.len(),
        found.len(),
        begun.elapsed()
    );
    assert_eq!(bad, 0);
    let mut ours: HashMap<&str, Vec<&PassageReference>> = HashMap::new();
    for reference in &found {
        ours.entry(&reference.id).or_default().push(reference);
    }
    let gold =
        csv(&std::fs::read_to_string(data.join("xref-adgm/adgm_crossrefs_shared.csv")).unwrap());
    assert_eq!(gold.len(), 928);
    let mut by_source: BTreeMap<&str, Vec<&HashMap<String, String>>> = BTreeMap::new();
    for row in &gold {
        by_source.entry(&row["SourceID"]).or_default().push(row);
    }
    let (mut mentions, mut hits, mut predicted, mut right) = (0, 0, 0, 0);
    let (mut rows, mut led) = (0, 0);
    for (source, of_source) in by_source {
        let text = &texts[source];
        let predictions = ours.get(source).cloned().unwrap_or_default();
        let overlap = |p: &PassageReference, places: &[(usize, usize)]| {
            places
                .iter()
                .any(|&(start, end)| p.reference.start < end && start < p.reference.end)
        };
        let mut anywhere = Vec::new();
        let mut seen = HashSet::new();
        for row in of_source {
            let needle = row["ReferenceText"].trim();
            let places = occurrences(text, needle);
            let of_mention: Vec<_> = predictions.iter().filter(|p| overlap(p, &places)).collect();
            if seen.insert(needle) {
                mentions += 1;
                hits += usize::from(!of_mention.is_empty());
            }
            if texts.contains_key(&row["TargetID"]) {
                rows += 1;
                led += usize::from(
                    of_mention
                        .iter()
                        .any(|p| p.target_ids.contains(&row["TargetID"])),
                );
            }
            anywhere.extend(places);
        }
        predicted += predictions.len();
        right += predictions.iter().filter(|p| overlap(p, &anywhere)).count();
    }
    let (precision, recall) = (
        right as f64 / predicted as f64,
        hits as f64 / mentions as f64,
    );
    let f1 = 2.0 * precision * recall / (precision + recall);
    let resolution = led as f64 / rows as f64;
    println!(
        "detection: {mentions} mentions, precision {precision:.3} recall {recall:.3} F1 {f1:.3}"
    );
    println!("resolution: {led} of {rows}, {resolution:.3}");
    assert!(f1 >= 0.85, "{f1}");
    assert!(resolution >= 0.80, "{resolution}");
}
