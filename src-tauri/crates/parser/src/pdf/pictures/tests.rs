//! Tests of `pictures`.

use super::*;

fn area(x0: f32, y0: f32, x1: f32, y1: f32) -> Area {
    Area { x0, y0, x1, y1 }
}

#[test]
fn strips_of_a_picture_are_one_and_pictures_apart_are_two() {
    let strips = [
        area(50.0, 100.0, 300.0, 120.0),
        area(50.0, 141.0, 300.0, 160.0),
        area(50.0, 120.5, 300.0, 140.0),
        area(400.0, 100.0, 500.0, 200.0),
        area(10.0, 10.0, 10.0, 50.0),
    ]
    .map(|area| Drawn { area, key: 7 });
    let found = joined(&strips);
    let (areas, keys): (Vec<_>, Vec<_>) = found.iter().map(|p| (p.area, p.key)).unzip();
    assert_eq!(keys, [21, 7]);
    assert_eq!(
        areas,
        [
            area(50.0, 100.0, 300.0, 160.0),
            area(400.0, 100.0, 500.0, 200.0)
        ]
    );
}

#[test]
fn a_frame_is_white() {
    let picture = Grey {
        pixels: vec![7; 4],
        width: 2,
        height: 2,
    };
    let framed = framed(&picture, 1);
    assert_eq!((framed.width, framed.height), (4, 4));
    assert_eq!(framed.pixels[5], 7);
    assert_eq!(framed.pixels.iter().filter(|&&p| p == 255).count(), 12);
}
