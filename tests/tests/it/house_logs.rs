//! House rule: what may stand in a log.

use crate::house::{metadata, none, shipped_texts};
use lexforge_tests::house::logged;

/// A line of a log is a fixed sentence with values by known names, so that no text of a document comes into one.
#[test]
fn logs_hold_fixed_sentences_and_known_values() {
    let metadata = metadata();
    let (mut lines, mut breaches) = (0, Vec::new());
    for package in metadata.workspace_packages() {
        if !package.dependencies.iter().any(|d| d.name == "tracing") {
            continue;
        }
        for (file, text) in shipped_texts(package) {
            let found = logged::logged(&text, &lexforge_log::line::FIELDS)
                .unwrap_or_else(|problem| panic!("{file}: {problem}"));
            lines += found.lines;
            breaches.extend(found.problems.iter().map(|what| format!("{file}: {what}")));
        }
    }
    assert!(lines > 20, "the lines were not found: {lines}");
    none("lines of logs that could hold content", &breaches);
}
