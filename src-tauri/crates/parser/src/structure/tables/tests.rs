//! Tests of `tables`.

use super::*;

#[test]
fn a_numbered_heading_in_larger_type_is_no_row_of_the_table_below() {
    for (size, row) in [(3.6, false), (2.2, true)] {
        let texts = ["11 Glossary", "CCF Factor", "CCR Risk", "CRD Directive"];
        let mut lines: Vec<Line> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Line {
                cells: 2,
                ..Line::plain(1, at, text)
            })
            .collect();
        lines[0].size = size;
        let rows = table_rows(&lines, &[false; 4]);
        assert_eq!(rows, [row, true, true, true], "{size}");
    }
}

#[test]
fn a_note_whose_mark_is_set_apart_is_no_row() {
    let line = |at: usize, mark: usize, text: &str| {
        let mut line = Line {
            cells: 2,
            ..Line::plain(1, at, text)
        };
        line.last_cell = line.chars[2].x0;
        line.chars[..mark].iter_mut().for_each(|c| c.raised = true);
        line
    };
    let rows = |mark: usize| {
        let texts = ["1 Banks report.", "2 Offices read.", "3 Courts judge."];
        let lines = texts.iter().enumerate();
        let lines = lines.map(|(at, text)| line(at, mark, text)).collect();
        cells(lines).iter().filter(|l| l.cell.is_some()).count()
    };
    assert_eq!(rows(1), 0);
    assert_eq!(rows(0), 3);
}

#[test]
fn texts_centred_in_two_columns_at_the_top_are_a_letterhead() {
    let row = |at: usize, left: &str, right: &str, centred: bool| {
        let mut line = Line::plain(1, at, &format!("{left} {right}"));
        let mut place = |from: usize, text: &str, middle: f32| {
            let wide = text.chars().count() as f32;
            let x0 = if centred { middle - wide / 2.0 } else { middle };
            for (i, c) in line.chars[from..]
                .iter_mut()
                .take(wide as usize)
                .enumerate()
            {
                (c.x0, c.x1) = (x0 + i as f32, x0 + i as f32 + 1.0);
            }
            (x0, x0 + wide)
        };
        let (x0, gap) = place(0, left, 50.0);
        let (edge, x1) = place(left.chars().count() + 1, right, 120.0);
        let blank = &mut line.chars[left.chars().count()];
        (blank.x0, blank.x1) = (gap, edge);
        (line.x0, line.x1, line.size, line.cells, line.last_cell) = (x0, x1, 2.0, 2, edge);
        line
    };
    let rows = |centred| {
        [
            row(0, "Department of Banks", "BANKS", centred),
            row(1, "Office of Licences and Reports", "Form 12-B", centred),
        ]
    };
    let found = letterhead(&[], &rows(true)).unwrap_or_default();
    let texts: Vec<String> = found.iter().map(Line::text).collect();
    assert_eq!(
        texts,
        [
            "Department of Banks",
            "Office of Licences and Reports",
            "BANKS",
            "Form 12-B"
        ]
    );
    assert!(letterhead(&[], &rows(false)).is_none());
    let text = Line::plain(1, 0, &"Banks report each loan. ".repeat(4));
    assert!(letterhead(&[text], &rows(true)).is_none());
}

#[test]
fn leaders_end_at_one_page_number() {
    for (text, is) in [
        ("3. Reports ............ 12", true),
        ("3. Reports ...... (iv)", true),
        ("Annex ............ A-12 to A-14", true),
        ("Losses of banks .......... 1,070 903 527 357", false),
        ("Losses of banks ..........", false),
        ("Reports 12", false),
    ] {
        assert_eq!(has_leaders(&Line::plain(1, 0, text)), is, "{text}");
    }
}
