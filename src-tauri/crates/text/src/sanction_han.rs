//! Chinese questions for the sanction of a breach (未登记有什么处罚), and Chinese texts that state a sanction.

use crate::lists::Word;
use crate::word_lists;

word_lists! {
    /// Words by which rules state a sanction.
    STATES: Vec<Word> = "chinese/sanctions.txt";
}

/// Whether a question asks for a sanction.
pub(crate) fn is_asked_for(question: &str) -> bool {
    asks_for(question, &NAMES)
}

/// Whether a question asks what follows from something, by the word for it or, of a breach, by how it is dealt with. Who
/// finds a breach asks what to do (发现虚假材料怎么处理), and of a contract the other side decides.
pub(crate) fn asks_what_follows(question: &str) -> bool {
    let has = |list: &[&str]| list.iter().any(|word| question.contains(word));
    asks_for(question, &CONSEQUENCES)
        || (has(&DEALT_WITH) && has(&CLEAR_BREACHES) && !has(&OF_OTHERS))
}

/// Whether a text is only the name of a sanction.
pub(crate) fn is_name(text: &str) -> bool {
    NAMES.contains(&text)
}

/// Whether a text states a sanction.
pub(crate) fn is_stated(text: &str) -> bool {
    STATES.iter().any(|word| text.contains(word))
}

/// Whether a question is about the breach of a rule.
pub(crate) fn is_of_a_breach(question: &str) -> bool {
    BREACHES.iter().any(|breach| question.contains(breach))
}

/// Whether a rule names a breach.
pub(crate) fn names_a_breach(text: &str) -> bool {
    IN_BREACH.iter().any(|breach| text.contains(breach))
}

/// The question without the words for the sanction and for the breach.
pub(crate) fn without_it(question: &str) -> String {
    let left_out = NAMES.iter().chain(&CONSEQUENCES).chain(&OF_A_BREACH);
    left_out.fold(question.to_owned(), |text, word| text.replace(word, " "))
}

/// Whether a question asks for one of these things.
fn asks_for(question: &str, things: &[&str]) -> bool {
    things.iter().any(|thing| {
        let mut places = question.match_indices(thing);
        places.any(|(at, _)| asks_around(&question[..at], &question[at + thing.len()..]))
    })
}

/// Whether the texts before and after the name of a sanction ask for it: 什么(处罚), (罚款)是多少, 会不会被(罚).
fn asks_around(before: &str, after: &str) -> bool {
    let before = without_ends(before, &BETWEEN_BEFORE);
    let after = without_beginnings(after, &BETWEEN_AFTER);
    let is_another = NOT_BEHIND.iter().any(|word| after.starts_with(word));
    let asks_before = ASKING_BEFORE.iter().any(|word| before.ends_with(word)) && !is_another;
    let asks_after = ASKING_AFTER.iter().any(|word| {
        let rest = after.strip_prefix(word);
        rest.is_some_and(|rest| !ANOTHER_THING.iter().any(|thing| rest.starts_with(thing)))
    });
    let is_exempt = EXEMPT.iter().any(|word| before.ends_with(word));
    let asks_whether = ["吗", "么", "嘛", "不"].iter().any(|end| {
        let end = after.strip_prefix(end);
        end.is_some_and(|rest| rest.chars().all(|c| !c.is_alphanumeric()))
    });
    !is_exempt && (asks_before || asks_after || asks_whether)
}

/// A text without these words at its end, up to three of them.
fn without_ends<'t>(mut text: &'t str, words: &[&str]) -> &'t str {
    for _ in 0..3 {
        let Some(rest) = words.iter().find_map(|word| text.strip_suffix(word)) else {
            break;
        };
        text = rest;
    }
    text
}

/// A text without these words at its beginning, up to three of them.
fn without_beginnings<'t>(mut text: &'t str, words: &[&str]) -> &'t str {
    for _ in 0..3 {
        let Some(rest) = words.iter().find_map(|word| text.strip_prefix(word)) else {
            break;
        };
        text = rest;
    }
    text
}

/// Chinese words by which a question asks for a sanction; a longer one comes before those that it contains.
const NAMES: [&str; 8] = [
    "行政处罚",
    "处罚",
    "罚款",
    "罚则",
    "惩罚",
    "法律责任",
    "刑事责任",
    "罚",
];
/// Chinese words by which a question asks what follows from something.
const CONSEQUENCES: [&str; 2] = ["法律后果", "后果"];
/// Words that name a breach whatever stands beside them: 没有约定 names none, nor do 客户拒绝, 贷款逾期 and 违约.
const CLEAR_BREACHES: [&str; 24] = [
    "违反",
    "违规",
    "违法",
    "擅自",
    "拒不",
    "逾期不",
    "逾期未",
    "漏报",
    "迟报",
    "瞒",
    "虚假",
    "非法",
    "伪造",
    "未按",
    "不按",
    "没按",
    "未经批准",
    "未经许可",
    "不缴",
    "未缴",
    "不交",
    "不报",
    "未报",
    "不履行",
];
/// Words of a question about what others did, or about a contract.
const OF_OTHERS: [&str; 4] = ["发现", "收到", "遇到", "约定"];
/// Words by which a question asks how a breach is dealt with. 怎么办 asks what one should do oneself.
const DEALT_WITH: [&str; 7] = [
    "怎么处理",
    "如何处理",
    "怎样处理",
    "怎么处置",
    "如何处置",
    "会怎么样",
    "会怎样",
];
/// Words that ask, before such a word and before those of the next list.
const ASKING_BEFORE: [&str; 12] = [
    "什么",
    "何种",
    "哪些",
    "哪种",
    "怎么",
    "怎样",
    "如何",
    "多少",
    "会不会",
    "是否会",
    "要不要",
    "何",
];
/// Words between the word that asks and the sanction: 什么样的行政(处罚), 怎么被(罚).
const BETWEEN_BEFORE: [&str; 13] = [
    "样的", "的", "行政", "经济", "具体", "受到", "承担", "给予", "处以", "被", "受", "处", "挨",
];
/// Words between the sanction and the word that asks: (罚款)金额最高是多少.
const BETWEEN_AFTER: [&str; 15] = [
    "金额", "措施", "标准", "幅度", "最高", "最低", "最多", "最少", "额", "是", "为", "有", "要",
    "会", "的",
];
/// Words that ask, behind the sanction.
const ASKING_AFTER: [&str; 6] = ["什么", "哪些", "多少", "多大", "多重", "几"];
/// Words behind the word that asks with which something else is asked for: 罚款多少日内缴.
const ANOTHER_THING: [&str; 12] = [
    "天", "日", "个月", "月", "年", "时", "程序", "情形", "情况", "条件", "机关", "部门",
];
/// Words behind the sanction that make another thing of it: 处罚决定.
const NOT_BEHIND: [&str; 16] = [
    "决定",
    "程序",
    "信息",
    "时效",
    "权",
    "案件",
    "裁量",
    "机关",
    "对象",
    "听证",
    "文书",
    "委员会",
    "款",
    "则",
    "金",
    "没",
];
/// Words before the sanction that say that there is none, or how heavy it is.
const EXEMPT: [&str; 8] = [
    "不予", "免予", "免于", "从轻", "减轻", "从重", "不再", "暂缓",
];
/// Signs of a breach in a Chinese question.
const BREACHES: [&str; 13] = [
    "未", "不", "违", "擅自", "拒", "没", "迟", "逾期", "漏", "瞒", "虚假", "非法", "伪造",
];
/// Words by which a Chinese rule names a breach.
const IN_BREACH: [&str; 6] = ["违反", "未按", "未依", "未遵守", "不符合", "未履行"];
/// Words of a Chinese question that name a breach, and not the rule.
const OF_A_BREACH: [&str; 6] = ["未按规定", "未按照规定", "违反规定", "违规", "违法", "违反"];
