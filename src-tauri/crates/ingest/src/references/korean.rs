//! References in Korean: 「은행법」 제3조제1항제2호, 제5조의2, 같은 조 제2항.

use lexforge_domain::reference::{CrossReference, ReferenceScope};
use regex::Regex;
use std::sync::LazyLock;

static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:「(?P<title>[^「」]{2,60})」\s*)?(?P<clause>제\s?\d+(?:편|장|절|조)(?:의\s?\d+)?(?:\s?제\s?\d+(?:절|조|항|호)(?:의\s?\d+)?)*(?:\s?[가-하]목)?|제\s?\d+(?:항|호)(?:\s?제\s?\d+호)?)|「(?P<alone>[^「」]{2,60})」",
    )
    .expect("a constant pattern")
});
static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"제\s?(\d+)(편|장|절|조|항|호)(의\s?\d+)?").expect("a constant pattern")
});

/// The references in a text, in byte offsets, their words left to the caller.
pub(super) fn find(text: &str) -> Vec<CrossReference> {
    let mut found = Vec::new();
    for captures in REFERENCE.captures_iter(text) {
        let Some(whole) = captures.get(0) else {
            continue;
        };
        let instrument = captures
            .name("title")
            .or(captures.name("alone"))
            .map(|t| t.as_str().to_owned());
        let clause = captures.name("clause").map_or("", |c| c.as_str());
        let labels: Vec<String> = LEVEL
            .captures_iter(clause)
            .map(|c| {
                let part = |i| c.get(i).map_or("", |m| m.as_str());
                format!("제{}{}{}", part(1), part(2), part(3).replace(' ', ""))
            })
            .collect();
        let near = instrument.is_none() && labels.first().is_some_and(|l| l.contains(['항', '호']));
        let scope = if near {
            ReferenceScope::Near
        } else {
            ReferenceScope::Whole
        };
        // The label of an article itself: `제1조(목적)`.
        if whole.start() == 0 && instrument.is_none() && text[whole.end()..].starts_with('(') {
            continue;
        }
        found.push(CrossReference {
            start: whole.start(),
            end: whole.end(),
            instrument,
            labels,
            scope,
            ..CrossReference::default()
        });
    }
    found
}
