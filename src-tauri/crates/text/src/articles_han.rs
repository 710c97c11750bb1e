//! Numbers of articles that a Chinese question writes without 第: 24条 for 第24条.

use crate::numerals::is_chinese_numeral;

/// Words or signs before the number of an article.
const BEFORE: [&str; 19] = [
    "法", "办法", "条例", "规定", "细则", "规则", "指引", "准则", "》", "和", "、", "与", "跟",
    "按", "照", "据", "违反", "适用", "看",
];
/// Words or signs after an article. Before other words it is a number of things: 三条航道.
const AFTER: [&str; 27] = [
    "第",
    "说",
    "讲",
    "写",
    "规定",
    "里",
    "中",
    "是",
    "怎么",
    "如何",
    "什么",
    "有没有",
    "有什么",
    "和",
    "与",
    "跟",
    "、",
    "，",
    ",",
    "。",
    "？",
    "?",
    "的规定",
    "的内容",
    "呢",
    "要求",
    "处",
];
/// Digits of the number of an article.
const MOST_DIGITS: usize = 4;

/// A question with 第 before the numbers of articles.
pub fn with_ordinals(question: &str) -> String {
    let mut out = String::with_capacity(question.len() + '第'.len_utf8());
    let mut rest = question;
    while let Some((before, after)) = rest.split_once('条') {
        let of_number = |c: &char| c.is_ascii_digit() || is_chinese_numeral(*c);
        let digits: Vec<char> = before.chars().rev().take_while(of_number).collect();
        let length: usize = digits.iter().map(|c| c.len_utf8()).sum();
        let (head, number) = before.split_at(before.len() - length);
        let head_of_all = match head.is_empty() {
            true => out.as_str(),
            false => head,
        };
        let is_article = (1..=MOST_DIGITS).contains(&digits.len())
            && (after.is_empty() || AFTER.iter().any(|word| after.starts_with(word)))
            && is_before_an_article(head_of_all, number);
        out.push_str(head);
        if is_article {
            out.push('第');
        }
        out.push_str(number);
        out.push('条');
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether an article is named behind these words. At the beginning, 三条 may be a number of things.
fn is_before_an_article(head: &str, number: &str) -> bool {
    let head = head.trim_end_matches(' ');
    let is_high = number.chars().nth(1).is_some();
    let of_an_act = head.trim_end_matches(['的', '里', '中']);
    match head.is_empty() {
        true => is_high,
        false => BEFORE.iter().any(|word| of_an_act.ends_with(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_article_has_its_ordinal() {
        for (question, expected) in [
            ("缴费办法24条说了什么？", "缴费办法第24条说了什么？"),
            ("《缴费办法》的二十四条", "《缴费办法》的第二十四条"),
            ("24条里的船舶是指什么？", "第24条里的船舶是指什么？"),
            ("违反8条怎么罚？", "违反第8条怎么罚？"),
            (
                "缴费办法3条和5条有什么不同？",
                "缴费办法第3条和第5条有什么不同？",
            ),
            ("缴费办法第24条说了什么？", "缴费办法第24条说了什么？"),
            // Numbers of things.
            ("港内有三条航道吗？", "港内有三条航道吗？"),
            ("3条航道由谁登记？", "3条航道由谁登记？"),
            ("缴费办法规定了3条航道", "缴费办法规定了3条航道"),
            ("停泊要符合哪几条条件？", "停泊要符合哪几条条件？"),
            ("条例是什么？", "条例是什么？"),
            ("", ""),
        ] {
            assert_eq!(with_ordinals(question), expected, "{question}");
        }
    }
}
