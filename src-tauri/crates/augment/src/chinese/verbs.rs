//! What a rule has done: verbs, and others that could stand in their place and mean something else.

use crate::clause::Clause;

/// (verb, what could be done instead). Each takes its object right behind it.
const VERBS: &[(&str, &[&str])] = &[
    ("建立健全", &["评估", "公布"]),
    ("建立", &["评估", "公布"]),
    ("制定", &["评估", "公布"]),
    ("制订", &["评估", "公布"]),
    ("完善", &["公布", "评估"]),
    ("披露", &["保存", "核实"]),
    ("保存", &["销毁", "公开"]),
    ("保管", &["销毁", "公开"]),
    ("审核", &["公布", "保存"]),
    ("审查", &["公布", "保存"]),
    ("聘请", &["解聘", "监督"]),
    ("聘任", &["解聘", "监督"]),
    ("设立", &["撤销", "合并"]),
    ("提交", &["撤回", "公开"]),
    ("报送", &["公开", "保存"]),
    ("收集", &["删除", "公开"]),
    ("监测", &["披露", "限制"]),
    ("评估", &["披露", "限制"]),
    ("识别", &["披露", "限制"]),
    ("赔偿", &["垫付"]),
    ("退还", &["扣留"]),
    ("缴纳", &["退还", "缓缴"]),
    ("通知", &["征求"]),
    ("监督", &["代替", "聘请"]),
    ("查阅", &["销毁", "公开"]),
    ("复制", &["销毁", "公开"]),
    ("委托", &["撤换", "监督"]),
    ("指定", &["撤换", "监督"]),
    ("申请", &["放弃", "撤回"]),
    ("核实", &["公开", "保存"]),
    ("保护", &["限制", "公开"]),
    ("公布", &["审核", "撤回"]),
    ("公告", &["审核", "撤回"]),
    ("记录", &["公开", "销毁"]),
    ("责令", &["建议"]),
    ("批准", &["备案", "撤销"]),
    ("解除", &["变更", "中止"]),
    ("变更", &["解除", "中止"]),
    ("采取", &["公布", "评估"]),
    ("明确", &["公布", "评估"]),
    ("配备", &["解聘", "监督"]),
    ("承担", &["转移", "分摊"]),
    ("参加", &["退出"]),
    ("告知", &["请示"]),
    ("载明", &["隐去"]),
    ("出示", &["保管", "交回"]),
];
/// What may stand before the verb.
const ADVERBS: &[&str] = &["依法", "及时", "定期", "主动", "按照规定", "持续", "妥善", "认真", "严格", "书面", "如实"];

/// The predicate with another verb in the place of its first one: (predicate, what went, what came).
pub(super) fn swapped(clause: &Clause) -> Vec<(String, String, String)> {
    let text = clause.predicate.as_str();
    let adverb = ADVERBS.iter().find(|a| text.starts_with(**a)).map_or(0, |a| a.len());
    let Some(rest) = text.get(adverb..) else { return Vec::new() };
    let Some((verb, others)) = VERBS.iter().find(|v| rest.starts_with(v.0)) else { return Vec::new() };
    let after = &rest[verb.len()..];
    // "建立的……", "保存和使用……": part of a noun, or one of several verbs of one object.
    let part = after.chars().next().is_none_or(|c| "的和或与及、，（等给至于为".contains(c)) || after.starts_with("并");
    if part {
        return Vec::new();
    }
    let fits = others.iter().filter(|o| !text.contains(**o));
    fits.map(|o| (format!("{}{o}{after}", &text[..adverb]), (*verb).to_owned(), (*o).to_owned())).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn another_verb_takes_the_place_of_the_first() {
        let check = |text: &str, expected: &[&str]| {
            let found = swapped(&parse::clause(text).unwrap());
            assert_eq!(found.iter().map(|s| s.0.as_str()).collect::<Vec<_>>(), expected, "{text}");
        };
        check("仓储公司应当妥善保管托运人的货物。", &["妥善销毁托运人的货物", "妥善公开托运人的货物"]);
        check("仓储公司应当保存和核对货物清单。", &[]);
        check("仓储公司应当按时交付货物。", &[]);
    }
}
