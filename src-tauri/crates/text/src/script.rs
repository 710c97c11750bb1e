//! The scripts of characters (Unicode Standard Annex 24, from the crate `unicode-script`).
//!
//! Most text is Latin or consists of the common ideographs. Both are recognised without a look into the table.

use unicode_script::{Script, UnicodeScript as _};

/// Below this no character is of an East Asian script.
const FIRST: char = '\u{1100}';

/// An ideograph, wherever in Unicode it stands, and what is written as one: 々, 〇, the numerals 〡〢〣, radicals.
pub fn is_han(c: char) -> bool {
    match c {
        ..FIRST => false,
        '\u{4E00}'..='\u{9FFF}' => true,
        _ => c.script() == Script::Han,
    }
}

/// Hiragana or katakana, with the mark of a long vowel.
pub fn is_kana(c: char) -> bool {
    match c {
        ..FIRST | '\u{4E00}'..='\u{9FFF}' => false,
        'ー' | 'ｰ' => true,
        _ => matches!(c.script(), Script::Hiragana | Script::Katakana),
    }
}

/// A syllable or a letter of Hangul.
pub fn is_hangul(c: char) -> bool {
    match c {
        ..FIRST | '\u{4E00}'..='\u{9FFF}' => false,
        _ => c.script() == Script::Hangul,
    }
}

/// A character of a script that is written without blanks between words: Chinese and Japanese.
pub fn is_unspaced(c: char) -> bool {
    is_han(c) || is_kana(c)
}

/// Han, kana or Hangul.
pub fn is_east_asian(c: char) -> bool {
    is_unspaced(c) || is_hangul(c)
}

/// Whether no blank is set between such characters: Chinese and Japanese letters, their punctuation, full-width forms.
pub fn is_set_solid(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303F}' | '・' | '\u{FF00}'..='\u{FFEF}') || is_unspaced(c)
}

/// Whether a character is as wide as two Latin letters.
pub fn is_wide(c: char) -> bool {
    !matches!(c, '\u{FF61}'..='\u{FFEF}') && (is_set_solid(c) || is_hangul(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each character whether it is Han, kana, Hangul, set solid, wide.
    const TABLE: [(char, [bool; 5]); 24] = [
        ('a', [false; 5]),
        ('é', [false; 5]),
        ('я', [false; 5]),
        ('7', [false; 5]),
        ('一', [true, false, false, true, true]),
        ('龥', [true, false, false, true, true]),
        ('㐀', [true, false, false, true, true]),
        ('𠀀', [true, false, false, true, true]),
        ('\u{31350}', [true, false, false, true, true]),
        ('\u{F900}', [true, false, false, true, true]),
        ('⼀', [true, false, false, true, true]),
        ('々', [true, false, false, true, true]),
        ('〇', [true, false, false, true, true]),
        ('あ', [false, true, false, true, true]),
        ('カ', [false, true, false, true, true]),
        ('ー', [false, true, false, true, true]),
        ('ｶ', [false, true, false, true, false]),
        ('은', [false, false, true, false, true]),
        ('ㄱ', [false, false, true, false, true]),
        ('，', [false, false, false, true, true]),
        ('。', [false, false, false, true, true]),
        ('Ａ', [false, false, false, true, true]),
        ('“', [false; 5]),
        ('—', [false; 5]),
    ];

    #[test]
    fn characters_are_of_one_script() {
        for (c, expected) in TABLE {
            let found = [
                is_han(c),
                is_kana(c),
                is_hangul(c),
                is_set_solid(c),
                is_wide(c),
            ];
            assert_eq!(found, expected, "{c:?} U+{:04X}", u32::from(c));
            assert_eq!(is_unspaced(c), expected[0] || expected[1], "{c:?}");
            assert_eq!(
                is_east_asian(c),
                expected[0] || expected[1] || expected[2],
                "{c:?}"
            );
        }
    }

    #[test]
    fn the_short_ways_agree_with_the_table_of_scripts() {
        for c in ('\0'..=char::MAX).filter(|c| *c < FIRST || ('\u{4E00}'..='\u{9FFF}').contains(c))
        {
            let script = c.script();
            assert_eq!(is_han(c), script == Script::Han, "{c:?}");
            assert!(
                !matches!(script, Script::Hiragana | Script::Katakana | Script::Hangul),
                "{c:?}"
            );
        }
    }
}
