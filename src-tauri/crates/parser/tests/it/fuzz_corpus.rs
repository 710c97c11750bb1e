//! The whole way from a file to sentences, as a target for damaged inputs (`lexforge_hostile`): the inputs in
//! `tests/corpora/parser`, which fuzzing has collected, and damaged copies of them. Each must give a document or one
//! failure, and must not cause a panic in the product's code. The first byte of an input chooses the format, as in the
//! fuzz target with instrumentation (`tools/fuzz`).

use lexforge_domain::document::DocumentFormat;
use lexforge_hostile::{Target, about, kind};
use lexforge_ingest::ParseOptions;
use lexforge_parser::docx::{self, Parts};
use lexforge_parser::read;

const TARGET: Target = Target {
    name: "parser",
    feed: parser,
};

#[test]
fn the_parser_answers_whatever_it_is_given() {
    let corpora = lexforge_needs::root().join("tests/corpora");
    let inputs = std::fs::read_dir(corpora.join(TARGET.name)).unwrap();
    assert!(inputs.count() > 50, "the corpus is missing");
    lexforge_hostile::feed(&[TARGET], &corpora);
}

/// Which format was read, and how many sentences came of it or what was wrong.
fn parser(bytes: &[u8]) -> String {
    const NAMES: [&str; 6] = ["a.pdf", "a.txt", "a.jsonl", "a.html", "a.md", "a.docx"];
    let Some((&choice, rest)) = bytes.split_first() else {
        return String::new();
    };
    let choice = usize::from(choice) % (NAMES.len() + 1);
    let read = match NAMES.get(choice) {
        Some(name) => {
            let options = ParseOptions {
                second_reader: false,
                max_pages: 50,
                ..ParseOptions::default()
            };
            read::read(name, rest.to_vec(), &options, &mut |_, _| {})
        }
        None => {
            let document = String::from_utf8_lossy(rest).into_owned();
            docx::read(&Parts {
                document,
                ..Parts::default()
            })
            .and_then(|flow| flow.document("a", DocumentFormat::Docx))
        }
    };
    let name = NAMES.get(choice).unwrap_or(&"main part of a.docx");
    match read {
        Ok(document) => format!("{name} {}", about(document.sentences.len())),
        Err(why) => format!("{name} {}", kind(why)),
    }
}
