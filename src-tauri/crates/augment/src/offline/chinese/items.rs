//! Items of Chinese lists.

use super::questions::pointing;
use crate::chinese::clean::{MARKER, balanced, full_width, joined};
use crate::chinese::{lexicon, parse};
use crate::offline::patterns::Item;
use crate::words::length;
use lexforge_text::fold::tidy;
use regex::Regex;
use std::sync::LazyLock;

/// The kind of the items of a list, as its opening names it.
static KIND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:下列|以下|如下)[^，。；]{0,6}?(行为|情形|条件|职责|要求|事项|内容|方式|措施|信息|材料|原则|资料|文件|工作|业务|义务|权利|活动|形式|处罚)")
        .expect("a constant pattern")
});

/// An item of a list, with the opening of the list.
pub(super) fn item(lead_in: &str, text: &str) -> Option<Item> {
    let opening = full_width(&joined(&tidy(lead_in)));
    let lead = MARKER
        .replace(&opening, "")
        .trim_end_matches(['：', ':', '，', ' '])
        .to_owned();
    // The last sentence of the opening opens the list.
    let lead = lead.rsplit('。').next().unwrap_or(&lead).to_owned();
    let form = KIND.captures(&lead)?.get(1)?.as_str().to_owned();
    let tidied = full_width(&joined(&tidy(text)));
    let body = MARKER
        .replace(&tidied, "")
        .trim_end_matches(['。', '；', '，', '、', ' ', '.', ';'])
        .to_owned();
    let of_its_own = |text: &str| {
        balanced(text)
            && !pointing(text)
            && !text.contains(['：', ':', '？', '。'])
            && !lexicon::POINTING.iter().any(|p| text.starts_with(p))
    };
    let open = ["其他", "法律", "国务院", "国家金融", "银保监会", "中国"]
        .iter()
        .any(|p| body.starts_with(p))
        && body.contains("其他");
    let fits = (8..=110).contains(&length(&body))
        && !open
        && !body.starts_with("其他")
        && of_its_own(&body);
    let told = (12..=110).contains(&length(&lead)) && of_its_own(&lead);
    let duty = parse::clause(&format!("{lead}。")).map(|c| c.duty);
    fits.then(|| Item {
        lead,
        text: format!("{body}。"),
        form,
        duty,
        told,
    })
}
