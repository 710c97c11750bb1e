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
fn what_the_text_layer_has_is_covered() {
    let page = Grey {
        pixels: (0..100).map(|i| if i % 10 < 5 { 255 } else { 0 }).collect(),
        width: 10,
        height: 10,
    };
    let bare = without(page, (0.1, 0.1), &[area(40.0, 20.0, 90.0, 40.0)]);
    assert_eq!(
        &bare.pixels[20..30],
        &[255, 255, 255, 255, 255, 255, 255, 255, 255, 0]
    );
    assert_eq!(bare.pixels[45], 0);
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
