//! Pages without a text layer: read by Tesseract where it is installed, and honestly left out where it is not.

use crate::made::{helvetica, image_pages, latin, text_pages};
use lexforge_domain::document::{ParsedDocument, ReadEngine};
use lexforge_domain::{Code, Failure};
use lexforge_ingest::tesseract as ocr;
use lexforge_ingest::{ParseLimits, ParseOptions, Parser};
use lexforge_parser::reader::Source;
use lexforge_parser::reader::hayro::open;
use lexforge_parser::render::grey_png;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const LINES: &[&str] = &[
    "Article 1  Registers of outsourcing arrangements",
    "",
    "The institution shall maintain a register of its outsourcing arrangements",
    "and shall submit the register to the competent authority each year.",
    "",
    "The competent authority may ask for the register at any other time.",
];

fn parser() -> Parser {
    Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), ParseLimits::default())
}

const OTHER: &[&str] = &[
    "Article 2  Reports",
    "",
    "The report shall name every service provider and its place of business.",
];

/// A scan: pages of text drawn and packed as images.
fn scan(pages: &[&[&str]]) -> Vec<u8> {
    let text = text_pages(pages, &helvetica(), latin);
    let pdf = open(&Source {
        bytes: Arc::new(text),
        password: None,
        max_pages: 10,
    })
    .unwrap();
    let images: Vec<_> = (1..=pages.len() as u32)
        .map(|number| {
            let (png, _) = grey_png(&pdf, number, 200.0).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(png))
                .read_info()
                .unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let frame = reader.next_frame(&mut pixels).unwrap();
            (pixels, frame.width, frame.height)
        })
        .collect();
    image_pages(&images)
}

/// Why a scan is not read.
fn unread(options: &ParseOptions) -> Failure {
    let read = parser().parse(
        "scan.pdf",
        &scan(&[LINES]),
        options,
        &mut |_, _| {},
        &|| false,
    );
    read.unwrap_err()
}

fn text(document: &ParsedDocument) -> String {
    document
        .pages
        .iter()
        .map(|p| p.text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Tesseract, or a visible note that it is missing.
fn tesseract() -> Option<PathBuf> {
    let program = ocr::locate();
    if program.is_none() {
        lexforge_needs::missing("Tesseract is not installed");
    }
    program
}

#[test]
fn without_tesseract_a_scan_is_one_clear_failure() {
    for ocr in [None, Some(PathBuf::from("/nonexistent/tesseract"))] {
        let options = ParseOptions {
            ocr,
            ..ParseOptions::default()
        };
        let failure = unread(&options);
        assert_eq!(failure.code, Code::ScannedNoText);
        assert!(
            failure.hint.contains("tesseract-ocr-chi-sim"),
            "{failure:?}"
        );
        assert!(failure.message.contains("1 of 1 pages"), "{failure:?}");
    }
}

#[test]
fn a_scan_is_read_with_places_and_says_so() {
    let Some(program) = tesseract() else { return };
    let options = ParseOptions {
        ocr: Some(program),
        ..ParseOptions::default()
    };
    let mut steps = Vec::new();
    let document = parser()
        .parse(
            "scan.pdf",
            &scan(&[LINES, OTHER]),
            &options,
            &mut |d, o| steps.push((d, o)),
            &|| false,
        )
        .unwrap();
    assert_eq!(
        (
            document.engines.ocr,
            document.engines.hayro,
            document.scanned_pages
        ),
        (2, 0, 0)
    );
    for words in [
        "Registers of outsourcing arrangements",
        "submit the register to the competent authority each year.",
    ] {
        assert!(text(&document).contains(words), "{}", text(&document));
    }
    // Two lines of one paragraph are one sentence again, with a rectangle each.
    let sentence = document
        .sentences
        .iter()
        .find(|s| s.text.starts_with("The institution shall"))
        .unwrap();
    assert!(
        sentence.text.ends_with("each year.") && sentence.regions.len() == 2,
        "{sentence:?}"
    );
    let (first, second) = (sentence.regions[0], sentence.regions[1]);
    // The third line's baseline is 90 points below the upper edge, and the text begins 60 points from the left.
    assert!(
        (first.x0 - 60.0).abs() < 3.0 && first.y0 < 90.0 && first.y1 > 89.0,
        "{first:?}"
    );
    assert!(
        (second.y0 - first.y0 - 14.0).abs() < 3.0,
        "{first:?} {second:?}"
    );
    let warnings: Vec<_> = document
        .warnings
        .iter()
        .filter(|w| w.code == "ocr_page")
        .collect();
    assert_eq!(
        warnings.iter().map(|w| w.page).collect::<Vec<_>>(),
        [Some(1), Some(2)]
    );
    assert!(
        warnings[0].message.contains("mean confidence 9"),
        "{warnings:?}"
    );
    assert!(
        document
            .pages
            .iter()
            .all(|p| p.engine == ReadEngine::Ocr && !p.scanned)
    );
    assert_eq!(steps.last(), Some(&(2, 2)));
    assert!(
        steps.contains(&(0, 2)) && steps.contains(&(1, 2)),
        "{steps:?}"
    );
}

/// A text page among scanned ones stays the reader's own.
#[test]
fn only_pages_without_text_are_recognised() {
    let Some(program) = tesseract() else { return };
    let options = ParseOptions {
        ocr: Some(program),
        ..ParseOptions::default()
    };
    let text = text_pages(&[LINES], &helvetica(), latin);
    let document = parser()
        .parse("text.pdf", &text, &options, &mut |_, _| {}, &|| false)
        .unwrap();
    assert_eq!((document.engines.ocr, document.engines.hayro), (0, 1));
}

#[test]
fn a_page_that_takes_too_long_is_named_and_a_cancelled_one_ends_at_once() {
    let Some(sleeper) = sleeper() else { return };
    let options = ParseOptions {
        ocr: Some(sleeper.clone()),
        ocr_page_seconds: 1,
        ..ParseOptions::default()
    };
    let failure = unread(&options);
    assert_eq!(failure.code, Code::ScannedNoText);
    assert!(
        failure.message.contains("did not finish within 1 s"),
        "{failure:?}"
    );
    let options = ParseOptions {
        ocr_page_seconds: 600,
        ..options
    };
    let started = Instant::now();
    let process = RefCell::new(None);
    let soon = || {
        let found = process_of(&sleeper);
        let runs = found.is_some();
        process.replace(found);
        (runs && started.elapsed() > Duration::from_secs(2))
            || started.elapsed() > Duration::from_secs(60)
    };
    let failure = parser()
        .parse("scan.pdf", &scan(&[LINES]), &options, &mut |_, _| {}, &soon)
        .unwrap_err();
    assert_eq!(failure.code, Code::Cancelled);
    assert!(started.elapsed() < Duration::from_secs(20));
    // The process that it had started has ended with it.
    let process = process.take().unwrap();
    let gone = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        !process.exists() || state(&process).is_none_or(|s| s == 'Z')
    });
    assert!(gone, "the recognition outlived its parent");
}

fn state(process: &Path) -> Option<char> {
    let status = std::fs::read_to_string(process.join("stat")).ok()?;
    status.rsplit(')').next()?.trim().chars().next()
}

/// A program (only on Linux) that answers as Tesseract when asked for its languages, and otherwise sleeps.
#[cfg(target_os = "linux")]
fn sleeper() -> Option<PathBuf> {
    crate::made::program(
        "sleeping-tesseract",
        "std::thread::sleep(std::time::Duration::from_secs(300));",
    )
}

/// The process that runs a program, if one does.
fn process_of(program: &Path) -> Option<PathBuf> {
    let processes = std::fs::read_dir("/proc").ok()?;
    processes
        .flatten()
        .map(|process| process.path())
        .find(|process| std::fs::read_link(process.join("exe")).is_ok_and(|exe| exe == program))
}

#[cfg(not(target_os = "linux"))]
fn sleeper() -> Option<PathBuf> {
    lexforge_needs::unavailable("this system has no /proc");
    None
}

#[test]
fn a_real_chinese_scan_is_read() {
    let scan = "pdf-edge-cases/scanned_no_text_layer_zh_customs_penalty_decision.pdf";
    let Some(file) = lexforge_needs::data(scan) else {
        return;
    };
    let bytes = std::fs::read(file).unwrap();
    let without = ParseOptions {
        ocr: None,
        ..ParseOptions::default()
    };
    let failure = parser()
        .parse("scan.pdf", &bytes, &without, &mut |_, _| {}, &|| false)
        .unwrap_err();
    assert_eq!(failure.code, Code::ScannedNoText);
    let Some(program) = tesseract() else { return };
    if !ocr::describe(&program, None).is_ok_and(|found| found.contains("chi_sim")) {
        return lexforge_needs::missing("Tesseract has no Chinese");
    }
    let options = ParseOptions {
        ocr: Some(program),
        ..ParseOptions::default()
    };
    let document = parser()
        .parse("scan.pdf", &bytes, &options, &mut |_, _| {}, &|| false)
        .unwrap();
    assert_eq!(document.engines.ocr, 3);
    let text = text(&document);
    for words in [
        "行政处罚决定书",
        "海关注册登记编码",
        "当事人有以下违法行为",
        "中华人民共和国行政处罚法",
    ] {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
    assert!(document.sentences.iter().all(|s| !s.regions.is_empty()));
}
