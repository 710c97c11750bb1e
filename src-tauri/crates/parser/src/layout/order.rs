//! Reading order.
//!
//! Programs that typeset documents mostly write the text in reading order, including columns and cells. So the order of
//! the content stream is kept as long as it runs downwards within its columns. If it goes up inside a column, it is
//! divided into runs that go downwards. These runs are ordered by their place on the page: column by column if an empty
//! strip separates them, or from top to bottom if something crosses that strip.

use super::line::Line;

/// Characters in a line from which a column holds running text.
const COLUMN_CHARS: usize = 18;
/// Share of the page's height that its margins take.
const MARGIN: f32 = 0.1;

/// Size of a title, as a multiple of the usual one of its page, and on a slide, whose text is larger.
const TITLE: (f32, f32) = (1.3, 1.15);

/// A line, or a ruled table whose lines are in order already.
#[derive(Clone, Debug)]
pub struct Unit {
    lines: Vec<Line>,
    table: bool,
    x0: f32,
    x1: f32,
    /// First and last baseline.
    top: f32,
    bottom: f32,
    size: f32,
    turn: u8,
    chars: usize,
    in_margin: bool,
}

impl Unit {
    pub fn line(line: Line) -> Self {
        Self::of(vec![line], false)
    }

    pub fn table(lines: Vec<Line>) -> Self {
        Self::of(lines, true)
    }

    fn of(lines: Vec<Line>, table: bool) -> Self {
        let fold = |from: f32, pick: &dyn Fn(f32, f32) -> f32, value: &dyn Fn(&Line) -> f32| {
            lines.iter().map(value).fold(from, pick)
        };
        Self {
            table,
            x0: fold(f32::MAX, &f32::min, &|l| l.x0),
            x1: fold(f32::MIN, &f32::max, &|l| l.x1),
            top: fold(f32::MAX, &f32::min, &|l| l.baseline),
            bottom: fold(f32::MIN, &f32::max, &|l| l.baseline),
            size: lines.first().map_or(1.0, |l| l.size),
            turn: lines.first().map_or(0, |l| l.frame.turn),
            in_margin: lines.iter().all(|l| {
                let height = l.frame.extent();
                l.bottom() < MARGIN * height || l.top() > (1.0 - MARGIN) * height
            }),
            chars: lines.iter().map(|l| l.chars.len()).sum(),
            lines,
        }
    }
}

/// Puts the text of one page into reading order.
pub fn order(units: Vec<Unit>) -> Vec<Line> {
    let ordered = if contradicts(&units) {
        by_position(units)
    } else {
        units
    };
    ordered.into_iter().flat_map(|u| u.lines).collect()
}

/// Puts the large lines in the upper margin of a page first: a title may be drawn after all that is below it.
pub(crate) fn titles_first(lines: &mut [Line]) {
    let mut sizes: std::collections::BTreeMap<i32, usize> = Default::default();
    for line in lines.iter() {
        *sizes.entry((line.size * 4.0) as i32).or_default() += line.chars.len();
    }
    let usual = sizes.into_iter().max_by_key(|(_, chars)| *chars);
    let usual = usual.map_or(0.0, |(size, _)| size as f32 / 4.0);
    let least = |line: &Line| {
        if line.frame.is_wide() {
            TITLE.1
        } else {
            TITLE.0
        }
    };
    let title = |line: &Line| {
        line.cell.is_none()
            && line.frame.turn == 0
            && line.bottom() < MARGIN * line.frame.extent()
            && line.size > least(line) * usual
    };
    lines.sort_by_key(|line| !title(line));
}

/// The stream goes up inside a column; what stands in the page's margins may come at any time.
fn contradicts(units: &[Unit]) -> bool {
    let body: Vec<&Unit> = units.iter().filter(|u| !u.in_margin).collect();
    body.windows(2).any(|w| goes_up(w[0], w[1]))
}

fn goes_up(before: &Unit, after: &Unit) -> bool {
    let higher = after.top < before.bottom - 0.5 * before.size;
    let overlap = before.x1.min(after.x1) - before.x0.max(after.x0);
    let narrower = (before.x1 - before.x0).min(after.x1 - after.x0).max(1.0);
    before.turn == after.turn && higher && overlap > 0.3 * narrower
}

/// Units that follow each other down one column in the stream.
#[derive(Debug, Default)]
struct Run {
    units: Vec<Unit>,
    x0: f32,
    x1: f32,
    top: f32,
    bottom: f32,
    size: f32,
}

impl Run {
    fn push(&mut self, unit: Unit) {
        if self.units.is_empty() {
            (self.x0, self.x1, self.top, self.bottom) =
                (unit.x0, unit.x1, unit.top - 0.8 * unit.size, unit.bottom);
            self.size = unit.size;
        }
        (self.x0, self.x1) = (self.x0.min(unit.x0), self.x1.max(unit.x1));
        (self.top, self.bottom) = (
            self.top.min(unit.top - 0.8 * unit.size),
            self.bottom.max(unit.bottom),
        );
        self.units.push(unit);
    }

    /// The next unit stands below the last one, in the same column.
    fn takes(&self, next: &Unit) -> bool {
        let Some(last) = self.units.last() else {
            return true;
        };
        let size = last.size.max(next.size);
        let down = next.top - last.bottom;
        let overlap = last.x1.min(next.x1) - last.x0.max(next.x0);
        last.turn == next.turn && down > 0.0 && down < 3.0 * size && overlap > 0.0
    }

    fn lines(&self) -> usize {
        self.units.iter().map(|u| u.lines.len()).sum()
    }

    fn chars(&self) -> usize {
        self.units.iter().map(|u| u.chars).sum()
    }
}

fn by_position(units: Vec<Unit>) -> Vec<Unit> {
    let mut out = Vec::with_capacity(units.len());
    let mut rest = units;
    // Each direction of writing is treated as a separate page.
    while let Some(turn) = rest.first().map(|u| u.turn) {
        let (same, other): (Vec<Unit>, Vec<Unit>) = rest.into_iter().partition(|u| u.turn == turn);
        let mut runs: Vec<Run> = Vec::new();
        for unit in same {
            match runs.last_mut() {
                Some(run) if run.takes(&unit) => run.push(unit),
                _ => {
                    let mut run = Run::default();
                    run.push(unit);
                    runs.push(run);
                }
            }
        }
        cut(runs, &mut out, 0);
        rest = other;
    }
    out
}

/// Orders a region: column by column where a strip that nothing crosses parts columns of text, else band by band.
fn cut(mut runs: Vec<Run>, out: &mut Vec<Unit>, depth: u8) {
    runs.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.x0.total_cmp(&b.x0)));
    if runs.len() < 2 || depth > 12 {
        flush(runs, out);
        return;
    }
    if let Some(at) = gutter(&runs) {
        let (left, right): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(|r| r.x1 <= at);
        cut(left, out, depth + 1);
        cut(right, out, depth + 1);
        return;
    }
    // Bands that nothing crosses; neighbours stay together while one strip parts their columns.
    let mut bands: Vec<Vec<Run>> = Vec::new();
    let mut bottom = f32::MIN;
    for run in runs {
        let below = run.top >= bottom - 0.2 * run.size;
        bottom = bottom.max(run.bottom);
        match bands.last_mut() {
            Some(band) if !below => band.push(run),
            _ => bands.push(vec![run]),
        }
    }
    if bands.len() < 2 {
        bands.into_iter().for_each(|band| flush(band, out));
        return;
    }
    let mut group: Vec<Run> = Vec::new();
    for band in bands {
        let parted = !group.is_empty() && {
            let both: Vec<&Run> = group.iter().chain(&band).collect();
            strip(&both).is_some_and(|at| is_parted(&both, at))
        };
        if !group.is_empty() && !parted {
            cut(std::mem::take(&mut group), out, depth + 1);
        }
        group.extend(band);
    }
    cut(group, out, depth + 1);
}

/// Text that no strip divides: runs of text from top to bottom. Short runs beside each other are rows.
fn flush(mut runs: Vec<Run>, out: &mut Vec<Unit>) {
    let brief = runs
        .iter()
        .filter(|r| r.chars() < COLUMN_CHARS * r.lines())
        .count();
    if brief * 2 < runs.len() {
        runs.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.x0.total_cmp(&b.x0)));
        out.extend(merge_rows(runs.into_iter().flat_map(|r| r.units).collect()));
        return;
    }
    let mut units: Vec<Unit> = runs.into_iter().flat_map(|r| r.units).collect();
    units.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.x0.total_cmp(&b.x0)));
    out.extend(merge_rows(units));
}

/// The middle of the widest strip that no run crosses.
fn strip(runs: &[&Run]) -> Option<f32> {
    let mut spans: Vec<(f32, f32)> = runs.iter().map(|r| (r.x0, r.x1)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = runs.first()?.size;
    let mut right = spans.first()?.1;
    let mut best: Option<(f32, f32)> = None;
    for &(x0, x1) in &spans[1..] {
        let gap = x0 - right;
        if gap > 0.7 * size && best.is_none_or(|(g, _)| gap > g) {
            best = Some((gap, right + gap / 2.0));
        }
        right = right.max(x1);
    }
    best.map(|(_, at)| at)
}

/// Text of some length stands on both sides: a column of running text has long lines, a column of a table has not.
fn is_parted(runs: &[&Run], at: f32) -> bool {
    let side = |left: bool| {
        let part = || runs.iter().filter(move |r| (r.x1 <= at) == left);
        let (lines, chars) = part().fold((0, 0), |(l, c), r| (l + r.lines(), c + r.chars()));
        lines >= 3 && chars >= COLUMN_CHARS * lines
    };
    side(true) && side(false)
}

fn gutter(runs: &[Run]) -> Option<f32> {
    let all: Vec<&Run> = runs.iter().collect();
    strip(&all).filter(|&at| is_parted(&all, at))
}

/// Lines on one baseline become one row, from left to right.
fn merge_rows(units: Vec<Unit>) -> Vec<Unit> {
    let mut rows: Vec<Unit> = Vec::new();
    for mut unit in units {
        if let Some(row) = rows.last_mut()
            && !row.table
            && !unit.table
            && (row.bottom - unit.top).abs() < 0.3 * row.size.max(unit.size)
            && let ([left], [right]) = (row.lines.as_mut_slice(), unit.lines.as_mut_slice())
        {
            if right.x0 >= left.x1 - 0.3 * left.size {
                append(left, std::mem::take(right));
                *row = Unit::of(std::mem::take(&mut row.lines), false);
                continue;
            } else if left.x0 >= right.x1 - 0.3 * left.size {
                append(right, std::mem::take(left));
                *row = Unit::of(std::mem::take(&mut unit.lines), false);
                continue;
            }
        }
        rows.push(unit);
    }
    rows
}

fn append(row: &mut Line, right: Line) {
    let edge = row.x1;
    row.chars.push(super::LineChar::space(edge, right.x0));
    if right.chars.len() > row.chars.len() {
        (row.size, row.baseline, row.bold) = (right.size, right.baseline, right.bold);
    }
    row.x1 = row.x1.max(right.x1);
    row.cells += right.cells;
    row.last_cell = right.last_cell;
    row.chars.extend(right.chars);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::line::Frame;

    fn line(text: &str, left: f32, baseline: f32) -> Line {
        let mut line = Line::plain(1, 0, text);
        (line.x0, line.x1) = (left, left + 5.0 * line.chars.len() as f32);
        (line.baseline, line.size, line.last_cell) = (baseline, 10.0, left);
        line.frame = Frame {
            turn: 0,
            width: 600.0,
            height: 800.0,
        };
        line
    }

    #[test]
    fn the_title_of_a_slide_comes_first_though_it_is_hardly_larger() {
        let page = |width: f32, height: f32| {
            let mut lines = vec![
                line(
                    "The bank reports what it lends to other banks.",
                    60.0,
                    200.0,
                ),
                line("What banks report", 60.0, 40.0),
            ];
            lines[1].size = 12.0;
            for line in &mut lines {
                (line.frame.width, line.frame.height) = (width, height);
            }
            titles_first(&mut lines);
            lines[0].text()
        };
        assert_eq!(page(900.0, 600.0), "What banks report");
        assert!(page(600.0, 900.0).starts_with("The bank"));
    }
}
