//! Korean acts as the law information service prints them: `[시행 2023. 1. 1.] [법률 제18990호, 2022. 10. 18., 일부개정]`.

use super::dates::{date, pattern};
use super::ends::Ends;
use lexforge_domain::document::DocumentMetadata;
use regex::Regex;
use std::sync::LazyLock;

static IN_FORCE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[시행\s*(\d{4})\.\s*(\d{1,2})\.\s*(\d{1,2})\.?\]"));
static ENACTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\[([가-힣]+)\s*(제[\d-]+호),\s*(\d{4})\.\s*(\d{1,2})\.\s*(\d{1,2})\.?,\s*([가-힣]+)\]",
    )
});

/// The facts that a Korean act states about itself.
pub fn about(ends: &Ends) -> DocumentMetadata {
    let mut out = DocumentMetadata::default();
    let head: String = ends.first.join(" ").chars().take(600).collect();
    let day = |c: &regex::Captures, at: usize| {
        let number = |i: usize| c.get(i).and_then(|m| m.as_str().parse::<u32>().ok());
        date(number(at)?, number(at + 1)?, number(at + 2))
    };
    out.effective = IN_FORCE.captures(&head).and_then(|c| day(&c, 1));
    if let Some(c) = ENACTED.captures(&head) {
        out.identifier = Some(format!("{} {}", &c[1], &c[2]));
        out.date = day(&c, 3);
        out.version = Some(c[6].to_owned());
        out.jurisdiction = Some("KR".to_owned());
    }
    out
}
