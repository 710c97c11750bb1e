//! The sentences of a table's row.

use super::captions::label_end;
use lexforge_domain::text::Language;
use lexforge_ingest::segment::segment;

/// A row of more characters holds running text, which has sentences.
const ROW: usize = 300;
/// A cell of so few characters holds no sentences, whatever stops it has: `Std. Dev.`.
const SHORT: usize = 12;

/// The ranges of the sentences in the text of a table row, counted in characters. In this text, tabs separate the
/// cells. Usually the whole row counts as one sentence. If a cell has several sentences, or the row is long, the
/// sentences of each cell are returned instead.
pub fn spans(row: &str, language: Language) -> Vec<(usize, usize)> {
    let chars: Vec<char> = row.chars().collect();
    let mut spans = Vec::new();
    let mut start = 0;
    for cell in chars.split(|c| *c == '\t') {
        let text: String = cell.iter().collect();
        let mut own: Vec<(usize, usize)> = segment(&text, language)
            .into_iter()
            .map(|s| (start + s.start, start + s.end))
            .collect();
        let label = start + label_end(text.trim_end());
        if let [first, second, ..] = own[..]
            && first.1 <= label
        {
            own.splice(..2, [(first.0, second.1)]);
        }
        if let [first, .., last] = own[..]
            && cell.len() <= SHORT
        {
            own = vec![(first.0, last.1)];
        }
        spans.append(&mut own);
        start += cell.len() + 1;
    }
    let cells = chars
        .split(|c| *c == '\t')
        .filter(|c| c.iter().any(|c| !c.is_whitespace()))
        .count();
    if chars.len() <= ROW && spans.len() <= cells {
        vec![(0, chars.len())]
    } else {
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_cell_holds_no_sentences() {
        for (row, expected) in [
            ("Variable\tStd. Dev.\tMaximum", 1),
            ("Std. Dev.\tBanks report losses. They keep records.", 3),
            ("Losses\tBanks report losses.", 1),
            // The number of a question is no sentence.
            ("Question 2. Do banks report losses?\tYes.", 1),
            (
                "Question 2. Do banks report losses? Do they keep records?\tYes.",
                3,
            ),
        ] {
            assert_eq!(spans(row, Language::En).len(), expected, "{row}");
        }
    }
}
