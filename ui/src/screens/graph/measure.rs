//! How wide words are in the page's own fonts.

use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// A way of writing on the canvas of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The term in the centre.
    Centre,
    /// Another term.
    Term,
    /// A sentence's place.
    Place,
}

impl Style {
    /// The font of a style: weight and size as in `style/graph.css`, and the property that names the family.
    fn font(self) -> (&'static str, &'static str) {
        match self {
            Self::Centre => ("600 17px", "--font-law"),
            Self::Term => ("400 15px", "--font-law"),
            Self::Place => ("400 12px", "--font-ui"),
        }
    }

    /// Height of a line in pixels.
    pub fn line(self) -> f64 {
        match self {
            Self::Centre => 22.0,
            Self::Term => 18.0,
            Self::Place => 16.0,
        }
    }
}

/// The width of a text in pixels, with a little to spare.
pub fn width(text: &str, style: Style) -> f64 {
    drawn(text, style).unwrap_or_else(|| estimate(text, style)) + 1.0
}

fn drawn(text: &str, style: Style) -> Option<f64> {
    thread_local!(static CANVAS: RefCell<Option<CanvasRenderingContext2d>> = const { RefCell::new(None) });
    CANVAS.with(|canvas| {
        let mut canvas = canvas.borrow_mut();
        if canvas.is_none() {
            let element = web_sys::window()?
                .document()?
                .create_element("canvas")
                .ok()?;
            let element: HtmlCanvasElement = element.dyn_into().ok()?;
            *canvas = element.get_context("2d").ok()??.dyn_into().ok();
        }
        let context = canvas.as_ref()?;
        let (size, property) = style.font();
        let root = web_sys::window()?.document()?.document_element()?;
        let family = web_sys::window()?
            .get_computed_style(&root)
            .ok()??
            .get_property_value(property)
            .ok()?;
        context.set_font(&format!("{size} {}", family.trim()));
        context
            .measure_text(text)
            .ok()
            .map(|metrics| metrics.width())
    })
}

/// A width that wide fonts do not exceed.
fn estimate(text: &str, style: Style) -> f64 {
    let size = match style {
        Style::Centre => 19.0,
        Style::Term => 15.0,
        Style::Place => 12.0,
    };
    text.chars()
        .map(|c| if c.is_ascii() { 0.66 } else { 1.05 } * size)
        .sum()
}
