//! One spelling for what is written in several ways: letters, marks and blanks.

use crate::script::is_set_solid;
use lexforge_domain::shown::{has_no_form, turns_direction};

/// A character as it is compared, one for one: lower case, plain apostrophe and hyphen, a blank for any white space.
pub fn plain(c: char) -> char {
    match c {
        '’' | '‘' | 'ʼ' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' => '-',
        c if c.is_whitespace() => ' ',
        c => c.to_lowercase().next().unwrap_or(c),
    }
}

/// Whether a character is not seen: soft hyphens, blanks without width, marks of direction and the like.
pub fn is_invisible(c: char) -> bool {
    !c.is_ascii() && (has_no_form(c) || turns_direction(c))
}

/// White space collapsed to single blanks, none at the ends.
pub fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As [`spaced`], and invisible characters taken out.
pub fn tidy(text: &str) -> String {
    spaced(
        &text
            .chars()
            .filter(|c| !is_invisible(*c))
            .collect::<String>(),
    )
}

/// As [`spaced`], and no blank between two characters that are set solid: there it is a line's end.
pub fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        let last = out.chars().next_back();
        if space && last.is_some_and(|last| !(is_set_solid(last) && is_set_solid(c))) {
            out.push(' ');
        }
        space = false;
        out.push(c);
    }
    out
}

/// Lower case, letters and digits only, everything between them one blank.
pub fn letters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_invisible_characters() {
        let text = " Super\u{ad}visory \n review,  第八条\n商业银行 ";
        assert_eq!(spaced(text), "Super\u{ad}visory review, 第八条 商业银行");
        assert_eq!(tidy(text), "Supervisory review, 第八条 商业银行");
        assert_eq!(joined(text), "Super\u{ad}visory review, 第八条商业银行");
        assert_eq!(
            letters("The “A–B” ratio: 第八条，10%"),
            "the a b ratio 第八条 10"
        );
    }

    #[test]
    fn marks_have_one_spelling() {
        let plain: String = "Bank’s  NON\u{2011}performing\u{a0}loan — É"
            .chars()
            .map(plain)
            .collect();
        assert_eq!(plain, "bank's  non-performing loan — é");
    }
}
