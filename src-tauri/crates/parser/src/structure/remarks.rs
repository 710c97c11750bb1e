//! Remarks below tables and figures, which are notes though they have no mark.

use super::blocks::Usual;
use super::captions::{is_remark, names_source};
use super::footnotes::SMALL;
use crate::layout::Line;
use lexforge_text::duty;

/// Whether a sentence of a paragraph is a note without a mark: the paragraph names the source of a table or a figure, or
/// explains it in small type. In type of the usual size, "Note: banks report each year." is a rule, and in any type a
/// sentence that demands something. A paragraph that goes on on the next page is text below a source, read as one with it.
pub(super) fn is_unmarked_note(
    lines: &[Line],
    paragraph: &[usize],
    sentence: &str,
    usual: Usual,
) -> bool {
    const DEMANDS_HAN: [&str; 3] = ["应当", "必须", "不得"];
    let at = |place: Option<&usize>| place.and_then(|place| lines.get(*place));
    let (Some(first), Some(last)) = (at(paragraph.first()), at(paragraph.last())) else {
        return false;
    };
    let demands = duty::demands(sentence) || DEMANDS_HAN.iter().any(|word| sentence.contains(word));
    let text = first.text();
    let is_note = names_source(&text) || is_remark(&text) && first.size < SMALL * usual.size;
    is_note && !demands && first.page == last.page
}

#[cfg(test)]
mod tests {
    use super::super::blocks::usual;
    use super::*;

    #[test]
    fn a_source_that_goes_on_on_the_next_page_is_read_as_one_with_the_text_below_it() {
        let lines = [
            Line::plain(3, 0, "Source: Harbour office, 2019"),
            Line::plain(3, 1, "Coffee is landed at the northern pier."),
            Line::plain(4, 0, "Its price changes from year to year."),
        ];
        let usual = usual(&lines);
        for (paragraph, is_note) in [(&[0, 1][..], true), (&[0, 1, 2], false), (&[1], false)] {
            let found = is_unmarked_note(&lines, paragraph, "Its price changes.", usual);
            assert_eq!(found, is_note, "{paragraph:?}");
        }
    }
}
