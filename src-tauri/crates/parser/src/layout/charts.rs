//! Charts: level lines at even distances with hardly any text between them. Their labels are no rows of a table.

/// Lines from which on they are the scale of a chart.
const LINES: usize = 5;
/// Lines whose ends differ by less, in points, belong together.
const SAME_END: f32 = 3.0;
/// How far outside of its lines the labels of a chart stand, in points: beside them, and above and below.
const LABELS: (f32, f32) = (48.0, 22.0);

/// Where a chart is drawn, its labels included: `(x0, y0, x1, y1)` in the frame.
pub type Chart = (f32, f32, f32, f32);

/// The charts among level lines `(height, from, to)`, sorted by height; `text` are the middles of the glyphs.
pub fn charts(levels: &[(f32, f32, f32)], text: &[(f32, f32)]) -> Vec<Chart> {
    let mut left = levels.to_vec();
    let mut out = Vec::new();
    while let Some(&(_, from, to)) = left.first() {
        let alike =
            |l: &(f32, f32, f32)| (l.1 - from).abs() < SAME_END && (l.2 - to).abs() < SAME_END;
        let (group, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(alike);
        left = rest;
        let heights: Vec<f32> = group.iter().map(|l| l.0).collect();
        let mut start = 0;
        for at in 1..=heights.len() {
            let step = heights.get(start + 1).map_or(0.0, |h| h - heights[start]);
            let even =
                at < heights.len() && ((heights[at] - heights[at - 1]) - step).abs() < 0.15 * step;
            if even {
                continue;
            }
            let scale = &heights[start..at];
            if scale.len() >= LINES && is_bare(scale, from, to, text) {
                let (dx, dy) = LABELS;
                out.push((
                    from - dx,
                    scale[0] - dy,
                    to + dx / 4.0,
                    scale[scale.len() - 1] + dy,
                ));
            }
            start = if at - start > 1 { at - 1 } else { at };
        }
    }
    out
}

/// Few of the stretches between the lines hold text.
fn is_bare(scale: &[f32], from: f32, to: f32, text: &[(f32, f32)]) -> bool {
    let holds = |w: &&[f32]| {
        text.iter()
            .any(|(x, y)| *x > from + 1.0 && *x < to - 1.0 && *y > w[0] && *y < w[1])
    };
    scale.windows(2).filter(holds).count() * 2 < scale.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_lines_are_a_chart_unless_their_rows_hold_text() {
        let levels: Vec<(f32, f32, f32)> = (0u8..8)
            .map(|i| (100.0 + 12.0 * f32::from(i), 100.0, 300.0))
            .collect();
        let labels: Vec<(f32, f32)> = levels.iter().map(|l| (90.0, l.0)).collect();
        assert_eq!(charts(&levels, &labels).len(), 1);
        let rows: Vec<(f32, f32)> = levels.iter().map(|l| (150.0, l.0 + 6.0)).collect();
        assert!(charts(&levels, &rows).is_empty());
        assert!(charts(&levels[..4], &labels).is_empty());
    }
}
