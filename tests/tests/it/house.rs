//! The house rules, applied to this repository.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use lexforge_domain::api::commands;
use lexforge_tests::house::files::skips_by_itself;
use lexforge_tests::house::{circles, dependencies, rooms, sources};
use lexforge_tests::repository::{files as tracked, root};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::process::Command;

pub(crate) fn metadata() -> Metadata {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(version.stdout).unwrap();
    let host = text
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--filter-platform".into(), host.into()])
        .exec()
        .unwrap()
}

pub(crate) fn files_or_skip() -> Vec<String> {
    tracked().unwrap_or_else(|| {
        lexforge_needs::unavailable("this is no git checkout");
        Vec::new()
    })
}

#[track_caller]
pub(crate) fn none(what: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{what}:\n  {}", breaches.join("\n  "));
}

/// Rust files of one package with their text. Packages may lie inside each other's folders, so only the usual places
/// are looked into.
fn rust_files(package: &Package, places: &[&str]) -> Vec<(String, String)> {
    let folder = package
        .manifest_path
        .parent()
        .unwrap()
        .strip_prefix(root().to_str().unwrap())
        .unwrap()
        .to_string();
    files_or_skip()
        .into_iter()
        .filter(|file| file.ends_with(".rs"))
        .filter(|file| {
            places
                .iter()
                .any(|place| file.starts_with(&format!("{folder}/{place}")))
        })
        .map(|file| {
            (
                file.clone(),
                fs::read_to_string(root().join(&file)).unwrap(),
            )
        })
        .collect()
}

const SHIPPED: &[&str] = &["src/", "build.rs"];
const ALL: &[&str] = &["src/", "build.rs", "tests/", "benches/", "examples/"];

/// The files of a package that are compiled into the product, with their text.
pub(crate) fn shipped_texts(package: &Package) -> Vec<(String, String)> {
    let files = rust_files(package, SHIPPED);
    let for_tests: Vec<String> = files
        .iter()
        .filter(|(_, text)| sources::may_have_test_modules(text))
        .flat_map(|(file, text)| {
            let folder = sources::folder_of_modules(file);
            let modules = names_in(file, text).test_modules.into_iter();
            modules.map(move |module| format!("{folder}/{module}"))
        })
        .collect();
    files
        .into_iter()
        .filter(|(file, _)| {
            !for_tests.iter().any(|module| {
                *file == format!("{module}.rs") || file.starts_with(&format!("{module}/"))
            })
        })
        .collect()
}

fn names_in(file: &str, text: &str) -> sources::Names {
    sources::names(text).unwrap_or_else(|problem| panic!("{file}: {problem}"))
}

/// What these files name, with their text.
fn shipped(package: &Package) -> Vec<(String, String, sources::Names)> {
    let read = |(file, text): (String, String)| {
        let names = names_in(&file, &text);
        (file, text, names)
    };
    shipped_texts(package).into_iter().map(read).collect()
}

fn package<'a>(metadata: &'a Metadata, name: &str) -> &'a Package {
    metadata
        .workspace_packages()
        .into_iter()
        .find(|p| p.name.as_str() == name)
        .unwrap_or_else(|| panic!("no package {name}"))
}

#[test]
fn dependencies_run_one_way() {
    let metadata = metadata();
    let name_of: HashMap<_, _> = metadata
        .packages
        .iter()
        .map(|p| (&p.id, p.name.to_string()))
        .collect();
    let mut arrows = rooms::Arrows::new();
    for node in &metadata.resolve.as_ref().unwrap().nodes {
        let targets = arrows.entry(name_of[&node.id].clone()).or_default();
        for dependency in &node.deps {
            if dependency
                .dep_kinds
                .iter()
                .any(|kind| kind.kind != DependencyKind::Development)
            {
                targets.insert(name_of[&dependency.pkg].clone());
            }
        }
    }
    let ours: BTreeSet<String> = metadata
        .workspace_packages()
        .iter()
        .map(|p| p.name.to_string())
        .collect();
    assert!(
        ours.contains("lexforge-engine") && arrows["lexforge-models"].contains("tch"),
        "the metadata was not read"
    );
    none(
        "arrows that the plan does not have",
        &rooms::forbidden_arrows(&arrows, &ours),
    );
    none("ways that must not exist", &rooms::forbidden_ways(&arrows));
}

/// The engine's modules are in one order: each uses only those before it.
#[test]
fn arrows_inside_the_engine_run_one_way() {
    let metadata = metadata();
    let files = shipped_texts(package(&metadata, "lexforge-engine"));
    let arrows = circles::arrows(&files).unwrap();
    let named = |from: &str, to: &str| {
        arrows.iter().any(|(file, to_all)| {
            file.ends_with(from) && to_all.keys().any(|target| target.ends_with(to))
        })
    };
    assert!(
        named("main_job/job.rs", "workspace/watcher.rs"),
        "the arrows were not found"
    );
    none(
        "arrows against the order of the rooms",
        &circles::against_order(&files, &arrows, &rooms::ENGINE),
    );
}

#[test]
fn rooms_keep_to_their_business() {
    const IO: &[&str] = &["std::fs", "std::net", "std::process", "std::env", "std::io"];
    const NET: &[&str] = &["std::net"];
    const PRINT: &[&str] = &["println", "print", "eprintln", "eprint"];
    let rules: [(&str, &[&str], &[&str]); 9] = [
        ("lexforge-domain", IO, PRINT),
        ("lexforge-evaluate", IO, PRINT),
        ("lexforge-graph", &["std::net", "std::process"], PRINT),
        ("lexforge-ingest", NET, PRINT),
        ("lexforge-parser", NET, &[]),
        ("lexforge-augment", &["std::fs"], PRINT),
        ("lexforge-store", NET, PRINT),
        ("lexforge-engine", NET, PRINT),
        ("lexforge-compute", &[], PRINT),
    ];
    let metadata = metadata();
    let mut breaches = Vec::new();
    for (room, modules, macros) in rules {
        for (file, _, names) in shipped(package(&metadata, room)) {
            let named = sources::forbidden_modules(&names, modules);
            breaches.extend(named.iter().map(|module| format!("{file} names {module}")));
            let called = sources::forbidden_macros(&names, macros);
            breaches.extend(called.iter().map(|name| format!("{file} calls {name}!")));
        }
    }
    none("rooms that do what they must never do", &breaches);
}

/// A crate is read from the bottom up: no file leads back to itself through what it names.
#[test]
fn no_files_of_a_crate_lie_in_a_circle() {
    let metadata = metadata();
    let mut breaches = Vec::new();
    for package in metadata.workspace_packages() {
        let files = shipped_texts(package);
        for circle in circles::circles(&files).unwrap_or_else(|problem| panic!("{problem}")) {
            breaches.push(format!(
                "{}:\n    {}",
                circle.files.join(", "),
                circle.arrows.join("\n    ")
            ));
        }
    }
    none("circles of files", &breaches);
}

/// Other people's text reaches the terminal through one file, which makes its control characters visible.
#[test]
fn the_command_line_prints_in_one_place() {
    let metadata = metadata();
    let mut breaches = Vec::new();
    for (file, text, names) in shipped(package(&metadata, "lexforge-cli")) {
        if file.ends_with("/output.rs") {
            continue;
        }
        let called =
            sources::forbidden_macros(&names, &["println", "print", "eprintln", "eprint", "dbg"]);
        breaches.extend(called.iter().map(|name| format!("{file} calls {name}!")));
        // The line on which progress is shown is rewritten in place.
        if !file.ends_with("/terminal.rs")
            && (text.contains("stdout()") || text.contains("stderr().lock()"))
        {
            breaches.push(format!("{file} writes to the terminal itself"));
        }
    }
    none("places that print beside `output.rs`", &breaches);
}

/// Only one crate decides what an ideograph is. Two other places have their own ranges, for good reasons: every
/// workspace stores how the words of its search index were split, and one reader skips common characters quickly.
#[test]
fn scripts_are_told_apart_in_the_text_room_alone() {
    const ELSEWHERE: [&str; 2] = ["store/src/words.rs", "parser/src/reader/compare.rs"];
    let metadata = metadata();
    let mut breaches = Vec::new();
    for package in metadata
        .workspace_packages()
        .into_iter()
        .filter(|p| p.name.as_str() != "lexforge-text")
    {
        for (file, text) in shipped_texts(package) {
            let own = text
                .lines()
                .filter(|line| sources::ranges_over_a_script(line));
            if !ELSEWHERE.iter().any(|place| file.ends_with(place)) && !file.starts_with("tests/") {
                breaches.extend(own.map(|line| format!("{file}: {}", line.trim())));
            }
        }
    }
    none("ranges of scripts outside the text room", &breaches);
}

/// Terminal commands are named only by the command line, because messages of the other crates are also shown in the
/// window of the desktop application. One exception: a report names the command with which an auditor checks it.
#[test]
fn commands_are_worded_by_the_command_line_alone() {
    let metadata = metadata();
    let rooms = metadata.workspace_packages().into_iter().filter(|package| {
        ![
            "lexforge-cli",
            "lexforge-parser",
            "lexforge-models",
            "xtask",
            "lexforge-tests",
            "lexforge-needs",
        ]
        .contains(&package.name.as_str())
    });
    let mut breaches = Vec::new();
    for package in rooms {
        for (file, text) in shipped_texts(package) {
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let said = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            breaches.extend(
                said.filter(|line| sources::names_a_command(line))
                    .map(|line| format!("{file}: {}", line.trim())),
            );
        }
    }
    for language in ["en", "zh"] {
        let file = format!("ui/locales/{language}.json");
        let words = fs::read_to_string(root().join(&file)).unwrap();
        let commands = words.lines().filter(|line| sources::names_a_command(line));
        breaches.extend(commands.map(|line| format!("{file}: {}", line.trim())));
    }
    breaches.retain(|breach| !breach.contains("evaluate/src/report/provenance.rs"));
    none("commands outside the command line", &breaches);
}

/// Tables for spreadsheets are written in one place, which takes care of formulas.
#[test]
fn tables_are_written_in_one_place() {
    let metadata = metadata();
    let mut breaches = Vec::new();
    for package in metadata.workspace_packages() {
        for (file, text) in shipped_texts(package) {
            let writes = ["csv::Writer", "WriterBuilder"]
                .iter()
                .any(|name| text.contains(name));
            if writes && !file.ends_with("ingest/src/sheet.rs") {
                breaches.push(format!("{file} writes a table itself"));
            }
        }
    }
    none("tables", &breaches);
}

/// Tests report missing things only through `lexforge-needs`, which counts them at the end of the run.
#[test]
fn tests_say_in_one_place_what_they_miss() {
    let breaches: Vec<String> = files_or_skip()
        .into_iter()
        .filter(|file| file.ends_with(".rs") && !file.starts_with("tests/needs/"))
        // Programs that may print and end.
        .filter(|file| !file.contains("/examples/"))
        .filter(|file| fs::read_to_string(root().join(file)).is_ok_and(|t| skips_by_itself(&t)))
        .collect();
    none("tests that skip by themselves", &breaches);
}

#[test]
fn every_crate_forbids_unsafe_and_tells_its_story() {
    let mut breaches = Vec::new();
    for package in metadata().workspace_packages() {
        let manifest = fs::read_to_string(&package.manifest_path).unwrap();
        if !manifest
            .replace(' ', "")
            .contains("[lints]\nworkspace=true")
        {
            breaches.push(format!(
                "{} does not take the workspace's lints",
                package.name
            ));
        }
        for target in package.targets.iter().filter(|t| t.is_lib() || t.is_bin()) {
            let text = fs::read_to_string(&target.src_path).unwrap();
            let names = sources::names(&text).unwrap();
            // libtorch and SQLCipher are spoken to by addresses.
            let speaks_to_c = ["lexforge-cipher", "lexforge-models"];
            if !speaks_to_c.contains(&package.name.as_str()) && !sources::forbids_unsafe(&names) {
                breaches.push(format!("{} does not forbid unsafe code", target.src_path));
            }
            if !sources::tells_its_story(&text) {
                breaches.push(format!(
                    "{} does not begin with what it is",
                    target.src_path
                ));
            }
        }
        for (file, text) in shipped_texts(package) {
            if !sources::tells_its_story(&text) {
                breaches.push(format!("{file} does not begin with what it is"));
            }
        }
    }
    none("crates", &breaches);
}

#[test]
fn the_page_has_no_inline_styles() {
    let metadata = metadata();
    let breaches: Vec<String> = shipped(package(&metadata, "lexforge-ui"))
        .into_iter()
        .filter(|(_, _, names)| sources::has_style_attribute(names))
        .map(|(file, ..)| file)
        .collect();
    none(
        "style attributes, which the content security policy refuses",
        &breaches,
    );
}

/// The compiler ensures that the shell answers every command and that the page calls only existing commands. This test
/// checks that each command is used, that no code calls the shell without the table, and that the scripts of the
/// window's tests use its names, too.
#[test]
fn page_and_shell_speak_by_the_table_of_commands() {
    let metadata = metadata();
    let table = commands::Request::NAMES.concat();
    let page = shipped(package(&metadata, "lexforge-ui"));
    let asked = |name: &&str| {
        page.iter()
            .any(|(_, text, _)| text.contains(&format!("commands::{name} {{")))
    };
    let mut breaches: Vec<String> = table
        .iter()
        .filter(|name| !asked(name))
        .map(|name| format!("the page never asks {name}"))
        .collect();
    for (file, text, names) in &page {
        let by_hand =
            text.contains("\"invoke\"") || !sources::forbidden_macros(names, &["json"]).is_empty();
        if by_hand && !file.ends_with("/backend/invoke.rs") {
            breaches.push(format!("{file} asks the shell by itself"));
        }
    }
    for (file, _, names) in shipped(package(&metadata, "lexforge-app")) {
        let others = sources::forbidden_macros(&names, &["generate_handler"]);
        breaches.extend(
            others
                .iter()
                .map(|name| format!("{file} answers by {name}!")),
        );
    }
    for (file, text) in rust_files(package(&metadata, "lexforge-tests"), &["tests/it/window/"]) {
        for name in sources::called_in_scripts(&text).filter(|name| !table.contains(name)) {
            breaches.push(format!("{file} calls {name}, which is no command"));
        }
    }
    none("commands", &breaches);
}

#[test]
fn every_dependency_is_used() {
    let mut breaches = Vec::new();
    for package in metadata().workspace_packages() {
        for (kind, places) in [
            (DependencyKind::Normal, SHIPPED),
            (DependencyKind::Build, &["build.rs"][..]),
            (DependencyKind::Development, ALL),
        ] {
            let texts: Vec<String> = rust_files(package, places)
                .into_iter()
                .map(|(_, text)| text)
                .collect();
            if texts.is_empty() {
                continue;
            }
            let named = package.dependencies.iter().filter(|d| d.kind == kind);
            let names = named.map(|d| d.rename.as_deref().unwrap_or(&d.name));
            breaches.extend(
                dependencies::unused(names, &texts)
                    .iter()
                    .map(|name| format!("{}: {name}", package.name)),
            );
        }
    }
    none("dependencies that no source names", &breaches);
}

#[test]
fn every_licence_can_be_carried() {
    let breaches: Vec<String> = metadata()
        .packages
        .iter()
        .filter(|p| !dependencies::may_carry(p.license.as_deref().unwrap_or("none")))
        .map(|p| {
            format!(
                "{} {}: {}",
                p.name,
                p.version,
                p.license.as_deref().unwrap_or("none")
            )
        })
        .collect();
    none("licences", &breaches);
}

#[test]
fn the_architecture_page_names_every_crate() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap_or_default();
    let breaches: Vec<String> = metadata()
        .workspace_packages()
        .iter()
        .map(|package| {
            package
                .manifest_path
                .parent()
                .unwrap()
                .strip_prefix(root().to_str().unwrap())
                .unwrap()
                .to_string()
        })
        .filter(|folder| !page.contains(&format!("`{folder}`")))
        .collect();
    none(
        "crates that ARCHITECTURE.md does not name by their folder",
        &breaches,
    );
}
