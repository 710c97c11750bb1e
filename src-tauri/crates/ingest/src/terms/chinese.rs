//! Chinese candidates: runs of content words as the segmenter and its parts of speech give them.

use super::cvalue::cvalues;
use super::named::{Named, is_text, named};
use super::segmenter::tagged;
use jieba_rs::Tag;
use lexforge_domain::extract::Defined;
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Most words of a phrase.
const LONGEST: usize = 6;
/// What defined terms get on top.
const DEFINED_BONUS: f64 = 10.0;

/// Words that bound a phrase whatever their tag.
static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "应当 应 可以 不得 必须 有关 相关 其他 其它 以上 以下 以内 以外 之间 规定 按照 依照 依法 根据 符合 进行 作出 予以 给予 采取 提供 建立 健全 完善 加强 确保 保证 做好 开展 履行 执行 遵守 遵循 制定
     说明 明确 要求 提出 提交 报送 报告 通知 公布 公告 发布 施行 实施 适用 包括 属于 构成 发生 存在 具有 具备 取得 获得 得到 使用 利用 通过 经过 负责 承担 实行 设立 成立 变更 终止 认定 确定 认为 批准 核准 决定
     采用 有权 办法 附件 条例 规章 约定 另有 订立 从事 出现 造成 请求 增加 减少 开始 结束 计算 之日起 起 显著 担任 聘请 聘用 收到 接到 持有 拥有 产生 形成 导致 引起 除外 视为 以此 拒绝 故意 过失
     下列 上述 前款 前条 本条 本款 本法 本办法 本条例 本规定 各 各类 各项 每 某 该 其 此 何 任何 一切 全部 所有 部分 主要 重要 一定 相应 适当 合理 必要 及时 定期 充分 有效 严格 切实 充足 真实 准确 完整
     第一 第二 第三 以及 或者 并且 但是 如果 因为 由于 为了 关于 对于 除 之 的 地 得 和 与 及 或 等 在 对 由 为 向 从 至 自 经 按 被 把 将 使 令 于 以 并 但 而 且 则 又 也 还 均 已 未 不 没有 无 非 是 有 系 即
     同意 申请 办理 接受 委托 处理 处分 处罚 追究 责令 改正 没收 违反 构成 情节 超过 低于 高于 不足 达到 不低于 不超过 不少于 万元 百分之 人民币 年 月 日 条 款 项 章 节 号 令 个 名 次 倍 件 种
     国家金融监督管理总局规章 发布 来源 中 上 下 内 外 前 后 时 间 期 旨在 涉及 影响 考虑 结合 围绕 坚持 贯彻 落实 促进 推动 推进 提高 增强 维护 防范 保护 改善 优化 支持 鼓励 引导 指导 督促 协调 配合 组织 参与 参加 选择 不同 相同 单独 共同 分别 自行 直接 间接 同时 同一 所称 称 指 是指"
        .split_whitespace()
        .collect()
});

/// Nouns that say something only together with others.
static GENERIC: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "国家有关 全面 流程 规范 审查 有效性 法律法规 发现问题 违法行为 违反规定 限期 跨省 农村 合格 调整 控制 处理 计量 变化 变动 理由 证明 书面 安全 建设 协商 监控 岗位 股东 情况 情形 问题 方式 方法 内容 部门 单位 机构 人员 个人 组织 工作 事项 事宜 活动 行为 制度 规则 措施 条件 标准 程序 要求 原则 目的 范围 期限 时间 比例 金额 数额 数量 责任 义务 权利 权力 关系 基础 方面 过程 结果 原因 能力 作用 水平 程度 条款
     名称 住所 材料 文件 资料 信息 数据 意见 建议 计划 方案 目标 任务 职责 业务 产品 服务 管理 监督 检查 评估 评价 分析 研究 决定 法律 法规 规章 行政法规 法律责任 国家 社会 公共 市场 企业 公司 银行 客户 人 者 方 一方 双方 当事人 第三人 他人 国务院 地区 地方 境内 境外 主体 对象 类型 种类 形式 结构 体系 系统 机制 政策 项目 环节 阶段 利益 影响 因素 损失 费用 价格 价值 收入 支出 成本 资金 财产 资产 负债 账户 总额 余额 余 额 率 比率 指标 权重 模型 参数 系数 公式 因子 要素 等级 级别 总则 附则 附件 附表 表格 章程 合同 协议 记录 档案 报表 年度 季度 月度 日期 期间 期末 上年 当年 本级 上级 下级 全国 各地 省 市 县 人民 中国 中华人民共和国"
        .split_whitespace()
        .collect()
});

/// Words before a predicate: what follows them is used as a verb there.
const MODALS: &[&str] = &[
    "应当", "应", "可以", "可", "不得", "必须", "须", "需", "不", "未", "已", "能够", "依法", "拒绝", "自行", "擅自",
    "予以",
];

/// Single characters that may end a term: suffixes.
const SUFFIXES: &str = "率额权法人费金业险债物款证书者员量值数表";

/// How a word may stand in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// May end a phrase.
    Head,
    /// May only stand before a head.
    Modifier,
    /// Ends the run.
    Break,
}

fn role(word: &str, tag: &str) -> Role {
    let han = word.chars().all(|c| matches!(c, '\u{3400}'..='\u{9fff}'));
    let latin = word.chars().all(|c| c.is_ascii_alphabetic()) && word.len() > 1;
    if STOP.contains(word) || !(han || latin) {
        return Role::Break;
    }
    match tag {
        "n" | "nz" | "vn" | "l" | "j" | "an" | "eng" | "nt" | "ng" | "i" | "nrt" | "nw" | "x" => Role::Head,
        "v" | "vi" | "vd" => Role::Head,
        "a" | "b" | "ad" | "s" | "f" | "ns" | "k" | "h" | "m" | "t" | "nr" | "ag" | "vg" | "g" | "z" => Role::Modifier,
        _ => Role::Break,
    }
}

#[derive(Debug, Default)]
struct Counted {
    count: u32,
    whole: u32,
    left: HashSet<String>,
    right: HashSet<String>,
    /// The last word is tagged as a verb or verbal noun.
    verbal: bool,
}

pub(super) fn candidates(sentences: &[(SentenceKind, &str)], defined: &[Defined]) -> Vec<TermCandidate> {
    let segmented: Vec<Vec<Tag<'_>>> =
        sentences.iter().filter(|(kind, _)| is_text(*kind)).map(|(_, text)| tagged(text)).collect();
    let predicates = predicates(&segmented);
    let mut counted: HashMap<Vec<String>, Counted> = HashMap::new();
    for words in &segmented {
        let roles: Vec<Role> = words.iter().map(|w| role(w.word, w.tag)).collect();
        let mut start = 0;
        while start < words.len() {
            if roles[start] == Role::Break {
                start += 1;
                continue;
            }
            let end = (start..words.len()).find(|&i| roles[i] == Role::Break).unwrap_or(words.len());
            for first in start..end {
                for last in first..end.min(first + LONGEST) {
                    // A predicate may end a phrase ("贷款发放"), but inside it makes a clause of it.
                    let clause = words[first..last].iter().any(|w| predicates.contains(w.word));
                    if roles[last] != Role::Head
                        || clause
                        || !bounds(words[first].word, words[last].word, first == last)
                    {
                        continue;
                    }
                    let phrase: Vec<String> = words[first..=last].iter().map(|w| w.word.to_owned()).collect();
                    let entry = counted.entry(phrase).or_default();
                    entry.count += 1;
                    entry.whole += u32::from(first == start && last + 1 == end);
                    entry.verbal |= words[last].tag.starts_with('v');
                    let neighbour = |i: Option<usize>| i.and_then(|i| words.get(i)).map_or("", |w| w.word).to_owned();
                    entry.left.insert(neighbour(first.checked_sub(1)));
                    entry.right.insert(neighbour(Some(last + 1)));
                }
            }
            start = end;
        }
    }
    counted.retain(|words, c| c.count >= if words.len() == 1 { 4 } else { 3 });
    let frequency: HashMap<Vec<String>, u32> = counted.iter().map(|(w, c)| (w.clone(), c.count)).collect();
    let values = cvalues(&frequency);

    let mut found: HashMap<String, TermCandidate> = HashMap::new();
    for (words, c) in &counted {
        let text = words.concat();
        let length = text.chars().count();
        let independence = f64::from(c.whole) / f64::from(c.count);
        if !(2..=16).contains(&length) || !stands_alone(words, c, independence) {
            continue;
        }
        // Freedom at both ends: a fragment of one longer term has always the same neighbour.
        let freedom = (c.left.len().min(c.right.len()) as f64 / f64::from(c.count).sqrt()).min(1.0);
        let score = values[words] * (0.2 + 0.8 * independence) * freedom;
        if score > 0.0 {
            let known = found.entry(text.clone()).or_insert_with(|| candidate(text, FoundBy::Phrase, 0.0, 0));
            known.score += score;
            known.count += c.count;
        }
    }
    add_defined(sentences, defined, &mut found);
    found.into_values().collect()
}

/// Words that this corpus uses as predicates: verbs of which a good part stands after a modal or a negation.
fn predicates<'a>(segmented: &[Vec<Tag<'a>>]) -> HashSet<&'a str> {
    let mut counts: HashMap<&str, (u32, u32)> = HashMap::new();
    for words in segmented {
        for (i, word) in words.iter().enumerate().filter(|(_, w)| w.tag.starts_with('v')) {
            let entry = counts.entry(word.word).or_default();
            entry.0 += 1;
            entry.1 += u32::from(i > 0 && MODALS.contains(&words[i - 1].word));
        }
    }
    counts.into_iter().filter(|(_, (count, modal))| *modal >= 2 && 20 * modal > *count).map(|(word, _)| word).collect()
}

/// Whether words may begin and end a phrase: single characters are prefixes of nothing, and suffixes by list.
fn bounds(first: &str, last: &str, alone: bool) -> bool {
    let single = |w: &str| w.chars().count() == 1;
    !single(first) && (alone || !single(last) || SUFFIXES.contains(last))
}

fn candidate(text: String, found: FoundBy, score: f64, count: u32) -> TermCandidate {
    TermCandidate {
        normal: text.clone(),
        text,
        found,
        score,
        count,
        definition: None,
        names: Vec::new(),
        class: String::new(),
        language: Language::Zh,
    }
}

fn stands_alone(words: &[String], c: &Counted, independence: f64) -> bool {
    let generic = words.iter().filter(|w| GENERIC.contains(w.as_str())).count();
    if words.len() == 1 {
        return generic == 0 && !c.verbal && independence >= 0.25;
    }
    if c.left.len() < 2 || c.right.len() < 2 {
        return false;
    }
    if generic == words.len() { independence >= 0.5 } else { independence >= 0.2 }
}

fn add_defined(sentences: &[(SentenceKind, &str)], defined: &[Defined], found: &mut HashMap<String, TermCandidate>) {
    for (normal, Named { written: term, definition, names }) in named(defined, str::to_owned) {
        let length = term.chars().count();
        if !(2..=25).contains(&length) {
            continue;
        }
        let count = sentences.iter().map(|(_, text)| text.matches(term.as_str()).count() as u32).sum::<u32>().max(1);
        let entry = found.entry(normal).or_insert_with(|| candidate(term, FoundBy::Defined, f64::from(count), count));
        entry.found = FoundBy::Defined;
        entry.score = entry.score.max(f64::from(count)) + DEFINED_BONUS;
        entry.definition = Some(definition);
        entry.names = names;
    }
}
