//! A page as an image.

use crate::reader::Source;
use crate::reader::hayro::open;
use crate::reader::ink::Grey;
use hayro::hayro_interpret::{InterpreterSettings, TransformExt};
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings};
use hayro_syntax::Pdf;
use hayro_syntax::page::Page;
use lexforge_ingest::error::IngestError;

/// Largest side of an image, in pixels.
const LARGEST: f32 = 8_000.0;

/// Renders page `number` (from 1) at `dpi` dots per inch as a PNG. A page that would be too large is rendered at a
/// lower resolution.
///
/// # Errors
/// When the file cannot be opened or has no such page.
pub fn png(source: &Source, number: u32, dpi: f32) -> Result<Vec<u8>, IngestError> {
    let drawn = draw(&open(source)?, number, dpi, None)?;
    // The background is opaque, so premultiplied colours are the colours.
    let colours: Vec<u8> = drawn.data().iter().flat_map(|p| [p.r, p.g, p.b]).collect();
    let size = (u32::from(drawn.width()), u32::from(drawn.height()));
    encode(&colours, size, png::ColorType::Rgb).map_err(|e| unreadable(number, e.to_string()))
}

/// Renders a page of an open document as a PNG in shades of grey. Also returns its width and height in pixels.
///
/// # Errors
/// When there is no such page or it has no area.
pub fn grey_png(pdf: &Pdf, number: u32, dpi: f32) -> Result<(Vec<u8>, (u32, u32)), IngestError> {
    let drawn = grey(pdf, number, dpi)?;
    let size = (drawn.width as u32, drawn.height as u32);
    Ok((grey_as_png(&drawn, number)?, size))
}

/// Renders a page of an open document in shades of grey.
///
/// # Errors
/// When there is no such page or it has no area.
pub fn grey(pdf: &Pdf, number: u32, dpi: f32) -> Result<Grey, IngestError> {
    draw(pdf, number, dpi, None).map(|drawn| in_grey(&drawn))
}

/// A part of a page in pixels: from the column `left` up to but without `right`, and likewise down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First column.
    pub left: usize,
    /// First row.
    pub top: usize,
    /// Column after the last.
    pub right: usize,
    /// Row after the last.
    pub bottom: usize,
}

/// Renders a part of a page of an open document, in shades of grey. The pixels are the same as in a picture of the
/// whole page. If the part extends beyond the page, the result is smaller.
///
/// # Errors
/// When there is no such page or the part has no area.
pub fn grey_part(pdf: &Pdf, number: u32, dpi: f32, part: Window) -> Result<Grey, IngestError> {
    draw(pdf, number, dpi, Some(part)).map(|drawn| in_grey(&drawn))
}

/// Width and height in pixels of a whole page at `dpi` dots per inch.
pub fn pixels(page: &Page<'_>, dpi: f32) -> (usize, usize) {
    let (width, height) = size(page, scale(page, dpi));
    (usize::from(width), usize::from(height))
}

fn in_grey(drawn: &Pixmap) -> Grey {
    let luma =
        |r: u8, g: u8, b: u8| (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)) / 1000;
    Grey {
        pixels: drawn
            .data()
            .iter()
            .map(|p| luma(p.r, p.g, p.b) as u8)
            .collect(),
        width: usize::from(drawn.width()),
        height: usize::from(drawn.height()),
    }
}

/// Turns a picture of page `number` into a PNG.
///
/// # Errors
/// When the picture has no area.
pub fn grey_as_png(picture: &Grey, number: u32) -> Result<Vec<u8>, IngestError> {
    let size = (picture.width as u32, picture.height as u32);
    encode(&picture.pixels, size, png::ColorType::Grayscale)
        .map_err(|e| unreadable(number, e.to_string()))
}

fn unreadable(page: u32, message: String) -> IngestError {
    IngestError::Page { page, message }
}

/// Pixels to the point at `dpi` dots per inch; fewer where the page would be too large.
fn scale(page: &Page<'_>, dpi: f32) -> f32 {
    let (width, height) = page.render_dimensions();
    let side = width.max(height).max(1.0);
    (dpi.clamp(10.0, 1200.0) / 72.0).min(LARGEST / side)
}

fn size(page: &Page<'_>, scale: f32) -> (u16, u16) {
    let (width, height) = page.render_dimensions();
    ((width * scale) as u16, (height * scale) as u16)
}

/// A page, or only a `part` of it.
fn draw(pdf: &Pdf, number: u32, dpi: f32, part: Option<Window>) -> Result<Pixmap, IngestError> {
    let fail = |message: String| unreadable(number, message);
    let pages = pdf.pages();
    let index = (number as usize).checked_sub(1);
    let page = index.and_then(|i| pages.get(i)).ok_or_else(|| {
        fail(format!(
            "there is no page {number}: the document has {}",
            pages.len()
        ))
    })?;
    let scale = scale(page, dpi);
    let (mut width, mut height) = size(page, scale);
    let mut corner = (0, 0);
    if let Some(part) = part {
        let within = |place: usize, end: u16| u16::try_from(place).unwrap_or(u16::MAX).min(end);
        corner = (within(part.left, width), within(part.top, height));
        width = within(part.right, width).saturating_sub(corner.0);
        height = within(part.bottom, height).saturating_sub(corner.1);
    }
    if width == 0 || height == 0 {
        return Err(fail("the page has no area".to_owned()));
    }
    let mut context = RenderContext::new(width, height);
    let cache = RenderCache::new();
    hayro::render_into(
        page,
        &cache,
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &mut context,
        Affine::translate((-f64::from(corner.0), -f64::from(corner.1)))
            * Affine::scale(f64::from(scale))
            * page.initial_transform(true).to_kurbo(),
    );
    context.flush();
    let mut image = Pixmap::new(width, height);
    context.render_with(
        &mut image,
        &mut Resources::default(),
        RasterizerSettings {
            target_init: TargetInit::Clear(WHITE),
            ..RasterizerSettings::default()
        },
    );
    Ok(image)
}

fn encode(
    pixels: &[u8],
    (width, height): (u32, u32),
    color: png::ColorType,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}
