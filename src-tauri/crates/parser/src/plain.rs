//! Plain text, form feeds between pages.

use crate::flow::check_length;
use crate::layout::Line;
use crate::structure::assemble::assemble;
use lexforge_domain::document::{DocumentFormat, ParsedDocument};
use lexforge_ingest::encoding;
use lexforge_ingest::error::IngestError;

/// A line from this many columns on holds a whole paragraph.
const PARAGRAPH_COLUMNS: f32 = 130.0;

/// Reads a text file. Wrapped lines are joined; a file with one paragraph in each line is left as it is.
///
/// # Errors
/// When it is not text, or is blank.
pub fn parse(stem: &str, bytes: &[u8]) -> Result<ParsedDocument, IngestError> {
    let decoded = encoding::decode(bytes, None)?;
    let text = decoded.text.as_str();
    check_length(text.len() / 4)?;
    if text.trim().is_empty() {
        return Err(IngestError::NoText(
            "no text: the file holds nothing but blanks".to_owned(),
        ));
    }
    let mut pages: Vec<Vec<Line>> = Vec::new();
    for (index, page) in text.split('\u{C}').enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut lines: Vec<Line> = page
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(row, line)| Line::plain(number, row, line))
            .collect();
        if lines.iter().any(|l| l.x1 > PARAGRAPH_COLUMNS) {
            lines.iter_mut().for_each(|l| l.break_before = true);
        }
        pages.push(lines);
    }
    let format = DocumentFormat::Text;
    Ok(assemble(pages).without_places(stem, format, decoded.warnings))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::text::SentenceKind;

    #[test]
    fn wrapped_lines_are_joined_and_sections_found() {
        let text = "\u{FEFF}CHAPTER I\nGeneral provisions\n\nArticle 1\nScope\n\n1. This Rule applies to every bank that takes deposits\nin the \
                    territory, e.g. a savings bank.\n\n2. It does not apply to:\n(a) central banks;\n(b) post offices.\n\u{C}Article 2\nDefinitions\n\n\
                    For the purposes of this Rule: ‘bank’ means an undertaking that takes deposits.\n";
        let document = parse("x", text.as_bytes()).unwrap();
        let rows: Vec<(String, &str, u32)> = document
            .sentences
            .iter()
            .map(|s| {
                (
                    s.section
                        .map_or(String::new(), |i| document.sections[i].path.clone()),
                    s.text.as_str(),
                    s.page,
                )
            })
            .collect();
        let at = |text: &str| {
            rows.iter()
                .find(|r| r.1 == text)
                .unwrap_or_else(|| unreachable!("{text}: {rows:#?}"))
        };
        let long = "1. This Rule applies to every bank that takes deposits in the territory, e.g. a savings bank.";
        assert_eq!(at(long).0, "CHAPTER I › Article 1 › 1");
        assert_eq!(at("(b) post offices.").0, "CHAPTER I › Article 1 › 2 › (b)");
        assert_eq!(at("Definitions").2, 2);
        assert!(
            document
                .sections
                .iter()
                .any(|s| s.label == "Article 1" && s.title == "Scope")
        );
        let item = document
            .sentences
            .iter()
            .find(|s| s.text.starts_with("(a)"))
            .unwrap();
        assert_eq!(item.kind, SentenceKind::ListItem);
        // Offsets point into the pages joined by form feeds.
        let whole: Vec<char> = document
            .pages
            .iter()
            .map(|p| p.text.as_str())
            .collect::<Vec<_>>()
            .join("\u{C}")
            .chars()
            .collect();
        let slice: String = whole[item.start..item.end].iter().collect();
        assert_eq!(slice, "(a) central banks;");
    }

    #[test]
    fn what_is_not_text_is_refused() {
        assert!(matches!(
            parse("x", b"a\0b"),
            Err(IngestError::Unsupported(_))
        ));
        assert!(matches!(parse("x", b" \n "), Err(IngestError::NoText(_))));
    }
}
