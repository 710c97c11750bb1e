//! What is usual in a document: its font size and weight, and the edges of its columns.

use crate::layout::Line;

/// What is usual in the document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usual {
    /// Font size of most characters.
    pub size: f32,
    /// Bold is common, and so no sign of a heading.
    pub bold: bool,
}

/// The usual font size and weight, by characters.
pub fn usual<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Usual {
    let mut sizes: std::collections::HashMap<i32, usize> = std::collections::HashMap::new();
    let (mut bold, mut all) = (0usize, 0usize);
    for line in lines {
        *sizes.entry((line.size * 4.0).round() as i32).or_default() += line.chars.len();
        all += line.chars.len();
        bold += if line.bold { line.chars.len() } else { 0 };
    }
    let size = sizes
        .into_iter()
        .max_by_key(|&(size, count)| (count, size))
        .map_or(0.0, |(s, _)| s as f32 / 4.0);
    Usual {
        size,
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
