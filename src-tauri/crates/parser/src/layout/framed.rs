//! Frames: closed rectangles around lines of text, such as a box with an example. The text in a frame is kept separate
//! from the text around it.

use super::grid::{levels, uprights};
use super::line::Line;
use crate::reader::Stroke;

/// Ends of lines that miss each other by less, in points, still meet.
const REACH: f32 = 3.5;
/// A page with more lines in one direction has tables or drawings, and no boxes that could be told from them.
const MOST: usize = 120;
/// Least width and height of a frame, in points.
const LEAST: (f32, f32) = (90.0, 16.0);
/// A frame with more than this share of a page's characters is the page's border. Several such frames are no boxes.
const BORDER: f32 = 0.75;

/// A rectangle in the frame of the text: `(x0, y0, x1, y1)`.
type Area = (f32, f32, f32, f32);

/// Marks the lines of a page that are in a frame and in no cell of a table.
pub fn mark(strokes: &[Stroke], lines: &mut [Line]) {
    let most = lines.iter().max_by_key(|l| l.chars.len());
    let Some(frame) = most.map(|l| l.frame) else {
        return;
    };
    let all: usize = lines.iter().map(|l| l.chars.len()).sum();
    let areas = areas(&levels(strokes, frame), &uprights(strokes, frame));
    for (number, area) in (0u32..).zip(&areas) {
        let inside = |line: &Line| line.frame == frame && holds(area, line);
        let within = lines.iter().filter(|l| inside(l));
        if within.map(|l| l.chars.len()).sum::<usize>() as f32 > BORDER * all as f32 {
            continue;
        }
        for line in lines.iter_mut().filter(|l| inside(l)) {
            // A frame within another one is a part of it.
            if line.cell.is_none() && line.framed.is_none() {
                line.framed = Some(number);
            }
        }
    }
    // Frames around nearly all of a page are its columns, or the fields of a form.
    let framed = lines.iter().filter(|l| l.framed.is_some());
    if framed.map(|l| l.chars.len()).sum::<usize>() as f32 > BORDER * all as f32 {
        lines.iter_mut().for_each(|l| l.framed = None);
    }
}

fn holds(area: &Area, line: &Line) -> bool {
    let y = line.baseline - 0.3 * line.size;
    let inside = area.0 - REACH < line.x0 && line.x1 < area.2 + REACH;
    inside && area.1 < y && y < area.3
}

/// The closed rectangles among level and upright lines `(place, from, to)`, the largest first.
fn areas(level: &[(f32, f32, f32)], upright: &[(f32, f32, f32)]) -> Vec<Area> {
    if level.len() > MOST || upright.len() > MOST {
        return Vec::new();
    }
    let near = |a: f32, b: f32| (a - b).abs() < REACH;
    let mut out: Vec<Area> = Vec::new();
    for top in level {
        let alike = |l: &&(f32, f32, f32)| near(l.1, top.1) && near(l.2, top.2);
        for bottom in level.iter().filter(alike) {
            let side = |at: f32| {
                let covers = |v: &&(f32, f32, f32)| {
                    near(v.0, at) && v.1 < top.0 + REACH && v.2 > bottom.0 - REACH
                };
                upright.iter().any(|v| covers(&v))
            };
            let large = top.2 - top.1 > LEAST.0 && bottom.0 - top.0 > LEAST.1;
            if large && side(top.1) && side(top.2) {
                out.push((top.1, top.0, top.2, bottom.0));
            }
        }
    }
    let size = |a: &Area| (a.2 - a.0) * (a.3 - a.1);
    out.sort_by(|a, b| size(b).total_cmp(&size(a)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::line::Frame;

    const PAGE: Frame = Frame {
        turn: 0,
        width: 600.0,
        height: 800.0,
    };

    fn line(text: &str, left: f32, baseline: f32) -> Line {
        let mut line = Line::plain(1, 0, text);
        (line.x0, line.x1) = (left, left + 5.0 * line.chars.len() as f32);
        (line.baseline, line.size, line.frame) = (baseline, 10.0, PAGE);
        line
    }

    fn stroke(x0: f32, y0: f32, x1: f32, y1: f32) -> Stroke {
        Stroke { x0, y0, x1, y1 }
    }

    /// The four sides of a rectangle.
    fn sides(x0: f32, y0: f32, x1: f32, y1: f32) -> [Stroke; 4] {
        [
            stroke(x0, y0, x1, y0 + 0.5),
            stroke(x0, y1, x1, y1 + 0.5),
            stroke(x0, y0, x0 + 0.5, y1),
            stroke(x1, y0, x1 + 0.5, y1),
        ]
    }

    fn framed(strokes: &[Stroke]) -> Vec<bool> {
        let mut lines = [
            line("The bank reports its limits.", 60.0, 80.0),
            line("How a bank reports", 70.0, 120.0),
            line("It writes them down.", 70.0, 135.0),
            line("The board reads what is reported.", 60.0, 200.0),
        ];
        mark(strokes, &mut lines);
        lines.iter().map(|l| l.framed.is_some()).collect()
    }

    #[test]
    fn lines_within_four_sides_are_framed() {
        let inside = [false, true, true, false];
        assert_eq!(framed(&sides(60.0, 100.0, 400.0, 150.0)), inside);
        // A line under the box's heading parts nothing.
        let mut ruled = sides(60.0, 100.0, 400.0, 150.0).to_vec();
        ruled.push(stroke(60.0, 125.0, 400.0, 125.5));
        assert_eq!(framed(&ruled), inside);
        // A frame with an open side, lines alone, and the border of the page are no boxes.
        assert_eq!(framed(&sides(60.0, 100.0, 400.0, 150.0)[..3]), [false; 4]);
        assert_eq!(framed(&sides(60.0, 100.0, 400.0, 150.0)[..2]), [false; 4]);
        assert_eq!(framed(&sides(20.0, 20.0, 580.0, 780.0)), [false; 4]);
        let mut fields = sides(40.0, 60.0, 500.0, 125.0).to_vec();
        fields.extend(sides(40.0, 127.0, 500.0, 220.0));
        assert_eq!(framed(&fields), [false; 4]);
    }
}
