//! Chinese rules that have somebody told or given something: "应当向谁报告？", "应当报哪个机构批准？".

use super::questions::{pointing, short};
use super::{parse, stems};
use crate::clause::{Clause, Duty, Receipt};
use regex::Regex;
use std::sync::LazyLock;

/// "向监管机构报告": what stands before, who, what is done.
static TOWARDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^([^，；。向]{0,14}?)向([^，；。、和或及与的其该]{2,22}?)((?:书面|如实|及时)?(?:报告|报送|提交|申请|备案|披露|说明|提供|通报|移送|出具|缴纳|支付|提出|反馈|移交|告知|公开|送达|申报|交付|推荐)[^；。]*)$")
        .expect("a constant pattern")
});
/// "报监管机构批准": who, what that one does.
static REPORTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^([^，；。报]{0,14}?)报(?:请|经)?([^，；。、和或及与的其该]{3,22}?)(批准|备案|核准|同意|审批|审核)([，].*)?$",
    )
    .expect("a constant pattern")
});

/// Who is told or given something.
pub(super) fn receipt(clause: &Clause) -> Option<Receipt> {
    if clause.duty == Duty::MustNot || clause.subject.is_empty() || pointing(&clause.predicate) {
        return None;
    }
    let case = match stems::repeated(&clause.lead) {
        Some(case) => format!("{case}，"),
        None if clause.lead.is_empty() => String::new(),
        None => return None,
    };
    let who = |name: &str| parse::is_agent(name) && super::kinds::is_noun(name);
    let (subject, modal) = (&clause.subject, &clause.modal);
    if let Some(found) = TOWARDS.captures(&clause.predicate) {
        let (before, name, does) = (&found[1], &found[2], short(&found[3]).or_else(|| brief(&found[3]))?);
        return who(name).then(|| Receipt {
            question: format!("{case}{subject}{modal}{before}向谁{does}？"),
            before: format!("{case}{subject}{modal}{before}{does}，对象是"),
            name: name.to_owned(),
            after: "。".to_owned(),
        });
    }
    let found = REPORTED.captures(&clause.predicate)?;
    let (before, name, does) = (&found[1], &found[2], &found[3]);
    who(name).then(|| Receipt {
        question: format!("{case}{subject}{modal}{before}报谁{does}？"),
        before: format!("{case}{subject}{modal}{before}报请{does}，报请的对象是"),
        name: name.to_owned(),
        after: "。".to_owned(),
    })
}

/// "报告", "备案": a verb without an object.
fn brief(does: &str) -> Option<String> {
    let part = does.split('，').next().unwrap_or(does);
    (crate::words::length(part) < 6).then(|| part.to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn who_is_told_is_asked_for() {
        let of = |text: &str| receipt(&parse::clause(text).unwrap());
        let told = of("货物灭失的，仓储公司应当及时向存货人报告灭失的原因。").unwrap();
        assert_eq!(told.question, "货物灭失的，仓储公司应当及时向谁报告灭失的原因？");
        assert_eq!(told.statement("承运人"), "货物灭失的，仓储公司应当及时报告灭失的原因，对象是承运人。");
        let filed = of("仓储公司应当将收费标准报监督管理部门备案。").unwrap();
        assert_eq!(filed.statement(&filed.name), "仓储公司应当将收费标准报请备案，报请的对象是监督管理部门。");
        assert_eq!(of("仓储公司不得向承运人提供存货人的信息。"), None);
        assert_eq!(of("仓储公司应当向存货人和承运人提供货物清单。"), None);
    }
}
