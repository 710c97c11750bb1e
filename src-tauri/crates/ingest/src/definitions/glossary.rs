//! Glossaries: a line a term, parted from its wording by a tab, or under a heading that says so by a dash.

use super::found::Found;

/// Lines in a row that make a table.
const ROWS: usize = 3;
/// Characters of the longest term.
const LONGEST_TERM: usize = 60;
/// Characters of the shortest wording.
const SHORTEST_WORDING: usize = 12;

/// The entries of the glossaries in a text.
pub(super) fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    if !text.contains(['\t', '–', '—']) {
        return found;
    }
    let mut table: Vec<Row> = Vec::new();
    let (mut at, mut announced) = (0, false);
    for line in text.split_inclusive('\n') {
        let row = row(line, at, announced);
        at += line.len();
        match row {
            Some(row) => table.push(row),
            None if line.trim().is_empty() => {}
            None => {
                keep(&mut table, text, &mut found);
                let heading = line
                    .trim()
                    .trim_end_matches([':', '：', '.'])
                    .to_lowercase();
                announced = heading.chars().count() <= 60
                    && [
                        "glossary",
                        "definitions",
                        "defined terms",
                        "abbreviations",
                        "acronyms",
                        "术语",
                        "定义",
                        "용어",
                    ]
                    .iter()
                    .any(|word| heading.contains(word));
            }
        }
    }
    keep(&mut table, text, &mut found);
    found
}

/// A line of a table in bytes of the text.
struct Row {
    term: (usize, usize),
    wording: (usize, usize),
    header: bool,
}

fn row(line: &str, at: usize, announced: bool) -> Option<Row> {
    let parted = line.split_once('\t').or_else(|| {
        let dash = [" – ", " — ", "——"].iter().find_map(|d| line.split_once(d));
        dash.filter(|_| announced)
    })?;
    let (term, wording) = (parted.0.trim(), parted.1.trim());
    let said = wording.chars().count() >= SHORTEST_WORDING
        || wording.chars().filter(|c| !c.is_ascii()).count() >= 6;
    let header = ["definition", "meaning", "description", "定义", "释义"]
        .contains(&wording.to_lowercase().as_str());
    let sensible = term.chars().any(char::is_alphabetic)
        && (1..=LONGEST_TERM).contains(&term.chars().count())
        && !term.ends_with(['.', ':', ';', ','])
        && !term.starts_with(|c: char| c.is_ascii_digit() || "(（•".contains(c))
        && wording.contains(char::is_whitespace) | !wording.is_ascii()
        && !wording.contains('\t');
    if !(header || (sensible && said)) {
        return None;
    }
    let place = |part: &str| {
        let start = at + (part.as_ptr() as usize - line.as_ptr() as usize);
        (start, start + part.len())
    };
    Some(Row {
        term: place(term),
        wording: place(wording),
        header,
    })
}

/// Takes over a table that is one, and begins a new one.
fn keep(table: &mut Vec<Row>, text: &str, found: &mut Vec<Found>) {
    let headed = table.first().is_some_and(|row| row.header);
    if table.len() >= ROWS || (headed && table.len() > 1) {
        for row in table.iter().filter(|row| !row.header) {
            found.extend(Found::at(
                text,
                &text[row.term.0..row.term.1],
                row.term.0,
                row.wording.0..row.wording.1,
            ));
        }
    }
    table.clear();
}
