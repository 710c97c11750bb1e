//! Reads the inputs again that fuzzing has collected. Each must give a document or one failure, and must not cause a
//! panic in the product's code. The first byte of a file chooses the format, as in the fuzz target (`tools/fuzz`).

use lexforge_domain::document::DocumentFormat;
use lexforge_ingest::ParseOptions;
use lexforge_parser::docx::{self, Parts};
use lexforge_parser::read;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

/// The time limit for one input. It is far more than any input needs, so that only a hang exceeds it.
const PATIENCE: Duration = Duration::from_secs(60);

fn replay(bytes: &[u8]) {
    const NAMES: [&str; 6] = ["a.pdf", "a.txt", "a.jsonl", "a.html", "a.md", "a.docx"];
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    match NAMES.get(usize::from(choice) % (NAMES.len() + 1)) {
        Some(name) => {
            let options = ParseOptions {
                second_reader: false,
                max_pages: 50,
                ..ParseOptions::default()
            };
            let _ = read::read(name, rest.to_vec(), &options, &mut |_, _| {});
        }
        None => {
            let document = String::from_utf8_lossy(rest).into_owned();
            let _ = docx::read(&Parts {
                document,
                ..Parts::default()
            })
            .and_then(|flow| flow.document("a", DocumentFormat::Docx));
        }
    }
}

#[test]
fn every_kept_input_ends_in_text_or_one_failure() {
    let folder = lexforge_needs::root().join("src-tauri/crates/parser/tests/it/fuzz_corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() > 50, "the corpus is missing");
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let (done, waits) = mpsc::channel();
        // The stack that the parser program gives its thread.
        let thread = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || {
                replay(&bytes);
                done.send(()).unwrap();
            });
        match waits.recv_timeout(PATIENCE) {
            Ok(()) => thread.unwrap().join().unwrap(),
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{} hangs", file.display()),
            Err(mpsc::RecvTimeoutError::Disconnected) => panic!("{} panics", file.display()),
        }
    }
}
