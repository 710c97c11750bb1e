//! Rules that are not the edges of a table: they run below the values of its rows, and the labels stand left of them.

use super::grid::{Grid, middle};
use super::line::{Frame, direction};
use crate::reader::RawPage;

/// Signs that lead from the label of a row to its values.
const LEADERS: [char; 4] = ['.', '…', '·', '․'];
/// Leaders that lead into a table end no further before its edge, in ems.
const REACH: f32 = 4.0;
/// Leaders in a row from which on they are no full stops, and rows with leaders.
const FEWEST: usize = 3;
/// Leaders of one row are no further apart in height, in points.
const LEVEL: f32 = 1.0;

/// Whether leaders run up to a table from outside: its rules are those of sums.
pub(super) fn led_into(grid: &Grid, page: &RawPage, frame: Frame) -> bool {
    let (top, bottom) = grid.heights();
    let edge = grid.xs[0];
    let mut leaders: Vec<f32> = page
        .glyphs
        .iter()
        .filter(|g| LEADERS.contains(&g.ch) && direction(g) == frame.turn)
        .filter_map(|glyph| {
            let (x, y) = middle(glyph);
            let (x, y) = frame.of_page(x, y);
            let away = edge - x;
            let leads = top < y && y < bottom && away > 0.0 && away < REACH * glyph.size;
            leads.then_some(y)
        })
        .collect();
    leaders.sort_by(f32::total_cmp);
    let rows = leaders.chunk_by(|a, b| b - a < LEVEL);
    rows.filter(|row| row.len() >= FEWEST).count() >= FEWEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Glyph;

    #[test]
    fn leaders_from_outside_lead_into_a_table() {
        let grid = Grid::banded(vec![100.0, 150.0, 200.0], vec![20.0, 90.0], vec![0, 1]);
        let frame = Frame {
            turn: 0,
            width: 300.0,
            height: 300.0,
        };
        // The sign, where its rows begin, how many of them there are.
        for (ch, from, rows, led) in [
            ('.', 70.0, 3, true),
            ('.', 70.0, 2, false),
            ('x', 70.0, 3, false),
            ('.', 20.0, 3, false),
            ('.', 110.0, 3, false),
        ] {
            let mut page = RawPage::default();
            for y in &[40.0, 60.0, 80.0][..rows] {
                page.glyphs.extend((0..6u8).map(|at| Glyph {
                    ch,
                    x: from + 4.0 * f32::from(at),
                    y: *y,
                    advance: 2.0,
                    size: 10.0,
                    turn: 0,
                    vertical: false,
                    bold: false,
                    italic: false,
                    capital: false,
                }));
            }
            assert_eq!(led_into(&grid, &page, frame), led, "{ch} {from} {rows}");
        }
    }
}
