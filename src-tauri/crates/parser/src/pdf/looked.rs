//! The part of a page that is drawn to see whether its pictures hold text.

use crate::reader::Area;
use crate::reader::ink::Grey;
use crate::render::{Window, grey_part, pixels};
use hayro_syntax::Pdf;
use hayro_syntax::page::Page;

/// Dots to the inch at which a page is looked at.
const LOOK: f32 = 150.0;

/// A part of a page without the marks of its text layer.
pub(super) struct Looked {
    grey: Grey,
    left: usize,
    top: usize,
    scale: f32,
}

impl Looked {
    /// Draws the part of a page around its pictures, and clears what the text layer has written on them.
    pub fn draw(
        pdf: &Pdf,
        (page, number): (&Page<'_>, u32),
        pictures: &[Area],
        written: &[Area],
    ) -> Result<Self, String> {
        let (width, height) = page.render_dimensions();
        let whole = pixels(page, LOOK);
        let scale = whole.0 as f32 / width.max(1.0);
        let per_point = (scale, whole.1 as f32 / height.max(1.0));
        let pictures: Vec<Window> = pictures.iter().map(|a| at(a, scale)).collect();
        let written: Vec<Window> = written
            .iter()
            .map(|a| covered(a, per_point))
            .filter(|w| pictures.iter().any(|p| overlap(p, w)))
            .collect();
        let window = around(&pictures, &written);
        let on_page =
            window.left < window.right.min(whole.0) && window.top < window.bottom.min(whole.1);
        let grey = if on_page {
            grey_part(pdf, number, LOOK, window).map_err(|e| e.to_string())?
        } else {
            // All pictures lie beside the page: nothing of them is seen.
            Grey {
                pixels: vec![u8::MAX],
                width: 1,
                height: 1,
            }
        };
        let (left, top) = (window.left, window.top);
        let grey = without(grey, (left, top), &written);
        Ok(Self {
            grey,
            left,
            top,
            scale,
        })
    }

    /// A picture of the part.
    pub fn picture(&self, area: &Area) -> Grey {
        let window = at(area, self.scale);
        self.grey.part(
            (window.left - self.left, window.right - self.left),
            (window.top - self.top, window.bottom - self.top),
        )
    }

    /// Pixels to the inch.
    pub fn dpi(&self) -> f32 {
        self.scale * 72.0
    }
}

/// The pixels of an area at `scale` pixels to the point.
pub(super) fn at(area: &Area, scale: f32) -> Window {
    let pixel = |place: f32| (place.max(0.0) * scale).round() as usize;
    Window {
        left: pixel(area.x0),
        top: pixel(area.y0),
        right: pixel(area.x1),
        bottom: pixel(area.y1),
    }
}

/// The pixels under the box of a character, where there are so many to the point across and down.
fn covered(area: &Area, (across, down): (f32, f32)) -> Window {
    Window {
        left: (area.x0.max(0.0) * across) as usize,
        top: (area.y0.max(0.0) * down) as usize,
        right: (area.x1.max(0.0) * across) as usize,
        bottom: (area.y1.max(0.0) * down) as usize,
    }
}

fn overlap(a: &Window, b: &Window) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/// The smallest part of the page that contains all pictures and the upper left corner of each box on them. The corner
/// shows the shade with which the box is filled.
fn around(pictures: &[Window], written: &[Window]) -> Window {
    let all = || pictures.iter().chain(written);
    Window {
        left: all().map(|w| w.left).min().unwrap_or_default(),
        top: all().map(|w| w.top).min().unwrap_or_default(),
        right: pictures.iter().map(|w| w.right).max().unwrap_or_default(),
        bottom: pictures.iter().map(|w| w.bottom).max().unwrap_or_default(),
    }
}

/// Covers the text of the text layer in a part of a picture of a page. `written` holds the boxes of this text. Each box
/// is filled with the shade of its upper left corner. The part begins at the pixel (`left`, `top`) of the page.
fn without(mut part: Grey, (left, top): (usize, usize), written: &[Window]) -> Grey {
    for window in written {
        let (x0, x1) = (window.left - left, (window.right - left).min(part.width));
        let (y0, y1) = (window.top - top, (window.bottom - top).min(part.height));
        if x0 >= x1 || y0 >= y1 {
            continue;
        }
        let ground = part.pixels[y0 * part.width + x0];
        for row in y0..y1 {
            part.pixels[row * part.width + x0..row * part.width + x1].fill(ground);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(left: usize, top: usize, right: usize, bottom: usize) -> Window {
        Window {
            left,
            top,
            right,
            bottom,
        }
    }

    #[test]
    fn what_the_text_layer_has_is_covered() {
        let page = Grey {
            pixels: (0..100).map(|i| if i % 10 < 5 { 255 } else { 0 }).collect(),
            width: 10,
            height: 10,
        };
        let of_page = covered(
            &Area {
                x0: 40.0,
                y0: 20.0,
                x1: 90.0,
                y1: 40.0,
            },
            (0.1, 0.1),
        );
        let bare = without(page.clone(), (0, 0), &[of_page]);
        assert_eq!(
            &bare.pixels[20..30],
            &[255, 255, 255, 255, 255, 255, 255, 255, 255, 0]
        );
        assert_eq!(bare.pixels[45], 0);
        // The same box on the part from the column 3 and the row 1 on.
        let part = without(page.part((3, 10), (1, 10)), (3, 1), &[of_page]);
        assert_eq!(&part.pixels[7..14], &[255, 255, 255, 255, 255, 255, 0]);
    }

    #[test]
    fn the_part_holds_pictures_and_corners_and_no_more() {
        let pictures = [window(50, 60, 90, 80), window(100, 70, 120, 90)];
        assert_eq!(around(&pictures, &[]), window(50, 60, 120, 90));
        // A box that goes on to the right of the pictures is cleared on them alone.
        let written = window(40, 75, 130, 95);
        assert!(overlap(&pictures[0], &written));
        assert_eq!(around(&pictures, &[written]), window(40, 60, 120, 90));
        assert!(!overlap(&pictures[0], &window(90, 60, 95, 80)));
    }
}
