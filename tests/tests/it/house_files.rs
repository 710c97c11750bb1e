//! House rules for the files of this repository: where they lie, how long they are, and what must not be in them.

use crate::house::{files_or_skip, metadata, none, shipped_texts};
use lexforge_tests::house::{examples, files};
use lexforge_tests::repository::{data, root};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[test]
fn the_top_level_is_the_plan() {
    let all = files_or_skip();
    none(
        "entries of the top level",
        &files::strangers(all.iter().map(String::as_str)),
    );
}

#[test]
fn long_files_say_why() {
    let breaches: Vec<String> = files_or_skip()
        .into_iter()
        .filter(|file| {
            [".rs", ".py", ".js", ".css", ".cpp"]
                .iter()
                .any(|ending| file.ends_with(ending))
        })
        .filter(|file| !files::by_others(file))
        .filter(|file| {
            fs::read_to_string(root().join(file)).is_ok_and(|text| files::too_long(&text))
        })
        .collect();
    none(
        "files of more than 500 lines without `One file because …` in their first comment",
        &breaches,
    );
}

/// Each long file of the product has its reason on one page, and no other file stands there.
#[test]
fn the_list_of_long_files_is_true() {
    let metadata = metadata();
    let mut long = Vec::new();
    for package in metadata.workspace_packages() {
        for (file, text) in shipped_texts(package) {
            let is_product = ["src-tauri/", "models/", "ui/"]
                .iter()
                .any(|folder| file.starts_with(folder));
            if is_product && text.lines().count() > files::LONG {
                long.push(file);
            }
        }
    }
    if long.is_empty() {
        return;
    }
    let page = fs::read_to_string(root().join("docs/long-files.md")).unwrap();
    let long: BTreeSet<&str> = long.iter().map(String::as_str).collect();
    none(
        "the list of long files (docs/long-files.md)",
        &files::wrongly_listed(&page, &long),
    );
}

/// Lines of a view in which the button that leaves comes after the one that acts.
fn acts_first(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines
        .windows(2)
        .filter(|pair| pair[0].contains("<button class=\"btn primary"))
        .filter(|pair| pair[1].contains("t(\"action.cancel\")"))
        .map(|pair| pair[1].trim())
        .collect()
}

/// Dialogs and forms have one order: first what changes nothing, then what acts.
#[test]
fn the_button_that_acts_stands_last() {
    let leave = "<button class=\"btn\">{t(\"action.cancel\")}</button>";
    let act = "<button class=\"btn primary\">{t(\"form.keep\")}</button>";
    assert_eq!(acts_first(&format!("{act}\n{leave}")), [leave]);
    assert!(acts_first(&format!("{leave}\n{act}")).is_empty());
    let mut breaches = Vec::new();
    for file in files_or_skip() {
        if file.starts_with("ui/src/") && file.ends_with(".rs") {
            let text = fs::read_to_string(root().join(&file)).unwrap();
            breaches.extend(
                acts_first(&text)
                    .iter()
                    .map(|line| format!("{file}: {line}")),
            );
        }
    }
    none(
        "forms whose last button is not the one that acts",
        &breaches,
    );
}

#[test]
fn files_are_fit_for_everybody() {
    let mut breaches = Vec::new();
    for file in files_or_skip() {
        let path = root().join(&file);
        breaches.extend(files::unfit(&file, fs::metadata(&path).unwrap().len()));
        if let Ok(text) = fs::read_to_string(&path) {
            breaches.extend(
                files::forbidden_content(&text)
                    .iter()
                    .map(|found| format!("{file}: {found}")),
            );
        }
    }
    none("files", &breaches);
}

/// `tools/test` has no step that compiles examples in documentation, because there are none. The programs in folders of
/// examples are compiled as programs, and what they say about themselves is no example.
#[test]
fn no_example_in_the_documentation_would_be_compiled() {
    let mut breaches = Vec::new();
    for file in files_or_skip() {
        if !file.ends_with(".rs") || file.contains("/examples/") {
            continue;
        }
        let text = fs::read_to_string(root().join(&file)).unwrap();
        let lines = examples::without_language(&text);
        breaches.extend(lines.iter().map(|line| format!("{file}:{line}")));
    }
    none(
        "code blocks of the documentation without a language such as text, json or toml: rustdoc would compile them, and \
         tools/test has no step that compiles examples",
        &breaches,
    );
}

/// The real data may be used for evaluation only: no file of it may be in the repository.
#[test]
fn no_file_of_the_real_data_is_committed() {
    let Some(folder) = data("") else { return };
    let mut ours: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for file in files_or_skip() {
        let bytes = fs::metadata(root().join(&file)).unwrap().len();
        if bytes > 200 {
            ours.entry(bytes).or_default().push(file);
        }
    }
    let mut breaches = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(same_size) = entry.metadata().ok().and_then(|m| ours.get(&m.len())) {
                let theirs = hash(&path);
                breaches.extend(
                    same_size
                        .iter()
                        .filter(|f| hash(&root().join(f)) == theirs)
                        .cloned(),
                );
            }
        }
    }
    none("files that are copies of the real data", &breaches);
}

fn hash(path: &Path) -> String {
    hex::encode(Sha256::digest(fs::read(path).unwrap()))
}
