//! Tests of the section tree over blocks of our own.

use super::*;
use lexforge_ingest::numbering::label;

/// A block of this kind, with so many characters in bold before others.
fn block(kind: BlockKind, text: &str, bold: usize) -> (Block, BlockText) {
    let chars: Vec<char> = text.chars().collect();
    let heading = kind == BlockKind::Heading;
    let numbered = kind != BlockKind::TableRow;
    let block = Block {
        kind,
        lines: vec![0],
        label: label(&chars, heading).filter(|_| numbered),
        indent: 6.0,
        gap: Some(1.2),
        scale: 1.0,
        hang: None,
        styled: heading,
        framed: None,
        prominence: if heading { 12.2 } else { 12.0 },
    };
    let text = BlockText {
        text: text.to_owned(),
        page: 1,
        wide: false,
        bold,
    };
    (block, text)
}

/// For every block the path of its section.
fn paths(blocks: Vec<(Block, BlockText)>) -> Vec<String> {
    let (blocks, texts): (Vec<Block>, Vec<BlockText>) = blocks.into_iter().unzip();
    let tree = build(&blocks, &texts, &(0..0));
    let path = |at: &Option<usize>| at.map_or(String::new(), |s| tree.sections[s].path.clone());
    tree.of_block.iter().map(path).collect()
}

#[test]
fn numbers_begin_again_below_each_step() {
    let text = |text, bold| block(BlockKind::Text, text, bold);
    let found = paths(vec![
        block(BlockKind::Heading, "Review of Loans", 15),
        text("Objective 1: Review what the bank has lent.", 12),
        text("1. Look at the loans of the last year.", 0),
        text("2. Look at what was paid back late.", 0),
        text("Objective 2: Review how the bank keeps its records.", 12),
        text("1. Look at the records.", 0),
        text("Objective 1: is what the first part is about.", 0),
    ]);
    let loans = "Review of Loans";
    assert_eq!(found[2], format!("{loans} › Objective 1 › 1"));
    assert_eq!(found[3], format!("{loans} › Objective 1 › 2"));
    assert_eq!(found[4], format!("{loans} › Objective 2"));
    assert_eq!(found[5], format!("{loans} › Objective 2 › 1"));
    // Text that is not bold is a sentence.
    assert!(found[6].starts_with(&found[4]), "{found:?}");
}

#[test]
fn a_step_ends_where_the_next_one_is_the_row_of_a_table() {
    let row = |text| block(BlockKind::TableRow, text, 0);
    let found = paths(vec![
        block(
            BlockKind::Heading,
            "Question 3. Is the limit clear to banks?",
            40,
        ),
        row("Most banks say that it is."),
        row("Question 9. of another paper"),
        row("Question 4."),
        row("Few banks ask for more time."),
    ]);
    assert!(found[1].starts_with("Question 3"), "{found:?}");
    assert_eq!(found[2], found[1]);
    assert_eq!(found[4], "");
}

#[test]
fn a_step_in_bold_over_all_columns_heads_the_rows_below_it() {
    let row = |text, bold| block(BlockKind::TableRow, text, bold);
    let found = paths(vec![
        block(
            BlockKind::Heading,
            "Question 3. Is the limit clear to banks?",
            40,
        ),
        row("Most banks say that it is.", 0),
        row("Question 4. Is there time enough?", 33),
        row("Few banks ask for more time.", 0),
        row("Question 5. Who asks?\tNo answer", 21),
        row("Banks did not say.", 0),
    ]);
    assert!(found[1].starts_with("Question 3"), "{found:?}");
    assert_eq!(found[2..4], ["Question 4", "Question 4"]);
    assert_eq!(found[4..], ["", ""]);
}

#[test]
fn what_is_written_over_a_table_heads_nothing_below_its_source() {
    let after = "Banks lend less than in the year before.";
    let of = |between: &str| {
        let found = paths(vec![
            block(BlockKind::Heading, "Loans by country, in millions", 29),
            block(BlockKind::TableRow, "Country\tLoans", 0),
            block(BlockKind::Text, between, 0),
            block(BlockKind::Text, after, 0),
        ]);
        (found[2].clone(), found[3].clone())
    };
    let title = "Loans by country, in millions".to_owned();
    assert_eq!(
        of("Source: reports of banks"),
        (title.clone(), String::new())
    );
    // Without a remark it may be the heading of a section that begins with a table.
    assert_eq!(of("The table shows loans."), (title.clone(), title));
}

#[test]
fn a_box_heads_nothing_after_it() {
    let found = paths(vec![
        block(BlockKind::Heading, "Loans to Banks", 14),
        block(BlockKind::Heading, "Box 2: How a bank lends", 23),
        block(BlockKind::Text, "Banks lend to each other.", 0),
    ]);
    assert_eq!(found[2], "Loans to Banks");
}

#[test]
fn what_stands_in_a_frame_heads_nothing_outside_of_it() {
    let framed = |(block, text): (Block, BlockText), frame| {
        let framed = Some(frame);
        (Block { framed, ..block }, text)
    };
    let heading = |text| block(BlockKind::Heading, text, 12);
    let text = |text| block(BlockKind::Text, text, 0);
    let found = paths(vec![
        heading("Loans to Banks"),
        text("(a) Banks lend to each other."),
        framed(heading("How a bank lends"), 0),
        framed(text("It looks at its limits."), 0),
        text("(b) Banks borrow from each other."),
        text("They report it."),
        // A frame around a heading is its look.
        framed(heading("Loans to Others"), 1),
        text("Banks lend to others."),
    ]);
    assert_eq!(found[3], "Loans to Banks › How a bank lends");
    assert_eq!(found[4], "Loans to Banks › (b)");
    assert_eq!(found[5], "Loans to Banks");
    assert_eq!(found[7], "Loans to Others");
}

#[test]
fn the_next_number_after_an_annex_ends_it() {
    let of = |after: &str| {
        let found = paths(vec![
            block(BlockKind::Heading, "4. What banks report", 20),
            block(BlockKind::Text, "Banks report their loans.", 0),
            block(BlockKind::Heading, "Annex I", 7),
            block(BlockKind::Text, "This is the form of a report.", 0),
            block(BlockKind::Heading, after, 10),
            block(BlockKind::Text, "Banks said that it is clear.", 0),
        ]);
        found[5].clone()
    };
    assert_eq!(of("5. What banks said"), "5");
    // Numbers that begin anew are those of the annex.
    assert_eq!(of("1. What a form holds"), "Annex I › 1");
}

#[test]
fn a_numbered_paragraph_after_a_table_leaves_what_is_written_over_it() {
    let of = |after: &str| {
        let found = paths(vec![
            block(BlockKind::Heading, "6. Loans", 8),
            block(BlockKind::Text, "1. Banks report their loans.", 0),
            block(BlockKind::Heading, "Loans by country", 16),
            block(BlockKind::TableRow, "Country\tLoans", 0),
            block(BlockKind::Text, after, 0),
        ]);
        found[4].clone()
    };
    assert_eq!(of("2. The board reads it."), "6 › 2");
    assert_eq!(of("The board reads it."), "6 › Loans by country");
}

#[test]
fn the_name_of_a_table_of_contents_is_a_heading_where_there_is_one_already() {
    let found = paths(vec![
        block(BlockKind::Heading, "Contents", 8),
        block(BlockKind::Contents, "Reports .......... 3", 0),
        block(BlockKind::Heading, "Reports", 7),
        block(BlockKind::Text, "A report has several parts.", 0),
        block(BlockKind::Heading, "Table of contents", 17),
        block(BlockKind::Text, "It names the parts of the report.", 0),
    ]);
    assert_eq!(found[3], "Reports");
    assert_eq!(found[5], "Table of contents");
}

#[test]
fn the_head_of_a_column_heads_no_section() {
    let of = |row: &str| {
        let found = paths(vec![
            block(BlockKind::Heading, "What banks said", 15),
            block(BlockKind::TableRow, row, 0),
            block(BlockKind::TableRow, "Scope\tIt is clear.\tNone.", 0),
            block(BlockKind::TableRow, row, 0),
            block(BlockKind::Heading, "Changes made", 12),
            block(BlockKind::Text, "None were made.", 0),
        ]);
        found[5].clone()
    };
    assert_eq!(of("Question\tAnswer\tChanges made"), "What banks said");
    // In two columns they may be a list.
    assert_eq!(of("Question\tChanges made"), "Changes made");
}

#[test]
fn a_grade_heads_the_text_that_tells_it() {
    let row = "Strong\tSatisfactory\tWeak";
    let found = paths(vec![
        block(BlockKind::Heading, "Ratings", 7),
        block(BlockKind::TableRow, row, 0),
        block(BlockKind::TableRow, "No loss.\tSome loss.\tMuch loss.", 0),
        block(BlockKind::TableRow, row, 0),
        block(BlockKind::Text, "The grades are told below.", 0),
        block(BlockKind::Heading, "Satisfactory", 12),
        block(BlockKind::Text, "The bank has some losses.", 0),
    ]);
    assert_eq!(found[6], "Satisfactory");
}

#[test]
fn each_slide_has_its_own_title() {
    let on = |(block, text): (Block, BlockText), page: u32, wide: bool| {
        (block, BlockText { page, wide, ..text })
    };
    let of = |wide: bool| {
        let (mut large, text) = block(BlockKind::Heading, "What banks report", 17);
        large.prominence = 20.0;
        let found = paths(vec![
            on(block(BlockKind::Heading, "Reports of banks", 16), 1, wide),
            on((large, text), 2, wide),
            on(block(BlockKind::Text, "They report loans.", 0), 2, wide),
            on(
                block(BlockKind::Heading, "What the board reads", 20),
                3,
                wide,
            ),
            on(block(BlockKind::Text, "It reads reports.", 0), 3, wide),
        ]);
        found[4].clone()
    };
    assert_eq!(of(true), "What the board reads");
    assert_eq!(of(false), "What banks report › What the board reads");
}

#[test]
fn the_text_of_an_article_with_english_commas_is_no_heading() {
    let (block, text) = block(
        BlockKind::Text,
        "第一百条 本规定自公布之日起施行,银行应当遵守",
        0,
    );
    let tree = build(&[block], &[text], &(0..0));
    assert!(!tree.heads[0]);
    assert_eq!(tree.sections[0].title, "");
}

#[test]
fn a_number_that_continues_no_list_leaves_the_items_that_it_stands_left_of() {
    let at = |indent: f32, text| {
        let (block, text) = block(BlockKind::Text, text, 0);
        (Block { indent, ..block }, text)
    };
    for (indent, path) in [(6.0, "Systems"), (9.5, "Systems › (b)")] {
        let found = paths(vec![
            block(BlockKind::Heading, "Systems", 7),
            at(8.0, "(a) They record what was lost."),
            at(8.0, "(b) They report it."),
            at(indent, "140. The bank looks at its systems once a year."),
        ]);
        assert_eq!(found[2], "Systems › (b)");
        assert_eq!(found[3], path, "{indent}");
    }
}

#[test]
fn what_is_said_of_the_paragraph_above_is_said_by_no_item() {
    let at = |indent: f32, text| {
        let (block, text) = block(BlockKind::Text, text, 0);
        (Block { indent, ..block }, text)
    };
    for said in [
        "前款所称报告是指书面报告。",
        "本条第一款所称报告是指书面报告。",
    ] {
        let found = paths(vec![
            at(0.0, "第七条 码头应当符合下列条件:"),
            at(0.0, "(一)保存报告。"),
            at(0.0, "(二)有泊位;"),
            at(4.0, said),
        ]);
        assert_eq!(found[3], found[0], "{said}");
        assert_ne!(found[2], found[0], "{said}");
        // Between two items it explains the first of them.
        let found = paths(vec![
            at(0.0, "第七条 码头应当符合下列条件:"),
            at(0.0, "(一)保存报告。"),
            at(4.0, said),
            at(0.0, "(二)有泊位;"),
        ]);
        assert_eq!(found[2], found[1], "{said}");
    }
}

#[test]
fn a_sign_between_a_label_and_its_title_belongs_to_neither() {
    for (kind, text, title, heads) in [
        (BlockKind::Heading, "附件：报告的格式", "报告的格式", true),
        (
            BlockKind::Heading,
            "3.5.2 | Reports of banks",
            "Reports of banks",
            true,
        ),
        (BlockKind::Text, "附：", "", true),
        (BlockKind::Text, "附件：银行应当报告。", "", false),
    ] {
        let (block, read) = block(kind, text, 0);
        let tree = build(&[block], &[read], &(0..0));
        assert_eq!(tree.sections[0].title, title, "{text}");
        assert_eq!(tree.heads[0], heads, "{text}");
    }
}

#[test]
fn a_lettered_heading_goes_on_beside_the_one_before() {
    let found = paths(vec![
        block(BlockKind::Heading, "Reports", 7),
        block(BlockKind::Text, "a) each bank reports;", 0),
        block(BlockKind::Heading, "Dates of reports", 16),
        block(BlockKind::Heading, "a) Daily reports", 16),
        block(BlockKind::Text, "(i) what the bank lends;", 0),
        block(BlockKind::Heading, "b) Monthly reports", 18),
        block(BlockKind::Text, "(i) what the bank lost.", 0),
    ]);
    assert_eq!(found[4], "a) › (i)");
    assert_eq!(found[5..], ["b)", "b) › (i)"]);
}

#[test]
fn numbers_of_paragraphs_may_begin_in_the_midst() {
    let text = |text| block(BlockKind::Text, text, 0);
    let found = paths(vec![
        text("156. Banks report each loan."),
        text("157. They report each loss."),
    ]);
    assert_eq!(found, ["156", "157"]);
    // The paragraphs of the document go on after those of an excerpt.
    let found = paths(vec![
        block(BlockKind::Heading, "Reports", 16),
        text("1. Banks report each loan."),
        text("2. They report each loss."),
        block(BlockKind::Heading, "Of the guideline", 14),
        text("77. A loan is a sum."),
        text("78. A loss is a sum."),
        block(BlockKind::Heading, "Dates", 16),
        text("3. They report each day."),
    ]);
    let last = |path: &String| path.rsplit(" › ").next().unwrap_or_default().to_owned();
    let ends: Vec<String> = found.iter().map(last).collect();
    assert_eq!(ends[4..6], ["77", "78"]);
    assert_eq!(ends[7], "3");
    // One number alone may be anything.
    let found = paths(vec![
        text("156. Banks report each loan."),
        text("12. They report each loss."),
    ]);
    assert_eq!(found, ["", ""]);
}
