//! Pages whose text layer differs from what they show.

use crate::made::{helvetica, latin, text_pages};
use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::tesseract as ocr;
use lexforge_ingest::{ParseLimits, ParseOptions, Parser};
use std::path::PathBuf;

const PAGE: &[&str] = &[
    "Article 1  Registers of outsourcing arrangements",
    "The institution shall maintain a register of its outsourcing arrangements",
    "and shall submit the register to the competent authority each year.",
    "The competent authority may ask for the register at any other time.",
    "The register shall name every service provider and its place of business,",
    "and the date on which the arrangement was last assessed by the institution.",
];

/// Every letter of the layer stands for another one, as where a font's table is broken.
fn shifted(line: &str) -> String {
    let turn = |c: char| match c {
        'a'..='z' => char::from(b'a' + (c as u8 - b'a' + 11) % 26),
        'A'..='Z' => char::from(b'A' + (c as u8 - b'A' + 11) % 26),
        _ => c,
    };
    line.chars().map(turn).collect()
}

fn parse(bytes: &[u8], ocr: Option<PathBuf>) -> ParsedDocument {
    let options = ParseOptions {
        ocr,
        ..ParseOptions::default()
    };
    Parser::new(env!("CARGO_BIN_EXE_lexforge-parse"), ParseLimits::default())
        .parse("made.pdf", bytes, &options, &mut |_, _| {}, &|| false)
        .unwrap()
}

fn doubtful(document: &ParsedDocument) -> Vec<u32> {
    let warnings = document
        .warnings
        .iter()
        .filter(|w| w.code == "text_doubtful");
    warnings.filter_map(|w| w.page).collect()
}

/// Two layers at one place: the page, and other words a little beside.
fn twice() -> Vec<u8> {
    let plain = String::from_utf8(text_pages(&[PAGE], &helvetica(), latin)).unwrap();
    let begin = plain.find("BT ").unwrap();
    let end = plain.find("ET\n").or_else(|| plain.find("ET")).unwrap() + 2;
    let block = &plain[begin..end];
    let other: Vec<String> = PAGE.iter().rev().map(|l| shifted(l)).collect();
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    let hidden = String::from_utf8(text_pages(&[&other], &helvetica(), latin)).unwrap();
    let (from, to) = (hidden.find("BT ").unwrap(), hidden.find("ET").unwrap() + 2);
    let below = hidden[from..to].replace("60 780 Td", "61.5 780.5 Td");
    // Drawn invisibly, so that the image shows the page alone.
    let content = format!("3 Tr {below} 0 Tr {block}");
    crate::made::page_of(&content)
}

#[test]
fn a_layer_in_no_language_is_named_whatever_the_readers_agree_on() {
    let garbled: Vec<String> = PAGE.iter().map(|l| shifted(l)).collect();
    let garbled: Vec<&str> = garbled.iter().map(String::as_str).collect();
    let document = parse(&text_pages(&[PAGE, &garbled], &helvetica(), latin), None);
    assert_eq!(document.reader_agreement, Some(1.0));
    assert_eq!(doubtful(&document), [2]);
    let plain = parse(&text_pages(&[PAGE, PAGE], &helvetica(), latin), None);
    assert!(plain.warnings.is_empty(), "{:?}", plain.warnings);
}

/// As [`shifted`], but vowels stand for vowels, so that each word could be one.
fn sayable(line: &str) -> String {
    let (from, to) = ("aeioubcdfghjklmnpqrstvwxyz", "uoieaxwzkvbqfjgpcyhmltdsnr");
    let turn = |c: char| from.find(c).map_or(c, |at| char::from(to.as_bytes()[at]));
    line.to_lowercase().chars().map(turn).collect()
}

/// A font whose table is broken is often broken on every page, and the same wrong words stand on all of them.
#[test]
fn pages_that_are_all_garbled_alike_are_named() {
    for garble in [shifted, sayable] {
        let lines: Vec<String> = PAGE.iter().map(|l| garble(l)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let document = parse(
            &text_pages(&[&lines, &lines, &lines], &helvetica(), latin),
            None,
        );
        assert_eq!(document.reader_agreement, Some(1.0));
        assert_eq!(doubtful(&document), [1, 2, 3], "{}", lines[0]);
        let said = &document.warnings[0].message;
        assert!(said.contains("pairs of letters"), "{said}");
    }
}

/// A list of names, and a text in another language with Latin letters, are text.
#[test]
fn a_page_without_english_words_is_no_garbled_one() {
    let names = &[
        "Aabenraa Bank, Aarhus; Credito Lombardo, Bergamo; Handelsbank Coburg",
        "Banca Popolare, Novara; Sparkasse Regensburg; Bank Rolnictwa, Krakow",
        "Caisse Centrale, Dijon; Nordlandsbanken, Tromso; Banco Mercantil, Vigo",
        "Volksbank Tirol, Innsbruck; Hypothekenbank Zug; Osuuspankki, Tampere",
        "Cassa Agricola, Trento; Postsparbanken, Malmo; Banque Cantonale, Sion",
    ];
    let german = &[
        "Das Institut hat ein Verzeichnis seiner Auslagerungen zu pflegen und legt",
        "dieses einmal im Jahr der Beh\u{f6}rde vor. Jede wesentliche \u{c4}nderung ist",
        "unverz\u{fc}glich anzuzeigen, sofern nicht bereits ein anderes Institut derselben",
        "Gruppe die Anzeige erstattet hat. Ausnahmen bewilligt die Aufsicht auf Antrag.",
        "Verweigert sie eine Ausnahme, begr\u{fc}ndet sie ihre Entscheidung schriftlich.",
    ];
    let document = parse(&text_pages(&[names, german], &helvetica(), latin), None);
    assert_eq!(doubtful(&document), Vec::<u32>::new());
}

#[test]
fn a_page_drawn_twice_is_named_or_read_from_its_image() {
    let document = parse(&twice(), None);
    assert_eq!(doubtful(&document), [1]);
    let said = &document.warnings[0].message;
    assert!(said.contains("drawn over others"), "{said}");
    let Some(program) = ocr::locate() else {
        return lexforge_needs::missing("Tesseract is not installed");
    };
    let document = parse(&twice(), Some(program));
    assert_eq!((document.engines.ocr, doubtful(&document).len()), (1, 0));
    let text = &document.pages[0].text;
    assert!(
        text.contains("shall submit the register to the competent authority each year."),
        "{text}"
    );
}
