//! House rules for what pages and manifests list: what is named there is there.

use lexforge_tests::repository::{files, root};
use std::collections::BTreeSet;
use std::fs;

/// Contents of all tracked files that end so.
fn texts(ending: &str) -> Vec<String> {
    let tracked = files().unwrap_or_else(|| {
        lexforge_needs::unavailable("this is no git checkout");
        Vec::new()
    });
    let wanted = tracked.into_iter().filter(|file| file.ends_with(ending));
    wanted
        .map(|file| fs::read_to_string(root().join(file)).unwrap())
        .collect()
}

/// The texts between backticks that have the form of a test's name: lower-case words with at least three underscores.
fn tests_named(page: &str) -> BTreeSet<&str> {
    let is_test = |name: &&str| {
        let sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        name.chars().all(sign) && name.matches('_').count() >= 3
    };
    // The odd parts stand between two backticks.
    page.split('`').skip(1).step_by(2).filter(is_test).collect()
}

/// A reviewer who looks for the test behind a promise finds it.
#[test]
fn tests_that_the_security_page_names_are_there() {
    let page = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let named = tests_named(&page);
    assert!(named.len() > 100, "only {} are named", named.len());
    let sources = texts(".rs");
    if sources.is_empty() {
        return;
    }
    let is_there = |name: &str| {
        let begins = format!("fn {name}(");
        sources.iter().any(|text| text.contains(&begins))
    };
    let missing: Vec<&str> = named.into_iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// A dependency that no crate uses disturbs nobody, and is forgotten when the others are reviewed.
#[test]
fn each_dependency_of_the_workspace_is_taken_up() {
    let all = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, list) = all.split_once("[workspace.dependencies]").unwrap();
    let list = list.split("\n[").next().unwrap();
    let names = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once(" = ")?.0));
    let manifests = texts("/Cargo.toml");
    if manifests.is_empty() {
        return;
    }
    let taken = |name: &str| {
        let ways = [
            format!("\n{name}.workspace"),
            format!("\n{name} = {{ workspace"),
            format!("dependencies.{name}]"),
        ];
        let takes = |text: &String| ways.iter().any(|way| text.contains(way));
        manifests.iter().any(takes)
    };
    let unused: Vec<&str> = names.filter(|name| !taken(name)).collect();
    assert!(unused.is_empty(), "{unused:#?}");
}
