//! How the parser program answers: frames of a tag, a length and a payload.

use crate::sandbox::Sandbox;
use crate::workbook::Sheet;
use lexforge_domain::Failure;
use lexforge_domain::document::ParsedDocument;
use std::io::{self, Read, Write};

/// A longer payload is rejected as garbage.
const LONGEST: u32 = 1 << 30;

/// A message of the parser program.
#[derive(Debug)]
pub enum Frame {
    /// The number of pages read, and their total. From 0 on again, pages are recognised from their images.
    Progress(u32, u32),
    Document(Box<ParsedDocument>),
    /// An image of a page.
    Image(Vec<u8>),
    /// The sheets of a workbook.
    Sheets(Vec<Sheet>),
    /// The restrictions that the program put on itself.
    Sandbox(Sandbox),
    /// Why there is no answer.
    Failure(Failure),
    /// The end: nothing follows. Without this frame the answer is not complete.
    End,
}

/// Writes a frame.
///
/// # Errors
/// When the other side is gone.
pub fn write(out: &mut impl Write, frame: &Frame) -> io::Result<()> {
    let (tag, payload) = match frame {
        Frame::Progress(done, of) => (b'P', [done.to_le_bytes(), of.to_le_bytes()].concat()),
        Frame::Document(document) => (b'D', serde_json::to_vec(document)?),
        Frame::Image(image) => (b'I', image.clone()),
        Frame::Sheets(sheets) => (b'S', serde_json::to_vec(sheets)?),
        Frame::Sandbox(sandbox) => (b'B', serde_json::to_vec(sandbox)?),
        Frame::Failure(failure) => (b'F', serde_json::to_vec(failure)?),
        Frame::End => (b'E', Vec::new()),
    };
    let length = u32::try_from(payload.len())
        .ok()
        .filter(|l| *l <= LONGEST)
        .ok_or(io::ErrorKind::FileTooLarge)?;
    out.write_all(&[tag])?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&payload)?;
    out.flush()
}

/// Reads a frame.
///
/// # Errors
/// When the stream ends, or the bytes are not a frame.
pub fn read(input: &mut impl Read) -> io::Result<Frame> {
    let mut head = [0u8; 5];
    input.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // Memory grows with what really comes, not with what the length promises.
    let mut payload = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut payload)?;
    if payload.len() != length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match (head[0], payload.as_slice()) {
        (b'P', &[a, b, c, d, e, f, g, h]) => Ok(Frame::Progress(
            u32::from_le_bytes([a, b, c, d]),
            u32::from_le_bytes([e, f, g, h]),
        )),
        (b'D', json) => Ok(Frame::Document(Box::new(serde_json::from_slice(json)?))),
        (b'I', _) => Ok(Frame::Image(payload)),
        (b'S', json) => Ok(Frame::Sheets(serde_json::from_slice(json)?)),
        (b'B', json) => Ok(Frame::Sandbox(serde_json::from_slice(json)?)),
        (b'F', json) => Ok(Frame::Failure(serde_json::from_slice(json)?)),
        (b'E', []) => Ok(Frame::End),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::sandbox::Granted;
    use lexforge_domain::Code;

    #[test]
    fn frames_come_back() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Frame::Progress(3, 9)).unwrap();
        write(
            &mut bytes,
            &Frame::Failure(Failure::new(Code::Empty, "m", "h")),
        )
        .unwrap();
        write(&mut bytes, &Frame::Image(vec![1, 2])).unwrap();
        let sheet = Sheet {
            name: "Questions".to_owned(),
            rows: vec![vec!["question".to_owned()]],
            ..Sheet::default()
        };
        write(&mut bytes, &Frame::Sheets(vec![sheet.clone()])).unwrap();
        let sandbox = Sandbox {
            files: Granted::Refused("old".to_owned()),
            calls: Granted::Whole,
        };
        write(&mut bytes, &Frame::Sandbox(sandbox.clone())).unwrap();
        write(&mut bytes, &Frame::End).unwrap();
        let mut input = bytes.as_slice();
        assert!(matches!(read(&mut input).unwrap(), Frame::Progress(3, 9)));
        assert!(matches!(read(&mut input).unwrap(), Frame::Failure(f) if f.code == Code::Empty));
        assert!(matches!(read(&mut input).unwrap(), Frame::Image(i) if i == [1, 2]));
        assert!(matches!(read(&mut input).unwrap(), Frame::Sheets(s) if s == [sheet]));
        assert!(matches!(read(&mut input).unwrap(), Frame::Sandbox(s) if s == sandbox));
        assert!(matches!(read(&mut input).unwrap(), Frame::End));
        assert!(read(&mut input).is_err());
    }

    #[test]
    fn garbage_is_an_error() {
        for bytes in [
            &[255u8; 64][..],
            b"P\x08\0\0\0\x01",
            b"E\x01\0\0\0x",
            b"D\x02\0\0\0{]",
        ] {
            assert!(read(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
