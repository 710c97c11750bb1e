//! Kinds of Chinese terms, so that a wrong term could be meant and is no wider or narrower name of the right one.

use super::parse;
use crate::words::length;

/// Kinds of things by the end of their name.
const KINDS: &[&[&str]] = &[
    &["费", "费用", "保费", "利息", "报酬", "赔偿金", "违约金", "罚款", "价款", "佣金", "手续费", "补偿"],
    &[
        "资金",
        "资本",
        "准备金",
        "保证金",
        "基金",
        "收入",
        "利润",
        "存款",
        "贷款",
        "债券",
        "股份",
        "股权",
        "财产",
        "资产",
        "负债",
        "债权",
        "债务",
        "押品",
        "头寸",
        "公积金",
        "备付金",
    ],
    &[
        "合同",
        "协议",
        "报告",
        "报表",
        "材料",
        "文件",
        "说明书",
        "声明",
        "方案",
        "计划",
        "规划",
        "章程",
        "条款",
        "凭证",
        "证明",
        "档案",
        "记录",
        "许可证",
        "通知书",
        "决定书",
        "意见书",
        "申请书",
        "保险单",
        "预案",
    ],
    &["责任", "义务", "职责", "权利", "权益", "职权", "权限"],
    &["率", "比例", "权重", "额", "额度", "金额", "限额", "余额", "比率", "系数", "规模"],
    &["期限", "期间", "时限"],
    &["检查", "调查", "评估", "审计", "审查", "审核", "监测", "核查", "审批", "评级", "清算", "审议"],
    &["制度", "机制", "体系", "系统", "流程", "程序", "措施", "标准", "规则", "政策", "策略", "规范"],
    &["信息", "数据", "资料", "线索"],
    &["业务", "服务", "产品", "交易", "活动", "工具"],
    &["风险", "损失", "事故", "事件", "暴露"],
    &["警告", "处罚", "处分", "许可", "批准", "备案", "登记"],
];
/// Names so wide that another thing of their kind may be one of theirs.
const WIDE: &[&str] = &[
    "业务",
    "活动",
    "产品",
    "服务",
    "交易",
    "信息",
    "资料",
    "财产",
    "资产",
    "风险",
    "措施",
    "制度",
    "规定",
    "合同",
    "权利",
    "义务",
    "责任",
    "费用",
    "资金",
    "管理",
    "工作",
    "事项",
    "情况",
    "数据",
    "材料",
    "文件",
    "利益",
    "损失",
    "债务",
    "债权",
    "金融产品",
    "金融服务",
    "金融业务",
    "相关信息",
    "有关资料",
    "保险业务",
    "合法权益",
    "权益",
    "资本",
    "行为",
];
/// Names of those who act that are as wide.
const ANYBODY: &[&str] = &[
    "机构",
    "金融机构",
    "单位",
    "企业",
    "公司",
    "人员",
    "工作人员",
    "当事人",
    "部门",
    "机关",
    "组织",
    "主体",
    "法人",
    "个人",
    "自然人",
    "客户",
    "银行业金融机构",
    "银行保险机构",
    "监管机构",
    "监督管理机构",
    "监督管理部门",
    "从业人员",
    "管理人员",
    "银行",
    "保险机构",
    "派出机构",
    "分支机构",
    "相关部门",
    "有关部门",
    "国家",
    "人",
    "者",
    "消费者",
    "专业人员",
    "第三方机构",
    "第三方",
    "中介机构",
    "股份有限公司",
    "有限责任公司",
    "分公司",
    "总公司",
    "子公司",
    "母公司",
    "附属机构",
    "单家银行",
    "法定代表人",
    "负责人",
    "主要负责人",
    "商业银行",
    "合作机构",
    "下级机构",
    "相关人员",
    "对方",
    "双方",
    "一方",
    "政府",
    "部",
    "员",
    "局",
    "其他人员",
];
/// Parts of a string that an extractor took for a term: verbs, adverbs, words of a clause.
const VERBS: &[&str] = &[
    "会同",
    "从事",
    "办理",
    "不得",
    "应当",
    "依法",
    "按照",
    "依照",
    "停止",
    "提示",
    "报经",
    "派出",
    "指定",
    "改进",
    "违反",
    "未经",
    "合理",
    "采取",
    "报送",
    "规定",
    "要求",
    "使用",
    "提供",
    "实际",
    "以及",
    "或者",
    "及其",
    "进行",
    "开展",
    "经营",
    "计量",
    "所属",
    "所在",
    "的",
    "并",
    "等",
    "其他",
    "有关",
    "相关",
    "具体",
    "各类",
    "本",
    "该",
    "国有独资",
    "作出",
    "收到",
    "加强",
    "建立",
    "完善",
    "健全",
    "确保",
    "防范",
    "知悉",
    "销售产品",
    "拟",
    "已",
    "被撤销",
    "承担",
    "行使",
    "落实",
    "免除",
    "保障消",
    "询问",
    "审议通过",
    "定性",
];

/// Whether a string is a noun phrase, as far as its characters tell.
pub(super) fn is_noun(term: &str) -> bool {
    let whole = ["派出机构", "经营者", "销售机构", "指定代表", "规定期限"];
    let acts = [
        "规避", "防止", "避免", "加强", "进行", "开展", "具有", "超过", "违反", "造成", "享有", "解除", "严重", "变更",
        "订立", "终止", "调整", "扩大", "提高", "降低", "缩小",
    ];
    let manner = ["足额", "全额", "如实", "善意", "恶意", "及时", "按时", "按期", "依法", "自愿", "公平", "公正"];
    !manner.contains(&term)
        && !acts.iter().any(|a| term.starts_with(a))
        && length(term) > 1
        && (whole.contains(&term) || !VERBS.iter().any(|v| term.contains(v)))
}

/// Whether one of two names may be a wider name of the other.
pub(super) fn may_include(a: &str, b: &str) -> bool {
    let wide = |t: &str| WIDE.contains(&t) || ANYBODY.contains(&t);
    // "银行卡清算服务" is "银行卡清算业务" by another name.
    const ALIKE: &[&[&str]] = &[
        &["业务", "服务", "活动", "工作", "经营"],
        &["制度", "机制", "体系", "办法", "规范", "规则"],
        &["措施", "手段", "方式"],
        &["资料", "材料", "文件", "信息", "数据"],
        &["检查", "核查", "审查", "审核", "调查"],
        &["职责", "责任", "义务"],
        &["费用", "费", "价款"],
        &["损失", "损害"],
    ];
    let stem = |t: &str| {
        ALIKE.iter().enumerate().find_map(|(i, all)| all.iter().find_map(|e| Some((i, t.strip_suffix(e)?.to_owned()))))
    };
    // "信息系统" is a "信息管理系统".
    let inside = |short: &str, long: &str| {
        let mut rest = long.chars();
        short.chars().all(|c| rest.any(|l| l == c))
    };
    if end(a) == end(b) && length(a) > 3 && length(b) > 3 && (inside(a, b) || inside(b, a)) {
        return true;
    }
    // "控制措施" and "处置措施": two names of what is done.
    let done = ["措施", "体系", "系统", "机制", "制度", "流程"].iter().any(|e| a.ends_with(e) && b.ends_with(e));
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
    KINDS
        .iter()
        .enumerate()
        .flat_map(|(i, k)| k.iter().filter(|e| term.ends_with(**e)).map(move |e| (length(e), i)))
        .max()
        .map(|(_, i)| i)
}

/// Who somebody is: a person, a court, an organ of a firm, an authority or a firm. Who is of another kind is not taken
/// for it.
pub(super) fn rank(name: &str) -> u8 {
    let ends = |all: &[&str]| all.iter().any(|e| name.ends_with(e));
    let state = ["国务院", "中国人民银行", "监督管理", "财政", "政府", "总局", "派出机构", "银保监", "主管", "检察"];
    if ends(&["法院", "检察院"]) {
        0
    } else if state.iter().any(|s| name.contains(s)) || ends(&["局", "机关", "财政部", "监管机构"]) {
        1
    } else if ends(&["人", "员", "者", "董事", "监事", "股东", "客户", "经理"]) && !name.ends_with("法人")
    {
        2
    } else if ends(&["会", "层", "部门", "部", "股东大会"]) {
        3
    } else {
        4
    }
}

/// Whether one term could be taken for the other.
pub(super) fn of_one_kind(a: &str, b: &str) -> bool {
    if !is_noun(a) || !is_noun(b) || may_include(a, b) || parse::is_agent(a) != parse::is_agent(b) {
        return false;
    }
    if parse::is_agent(a) {
        return rank(a) == rank(b);
    }
    end(a) == end(b) || kind(a).is_some() && kind(a) == kind(b) || a.ends_with('性') && b.ends_with('性')
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
        check("国务院保险监督管理机构会同", "国务院保险监督管理机构", false);
        check("提示投保人", "受益人", false);
    }
}
