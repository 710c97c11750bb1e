//! References in English. A reference consists of a word for a level ("Article", "Rule", "point", "§") and a list of
//! numbers. It may also name the larger part that contains these ("of Article 6(1)"), and the act that contains both.
//!
//! One file because it is one grammar.

use super::instrument::{self, Cited};
use super::labels;
use lexforge_domain::reference::{CrossReference, ReferenceScope};
use regex::Regex;
use std::sync::LazyLock;

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

/// The places where a reference may begin.
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?P<code>(?-u:\b)\d{1,3}\s+(?:U\.?\s?S\.?\s?C\.?(?:\s?A\.)?|C\.?\s?F\.?\s?R\.?)\s*(?:§{1,2}|[Pp]arts?(?-u:\b)|[Ss]ections?(?-u:\b)|[Ss]ecs?\.)?)|(?-u:\b)(?P<word>(?i:articles?|arts?\.|sections?|secs?\.|sub-?sections?|rules?|clauses?|chapters?|annex(?:es)?|(?:sub)?parts?|appendix|appendices|schedules?|(?:sub-?)?paragraphs?|paras?(?-u:\b)\.?|points?|regulations?|recitals?|titles?|items?|divisions?)|APP)(?-u:\b)?|(?P<sign>§{1,2})|(?-u:\b)(?P<short>[A-Z][A-Z&]{1,7})\s+[A-Z]?\d{1,3}\.\d|(?-u:\b)(?:with|of|under|in|by|to|see)\s[\u{200b}-\u{200f}]*(?P<bare>\d{1,2}\.\d{1,2}\.\d{1,3}[A-Z]?)(?-u:\b)",
    )
});
/// What may stand between two numbers of a list.
static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^(?:\s*,\s*(?:(?:and|or|and/or)\s+)?(?:to\s+)?|\s+(?:and|or|and/or|to|through|&)\s+|\s*[–—-]\s*)[\u{200b}-\u{200f}]*",
    )
});
/// Words between a clause and the part that contains it.
static PART_OF: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"^\s*,?\s+(?:of|in|to|under|from)\s+(?:(?:the|that|this|said)\s+)?")
});
/// Before an instrument.
static OF: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"^\s*,?\s+(?:of|in|to|under|from|within)\s+"));
/// "the preceding paragraph".
static PREVIOUS: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)(?-u:\b)(?:immediately\s+)?(?:preceding|previous|foregoing|last)\s+(?P<level>sub-?paragraph|paragraph|sub-?section|section|article|rule|clause|point|chapter)(?-u:\b)",
    )
});
/// "the second" before "subparagraph of Article 5".
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)(?-u:\b)(?:first|second|third|fourth|fifth|sixth|last)(?:\s+and\s+(?:second|third|fourth))?\s+$",
    )
});

/// The references in a text, in byte offsets, their words left to the caller.
pub(super) fn find(text: &str) -> Vec<CrossReference> {
    let mut scan = Scan {
        text,
        found: Vec::new(),
        last: None,
    };
    let mut past = 0;
    for captures in ANCHOR.captures_iter(text) {
        let Some(whole) = captures.get(0) else {
            continue;
        };
        if whole.start() < past {
            continue;
        }
        let parsed = if let Some(code) = captures.name("code") {
            scan.code(code.start(), code.end())
        } else if let Some(word) = captures.name("word") {
            scan.worded(word.start(), word.end())
        } else if let Some(sign) = captures.name("sign") {
            scan.worded(sign.start(), sign.end())
        } else if let Some(short) = captures.name("short") {
            scan.shortened(short.start(), short.end())
        } else if let Some(bare) = captures.name("bare") {
            scan.bare(bare.start())
        } else {
            None
        };
        past = parsed.unwrap_or(past);
    }
    scan.whole_instruments();
    scan.previous();
    scan.found
}

struct Scan<'a> {
    text: &'a str,
    found: Vec<CrossReference>,
    /// The instrument that was named last.
    last: Option<String>,
}

/// A level, as a reference names it.
struct Kind {
    /// The word before a number in a label; `None` for paragraphs and points.
    level: Option<&'static str>,
    plural: bool,
    /// `§`: its numbers may hold hyphens.
    sign: bool,
    /// Whether its numbers may be letters, as for annexes, schedules and parts.
    lettered: bool,
}

impl Kind {
    fn of(word: &str) -> Self {
        let lower = word.to_lowercase();
        let near = [
            "para", "subpara", "sub-para", "point", "item", "subsec", "sub-sec",
        ]
        .iter()
        .any(|w| lower.starts_with(w))
            || word == "clause"
            || word == "clauses";
        let level = if near { None } else { labels::level(word) };
        let lettered = matches!(
            level,
            Some(
                "annex"
                    | "appendix"
                    | "schedule"
                    | "part"
                    | "section"
                    | "chapter"
                    | "title"
                    | "subpart"
            )
        );
        let plural =
            lower.ends_with('s') && lower != "annex" || lower == "appendices" || word == "§§";
        Self {
            level,
            plural: plural && lower != "§",
            sign: word.starts_with('§'),
            lettered,
        }
    }
}

/// One number of a list.
#[derive(Clone)]
struct Item {
    start: usize,
    end: usize,
    labels: Vec<String>,
    through: Option<Vec<String>>,
}

impl Scan<'_> {
    /// A reference that begins with a word for a level. Returns the end of the reference.
    fn worded(&mut self, start: usize, end: usize) -> Option<usize> {
        let word = &self.text[start..end];
        let kind = Kind::of(word);
        let (mut instrument, mut first) = (None, start);
        if let Some((short, length)) = instrument::before(&self.text[..start]) {
            instrument = Some(Cited::Named(short));
            first = start - length;
        }
        let mut from = self.blank(end);
        // `Rule COBS 22.2.2`, `Regulation No. 5`
        if instrument.is_none()
            && let Some((short, length)) = self.short_at(from)
        {
            instrument = Some(Cited::Named(short));
            from = self.blank(from + length);
        }
        let (mut items, mut past) = match self.list(&kind, start, from) {
            Some(list) => list,
            // "the second subparagraph of Article 5(2)"
            None if kind.level.is_none() && ORDINAL.is_match(&self.text[..start]) => (
                vec![Item {
                    start,
                    end,
                    labels: Vec::new(),
                    through: None,
                }],
                end,
            ),
            None => return None,
        };
        if let Some(item) = items.first_mut() {
            item.start = first;
        }
        past = self.finer(&kind, &mut items, past);
        // From the inside out: "point (a) of Article 6(1)", "Chapter 4 of Part 3".
        let mut scoped = kind.level.is_some();
        for _ in 0..3 {
            let Some((outer, level, after)) = self.part_of(past) else {
                break;
            };
            for item in &mut items {
                item.labels.splice(0..0, outer.labels.iter().cloned());
                if let Some(through) = &mut item.through {
                    through.splice(0..0, outer.labels.iter().cloned());
                }
            }
            scoped |= level;
            past = after;
        }
        if items.iter().all(|i| i.labels.is_empty()) {
            return None;
        }
        if instrument.is_none()
            && let Some((cited, after)) = self.instrument(past)
        {
            instrument = Some(cited);
            past = after;
        }
        self.push(items, past, instrument, scoped);
        Some(past)
    }

    /// `12 U.S.C. § 1813(q)`.
    fn code(&mut self, start: usize, end: usize) -> Option<usize> {
        let code = &self.text[start..end];
        let name = code.trim_end_matches(|c: char| c == '§' || c.is_whitespace());
        let part = name.to_lowercase().ends_with("part") || name.to_lowercase().ends_with("parts");
        let name: String = name
            .split_whitespace()
            .filter(|w| {
                !w.to_lowercase().starts_with("part") && !w.to_lowercase().starts_with("sec")
            })
            .collect::<Vec<_>>()
            .join(" ");
        let kind = Kind {
            level: Some(if part { "part" } else { "section" }),
            plural: code.contains("§§"),
            sign: true,
            lettered: false,
        };
        let (mut items, past) = self.list(&kind, start, self.blank(end))?;
        if let Some(item) = items.first_mut() {
            item.start = start;
        }
        self.push(items, past, Some(Cited::Named(name)), true);
        Some(past)
    }

    /// `GEN 3.3.31 and 3.3.32`.
    fn shortened(&mut self, start: usize, end: usize) -> Option<usize> {
        let short = &self.text[start..end];
        if !instrument::is_short_name(short) {
            return None;
        }
        let kind = Kind {
            level: Some(""),
            plural: true,
            sign: false,
            lettered: false,
        };
        let (items, past) = self.list(&kind, start, self.blank(end))?;
        self.push(items, past, Some(Cited::Named(short.to_owned())), true);
        Some(past)
    }

    /// "in accordance with 4.7.1(2)".
    fn bare(&mut self, start: usize) -> Option<usize> {
        let kind = Kind {
            level: Some(""),
            plural: true,
            sign: false,
            lettered: false,
        };
        let (items, past) = self.list(&kind, start, start)?;
        self.push(items, past, None, true);
        Some(past)
    }

    fn push(&mut self, mut items: Vec<Item>, past: usize, instrument: Option<Cited>, scoped: bool) {
        if let Some(last) = items.last_mut() {
            last.end = past;
        }
        let instrument = match instrument {
            None | Some(Cited::Own) => None,
            Some(Cited::Last) => Some(
                self.last
                    .clone()
                    .unwrap_or_else(|| "that instrument".to_owned()),
            ),
            Some(Cited::Named(name)) => {
                self.last = Some(name.clone());
                Some(name)
            }
        };
        let scope = if scoped || instrument.is_some() {
            ReferenceScope::Whole
        } else {
            ReferenceScope::Near
        };
        for item in items {
            self.found.push(CrossReference {
                start: item.start,
                end: item.end,
                text: String::new(),
                instrument: instrument.clone(),
                labels: item.labels,
                through: item.through,
                scope,
            });
        }
    }

    /// The numbers after a word, from `from` on; the first item begins at `start`.
    fn list(&self, kind: &Kind, start: usize, from: usize) -> Option<(Vec<Item>, usize)> {
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

    /// Whether a number after a separator belongs to the list. After a plural it always does. After a singular it must
    /// have the form of the number before it, and must not be followed by a noun that it counts ("Rule 5 and 20 days").
    fn belongs(
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

    fn named(&self, kind: &Kind, mut labels: Vec<String>) -> Vec<String> {
        if let (Some(level), Some(first)) =
            (kind.level.filter(|l| !l.is_empty()), labels.first_mut())
        {
            *first = format!("{level} {first}");
        }
        labels
    }

    /// What follows makes a number no label: a share, a fraction, part of a date or a longer number.
    fn refused(&self, end: usize) -> bool {
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
    fn number(&self, kind: &Kind, at: usize) -> Option<(Vec<String>, usize)> {
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
    fn subs(&self, at: usize, first: bool) -> Option<(Vec<String>, usize)> {
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
    fn finer(&self, kind: &Kind, items: &mut [Item], past: usize) -> usize {
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

    /// "of Article 6(1)": the outer clause, whether it is a level of its own, and the end.
    fn part_of(&self, past: usize) -> Option<(Item, bool, usize)> {
        let joint = PART_OF.find(&self.text[past..])?;
        let from = past + joint.end();
        let (_, end) = self.word(from)?;
        let kind = Kind::of(&self.text[from..end]);
        let (items, after) = self.list(&kind, from, self.blank(end))?;
        let item = items.into_iter().next()?;
        Some((item, kind.level.is_some(), after))
    }

    /// A word for a level at `from`: lower case, and its end.
    fn word(&self, from: usize) -> Option<(String, usize)> {
        let captures = ANCHOR.captures_at(self.text, from)?;
        let word = captures.name("word").or(captures.name("sign"))?;
        (word.start() == from).then(|| (word.as_str().to_lowercase(), word.end()))
    }

    /// The instrument of a clause that ends at `past`.
    fn instrument(&self, past: usize) -> Option<(Cited, usize)> {
        let rest = &self.text[past..];
        if let Some(of) = OF.find(rest) {
            let at = past + of.end();
            return instrument::at(&self.text[at..]).map(|(cited, length)| (cited, at + length));
        }
        // `Article 16 TFEU`, `Article 5 thereof`
        let at = self.blank(past);
        if at == past {
            return None;
        }
        if self.text[at..].starts_with("thereof") {
            return Some((Cited::Last, at + "thereof".len()));
        }
        self.short_at(at)
            .map(|(short, length)| (Cited::Named(short), at + length))
    }

    /// A short name in capitals at `at`, with its length.
    fn short_at(&self, at: usize) -> Option<(String, usize)> {
        let length = self.text.as_bytes()[at..]
            .iter()
            .take_while(|b| b.is_ascii_uppercase() || **b == b'&')
            .count();
        let word = &self.text[at..at + length];
        let whole = !self.text[at + length..]
            .starts_with(|c: char| c.is_alphanumeric() || c == '’' || c == '\'');
        // Roman numerals number clauses.
        let numeral = word.bytes().all(|b| b"IVXLC".contains(&b));
        (length >= 3 && whole && !numeral && instrument::is_short_name(word))
            .then(|| (word.to_owned(), length))
    }

    /// Past blanks, invisible marks included.
    fn blank(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.len()
            - rest
                .trim_start_matches(|c: char| {
                    c.is_whitespace()
                        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
                })
                .len()
    }

    /// Instruments that are cited without a clause.
    fn whole_instruments(&mut self) {
        for (start, end, name) in instrument::alone(self.text) {
            if !self.found.iter().any(|f| start < f.end && f.start < end) {
                self.found.push(CrossReference {
                    start,
                    end,
                    instrument: Some(name),
                    ..CrossReference::default()
                });
            }
        }
    }

    /// "the preceding paragraph".
    fn previous(&mut self) {
        for captures in PREVIOUS.captures_iter(self.text) {
            let (Some(whole), Some(level)) = (captures.get(0), captures.name("level")) else {
                continue;
            };
            if !self
                .found
                .iter()
                .any(|f| whole.start() < f.end && f.start < whole.end())
            {
                self.found.push(CrossReference {
                    start: whole.start(),
                    end: whole.end(),
                    labels: vec![level.as_str().to_lowercase()],
                    scope: ReferenceScope::Previous,
                    ..CrossReference::default()
                });
            }
        }
    }
}

/// The labels of `(c)` after `12(1)(a)`: those of the item before, its deepest label of the same kind exchanged.
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
