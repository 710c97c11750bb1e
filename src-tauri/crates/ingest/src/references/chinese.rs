//! References in Chinese: 《商业银行法》第十条、第十一条, 本办法第三章, 第八条第二款第（三）项, 前款.

use lexforge_domain::reference::{CrossReference, ReferenceScope};
use regex::Regex;
use std::sync::LazyLock;

const NUMBER: &str = "[一二三四五六七八九十百千零〇两0-9]+";

/// Matches one of these: a clause with all of its levels and the title before it, if there is one; a title alone; a
/// reference to the clause before (前款); or an annex.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    let n = NUMBER;
    Regex::new(&format!(
        r"(?:《(?P<title>[^《》]{{2,60}})》(?:[（(][^（）()]{{1,40}}[）)])?\s*)?(?P<clause>第{n}(?:编|篇|章|节|条|款)(?:之{n})?(?:第{n}(?:节|条|款)(?:之{n})?)*(?:第[（(]?{n}[）)]?(?:[、和及至][（(]?{n}[）)]?)*项)?(?:第{n}目)?|第[（(]{n}[）)](?:[、和及至][（(]{n}[）)])*项|第{n}项)|《(?P<alone>[^《》]{{2,60}})》|(?P<previous>(?:前|上)(?:一|二|三|两)?(?:款|条|项))|(?P<annex>附件{n})"
    ))
    .expect("a constant pattern")
});
static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        "第[（(]?({NUMBER})[）)]?(编|篇|章|节|条|款|项|目)(之{NUMBER})?"
    ))
    .expect("a constant pattern")
});
static ITEMS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("[（(]?({NUMBER})[）)]?")).expect("a constant pattern"));
/// Last characters of the name of a law that is cited without its title marks.
const LAW: &[char] = &['法', '例', '定', '则', '引', '知'];

/// The references in a text, in byte offsets, their words left to the caller.
pub(super) fn find(text: &str) -> Vec<CrossReference> {
    let mut found: Vec<CrossReference> = Vec::new();
    for captures in REFERENCE.captures_iter(text) {
        let Some(whole) = captures.get(0) else {
            continue;
        };
        if let Some(title) = captures.name("alone") {
            found.push(CrossReference {
                start: whole.start(),
                end: whole.end(),
                instrument: Some(title.as_str().to_owned()),
                ..CrossReference::default()
            });
            continue;
        }
        if let Some(previous) = captures.name("previous") {
            // 目前款项 and the like hold the same characters.
            let inside = text[..whole.start()].ends_with(['目', '提', '以', '之', '此', '日'])
                || text[whole.end()..].starts_with(['项', '件', '款']);
            if !inside {
                let level = previous.as_str().chars().next_back().map(String::from);
                found.push(CrossReference {
                    start: whole.start(),
                    end: whole.end(),
                    labels: level.into_iter().collect(),
                    scope: ReferenceScope::Previous,
                    ..CrossReference::default()
                });
            }
            continue;
        }
        if let Some(annex) = captures.name("annex") {
            found.push(CrossReference {
                start: annex.start(),
                end: annex.end(),
                labels: vec![annex.as_str().to_owned()],
                ..CrossReference::default()
            });
            continue;
        }
        let Some(clause) = captures.name("clause") else {
            continue;
        };
        let (labels, more) = levels(clause.as_str());
        let Some(first) = labels.first() else {
            continue;
        };
        let before = text[..clause.start()].trim_end();
        let mut instrument = captures.name("title").map(|t| t.as_str().to_owned());
        let mut start = whole.start();
        let mut scope = ReferenceScope::Whole;
        if instrument.is_none() {
            let listed = found.last().filter(|f| {
                f.scope != ReferenceScope::Previous
                    && joins(text.get(f.end..clause.start()).unwrap_or("-"))
            });
            if let Some(previous) = listed {
                instrument = previous.instrument.clone();
                if text[previous.end..clause.start()].contains('至') && previous.through.is_none()
                {
                    // A range: this is the end of the range that the reference before began.
                    if let Some(previous) = found.last_mut() {
                        previous.through = Some(labels);
                        previous.end = clause.end();
                    }
                    continue;
                }
            } else if let Some((name, length)) = law_before(before) {
                start = before.len() - length;
                instrument = name;
            }
        }
        // 第二款 and 第三项 alone are of the article in which they stand.
        if instrument.is_none() && (first.ends_with('款') || !first.starts_with('第')) {
            scope = ReferenceScope::Near;
        }
        let mut items = vec![labels.clone()];
        items.extend(more.into_iter().map(|item| {
            let mut labels = labels.clone();
            labels.pop();
            labels.push(item);
            labels
        }));
        for labels in items {
            found.push(CrossReference {
                start,
                end: clause.end(),
                instrument: instrument.clone(),
                labels,
                scope,
                ..CrossReference::default()
            });
        }
    }
    found
}

/// The labels of a chain of levels, an item by its bare number, and further items of a list of items.
fn levels(chain: &str) -> (Vec<String>, Vec<String>) {
    let mut labels = Vec::new();
    let mut more = Vec::new();
    let items = chain.strip_suffix('项').and_then(|c| c.rfind('第'));
    for captures in LEVEL.captures_iter(&chain[..items.unwrap_or(chain.len())]) {
        let (Some(number), Some(level)) = (captures.get(1), captures.get(2)) else {
            continue;
        };
        let tail = captures.get(3).map_or("", |t| t.as_str());
        labels.push(format!("第{}{}{tail}", number.as_str(), level.as_str()));
    }
    if let Some(at) = items {
        let mut numbers = ITEMS.captures_iter(&chain[at..]).filter_map(|c| c.get(1));
        labels.extend(numbers.next().map(|n| n.as_str().to_owned()));
        more.extend(numbers.map(|n| n.as_str().to_owned()));
    }
    (labels, more)
}

fn joins(between: &str) -> bool {
    !between.is_empty()
        && between.chars().count() <= 3
        && between.chars().all(|c| "、，和或及至与以".contains(c))
}

/// A law without title marks before a clause, with its length in bytes; no name for `本办法` (the document itself).
fn law_before(before: &str) -> Option<(Option<String>, usize)> {
    if before.ends_with(['章', '节', '条']) && before.chars().rev().nth(1) == Some('本') {
        return Some((None, '本'.len_utf8() * 2));
    }
    if !before.ends_with(LAW) && !before.ends_with("办法") {
        return None;
    }
    let mut start = before.len();
    for (at, c) in before.char_indices().rev().take(24) {
        let run = &before[at..];
        if "，。、；：（）《》“” ".contains(c) || c.is_ascii() {
            break;
        }
        if [
            "依照", "根据", "按照", "违反", "依据", "符合", "适用", "执行", "以及", "遵守", "参照",
            "属于", "具备", "构成",
        ]
        .iter()
        .any(|w| run.starts_with(w))
        {
            // The trigger itself is two characters: the name begins after it.
            break;
        }
        start = at;
        if c == '本' || c == '该' || c == '同' {
            break;
        }
    }
    let mut name = &before[start..];
    name = name.trim_start_matches([
        '照', '据', '反', '合', '用', '行', '及', '守', '于', '备', '成', '和', '或', '与',
    ]);
    let length = name.len();
    match name.chars().next()? {
        '本' => Some((None, length)),
        '该' | '同' => Some((Some(name.to_owned()), length)),
        _ if (3..=20).contains(&name.chars().count()) => Some((Some(name.to_owned()), length)),
        _ => None,
    }
}
