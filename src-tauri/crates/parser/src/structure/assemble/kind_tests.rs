//! Tests of the kinds that sentences get, and of their text, on lines of our own.

use super::tests::{line, read};
use crate::layout::Cell;
use lexforge_domain::text::SentenceKind;

const TEXT: &str = "Banks report what they lend to other banks, and the board reads it.";

#[test]
fn a_number_below_a_lettered_heading_is_that_of_a_paragraph() {
    let limits = "1. The income of a bank is what it earns in a year.";
    for (above, bold, kind) in [
        ("(i) Measures of income", true, SentenceKind::Rule),
        (
            "(i) each bank reports what follows:",
            false,
            SentenceKind::ListItem,
        ),
    ] {
        let mut lines = vec![
            line(TEXT, 60.0, 100.0, 10.0),
            line(above, 60.0, 130.0, 10.0),
            line(limits, 60.0, 160.0, 10.0),
            line(TEXT, 60.0, 190.0, 10.0),
        ];
        lines[1].bold = bold;
        let found = read(vec![lines]);
        let paragraph = found.iter().find(|s| s.1 == limits);
        assert_eq!(paragraph.map(|s| s.0), Some(kind), "{found:#?}");
    }
}

#[test]
fn the_source_of_a_table_is_a_note_and_no_rule() {
    for (remark, size, kind) in [
        (
            "Source: reports of the banks for the last year.",
            10.0,
            SentenceKind::Footnote,
        ),
        (
            "Note: amounts are rounded to thousands.",
            8.0,
            SentenceKind::Footnote,
        ),
        (
            "Note: each bank reports once in a year.",
            10.0,
            SentenceKind::Rule,
        ),
        (
            "Sources are named in each report of a bank.",
            10.0,
            SentenceKind::Rule,
        ),
        (
            "Sources: each bank shall name where its figures are from.",
            10.0,
            SentenceKind::Rule,
        ),
        (
            "Note: the amounts must be rounded to thousands.",
            8.0,
            SentenceKind::Rule,
        ),
    ] {
        let found = read(vec![vec![
            line(TEXT, 60.0, 100.0, 10.0),
            line(remark, 60.0, 140.0, size),
            line(TEXT, 60.0, 180.0, 10.0),
        ]]);
        let kinds: Vec<_> = found.iter().map(|s| s.0).collect();
        assert_eq!(
            kinds,
            [SentenceKind::Rule, kind, SentenceKind::Rule],
            "{found:#?}"
        );
    }
}

#[test]
fn numbers_alone_are_no_rule_and_number_nothing() {
    for (text, kind, path) in [
        ("3.500 3.000", SentenceKind::TableCell, ""),
        ("3.5 Banks keep records.", SentenceKind::Rule, "3.5"),
        ("100.", SentenceKind::TableCell, ""),
    ] {
        let found = read(vec![vec![
            line(TEXT, 60.0, 120.0, 10.0),
            line(text, 60.0, 160.0, 10.0),
            line(TEXT, 60.0, 230.0, 10.0),
        ]]);
        let (kinds, paths): (Vec<_>, Vec<&str>) = found.iter().map(|s| (s.0, s.2.as_str())).unzip();
        assert_eq!(kinds.get(1), Some(&kind), "{found:#?}");
        assert_eq!(paths.last(), Some(&path), "{found:#?}");
    }
}

#[test]
fn a_heading_in_small_capitals_has_the_letters_that_they_stand_for() {
    for (cell, expected) in [(false, "Use of Limits II"), (true, "USE OF LIMITS II")] {
        let mut heading = line("USE OF LIMITS II", 60.0, 100.0, 14.0);
        heading.small = vec![1, 2, 4, 5, 8, 9, 10, 11, 12, 15];
        heading.cell = cell.then(|| Cell::single(0, 0, 0));
        let found = read(vec![vec![heading, line(TEXT, 60.0, 140.0, 10.0)]]);
        assert_eq!(
            found.first().map(|s| s.1.as_str()),
            Some(expected),
            "{found:#?}"
        );
    }
}

#[test]
fn an_address_over_two_lines_has_no_blank() {
    let found = read(vec![vec![
        line(
            "The bank publishes its report at https://www.example.org/reports/yearly.html?",
            60.0,
            100.0,
            10.0,
        ),
        line(
            "id=1082&part=2 and sends it to the authority.",
            60.0,
            114.0,
            10.0,
        ),
    ]]);
    let whole = |s: &(SentenceKind, String, String)| s.1.contains("yearly.html?id=1082&part=2 and");
    assert!(found.iter().any(whole), "{found:#?}");
}
