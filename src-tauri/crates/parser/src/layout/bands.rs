//! Tables that have only horizontal lines. The text between two lines is a row. Columns are separated by vertical
//! strips that no text crosses from the first line to the last.

use super::grid::Grid;
use std::collections::BTreeSet;
use std::ops::Range;

/// A glyph's middle and extent in the frame.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Left edge.
    pub x0: f32,
    /// Right edge.
    pub x1: f32,
    /// Height of its middle.
    pub y: f32,
    /// Font size.
    pub size: f32,
}

/// Rules whose ends differ by less belong together.
const SAME_END: f32 = 6.0;
/// Width of a strip between columns, in ems.
const STRIP: f32 = 0.6;
/// A page with more rules is a drawing.
const MOST: usize = 400;
/// If at least this many lines leave a strip free, the strip is not there by chance.
const CLOSE_LINES: usize = 4;
/// How far below the middle of its letters a line that marks words is drawn, in ems.
const MARK: Range<f32> = -0.3..0.55;
/// A line is drawn through letters when it is no farther from their middle than this, in ems.
const THROUGH: f32 = 0.3;
/// Joints of rules that are nearer than this are one, and at the height of a rule.
const SAME_JOINT: f32 = 4.0;
/// If all rules of a table share at least this number of joints, these are the edges of the columns.
const JOINTS: usize = 2;
/// Two letters that stand closer than this belong to one word, in ems.
const LETTERS: f32 = 0.12;
/// Share of the width from which a single line of text runs over all columns.
const OVER: f32 = 0.6;
/// Share of the width on each side where a strip may part labels from the text that hangs beside them.
const SIDE: f32 = 0.2;

/// The tables made of horizontal lines. `levels` are these lines as `(height, from, to)`, sorted by height. `joints`
/// are the places, as `(height, place)`, at which a line is drawn in several pieces. `spots` are the glyphs of the
/// page.
pub fn banded(levels: &[(f32, f32, f32)], joints: &[(f32, f32)], spots: &[Spot]) -> Vec<Grid> {
    let mut out = Vec::new();
    let left: Vec<(f32, f32, f32)> = bridged(levels);
    if left.len() > MOST {
        return out;
    }
    let mut by_height: Vec<Spot> = spots.to_vec();
    by_height.sort_by(|a, b| a.y.total_cmp(&b.y));
    let largest = spots.iter().map(|s| s.size).fold(0.0, f32::max);
    // Lines below several words on one level may part the heads of columns from the rows.
    let alone = |at: f32| left.iter().filter(|l| (l.0 - at).abs() < 1.0).count() == 1;
    let parts = |l: &(f32, f32, f32)| match marks_words(*l, &by_height, largest) {
        Some(Mark::Through) => false,
        Some(Mark::Under) => !alone(l.0),
        None => true,
    };
    let mut left: Vec<(f32, f32, f32)> = left.iter().copied().filter(parts).collect();
    // The widest rules are those of whole tables; shorter ones part rows, or the heads below one over several columns.
    let wider = |a: &&(f32, f32, f32), b: &&(f32, f32, f32)| (a.2 - a.1).total_cmp(&(b.2 - b.1));
    while let Some(&(_, from, to)) = left.iter().rev().max_by(wider) {
        let alike =
            |l: &(f32, f32, f32)| (l.1 - from).abs() < SAME_END && (l.2 - to).abs() < SAME_END;
        let (group, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(alike);
        left = rest;
        let heights: Vec<f32> = group.iter().map(|l| l.0).collect();
        for heights in apart(&heights, from, to, &by_height) {
            let (first, last) = (heights[0], heights[heights.len() - 1]);
            let inside = |l: &(f32, f32, f32)| {
                l.0 > first && l.0 < last && l.1 > from - SAME_END && l.2 < to + SAME_END
            };
            let short: Vec<_> = left.iter().copied().filter(inside).collect();
            let edges = shared(joints, heights, from, to);
            if let Some(grid) = table(heights, &short, (from, to), &edges, &by_height) {
                left.retain(|l| !inside(l));
                out.push(grid);
            }
        }
    }
    out
}

/// What a line does to the words at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// It strikes them out.
    Through,
    /// It underlines them.
    Under,
}

/// Whether a drawn line underlines words or strikes them through. `None` if there are no words next to it that are as
/// long as the line.
fn marks_words((at, from, to): (f32, f32, f32), spots: &[Spot], largest: f32) -> Option<Mark> {
    let beside = |s: &&Spot| s.x0 > from - 2.0 && s.x1 < to + 2.0;
    let near = |s: &&Spot| MARK.contains(&((at - s.y) / s.size.max(0.1)));
    let marked: Vec<Spot> = between(spots, at - largest, at + largest)
        .iter()
        .filter(beside)
        .filter(near)
        .copied()
        .collect();
    let size = marked.first()?.size;
    let (left, right) = ends(&marked);
    if (left - from).abs() >= 0.25 * size || (right - to).abs() >= 0.25 * size {
        return None;
    }
    let through = |s: &Spot| (at - s.y).abs() < THROUGH * s.size;
    if marked.iter().all(through) {
        return Some(Mark::Through);
    }
    // A line below several cells of a row does not underline their words.
    (pieces(&marked, 1.2 * size) == 1).then_some(Mark::Under)
}

/// Left and right edge of some glyphs.
fn ends(spots: &[Spot]) -> (f32, f32) {
    spots
        .iter()
        .fold((f32::MAX, f32::MIN), |(a, b), s| (a.min(s.x0), b.max(s.x1)))
}

/// Rules of one width that belong to one table each: running text between two of them parts tables.
fn apart<'h>(heights: &'h [f32], from: f32, to: f32, spots: &[Spot]) -> Vec<&'h [f32]> {
    let mut out = Vec::new();
    let mut start = 0;
    for at in 1..=heights.len() {
        let ends =
            at == heights.len() || is_prose(between(spots, heights[at - 1], heights[at]), from, to);
        if ends {
            if at - start >= 2 {
                out.push(&heights[start..at]);
            }
            start = at;
        }
    }
    out
}

/// The places at which all drawn lines of a table have a gap. The result is empty if some line has a gap elsewhere, for
/// example above a head that spans several columns.
fn shared(joints: &[(f32, f32)], heights: &[f32], from: f32, to: f32) -> Vec<f32> {
    let at = |height: f32| -> Vec<f32> {
        let near = joints.iter().filter(|j| (j.0 - height).abs() < SAME_JOINT);
        let mut places: Vec<f32> = near.map(|j| j.1).filter(|x| *x > from && *x < to).collect();
        places.sort_by(f32::total_cmp);
        places.dedup_by(|b, a| *b - *a < SAME_JOINT);
        places
    };
    let mut places = heights.iter().map(|h| at(*h));
    let first = places.next().unwrap_or_default();
    let alike = |other: Vec<f32>| {
        let mut pairs = other.iter().zip(&first);
        other.len() == first.len() && pairs.all(|(a, b)| (a - b).abs() < SAME_JOINT)
    };
    if places.all(alike) { first } else { Vec::new() }
}

/// Most lines run over most of the width without a gap, and leave no strip free in which columns could meet.
fn is_prose(spots: &[Spot], from: f32, to: f32) -> bool {
    let (mut lines, mut full, mut start) = (0, Vec::new(), 0);
    for at in 1..=spots.len() {
        if at < spots.len() && spots[at].y - spots[start].y < 0.35 * spots[start].size {
            continue;
        }
        let line = &spots[start..at];
        let (left, right) = ends(line);
        lines += 1;
        let whole = left - from < 0.2 * (to - from) && right - left > 0.6 * (to - from);
        if whole && pieces(line, 1.2 * line[0].size) == 1 {
            full.push(line.to_vec());
        }
        start = at;
    }
    full.len() >= 2 && full.len() * 2 >= lines && !side_by_side(&full, from, to)
}

/// Whether the text between the lines is not a table, but two columns of running text close together. In that case no
/// line of text crosses a strip in the middle.
fn side_by_side(lines: &[Vec<Spot>], from: f32, to: f32) -> bool {
    let size = lines
        .first()
        .and_then(|l| l.first())
        .map_or(0.0, |s| s.size);
    let inner = from + SIDE * (to - from)..to - SIDE * (to - from);
    lines.len() >= CLOSE_LINES
        && strips(lines, from, to, STRIP * size)
            .iter()
            .any(|x| inner.contains(x))
}

/// Rules drawn cell by cell on one level become one.
fn bridged(levels: &[(f32, f32, f32)]) -> Vec<(f32, f32, f32)> {
    let mut out: Vec<(f32, f32, f32)> = Vec::new();
    for &(at, from, to) in levels {
        match out.last_mut() {
            Some(last) if (last.0 - at).abs() < 1.0 && from - last.2 < 12.0 && from > last.1 => {
                last.2 = last.2.max(to)
            }
            _ => out.push((at, from, to)),
        }
    }
    out
}

fn between(spots: &[Spot], top: f32, bottom: f32) -> &[Spot] {
    let (a, b) = (
        spots.partition_point(|s| s.y < top),
        spots.partition_point(|s| s.y < bottom),
    );
    &spots[a..b.max(a)]
}

/// The table between drawn lines that have the same width. Shorter lines between them are part of it. `joints` holds
/// the places at which all lines of full width have a gap.
fn table(
    heights: &[f32],
    short: &[(f32, f32, f32)],
    (from, to): (f32, f32),
    joints: &[f32],
    spots: &[Spot],
) -> Option<Grid> {
    let mut edges = edges(heights, short);
    // Short rules do not count here: a page of two columns with a short rule above its footnotes has no rows.
    let rows = heights
        .windows(2)
        .filter(|w| {
            between(spots, w[0], w[1])
                .iter()
                .any(|s| s.x1 > from && s.x0 < to)
        })
        .count();
    let heights: Vec<f32> = edges.iter().map(|e| e.0).collect();
    let inside = |s: &&Spot| s.x1 > from - 2.0 && s.x0 < to + 2.0;
    let mut bands: Vec<Vec<Spot>> = heights
        .windows(2)
        .map(|w| {
            between(spots, w[0], w[1])
                .iter()
                .filter(inside)
                .copied()
                .collect::<Vec<Spot>>()
        })
        .collect();
    // Text that sticks out of the rules is no cell of theirs.
    let sticks_out = bands
        .iter()
        .flatten()
        .any(|s| s.x0 < from - 6.0 || s.x1 > to + 6.0);
    let size = median(bands.iter().flatten().map(|s| s.size).collect())?;
    let (head, head_columns) = head(spots, heights[0], from, to, size);
    // Three heads side by side are those of columns, however many of these a page fills.
    if head_columns >= 3 {
        bands.push(head.clone());
    }
    let filled = bands.iter().filter(|b| !b.is_empty()).count();
    let rows = rows + usize::from(head_columns >= 3);
    // A question in one line over all columns, above its answers, does not show where the columns are.
    let mut telling = bands.clone();
    telling.retain(|b| !runs_over(b, from, to, size));
    let several = telling.iter().filter(|b| !b.is_empty()).count() >= 2;
    let telling = if several { &telling } else { &bands };
    let strips = if joints.len() >= JOINTS {
        joints.to_vec()
    } else {
        strips(telling, from, to, STRIP * size)
    };
    let columns = strips.len() + 1;
    // The fewer rows, the more columns: text is set in two or three columns between the rules of head and foot, too.
    if sticks_out || columns < 2 || filled == 0 || columns + rows < 5 {
        return None;
    }
    let column = |s: &Spot| strips.partition_point(|x| *x < (s.x0 + s.x1) / 2.0);
    let spread = |b: &[Spot]| {
        (0..columns)
            .filter(|&c| b.iter().any(|s| column(s) == c))
            .count()
    };
    if bands.iter().filter(|b| spread(b) >= 2).count() * 2 < filled {
        return None;
    }
    let mut ys = heights;
    let crosses = |s: &Spot| strips.iter().any(|x| s.x0 < *x && s.x1 > *x);
    let headed = head.iter().map(column).collect::<BTreeSet<usize>>().len() >= 2
        && !head.iter().any(crosses);
    if headed {
        let top = head.iter().map(|s| s.y).fold(f32::MAX, f32::min);
        ys.insert(0, top - 0.8 * size);
        edges.insert(0, (ys[0], true));
    }
    let mut xs = vec![from - 2.0];
    xs.extend(&strips);
    xs.push(to + 2.0);
    let mut keys = parted_by_rules(&xs, &ys, &edges, short);
    // A text that crosses a strip spans both columns in its row.
    for row in 0..ys.len() - 1 {
        let band: Vec<Spot> = between(spots, ys[row], ys[row + 1])
            .iter()
            .filter(inside)
            .copied()
            .collect();
        let over = runs_over(&band, from, to, size);
        let (left, right) = ends(&band);
        for (at, strip) in strips.iter().enumerate() {
            let spans = over && left < *strip && *strip < right;
            if spans || text_crosses(&band, *strip, size) {
                keys[row * columns + at + 1] = keys[row * columns + at];
            }
        }
    }
    let mut grid = Grid::banded(xs, ys, Vec::new());
    grid.regroup(&keys);
    Some(grid)
}

/// The heights of all rules from top to bottom, each with whether one of them has the whole width.
fn edges(heights: &[f32], short: &[(f32, f32, f32)]) -> Vec<(f32, bool)> {
    let mut edges: Vec<(f32, bool)> = heights.iter().map(|h| (*h, true)).collect();
    edges.extend(short.iter().map(|l| (l.0, false)));
    edges.sort_by(|a, b| a.0.total_cmp(&b.0));
    edges.dedup_by(|b, a| {
        let same = b.0 - a.0 < 3.0;
        a.1 |= same && b.1;
        same
    });
    edges
}

/// Joins fields (one row in one column) that belong to one cell. The result has a key for each field, row by row;
/// fields with the same key are one cell. A short drawn line separates the fields above and below it only in the
/// columns that it covers.
fn parted_by_rules(
    xs: &[f32],
    ys: &[f32],
    edges: &[(f32, bool)],
    short: &[(f32, f32, f32)],
) -> Vec<(usize, usize)> {
    let columns = xs.len() - 1;
    let mut keys: Vec<(usize, usize)> = (0..(ys.len() - 1) * columns).map(|f| (f, 0)).collect();
    for row in 1..ys.len() - 1 {
        for column in (0..columns).filter(|_| !edges[row].1) {
            let covered: f32 = short
                .iter()
                .filter(|l| (l.0 - ys[row]).abs() < 3.0)
                .map(|l| (l.2.min(xs[column + 1]) - l.1.max(xs[column])).max(0.0))
                .sum();
            if covered < 0.5 * (xs[column + 1] - xs[column]) {
                keys[row * columns + column] = keys[(row - 1) * columns + column];
            }
        }
    }
    keys
}

/// Whether text crosses a strip: a glyph lies over it, or two letters of one word stand on its two sides.
fn text_crosses(band: &[Spot], strip: f32, size: f32) -> bool {
    let near = |s: &&Spot| s.x1 > strip - 2.0 * size && s.x0 < strip + 2.0 * size;
    let near: Vec<&Spot> = band.iter().filter(near).collect();
    let middle = |s: &Spot| (s.x0 + s.x1) / 2.0;
    near.iter().any(|s| {
        let over = s.x0 < strip - 0.2 * size && s.x1 > strip + 0.2 * size;
        let word_goes_on = |n: &&Spot| {
            middle(n) > strip && (n.y - s.y).abs() < 0.3 * size && n.x0 - s.x1 < LETTERS * size
        };
        over || (middle(s) <= strip && near.iter().any(word_goes_on))
    })
}

/// A single line over most of the width, without a gap between columns.
fn runs_over(band: &[Spot], from: f32, to: f32, size: f32) -> bool {
    let (left, right) = ends(band);
    let level = band.iter().all(|s| (s.y - band[0].y).abs() < 0.5 * size);
    level && right - left > OVER * (to - from) && pieces(band, STRIP * size) == 1
}

/// Middles of the strips that almost no band crosses.
pub fn strips(bands: &[Vec<Spot>], from: f32, to: f32, width: f32) -> Vec<f32> {
    let mut edges: Vec<(f32, i32)> = Vec::new();
    for band in bands {
        let mut spans: Vec<(f32, f32)> = band.iter().map(|s| (s.x0, s.x1)).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut open: Option<(f32, f32)> = None;
        for span in spans {
            match &mut open {
                // Words of one cell stand closer than columns do.
                Some(o) if span.0 - o.1 < width => o.1 = o.1.max(span.1),
                _ => {
                    edges.extend(
                        open.replace(span)
                            .into_iter()
                            .flat_map(|o| [(o.0, 1), (o.1, -1)]),
                    );
                }
            }
        }
        edges.extend(open.into_iter().flat_map(|o| [(o.0, 1), (o.1, -1)]));
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let most = i32::try_from(bands.len() / 5).unwrap_or(0);
    let (mut depth, mut free_from, mut out) = (0, from, Vec::new());
    for (x, step) in edges {
        let before = depth;
        depth += step;
        if before <= most && depth > most {
            if x - free_from >= width && free_from > from + 0.1 {
                out.push((x + free_from) / 2.0);
            }
        } else if before > most && depth <= most {
            free_from = x;
        }
    }
    out.retain(|x| *x > from && *x < to);
    out
}

/// The column heads above the first horizontal line. Lines of text are taken from this line upwards, as long as each
/// one divides into as many columns as the rows below the line.
fn head(spots: &[Spot], first: f32, from: f32, to: f32, size: f32) -> (Vec<Spot>, usize) {
    let near = between(spots, first - 6.0 * size, first);
    let (mut edge, mut end) = (first, near.len());
    let (mut taken, mut columns): (Vec<Spot>, usize) = (Vec::new(), 0);
    while end > 0 {
        let y = near[end - 1].y;
        let start = near[..end]
            .iter()
            .rposition(|s| y - s.y > 0.3 * size)
            .map_or(0, |i| i + 1);
        let row = &near[start..end];
        let within = row.iter().all(|s| s.x0 > from - 6.0 && s.x1 < to + 6.0);
        let reach = if taken.is_empty() { 2.4 } else { 1.5 };
        if edge - y > reach * size || !within {
            break;
        }
        let more: Vec<Spot> = taken.iter().chain(row).copied().collect();
        let parted = pieces(&more, 1.2 * size);
        if parted < columns {
            break;
        }
        (taken, columns) = (more, parted);
        edge = y;
        end = start;
    }
    (taken, columns)
}

/// Number of stretches that gaps of some width part.
fn pieces(spots: &[Spot], gap: f32) -> usize {
    let mut spans: Vec<(f32, f32)> = spots.iter().map(|s| (s.x0, s.x1)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut right = f32::MIN;
    let mut count = 0;
    for (x0, x1) in spans {
        count += usize::from(x0 - right >= gap);
        right = right.max(x1);
    }
    count
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f32::total_cmp).1)
}

#[cfg(test)]
mod tests;
