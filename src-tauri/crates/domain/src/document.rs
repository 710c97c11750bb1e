//! Documents: what the parser returns and what the workspace keeps.

use crate::id::{DocumentId, SectionId, SentenceId};
use crate::tags::{read_by_tag, tagged};
use crate::text::{Language, Region, SentenceKind};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

tagged!(DocumentFormat, ReadEngine, RemovedWhy);
read_by_tag!(DocumentFormat, ReadEngine);

/// The form in which a document came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum DocumentFormat {
    /// PDF.
    Pdf,
    /// Plain text, UTF-8.
    Text,
    /// One passage a line: `{"id","text","title"?,"section"?}`.
    Jsonl,
    /// Markdown, UTF-8.
    Markdown,
    /// A web page.
    Html,
    /// A word processor's document (Office Open XML).
    Docx,
}

/// The engine whose reading of a page was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum ReadEngine {
    /// The main reader.
    Hayro,
    /// The independent second reader.
    PdfExtract,
    /// Optical character recognition.
    Ocr,
    /// Not a PDF: the text was there.
    Plain,
}

/// How many pages each engine read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineCounts {
    /// Pages whose text is the main reader's.
    pub hayro: u32,
    /// Pages whose text is the second reader's.
    #[serde(rename = "pdf-extract")]
    pub pdf_extract: u32,
    /// Pages read by OCR.
    pub ocr: u32,
}

/// Something about a document that a person should know, though it was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentWarning {
    /// A short name of the kind of warning, which programs can compare: `scanned_page`, `ocr_page`, `readers_differ`,
    /// `second_reader_kept`, `unmapped_characters`, `picture_text`, `picture_unread`, `front_matter` …
    pub code: String,
    /// The page, from 1, where it is about one.
    pub page: Option<u32>,
    /// The warning in words.
    pub message: String,
}

/// The facts that a document states about itself: its issuer, where and since when it is in force, and its version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentMetadata {
    /// The authority that issued it, as printed.
    pub issuer: Option<String>,
    /// The jurisdiction in which it applies: `EU`, `US`, `CN`, `UK` …
    pub jurisdiction: Option<String>,
    /// Its number in its series: `Regulation (EU) 2016/679`, `EBA/GL/2022/14`, `国家金融监督管理总局令2024年第1号` …
    pub identifier: Option<String>,
    /// Date of adoption or publication, `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.
    pub date: Option<String>,
    /// Date from which it applies, in the same form.
    pub effective: Option<String>,
    /// Version as printed: `Version 2.1`, `2023年修订` …
    pub version: Option<String>,
    /// Who keeps it: the person or the department that a firm's own document names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Its licence, as its file states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
}

/// A place where the two readers read something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReaderDifference {
    /// The text that the chosen reading has at this place; empty if it has none.
    pub kept: String,
    /// The text that the other reading has at this place; empty if it has none.
    pub other: String,
    /// The kept reading before it and after it, a few words.
    pub context: (String, String),
    /// The place on the page; empty if the chosen reading has no text there.
    pub regions: Vec<Region>,
}

/// Why a line of a page is no part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RemovedWhy {
    /// The same words are in the same place on other pages.
    Repeats,
    /// It counts the pages.
    Counts,
    /// It differs from page to page, but is where other pages have a running head or foot.
    Changes,
    /// A program printed it around the text: an address, the time of printing, an invitation to scan.
    Printed,
}

impl RemovedWhy {
    /// All reasons.
    pub const ALL: [Self; 4] = [Self::Repeats, Self::Counts, Self::Changes, Self::Printed];
}

/// A line that was removed from the text: a running head or foot, a page number, or something that a program printed
/// around the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RemovedLine {
    /// Page, from 1.
    pub page: u32,
    /// Its text.
    pub text: String,
    /// Why it was taken out.
    pub why: RemovedWhy,
    /// Where it stands.
    pub region: Option<Region>,
}

/// A document as the parser read it. Indices (`section`, `parent`) point into this value's own lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParsedDocument {
    /// Title found in the document, else the file's stem.
    pub title: String,
    /// Form in which it came.
    pub format: DocumentFormat,
    /// Language detected.
    pub language: Language,
    /// Facts that it states about itself.
    #[serde(default)]
    pub metadata: DocumentMetadata,
    /// Pages in order; a plain text has one.
    pub pages: Vec<ParsedPage>,
    /// Sections in reading order; parents stand before their children.
    pub sections: Vec<ParsedSection>,
    /// Sentences in reading order.
    pub sentences: Vec<ParsedSentence>,
    /// Its tables, page by page; their rows are among the sentences.
    #[serde(default)]
    pub tables: Vec<ParsedTable>,
    /// How many pages each engine read.
    pub engines: EngineCounts,
    /// Mean agreement of the two readers over the pages that both read, 0 to 1.
    pub reader_agreement: Option<f64>,
    /// Pages without a text layer that were not recognised either.
    pub scanned_pages: u32,
    /// Warnings for the user.
    pub warnings: Vec<DocumentWarning>,
}

/// A table, or the part of one that stands on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParsedTable {
    /// Page, from 1.
    pub page: u32,
    /// Rows at its beginning that are heads of columns.
    pub heads: u32,
    /// The cells that hold text, row by row.
    pub cells: Vec<ParsedCell>,
}

impl ParsedTable {
    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.cells.iter().map(|c| c.row + c.rows).max().unwrap_or(0)
    }

    /// Number of columns.
    pub fn columns(&self) -> u32 {
        let end = |c: &ParsedCell| c.column + c.columns;
        self.cells.iter().map(end).max().unwrap_or(0)
    }
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParsedCell {
    /// First row that it takes, from 0.
    pub row: u32,
    /// First column that it takes, from 0.
    pub column: u32,
    /// Rows that it takes.
    pub rows: u32,
    /// Columns that it takes.
    pub columns: u32,
    /// The text, its lines joined.
    pub text: String,
}

/// A page as read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParsedPage {
    /// Number, from 1.
    pub number: u32,
    /// Width as displayed, in points (0 for plain text).
    pub width: f32,
    /// Height as displayed, in points (0 for plain text).
    pub height: f32,
    /// Text in reading order, lines separated by `\n`, running heads and page numbers gone.
    pub text: String,
    /// The engine whose reading was kept.
    pub engine: ReadEngine,
    /// Agreement of the two readers on this page, 0 to 1; `None` if only one read it.
    pub agreement: Option<f64>,
    /// No text layer, and not recognised either.
    pub scanned: bool,
    /// Where the two readers differ, the largest difference first. At most a handful are kept for each page.
    #[serde(default)]
    pub differences: Vec<ReaderDifference>,
    /// Lines that were taken out of its text, from top to bottom.
    #[serde(default)]
    pub removed: Vec<RemovedLine>,
}

impl ParsedPage {
    /// A page of a text that has no places.
    pub fn plain(number: u32, text: String) -> Self {
        Self {
            number,
            width: 0.0,
            height: 0.0,
            text,
            engine: ReadEngine::Plain,
            agreement: None,
            scanned: false,
            differences: Vec::new(),
            removed: Vec::new(),
        }
    }
}

/// A node of the section tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParsedSection {
    /// Index of the parent section.
    pub parent: Option<usize>,
    /// Depth, 0 at the top.
    pub level: u8,
    /// Numbering as printed: `Article 5`, `第八条`, `2`, `(a)`; may be empty.
    pub label: String,
    /// Heading text without the label; may be empty.
    pub title: String,
    /// Labels (or titles) from the top, joined by ` › `: `Chapter II › Article 5 › 2 › (a)`.
    pub path: String,
    /// Page on which it begins, from 1.
    pub page: u32,
}

/// A sentence as read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParsedSentence {
    /// The text, line breaks and hyphenation at line ends resolved.
    pub text: String,
    /// The sentence in a form that can be understood alone. An item of a list is joined with the words that introduce
    /// the list. A row of a table is joined with the names of its columns.
    pub complete: Option<String>,
    /// Page on which it begins, from 1.
    pub page: u32,
    /// Index of its section.
    pub section: Option<usize>,
    /// What it is.
    pub kind: SentenceKind,
    /// The rectangles of its place; empty for plain text.
    pub regions: Vec<Region>,
    /// First scalar value in the document's text (pages joined by a form feed).
    pub start: usize,
    /// One past the last scalar value in the document's text.
    pub end: usize,
    /// Id that the corpus file gave it.
    pub external_id: Option<String>,
}

/// A sentence as the workspace keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sentence {
    /// Its id.
    pub id: SentenceId,
    /// Its document.
    pub document: DocumentId,
    /// Position in the document, from 0.
    pub position: u32,
    /// Page on which it begins, from 1.
    pub page: u32,
    /// Its section.
    pub section_id: Option<SectionId>,
    /// The section's path, or empty.
    pub section: String,
    /// What it is.
    pub kind: SentenceKind,
    /// The text.
    pub text: String,
    /// The sentence in a form that can be understood alone. An item of a list is joined with the words that introduce
    /// the list. A row of a table is joined with the names of its columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<String>,
    /// Where it stands.
    pub boxes: Vec<Region>,
    /// First scalar value in the document's text.
    pub start: usize,
    /// One past the last scalar value in the document's text.
    pub end: usize,
    /// Id that the corpus file gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
}

impl Sentence {
    /// A sentence about which only this is known: it comes first on the first page, in no section, at an unknown place.
    pub fn alone(id: SentenceId, document: DocumentId, kind: SentenceKind, text: &str) -> Self {
        Self {
            id,
            document,
            position: 0,
            page: 1,
            section_id: None,
            section: String::new(),
            kind,
            text: text.to_owned(),
            complete: None,
            boxes: Vec::new(),
            start: 0,
            end: 0,
            external_id: None,
        }
    }

    /// Whether the sentence is an item of a list, which is read together with the sentence that introduces it. A row of
    /// a table is not an item, because it can be read alone and no sentence introduces it.
    pub fn is_item(&self) -> bool {
        self.complete.is_some() && self.kind != SentenceKind::TableCell
    }
}

/// A section as the workspace keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Its id.
    pub id: SectionId,
    /// Its parent.
    pub parent: Option<SectionId>,
    /// Depth, 0 at the top.
    pub level: u8,
    /// Numbering as printed.
    pub label: String,
    /// Heading text without the label.
    pub title: String,
    /// Labels from the top, joined by ` › `.
    pub path: String,
    /// Page on which it begins, from 1.
    pub page: u32,
    /// How many sentences are in it and in the sections below it.
    pub sentences: u32,
}
