//! Tables: their cells with rows, columns and spans, the heads of their columns, and their rows as texts that can be
//! understood alone.

use super::head_rows::{HEAD_WORDS, HEADS, is_brief, is_quantity, repeated, words};
use super::hyphens::ends_compound;
use crate::layout::{Cell, Line};
use lexforge_domain::document::{ParsedCell, ParsedTable};
use lexforge_domain::text::Language;
use lexforge_text::is_set_solid;
use std::collections::{BTreeMap, HashMap};

/// Longer than this a row is nothing to be read alone.
const LONGEST: usize = 1_500;
/// Signs behind a text from which on they are leaders and no full stop.
const LEADERS: usize = 4;
/// Heads that grade. What stands below one is no label of what stands below another.
const GRADES: [&str; 31] = [
    "low",
    "limited",
    "moderate",
    "medium",
    "high",
    "critical",
    "severe",
    "minor",
    "major",
    "strong",
    "good",
    "fair",
    "satisfactory",
    "adequate",
    "acceptable",
    "insufficient",
    "inadequate",
    "unsatisfactory",
    "deficient",
    "weak",
    "poor",
    "低",
    "较低",
    "中",
    "中等",
    "较高",
    "高",
    "强",
    "一般",
    "较弱",
    "弱",
];

/// The tables of a document.
pub struct Tables {
    list: Vec<ParsedTable>,
    /// Where a table of the lines is in the list.
    places: HashMap<(u32, u32), usize>,
    /// The table of an earlier page that this table continues.
    before: Vec<Option<usize>>,
    /// How many of the first rows of a table only repeat the heads of the table before.
    again: Vec<u32>,
}

/// The key of a table among the lines. Each page numbers its tables again; formats without places do not.
fn key(line: &Line, cell: Cell) -> (u32, u32) {
    let page = if line.frame.width > 0.0 { line.page } else { 0 };
    (page, cell.table)
}

impl Tables {
    /// The tables in the lines of a document. `notes` marks its footnotes, which do not divide a table.
    pub fn of(lines: &[Line], notes: &[Option<bool>]) -> Self {
        let mut places: HashMap<(u32, u32), usize> = HashMap::new();
        let mut made: Vec<Making> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let Some(cell) = line.cell else { continue };
            let at = *places.entry(key(line, cell)).or_insert_with(|| {
                made.push(Making::new(line.page, i));
                made.len() - 1
            });
            made[at].add(line, cell, i);
        }
        let body = |i: &usize| notes.get(*i).is_none_or(|n| n.is_none());
        let mut before: Vec<Option<usize>> = Vec::with_capacity(made.len());
        let mut again = vec![0; made.len()];
        let mut list: Vec<ParsedTable> = Vec::with_capacity(made.len());
        for (at, making) in made.iter().enumerate() {
            let mut table = making.finish();
            let last = (0..making.first)
                .rev()
                .find(body)
                .filter(|&i| lines[i].page + 1 == table.page);
            let next_to = at.checked_sub(1).filter(|&b| last == Some(made[b].last));
            if let Some(b) = next_to
                && let Some((there, here)) = repeated(&list[b], &table)
            {
                (list[b].heads, table.heads) = (there, here);
                again[at] = here;
            }
            let above = next_to.filter(|&b| {
                list[b].columns() == table.columns()
                    && (table.heads == 0 || heads(&list[b]) == heads(&table))
            });
            before.push(above);
            list.push(table);
        }
        Self {
            list,
            places,
            before,
            again,
        }
    }

    /// Whether a line is of the heads that an earlier page has, too.
    pub(crate) fn comes_again(&self, line: &Line) -> bool {
        line.cell.is_some_and(|cell| {
            let at = self.places.get(&key(line, cell));
            at.is_some_and(|&at| cell.row < self.again[at])
        })
    }

    /// A row of a table as a text that can be understood alone, because it also contains the heads of the columns. If
    /// `sentence` is given, the text contains this sentence of one cell instead of the whole row. `begins` is the first
    /// line of the row; it may be on the page before. `None` if the table has no heads.
    pub fn alone(
        &self,
        line: &Line,
        begins: Option<&Line>,
        sentence: Option<&str>,
        language: Language,
    ) -> Option<String> {
        let cell = line.cell?;
        let at = *self.places.get(&key(line, cell))?;
        let table = &self.list[at];
        let mut headed = at;
        while self.list[headed].heads == 0 {
            headed = self.before[headed]?;
        }
        let headed = &self.list[headed];
        if cell.row < table.heads {
            return None;
        }
        let (colon, stop) = match language {
            Language::Zh => ("：", "；"),
            _ => (": ", "; "),
        };
        let mut row: Vec<&ParsedCell> = table
            .cells
            .iter()
            .filter(|c| c.row >= table.heads && c.row <= cell.row && cell.row < c.row + c.rows)
            .filter(|c| !c.text.is_empty())
            .collect();
        row.sort_by_key(|c| c.column);
        if row.first().is_none_or(|c| c.column > 0) {
            let label = begins.filter(|b| b.page < line.page && sentence.is_some());
            if let Some(label) = label.and_then(|begins| self.label(begins)) {
                row.insert(0, label);
            }
        }
        // The heads may stand again over the next part of the table.
        let again = |c: &&ParsedCell| head(headed, c) == without_colon(&c.text);
        if row.len() < 2 || row.iter().all(again) {
            return None;
        }
        let mut named = false;
        let graded = sentence.is_some() && grades(headed);
        let part = sentence.is_none().then(|| part(table, cell.row)).flatten();
        let mut parts: Vec<String> = part.map(str::to_owned).into_iter().collect();
        for c in row {
            let own = c.column == cell.column;
            let text = match sentence {
                Some(sentence) if own => sentence.trim(),
                // Beside a sentence of one cell the row's label is enough.
                Some(_) if c.column > 0 || graded || is_list(&c.text) => continue,
                _ => without_leaders(&c.text),
            };
            let head = head(headed, c);
            named |= !head.is_empty() && (c.column > 0 || own);
            parts.push(if head.is_empty() {
                text.to_owned()
            } else {
                format!("{head}{colon}{text}")
            });
        }
        let whole = parts.join(stop);
        (named && whole.chars().count() <= LONGEST).then_some(whole)
    }

    /// The label of the row that this line begins.
    fn label(&self, begins: &Line) -> Option<&ParsedCell> {
        let cell = begins.cell.filter(|c| c.column == 0)?;
        let at = *self.places.get(&key(begins, cell))?;
        let cells = &self.list[at].cells;
        cells
            .iter()
            .find(|c| (c.row, c.column) == (cell.row, 0) && !c.text.is_empty())
    }

    /// The tables in the order of the document.
    pub(crate) fn into_list(self) -> Vec<ParsedTable> {
        self.list
    }
}

/// The heads over a cell, from the top down.
fn head(table: &ParsedTable, cell: &ParsedCell) -> String {
    let over = |h: &&ParsedCell| {
        h.row < table.heads
            && h.column <= cell.column
            && cell.column < h.column + h.columns
            // What runs over all columns is a title.
            && h.columns < table.columns()
            && !without_colon(&h.text).is_empty()
    };
    let mut heads: Vec<&ParsedCell> = table.cells.iter().filter(over).collect();
    heads.sort_by_key(|h| h.row);
    let texts: Vec<&str> = heads.iter().map(|h| without_colon(&h.text)).collect();
    texts.join(" › ")
}

/// Whether every column has a head that grades. Such a table has no labels: its first column is one of the grades.
fn grades(table: &ParsedTable) -> bool {
    let grade = |h: &ParsedCell| GRADES.contains(&without_colon(&h.text).to_lowercase().as_str());
    let graded = |column: u32| {
        let mut heads = table.cells.iter().filter(|h| h.row < table.heads);
        heads.any(|h| h.column == column && h.columns == 1 && grade(h))
    };
    let columns = table.columns();
    columns > 1 && (0..columns).all(graded)
}

/// Whether a cell is a list with bullets. Such a cell is no label of the cells beside it, which are lists, too.
fn is_list(text: &str) -> bool {
    text.chars().filter(|c| "•●○▪■◦‣".contains(*c)).count() > 1
}

/// A text without the colon that leads to what stands below or beside it.
fn without_colon(text: &str) -> &str {
    text.trim_end_matches([':', '：', ' '])
}

/// A text without the leaders (dots) at its end, which lead to the text in the next column.
fn without_leaders(text: &str) -> &str {
    let bare = text.trim_end_matches(['.', '…', '·', '․', ' ']);
    let leaders = text[bare.len()..].chars().filter(|c| *c != ' ').count();
    if leaders >= LEADERS && !bare.is_empty() {
        bare
    } else {
        text
    }
}

/// The name of the part of a table to which this row belongs. The name is in the nearest row above that has only one
/// cell, over all columns, with a few words. Above the name of the first part there may be no such row, because the
/// name was taken for a column head. Then it is looked for in the column heads, but only if the table has other parts.
/// Otherwise the cell over all columns is the title of the table.
fn part(table: &ParsedTable, row: u32) -> Option<&str> {
    let columns = table.columns();
    let names = |c: &&ParsedCell| c.columns == columns && columns > 1;
    let told = |c: &ParsedCell| {
        let text = without_colon(&c.text);
        words(text) <= HEAD_WORDS && !text.is_empty() && !text.ends_with(['.', ';', '。', '；'])
    };
    let body = || {
        table
            .cells
            .iter()
            .filter(names)
            .filter(|c| c.row >= table.heads)
    };
    let nearest = body().filter(|c| c.row < row).max_by_key(|c| c.row);
    let first = || {
        body().find(|c| told(c))?;
        let heads = table
            .cells
            .iter()
            .filter(names)
            .filter(|c| c.row < table.heads);
        heads.max_by_key(|c| c.row)
    };
    let part = nearest.or_else(first).filter(|c| told(c))?;
    Some(without_colon(&part.text))
}

/// The heads of a table as text.
fn heads(table: &ParsedTable) -> Vec<&str> {
    let heads = table.cells.iter().filter(|c| c.row < table.heads);
    heads.map(|c| c.text.as_str()).collect()
}

/// A table whose lines are being collected.
struct Making {
    page: u32,
    first: usize,
    last: usize,
    cells: BTreeMap<(u32, u32), (ParsedCell, bool)>,
}

impl Making {
    fn new(page: u32, first: usize) -> Self {
        Self {
            page,
            first,
            last: first,
            cells: BTreeMap::new(),
        }
    }

    fn add(&mut self, line: &Line, at: Cell, index: usize) {
        self.last = index;
        let (cell, bold) = self.cells.entry((at.row, at.column)).or_insert_with(|| {
            let cell = ParsedCell {
                row: at.row,
                column: at.column,
                rows: at.rows.max(1),
                columns: at.columns.max(1),
                text: String::new(),
            };
            (cell, true)
        });
        let first = line.chars.first().map(|c| c.ch);
        let solid =
            cell.text.chars().last().is_some_and(is_set_solid) && first.is_some_and(is_set_solid);
        let compound = first.is_some_and(|first| ends_compound(cell.text.chars().rev(), first));
        if !cell.text.is_empty() && !solid && !compound {
            cell.text.push(' ');
        }
        cell.text.extend(line.chars.iter().map(|c| c.ch));
        *bold &= line.bold;
    }

    fn finish(&self) -> ParsedTable {
        let mut table = ParsedTable {
            page: self.page,
            heads: 0,
            cells: self.cells.values().map(|(cell, _)| cell.clone()).collect(),
        };
        table.heads = self.head_rows(&table);
        table
    }

    /// The number of rows at the beginning of a table that are column heads. These are the rows above the first
    /// quantity, bold rows above rows that are not bold, or rows that name each column in a few words.
    fn head_rows(&self, table: &ParsedTable) -> u32 {
        // A cell may claim to reach below the last row.
        let count = self.cells.keys().map(|(row, _)| row + 1).max().unwrap_or(0);
        let columns = table.columns();
        if columns < 2 || count < 2 {
            return 0;
        }
        let row = |r: u32| self.cells.range((r, 0)..(r + 1, 0)).map(|(_, c)| c);
        let counts = |r: u32| row(r).any(|(c, _)| c.column > 0 && is_quantity(&c.text));
        let bold = |r: u32| row(r).next().is_some() && row(r).all(|(_, b)| *b);
        // A text alone in the first column, below a row of heads, names the rows below it.
        let names_rows = |r: u32| {
            let mut cells = row(r);
            let alone = cells
                .next()
                .filter(|(c, _)| c.column == 0 && c.columns == 1);
            let headed =
                |above: u32| row(above).count() > 1 && row(above).any(|(c, _)| c.column == 0);
            alone.is_some() && cells.next().is_none() && (0..r).any(headed)
        };
        let brief = |c: &ParsedCell| is_brief(&c.text);
        // Heads over several columns have others below them. A title over all columns may have the first row there.
        let over = |c: &ParsedCell| {
            c.columns > 1 && (c.columns < columns || row(1).all(|(below, _)| brief(below)))
        };
        let reach = row(0)
            .map(|(c, _)| c.rows)
            .chain(row(0).any(|(c, _)| over(c)).then_some(2));
        let least = reach.max().unwrap_or(1).min(HEADS);
        if let Some(first) = (0..count).find(|&r| counts(r)) {
            let body = count - first;
            let counted = (first..count).filter(|&r| counts(r)).count();
            if (1..=HEADS).contains(&first) && counted * 2 >= body as usize {
                return (1..first).find(|&r| names_rows(r)).unwrap_or(first);
            }
        }
        let heavy = (0..count)
            .take_while(|&r| bold(r) && !names_rows(r))
            .count();
        let heavy = u32::try_from(heavy).unwrap_or(count);
        if heavy > 0 && heavy < count && heavy <= HEADS {
            return heavy.max(least).min(count - 1);
        }
        let names = row(0).count() as u32 == columns
            && row(0).all(|(c, _)| brief(c) && !is_quantity(&c.text));
        let told = (1..count).filter(|r| row(*r).any(|(c, _)| !brief(c)));
        // The first entry of a list of two columns, such as abbreviations, looks like the others.
        let told = told.count() * if columns > 2 { count as usize } else { 2 };
        if names && told >= count as usize - 1 && told > 0 && count > 2 {
            return least.min(count - 1);
        }
        0
    }
}

#[cfg(test)]
mod tests;
