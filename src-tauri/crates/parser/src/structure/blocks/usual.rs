//! The usual properties of a document: its font size and weight, and the edges of its columns.

use crate::layout::Line;

/// A line with at least this many characters is running text.
const LONG: usize = 50;
/// Lines of running text from which on a size is one of the document's.
const LINES: usize = 20;
/// Two sizes of one document's text differ by no more than this factor.
const BESIDE: f32 = 1.25;

/// The usual properties of a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usual {
    /// Font size of most characters.
    pub size: f32,
    /// The largest font size in which much of the running text is set. It is at most a little larger than `size`, and
    /// equals `size` if no larger size has much text.
    pub largest: f32,
    /// Bold is common, and so no sign of a heading.
    pub bold: bool,
}

/// The usual font size and weight, by characters.
pub fn usual<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Usual {
    // By size: characters, characters of running text, lines of it.
    let mut sizes: std::collections::HashMap<i32, (usize, usize, usize)> =
        std::collections::HashMap::new();
    let (mut bold, mut all) = (0usize, 0usize);
    for line in lines {
        let chars = line.chars.len();
        let of = sizes.entry((line.size * 4.0).round() as i32).or_default();
        of.0 += chars;
        if chars >= LONG {
            of.1 += chars;
            of.2 += 1;
        }
        all += chars;
        bold += if line.bold { chars } else { 0 };
    }
    let points = |size: i32| size as f32 / 4.0;
    let most = sizes.iter().max_by_key(|&(&size, of)| (of.0, size));
    let size = most.map_or(0.0, |(&size, _)| points(size));
    let much = |of: &(usize, usize, usize)| of.1 * 4 >= all && of.2 >= LINES;
    let largest = sizes
        .iter()
        .filter(|(_, of)| much(of))
        .map(|(&size, _)| points(size))
        .filter(|&other| other <= BESIDE * size)
        .fold(size, f32::max);
    Usual {
        size,
        largest,
        bold: bold * 2 > all,
    }
}

/// A stretch of lines in one column, top to bottom.
#[derive(Clone, Copy, Default)]
pub(super) struct Run {
    pub(super) left: f32,
    pub(super) right: f32,
}

/// Runs of lines down one column, with their edges.
pub(super) fn runs(lines: &[Line]) -> Vec<Run> {
    let mut out = vec![Run::default(); lines.len()];
    let mut start = 0;
    for end in 1..=lines.len() {
        let goes_on = end < lines.len() && {
            let (a, b) = (&lines[end - 1], &lines[end]);
            let down = b.baseline - a.baseline;
            a.page == b.page
                && a.frame == b.frame
                && down > 0.0
                && down < 3.5 * a.size.max(b.size)
                && (b.x0 - a.x0).abs() < 8.0 * a.size.max(b.size)
        };
        if !goes_on {
            let part = &lines[start..end];
            let left = part.iter().map(|l| l.x0).fold(f32::MAX, f32::min);
            let right = part.iter().map(|l| l.x1).fold(f32::MIN, f32::max);
            out[start..end].fill(Run { left, right });
            start = end;
        }
    }
    // A short run (the end of a column, a lone heading) borrows the widest right edge of its page's column.
    let ranges: Vec<Run> = out.clone();
    for i in 0..lines.len() {
        let near = i.saturating_sub(40)..(i + 40).min(lines.len());
        let widest = near
            .filter(|&j| {
                lines[j].page == lines[i].page
                    && (ranges[j].left - ranges[i].left).abs() < 3.0 * lines[i].size
            })
            .map(|j| ranges[j].right)
            .fold(f32::MIN, f32::max);
        out[i].right = out[i].right.max(widest);
    }
    out
}
