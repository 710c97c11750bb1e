//! Ruled tables of a page: their cells' lines, row by row and column by column.

use super::bands::{Spot, banded};
use super::grid::{Grid, grids, joints, levels, middle};
use super::led::led_into;
use super::line::{Cell, Frame, Line, direction};
use super::narrow::pieces;
use super::parts::{Part, Row};
use super::rows::{first_word, head_columns, logical, split};
use super::stacked::{self, Head};
use super::undrawn::part;
use crate::reader::{Glyph, RawPage};
use std::collections::{BTreeMap, BTreeSet};

/// Columns of running text side by side have at least so many lines.
const COLUMN: usize = 8;

/// Mean number of characters from which on the lines of a cell may be a text.
const TEXT: usize = 20;

/// Most rows of heads.
const HEAD_ROWS: usize = 3;

/// A table: the place of its first glyph in the stream, and its lines.
type Placed = (usize, Vec<Line>);
/// The cells of a row, each with its column and its lines.
type Columned = Vec<(u32, Vec<Line>)>;

/// The glyphs of a cell, by their place in the stream.
type Cells = BTreeMap<(u32, u32), Vec<usize>>;

/// The ruled tables of a page, and the glyphs that are in no table, as indices in the stream. `lines` is called to join
/// glyphs of one direction of writing to lines.
pub fn tables(
    page: &RawPage,
    frame: Frame,
    lines: impl Fn(&[Glyph], u8) -> Vec<Line>,
) -> (Vec<Placed>, Vec<usize>) {
    let mut grids = grids(&page.strokes, frame);
    let levels = free_levels(&grids, page, frame);
    if !grids.is_empty() || levels.len() >= 2 {
        let spots = spots(page, frame);
        grids.iter_mut().for_each(|grid| part(grid, &spots));
        let mut found = banded(&levels, &joints(&page.strokes, frame), &spots);
        found.retain(|grid| !led_into(grid, page, frame));
        grids.extend(found);
    }
    let mut cells: Vec<Cells> = vec![Cells::new(); grids.len()];
    let mut free = Vec::new();
    for (i, glyph) in page.glyphs.iter().enumerate() {
        let (x, y) = middle(glyph);
        let (x, y) = frame.of_page(x, y);
        let found = grids
            .iter()
            .enumerate()
            .rev()
            .find_map(|(g, grid)| Some((g, grid.cell_at(x, y)?)));
        match found {
            Some((g, place)) => cells[g].entry(place).or_default().push(i),
            None => free.push(i),
        }
    }
    let mut tables = Vec::new();
    for (grid, cells) in grids.iter().zip(cells) {
        let order = cells.values().flatten().min().copied().unwrap_or(0);
        let made = table(grid, &cells, page, frame, &lines, tables.len());
        match made {
            Some(made) => tables.push((order, made)),
            None => free.extend(cells.into_values().flatten()),
        }
    }
    free.sort_unstable();
    (tables, free)
}

/// The level rules outside of the tables.
fn free_levels(grids: &[Grid], page: &RawPage, frame: Frame) -> Vec<(f32, f32, f32)> {
    let mut levels = levels(&page.strokes, frame);
    levels.retain(|l| {
        !grids
            .iter()
            .any(|g| g.heights().0 - 1.0 < l.0 && l.0 < g.heights().1 + 1.0)
    });
    levels
}

/// Where the glyphs of a page stand that are written in the direction of the frame.
fn spots(page: &RawPage, frame: Frame) -> Vec<Spot> {
    page.glyphs
        .iter()
        .filter(|g| g.ch != ' ' && direction(g) == frame.turn)
        .map(|glyph| {
            let (x, y) = middle(glyph);
            let (x, y) = frame.of_page(x, y);
            Spot {
                x0: x - glyph.advance / 2.0,
                x1: x + glyph.advance / 2.0,
                y,
                size: glyph.size,
            }
        })
        .collect()
}

fn table(
    grid: &Grid,
    cells: &Cells,
    page: &RawPage,
    frame: Frame,
    lines: &impl Fn(&[Glyph], u8) -> Vec<Line>,
    number: usize,
) -> Option<Vec<Line>> {
    let filled = |cell: &&Vec<usize>| cell.iter().any(|&i| page.glyphs[i].ch != ' ');
    let used: BTreeSet<(u32, u32)> = cells
        .iter()
        .filter(|(_, c)| filled(c))
        .map(|(place, _)| *place)
        .collect();
    let columns: BTreeSet<u32> = used.iter().map(|u| u.1).collect();
    let rows: BTreeSet<u32> = used.iter().map(|u| u.0).collect();
    if columns.len() < 2 {
        return None;
    }
    let mut by_row: BTreeMap<u32, Columned> = BTreeMap::new();
    for (&(row, column), places) in cells.iter().filter(|(_, c)| filled(c)) {
        by_row
            .entry(row)
            .or_default()
            .push((column, cell_lines(places, page, frame, lines)));
    }
    // Text in columns side by side, whatever rules stand among it.
    let text = |lines: &[Line]| lines.len() >= COLUMN && wrapped(lines);
    let side_by_side = by_row
        .values()
        .any(|row| row.iter().filter(|(_, l)| text(l)).count() > 1);
    if grid.banded && grid.columns() < 4 && side_by_side {
        return None;
    }
    if rows.len() < 2 && grid.columns() < 3 {
        let longest = by_row
            .values()
            .flatten()
            .map(|(_, lines)| lines.len())
            .max()
            .unwrap_or(0);
        if longest >= COLUMN {
            return None;
        }
    }
    if is_drawing(grid, &by_row, frame) {
        return None;
    }
    let (heads, head) = if grid.banded {
        heads(grid, &mut by_row, cells, |places| {
            cell_lines(places, page, frame, lines)
        })
    } else {
        (Vec::new(), 0)
    };
    // What stands between two ruled lines may be several rows of the table, or none.
    let rows: Vec<(usize, Columned)> = by_row
        .into_iter()
        .flat_map(|(row, cells)| {
            let parts = parted(cells, grid.banded);
            parts.into_iter().map(move |cells| (row as usize, cells))
        })
        .collect();
    Some(in_cells(grid, heads, head, rows, number))
}

/// The lines of a table, each with the cell that it belongs to. `heads` holds the column heads and `head` the number of
/// rows that they take. Each of `rows` comes with the index of the ruled row (the space between two drawn lines) that
/// it is part of.
fn in_cells(
    grid: &Grid,
    heads: Vec<Head>,
    head: usize,
    rows: Vec<(usize, Columned)>,
    number: usize,
) -> Vec<Line> {
    let extents = grid.extents();
    let last_of = |row: u32, column: u32| {
        let first = row as usize * grid.columns() + column as usize;
        extents.get(&first).copied().unwrap_or_default()
    };
    let ruled: Vec<usize> = rows.iter().map(|(row, _)| *row).collect();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut out = Vec::new();
    for part in heads {
        let cell = Cell {
            table: count(number),
            row: count(part.rows.0),
            column: count(part.columns.0),
            rows: count(part.rows.1),
            columns: count(part.columns.1),
        };
        out.extend(part.lines.into_iter().map(|line| Line {
            cell: Some(cell),
            cells: 1,
            ..line
        }));
    }
    for (at, (row, cells)) in rows.into_iter().enumerate() {
        for (column, lines) in cells {
            let (last_row, last_column) = last_of(count(row), column);
            let end = if last_row > row {
                ruled.partition_point(|r| *r <= last_row).max(at + 1)
            } else {
                at + 1
            };
            let cell = Cell {
                table: count(number),
                row: count(head + at),
                column,
                rows: count(end - at),
                columns: count((last_column + 1).saturating_sub(column as usize).max(1)),
            };
            for mut line in lines {
                line.cell = Some(cell);
                line.cells = 1;
                out.push(line);
            }
        }
    }
    out
}

/// Whether a row holds quantities. A line of a text may be a number by chance.
fn counts(row: &[(u32, Vec<Line>)]) -> bool {
    let text = |lines: &[Line]| {
        let chars: usize = lines.iter().map(|l| l.chars.len()).sum();
        chars >= TEXT * lines.len() && wrapped(lines)
    };
    row.iter().any(|(column, lines)| {
        let number = |l: &&Line| Part::new((*l).clone(), 0).is_number();
        let numbers = lines.iter().filter(number).count();
        *column > 0 && numbers > 0 && (numbers * 2 >= lines.len() || !text(lines))
    })
}

/// Removes the heads from a table without vertical lines. Heads are the rows before the first row with quantities. A
/// head may span several columns. Returns the heads and the number of rows that they take.
fn heads(
    grid: &Grid,
    by_row: &mut BTreeMap<u32, Columned>,
    cells: &Cells,
    lines: impl Fn(&[usize]) -> Vec<Line>,
) -> (Vec<Head>, usize) {
    let Some((&first, _)) = by_row.iter().find(|(_, row)| counts(row)) else {
        return (Vec::new(), 0);
    };
    let body = by_row.range(first..);
    let counted = body.clone().filter(|(_, row)| counts(row)).count();
    let above = by_row.range(..first).count();
    if above == 0 || above > HEAD_ROWS || counted * 2 < body.count() {
        return (Vec::new(), 0);
    }
    // The columns as wide as the text below is.
    let mut found: Vec<(f32, f32)> = grid.xs.windows(2).map(|w| (w[1], w[0])).collect();
    for (column, lines) in by_row.range(first..).flat_map(|(_, row)| row) {
        for line in lines
            .iter()
            .filter(|l| l.x1 <= grid.xs[*column as usize + 1] + 2.0)
        {
            let edges = &mut found[*column as usize];
            *edges = (edges.0.min(line.x0), edges.1.max(line.x1));
        }
    }
    for (edges, w) in found.iter_mut().zip(grid.xs.windows(2)) {
        if edges.0 > edges.1 {
            *edges = (w[0], w[1]);
        }
    }
    let head = by_row
        .range(..first)
        .map(|(row, _)| *row)
        .collect::<BTreeSet<u32>>();
    by_row.retain(|row, _| !head.contains(row));
    let mut places: Vec<usize> = cells
        .iter()
        .filter(|((row, _), _)| head.contains(row))
        .flat_map(|(_, places)| places.iter().copied())
        .collect();
    places.sort_unstable();
    let mut parts: Vec<Part> = lines(&places)
        .iter()
        .flat_map(split)
        .flat_map(|line| pieces(line, &found))
        .map(|line| {
            let (column, span) = head_columns(&line, &found);
            Part { line, column, span }
        })
        .collect();
    parts.sort_by(|a, b| a.line.baseline.total_cmp(&b.line.baseline));
    stacked::heads(vec![Row {
        baseline: 0.0,
        parts,
    }])
}

/// Whether a ruled frame is a chart and not a table. In a chart many labels are on the lines and not between them, or
/// most rows are much higher than their text.
fn is_drawing(grid: &Grid, by_row: &BTreeMap<u32, Columned>, frame: Frame) -> bool {
    let columns = grid.columns();
    let (mut on_rules, mut all, mut high, mut rows) = (0usize, 0usize, 0usize, 0usize);
    for (row, cells) in by_row {
        let mut fullest = 0f32;
        for line in cells
            .iter()
            .flat_map(|(_, lines)| lines)
            .filter(|l| l.frame == frame)
        {
            let middle = line.baseline - 0.3 * line.size;
            let x = (line.x0 + line.x1) / 2.0;
            let reach = 0.35 * line.size;
            let sides = (grid.field(x, middle - reach), grid.field(x, middle + reach));
            let crossed = match sides {
                (Some(above), Some(below)) => {
                    above / columns != below / columns && grid.cell[above] != grid.cell[below]
                }
                (above, below) => above.is_some() != below.is_some(),
            };
            all += 1;
            on_rules += usize::from(crossed);
        }
        let extents = grid.extents();
        for (column, lines) in cells {
            let first = *row as usize * columns + *column as usize;
            let last = extents.get(&first).map_or(*row as usize, |e| e.0);
            let height = grid.ys[last + 1] - grid.ys[*row as usize];
            let text: f32 = lines.iter().map(|l| 1.2 * l.size).sum();
            fullest = fullest.max(text / height.max(1.0));
        }
        rows += 1;
        high += usize::from(fullest < 0.16);
    }
    on_rules * 4 > all || (rows >= 2 && high * 10 >= rows * 6)
}

/// The lines of a cell from top to bottom, those in the table's direction first.
fn cell_lines(
    places: &[usize],
    page: &RawPage,
    frame: Frame,
    lines: &impl Fn(&[Glyph], u8) -> Vec<Line>,
) -> Vec<Line> {
    let mut by_turn: BTreeMap<u8, Vec<Glyph>> = BTreeMap::new();
    for &i in places {
        let glyph = page.glyphs[i];
        by_turn
            .entry((direction(&glyph) + 4 - frame.turn) % 4)
            .or_default()
            .push(glyph);
    }
    let mut out = Vec::new();
    for (turn, glyphs) in by_turn {
        let mut lines = lines(&glyphs, (turn + frame.turn) % 4);
        lines.sort_by(|a, b| {
            a.baseline
                .total_cmp(&b.baseline)
                .then(a.x0.total_cmp(&b.x0))
        });
        // Words on one baseline that stand far apart may be out of order in the stream.
        let mut start = 0;
        while start < lines.len() {
            let level = |l: &&Line| l.baseline - lines[start].baseline < 0.3 * lines[start].size;
            let end = start + lines[start..].iter().take_while(level).count().max(1);
            lines[start..end].sort_by(|a, b| a.x0.total_cmp(&b.x0));
            start = end;
        }
        out.extend(lines);
    }
    out
}

/// Divides a row between two ruled lines into the table's real rows. Many tables have ruled lines only below their head
/// and between columns. The real rows can be recognised by a column that has only numbers, on several lines. With
/// `banded`, they can also be recognised if several columns have several lines and no text wraps.
fn parted(cells: Columned, banded: bool) -> Vec<Columned> {
    let baselines = |lines: &[Line]| {
        lines
            .windows(2)
            .filter(|w| w[1].baseline - w[0].baseline > 0.5 * w[0].size)
            .count()
            + 1
    };
    let counts = |lines: &[Line]| {
        baselines(lines) >= 2 && lines.iter().all(|l| Part::new(l.clone(), 0).is_number())
    };
    let several = cells
        .iter()
        .filter(|(_, lines)| baselines(lines) >= 2)
        .count()
        >= 2;
    let wraps = cells.iter().any(|(_, lines)| wrapped(lines));
    if !(cells.iter().any(|(_, lines)| counts(lines)) || (banded && several && !wraps)) {
        return vec![cells];
    }
    let mut parts: Vec<Part> = cells
        .into_iter()
        .flat_map(|(column, lines)| {
            lines
                .into_iter()
                .map(move |line| Part::new(line, column as usize))
        })
        .collect();
    parts.sort_by(|a, b| {
        a.line
            .baseline
            .total_cmp(&b.line.baseline)
            .then(a.column.cmp(&b.column))
    });
    let mut rows: Vec<Row> = Vec::new();
    for part in parts {
        match rows.last_mut() {
            Some(row) if (part.line.baseline - row.baseline).abs() < 0.3 * part.line.size => {
                row.parts.push(part)
            }
            _ => rows.push(Row {
                baseline: part.line.baseline,
                parts: vec![part],
            }),
        }
    }
    let split = logical(rows);
    split
        .into_iter()
        .map(|rows| {
            let mut by_column: BTreeMap<u32, Vec<Line>> = BTreeMap::new();
            for part in rows.into_iter().flat_map(|r| r.parts) {
                by_column
                    .entry(part.column as u32)
                    .or_default()
                    .push(part.line);
            }
            by_column.into_iter().collect()
        })
        .collect()
}

/// The lines of a cell are a text that goes on from line to line.
fn wrapped(lines: &[Line]) -> bool {
    let right = lines.iter().map(|l| l.x1).fold(f32::MIN, f32::max);
    let steps = lines.len().saturating_sub(1);
    let goes_on = |w: &&[Line]| {
        let part = Part::new(w[1].clone(), 0);
        part.goes_on() || w[0].x1 + 0.3 * w[0].size + first_word(&w[1]) > right
    };
    steps >= 1 && lines.windows(2).filter(goes_on).count() * 10 >= steps * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_ends_a_text_is_no_quantity() {
        let cell = |texts: &[&str]| -> Vec<Line> {
            let lines = texts.iter().enumerate();
            lines.map(|(at, text)| Line::plain(1, at, text)).collect()
        };
        let text = cell(&[
            "The guidelines of the authority apply to",
            "all banks from the first of January",
            "2019.",
        ]);
        let numbers = cell(&["12", "n.a.", "14"]);
        for (column, lines, expected) in
            [(1, &text, false), (1, &numbers, true), (0, &numbers, false)]
        {
            assert_eq!(counts(&[(column, lines.clone())]), expected, "{lines:?}");
        }
    }
}
