//! Letters whose font takes them for small ones, in a file of our own.

use crate::made::{latin, stream, text_pages};
use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::fmt::Write as _;

/// Helvetica whose own map takes the bytes of these capitals for small letters.
fn font(capitals: &str) -> Vec<Vec<u8>> {
    let mut entries = String::new();
    let (mut count, printable) = (0, b' '..=b'~');
    for byte in printable {
        let said = if capitals.contains(char::from(byte)) {
            byte.to_ascii_lowercase()
        } else {
            byte
        };
        let _ = writeln!(entries, "<{byte:02x}> <{said:04x}>");
        count += 1;
    }
    let map = format!(
        "begincmap 1 begincodespacerange <00><FF> endcodespacerange {count} beginbfchar {entries} endbfchar endcmap"
    );
    vec![
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 4 0 R>>"
            .to_vec(),
        stream("", map.as_bytes()),
    ]
}

fn document(capitals: &str, lines: &[&str]) -> ParsedDocument {
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    let file = text_pages(&[lines], &font(capitals), latin);
    read::read("made.pdf", file, &options, &mut |_, _| {}).unwrap()
}

const LINES: [&str; 3] = [
    "No bank in Norway lends more than a tenth of its own funds to one customer.",
    "However, the authority may allow a higher limit in a single case, and then for one",
    "year at most. The bank names each such case in its next report to the authority.",
];

#[test]
fn sentences_have_the_capitals_that_the_page_shows() {
    let texts = |d: &ParsedDocument| -> Vec<String> {
        d.sentences.iter().map(|s| s.text.clone()).collect()
    };
    let right = document("", &LINES);
    assert_eq!(texts(&right).len(), 3, "{right:#?}");
    // The file's own text stays what a search in the file finds.
    let wrong = document("NH", &LINES);
    assert_eq!(texts(&wrong), texts(&right));
    assert_ne!(wrong.pages[0].text, right.pages[0].text);
    assert_eq!(
        wrong.pages[0].text.to_lowercase(),
        right.pages[0].text.to_lowercase()
    );
    // Where all letters are from the bytes of capitals, nothing shows that these are capitals.
    let small = document("NORWAY", &["NORWAY"]);
    assert_eq!(texts(&small), ["norway"]);
}
