//! The next items of a queue, shown by the words in which they differ: questions about one article begin alike.

/// A beginning that is shared with another line is cut from this many letters on.
const LONG: usize = 16;

/// Each text without the beginning that it shares with another text. Equal texts stay whole.
pub fn by_what_differs(texts: &[String]) -> Vec<String> {
    let cut = |(at, text): (usize, &String)| {
        let others = texts.iter().enumerate().filter(|(other, _)| *other != at);
        let shared = others.map(|(_, other)| shared(text, other)).max();
        let (letters, bytes) = shared.unwrap_or_default();
        match letters >= LONG && bytes < text.len() {
            true => format!("… {}", &text[bytes..]),
            false => text.clone(),
        }
    };
    texts.iter().enumerate().map(cut).collect()
}

/// The length of the beginning that two texts share, in letters and in bytes. The shared beginning ends only where a
/// word or a clause of the text begins, so that no word and no number is cut. If the other text begins with the whole
/// text, the length is that of the whole text.
fn shared(text: &str, other: &str) -> (usize, usize) {
    let mut end = (0, 0);
    let (mut letters, mut before) = (0, ' ');
    let mut others = other.chars();
    for (at, letter) in text.char_indices() {
        // Chinese has no blanks between words.
        let begins = before.is_whitespace() || "，。；：！？、》”」』".contains(before);
        if begins && !letter.is_whitespace() {
            end = (letters, at);
        }
        if others.next() != Some(letter) {
            return end;
        }
        letters += 1;
        before = letter;
    }
    (letters, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_alike_show_what_differs() {
        let check = |texts: &[&str], expected: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
            assert_eq!(by_what_differs(&texts), expected);
        };
        check(
            &[
                "Under Article 26(3) of “Regulation on C”, who keeps the register?",
                "Under Article 26(3) of “Regulation on C”, who pays for it?",
                "Under Article 26(3) of “Regulation on C”, when does it end?",
                "What is a haircut?",
            ],
            &[
                "… keeps the register?",
                "… pays for it?",
                "… when does it end?",
                "What is a haircut?",
            ],
        );
        // Short beginnings, equal texts, words that begin alike.
        check(&["own funds", "own account"], &["own funds", "own account"]);
        let same = "a sentence that stands there twice";
        check(&[same, same], &[same, same]);
        check(
            &[
                "the institutions shall report",
                "the institutions shall repay",
            ],
            &["… report", "… repay"],
        );
        check(
            &[
                "根据《商业银行流动性风险管理办法》第十二条，谁负责？",
                "根据《商业银行流动性风险管理办法》第十二条，何时报告？",
            ],
            &["… 谁负责？", "… 何时报告？"],
        );
        // Numbers and articles are not cut.
        check(
            &[
                "Own funds shall be at least 4.5 % of the exposure",
                "Own funds shall be at least 4.7 % of the exposure",
                "Under the rule of Article 26(3) of the act",
                "Under the rule of Article 26(5) of the act",
            ],
            &[
                "… 4.5 % of the exposure",
                "… 4.7 % of the exposure",
                "… 26(3) of the act",
                "… 26(5) of the act",
            ],
        );
        let chinese = [
            "根据《商业银行流动性风险管理办法》第十二条，谁负责？",
            "根据《商业银行流动性风险管理办法》第十三条，谁负责？",
        ];
        check(&chinese, &["… 第十二条，谁负责？", "… 第十三条，谁负责？"]);
        check(&[], &[]);
    }
}
