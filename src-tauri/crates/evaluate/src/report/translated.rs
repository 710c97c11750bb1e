//! A page in Chinese. The English page is made first and its words are translated afterwards, so that both have the
//! same figures, drawings and anchors. Text without a translation stays English and is marked as English.

use super::markup::escape;
use lexforge_domain::api::PaperLanguage;
use lexforge_text::said::{Sayings, is_mark};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Elements that stand within a sentence; every other one ends it.
const WITHIN: [&str; 8] = ["a", "b", "code", "em", "i", "span", "strong", "svg"];
/// The attributes of spans whose words are somebody else's.
const OTHERS: [&str; 3] = ["class=\"law\"", "class=\"own\"", " lang="];
/// The first character that stands for markup within a sentence.
const FIRST_MARK: u32 = 0xe000;

/// A page in a language.
pub fn in_language(page: String, language: PaperLanguage) -> String {
    match language {
        PaperLanguage::English => page,
        PaperLanguage::Chinese => chinese(&page, sayings()),
    }
}

/// The sentences of pages and those of the engine, because pages also show some of the engine's notes and reasons.
fn sayings() -> &'static Sayings {
    static SAYINGS: OnceLock<Sayings> = OnceLock::new();
    SAYINGS.get_or_init(|| {
        let own = table(include_str!("../../data/report.zh.json"));
        // The window's file is the one place where the engine's sentences are translated.
        let of_rooms = table(include_str!("../../../../../ui/locales/said.zh.json"));
        // What pages say themselves is looked at first.
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        for part in ["others", "labels", "words", "said"] {
            all.extend(of_rooms.get(part).cloned().unwrap_or_default());
        }
        all.extend(own.into_values().flatten());
        let labels = of_rooms.get("labels").cloned().unwrap_or_default();
        Sayings::new(&all, &labels)
    })
}

fn table(json: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    serde_json::from_str(json).unwrap_or_default()
}

/// Goes through the markup: what stands between two ends of sentences is said as one.
fn chinese(page: &str, sayings: &Sayings) -> String {
    let mut out = String::with_capacity(page.len());
    let mut sentence = Sentence::default();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        sentence.text(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find('>').map_or(rest.len(), |end| end + 1);
        let name = name(&rest[..end]);
        let whole = match name {
            "style" | "svg" | "code" => element(rest, name),
            // Words of a document or of a person, or of another language.
            "span" if OTHERS.iter().any(|mark| rest[..end].contains(mark)) => element(rest, name),
            _ => end,
        };
        let (markup, after) = rest.split_at(whole);
        if name == "svg" {
            sentence.markup(&drawing(markup, sayings));
        } else if WITHIN.contains(&name.trim_start_matches('/')) {
            sentence.markup(markup);
        } else {
            sentence.say(sayings, &mut out);
            out.push_str(&attributes(markup, sayings));
        }
        rest = after;
    }
    sentence.text(rest);
    sentence.say(sayings, &mut out);
    out.replacen("<html lang=\"en\">", "<html lang=\"zh-CN\">", 1)
}

/// The name of a tag, with its slash where it closes.
fn name(tag: &str) -> &str {
    let inner = tag.trim_start_matches('<');
    let end = inner
        .char_indices()
        .find(|(at, c)| *at > 0 && !c.is_ascii_alphanumeric())
        .map_or(inner.len(), |(at, _)| at);
    &inner[..end]
}

/// How long an element is that begins here, with those of its kind within it.
fn element(text: &str, name: &str) -> usize {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut at = 0;
    let mut depth = 0;
    loop {
        let Some(end) = text[at..].find(&close).map(|end| at + end + close.len()) else {
            return text.len();
        };
        depth += text[at..end].matches(&open).count();
        depth = depth.saturating_sub(1);
        if depth == 0 {
            return end;
        }
        at = end;
    }
}

/// The words of a drawing: its label, and what is written on it.
fn drawing(svg: &str, sayings: &Sayings) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(end) = rest.find('>') {
        let (tag, after) = rest.split_at(end + 1);
        let (text, tag) = tag.split_at(tag.find('<').unwrap_or_default());
        out.push_str(&said_or_same(text, sayings));
        out.push_str(&attributes(tag, sayings));
        rest = after;
    }
    out + rest
}

/// A tag whose label for screen readers is translated into Chinese.
fn attributes(tag: &str, sayings: &Sayings) -> String {
    let name = "aria-label=\"";
    let Some((before, rest)) = tag.split_once(name) else {
        return tag.to_owned();
    };
    let Some((value, after)) = rest.split_once('"') else {
        return tag.to_owned();
    };
    format!("{before}{name}{}\"{after}", said_or_same(value, sayings))
}

fn said_or_same(escaped: &str, sayings: &Sayings) -> String {
    let said = sayings.translated(&plain(escaped));
    said.map_or_else(|| escaped.to_owned(), |said| escape(&said))
}

/// Text as it was before it was escaped.
fn plain(escaped: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(escaped.to_owned(), |text, (entity, c)| {
        text.replace(entity, c)
    })
}

/// A sentence with the markup within it; each piece of markup is one character in the text.
#[derive(Default)]
struct Sentence {
    text: String,
    markup: Vec<String>,
}

impl Sentence {
    fn text(&mut self, escaped: &str) {
        // Nobody's own characters are taken for markup.
        self.text.push_str(&plain(escaped).replace(is_mark, ""));
    }

    fn markup(&mut self, markup: &str) {
        let mark = FIRST_MARK + self.markup.len() as u32;
        match char::from_u32(mark).filter(|c| is_mark(*c)) {
            Some(mark) => {
                self.text.push(mark);
                self.markup.push(markup.to_owned());
            }
            // Thousands of elements in one sentence: their words stay.
            None => self.text.push_str(&plain(markup)),
        }
    }

    /// Writes it in Chinese: as a whole, else each part between two pieces of markup.
    fn say(&mut self, sayings: &Sayings, out: &mut String) {
        let text = std::mem::take(&mut self.text);
        let markup = std::mem::take(&mut self.markup);
        let whole = || Some(around(&text, &sayings.as_a_whole(&text)?));
        let said = each_part(&text, sayings)
            .or_else(whole)
            .unwrap_or_else(|| in_parts(&text, sayings));
        let mut plain = String::new();
        for c in said.chars() {
            let mark = is_mark(c).then(|| (u32::from(c) - FIRST_MARK) as usize);
            match mark.and_then(|number| markup.get(number)) {
                Some(markup) => {
                    out.push_str(&escape(&std::mem::take(&mut plain)));
                    out.push_str(markup);
                }
                None => plain.push(c),
            }
        }
        out.push_str(&escape(&plain));
    }
}

/// The parts between markup, where each of several is a sentence by itself.
fn each_part(text: &str, sayings: &Sayings) -> Option<String> {
    let mut parts = text.split(is_mark).filter(|part| !part.trim().is_empty());
    let sentences = || parts.clone().filter(|part| part.trim().ends_with('.'));
    let several = sentences().count() > 1;
    (several && parts.all(|part| sayings.as_a_whole(part).is_some()))
        .then(|| in_parts(text, sayings))
}

fn in_parts(text: &str, sayings: &Sayings) -> String {
    let mut said = String::new();
    for part in text.split_inclusive(is_mark) {
        let words = part.trim_end_matches(is_mark);
        let mark = &part[words.len()..];
        match sayings.translated(words) {
            Some(other) => said.push_str(&around(words, &other)),
            None => said.push_str(words),
        }
        said.push_str(mark);
    }
    said
}

/// The translation with the blanks that were around the text.
fn around(text: &str, said: &str) -> String {
    let inner = text.trim_start();
    let before = &text[..text.len() - inner.len()];
    let after = &inner[inner.trim_end().len()..];
    format!("{before}{said}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(page: &str) -> String {
        let pairs = [
            ("Accuracy of {name}", "{name} 的准确率"),
            ("better", "更好"),
            ("worse", "更差"),
            ("{word}: change {value}", "{word}：变化 {value}"),
            ("Some are better.", "有更好的。"),
        ];
        let pairs = pairs.map(|(a, b)| (a.to_owned(), b.to_owned()));
        let sayings = Sayings::new(pairs.iter().map(|(a, b)| (a, b)), &BTreeMap::new());
        chinese(page, &sayings)
    }

    #[test]
    fn names_of_ours_are_said_within_quotation_marks_too() {
        let note = "<p>Questions entered under the policy “single reviewer”: a right answer here means agreement with \
                    what those reviewers accepted.</p>";
        let page = in_language(note.to_owned(), PaperLanguage::Chinese);
        assert!(page.contains("“一人审核”"), "{page}");
    }

    #[test]
    fn words_are_said_and_markup_figures_and_others_words_stay() {
        for (page, expected) in [
            (
                "<html lang=\"en\"><p>Accuracy of <b>run 4</b></p>",
                "<html lang=\"zh-CN\"><p><b>run 4</b> 的准确率</p>",
            ),
            (
                "<td><span class=\"badge better\">better</span></td><td>.812</td>",
                "<td><span class=\"badge better\">更好</span></td><td>.812</td>",
            ),
            (
                "<p><strong>Some are better.</strong> Nobody said this.</p>",
                "<p><strong>有更好的。</strong> Nobody said this.</p>",
            ),
            (
                "<p>Accuracy of &lt;gone&gt; &amp; “x”</p>",
                "<p>&lt;gone&gt; &amp; “x” 的准确率</p>",
            ),
            (
                "<svg aria-label=\"worse: change .1\"><line/><text>better</text></svg>",
                "<svg aria-label=\"更差：变化 .1\"><line/><text>更好</text></svg>",
            ),
            (
                "<p><span class=\"own\">better <span lang=\"zh\">好</span> worse</span> better</p>",
                "<p><span class=\"own\">better <span lang=\"zh\">好</span> worse</span> 更好</p>",
            ),
            (
                "<td><span class=\"law\">better</span></td><style>better</style><code>better</code>",
                "<td><span class=\"law\">better</span></td><style>better</style><code>better</code>",
            ),
        ] {
            assert_eq!(said(page), expected);
        }
    }
}
