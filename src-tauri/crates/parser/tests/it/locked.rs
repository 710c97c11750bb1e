//! PDFs that a password locks: what opens them. The files are one page of ours that qpdf encrypted.

use lexforge_domain::{Code, Failure};
use lexforge_ingest::ParseOptions;
use lexforge_ingest::error::IngestError;
use lexforge_parser::read;
use lexforge_parser::reader::{Source, owner};
use lexforge_parser::render;
use std::path::Path;
use std::sync::Arc;

const RULE: &str = "The institution shall keep each record for ten years.";

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locked");
    std::fs::read(folder.join(name)).unwrap()
}

/// The text of a file as this password opens it.
fn text(name: &str, password: Option<&str>) -> Result<String, IngestError> {
    let options = ParseOptions {
        password: password.map(str::to_owned),
        ..ParseOptions::default()
    };
    let document = read::read(name, file(name), &options, &mut |_, _| {})?;
    let agreement = document.reader_agreement;
    assert!(
        agreement.is_some_and(|share| share > 0.99),
        "{name}: {agreement:?}"
    );
    let sentences = document.sentences.iter().map(|s| s.text.as_str());
    Ok(sentences.collect::<Vec<_>>().join(" "))
}

#[test]
fn a_file_that_only_an_owner_locks_opens_for_everybody() {
    for name in ["owner_only2.pdf", "owner_only4.pdf", "owner_only6.pdf"] {
        for password in [None, Some("owner"), Some("neither")] {
            let text = text(name, password).unwrap();
            assert!(text.contains(RULE), "{name}: {text}");
        }
    }
}

#[test]
fn a_locked_file_opens_with_either_of_its_passwords() {
    for name in [
        "revision2.pdf",
        "revision3.pdf",
        "revision4.pdf",
        "revision6.pdf",
    ] {
        for password in ["open me", "owner"] {
            let text = text(name, Some(password)).unwrap();
            assert!(text.contains(RULE), "{name}: {text}");
            let bytes = Arc::new(file(name));
            let source = Source {
                password: owner::for_readers(&bytes, Some(password.to_owned())),
                bytes,
                max_pages: 1,
            };
            assert!(render::png(&source, 1, 20.0).is_ok(), "{name}: {password}");
        }
        for password in [None, Some("neither"), Some("")] {
            let refused = text(name, password).unwrap_err();
            let given = password.is_some();
            assert!(
                matches!(refused, IngestError::Password { given: told } if told == given),
                "{name}: {refused}"
            );
            assert_eq!(Failure::from(refused).code, Code::PasswordRequired);
        }
    }
}
