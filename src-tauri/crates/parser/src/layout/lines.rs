//! Joins characters to lines.
//!
//! Characters that follow each other in the content stream on one baseline form a piece. Pieces that touch on the same
//! baseline are joined, wherever they are in the stream. All thresholds are fractions of the font size, because pages
//! have different scales.

use super::charts::charts;
use super::grid::{levels, middle};
use super::line::{CELL_EDGE, Frame, Line, LineChar, direction};
use super::order::Unit;
use super::{ruled, small_caps};
use crate::reader::{Glyph, RawPage};
use lexforge_text::is_set_solid;

/// Baselines closer than this are the same.
const SAME_BASELINE: f32 = 0.3;
/// A gap from here on is a space between words in alphabetic text without space characters.
const WORD_GAP: f32 = 0.17;
/// A gap from here on is a space between ideographs.
const CJK_GAP: f32 = 0.7;
/// A gap from here on parts two cells or columns.
const CELL_GAP: f32 = 1.6;

/// Pairs of small digits and pieces that are looked at on a page.
const MOST_PAIRS: usize = 4_000_000;

/// Raised and lowered characters are smaller than this share of their line's size.
const RAISED: f32 = 0.9;

/// A run of glyphs on one baseline.
#[derive(Clone)]
struct Piece {
    glyphs: Vec<Glyph>,
    x0: f32,
    x1: f32,
    baseline: f32,
    size: f32,
    /// A space character followed the last glyph in the stream.
    space_after: bool,
    /// Position of its first glyph in the stream.
    order: usize,
}

impl Piece {
    fn body(&self) -> f32 {
        self.size
    }
}

/// The text of a page in the order of the content stream, divided into units. A line in any direction of writing is one
/// unit, and so is each ruled table.
pub fn units(page: &RawPage, number: u32) -> Vec<Unit> {
    // The direction of most characters comes first, so that stray rotated notes stand last.
    let mut counts = [0usize; 4];
    for glyph in &page.glyphs {
        counts[usize::from(direction(glyph))] += 1;
    }
    let mut turns: Vec<u8> = (0..4).filter(|&t| counts[usize::from(t)] > 0).collect();
    turns.sort_by_key(|&t| std::cmp::Reverse(counts[usize::from(t)]));
    let Some(&main) = turns.first() else {
        return Vec::new();
    };
    let frame = |turn| Frame {
        turn,
        width: page.width,
        height: page.height,
    };
    let (tables, free) = ruled::tables(page, frame(main), |glyphs, turn| {
        let glyphs: Vec<Glyph> = glyphs.iter().map(|g| in_frame(g, frame(turn))).collect();
        row_lines(&glyphs, number, frame(turn))
            .into_iter()
            .map(|(_, line)| line)
            .collect()
    });
    let levels = levels(&page.strokes, frame(main));
    let text: Vec<(f32, f32)> = free
        .iter()
        .map(|&i| middle(&page.glyphs[i]))
        .map(|(x, y)| frame(main).of_page(x, y))
        .collect();
    let charts = charts(&levels, &text);
    let mut units: Vec<(usize, usize, Unit)> = tables
        .into_iter()
        .map(|(at, lines)| (0, at, Unit::table(lines)))
        .collect();
    for (rank, &turn) in turns.iter().enumerate() {
        let (places, glyphs): (Vec<usize>, Vec<Glyph>) = free
            .iter()
            .filter(|&&i| direction(&page.glyphs[i]) == turn)
            .map(|&i| (i, in_frame(&page.glyphs[i], frame(turn))))
            .unzip();
        for (order, mut line) in row_lines(&glyphs, number, frame(turn)) {
            if turn == main {
                line.rule_above = rule_above(&line, &levels);
                let x = (line.x0 + line.x1) / 2.0;
                line.in_chart = charts
                    .iter()
                    .any(|c| c.0 < x && x < c.2 && c.1 < line.baseline && line.baseline < c.3);
            }
            units.push((rank, places[order], Unit::line(line)));
        }
    }
    units.sort_by_key(|&(rank, at, _)| (rank, at));
    units.into_iter().map(|(.., unit)| unit).collect()
}

/// Lines of glyphs in their frame, with the position in the stream of the first glyph of each.
fn row_lines(glyphs: &[Glyph], page: u32, frame: Frame) -> Vec<(usize, Line)> {
    let pieces = join_touching(with_powers(with_initials(pieces(glyphs))));
    let order = |row: &[Piece]| row.iter().map(|p| p.order).min().unwrap_or(0);
    rows(pieces)
        .into_iter()
        .filter_map(|row| Some((order(&row), line(&row, page, frame)?)))
        .collect()
}

/// Height of the nearest level rule above a line, if one is drawn closer than the line before could stand.
fn rule_above(line: &Line, levels: &[(f32, f32, f32)]) -> Option<f32> {
    let near = levels.partition_point(|l| l.0 < line.baseline - 2.0 * line.size);
    let overlaps = |l: &&(f32, f32, f32)| {
        l.2.min(line.x1) - l.1.max(line.x0) > 0.5 * (line.x1 - line.x0).min(l.2 - l.1)
    };
    let above = levels[near..]
        .iter()
        .take_while(|l| l.0 < line.baseline - 0.5 * line.size)
        .filter(overlaps);
    above.last().map(|l| l.0)
}

fn in_frame(glyph: &Glyph, frame: Frame) -> Glyph {
    let (x, y) = frame.of_page(glyph.x, glyph.y);
    // An upright character hangs beside the vertical baseline: centre it on it.
    let y = if glyph.vertical {
        y + 0.35 * glyph.size
    } else {
        y
    };
    Glyph { x, y, ..*glyph }
}

fn pieces(glyphs: &[Glyph]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for (order, glyph) in glyphs.iter().enumerate() {
        if glyph.ch == ' ' {
            if let Some(last) = out.last_mut()
                && (last.baseline - glyph.y).abs() < SAME_BASELINE * last.size
            {
                last.space_after = true;
                // Spaces that are drawn belong to the run: underlines and leaders of blanks must not part it.
                if glyph.x - last.x1 < 1.0 * last.size && glyph.x >= last.x1 - 0.5 * last.size {
                    let mut space = *glyph;
                    space.advance = 0.0;
                    last.glyphs.push(space);
                }
            }
            continue;
        }
        if let Some(last) = out.last_mut() {
            let same = (last.baseline - glyph.y).abs() < SAME_BASELINE * last.size.max(glyph.size);
            let gap = glyph.x - last.x1;
            let reach = CELL_GAP * last.size.max(glyph.size);
            let similar = glyph.size < 1.6 * last.size && last.size < 1.6 * glyph.size;
            if same && similar && gap < reach && gap > -0.6 * glyph.size {
                last.x1 = last.x1.max(glyph.x + glyph.advance);
                last.glyphs.push(*glyph);
                last.space_after = false;
                continue;
            }
        }
        out.push(Piece {
            glyphs: vec![*glyph],
            x0: glyph.x,
            x1: glyph.x + glyph.advance,
            baseline: glyph.y,
            size: glyph.size,
            space_after: false,
            order,
        });
    }
    for piece in &mut out {
        piece.size = main_size(&piece.glyphs);
    }
    out
}

/// Puts an initial that reaches down over several lines before the first of them.
fn with_initials(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let is_initial = |p: &Piece| {
        let letters = p.glyphs.iter().filter(|g| g.ch != ' ').count();
        (1..=2).contains(&letters) && p.glyphs.iter().any(|g| g.ch.is_uppercase())
    };
    let initials: Vec<usize> = (0..pieces.len())
        .filter(|&i| is_initial(&pieces[i]))
        .collect();
    for i in initials {
        let initial = &pieces[i];
        let beside = |p: &Piece| {
            let up = initial.baseline - p.baseline;
            let gap = p.x0 - initial.x1;
            p.size * 1.8 < initial.size
                && up > 0.5 * p.size
                && up < 0.85 * initial.size
                && gap > -0.6 * p.size
                && gap < 1.5 * p.size
                && p.glyphs.len() > 8
        };
        let first = (0..pieces.len())
            .filter(|&j| j != i && beside(&pieces[j]))
            .min_by(|&a, &b| pieces[a].baseline.total_cmp(&pieces[b].baseline));
        if let Some(first) = first {
            let glyphs = std::mem::take(&mut pieces[i].glyphs);
            let line = &mut pieces[first];
            let whole_word = line.glyphs.first().is_some_and(|g| !g.ch.is_lowercase());
            line.x0 = line.x0.min(glyphs.first().map_or(line.x0, |g| g.x));
            let placed = glyphs.into_iter().map(|g| Glyph {
                y: line.baseline,
                size: line.size,
                ..g
            });
            let mut all: Vec<Glyph> = placed.collect();
            // The line's own first letter shows whether the initial is a word or the beginning of one.
            let edge = all.last().map_or(line.x0, |g| g.x + g.advance);
            if let Some(next) = line.glyphs.first().filter(|g| g.x > edge && !whole_word) {
                let bridge = next.x - edge;
                all.last_mut().into_iter().for_each(|g| g.advance += bridge);
            }
            all.append(&mut line.glyphs);
            line.glyphs = all;
        }
    }
    pieces.retain(|p| !p.glyphs.is_empty());
    pieces
}

/// Puts small digits that are drawn above a gap of a line into it, such as the power in a formula.
fn with_powers(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let is_power =
        |p: &Piece| p.glyphs.len() <= 2 && p.glyphs.iter().all(|g| g.ch.is_ascii_digit());
    let powers: Vec<usize> = (0..pieces.len())
        .filter(|&i| is_power(&pieces[i]))
        .collect();
    if powers.len() * pieces.len() > MOST_PAIRS {
        return pieces;
    }
    for i in powers {
        let power = &pieces[i];
        let within = |p: &Piece| {
            let up = p.baseline - power.baseline;
            let above = up > 0.2 * p.size && up < 0.62 * p.size;
            if !above || power.size > 0.8 * p.size || power.x1 > p.x1 {
                return None;
            }
            let drawn = |g: &&Glyph| g.ch != ' ';
            let left = p.glyphs.iter().rposition(|g| drawn(&g) && g.x < power.x0)?;
            let next = p.glyphs[left + 1..].iter().find(drawn)?;
            let edge = p.glyphs[left].x + 0.5 * p.glyphs[left].advance;
            (edge < power.x0 && next.x > power.x1 - 0.1 * p.size).then_some(left + 1)
        };
        let place = (0..pieces.len())
            .filter(|&j| j != i)
            .find_map(|j| Some((j, within(&pieces[j])?)));
        if let Some((j, at)) = place {
            let glyphs = std::mem::take(&mut pieces[i].glyphs);
            for (after, glyph) in glyphs.into_iter().enumerate() {
                pieces[j].glyphs.insert(at + after, glyph);
            }
        }
    }
    pieces.retain(|p| !p.glyphs.is_empty());
    pieces
}

/// Size of most characters.
fn main_size(glyphs: &[Glyph]) -> f32 {
    let mut sizes: Vec<f32> = glyphs
        .iter()
        .filter(|g| g.ch != ' ')
        .map(|g| g.size)
        .collect();
    if sizes.is_empty() {
        return glyphs.first().map_or(1.0, |g| g.size);
    }
    let middle = sizes.len() / 2;
    *sizes.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// Joins pieces on one baseline that touch, raised and lowered small characters included.
fn join_touching(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let mut by_place: Vec<usize> = (0..pieces.len()).collect();
    by_place.sort_by(|&a, &b| {
        let (a, b) = (&pieces[a], &pieces[b]);
        a.baseline
            .total_cmp(&b.baseline)
            .then(a.x0.total_cmp(&b.x0))
    });
    let mut target: Vec<usize> = (0..pieces.len()).collect();
    let reach_up = 1.2;
    for (at, &i) in by_place.iter().enumerate() {
        // The best partner is the one that ends just left of this piece.
        let mut best: Option<(f32, usize)> = None;
        let here = &pieces[i];
        let window = reach_up * here.size.max(8.0);
        let candidates = by_place[..at]
            .iter()
            .rev()
            .take_while(|&&j| here.baseline - pieces[j].baseline < window)
            .chain(
                by_place[at + 1..]
                    .iter()
                    .take_while(|&&j| pieces[j].baseline - here.baseline < window),
            );
        for &j in candidates {
            let left = &pieces[j];
            let size = left.size.max(here.size);
            let gap = here.x0 - left.x1;
            let shift = (here.baseline - left.baseline).abs();
            let sizes_differ = here.size < RAISED * left.size || left.size < RAISED * here.size;
            let level = shift < SAME_BASELINE * size
                || (sizes_differ && shift < 0.62 * size && gap < 0.45 * size);
            if level && gap < 1.0 * size && gap > -0.35 * size && left.x0 < here.x0 {
                let cost = gap.abs() + shift;
                if best.is_none_or(|(c, _)| cost < c) {
                    best = Some((cost, j));
                }
            }
        }
        if let Some((_, j)) = best {
            target[i] = j;
        }
    }
    // Each chain of partners becomes one piece; chains are walked from their left end.
    let mut next: Vec<Option<usize>> = vec![None; pieces.len()];
    let mut has_left = vec![false; pieces.len()];
    let mut order: Vec<usize> = (0..pieces.len()).filter(|&i| target[i] != i).collect();
    order.sort_by(|&a, &b| {
        let gap = |i: usize| (pieces[i].x0 - pieces[target[i]].x1).abs();
        gap(a).total_cmp(&gap(b))
    });
    for i in order {
        let left = target[i];
        if next[left].is_none() {
            next[left] = Some(i);
            has_left[i] = true;
        }
    }
    let mut joined = Vec::new();
    for start in 0..pieces.len() {
        if has_left[start] {
            continue;
        }
        let mut whole = pieces[start].clone();
        let mut at = next[start];
        let mut chars = vec![(whole.size, whole.baseline, whole.glyphs.len())];
        while let Some(i) = at {
            let part = &mut pieces[i];
            whole.x1 = whole.x1.max(part.x1);
            whole.order = whole.order.min(part.order);
            if whole.space_after {
                let last = *whole.glyphs.last().unwrap_or(&part.glyphs[0]);
                whole.glyphs.push(Glyph {
                    ch: ' ',
                    advance: 0.0,
                    x: last.x + last.advance,
                    ..last
                });
            }
            whole.space_after = part.space_after;
            chars.push((part.size, part.baseline, part.glyphs.len()));
            whole.glyphs.append(&mut part.glyphs);
            at = next[i];
        }
        if let Some(main) = chars
            .iter()
            .max_by(|a, b| a.2.cmp(&b.2).then(a.0.total_cmp(&b.0)))
        {
            (whole.size, whole.baseline) = (main.0, main.1);
        }
        joined.push(whole);
    }
    joined.sort_by_key(|p| p.order);
    joined
}

/// Joins pieces on one baseline across a wide gap: a label and its text, or the cells of a table row. This may also
/// join the first lines of two columns of text; [`super::order`] separates them again.
fn rows(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        if let Some(row) = rows.last_mut()
            && let Some(last) = row.last()
        {
            let size = last.body().max(piece.body());
            let level = (last.baseline - piece.baseline).abs() < SAME_BASELINE * size;
            // A raised mark is before the footnote that it belongs to.
            let shift = last.baseline - piece.baseline;
            let mark = last.size < 0.8 * piece.size
                && shift.abs() < 0.62 * size
                && piece.x0 - last.x1 < 3.0 * size;
            if (level || mark) && piece.x0 > last.x1 - 0.35 * size {
                row.push(piece);
                continue;
            }
        }
        rows.push(vec![piece]);
    }
    rows
}

fn line(row: &[Piece], page: u32, frame: Frame) -> Option<Line> {
    let main = row.iter().max_by_key(|p| p.glyphs.len())?;
    let mut line = Line {
        page,
        x0: f32::MAX,
        x1: f32::MIN,
        baseline: main.baseline,
        size: main.size,
        cells: 1,
        frame,
        ..Line::default()
    };
    line.last_cell = row[0].x0;
    let (mut bold, mut italic, mut seen) = (0usize, 0usize, 0usize);
    let mut first = None;
    for (at, piece) in row.iter().enumerate() {
        if at > 0 {
            let (edge, gap) = (line.x1, piece.x0 - line.x1);
            if gap > CELL_EDGE * main.size {
                line.cells += 1;
                line.last_cell = piece.x0;
            }
            if gap > WORD_GAP * piece.size || row[at - 1].space_after {
                line.chars.push(LineChar::space(edge, piece.x0));
            }
        }
        push_words(&mut line, piece, &mut first);
        for glyph in piece.glyphs.iter().filter(|g| g.ch != ' ') {
            seen += 1;
            bold += usize::from(glyph.bold);
            italic += usize::from(glyph.italic);
        }
    }
    while line.chars.last().is_some_and(|c| c.ch == ' ') {
        line.chars.pop();
    }
    if line.chars.is_empty() {
        return None;
    }
    line.bold = bold * 10 > seen * 6;
    line.italic = italic * 10 > seen * 6;
    small_caps::mark(&mut line, row.iter().flat_map(|p| &p.glyphs));
    Some(line)
}

/// Whether a glyph is small and above the baseline. If it is only a little smaller, it must be clearly above.
fn raised(glyph: &Glyph, line: &Line) -> bool {
    let rise = (line.baseline - glyph.y) / line.size;
    (glyph.size < 0.8 * line.size && rise > 0.1) || (glyph.size < RAISED * line.size && rise > 0.2)
}

/// Adds a piece's characters, with a space wherever the drawing leaves a word gap.
fn push_words(line: &mut Line, piece: &Piece, first: &mut Option<(bool, bool)>) {
    let mut pending_space = false;
    let mut previous: Option<&Glyph> = None;
    for glyph in &piece.glyphs {
        if glyph.ch == ' ' {
            pending_space = true;
            continue;
        }
        if let Some(left) = previous {
            let gap = glyph.x - (left.x + left.advance);
            let size = left.size.min(glyph.size);
            let ideographs = is_set_solid(left.ch) && is_set_solid(glyph.ch);
            let space = if ideographs {
                gap > CJK_GAP * size || (pending_space && gap > 0.2 * size)
            } else if is_set_solid(left.ch) || is_set_solid(glyph.ch) {
                gap > 0.35 * size || (pending_space && gap > 0.15 * size)
            } else {
                gap > WORD_GAP * size || (pending_space && gap > 0.02 * size)
            };
            if space {
                let edge = left.x + left.advance;
                line.chars.push(LineChar::space(edge, glyph.x));
            }
        }
        pending_space = false;
        let raised = raised(glyph, line);
        line.lead
            .take(first, (glyph.bold, glyph.italic), line.chars.len());
        line.chars.push(LineChar {
            ch: glyph.ch,
            x0: glyph.x,
            x1: glyph.x + glyph.advance,
            raised,
            capital: glyph.capital,
        });
        line.x0 = line.x0.min(glyph.x);
        line.x1 = line.x1.max(glyph.x + glyph.advance);
        previous = Some(glyph);
    }
}
