//! Tests of `grid`.

use super::*;

const FRAME: Frame = Frame {
    turn: 0,
    width: 600.0,
    height: 800.0,
};

fn level(y: f32, x0: f32, x1: f32) -> Stroke {
    Stroke {
        x0,
        y0: y,
        x1,
        y1: y + 0.5,
    }
}

fn upright(x: f32, y0: f32, y1: f32) -> Stroke {
    Stroke {
        x0: x,
        y0,
        x1: x + 0.5,
        y1,
    }
}

#[test]
fn cells_span_where_no_line_is_drawn() {
    // Two header rows: the first cell spans both rows, the second one two columns; open to the left.
    let strokes = [
        level(100.0, 50.0, 350.0),
        level(120.0, 150.0, 350.0),
        level(140.0, 50.0, 350.0),
        level(160.0, 50.0, 350.0),
        upright(150.0, 100.0, 160.0),
        upright(250.0, 120.0, 160.0),
        upright(350.0, 100.0, 160.0),
    ];
    let grids = grids(&strokes, FRAME);
    assert_eq!(grids.len(), 1);
    let at = |x, y| grids[0].cell_at(x, y);
    assert_eq!(at(100.0, 110.0), Some((0, 0)));
    assert_eq!(at(100.0, 130.0), Some((0, 0)));
    assert_eq!(at(300.0, 110.0), Some((0, 1)));
    assert_eq!(at(300.0, 130.0), Some((1, 2)));
    assert_eq!(at(100.0, 150.0), Some((2, 0)));
    assert_eq!(at(400.0, 150.0), None);
}

#[test]
fn rules_are_parted_where_their_pieces_meet() {
    let strokes = [
        level(100.0, 252.0, 350.0),
        level(100.0, 50.0, 150.0),
        level(100.0, 150.5, 250.0),
        // A corner, and a line that begins farther away.
        level(100.0, 350.0, 351.0),
        level(100.0, 380.0, 450.0),
        level(140.0, 450.0, 500.0),
    ];
    let places: Vec<f32> = joints(&strokes, FRAME).into_iter().map(|j| j.1).collect();
    assert_eq!(places, [150.25, 251.0]);
}

#[test]
fn underlines_and_frames_are_no_tables() {
    assert!(
        grids(
            &[level(100.0, 50.0, 350.0), level(200.0, 50.0, 350.0)],
            FRAME
        )
        .is_empty()
    );
    let frame = [
        level(10.0, 10.0, 590.0),
        level(790.0, 10.0, 590.0),
        upright(10.0, 10.0, 790.0),
        upright(590.0, 10.0, 790.0),
    ];
    assert!(grids(&frame, FRAME).is_empty());
}
