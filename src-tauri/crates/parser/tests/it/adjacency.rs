//! The measure of the ICDAR 2013 table competition: which cells are neighbours.
//!
//! Each cell with content is paired with its nearest neighbour with content to the right and with the nearest one
//! below; empty cells are skipped. A found pair is right if the true table has a pair with the same two strings in the
//! same direction. Positions are not compared, so a table that is shifted by one column loses nothing.

#![allow(dead_code, reason = "the example and the test use their own parts")]

use lexforge_domain::document::ParsedTable;
use std::collections::{HashMap, HashSet};
use unicode_normalization::UnicodeNormalization;

/// A cell of a table, of the truth or as it was found; rows and columns count from 0, the last ones are inside.
#[derive(Clone, Debug)]
pub struct Placed {
    pub rows: (u32, u32),
    pub columns: (u32, u32),
    pub text: String,
}

/// The part of a table that stands on one page.
#[derive(Clone, Debug)]
pub struct Region {
    pub page: u32,
    pub cells: Vec<Placed>,
}

/// Pairs that are right, pairs of the truth, pairs found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub right: usize,
    pub gold: usize,
    pub found: usize,
}

impl Score {
    pub fn add(&mut self, other: Self) {
        self.right += other.right;
        self.gold += other.gold;
        self.found += other.found;
    }

    pub fn precision(self) -> f64 {
        share(self.right, self.found)
    }

    pub fn recall(self) -> f64 {
        share(self.right, self.gold)
    }

    pub fn f1(self) -> f64 {
        share(2 * self.right, self.gold + self.found)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// NFKC, dashes and quotes folded, every blank dropped.
pub fn folded(text: &str) -> String {
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

/// The tables of a `*-str.xml` of the competition, region by region.
pub fn gold(xml: &str) -> Vec<Region> {
    elements(xml, "region")
        .map(|(attributes, inside)| Region {
            page: number(attributes, "page").unwrap_or(0),
            cells: elements(inside, "cell")
                .map(|(attributes, inside)| {
                    let at = |name| number(attributes, name);
                    let (row, column) =
                        (at("start-row").unwrap_or(0), at("start-col").unwrap_or(0));
                    let text = elements(inside, "content")
                        .next()
                        .map_or("", |(_, text)| text);
                    Placed {
                        rows: (row, at("end-row").unwrap_or(row)),
                        columns: (column, at("end-col").unwrap_or(column)),
                        text: folded(&unescaped(text)),
                    }
                })
                .collect(),
        })
        .collect()
}

/// The tables of a document as the product finds them.
pub fn found(tables: &[ParsedTable]) -> Vec<Region> {
    tables
        .iter()
        .map(|table| Region {
            page: table.page,
            cells: table
                .cells
                .iter()
                .map(|c| Placed {
                    rows: (c.row, c.row + c.rows - 1),
                    columns: (c.column, c.column + c.columns - 1),
                    text: folded(&c.text),
                })
                .collect(),
        })
        .collect()
}

/// The elements of a name that do not contain another element of that name: attributes and what is inside.
fn elements<'a>(xml: &'a str, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let close = format!("</{name}>");
    xml.split(&*format!("<{name}"))
        .collect::<Vec<_>>()
        .into_iter()
        .skip(1)
        .filter_map(move |part| {
            let (attributes, rest) = part.split_once('>')?;
            let own = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
            let whole = own && !attributes.ends_with('/');
            whole.then(|| (attributes, rest.split(&*close).next().unwrap_or("")))
        })
}

fn number(attributes: &str, name: &str) -> Option<u32> {
    let (_, rest) = attributes.split_once(&format!(" {name}="))?;
    let value = rest.get(1..)?.split(['"', '\'']).next()?;
    value.parse().ok()
}

/// The pairs of neighbours: both strings, and whether the second stands below.
pub fn pairs(cells: &[Placed]) -> Vec<(String, String, bool)> {
    let mut at: HashMap<(u32, u32), usize> = HashMap::new();
    let (mut rows, mut columns) = (0, 0);
    for (i, cell) in cells.iter().enumerate().filter(|(_, c)| !c.text.is_empty()) {
        rows = rows.max(cell.rows.1);
        columns = columns.max(cell.columns.1);
        for row in cell.rows.0..=cell.rows.1 {
            for column in cell.columns.0..=cell.columns.1 {
                at.entry((row, column)).or_insert(i);
            }
        }
    }
    let mut seen: HashSet<(usize, usize, bool)> = HashSet::new();
    for (i, cell) in cells.iter().enumerate().filter(|(_, c)| !c.text.is_empty()) {
        for row in cell.rows.0..=cell.rows.1 {
            let next = (cell.columns.1 + 1..=columns).find_map(|c| at.get(&(row, c)));
            seen.extend(next.filter(|n| **n != i).map(|&n| (i, n, false)));
        }
        for column in cell.columns.0..=cell.columns.1 {
            let next = (cell.rows.1 + 1..=rows).find_map(|r| at.get(&(r, column)));
            seen.extend(next.filter(|n| **n != i).map(|&n| (i, n, true)));
        }
    }
    seen.into_iter()
        .map(|(a, b, below)| (cells[a].text.clone(), cells[b].text.clone(), below))
        .collect()
}

/// How many of the true pairs were found, page by page. `missed` is called for every pair that is only in the truth or
/// only in the result. It gets the page, the pair, and whether the truth has the pair.
pub fn compare(
    gold: &[Region],
    found: &[Region],
    mut missed: impl FnMut(u32, &(String, String, bool), bool),
) -> Score {
    let mut score = Score::default();
    let mut open: HashMap<(u32, (String, String, bool)), usize> = HashMap::new();
    for region in gold {
        for pair in pairs(&region.cells) {
            score.gold += 1;
            *open.entry((region.page, pair)).or_default() += 1;
        }
    }
    for region in found {
        for pair in pairs(&region.cells) {
            score.found += 1;
            let key = (region.page, pair);
            match open.get_mut(&key) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    score.right += 1;
                }
                _ => missed(region.page, &key.1, false),
            }
        }
    }
    for ((page, pair), left) in &open {
        (0..*left).for_each(|_| missed(*page, pair, true));
    }
    score
}
