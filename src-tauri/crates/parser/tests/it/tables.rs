//! Tables against hand-made ground truth: every cell's string is in the text, and the cells of a row follow
//! each other there in the order of their columns. Skipped where the data folder is absent.

use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use regex::Regex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

/// NFKC, dashes and quotes folded, every blank dropped.
fn folded(text: &str) -> String {
    text.nfkc()
        .filter(|c| !c.is_whitespace() && *c != '\u{AD}')
        .map(|c| match c {
            '‘' | '’' => '\'',
            '“' | '”' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
            other => other,
        })
        .collect()
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

/// Rows of the ground truth: page, and the strings of the cells that begin in the row, by column.
fn gold_rows(xml: &str) -> Vec<(u32, Vec<String>)> {
    let region = Regex::new(r"(?s)<region([^>]*)>(.*?)</region>").unwrap();
    let cell = Regex::new(r"(?s)<cell([^>]*)>(.*?)</cell>").unwrap();
    let content = Regex::new(r"(?s)<content>(.*?)</content>").unwrap();
    let number = |attributes: &str, name: &str| -> u32 {
        let found = Regex::new(&format!("\\b{name}=['\"](-?\\d+)['\"]")).unwrap();
        found
            .captures(attributes)
            .map_or(0, |c| c[1].parse().unwrap())
    };
    let mut rows = Vec::new();
    for found in region.captures_iter(xml) {
        let page = number(&found[1], "page");
        let mut by_row: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
        for found in cell.captures_iter(&found[2]) {
            let text = content
                .captures(&found[2])
                .map_or(String::new(), |c| folded(&unescaped(&c[1])));
            if !text.is_empty() {
                let row = by_row.entry(number(&found[1], "start-row")).or_default();
                row.insert(number(&found[1], "start-col"), text);
            }
        }
        rows.extend(
            by_row
                .into_values()
                .map(|cells| (page, cells.into_values().collect())),
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

/// A row counts when the strings of its cells, one after the other, are one stretch of its page's text: nothing
/// of another row, and nothing else, stands between them.
#[test]
fn cells_and_rows_of_the_table_competition() {
    let Some(data) = data() else { return };
    let (mut cells, mut found_cells, mut rows, mut found_rows) = (0usize, 0usize, 0usize, 0usize);
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
    assert!(share(found_cells, cells) >= 0.995);
    assert!(share(found_rows, rows) >= 0.95);
}
