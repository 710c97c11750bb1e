//! Workbooks of spreadsheet programs. Only the parser program reads such a file. This process only checks whether a
//! file is a workbook, and takes the texts that the parser program returns.

use crate::error::IngestError;
use crate::format::{OLE, is_locked};
use serde::{Deserialize, Serialize};

/// A sheet of a workbook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    pub name: String,
    /// The spreadsheet program does not show it.
    pub hidden: bool,
    /// The texts of its cells, row by row; rows after the last one with a text are left out.
    pub rows: Vec<Vec<String>>,
}

/// Whether these bytes are a workbook. Gives `false` for anything else, such as a table in plain text.
///
/// # Errors
/// When the bytes are a workbook that cannot be read: it is locked, or in an older format.
pub fn is_workbook(bytes: &[u8]) -> Result<bool, IngestError> {
    if bytes.starts_with(OLE) {
        return Err(if is_locked(bytes) {
            IngestError::Encryption
        } else {
            IngestError::Unsupported(
                "the file is in the format of an older spreadsheet program (.xls)".to_owned(),
            )
        });
    }
    Ok(bytes.starts_with(b"PK\x03\x04"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_tells_and_not_the_name() {
        let locked: Vec<u8> = OLE
            .iter()
            .copied()
            .chain("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert!(matches!(is_workbook(b"PK\x03\x04rest"), Ok(true)));
        assert!(matches!(is_workbook(b"question\nWhat?\n"), Ok(false)));
        assert!(matches!(is_workbook(b""), Ok(false)));
        assert!(matches!(is_workbook(OLE), Err(IngestError::Unsupported(_))));
        assert!(matches!(is_workbook(&locked), Err(IngestError::Encryption)));
    }
}
