//! Bold type of fonts that a file names and does not hold, and of fonts whose look only their description states.

use crate::made::{pdf, stream};
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;

/// Whether a line in another font, between two paragraphs, is read as a heading. `more` holds further objects of the
/// file, from number 7 on.
fn is_heading(font: &str, more: Vec<Vec<u8>>) -> bool {
    let page = "<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</Font<</F 3 0 R/H 4 0 R>>>>>>";
    let content = "BT /F 11 Tf 14 TL 60 780 Td \
        (A bank that lends to a client counts what it has lent to all members of the) Tj T* \
        (group, and reports the sum to the authority at the end of each quarter.) Tj ET \
        BT /H 11 Tf 60 730 Td (Limits of exposures) Tj ET \
        BT /F 11 Tf 14 TL 60 700 Td \
        (No bank lends more than a quarter of its capital to one group of clients, and) Tj T* \
        (the authority may set a lower share where the risks of a group are great.) Tj ET";
    let named = |font: &str, entries: &str| {
        format!("<</Type/Font/Subtype/Type1/BaseFont/{font}/Encoding/WinAnsiEncoding{entries}>>")
            .into_bytes()
    };
    let widths = "500 ".repeat(95);
    let described = format!("/FirstChar 32/LastChar 126/Widths[{widths}]/FontDescriptor 7 0 R");
    let entries = if more.is_empty() {
        ""
    } else {
        described.as_str()
    };
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[5 0 R]/Count 1/MediaBox[0 0 595 842]>>".to_vec(),
        named("Helvetica", ""),
        named(font, entries),
        page.into(),
        stream("", content.as_bytes()),
    ];
    objects.extend(more);
    let file = pdf(&objects);
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    let document = read::read("made.pdf", file, &options, &mut |_, _| {}).unwrap();
    let line = document
        .sentences
        .iter()
        .find(|s| s.text == "Limits of exposures");
    line.is_some_and(|s| s.kind == SentenceKind::Heading)
}

#[test]
fn a_line_in_a_bold_standard_font_is_a_heading() {
    for font in [
        "Helvetica-Bold",
        "Times-Bold",
        "Arial-BoldMT",
        "Courier-BoldOblique",
    ] {
        assert!(is_heading(font, Vec::new()), "{font}");
    }
    for font in ["Helvetica", "Times-Roman", "ArialMT"] {
        assert!(!is_heading(font, Vec::new()), "{font}");
    }
}

/// A font program in the compact format with an empty glyph for each printable character of ASCII.
fn compact_font() -> Vec<u8> {
    let index = |items: &[Vec<u8>]| {
        let mut out = u16::try_from(items.len()).unwrap().to_be_bytes().to_vec();
        if items.is_empty() {
            return out;
        }
        out.push(2);
        let mut offset = 1u16;
        out.extend(offset.to_be_bytes());
        for item in items {
            offset += u16::try_from(item.len()).unwrap();
            out.extend(offset.to_be_bytes());
        }
        out.extend(items.concat());
        out
    };
    let glyphs = 95u16;
    let charset: Vec<u8> = std::iter::once(0)
        .chain((1..=glyphs).flat_map(u16::to_be_bytes))
        .collect();
    let outlines = index(&vec![vec![14]; usize::from(glyphs) + 1]);
    let private = [139, 20];
    let head = |charset_at: usize, outlines_at: usize, private_at: usize| {
        let number = |value: usize| {
            let value = i32::try_from(value).unwrap();
            [vec![29], value.to_be_bytes().to_vec()].concat()
        };
        let top = [
            number(charset_at),
            vec![15],
            number(outlines_at),
            vec![17],
            number(private.len()),
            number(private_at),
            vec![18],
        ]
        .concat();
        let parts = [
            vec![1, 0, 4, 4],
            index(&[b"Made".to_vec()]),
            index(&[top]),
            index(&[]),
            index(&[]),
        ];
        parts.concat()
    };
    let begin = head(0, 0, 0).len();
    let outlines_at = begin + charset.len();
    let private_at = outlines_at + outlines.len();
    let mut font = head(begin, outlines_at, private_at);
    font.extend(charset);
    font.extend(outlines);
    font.extend(private);
    font
}

#[test]
fn a_line_in_a_bold_font_that_the_file_holds_is_a_heading() {
    let held = |name: &str, flags: u32| {
        let descriptor = format!(
            "<</Type/FontDescriptor/FontName/{name}/Flags {flags}/ItalicAngle 0/Ascent 700/Descent -200\
             /CapHeight 700/StemV 80/FontBBox[0 -200 1000 800]/MissingWidth 500/FontFile3 8 0 R>>"
        );
        let program = stream("/Subtype/Type1C", &compact_font());
        is_heading(name, vec![descriptor.into_bytes(), program])
    };
    assert!(held("ABCDEF+Made-Semibold", 32));
    assert!(held("ABCDEF+Made-Bd", 32));
    assert!(held("ABCDEF+Made", 32 | 1 << 18));
    assert!(!held("ABCDEF+Made-Regular", 32));
}
