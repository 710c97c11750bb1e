//! Bytes to text: the encoding that the file names, else the one that its bytes are written in.

use crate::error::IngestError;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
};
use lexforge_domain::document::DocumentWarning;

/// How much of a file is looked at to tell its encoding.
const SAMPLE: usize = 64 << 10;
/// A byte order mark of UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A text, and what a person should know of how it was decoded.
#[derive(Debug)]
pub struct Decoded {
    pub text: String,
    /// The encoding, where it is another than UTF-8, and whether characters could not be read.
    pub warnings: Vec<DocumentWarning>,
}

/// Decodes a text. The encoding is the first of these that applies:
/// 1. the encoding that a byte order mark names;
/// 2. UTF-16, if the zero bytes show it;
/// 3. UTF-8, if the bytes are valid UTF-8;
/// 4. the `declared` encoding, if it is known and not UTF-16;
/// 5. a guess from the characters.
///
/// # Errors
/// When the bytes are not text, or their encoding cannot be found out.
pub fn decode(bytes: &[u8], declared: Option<&str>) -> Result<Decoded, IngestError> {
    let named = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    // UTF-16 is recognised from the bytes below. A file that only declares it was saved in another encoding since.
    let named = named.filter(|e| *e != UTF_16LE && *e != UTF_16BE);
    let (encoding, how) = if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        (encoding, "as its byte order mark says")
    } else if let Some(wide) = wide(bytes) {
        (wide, "as its zero bytes show")
    } else if named.is_some_and(|e| {
        e != UTF_8
            && e.decode_without_bom_handling_and_without_replacement(bytes)
                .is_some()
    }) && std::str::from_utf8(bytes).is_err()
    {
        (named.unwrap_or(UTF_8), "as the file itself says")
    } else if std::str::from_utf8(bytes).is_ok() || named.is_some() {
        (
            if std::str::from_utf8(bytes).is_ok() {
                UTF_8
            } else {
                named.unwrap_or(UTF_8)
            },
            "as the file itself says",
        )
    } else {
        (guess(bytes)?, "as its characters suggest")
    };
    let (text, _, bad) = encoding.decode(bytes);
    if text.chars().take(4096).any(|c| c == '\0') {
        return Err(IngestError::Unsupported(
            "the file holds binary data, not text".to_owned(),
        ));
    }
    let mut warnings = Vec::new();
    if encoding != UTF_8 {
        warnings.push(DocumentWarning {
            code: "text_encoding".to_owned(),
            page: None,
            message: format!(
                "The text is not UTF-8; it was read as {}, {how}.",
                encoding.name()
            ),
        });
    }
    if bad {
        let count = text.chars().filter(|c| *c == '\u{FFFD}').count();
        warnings.push(DocumentWarning {
            code: "unreadable_characters".to_owned(),
            page: None,
            message: format!(
                "{count} characters could not be read as {} and stand as “\u{FFFD}”.",
                encoding.name()
            ),
        });
    }
    Ok(Decoded {
        text: text.into_owned(),
        warnings,
    })
}

/// UTF-16 without a byte order mark: of the ASCII characters in it every other byte is zero.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    if sample.len() < 8 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let zeros = |odd: usize| {
        sample
            .iter()
            .skip(odd)
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let many = sample.len() / 10;
    let encoding = if odd > many && even * 10 < odd {
        UTF_16LE
    } else if even > many && odd * 10 < even {
        UTF_16BE
    } else {
        return None;
    };
    let (text, bad) = encoding.decode_without_bom_handling(&bytes[..sample.len() & !1]);
    (!bad && !text.contains('\0')).then_some(encoding)
}

/// The commonest characters of texts in the encodings of East Asia, a character there being two bytes or more.
const COMMON: [(&[&Encoding], &str); 4] = [
    (
        &[GB18030, GBK],
        "的一是在不有和为人应当规定条第款机构会中以及或者其年月日，。、；：",
    ),
    (
        &[BIG5],
        "的一是在不有和為人應當規定條第款機構會中以及或者其年月日，。、；：",
    ),
    (
        &[SHIFT_JIS, EUC_JP],
        "のにはをたがでてとしれさるいするこ、。",
    ),
    (&[EUC_KR], "의이은는을를에다하고한및정제조가로"),
];

/// The encoding that the bytes are probably in, according to the crate chardetng. The crate names an encoding for any
/// bytes, even if they are no text. So the decoded text is checked, too.
fn guess(bytes: &[u8]) -> Result<&'static Encoding, IngestError> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == bytes.len());
    let mut encoding = detector.guess(None, Utf8Detection::Deny);
    if encoding == GBK {
        encoding = GB18030; // which holds all of it, and more
    }
    let (text, _) = encoding.decode_without_bom_handling(sample);
    if is_text(encoding, &text) {
        return Ok(encoding);
    }
    Err(IngestError::Unsupported(
        "the file is no text, or in an encoding that cannot be told".to_owned(),
    ))
}

/// Whether decoded bytes look like a text. Almost no character may be broken (the last one may be, if the bytes are
/// only the beginning of a file). Control characters must be rare (old programs left some, and wrote an end-of-file
/// sign). In an East Asian encoding common characters must occur, and in any other encoding blanks between words.
fn is_text(encoding: &'static Encoding, text: &str) -> bool {
    let count = |of: &dyn Fn(char) -> bool| text.chars().filter(|c| of(*c)).count();
    let wide = count(&|c| !c.is_ascii());
    let steering = count(&|c| c.is_control() && !"\t\n\r\u{b}\u{c}\u{1a}\u{1b}".contains(c));
    if count(&|c| c == '\u{FFFD}') * 200 > wide
        || text.contains('\0')
        || steering * 100 > text.chars().count()
    {
        return false;
    }
    match COMMON.iter().find(|(of, _)| of.contains(&encoding)) {
        Some((_, common)) => {
            let known = count(&|c| common.contains(c));
            known > 0 && known * 8 >= wide
        }
        None => count(&char::is_whitespace) * 50 >= text.chars().count(),
    }
}

/// UTF-8 text without its byte order mark. Other encodings are refused.
///
/// # Errors
/// When the bytes are something else.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, IngestError> {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        IngestError::Unsupported(format!(
            "the text is not UTF-8: byte {} cannot be read",
            error.valid_up_to() + 1
        ))
    })?;
    if text.bytes().take(4096).any(|b| b == 0) {
        return Err(IngestError::Unsupported(
            "the file holds binary data, not text".to_owned(),
        ));
    }
    Ok(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use encoding_rs::{WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253};

    const CHINESE: &str = "第一条 为了规范商业银行的经营行为，根据有关法律，制定本办法。\n第二条 商业银行应当遵守本办法的规定。";

    fn utf16(text: &str, little: bool, bom: bool) -> Vec<u8> {
        let units = bom.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
        units
            .flat_map(|u: u16| {
                if little {
                    u.to_le_bytes()
                } else {
                    u.to_be_bytes()
                }
            })
            .collect()
    }

    #[test]
    fn texts_are_read_in_their_encoding_and_the_reader_is_told() {
        let traditional =
            "第一條 為了規範銀行的經營，制定本辦法。第二條 銀行應當遵守本辦法的規定。";
        let japanese =
            "第一条　この法律は、銀行の業務の公共性にかんがみ、信用を維持することを目的とする。";
        let korean =
            "제1조(목적) 이 법은 은행의 건전한 운영을 도모하고 예금자를 보호함을 목적으로 한다.";
        let latin = "Art. 1 – Die Bank führt ein Verzeichnis der Risiken und legt es jährlich vor, soweit nötig.";
        let polish = "Art. 1. Bank prowadzi rejestr ryzyka i przedkłada go co roku; zażąda się też środków zaradczych.";
        let russian = "Статья 1. Банк ведёт реестр рисков и представляет его ежегодно в уполномоченный орган.";
        let greek = "Άρθρο 1. Η τράπεζα τηρεί μητρώο κινδύνων και το υποβάλλει κάθε χρόνο στην αρμόδια αρχή.";
        let in_encoding = |e: &'static Encoding, t: &str| e.encode(t).0.into_owned();
        let english = "Article 1. A bank shall keep a register.";
        for (bytes, declared, text, name) in [
            (CHINESE.as_bytes().to_vec(), None, CHINESE, None),
            (
                [BOM, CHINESE.as_bytes()].concat(),
                Some("gbk"),
                CHINESE,
                None,
            ),
            (
                in_encoding(GB18030, CHINESE),
                None,
                CHINESE,
                Some("gb18030"),
            ),
            (
                in_encoding(GB18030, CHINESE),
                Some("gb2312"),
                CHINESE,
                Some("GBK"),
            ),
            (
                in_encoding(BIG5, traditional),
                None,
                traditional,
                Some("Big5"),
            ),
            (
                in_encoding(SHIFT_JIS, japanese),
                None,
                japanese,
                Some("Shift_JIS"),
            ),
            (in_encoding(EUC_KR, korean), None, korean, Some("EUC-KR")),
            (
                in_encoding(WINDOWS_1252, latin),
                None,
                latin,
                Some("windows-1252"),
            ),
            (
                in_encoding(WINDOWS_1250, polish),
                None,
                polish,
                Some("windows-125"),
            ),
            (
                in_encoding(WINDOWS_1251, russian),
                None,
                russian,
                Some("windows-1251"),
            ),
            (
                in_encoding(WINDOWS_1253, greek),
                None,
                greek,
                Some("windows-125"),
            ),
            (utf16(CHINESE, true, true), None, CHINESE, Some("UTF-16LE")),
            (utf16(english, true, false), None, english, Some("UTF-16LE")),
            (
                utf16(english, false, false),
                None,
                english,
                Some("UTF-16BE"),
            ),
            // Declared wrongly: what the bytes are counts.
            (CHINESE.as_bytes().to_vec(), Some("gb2312"), CHINESE, None),
        ] {
            let decoded = decode(&bytes, declared).unwrap();
            assert_eq!(decoded.text, text, "{declared:?}");
            let said = decoded.warnings.first().map(|w| w.message.as_str());
            match name {
                None => assert_eq!(said, None, "{text}"),
                Some(name) => assert!(said.unwrap_or("").contains(name), "{name}: {said:?}"),
            }
        }
    }

    #[test]
    fn signs_that_steer_a_device_do_not_make_a_text_unreadable() {
        let dos = format!("{CHINESE}\u{1a}");
        let word = format!("{}\u{13}7\u{15}\u{7}", CHINESE.repeat(8));
        for text in [dos, word] {
            let decoded = decode(&GB18030.encode(&text).0, None).unwrap();
            assert_eq!(decoded.text, text);
        }
        assert!(is_text(
            WINDOWS_1252,
            &format!("\u{81}{}", "Die Bank. ".repeat(20))
        ));
        for much in ['\u{7}', '\u{81}'] {
            let text = format!("Die {much}Bank. ").repeat(20);
            assert!(!is_text(WINDOWS_1252, &text));
        }
        assert!(!is_text(
            WINDOWS_1252,
            &format!("{}\0", "Die Bank. ".repeat(99))
        ));
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let noise: Vec<u8> = (0..4096u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80)
            .collect();
        for bytes in [&b"a\0b"[..], b"MZ\x90\x00\x03\x00\x00\x00\x04", &noise] {
            assert!(
                matches!(decode(bytes, None), Err(IngestError::Unsupported(_))),
                "{:?}",
                &bytes[..3]
            );
        }
    }
}
