//! Finds the lines that are rows of tables, and those that are entries of a table of contents.
//!
//! Tables with drawn lines were split into cells before this step. In other tables a row is recognised by its gaps, or
//! because its texts begin at the same left edges as those of other rows ([`super::aligned`]). The cells of these
//! tables are found here.

use super::{aligned, heads};
use crate::layout::rows;
use crate::layout::{Cell, Line};
use lexforge_ingest::numbering::label;
use lexforge_text::numerals::roman;

/// The type of a heading is at least this many times as large as that of the rows below it.
const HEADING: f32 = 1.3;

/// Most lines of a letterhead in two columns.
const LETTERHEAD_ROWS: usize = 4;
/// Most characters of a line above a letterhead's columns: there is no text yet.
const LETTERHEAD_CHARS: usize = 60;
/// Texts whose middles differ by less than this, in ems, are centred below each other.
const OFF_CENTRE: f32 = 0.6;

/// The lines of a page with every table's rows as cells.
pub fn cells(mut lines: Vec<Line>) -> Vec<Line> {
    let contents = contents_lines(&lines);
    let sure = aligned::mark(&mut lines, &contents);
    let set: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].cell.is_none() && lines[i].cells > 1 && !contents[i] && !sure[i])
        .filter(|&i| is_hung(&lines[i]) || spread(&lines[i]) && beside_prose(&lines, i))
        .collect();
    for i in set {
        lines[i].cells = 1;
        lines[i].last_cell = lines[i].x0;
    }
    let marked = table_rows(&lines, &sure);
    let mut table = lines
        .iter()
        .filter_map(|l| l.cell)
        .map(|c| c.table + 1)
        .max()
        .unwrap_or(0);
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut open: Vec<Line> = Vec::new();
    for (i, line) in lines.into_iter().enumerate() {
        let row = marked[i] && !contents[i];
        let apart = open.last().is_some_and(|l| {
            l.frame != line.frame || (line.baseline < l.baseline && !beside_label(&open, &line))
        });
        if (!row || apart) && !open.is_empty() {
            close(&mut out, std::mem::take(&mut open), table);
            table += 1;
        }
        if row { open.push(line) } else { out.push(line) }
    }
    if !open.is_empty() {
        close(&mut out, open, table);
    }
    out
}

/// Adds the rows of a table, and the heads of its columns that are before them already, as cells.
fn close(out: &mut Vec<Line>, rows: Vec<Line>, table: u32) {
    if let Some(columns) = rows::text_columns(&rows) {
        out.extend(columns);
        return;
    }
    if let Some(columns) = letterhead(out, &rows) {
        // One column has no heads, and a letterhead is neither a rule nor the heading of what follows.
        out.extend((0..).zip(columns).map(|(row, line)| Line {
            cell: Some(Cell::single(table, row, 0)),
            ..line
        }));
        return;
    }
    let mut lines = out.split_off(out.len() - heads::above(out, &rows));
    lines.sort_by(|a, b| {
        a.baseline
            .total_cmp(&b.baseline)
            .then(a.x0.total_cmp(&b.x0))
    });
    let heads = lines.len();
    lines.extend(rows);
    out.extend(rows::cells(lines, heads, table));
}

/// The columns of a letterhead: a few lines at the top of the first page, each with two texts. The texts of a column
/// are centred below each other, whereas the cells of a table begin or end at a common edge. `None` if the rows are not
/// a letterhead.
fn letterhead(before: &[Line], rows: &[Line]) -> Option<Vec<Line>> {
    let first = rows.first().filter(|l| l.page == 1 && rows.len() > 1)?;
    let at_top = before.iter().all(|l| l.chars.len() <= LETTERHEAD_CHARS);
    if rows.len() > LETTERHEAD_ROWS || !at_top {
        return None;
    }
    let pieces: Vec<Vec<Line>> = rows.iter().map(rows::split).collect();
    let named = |l: &Line| l.chars.iter().any(|c| c.ch.is_alphabetic());
    if !pieces.iter().all(|p| p.len() == 2 && p.iter().all(named)) {
        return None;
    }
    let centred = |column: usize| {
        let range = |of: fn(&Line) -> f32| {
            let places = pieces.iter().map(|p| of(&p[column]));
            let ends = places.fold((f32::MAX, f32::MIN), |(a, b), x| (a.min(x), b.max(x)));
            ends.1 - ends.0
        };
        let off = OFF_CENTRE * first.size;
        range(|l| (l.x0 + l.x1) / 2.0) < off && range(|l| l.x0) > off && range(|l| l.x1) > off
    };
    let columns = |column: usize| pieces.iter().map(move |p| p[column].clone());
    (centred(0) && centred(1)).then(|| columns(0).chain(columns(1)).collect())
}

/// A raised mark of a note is set apart from the note's text, and nothing else of the line is.
fn is_hung(line: &Line) -> bool {
    let mark = line.raised();
    let text = line.chars[mark..].iter().find(|c| c.ch != ' ');
    mark > 0 && line.cells == 2 && text.is_some_and(|c| c.x0 >= line.last_cell)
}

/// Words are spread over the line: nearly all of its gaps are as wide as each other.
fn spread(line: &Line) -> bool {
    let mut gaps: Vec<f32> = line
        .chars
        .iter()
        .filter(|c| c.ch == ' ')
        .map(|c| c.x1 - c.x0)
        .collect();
    gaps.sort_by(f32::total_cmp);
    let Some(&median) = gaps.get(gaps.len() / 2).filter(|_| gaps.len() >= 4) else {
        return false;
    };
    let alike = gaps.iter().filter(|g| (*g - median).abs() <= 0.12 * median);
    let letters = line.chars.iter().filter(|c| c.ch.is_alphabetic()).count();
    median < 4.0 * line.size
        && alike.count() * 10 >= gaps.len() * 7
        && letters * 10 >= line.chars.len() * 6
}

/// A line of running text, or one spread like this one, stands right above or below in the same column.
fn beside_prose(lines: &[Line], i: usize) -> bool {
    let line = &lines[i];
    let shares = |other: &Line| {
        let near = (other.baseline - line.baseline).abs() < 1.7 * line.size;
        let edge = (other.x0 - line.x0).abs() < 2.0 || (other.x1 - line.x1).abs() < 2.0;
        other.page == line.page && other.frame == line.frame && other.cell.is_none() && near && edge
    };
    let prose = |other: &Line| (other.cells == 1 && other.chars.len() > 30) || spread(other);
    let above = i.checked_sub(1).and_then(|j| lines.get(j));
    above
        .into_iter()
        .chain(lines.get(i + 1))
        .any(|other| shares(other) && prose(other))
}

/// The character between a line and the next: a tab between the cells of a row, a blank within a cell.
pub fn separator(before: &Line, line: &Line) -> char {
    if before.figure.is_some() && before.figure == line.figure && before.page == line.page {
        return '\t';
    }
    match (before.cell, line.cell) {
        (Some(a), Some(b)) if before.page == line.page && (a.table, a.row) == (b.table, b.row) => {
            if a.column == b.column {
                ' '
            } else {
                '\t'
            }
        }
        _ => '\n',
    }
}

/// Whether a line begins another cell of its row than the line before. A part of the row may be on the next page.
pub(crate) fn begins_cell(before: &Line, line: &Line) -> bool {
    match (before.cell, line.cell) {
        (Some(a), Some(b)) if before.page != line.page => a.column != b.column,
        _ => separator(before, line) == '\t',
    }
}

/// For each line, whether it belongs to a row of a table. A row begins with a line of at least two cells, if another
/// such line is near: at most two lines away, or with its last cell at the same place. The first cell must not be the
/// label of a clause, or the number of a heading above a table. The last cell may continue on further lines, and these
/// belong to the row as well.
fn table_rows(lines: &[Line], sure: &[bool]) -> Vec<bool> {
    let row = |i: usize| {
        let line = &lines[i];
        if line.cells < 2 || line.cell.is_some() || line.in_chart {
            return false;
        }
        let chars: Vec<char> = line.chars.iter().map(|c| c.ch).collect();
        let below = lines.get(i + 1).filter(|l| l.page == line.page);
        let large = below.is_some_and(|l| line.size > HEADING * l.size);
        line.cells > 2 || label(&chars, large).is_none()
    };
    let rows: Vec<bool> = (0..lines.len()).map(row).collect();
    let mut out: Vec<bool> = (0..lines.len())
        .map(|i| {
            // Rows whose cells run over several lines stand further apart, but begin their cells alike.
            let near = i.saturating_sub(14)..(i + 15).min(lines.len());
            let alike = |j: usize| {
                let close = j.abs_diff(i) <= 2
                    || (lines[j].last_cell - lines[i].last_cell).abs() < lines[i].size;
                j != i && rows[j] && lines[j].page == lines[i].page && close
            };
            sure[i] || (rows[i] && near.into_iter().any(alike))
        })
        .collect();
    mark_labels(lines, &mut out);
    let mut begun: Option<usize> = None;
    for i in 0..lines.len() {
        if out[i] {
            begun = Some(i);
        } else if let Some(first) = begun.filter(|_| lines[i].cell.is_none()) {
            let between =
                out.get(i + 1) == Some(&true) && out[i - 1] && lines[i + 1].page == lines[i].page;
            if wraps(&lines[first], &lines[i - 1], &lines[i])
                || (between && lines[i].chars.len() < 60)
            {
                out[i] = true;
            } else {
                begun = None;
            }
        }
    }
    out
}

/// Most lines of the label of a row.
const LABEL: usize = 4;

/// Whether a line belongs to a row whose label takes several lines and came before it.
fn beside_label(open: &[Line], line: &Line) -> bool {
    let label = open
        .iter()
        .rev()
        .take(LABEL)
        .take_while(|l| l.cells == 1 && l.x1 < line.x0);
    label
        .last()
        .is_some_and(|first| line.baseline > first.baseline - 0.3 * line.size)
}

/// Marks the lines of labels that come before the row whose values stand beside them.
fn mark_labels(lines: &[Line], rows: &mut [bool]) {
    for i in 1..lines.len() {
        if !rows[i] || lines[i].cells < 2 {
            continue;
        }
        let label = |l: &&Line| {
            l.page == lines[i].page
                && l.frame == lines[i].frame
                && l.cell.is_none()
                && l.cells == 1
                && l.x1 < lines[i].x0
        };
        let count = lines[..i]
            .iter()
            .rev()
            .take(LABEL + 1)
            .take_while(label)
            .count();
        let first = i - count;
        // The values stand on one of the label's lines, or between the first and the last of them.
        let beside = (1..=LABEL).contains(&count) && {
            let size = lines[i].size;
            let below = lines[i].baseline < lines[i - 1].baseline + 0.3 * size;
            let above = lines[i].baseline > lines[first].baseline - 0.3 * size;
            let close = lines[first..i].windows(2).all(|w| {
                let down = w[1].baseline - w[0].baseline;
                down > 0.0 && down < 1.6 * size && (w[1].x0 - w[0].x0).abs() < 2.0 * size
            });
            below && above && close
        };
        if beside {
            rows[first..i].fill(true);
        }
    }
}

/// Whether `line` goes on with the last cell of the row that `first` begins.
fn wraps(first: &Line, before: &Line, line: &Line) -> bool {
    let down = line.baseline - before.baseline;
    line.page == first.page
        && line.cells == 1
        && first.cells > 1
        && down > 0.0
        && down < 1.7 * line.size
        && (line.x0 - first.last_cell).abs() < 0.8 * line.size
}

/// Lines of a table of contents. Either such a line has leaders (dots) and a page number, or its page has several
/// entries whose numbers are set apart at one right edge.
pub(crate) fn contents_lines(lines: &[Line]) -> Vec<bool> {
    let numbered = |line: &Line| {
        let text = line.text();
        let Some((before, last)) = text.rsplit_once(' ') else {
            return false;
        };
        let number =
            last.len() <= 4 && (last.chars().all(|c| c.is_ascii_digit()) || roman(last).is_some());
        line.cells > 1
            && line.x1 - line.last_cell < 3.0 * line.size
            && number
            && before.chars().any(char::is_alphabetic)
    };
    let mut out: Vec<bool> = lines
        .iter()
        .map(|l| l.figure.is_none() && has_leaders(l))
        .collect();
    let mut start = 0;
    while start < lines.len() {
        let end = start
            + lines[start..]
                .iter()
                .take_while(|l| l.page == lines[start].page)
                .count();
        let entries: Vec<usize> = (start..end).filter(|&i| numbered(&lines[i])).collect();
        let value = |i: usize| {
            lines[i]
                .text()
                .rsplit(' ')
                .next()
                .and_then(|n| n.parse::<u32>().ok())
        };
        let values: Vec<u32> = entries.iter().filter_map(|&i| value(i)).collect();
        let rising = values.windows(2).filter(|w| w[0] <= w[1]).count() + 2 >= values.len();
        let edges = entries
            .windows(2)
            .filter(|w| (lines[w[0]].x1 - lines[w[1]].x1).abs() < lines[w[0]].size)
            .count();
        if entries.len() >= 5 && rising && edges + 2 >= entries.len() {
            entries.into_iter().for_each(|i| out[i] = true);
        }
        start = end;
    }
    out
}

/// The line has leaders and ends with a page number.
fn has_leaders(line: &Line) -> bool {
    let text: String = line
        .chars
        .iter()
        .map(|c| c.ch)
        .filter(|c| *c != ' ')
        .collect();
    let leaders = ["......", "……", "·····", "_____.", "․․․․"]
        .iter()
        .any(|l| text.contains(l));
    leaders
        && !ends_with_cells(&line.text())
        && text
            .chars()
            .last()
            .is_some_and(|c| c.is_ascii_digit() || "ivxlcⅠ)".contains(c))
}

/// Leaders and several numbers side by side: the row of a table.
fn ends_with_cells(text: &str) -> bool {
    let after = text.rsplit(['.', '…', '·', '_', '․']).next();
    let number = |word: &&str| {
        word.contains(|c: char| c.is_ascii_digit()) && !word.contains(char::is_alphabetic)
    };
    let words: Vec<&str> = after.unwrap_or_default().split_whitespace().collect();
    words.windows(2).any(|pair| pair.iter().all(number))
}

#[cfg(test)]
mod tests;
