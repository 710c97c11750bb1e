//! Characters as fonts spell them to characters as people write them.

use lexforge_text::fold::is_invisible;
use lexforge_text::is_han;
use unicode_normalization::UnicodeNormalization;

/// Simplifies one character of a font's map.
///
/// Ligatures, Kangxi radicals and compatibility ideographs become the letters they stand for (NFKC). Full-width
/// punctuation and superscript digits stay, because they carry meaning. Private-use bullets become `•`, every kind of
/// blank becomes a space, and invisible characters are removed.
pub fn fold(ch: char, mut push: impl FnMut(char)) {
    match ch {
        ' '..='~' => push(ch),
        '\u{FB00}'..='\u{FB4F}' => std::iter::once(ch).nfkc().for_each(push),
        '\u{A0}'
        | '\u{2000}'..='\u{200A}'
        | '\u{202F}'
        | '\u{205F}'
        | '\u{3000}'
        | '\t'
        | '\n'
        | '\r' => push(' '),
        '\u{F0B7}' | '\u{F0A7}' | '\u{F0D8}' | '\u{F076}' | '\u{F0FC}' | '\u{F0A8}'
        | '\u{F06E}' | '\u{F071}' => {
            push('•');
        }
        '\u{2010}' | '\u{2011}' => push('-'),
        '\u{FFFE}' => {}
        _ if ch.is_control() || is_invisible(ch) && ch != '\u{AD}' => {}
        _ if is_han(ch) => std::iter::once(ch).nfkc().for_each(push),
        _ => push(ch),
    }
}

/// Punctuation of a Chinese font that maps to ASCII though it takes the width of an ideograph.
pub fn widened(ch: char, ems: f32) -> char {
    if ems < 0.9 {
        return ch;
    }
    match ch {
        ',' => '，',
        ';' => '；',
        ':' => '：',
        '?' => '？',
        '!' => '！',
        '(' => '（',
        ')' => '）',
        _ => ch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        text.chars().for_each(|c| fold(c, |c| out.push(c)));
        out
    }

    #[test]
    fn letters_are_resolved_and_punctuation_kept() {
        for (input, expected) in [
            ("ﬁnancial oﬃce", "financial office"),
            ("⼀般", "一般"),
            ("第一条，银行（总行）；", "第一条，银行（总行）；"),
            ("m²\u{A0}½", "m² ½"),
            ("\u{F0B7}\u{200B}x\u{7}", "•x"),
            ("co\u{AD}operate", "co\u{AD}operate"),
        ] {
            assert_eq!(folded(input), expected);
        }
        assert_eq!(
            (widened(',', 1.0), widened(',', 0.3), widened('a', 1.0)),
            ('，', ',', 'a')
        );
    }
}
