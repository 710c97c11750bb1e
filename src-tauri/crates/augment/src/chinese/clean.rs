//! A sentence as a choice shows it.

use super::lexicon;
use crate::reasons::SkipReason;
use crate::words::length;
use lexforge_text::fold::tidy;
use lexforge_text::is_han;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use regex::Regex;
use std::sync::LazyLock;

/// Longest sentence that is shown whole, in scalar values.
pub(crate) const SHOWN: usize = 180;
/// Longest and shortest sentence that is asked about, in scalar values. Of a long one only its first part is shown.
const LONGEST: usize = 300;
const SHORTEST: usize = 10;

/// Numbering of articles, items and lists at the start.
pub(crate) static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:第[〇零一二三四五六七八九十百千0-9]+[条款项章节](?:之[一二三四五六七八九十])?[　 ]*|[（(][〇一二三四五六七八九十0-9]+[)）][　 ]*|[一二三四五六七八九十]+、|[0-9]+[.．、][　 ]*|[①-⑳•●·])+")
        .expect("a constant pattern")
});
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[（(][〇一二三四五六七八九十0-9]+[)）]").expect("a constant pattern")
});
static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:下列|以下)(?:行为|情形|条件|职责|要求|规定|事项|内容|方式|措施|信息|材料|原则|资料|文件|工作|业务)[^的之外，。、；）等时]")
        .expect("a constant pattern")
});
static VERB: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"应|须|得|可以|是|为|由|适用|负责|包括|属于|有|指|实行|承担|依法|遵循|施行|禁止|鼓励|支持|给予|处|责令|视为|进行|监督管理|制定")
        .expect("a constant pattern")
});

/// The sentence without article number, with the opening of its list and a stop.
pub(crate) fn sentence(
    text: &str,
    lead_in: Option<&str>,
    rng: &mut ChaCha8Rng,
) -> Result<String, SkipReason> {
    let tidied = full_width(&joined(&tidy(text)));
    let body = MARKER.replace(&tidied, "").into_owned();
    let body = match lead_in
        .map(|l| full_width(&joined(&tidy(l))))
        .filter(|l| !l.is_empty())
    {
        Some(opening) => with_opening(&MARKER.replace(&opening, ""), &body),
        None => body,
    };
    let body = one_item(&body, rng);
    let body = body
        .trim_end_matches(['。', '；', '，', '、', ' ', '.', ';', '！'])
        .to_owned();
    if body.is_empty() || body.ends_with(['：', ':']) {
        return Err(SkipReason::Fragment);
    }
    // With "有下列行为" the opening only announces a list. Opening and item together are no sentence.
    if LISTED.is_match(&body) {
        return Err(SkipReason::Fragment);
    }
    if lexicon::POINTING.iter().any(|p| body.starts_with(p)) && !body.starts_with("其他") {
        return Err(SkipReason::UnclearSubject);
    }
    // "采取前款第（一）项措施的" refers to a measure in another sentence.
    if ["前款", "前项", "前条", "上款"]
        .iter()
        .any(|p| body.contains(p))
    {
        return Err(SkipReason::UnclearSubject);
    }
    if length(&body) < SHORTEST {
        return Err(SkipReason::TooShort);
    }
    if length(&body) > LONGEST {
        return Err(SkipReason::TooLong);
    }
    let opens = body
        .chars()
        .next()
        .is_some_and(|c| is_han(c) || matches!(c, '“' | '《') || c.is_ascii_uppercase());
    if !opens || !balanced(&body) || !VERB.is_match(&body) || body.contains(['？', '?', '：', ':'])
    {
        return Err(SkipReason::Fragment);
    }
    Ok(format!("{body}。"))
}

/// The text with Chinese punctuation between Chinese words. Some files have ",", ";" and ":" of Latin text there.
pub(crate) fn full_width(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let near = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_none_or(|c| is_han(*c) || matches!(c, '》' | '）' | '”' | '《' | '“' | ')' | '%'))
    };
    let mut open = Vec::new();
    chars
        .iter()
        .enumerate()
        .map(|(i, c)| match c {
            ',' | ';' | ':' if near(i.checked_sub(1)) || near(Some(i + 1)) => match c {
                ',' => '，',
                ';' => '；',
                _ => '：',
            },
            '(' => {
                open.push(near(Some(i + 1)));
                if open.last() == Some(&true) {
                    '（'
                } else {
                    '('
                }
            }
            ')' => {
                if open.pop() == Some(true) {
                    '）'
                } else {
                    ')'
                }
            }
            other => *other,
        })
        .collect()
}

/// Without the spaces that a line break leaves between two Han characters.
pub(crate) fn joined(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let wide = |c: Option<&char>| {
        c.is_some_and(|c| {
            is_han(*c)
                || matches!(
                    *c,
                    '，' | '。' | '、' | '；' | '：' | '（' | '）' | '《' | '》'
                )
        })
    };
    chars
        .iter()
        .enumerate()
        .filter(|(i, c)| {
            **c != ' '
                || !(wide(i.checked_sub(1).and_then(|p| chars.get(p))) || wide(chars.get(i + 1)))
        })
        .map(|(_, c)| *c)
        .collect()
}

/// Joins the introduction of a list ("…应当：") and one of its items ("（一）……；") into one sentence. Some introductions only
/// count the items ("有下列情形之一的，…：") and cannot be joined with a single one. Then the colon stays, and the check for
/// complete sentences rejects the result.
fn with_opening(opening: &str, item: &str) -> String {
    let opening = opening.trim_end_matches(['：', ':', '，', '。', ' ']);
    let item = item.trim();
    for (listing, said) in lexicon::LISTINGS.iter() {
        if let Some(head) = opening.strip_suffix(listing) {
            // In "不得不按规定……" and "不得其他……" the item is not one of several acts.
            let unfit = cased(item)
                || ["不", "未", "无", "其他", "法律", "有", "国务院"]
                    .iter()
                    .any(|p| item.starts_with(p));
            if said.ends_with(['得', '以', '当', '权']) && unfit {
                return format!("{opening}：{item}");
            }
            return format!("{head}{said}{item}");
        }
    }
    if ["下列", "以下"].iter().any(|w| opening.contains(w)) {
        return format!("{opening}：{item}");
    }
    let goes_on = [
        "应当", "不得", "可以", "必须", "负责", "为", "是", "有权", "按照",
    ]
    .iter()
    .any(|e| opening.ends_with(e));
    // "可以" and an item with a case of its own: the case would stand behind the modal.
    if goes_on && !cased(item) {
        format!("{opening}{item}")
    } else {
        format!("{opening}：{item}")
    }
}

/// Whether an item begins with a case of its own ("到期不缴纳的，……").
fn cased(item: &str) -> bool {
    item.split_once('，')
        .is_some_and(|(case, _)| case.ends_with('的'))
}

/// If a sentence contains a list, its opening with one of the items; otherwise the sentence as it is.
fn one_item(text: &str, rng: &mut ChaCha8Rng) -> String {
    let Some((opening, list)) = text.split_once(['：', ':']) else {
        return text.to_owned();
    };
    let mut starts: Vec<(usize, usize)> =
        ITEM.find_iter(list).map(|m| (m.start(), m.end())).collect();
    if starts.first().is_none_or(|s| s.0 != 0) || starts.len() < 2 {
        return text.to_owned();
    }
    starts.push((list.len(), list.len()));
    let items: Vec<&str> = starts
        .windows(2)
        .filter_map(|w| list.get(w[0].1..w[1].0))
        .collect();
    let item = items
        .get(rng.random_range(0..items.len()))
        .copied()
        .unwrap_or_default();
    with_opening(opening, item.trim_end_matches(['；', '。', ';', ' ']))
}

pub(crate) fn balanced(text: &str) -> bool {
    [('（', '）'), ('《', '》'), ('“', '”'), ('(', ')')]
        .iter()
        .all(|(a, b)| text.matches(*a).count() == text.matches(*b).count())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::seed;

    #[test]
    fn numbers_go_and_openings_come() {
        let check = |text: &str, lead: Option<&str>, expected: Result<&str, SkipReason>| {
            let got = sentence(text, lead, &mut seed::stream(1, 1, 0));
            assert_eq!(got.as_deref().map_err(|e| *e), expected);
        };
        check(
            "第二十四条 商业银行应当按月报送报表。",
            None,
            Ok("商业银行应当按月报送报表。"),
        );
        check(
            "（二）建立风险管理制度；",
            Some("第五条 商业银行应当："),
            Ok("商业银行应当建立风险管理制度。"),
        );
        check(
            "银行报送报表的,应当按月报送;",
            None,
            Ok("银行报送报表的，应当按月报送。"),
        );
        check(
            "前款规定的申请权归于消灭，不再恢复。",
            None,
            Err(SkipReason::UnclearSubject),
        );
        check("银行应当具备下列条件：", None, Err(SkipReason::Fragment));
        check(
            "本办法自2025年1月1日起施行。",
            None,
            Ok("本办法自2025年1月1日起施行。"),
        );
    }
}
