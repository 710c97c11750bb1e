//! Who may depend on whom.

use std::collections::{BTreeMap, BTreeSet};

/// Packages by name with the packages that they depend on (for building or running, not for their tests).
pub type Arrows = BTreeMap<String, BTreeSet<String>>;

const MIDDLE: [&str; 6] = [
    "lexforge-augment",
    "lexforge-compute",
    "lexforge-evaluate",
    "lexforge-graph",
    "lexforge-ingest",
    "lexforge-store",
];

/// Packages of the product that a package may name in its manifest; `None` for a package that the plan does not know.
fn allowed(package: &str) -> Option<Vec<&'static str>> {
    Some(match package {
        "lexforge-domain" | "lexforge-needs" | "lexforge-xtask" | "xtask" => vec![],
        "lexforge-files" | "lexforge-log" | "lexforge-text" => vec!["lexforge-domain"],
        "lexforge-ui" => vec!["lexforge-domain", "lexforge-text"],
        "lexforge-models" => vec![
            "lexforge-compute",
            "lexforge-domain",
            "lexforge-files",
            "lexforge-log",
            "lexforge-text",
        ],
        "lexforge-compute" => vec!["lexforge-domain", "lexforge-files", "lexforge-log"],
        "lexforge-engine" => [
            &MIDDLE[..],
            &[
                "lexforge-domain",
                "lexforge-files",
                "lexforge-log",
                "lexforge-text",
            ],
        ]
        .concat(),
        "lexforge-cli" | "lexforge-app" => vec!["lexforge-domain", "lexforge-engine"],
        // The parser runs in a process of its own, so programs that run for long never link it. It may not write
        // files, so it has no log.
        "lexforge-parser" => vec!["lexforge-domain", "lexforge-ingest", "lexforge-text"],
        "lexforge-hostile" => vec!["lexforge-needs"],
        "lexforge-tests" => vec!["lexforge-domain", "lexforge-needs"],
        "lexforge-cipher" => vec![],
        "lexforge-store" => vec!["lexforge-cipher", "lexforge-domain", "lexforge-text"],
        middle if MIDDLE.contains(&middle) => vec!["lexforge-domain", "lexforge-text"],
        _ => return None,
    })
}

/// The folders of the engine: each names only those before it.
pub const ENGINE: [&str; 18] = [
    "workspace",
    "installation",
    "models",
    "targets",
    "runs",
    "asking",
    "corpus",
    "review",
    "terms",
    "graph",
    "writing",
    "training",
    "evaluation",
    "answering",
    "matching",
    "engine",
    "main_job",
    "support",
];

/// What no way of dependencies may reach, and why. libtorch is met only through files, a process and HTTP.
const UNREACHABLE: [(&[&str], &[&str], &str); 6] = [
    (
        &[
            "lexforge-app",
            "lexforge-cli",
            "lexforge-engine",
            "lexforge-ingest",
        ],
        &[
            "lexforge-parser",
            "hayro",
            "pdf-extract",
            "pulldown-cmark",
            "zip",
        ],
        "the readers of documents",
    ),
    // Not asked of the shell: Tauri's macros read the page with it while the shell is compiled.
    (
        &["lexforge-cli", "lexforge-engine", "lexforge-ingest"],
        &["html5ever"],
        "the reader of HTML",
    ),
    (
        &["lexforge-app", "lexforge-cli", "lexforge-ui"],
        &["tch", "torch-sys", "lexforge-models"],
        "libtorch",
    ),
    (
        &[
            "lexforge-ingest",
            "lexforge-graph",
            "lexforge-evaluate",
            "lexforge-domain",
        ],
        &["rusqlite"],
        "the database",
    ),
    (
        &[
            "lexforge-ingest",
            "lexforge-graph",
            "lexforge-evaluate",
            "lexforge-domain",
            "lexforge-store",
        ],
        &[
            "reqwest",
            "hyper",
            "ureq",
            "curl",
            "isahc",
            "attohttpc",
            "rustls",
            "native-tls",
            "quinn",
            "ssh2",
            "russh",
        ],
        "the network",
    ),
    (
        &[
            "lexforge-domain",
            "lexforge-engine",
            "lexforge-cli",
            "lexforge-models",
            "lexforge-ingest",
            "lexforge-graph",
        ],
        &["tauri", "wry", "tao"],
        "the window's library",
    ),
];

/// Arrows between the product's packages (`ours`) that the plan does not have.
pub fn forbidden_arrows(arrows: &Arrows, ours: &BTreeSet<String>) -> Vec<String> {
    let mut breaches = Vec::new();
    for package in ours {
        let Some(allowed) = allowed(package) else {
            breaches.push(format!(
                "{package} has no place in the plan of the house (tests/src/house/rooms.rs)"
            ));
            continue;
        };
        for target in arrows.get(package).into_iter().flatten() {
            if ours.contains(target) && !allowed.contains(&target.as_str()) {
                breaches.push(format!("{package} depends on {target}"));
            }
        }
    }
    breaches
}

/// Ways, however long, from a package to another one that it must not reach.
pub fn forbidden_ways(arrows: &Arrows) -> Vec<String> {
    let mut breaches = Vec::new();
    for (rooms, targets, what) in UNREACHABLE {
        for room in rooms {
            for target in targets {
                if let Some(way) = way(arrows, room, target) {
                    breaches.push(format!("{room} must not reach {what}: {}", way.join(" → ")));
                }
            }
        }
    }
    breaches
}

/// A shortest way of dependencies from one package to another.
fn way(arrows: &Arrows, from: &str, to: &str) -> Option<Vec<String>> {
    let mut ways = std::collections::VecDeque::from([vec![from.to_owned()]]);
    let mut seen = BTreeSet::from([from.to_owned()]);
    while let Some(way) = ways.pop_front() {
        let end = way.last()?;
        if end == to {
            return Some(way);
        }
        for next in arrows.get(end).into_iter().flatten() {
            if seen.insert(next.clone()) {
                ways.push_back([way.clone(), vec![next.clone()]].concat());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(pairs: &[(&str, &str)]) -> (Arrows, BTreeSet<String>) {
        let mut arrows = Arrows::new();
        for (from, to) in pairs {
            arrows
                .entry((*from).into())
                .or_default()
                .insert((*to).into());
        }
        let ours = pairs
            .iter()
            .flat_map(|(a, b)| [a, b])
            .filter(|n| n.starts_with("lexforge"))
            .map(|n| (*n).into());
        (arrows.clone(), ours.collect())
    }

    fn check(pairs: &[(&str, &str)], breaches: usize) {
        let (arrows, ours) = arrows(pairs);
        assert_eq!(
            forbidden_arrows(&arrows, &ours).len(),
            breaches,
            "{pairs:?}"
        );
    }

    #[test]
    fn arrows_run_one_way() {
        check(
            &[
                ("lexforge-engine", "lexforge-store"),
                ("lexforge-store", "lexforge-domain"),
            ],
            0,
        );
        check(
            &[
                ("lexforge-cli", "lexforge-engine"),
                ("lexforge-cli", "clap"),
            ],
            0,
        );
        check(&[("lexforge-store", "lexforge-cipher")], 0);
        check(&[("lexforge-cipher", "lexforge-domain")], 1);
        check(&[("lexforge-graph", "lexforge-cipher")], 1);
        check(&[("lexforge-store", "lexforge-engine")], 1);
        check(&[("lexforge-domain", "lexforge-graph")], 1);
        check(&[("lexforge-cli", "lexforge-store")], 1);
        check(&[("lexforge-engine", "lexforge-models")], 1);
        check(&[("lexforge-new", "lexforge-domain")], 1);
    }

    #[test]
    fn a_long_way_to_libtorch_is_found() {
        let (far, _) = arrows(&[
            ("lexforge-app", "lexforge-engine"),
            ("lexforge-engine", "x"),
            ("x", "torch-sys"),
        ]);
        assert_eq!(
            forbidden_ways(&far),
            [
                "lexforge-app must not reach libtorch: lexforge-app → lexforge-engine → x → torch-sys"
            ]
        );
        let (near, _) = arrows(&[
            ("lexforge-models", "tch"),
            ("lexforge-app", "tauri"),
            ("lexforge-store", "rusqlite"),
        ]);
        assert_eq!(forbidden_ways(&near), Vec::<String>::new());
        let (net, _) = arrows(&[
            ("lexforge-graph", "a"),
            ("a", "hyper"),
            ("lexforge-ingest", "rusqlite"),
        ]);
        assert_eq!(forbidden_ways(&net).len(), 2);
    }
}
