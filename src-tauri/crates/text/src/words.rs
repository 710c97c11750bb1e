//! The words of a text.

use crate::fold::is_invisible;
use crate::script::is_unspaced;

/// The words of a text in lower case: runs of letters and digits. In a script that is written without blanks, each
/// character is a word by itself. A soft hyphen does not divide a word.
pub fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        if is_unspaced(c) {
            found.push(c.to_string());
            open = false;
        } else if c.is_alphanumeric() {
            let lower = c.to_lowercase();
            match found.last_mut().filter(|_| open) {
                Some(word) => word.extend(lower),
                None => found.push(lower.collect()),
            }
            open = true;
        } else if !is_invisible(c) {
            open = false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_all_scripts() {
        let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text}");
        check(
            "The “controller” shall 30 days",
            &["the", "controller", "shall", "30", "days"],
        );
        check(
            "Tier-1 capital, 第五条 10%",
            &["tier", "1", "capital", "第", "五", "条", "10"],
        );
        check("商业银行 A类", &["商", "业", "银", "行", "a", "类"]);
        check("資本カ 々", &["資", "本", "カ", "々"]);
        check("은행은 이 법에", &["은행은", "이", "법에"]);
        check("super\u{ad}visory ÉTAT", &["supervisory", "état"]);
        check("…", &[]);
    }
}
