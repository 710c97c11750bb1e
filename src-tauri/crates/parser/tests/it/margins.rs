//! Text around the body of short documents, tables whose columns are close together, and headings at the beginning of
//! paragraphs, on pages made for these tests.

use crate::made::page_of;
use lexforge_domain::document::{ParsedDocument, RemovedWhy};
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::fmt::Write as _;

/// Size, place from the lower left corner, text.
type Piece<'t> = (f32, f32, f32, &'t str);

fn page(pieces: &[Piece]) -> ParsedDocument {
    let mut content = String::new();
    for (size, x, y, text) in pieces {
        let text = text.replace('(', "\\(").replace(')', "\\)");
        let _ = writeln!(content, "BT /F {size} Tf {x} {y} Td ({text}) Tj ET");
    }
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    read::read("made.pdf", page_of(&content), &options, &mut |_, _| {}).unwrap()
}

fn html(text: &str) -> ParsedDocument {
    let options = ParseOptions::default();
    read::read("made.html", text.into(), &options, &mut |_, _| {}).unwrap()
}

fn sentences(document: &ParsedDocument) -> Vec<(SentenceKind, &str)> {
    let all = document.sentences.iter();
    all.map(|s| (s.kind, s.text.as_str())).collect()
}

#[test]
fn a_heading_of_a_size_of_its_own_stands_by_itself() {
    let document = page(&[
        (
            15.5,
            100.0,
            780.0,
            "Conclusion: the assets of the bank are strong or weak.",
        ),
        (14.5, 54.0, 747.0, "Introduction"),
        (
            12.0,
            90.0,
            715.0,
            "A bank looks at what it lends, to whom, and what it holds against the loans, at",
        ),
        (
            12.0,
            90.0,
            701.0,
            "least once in each quarter. What it finds is told to its board, which decides on",
        ),
        (
            12.0,
            90.0,
            687.0,
            "what follows from it within a month and tells the authority of what it decided.",
        ),
    ]);
    let found = sentences(&document);
    assert!(
        found.contains(&(SentenceKind::Heading, "Introduction")),
        "{found:#?}"
    );
}

#[test]
fn what_a_browser_prints_around_a_page_is_kept_apart() {
    let document = page(&[
        (8.0, 24.0, 820.0, "11/25/26, 12:51 PM"),
        (8.0, 280.0, 820.0, "Outsourcing circular"),
        (
            11.0,
            60.0,
            760.0,
            "A bank shall keep a register of its arrangements.",
        ),
        (11.0, 60.0, 740.0, "Records are kept for five years."),
        (
            8.0,
            24.0,
            16.0,
            "https://www.example.org/rules/circular.html",
        ),
        (8.0, 560.0, 16.0, "1/1"),
    ]);
    let texts: Vec<&str> = sentences(&document).iter().map(|s| s.1).collect();
    assert_eq!(
        texts,
        [
            "A bank shall keep a register of its arrangements.",
            "Records are kept for five years."
        ]
    );
    let removed = &document.pages[0].removed;
    assert_eq!(removed.len(), 2, "{removed:?}");
    assert!(
        removed
            .iter()
            .all(|l| l.why == RemovedWhy::Printed && l.region.is_some())
    );
    assert_eq!(
        document.metadata.date, None,
        "the time of printing is no date of the document"
    );
}

/// The gutter is as wide as eight points; the wide words of one row reach nearly to the next column.
#[test]
fn columns_that_stand_closely_together_are_a_table() {
    let row = |y: f32, texts: [&'static str; 3]| {
        [60.0, 118.0, 150.0]
            .into_iter()
            .zip(texts)
            .map(move |(x, text)| (10.0, x, y, text))
    };
    let mut pieces = vec![(
        10.0,
        60.0,
        740.0,
        "The limits apply to each class of exposure from the first day of the year.",
    )];
    pieces.extend(row(712.0, ["Class", "Limit", "Review"]));
    pieces.extend(row(698.0, ["Sovereigns", "25 %", "Quarterly"]));
    pieces.extend(row(684.0, ["Banks", "15 %", "Monthly"]));
    pieces.extend(row(670.0, ["Corporates", "10 %", "Weekly"]));
    pieces.push((
        10.0,
        60.0,
        640.0,
        "Exceptions are approved by the board of the bank in each single case.",
    ));
    let document = page(&pieces);
    let alone: Vec<&str> = document
        .sentences
        .iter()
        .filter_map(|s| s.complete.as_deref())
        .collect();
    assert_eq!(
        alone,
        [
            "Class: Sovereigns; Limit: 25 %; Review: Quarterly",
            "Class: Banks; Limit: 15 %; Review: Monthly",
            "Class: Corporates; Limit: 10 %; Review: Weekly"
        ]
    );
    let kinds: Vec<SentenceKind> = document.sentences.iter().map(|s| s.kind).collect();
    assert!(
        kinds.first() == Some(&SentenceKind::Rule) && kinds.last() == Some(&SentenceKind::Rule),
        "{kinds:?}"
    );
}

#[test]
fn a_list_of_abbreviations_is_a_table() {
    let entries = [
        ("ERISAX", "Employee Retirement Income Security Act"),
        ("EVE", "economic value of equity"),
        ("FCM", "futures commission merchant"),
        ("NII", "net interest income"),
    ];
    let mut pieces: Vec<Piece> = Vec::new();
    for (i, (short, long)) in entries.into_iter().enumerate() {
        let y = 700.0 - 13.0 * i as f32;
        pieces.extend([(10.0, 60.0, y, short), (10.0, 104.0, y, long)]);
    }
    let document = page(&pieces);
    let rows: Vec<String> = entries.iter().map(|(a, b)| format!("{a}\t{b}")).collect();
    let found: Vec<&str> = sentences(&document).iter().map(|s| s.1).collect();
    assert_eq!(found, rows);
}

#[test]
fn a_heading_runs_into_its_paragraph() {
    let document = html(
        "<h1>Guidance on boards</h1>\
         <p><b>Background</b> On October 29 the authority published a proposal on the duties of boards.</p>\
         <p><b><i>Board responsibility.</i></b> The board shall approve the risk appetite of the bank.</p>\
         <p><b>Banks</b> that lend shall report their limits to the authority.</p>",
    );
    assert_eq!(
        sentences(&document)[1..],
        [
            (SentenceKind::Heading, "Background"),
            (
                SentenceKind::Rule,
                "On October 29 the authority published a proposal on the duties of boards."
            ),
            (SentenceKind::Heading, "Board responsibility."),
            (
                SentenceKind::Rule,
                "The board shall approve the risk appetite of the bank."
            ),
            (
                SentenceKind::Rule,
                "Banks that lend shall report their limits to the authority."
            ),
        ]
    );
}

/// The nearest heading says whether terms are explained; a letter between the entries does not part them from it.
#[test]
fn entries_of_a_glossary_keep_their_terms() {
    let document = html(
        "<h1>Guide to lending</h1><h2>Scope and definitions</h2><h3>Duties of banks</h3>\
         <p><b>Board responsibility.</b> The board shall approve the limits of the bank once a year.</p>\
         <h2>Glossary</h2>\
         <p><b>Client group:</b> Clients that are linked by control, so that one fails with the other.</p>\
         <h3>D</h3>\
         <p><b>Default rate:</b> The share of all loans of a year that were not paid back in time. \
         It is told once a year.</p>",
    );
    let found = sentences(&document).into_iter();
    let headings: Vec<&str> = found
        .filter(|(kind, _)| *kind == SentenceKind::Heading)
        .map(|(_, text)| text)
        .collect();
    assert_eq!(
        headings,
        [
            "Guide to lending",
            "Scope and definitions",
            "Duties of banks",
            "Board responsibility.",
            "Glossary",
            "D"
        ]
    );
    let kind = |begins: &str| {
        let mut found = sentences(&document).into_iter();
        let (kind, _) = found.find(|(_, text)| text.starts_with(begins)).unwrap();
        kind
    };
    assert_eq!(kind("Client group:"), SentenceKind::Definition);
    assert_eq!(kind("Default rate:"), SentenceKind::Definition);
    assert_eq!(kind("It is told"), SentenceKind::Rule);
    assert_eq!(kind("The board shall"), SentenceKind::Rule);
}

/// A caption above a table opens no section. The text after the table stays in the section before.
#[test]
fn a_caption_heads_no_section() {
    let document = html(
        "<h1>Guide to lending</h1><h2>Limits of exposures</h2><h3>Table 3: Limits by group</h3>\
         <p>The bank shall keep to the limits of the table at all times.</p>",
    );
    let paths: Vec<&str> = document.sections.iter().map(|s| s.path.as_str()).collect();
    assert!(paths.contains(&"Limits of exposures"), "{paths:?}");
    assert!(
        !paths.iter().any(|path| path.contains("Table 3")),
        "{paths:?}"
    );
}

/// A list below the title leaves it when it ends, and a note stands under the text of a web page, too.
#[test]
fn a_web_page_keeps_its_places() {
    let document = html(
        "<h1>Keeping of records</h1>\
         <p>The bank shall:</p><p>(a) keep records;</p><p>(b) show them on request.</p>\
         <p>Records are kept for ten years.<sup>1</sup></p>\
         <hr><p><sup>1</sup> See the earlier guidance of the authority.</p>",
    );
    let places: Vec<(&str, &str)> = document
        .sentences
        .iter()
        .map(|s| {
            let path = s.section.map(|at| document.sections[at].path.as_str());
            (path.unwrap_or_default(), s.text.as_str())
        })
        .collect();
    assert_eq!(
        places,
        [
            ("Keeping of records", "Keeping of records"),
            ("Keeping of records", "The bank shall:"),
            ("(a)", "(a) keep records;"),
            ("(b)", "(b) show them on request."),
            ("Keeping of records", "Records are kept for ten years."),
            ("Footnotes", "1 See the earlier guidance of the authority.")
        ]
    );
}

/// Heads over several columns and rows name the cells below them.
#[test]
fn cells_of_a_web_page_that_take_several_columns_head_them() {
    let document = html(
        "<h1>Ratios</h1><table><tr><th rowspan=2>Class<th colspan=2>Minimum ratio</tr>\
         <tr><th>2023<th>2024</tr><tr><td>Retail deposits<td>4.5<td>5.0</tr>\
         <tr><td>Covered bonds<td>7.5<td>8.0</tr></table>",
    );
    let alone: Vec<&str> = document
        .sentences
        .iter()
        .filter_map(|s| s.complete.as_deref())
        .collect();
    assert_eq!(
        alone,
        [
            "Class: Retail deposits; Minimum ratio › 2023: 4.5; Minimum ratio › 2024: 5.0",
            "Class: Covered bonds; Minimum ratio › 2023: 7.5; Minimum ratio › 2024: 8.0"
        ]
    );
}

/// Lines around the title are no clauses and no headings.
#[test]
fn lines_around_the_title_are_front_matter() {
    let document = page(&[
        (11.0, 60.0, 700.0, "I"),
        (11.0, 60.0, 670.0, "REGULATIONS"),
        (18.0, 60.0, 630.0, "Regulation on the keeping of records"),
        (11.0, 60.0, 600.0, "(Text with EEA relevance)"),
        (
            11.0,
            60.0,
            560.0,
            "This regulation applies to every bank that keeps records of its customers.",
        ),
        (
            11.0,
            60.0,
            530.0,
            "Records are kept for ten years after the end of the business with a customer.",
        ),
    ]);
    let front: Vec<&str> = document
        .sentences
        .iter()
        .filter(|s| {
            let section = s.section.map(|at| document.sections[at].path.as_str());
            section == Some("Front matter") && s.kind == SentenceKind::Heading
        })
        .map(|s| s.text.as_str())
        .collect();
    assert_eq!(front, ["I REGULATIONS", "(Text with EEA relevance)"]);
    let rules = document.sentences.iter();
    let rules = rules.filter(|s| s.kind == SentenceKind::Rule);
    assert_eq!(rules.count(), 2);
}

/// Browsers set a mark at .83 of the type, a third of an em above it.
#[test]
fn a_large_mark_of_a_footnote_is_no_text() {
    let document = page(&[
        (
            11.0,
            60.0,
            760.0,
            "A bank shall keep records of these arrangements.",
        ),
        (9.2, 302.7, 764.0, "1"),
        (11.0, 310.9, 760.0, "It shall review them."),
        (
            8.0,
            60.0,
            100.0,
            "1 See the earlier guidance of the authority.",
        ),
    ]);
    assert_eq!(
        sentences(&document)[..2],
        [
            (
                SentenceKind::Rule,
                "A bank shall keep records of these arrangements."
            ),
            (SentenceKind::Rule, "It shall review them.")
        ]
    );
}
