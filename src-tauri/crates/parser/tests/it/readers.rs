//! Files that break naive readers, through the supervised child. Skipped where the data folder is absent.

use lexforge_domain::document::ParsedDocument;
use lexforge_domain::{Code, Failure};
use lexforge_ingest::{ParseLimits, ParseOptions, Parser};
use std::path::PathBuf;
use std::time::Duration;

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

fn parser() -> Parser {
    Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), ParseLimits::default())
}

fn parse(name: &str, bytes: &[u8], options: &ParseOptions) -> Result<ParsedDocument, Failure> {
    parser().parse(name, bytes, options, &mut |_, _| {}, &|| false)
}

fn parsed(name: &str, bytes: &[u8]) -> ParsedDocument {
    parse(name, bytes, &ParseOptions::default()).unwrap()
}

fn code(name: &str, bytes: &[u8]) -> Code {
    let failure = parse(name, bytes, &ParseOptions::default()).unwrap_err();
    assert_eq!(failure.file.as_deref(), Some(name));
    assert!(
        !failure.message.is_empty() && !failure.hint.is_empty(),
        "{failure:?}"
    );
    failure.code
}

#[test]
fn every_bad_file_is_one_failure() {
    for (name, bytes, expected) in [
        ("empty.pdf", &b""[..], Code::Empty),
        ("page.pdf", b"<html>not a pdf</html>", Code::NotAPdf),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<</Type/Cata", Code::Damaged),
        ("letter.docx", b"PK\x03\x04", Code::Damaged),
        ("letter.docx", b"{\\rtf1 text}", Code::Damaged),
        (
            "letter.doc",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
            Code::UnsupportedFormat,
        ),
        (
            "locked.docx",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0",
            Code::Encrypted,
        ),
        ("sheet.xlsx", b"PK\x03\x04", Code::UnsupportedFormat),
        (
            "scripts.html",
            b"<script>document.write('text')</script>",
            Code::Empty,
        ),
        ("none", b"text", Code::UnsupportedFormat),
        ("latin.txt", b"caf\xE9", Code::UnsupportedFormat),
        ("blank.txt", b" \n", Code::Empty),
        ("corpus.jsonl", b"{\"id\":1}\nx\n", Code::CorpusLineInvalid),
    ] {
        assert_eq!(code(name, bytes), expected, "{name}");
    }
}

#[test]
fn texts_and_corpora_come_through_the_child() {
    let text = parsed("rules.txt", "Article 1\nThe bank shall report.".as_bytes());
    assert_eq!(
        text.sentences.last().unwrap().text,
        "The bank shall report."
    );
    // A name that begins like an option is a name.
    let named = parsed("-rf --name.txt", b"The bank shall report.");
    assert_eq!(
        named.sentences.last().unwrap().text,
        "The bank shall report."
    );
    let corpus = parsed("c.jsonl", b"{\"id\":\"x\",\"text\":\"One. Two.\"}\nbad\n");
    assert_eq!(corpus.sentences.len(), 1);
    assert_eq!(corpus.warnings.len(), 1);
}

#[test]
fn limits_and_cancellation_end_the_child() {
    let late = Parser::new(
        env!("CARGO_BIN_EXE_lexforge-parse"),
        ParseLimits {
            wall: Duration::ZERO,
            ..ParseLimits::default()
        },
    );
    let failure = late
        .parse(
            "a.txt",
            b"text",
            &ParseOptions::default(),
            &mut |_, _| {},
            &|| false,
        )
        .unwrap_err();
    assert_eq!(failure.code, Code::TimedOut);
    let failure = parser()
        .parse(
            "a.txt",
            b"text",
            &ParseOptions::default(),
            &mut |_, _| {},
            &|| true,
        )
        .unwrap_err();
    assert_eq!(failure.code, Code::Cancelled);
    let small = Parser::new(
        env!("CARGO_BIN_EXE_lexforge-parse"),
        ParseLimits {
            memory_bytes: 1 << 20,
            ..ParseLimits::default()
        },
    );
    let failure = small
        .parse(
            "a.txt",
            b"text",
            &ParseOptions::default(),
            &mut |_, _| {},
            &|| false,
        )
        .unwrap_err();
    assert_eq!(failure.code, Code::TooLarge);
    let tiny = Parser::new(
        env!("CARGO_BIN_EXE_lexforge-parse"),
        ParseLimits {
            file_bytes: 3,
            ..ParseLimits::default()
        },
    );
    let failure = tiny
        .parse(
            "a.txt",
            b"text",
            &ParseOptions::default(),
            &mut |_, _| {},
            &|| false,
        )
        .unwrap_err();
    assert_eq!(failure.code, Code::TooLarge);
}

/// A program that answers with garbage or with nothing is a crash, not a hang.
#[cfg(unix)]
#[test]
fn another_program_is_a_crash() {
    for program in ["/bin/cat", "/bin/true", "/bin/echo"] {
        let other = Parser::new(
            program,
            ParseLimits {
                wall: Duration::from_secs(20),
                ..ParseLimits::default()
            },
        );
        let failure = other
            .parse(
                "a.txt",
                b"text",
                &ParseOptions::default(),
                &mut |_, _| {},
                &|| false,
            )
            .unwrap_err();
        assert_eq!(failure.code, Code::ParserCrashed, "{program}");
    }
    let none = Parser::new("/nonexistent/parser", ParseLimits::default());
    let failure = none
        .parse(
            "a.txt",
            b"text",
            &ParseOptions::default(),
            &mut |_, _| {},
            &|| false,
        )
        .unwrap_err();
    assert_eq!(failure.code, Code::Internal);
}

#[test]
fn edge_cases() {
    let Some(data) = data() else { return };
    let folder = data.join("pdf-edge-cases");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    for (name, expected) in [
        ("zero_bytes.pdf", Code::Empty),
        ("password_required_rc4_128.pdf", Code::PasswordRequired),
        ("damaged_xref_472_bytes.pdf", Code::Empty),
    ] {
        assert_eq!(code(name, &read(name)), expected, "{name}");
    }
    for (name, words) in [
        (
            "encrypted_aes128_empty_user_password_G-1145.pdf",
            "What Is the Purpose of This Form",
        ),
        ("malformed_issue932.pdf", "2021"),
        (
            "rotated_page_us_budget.pdf",
            "Adjusted Baseline by Category",
        ),
        (
            "spanning_cells_us_epa.pdf",
            "Projected Average Volume Server",
        ),
        (
            "labor_us_bls_two_column.pdf",
            "employment and output projections to 2020",
        ),
    ] {
        let document = parsed(name, &read(name));
        let text = document
            .sentences
            .iter()
            .map(|s| s.text.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        assert!(text.contains(words), "{name}: {text}");
        println!(
            "{name}: agreement {:?}, warnings {:?}",
            document.reader_agreement, document.warnings
        );
    }
    let locked = read("password_required_rc4_128.pdf");
    let with = |password: &str| ParseOptions {
        password: Some(password.to_owned()),
        ..ParseOptions::default()
    };
    assert!(parse("locked.pdf", &locked, &with("test")).is_ok());
    assert_eq!(
        parse("locked.pdf", &locked, &with("wrong"))
            .unwrap_err()
            .code,
        Code::PasswordRequired
    );
}

#[test]
fn chinese_character_maps() {
    let Some(data) = data() else { return };
    for name in [
        "gb_euc_h",
        "gbk_euc_h",
        "unigb_ucs2_h",
        "unigb_ucs2_v",
        "unigb_utf16_h",
    ] {
        let bytes = std::fs::read(data.join(format!("pdf-made/{name}.pdf"))).unwrap();
        let document = parsed(&format!("{name}.pdf"), &bytes);
        let text = &document.sentences[0].text;
        println!("{name}: {text} {:?}", document.warnings);
        assert!(
            text.starts_with("第一条") && text.ends_with('。'),
            "{name}: {text}"
        );
    }
    let bytes = std::fs::read(data.join("pdf-made/identity_h_no_tounicode.pdf")).unwrap();
    // The glyphs' meaning is inferred from the font's character collection at best, and that is told.
    let document = parsed("identity.pdf", &bytes);
    let told = document
        .warnings
        .iter()
        .find(|w| w.code == "unmapped_characters")
        .unwrap();
    assert!(
        told.page == Some(1)
            && told
                .message
                .contains("does not say which characters 2 glyphs"),
        "{told:?}"
    );
}

/// A file cut or scribbled over anywhere gives a document or one failure, within its limits.
#[test]
fn mutated_files_neither_hang_nor_spread() {
    let Some(data) = data() else { return };
    let whole = std::fs::read(data.join("pdf-zh-nfra/农业保险条例.pdf")).unwrap();
    let parser = Parser::new(
        env!("CARGO_BIN_EXE_lexforge-parse"),
        ParseLimits {
            wall: Duration::from_secs(60),
            ..ParseLimits::default()
        },
    );
    let (mut read, mut failed) = (0, 0);
    let mut seed = 7u64;
    for round in 0..24 {
        let mut bytes = whole.clone();
        if round % 3 == 0 {
            bytes.truncate(whole.len() * (round + 1) / 26);
        }
        for _ in 0..40 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let at = (seed >> 33) as usize % bytes.len();
            bytes[at] = (seed >> 20) as u8;
        }
        let options = ParseOptions {
            ocr: None,
            ..ParseOptions::default()
        };
        match parser.parse("mutated.pdf", &bytes, &options, &mut |_, _| {}, &|| false) {
            Ok(_) => read += 1,
            Err(failure) => {
                assert_ne!(failure.code, Code::TimedOut);
                failed += 1;
            }
        }
    }
    println!("mutated: {read} read, {failed} failed");
    assert_eq!(read + failed, 24);
}

#[test]
fn pages_are_drawn() {
    let Some(data) = data() else { return };
    let bytes = std::fs::read(data.join("pdf-core-en/GDPR.pdf")).unwrap();
    let image = parser().render_page(&bytes, None, 1, 72.0).unwrap();
    let decoder = png::Decoder::new(std::io::Cursor::new(image));
    let reader = decoder.read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (595, 841));
    assert_eq!(
        parser()
            .render_page(&bytes, None, 999, 72.0)
            .unwrap_err()
            .page,
        Some(999)
    );
}
