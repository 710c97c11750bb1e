//! Numbers of paragraphs, counted and written as the word processor does: "Article 5", "(a)", "第八条".

use super::styles::Styles;
use lexforge_ingest::error::IngestError;
use lexforge_ingest::xml::{Event, Tag, Xml};
use lexforge_text::numerals::write;
use std::collections::{HashMap, HashSet};

/// Levels of a numbering.
const LEVELS: usize = 9;

/// A level of a numbering.
#[derive(Clone, Debug)]
struct Level {
    start: u32,
    format: String,
    text: String,
    /// The level after which the numbering begins again; `None` = any level above it; 0 = never.
    restart: Option<u8>,
    /// Whether all numbers are in digits.
    legal: bool,
    /// The style whose paragraphs stand on it.
    style: Option<String>,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            start: 0,
            format: "decimal".to_owned(),
            text: String::new(),
            restart: None,
            legal: false,
            style: None,
        }
    }
}

/// A scheme of levels.
#[derive(Clone, Debug, Default)]
struct Scheme {
    levels: [Level; LEVELS],
    /// The numbering style that it takes its levels from.
    link: Option<String>,
}

/// A numbering that paragraphs name. It consists of a scheme and its own levels.
#[derive(Clone, Debug, Default)]
struct Instance {
    scheme: u32,
    levels: HashMap<u8, Level>,
    starts: HashMap<u8, u32>,
}

/// The numberings of a document and how far they are counted.
#[derive(Debug, Default)]
pub struct Numbering {
    schemes: HashMap<u32, Scheme>,
    instances: HashMap<u32, Instance>,
    counters: HashMap<u32, [Option<u32>; LEVELS]>,
    begun: HashSet<(u32, u8)>,
}

impl Numbering {
    /// Reads the part `numbering.xml`.
    ///
    /// # Errors
    /// When the part is not XML.
    pub fn read(part: &str) -> Result<Self, IngestError> {
        let mut out = Self::default();
        let mut xml = Xml::new(part);
        let mut scheme: Option<(u32, Scheme)> = None;
        let mut instance: Option<(u32, Instance)> = None;
        let mut level: Option<(u8, Level)> = None;
        let mut overridden: Option<u8> = None;
        while let Some(event) = xml.next_event()? {
            match event {
                Event::Open(tag) => {
                    let id = |name: &str| tag.get(name).and_then(|v| v.parse::<u32>().ok());
                    let index = || {
                        tag.get("ilvl")
                            .and_then(|v| v.parse::<u8>().ok())
                            .filter(|l| usize::from(*l) < LEVELS)
                    };
                    match tag.name() {
                        "abstractNum" => {
                            scheme = id("abstractNumId").map(|id| (id, Scheme::default()))
                        }
                        "numStyleLink" => {
                            if let Some((_, s)) = &mut scheme {
                                s.link = tag.val();
                            }
                        }
                        "num" => instance = id("numId").map(|id| (id, Instance::default())),
                        "abstractNumId" => {
                            if let (Some((_, i)), Some(id)) = (&mut instance, tag.number()) {
                                i.scheme = id;
                            }
                        }
                        "lvlOverride" => overridden = index(),
                        "startOverride" => {
                            if let (Some((_, i)), Some(l), Some(start)) =
                                (&mut instance, overridden, tag.number())
                            {
                                i.starts.insert(l, start);
                            }
                        }
                        "lvl" => level = index().map(|l| (l, Level::default())),
                        "pPr" | "rPr" => xml.skip()?,
                        _ => {
                            if let Some((_, level)) = &mut level {
                                level.set(&tag);
                            }
                        }
                    }
                }
                Event::Close(name) => match name.as_str() {
                    "lvl" => {
                        if let Some((at, level)) = level.take() {
                            match (&mut instance, &mut scheme) {
                                (Some((_, i)), _) => drop(i.levels.insert(at, level)),
                                (None, Some((_, s))) => s.levels[usize::from(at)] = level,
                                (None, None) => {}
                            }
                        }
                    }
                    "abstractNum" => out.schemes.extend(scheme.take()),
                    "num" => out.instances.extend(instance.take()),
                    _ => {}
                },
                Event::Text(_) => {}
            }
        }
        Ok(out)
    }

    /// A scheme may only name a numbering style. Such a scheme gets the levels of the scheme that the style refers to.
    pub(crate) fn link_styles(&mut self, styles: &Styles) {
        let links: Vec<(u32, u32)> = self
            .schemes
            .iter()
            .filter_map(|(id, s)| Some((*id, styles.numbering_of(s.link.as_deref()?)?)))
            .filter_map(|(id, instance)| Some((id, self.instances.get(&instance)?.scheme)))
            .collect();
        for (id, other) in links {
            if let Some(levels) = self.schemes.get(&other).map(|s| s.levels.clone())
                && let Some(scheme) = self.schemes.get_mut(&id)
            {
                scheme.levels = levels;
            }
        }
    }

    /// The level on which paragraphs of a style stand.
    pub(crate) fn level_of_style(&self, numbering: u32, style: &str) -> Option<u8> {
        let scheme = self.schemes.get(&self.instances.get(&numbering)?.scheme)?;
        let at = scheme
            .levels
            .iter()
            .position(|l| l.style.as_deref() == Some(style))?;
        u8::try_from(at).ok()
    }

    /// Counts one paragraph on and gives its label; `None` where it has none.
    pub fn next(&mut self, numbering: u32, level: u8) -> Option<String> {
        let at = usize::from(level);
        if at >= LEVELS {
            return None;
        }
        let instance = self.instances.get(&numbering)?;
        let scheme = self.schemes.get(&instance.scheme)?;
        let levels: [&Level; LEVELS] =
            std::array::from_fn(|i| instance.levels.get(&(i as u8)).unwrap_or(&scheme.levels[i]));
        let counters = self.counters.entry(instance.scheme).or_default();
        let given = instance
            .starts
            .get(&level)
            .filter(|_| self.begun.insert((numbering, level)));
        let number = match (given, counters[at]) {
            (Some(start), _) => *start,
            (None, Some(before)) => before.saturating_add(1),
            (None, None) => levels[at].start,
        };
        counters[at] = Some(number);
        for deeper in at + 1..LEVELS {
            let again = levels[deeper]
                .restart
                .is_none_or(|after| after != 0 && at < usize::from(after));
            if again {
                counters[deeper] = None;
            }
        }
        // A level that was skipped counts as begun.
        let numbers: [u32; LEVELS] =
            std::array::from_fn(|i| counters[i].unwrap_or(levels[i].start));
        let own = levels[at];
        if own.format == "bullet" {
            return Some("•".to_owned());
        }
        if own.format == "none" {
            return Some(own.text.clone()).filter(|t| !t.contains('%') && !t.trim().is_empty());
        }
        let mut label = String::new();
        let mut chars = own.text.chars().take(200).peekable();
        while let Some(c) = chars.next() {
            let digit = chars
                .peek()
                .and_then(|d| d.to_digit(10))
                .filter(|d| (1..=9).contains(d));
            match (c, digit) {
                ('%', Some(digit)) => {
                    chars.next();
                    let i = digit as usize - 1;
                    let format = if own.legal {
                        "decimal"
                    } else {
                        levels[i].format.as_str()
                    };
                    label.push_str(&written(numbers[i], format));
                }
                (c, _) => label.push(c),
            }
        }
        Some(label).filter(|l| !l.trim().is_empty())
    }
}

impl Level {
    fn set(&mut self, tag: &Tag) {
        match tag.name() {
            "start" => self.start = tag.number().unwrap_or(0),
            "numFmt" => self.format = tag.val().unwrap_or_default(),
            "lvlText" => self.text = tag.val().unwrap_or_default(),
            "lvlRestart" => self.restart = tag.number(),
            "isLgl" => self.legal = tag.is_on(),
            "pStyle" => self.style = tag.val(),
            _ => {}
        }
    }
}

/// A number in a format of the word processor.
fn written(number: u32, format: &str) -> String {
    match format {
        "lowerLetter" => write::repeated_letter(number),
        "upperLetter" => write::repeated_letter(number).to_uppercase(),
        "lowerRoman" => write::roman(number).to_lowercase(),
        "upperRoman" => write::roman(number),
        "decimalZero" => format!("{number:02}"),
        "chineseCounting"
        | "chineseCountingThousand"
        | "taiwaneseCountingThousand"
        | "taiwaneseCounting"
        | "japaneseCounting"
        | "koreanCounting" => write::chinese(number),
        "ideographDigital"
        | "taiwaneseDigital"
        | "japaneseDigitalTenThousand"
        | "koreanDigital2" => write::chinese_digits(number),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => write::circled(number),
        "decimalEnclosedParen" => format!("({number})"),
        "decimalEnclosedFullstop" => format!("{number}."),
        "decimalFullWidth" | "decimalFullWidth2" => number
            .to_string()
            .bytes()
            .filter_map(|b| char::from_u32(0xFF10 + u32::from(b - b'0')))
            .collect(),
        "ganada" => char::from_u32(
            [
                0xAC00, 0xB098, 0xB2E4, 0xB77C, 0xB9C8, 0xBC14, 0xC0AC, 0xC544, 0xC790, 0xCC28,
                0xCE74, 0xD0C0, 0xD30C, 0xD558,
            ]
            .get(number.wrapping_sub(1) as usize)
            .copied()
            .unwrap_or(0),
        )
        .filter(|c| *c != '\0')
        .map_or_else(|| number.to_string(), String::from),
        "none" => String::new(),
        _ => number.to_string(),
    }
}
