//! Sentence boundaries on published gold. Skipped where the data folder is absent.
#![allow(clippy::unwrap_used, clippy::panic)]

use lexforge_domain::text::Language;
use lexforge_ingest::segment::segment;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?;
    let folder = std::env::var_os("LEXFORGE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: data folder absent");
    None
}

fn golden(path: &Path, language: Language) -> (usize, usize) {
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut passed = 0;
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let expected: Vec<&str> = case["expected"].as_array().unwrap().iter().map(|e| e.as_str().unwrap()).collect();
        let spans = segment(text, language);
        let ours: Vec<&str> = spans.iter().map(|s| s.text.as_str()).collect();
        if ours == expected {
            passed += 1;
        } else {
            println!("differs: {ours:?}\n     for {expected:?}");
        }
    }
    (passed, cases.len())
}

#[test]
fn golden_rules() {
    let Some(data) = data() else { return };
    let (english, of) = golden(&data.join("sbd-golden-rules/golden_rules_en.json"), Language::En);
    println!("golden rules, English: {english} of {of}");
    let (chinese, of_chinese) = golden(&data.join("sbd-golden-rules/golden_rules_zh.json"), Language::Zh);
    println!("golden rules, Chinese: {chinese} of {of_chinese}");
    assert!(english >= 45, "{english}");
    assert_eq!(chinese, of_chinese);
}

/// F1 over sentence spans, ends compared after trimming, as the published figures do.
#[test]
fn legal_decisions() {
    let Some(data) = data() else { return };
    for (name, least) in [("bva", 0.6), ("cyber_crime", 0.6)] {
        let file = std::fs::read(data.join(format!("sbd-legal-us/{name}.json"))).unwrap();
        let documents: Value = serde_json::from_slice(&file).unwrap();
        let (mut hits, mut ours, mut gold) = (0usize, 0usize, 0usize);
        for document in documents.as_object().unwrap().values() {
            let text = document["text"].as_str().unwrap();
            let chars: Vec<char> = text.chars().collect();
            let spans: std::collections::HashSet<usize> =
                segment(text, Language::En).into_iter().map(|s| s.end).collect();
            let ends: std::collections::HashSet<usize> = document["annotations"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|a| {
                    let end = a["end"].as_u64()? as usize;
                    let start = a["start"].as_u64()? as usize;
                    let trailing = chars[start..end].iter().rev().take_while(|c| c.is_whitespace()).count();
                    Some(end - trailing)
                })
                .collect();
            hits += spans.intersection(&ends).count();
            ours += spans.len();
            gold += ends.len();
        }
        let (precision, recall) = (hits as f64 / ours as f64, hits as f64 / gold as f64);
        let f1 = 2.0 * precision * recall / (precision + recall);
        println!("{name}: boundaries precision {precision:.3} recall {recall:.3} F1 {f1:.3}");
        assert!(f1 >= least, "{name} {f1}");
    }
}
