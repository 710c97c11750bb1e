//! What axe-core finds on a screen: roles, names, states, focus, headings, colours, by the rules of WCAG 2.2 A and AA.
//! `tools/setup` fetches it; it is a part of the tests and of nothing that is shipped.

use crate::window::driver::Window;
use serde_json::Value;
use std::path::Path;
use std::sync::LazyLock;

const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.deps/axe/axe.min.js");
/// The program of axe-core; none where it was not fetched.
static PROGRAM: LazyLock<Option<String>> = LazyLock::new(|| {
    let program = std::fs::read_to_string(Path::new(PLACE)).ok();
    if program.is_none() {
        lexforge_needs::unavailable("axe-core, which tools/setup fetches");
    }
    program
});
/// Each rule that is broken, with the first of the elements that break it.
const BROKEN: &str = r"
    const found = await window.axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        resultTypes: ['violations'],
    });
    return found.violations.map(rule => `${rule.id} (${rule.impact}, ${rule.nodes.length}): ${rule.help}: `
        + rule.nodes.slice(0, 3).map(n => `${n.html.slice(0, 160)} [${n.any.concat(n.all, n.none).map(c => c.message).join('; ').slice(0, 200)}]`).join(' | '));
";

/// Fails if a rule is broken on what the window shows now.
pub async fn nothing_is_broken(window: &Window, screen: &str) {
    let Some(program) = PROGRAM.as_ref() else {
        return;
    };
    if window.ask("return !window.axe").await == true {
        window.run(program).await;
    }
    let broken = window.ask(BROKEN).await;
    let broken: Vec<&str> = broken
        .as_array()
        .map(|all| all.iter().filter_map(Value::as_str).collect())
        .unwrap_or_else(|| panic!("{screen}: axe-core says {broken}"));
    assert!(broken.is_empty(), "{screen}:\n{}", broken.join("\n"));
}
