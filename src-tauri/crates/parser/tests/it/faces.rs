//! Bold type of fonts that a file names and does not hold.

use crate::made::{pdf, stream};
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;

/// Two paragraphs with a line between them in a font that the file does not hold; whether the line is read as a heading.
fn is_heading(font: &str) -> bool {
    let page = "<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</Font<</F 3 0 R/H 4 0 R>>>>>>";
    let content = "BT /F 11 Tf 14 TL 60 780 Td \
        (A bank that lends to a client counts what it has lent to all members of the) Tj T* \
        (group, and reports the sum to the authority at the end of each quarter.) Tj ET \
        BT /H 11 Tf 60 730 Td (Limits of exposures) Tj ET \
        BT /F 11 Tf 14 TL 60 700 Td \
        (No bank lends more than a quarter of its capital to one group of clients, and) Tj T* \
        (the authority may set a lower share where the risks of a group are great.) Tj ET";
    let named = |font: &str| {
        format!("<</Type/Font/Subtype/Type1/BaseFont/{font}/Encoding/WinAnsiEncoding>>")
            .into_bytes()
    };
    let file = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[5 0 R]/Count 1/MediaBox[0 0 595 842]>>".to_vec(),
        named("Helvetica"),
        named(font),
        page.into(),
        stream("", content.as_bytes()),
    ]);
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
        assert!(is_heading(font), "{font}");
    }
    for font in ["Helvetica", "Times-Roman", "ArialMT"] {
        assert!(!is_heading(font), "{font}");
    }
}
