//! Pages whose text is drawn as shapes, without characters: read by Tesseract, or said to be unread.

use crate::made::{helvetica, latin, pdf, stream, text_pages};
use hayro_interpret as hi;
use hi::font::{Glyph, GlyphRun};
use hi::kurbo::{BezPath, PathEl, Rect};
use lexforge_domain::document::ParsedDocument;
use lexforge_domain::{Code, Failure};
use lexforge_ingest::tesseract as ocr;
use lexforge_ingest::{ParseLimits, ParseOptions, Parser};
use lexforge_parser::reader::Source;
use lexforge_parser::reader::hayro::open;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

const TEXT: &[&str] = &[
    "Article 1  Registers of outsourcing arrangements",
    "",
    "The institution shall maintain a register of its outsourcing arrangements",
    "and shall submit the register to the competent authority each year.",
];

/// Draws characters as the shapes of their font.
#[derive(Default)]
struct Drawn {
    content: String,
    height: f64,
}

impl Drawn {
    fn path(&mut self, path: &BezPath) {
        let up = self.height;
        let mut at = hi::kurbo::Point::ZERO;
        for element in path.elements() {
            let _ = match *element {
                PathEl::MoveTo(p) => writeln!(self.content, "{:.3} {:.3} m", p.x, up - p.y),
                PathEl::LineTo(p) => writeln!(self.content, "{:.3} {:.3} l", p.x, up - p.y),
                PathEl::QuadTo(c, p) => {
                    let (a, b) = (at.lerp(c, 2.0 / 3.0), p.lerp(c, 2.0 / 3.0));
                    self.curve(a, b, p)
                }
                PathEl::CurveTo(a, b, p) => self.curve(a, b, p),
                PathEl::ClosePath => writeln!(self.content, "h"),
            };
            at = element.end_point().unwrap_or(at);
        }
        self.content.push_str("f\n");
    }

    fn curve(
        &mut self,
        a: hi::kurbo::Point,
        b: hi::kurbo::Point,
        p: hi::kurbo::Point,
    ) -> std::fmt::Result {
        let up = self.height;
        for point in [a, b, p] {
            write!(self.content, "{:.3} {:.3} ", point.x, up - point.y)?;
        }
        writeln!(self.content, "c")
    }
}

impl<'a> hi::Device<'a> for Drawn {
    fn draw_path(&mut self, _: &BezPath, _: hi::DrawProps<'a>, _: &hi::DrawMode) {}
    fn push_clip_path(&mut self, _: &hi::ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<hi::SoftMask<'a>>, _: hi::BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
    fn draw_image(&mut self, _: hi::Image<'a, '_>, _: hi::ImageDrawProps<'a>) {}
    fn draw_glyph_run(
        &mut self,
        run: &GlyphRun<'_, 'a>,
        props: hi::DrawProps<'a>,
        _: &hi::DrawMode,
    ) {
        for glyph in run.glyphs() {
            if let Glyph::Outline(outline) = &**glyph {
                let path = props.transform * glyph.transform() * outline.outline();
                self.path(&path);
            }
        }
    }
}

/// The content of a page on which these lines are drawn as shapes.
fn shapes(lines: &[&str]) -> String {
    let pdf = open(&Source {
        bytes: Arc::new(text_pages(&[lines], &helvetica(), latin)),
        password: None,
        max_pages: 1,
    })
    .unwrap();
    let page = &pdf.pages()[0];
    let (width, height) = page.render_dimensions();
    let cache = hi::InterpreterCache::new();
    let mut context = hi::Context::new(
        hi::TransformExt::to_kurbo(&page.initial_transform(true)),
        Rect::new(0.0, 0.0, f64::from(width), f64::from(height)),
        &cache,
        pdf.xref(),
        hi::InterpreterSettings::default(),
    );
    let mut device = Drawn {
        height: f64::from(height),
        ..Drawn::default()
    };
    hi::interpret_page(page, &mut context, &mut device);
    device.content
}

/// A page for each of these lines, drawn as shapes or not, each with a word of text at its foot if there is one.
fn pages(pages: &[(bool, &str)]) -> Vec<u8> {
    let kids: String = (0..pages.len())
        .map(|i| format!("{} 0 R ", 4 + 2 * i))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 595 842]>>",
            pages.len()
        )
        .into_bytes(),
    ];
    objects.extend(helvetica());
    for (i, (drawn, foot)) in pages.iter().enumerate() {
        let mut content = format!("BT /F 9 Tf 290 40 Td ({foot}) Tj ET\n");
        if *drawn {
            content.push_str(&shapes(TEXT));
        } else {
            content.push_str("BT /F 11 Tf 14 TL 60 780 Td\n");
            for line in TEXT {
                let _ = writeln!(content, "({line}) Tj T*");
            }
            content.push_str("ET");
        }
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F 3 0 R>>>>>>",
            5 + 2 * i
        );
        objects.extend([page.into_bytes(), stream("", content.as_bytes())]);
    }
    pdf(&objects)
}

fn read(bytes: &[u8], ocr: Option<PathBuf>) -> Result<ParsedDocument, Failure> {
    let options = ParseOptions {
        ocr,
        ..ParseOptions::default()
    };
    Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), ParseLimits::default()).parse(
        "drawn.pdf",
        bytes,
        &options,
        &mut |_, _| {},
        &|| false,
    )
}

#[test]
fn a_page_whose_text_is_drawn_is_named_where_it_is_not_read() {
    for foot in ["", "12"] {
        let document = read(&pages(&[(false, "1"), (true, foot)]), None).unwrap();
        let named: Vec<(Option<u32>, &str)> = document
            .warnings
            .iter()
            .filter(|w| w.code == "scanned_page")
            .map(|w| (w.page, w.message.as_str()))
            .collect();
        let [(Some(2), message)] = named.as_slice() else {
            panic!("{foot:?}: {:?}", document.warnings);
        };
        assert!(message.contains("drawn as shapes"), "{message}");
        assert!(message.contains("Tesseract"), "{message}");
    }
    let failure = read(&pages(&[(true, "")]), None).unwrap_err();
    assert_eq!(failure.code, Code::ScannedNoText);
    assert!(failure.message.contains("1 of 1 pages"), "{failure:?}");
}

#[test]
fn a_page_whose_text_is_drawn_is_read_from_its_image() {
    let Some(program) = ocr::locate() else {
        return lexforge_needs::missing("Tesseract is not installed");
    };
    for foot in ["", "12"] {
        let document = read(&pages(&[(false, "1"), (true, foot)]), Some(program.clone())).unwrap();
        assert_eq!((document.engines.hayro, document.engines.ocr), (1, 1));
        assert_eq!(document.scanned_pages, 0);
        let text = &document.pages[1].text;
        assert!(
            text.contains("maintain a register of its outsourcing"),
            "{text}"
        );
        let warned = document
            .warnings
            .iter()
            .any(|w| w.code == "ocr_page" && w.page == Some(2));
        assert!(warned, "{:?}", document.warnings);
        assert!(document.tables.is_empty(), "{:?}", document.tables);
    }
}
