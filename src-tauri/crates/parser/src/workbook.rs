//! Turns workbooks of spreadsheet programs (.xlsx, .xlsm, .ods) into the texts of their cells. Formulas are not
//! computed. The results that were saved with the file are used.

use calamine::{Data, DataRef, Ods, Reader, SheetType, SheetVisible, Xlsx};
use lexforge_ingest::error::IngestError;
use lexforge_ingest::workbook::Sheet;
use std::io::Cursor;

/// Cells of all sheets together, the empty ones before the last of a row among them.
const MOST_CELLS: usize = 4_000_000;

/// The sheets of a workbook, in their order.
///
/// # Errors
/// When it is not a workbook, is damaged, or has too many cells.
pub fn read(bytes: &[u8]) -> Result<Vec<Sheet>, IngestError> {
    let office = match Xlsx::new(Cursor::new(bytes)) {
        Ok(book) => return of_office(book),
        Err(error) => error,
    };
    match Ods::new(Cursor::new(bytes)) {
        Ok(book) => of_open_document(book),
        Err(_) => Err(IngestError::Damaged(format!(
            "the file is no workbook of the kinds .xlsx and .ods that can be read: {office}"
        ))),
    }
}

fn of_office(mut book: Xlsx<Cursor<&[u8]>>) -> Result<Vec<Sheet>, IngestError> {
    let broken = |error: calamine::XlsxError| {
        IngestError::Damaged(format!("a sheet of the workbook is damaged: {error}"))
    };
    let mut taken = 0;
    let mut sheets = Vec::new();
    for about in book.sheets_metadata().to_vec() {
        if about.typ != SheetType::WorkSheet {
            continue;
        }
        let mut rows = Rows::new(&mut taken);
        // Cell by cell: a sheet that names a far corner costs no more than what stands in it.
        let mut cells = book.worksheet_cells_reader(&about.name).map_err(broken)?;
        while let Some(cell) = cells.next_cell().map_err(broken)? {
            let text = match cell.get_value() {
                DataRef::Empty => continue,
                DataRef::SharedString(text) => (*text).to_owned(),
                value => Data::from(value.clone()).to_string(),
            };
            rows.put(cell.get_position(), text)?;
        }
        sheets.push(Sheet {
            name: about.name,
            hidden: about.visible != SheetVisible::Visible,
            rows: rows.rows,
        });
    }
    Ok(sheets)
}

fn of_open_document(mut book: Ods<Cursor<&[u8]>>) -> Result<Vec<Sheet>, IngestError> {
    let mut taken = 0;
    let mut sheets = Vec::new();
    for about in book.sheets_metadata().to_vec() {
        let range = book.worksheet_range(&about.name).map_err(|error| {
            IngestError::Damaged(format!("a sheet of the workbook is damaged: {error}"))
        })?;
        let (down, right) = range.start().unwrap_or_default();
        let mut rows = Rows::new(&mut taken);
        for (row, column, value) in range.used_cells() {
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            let column = u32::try_from(column).unwrap_or(u32::MAX);
            let at = (down.saturating_add(row), right.saturating_add(column));
            rows.put(at, value.to_string())?;
        }
        sheets.push(Sheet {
            name: about.name,
            hidden: about.visible != SheetVisible::Visible,
            rows: rows.rows,
        });
    }
    Ok(sheets)
}

/// Rows that grow with what is put into them.
struct Rows<'t> {
    rows: Vec<Vec<String>>,
    taken: &'t mut usize,
}

impl<'t> Rows<'t> {
    fn new(taken: &'t mut usize) -> Self {
        Self {
            rows: Vec::new(),
            taken,
        }
    }

    fn put(&mut self, (row, column): (u32, u32), text: String) -> Result<(), IngestError> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let (row, column) = (row as usize, column as usize);
        let known = self.rows.get(row).map_or(0, Vec::len);
        *self.taken += row.saturating_sub(self.rows.len()) + (column + 1).saturating_sub(known);
        if *self.taken > MOST_CELLS {
            return Err(IngestError::TooLarge(format!(
                "the workbook has more than {MOST_CELLS} cells"
            )));
        }
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        if let Some(cells) = self.rows.get_mut(row) {
            if cells.len() <= column {
                cells.resize_with(column + 1, String::new);
            }
            cells[column] = text;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use zip::write::{SimpleFileOptions, ZipWriter};

    fn package(parts: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in parts {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    /// A workbook with a sheet of these rows, a hidden one, and texts that are kept apart from the sheet.
    fn office(rows: &str) -> Vec<u8> {
        let sheet = |rows: &str| {
            format!(
                r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
            )
        };
        package(&[
            (
                "[Content_Types].xml",
                r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#,
            ),
            (
                "_rels/.rels",
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
            ),
            (
                "xl/workbook.xml",
                r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Fragen" sheetId="1" r:id="rId1"/><sheet name="Old" sheetId="2" state="hidden" r:id="rId2"/></sheets></workbook>"#,
            ),
            (
                "xl/_rels/workbook.xml.rels",
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#,
            ),
            (
                "xl/sharedStrings.xml",
                r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>Question</t></si><si><r><t xml:space="preserve">Who </t></r><r><t>reports?</t></r></si></sst>"#,
            ),
            ("xl/worksheets/sheet1.xml", &sheet(rows)),
            (
                "xl/worksheets/sheet2.xml",
                &sheet(r#"<row r="1"><c r="A1" t="inlineStr"><is><t>left</t></is></c></row>"#),
            ),
        ])
    }

    #[test]
    fn cells_stand_where_they_stood_whatever_they_hold() {
        let rows = r#"<row r="1"><c r="A1" t="s"><v>0</v></c></row>
            <row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3"><v>12</v></c></row>
            <row r="4"><c r="B4" t="inlineStr"><is><t>=1+1</t></is></c><c r="C4" t="str"><f>A1</f><v>said</v></c></row>
            <row r="900"><c r="A900" s="1"/></row>"#;
        let sheets = read(&office(rows)).unwrap();
        let told: Vec<(&str, bool)> = sheets.iter().map(|s| (s.name.as_str(), s.hidden)).collect();
        assert_eq!(told, [("Fragen", false), ("Old", true)]);
        let empty: &[&str] = &[];
        assert_eq!(
            sheets[0].rows,
            [
                &["Question"][..],
                empty,
                &["Who reports?", "", "12"],
                &["", "=1+1", "said"]
            ]
        );
    }

    #[test]
    fn a_far_corner_is_refused_and_takes_no_memory() {
        let far = r#"<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>"#;
        let one = read(&office(far)).unwrap();
        assert_eq!(one[0].rows.len(), 1_048_576);
        let wide: String = (1..400)
            .map(|row| {
                format!(
                    r#"<row r="{row}"><c r="XFD{row}" t="inlineStr"><is><t>x</t></is></c></row>"#
                )
            })
            .collect();
        assert!(matches!(
            read(&office(&wide)),
            Err(IngestError::TooLarge(_))
        ));
    }

    #[test]
    fn an_open_document_is_read_too() {
        let content = r#"<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="Sheet1"><table:table-row><table:table-cell office:value-type="string"><text:p>question</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="string"><text:p>Who reports?</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"#;
        let book = package(&[
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ("content.xml", content),
            (
                "META-INF/manifest.xml",
                r#"<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>"#,
            ),
        ]);
        let sheets = read(&book).unwrap();
        assert_eq!(sheets[0].rows, [["question"], ["Who reports?"]]);
    }

    #[test]
    fn what_is_no_workbook_is_one_failure() {
        for bytes in [&b"PK\x03\x04"[..], b"", &package(&[("a.txt", "text")])] {
            assert!(
                matches!(read(bytes), Err(IngestError::Damaged(_))),
                "{bytes:?}"
            );
        }
        let cut = r#"<row r="1"><c r="A1" t="s"><v>99</v></c></row>"#;
        assert!(read(&office(cut)).is_err());
    }
}
