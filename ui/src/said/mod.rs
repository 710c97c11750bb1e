//! What programs say, in the reader's language: messages of failures, warnings, what a check found.
//!
//! Every room says in English what happened and why. Here that sentence is the key: `locales/said.zh.json` has its
//! translation, with gaps for what differs from case to case. A house test fails as long as a sentence of the rooms has none
//! (`tests/src/house/said.rs`).

mod pattern;

use crate::i18n::{Lang, lang};
use leptos::prelude::*;
use pattern::{Pattern, lower_first, without_stop};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// How deep a sentence may stand within another.
const DEEPEST: u8 = 6;

/// The file of translations.
#[derive(Deserialize)]
struct Table {
    /// Sentences and parts of sentences that the house test finds in the code.
    said: BTreeMap<String, String>,
    /// Words that fill gaps, from the code as well.
    words: BTreeMap<String, String>,
    /// Names of ours, which are said even between quotation marks.
    labels: BTreeMap<String, String>,
    /// What the operating system and libraries say, and things with their number.
    others: BTreeMap<String, String>,
}

/// The file as it is looked up.
#[derive(Default)]
struct Known {
    /// Those with the most given words first.
    patterns: Vec<Pattern>,
    labels: BTreeMap<String, String>,
}

/// What can be said in a language; English needs nothing.
fn known(lang: Lang) -> Option<&'static Known> {
    static ZH: OnceLock<Known> = OnceLock::new();
    match lang {
        Lang::En => None,
        Lang::Zh => Some(ZH.get_or_init(|| read(include_str!("../../locales/said.zh.json")))),
    }
}

fn read(json: &str) -> Known {
    let Ok(table) = serde_json::from_str::<Table>(json) else {
        return Known::default();
    };
    let all = [&table.said, &table.words, &table.labels, &table.others];
    let pairs = all.into_iter().flatten();
    let mut patterns: Vec<Pattern> = pairs
        .map(|(english, said)| Pattern::new(english, said))
        .collect();
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.weight()));
    Known {
        patterns,
        labels: table.labels,
    }
}

/// What a program says in English, in another language if there are words for it.
pub fn translated(text: &str, lang: Lang) -> Option<String> {
    at_depth(text.trim(), known(lang)?, 0)
}

/// What a program says in English: in the window's language if there are words for it, else as it is.
pub fn said(text: &str) -> String {
    translated(text, lang()).unwrap_or_else(|| text.to_owned())
}

/// The same in the page. What stays English is marked as English.
#[component]
pub fn Told(
    /// What a program says.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    match translated(&text, lang()) {
        Some(text) => view! { <span>{text}</span> }.into_any(),
        None => view! { <span lang="en">{text}</span> }.into_any(),
    }
}

fn at_depth(text: &str, known: &Known, depth: u8) -> Option<String> {
    if depth > DEEPEST || text.is_empty() {
        return None;
    }
    whole(text, known, depth).or_else(|| in_parts(text, known, depth + 1))
}

/// The text as one sentence of the table.
fn whole(text: &str, known: &Known, depth: u8) -> Option<String> {
    let with_stop = lower_first(text);
    let stopped = without_stop(&with_stop, '.');
    let say = |filling: &str, quoted: bool| {
        let said = if quoted {
            known.labels.get(filling).cloned()
        } else {
            at_depth(filling.trim(), known, depth + 1)
        };
        said.unwrap_or_else(|| filling.to_owned())
    };
    known.patterns.iter().find_map(|pattern| {
        let mut fillings = pattern.fill(stopped, &with_stop)?;
        // A name that begins the sentence keeps its first letter.
        if let Some(first) = fillings.first_mut().filter(|_| pattern.begins_open()) {
            *first = &text[..first.len()];
        }
        let mut said = pattern.say(&fillings, say);
        let has_stop = with_stop.len() > stopped.len();
        if has_stop && !said.ends_with(['。', '：', '？', '…', '.']) {
            said.push('。');
        }
        Some(said)
    })
}

/// Several sentences, a list of reasons, a place and what happened there, or a remark in brackets: what is known of it is said,
/// the rest stays.
fn in_parts(text: &str, known: &Known, depth: u8) -> Option<String> {
    let say = |part: &str| whole(part.trim(), known, depth);
    sentences(text, say, |rest| at_depth(rest, known, depth))
        .or_else(|| reasons(text, say))
        .or_else(|| placed(text, say))
        .or_else(|| bracketed(text, say))
        .or_else(|| predicated(text, say))
}

fn sentences(
    text: &str,
    say: impl Fn(&str) -> Option<String>,
    say_rest: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let ends: Vec<usize> = text
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .filter(|end| text[end + 1..].starts_with(|c: char| c.is_uppercase() || c == '“'))
        .collect();
    ends.iter().find_map(|end| {
        let (first, rest) = (&text[..*end], text[*end..].trim_start());
        match say(first) {
            Some(first) => Some(first + &say_rest(rest).unwrap_or_else(|| rest.to_owned())),
            None => Some(format!("{first} {}", say_rest(rest)?)),
        }
    })
}

/// `one reason: 3; another one: 4`.
fn reasons(text: &str, say: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut known = false;
    let mut parts = Vec::new();
    for part in text.split("; ") {
        let said = say(part).or_else(|| placed(part, &say));
        known |= said.is_some();
        parts.push(said.unwrap_or_else(|| part.to_owned()));
    }
    (known && parts.len() > 1).then(|| parts.join("；"))
}

/// `name.pdf: the file is empty`.
fn placed(text: &str, say: impl Fn(&str) -> Option<String>) -> Option<String> {
    let seams = || {
        text.match_indices(": ")
            .map(|(at, seam)| (&text[..at], &text[at + seam.len()..]))
    };
    let as_is = |part: &str| say(part).unwrap_or_else(|| part.to_owned());
    seams()
        .find_map(|(place, what)| Some(format!("{}：{}", as_is(place), say(what)?)))
        .or_else(|| seams().find_map(|(what, n)| Some(format!("{}：{n}", say(what)?))))
}

/// `cpu (There is no GPU.)`.
fn bracketed(text: &str, say: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (before, inside) = text.strip_suffix(')')?.split_once('(')?;
    let before = before.trim_end();
    match (say(before), say(inside)) {
        (None, None) => None,
        (before_said, inside_said) => Some(format!(
            "{}（{}）",
            before_said.unwrap_or_else(|| before.to_owned()),
            inside_said.unwrap_or_else(|| inside.to_owned())
        )),
    }
}

/// `model.gguf has no manifest`: what is said of a file.
fn predicated(text: &str, say: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (file, what) = text.split_once(' ')?;
    let begins = [
        "has ", "is ", "exists ", "gives ", "holds ", "says ", "names ", "stores ",
    ];
    let more = ["ends ", "cuts ", "lists ", "became ", "belongs "];
    let is_verb = begins
        .iter()
        .chain(&more)
        .any(|verb| what.starts_with(verb));
    let said = say(what).filter(|_| is_verb)?;
    Some(format!("{file} {said}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(english: &str, chinese: Option<&str>) {
        assert_eq!(translated(english, Lang::Zh).as_deref(), chinese);
    }

    #[test]
    fn a_sentence_is_said_in_the_window_s_language() {
        check("The file is empty (0 bytes).", Some("文件为空（0 字节）。"));
        check("the file is empty (0 bytes)", Some("文件为空（0 字节）"));
        assert_eq!(translated("The file is empty (0 bytes).", Lang::En), None);
    }

    #[test]
    fn figures_and_names_stay() {
        check(
            "Read by optical character recognition, mean confidence 61 %, which is low: check it against the image. In doubt: “fooo”.",
            Some("由文字识别读取，平均置信度 61 %，偏低，请与图像核对。存疑：“fooo”。"),
        );
        check("GPU.pdf does not exist.", Some("GPU.pdf 不存在。"));
    }

    #[test]
    fn a_sentence_within_a_sentence_is_said_too() {
        check("The bundle.json of the run cannot be understood.", None);
        check(
            "The packet cannot be taken: its beginning is damaged.",
            Some("审核包无法接收：其开头已损坏。"),
        );
        check(
            "/a/b cannot be written: No space left on device (os error 28).",
            Some("/a/b 无法写入：磁盘没有剩余空间（系统错误 28）。"),
        );
    }

    #[test]
    fn what_others_wrote_is_left_as_it_is() {
        check(
            "There is no term “no language is installed”.",
            Some("没有术语“no language is installed”。"),
        );
        check(
            "2 questions are too few to be split",
            Some("2 道题过少，无法划分"),
        );
        check(
            "The rows of document 3 are not what was recorded.",
            Some("document 3 的各行与所记录的不符。"),
        );
    }

    #[test]
    fn parts_are_found_one_by_one() {
        check(
            "model.gguf is no GGUF file.",
            Some("model.gguf 不是 GGUF 文件。"),
        );
        check(
            "rules.pdf: the file is locked with a password",
            Some("rules.pdf：文件受密码保护"),
        );
        check(
            "h.example does not take the key (401). It says: No.",
            Some("h.example 不接受此密钥 (401)。对方的说明：No。"),
        );
        check(
            "Nothing was sent. Both are the same model.",
            Some("未发送任何内容。两者是同一模型。"),
        );
        check(
            "too short to ask about: 3; two choices are the same: 4",
            Some("过短，无法出题：3；有两个选项相同：4"),
        );
    }

    #[test]
    fn chinese_is_written_as_between_colleagues() {
        let strings = include_str!("../../locales/zh.json");
        assert!(!strings.contains(['您', '！']));
    }

    /// Each pattern is found by its own sentence, and by no other one first that says something else.
    #[test]
    fn every_sentence_of_the_table_is_found() {
        let table: Table =
            serde_json::from_str(include_str!("../../locales/said.zh.json")).unwrap();
        let filled = |text: &str| -> String {
            let mut out = String::new();
            let mut rest = text;
            while let Some((before, after)) = rest.split_once('{') {
                out.push_str(before);
                match after.strip_prefix('{') {
                    Some(after) => {
                        out.push('{');
                        rest = after;
                    }
                    None => {
                        let (name, after) = after.split_once('}').unwrap();
                        out.push_str(&format!("7{name}7").replace([' ', '.', '"'], "7"));
                        rest = after;
                    }
                }
            }
            (out + rest).replace("}}", "}")
        };
        let all = [&table.said, &table.words, &table.labels, &table.others];
        for (english, chinese) in all.into_iter().flatten() {
            let names = |text: &str| {
                let mut names: Vec<String> = text
                    .split('{')
                    .skip(1)
                    .filter_map(|p| p.split_once('}'))
                    .map(|(n, _)| n.to_owned())
                    .collect();
                names.sort();
                names
            };
            assert_eq!(names(english), names(chinese), "{english}");
            let found = translated(&filled(english), Lang::Zh).map(|said| said.replace(' ', ""));
            let expected = filled(chinese).replace(' ', "");
            assert_eq!(found, Some(expected), "{english}");
            assert!(!chinese.contains(['您', '！']), "{chinese}");
        }
    }
}
