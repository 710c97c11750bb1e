//! Kinds of Chinese terms, so that a wrong term could be meant and is no wider or narrower name of the right one.

use super::{lexicon, parse};
use crate::words::length;

/// Whether a string is a noun phrase, as far as its characters tell.
pub(crate) fn is_noun(term: &str) -> bool {
    !lexicon::NO_NAMES.contains(&term)
        && !lexicon::OPENS_NO_NAME.iter().any(|a| term.starts_with(a))
        && length(term) > 1
        && (lexicon::WHOLE_NAMES.contains(&term)
            || !lexicon::VERBS_IN_NAMES.iter().any(|v| term.contains(v)))
}

/// Whether one of two names may be a wider name of the other.
pub(crate) fn may_include(a: &str, b: &str) -> bool {
    let wide = |t: &str| lexicon::WIDE.contains(&t) || lexicon::ANYBODY.contains(&t);
    // "银行卡清算服务" is "银行卡清算业务" by another name.
    let stem = |t: &str| {
        lexicon::SAME_HEADS.iter().enumerate().find_map(|(i, all)| {
            all.iter()
                .find_map(|e| Some((i, t.strip_suffix(e)?.to_owned())))
        })
    };
    // "信息系统" is a "信息管理系统".
    let inside = |short: &str, long: &str| {
        let mut rest = long.chars();
        short.chars().all(|c| rest.any(|l| l == c))
    };
    if end(a) == end(b) && length(a) > 3 && length(b) > 3 && (inside(a, b) || inside(b, a)) {
        return true;
    }
    // "控制措施" and "处置措施": two names of measures.
    let done = ["措施", "体系", "系统", "机制", "制度", "流程"]
        .iter()
        .any(|e| a.ends_with(e) && b.ends_with(e));
    if done {
        return true;
    }
    if stem(a).is_some_and(|one| stem(b) == Some(one)) {
        return true;
    }
    a.contains(b) || b.contains(a) || wide(a) || wide(b)
}

/// The last two characters.
fn end(term: &str) -> String {
    let chars: Vec<char> = term.chars().collect();
    chars.iter().skip(chars.len().saturating_sub(2)).collect()
}

fn kind(term: &str) -> Option<usize> {
    lexicon::KINDS
        .iter()
        .enumerate()
        .flat_map(|(i, k)| {
            k.iter()
                .filter(|e| term.ends_with(**e))
                .map(move |e| (length(e), i))
        })
        .max()
        .map(|(_, i)| i)
}

/// The kind of actor that a name means: a person, a court, an organ of a firm, an authority or a firm. An actor is
/// replaced only by another one of the same kind.
pub(crate) fn rank(name: &str) -> u8 {
    let ends = |all: &[&str]| all.iter().any(|e| name.ends_with(e));
    let state = [
        "国务院",
        "中国人民银行",
        "监督管理",
        "财政",
        "政府",
        "总局",
        "派出机构",
        "银保监",
        "主管",
        "检察",
    ];
    if ends(&["法院", "检察院"]) {
        0
    } else if state.iter().any(|s| name.contains(s)) || ends(&["局", "机关", "财政部", "监管机构"])
    {
        1
    } else if ends(&["人", "员", "者", "董事", "监事", "股东", "客户", "经理"])
        && !name.ends_with("法人")
    {
        2
    } else if ends(&["会", "层", "部门", "部", "股东大会"]) {
        3
    } else {
        4
    }
}

/// Whether one term could be taken for the other.
pub(crate) fn of_one_kind(a: &str, b: &str) -> bool {
    if !is_noun(a) || !is_noun(b) || may_include(a, b) || parse::is_agent(a) != parse::is_agent(b) {
        return false;
    }
    if parse::is_agent(a) {
        return rank(a) == rank(b);
    }
    end(a) == end(b)
        || kind(a).is_some() && kind(a) == kind(b)
        || a.ends_with('性') && b.ends_with('性')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_terms_could_be_meant() {
        let check = |a, b, expected| assert_eq!(of_one_kind(a, b), expected, "{a} / {b}");
        check("统计报表", "利润分配表", false);
        check("统计报表", "会计报表", true);
        check("投保人", "受益人", true);
        check("投保人", "保险公司", false);
        check("信用风险", "市场风险", true);
        check("收单机构", "金融机构", false);
        check("储蓄机构", "人民法院", false);
        check(
            "国务院保险监督管理机构会同",
            "国务院保险监督管理机构",
            false,
        );
        check("提示投保人", "受益人", false);
    }
}
