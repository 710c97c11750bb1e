//! Styles: which paragraphs are headings, which number themselves, which are bold.

use crate::layout::Role;
use lexforge_ingest::error::IngestError;
use lexforge_ingest::xml::{Event, Xml};
use std::collections::HashMap;

/// Styles based on styles that are followed.
const CHAIN: usize = 32;

/// The settings of a style; `None` if it takes a setting from the style that it is based on.
#[derive(Clone, Debug, Default)]
struct Style {
    based_on: Option<String>,
    name: String,
    outline: Option<u8>,
    numbering: Option<u32>,
    level: Option<u8>,
    bold: Option<bool>,
    italic: Option<bool>,
    hidden: Option<bool>,
    raised: Option<bool>,
}

/// The look that results from a paragraph's style.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Heading, line of contents, or nothing in particular.
    pub role: Role,
    /// Its numbering and level.
    pub numbering: Option<(u32, Option<u8>)>,
    pub bold: bool,
    pub italic: bool,
    pub hidden: bool,
    pub raised: bool,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub struct Styles {
    styles: HashMap<String, Style>,
    default: Option<String>,
}

impl Styles {
    /// Reads the part `styles.xml`.
    ///
    /// # Errors
    /// When the part is not XML.
    pub fn read(part: &str) -> Result<Self, IngestError> {
        let mut out = Self::default();
        let mut xml = Xml::new(part);
        let mut open: Option<(String, Style)> = None;
        while let Some(event) = xml.next_event()? {
            match event {
                Event::Open(tag) => {
                    let name = tag.name();
                    if name == "style" {
                        let id = tag.get("styleId").unwrap_or_default();
                        let is_default =
                            tag.get("default").is_some_and(|d| d != "0" && d != "false");
                        if is_default && tag.get("type").as_deref() == Some("paragraph") {
                            out.default = Some(id.clone());
                        }
                        open = Some((id, Style::default()));
                        continue;
                    }
                    if matches!(name, "tblStylePr" | "pPrChange" | "rPrChange") {
                        xml.skip()?;
                        continue;
                    }
                    let Some((_, style)) = &mut open else {
                        continue;
                    };
                    match name {
                        "basedOn" => style.based_on = tag.val(),
                        "name" => style.name = tag.val().unwrap_or_default().to_lowercase(),
                        "outlineLvl" => style.outline = tag.number(),
                        "numId" => style.numbering = tag.number(),
                        "ilvl" => style.level = tag.number(),
                        "b" => style.bold = Some(tag.is_on()),
                        "i" => style.italic = Some(tag.is_on()),
                        "vanish" => style.hidden = Some(tag.is_on()),
                        "vertAlign" => {
                            style.raised = Some(tag.val().as_deref() == Some("superscript"))
                        }
                        _ => {}
                    }
                }
                Event::Close(name) if name == "style" => {
                    if let Some((id, style)) = open.take() {
                        out.styles.entry(id).or_insert(style);
                    }
                }
                Event::Close(_) | Event::Text(_) => {}
            }
        }
        Ok(out)
    }

    /// The style and those that it is based on, nearest first.
    fn chain<'a>(&'a self, id: Option<&'a str>) -> impl Iterator<Item = &'a Style> + 'a {
        let mut next = id.and_then(|id| self.styles.get(id));
        let mut left = CHAIN;
        std::iter::from_fn(move || {
            let style = next?;
            left = left.checked_sub(1)?;
            next = style.based_on.as_deref().and_then(|id| self.styles.get(id));
            Some(style)
        })
    }

    /// The look of a paragraph with this style, or without a style.
    pub fn paragraph(&self, id: Option<&str>) -> Look {
        self.look(id.or(self.default.as_deref()))
    }

    /// The look that results from a style.
    pub fn look(&self, id: Option<&str>) -> Look {
        let first = |get: fn(&Style) -> Option<bool>| self.chain(id).find_map(get).unwrap_or(false);
        let role = match id {
            Some(id) if !self.styles.contains_key(id) => built_in(id),
            _ => self.chain(id).find_map(role),
        }
        .unwrap_or_default();
        let numbering = self.chain(id).find_map(|s| s.numbering);
        let level = self.chain(id).find_map(|s| s.level);
        Look {
            role,
            numbering: numbering.map(|n| (n, level)),
            bold: first(|s| s.bold),
            italic: first(|s| s.italic),
            hidden: first(|s| s.hidden),
            raised: first(|s| s.raised),
        }
    }

    /// The numbering that a numbering style names.
    pub(crate) fn numbering_of(&self, id: &str) -> Option<u32> {
        self.styles.get(id)?.numbering
    }
}

/// The role of a style that the document uses but does not describe, found by the style's id. Some programs do not
/// write descriptions of the built-in styles, because word processors know these styles without a description.
fn built_in(id: &str) -> Option<Role> {
    let id = id.to_lowercase();
    let level = |before: &str| id.strip_prefix(before).and_then(|n| n.parse::<u8>().ok());
    if id == "title" {
        return Some(Role::Heading(1));
    }
    if level("toc").is_some() {
        return Some(Role::Contents);
    }
    Some(Role::Heading(level("heading")?.clamp(1, 9) + 1))
}

/// The role that a style gives a paragraph. The role of a built-in style follows from its name, and that of any other
/// style from its outline level.
fn role(style: &Style) -> Option<Role> {
    if style.name == "title" {
        return Some(Role::Heading(1));
    }
    if style
        .name
        .strip_prefix("toc ")
        .is_some_and(|n| n.parse::<u8>().is_ok())
        || style.name == "table of figures"
    {
        return Some(Role::Contents);
    }
    match style.outline {
        Some(level) if level < 9 => return Some(Role::Heading(level + 2)),
        Some(_) => return Some(Role::Unknown),
        None => {}
    }
    let level = style
        .name
        .strip_prefix("heading ")
        .and_then(|n| n.parse::<u8>().ok())?;
    Some(Role::Heading(level.clamp(1, 9) + 1))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_built_in_style_that_is_not_described_is_known_by_its_id() {
        let none = Styles::default();
        for (id, expected) in [
            ("Heading1", Role::Heading(2)),
            ("heading3", Role::Heading(4)),
            ("Title", Role::Heading(1)),
            ("TOC2", Role::Contents),
            ("HeadingBox", Role::default()),
            ("Normal", Role::default()),
        ] {
            assert_eq!(none.paragraph(Some(id)).role, expected, "{id}");
        }
    }

    /// Whoever describes a style decides what it is.
    #[test]
    fn a_style_that_is_described_is_what_it_says() {
        let said = "<w:styles xmlns:w='w'><w:style w:styleId='Heading1'><w:name w:val='body'/></w:style></w:styles>";
        let styles = Styles::read(said).unwrap();
        assert_eq!(styles.paragraph(Some("Heading1")).role, Role::default());
    }
}
