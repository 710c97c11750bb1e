//! The numbers of a reference: lists of them, ranges, and what stands in brackets behind a number.

use super::scan::{Item, Kind, Scan, compiled};
use regex::Regex;
use std::sync::LazyLock;

/// What may stand between two numbers of a list.
static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^(?:\s*,\s*(?:(?:and|or|and/or)\s+)?(?:to\s+)?|\s+(?:and|or|and/or|to|through|&)\s+|\s*[–—-]\s*)[\u{200b}-\u{200f}]*",
    )
});

impl Scan<'_> {
    /// The numbers after a word, from `from` on; the first item begins at `start`.
    pub(super) fn list(
        &self,
        kind: &Kind,
        start: usize,
        from: usize,
    ) -> Option<(Vec<Item>, usize)> {
        let (labels, end) = self.number(kind, from)?;
        let year = labels.len() == 1 && is_year(&labels[0]);
        if (year && matches!(kind.level, Some("regulation" | "rule"))) || self.refused(end) {
            return None;
        }
        let mut items = vec![Item {
            start,
            end,
            labels: self.named(kind, labels),
            through: None,
        }];
        let mut past = end;
        while let Some(separator) = SEPARATOR.find(&self.text[past..]) {
            let at = past + separator.end();
            let words = separator.as_str();
            let range = words.contains("to")
                || words.contains("through")
                || words.contains(['–', '—', '-']);
            let Some(previous) = items.last().cloned() else {
                break;
            };
            let (labels, end) = if self.text[at..].starts_with('(') {
                let Some((subs, end)) = self.subs(at, true).filter(|(s, _)| !s.is_empty()) else {
                    break;
                };
                let Some(labels) = beside(&previous.labels, &subs) else {
                    break;
                };
                (labels, end)
            } else {
                let Some((labels, end)) =
                    self.number(kind, at).filter(|&(_, end)| !self.refused(end))
                else {
                    break;
                };
                if !self.belongs(kind, &previous, &labels, end, range) {
                    break;
                }
                (self.named(kind, labels), end)
            };
            if range && previous.through.is_none() {
                if let Some(item) = items.last_mut() {
                    item.through = Some(labels);
                    item.end = end;
                }
            } else {
                items.push(Item {
                    start: at,
                    end,
                    labels,
                    through: None,
                });
            }
            past = end;
        }
        Some((items, past))
    }

    /// Whether a number after a separator ("and", a comma) belongs to the list. After a word in the plural ("Rules 5
    /// and 20") it always does. After a word in the singular it must have the form of the number before it, and must
    /// not count the noun after it ("Rule 5 and 20 days").
    pub(super) fn belongs(
        &self,
        kind: &Kind,
        previous: &Item,
        labels: &[String],
        end: usize,
        range: bool,
    ) -> bool {
        let structured = |l: &[String]| l.len() > 1 || l.iter().any(|l| l.contains('.'));
        if structured(&previous.labels) && structured(labels) {
            return true;
        }
        let counted = self.text[end..].trim_start();
        let goes_on = [
            "of ", "to ", "in ", "above", "below", "and ", "or ", "shall ", "is ", "are ", "may ",
            "must ", "does ", "do ",
        ];
        let free = !counted.starts_with(|c: char| c.is_ascii_lowercase())
            || goes_on.iter().any(|w| counted.starts_with(w));
        if structured(&previous.labels) != structured(labels) && !kind.plural && !range {
            return false;
        }
        free || (kind.plural && previous.through.is_none())
    }

    pub(super) fn named(&self, kind: &Kind, mut labels: Vec<String>) -> Vec<String> {
        if let (Some(level), Some(first)) =
            (kind.level.filter(|l| !l.is_empty()), labels.first_mut())
        {
            *first = format!("{level} {first}");
        }
        labels
    }

    /// What follows makes a number no label: a share, a fraction, part of a date or a longer number.
    pub(super) fn refused(&self, end: usize) -> bool {
        let rest = &self.text[end..];
        let code = rest.trim_start();
        let code = rest.len() > code.len()
            && ["U.S.C", "USC", "U. S.", "C.F.R", "CFR"]
                .iter()
                .any(|c| code.starts_with(c));
        code || rest.starts_with(['%', '/'])
            || rest.starts_with(|c: char| c.is_alphanumeric())
            || rest.starts_with(" %")
            || rest.starts_with(" per cent")
    }

    /// `6(1)(a)`, `11.2.1`, `15A`, `II`, `A4.10.2`, `(2)`: labels, lower case, and the end.
    pub(super) fn number(&self, kind: &Kind, at: usize) -> Option<(Vec<String>, usize)> {
        let bytes = self.text.as_bytes();
        let near = kind.level.is_none();
        if bytes.get(at) == Some(&b'(') {
            let recital = kind.level == Some("recital");
            return (near || recital)
                .then(|| self.subs(at, true))
                .flatten()
                .filter(|(subs, _)| !subs.is_empty());
        }
        let run = |from: usize, test: fn(&u8) -> bool| {
            bytes[from..].iter().take_while(|b| test(b)).count()
        };
        let mut end = at;
        let upper = run(at, u8::is_ascii_uppercase);
        let digits = run(at, u8::is_ascii_digit);
        let mut labels = Vec::new();
        if digits > 0 {
            if digits > 5 {
                return None;
            }
            end += digits;
            while bytes.get(end) == Some(&b'.')
                && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
            {
                end += 1 + run(end + 1, u8::is_ascii_digit);
            }
            if kind.sign
                && !kind.plural
                && bytes.get(end) == Some(&b'-')
                && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
            {
                end += 1 + run(end + 1, u8::is_ascii_digit);
            }
            // `2B1.1` of a sentencing guideline, `15A`, `9.3.1B`
            let letters = run(end, u8::is_ascii_alphabetic);
            if letters == 1 && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) && kind.sign {
                end += 1 + run(end + 1, |b| b.is_ascii_digit() || *b == b'.');
                while bytes[end - 1] == b'.' {
                    end -= 1;
                }
            } else if (1..=2).contains(&letters)
                && (bytes[end].is_ascii_uppercase() || letters == 1)
            {
                if near
                    && letters == 1
                    && bytes[end].is_ascii_lowercase()
                    && bytes.get(end + 1) == Some(&b')')
                {
                    // `148h)`: item h) of paragraph 148.
                    labels.push(self.text[at..end].to_owned());
                    labels.push(self.text[end..end + 1].to_owned());
                    return Some((labels, end + 2));
                }
                end += letters;
                // `13A.6.1`
                while bytes.get(end) == Some(&b'.')
                    && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
                {
                    end += 1 + run(end + 1, u8::is_ascii_digit);
                }
            }
            labels.push(self.text[at..end].to_lowercase());
        } else if upper > 0 {
            let after = bytes.get(at + upper);
            let numeral = self.text[at..at + upper]
                .bytes()
                .all(|b| b"IVXLC".contains(&b))
                && upper <= 7;
            if upper == 1
                && after.is_some_and(u8::is_ascii_digit)
                && (kind.lettered || kind.level == Some("rule") || kind.level == Some(""))
            {
                end = at + 1 + run(at + 1, |b| b.is_ascii_digit() || *b == b'.');
                while bytes[end - 1] == b'.' {
                    end -= 1;
                }
            } else if (numeral || (upper == 1 && kind.lettered))
                && !after.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'\'')
            {
                end = at + upper;
            } else {
                return None;
            }
            labels.push(self.text[at..end].to_lowercase());
        } else if near && run(at, u8::is_ascii_lowercase) == 1 && bytes.get(at + 1) == Some(&b')') {
            return Some((vec![self.text[at..at + 1].to_owned()], at + 2));
        } else {
            return None;
        }
        let (subs, end) = self.subs(end, false).unwrap_or((Vec::new(), end));
        labels.extend(subs);
        Some((labels, end))
    }

    /// `(1)(a)(ii)` at `at`; a blank before a bracket is allowed where a digit or a letter is in it.
    pub(super) fn subs(&self, at: usize, first: bool) -> Option<(Vec<String>, usize)> {
        let mut labels = Vec::new();
        let mut end = at;
        loop {
            let mut open = end;
            if self.text[open..].starts_with(' ') && !first {
                open += 1;
            }
            if !self.text[open..].starts_with('(') {
                break;
            }
            let Some(length) = self.text.as_bytes()[open + 1..]
                .iter()
                .take(7)
                .position(|b| *b == b')')
            else {
                break;
            };
            if !self.text.is_char_boundary(open + 1 + length) {
                break;
            }
            let inner = self.text[open + 1..open + 1 + length].trim();
            let spaced = open > end;
            let digits = inner.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let numeric = !digits.is_empty()
                && digits.len() <= 3
                && inner.len() - digits.len() <= 1
                && digits.bytes().all(|b| b.is_ascii_digit());
            let numeral = !inner.is_empty()
                && inner.len() <= 5
                && inner.bytes().all(|b| b"ivxlc".contains(&b));
            let letters =
                (1..=2).contains(&inner.len()) && inner.bytes().all(|b| b.is_ascii_lowercase());
            let capital = inner.len() == 1 && inner.bytes().all(|b| b.is_ascii_uppercase());
            let plain = numeric || numeral || letters || capital;
            if !plain
                || (spaced
                    && (inner.len() > 2 || ["or", "as", "in", "if", "no", "an"].contains(&inner)))
            {
                break;
            }
            labels.push(inner.to_lowercase());
            end = open + length + 2;
        }
        Some((labels, end))
    }

    /// A finer level after a comma or a blank: "Article 6(1), point (a)", "Part 4, Chapter 2".
    pub(super) fn finer(&self, kind: &Kind, items: &mut [Item], past: usize) -> usize {
        let [item] = items else { return past };
        let Some(level) = kind.level.filter(|l| !l.is_empty()) else {
            return past;
        };
        let rest = &self.text[past..];
        let blank = rest.len() - rest.trim_start_matches([',', ' ']).len();
        if blank == 0 || blank > 2 {
            return past;
        }
        let from = past + blank;
        let Some((word, end)) = self.word(from) else {
            return past;
        };
        let inner = Kind::of(&self.text[from..end]);
        let below = match (level, inner.level) {
            (_, None) => word.trim_end_matches('s') != "item",
            ("part" | "title", Some("chapter" | "division" | "section"))
            | ("chapter", Some("section" | "division")) => true,
            ("annex" | "appendix" | "schedule", Some("part" | "section" | "chapter")) => true,
            _ => false,
        };
        if !below || inner.plural {
            return past;
        }
        match self.number(&inner, self.blank(end)) {
            Some((labels, after)) if !self.refused(after) => {
                item.labels.extend(self.named(&inner, labels));
                item.end = after;
                after
            }
            _ => past,
        }
    }
}

/// The labels of `(c)` after `12(1)(a)`: those of the item before, with its deepest label of the same kind replaced.
fn beside(previous: &[String], subs: &[String]) -> Option<Vec<String>> {
    let first = subs.first()?;
    let numeral = |l: &str| l.bytes().all(|b| b"ivxlc".contains(&b));
    let digit = |l: &str| l.starts_with(|c: char| c.is_ascii_digit());
    // A first label without a level is a marker itself: "points (a) and (b)".
    let bare = previous
        .first()
        .is_some_and(|l| !l.contains([' ', '.']) && !digit(l) || previous.len() == 1);
    let from = usize::from(!bare);
    let alike = |l: &String, strict: bool| {
        digit(l) == digit(first)
            && (!strict || digit(first) || numeral(l) == numeral(first))
            && !l.contains(' ')
    };
    let at = (from..previous.len())
        .rev()
        .find(|&i| alike(&previous[i], true))
        .or_else(|| {
            (from..previous.len())
                .rev()
                .find(|&i| alike(&previous[i], false))
        })?;
    let mut labels = previous[..at].to_vec();
    labels.extend_from_slice(subs);
    Some(labels)
}

fn is_year(number: &str) -> bool {
    number.len() == 4
        && (number.starts_with("19") || number.starts_with("20"))
        && number.bytes().all(|b| b.is_ascii_digit())
}
