//! How reference tools split texts before they count: BLEU's tokenisers, and the words of ROUGE and METEOR.
//!
//! Figures can be compared with published ones only if texts are split in exactly the same way, including mistakes. So
//! nothing here is shared with the product's own way to find words.

use crate::script::{is_unspaced, is_wide};

/// WMT's `mteval-v13a`, as implemented in sacrebleu: punctuation marks are separate tokens. Points and commas inside a
/// number are not separated.
pub fn thirteen_a(text: &str) -> Vec<String> {
    let mut line = text
        .trim_end()
        .replace("<skipped>", "")
        .replace("-\n", "")
        .replace('\n', " ");
    if line.contains('&') {
        line = line
            .replace("&quot;", "\"")
            .replace("&amp;", "&")
            .replace("&lt;", "<")
            .replace("&gt;", ">");
    }
    western(&format!(" {line} "))
}

/// sacrebleu's `zh`: each Chinese character by itself, what is between them as in `13a`.
pub fn chinese(text: &str) -> Vec<String> {
    let mut spread = String::with_capacity(text.len() * 2);
    for c in text.trim().chars() {
        if apart_in_chinese(c) {
            spread.extend([' ', c, ' ']);
        } else {
            spread.push(c);
        }
    }
    western(&spread)
}

/// sacrebleu's `char`: every character that is no blank.
pub fn characters(text: &str) -> Vec<String> {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .map(String::from)
        .collect()
}

/// The characters that sacrebleu treats as Chinese. Its table should include the ideographs of Extension B, but by
/// mistake each bound of this range is written as two characters. So everything from U+2001 to U+2A6D counts (such as
/// dashes and curved quotation marks), and Extension B does not.
fn apart_in_chinese(c: char) -> bool {
    matches!(c,
        '\u{2001}'..='\u{2A6D}' | '\u{2E80}'..='\u{2FDF}' | '\u{2FF0}'..='\u{303F}' | '\u{3100}'..='\u{312F}'
        | '\u{31A0}'..='\u{31BF}' | '\u{31C0}'..='\u{31EF}' | '\u{3200}'..='\u{33FF}' | '\u{3400}'..='\u{4DB5}'
        | '\u{4E00}'..='\u{9FBB}' | '\u{F900}'..='\u{FA2D}' | '\u{FA30}'..='\u{FA6A}' | '\u{FA70}'..='\u{FAD9}'
        | '\u{FE10}'..='\u{FE1F}' | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}')
}

/// The four rules that `13a` and `zh` share, one pass after the other.
fn western(line: &str) -> Vec<String> {
    let mut marks_apart = String::with_capacity(line.len() * 2);
    for c in line.chars() {
        if matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/') {
            marks_apart.extend([' ', c, ' ']);
        } else {
            marks_apart.push(c);
        }
    }
    let is_point = |c: char| matches!(c, '.' | ',');
    let after_no_digit = pairs(&marks_apart, |a, b| {
        (!a.is_ascii_digit() && is_point(b)).then_some([a, ' ', b, ' '])
    });
    let before_no_digit = pairs(&after_no_digit, |a, b| {
        (is_point(a) && !b.is_ascii_digit()).then_some([' ', a, ' ', b])
    });
    let dashes = pairs(&before_no_digit, |a, b| {
        (a.is_ascii_digit() && b == '-').then_some([a, ' ', b, ' '])
    });
    dashes.split_whitespace().map(str::to_owned).collect()
}

/// Two characters that follow each other are replaced where the rule says so; what was replaced is not looked at again.
fn pairs(line: &str, rule: impl Fn(char, char) -> Option<[char; 4]>) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line.chars();
    while let Some(a) = rest.next() {
        let mut ahead = rest.clone();
        match ahead.next().and_then(|b| rule(a, b)) {
            Some(put) => {
                out.extend(put);
                rest = ahead;
            }
            None => out.push(a),
        }
    }
    out
}

/// The words of the package rouge-score: runs of `a` to `z` and digits in lower case, all else parts them.
pub fn rouge_words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Words and marks, each mark by itself, in lower case: the usual cut before METEOR.
pub fn words_and_marks(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let letter = c.is_alphanumeric() || c == '_';
        if !letter && !c.is_whitespace() {
            found.push(c.to_string());
        } else if letter {
            match found.last_mut().filter(|_| open) {
                Some(word) => word.push(c),
                None => found.push(c.to_string()),
            }
        }
        open = letter;
    }
    for word in &mut found {
        *word = word.to_lowercase();
    }
    found
}

/// Whether most letters of a text are of a script that is written without blanks.
pub fn is_mostly_unspaced(text: &str) -> bool {
    let (mut unspaced, mut others) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        if is_unspaced(c) || (is_wide(c) && !crate::is_hangul(c)) {
            unspaced += 1;
        } else {
            others += 1;
        }
    }
    unspaced > others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cut: fn(&str) -> Vec<String>, text: &str, expected: &str) {
        assert_eq!(cut(text).join(" "), expected, "{text:?}");
    }

    #[test]
    fn cuts_as_sacrebleu_does() {
        // sacrebleu 2.4.3.
        let a = thirteen_a;
        check(
            a,
            "A 30-day stress, of 1,000.50 (net).",
            "A 30 - day stress , of 1,000.50 ( net ) .",
        );
        check(
            a,
            "x&amp;y &lt;b&gt; \"q\" don't",
            "x & y < b > \" q \" don't",
        );
        check(a, "end...", "end . . .");
        check(a, "high-\nquality", "highquality");
        check(a, "Art. 5(1)(a), No.5", "Art . 5 ( 1 ) ( a ) , No . 5");
        check(a, "§ 5 – “quoted”", "§ 5 – “quoted”");
        check(a, "", "");
        check(
            chinese,
            "资本LCR为100.5%，“不得”——低。",
            "资 本 LCR 为 100.5 % ， “ 不 得 ” — — 低 。",
        );
        check(chinese, "カタ𠀀漢", "カタ𠀀 漢");
        check(characters, "a 資本 b", "a 資 本 b");
    }

    #[test]
    fn cuts_as_rouge_and_meteor_do() {
        check(
            rouge_words,
            "The LCR's 30-day_stress; Öl",
            "the lcr s 30 day stress l",
        );
        check(
            words_and_marks,
            "The LCR's 30-day_stress; Öl",
            "the lcr ' s 30 - day_stress ; öl",
        );
    }

    #[test]
    fn scripts_without_blanks_are_seen() {
        assert!(is_mostly_unspaced("资本充足率 8%"));
        assert!(is_mostly_unspaced("銀行は資本を"));
        assert!(!is_mostly_unspaced("은행은 자본을"));
        assert!(!is_mostly_unspaced("capital 资本"));
        assert!(!is_mostly_unspaced("—"));
    }
}
