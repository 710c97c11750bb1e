//! Chinese short names: an act or a thing that a question calls by some of the characters of its name, in their order.

use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_text::is_han;
use std::collections::{BTreeSet, HashSet};

/// Endings of the names of acts; a longer ending comes before a shorter one that it contains.
const KINDS: [&str; 12] = [
    "办法", "条例", "规定", "规则", "细则", "指引", "准则", "通知", "意见", "决定", "指南", "法",
];
/// Characters after 法 if it begins a word and does not end one: 法律, 法规, 法院.
const AFTER_LAW: [char; 7] = ['律', '规', '院', '定', '人', '庭', '学'];
/// Words that the names of many acts have: they tell none from another.
const OF_MANY: [&str; 10] = [
    "管理", "监督", "暂行", "试行", "实施", "机构", "公司", "规范", "工作", "若干",
];
/// Characters of a short name that tell it from others.
const FEWEST: usize = 2;
/// Characters of the short name of a thing.
const LONGEST: usize = 6;
/// A name is at most this many times as long as its short name.
const TIMES: usize = 4;
/// The name of the state before the names of its acts, which is left out when acts are cited.
const STATE: &str = "中华人民共和国";

/// Writes out the Chinese short names in a question, if the short name occurs in no document. Short names of acts
/// become their titles; short names of things become the names that acts define.
pub(super) fn written_out(
    question: &str,
    clauses: &Clauses,
    standing: impl FnOnce(&str) -> Result<HashSet<String>>,
) -> Result<String> {
    if !question.chars().any(is_han) {
        return Ok(question.to_owned());
    }
    let titles: Vec<&str> = clauses.documents.iter().map(|d| plain(&d.title)).collect();
    let question = acts_written_out(question, &titles);
    let standing = standing(&question)?;
    Ok(things_written_out(&question, &clauses.named, &standing))
}

/// A title without the name of the state, and without the text in brackets after it.
fn plain(title: &str) -> &str {
    let title = title.trim().strip_prefix(STATE).unwrap_or(title.trim());
    let end = title.find(['(', '（', ' ', '　']);
    title[..end.unwrap_or(title.len())].trim_matches(['《', '》'])
}

fn acts_written_out(question: &str, titles: &[&str]) -> String {
    let mut out = String::with_capacity(question.len());
    let mut rest = question;
    while let Some((end, kind)) = next_kind(rest) {
        // The longest run before the kind that is in a title of this kind.
        let before = &rest[..end - kind.len()];
        let mut from = None;
        for (at, c) in before.char_indices().rev() {
            if !is_han(c) || of_kind(titles, kind).all(|title| !is_within(&rest[at..end], title)) {
                break;
            }
            from = Some(at);
        }
        let Some(from) = from else {
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        };
        let short = &rest[from..end];
        out.push_str(&rest[..from]);
        rest = &rest[end..];
        if tells(short, kind) {
            let mut fit: Vec<(usize, &str)> = of_kind(titles, kind)
                .filter(|title| is_within(short, title))
                .map(|title| (pairs_of(short, title), title))
                .collect();
            fit.sort_unstable_by(|a, b| b.cmp(a));
            fit.dedup();
            // The act itself, or the only one that fits best.
            if fit.iter().all(|(_, title)| *title != short)
                && let Some((most, title)) = fit.first()
                && fit.get(1).is_none_or(|(pairs, _)| pairs < most)
            {
                out.push_str(title);
                continue;
            }
        }
        out.push_str(short);
    }
    out.push_str(rest);
    out
}

/// Where the next word for a kind of act ends, and the word.
fn next_kind(text: &str) -> Option<(usize, &'static str)> {
    text.char_indices().find_map(|(at, _)| {
        let rest = &text[at..];
        let kind = KINDS.into_iter().find(|kind| rest.starts_with(kind))?;
        let end = at + kind.len();
        let inside = kind == "法" && text[end..].starts_with(AFTER_LAW);
        (!inside).then_some((end, kind))
    })
}

/// The titles of a kind of act: 办法 is another kind than 法.
fn of_kind<'t>(titles: &'t [&str], kind: &str) -> impl Iterator<Item = &'t str> {
    let own = KINDS.into_iter().find(|k| *k == kind);
    let kind_of = |title: &str| KINDS.into_iter().find(|k| title.ends_with(k));
    titles
        .iter()
        .copied()
        .filter(move |title| kind_of(title) == own)
}

/// Whether the characters of a text stand in another one in their order.
fn is_within(short: &str, long: &str) -> bool {
    let mut long = long.chars();
    short.chars().all(|c| long.any(|l| l == c))
}

/// How many pairs of characters a title has of a short name.
fn pairs_of(short: &str, title: &str) -> usize {
    let chars: Vec<char> = short.chars().collect();
    let pair = |pair: &&[char]| title.contains(&String::from_iter(*pair));
    chars.windows(2).filter(pair).count()
}

/// Whether a short name has enough that few acts have.
fn tells(short: &str, kind: &str) -> bool {
    let mut own = short.strip_suffix(kind).unwrap_or(short).to_owned();
    for word in OF_MANY {
        own = own.replace(word, "");
    }
    own.chars().count() >= FEWEST
}

/// `standing`: the pairs of characters of the question that stand somewhere.
fn things_written_out(
    question: &str,
    things: &BTreeSet<String>,
    standing: &HashSet<String>,
) -> String {
    let chars: Vec<char> = question.chars().collect();
    let stands = |pair: &[char]| standing.contains(&String::from_iter(pair));
    let mut out = String::with_capacity(question.len());
    let mut at = 0;
    while at < chars.len() {
        // Longer ones first: a name of four characters before one of two.
        let ends = (at + FEWEST..=(at + LONGEST).min(chars.len())).rev();
        let written = ends
            .filter(|end| !chars[at..*end].windows(2).all(stands))
            .find_map(|end| {
                let short = String::from_iter(&chars[at..end]);
                Some((thing_called(&short, things)?, end))
            });
        if let Some((long, end)) = written {
            out.push_str(long);
            at = end;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

/// The shortest name of a thing that begins and ends like a short one and has its characters in their order.
fn thing_called<'t>(short: &str, things: &'t BTreeSet<String>) -> Option<&'t str> {
    let length = short.chars().count();
    if !short.chars().all(is_han) {
        return None;
    }
    let most = match length {
        // Each of the two characters is short for a word of two characters.
        FEWEST => 2 * FEWEST,
        _ => TIMES * length,
    };
    let fits = |name: &&String| {
        let long = name.chars().count();
        (length + 1..=most).contains(&long)
            && name.chars().next() == short.chars().next()
            && name.chars().next_back() == short.chars().next_back()
            && is_within(short, name)
    };
    let shortest = things
        .iter()
        .filter(fits)
        .min_by_key(|name| name.chars().count());
    shortest.map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLES: [&str; 4] = [
        "港口船舶缴费管理办法",
        "中华人民共和国引航法",
        "引航员培训管理暂行办法",
        "港口船舶登记管理办法（试行）",
    ];

    #[test]
    fn an_act_is_known_by_some_of_its_characters() {
        for (question, expected) in [
            (
                "《缴费办法》第3条讲什么？",
                "《港口船舶缴费管理办法》第3条讲什么？",
            ),
            (
                "引航法对引航员培训有何要求？",
                "引航法对引航员培训有何要求？",
            ),
            ("引培办法何时施行？", "引航员培训管理暂行办法何时施行？"),
            // In these cases the question stays as it is: two acts match the short name; the words do not tell acts
            // apart; there is no such law; or a longer word only begins with the short name of a law.
            ("港口船舶办法何时施行？", "港口船舶办法何时施行？"),
            ("具体管理办法由谁制定？", "具体管理办法由谁制定？"),
            ("海商法怎么说？", "海商法怎么说？"),
            ("引航法律责任由谁承担？", "引航法律责任由谁承担？"),
        ] {
            let titles = TITLES.map(plain);
            assert_eq!(acts_written_out(question, &titles), expected);
        }
    }

    #[test]
    fn a_thing_is_known_by_the_name_that_an_act_defines() {
        let things = ["引航员", "船舶缴费", "小型渔业船舶", "国际航行船舶"];
        let things = BTreeSet::from(things.map(str::to_owned));
        for (question, expected) in [
            ("船费何时缴？", "船舶缴费何时缴？"),
            ("小渔船舶要缴费吗？", "小型渔业船舶要缴费吗？"),
            ("国船要缴费吗？", "国船要缴费吗？"),
            ("Who pays?", "Who pays?"),
        ] {
            let out = things_written_out(question, &things, &HashSet::new());
            assert_eq!(out, expected);
        }
        // The word occurs in the documents as a word of its own.
        let standing = HashSet::from(["船费".to_owned()]);
        let known = things_written_out("船费何时缴？", &things, &standing);
        assert_eq!(known, "船费何时缴？");
    }
}
