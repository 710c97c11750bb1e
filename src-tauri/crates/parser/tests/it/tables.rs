//! Tables compared with ground truth that people made. Every cell's string must be in the text, the cells of a row must
//! be in the order of their columns, and each cell must have its right neighbours. Skipped if the data folder is
//! missing. Pages made for these tests show how the structure of a table is used.

use crate::adjacency::{Placed, Region, Score, compare, folded, found, gold, pairs};
use crate::made::page_of;
use lexforge_domain::document::{ParsedDocument, ParsedSentence};
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

/// Rows of the ground truth: page, and the strings of the cells that begin in the row, by column.
fn gold_rows(xml: &str) -> Vec<(u32, Vec<String>)> {
    let mut rows = Vec::new();
    for region in gold(xml) {
        let mut by_row: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
        for cell in region.cells.into_iter().filter(|c| !c.text.is_empty()) {
            by_row
                .entry(cell.rows.0)
                .or_default()
                .insert(cell.columns.0, cell.text);
        }
        rows.extend(
            by_row
                .into_values()
                .map(|cells| (region.page, cells.into_values().collect())),
        );
    }
    rows
}

fn parse(path: &Path) -> ParsedDocument {
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    let name = path.file_name().unwrap().to_string_lossy();
    read::read(
        &name,
        std::fs::read(path).unwrap(),
        &options,
        &mut |_, _| {},
    )
    .unwrap()
}

/// A row counts as found if the strings of its cells, in order, are one stretch of the page's text, with nothing else
/// in between.
#[test]
fn cells_and_rows_of_the_table_competition() {
    let Some(data) = data() else { return };
    let (mut cells, mut found_cells, mut rows, mut found_rows) = (0usize, 0usize, 0usize, 0usize);
    let mut score = Score::default();
    let mut files: Vec<PathBuf> = std::fs::read_dir(data.join("pdf-tables-icdar2013-eu"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    for path in files
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "pdf"))
    {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let xml = std::fs::read_to_string(path.with_file_name(format!("{stem}-str.xml"))).unwrap();
        let document = parse(path);
        let pages: Vec<String> = document.pages.iter().map(|p| folded(&p.text)).collect();
        let whole = pages.concat();
        score.add(compare(&gold(&xml), &found(&document.tables), |_, _, _| {}));
        let (mut here, mut good) = (0usize, 0usize);
        let (mut cells_here, mut cells_good) = (0usize, 0usize);
        for (page, row) in gold_rows(&xml) {
            for cell in &row {
                cells_here += 1;
                let is_found = whole.contains(cell.as_str());
                cells_good += usize::from(is_found);
                if !is_found && std::env::var_os("SHOW").is_some() {
                    println!("{stem} page {page}: no cell {cell:?}");
                }
            }
            here += 1;
            let is_found = pages
                .get(page as usize - 1)
                .is_some_and(|text| text.contains(&row.concat()));
            good += usize::from(is_found);
            if !is_found && std::env::var_os("SHOW").is_some() {
                println!("{stem} page {page}: no row {row:?}");
            }
        }
        println!("{stem}: cells {cells_good} of {cells_here}, rows {good} of {here}");
        (cells, found_cells) = (cells + cells_here, found_cells + cells_good);
        (rows, found_rows) = (rows + here, found_rows + good);
    }
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    println!(
        "cells found {found_cells} of {cells}: {:.2} %",
        100.0 * share(found_cells, cells)
    );
    println!(
        "rows whole and in order {found_rows} of {rows}: {:.2} %",
        100.0 * share(found_rows, rows)
    );
    println!("neighbours: F1 {:.4}, {score:?}", score.f1());
    assert!(share(found_cells, cells) >= 0.998);
    assert!(share(found_rows, rows) >= 0.98);
    assert!(score.f1() >= 0.95);
}

#[test]
fn neighbours_pass_over_empty_cells_and_meet_spans_once() {
    let cell = |rows, columns, text: &str| Placed {
        rows,
        columns,
        text: text.to_owned(),
    };
    // A head over two columns, a row with an empty cell in the middle.
    let cells = [
        cell((0, 0), (1, 2), "head"),
        cell((1, 1), (0, 0), "label"),
        cell((1, 1), (1, 1), ""),
        cell((1, 1), (2, 2), "value"),
    ];
    let mut found = pairs(&cells);
    found.sort();
    assert_eq!(
        found,
        [
            ("head".to_owned(), "value".to_owned(), true),
            ("label".to_owned(), "value".to_owned(), false)
        ]
    );
    let region = |cells: &[Placed]| Region {
        page: 1,
        cells: cells.to_vec(),
    };
    let mut missed = Vec::new();
    let score = compare(
        &[region(&cells)],
        &[region(&cells[1..])],
        |_, pair, of_truth| {
            missed.push((pair.0.clone(), of_truth));
        },
    );
    assert_eq!((score.right, score.gold, score.found), (1, 2, 1));
    assert_eq!(missed, [("head".to_owned(), true)]);
}

/// Texts at places of a page, in points from its lower left corner, and rules from point to point.
fn page(texts: &[(f32, f32, &str)], rules: &[[f32; 4]]) -> ParsedDocument {
    let mut content = String::new();
    for (x, y, text) in texts {
        content += &format!("BT /F 10 Tf {x} {y} Td ({text}) Tj ET\n");
    }
    for [x0, y0, x1, y1] in rules {
        content += &format!("0.5 w {x0} {y0} m {x1} {y1} l S\n");
    }
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    read::read("made.pdf", page_of(&content), &options, &mut |_, _| {}).unwrap()
}

fn rows_alone(document: &ParsedDocument) -> Vec<&str> {
    let alone = |s: &'_ ParsedSentence| s.kind == SentenceKind::TableCell;
    let rows = document.sentences.iter().filter(|s| alone(s));
    rows.filter_map(|s| s.complete.as_deref()).collect()
}

/// The cells of the first table: row, column, rows, columns, text.
fn cells(document: &ParsedDocument) -> Vec<(u32, u32, u32, u32, &str)> {
    let cells = document.tables.iter().take(1).flat_map(|t| &t.cells);
    cells
        .map(|c| (c.row, c.column, c.rows, c.columns, c.text.as_str()))
        .collect()
}

#[test]
fn a_row_alone_names_the_heads_of_its_columns() {
    // The head of two columns stands in their middle; no rule is drawn at all.
    let document = page(
        &[
            (213.0, 700.0, "Minimum ratio"),
            (60.0, 686.0, "Class"),
            (200.0, 686.0, "2023"),
            (270.0, 686.0, "2024"),
            (60.0, 670.0, "Retail deposits"),
            (200.0, 670.0, "4.5"),
            (270.0, 670.0, "5.0"),
            (60.0, 656.0, "Covered bonds"),
            (200.0, 656.0, "7.5"),
            (270.0, 656.0, "8.0"),
            (60.0, 642.0, "Other claims"),
            (200.0, 642.0, "9.5"),
            (270.0, 642.0, "9.9"),
        ],
        &[],
    );
    assert!(
        cells(&document).contains(&(0, 1, 1, 2, "Minimum ratio")),
        "{:?}",
        cells(&document)
    );
    assert_eq!(document.tables[0].heads, 2);
    assert_eq!(
        rows_alone(&document)[0],
        "Class: Retail deposits; Minimum ratio › 2023: 4.5; Minimum ratio › 2024: 5.0"
    );
}

#[test]
fn a_label_over_several_lines_is_one_cell_beside_its_values() {
    let document = page(
        &[
            (60.0, 700.0, "Exposure"),
            (220.0, 700.0, "Weight"),
            (300.0, 700.0, "Floor"),
            (60.0, 684.0, "Sovereigns"),
            (220.0, 684.0, "10"),
            (300.0, 684.0, "1"),
            (60.0, 668.0, "Institutions and their"),
            (60.0, 657.0, "subsidiaries abroad"),
            (220.0, 662.5, "20"),
            (300.0, 662.5, "2"),
            (60.0, 641.0, "Retail"),
            (220.0, 641.0, "75"),
            (300.0, 641.0, "3"),
        ],
        &[],
    );
    let cells = cells(&document);
    assert!(
        cells.contains(&(2, 0, 1, 1, "Institutions and their subsidiaries abroad")),
        "{cells:?}"
    );
    assert!(cells.contains(&(2, 1, 1, 1, "20")), "{cells:?}");
    assert!(cells.contains(&(3, 0, 1, 1, "Retail")), "{cells:?}");
}

#[test]
fn columns_of_rows_without_upright_rules_are_those_of_the_head() {
    // Within the frame, upright rules part the head alone; below it level rules part the rows.
    let level = |y: f32| [50.0, y, 350.0, y];
    let upright = |x: f32| [x, 690.0, x, 720.0];
    let document = page(
        &[
            (60.0, 702.0, "Country"),
            (160.0, 702.0, "Cases"),
            (260.0, 702.0, "Share"),
            (60.0, 677.0, "Northland"),
            (160.0, 677.0, "12"),
            (260.0, 677.0, "34.5"),
            (60.0, 657.0, "Total"),
            (160.0, 657.0, "18"),
            (260.0, 657.0, "40.0"),
            (60.0, 637.0, "Southland"),
            (160.0, 637.0, "6"),
            (260.0, 637.0, "5.5"),
        ],
        &[
            level(720.0),
            level(690.0),
            level(670.0),
            level(650.0),
            level(630.0),
            [50.0, 630.0, 50.0, 720.0],
            upright(150.0),
            upright(250.0),
            [350.0, 630.0, 350.0, 720.0],
        ],
    );
    let cells = cells(&document);
    assert!(cells.contains(&(2, 1, 1, 1, "18")), "{cells:?}");
    assert!(cells.contains(&(3, 2, 1, 1, "5.5")), "{cells:?}");
    assert_eq!(
        rows_alone(&document).last(),
        Some(&"Country: Southland; Cases: 6; Share: 5.5")
    );
}

#[test]
fn a_justified_line_beside_prose_is_no_row() {
    let spread = "1 The ratio is computed for each day of the month and for each of the lines";
    let words: Vec<&str> = spread.split(' ').take(9).collect();
    let mut texts: Vec<(f32, f32, &str)> = Vec::new();
    let mut x = 60.0;
    for word in &words {
        texts.push((x, 700.0, word));
        // Helvetica's letters are about half as wide as high.
        x += 5.2 * word.len() as f32 + 15.0;
    }
    texts.push((
        60.0,
        688.0,
        "of business, as the competent authority has published it in its list of all.",
    ));
    texts.push((
        60.0,
        676.0,
        "An institution that falls below it tells the authority on the same day.",
    ));
    let document = page(&texts, &[]);
    assert!(document.tables.is_empty(), "{:?}", document.tables);
}

#[test]
fn a_table_that_is_clipped_at_the_pages_end_does_not_take_in_the_foot() {
    let mut table = String::from("0.5 w ");
    for y in [600, 570, 540, 510] {
        table += &format!("60 {y} m 350 {y} l S\n");
    }
    // The upright lines go on to rows that only the next page shows.
    for x in [60, 200, 350] {
        table += &format!("{x} 20 m {x} 600 l S\n");
    }
    for (x, y, text) in [
        (70, 582, "Class"),
        (220, 582, "Limit"),
        (70, 552, "Loans"),
        (220, 552, "12"),
        (70, 522, "Bonds"),
        (220, 522, "18"),
        (
            75,
            640,
            "The bank keeps these limits for each class, and its board reads of them.",
        ),
    ] {
        table += &format!("BT /F 10 Tf {x} {y} Td ({text}) Tj ET\n");
    }
    for (clip, within) in [("40 100 515 700 re W n", false), ("", true)] {
        // The foot is drawn first.
        let content = format!(
            "BT /F 10 Tf 220 40 Td (Authority of Banks) Tj ET BT /F 10 Tf 52 80 Td (- 7 -) Tj ET\nq {clip}\n{table}Q\n"
        );
        let options = ParseOptions {
            second_reader: false,
            ..ParseOptions::default()
        };
        let document = read::read("made.pdf", page_of(&content), &options, &mut |_, _| {}).unwrap();
        let found = cells(&document);
        assert!(found.contains(&(1, 1, 1, 1, "12")), "{found:?}");
        let foot = found.iter().any(|c| c.4.contains("Authority"));
        assert_eq!(foot, within, "{found:?}");
        if !within {
            let sentences = &document.sentences;
            let text = sentences
                .iter()
                .position(|s| s.text.starts_with("The bank"));
            let row = sentences
                .iter()
                .position(|s| s.kind == SentenceKind::TableCell);
            assert!(text.is_some() && text < row, "{sentences:#?}");
        }
    }
}
