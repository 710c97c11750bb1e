//! Shows what programs say in the reader's language: messages of failures, warnings, what a check found.
//!
//! Every crate says in English what happened and why. This English sentence is the key of its translation in
//! `locales/said.zh.json`, which has gaps for what differs from case to case. A house test fails if a sentence of the
//! crates has no translation (`tests/src/house/said.rs`).

use crate::i18n::{Lang, lang};
use leptos::prelude::*;
use lexforge_text::said::Sayings;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The file of translations.
#[derive(Deserialize)]
struct Table {
    /// Sentences and parts of sentences that the house test finds in the code.
    said: BTreeMap<String, String>,
    /// Words that fill gaps, from the code as well.
    words: BTreeMap<String, String>,
    /// The product's own names, which are translated even in quotation marks.
    labels: BTreeMap<String, String>,
    /// Messages of the operating system and of libraries, and nouns with a number.
    others: BTreeMap<String, String>,
}

/// The known sentences with their translations into a language. English needs none.
fn known(lang: Lang) -> Option<&'static Sayings> {
    static ZH: OnceLock<Sayings> = OnceLock::new();
    match lang {
        Lang::En => None,
        Lang::Zh => Some(ZH.get_or_init(|| read(include_str!("../locales/said.zh.json")))),
    }
}

fn read(json: &str) -> Sayings {
    let Ok(table) = serde_json::from_str::<Table>(json) else {
        return Sayings::default();
    };
    let all = [&table.said, &table.words, &table.labels, &table.others];
    Sayings::new(all.into_iter().flatten(), &table.labels)
}

/// What a program says in English, in another language if there are words for it.
pub fn translated(text: &str, lang: Lang) -> Option<String> {
    known(lang)?.translated(text)
}

/// What a program says in English: in the window's language if there are words for it, else as it is.
pub fn said(text: &str) -> String {
    translated(text, lang()).unwrap_or_else(|| text.to_owned())
}

/// What a program says, as an element of the page. Text that stays English is marked as English.
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
            "policy: unreviewed (automatic)",
            Some("审核要求：未审核（自动）"),
        );
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
            "/a/b cannot be used: No space left on device (os error 28).",
            Some("/a/b 无法使用：磁盘没有剩余空间（系统错误 28）。"),
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
        let strings = include_str!("../locales/zh.json");
        assert!(!strings.contains(['您', '！']));
    }

    /// Each pattern is found by its own sentence, and by no other one first that says something else.
    #[test]
    fn every_sentence_of_the_table_is_found() {
        let table: Table = serde_json::from_str(include_str!("../locales/said.zh.json")).unwrap();
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
