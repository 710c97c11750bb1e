//! Chinese acts: the line of enactment below the title, the number in a series, the last article.

use super::authorities::CHINESE_SERIES;
use super::dates::{chinese as date, pattern};
use super::ends::Ends;
use lexforge_domain::document::DocumentMetadata;
use regex::Regex;
use std::sync::LazyLock;

/// Characters below the title in which the enactment stands.
const HEAD: usize = 1200;

/// Characters before the word for an order among which its authority is looked for. As a bound in the pattern they
/// would make it many times as large.
const AUTHORITY: usize = 60;

/// `国家金融监督管理总局令2024年第1号`, `国务院令第336号`, `中国人民银行令〔2025〕第2号`.
static ORDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"([\p{Han}、 ]{2,}?)\s*令\s*(第[〇零一二三四五六七八九十百千\d]+号|\d{4}年第\d+号|[〔\[（(]\d{4}[〕\]）)]第?\d+号)",
    )
});
/// `金规〔2024〕26号`, alone on its line.
static SERIES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\p{Han}{2,8})[〔\[](\d{4})[〕\]]第?(\d+)号$"));
static EFFECTIVE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"自(\d{4}年\d{1,2}月\d{1,2}日)起(?:施行|实施|执行|生效)"));
static ON_PUBLICATION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"自(?:公布|发布|印发)之日起(?:施行|实施|执行|生效)"));
/// The last article: `本办法自2024年7月1日起施行`.
static LAST_ARTICLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"本(?:法|条例|办法|规定|规则|细则|指引|准则|规范|通知|意见|暂行办法|管理办法)自(\d{4}年\d{1,2}月\d{1,2}日|(?:公布|发布|印发)之日)起(?:施行|实施|执行|生效)",
    )
});
static CONGRESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"第[一二三四五六七八九十]+届(全国人民代表大会(?:常务委员会)?)第?[^通过]{0,12}通过")
});
static TITLE_VERSION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"[（(]((?:\d{4}年)?(?:修订|修正|修改|征求意见稿|试行|草案)[^）)]{0,6})[）)]")
});
/// A dated step of the enactment.
static STEP: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:根据)?\d{4}年\d{1,2}月\d{1,2}日"));

/// The facts that a Chinese act states about itself.
pub fn about(ends: &Ends) -> DocumentMetadata {
    let mut out = DocumentMetadata::default();
    let head = head(&ends.first);
    let enactment = enactment(&head);
    let steps = steps(enactment);
    let (amendments, made): (Vec<&str>, Vec<&str>) = steps
        .iter()
        .copied()
        .partition(|s| s.starts_with("根据") || s.ends_with("修订") || s.ends_with("修正"));
    let mut orders = made.iter().filter(|s| s.contains('令'));
    if let Some(order) = orders.find_map(|s| ORDER.captures(s)) {
        // The authority stands after the date of the order.
        let over = order[1].chars().count().saturating_sub(AUTHORITY);
        let before = order[1].char_indices().nth(over);
        let before = before.map_or("", |(at, _)| &order[1][at..]);
        let printed = before.rsplit(['日', '）', ')']).next().unwrap_or(before);
        let issuers: Vec<&str> = printed
            .split(['、', ' '])
            .map(str::trim)
            .filter(|i| i.chars().count() > 2)
            .collect();
        if !issuers.is_empty() {
            let issuer = issuers.join("、");
            out.identifier = Some(format!("{issuer}令{}", &order[2]));
            out.issuer = Some(issuer);
        }
    }
    if enactment.contains("通过")
        && let Some(congress) = CONGRESS.captures(enactment)
    {
        out.issuer = Some(congress[1].to_owned());
    }
    out.date = made.iter().find_map(|s| date(s));
    if out.identifier.is_none() {
        series(ends, &mut out);
    }
    let on_publication = |text: &str| ON_PUBLICATION.is_match(text);
    out.effective = EFFECTIVE
        .captures(enactment)
        .and_then(|c| date(&c[1]))
        .or_else(|| {
            out.date
                .clone()
                .filter(|d| d.len() == 10 && on_publication(enactment))
        })
        .or_else(|| last_article(&ends.last, out.date.as_deref()));
    out.version = version(&ends.title, &amendments);
    let mainland = [
        "中国",
        "国务院",
        "国家",
        "全国人民代表大会",
        "中华人民共和国",
        "财政部",
    ];
    let of_mainland = |text: &str| mainland.iter().any(|m| text.contains(m));
    if out.issuer.as_deref().is_some_and(of_mainland) || ends.title.starts_with("中华人民共和国")
    {
        out.jurisdiction = Some("CN".to_owned());
    }
    out
}

/// The first lines as one text: a line's end parts nothing, a blank within a line may part authorities.
fn head(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        if text.chars().count() > HEAD {
            break;
        }
    }
    text.chars().take(HEAD).collect()
}

/// The text before the first article or the table of contents.
fn enactment(head: &str) -> &str {
    let end = ["第一条", "第一章", "目录", "目 录", "第 一 章"]
        .iter()
        .filter_map(|mark| head.find(mark))
        .min();
    &head[..end.unwrap_or(
        head.len().min(
            head.char_indices()
                .nth(400)
                .map_or(head.len(), |(at, _)| at),
        ),
    )]
}

/// The enactment cut before each date.
fn steps(enactment: &str) -> Vec<&str> {
    // A date within a step's own clause (自…起施行) begins none.
    let starts: Vec<usize> = STEP
        .find_iter(enactment)
        .map(|m| m.start())
        .filter(|at| !enactment[..*at].ends_with('自'))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([enactment.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(a, b)| enactment[*a..b].trim_matches([' ', ')', '）', '(', '（', ',', '，', '。']))
        .collect()
}

/// The number in an authority's series, on a line of its own near the title.
fn series(ends: &Ends, out: &mut DocumentMetadata) {
    for line in ends.first.iter().take(8) {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if !line.ends_with('号') {
            continue;
        }
        let Some(c) = SERIES.captures(&line) else {
            continue;
        };
        out.identifier = Some(line.clone());
        out.date = out.date.take().or(Some(c[2].to_owned()));
        if out.issuer.is_none() {
            let known = CHINESE_SERIES
                .iter()
                .find(|(prefix, _)| c[1].starts_with(prefix));
            out.issuer = known.map(|(_, name)| (*name).to_owned());
        }
        return;
    }
}

fn last_article(last: &str, published: Option<&str>) -> Option<String> {
    let flat: String = last.chars().filter(|c| !c.is_whitespace()).collect();
    let found = LAST_ARTICLE.captures_iter(&flat).last()?;
    date(&found[1]).or_else(|| published.filter(|d| d.len() == 10).map(str::to_owned))
}

/// The last amendment, `2015年修正`, or what the title says in brackets.
fn version(title: &str, amendments: &[&str]) -> Option<String> {
    if let Some(c) = TITLE_VERSION.captures(title) {
        return Some(c[1].to_owned());
    }
    let last = amendments.last()?;
    let year: String = last.trim_start_matches("根据").chars().take(4).collect();
    let how = ["修正", "修订", "修改"]
        .into_iter()
        .find(|w| last.ends_with(w))?;
    Some(format!("{year}年{how}"))
}
