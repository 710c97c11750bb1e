//! Translates what programs say in English. Each sentence is the key of its translation, with gaps for what differs
//! from case to case.

mod pattern;

use pattern::{Pattern, lower_first, without_stop};
use std::collections::BTreeMap;

/// How deep a sentence may stand within another.
const DEEPEST: u8 = 6;

/// The known sentences with their translations into a language.
#[derive(Debug, Default)]
pub struct Sayings {
    /// Sentences with gaps; those with the most fixed words come first.
    patterns: Vec<Pattern>,
    labels: BTreeMap<String, String>,
}

impl Sayings {
    /// A set of sentences with their translations. `labels` holds the product's own names, for example of buttons, with
    /// their translations. They are translated even within quotation marks.
    pub fn new<'t>(
        pairs: impl IntoIterator<Item = (&'t String, &'t String)>,
        labels: &BTreeMap<String, String>,
    ) -> Self {
        let mut patterns: Vec<Pattern> = pairs
            .into_iter()
            .map(|(english, said)| Pattern::new(english, said))
            .collect();
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.weight()));
        Self {
            patterns,
            labels: labels.clone(),
        }
    }

    /// Translates what a program said in English into the language of this set. `None` if there is no translation.
    /// Characters of Unicode's private use area at the beginning or end stand for markup, and stay as they are.
    pub fn translated(&self, text: &str) -> Option<String> {
        at_depth(text.trim(), self, 0)
    }

    /// The translation of a text that is one sentence of the table as a whole.
    pub fn as_a_whole(&self, text: &str) -> Option<String> {
        whole(text.trim(), self, 0)
    }
}

/// Whether a character stands for markup.
pub fn is_mark(c: char) -> bool {
    ('\u{e000}'..='\u{f8ff}').contains(&c)
}

fn at_depth(text: &str, known: &Sayings, depth: u8) -> Option<String> {
    if depth > DEEPEST || text.is_empty() {
        return None;
    }
    whole(text, known, depth)
        .or_else(|| within_markup(text, known, depth))
        .or_else(|| in_parts(text, known, depth + 1))
}

/// Translates the text between markup at one or both ends. If there is markup in the middle too, it is unclear which
/// parts belong together, and there is no translation.
fn within_markup(text: &str, known: &Sayings, depth: u8) -> Option<String> {
    let inner = text.trim_matches(is_mark);
    if inner.len() == text.len() || inner.contains(is_mark) {
        return None;
    }
    let (before, after) = text.split_once(inner).filter(|_| !inner.is_empty())?;
    let said = at_depth(inner.trim(), known, depth + 1)?;
    Some(format!("{before}{said}{after}"))
}

/// The text as one sentence of the table.
fn whole(text: &str, known: &Sayings, depth: u8) -> Option<String> {
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

/// Translates a text of several parts: several sentences, a list of reasons, a place followed by what happened there,
/// or a text with a remark in brackets. Parts with a known translation are translated, and the others stay as they are.
fn in_parts(text: &str, known: &Sayings, depth: u8) -> Option<String> {
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

/// A list of reasons with counts: `one reason: 3; another one: 4`.
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

/// A statement about a file: `model.gguf has no manifest`.
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
mod tests {
    use super::*;

    fn sayings() -> Sayings {
        let pairs = [
            ("Run {n} is better than {other}.", "运行 {n} 优于{other}。"),
            ("the untouched base", "未经训练的基础模型"),
        ];
        let pairs = pairs.map(|(a, b)| (a.to_owned(), b.to_owned()));
        Sayings::new(pairs.iter().map(|(a, b)| (a, b)), &BTreeMap::new())
    }

    #[test]
    fn markup_around_a_sentence_or_in_a_gap_stays() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(sayings().translated(text).as_deref(), expected, "{text}");
        };
        check(
            "Run 4 is better than the untouched base.",
            Some("运行 4 优于未经训练的基础模型。"),
        );
        check(
            "Run 4 is better than \u{e001}the untouched base\u{e002}.",
            Some("运行 4 优于\u{e001}未经训练的基础模型\u{e002}。"),
        );
        check(
            "\u{e000}Run 4 is better than the untouched base.\u{e003}",
            Some("\u{e000}运行 4 优于未经训练的基础模型。\u{e003}"),
        );
        // It is unclear which marks belong together.
        check(
            "\u{e000}Run 4 is better than \u{e001}the untouched base\u{e002}.\u{e003}",
            None,
        );
        check("\u{e000}\u{e001}", None);
        check("Somebody wrote this.", None);
    }
}
