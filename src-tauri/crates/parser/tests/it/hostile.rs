//! Files made to harm their reader. Each must give a document or one clear failure, within its limits, and the calling
//! process must go on.

use crate::made::{helvetica, latin, pdf, stream, text_pages};
use lexforge_domain::Code;
use lexforge_ingest::{ParseLimits, ParseOptions, Parser};
use std::time::{Duration, Instant};

/// Time and memory that each of these files is given.
const WALL: Duration = Duration::from_secs(12);
const MEMORY: u64 = 640 << 20;

/// Processor time of the programs that this process started and that have ended; `None` where the system does not tell.
fn used_by_children() -> Option<Duration> {
    /// Linux counts it in hundredths of a second.
    const TICKS_A_SECOND: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    // The fields `cutime` and `cstime`: the 16th and the 17th, of which two stand before the bracket.
    let mut fields = fields.split_whitespace().skip(13);
    let mut next = || fields.next()?.parse::<u64>().ok();
    let ticks = next()? + next()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS_A_SECOND))
}

fn parser() -> Parser {
    let limits = ParseLimits {
        wall: WALL,
        memory_bytes: MEMORY,
        ..ParseLimits::default()
    };
    Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), limits)
}

/// Zlib data that unpacks to `length` zeros: one literal, then matches of 258 bytes at distance 1, 13 bits each.
fn zeros(length: usize) -> Vec<u8> {
    let mut out = vec![0x78, 0x9C];
    let (mut bits, mut count) = (0u64, 0u32);
    let mut put = |code: u64, width: u32, out: &mut Vec<u8>| {
        bits |= code << count;
        count += width;
        while count >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    };
    put(0b011, 3, &mut out);
    put(0b0000_1100, 8, &mut out);
    for _ in 0..length / 258 {
        put(0b1010_0011, 8, &mut out);
        put(0, 5, &mut out);
    }
    put(0, 16, &mut out);
    out
}

/// One page with this content, these resources and these further objects (from 5 on).
fn one_page(
    content: &[u8],
    entries: &str,
    resources: &str,
    page: &str,
    more: Vec<Vec<u8>>,
) -> Vec<u8> {
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<{resources}>>{page}>>")
            .into_bytes(),
        stream(entries, content),
    ];
    objects.extend(more);
    pdf(&objects)
}

const PAGE: &str = "/MediaBox[0 0 595 842]";

fn form(content: &str, resources: &str) -> Vec<u8> {
    let entries = format!("/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<<{resources}>>");
    stream(&entries, content.as_bytes())
}

/// Forms that each draw the next one ten times: 10^12 drawings.
fn fan() -> Vec<u8> {
    let draw = |n: usize| format!("/F{n} Do ").repeat(10);
    let forms = (0..12)
        .map(|i| {
            form(
                &draw(i + 1),
                &format!("/XObject<</F{} {} 0 R>>", i + 1, 6 + i),
            )
        })
        .chain(std::iter::once(form("BT (x) Tj ET", "")))
        .collect();
    one_page(b"/F0 Do", "", "/XObject<</F0 5 0 R>>", PAGE, forms)
}

#[test]
fn each_is_one_clear_failure_or_a_document() {
    let objects = |list: &[&str]| {
        pdf(&list
            .iter()
            .map(|o| o.as_bytes().to_vec())
            .collect::<Vec<_>>())
    };
    let catalogue = "<</Type/Catalog/Pages 2 0 R>>";
    let many: String = "<</Type/Page/MediaBox[0 0 9 9]>>".repeat(20_000);
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let image = "/Type/XObject/Subtype/Image/Width 200000/Height 200000/ColorSpace/DeviceRGB/BitsPerComponent 8";
    let map = "begincmap 1 begincodespacerange <0000><FFFF> endcodespacerange \
               1 beginbfrange <00000000> <FFFFFFFF> <0020> endbfrange endcmap";
    let font = [
        b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 5 0 R>>".to_vec(),
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>\
          /W[0 4294967295 500]>>"
            .to_vec(),
        stream("", map.as_bytes()),
    ];
    let gigabyte = zeros(1 << 30);
    for (name, bytes) in [
        (
            "content bomb",
            one_page(&gigabyte, "/Filter/FlateDecode", "", PAGE, vec![]),
        ),
        (
            "page tree loop",
            objects(&[
                catalogue,
                "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 9>>",
                "<</Type/Pages/Kids[2 0 R]>>",
            ]),
        ),
        (
            "more pages than allowed",
            objects(&[
                catalogue,
                &format!("<</Type/Pages/Kids[{many}]/Count 20000>>"),
            ]),
        ),
        (
            "page count that lies",
            objects(&[catalogue, "<</Type/Pages/Kids[]/Count 2147483647>>"]),
        ),
        (
            "form that draws itself",
            one_page(
                b"/F Do",
                "",
                "/XObject<</F 5 0 R>>",
                PAGE,
                vec![form("/F Do", "/XObject<</F 5 0 R>>")],
            ),
        ),
        ("forms that fan out", fan()),
        (
            "giant image",
            one_page(
                b"q 595 0 0 842 0 0 cm /I Do Q",
                "",
                "/XObject<</I 5 0 R>>",
                PAGE,
                vec![stream(image, b"x")],
            ),
        ),
        (
            "giant page",
            one_page(b"BT ET", "", "", "/MediaBox[0 0 1e9 1e9]", vec![]),
        ),
        (
            "infinite page",
            one_page(b"BT ET", "", "", "/MediaBox[-1e38 -1e38 1e38 1e38]", vec![]),
        ),
        (
            "arrays in arrays",
            one_page(deep(2_000_000).as_bytes(), "", "", PAGE, vec![]),
        ),
        (
            "arrays in an object",
            objects(&[catalogue, "<</Type/Pages/Kids[3 0 R]>>", &deep(1_000_000)]),
        ),
        (
            "states saved without end",
            one_page("q ".repeat(4_000_000).as_bytes(), "", "", PAGE, vec![]),
        ),
        ("object stream in itself", {
            let itself = stream("/Type/ObjStm/N 1/First 4/Extends 4 0 R", b"4 0 <<>>");
            pdf(&[
                catalogue.as_bytes().to_vec(),
                b"<</Type/Pages/Kids[4 0 R]/Count 1>>".to_vec(),
                b"null".to_vec(),
                itself,
            ])
        }),
        (
            "character map without end",
            text_pages(&[&["ab"]], &font, latin),
        ),
        ("object stream bomb", {
            let bomb = stream(
                "/Type/ObjStm/N 1000000000/First 10/Filter/FlateDecode",
                &gigabyte,
            );
            pdf(&[
                catalogue.as_bytes().to_vec(),
                b"<</Type/Pages/Kids[9 0 R]/Count 1>>".to_vec(),
                bomb,
            ])
        }),
    ] {
        let (started, before) = (Instant::now(), used_by_children());
        let options = ParseOptions {
            ocr: None,
            ..ParseOptions::default()
        };
        let outcome = parser().parse("hostile.pdf", &bytes, &options, &mut |_, _| {}, &|| false);
        // The limit is in processor time, because on a busy machine the clock says little about a file.
        let took = match (before, used_by_children()) {
            (Some(before), Some(now)) => now - before,
            _ => started.elapsed(),
        };
        let told = outcome
            .as_ref()
            .map(|d| d.sentences.len())
            .map_err(|f| (f.code, f.message.clone()));
        println!(
            "{name}: {} KB, {:.1} s, {told:?}",
            bytes.len() >> 10,
            took.as_secs_f32()
        );
        assert!(
            took < WALL + Duration::from_secs(10),
            "{name} took {took:?}"
        );
        // A child that only waits uses no processor time: the clock has a limit as well.
        assert!(
            started.elapsed() < 10 * WALL + Duration::from_secs(10),
            "{name} hung"
        );
        if let Err(failure) = outcome {
            let clear = [
                Code::TooLarge,
                Code::TimedOut,
                Code::Damaged,
                Code::Empty,
                Code::ScannedNoText,
            ];
            assert!(clear.contains(&failure.code), "{name}: {failure:?}");
            assert!(!failure.hint.is_empty(), "{name}");
        }
    }
    // The caller reads on.
    let good = text_pages(&[&["The bank shall report."]], &helvetica(), latin);
    assert!(
        parser()
            .parse(
                "good.pdf",
                &good,
                &ParseOptions::default(),
                &mut |_, _| {},
                &|| false
            )
            .is_ok()
    );
}

#[test]
fn running_out_of_memory_is_too_large_and_running_on_is_timed_out() {
    let options = ParseOptions {
        second_reader: false,
        ocr: None,
        ..ParseOptions::default()
    };
    let bomb = one_page(&zeros(1 << 30), "/Filter/FlateDecode", "", PAGE, vec![]);
    let failure = parser()
        .parse("bomb.pdf", &bomb, &options, &mut |_, _| {}, &|| false)
        .unwrap_err();
    assert_eq!(failure.code, Code::TooLarge);
    assert!(
        failure
            .message
            .contains("needs more memory than the 640 MiB"),
        "{failure:?}"
    );
    let brief = ParseLimits {
        wall: Duration::from_secs(2),
        ..ParseLimits::default()
    };
    let parser = Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), brief);
    let failure = parser
        .parse("fan.pdf", &fan(), &options, &mut |_, _| {}, &|| false)
        .unwrap_err();
    assert_eq!(failure.code, Code::TimedOut, "{failure:?}");
}

#[test]
fn pages_that_cannot_be_found_are_told() {
    let options = ParseOptions {
        second_reader: false,
        ocr: None,
        ..ParseOptions::default()
    };
    let mut bytes = text_pages(&[&["The bank shall report."]], &helvetica(), latin);
    let count = bytes.windows(7).position(|part| part == b"/Count ");
    let count = count.unwrap() + 7;
    for (stated, told) in [(b'1', 0), (b'3', 1)] {
        bytes[count] = stated;
        let document = parser()
            .parse("pages.pdf", &bytes, &options, &mut |_, _| {}, &|| false)
            .unwrap();
        assert_eq!(document.pages.len(), 1);
        let warnings = document.warnings.iter();
        let missing: Vec<&str> = warnings
            .filter(|w| w.code == "page_unreadable")
            .map(|w| w.message.as_str())
            .collect();
        assert_eq!(missing.len(), told, "{missing:?}");
        let named = |message: &&str| message.contains("3 pages, and 1 can be found");
        assert!(missing.iter().all(named), "{missing:?}");
    }
}

#[test]
fn a_parser_inside_one_page_can_be_cancelled() {
    let started = Instant::now();
    let soon = || started.elapsed() > Duration::from_secs(1);
    let failure = parser()
        .parse(
            "fan.pdf",
            &fan(),
            &ParseOptions::default(),
            &mut |_, _| {},
            &soon,
        )
        .unwrap_err();
    assert_eq!(failure.code, Code::Cancelled, "{failure:?}");
    assert!(started.elapsed() < Duration::from_secs(6));
}

#[test]
fn forms_that_fan_out_are_given_up_by_what_they_draw_and_not_by_the_clock() {
    let parser = Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), ParseLimits::default());
    let options = ParseOptions {
        ocr: None,
        ..ParseOptions::default()
    };
    let failure = parser
        .parse("forms.pdf", &fan(), &options, &mut |_, _| {}, &|| false)
        .unwrap_err();
    assert_eq!(failure.code, Code::Damaged, "{failure:?}");
    assert!(failure.message.contains("nests"), "{failure:?}");
}
