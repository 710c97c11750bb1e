//! References in English. A reference consists of a word for a level ("Article", "Rule", "point", "§") and a list of
//! numbers. It may also name the larger part that contains these ("of Article 6(1)"), and the act that contains both.

mod numbers;
mod scan;

use super::instrument::{self, Cited};
use lexforge_domain::reference::{CrossReference, ReferenceScope};
use regex::Regex;
use scan::{Item, Kind, Scan, compiled};
use std::sync::LazyLock;

/// The places where a reference may begin.
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?P<code>(?-u:\b)\d{1,3}\s+(?:U\.?\s?S\.?\s?C\.?(?:\s?A\.)?|C\.?\s?F\.?\s?R\.?)\s*(?:§{1,2}|[Pp]arts?(?-u:\b)|[Ss]ections?(?-u:\b)|[Ss]ecs?\.)?)|(?-u:\b)(?P<word>(?i:articles?|arts?\.|sections?|secs?\.|sub-?sections?|rules?|clauses?|chapters?|annex(?:es)?|(?:sub)?parts?|appendix|appendices|schedules?|(?:sub-?)?paragraphs?|paras?(?-u:\b)\.?|points?|regulations?|recitals?|titles?|items?|divisions?)|APP)(?-u:\b)?|(?P<sign>§{1,2})|(?-u:\b)(?P<short>[A-Z][A-Z&]{1,7})\s+[A-Z]?\d{1,3}\.\d|(?-u:\b)(?:with|of|under|in|by|to|see)\s[\u{200b}-\u{200f}]*(?P<bare>\d{1,2}\.\d{1,2}\.\d{1,3}[A-Z]?)(?-u:\b)",
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
