//! Remarks below tables and figures, which are notes though they have no mark.

use super::blocks::Usual;
use super::captions::{is_remark, names_source};
use super::footnotes::SMALL;
use crate::layout::Line;
use lexforge_text::duty;

/// Whether a sentence of the paragraph that begins with this line is a note without a mark: the paragraph names the source
/// of a table or a figure, or explains it in small type. In type of the usual size, "Note: banks report each year." is a
/// rule, and in any type a sentence that demands something.
pub(super) fn is_unmarked_note(first: &Line, sentence: &str, usual: Usual) -> bool {
    const DEMANDS_HAN: [&str; 3] = ["应当", "必须", "不得"];
    let demands = duty::demands(sentence) || DEMANDS_HAN.iter().any(|word| sentence.contains(word));
    let text = first.text();
    !demands && (names_source(&text) || is_remark(&text) && first.size < SMALL * usual.size)
}
