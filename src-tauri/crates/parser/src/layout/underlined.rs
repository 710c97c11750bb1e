//! Underlined lines. Some documents set their headings in the type of the text and underline them.

use super::grid::levels;
use super::line::Line;
use crate::reader::Stroke;
use std::ops::Range;

/// How far below the baseline an underline is drawn, in ems.
const BELOW: Range<f32> = -0.1..0.45;
/// An underline begins and ends with its words, to within this many ems.
const ENDS: f32 = 0.8;
/// A page with more level lines has tables or drawings, and no underlines that could be told from them.
const MOST: usize = 400;

/// Marks the lines of a page that are underlined from their first to their last word and are in no cell of a table.
pub fn mark(strokes: &[Stroke], lines: &mut [Line]) {
    let most = lines.iter().max_by_key(|l| l.chars.len());
    let Some(frame) = most.map(|l| l.frame) else {
        return;
    };
    let levels = levels(strokes, frame);
    if levels.len() > MOST {
        return;
    }
    let own = |l: &&mut Line| l.frame == frame && l.cell.is_none();
    for line in lines.iter_mut().filter(own) {
        let em = line.size.max(0.1);
        line.underlined = levels.iter().any(|&(at, from, to)| {
            BELOW.contains(&((at - line.baseline) / em))
                && (from - line.x0).abs() < ENDS * em
                && (to - line.x1).abs() < ENDS * em
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::line::{Cell, Frame};

    #[test]
    fn a_line_below_all_words_underlines_them() {
        // The words stand from 60 to 160 on the baseline 100.
        for (why, [x0, y, x1], in_table, is) in [
            ("all of them", [60.0, 101.5, 160.0], false, true),
            (
                "with the blank after them",
                [60.0, 101.5, 163.0],
                false,
                true,
            ),
            ("the first of them", [60.0, 101.5, 100.0], false, false),
            ("over the column", [60.0, 101.5, 300.0], false, false),
            ("too far below", [60.0, 108.0, 160.0], false, false),
            ("through them", [60.0, 97.0, 160.0], false, false),
            ("in a table", [60.0, 101.5, 160.0], true, false),
        ] {
            let mut line = Line::plain(1, 0, "Use of the Limits...");
            (line.x0, line.x1, line.baseline, line.size) = (60.0, 160.0, 100.0, 10.0);
            line.frame = Frame {
                turn: 0,
                width: 600.0,
                height: 800.0,
            };
            line.cell = in_table.then(|| Cell::single(0, 0, 0));
            let strokes = [Stroke {
                x0,
                y0: y,
                x1,
                y1: y + 0.5,
            }];
            let mut lines = [line];
            mark(&strokes, &mut lines);
            assert_eq!(lines[0].underlined, is, "{why}");
        }
    }
}
