//! Tests of `keys_map`.

use super::*;
use crate::i18n::{Lang, speak};
use std::collections::BTreeSet;

/// The sources in which keys are heard, by the group that lists them.
const HEARD: [(Group, &[&str]); 6] = [
    (
        Group::Everywhere,
        &[
            include_str!("../../keys.rs"),
            include_str!("../chooser.rs"),
            include_str!("../dialog.rs"),
            include_str!("../grid.rs"),
            include_str!("../menu.rs"),
            include_str!("../tabs.rs"),
        ],
    ),
    (
        Group::Library,
        &[
            include_str!("../../screens/library/keys.rs"),
            include_str!("../../screens/library/sentences.rs"),
            include_str!("../../reading/state.rs"),
        ],
    ),
    (
        Group::Review,
        &[
            include_str!("../../review/keys.rs"),
            include_str!("../../review/bindings.rs"),
            include_str!("../../review/adjudicate.rs"),
            include_str!("../../review/conflicts.rs"),
            include_str!("../../review/edit.rs"),
        ],
    ),
    (
        Group::Graph,
        &[include_str!("../../screens/graph/stage.rs")],
    ),
    (
        Group::Ask,
        &[
            include_str!("../../screens/ask/keys.rs"),
            include_str!("../../screens/ask/question_box.rs"),
            include_str!("../../reading/state.rs"),
        ],
    ),
    (
        Group::Match,
        &[
            include_str!("../../screens/matching/keys.rs"),
            include_str!("../../screens/matching/remark.rs"),
            include_str!("../../reading/state.rs"),
        ],
    ),
];

/// What is written on a key that the browser names so. `None` for what is no key, and for keys that everybody knows to
/// do what another one does.
fn written_on(name: &str) -> Option<&str> {
    let letter = name.strip_prefix("Key").filter(|rest| rest.len() == 1);
    if letter.is_some_and(|letter| letter.chars().all(|c| c.is_ascii_uppercase())) {
        return letter;
    }
    match name {
        "ArrowUp" => Some("↑"),
        "ArrowDown" => Some("↓"),
        "ArrowLeft" => Some("←"),
        "ArrowRight" => Some("→"),
        "PageUp" => Some("PgUp"),
        "PageDown" => Some("PgDn"),
        "Enter" => Some("↵"),
        "Backspace" => Some("⌫"),
        "Space" => Some("␣"),
        "Escape" => Some("Esc"),
        "BracketLeft" => Some("["),
        "BracketRight" => Some("]"),
        "Equal" => Some("+"),
        "Minus" => Some("−"),
        "Comma" => Some(","),
        "Home" | "End" | "Delete" | "F1" | "F6" => Some(name),
        _ => None,
    }
}

/// The keys that a source hears, without its tests.
fn heard(source: &str) -> BTreeSet<&str> {
    let product = source.split("#[cfg(test)]").next().unwrap_or_default();
    product
        .split('"')
        .skip(1)
        .step_by(2)
        .filter_map(written_on)
        .collect()
}

fn listed(group: Group) -> BTreeSet<String> {
    let lines = group.lines(&Bindings::default());
    lines.into_iter().flat_map(|line| line.keys).collect()
}

#[test]
fn every_key_that_is_heard_is_listed() {
    speak(Lang::En);
    let everywhere = &listed(Group::Everywhere) | &listed(Group::Screens);
    for (group, sources) in HEARD {
        let there = &listed(group) | &everywhere;
        for source in sources {
            let keys = heard(source);
            let missing: Vec<_> = keys.iter().filter(|key| !there.contains(**key)).collect();
            assert!(missing.is_empty(), "{group:?} lacks {missing:?}");
            if source.contains("\"Digit\"") {
                let digit = |key: &String| key.parse::<u8>().is_ok();
                assert!(
                    listed(group).iter().any(digit),
                    "{group:?} lacks its digits"
                );
            }
        }
    }
    // The sources are read: without these two the test would pass on nothing.
    assert!(heard(HEARD[0].1[0]).contains("F6"));
    assert!(heard(HEARD[3].1[0]).contains("⌫"));
}

#[test]
fn the_keys_of_the_queues_are_those_that_are_set() {
    speak(Lang::En);
    let mut bindings = Bindings::default();
    assert!(bindings.bind(Deed::Accept, "KeyY"));
    let lines = Group::Review.lines(&bindings);
    let accept = lines.iter().find(|line| line.text == Deed::Accept.title());
    assert_eq!(
        accept.map(|line| line.keys.clone()),
        Some(vec!["Y".to_owned()])
    );
}

#[test]
fn each_screen_with_keys_of_its_own_has_a_group() {
    for group in Group::ALL {
        let of_a_screen = !matches!(group, Group::Everywhere | Group::Screens);
        let shown = Route::ALL
            .into_iter()
            .any(|route| Group::of(route) == Some(group));
        assert_eq!(shown, of_a_screen, "{group:?}");
        assert!(!group.lines(&Bindings::default()).is_empty());
    }
}
