//! Addresses of the web that go on in the next line.

use crate::layout::Line;

/// Signs within an address after which a line may end.
const SIGNS: [char; 5] = ['?', '&', '=', '#', '%'];

/// Whether `text` ends in the midst of an address with which `next` goes on. Then no blank is between the two.
pub fn goes_on(text: &[char], next: &Line) -> bool {
    let Some(sign) = text.last().filter(|c| SIGNS.contains(c)) else {
        return false;
    };
    let letters = text.iter().rev().take_while(|c| !c.is_whitespace());
    let word: String = text[text.len() - letters.count()..].iter().collect();
    let is_address = word.contains("://") || word.starts_with("www.");
    let rest = next.chars.iter().map(|c| c.ch);
    let first: String = rest.take_while(|c| !c.is_whitespace()).collect();
    let begins = first.starts_with(|c: char| c.is_ascii_alphanumeric());
    // `?` may also end a question in which an address stands.
    is_address && begins && (*sign != '?' || first.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_goes_on_after_its_signs() {
        for (text, next, is) in [
            ("See https://example.org/rules.html?", "id=7&part=2", true),
            ("答问https://example.org/rules.html?", "id=7 下载", true),
            ("www.example.org/rules?id=7&", "part=2", true),
            (
                "Have you read https://example.org?",
                "Then write to us.",
                false,
            ),
            ("Is the limit kept?", "id=7", false),
            ("See https://example.org/rules.html?id=", "（下载）", false),
            ("See https://example.org.", "The board reads it.", false),
        ] {
            let text: Vec<char> = text.chars().collect();
            let next = Line::plain(1, 0, next);
            assert_eq!(goes_on(&text, &next), is, "{text:?}");
        }
    }
}
