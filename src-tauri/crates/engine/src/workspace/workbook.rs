//! Tables as a spreadsheet's own file (Office Open XML): texts as texts, so that none is taken for a formula.

use super::package::package;
use std::fmt::Write as _;

const BEGIN: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
"#;
const PACKAGE: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
/// The looks of cells: plain; a text that breaks into lines within its cell; a head.
const STYLES: &str = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="2"><font><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="10"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf xfId="0" fontId="1" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>"#;
/// A cell of a spreadsheet holds no more units of UTF-16.
const MOST: usize = 32_767;
/// How a text ends that is longer than a cell can hold.
const CUT: &str = " […]";

/// A sheet of a workbook.
pub(crate) struct Sheet<'a> {
    pub name: &'a str,
    /// The head of each column.
    pub columns: &'a [&'a str],
    /// How wide each is, in characters; what is not said is as wide as the program likes.
    pub widths: &'a [u16],
    /// Places of the columns that hold figures.
    pub figures: &'a [usize],
    /// Its cells.
    pub rows: &'a [Vec<String>],
}

/// The bytes of a workbook with these sheets; `None` where it would be too large.
pub(crate) fn workbook(sheets: &[Sheet<'_>]) -> Option<Vec<u8>> {
    let mut types = String::from(BEGIN);
    types.push_str(r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>"#);
    let mut links = String::from(BEGIN);
    links.push_str(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId0" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>"#);
    let mut book = String::from(BEGIN);
    book.push_str(r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>"#);
    for (n, sheet) in (1..).zip(sheets) {
        let _ = write!(
            types,
            r#"<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>"#
        );
        let _ = write!(
            links,
            r#"<Relationship Id="rId{n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{n}.xml"/>"#
        );
        book.push_str(r#"<sheet name=""#);
        escaped(&mut book, sheet.name);
        let _ = write!(book, r#"" sheetId="{n}" r:id="rId{n}"/>"#);
    }
    types.push_str("</Types>");
    links.push_str("</Relationships>");
    book.push_str("</sheets></workbook>");
    let parts: Vec<(String, String)> = (1..)
        .zip(sheets)
        .map(|(n, sheet)| (format!("xl/worksheets/sheet{n}.xml"), sheet.xml()))
        .collect();
    let (package_links, styles) = (format!("{BEGIN}{PACKAGE}"), format!("{BEGIN}{STYLES}"));
    let mut all = vec![
        ("[Content_Types].xml", types.as_str()),
        ("_rels/.rels", package_links.as_str()),
        ("xl/_rels/workbook.xml.rels", links.as_str()),
        ("xl/workbook.xml", book.as_str()),
        ("xl/styles.xml", styles.as_str()),
    ];
    all.extend(
        parts
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str())),
    );
    package(&all)
}

impl Sheet<'_> {
    fn xml(&self) -> String {
        let mut out = String::from(BEGIN);
        out.push_str(r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>"#);
        if !self.widths.is_empty() {
            out.push_str("<cols>");
            for (n, width) in (1..).zip(self.widths) {
                let _ = write!(
                    out,
                    r#"<col min="{n}" max="{n}" width="{width}" customWidth="1"/>"#
                );
            }
            out.push_str("</cols>");
        }
        out.push_str("<sheetData>");
        out.push_str("<row>");
        self.columns
            .iter()
            .for_each(|name| text_cell(&mut out, name, 2));
        out.push_str("</row>");
        for row in self.rows {
            out.push_str("<row>");
            for (place, cell) in row.iter().enumerate() {
                match self.figures.contains(&place) && is_figure(cell) {
                    true => {
                        let _ = write!(out, r#"<c s="1"><v>{cell}</v></c>"#);
                    }
                    false => text_cell(&mut out, cell, 1),
                }
            }
            out.push_str("</row>");
        }
        out.push_str("</sheetData></worksheet>");
        out
    }
}

fn text_cell(out: &mut String, text: &str, style: u8) {
    let _ = write!(
        out,
        r#"<c s="{style}" t="inlineStr"><is><t xml:space="preserve">"#
    );
    if text.encode_utf16().count() <= MOST {
        cell_text(out, text);
    } else {
        cell_text(out, beginning(text, MOST - CUT.encode_utf16().count()));
        out.push_str(CUT);
    }
    out.push_str("</t></is></c>");
}

/// Writes a text for a cell. A spreadsheet reads `_x0041_` as the character with that number. So an underscore
/// that would begin such a sequence is itself written as a number.
fn cell_text(out: &mut String, text: &str) {
    let mut plain = String::with_capacity(text.len());
    escaped(&mut plain, text);
    let mut rest = plain.as_str();
    while let Some(at) = rest.find("_x") {
        let (before, from) = rest.split_at(at);
        let digits = from.get(2..6).unwrap_or_default();
        let is_number = digits.len() == 4
            && digits.bytes().all(|b| b.is_ascii_hexdigit())
            && from[6..].starts_with('_');
        out.push_str(before);
        out.push_str(if is_number { "_x005F_" } else { "_" });
        rest = &from[1..];
    }
    out.push_str(rest);
}

/// The beginning of a text that has at most this many units of UTF-16.
fn beginning(text: &str, most: usize) -> &str {
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > most
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// Digits, with one full stop between them at most.
fn is_figure(cell: &str) -> bool {
    let plain = cell.len() <= 15 && cell.chars().all(|c| c.is_ascii_digit() || c == '.');
    plain && cell.parse::<f64>().is_ok()
}

/// A text in a page or a sheet; what neither can hold is left out.
pub(crate) fn escaped(out: &mut String, text: &str) {
    for c in text.chars() {
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
    fn texts_stay_texts_and_figures_are_figures() {
        let rows = [vec![
            "=1+1".to_owned(),
            "a < b & c".to_owned(),
            "12".to_owned(),
        ]];
        let sheet = |name: &'static str, figures: &'static [usize]| Sheet {
            name,
            columns: &["one", "two", "three"],
            widths: &[10, 20],
            figures,
            rows: &rows,
        };
        let bytes = workbook(&[sheet("Rules", &[0, 2]), sheet("About", &[])]).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(r#"t="inlineStr"><is><t xml:space="preserve">=1+1<"#));
        assert!(text.contains("a &lt; b &amp; c"));
        assert!(text.contains(r#"<c s="1"><v>12</v></c>"#));
        assert!(text.contains(r#"<sheet name="About" sheetId="2" r:id="rId2"/>"#));
        assert!(bytes.starts_with(b"PK"));
    }

    #[test]
    fn no_text_is_read_as_the_number_of_a_character() {
        for (text, written) in [
            ("_x0041_", "_x005F_x0041_"),
            ("a_x00e9_b", "a_x005F_x00e9_b"),
            ("_x005F_x0041_", "_x005F_x005F_x005F_x0041_"),
            // What a sheet cannot hold is left out before.
            ("_x00\u{7}41_", "_x005F_x0041_"),
            ("_x41_ _xyz1_ _x0041", "_x41_ _xyz1_ _x0041"),
            ("_x004é_ a_b & _x", "_x004é_ a_b &amp; _x"),
        ] {
            let mut cell = String::new();
            cell_text(&mut cell, text);
            assert_eq!(cell, written);
        }
    }

    #[test]
    fn a_cell_holds_what_a_cell_can_hold_and_a_page_all() {
        for (text, whole) in [
            ("a".repeat(MOST), true),
            ("a".repeat(MOST + 1), false),
            // One character beyond the first plane is two units.
            ("𠀀".repeat(MOST / 2), true),
            ("𠀀".repeat(MOST / 2 + 1), false),
        ] {
            let mut cell = String::new();
            text_cell(&mut cell, &text, 1);
            let held = cell.split("preserve\">").nth(1).unwrap_or_default();
            let held = held.split("</t>").next().unwrap_or_default();
            assert!(held.encode_utf16().count() <= MOST);
            assert_eq!((held == text, held.ends_with(CUT)), (whole, !whole));
            let mut page = String::new();
            escaped(&mut page, &text);
            assert_eq!(page, text);
        }
    }
}
