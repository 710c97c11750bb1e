//! The fuzz target: the first byte chooses the format, the rest is the file.
//!
//! It is built by stable Rust with AFL++'s instrumentation: `cargo afl build --release`, then
//! `cargo afl fuzz -i SEEDS -o OUT target/release/lexforge-fuzz`. A panic that the product does not catch is a finding.
#![forbid(unsafe_code)]

use lexforge_domain::document::DocumentFormat;
use lexforge_parser::docx::{self, Parts};
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;

/// Names by which the formats are told.
const NAMES: [&str; 6] = ["a.pdf", "a.txt", "a.jsonl", "a.html", "a.md", "a.docx"];

/// A numbering for the documents that are fed as their main part alone.
const NUMBERING: &str = "<numbering><abstractNum abstractNumId='0'><lvl ilvl='0'><start val='1'/><numFmt val='decimal'/>\
    <lvlText val='Article %1'/></lvl><lvl ilvl='1'><numFmt val='lowerLetter'/><lvlText val='(%2)'/></lvl></abstractNum>\
    <num numId='1'><abstractNumId val='0'/></num></numbering>";

fn main() {
    // Without the hook: a panic of a third-party reader that the product catches is no finding.
    afl::fuzz_nohook!(|data: &[u8]| {
        let Some((&choice, bytes)) = data.split_first() else { return };
        let choice = usize::from(choice) % (NAMES.len() + 1);
        let Some(name) = NAMES.get(choice) else {
            // The checksums of a package would turn nearly every change away: its main part alone.
            let document = String::from_utf8_lossy(bytes).into_owned();
            let _ = docx::read(&Parts { document, numbering: Some(NUMBERING.to_owned()), ..Parts::default() })
                .and_then(|flow| flow.document("a", DocumentFormat::Docx));
            return;
        };
        let options = ParseOptions { second_reader: false, max_pages: 50, ..ParseOptions::default() };
        // Text or one failure: either is an answer.
        let _ = read::read(name, bytes.to_vec(), &options, &mut |_, _| {});
    });
}
