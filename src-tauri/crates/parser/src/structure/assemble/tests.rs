//! Tests of what goes on from line to line, on lines of our own.

use super::*;
use crate::layout::Cell;
use crate::layout::line::{Frame, Lead};

/// A line of this size at this place: ideographs are as wide as they are high, other characters half as wide.
pub(super) fn line(text: &str, left: f32, baseline: f32, size: f32) -> Line {
    let mut line = Line::plain(1, 0, text);
    let mut edge = left;
    for c in &mut line.chars {
        let width = if is_set_solid(c.ch) { size } else { size / 2.0 };
        (c.x0, c.x1) = (edge, edge + width);
        edge += width;
    }
    (line.x0, line.x1, line.last_cell) = (left, edge, left);
    (line.baseline, line.size) = (baseline, size);
    line.frame = Frame {
        turn: 0,
        width: 600.0,
        height: 800.0,
    };
    line
}

/// Kind, text and section's path of every sentence.
pub(super) fn read(pages: Vec<Vec<Line>>) -> Vec<(SentenceKind, String, String)> {
    let found = assemble(pages);
    let path = |s: &ParsedSentence| s.section.map(|at| found.sections[at].path.clone());
    let sentences = found.sentences.iter();
    sentences
        .map(|s| (s.kind, s.text.clone(), path(s).unwrap_or_default()))
        .collect()
}

#[test]
fn the_first_line_of_an_article_goes_on_below_lines_that_stand_closer() {
    let found = read(vec![vec![
        line("监管机构公布。", 120.0, 130.0, 16.0),
        line("自公布之日起施行。", 120.0, 150.0, 16.0),
        line(
            "第一条 银行应当按照监管机构的规定每年报告本行的贷款",
            111.0,
            200.0,
            16.0,
        ),
        line(
            "情况和损失情况以及本行为防范风险所采取的全部措施和全部记",
            79.0,
            230.0,
            16.0,
        ),
        line("录。", 79.0, 260.0, 16.0),
    ]]);
    let text = "第一条 银行应当按照监管机构的规定每年报告本行的贷款情况和损失情况以及本行为防范风险所采取的全部措施和全部记录。";
    let expected = (SentenceKind::Rule, text.to_owned(), "第一条".to_owned());
    assert!(found.contains(&expected), "{found:#?}");
}

#[test]
fn an_article_that_a_line_cites_at_its_beginning_is_no_article() {
    let found = read(vec![vec![
        line(
            "第二条 银行在每年四月底以前应当按照监管机构所公布的",
            111.0,
            300.0,
            16.0,
        ),
        line(
            "格式公布本行的年度报告和临时报告以及审计意见依据是本规定",
            79.0,
            330.0,
            16.0,
        ),
        line("第一条之规定。", 79.0, 360.0, 16.0),
        line("第三条 银行保存记录。", 111.0, 390.0, 16.0),
    ]]);
    let ends = |text: &str| text.ends_with("依据是本规定第一条之规定。");
    assert!(found.iter().any(|s| ends(&s.1)), "{found:#?}");
    assert!(found.iter().all(|s| s.2 != "第一条"), "{found:#?}");
    assert!(found.iter().any(|s| s.2 == "第三条"), "{found:#?}");
}

#[test]
fn a_line_in_the_midst_of_a_sentence_opens_no_section() {
    let found = read(vec![vec![
        line(
            "The authority may require a bank to use the standard method that is laid down in the",
            60.0,
            100.0,
            10.0,
        ),
        line(
            "Article 84 CRD whenever internal measurement systems demonstrate insufficient quality",
            60.0,
            114.0,
            10.0,
        ),
        line("over the whole of a year.", 60.0, 128.0, 10.0),
        line(
            "A bank that lends to a client of another bank tells the authority of it in the report",
            60.0,
            160.0,
            10.0,
        ),
        // A heading is shorter than its line.
        line("Article 85 Reports of banks", 60.0, 174.0, 10.0),
        line("No bank reports late.", 60.0, 206.0, 10.0),
    ]]);
    let whole = |s: &&(SentenceKind, String, String)| {
        s.1.starts_with("The authority") && s.1.ends_with("over the whole of a year.")
    };
    assert_eq!(found.iter().filter(whole).count(), 1, "{found:#?}");
    assert!(found.iter().all(|s| s.2 != "Article 84"), "{found:#?}");
    let late = found.iter().find(|s| s.1 == "No bank reports late.");
    assert_eq!(late.map(|s| s.2.as_str()), Some("Article 85"), "{found:#?}");
}

#[test]
fn the_next_step_is_no_part_of_a_paragraph_without_a_stop() {
    let bold = |text: &str, baseline| {
        let mut line = line(text, 60.0, baseline, 10.0);
        line.lead = Lead {
            chars: 12,
            bold: true,
        };
        line
    };
    let found = read(vec![vec![
        bold("Objective 1: Review what the bank has lent.", 100.0),
        line(
            "Banks that lend to the same client tell each other of it (changed in the last version)",
            60.0,
            128.0,
            10.0,
        ),
        bold("Objective 2: Review how the bank keeps its records.", 142.0),
    ]]);
    let last = found.last().map(|s| (s.1.as_str(), s.2.as_str()));
    let expected = ("Review how the bank keeps its records.", "Objective 2");
    assert_eq!(last, Some(expected), "{found:#?}");
    let head = (
        SentenceKind::Heading,
        "Objective 2:".to_owned(),
        "Objective 2".to_owned(),
    );
    assert!(found.contains(&head), "{found:#?}");
}

#[test]
fn a_centred_heading_ends_before_a_wide_line_in_another_look() {
    let mut head = line("Management", 270.0, 100.0, 14.0);
    head.bold = true;
    let below = "Conclusion: the management is rated from one to five here";
    let text = "Banks report what they lend to other banks, and the board reads it every year.";
    let found = read(vec![vec![
        head,
        line(below, 100.0, 122.0, 14.0),
        line(text, 72.0, 160.0, 10.0),
        line(text, 72.0, 190.0, 10.0),
    ]]);
    let heads = |(kind, text, _): &(SentenceKind, String, String)| {
        *kind == SentenceKind::Heading && text == "Management"
    };
    assert!(found.iter().any(heads), "{found:#?}");
}

/// The lines of a cell, from this height down.
fn cell(page: u32, row: u32, column: u32, left: f32, texts: &[&str]) -> Vec<Line> {
    let top = 100.0 + 60.0 * row as f32;
    let made = texts.iter().enumerate().map(|(at, text)| {
        let mut line = line(text, left, top + 12.0 * at as f32, 10.0);
        line.page = page;
        line.bold = row == 0;
        line.cell = Some(Cell::single(0, row, column));
        line
    });
    made.collect()
}

/// A table over two pages, with this label in the first row of the second page, whose text begins at this place.
fn over_two_pages(label: &[&str], left: f32) -> Vec<Vec<Line>> {
    let heads = |page| {
        [
            cell(page, 0, 0, 60.0, &["Comment"]),
            cell(page, 0, 1, 250.0, &["What was said"]),
            cell(page, 0, 2, 440.0, &["Answer"]),
        ]
    };
    let mut first = heads(1).concat();
    first.extend(cell(1, 1, 0, 60.0, &["Limits of loans"]));
    let asked = [
        "One bank asks whether the limits of",
        "this year are those that the board",
    ];
    first.extend(cell(1, 1, 1, 250.0, &asked));
    let answer = ["The board tells every bank so in a", "letter."];
    first.extend(cell(1, 1, 2, 440.0, &answer));
    let mut second = heads(2).concat();
    second.extend(cell(2, 1, 0, 60.0, label));
    let rest = [
        "decides in the spring of every year.",
        "Another bank agrees.",
    ];
    second.extend(cell(2, 1, 1, left, &rest));
    second.extend(cell(2, 2, 0, 60.0, &["Reports"]));
    second.extend(cell(2, 2, 1, 250.0, &["No bank reports late."]));
    second.extend(cell(2, 2, 2, 440.0, &["None."]));
    vec![first, second]
}

const CUT: &str = "One bank asks whether the limits of this year are those that the board decides in the spring of every year.";

#[test]
fn a_row_that_a_pages_end_cuts_goes_on_cell_by_cell() {
    let found = assemble(over_two_pages(&[], 250.0));
    let texts: Vec<&str> = found.sentences.iter().map(|s| s.text.as_str()).collect();
    let answer = "The board tells every bank so in a letter.";
    let next = "Reports\tNo bank reports late.\tNone.";
    for text in [CUT, "Another bank agrees.", answer, next] {
        assert!(texts.contains(&text), "{text} in {texts:#?}");
    }
    let alone = |text: &str| {
        let sentence = found.sentences.iter().find(|s| s.text == text);
        sentence.and_then(|s| s.complete.as_deref())
    };
    let expected = "Comment: Limits of loans; What was said: Another bank agrees.";
    assert_eq!(alone("Another bank agrees."), Some(expected));
    let pages = |text: &str| -> Vec<u32> {
        let own = found.sentences.iter().filter(|s| s.text == text);
        own.flat_map(|s| s.regions.iter().map(|r| r.page)).collect()
    };
    assert_eq!(pages(CUT), [1, 1, 2]);
}

#[test]
fn a_row_of_its_own_on_the_next_page_is_no_rest() {
    let prose = line("The board has seen what all banks say.", 60.0, 400.0, 10.0);
    type Case = (
        &'static str,
        &'static [&'static str],
        f32,
        Option<Line>,
        bool,
    );
    let cases: [Case; 5] = [
        ("no label", &[], 250.0, None, true),
        ("the rest of a label", &["(new)"], 250.0, None, true),
        ("a label", &["Reports of banks"], 250.0, None, false),
        ("another column", &[], 440.0, None, false),
        ("text between", &[], 250.0, Some(prose), false),
    ];
    for (why, label, left, prose, joined) in cases {
        let mut pages = over_two_pages(label, left);
        pages[0].extend(prose);
        let whole = read(pages).iter().any(|s| s.1 == CUT);
        assert_eq!(whole, joined, "{why}");
    }
}

const TEXT: &str = "Banks report what they lend to other banks, and the board reads it.";

/// A page of so many lines of text in this size.
fn page_of_text(number: u32, count: u8, size: f32) -> Vec<Line> {
    let made = (0..count).map(|at| {
        let mut line = line(TEXT, 60.0, 60.0 + 14.0 * f32::from(at), size);
        line.page = number;
        line
    });
    made.collect()
}

#[test]
fn the_larger_of_two_sizes_of_text_makes_no_headings() {
    // A list in the size of as many lines of text, in a document that has more lines in smaller type.
    for (lines, kind) in [(40u8, SentenceKind::ListItem), (2, SentenceKind::Heading)] {
        let mut last = page_of_text(2, lines, 11.25);
        for (at, name) in ["1) Northern Bank", "2) Southern Bank"].iter().enumerate() {
            let below = 14.0 * (f32::from(lines) + at as f32);
            let mut line = line(name, 60.0, 60.0 + below, 11.25);
            line.page = 2;
            last.push(line);
        }
        let found = read(vec![page_of_text(1, 45, 10.0), last]);
        let item = found.iter().find(|s| s.1 == "2) Southern Bank");
        assert_eq!(item.map(|s| s.0), Some(kind), "{lines}");
    }
}

/// Whether a line is read as a heading. The line has the given size and the given distances to the lines above and
/// below. It is on the last page, whose text has the size `around`; the text of the pages before has two sizes. `None`
/// if the line is not found as a sentence.
fn heads_text(text: &str, size: f32, (above, below): (f32, f32), around: f32) -> Option<bool> {
    let mut last = page_of_text(3, 3, around);
    let top = last[2].baseline + above;
    let mut head = line(text, 60.0, top, size);
    head.page = 3;
    last.push(head);
    for mut line in page_of_text(3, 3, around) {
        line.baseline += top + below - 60.0;
        last.push(line);
    }
    let pages = vec![page_of_text(1, 45, 10.0), page_of_text(2, 40, 11.0), last];
    let found = read(pages);
    let line = found.iter().find(|s| s.1 == text);
    line.map(|s| s.0 == SentenceKind::Heading)
}

#[test]
fn a_line_little_larger_than_the_text_around_it_is_a_heading() {
    let far = (28.0, 26.0);
    for (why, text, size, gaps, around, expected) in [
        ("larger", "Use of tests by banks", 12.0, far, 11.0, true),
        ("with a letter", "a. Use of tests", 12.0, far, 11.0, true),
        (
            "in smaller text",
            "Use of tests by banks",
            11.0,
            far,
            10.0,
            true,
        ),
        ("as large", "Use of tests by banks", 11.0, far, 11.0, false),
        (
            "in larger text",
            "Use of tests by banks",
            12.0,
            far,
            12.0,
            false,
        ),
        ("smaller", "Use of tests by banks", 10.0, far, 11.0, false),
        (
            "close above",
            "Use of tests by banks",
            12.0,
            (14.0, 26.0),
            11.0,
            false,
        ),
        (
            "far above",
            "Use of tests by banks",
            12.0,
            (28.0, 80.0),
            11.0,
            false,
        ),
        ("a sentence", "Banks use tests.", 12.0, far, 11.0, false),
        (
            "a part of one",
            "and the use of tests",
            12.0,
            far,
            11.0,
            false,
        ),
        ("a caption", "Table 3: Use of tests", 12.0, far, 11.0, true),
    ] {
        assert_eq!(
            heads_text(text, size, gaps, around),
            Some(expected),
            "{why}"
        );
    }
}

#[test]
fn a_list_in_larger_type_than_the_text_makes_no_headings() {
    let mut last = page_of_text(3, 3, 11.0);
    for (at, name) in ["1) Northern Bank", "2) Southern Bank"].iter().enumerate() {
        last.push(line(name, 60.0, 130.0 + 24.0 * at as f32, 12.0));
    }
    for mut line in page_of_text(3, 3, 11.0) {
        line.baseline += 130.0;
        last.push(line);
    }
    for line in &mut last {
        line.page = 3;
    }
    let pages = vec![page_of_text(1, 45, 10.0), page_of_text(2, 40, 11.0), last];
    let found = read(pages);
    let second = found.iter().find(|s| s.1 == "2) Southern Bank");
    assert_eq!(
        second.map(|s| s.0),
        Some(SentenceKind::ListItem),
        "{found:#?}"
    );
}

#[test]
fn where_bold_is_usual_a_bold_line_among_plain_text_is_a_heading() {
    for around in [false, true] {
        let mut last = page_of_text(3, 6, 10.0);
        for (at, line) in last.iter_mut().enumerate() {
            line.bold = around;
            line.baseline += if at < 3 { 0.0 } else { 54.0 };
        }
        let mut head = line("Use of tests by banks", 60.0, 116.0, 10.0);
        (head.page, head.bold) = (3, true);
        last.insert(3, head);
        let mut labels = page_of_text(1, 45, 10.0);
        for line in &mut labels {
            line.bold = true;
        }
        let found = read(vec![labels, page_of_text(2, 10, 10.0), last]);
        let head = found.iter().find(|s| s.1 == "Use of tests by banks");
        let heading = head.map(|s| s.0 == SentenceKind::Heading);
        assert_eq!(heading, Some(!around), "{found:#?}");
    }
}

#[test]
fn sentences_go_on_in_wide_lines_below_notes_that_stand_closer() {
    let mut lines: Vec<Line> = page_of_text(1, 4, 10.0);
    for (at, line) in lines.iter_mut().enumerate() {
        line.baseline = 60.0 + 11.0 * at as f32;
    }
    let mut item = line(
        "• Banks report what they lend to other banks in the first half",
        60.0,
        130.0,
        10.0,
    );
    // The other lines begin where the text behind the mark begins.
    for c in item.chars.iter_mut().skip(2) {
        (c.x0, c.x1) = (c.x0 + 20.0, c.x1 + 20.0);
    }
    item.chars[1].x1 += 20.0;
    item.x1 += 20.0;
    lines.push(item);
    let rest = [
        "(see the second table). The board reads it in the same month",
        "and decides on the limits of all loans that it will make known",
        "to the banks.",
    ];
    for (at, text) in rest.iter().enumerate() {
        lines.push(line(text, 90.0, 150.0 + 20.0 * at as f32, 10.0));
    }
    // Two lines alone stand as far apart as these.
    let first = "To some extent that is seen in what the banks report above. More";
    for (second, whole) in [
        ("substantively, no bank reports late.", true),
        ("Substantial banks report late.", false),
    ] {
        let mut lines = lines.clone();
        lines.push(line(first, 60.0, 230.0, 10.0));
        lines.push(line(second, 60.0, 250.0, 10.0));
        let found = read(vec![lines]);
        let item = "• Banks report what they lend to other banks in the first half (see the second table).";
        assert!(found.iter().any(|s| s.1 == item), "{found:#?}");
        let joined = format!("More {second}");
        assert_eq!(found.iter().any(|s| s.1 == joined), whole, "{found:#?}");
    }
}

#[test]
fn a_row_reads_alone_with_the_name_of_its_part_of_the_table() {
    let heads = ["Servers in:", "Units", "Cost"];
    let rows = [
        heads,
        ["Closets", "1,456", "1,439"],
        ["Best scenario", "", ""],
        heads,
        ["Rooms", "1,465", "1,472"],
    ];
    let mut lines = Vec::new();
    for (row, texts) in (0u32..).zip(rows) {
        for (column, text) in (0u32..).zip(texts).filter(|(_, text)| !text.is_empty()) {
            lines.extend(cell(1, row, column, 60.0 + 150.0 * column as f32, &[text]));
        }
    }
    for line in &mut lines {
        if let Some(cell) = line.cell.as_mut().filter(|c| c.row == 2) {
            cell.columns = 3;
        }
    }
    let found = assemble(vec![lines]);
    let alone: Vec<Option<&str>> = found
        .sentences
        .iter()
        .map(|s| s.complete.as_deref())
        .collect();
    let first = "Servers in: Closets; Units: 1,456; Cost: 1,439";
    let last = "Best scenario; Servers in: Rooms; Units: 1,465; Cost: 1,472";
    assert_eq!(alone, [None, Some(first), None, None, Some(last)]);
}

#[test]
fn a_typed_rule_is_no_sentence_and_numbers_are_no_rule() {
    let found = read(vec![vec![
        line("No bank reports late.", 60.0, 100.0, 10.0),
        line("____________________", 60.0, 130.0, 10.0),
        line("40 20 0", 60.0, 260.0, 10.0),
    ]]);
    assert!(found.iter().all(|s| !s.1.contains('_')), "{found:#?}");
    let numbers = found.iter().find(|s| s.1 == "40 20 0");
    assert!(numbers.is_some_and(|s| s.0 == SentenceKind::TableCell));
}
