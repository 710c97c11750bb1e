//! The main reader: hayro's interpreter with a device that collects glyphs.

use super::capitals::Capitals;
use super::clips::Clips;
use super::faces::{Face, Faces};
use super::fold::{fold, widened};
use super::patience::{NESTED, Patience, reading};
use super::repeats::Repeats;
use super::{
    Area, Drawn, Glyph, RawDocument, RawPage, Reader, Source, is_meaningless, quarter_turn,
};
use super::{outlines, strokes};
use hayro_interpret as hi;
use hayro_syntax::object::Dict;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hi::font::{Glyph as FontGlyph, GlyphRun};
use hi::hayro_cmap::{BfString, WritingMode};
use lexforge_domain::document::ReadEngine;
use lexforge_ingest::error::IngestError;
use std::collections::HashMap;

/// Most images of a page whose places are kept; a page of more is drawn dot by dot.
const MOST_PICTURES: usize = 4_096;
/// A page with fewer characters than this may have its text drawn as shapes.
const HARDLY_ANY: usize = 60;

/// The main reader.
pub struct Hayro;

/// Opens a PDF with its password, or with an empty password.
///
/// # Errors
/// When it is damaged, locked, or without pages.
pub fn open(source: &Source) -> Result<Pdf, IngestError> {
    let locked = |e: &LoadPdfError| {
        matches!(
            e,
            LoadPdfError::Decryption(DecryptionError::PasswordProtected)
        )
    };
    let pdf = match &source.password {
        // One password is given for many files, and some of them may open with the empty password.
        Some(password) => match Pdf::new_with_password(source.bytes.clone(), password) {
            Err(error) if locked(&error) => Pdf::new(source.bytes.clone()),
            other => other,
        },
        None => Pdf::new(source.bytes.clone()),
    }
    .map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => IngestError::Password {
            given: source.password.is_some(),
        },
        LoadPdfError::Decryption(_) => IngestError::Encryption,
        LoadPdfError::Invalid => {
            IngestError::Damaged("the PDF is damaged: its structure cannot be made out".to_owned())
        }
    })?;
    let pages = pdf.pages().len();
    if pages == 0 {
        return Err(IngestError::Damaged(
            "the PDF is damaged: no page can be found in it".to_owned(),
        ));
    }
    if pages > source.max_pages as usize {
        return Err(IngestError::TooLarge(format!(
            "the document has {pages} pages, more than the limit of {}",
            source.max_pages
        )));
    }
    Ok(pdf)
}

impl Reader for Hayro {
    fn engine(&self) -> ReadEngine {
        ReadEngine::Hayro
    }

    fn read(
        &self,
        source: &Source,
        on_page: &mut dyn FnMut(u32, u32),
    ) -> Result<RawDocument, IngestError> {
        let pdf = open(source)?;
        let cache = hi::InterpreterCache::new();
        let of = u32::try_from(pdf.pages().len()).unwrap_or(u32::MAX);
        let mut fonts = HashMap::new();
        let mut faces = Faces::none();
        let mut capitals = Capitals::default();
        let mut patience = Patience::for_pages(of);
        let mut pages = Vec::with_capacity(of as usize);
        for (index, page) in pdf.pages().iter().enumerate() {
            let (width, height) = page.render_dimensions();
            let view = hi::kurbo::Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
            let mut context = hi::Context::new(
                hi::TransformExt::to_kurbo(&page.initial_transform(true)),
                view,
                &cache,
                pdf.xref(),
                hi::InterpreterSettings::default(),
            );
            let mut device = Collector {
                page: RawPage {
                    width,
                    height,
                    ..RawPage::default()
                },
                repeats: Repeats::default(),
                clips: Clips::default(),
                fonts: &mut fonts,
                faces: &mut faces,
                capitals: &mut capitals,
                patience: &mut patience,
                shapes: Vec::new(),
            };
            reading(|| {
                device.faces.take(page.resources());
                hi::interpret_page(page, &mut context, &mut device);
            })?;
            pages.push(Some(device.done()));
            on_page(u32::try_from(index + 1).unwrap_or(u32::MAX), of);
        }
        let title = pdf.metadata().title.as_deref().and_then(decode_text_string);
        let stated = stated_pages(&pdf);
        Ok(RawDocument {
            title,
            pages,
            stated,
        })
    }
}

/// The number of pages that the root of the page tree states. If a page of the tree cannot be found, the reader skips
/// it without an error; only this number shows that a page is missing.
fn stated_pages(pdf: &Pdf) -> Option<usize> {
    let xref = pdf.xref();
    let catalogue = xref.get::<Dict<'_>>(xref.root_id())?;
    let count = catalogue.get::<Dict<'_>>("Pages")?.get::<u32>("Count")?;
    usize::try_from(count).ok()
}

/// A PDF text string: UTF-16 with a byte order mark, UTF-8 with one, or Latin.
fn decode_text_string(bytes: &[u8]) -> Option<String> {
    let text = match bytes {
        [0xFE, 0xFF, rest @ ..] => {
            let units: Vec<u16> = rest
                .chunks_exact(2)
                .map(|b| u16::from_be_bytes([b[0], b[1]]))
                .collect();
            String::from_utf16_lossy(&units)
        }
        [0xFF, 0xFE, rest @ ..] => {
            let units: Vec<u16> = rest
                .chunks_exact(2)
                .map(|b| u16::from_le_bytes([b[0], b[1]]))
                .collect();
            String::from_utf16_lossy(&units)
        }
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
        },
    };
    let text = text
        .trim_matches(|c: char| c.is_whitespace() || c == '\0')
        .to_owned();
    (!text.is_empty()).then_some(text)
}

/// A device that keeps glyphs and the size of images, and draws nothing.
struct Collector<'f, 'a> {
    page: RawPage,
    repeats: Repeats,
    clips: Clips,
    fonts: &'f mut HashMap<u128, Face>,
    faces: &'f mut Faces<'a>,
    capitals: &'f mut Capitals,
    patience: &'f mut Patience,
    /// Filled shapes of the size of letters.
    shapes: Vec<Area>,
}

impl Collector<'_, '_> {
    /// The page, once all of it is interpreted.
    fn done(mut self) -> RawPage {
        let characters = self.page.glyphs.iter().filter(|g| g.ch != ' ').count();
        if characters < HARDLY_ANY {
            self.page.outlined = outlines::written(&self.shapes);
        }
        self.capitals.mark(&mut self.page.glyphs);
        self.page
    }

    fn face(&mut self, glyph: &FontGlyph<'_>) -> Face {
        let FontGlyph::Outline(outline) = glyph else {
            return Face::default();
        };
        let Some(data) = outline.font_data() else {
            return self.faces.of(outline);
        };
        *self.fonts.entry(data.cache_key).or_insert_with(|| {
            let named = Face::named(&data.postscript_name.unwrap_or_default());
            Face {
                bold: named.bold || data.weight.is_some_and(|w| w >= 600),
                italic: named.italic || data.is_italic,
            }
        })
    }
}

impl<'a> hi::Device<'a> for Collector<'_, 'a> {
    fn draw_path(
        &mut self,
        path: &hi::kurbo::BezPath,
        props: hi::DrawProps<'a>,
        mode: &hi::DrawMode,
    ) {
        self.patience.step(1);
        let before = self.page.strokes.len();
        strokes::collect(&mut self.page.strokes, path, props.transform, mode);
        self.clips.cut(&mut self.page.strokes, before);
        outlines::collect(&mut self.shapes, path, props.transform, mode);
    }

    fn push_clip_path(&mut self, clip: &hi::ClipPath) {
        self.patience.step(NESTED);
        self.clips.push(clip.path.control_box());
    }
    fn push_clip_rect(&mut self, clip: &hi::kurbo::Rect) {
        self.patience.step(NESTED);
        self.clips.push(*clip);
    }
    fn push_transparency_group(&mut self, _: f32, _: Option<hi::SoftMask<'a>>, _: hi::BlendMode) {
        self.patience.step(NESTED);
    }
    fn pop_clip(&mut self) {
        self.clips.pop();
    }
    fn pop_transparency_group(&mut self) {}

    fn draw_image(&mut self, image: hi::Image<'a, '_>, props: hi::ImageDrawProps<'a>) {
        self.patience.step(1);
        let [a, b, c, d, _, _] = props.transform.as_coeffs();
        // The transform maps image pixels, or the unit square, to the page.
        let (w, h) = (f64::from(image.width()), f64::from(image.height()));
        let area = (a * d - b * c).abs();
        let page = f64::from(self.page.width * self.page.height).max(1.0);
        let share = (area * w * h / page).min(1.0) as f32;
        // Many scanners divide a page into strips.
        self.page.image_share = (self.page.image_share + share).min(1.0);
        if self.page.pictures.len() < MOST_PICTURES {
            let unit = hi::kurbo::Rect::new(0.0, 0.0, w, h);
            let drawn = props.transform.transform_rect_bbox(unit);
            let area = Area {
                x0: (drawn.x0 as f32).clamp(0.0, self.page.width),
                y0: (drawn.y0 as f32).clamp(0.0, self.page.height),
                x1: (drawn.x1 as f32).clamp(0.0, self.page.width),
                y1: (drawn.y1 as f32).clamp(0.0, self.page.height),
            };
            let key = hi::CacheKey::cache_key(&image);
            self.page.pictures.push(Drawn { area, key });
        }
    }

    fn draw_glyph_run(
        &mut self,
        run: &GlyphRun<'_, 'a>,
        props: hi::DrawProps<'a>,
        _: &hi::DrawMode,
    ) {
        self.patience.step(1);
        let vertical = matches!(run.writing_mode(), WritingMode::Vertical);
        let Some(first) = run.glyphs().first() else {
            return;
        };
        let face = self.face(first);
        // The bytes of Type 1 fonts are those of letters; other fonts may number their glyphs as they like.
        let lettered = match &**first {
            FontGlyph::Outline(outline) => outline.font_data().is_none(),
            FontGlyph::Type3(_) => false,
        };
        for glyph in run.glyphs() {
            let [a, b, c, d, x, y] = (props.transform * glyph.transform()).as_coeffs();
            let size = (c.hypot(d).max(a.hypot(b)) * 1000.0) as f32;
            let Some(turn) = quarter_turn(a, b) else {
                continue;
            };
            let outside = x < -1.0
                || y < -1.0
                || x > f64::from(self.page.width) + 1.0
                || y > f64::from(self.page.height) + 1.0;
            if outside || size < 0.5 || !size.is_finite() {
                continue;
            }
            let width = match &**glyph {
                FontGlyph::Outline(outline) => outline.advance_width(),
                FontGlyph::Type3(type3) => type3.advance_width(),
            };
            let advance = if vertical {
                size
            } else {
                (f64::from(width.unwrap_or(500.0)) * a.hypot(b)) as f32
            };
            let mut chars = ['\0'; 8];
            let mut count = 0;
            let mut push = |c: char| {
                if let Some(slot) = chars.get_mut(count) {
                    *slot = c;
                    count += 1;
                }
            };
            match glyph.as_unicode() {
                Some(BfString::Char(c)) => fold(c, &mut push),
                Some(BfString::String(s)) => s.chars().for_each(|c| fold(c, &mut push)),
                None => {
                    self.page.unmapped.push([x as f32, y as f32]);
                    continue;
                }
            }
            // A ligature's letters share its advance.
            let share = advance / count.max(1) as f32;
            let (ux, uy) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][usize::from(turn)];
            for (i, &ch) in chars.iter().take(count).enumerate() {
                let (dx, dy) = (ux * share * i as f32, uy * share * i as f32);
                if is_meaningless(ch) {
                    self.page.unmapped.push([x as f32 + dx, y as f32 + dy]);
                    continue;
                }
                let drawn = Glyph {
                    ch: widened(ch, share / size),
                    x: x as f32 + dx,
                    y: y as f32 + dy,
                    advance: share,
                    size,
                    turn,
                    vertical,
                    bold: face.bold,
                    italic: face.italic,
                    capital: false,
                };
                let place = self.page.glyphs.len();
                self.repeats.push(&mut self.page.glyphs, drawn);
                if lettered && count == 1 && self.page.glyphs.len() > place {
                    self.capitals.take(glyph.char_code(), ch, face, place);
                }
            }
        }
    }
}
