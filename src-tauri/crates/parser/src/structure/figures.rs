//! Charts and diagrams. Their texts are labels and not sentences. The labels of one figure are kept together as the
//! cells of one row, and none becomes a heading.
//!
//! A figure is recognised in two ways. The first is the scale of a chart: numbers in equal steps at equal distances, in
//! a column from top to bottom or in a row below the chart. The second is a caption next to which there are only short
//! lines in smaller type.

use super::axes::{Axis, Place, axes, number};
use super::captions::{is_caption, is_remark};
use crate::layout::Line;
use crate::layout::line::Frame;
use crate::layout::rows::split;
use lexforge_ingest::numbering::{Scheme, label};

/// Numbers from which on a column of them may be a scale.
const TICKS: usize = 4;
/// Labels beside a caption from which on they are a figure.
const LABELS: usize = 3;
/// A label of a figure has no more characters and words than this.
const LONGEST: (usize, usize) = (45, 7);
/// Type of labels beside a caption, as a share of the usual size.
const SMALLER: f32 = 0.95;
/// How far the labels of a scale reach below it, and the next one from the last, in ems.
const BELOW: (f32, f32) = (6.0, 2.4);
/// The name of a level scale stands below its middle, to within this share of its width.
const CENTRED: f32 = 0.25;
/// The type of such a name is at most this many times as large as the usual type.
const NAME: f32 = 1.05;
/// How far left of a level scale the upright texts of its chart begin, and end right of its left edge, in ems.
const BESIDE: (f32, f32) = (8.0, 3.0);
/// Most characters of such an upright text: the name of a scale, and its numbers.
const UPRIGHT: usize = 90;

/// Marks the labels of the figures of a page, and puts those of each together; `usual` is the usual font size.
pub fn mark(lines: Vec<Line>, usual: f32) -> Vec<Line> {
    let most = lines.iter().max_by_key(|l| l.chars.len());
    let frame = most.map(|l| l.frame).unwrap_or_default();
    let places: Vec<Option<Place>> = lines.iter().map(|l| Place::of(l, frame)).collect();
    let mut figure: Vec<Option<u32>> = vec![None; lines.len()];
    let mut count = 0;
    for scale in scales(&lines, frame) {
        let own = labels_of(&scale, &lines, &places, &figure);
        claim(&mut figure, &own, &mut count);
    }
    for axis in axes(&lines, &places, frame) {
        if figure[axis.line].is_none() {
            let own = labels_of_level(&axis, &lines, &places, &figure, usual);
            claim(&mut figure, &own, &mut count);
        }
    }
    for at in 0..lines.len() {
        if names_figure(&lines[at]) {
            let own = beside(at, &lines, &places, &figure, usual);
            if own.len() >= LABELS {
                claim(&mut figure, &own, &mut count);
            }
        }
    }
    if count == 0 {
        return lines;
    }
    together(lines, &figure, &places)
}

fn claim(figure: &mut [Option<u32>], own: &[usize], count: &mut u32) {
    if own.is_empty() {
        return;
    }
    // Charts beside each other, and the labels around a scale that a caption finds, are one figure.
    let known = own.iter().find_map(|&i| figure[i]);
    let number = known.unwrap_or(*count);
    if known.is_none() {
        *count += 1;
    }
    own.iter().for_each(|&i| figure[i] = Some(number));
}

/// Puts the lines of each figure where the first of them stands, from top to bottom.
fn together(lines: Vec<Line>, figure: &[Option<u32>], places: &[Option<Place>]) -> Vec<Line> {
    let mut groups: std::collections::BTreeMap<u32, Vec<usize>> = Default::default();
    for (i, number) in figure.iter().enumerate() {
        if let Some(number) = number {
            groups.entry(*number).or_default().push(i);
        }
    }
    let height = |i: usize| places[i].map_or((0.0, 0.0), |p| (p.y0.round(), p.x0));
    let mut lines: Vec<Option<Line>> = lines.into_iter().map(Some).collect();
    let mut out = Vec::with_capacity(lines.len());
    for at in 0..lines.len() {
        let Some(number) = figure[at] else {
            out.extend(lines[at].take());
            continue;
        };
        let mut own = groups.remove(&number).unwrap_or_default();
        own.sort_by(|&a, &b| {
            let (a, b) = (height(a), height(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        for i in own {
            out.extend(lines[i].take().map(|line| Line {
                figure: Some(number),
                in_chart: true,
                cells: 1,
                ..line
            }));
        }
    }
    out
}

/// A caption of a figure, not of a table.
fn names_figure(line: &Line) -> bool {
    let text = line.text();
    let figure = !text.starts_with("Table ") && !text.starts_with('表');
    // "Figure 3 shows that" goes on as a sentence.
    let after = text.split_whitespace().nth(2).unwrap_or("F");
    let named = !after.starts_with(char::is_lowercase);
    line.cell.is_none() && line.cells <= 2 && figure && named && is_caption(&text)
}

/// Short, and neither a sentence nor numbered, a caption or a remark.
fn is_label(line: &Line) -> bool {
    let text = line.text();
    let words = text.split_whitespace().count();
    let pieces = line.cells.max(1) as usize;
    let sentence = words >= 4 && text.ends_with(['.', ';', ':', ',', '。', '；', '：']);
    let numbered = label(&text.chars().collect::<Vec<char>>(), true).is_some_and(|l| {
        let named = matches!(l.scheme, Scheme::Named(_) | Scheme::Decimal(_));
        named && l.len < line.chars.len()
    });
    line.cell.is_none()
        && line.chars.len() <= LONGEST.0 * pieces
        && words <= LONGEST.1 * pieces
        && !sentence
        && !numbered
        && !is_caption(&text)
        && !is_remark(&text)
}

/// The numbers of a scale, from the top down.
struct Scale {
    ticks: Vec<Place>,
    size: f32,
}

/// Columns of numbers that fall in equal steps at equal distances, most of them alone on their height.
fn scales(lines: &[Line], frame: Frame) -> Vec<Scale> {
    let pieces: Vec<(Place, f32, Option<f64>)> = lines
        .iter()
        .filter(|l| l.frame == frame && l.cell.is_none())
        .flat_map(split)
        .filter_map(|l| Some((Place::of(&l, frame)?, l.size, number(&l.text()))))
        .collect();
    let mut numbers: Vec<usize> = (0..pieces.len())
        .filter(|&i| pieces[i].2.is_some())
        .collect();
    numbers.sort_by(|&a, &b| pieces[a].0.y0.total_cmp(&pieces[b].0.y0));
    let mut used = vec![false; pieces.len()];
    let mut found: Vec<Vec<usize>> = Vec::new();
    let edges: [fn(&Place) -> f32; 3] = [|p| p.x1, |p| p.x0, |p| p.x0 + p.x1];
    for edge in edges {
        for &first in &numbers {
            if used[first] {
                continue;
            }
            let column: Vec<usize> = numbers
                .iter()
                .copied()
                .filter(|&i| !used[i] && pieces[i].0.y0 >= pieces[first].0.y0)
                .filter(|&i| (edge(&pieces[i].0) - edge(&pieces[first].0)).abs() < 2.0)
                .collect();
            let run = falling(&column, &pieces);
            if run.len() >= TICKS {
                run.iter().for_each(|&i| used[i] = true);
                found.push(run);
            }
        }
    }
    // The cells of a table have others beside them; so has a scale only its like on the other side.
    let alone = |i: usize| {
        let (own, size, _) = &pieces[i];
        let beside = |j: usize| (pieces[j].0.middle().1 - own.middle().1).abs() < 0.4 * size;
        !(0..pieces.len()).any(|j| j != i && !used[j] && beside(j))
    };
    found
        .iter()
        .filter(|run| 2 * run.iter().filter(|&&i| alone(i)).count() > run.len())
        .map(|run| Scale {
            ticks: run.iter().map(|&i| pieces[i].0).collect(),
            size: pieces[run[0]].1,
        })
        .collect()
}

/// The longest beginning of a column whose numbers fall in equal steps at equal distances.
fn falling(column: &[usize], pieces: &[(Place, f32, Option<f64>)]) -> Vec<usize> {
    let value = |i: usize| pieces[i].2.unwrap_or_default();
    let height = |i: usize| pieces[i].0.middle().1;
    let [first, second, ..] = column else {
        return Vec::new();
    };
    let step = value(*first) - value(*second);
    let pitch = height(*second) - height(*first);
    if step <= 0.0 || pitch < 1.05 * pieces[*first].1 {
        return Vec::new();
    }
    let even = |w: &&[usize]| {
        let fall = value(w[0]) - value(w[1]);
        let down = height(w[1]) - height(w[0]);
        (fall - step).abs() < 0.02 * step && (down - pitch).abs() < 0.12 * pitch
    };
    let steps = column.windows(2).take_while(even).count();
    column[..=steps].to_vec()
}

/// The labels around a scale: its numbers, texts beside them at the same height, and texts closely below.
fn labels_of(
    scale: &Scale,
    lines: &[Line],
    places: &[Option<Place>],
    figure: &[Option<u32>],
) -> Vec<usize> {
    let (Some(top), Some(last)) = (scale.ticks.first(), scale.ticks.last()) else {
        return Vec::new();
    };
    let em = scale.size;
    let left = scale.ticks.iter().map(|t| t.x0).fold(f32::MAX, f32::min);
    let from = left - 5.0 * em;
    let high = |p: &Place| p.middle().1 > top.y0 - 1.2 * em && p.middle().1 < last.y1 + 0.2 * em;
    let free = |i: usize| figure[i].is_none() && is_label(&lines[i]) && !ends_prose(lines, i);
    let mut own: Vec<usize> = (0..lines.len())
        .filter(|&i| free(i) && places[i].is_some_and(|p| high(&p) && p.x0 > from))
        .collect();
    let mut below: Vec<(f32, f32, usize)> = (0..lines.len())
        .filter(|&i| figure[i].is_none())
        .filter_map(|i| places[i].map(|p| (p.y0, p.y1, i, p.x1)))
        .filter(|(y0, _, _, x1)| *y0 > last.y0 + 0.2 * em && *x1 > from)
        .map(|(y0, y1, i, _)| (y0, y1, i))
        .collect();
    below.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut edge = last.y1;
    for (y0, y1, i) in below {
        let near = y0 - edge < BELOW.1 * em && y1 - last.y1 < BELOW.0 * em;
        if own.contains(&i) {
            continue;
        }
        if !near || !free(i) || lines[i].size > 1.3 * em {
            break;
        }
        edge = edge.max(y1);
        own.push(i);
    }
    own
}

/// The numbers of a level scale, the name closely below their middle, and the upright texts left of the chart.
fn labels_of_level(
    axis: &Axis,
    lines: &[Line],
    places: &[Option<Place>],
    figure: &[Option<u32>],
    usual: f32,
) -> Vec<usize> {
    let (own, em, frame) = (axis.place, axis.size, lines[axis.line].frame);
    let width = own.x1 - own.x0;
    let free = |i: usize| i != axis.line && figure[i].is_none();
    let below = |p: &Place| p.y0 > own.y0 + 0.2 * em && p.x0 < own.x1 && own.x0 < p.x1;
    let nearest = (0..lines.len())
        .filter(|&i| i != axis.line && lines[i].frame == frame)
        .filter_map(|i| Some((i, places[i].filter(below)?)))
        .min_by(|a, b| a.1.y0.total_cmp(&b.1.y0));
    let name = nearest.filter(|(i, p)| {
        let off = (p.middle().0 - own.middle().0).abs();
        free(*i)
            && is_label(&lines[*i])
            && !ends_prose(lines, *i)
            && p.y0 - own.y1 < BELOW.1 * em
            && off < CENTRED * width
            && lines[*i].size <= NAME * usual
    });
    let upright = (0..lines.len()).filter(|&i| {
        let left = places[i].is_some_and(|p| {
            p.x0 > own.x0 - BESIDE.0 * em
                && p.x1 < own.x0 + BESIDE.1 * em
                && p.y1 > own.y0 - width
                && p.y1 < own.y1 + em
        });
        let turned = lines[i].frame.turn % 2 != frame.turn % 2;
        free(i) && left && turned && lines[i].chars.len() <= UPRIGHT
    });
    let mut found = vec![axis.line];
    found.extend(name.map(|(i, _)| i));
    found.extend(upright);
    found
}

/// A short line that ends the paragraph above it.
fn ends_prose(lines: &[Line], i: usize) -> bool {
    let line = &lines[i];
    let above = i.checked_sub(1).and_then(|j| lines.get(j));
    above.is_some_and(|above| {
        let down = line.baseline - above.baseline;
        above.frame == line.frame
            && above.chars.len() > LONGEST.0
            && above.cells == 1
            && down > 0.0
            && down < 1.7 * line.size
            && (above.size - line.size).abs() < 0.1 * line.size
            && (above.x0 - line.x0).abs() < 2.0 * line.size
    })
}

/// The labels above or below a caption, whichever are more, up to the next text.
fn beside(
    caption: usize,
    lines: &[Line],
    places: &[Option<Place>],
    figure: &[Option<u32>],
    usual: f32,
) -> Vec<usize> {
    let Some(own) = places[caption] else {
        return Vec::new();
    };
    // A caption may go on in the same look, closely below.
    let (mut low, size) = (own.y1, lines[caption].size);
    let mut part = vec![caption];
    for i in caption + 1..lines.len() {
        let (line, Some(place)) = (&lines[i], places[i]) else {
            break;
        };
        let alike = (line.size - size).abs() < 0.05 * size && line.italic == lines[caption].italic;
        if !alike
            || line.bold != lines[caption].bold
            || place.y0 - low > 0.6 * size
            || place.y1 < low
        {
            break;
        }
        low = place.y1;
        part.push(i);
    }
    let mut order: Vec<(f32, usize)> = (0..lines.len())
        .filter(|i| !part.contains(i))
        .filter_map(|i| Some((places[i]?.middle().1, i)))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let small = |i: usize| lines[i].size <= SMALLER * usual || number(&lines[i].text()).is_some();
    let takes = |&&(_, i): &&(f32, usize)| {
        figure[i].is_some() || (is_label(&lines[i]) && small(i) && !ends_prose(lines, i))
    };
    let at = order.partition_point(|(y, _)| *y < own.middle().1);
    let side = |all: Vec<&(f32, usize)>| -> Vec<usize> {
        all.into_iter().take_while(takes).map(|(_, i)| *i).collect()
    };
    let above = side(order[..at].iter().rev().collect());
    let below = side(order[at..].iter().collect());
    if above.len() > below.len() {
        above
    } else {
        below
    }
}

#[cfg(test)]
mod tests;
