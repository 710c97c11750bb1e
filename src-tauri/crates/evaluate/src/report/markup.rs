//! Building the page: escaping, sections, tables.
//!
//! The product has its own markup functions instead of a library because a report needs more than plain escaping. Other
//! people's texts are marked as such and with their language, so that the Chinese page does not translate them.
//! Characters that change the direction of a line are shown by their numbers. `spoilt_tests` adds markup to each text
//! in turn, to prove that each text is escaped.

use lexforge_domain::shown::acts;
use lexforge_text::{is_east_asian, is_hangul};
use std::fmt::Write as _;

/// The colours and sizes of the window, and the looks of the few components that a report needs.
const STYLE: &str = include_str!("report.css");

/// Escapes a text for use between tags and in quoted attributes. Characters that change the direction of a line or are
/// invisible are shown by their numbers. So are control characters, which HTML does not allow. Joiners and the soft
/// hyphen stay, because some scripts need them.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{200c}' | '\u{200d}' | '\u{ad}' => out.push(c),
            '\r' => {}
            c if acts(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Words of a document: serif, escaped, with the language marked where it is not English.
pub(super) fn law(text: &str) -> String {
    format!("<span class=\"law\"{}>{}</span>", lang(text), escape(text))
}

/// A title or place of a document within our own words: escaped, language marked, in our type.
pub(super) fn foreign(text: &str) -> String {
    match lang(text) {
        "" => escape(text),
        lang => format!("<span{lang}>{}</span>", escape(text)),
    }
}

/// A text that a person wrote, or a name. It is never translated.
pub(super) fn own(text: &str) -> String {
    format!("<span class=\"own\">{}</span>", foreign(text))
}

/// ` lang="…"` of a text that is not in Latin script, so that the right glyph forms are used.
fn lang(text: &str) -> &'static str {
    if text.chars().any(is_hangul) {
        " lang=\"ko\""
    } else if text.chars().any(is_east_asian) {
        " lang=\"zh\""
    } else {
        ""
    }
}

/// Hash or path.
pub(super) fn mono(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// A definition list of (name, value as markup).
pub(super) fn key_values(rows: &[(&str, String)]) -> String {
    let mut out = String::from("<dl class=\"kv\">");
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(out, "<dt>{}</dt><dd>{value}</dd>", escape(name));
    }
    out + "</dl>"
}

/// A column of a table.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// Words, to the left.
    Words(&'static str),
    /// Figures, to the right.
    Figures(&'static str),
}

/// The columns of a table by their names.
macro_rules! columns {
    ($($kind:ident $name:literal),+ $(,)?) => {
        [$($crate::report::markup::Column::$kind($name)),+]
    };
}
pub(super) use columns;

/// A table; cells are markup, the first of each row is its heading.
pub(super) fn table(caption: &str, columns: &[Column], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return format!("<p>{} None.</p>", escape(caption));
    }
    let mut out = format!(
        "<div class=\"scroll\"><table><caption>{}</caption><thead><tr>",
        escape(caption)
    );
    for column in columns {
        let _ = match column {
            Column::Words(name) => write!(out, "<th scope=\"col\">{}</th>", escape(name)),
            Column::Figures(name) => {
                write!(out, "<th scope=\"col\" class=\"num\">{}</th>", escape(name))
            }
        };
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for (i, (cell, column)) in row.iter().zip(columns).enumerate() {
            let class = if matches!(column, Column::Figures(_)) {
                " class=\"num\""
            } else {
                ""
            };
            let _ = match i {
                0 => write!(out, "<th scope=\"row\"{class}>{cell}</th>"),
                _ => write!(out, "<td{class}>{cell}</td>"),
            };
        }
        out.push_str("</tr>");
    }
    out + "</tbody></table></div>"
}

/// The page as it grows.
#[derive(Default)]
pub(super) struct Page {
    head: String,
    body: String,
    contents: Vec<(String, String)>,
    /// The model that the sections to come are about: what goes before their anchors, and its name.
    model: Option<(&'static str, String)>,
}

impl Page {
    /// Adds markup above the list of contents.
    pub(super) fn head(&mut self, markup: &str) {
        self.head.push_str(markup);
    }

    /// A section with its heading; `id` is its anchor.
    pub(super) fn section(&mut self, id: &str, title: &str, markup: &str) {
        let (id, title) = match &self.model {
            Some((prefix, model)) => (format!("{prefix}{id}"), format!("{title} · {model}")),
            None => (id.to_owned(), title.to_owned()),
        };
        let _ = write!(
            self.body,
            "<section id=\"{id}\"><h2>{}</h2>{markup}</section>",
            escape(&title)
        );
        self.contents.push((id, title));
    }

    /// Says which of several models the following sections are about. `model` has a prefix for the sections' anchors
    /// and the model's name, which is put after their headings. `None` = they are about all models.
    pub(super) fn of_model(&mut self, model: Option<(&'static str, &str)>) {
        self.model = model.map(|(prefix, name)| (prefix, name.to_owned()));
    }

    /// The whole document under its title.
    pub(super) fn finish(self, title: &str) -> String {
        let mut contents = String::new();
        for (id, title) in &self.contents {
            let _ = write!(contents, "<li><a href=\"#{id}\">{}</a></li>", escape(title));
        }
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"generator\" content=\"Lexforge\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
             <title>{title} · Lexforge report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{head}\
             <nav aria-label=\"Contents\"><ol>{contents}</ol></nav>\n{body}\n</main>\n</body>\n</html>\n",
            title = escape(title),
            head = self.head,
            body = self.body,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_document_cannot_become_markup() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected);
        check(
            "<script>alert('x')</script>",
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;",
        );
        check("a \"b\" & c", "a &quot;b&quot; &amp; c");
        // What acts on a page without being seen is shown by its number.
        check("a\u{0}b\u{202e}c\u{7}", "a\\u{0}b\\u{202e}c\\u{7}");
    }

    #[test]
    fn the_language_of_a_passage_is_marked() {
        assert_eq!(
            law("第八条"),
            "<span class=\"law\" lang=\"zh\">第八条</span>"
        );
        assert_eq!(
            law("금융 기관"),
            "<span class=\"law\" lang=\"ko\">금융 기관</span>"
        );
        assert_eq!(law("Article 8"), "<span class=\"law\">Article 8</span>");
        assert_eq!(foreign("Article 8"), "Article 8");
    }
}
