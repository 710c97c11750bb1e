//! A page as an image.

use crate::error::IngestError;
use crate::reader::Source;
use crate::reader::hayro::open;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};

/// Largest side of an image, in pixels.
const LARGEST: f32 = 8_000.0;

/// Draws page `number` (from 1) at `dpi` dots to the inch as a PNG. A page too large for the resolution
/// is drawn at a lower one.
///
/// # Errors
/// When the file cannot be opened or has no such page.
pub fn png(source: &Source, number: u32, dpi: f32) -> Result<Vec<u8>, IngestError> {
    let pdf = open(source)?;
    let fail = |message: String| IngestError::Page { page: number, message };
    let pages = pdf.pages();
    let index = (number as usize).checked_sub(1);
    let page = index
        .and_then(|i| pages.get(i))
        .ok_or_else(|| fail(format!("there is no page {number}: the document has {}", pages.len())))?;
    let (width, height) = page.render_dimensions();
    let side = width.max(height).max(1.0);
    let scale = (dpi.clamp(10.0, 1200.0) / 72.0).min(LARGEST / side);
    let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let cache = RenderCache::new();
    let image = hayro::render(page, &cache, &InterpreterSettings::default(), &RenderSettings::default(), &settings);
    let (width, height) = (u32::from(image.width()), u32::from(image.height()));
    if width == 0 || height == 0 {
        return Err(fail("the page has no area".to_owned()));
    }
    // The background is opaque, so premultiplied colours are the colours.
    let rgb: Vec<u8> = image.data().iter().flat_map(|p| [p.r, p.g, p.b]).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(|e| fail(e.to_string()))?;
    writer.write_image_data(&rgb).map_err(|e| fail(e.to_string()))?;
    writer.finish().map_err(|e| fail(e.to_string()))?;
    Ok(out)
}
