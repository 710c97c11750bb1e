//! In which section a sentence stands, and what heads none, on pages of our own.

use crate::made::pages_of;
use lexforge_domain::document::ParsedDocument;
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::fmt::Write as _;

/// Size, place from the lower left corner, text.
type Piece<'t> = (f32, f32, f32, &'t str);

fn page(pieces: &[Piece]) -> ParsedDocument {
    pages(&[pieces])
}

fn pages(pages: &[&[Piece]]) -> ParsedDocument {
    let mut contents = Vec::new();
    for pieces in pages {
        let mut content = String::new();
        for (size, x, y, text) in *pieces {
            let text = text.replace('(', "\\(").replace(')', "\\)");
            let _ = writeln!(content, "BT /F {size} Tf {x} {y} Td ({text}) Tj ET");
        }
        contents.push(content);
    }
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    read::read("made.pdf", pages_of(&contents), &options, &mut |_, _| {}).unwrap()
}

/// The kind of a sentence and the path of its section.
fn place<'d>(document: &'d ParsedDocument, text: &str) -> (SentenceKind, &'d str) {
    let found = document.sentences.iter().find(|s| s.text == text);
    let all = || document.sentences.iter().map(|s| &s.text);
    let sentence = found.unwrap_or_else(|| panic!("{text} in {:?}", all().collect::<Vec<_>>()));
    let section = sentence.section.map(|at| &document.sections[at]);
    (sentence.kind, section.map_or("", |s| s.path.as_str()))
}

const PROSE: [&str; 2] = [
    "A bank that lends to a client counts what it has lent to all members of the group,",
    "and it reports the sum to the authority at the end of each quarter of the year.",
];

fn prose(left: f32, top: f32, pitch: f32) -> [Piece<'static>; 2] {
    [
        (11.0, left, top, PROSE[0]),
        (11.0, left, top - pitch, PROSE[1]),
    ]
}

#[test]
fn the_labels_of_a_chart_are_one_row_and_head_nothing() {
    let mut pieces = vec![(14.0, 60.0, 780.0, "2. Losses of banks")];
    pieces.extend(prose(60.0, 750.0, 14.0));
    for (at, value) in ["400", "300", "200", "100", "0"].iter().enumerate() {
        let left = 100.0 - 4.4 * value.len() as f32;
        pieces.push((8.0, left, 700.0 - 30.0 * at as f32, value));
    }
    // Large and in capitals as a heading is.
    pieces.extend([
        (8.0, 150.0, 570.0, "MAY"),
        (8.0, 250.0, 570.0, "JUNE"),
        (8.0, 220.0, 660.0, "LARGE BANKS"),
    ]);
    pieces.extend(prose(60.0, 530.0, 14.0));
    let document = page(&pieces);
    let labels = "400\t300\tLARGE BANKS\t200\t100\t0\tMAY JUNE";
    assert_eq!(place(&document, labels), (SentenceKind::TableCell, "2"));
    let whole = PROSE.join(" ");
    let rules = document.sentences.iter().filter(|s| s.text == whole);
    assert_eq!(rules.count(), 2);
    assert!(document.tables.is_empty());
}

#[test]
fn where_a_table_comes_from_heads_nothing() {
    let mut pieces = vec![(14.0, 60.0, 780.0, "2. Losses of banks")];
    pieces.extend(prose(60.0, 750.0, 14.0));
    pieces.push((13.0, 60.0, 700.0, "Source: reports of banks"));
    pieces.push((11.0, 60.0, 660.0, "No bank lends more than it may."));
    let document = page(&pieces);
    let source = place(&document, "Source: reports of banks");
    assert_eq!(source, (SentenceKind::Footnote, "2"));
    let after = place(&document, "No bank lends more than it may.");
    assert_eq!(after, (SentenceKind::Rule, "2"));
}

#[test]
fn a_title_that_is_drawn_last_heads_its_page() {
    let mut pieces = prose(60.0, 700.0, 14.0).to_vec();
    pieces.push((24.0, 60.0, 790.0, "Duties of a bank that lends"));
    let document = page(&pieces);
    assert_eq!(document.title, "Duties of a bank that lends");
    let first = document.sentences.first().map(|s| s.text.as_str());
    assert_eq!(first, Some("Duties of a bank that lends"));
    let (_, path) = place(&document, &PROSE.join(" "));
    assert_eq!(path, "Duties of a bank that lends");
}

#[test]
fn prose_in_wide_lines_stays_whole_beside_the_rows_of_a_table() {
    let mut pieces = Vec::new();
    for (at, (name, share)) in [("Bank A", "28%"), ("Bank B", "25%"), ("Bank C", "23%")]
        .iter()
        .enumerate()
    {
        let down = 780.0 - 13.5 * at as f32;
        pieces.extend([(11.0, 60.0, down, *name), (11.0, 300.0, down, *share)]);
    }
    pieces.extend(prose(60.0, 720.0, 19.5));
    let document = page(&pieces);
    let (kind, _) = place(&document, &PROSE.join(" "));
    assert_eq!(kind, SentenceKind::Rule);
}

#[test]
fn a_heading_without_a_number_stands_below_the_numbered_one() {
    let mut pieces = vec![
        (24.0, 60.0, 810.0, "Handbook of training"),
        (13.0, 60.0, 780.0, "5.2.1 Training of staff"),
        (13.5, 60.0, 730.0, "Training of new staff"),
    ];
    pieces.extend(prose(60.0, 705.0, 14.0));
    let document = page(&pieces);
    let (_, path) = place(&document, &PROSE.join(" "));
    assert_eq!(path, "5.2.1 › Training of new staff");
}

#[test]
fn the_stop_after_the_number_of_a_caption_ends_no_sentence() {
    let mut pieces = prose(60.0, 780.0, 14.0).to_vec();
    let caption = "Figure A3. Banks that reported their losses late, by month";
    pieces.push((11.0, 60.0, 720.0, caption));
    let document = page(&pieces);
    let found = document.sentences.iter().any(|s| s.text == caption);
    assert!(found, "{:?}", document.sentences);
}

#[test]
fn the_two_parts_of_a_broken_word_are_no_words_of_their_own() {
    let document = page(&[
        (
            11.0,
            60.0,
            780.0,
            "What a bank has lent is under stress where the amount of it is under-",
        ),
        (
            11.0,
            60.0,
            766.0,
            "stated, and a cross-border loan stays what it is, since it is a cross-",
        ),
        (11.0, 60.0, 752.0, "border loan."),
    ]);
    let text = &document.sentences[0].text;
    assert!(text.contains("understated"), "{text}");
    assert!(text.ends_with("a cross-border loan."), "{text}");
}

#[test]
fn the_name_of_a_chart_heads_nothing() {
    let mut pieces = vec![(14.0, 60.0, 780.0, "2. Losses of banks")];
    pieces.extend(prose(60.0, 750.0, 14.0));
    let name = "LOSSES OF LARGE BANKS";
    pieces.push((11.0, 100.0, 716.0, name));
    for (at, value) in ["400", "300", "200", "100", "0"].iter().enumerate() {
        let left = 100.0 - 4.4 * value.len() as f32;
        pieces.push((8.0, left, 700.0 - 30.0 * at as f32, value));
    }
    pieces.push((9.0, 60.0, 556.0, "Source: reports of banks"));
    pieces.push((9.0, 60.0, 545.0, "Figure 4 (until May)"));
    pieces.extend(prose(60.0, 510.0, 14.0));
    let document = page(&pieces);
    assert_eq!(place(&document, name), (SentenceKind::Rule, "2"));
    // The caption is none of the source.
    let source = place(&document, "Source: reports of banks");
    assert_eq!(source, (SentenceKind::Footnote, "2"));
    let own = |text: &str| document.sentences.iter().filter(|s| s.text == text).count();
    assert_eq!(own(&PROSE.join(" ")), 2);
    let (_, path) = place(&document, &PROSE.join(" "));
    assert_eq!(path, "2");
}

#[test]
fn a_heading_after_one_that_begins_with_a_number_stands_beside_it() {
    let mut pieces = vec![
        (24.0, 60.0, 810.0, "Handbook of reports"),
        (16.0, 60.0, 780.0, "Reports"),
        (13.0, 60.0, 755.0, "12 Form of the annual report"),
    ];
    pieces.extend(prose(60.0, 735.0, 14.0));
    pieces.push((14.0, 60.0, 695.0, "Ratings of banks"));
    let text = "No bank is told the rating of another one.";
    pieces.push((11.0, 60.0, 670.0, text));
    let document = page(&pieces);
    assert_eq!(place(&document, text).1, "Reports › Ratings of banks");
}

#[test]
fn entries_of_a_table_of_contents_without_leaders_are_no_rules() {
    let mut pieces = vec![(16.0, 60.0, 780.0, "Contents")];
    pieces.push((11.0, 60.0, 755.0, "Chapter 1 Limits"));
    pieces.push((11.0, 60.0, 735.0, "Chapter 2 Reports"));
    pieces.push((14.0, 60.0, 700.0, "Chapter 1 Limits"));
    pieces.push((11.0, 60.0, 675.0, "No bank lends more than it may."));
    pieces.push((14.0, 60.0, 640.0, "Chapter 2 Reports"));
    pieces.extend(prose(60.0, 615.0, 14.0));
    let document = page(&pieces);
    let found = document
        .sentences
        .iter()
        .find(|s| s.text == "Chapter 2 Reports");
    let entry = found.map(|s| {
        (
            s.kind,
            s.section.map(|at| document.sections[at].path.as_str()),
        )
    });
    assert_eq!(entry, Some((SentenceKind::TableCell, Some("Contents"))));
}

#[test]
fn prose_in_wide_lines_stays_whole_below_a_note_in_close_ones() {
    let text = [
        PROSE[0],
        "and it tells the authority of each of the loans that are larger than all of the others,",
        PROSE[1],
    ];
    let mut pieces = vec![
        (
            11.0,
            60.0,
            780.0,
            "The first column of the table tells of loans.",
        ),
        (
            11.0,
            60.0,
            767.0,
            "The second column of the table tells of losses.",
        ),
    ];
    for (at, line) in text.iter().enumerate() {
        pieces.push((11.0, 60.0, 735.0 - 19.5 * at as f32, line));
    }
    let document = page(&pieces);
    let (kind, _) = place(&document, &text.join(" "));
    assert_eq!(kind, SentenceKind::Rule);
}

#[test]
fn a_caption_ends_with_its_page_and_the_next_one_begins_anew() {
    let captions = ["Figure 3.1: Banks by size", "Figure 3.2: Banks by age"];
    let mut second = vec![(11.0, 60.0, 780.0, captions[1])];
    second.extend(prose(60.0, 740.0, 14.0));
    let mut first = vec![(14.0, 60.0, 780.0, "2. Losses of banks")];
    first.extend(prose(60.0, 750.0, 14.0));
    first.push((11.0, 60.0, 690.0, captions[0]));
    let document = pages(&[&first, &second]);
    let third = pages(&[&second[..1], &prose(60.0, 780.0, 14.0)]);
    for (document, caption) in [(&document, 0), (&document, 1), (&third, 1)] {
        let found = document
            .sentences
            .iter()
            .any(|s| s.text == captions[caption] && s.kind == SentenceKind::Heading);
        assert!(found, "{:?}", document.sentences);
    }
}

#[test]
fn a_power_stands_in_its_formula() {
    let formula = [
        (5.8, 67.0, 704.4, "2"),
        (10.0, 60.0, 700.0, "x"),
        (
            10.0,
            73.0,
            700.0,
            "= 6.7 for all of the banks of the sample",
        ),
    ];
    let mut pieces = prose(60.0, 780.0, 14.0).to_vec();
    pieces.extend(formula);
    let document = page(&pieces);
    let found: Vec<&str> = document.sentences.iter().map(|s| s.text.as_str()).collect();
    assert!(!found.contains(&"2"), "{found:?}");
    assert!(found.iter().any(|text| text.starts_with('x')), "{found:?}");
}
