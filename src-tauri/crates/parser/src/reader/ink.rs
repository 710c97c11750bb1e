//! Whether a picture seems to hold text: marks of the height of letters that are beside one another in rows.

use super::Area;

/// A picture in shades of grey, row by row, 0 black.
#[derive(Clone, Debug)]
pub struct Grey {
    /// One byte a pixel.
    pub pixels: Vec<u8>,
    /// Pixels a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Grey {
    /// The part from column `x0` to before `x1`, and from row `y0` to before `y1`. It ends at the edge of the picture.
    pub fn part(&self, (x0, x1): (usize, usize), (y0, y1): (usize, usize)) -> Grey {
        let (x1, y1) = (x1.min(self.width), y1.min(self.height));
        let (x0, y0) = (x0.min(x1), y0.min(y1));
        let rows = self.pixels.chunks_exact(self.width.max(1));
        Grey {
            pixels: rows
                .take(y1)
                .skip(y0)
                .flat_map(|row| &row[x0..x1])
                .copied()
                .collect(),
            width: x1 - x0,
            height: y1 - y0,
        }
    }
}

/// Difference between ground and marks below which a picture is blank.
const CONTRAST: u8 = 48;
/// Heights of letters, in points.
const LETTER: std::ops::RangeInclusive<f32> = 3.0..=36.0;
/// Pixels to the point for shapes that are no picture.
const FINE: f32 = 4.0;
/// Marks that are in a row before it counts as writing.
const IN_A_ROW: usize = 5;
/// A picture with at least this many marks in such rows seems to hold text.
const MARKS: usize = 10;
/// A picture of more marks is a photograph or a pattern, and only so many are looked at.
const MOST_MARKS: usize = 40_000;

/// A connected mark, in pixels.
#[derive(Clone, Copy, Debug)]
struct Mark {
    x0: usize,
    x1: usize,
    y0: usize,
    y1: usize,
}

impl Mark {
    fn height(&self) -> f32 {
        (self.y1 + 1 - self.y0) as f32
    }

    fn width(&self) -> f32 {
        (self.x1 + 1 - self.x0) as f32
    }
}

/// Whether the shapes in a picture form rows as letters do, dark on light or light on dark. The picture was rendered at
/// `dpi` dots per inch.
pub(crate) fn seems_written(picture: &Grey, dpi: f32) -> bool {
    let Some((threshold, dark)) = threshold(&picture.pixels) else {
        return false;
    };
    let is_mark = |p: u8| (p < threshold) == dark;
    let point = dpi / 72.0;
    let marks: Vec<Mark> = marks(picture, is_mark)
        .into_iter()
        .filter(|m| LETTER.contains(&(m.height() / point)) && m.width() < 6.0 * m.height())
        .collect();
    in_rows(marks) >= MARKS
}

/// How many shapes of a page, in points, stand in rows as letters do.
pub fn letters(shapes: &[Area]) -> usize {
    let pixel = |length: f32| (length.max(0.0) * FINE) as usize;
    let marks = shapes.iter().filter(|s| LETTER.contains(&s.height()));
    let marks = marks.map(|s| Mark {
        x0: pixel(s.x0),
        x1: pixel(s.x1),
        y0: pixel(s.y0),
        y1: pixel(s.y1),
    });
    in_rows(marks.collect())
}

/// Between ground and marks, and whether the marks are the darker ones; `None` for a blank picture.
fn threshold(pixels: &[u8]) -> Option<(u8, bool)> {
    let mut counts = [0usize; 256];
    for &p in pixels {
        counts[usize::from(p)] += 1;
    }
    let level = |share: f64| {
        let wanted = (share * pixels.len() as f64) as usize;
        let mut sum = 0;
        counts.iter().position(|&n| {
            sum += n;
            sum > wanted
        })
    };
    let (low, high) = (level(0.002)?, level(0.998)?);
    if high.saturating_sub(low) < usize::from(CONTRAST) {
        return None;
    }
    let middle = low.midpoint(high);
    let darker: usize = counts[..middle].iter().sum();
    Some((middle as u8, 2 * darker <= pixels.len()))
}

/// Connected marks, corners included.
fn marks(picture: &Grey, is_mark: impl Fn(u8) -> bool) -> Vec<Mark> {
    let (width, height) = (picture.width, picture.height);
    let mut open: Vec<bool> = picture.pixels.iter().map(|&p| is_mark(p)).collect();
    let mut found = Vec::new();
    let mut stack = Vec::new();
    for start in 0..open.len() {
        if !open[start] {
            continue;
        }
        if found.len() >= MOST_MARKS {
            break;
        }
        open[start] = false;
        stack.push(start);
        let mut mark = Mark {
            x0: start % width,
            x1: start % width,
            y0: start / width,
            y1: start / width,
        };
        while let Some(at) = stack.pop() {
            let (x, y) = (at % width, at / width);
            mark.x0 = mark.x0.min(x);
            mark.x1 = mark.x1.max(x);
            mark.y1 = mark.y1.max(y);
            mark.y0 = mark.y0.min(y);
            for row in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for column in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let next = row * width + column;
                    if open[next] {
                        open[next] = false;
                        stack.push(next);
                    }
                }
            }
        }
        found.push(mark);
    }
    found
}

/// The number of shapes that are in rows of at least [`IN_A_ROW`]. In a row each shape has a right neighbour of similar
/// size, at about the same height of the picture, and no farther away than a blank.
fn in_rows(mut marks: Vec<Mark>) -> usize {
    marks.sort_by_key(|m| (m.x0, m.y0));
    // Length of the row that ends with a mark; a row is counted where it ends.
    let mut rows: Vec<usize> = vec![1; marks.len()];
    let mut goes_on = vec![false; marks.len()];
    let mut by_band: Vec<Vec<usize>> = Vec::new();
    const BAND: usize = 16;
    for at in 0..marks.len() {
        let mark = marks[at];
        let (from, to) = (mark.y0 / BAND, mark.y1 / BAND);
        let mut before: Option<usize> = None;
        for band in from..=to {
            let Some(others) = by_band.get(band) else {
                continue;
            };
            // The newest ones stand farthest to the right.
            for &other in others.iter().rev().take(12) {
                if is_neighbour(&marks[other], &mark)
                    && before.is_none_or(|b| marks[b].x1 < marks[other].x1)
                {
                    before = Some(other);
                }
            }
        }
        if let Some(before) = before {
            rows[at] = rows[before] + 1;
            goes_on[before] = true;
        }
        if by_band.len() <= to {
            by_band.resize(to + 1, Vec::new());
        }
        for band in &mut by_band[from..=to] {
            band.push(at);
        }
    }
    rows.iter()
        .zip(&goes_on)
        .filter(|(length, on)| **length >= IN_A_ROW && !**on)
        .map(|(length, _)| length)
        .sum()
}

fn is_neighbour(left: &Mark, right: &Mark) -> bool {
    let taller = left.height().max(right.height());
    let shorter = left.height().min(right.height());
    let shared = (left.y1.min(right.y1) + 1).saturating_sub(left.y0.max(right.y0)) as f32;
    let gap = right.x0 as f32 - left.x1 as f32;
    shorter >= 0.4 * taller && shared >= 0.6 * shorter && gap > -0.3 * taller && gap < taller
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A white picture with marks of the given boxes.
    fn drawn(boxes: &[(usize, usize, usize, usize)], ink: u8, ground: u8) -> Grey {
        let (width, height) = (400, 200);
        let mut pixels = vec![ground; width * height];
        for &(x, y, w, h) in boxes {
            for row in y..y + h {
                pixels[row * width + x..row * width + x + w].fill(ink);
            }
        }
        Grey {
            pixels,
            width,
            height,
        }
    }

    #[test]
    fn letters_stand_in_rows_and_other_marks_do_not() {
        let row: Vec<_> = (0..14).map(|i| (20 + 12 * i, 50, 8, 11)).collect();
        assert!(seems_written(&drawn(&row, 0, 255), 150.0));
        assert!(seems_written(&drawn(&row, 240, 20), 150.0), "light on dark");
        let column: Vec<_> = (0..8).map(|i| (20, 5 + 22 * i, 8, 11)).collect();
        assert!(!seems_written(&drawn(&column, 0, 255), 150.0));
        let bars: Vec<_> = (0..14)
            .map(|i| (20 + 24 * i, 100 - 6 * i, 14, 80 + 6 * i))
            .collect();
        assert!(!seems_written(&drawn(&bars, 0, 255), 150.0));
        assert!(!seems_written(&drawn(&[], 0, 255), 150.0));
        assert!(!seems_written(&drawn(&row, 230, 255), 150.0), "too faint");
    }

    #[test]
    fn a_part_is_cut_where_the_picture_ends() {
        let picture = drawn(&[(10, 10, 5, 5)], 0, 255);
        let part = picture.part((10, 15), (10, 9_999));
        assert_eq!((part.width, part.height), (5, 190));
        assert_eq!(part.pixels.iter().filter(|&&p| p == 0).count(), 25);
        assert_eq!(picture.part((500, 600), (0, 1)).pixels.len(), 0);
    }
}
