//! House rule: every English message of the crates has a translation in the window's other language.

use lexforge_tests::house::{said, sources};
use lexforge_tests::repository::{files, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The folders of the crates whose messages reach the window.
const ROOMS: [&str; 13] = [
    "src-tauri/crates/domain/src/",
    "src-tauri/crates/text/src/",
    "src-tauri/crates/files/src/",
    "src-tauri/crates/ingest/src/",
    "src-tauri/crates/parser/src/",
    "src-tauri/crates/graph/src/",
    "src-tauri/crates/augment/src/",
    "src-tauri/crates/evaluate/src/",
    "src-tauri/crates/store/src/",
    "src-tauri/crates/compute/src/",
    "src-tauri/crates/engine/src/",
    "src-tauri/src/",
    "models/src/",
];

/// Files whose sentences are not told in the window, and why.
const ELSEWHERE: &[&str] = &[
    // Remedies are values that the page words.
    "domain/src/remedy.rs",
    // What the command line and the report of a run call the kinds of edges; the page has words of its own.
    "domain/src/edge.rs",
    // Prompts for models, and questions in the language of the document.
    "augment/src/chinese/",
    "augment/src/controls/",
    "augment/src/endpoint/check.rs",
    "augment/src/english/",
    "augment/src/keeps/",
    "augment/src/llm/",
    "augment/src/offline/",
    "augment/src/validate.rs",
    "engine/src/answering/examples.rs",
    "models/src/export/prompts.rs",
    // Words that are looked for in documents.
    "crates/text/",
    "engine/src/answering/excepted.rs",
    "engine/src/answering/quoting.rs",
    "engine/src/matching/alternatives.rs",
    "engine/src/matching/demands.rs",
    "ingest/src/addressed.rs",
    "ingest/src/terms/abbreviations.rs",
    "parser/src/about/",
    "parser/src/layout/printed.rs",
    "parser/src/reader/letter_pairs.rs",
    "parser/src/reader/quality.rs",
    // Pages have a translation file of their own (`evaluate/data/report.zh.json`) with a test of its own. The report of
    // a run and the card of an export are in English.
    "evaluate/src/report/",
    "models/src/export/card.rs",
    "engine/src/training/dataset_card.rs",
    "engine/src/support/readme.rs",
    // Programs of the command line, and the server that answers over HTTP.
    "models/src/command.rs",
    "models/src/serving/",
    "parser/src/main.rs",
    // Told by the operating system's dialogs, in both languages at once, or in the log.
    "src-tauri/src/main.rs",
    "src-tauri/src/page_ends.rs",
    "src-tauri/src/page_process.rs",
    // Texts of tests.
    "engine/src/review/fixture.rs",
];

/// Literals that look like sentences but are never shown: messages of other programs, formats, texts for models.
const TOLD_TO_NOBODY: &[&str] = &[
    "(1 OR :level OR :type OR :split OR :like)",
    "Answer with one of these sentences:",
    "Answer with one of these terms:",
    "Library not loaded",
    "MNR with distillation",
    "TF-IDF of character n-grams",
    "This sentence : \"{text}\" means in one word:\"",
    "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT",
    "a, b, cosine, spelling, score, place",
    "character n-gram LSA ({COUNTED})",
    "error while loading shared libraries",
    "id, created, corpus_hash, settings, stats, parent, record",
    "image not found",
    "memory allocation of",
    "sequence, time, actor, action, subject, reason, covers, payload, previous, hash",
    "table of figures",
    "words (English stemmed, stop words out), CJK bigrams, pairs of words at half weight, of bigrams at a tenth",
];

fn shipped() -> Vec<(String, String)> {
    let tracked = files().unwrap_or_else(|| {
        lexforge_needs::unavailable("this is no git checkout");
        Vec::new()
    });
    let of_rooms =
        |file: &String| file.ends_with(".rs") && ROOMS.iter().any(|room| file.starts_with(room));
    let texts: Vec<(String, String)> = tracked
        .into_iter()
        .filter(of_rooms)
        .map(|file| {
            let text = fs::read_to_string(root().join(&file)).unwrap();
            (file, text)
        })
        .collect();
    let for_tests: Vec<String> = texts
        .iter()
        .filter(|(_, text)| sources::may_have_test_modules(text))
        .flat_map(|(file, text)| {
            let modules = sources::names(text).unwrap().test_modules;
            let folder = sources::folder_of_modules(file);
            modules
                .into_iter()
                .map(move |module| format!("{folder}/{module}"))
        })
        .collect();
    let only_tested = |file: &str| {
        for_tests
            .iter()
            .any(|module| file == format!("{module}.rs") || file.starts_with(&format!("{module}/")))
    };
    texts
        .into_iter()
        .filter(|(file, _)| !only_tested(file))
        .collect()
}

/// Checks that the Chinese window shows no English message: each sentence of the crates has a translation, and each
/// translation belongs to a sentence.
#[test]
fn what_the_rooms_say_is_said_in_chinese_too() {
    let file = root().join("ui/locales/said.zh.json");
    let table: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let sources = shipped();
    if sources.is_empty() {
        return;
    }
    let translated: BTreeSet<String> = ["said", "words", "labels", "others"]
        .iter()
        .flat_map(|group| table[*group].keys())
        .map(|key| said::folded(key))
        .collect();
    let mut told = BTreeSet::new();
    let mut all = BTreeSet::new();
    let mut breaches = BTreeSet::new();
    for (file, text) in &sources {
        let found = said::literals(text).unwrap_or_else(|problem| panic!("{file}: {problem}"));
        all.extend(found.all.iter().map(|text| said::folded(text)));
        if ELSEWHERE.iter().any(|place| file.contains(place)) {
            continue;
        }
        for text in found.told {
            let folded = said::folded(&text);
            if !TOLD_TO_NOBODY.contains(&text.as_str()) && !translated.contains(&folded) {
                let line = serde_json::to_string(&text).unwrap();
                breaches.insert(format!("{file} says what has no translation: {line}"));
            }
            told.insert(folded);
        }
    }
    assert!(told.len() > 1000, "the sentences were not found");
    for (group, of_code) in [("said", &told), ("words", &all), ("labels", &all)] {
        let unused = table[group]
            .keys()
            .filter(|key| !of_code.contains(&said::folded(key)));
        breaches.extend(unused.map(|key| format!("said.zh.json has what nobody says: {key}")));
    }
    let breaches: Vec<String> = breaches.into_iter().collect();
    assert!(
        breaches.is_empty(),
        "translations (put them into ui/locales/said.zh.json):\n  {}",
        breaches.join("\n  ")
    );
}
