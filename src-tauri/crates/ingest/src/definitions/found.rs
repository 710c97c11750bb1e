//! A definition where it is in a text.

use lexforge_text::fold::joined;

/// A definition in byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) term: String,
    /// Other names for the same, given with it.
    pub(super) aliases: Vec<String>,
    pub(super) definition: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// It describes the term in running text, without a legal form of words.
    pub(super) descriptive: bool,
}

impl Found {
    /// A definition whose term and wording stand at the given bytes of the text; `None` if one of them is empty.
    pub(super) fn at(
        text: &str,
        term: &str,
        start: usize,
        definition: std::ops::Range<usize>,
    ) -> Option<Self> {
        let wording = text[definition.clone()].trim_end_matches([
            ';', ',', '；', '，', '、', ' ', '\n', '\r', '\t', '\u{a0}', '\u{c}',
        ]);
        let end = definition.start + wording.len();
        let found = Self {
            term: joined(term),
            aliases: Vec::new(),
            definition: joined(wording),
            start,
            end,
            descriptive: false,
        };
        (!found.term.is_empty() && found.definition.chars().count() > 1).then_some(found)
    }
}
