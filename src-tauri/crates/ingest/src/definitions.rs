//! Definitions in a text: which term is said to mean what.
//!
//! Works on a sentence, an article or a whole document. English: quoted terms ("‘controller’ means …"),
//! definition lists, lead-ins ("For the purposes of this Article, X means …"), short names ("… (the ‘Agency’)"),
//! glossary sentences; in every language glossary tables (term and wording parted by a tab or a dash). Chinese:
//! "本办法所称 X，是指 …", "X 是指 …", "前款所称 X，包括 …". Korean: "“X”란 …을 말한다".

mod chinese;
mod english;
mod glossary;
mod korean;
mod subject;

use lexforge_domain::extract::Defined;
use lexforge_domain::term::Definition;
use lexforge_domain::text::{Language, SentenceKind};
use std::collections::HashSet;

/// The definitions of a text in order of occurrence. `start..end` covers term and definition in Unicode
/// scalar values of `text`; the strings have their white space folded.
pub fn find(text: &str, language: Language) -> Vec<Definition> {
    let mut found = match language {
        Language::Zh => chinese::find(text),
        Language::Ko => korean::find(text),
        Language::En | Language::Other => english::find(text),
    };
    for entry in glossary::find(text) {
        if !found.iter().any(|f| f.start < entry.end && entry.start < f.end) {
            found.push(entry);
        }
    }
    with_scalar_offsets(text, found)
}

/// The definitions that each of some sentences holds, in order. Headings hold none.
pub fn find_all<'a>(sentences: impl IntoIterator<Item = (SentenceKind, &'a str)>, language: Language) -> Vec<Defined> {
    let running = sentences.into_iter().enumerate().filter(|(_, (kind, _))| *kind != SentenceKind::Heading);
    let found = running.flat_map(|(source, (_, text))| {
        find(text, language).into_iter().map(move |definition| Defined { source, definition })
    });
    found.collect()
}

/// A definition in byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    term: String,
    /// Other names for the same, given with it.
    aliases: Vec<String>,
    definition: String,
    start: usize,
    end: usize,
}

impl Found {
    /// A definition whose term and wording stand at the given bytes of the text; none if one of them is empty.
    fn at(text: &str, term: &str, start: usize, definition: std::ops::Range<usize>) -> Option<Self> {
        let wording = text[definition.clone()]
            .trim_end_matches([';', ',', '；', '，', '、', ' ', '\n', '\r', '\t', '\u{a0}', '\u{c}']);
        let end = definition.start + wording.len();
        let found = Self { term: folded(term), aliases: Vec::new(), definition: folded(wording), start, end };
        (!found.term.is_empty() && found.definition.chars().count() > 1).then_some(found)
    }
}

/// White space runs become one space; none at the ends; none between CJK characters, where it is a line break.
fn folded(text: &str) -> String {
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

fn with_scalar_offsets(text: &str, mut found: Vec<Found>) -> Vec<Definition> {
    found.sort_by_key(|f| f.start);
    // What a text repeats word for word (a table and its plain form) is one definition.
    let mut seen = HashSet::new();
    found.retain(|f| seen.insert((f.term.to_lowercase(), f.definition.clone())));
    let (mut byte, mut scalar) = (0, 0);
    found
        .into_iter()
        .map(|f| {
            scalar += text[byte..f.start].chars().count();
            byte = f.start;
            let end = scalar + text[f.start..f.end].chars().count();
            Definition { term: f.term, aliases: f.aliases, definition: f.definition, start: scalar, end }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
