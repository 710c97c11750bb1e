//! Of two readings of a page the better one is kept, whichever reader it comes from, and the difference is shown.

use crate::made::{helvetica, latin, stream, text_pages};
use lexforge_domain::document::{EngineCounts, ParsedDocument, ReadEngine};
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;

const LINES: &[&str] = &[
    "The institution shall maintain a register of outsourcing arrangements.",
    "It shall submit the register to the competent authority each year.",
    "The competent authority may ask for it at any other time.",
];

fn parse(bytes: Vec<u8>) -> ParsedDocument {
    read::read("made.pdf", bytes, &ParseOptions::default(), &mut |_, _| {}).unwrap()
}

fn text(document: &ParsedDocument) -> String {
    document
        .pages
        .iter()
        .map(|p| p.text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

fn widths() -> String {
    "500 ".repeat(256)
}

#[test]
fn readings_that_agree_are_the_main_readers() {
    let document = parse(text_pages(&[LINES], &helvetica(), latin));
    assert_eq!(
        document.engines,
        EngineCounts {
            hayro: 1,
            ..EngineCounts::default()
        }
    );
    assert_eq!(document.reader_agreement, Some(1.0));
    assert!(
        document.warnings.is_empty() && document.pages[0].differences.is_empty(),
        "{:?}",
        document.warnings
    );
    assert_eq!(text(&document), LINES.join("\n"));
}

/// A font whose glyph names have no meaning outside the font. The main reader cannot read its characters. The second
/// reader reads the codes in their usual meaning, which gives English.
#[test]
fn where_the_main_reader_knows_no_characters_the_second_is_kept() {
    let names: String = (32..127).map(|i| format!("/c{i}")).collect();
    let font = format!(
        "<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Own/FontDescriptor 4 0 R/FirstChar 0/LastChar 255/Widths[{}]\
         /Encoding<</Type/Encoding/Differences[32{names}]>>>>",
        widths()
    );
    let descriptor = "<</Type/FontDescriptor/FontName/ABCDEF+Own/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0\
                      /Ascent 800/Descent -200/CapHeight 700/StemV 80>>";
    let document = parse(text_pages(
        &[LINES],
        &[font.into_bytes(), descriptor.as_bytes().to_vec()],
        latin,
    ));
    assert_eq!(
        document.engines,
        EngineCounts {
            pdf_extract: 1,
            ..EngineCounts::default()
        }
    );
    assert_eq!(document.pages[0].engine, ReadEngine::PdfExtract);
    assert_eq!(text(&document), LINES.join("\n"));
    let kept = document
        .warnings
        .iter()
        .find(|w| w.code == "second_reader_kept")
        .unwrap();
    assert!(
        kept.page == Some(1) && kept.message.contains("without a meaning"),
        "{kept:?}"
    );
    // The places are the page's: the first line's baseline is 62 points below the upper edge.
    let place = document.sentences[0].regions[0];
    assert!(
        (place.x0 - 60.0).abs() < 1.0 && place.y0 < 62.0 && place.y1 > 62.0,
        "{place:?}"
    );
    assert!(
        document.pages[0]
            .differences
            .iter()
            .all(|d| d.other.is_empty() && !d.kept.is_empty())
    );
}

/// Widths given as a range, which the second reader overlooks: its letters fall on each other and many are lost.
#[test]
fn where_the_second_reader_is_worse_the_main_one_stays() {
    let map = "begincmap 1 begincodespacerange <0000><FFFF> endcodespacerange \
               1 beginbfrange <0020> <007E> <0020> endbfrange endcmap";
    let font = [
        b"<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 6 0 R>>"
            .to_vec(),
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)\
          /Supplement 0>>/FontDescriptor 5 0 R/DW 0/W[32 126 500]>>"
            .to_vec(),
        b"<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200\
          /CapHeight 700/StemV 80>>"
            .to_vec(),
        stream("", map.as_bytes()),
    ];
    let two_bytes = |line: &str| latin(line).into_iter().flat_map(|b| [0, b]).collect();
    let document = parse(text_pages(&[LINES], &font, two_bytes));
    assert_eq!(
        document.engines,
        EngineCounts {
            hayro: 1,
            ..EngineCounts::default()
        }
    );
    assert_eq!(text(&document), LINES.join("\n"));
    assert!(document.pages[0].agreement.unwrap() < 0.9);
    let page = &document.pages[0];
    assert!(
        !page.differences.is_empty() && page.differences.len() <= 12,
        "{:?}",
        page.differences
    );
    assert!(page.differences.iter().all(|d| {
        d.regions
            .iter()
            .all(|r| r.page == 1 && r.x1 > r.x0 && r.y1 > r.y0)
    }));
    let warning = document
        .warnings
        .iter()
        .find(|w| w.code == "readers_differ")
        .unwrap();
    assert!(warning.message.contains("places"), "{warning:?}");
}
