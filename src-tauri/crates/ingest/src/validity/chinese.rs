//! Chinese: 有效期至…, 自…起施行，有效期五年, 《…》同时废止.

use super::term::{Ends, Term, day, day_before, pattern};
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A day of the calendar.
const DAY: &str = r"(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日";
/// What an act calls itself.
static OWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "(?:本|该)(?:办法|规定|条例|细则|实施细则|通知|指引|意见|规则|制度|准则|规范|决定|公告|标准|法)",
    )
});
/// The last day.
static UNTIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?:有效期限?|执行期限?|施行期限?|试行期限?)\s*(?:截?至|到|截止到|自[^，。；]{{1,24}}[起]?至)\s*{DAY}"
    ))
});
/// The first day without it.
static CEASES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"自\s*{DAY}\s*起(?:失效|停止执行|停止施行|不再执行|不再施行|不再适用)"
    ))
});
/// The first day, and a number of years.
static BEGINS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"自\s*{DAY}\s*起(?:施行|实施|执行|生效|试行)")));
static YEARS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:有效期限?|试行期限?)[为是]?\s*(?P<n>\d{1,2}|[一二两三四五六七八九十])\s*年")
});
/// Named acts are repealed.
static REPEALED: LazyLock<Regex> =
    LazyLock::new(|| pattern("(?:同时|即行|即|予以|一并|相应|起|现)?废止"));
static FROM: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"自\s*{DAY}\s*(?:起|之日起)")));
static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"《[^《》]+》"));
/// The number of an act in brackets, and what else is said beside a name.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| pattern(r"[（(][^（）()]*[）)]"));
/// What is only referred to, and what is not repealed yet.
static OTHERWISE: LazyLock<Regex> =
    LazyLock::new(|| pattern("根据|依据|依照|按照|如果|若|除非|未|不"));

/// What a Chinese sentence says.
pub(super) fn find(text: &str) -> Vec<Term> {
    let mut found = own(text);
    if !text.contains("废止") {
        return found;
    }
    let text = ASIDE.replace_all(text, "");
    for clause in text.split(['。', '；']).filter(|c| c.contains("废止")) {
        let Some(verb) = REPEALED.find(clause) else {
            continue;
        };
        let on = FROM.captures(clause).as_ref().and_then(read);
        // 《…》同时废止, or 废止《…》.
        let before = &clause[..verb.start()];
        let words = match NAME.is_match(before) {
            true => before,
            false => &clause[verb.end()..],
        };
        let named: String = words.split(['，', ',']).map(whole_acts).collect();
        if !named.is_empty() {
            found.push(Term {
                of: Some(named),
                ends: Ends::Repealed(on),
            });
        }
    }
    found
}

/// The names in a part of a sentence, if this is about whole acts. 《…》第三条 is about a part of one.
fn whole_acts(part: &str) -> String {
    if OTHERWISE.is_match(&NAME.replace_all(part, "")) {
        return String::new();
    }
    let is_whole = |end: usize| !part[end..].trim_start().starts_with('第');
    let names = NAME.find_iter(part).filter(|name| is_whole(name.end()));
    names.map(|name| name.as_str()).collect()
}

/// What it says of the act in which it stands.
fn own(text: &str) -> Vec<Term> {
    if !OWN.is_match(text) {
        return Vec::new();
    }
    let years = || {
        let first = read(&BEGINS.captures(text)?)?;
        let n = number(&YEARS.captures(text)?["n"])?;
        let (year, rest) = first.split_once('-')?;
        let (month, on) = rest.split_once('-')?;
        let year = year.parse::<u32>().ok()? + n;
        // The 29th of February has none in most years: the term ends with the month then.
        let month = month.parse().ok()?;
        let after = day(&year.to_string(), month, on);
        match after {
            Some(after) => day_before(&after),
            None => day(&year.to_string(), month, "28"),
        }
    };
    let last = UNTIL
        .captures(text)
        .as_ref()
        .and_then(read)
        .or_else(|| day_before(&CEASES.captures(text).as_ref().and_then(read)?))
        .or_else(years);
    last.map(|last| Term {
        of: None,
        ends: Ends::Until(last),
    })
    .into_iter()
    .collect()
}

/// The day that a pattern found.
fn read(found: &Captures) -> Option<String> {
    day(&found["y"], found["m"].parse().ok()?, &found["d"])
}

fn number(text: &str) -> Option<u32> {
    if let Ok(n) = text.parse() {
        return Some(n);
    }
    let at = "一二三四五六七八九十".find(text);
    match at {
        Some(at) => u32::try_from(at / '一'.len_utf8() + 1).ok(),
        None => (text == "两").then_some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_act_itself_ends() {
        for (text, last) in [
            (
                "本办法自2020年7月1日起施行，有效期至2025年6月30日。",
                Some("2025-06-30"),
            ),
            (
                "本规定自2020年7月1日起施行，有效期五年。",
                Some("2025-06-30"),
            ),
            (
                "本通知自2021年1月1日起执行，有效期为3年。",
                Some("2023-12-31"),
            ),
            ("本指引自2026年1月1日起失效。", Some("2025-12-31")),
            ("许可证有效期至2025年6月30日。", None),
            ("本办法自2020年7月1日起施行。", None),
            ("本办法所称许可，有效期五年。", None),
        ] {
            let expected: Vec<Term> = last
                .map(|last| Term {
                    of: None,
                    ends: Ends::Until(last.to_owned()),
                })
                .into_iter()
                .collect();
            assert_eq!(find(text), expected, "{text}");
        }
    }

    #[test]
    fn other_acts_are_repealed() {
        for (text, expected) in [
            (
                "本办法自2025年1月1日起施行，《港口收费办法》（港发〔2010〕1号）同时废止。",
                Some(("《港口收费办法》", Some("2025-01-01"))),
            ),
            (
                "《港口收费办法》、《引航收费规定》同时废止。",
                Some(("《港口收费办法》《引航收费规定》", None)),
            ),
            (
                "自2024年3月1日起废止《港口收费办法》。",
                Some(("《港口收费办法》", Some("2024-03-01"))),
            ),
            (
                "根据《港口法》的规定，《港口收费办法》予以废止。",
                Some(("《港口收费办法》", None)),
            ),
            (
                "第三十九条 本办法自2022年12月12日起施行,原港口局2008年9月11日发布的《港口收费办法》(港发 2008年第2号)同时废止。",
                Some(("《港口收费办法》", Some("2022-12-12"))),
            ),
            (
                "《不定期船办法》(港发〔2009〕1号)和《关于执行〈引航规定〉有关事项的通知》同时废止。",
                Some((
                    "《不定期船办法》《关于执行〈引航规定〉有关事项的通知》",
                    None,
                )),
            ),
            ("《港口收费办法》尚未废止。", None),
            ("《港口收费办法》（港发〔2010〕1号）第三条同时废止。", None),
            ("《港口收费办法》第三条同时废止。", None),
            ("本办法废止后，余款退还。", None),
            ("《港口收费办法》继续有效。", None),
        ] {
            let expected: Vec<Term> = expected
                .map(|(of, day)| Term {
                    of: Some(of.to_owned()),
                    ends: Ends::Repealed(day.map(str::to_owned)),
                })
                .into_iter()
                .collect();
            assert_eq!(find(text), expected, "{text}");
        }
    }
}
