//! Sentence boundaries on published gold. Skipped where the data folder is absent.

use lexforge_domain::text::Language;
use lexforge_ingest::segment::segment;
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

/// First scalar value, one past the last.
type Span = (usize, usize);

fn golden(path: &Path, language: Language) -> (usize, usize) {
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut passed = 0;
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let expected: Vec<&str> = case["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| e.as_str().unwrap())
            .collect();
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
    let (english, of) = golden(
        &data.join("sbd-golden-rules/golden_rules_en.json"),
        Language::En,
    );
    println!("golden rules, English: {english} of {of}");
    let (chinese, of_chinese) = golden(
        &data.join("sbd-golden-rules/golden_rules_zh.json"),
        Language::Zh,
    );
    println!("golden rules, Chinese: {chinese} of {of_chinese}");
    assert_eq!((english, of), (48, 48));
    assert_eq!((chinese, of_chinese), (2, 2));
}

/// F1 over sentence ends. The gold sentences are trimmed, because the annotation protocol excludes blanks around them.
/// A found end counts only if a gold sentence ends at exactly the same scalar value. The figures for beginnings, and
/// for sentences with both ends right, are printed as well.
#[test]
fn legal_decisions() {
    let Some(data) = data() else { return };
    for name in ["bva", "cyber_crime"] {
        let file = std::fs::read(data.join(format!("sbd-legal-us/{name}.json"))).unwrap();
        let documents: Value = serde_json::from_slice(&file).unwrap();
        let mut scores = [[0usize; 3]; 3];
        for document in documents.as_object().unwrap().values() {
            let text = document["text"].as_str().unwrap();
            let chars: Vec<char> = text.chars().collect();
            let ours: Vec<Span> = segment(text, Language::En)
                .into_iter()
                .map(|s| (s.start, s.end))
                .collect();
            let gold: Vec<Span> = document["annotations"]
                .as_array()
                .unwrap()
                .iter()
                .map(|a| trimmed(&chars, a))
                .collect();
            let keys: [fn(Span) -> Span; 3] = [|s| (0, s.1), |s| (s.0, 0), |s| s];
            for (score, key) in scores.iter_mut().zip(keys) {
                let ours: HashSet<_> = ours.iter().map(|&s| key(s)).collect();
                let gold: HashSet<_> = gold.iter().map(|&s| key(s)).collect();
                for (sum, more) in
                    score
                        .iter_mut()
                        .zip([ours.intersection(&gold).count(), ours.len(), gold.len()])
                {
                    *sum += more;
                }
            }
        }
        let [ends, beginnings, spans] = scores.map(|[hits, ours, gold]| {
            let (precision, recall) = (hits as f64 / ours as f64, hits as f64 / gold as f64);
            (
                precision,
                recall,
                2.0 * precision * recall / (precision + recall),
            )
        });
        println!(
            "{name}: ends precision {:.3} recall {:.3} F1 {:.3}",
            ends.0, ends.1, ends.2
        );
        println!(
            "{name}: beginnings F1 {:.3}, whole spans F1 {:.3}",
            beginnings.2, spans.2
        );
        assert!(ends.0 >= 0.983 && ends.2 >= 0.975, "{name} {ends:?}");
    }
}

fn trimmed(chars: &[char], annotation: &Value) -> Span {
    let at = |name: &str| annotation[name].as_u64().unwrap() as usize;
    let (mut start, mut end) = (at("start"), at("end"));
    while start < end && chars[start].is_whitespace() {
        start += 1;
    }
    while start < end && chars[end - 1].is_whitespace() {
        end -= 1;
    }
    (start, end)
}
