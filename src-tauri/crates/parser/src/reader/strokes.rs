//! The straight lines that are drawn on a page: rules of tables, frames, underlines.

use super::Stroke;
use hayro_interpret::DrawMode;
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point};

/// A filled rectangle up to this wide is a line.
const THIN: f64 = 3.0;
/// Shorter lines are dots and dashes.
const SHORT: f64 = 2.0;
/// A page with more lines is a drawing.
const MOST: usize = 20_000;

/// Adds the horizontal and vertical lines of a path: the sides of stroked shapes, and thin filled rectangles.
pub fn collect(out: &mut Vec<Stroke>, path: &BezPath, transform: Affine, mode: &DrawMode) {
    if out.len() >= MOST {
        return;
    }
    let (fills, strokes) = match mode {
        DrawMode::Fill(_) => (true, false),
        DrawMode::Stroke(_) => (false, true),
        DrawMode::FillAndStroke(..) => (true, true),
        DrawMode::Invisible => (false, false),
    };
    let mut points: Vec<Point> = Vec::new();
    let mut straight = true;
    let mut closed = false;
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(point) => {
                subpath(out, &points, straight, closed, fills, strokes);
                (points, straight, closed) = (vec![transform * point], true, false);
            }
            PathEl::LineTo(point) => points.push(transform * point),
            PathEl::QuadTo(_, point) | PathEl::CurveTo(_, _, point) => {
                straight = false;
                points.push(transform * point);
            }
            PathEl::ClosePath => closed = true,
        }
    }
    subpath(out, &points, straight, closed, fills, strokes);
}

fn subpath(
    out: &mut Vec<Stroke>,
    points: &[Point],
    straight: bool,
    closed: bool,
    fills: bool,
    strokes: bool,
) {
    if !straight || points.len() < 2 {
        return;
    }
    if fills && (4..=5).contains(&points.len()) {
        let (x0, x1) = points
            .iter()
            .fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.x), b.max(p.x)));
        let (y0, y1) = points
            .iter()
            .fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.y), b.max(p.y)));
        let box_like = points
            .windows(2)
            .all(|w| (w[0].x - w[1].x).abs() < 0.5 || (w[0].y - w[1].y).abs() < 0.5);
        if box_like && (x1 - x0).min(y1 - y0) <= THIN {
            push(out, x0, y0, x1, y1);
            return;
        }
    }
    if strokes {
        let end = if closed { points.first() } else { None };
        for (a, b) in points.iter().zip(points.iter().skip(1).chain(end)) {
            if (a.x - b.x).abs() < 0.5 || (a.y - b.y).abs() < 0.5 {
                push(out, a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y));
            }
        }
    }
}

fn push(out: &mut Vec<Stroke>, x0: f64, y0: f64, x1: f64, y1: f64) {
    let long = (x1 - x0).max(y1 - y0);
    if long >= SHORT && out.len() < MOST && [x0, y0, x1, y1].iter().all(|v| v.abs() < 1e5) {
        out.push(Stroke {
            x0: x0 as f32,
            y0: y0 as f32,
            x1: x1 as f32,
            y1: y1 as f32,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_interpret::kurbo::{Rect, Shape};

    #[test]
    fn thin_fills_and_stroked_sides_are_lines() {
        let fill = DrawMode::Fill(hayro_interpret::FillRule::NonZero);
        let mut out = Vec::new();
        collect(
            &mut out,
            &Rect::new(10.0, 20.0, 110.0, 20.5).to_path(0.1),
            Affine::IDENTITY,
            &fill,
        );
        collect(
            &mut out,
            &Rect::new(10.0, 20.0, 110.0, 80.0).to_path(0.1),
            Affine::IDENTITY,
            &fill,
        );
        assert_eq!(out.len(), 1);
        assert!((out[0].x1 - 110.0).abs() < 0.01);
    }
}
