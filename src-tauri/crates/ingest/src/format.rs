//! Which format a file is in, from its content first and its name second.

use crate::error::IngestError;
use lexforge_domain::document::DocumentFormat;

/// How far into a file the mark of a PDF may stand.
const PDF_MARK_WITHIN: usize = 1024;

/// Mark of the container of older formats, and of locked new ones.
pub(crate) const OLE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The format of a file.
///
/// # Errors
/// When the file is empty, or of a kind that cannot be imported.
pub fn sniff(file_name: &str, bytes: &[u8]) -> Result<DocumentFormat, IngestError> {
    if bytes.is_empty() {
        return Err(IngestError::Empty);
    }
    let head = &bytes[..bytes.len().min(PDF_MARK_WITHIN)];
    if head.windows(5).any(|w| w == b"%PDF-") {
        return Ok(DocumentFormat::Pdf);
    }
    if bytes.starts_with(OLE) {
        return Err(if is_locked(bytes) {
            IngestError::Encryption
        } else {
            IngestError::OldWord
        });
    }
    let extension = extension(file_name);
    let zipped = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06");
    match extension.as_str() {
        "pdf" => Err(IngestError::NotAPdf),
        "docx" | "docm" if zipped => Ok(DocumentFormat::Docx),
        "docx" | "docm" => Err(IngestError::Damaged(
            "the file is named .docx but is no such document: it is no ZIP package".to_owned(),
        )),
        "html" | "htm" | "xhtml" => Ok(DocumentFormat::Html),
        "md" | "markdown" => Ok(DocumentFormat::Markdown),
        "txt" | "text" => Ok(DocumentFormat::Text),
        "jsonl" | "ndjson" => Ok(DocumentFormat::Jsonl),
        "" => Err(IngestError::Unsupported(
            "the file has no extension that tells its format".to_owned(),
        )),
        other => Err(IngestError::Unsupported(format!(
            "files of the kind .{other} cannot be imported"
        ))),
    }
}

/// Whether a file is a document locked by a password. Word processors store a locked document in the container format
/// of their older versions (OLE), under the name that is looked for here.
pub(crate) fn is_locked(bytes: &[u8]) -> bool {
    let name = "EncryptedPackage".encode_utf16();
    let name: Vec<u8> = name.flat_map(u16::to_le_bytes).collect();
    memchr::memmem::find(bytes, &name).is_some()
}

/// Whether the name says that the file can be imported.
pub fn is_known(file_name: &str) -> bool {
    matches!(
        extension(file_name).as_str(),
        "pdf"
            | "docx"
            | "docm"
            | "html"
            | "htm"
            | "xhtml"
            | "md"
            | "markdown"
            | "txt"
            | "text"
            | "jsonl"
            | "ndjson"
    )
}

fn extension(file_name: &str) -> String {
    std::path::Path::new(file_name)
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or("")
        .to_lowercase()
}

/// The file's name without folders and extension.
pub fn stem(file_name: &str) -> String {
    std::path::Path::new(file_name)
        .file_stem()
        .and_then(|s| s.to_str())
        .unwrap_or(file_name)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_counts_before_the_name() {
        for (name, bytes, expected) in [
            ("a.pdf", &b"%PDF-1.7\n"[..], Some(DocumentFormat::Pdf)),
            ("a.bin", b"junk\n%PDF-1.4", Some(DocumentFormat::Pdf)),
            ("a.TXT", b"text", Some(DocumentFormat::Text)),
            ("a.jsonl", b"{}", Some(DocumentFormat::Jsonl)),
            ("a.pdf", b"<html>", None),
            ("a.docx", b"PK\x03\x04", Some(DocumentFormat::Docx)),
            ("a.docx", b"<html>", None),
            ("a.xlsx", b"PK\x03\x04", None),
            ("a.htm", b"<p>", Some(DocumentFormat::Html)),
            ("a.Markdown", b"# A", Some(DocumentFormat::Markdown)),
            ("a.doc", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", None),
            ("a", b"x", None),
            ("a.txt", b"", None),
        ] {
            assert_eq!(sniff(name, bytes).ok(), expected, "{name}");
        }
    }

    #[test]
    fn old_and_locked_documents_are_told_apart() {
        let locked: Vec<u8> = OLE
            .iter()
            .copied()
            .chain("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert!(matches!(
            sniff("a.docx", &locked),
            Err(IngestError::Encryption)
        ));
        assert!(matches!(sniff("a.doc", OLE), Err(IngestError::OldWord)));
    }
}
