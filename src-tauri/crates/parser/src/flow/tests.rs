//! Tests of `flow`.

use super::*;
use lexforge_domain::text::SentenceKind;

fn paragraph(text: &str) -> Block {
    Block::Paragraph(Paragraph {
        spans: vec![Span {
            text: text.to_owned(),
            ..Span::default()
        }],
        ..Paragraph::default()
    })
}

/// The document that a flow of these blocks becomes.
fn read(blocks: Vec<Block>) -> ParsedDocument {
    let flow = Flow {
        blocks,
        ..Flow::default()
    };
    flow.document("x", DocumentFormat::Html).unwrap()
}

/// How many rows of heads and how many rows each table has.
fn heads_and_rows(document: &ParsedDocument) -> Vec<(u32, u32)> {
    let tables = document.tables.iter();
    tables.map(|table| (table.heads, table.rows())).collect()
}

#[test]
fn a_table_that_numbers_paragraphs_is_no_table() {
    let row = |cells: &[&str]| {
        let cells = cells.iter().map(|c| vec![paragraph(c)].into());
        cells.collect::<Vec<TableCell>>()
    };
    let blocks = vec![
        paragraph("Article 3"),
        paragraph("Exemptions"),
        paragraph("This Rule does not apply to:"),
        Block::Table(vec![
            row(&["(a)", "central banks;"]),
            row(&["(b)", "", "post offices."]),
        ]),
        Block::Table(vec![row(&["Class", "Weight"]), row(&["Sovereigns", "0 %"])]),
    ];
    let document = read(blocks);
    let rows: Vec<(SentenceKind, &str)> = document
        .sentences
        .iter()
        .map(|s| (s.kind, s.text.as_str()))
        .collect();
    assert!(
        rows.contains(&(SentenceKind::ListItem, "(b) post offices.")),
        "{rows:?}"
    );
    assert!(
        rows.contains(&(SentenceKind::TableCell, "Sovereigns\t0 %")),
        "{rows:?}"
    );
    let item = document
        .sentences
        .iter()
        .find(|s| s.text.starts_with("(b)"))
        .unwrap();
    assert_eq!(
        document.sections[item.section.unwrap()].path,
        "Article 3 › (b)"
    );
}

/// The heads of a table are found however many rows stand in the tables before it.
#[test]
fn a_later_table_has_its_heads_too() {
    let row = |cells: &[&str]| {
        let cells = cells.iter().map(|c| vec![paragraph(c)].into());
        cells.collect::<Vec<TableCell>>()
    };
    let limits = vec![
        row(&["Class", "Limit", "Review"]),
        row(&["Sovereigns", "25 %", "Quarterly"]),
        row(&["Banks", "15 %", "Monthly"]),
        row(&["Corporates", "10 %", "Weekly"]),
        row(&["Funds", "5 %", "Daily"]),
    ];
    let fees = vec![
        row(&["Service", "Fee", "Due"]),
        row(&["Registration", "40", "Yearly"]),
        row(&["Inspection", "75", "Monthly"]),
    ];
    let blocks = vec![
        paragraph("The limits apply to each class of exposure from the first day of the year."),
        Block::Table(limits),
        paragraph("The fees are those of the table below."),
        Block::Table(fees),
    ];
    let document = read(blocks);
    let counts = heads_and_rows(&document);
    assert_eq!(counts, [(1, 5), (1, 3)]);
    let alone: Vec<&str> = document
        .sentences
        .iter()
        .filter_map(|s| s.complete.as_deref())
        .collect();
    assert_eq!(alone.len(), 6, "{alone:?}");
    assert_eq!(alone[5], "Service: Inspection; Fee: 75; Due: Monthly");
}

/// A table within a row parts the table around it no more than the text of a row does.
#[test]
fn a_table_goes_on_after_one_within_it() {
    let row = |cells: &[&str]| {
        let cells = cells.iter().map(|c| vec![paragraph(c)].into());
        cells.collect::<Vec<TableCell>>()
    };
    let fees = vec![
        row(&["Service", "Fee", "Due"]),
        row(&["Registration", "40", "Yearly"]),
        row(&["Inspection", "75", "Monthly"]),
    ];
    let text = "The fees are looked at every year.";
    for (within, expected) in [
        (vec![paragraph(text)], &[(1, 5)][..]),
        (vec![Block::Table(fees.clone())], &[(1, 5), (1, 3)]),
        (
            vec![Block::Table(fees.clone()), paragraph(text)],
            &[(1, 5), (1, 3)],
        ),
        (
            vec![Block::Table(fees.clone()), Block::Table(fees.clone())],
            &[(1, 5), (1, 3), (1, 3)],
        ),
    ] {
        let limits = vec![
            row(&["Class", "Limit", "Review"]),
            row(&["Sovereigns", "25 %", "Quarterly"]),
            row(&["Banks", "15 %", "Monthly"]),
            vec![TableCell {
                columns: 3,
                ..TableCell::from(within)
            }],
            row(&["Corporates", "10 %", "Weekly"]),
            row(&["Funds", "5 %", "Daily"]),
        ];
        let blocks = vec![
            paragraph("The limits apply to each class of exposure from the first day of the year."),
            Block::Table(limits),
        ];
        let document = read(blocks);
        let counts = heads_and_rows(&document);
        assert_eq!(counts, expected);
        let mut alone = document
            .sentences
            .iter()
            .filter_map(|s| s.complete.as_deref());
        assert_eq!(
            alone.next_back(),
            Some("Class: Funds; Limit: 5 %; Review: Daily")
        );
    }
}

/// A cell over rows that became text is no cell of the rows after them.
#[test]
fn a_cell_over_several_rows_ends_where_it_ends() {
    let cell = |text: &str, rows: u32| TableCell {
        rows,
        ..TableCell::from(vec![paragraph(text)])
    };
    let limits = vec![
        vec![cell("Class", 1), cell("Limit", 1)],
        vec![cell("Sovereigns", 3), cell("25 %", 1)],
        vec![cell("The limit is that of the last day of the year.", 1)],
        vec![cell("It is looked at every year.", 1)],
        vec![cell("Banks", 1), cell("15 %", 1)],
        vec![cell("Funds", 1), cell("5 %", 1)],
    ];
    let blocks = vec![
        paragraph("The limits apply to each class of exposure from the first day of the year."),
        Block::Table(limits),
    ];
    let document = read(blocks);
    let alone: Vec<&str> = document
        .sentences
        .iter()
        .filter_map(|s| s.complete.as_deref())
        .collect();
    assert_eq!(
        alone,
        [
            "Class: Sovereigns; Limit: 25 %",
            "Class: Banks; Limit: 15 %",
            "Class: Funds; Limit: 5 %"
        ]
    );
}

#[test]
fn line_breaks_part_clauses_and_not_sentences() {
    for (before, after, expected) in [
        ("REGULATION (EU) 2016/679", "OF THE PARLIAMENT", false),
        ("第一条 本办法适用于银行。", "第二条 银行应当报告。", true),
        ("the following:", "(a) banks", true),
        ("banks; and", "(b) funds", true),
        ("as laid down in", "(b) of this Article", false),
    ] {
        assert_eq!(
            breaks_between(before, after),
            expected,
            "{before} / {after}"
        );
    }
}
