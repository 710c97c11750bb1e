//! Words that look misread, as from a bad picture of a page: "m0ney", "regu|ation", "thrghwt". They are recognised by
//! their form: a digit or a sign between letters, or no vowel. A wrong word that is a real word is not noticed.

use lexforge_text::is_set_solid;

/// A shorter word may be anything.
const SHORTEST: usize = 4;
/// With more figures it is a number or a hash.
const FIGURES: usize = 2;
/// From this length on, letters without a vowel are not a word. Shorter ones may be an abbreviation.
const WITHOUT_VOWEL: usize = 6;
/// Marks that are in no word.
const MARKS: [char; 12] = [
    '|', '^', '~', '\\', '{', '}', '<', '>', '¬', '¦', '§', '\u{fffd}',
];

/// How many words of a text were looked at, and which of them look like no real words.
pub fn odd_words(text: &str) -> (u64, Vec<&str>) {
    let mut looked_at = 0;
    let mut odd = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        // Addresses and what is set without blanks are no single words.
        let one = !word.contains(['/', '@', ':', '.', '_', '=']) && !word.contains(is_set_solid);
        let figures = word.chars().filter(char::is_ascii_digit).count();
        let short = word.chars().count() < SHORTEST;
        if !one || short || figures > FIGURES || !word.contains(char::is_alphabetic) {
            continue;
        }
        looked_at += 1;
        if is_odd(word) {
            odd.push(word);
        }
    }
    (looked_at, odd)
}

fn is_odd(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let between = |fits: fn(char) -> bool| {
        chars.windows(3).any(
            |three| matches!(three, [a, b, c] if a.is_lowercase() && fits(*b) && c.is_lowercase()),
        )
    };
    let figure = |c: char| matches!(c, '0' | '1');
    let mark = |c: char| MARKS.contains(&c);
    if between(figure) || between(mark) {
        return true;
    }
    let plain = chars.iter().all(char::is_ascii_lowercase);
    plain && chars.len() >= WITHOUT_VOWEL && !word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_badly_read_page_shows() {
        for (text, looked_at, odd) in [
            (
                "The firrn shall k0ep its m0ney in a sa|e.",
                5,
                vec!["k0ep", "m0ney", "sa|e"],
            ),
            ("wtbrnd and thrgh", 2, vec!["wtbrnd"]),
            (
                "The Rechtsschutzversicherung of the AIFM under CO2 rules, https://a.example/x1y, is B2B.",
                4,
                vec![],
            ),
            (
                "Its hash is c1b0a3c04aee1f6ce75f76106ce13af672d48e02.",
                1,
                vec![],
            ),
            ("商业银行应当建立制度", 0, vec![]),
        ] {
            let (n, found) = odd_words(text);
            assert_eq!((n, found), (looked_at, odd), "{text}");
        }
    }
}
