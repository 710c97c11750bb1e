//! The second reader keeps the fonts of a document from page to page, and reads no image as text.

use crate::made::{pdf, stream};
use lexforge_parser::reader::pdf_extract::PdfExtract;
use lexforge_parser::reader::{RawPage, Reader, Source};
use std::sync::Arc;

const PLAIN: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";
/// The codes of `a` and `b` stand for `x` and `y`.
const OTHER: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding\
    <</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[97/x/y]>>>>";
const TEXT: &str = "BT /F 11 Tf 60 780 Td (ab) Tj ET";

/// What the second reader reads on pages with a font (object 3 or 4) and a content each.
fn read(pages: &[(u8, &str)]) -> Vec<Option<String>> {
    let kids: String = (0..pages.len())
        .map(|i| format!("{} 0 R ", 6 + 2 * i))
        .collect();
    let image =
        "/Type/XObject/Subtype/Image/Width 8/Height 5/ColorSpace/DeviceGray/BitsPerComponent 8";
    let count = pages.len();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {count}/MediaBox[0 0 595 842]>>").into_bytes(),
        PLAIN.into(),
        OTHER.into(),
        stream(image, b"BT /F 11 Tf 60 700 Td (zzzzzzzzzz) Tj ET"),
    ];
    for (i, (font, content)) in pages.iter().enumerate() {
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F {font} 0 R>>/XObject<</I 5 0 R>>>>>>",
            7 + 2 * i
        );
        objects.extend([page.into_bytes(), stream("", content.as_bytes())]);
    }
    let source = Source {
        bytes: Arc::new(pdf(&objects)),
        password: None,
        max_pages: 100,
    };
    let raw = PdfExtract.read(&source, &mut |_, _| {}).unwrap();
    let text =
        |page: Option<RawPage>| page.map(|page| page.glyphs.iter().map(|glyph| glyph.ch).collect());
    raw.pages.into_iter().map(text).collect()
}

#[test]
fn one_name_is_another_font_on_another_page() {
    let found = read(&[(3, TEXT), (4, TEXT), (3, TEXT), (4, TEXT)]);
    let found: Vec<&str> = found.iter().filter_map(Option::as_deref).collect();
    assert_eq!(found, ["ab", "xy", "ab", "xy"]);
}

#[test]
fn a_page_that_cannot_be_read_leaves_the_others() {
    // A matrix of one number.
    let found = read(&[(4, TEXT), (3, "1 cm"), (4, TEXT), (3, TEXT)]);
    let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
    assert_eq!(found, [Some("xy"), None, Some("xy"), Some("ab")]);
}

#[test]
fn the_bytes_of_an_image_are_no_text() {
    let content = format!("q 80 0 0 50 60 600 cm /I Do Q {TEXT}");
    assert_eq!(read(&[(3, &content)]), [Some("ab".to_owned())]);
}
