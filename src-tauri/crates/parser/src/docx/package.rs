//! The package: a ZIP archive, unpacked within bounds.

use super::parts::Parts;
use lexforge_ingest::encoding;
use lexforge_ingest::error::IngestError;
use lexforge_ingest::xml::{Event, Xml};
use std::io::{Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// Largest part, unpacked, in bytes.
const PART: u64 = 128 << 20;
/// The limit for all parts together, unpacked.
const ALL: u64 = 256 << 20;
/// Main part where the package does not say which it is.
const DOCUMENT: &str = "word/document.xml";

/// An open package.
pub struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Package<'a> {
    /// Opens a package.
    ///
    /// # Errors
    /// When the bytes are not a complete ZIP archive.
    pub fn open(bytes: &'a [u8]) -> Result<Self, IngestError> {
        let archive =
            ZipArchive::new(Cursor::new(bytes)).map_err(|e| failure("the package", &e))?;
        Ok(Self { archive, left: ALL })
    }

    /// The parts that the document consists of.
    ///
    /// # Errors
    /// When the main part is missing, or a part is damaged or too large.
    pub fn parts(&mut self) -> Result<Parts, IngestError> {
        let main = self.main()?;
        let Some(document) = self.part(&main)? else {
            return Err(IngestError::Damaged(format!(
                "the package holds no document: its part {main} is missing"
            )));
        };
        let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut beside = |name: &str| {
            let path = if folder.is_empty() {
                name.to_owned()
            } else {
                format!("{folder}/{name}")
            };
            self.part(&path)
        };
        let (styles, numbering) = (beside("styles.xml")?, beside("numbering.xml")?);
        let (footnotes, endnotes) = (beside("footnotes.xml")?, beside("endnotes.xml")?);
        let core = self.part("docProps/core.xml")?;
        Ok(Parts {
            document,
            styles,
            numbering,
            footnotes,
            endnotes,
            core,
        })
    }

    /// Path of the main part.
    fn main(&mut self) -> Result<String, IngestError> {
        let Some(relations) = self.part("_rels/.rels")? else {
            return Ok(DOCUMENT.to_owned());
        };
        let mut xml = Xml::new(&relations);
        while let Some(event) = xml.next_event()? {
            if let Event::Open(tag) = event
                && tag
                    .get("Type")
                    .is_some_and(|t| t.ends_with("/officeDocument"))
                && let Some(target) = tag.get("Target")
            {
                return Ok(target.trim_start_matches('/').to_owned());
            }
        }
        Ok(DOCUMENT.to_owned())
    }

    /// A part as text; `None` if there is no such part.
    fn part(&mut self, path: &str) -> Result<Option<String>, IngestError> {
        let limit = PART.min(self.left);
        let file = match self.archive.by_name(path) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(failure(path, &error)),
        };
        let mut bytes = Vec::new();
        // The declared size is not believed: what comes is counted.
        file.take(limit + 1).read_to_end(&mut bytes).map_err(|e| {
            IngestError::Damaged(format!("the part {path} of the package is damaged: {e}"))
        })?;
        if bytes.len() as u64 > limit {
            return Err(IngestError::TooLarge(format!(
                "the part {path} of the package unpacks to more than {} MiB",
                limit >> 20
            )));
        }
        self.left -= bytes.len() as u64;
        Ok(Some(encoding::decode(&bytes, Some("utf-8"))?.text))
    }
}

fn failure(what: &str, error: &ZipError) -> IngestError {
    match error {
        ZipError::InvalidPassword => IngestError::Encryption,
        ZipError::UnsupportedArchive(why) if why.to_lowercase().contains("password") => {
            IngestError::Encryption
        }
        error => IngestError::Damaged(format!("{what} is damaged: {error}")),
    }
}
