//! The files of the repository: where they lie, how long they are, what they must not contain.

use std::collections::{BTreeMap, BTreeSet};

/// The top level: the packages, and the files that tools look for there.
const TOP_LEVEL: [&str; 15] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "Makefile",
    "README.md",
    "deny.toml",
    "docs",
    "models",
    "src-tauri",
    "tauri.conf.json",
    "tests",
    "tools",
    "ui",
];

/// Entries of the top level that the plan does not have. Dot files are free.
pub fn strangers<'a>(files: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = files
        .into_iter()
        .map(|file| file.split('/').next().unwrap_or(file))
        .filter(|top| !top.starts_with('.') && !TOP_LEVEL.contains(top))
        .map(str::to_owned)
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Where crates of others lie that were changed. They keep their authors' form, and are licensed as these said.
const PATCHED: &str = "src-tauri/patched/";

/// Whether a file was written by others, and only changed here.
pub fn by_others(file: &str) -> bool {
    file.starts_with(PATCHED) && file.ends_with(".rs")
}

/// Lines above which a source file has to say why it is one file.
pub const MANY_LINES: usize = 500;

/// Whether a file is too long without a reason. The reason stands in the comment at its top: `One file because …`.
pub fn too_long(text: &str) -> bool {
    let head: String = text
        .lines()
        .take_while(|l| is_comment(l) || l.trim().is_empty())
        .collect();
    text.lines().count() > MANY_LINES && !head.contains("One file because ")
}

/// Lines above which a file of the product stands in the list of long files.
pub const LONG: usize = 400;

/// The rows of the list of long files: the file, and why it is one.
pub fn listed(page: &str) -> BTreeMap<&str, &str> {
    page.lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .map(|(file, why)| (file, why.trim_end_matches(['|', ' '])))
        .collect()
}

/// What is wrong with the page's list of long files: long files that it lacks, files that are not long, and reasons
/// that say nothing or too much.
pub fn wrongly_listed(page: &str, long: &BTreeSet<&str>) -> Vec<String> {
    let listed = listed(page);
    let missing = long.iter().filter(|file| !listed.contains_key(**file));
    let mut wrong: Vec<String> = missing.map(|file| format!("{file} is missing")).collect();
    for (file, why) in listed {
        if !long.contains(file) {
            wrong.push(format!("{file} is not long"));
        }
        if !(3..=12).contains(&why.split_whitespace().count()) {
            wrong.push(format!("{file}: a reason has three to twelve words: {why}"));
        }
    }
    wrong
}

/// Whether a test prints a line and returns, so that nobody counts what it did not test.
pub fn skips_by_itself(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let prints = |line: &str| {
        // With a backslash it stands in the text of another program.
        let said = line.trim_start_matches('e').strip_prefix("println!(");
        said.is_some_and(|said| !said.starts_with('\\')) && line.ends_with(");")
    };
    let returns = |line: &str| ["return;", "return Ok(());"].contains(&line);
    text.contains("println!(\"skipped")
        || lines
            .windows(2)
            .any(|pair| prints(pair[0]) && returns(pair[1]))
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "/*", "*", "\"\"\""]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Text that must not be in a file, each with a description: paths of somebody's own machine, unfinished work. The
/// parts are joined here so that this file does not contain the text itself.
fn forbidden_text() -> Vec<(String, &'static str)> {
    let folder = |name: &str| format!("/{name}/");
    vec![
        (folder("home"), "a home folder"),
        (folder("root"), "a home folder"),
        (folder("Users"), "a home folder"),
        (folder("work"), "a folder of one machine"),
        (folder("tmp/w"), "a folder of one machine"),
        (["TO", "DO"].concat(), "work left undone"),
        (["FIX", "ME"].concat(), "work left undone"),
    ]
}

/// The forbidden texts that a file contains.
pub fn forbidden_content(text: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (pattern, what) in forbidden_text() {
            let is_there = line.match_indices(&pattern).any(|(at, _)| {
                let (before, after) = (line[..at].chars().next_back(), &line[at + pattern.len()..]);
                // `a/work/b` is a relative path.
                let begins = !before.is_some_and(|c| c.is_alphanumeric() || "._-})~".contains(c));
                let name = after.len()
                    - after
                        .trim_start_matches(|c: char| c.is_alphanumeric() || "._-".contains(c))
                        .len();
                match what {
                    // A path into somebody's home; the bare folder of a made-up user is none.
                    "a home folder" => begins && after[name..].starts_with('/'),
                    "work left undone" => begins && name == 0,
                    _ => begins,
                }
            });
            if is_there {
                breaches.push(format!("line {}: {what} ({pattern})", number + 1));
            }
        }
    }
    breaches
}

/// Largest file that belongs into the repository, in bytes.
pub const LARGEST: u64 = 2_000_000;
/// The one file that may be larger: the weights of the decoder that comes with the product.
const DEMO_WEIGHTS: (&str, u64) = ("models/demo/model.safetensors", 12_000_000);

/// Why a file may not be committed: a format that runs code when it is read, or its size.
pub fn unfit(name: &str, bytes: u64) -> Option<String> {
    let ending = name.rsplit('.').next().unwrap_or_default();
    if ["pkl", "pickle", "pt", "pth", "ckpt", "joblib", "npy"].contains(&ending) {
        return Some(format!("{name}: a pickle can run code when it is read"));
    }
    let largest = if name == DEMO_WEIGHTS.0 {
        DEMO_WEIGHTS.1
    } else {
        LARGEST
    };
    (bytes > largest).then(|| format!("{name}: {bytes} bytes"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_prints_and_returns_skips_by_itself() {
        for (lines, expected) in [
            (["println!(\"no such disk\");", "return;"], true),
            (["    eprintln!(\"{why}\");", "    return Ok(());"], true),
            (["println!(\\\"eng\\\");", "return;"], false),
            (
                ["lexforge_needs::unavailable(\"a disk\");", "return;"],
                false,
            ),
            (
                ["println!(\"it took {seconds} s\");", "assert!(true);"],
                false,
            ),
        ] {
            assert_eq!(skips_by_itself(&lines.join("\n")), expected, "{lines:?}");
        }
        assert!(skips_by_itself("eprintln!(\"skipped: no disk\");"));
    }

    #[test]
    fn strangers_at_the_top_are_named() {
        assert_eq!(
            strangers(["Cargo.toml", "ui/src/lib.rs", ".ci/run", ".gitignore"]),
            [""; 0]
        );
        assert_eq!(
            strangers(["samples/a.pdf", "samples/b.pdf", "notes.txt"]),
            ["notes.txt", "samples"]
        );
    }

    #[test]
    fn only_sources_of_patched_crates_are_by_others() {
        assert!(by_others("src-tauri/patched/some-crate/src/lib.rs"));
        assert!(!by_others("src-tauri/patched/some-crate/README.md"));
        assert!(!by_others("src-tauri/crates/parser/src/lib.rs"));
    }

    #[test]
    fn long_files_need_a_reason() {
        let body = "fn f() {}\n".repeat(MANY_LINES);
        assert!(!too_long(&body));
        assert!(too_long(&format!("//! Types.\n{body}")));
        assert!(!too_long(&format!(
            "//! Types. One file because they are one contract.\n{body}"
        )));
        assert!(too_long(&format!(
            "use a;\n{body}// One file because I say so at the end.\n"
        )));
    }

    #[test]
    fn the_list_of_long_files_is_compared_with_them() {
        let page = "| file | why |\n|---|---|\n| `a.rs` | one state of all |\n| `b.rs` | it is |\n";
        assert_eq!(listed(page)["a.rs"], "one state of all");
        let wrong = wrongly_listed(page, &BTreeSet::from(["b.rs", "c.rs"]));
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert!(wrong[0].starts_with("c.rs") && wrong[1].starts_with("a.rs"));
        assert!(wrong[2].starts_with("b.rs: a reason"));
        let good = page.replace("it is", "it is one pass");
        assert!(wrongly_listed(&good, &BTreeSet::from(["a.rs", "b.rs"])).is_empty());
    }

    #[test]
    fn own_machines_and_unfinished_work_are_found() {
        let found = |text: &str| forbidden_content(text).len();
        assert_eq!(found(&["let p = \"/", "home/me/x\";"].concat()), 1);
        assert_eq!(found(&["// TO", "DO: later"].concat()), 1);
        assert_eq!(found("${HOME}/work/x and ~/work/y and src/work/z"), 0);
        assert_eq!(found(&["check(\"/", "home/x\")"].concat()), 0);
        assert_eq!(found(&["TO", "DOS is a word"].concat()), 0);
    }

    #[test]
    fn pickles_and_giants_are_refused() {
        assert!(unfit("tests/model.pkl", 10).is_some());
        assert!(unfit("docs/a.png", LARGEST + 1).is_some());
        assert!(unfit("docs/a.png", LARGEST).is_none());
        let (weights, most) = DEMO_WEIGHTS;
        assert!(unfit(weights, most).is_none() && unfit(weights, most + 1).is_some());
    }
}
