//! Footnotes and what looks like them, on pages of our own.

use crate::made::pages_of;
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::fmt::Write as _;

/// A piece of text: size, place from the lower left corner, text.
type Piece<'t> = (f32, f32, f32, &'t str);

/// Six lines of running text from a height on, as every page of a rule has them.
const RULE: [&str; 6] = [
    "1. An institution keeps own funds that cover the risks to which it is exposed, and it",
    "computes them each quarter on the basis of its latest accounts. The authority may ask",
    "for more where the risks of an institution are not covered by what it has computed.",
    "2. The management body approves the method, reviews it each year and keeps a record",
    "of every change. A change that lowers the result by a tenth is told to the authority",
    "before it is made, with the reasons and with the figures of the last two years.",
];

fn text(from: f32) -> Vec<Piece<'static>> {
    let lines = RULE.iter().zip(0u8..);
    lines
        .map(|(line, i)| (11.0, 60.0, from - 14.0 * f32::from(i), *line))
        .collect()
}

/// Kind and text of every sentence of these pages.
fn read_pages(pages: &[Vec<Piece>], rules: &[[f32; 3]]) -> Vec<(SentenceKind, String)> {
    let contents: Vec<String> = pages
        .iter()
        .map(|pieces| {
            let mut content = String::new();
            for (size, x, y, text) in pieces {
                let text = text.replace('(', "\\(").replace(')', "\\)");
                let _ = writeln!(content, "BT /F {size} Tf {x} {y} Td ({text}) Tj ET");
            }
            for [x0, x1, y] in rules {
                let _ = writeln!(content, "0.5 w {x0} {y} m {x1} {y} l S");
            }
            content
        })
        .collect();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    let document = read::read("made.pdf", pages_of(&contents), &options, &mut |_, _| {}).unwrap();
    let sentences = document.sentences.into_iter();
    sentences.map(|s| (s.kind, s.text)).collect()
}

fn notes(sentences: &[(SentenceKind, String)]) -> Vec<&str> {
    let notes = sentences.iter().filter(|s| s.0 == SentenceKind::Footnote);
    notes.map(|s| s.1.as_str()).collect()
}

#[test]
fn small_type_that_nothing_refers_to_is_the_text_of_the_rule() {
    let mut page = text(780.0);
    page.extend([
        (
            8.5,
            60.0,
            300.0,
            "1 The figure shows the order in which the steps are taken:",
        ),
        (
            8.5,
            60.0,
            288.0,
            "(a) the institution computes its exposure before any mitigation;",
        ),
        (
            8.5,
            60.0,
            276.0,
            "(b) it deducts what is secured by collateral that is eligible;",
        ),
        (
            8.5,
            60.0,
            264.0,
            "(c) it tells the authority of the result within ten days.",
        ),
        (8.5, 60.0, 240.0, "Reporting"),
    ]);
    let found = read_pages(&[page], &[]);
    assert!(notes(&found).is_empty(), "{found:#?}");
    assert!(
        found.iter().any(|s| s.1.starts_with("(b) it deducts")),
        "{found:#?}"
    );
}

#[test]
fn a_note_ends_where_other_paragraphs_and_a_heading_begin() {
    let mut page = text(780.0);
    page.extend([
        (
            11.0,
            60.0,
            690.0,
            "The result is published by each institution",
        ),
        (6.5, 275.0, 695.0, "1"),
        (11.0, 279.0, 690.0, "within a month."),
        (
            8.5,
            60.0,
            300.0,
            "1 Institutions that are exempt publish nothing of this, and say",
        ),
        (8.5, 60.0, 289.5, "so once a year in their report."),
        (
            8.5,
            60.0,
            262.0,
            "(a) The summary names the head of the unit that computed it;",
        ),
        (8.5, 60.0, 251.0, "(b) it is kept for ten years."),
        (8.5, 60.0, 225.0, "Reporting"),
    ]);
    let found = read_pages(&[page], &[]);
    assert_eq!(
        notes(&found),
        [
            "1 Institutions that are exempt publish nothing of this, and say so once a year in their report."
        ],
        "{found:#?}"
    );
}

#[test]
fn a_note_in_the_size_of_the_text_does_not_cut_the_sentence() {
    let mut first = text(780.0);
    first.extend([
        (
            11.0,
            60.0,
            112.0,
            "3. The authority tells the institution of its decision",
        ),
        (6.5, 318.0, 117.0, "2"),
        (11.0, 324.0, 112.0, "and gives it the time that it"),
        (6.5, 60.0, 83.0, "2"),
        (
            10.5,
            66.0,
            78.0,
            "The decision is taken by the board in a sitting that is not public.",
        ),
    ]);
    let second = vec![(
        11.0,
        60.0,
        780.0,
        "needs to answer, which is a month at the least.",
    )];
    let found = read_pages(&[first, second], &[[60.0, 200.0, 92.0]]);
    assert_eq!(notes(&found).len(), 1, "{found:#?}");
    let whole = "3. The authority tells the institution of its decision and gives it the time that it needs to answer, which is a month \
                 at the least.";
    assert!(found.iter().any(|s| s.1 == whole), "{found:#?}");
}

#[test]
fn the_notes_of_a_page_count_on() {
    let mut page = text(780.0);
    page.extend([
        (11.0, 60.0, 690.0, "The result is published"),
        (6.5, 176.0, 695.0, "3"),
        (11.0, 183.0, 690.0, "and reviewed"),
        (6.5, 251.0, 695.0, "4"),
        (11.0, 257.0, 690.0, "by a second unit."),
        (8.5, 60.0, 100.0, "3 On the site of the institution."),
        (
            8.5,
            60.0,
            89.0,
            "4 Whose members had no part in the computation before, as article",
        ),
        (8.5, 60.0, 78.0, "2 Nr. 5 of the law demands."),
    ]);
    let found = read_pages(&[page], &[[60.0, 180.0, 110.0]]);
    let notes = notes(&found);
    assert_eq!(notes.len(), 2, "{found:#?}");
    assert!(notes[1].ends_with("of the law demands."), "{notes:?}");
}

#[test]
fn a_stop_may_stand_after_the_number_of_a_note() {
    let note = "33. Institutions that are exempt publish nothing of this.";
    let page = |mark: &'static str| {
        let mut page = text(780.0);
        page.extend([
            (
                11.0,
                60.0,
                690.0,
                "The result is published by each institution",
            ),
            (6.5, 275.0, 695.0, mark),
            (11.0, 283.0, 690.0, "within a month."),
            (8.5, 60.0, 100.0, note),
        ]);
        page
    };
    assert_eq!(notes(&read_pages(&[page("33")], &[])), [note]);
    // A small paragraph without a reference to it.
    assert!(notes(&read_pages(&[page("4")], &[])).is_empty());
}

#[test]
fn a_sign_in_brackets_marks_a_note_that_its_source_ends() {
    let mut page = text(780.0);
    page.extend([
        (11.0, 60.0, 690.0, "The losses of 2006 (*) are small."),
        (8.5, 60.0, 300.0, "(*) Forecast of the authority."),
        (8.5, 60.0, 289.5, "Source: reports of banks."),
    ]);
    let found = read_pages(&[page], &[]);
    let expected = [
        "(*) Forecast of the authority.",
        "Source: reports of banks.",
    ];
    assert_eq!(notes(&found), expected, "{found:#?}");
}

#[test]
fn a_sign_at_the_end_of_a_word_marks_the_only_line_that_begins_with_it() {
    let note = "* Forecast of the authority.";
    let page = |top: f32, more: &[Piece<'static>]| {
        let mut page = text(top);
        page.push((11.0, 60.0, top - 90.0, "The losses of 2006* are small."));
        page.push((8.5, 60.0, top - 120.0, note));
        page.extend_from_slice(more);
        page
    };
    // A note of a box may stand far above the foot of the page.
    let below = (
        11.0,
        60.0,
        600.0,
        "The authority tells banks what it expects of them.",
    );
    assert_eq!(notes(&read_pages(&[page(780.0, &[below])], &[])), [note]);
    assert_eq!(notes(&read_pages(&[page(500.0, &[])], &[])), [note]);
    // The items of a list.
    let item = (8.5, 60.0, 645.0, "* Losses of the last year.");
    assert!(notes(&read_pages(&[page(780.0, &[item, below])], &[])).is_empty());
}

/// A table at the top of the page with a raised sign in its caption, its note right below it, and the text after that.
#[test]
fn the_note_of_a_table_stands_below_it_wherever_that_is() {
    let foot = "1. Loans of the banks to each other are not counted.";
    for (mark, at_foot, expected) in [
        ("1", None, Some("1. Banks")),
        ("7", None, None),
        // Below the table stands an item, since the note with this number is at the foot of the page.
        ("1", Some(foot), Some("1. Loans")),
    ] {
        let mut page: Vec<Piece> = vec![
            (
                11.0,
                60.0,
                780.0,
                "Table 1: Reports of the banks in the year",
            ),
            (6.5, 259.5, 784.0, mark),
            (9.0, 62.0, 760.0, "Country"),
            (9.0, 262.0, 760.0, "Banks"),
            (9.0, 402.0, 760.0, "Reports"),
            (9.0, 62.0, 745.0, "North"),
            (9.0, 262.0, 745.0, "12"),
            (9.0, 402.0, 745.0, "48"),
            (9.0, 62.0, 730.0, "South"),
            (9.0, 262.0, 730.0, "15"),
            (9.0, 402.0, 730.0, "60"),
            (
                8.0,
                60.0,
                706.0,
                "1. Banks that were open for less than a year are not counted.",
            ),
        ];
        page.extend(text(660.0));
        page.extend(at_foot.map(|text| (8.0, 60.0, 60.0, text)));
        let rules = [
            [60.0, 500.0, 771.0],
            [60.0, 500.0, 756.0],
            [60.0, 500.0, 724.0],
        ];
        let found = read_pages(&[page], &rules);
        let notes = notes(&found);
        let expected: Vec<&str> = expected.into_iter().collect();
        assert_eq!(notes.len(), expected.len(), "{mark}: {found:#?}");
        let mut beside = notes.iter().zip(expected);
        assert!(beside.all(|(n, begin)| n.starts_with(begin)), "{notes:?}");
    }
}

#[test]
fn items_of_a_note_are_of_the_note() {
    let mut page = text(780.0);
    page.extend([
        (
            11.0,
            60.0,
            690.0,
            "The result is published by each institution",
        ),
        (6.5, 275.0, 695.0, "1"),
        (11.0, 279.0, 690.0, "within a month."),
        (
            8.5,
            60.0,
            100.0,
            "1 Examples: a) the rate of the office is another one than that of the market.",
        ),
        (
            8.5,
            60.0,
            89.0,
            "b) If a price of the market is used, the data of the model are no proxy of it.",
        ),
        (
            8.5,
            60.0,
            78.0,
            "c) A rate may be missing on the day of the report.",
        ),
    ]);
    let found = read_pages(&[page], &[]);
    let all = notes(&found).join(" ");
    assert!(
        all.starts_with("1 Examples: a)") && all.ends_with("of the report."),
        "{found:#?}"
    );
    assert!(
        !found
            .iter()
            .any(|(kind, text)| *kind != SentenceKind::Footnote && text.contains("price"))
    );
}
