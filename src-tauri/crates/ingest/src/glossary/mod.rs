//! Glossaries: files of terms, read and written.
//!
//! The formats are CSV as spreadsheets write it (`csv`), TBX in its styles DCA and DCT and in the older form of martif
//! (`tbx`), SKOS in Turtle (`skos`) and JSON (`json`). Fields that a [`GlossaryEntry`] cannot hold are left out and
//! counted by name. An entry that cannot be used is listed with its place and the reason. A file that does not follow
//! its format is refused as a whole. Files and addresses that a glossary names are never fetched.

mod collector;
mod csv;
mod json;
mod skos;
mod tbx;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub use collector::Glossary;

use crate::encoding;
use crate::error::IngestError;
use collector::Collector;
use lexforge_domain::api::GlossaryFormat;
use lexforge_domain::glossary::GlossaryEntry;

/// Largest file that is read.
pub const LARGEST: u64 = 100 << 20;

/// Reads a glossary. Terms in other languages than English, Chinese and Korean are read if `other` is set, and
/// otherwise only counted.
///
/// # Errors
/// When the file is too large, in an unknown encoding, or not of the format at all.
pub fn read(bytes: &[u8], format: GlossaryFormat, other: bool) -> Result<Glossary, IngestError> {
    if bytes.len() as u64 > LARGEST {
        let size = bytes.len() >> 20;
        return Err(IngestError::TooLarge(format!(
            "the file has {size} MiB; glossaries of up to 100 MiB are read"
        )));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(IngestError::Empty);
    }
    let declared = (format == GlossaryFormat::Tbx)
        .then(|| tbx::declared_encoding(bytes))
        .flatten();
    let decoded = encoding::decode(bytes, declared.as_deref())?;
    let text = decoded
        .text
        .strip_prefix('\u{FEFF}')
        .unwrap_or(&decoded.text);
    let mut glossary = Glossary::default();
    glossary
        .warnings
        .extend(decoded.warnings.into_iter().map(|w| w.message));
    let mut collector = Collector { glossary, other };
    match format {
        GlossaryFormat::Csv => csv::read(text, &mut collector)?,
        GlossaryFormat::Tbx => tbx::read(text, &mut collector)?,
        GlossaryFormat::Skos => skos::read(text, &mut collector)?,
        GlossaryFormat::Json => json::read(text, &mut collector)?,
    }
    Ok(collector.glossary)
}

/// Writes a glossary, in UTF-8. `title` is the title of the glossary.
///
/// # Errors
/// When an entry cannot be written in the format.
pub fn write(
    entries: &[GlossaryEntry],
    format: GlossaryFormat,
    title: &str,
) -> Result<Vec<u8>, IngestError> {
    match format {
        GlossaryFormat::Csv => csv::write(entries),
        GlossaryFormat::Tbx => Ok(tbx::write(entries, title).into_bytes()),
        GlossaryFormat::Skos => skos::write(entries, title),
        GlossaryFormat::Json => json::write(entries),
    }
}
