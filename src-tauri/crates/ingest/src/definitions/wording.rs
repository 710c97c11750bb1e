//! Where the wording of an English definition ends.

use regex::{Match, Regex};
use std::sync::LazyLock;

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

/// The marker of a definition's own list item, which ends the definition before it. In a consolidated act a sign of the
/// amendment may stand before it: "▼M2 (5a)".
static MARKER_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?:^|\s)(?:▼[A-Z]\d*\s+)?(?:\(?(?:\d{1,3}(?:\.\d{1,3})*[a-z]{0,2}|[a-z]{1,3}|[ivx]{1,5})[).]|\d{1,3}(?:\.\d{1,3})+)\s*$",
    )
});
/// The end of a paragraph that is followed by a new item at the top level, or by a blank line.
static PARAGRAPH_END: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"\n\s*\n|\n\s*(?:\(\d{1,3}\)|\d{1,3}(?:\.\d{1,3})*[.)]?\s|\([a-z]{1,2}\))|\u{c}")
});
/// A numbered entry with a quoted term. Not each of them has a form that is found: "(3) ‘reach’ is the …".
static NUMBERED_TERM: LazyLock<Regex> = LazyLock::new(|| compiled(r"^\(\d{1,3}\)\s*[‘“]"));
static SENTENCE_END: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"[.!?][”’")\]]*\s+[A-Z‘“"(\[•]"#));
/// What takes up again what was just defined.
static TAKES_UP: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^(?:It|They|Such|(?:This|That|The|These|Those)\s+(?:term|terms|definition|expression|word|words))\b",
    )
});

/// Whether a paragraph or a sentence goes on with the definition before it: "It also includes …", "This term …".
pub(super) fn takes_up(text: &str) -> bool {
    TAKES_UP.is_match(text)
}

/// Words of the longest heading.
const LONGEST_HEADING: usize = 12;

/// The beginning of the wording of a definition: behind its `opening`, which is the term and its verb. If the text ends
/// there with a colon, a list follows in later sentences, and the wording begins with the verb: "‘group’ means:".
pub(super) fn begin(text: &str, opening: Match) -> usize {
    let said = opening.as_str().trim_end_matches([':', ' ']);
    let verb = said.rsplit(char::is_whitespace).next().unwrap_or_default();
    let listed = opening.as_str().ends_with(':') && text[opening.end()..].trim().is_empty();
    if listed {
        opening.start() + said.len() - verb.len()
    } else {
        opening.end()
    }
}

/// The end of the wording of a definition; the wording begins at `start`. In a list of definitions with one paragraph
/// for each, it ends before the next term or heading. Elsewhere it ends before the next definition (and its list
/// marker), with the paragraph, or with the sentence. If a paragraph ends with a colon, the list after it is part of
/// the wording. `next` is the place of the next term.
pub(super) fn end(text: &str, term: usize, start: usize, next: Option<usize>) -> usize {
    let limit = next.map_or(text.len(), |next| before_marker(text, start, next));
    let body = &text[start..limit];
    if next.is_some_and(|next| begins_paragraph(text, next)) && begins_paragraph(text, term) {
        return start + end_of_entry(body);
    }
    start + end_of_wording(body)
}

/// Whether nothing but a marker, quotation marks and "the term" stands before this place in its paragraph.
fn begins_paragraph(text: &str, at: usize) -> bool {
    static ONLY_MARKER: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r#"^\s*(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]{1,3})[).]?\s*|[•●▪–-]\s*)?(?:[Tt]he\s+(?:term|expression|word|phrase)s?\s+)?[‘“"'«`]*\s*$"#,
        )
    });
    let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let before = &text[line..at];
    before.len() < 60 && ONLY_MARKER.is_match(before)
}

/// The end of what stands before the next term, its quotation mark and its list marker.
fn before_marker(text: &str, start: usize, next: usize) -> usize {
    let before =
        text[start..next].trim_end_matches(|c: char| c.is_whitespace() || "‘’“”\"'«`(".contains(c));
    let marker = MARKER_BEFORE.find(before);
    start + marker.map_or(before.len(), |m| m.start())
}

/// Where an entry of a list of definitions ends: at a heading, a numbered provision or a numbered entry with a term of its
/// own, else with `body`.
fn end_of_entry(body: &str) -> usize {
    for boundary in PARAGRAPH_END.find_iter(body) {
        let before = body[..boundary.start()].trim_end();
        let item = body[boundary.start()..].trim_start();
        if before.is_empty() || MARKER_BEFORE.is_match(before) {
            continue;
        }
        let numbered = item.starts_with(|c: char| c.is_ascii_digit());
        let next_term = before.ends_with([';', '.']) && NUMBERED_TERM.is_match(item);
        if next_term || is_heading(item) || (numbered && !before.ends_with([',', ';', ':', '('])) {
            return boundary.start();
        }
    }
    body.len()
}

/// Whether a paragraph is a heading: short, with a capital, and without the mark that ends a sentence.
fn is_heading(text: &str) -> bool {
    let paragraph = text.split("\n\n").next().unwrap_or_default().trim();
    let named = [
        "Article ",
        "Chapter ",
        "Section ",
        "Title ",
        "Part ",
        "Annex ",
        "Schedule ",
    ]
    .iter()
    .any(|name| {
        paragraph
            .get(..name.len())
            .is_some_and(|p| p.eq_ignore_ascii_case(name))
            && paragraph[name.len()..].starts_with(|c: char| c.is_ascii_digit() || c.is_uppercase())
    });
    let short = paragraph.split_whitespace().count() <= LONGEST_HEADING
        && paragraph.starts_with(char::is_uppercase)
        && !paragraph.ends_with(['.', ';', ':', ',']);
    short || (named && paragraph.split_whitespace().count() <= LONGEST_HEADING)
}

/// Where a wording ends that is not in a list of definitions but in running text.
fn end_of_wording(body: &str) -> usize {
    let mut end = body.len();
    let mut first = end;
    for boundary in PARAGRAPH_END.find_iter(body) {
        let before = body[..boundary.start()].trim_end();
        if before.is_empty() || before.ends_with([':', ',']) || MARKER_BEFORE.is_match(before) {
            continue;
        }
        let item = body[boundary.start()..].trim_start();
        let in_list = before.contains(':')
            && item.starts_with('(')
            && !item[1..].starts_with(|c: char| c.is_ascii_digit());
        let continues = in_list
            || (before.contains(":\n") && before.ends_with([';']))
            || before.ends_with(" and")
            || before.ends_with(" or");
        if !continues && takes_up(item) {
            first = first.min(boundary.start());
            continue;
        }
        if !continues {
            end = boundary.start();
            break;
        }
    }
    // The first sentence is the wording. Further ones belong to it only in a paragraph that continues the definition.
    let sentences = &body[..end.min(first)];
    for stop in SENTENCE_END.find_iter(sentences) {
        let word = body[..stop.start()]
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        if !is_abbreviation(word) {
            return stop.start() + 1;
        }
    }
    end
}

/// Whether a full stop after this word does not end a sentence.
fn is_abbreviation(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '[', '‘', '“']);
    word.contains('.')
        || matches!(
            word,
            "No" | "Nos"
                | "Art"
                | "Arts"
                | "Sec"
                | "Inc"
                | "Ltd"
                | "Co"
                | "Corp"
                | "vs"
                | "cf"
                | "para"
                | "paras"
                | "p"
                | "pp"
                | "St"
                | "Mr"
                | "Ms"
                | "Dr"
                | "etc"
                | "approx"
        )
        || (word.chars().count() == 1 && word.chars().all(char::is_uppercase))
}
