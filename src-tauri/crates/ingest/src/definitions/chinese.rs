//! Chinese definition patterns.

use super::found::Found;
use super::pattern::Pattern;
use regex::{Captures, Match, Regex};
use std::sync::LazyLock;

/// A term: no punctuation but quotation marks and brackets that belong to it.
const TERM: &str = r#"[“"「『]?(?P<term>[^，,。；;：:、？！“”"「」『』（）()\s]{1,40}?(?:[（(][^（）()]{1,30}[）)][^，,。；;：:、？！“”"「」『』（）()\s]{0,20}?)?)[”"」』]?"#;
/// "本办法所称 X，是指", "前款所称 X 包括", "（一）X，是指", "X：指".
static OPENING: LazyLock<Pattern> = LazyLock::new(|| {
    let whole = format!(
        r#"(?:(?P<called>所称)的?\s*{TERM}\s*[，,：:]?\s*(?:主要|均|一般)?(?:是指|系指|指的是|指|(?P<lists>包括))|(?:^|[。；;：:\n”]|[)）]|第[一二三四五六七八九十百零〇]+条)\s*(?:\d{{1,3}}[.．、]\s*)?(?:其中[，,]\s*)?{}\s*(?:[，,：:]\s*)?(?:是指|系指|指的是)|(?:^|\n|[（(][一二三四五六七八九十]+[）)])\s*{}\s*[，,：:]\s*指)"#,
        TERM.replace("<term>", "<bare>"),
        TERM.replace("<term>", "<glossary>")
    );
    // A term has up to 40 characters before brackets, which have 30, and up to 20 behind them.
    Pattern::any(whole, |captures| {
        term_of(captures).is_some_and(|term| {
            let most = if term.as_str().contains(['(', '（']) {
                20
            } else {
                40
            };
            term.as_str().chars().count() <= most
        })
    })
});

/// A short name given in brackets: "（以下简称财务公司）", "（以下统称“银行”）".
static SHORT_NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[（(](?:以下|下)(?:简|统|合)?称(?:为)?\s*[“"「]?([^（）()“”"「」，,]{1,20})[”"」]?[）)]"#).expect("a constant pattern")
});
/// A marker of a list item.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[（(][一二三四五六七八九十\d]+[）)]|\d{1,3}[.．、]|第[一二三四五六七八九十百零〇]+条|[一二三四五六七八九十]+、)").expect("a constant pattern")
});

/// The marker of the next item, where the search for its term began after it.
static MARKER_AT_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\s*(?:[（(][一二三四五六七八九十\d]+|\d{1,3}[.．、]?|第[一二三四五六七八九十百零〇]+条?)\s*$").expect("a constant pattern")
});

fn term_of<'t>(captures: &Captures<'t>) -> Option<Match<'t>> {
    ["term", "bare", "glossary"]
        .iter()
        .find_map(|name| captures.name(name))
}

/// Whether a text has the signs that every definition has, which costs less than the pattern.
fn may_define(text: &str) -> bool {
    let mut after_mark = text
        .match_indices('指')
        .map(|(at, _)| text[..at].trim_end().ends_with(['，', ',', '：', ':']));
    ["所称", "是指", "系指", "指的是"]
        .iter()
        .any(|words| text.contains(words))
        || after_mark.any(|is| is)
}

pub(super) fn find(text: &str) -> Vec<Found> {
    let mut starts = Vec::new();
    let mut at = 0;
    if !may_define(text) {
        return Vec::new();
    }
    let search = OPENING.search(text);
    while let Some(captures) = search.at(at) {
        let Some(whole) = captures.get(0) else { break };
        let term = term_of(&captures);
        // The full stop that ends one definition may begin the next: go on before the wording.
        at = whole.end();
        let Some(term) = term else { continue };
        // "第三条 本办法所称 X" is also met as a sentence that begins with "本办法…".
        let called = term.as_str().rfind("所称").map(|at| at + "所称".len());
        let name = &term.as_str()[called.unwrap_or(0)..];
        let name = if called.is_some() {
            name.trim_start_matches('的')
        } else {
            name
        };
        if is_term(name, called.is_some() || captures.name("called").is_some()) {
            let wording = captures.name("lists").map_or(whole.end(), |l| l.start());
            starts.push((
                term.end() - name.len(),
                name.to_owned(),
                wording,
                whole.start(),
            ));
        }
    }
    let mut found = Vec::new();
    for (i, (start, term, wording, _)) in starts.iter().enumerate() {
        let limit = starts
            .get(i + 1)
            .map_or(text.len(), |next| next.3.max(*wording));
        let end = wording_end(text, *wording, limit);
        let short = SHORT_NAME
            .captures_iter(term)
            .filter_map(|c| c.get(1))
            .map(|m| m.as_str().to_owned());
        let aliases: Vec<String> = short.collect();
        let name = without_brackets(term);
        found.extend(Found::at(text, &name, *start, *wording..end));
        for alias in aliases.iter().filter(|a| **a != name) {
            found.extend(Found::at(text, alias, *start, *wording..end));
        }
    }
    found
}

/// Words with which a clause begins, and no term.
const NOT_FIRST: &[&str] = &[
    "这", "那", "此", "该", "其", "并", "但", "如", "若", "凡", "对", "在", "由", "应", "不", "可",
    "为", "是", "以", "按", "依", "根据", "前款", "上述", "本", "下列", "以下", "以上", "以内",
    "以外", "日", "主要", "一般", "通常", "特", "即", "也", "均", "各",
];
/// Words that a term does not contain.
const NEVER: &[&str] = &[
    "应当",
    "不得",
    "可以",
    "规定的",
    "必须",
    "是否",
    "所称",
    "予以",
    "按照",
    "依照",
    "包括",
];

fn is_term(term: &str, called: bool) -> bool {
    let length = term.chars().count();
    let letters = term
        .chars()
        .any(|c| !c.is_ascii_digit() && !c.is_ascii_punctuation());
    let quantity = matches!(
        term,
        "以上" | "以下" | "以内" | "以外" | "不满" | "超过" | "日" | "元" | "年" | "月"
    );
    letters
        && !quantity
        && (if called { 1..=45 } else { 2..=30 }).contains(&length)
        // "所称 X 不包括 Y" says what X is not.
        && !term.ends_with('不')
        && !NEVER.iter().any(|w| term.contains(w))
        && (called || !NOT_FIRST.iter().any(|w| term.starts_with(w)))
}

/// The name without explanations in brackets.
fn without_brackets(term: &str) -> String {
    let mut depth = 0usize;
    let mut name = String::new();
    for c in term.chars() {
        match c {
            '（' | '(' => depth += 1,
            '）' | ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    name
}

/// The wording goes to the full stop; within a list to the semicolon before the next item.
fn wording_end(text: &str, start: usize, limit: usize) -> usize {
    let mut body = &text[start..limit];
    if limit < text.len()
        && let Some(marker) = MARKER_AT_END.find(body)
    {
        body = &body[..marker.start()];
    }
    let mut end = body.len();
    for (at, c) in body.char_indices() {
        match c {
            '。' => {
                end = at;
                break;
            }
            '；' | ';' | '：' | ':' => {
                let rest = &body[at + c.len_utf8()..];
                if matches!(c, '；' | ';') && (rest.trim().is_empty() || ITEM.is_match(rest)) {
                    // A definition that is itself a list ("下列情形：（一）…；（二）…") goes on.
                    if !body[..at].contains(['：', ':']) {
                        end = at;
                        break;
                    }
                }
            }
            '\n' => {
                let rest = body[at + 1..].trim_start();
                let heading = rest.starts_with('第') && ITEM.is_match(rest);
                if heading
                    || body[at + 1..].starts_with('\n')
                        && !body[..at].trim_end().ends_with(['：', ':', '；', '，'])
                {
                    end = at;
                    break;
                }
            }
            _ => {}
        }
    }
    start + end
}
