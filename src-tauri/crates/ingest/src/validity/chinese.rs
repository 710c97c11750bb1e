//! Chinese: 有效期至…, 自…起施行，有效期五年, 《…》同时废止.

use super::term::{Ends, Term, day, day_before, pattern};
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A day of the calendar.
const DAY: &str = r"(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日";
/// A part of a sentence whose subject is the act itself. 本办法所称许可 is about something else.
static OWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "^(?:本|该)(?:办法|规定|条例|细则|实施细则|通知|指引|意见|规则|制度|准则|规范|决定|公告|标准|法)(?:的)?\\s*(?:自|从|于|已|经|有效期|执行期|施行期|试行)",
    )
});
/// A part that goes on about the act of which the part before speaks.
static GOES_ON: LazyLock<Regex> =
    LazyLock::new(|| pattern("^(?:并|且)?(?:自|有效期|执行期|施行期|试行期)"));
/// The number of an article before its words.
static ARTICLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*第[\d零〇一二三四五六七八九十百]+条\s*"));
/// The last day.
static UNTIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?:有效期限?|执行期限?|施行期限?|试行期限?)\s*(?:截?至|到|截止到|自[^，。；]{{1,24}}[起]?至)\s*{DAY}止?$"
    ))
});
/// The first day without it.
static CEASES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"自\s*{DAY}\s*起(?:失效|停止执行|停止施行|不再执行|不再施行|不再适用)$"
    ))
});
/// The first day, and a number of years.
static BEGINS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"自\s*{DAY}\s*起(?:施行|实施|执行|生效|试行)")));
static YEARS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:有效期限?|试行期限?)[为是]?\s*(?P<n>\d{1,2}|[一二两三四五六七八九十])\s*年$")
});
/// Named acts are repealed.
static REPEALED: LazyLock<Regex> =
    LazyLock::new(|| pattern("(?:同时|即行|即|予以|一并|相应|起|现)?废止"));
static FROM: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"自\s*{DAY}\s*(?:起|之日起)")));
/// Since when an act was in force that is named then. This is not the day of its repeal.
static ADOPTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"自\s*{DAY}\s*(?:起|之日起)(?:正式)?(?:施行|实施|执行|发布|公布|生效|试行)的"
    ))
});
static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"《[^《》]+》"));
/// Nothing but names.
static NAMES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:(?:以及|和|及|与|、)?\s*《\d+》\s*)+[、和及]?$"));
/// What may stand behind the name of an act that is meant as a whole.
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "^\\s*(?:$|、|和|及《|以及《|与《|《|等|同时|即|予以|一并|相应|起|现|自|从|于|均|也|亦|随之|废止)",
    )
});
/// The number of an act in brackets, and what else is said beside a name.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| pattern(r"[（(][^（）()]*[）)]"));
/// What is only referred to, what is about a part of an act, and what is not repealed yet.
static OTHERWISE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"根据|依|按|如果|若|除|未|不|修改|修订|执行|继续|拟|将|建议|是否|可以|应当|应予|有关|相关|部分|条款|附件|附录|第[\d零〇一二三四五六七八九十百]+[条款项章]",
    )
});

/// What a Chinese sentence says.
pub(super) fn find(text: &str) -> Vec<Term> {
    let text = ASIDE.replace_all(text, "");
    // A name may contain commas and verbs, so it is replaced by a number first.
    let names: Vec<&str> = NAME.find_iter(&text).map(|name| name.as_str()).collect();
    let mut at = 0..;
    let text = NAME.replace_all(&text, |_: &Captures| {
        format!("《{}》", at.next().unwrap_or_default())
    });
    let mut found = own(&text);
    for clause in text.split(['。', '；']).filter(|c| c.contains("废止")) {
        let clause = ADOPTED.replace_all(clause, "");
        let clause = ARTICLE.replace(&clause, "");
        let parts: Vec<&str> = clause.split(['，', ',']).collect();
        let Some(at) = parts.iter().position(|part| part.contains("废止")) else {
            continue;
        };
        let named: String = repealed(&parts, at)
            .into_iter()
            .filter_map(|n| names.get(n).copied())
            .collect();
        if !named.is_empty() {
            found.push(Term {
                of: Some(named),
                ends: Ends::Repealed(since(&parts, at)),
            });
        }
    }
    found
}

/// The names of the acts that are repealed by the part of a sentence that holds the verb.
fn repealed(parts: &[&str], at: usize) -> Vec<usize> {
    let part = parts[at];
    let Some(verb) = REPEALED.find(part) else {
        return Vec::new();
    };
    if OTHERWISE.is_match(part) {
        return Vec::new();
    }
    let is_names = |part: &&&str| NAMES.is_match(part);
    let (before, behind) = (&part[..verb.start()], part[verb.end()..].trim());
    // 《…》同时废止, or 废止《…》. What stands behind 《…》废止 makes it another thing: 废止前, 废止的.
    if NAME.is_match(before) {
        if !behind.is_empty() || !NAME.find_iter(before).all(|n| is_whole(before, n.end())) {
            return Vec::new();
        }
        let listed = parts[..at].iter().rev().take_while(is_names).count();
        let listed = parts[at - listed..at].concat();
        return numbers(&format!("{listed}{before}"));
    }
    if !NAME.find_iter(behind).all(|n| is_whole(behind, n.end())) {
        return Vec::new();
    }
    let listed = parts[at + 1..].iter().take_while(is_names).count();
    numbers(&format!("{behind}{}", parts[at + 1..=at + listed].concat()))
}

/// The numbers that stand for names.
fn numbers(text: &str) -> Vec<usize> {
    NAME.find_iter(text)
        .filter_map(|n| n.as_str().trim_matches(['《', '》']).parse().ok())
        .collect()
}

/// Whether the act is meant as a whole whose name ends there.
fn is_whole(part: &str, end: usize) -> bool {
    WHOLE.is_match(&part[end..])
}

/// The day of a repeal: the one beside the verb, or the only one of the parts before it that name no other act.
fn since(parts: &[&str], at: usize) -> Option<String> {
    let day = |part: &&str| FROM.captures(part).as_ref().and_then(read);
    if let Some(day) = day(&parts[at]) {
        return Some(day);
    }
    let unnamed = parts[..at].iter().filter(|part| !NAME.is_match(part));
    let mut days: Vec<String> = unnamed.filter_map(day).collect();
    days.dedup();
    match days.len() {
        1 => days.pop(),
        _ => None,
    }
}

/// What it says of the act in which it stands.
fn own(text: &str) -> Vec<Term> {
    let last = text.split('。').find_map(|sentence| {
        let mut is_own = false;
        let mut first = None;
        sentence.split(['；', '，', ',']).find_map(|part| {
            let part = ARTICLE.replace(part.trim(), "");
            let goes_on = OWN.is_match(&part) || (is_own && GOES_ON.is_match(&part));
            is_own = goes_on && !NAME.is_match(&part);
            if !is_own {
                return None;
            }
            let begins = BEGINS.captures(&part).as_ref().and_then(read);
            first = begins.or(first.take());
            last_day(&part, first.as_deref())
        })
    });
    last.map(|last| Term {
        of: None,
        ends: Ends::Until(last),
    })
    .into_iter()
    .collect()
}

/// The last day of an act that a part of a sentence names.
fn last_day(part: &str, first: Option<&str>) -> Option<String> {
    let years = || {
        let n = number(&YEARS.captures(part)?["n"])?;
        let (year, rest) = first?.split_once('-')?;
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
    UNTIL
        .captures(part)
        .as_ref()
        .and_then(read)
        .or_else(|| day_before(&CEASES.captures(part).as_ref().and_then(read)?))
        .or_else(years)
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
            (
                "第五条 本办法自2020年7月1日起施行，有效期自施行之日起至2025年6月30日。",
                Some("2025-06-30"),
            ),
            (
                "本通知自2025年1月1日起执行，自2026年1月1日起停止执行。",
                Some("2025-12-31"),
            ),
            // Of another act, or of a licence.
            (
                "本通知自2025年1月1日起执行，《港口收费通知》自2025年1月1日起停止执行。",
                None,
            ),
            ("依据本办法颁发的许可证，有效期至2025年6月30日。", None),
            ("本办法自2020年7月1日起施行，许可证有效期五年。", None),
            (
                "本办法自2020年7月1日起施行，许可证自颁发之日起生效，有效期五年。",
                None,
            ),
            ("本办法规定的许可证有效期至2025年6月30日。", None),
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
            (
                "第四十条 《港口收费办法》，《引航收费规定》同时废止。",
                Some(("《港口收费办法》《引航收费规定》", None)),
            ),
            (
                "决定废止《港口收费办法》，修改《引航规定》。",
                Some(("《港口收费办法》", None)),
            ),
            (
                "收费按《引航规定》执行，《港口收费办法》同时废止。",
                Some(("《港口收费办法》", None)),
            ),
            // The day since which it was in force is not that of its repeal.
            (
                "自2010年3月1日起施行的《港口收费办法》同时废止。",
                Some(("《港口收费办法》", None)),
            ),
            (
                "本办法自2025年1月1日起施行，自2010年3月1日起施行的《港口收费办法》同时废止。",
                Some(("《港口收费办法》", Some("2025-01-01"))),
            ),
            ("《港口收费办法》中有关引航费的规定同时废止。", None),
            ("《港口收费办法》附件二同时废止。", None),
            ("《港口收费办法》的有关规定同时废止。", None),
            ("《港口收费办法》部分条款予以废止。", None),
            ("建议废止《港口收费办法》。", None),
            ("拟废止《港口收费办法》。", None),
            ("《港口收费办法》废止前的欠费继续收取。", None),
            (
                "《港口收费办法》和《关于废止〈引航规定〉的决定》已经公布。",
                None,
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
