//! Letters that are drawn as shapes. A page without characters may be full of text nonetheless.

use super::{Area, ink};
use hayro_interpret::DrawMode;
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point};

/// A page with more shapes is a drawing, and only so many are looked at.
const MOST: usize = 4_000;
/// Heights and widths of letters, in points. A stop or a thin `l` is less wide than high.
const LETTER: (f32, f32) = (0.4, 40.0);

/// Adds the boxes of the shapes of a filled path that are of the size of letters.
pub fn collect(out: &mut Vec<Area>, path: &BezPath, transform: Affine, mode: &DrawMode) {
    if !matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..)) {
        return;
    }
    let mut shape: Option<Area> = None;
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(point) => {
                keep(out, shape.take());
                shape = Some(with(None, transform * point));
            }
            PathEl::LineTo(point) | PathEl::QuadTo(_, point) | PathEl::CurveTo(_, _, point) => {
                shape = Some(with(shape, transform * point));
            }
            PathEl::ClosePath => {}
        }
    }
    keep(out, shape);
}

/// A box that reaches to a point, too.
fn with(shape: Option<Area>, point: Point) -> Area {
    let (x, y) = (point.x as f32, point.y as f32);
    shape.map_or(
        Area {
            x0: x,
            y0: y,
            x1: x,
            y1: y,
        },
        |s| Area {
            x0: s.x0.min(x),
            y0: s.y0.min(y),
            x1: s.x1.max(x),
            y1: s.y1.max(y),
        },
    )
}

fn keep(out: &mut Vec<Area>, shape: Option<Area>) {
    let fits = |length: f32| (LETTER.0..=LETTER.1).contains(&length);
    if let Some(shape) = shape
        && out.len() < MOST
        && fits(shape.width())
        && fits(shape.height())
    {
        out.push(shape);
    }
}

/// How many of the shapes stand in rows as letters do, along the page or upwards on a turned one.
pub fn written(shapes: &[Area]) -> usize {
    let turned: Vec<Area> = shapes
        .iter()
        .map(|s| Area {
            x0: s.y0,
            y0: s.x0,
            x1: s.y1,
            y1: s.x1,
        })
        .collect();
    ink::letters(shapes).max(ink::letters(&turned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_interpret::FillRule;
    use hayro_interpret::kurbo::{Rect, Shape};

    /// Boxes of a page, all in one path.
    fn drawn(boxes: &[(f64, f64, f64, f64)], mode: &DrawMode) -> usize {
        let mut path = BezPath::new();
        for &(x, y, w, h) in boxes {
            path.extend(Rect::new(x, y, x + w, y + h).to_path(0.1));
        }
        let mut out = Vec::new();
        collect(&mut out, &path, Affine::IDENTITY, mode);
        written(&out)
    }

    #[test]
    fn filled_shapes_in_rows_are_writing() {
        let fill = DrawMode::Fill(FillRule::NonZero);
        let row = |x: f64, y: f64, dx: f64, dy: f64| -> Vec<(f64, f64, f64, f64)> {
            let at = |i: i32| (x + dx * f64::from(i), y + dy * f64::from(i));
            (0..30).map(at).map(|(x, y)| (x, y, 5.0, 7.0)).collect()
        };
        let level = row(60.0, 80.0, 6.5, 0.0);
        assert_eq!(drawn(&level, &fill), 30);
        assert_eq!(drawn(&row(60.0, 80.0, 0.0, 8.5), &fill), 30, "turned");
        assert_eq!(drawn(&row(60.0, 80.0, 40.0, 30.0), &fill), 0, "apart");
        let wide: Vec<_> = level.iter().map(|b| (b.0, b.1, 90.0, 7.0)).collect();
        assert_eq!(drawn(&wide, &fill), 0, "bars");
        assert_eq!(drawn(&level, &DrawMode::Invisible), 0, "not filled");
    }
}
