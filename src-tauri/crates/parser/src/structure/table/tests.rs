//! Tests of the heads and the rows of tables, on lines of our own.

use super::*;

/// How many of these rows are heads, the first ones of which are bold.
fn heads_of(rows: &[&[&str]], bold: usize) -> Vec<u32> {
    let mut lines = Vec::new();
    for (row, texts) in (0u32..).zip(rows) {
        let cells = (0u32..).zip(texts.iter()).filter(|(_, t)| !t.is_empty());
        lines.extend(cells.map(|(column, text)| Line {
            cell: Some(Cell::single(0, row, column)),
            bold: (row as usize) < bold,
            ..Line::plain(1, row as usize, text)
        }));
    }
    let notes = vec![None; lines.len()];
    let tables = Tables::of(&lines, &notes).into_list();
    tables.iter().map(|t| t.heads).collect()
}

#[test]
fn a_compound_is_whole_though_a_cell_breaks_it() {
    for (first, second, whole) in [
        ("a high-", "severity loss", "a high-severity loss"),
        ("profit and/", "or loss", "profit and/or loss"),
        ("a high loss -", "severe", "a high loss - severe"),
        ("liquidity", "risk", "liquidity risk"),
    ] {
        let line = |text| Line {
            cell: Some(Cell::single(0, 0, 0)),
            ..Line::plain(1, 0, text)
        };
        let tables = Tables::of(&[line(first), line(second)], &[None, None]).into_list();
        assert_eq!(tables[0].cells[0].text, whole);
    }
}

#[test]
fn leaders_are_no_part_of_a_label() {
    for (text, bare) in [
        ("Losses of banks ..........", "Losses of banks"),
        ("Losses . . . . .", "Losses"),
        ("Losses, profits etc.", "Losses, profits etc."),
        ("and so on ...", "and so on ..."),
        ("........", "........"),
    ] {
        assert_eq!(without_leaders(text), bare);
    }
}

#[test]
fn a_label_above_the_rows_that_it_names_is_no_head() {
    let heads: &[&str] = &["Comment", "Answer", "Change"];
    let told: &[&str] = &[
        "Limits",
        "The board answers every bank that asks it.",
        "None.",
    ];
    type Case<'a> = (&'a str, [&'a [&'a str]; 4], usize, u32);
    let cases: [Case; 4] = [
        ("in bold", [heads, &["General"], told, told], 2, 1),
        (
            "above quantities",
            [
                &["Class", "Limit"],
                &["Banks"],
                &["Large", "12"],
                &["Small", "14"],
            ],
            0,
            1,
        ),
        (
            "a title",
            [
                &["All limits"],
                &["Class", "Limit"],
                &["Large", "12"],
                &["Small", "14"],
            ],
            0,
            2,
        ),
        (
            "the head of the first column",
            [
                &["", "Limit"],
                &["Class"],
                &["Large", "12"],
                &["Small", "14"],
            ],
            0,
            2,
        ),
    ];
    for (why, rows, bold, expected) in cases {
        assert_eq!(heads_of(&rows, bold), [expected], "{why}");
    }
}

#[test]
fn the_first_of_several_grades_is_no_label() {
    let alone = |heads: [&str; 3]| {
        let told = "Losses are small. Banks report them.";
        let rows = [heads, [told, "Some banks report late.", "No bank reports."]];
        let mut lines = Vec::new();
        for (row, texts) in (0u32..).zip(rows) {
            lines.extend((0u32..).zip(texts).map(|(column, text)| Line {
                cell: Some(Cell::single(0, row, column)),
                bold: row == 0,
                ..Line::plain(1, row as usize, text)
            }));
        }
        let tables = Tables::of(&lines, &vec![None; lines.len()]);
        tables.alone(&lines[5], None, Some("No bank reports."), Language::En)
    };
    assert_eq!(
        alone(["Low", "Moderate", "High:"]).as_deref(),
        Some("High: No bank reports.")
    );
    assert_eq!(
        alone(["Comment", "Answer", "High"]).as_deref(),
        Some("Comment: Losses are small. Banks report them.; High: No bank reports.")
    );
}

#[test]
fn a_list_in_the_first_column_is_no_label() {
    let lists = ["• Change • Quality", "• Networks • Software", "• Staff"];
    let mut lines = Vec::new();
    for (row, texts) in (0u32..).zip([["Processes", "Systems", "People"], lists]) {
        lines.extend((0u32..).zip(texts).map(|(column, text)| Line {
            cell: Some(Cell::single(0, row, column)),
            bold: row == 0,
            ..Line::plain(1, row as usize, text)
        }));
    }
    let tables = Tables::of(&lines, &vec![None; lines.len()]);
    let alone = tables.alone(&lines[4], None, Some("• Software"), Language::En);
    assert_eq!(alone.as_deref(), Some("Systems: • Software"));
}

#[test]
fn the_first_row_below_a_title_is_no_head_where_it_holds_text() {
    for (label, expected) in [
        ("Duties", 2),
        ("The board reads the reports that all of its banks make", 1),
    ] {
        let rows: [&[&str]; 3] = [
            &["What banks report"],
            &[label, "Reports"],
            &["Banks keep records of each loan.", "They report them."],
        ];
        let mut lines = Vec::new();
        for (row, texts) in (0u32..).zip(rows) {
            lines.extend((0u32..).zip(texts).map(|(column, text)| Line {
                cell: Some(Cell {
                    columns: if row == 0 { 2 } else { 1 },
                    ..Cell::single(0, row, column)
                }),
                bold: row == 0,
                ..Line::plain(1, row as usize, text)
            }));
        }
        let tables = Tables::of(&lines, &vec![None; lines.len()]).into_list();
        assert_eq!(tables[0].heads, expected, "{label}");
    }
}

#[test]
fn the_first_part_of_a_table_is_named_like_the_others() {
    let alone = |second: &str| {
        let rows: [&[&str]; 6] = [
            &["First scenario"],
            &["Banks", "Losses"],
            &["Large", "12"],
            &[second],
            &["Banks", "Losses"],
            &["Large", "14"],
        ];
        let mut lines = Vec::new();
        for (row, texts) in (0u32..).zip(rows).filter(|(_, texts)| !texts[0].is_empty()) {
            lines.extend((0u32..).zip(texts).map(|(column, text)| Line {
                cell: Some(Cell {
                    columns: if texts.len() == 1 { 2 } else { 1 },
                    ..Cell::single(0, row, column)
                }),
                bold: texts.len() == 1,
                ..Line::plain(1, row as usize, text)
            }));
        }
        let tables = Tables::of(&lines, &vec![None; lines.len()]);
        let told = |text: &str| {
            let line = lines.iter().find(|l| l.text() == text);
            line.and_then(|l| tables.alone(l, None, None, Language::En))
        };
        (told("12"), told("14"))
    };
    let (first, second) = alone("Second scenario");
    assert_eq!(
        first.as_deref(),
        Some("First scenario; Banks: Large; Losses: 12")
    );
    assert_eq!(
        second.as_deref(),
        Some("Second scenario; Banks: Large; Losses: 14")
    );
    // Without parts it is the title of the table, which no row repeats.
    let (first, _) = alone("");
    assert_eq!(first.as_deref(), Some("Banks: Large; Losses: 12"));
}

/// A table over two pages: the rows of either page, a row of one text over both columns.
fn over_two_pages(pages: [&[&[&str]]; 2]) -> Vec<Line> {
    let mut lines = Vec::new();
    for ((table, page), rows) in (0u32..).zip(1u32..).zip(pages) {
        for (row, texts) in (0u32..).zip(rows) {
            let title = texts.len() == 1;
            lines.extend((0u32..).zip(texts.iter()).map(|(column, text)| Line {
                cell: Some(Cell {
                    columns: if title { 2 } else { 1 },
                    ..Cell::single(table, row, column)
                }),
                ..Line::plain(page, row as usize, text)
            }));
        }
    }
    lines
}

#[test]
fn heads_that_come_again_on_the_next_page_are_heads() {
    let heads: &[&str] = &["Measure", "Owner"];
    let (one, two): (&[&str], &[&str]) = (&["Review", "Board"], &["Report", "Audit"]);
    type Case<'a> = (&'a str, [&'a [&'a [&'a str]]; 2], [u32; 2], u32);
    let cases: [Case; 5] = [
        ("plain rows", [&[heads, one], &[heads, two]], [1, 1], 1),
        (
            "in other letters and lines",
            [&[heads, one], &[&["MEASURE", "Owner "], two]],
            [1, 1],
            1,
        ),
        (
            "below a title that stands once",
            [
                &[
                    &["Limits"],
                    &["Class", "Limit"],
                    &["Large", "12"],
                    &["Small", "14"],
                ],
                &[&["Class", "Limit"], &["Other", "16"], &["New", "18"]],
            ],
            [2, 1],
            1,
        ),
        ("other rows", [&[heads, one], &[one, two]], [0, 0], 0),
        (
            "rows that count",
            [&[&["Large", "12"], one], &[&["Large", "12"], two]],
            [0, 0],
            0,
        ),
    ];
    for (why, pages, expected, again) in cases {
        let lines = over_two_pages(pages);
        let tables = Tables::of(&lines, &vec![None; lines.len()]);
        let found: Vec<bool> = lines.iter().map(|l| tables.comes_again(l)).collect();
        let wanted: Vec<bool> = lines
            .iter()
            .map(|l| l.page == 2 && l.cell.is_some_and(|c| c.row < again))
            .collect();
        assert_eq!(found, wanted, "{why}");
        let count: Vec<u32> = tables.into_list().iter().map(|t| t.heads).collect();
        assert_eq!(count, expected, "{why}");
    }
}

#[test]
fn cells_of_the_next_page_are_tied_to_heads_that_come_again() {
    let heads: &[&str] = &["Measure", "Owner"];
    let lines = over_two_pages([
        &[heads, &["Review", "Board"]],
        &[heads, &["Report", "Audit"]],
    ]);
    let tables = Tables::of(&lines, &vec![None; lines.len()]);
    for (line, whole) in [
        (2, Some("Measure: Review; Owner: Board")),
        (4, None),
        (6, Some("Measure: Report; Owner: Audit")),
    ] {
        let alone = tables.alone(&lines[line], None, None, Language::En);
        assert_eq!(alone.as_deref(), whole, "{line}");
    }
}

/// How many rows are heads on either page, and how many of the second page come again.
fn heads_over(pages: [&[&[&str]]; 2], bold: bool) -> ([u32; 2], usize) {
    let mut lines = over_two_pages(pages);
    for line in &mut lines {
        line.bold = bold && line.cell.is_some_and(|c| c.row == 0);
    }
    let tables = Tables::of(&lines, &vec![None; lines.len()]);
    let first = |l: &&Line| l.cell.is_some_and(|c| c.column == 0) && tables.comes_again(l);
    let again = lines.iter().filter(first).count();
    let list = tables.into_list();
    ([list[0].heads, list[1].heads], again)
}

#[test]
fn rows_that_differ_in_a_sign_are_no_heads_that_come_again() {
    let heads: &[&str] = &["Rating", "Class"];
    for [first, second] in [
        ["AA+", "AA-"],
        ["\u{2265} Prime", "< Prime"],
        ["> Prime", "Prime"],
    ] {
        let rows: [&[&str]; 2] = [&[first, "Low"], &[second, "Low"]];
        let others: [&[&str]; 2] = [&["BB", "High"], &["B", "High"]];
        let pages: [&[&[&str]]; 2] = [&[heads, rows[0], others[0]], &[heads, rows[1], others[1]]];
        for bold in [false, true] {
            assert_eq!(heads_over(pages, bold), ([1, 1], 1), "{first} {second}");
        }
        let bare = heads_over([&[rows[0], others[0]], &[rows[1], others[1]]], false);
        assert_eq!(bare, ([0, 0], 0), "{first} {second} without heads");
    }
}

#[test]
fn a_row_below_the_heads_is_none_though_both_pages_have_it() {
    let (heads, same): (&[&str], &[&str]) = (&["Rating", "Class"], &["AA", "Low"]);
    for bold in [false, true] {
        let pages: [&[&[&str]]; 2] = [
            &[heads, same, &["BB", "High"]],
            &[heads, same, &["B", "High"]],
        ];
        assert_eq!(heads_over(pages, bold), ([1, 1], 1), "{bold}");
    }
}

#[test]
fn forms_on_consecutive_pages_have_no_heads() {
    let bank: &[&str] = &["Bank", "Northern Bank"];
    let told: &[&str] = &[
        "Bank",
        "The board of the bank reads each report that it gets.",
    ];
    let (review, audit): (&[&str], &[&str]) = (&["Owner", "Board"], &["Owner", "Audit"]);
    let report: &[&str] = &["Measure", "Report"];
    type Case<'a> = (&'a str, [&'a [&'a [&'a str]]; 2]);
    let cases: [Case; 4] = [
        ("the same labels", [&[bank, review], &[bank, audit]]),
        ("the same rows", [&[bank, review], &[bank, review]]),
        (
            "the same labels in other rows",
            [&[bank, review], &[bank, report, audit, review]],
        ),
        ("a first row of text", [&[told, review], &[told, report]]),
    ];
    for (why, pages) in cases {
        assert_eq!(heads_over(pages, false), ([0, 0], 0), "{why}");
    }
}
