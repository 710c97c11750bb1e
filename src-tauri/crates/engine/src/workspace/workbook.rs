//! A table as a spreadsheet's own file (Office Open XML): one sheet, texts as texts, so that none is taken for a formula.

use super::package::package;
use std::fmt::Write as _;

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"#;
const PACKAGE: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const PARTS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#;
/// A cell of a spreadsheet holds no more characters.
const MOST: usize = 32_000;

/// The bytes of a workbook with one sheet; none where it would be too large.
pub(crate) fn workbook(name: &str, columns: &[&str], rows: &[Vec<String>]) -> Option<Vec<u8>> {
    let mut sheet = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>"#
        .to_owned();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        sheet.push_str("<row>");
        for cell in cells {
            sheet.push_str(r#"<c t="inlineStr"><is><t xml:space="preserve">"#);
            escaped(&mut sheet, cell);
            sheet.push_str("</t></is></c>");
        }
        sheet.push_str("</row>");
    };
    line(&mut columns.iter().copied());
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    sheet.push_str("</sheetData></worksheet>");
    let mut title = String::new();
    escaped(&mut title, name);
    let mut book = String::new();
    let _ = write!(
        book,
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="{title}" sheetId="1" r:id="rId1"/></sheets></workbook>"#
    );
    package(&[
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", PACKAGE),
        ("xl/_rels/workbook.xml.rels", PARTS),
        ("xl/workbook.xml", &book),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

/// A text in a page or a sheet; what neither can hold is left out.
pub(crate) fn escaped(out: &mut String, text: &str) {
    for c in text.chars().take(MOST) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        let rows = [vec!["=1+1".to_owned(), "a < b & c".to_owned()]];
        let bytes = workbook("Rules", &["one", "two"], &rows).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(r#"t="inlineStr"><is><t xml:space="preserve">=1+1<"#));
        assert!(text.contains("a &lt; b &amp; c"));
        assert!(bytes.starts_with(b"PK"));
    }
}
