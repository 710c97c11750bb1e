//! Frames on a stream, and the mark before the first of them.

use lexforge_domain::protocol::{FrameHead, FrameKind, LARGEST_FRAME};
use serde::Serialize;
use std::io::{Error, ErrorKind, Read, Write};

/// Bytes of a file that are sent at a time.
pub(crate) const PIECE: usize = 256 << 10;
/// Most that a login shell may print before the mark.
const LONGEST_BANNER: usize = 1 << 20;

/// A frame as it came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    pub(crate) request: u32,
    pub(crate) bytes: Vec<u8>,
}

/// Writes a frame.
pub(crate) fn write(
    out: &mut impl Write,
    kind: FrameKind,
    request: u32,
    bytes: &[u8],
) -> Result<(), Error> {
    let length = u32::try_from(bytes.len())
        .ok()
        .filter(|length| *length <= LARGEST_FRAME)
        .ok_or_else(|| Error::new(ErrorKind::InvalidInput, "a message is too long"))?;
    let head = FrameHead {
        kind,
        request,
        length,
    };
    out.write_all(&head.to_bytes())?;
    out.write_all(bytes)?;
    out.flush()
}

pub(crate) fn write_message(
    out: &mut impl Write,
    request: u32,
    message: &impl Serialize,
) -> Result<(), Error> {
    write(
        out,
        FrameKind::Message,
        request,
        &serde_json::to_vec(message)?,
    )
}

/// The next frame; `None` if the stream ended between two frames.
///
/// # Errors
/// If the stream ends within a frame, or the bytes are not a frame.
pub(crate) fn read(input: &mut impl Read) -> Result<Option<Frame>, Error> {
    let mut head = [0; FrameHead::BYTES];
    let mut filled = 0;
    while filled < head.len() {
        match input.read(&mut head[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => filled += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    let head = FrameHead::of_bytes(head)
        .map_err(|problem| Error::new(ErrorKind::InvalidData, problem.to_string()))?;
    let mut bytes = Vec::new();
    input.take(head.length.into()).read_to_end(&mut bytes)?;
    if bytes.len() < head.length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(Frame {
        kind: head.kind,
        request: head.request,
        bytes,
    }))
}

/// Reads up to the end of a mark. The bytes before the mark are dropped.
///
/// # Errors
/// The stream ends before the mark, or too many bytes come before it.
pub(crate) fn pass_to(mark: &[u8], input: &mut impl Read) -> Result<(), Error> {
    let mut last = Vec::with_capacity(2 * mark.len());
    let mut byte = [0];
    for _ in 0..LONGEST_BANNER {
        loop {
            match input.read(&mut byte) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => break,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        if last.len() == mark.len() {
            last.remove(0);
        }
        last.push(byte[0]);
        if last == mark {
            return Ok(());
        }
    }
    Err(Error::new(
        ErrorKind::InvalidData,
        "the login shell prints without end",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_cut_ones_are_told() {
        let mut stream = Vec::new();
        write(&mut stream, FrameKind::Piece, 3, b"abc").unwrap();
        write_message(&mut stream, 4, &"word").unwrap();
        let mut input = stream.as_slice();
        let first = read(&mut input).unwrap().unwrap();
        assert_eq!(
            (first.kind, first.request, first.bytes),
            (FrameKind::Piece, 3, b"abc".to_vec())
        );
        assert_eq!(read(&mut input).unwrap().unwrap().bytes, b"\"word\"");
        assert_eq!(read(&mut input).unwrap(), None);
        for cut in 1..12 {
            let problem = read(&mut &stream[..cut]).unwrap_err();
            assert_eq!(problem.kind(), ErrorKind::UnexpectedEof, "{cut}");
        }
    }

    #[test]
    fn any_bytes_end_in_an_error_and_take_no_memory() {
        use rand::{Rng, SeedableRng};
        let mut random = rand::rngs::StdRng::seed_from_u64(1);
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..random.random_range(1..40))
                .map(|_| random.random())
                .collect();
            let mut input = bytes.as_slice();
            while let Ok(Some(frame)) = read(&mut input) {
                assert!(frame.bytes.len() <= bytes.len());
            }
        }
        let mut hostile = vec![1, 0, 0, 0, 0];
        hostile.extend(u32::MAX.to_le_bytes());
        let problem = read(&mut hostile.as_slice()).unwrap_err();
        assert_eq!(problem.kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn what_a_shell_prints_first_is_passed_over() {
        let mark = b"\0mark\n";
        let check = |before: &[u8]| {
            let stream = [before, mark, b"rest"].concat();
            let mut input = stream.as_slice();
            pass_to(mark, &mut input).unwrap();
            assert_eq!(input, b"rest");
        };
        check(b"");
        check(b"Welcome!\n\0\0mark\0mar");
        assert!(pass_to(mark, &mut &b"Welcome"[..]).is_err());
        assert!(pass_to(mark, &mut std::io::repeat(b'x')).is_err());
    }
}
