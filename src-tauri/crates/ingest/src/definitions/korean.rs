//! Korean definition patterns: "“X”(이)란 …을 말한다", "X라 함은 …을 말한다".

use super::found::Found;
use regex::Regex;
use std::sync::LazyLock;

static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[“"「‘']([^“”"「」‘’'\n]{1,40})[”"」’'](?:\s*\([^()]{1,60}\))?\s*(?:이란|란|이라\s*함은|라\s*함은|은|는)\s*,?\s*((?s:.){2,2000}?)(?:을|를|것을|경우를)?\s*(?:말한다|뜻한다|의미한다)"#)
        .expect("a constant pattern")
});

pub(super) fn find(text: &str) -> Vec<Found> {
    DEFINITION
        .captures_iter(text)
        .filter_map(|captures| {
            let (term, wording) = (captures.get(1)?, captures.get(2)?);
            Found::at(text, term.as_str(), term.start(), wording.range())
        })
        .collect()
}
