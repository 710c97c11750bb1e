//! Tests of tables between level rules, on glyphs of our own.

use super::*;

fn text(out: &mut Vec<Spot>, x: f32, y: f32, chars: usize) {
    out.extend((0..chars).map(|i| {
        let x0 = x + 5.0 * i as f32;
        Spot {
            x0,
            x1: x0 + 5.0,
            y,
            size: 10.0,
        }
    }));
}

#[test]
fn strips_that_no_text_crosses_part_the_columns() {
    let mut spots = Vec::new();
    for (row, y) in [90.0, 110.0, 140.0, 170.0].into_iter().enumerate() {
        text(&mut spots, 50.0, y, 10 + row);
        text(&mut spots, 150.0, y, 12);
        text(&mut spots, 150.0, y + 11.0, 9);
        text(&mut spots, 300.0, y, 8);
    }
    // The head stands above the first rule.
    let levels = [
        (103.0, 48.0, 400.0),
        (130.0, 48.0, 400.0),
        (160.0, 48.0, 400.0),
        (190.0, 48.0, 400.0),
    ];
    spots.retain(|s| s.y < 100.0 || s.y > 103.0);
    let tables = banded(&levels, &[], &spots);
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].cell_at(60.0, 90.0), Some((0, 0)));
    assert_eq!(tables[0].cell_at(320.0, 141.0), Some((2, 2)));
}

#[test]
fn running_text_between_rules_is_no_table() {
    let mut spots = Vec::new();
    for line in 0u8..30 {
        text(&mut spots, 50.0, 110.0 + 12.0 * f32::from(line), 32);
        text(&mut spots, 230.0, 110.0 + 12.0 * f32::from(line), 32);
    }
    assert!(banded(&[(100.0, 48.0, 400.0), (480.0, 48.0, 400.0)], &[], &spots).is_empty());
}

/// The lines of two columns that stand side by side between these heights, `gap` apart.
fn columns(out: &mut Vec<Spot>, top: f32, (left, chars): (f32, usize), gap: f32) {
    for line in 0u8..8 {
        let y = top + 11.0 * f32::from(line);
        text(out, left, y, chars);
        text(out, left + 5.0 * chars as f32 + gap, y, 50);
    }
}

#[test]
fn columns_that_stand_closely_are_no_prose() {
    for (why, chars, gap, prose) in [
        ("two columns", 50, 11.0, false),
        ("one text", 50, 3.0, true),
        ("numbers beside a text", 3, 11.0, true),
    ] {
        let mut spots = Vec::new();
        columns(&mut spots, 110.0, (50.0, chars), gap);
        if chars < 10 {
            // The text beside the numbers is as wide as the other one.
            (0u8..8).for_each(|i| text(&mut spots, 326.0, 110.0 + 11.0 * f32::from(i), 45));
        }
        spots.sort_by(|a, b| a.y.total_cmp(&b.y));
        assert_eq!(is_prose(&spots, 48.0, 600.0), prose, "{why}");
    }
}

#[test]
fn the_rows_of_columns_that_stand_closely_are_one_table() {
    let mut spots = Vec::new();
    for (x, chars) in [(50.0, 10), (150.0, 20), (411.0, 12), (680.0, 10)] {
        text(&mut spots, x, 90.0, chars);
    }
    for top in [110.0, 210.0] {
        text(&mut spots, 50.0, top + 33.0, 15);
        columns(&mut spots, top, (150.0, 50), 11.0);
        text(&mut spots, 680.0, top + 33.0, 10);
    }
    let levels = [100.0, 200.0, 300.0].map(|y| (y, 48.0, 760.0));
    let tables = banded(&levels, &[], &spots);
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].cell_at(60.0, 143.0), Some((1, 0)));
    assert_eq!(tables[0].cell_at(200.0, 150.0), Some((1, 1)));
    assert_eq!(tables[0].cell_at(420.0, 250.0), Some((2, 2)));
}

/// A table of heads, a row with all cells, a row over all columns where `over` says so, and another row.
fn asked(over: bool) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (x, chars) in [(50.0, 10), (150.0, 20), (411.0, 12), (680.0, 10)] {
        text(&mut spots, x, 90.0, chars);
    }
    for top in [110.0, 240.0] {
        text(&mut spots, 50.0, top + 33.0, 15);
        columns(&mut spots, top, (150.0, 50), 11.0);
        text(&mut spots, 680.0, top + 33.0, 10);
    }
    if over {
        text(&mut spots, 50.0, 215.0, 130);
    }
    spots
}

#[test]
fn a_row_over_all_columns_does_not_hide_them() {
    let levels = [100.0, 205.0, 225.0, 335.0].map(|y| (y, 48.0, 760.0));
    for over in [false, true] {
        let tables = banded(&levels, &[], &asked(over));
        assert_eq!(tables.len(), 1, "{over}");
        assert_eq!(tables[0].cell_at(420.0, 120.0), Some((1, 2)), "{over}");
        assert_eq!(tables[0].cell_at(700.0, 273.0), Some((3, 3)), "{over}");
        // The row itself is one cell.
        let last = if over { 0 } else { 3 };
        assert_eq!(tables[0].cell_at(700.0, 215.0), Some((2, last)), "{over}");
    }
}

#[test]
fn lines_that_mark_words_are_told_from_rules() {
    // Letters from 50 to 100 with their middle at 110, 10 high.
    for (why, level, mark) in [
        ("struck out", (110.5, 50.0, 100.0), Some(Mark::Through)),
        ("underlined", (114.5, 50.0, 100.0), Some(Mark::Under)),
        ("below a row", (118.0, 50.0, 100.0), None),
        ("above a row", (103.0, 50.0, 100.0), None),
        ("longer than the words", (114.5, 50.0, 140.0), None),
        ("under a part of the words", (114.5, 62.0, 100.0), None),
    ] {
        let mut spots = Vec::new();
        text(&mut spots, 50.0, 110.0, 10);
        assert_eq!(marks_words(level, &spots, 10.0), mark, "{why}");
    }
    // Words that a column's width spreads are struck out together, and two cells are not underlined together.
    let mut spots = Vec::new();
    text(&mut spots, 50.0, 110.0, 6);
    text(&mut spots, 110.0, 110.0, 6);
    let through = marks_words((110.0, 50.0, 140.0), &spots, 10.0);
    assert_eq!(through, Some(Mark::Through));
    assert_eq!(marks_words((114.5, 50.0, 140.0), &spots, 10.0), None);
}

#[test]
fn lines_below_heads_part_them_from_the_rows() {
    let lefts = [50.0, 150.0, 250.0];
    let mut spots = Vec::new();
    for y in [110.0, 130.0, 140.0, 170.0, 180.0] {
        lefts.iter().for_each(|x| text(&mut spots, *x, y, 12));
    }
    // A line below one word alone underlines it.
    for (marked, row) in [(3, 1), (1, 0)] {
        let mut levels = vec![(100.0, 48.0, 312.0)];
        levels.extend(lefts[..marked].iter().map(|x| (114.5, *x, x + 60.0)));
        levels.extend([(160.0, 48.0, 312.0), (200.0, 48.0, 312.0)]);
        let tables = banded(&levels, &[], &spots);
        assert_eq!(tables.len(), 1, "{marked}");
        assert_eq!(tables[0].cell_at(60.0, 110.0), Some((0, 0)), "{marked}");
        assert_eq!(tables[0].cell_at(60.0, 130.0), Some((row, 0)), "{marked}");
    }
}

#[test]
fn the_places_where_all_rules_are_parted_are_the_edges_of_columns() {
    let mut spots = Vec::new();
    for y in [110.0, 140.0, 170.0] {
        // Two words of a label that are wide apart in each row.
        for (x, chars) in [(50.0, 4), (90.0, 4), (150.0, 12), (300.0, 8)] {
            text(&mut spots, x, y, chars);
        }
    }
    let levels = [100.0, 130.0, 160.0, 190.0].map(|y| (y, 48.0, 400.0));
    for (rules, columns) in [(4, 3), (3, 4)] {
        let joints: Vec<(f32, f32)> = levels[..rules]
            .iter()
            .flat_map(|l| [(l.0, 130.0), (l.0, 280.0)])
            .collect();
        let tables = banded(&levels, &joints, &spots);
        assert_eq!(tables.len(), 1, "{rules}");
        assert_eq!(tables[0].columns(), columns, "{rules}");
    }
}

#[test]
fn no_word_is_cut_where_a_cell_spans_columns() {
    // The rules are drawn in three pieces each. In the second row a text runs over the last two columns, and the edge
    // between these lies between two letters of a word.
    let mut spots = Vec::new();
    for y in [110.0, 170.0] {
        text(&mut spots, 50.0, y, 8);
        text(&mut spots, 155.0, y, 12);
        text(&mut spots, 275.0, y, 12);
    }
    for y in [138.0, 150.0] {
        text(&mut spots, 50.0, y, 8);
        text(&mut spots, 155.0, y, 36);
    }
    let heights = [100.0, 130.0, 160.0, 190.0];
    let levels = heights.map(|y| (y, 48.0, 400.0));
    let joints: Vec<(f32, f32)> = heights
        .iter()
        .flat_map(|y| [(*y, 150.0), (*y, 270.0)])
        .collect();
    let tables = banded(&levels, &joints, &spots);
    assert_eq!(tables.len(), 1);
    let at = |x, y| tables[0].cell_at(x, y);
    assert_eq!(at(160.0, 138.0), at(300.0, 138.0));
    assert_ne!(at(60.0, 138.0), at(160.0, 138.0));
    assert_ne!(at(160.0, 110.0), at(280.0, 110.0));
}
