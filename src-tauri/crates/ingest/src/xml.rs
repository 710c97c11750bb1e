//! Reads XML as it is used in the parts of a package: elements by their local name, text with its entities resolved. A
//! file with a document type is refused. Parts of packages have no document type, and a document type can define
//! entities with which a small file fills the whole memory.

use crate::error::IngestError;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event as Raw};
use quick_xml::reader::Reader;

/// Elements that may be open at once.
const DEPTH: usize = 4096;

/// A piece of XML.
pub enum Event<'a> {
    /// An element begins.
    Open(Tag<'a>),
    /// The element of this local name ends.
    Close(String),
    Text(String),
}

/// The beginning of an element.
pub struct Tag<'a>(BytesStart<'a>);

impl Tag<'_> {
    /// The local name.
    pub fn name(&self) -> &str {
        local(self.0.name().0)
    }

    /// The value of the attribute of this local name.
    pub fn get(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found = attributes
            .with_checks(false)
            .flatten()
            .find(|a| local(a.key.0) == name)?;
        // A value with a reference that has no meaning is taken unchanged.
        Some(
            found
                .normalized_value(XmlVersion::Implicit1_0)
                .map_or_else(|_| found.value.to_string(), |v| v.into_owned()),
        )
    }

    /// The attribute `val`.
    pub fn val(&self) -> Option<String> {
        self.get("val")
    }

    /// Whether a setting is on: it is there and its value is not 0, false, off or none.
    pub fn is_on(&self) -> bool {
        !matches!(self.val().as_deref(), Some("0" | "false" | "off" | "none"))
    }

    /// The attribute `val` as a number.
    pub fn number<T: std::str::FromStr>(&self) -> Option<T> {
        self.val()?.trim().parse().ok()
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// A reader of XML.
pub struct Xml<'a> {
    reader: Reader<&'a [u8]>,
    depth: usize,
    doctype: bool,
}

impl<'a> Xml<'a> {
    /// A reader of this text.
    pub fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            depth: 0,
            doctype: false,
        }
    }

    /// A reader that skips a document type that declares nothing itself, because some old formats begin with one. Files
    /// that a document type names are never fetched.
    pub(crate) fn with_doctype(text: &'a str) -> Self {
        Self {
            doctype: true,
            ..Self::new(text)
        }
    }

    /// How far the text is read, in bytes.
    pub fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    /// The next piece of the document; `None` at the end.
    ///
    /// # Errors
    /// When the document is not XML, has a document type, is nested too deeply, or ends inside an element.
    pub fn next_event(&mut self) -> Result<Option<Event<'a>>, IngestError> {
        loop {
            let event = self.reader.read_event().map_err(|error| {
                IngestError::Damaged(
                    format!("a part of the document is no XML: {error}").replace('\n', " "),
                )
            })?;
            return Ok(Some(match event {
                Raw::Start(start) | Raw::Empty(start) => {
                    self.depth += 1;
                    if self.depth > DEPTH {
                        return Err(IngestError::Damaged(format!(
                            "the document nests elements more than {DEPTH} deep"
                        )));
                    }
                    Event::Open(Tag(start))
                }
                Raw::End(end) => {
                    self.depth = self.depth.saturating_sub(1);
                    Event::Close(local(end.name().0).to_owned())
                }
                Raw::Text(text) => Event::Text(text.to_string()),
                Raw::CData(text) => Event::Text(text.to_string()),
                Raw::GeneralRef(reference) => Event::Text(match reference.as_ref() {
                    "lt" => "<".to_owned(),
                    "gt" => ">".to_owned(),
                    "amp" => "&".to_owned(),
                    "quot" => "\"".to_owned(),
                    "apos" => "'".to_owned(),
                    _ => reference
                        .resolve_char_ref()
                        .ok()
                        .flatten()
                        .map(String::from)
                        .unwrap_or_default(),
                }),
                Raw::DocType(named) if self.doctype && !named.contains('[') => continue,
                Raw::DocType(_) => {
                    return Err(IngestError::Damaged(
                        "the document declares a document type with entities of its own, which the format forbids"
                            .to_owned(),
                    ));
                }
                Raw::Comment(_) | Raw::Decl(_) | Raw::PI(_) => continue,
                Raw::Eof if self.depth > 0 => {
                    return Err(IngestError::Damaged(
                        "the XML ends inside an element: the file was cut off before its end"
                            .to_owned(),
                    ));
                }
                Raw::Eof => return Ok(None),
            }));
        }
    }

    /// Skips the rest of the element that was just opened.
    ///
    /// # Errors
    /// As [`Xml::next_event`].
    pub fn skip(&mut self) -> Result<(), IngestError> {
        let floor = self.depth - 1;
        while self.depth > floor {
            if self.next_event()?.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }
}
