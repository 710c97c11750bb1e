//! Text as it is in a document: language, kind of sentence, place on the page.

use crate::tags::{all, read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(SentenceKind);
read_by_tag!(SentenceKind);

/// Language of a document. English and Chinese are first class, Korean is usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
    /// Korean.
    Ko,
    /// Anything else; treated like English where a choice must be made.
    Other,
}

impl Language {
    /// The tag that is stored and printed: `en`, `zh`, `ko` or `other`.
    pub fn tag(self) -> &'static str {
        self.into()
    }

    /// The language of a tag; an unknown tag is [`Language::Other`].
    pub fn from_tag(tag: &str) -> Self {
        match tag {
            "en" => Self::En,
            "zh" => Self::Zh,
            "ko" => Self::Ko,
            _ => Self::Other,
        }
    }
}

/// The kind of a sentence in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SentenceKind {
    /// Running text of a rule.
    Rule,
    /// A sentence that defines a term.
    Definition,
    /// A heading of a section.
    Heading,
    /// An item of a numbered or bulleted list.
    ListItem,
    /// A cell or row of a table.
    TableCell,
    /// A footnote.
    Footnote,
}

impl SentenceKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 6] = all(Self::VARIANTS);
}

/// A rectangle on a page as displayed (after crop and rotation): points, origin top left.
/// Serialised as `[page, x0, y0, x1, y1]`; pages count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(u32, f32, f32, f32, f32)", into = "(u32, f32, f32, f32, f32)")]
pub struct Region {
    /// Page number, from 1.
    pub page: u32,
    /// Left edge in points.
    pub x0: f32,
    /// Upper edge in points.
    pub y0: f32,
    /// Right edge in points.
    pub x1: f32,
    /// Lower edge in points.
    pub y1: f32,
}

impl From<(u32, f32, f32, f32, f32)> for Region {
    fn from((page, x0, y0, x1, y1): (u32, f32, f32, f32, f32)) -> Self {
        Self {
            page,
            x0,
            y0,
            x1,
            y1,
        }
    }
}

impl From<Region> for (u32, f32, f32, f32, f32) {
    fn from(r: Region) -> Self {
        (r.page, r.x0, r.y0, r.x1, r.y1)
    }
}

/// A stretch of a text, in Unicode scalar values: `start..end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextSpan {
    /// First scalar value.
    pub start: usize,
    /// One past the last scalar value.
    pub end: usize,
    /// The text itself.
    pub text: String,
}
