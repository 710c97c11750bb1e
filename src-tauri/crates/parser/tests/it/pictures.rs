//! Pictures beside a text layer: what they say is read, or said to be unread.

use crate::made::{Placed, helvetica, illustrated_pages, latin, text_pages};
use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::tesseract as ocr;
use lexforge_ingest::{ParseLimits, ParseOptions, Parser};
use lexforge_parser::reader::Source;
use lexforge_parser::reader::hayro::open;
use lexforge_parser::reader::ink::Grey;
use lexforge_parser::render::grey;
use std::path::PathBuf;
use std::sync::Arc;

const BODY: &[&str] = &[
    "Article 1  Registers of outsourcing arrangements",
    "",
    "The institution shall maintain a register of its outsourcing arrangements",
    "and shall submit the register to the competent authority each year.",
];

/// The texts of pictures, as lines.
const RULES: &[&[&str]] = &[
    &["The provider shall report every incident within four hours."],
    &[
        "The management body shall approve the policy",
        "and shall review it once a year.",
    ],
    &[
        "(a) the name of the service provider;",
        "(b) the country in which the service is performed;",
        "(c) the date of the latest risk assessment.",
    ],
    &["Payments above 10 000 euro must be approved by two persons."],
];

/// Lines of text, drawn and cut out.
fn written(lines: &[&str], dpi: f32) -> Grey {
    let pdf = open(&Source {
        bytes: Arc::new(text_pages(&[lines], &helvetica(), latin)),
        password: None,
        max_pages: 1,
    })
    .unwrap();
    let page = grey(&pdf, 1, dpi).unwrap();
    let pixel = |points: f32| (points * dpi / 72.0) as usize;
    // The first baseline is 62 points below the upper edge, the next ones 14 points apart.
    let lower = 62.0 + 14.0 * lines.len() as f32 - 8.0;
    page.part((pixel(55.0), pixel(420.0)), (pixel(50.0), pixel(lower)))
}

fn placed(picture: Grey, dpi: f32, x: f32, y: f32) -> Placed {
    let point = 72.0 / dpi;
    Placed {
        at: [
            x,
            y,
            picture.width as f32 * point,
            picture.height as f32 * point,
        ],
        size: (picture.width as u32, picture.height as u32),
        pixels: picture.pixels,
    }
}

fn changed(mut picture: Grey, change: impl Fn(usize, usize, u8) -> u8) -> Grey {
    let width = picture.width;
    for (at, pixel) in picture.pixels.iter_mut().enumerate() {
        *pixel = change(at % width, at / width, *pixel);
    }
    picture
}

/// The made set: each rule at several resolutions, light on dark, on a shaded ground, cut in strips.
fn pages_with_rules() -> Vec<(usize, Vec<Placed>)> {
    let mut pages = Vec::new();
    for (rule, lines) in RULES.iter().enumerate() {
        for dpi in [120.0, 200.0, 300.0] {
            pages.push((rule, vec![placed(written(lines, dpi), dpi, 60.0, 400.0)]));
        }
        let dark = changed(written(lines, 200.0), |_, _, p| 255 - p);
        pages.push((rule, vec![placed(dark, 200.0, 90.0, 300.0)]));
        let shaded = changed(written(lines, 200.0), |x, y, p| {
            (u32::from(p) * (200 + (x / 60 + y / 30) as u32 % 30) / 255) as u8
        });
        pages.push((rule, vec![placed(shaded, 200.0, 60.0, 120.0)]));
        let whole = written(lines, 200.0);
        let half = whole.height / 2;
        let (upper, lower) = (
            whole.part((0, whole.width), (0, half)),
            whole.part((0, whole.width), (half, whole.height)),
        );
        let below = 300.0 - lower.height as f32 * 0.36;
        pages.push((
            rule,
            vec![
                placed(upper, 200.0, 60.0, 300.0),
                placed(lower, 200.0, 60.0, below),
            ],
        ));
    }
    pages
}

/// Pictures without text: a chart's bars, a shaded field, noise, a ruled frame.
fn pictures_without_text() -> Vec<Placed> {
    let blank = |width: usize, height: usize| Grey {
        pixels: vec![255; width * height],
        width,
        height,
    };
    let bars = changed(blank(600, 400), |x, y, p| {
        if x % 75 < 45 && y > 380 - (x / 75) * 43 {
            60
        } else {
            p
        }
    });
    let field = changed(blank(600, 400), |x, y, _| ((x + y) / 4) as u8);
    let noise = changed(blank(600, 400), |x, y, _| {
        let n = (x as u32)
            .wrapping_mul(0x9E37_79B1)
            .wrapping_add((y as u32).wrapping_mul(0x85EB_CA77));
        ((n ^ (n >> 15)).wrapping_mul(0x2C1B_3C6D) >> 24) as u8
    });
    let frame = changed(blank(600, 400), |x, y, p| {
        if x < 4 || y < 4 || x > 595 || y > 395 || y % 80 < 3 {
            0
        } else {
            p
        }
    });
    [bars, field, noise, frame]
        .map(|picture| placed(picture, 150.0, 60.0, 300.0))
        .into()
}

fn parse(pages: Vec<Vec<Placed>>, ocr: Option<PathBuf>) -> ParsedDocument {
    let pages: Vec<_> = pages.into_iter().map(|pictures| (BODY, pictures)).collect();
    let options = ParseOptions {
        ocr,
        ..ParseOptions::default()
    };
    Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), ParseLimits::default())
        .parse(
            "made.pdf",
            &illustrated_pages(&pages),
            &options,
            &mut |_, _| {},
            &|| false,
        )
        .unwrap()
}

fn pages_warned(document: &ParsedDocument, code: &str) -> Vec<u32> {
    let warnings = document.warnings.iter().filter(|w| w.code == code);
    warnings.filter_map(|w| w.page).collect()
}

#[test]
fn rules_in_pictures_are_read_in_their_places() {
    let Some(program) = ocr::locate() else {
        return lexforge_needs::missing("Tesseract is not installed");
    };
    let (rules, pages): (Vec<usize>, Vec<_>) = pages_with_rules().into_iter().unzip();
    let document = parse(pages, Some(program));
    let letters = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let mut missing = Vec::new();
    for (page, &rule) in document.pages.iter().zip(&rules) {
        let said = letters(&page.text);
        if !RULES[rule].iter().all(|line| said.contains(&letters(line))) {
            missing.push((page.number, page.text.clone()));
        }
    }
    println!(
        "{} of {} read exactly",
        rules.len() - missing.len(),
        rules.len()
    );
    // None may be left out without a warning, and at least 95 % of the set must be read exactly.
    let warned = pages_warned(&document, "picture_text");
    assert_eq!(warned, (1..=rules.len() as u32).collect::<Vec<_>>());
    assert!(20 * missing.len() <= rules.len(), "{missing:#?}");
    // A sentence of a picture has its place in the picture.
    let report = document
        .sentences
        .iter()
        .find(|s| s.text.starts_with("The provider shall report"))
        .unwrap();
    let region = report.regions[0];
    assert!(report.regions.len() == 1 && region.page == 1, "{report:?}");
    assert!((region.x0 - 65.0).abs() < 4.0, "{region:?}");
    assert!(
        region.y0 > 842.0 - 425.0 && region.y1 < 842.0 - 398.0,
        "{region:?}"
    );
    // The text layer is what it was.
    assert!(document.engines.ocr == 0 && document.scanned_pages == 0);
    assert!(document.pages.iter().all(|p| p.agreement == Some(1.0)));
}

#[test]
fn without_tesseract_pages_with_written_pictures_are_named() {
    let (rules, pages): (Vec<usize>, Vec<_>) = pages_with_rules().into_iter().unzip();
    let document = parse(pages, None);
    let warned = pages_warned(&document, "picture_unread");
    assert_eq!(warned, (1..=rules.len() as u32).collect::<Vec<_>>());
    let said = &document
        .warnings
        .iter()
        .find(|w| w.code == "picture_unread")
        .unwrap()
        .message;
    assert!(
        said.contains("% of the page") && said.contains("Tesseract"),
        "{said}"
    );
}

#[test]
fn pictures_without_text_are_passed_over() {
    let pages = pictures_without_text()
        .into_iter()
        .map(|p| vec![p])
        .collect();
    let document = parse(pages, ocr::locate());
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
}

/// A scan with its own text layer: no text may be read twice.
#[test]
fn what_the_text_layer_says_is_not_said_again() {
    let Some(program) = ocr::locate() else {
        return lexforge_needs::missing("Tesseract is not installed");
    };
    let pdf = open(&Source {
        bytes: Arc::new(text_pages(&[BODY], &helvetica(), latin)),
        password: None,
        max_pages: 1,
    })
    .unwrap();
    let page = placed(grey(&pdf, 1, 150.0).unwrap(), 150.0, 0.0, 0.0);
    let document = parse(vec![vec![page]], Some(program));
    assert_eq!(document.pages[0].text.matches("each year").count(), 1);
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
}

/// A logo on every page is looked at once, and its words are no sentence.
#[test]
fn the_words_of_a_logo_are_named_once() {
    let Some(program) = ocr::locate() else {
        return lexforge_needs::missing("Tesseract is not installed");
    };
    let logo = || {
        vec![placed(
            written(&["Example Authority"], 200.0),
            200.0,
            60.0,
            700.0,
        )]
    };
    let document = parse(vec![logo(), logo(), logo()], Some(program));
    assert_eq!(pages_warned(&document, "picture_labels"), [1]);
    assert!(document.pages.iter().all(|p| !p.text.contains("Example")));
}
