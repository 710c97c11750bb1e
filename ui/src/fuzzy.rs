//! How well a name fits what was typed: words in any order, and the beginnings of words for the words themselves.

/// How well a text fits: smaller is better; `None` = not at all. An empty search fits every text equally.
pub fn fit(text: &str, typed: &str) -> Option<u32> {
    let (text, typed) = (text.to_lowercase(), typed.trim().to_lowercase());
    if typed.is_empty() || text == typed {
        return Some(0);
    }
    if text.starts_with(&typed) {
        return Some(1);
    }
    let letters: Vec<char> = text.chars().collect();
    let mut worst = 2;
    for word in typed.split_whitespace() {
        let fits = match text.find(word) {
            Some(at) if begins(&letters, text[..at].chars().count()) => 2,
            Some(_) => 3,
            None => {
                let word: Vec<char> = word.chars().collect();
                begun(&letters, &word, 0).then_some(4)?
            }
        };
        worst = worst.max(fits);
    }
    Some(worst)
}

/// Whether a word begins here. Scripts without blanks have words of one character.
fn begins(text: &[char], at: usize) -> bool {
    let here = text[at];
    let before = at.checked_sub(1).map(|before| text[before]);
    here.is_alphanumeric()
        && before.is_none_or(|before| !before.is_alphanumeric() || !here.is_ascii())
}

/// Whether the letters are beginnings of words of the text, in its order: `exgl` for "export glossary".
fn begun(text: &[char], letters: &[char], from: usize) -> bool {
    if letters.is_empty() {
        return true;
    }
    (from..text.len()).filter(|at| begins(text, *at)).any(|at| {
        let same = text[at..].iter().zip(letters).take_while(|(a, b)| a == b);
        // The longest beginning first; a shorter one may leave letters for the next word.
        let most = same.count();
        (1..=most).rev().any(|n| begun(text, &letters[n..], at + n))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_shortly_is_found() {
        let name = "Export glossary as CSV";
        for (typed, expected) in [
            ("", Some(0)),
            ("export glossary as csv", Some(0)),
            ("Export", Some(1)),
            ("csv export", Some(2)),
            ("loss", Some(3)),
            ("exgl", Some(4)),
            ("egac", Some(4)),
            ("export xyz", None),
            ("gle", None),
            ("port glossar", Some(3)),
        ] {
            assert_eq!(fit(name, typed), expected, "{typed}");
        }
        assert_eq!(fit("导出术语表", "导出"), Some(1));
        assert_eq!(fit("导出术语表", "术语"), Some(2));
        assert_eq!(fit("导出术语表", "导术"), Some(4));
        assert_eq!(fit("导出术语表", "表导"), None);
    }
}
