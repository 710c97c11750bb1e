//! Clips: the part of a page outside of which nothing that follows is drawn. A program that prints a long page of the
//! web piece by piece draws a table whole on every page that it touches, and clips it to the page's own part. The lines
//! of its other rows would otherwise run over the foot of the page.

use super::{Area, Stroke};
use hayro_interpret::kurbo::Rect;

/// A line may lie this far outside of a clip, in points: half of its thickness is visible if it lies on the edge.
const EDGE: f32 = 2.0;
/// What is left of a line must be longer than this, in points.
const SHORT: f32 = 2.0 * EDGE;

/// The clips that are in force, the innermost last. Each is the part that it and those around it leave visible; `None`
/// if nothing is left.
#[derive(Default)]
pub struct Clips(Vec<Option<Area>>);

impl Clips {
    /// Adds a clip with this bounding box on the page. One without an area hides nothing, since it is more likely to be
    /// a mistake of the file.
    pub fn push(&mut self, clip: Rect) {
        let [x0, y0, x1, y1] = [clip.x0, clip.y0, clip.x1, clip.y1].map(|v| v as f32);
        let clip = Area { x0, y0, x1, y1 };
        let has_area = clip.width() > 0.0 && clip.height() > 0.0;
        let inner = match self.0.last() {
            Some(None) => None,
            Some(Some(outer)) if has_area => common(outer, &clip),
            Some(Some(outer)) => Some(*outer),
            None if has_area => Some(clip),
            // Nothing is clipped, however far away it is drawn.
            None => Some(Area {
                x0: f32::MIN,
                y0: f32::MIN,
                x1: f32::MAX,
                y1: f32::MAX,
            }),
        };
        self.0.push(inner);
    }

    /// Ends the innermost clip.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Leaves of the lines from place `from` on only what is visible.
    pub fn cut(&self, strokes: &mut Vec<Stroke>, from: usize) {
        let Some(visible) = self.0.last() else {
            return;
        };
        let drawn = strokes.split_off(from.min(strokes.len()));
        let left = |stroke: Stroke| part(stroke, visible.as_ref()?);
        strokes.extend(drawn.into_iter().filter_map(left));
    }
}

/// The area that two have in common.
fn common(a: &Area, b: &Area) -> Option<Area> {
    let both = Area {
        x0: a.x0.max(b.x0),
        y0: a.y0.max(b.y0),
        x1: a.x1.min(b.x1),
        y1: a.y1.min(b.y1),
    };
    (both.width() > 0.0 && both.height() > 0.0).then_some(both)
}

/// What is visible of a line. Only its height is cut: a level line may underline an address that runs over the edge of
/// the page, and such an address is read to its end.
fn part(stroke: Stroke, visible: &Area) -> Option<Stroke> {
    let left = Stroke {
        y0: stroke.y0.max(visible.y0 - EDGE),
        y1: stroke.y1.min(visible.y1 + EDGE),
        ..stroke
    };
    let (wide, high) = (left.x1 - left.x0, left.y1 - left.y0);
    let within = left.x1 >= visible.x0 - EDGE && left.x0 <= visible.x1 + EDGE && high >= 0.0;
    let is_whole = high >= stroke.y1 - stroke.y0;
    (within && (is_whole || wide.max(high) > SHORT)).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(x0: f32, y0: f32, x1: f32, y1: f32) -> Stroke {
        Stroke { x0, y0, x1, y1 }
    }

    /// What is left of some lines below these clips.
    fn left(clips: &[Rect], strokes: &[Stroke]) -> Vec<[f32; 4]> {
        let mut all = Clips::default();
        clips.iter().for_each(|clip| all.push(*clip));
        let mut out = strokes.to_vec();
        all.cut(&mut out, 0);
        out.iter().map(|s| [s.x0, s.y0, s.x1, s.y1]).collect()
    }

    #[test]
    fn lines_end_where_the_clip_does() {
        let body = Rect::new(40.0, 100.0, 560.0, 700.0);
        let upright = stroke(60.0, 300.0, 60.0, 900.0);
        let level = stroke(60.0, 300.0, 500.0, 300.0);
        let below = stroke(60.0, 740.0, 500.0, 740.0);
        let on_edge = stroke(40.0, 700.5, 560.0, 700.5);
        let beside = stroke(570.0, 300.0, 590.0, 300.0);
        let over_edge = stroke(60.0, 400.0, 590.0, 400.0);
        let all = [upright, level, below, on_edge, beside, over_edge];
        assert_eq!(
            left(&[body], &all),
            [
                [60.0, 300.0, 60.0, 702.0],
                [60.0, 300.0, 500.0, 300.0],
                [40.0, 700.5, 560.0, 700.5],
                [60.0, 400.0, 590.0, 400.0]
            ]
        );
        assert_eq!(left(&[], &all).len(), 6);
    }

    #[test]
    fn inner_clips_hide_more_and_empty_ones_nothing() {
        let body = Rect::new(40.0, 100.0, 560.0, 700.0);
        let cell = Rect::new(60.0, 200.0, 160.0, 800.0);
        let foot = Rect::new(40.0, 720.0, 560.0, 800.0);
        let empty = Rect::new(0.0, 0.0, 0.0, 0.0);
        let upright = [stroke(60.0, 150.0, 60.0, 900.0)];
        assert_eq!(left(&[body, cell], &upright), [[60.0, 198.0, 60.0, 702.0]]);
        assert!(left(&[body, foot], &upright).is_empty());
        assert!(left(&[body, foot, empty], &upright).is_empty());
        assert_eq!(left(&[empty], &upright), [[60.0, 150.0, 60.0, 900.0]]);
        assert_eq!(left(&[body, empty], &upright), [[60.0, 150.0, 60.0, 702.0]]);
    }

    #[test]
    fn only_lines_drawn_within_a_clip_are_cut() {
        let mut clips = Clips::default();
        let upright = stroke(60.0, 150.0, 60.0, 900.0);
        let mut strokes = vec![upright];
        clips.push(Rect::new(40.0, 100.0, 560.0, 700.0));
        strokes.push(upright);
        clips.cut(&mut strokes, 1);
        clips.pop();
        strokes.push(upright);
        clips.cut(&mut strokes, 2);
        let ends: Vec<f32> = strokes.iter().map(|s| s.y1).collect();
        assert_eq!(ends, [900.0, 702.0, 900.0]);
    }
}
