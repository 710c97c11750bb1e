//! A definition where it stands in a text.

/// A definition in byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) term: String,
    /// Other names for the same, given with it.
    pub(super) aliases: Vec<String>,
    pub(super) definition: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Found {
    /// A definition whose term and wording stand at the given bytes of the text; none if one of them is empty.
    pub(super) fn at(text: &str, term: &str, start: usize, definition: std::ops::Range<usize>) -> Option<Self> {
        let wording = text[definition.clone()]
            .trim_end_matches([';', ',', '；', '，', '、', ' ', '\n', '\r', '\t', '\u{a0}', '\u{c}']);
        let end = definition.start + wording.len();
        let found = Self { term: folded(term), aliases: Vec::new(), definition: folded(wording), start, end };
        (!found.term.is_empty() && found.definition.chars().count() > 1).then_some(found)
    }
}

/// White space runs become one space; none at the ends; none between CJK characters, where it is a line break.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        let last = out.chars().next_back();
        if space && last.is_some_and(|l| !(wide(l) && wide(c))) {
            out.push(' ');
        }
        space = false;
        out.push(c);
    }
    out
}

fn wide(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}
