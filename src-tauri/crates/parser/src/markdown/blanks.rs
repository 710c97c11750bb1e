//! Keeps the placeholders of templates. Markdown would not show them, because it reads `<name>` as a tag and `[Owner]:
//! Ann` as the address of a link.

use crate::html::is_element;
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How often a text is looked through. Of labels that are alike only the first is seen at each look.
const LOOKS: usize = 8;

/// The text with these words written so that a reader with these options takes them for text.
pub(super) fn as_text(text: &str, options: Options) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(text);
    for _ in 0..LOOKS {
        let Some(next) = look(&shown, options) else {
            break;
        };
        shown = Cow::Owned(next);
    }
    shown
}

/// The text after one look; `None` where nothing was to be done.
fn look(text: &str, options: Options) -> Option<String> {
    if !text.contains('<') && !text.contains("]:") {
        return None;
    }
    let closed = closed(text);
    let parser = Parser::new_ext(text, options);
    // Where something is put, for how many bytes, and what.
    let mut changes: Vec<(usize, usize, &str)> = parser
        .reference_definitions()
        .iter()
        .filter(|(_, link)| !is_address(&link.dest))
        .map(|(_, link)| (link.span.start, 0, "\\"))
        .collect();
    for (event, at) in parser.into_offset_iter() {
        if matches!(event, Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock)) {
            let html = text.get(at.clone()).unwrap_or_default();
            let signs = blanks(html, &closed).into_iter();
            changes.extend(signs.map(|sign| (at.start + sign, 1, "&lt;")));
        }
    }
    if changes.is_empty() {
        return None;
    }
    changes.sort_unstable();
    let mut out = String::with_capacity(text.len() + 4 * changes.len());
    let mut done = 0;
    for (at, bytes, put) in changes {
        out.push_str(text.get(done..at).unwrap_or_default());
        out.push_str(put);
        done = at + bytes;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

/// The places where placeholders in a piece of HTML begin. A placeholder is one or more words in angle brackets that
/// are not an HTML element: the name is unknown, there are no attributes, and there is no closing tag.
fn blanks(html: &str, closed: &BTreeSet<String>) -> Vec<usize> {
    let is_blank = |inner: &str| {
        let name = named(inner);
        inner.starts_with(|c: char| c.is_ascii_alphabetic())
            && !inner.contains(['=', '/', '"', '\''])
            && !is_element(&name)
            && !closed.contains(&name)
    };
    let signs = html.match_indices('<').map(|(at, _)| at);
    signs
        .filter(|at| {
            let behind = &html[at + 1..];
            let end = behind.find(['<', '>']);
            end.is_some_and(|end| behind[end..].starts_with('>') && is_blank(&behind[..end]))
        })
        .collect()
}

/// The names that something in the text closes.
fn closed(text: &str) -> BTreeSet<String> {
    text.match_indices("</")
        .map(|(at, sign)| named(&text[at + sign.len()..]))
        .collect()
}

/// The name with which the inside of a tag begins, in small letters.
fn named(inner: &str) -> String {
    inner
        .chars()
        .take_while(|c| !c.is_whitespace() && !matches!(c, '<' | '>' | '/'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether the end of a link can be an address, and not only a word.
fn is_address(end: &str) -> bool {
    end.is_empty()
        || end.contains(['/', '#', ':', '@', '?', '\\'])
        || end
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ending.starts_with(|c: char| c.is_ascii_alphabetic()))
}
