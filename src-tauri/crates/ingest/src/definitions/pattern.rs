//! Patterns in a small form. Every process compiles its patterns anew, and two things make them many times as large:
//! bounds such as `{1,160}`, and classes over all of Unicode such as `\w`.
//!
//! The small form has no such bounds. Where its match is within them, it is the match of the whole pattern, too: the
//! whole pattern allows fewer matches and prefers the same ones. The small form for English also has classes of ASCII
//! alone, so it is used only for texts in which these mean the same. In all other cases the whole pattern decides.

use regex::{Captures, Regex};
use std::sync::OnceLock;

/// Signs beyond ASCII that are neither letters nor digits nor blanks.
const SIGNS: &str = "‘’“”«»–—‑•●▪…€£§";
/// Classes, and what they are in a text of ASCII and [`SIGNS`].
const CLASSES: [(&str, &str); 4] = [
    (r"\w", "[0-9A-Za-z_]"),
    (r"\s", r"[ \t\n\r\x0B\x0C]"),
    (r"\d", "[0-9]"),
    (r"\b", r"(?-u:\b)"),
];
/// Upper bounds from here on are left out of the small form.
const LARGE: usize = 20;

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

/// A pattern in both forms, each compiled when it is first needed.
pub(super) struct Pattern {
    whole: String,
    ascii: bool,
    fits: fn(&Captures) -> bool,
    small_form: OnceLock<Regex>,
    whole_form: OnceLock<Regex>,
}

impl Pattern {
    /// A pattern for English texts. `fits` says whether a match of the small form is within all bounds from [`LARGE`]
    /// on.
    pub(super) fn english(whole: String, fits: fn(&Captures) -> bool) -> Self {
        Self {
            ascii: true,
            ..Self::any(whole, fits)
        }
    }

    /// A pattern for texts in any script.
    pub(super) fn any(whole: String, fits: fn(&Captures) -> bool) -> Self {
        Self {
            whole,
            ascii: false,
            fits,
            small_form: OnceLock::new(),
            whole_form: OnceLock::new(),
        }
    }

    pub(super) fn search<'p, 't>(&'p self, text: &'t str) -> Search<'p, 't> {
        Search {
            pattern: self,
            text,
            small: !self.ascii || is_plain(text),
        }
    }

    fn small(&self) -> &Regex {
        self.small_form.get_or_init(|| {
            let mut pattern = without_bounds(&self.whole);
            if self.ascii {
                for (class, plain) in CLASSES {
                    pattern = pattern.replace(class, plain);
                }
            }
            compiled(&pattern)
        })
    }

    fn whole(&self) -> &Regex {
        self.whole_form.get_or_init(|| compiled(&self.whole))
    }
}

/// The search for a pattern in a text.
pub(super) struct Search<'p, 't> {
    pattern: &'p Pattern,
    text: &'t str,
    small: bool,
}

impl<'t> Search<'_, 't> {
    /// The first match from a byte on.
    pub(super) fn at(&self, at: usize) -> Option<Captures<'t>> {
        if self.small {
            let found = self.pattern.small().captures_at(self.text, at)?;
            if (self.pattern.fits)(&found) {
                return Some(found);
            }
        }
        self.pattern.whole().captures_at(self.text, at)
    }

    /// All matches, each after the one before. None of the patterns matches an empty text.
    pub(super) fn all(&self) -> impl Iterator<Item = Captures<'t>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let found = self.at(at)?;
            at = found.get(0)?.end();
            Some(found)
        })
    }
}

/// Whether the classes of ASCII mean the same in this text as those of Unicode.
fn is_plain(text: &str) -> bool {
    text.is_ascii() || text.chars().all(|c| c.is_ascii() || SIGNS.contains(c))
}

/// The pattern without its large upper bounds: `{1,160}` becomes `{1,}`.
fn without_bounds(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        out.push('{');
        rest = after;
        let bounds = after.split_once('}').and_then(|(inner, after)| {
            let (least, most) = inner.split_once(',')?;
            let most: usize = most.parse().ok()?;
            (most >= LARGE).then_some((least, after))
        });
        if let Some((least, after)) = bounds {
            out.push_str(least);
            out.push_str(",}");
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_bounds_are_left_out() {
        for (pattern, small) in [
            (r"‘([^‘’]{1,160}?)\s*’", r"‘([^‘’]{1,}?)\s*’"),
            (r"\d{1,3}(?:a{0,7}?)", r"\d{1,3}(?:a{0,7}?)"),
            (r"(?P<a>x{4})[^{}]{2,60}", r"(?P<a>x{4})[^{}]{2,}"),
        ] {
            assert_eq!(without_bounds(pattern), small);
        }
    }

    #[test]
    fn the_small_form_finds_what_the_whole_pattern_finds() {
        let fits = |c: &Captures| c[0].chars().count() <= 24;
        let pattern = Pattern::english(r#""(\w[^"]{1,24}?)"\s+means\b"#.to_owned(), fits);
        for text in [
            r#""Bank" means a credit institution. "Branch" means a place of business."#,
            r#""A name that is longer than the pattern allows" means nothing. "Bank" means a bank."#,
            r#""Bank – a" means more; “Bank” means less."#,
            r#""Épargne" means savings. "Crédit" means a loan."#,
            r#""Bank"　means a bank, "Loan" meansé a loan."#,
            "Nothing is defined here.",
        ] {
            let found: Vec<String> = pattern
                .search(text)
                .all()
                .map(|c| c[0].to_owned())
                .collect();
            let whole = compiled(&pattern.whole);
            let expected: Vec<&str> = whole.find_iter(text).map(|m| m.as_str()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
