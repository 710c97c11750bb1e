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
    let document = Flow {
        blocks,
        ..Flow::default()
    }
    .document("x", DocumentFormat::Html)
    .unwrap();
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
