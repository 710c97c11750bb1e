//! Checks whether a PDF file is complete.
//!
//! A reader that repairs damaged files also reads a file that was cut short, and gives the pages that are left. For a
//! regulation this is worse than an error: clauses would be missing, and nobody would know.

use memchr::memmem;

/// How many bytes at the end of a file are searched. By the standard the end marks are in the last 1024 bytes, but mail
/// gateways and web servers may append lines of their own.
const END: usize = 64 << 10;
/// The first object of a linearized file stands within the first 1024 bytes; a little more for a leading comment.
const START: usize = 2 << 10;

/// Whether the bytes stop before the PDF does: the end marks are missing, or the file says itself that it is longer.
pub(crate) fn breaks_off(bytes: &[u8]) -> bool {
    let end = &bytes[bytes.len().saturating_sub(END)..];
    let marked =
        memmem::rfind(end, b"%%EOF").is_some() && memmem::rfind(end, b"startxref").is_some();
    !marked || linearized_length(bytes).is_some_and(|said| said > bytes.len() as u64)
}

/// The length that a linearized file ("fast web view") states in its first object: `/L 12345`.
fn linearized_length(bytes: &[u8]) -> Option<u64> {
    let start = &bytes[..bytes.len().min(START)];
    let object = &start[memmem::find(start, b"/Linearized")?..];
    let object = &object[..memmem::find(object, b">>")?];
    let after = memmem::find_iter(object, b"/L")
        .map(|at| &object[at + 2..])
        .find(|rest| {
            // "/L 123" and "/L123", and not "/Linearized" or "/Length".
            rest.first()
                .is_some_and(|b| b.is_ascii_digit() || b.is_ascii_whitespace())
        })?;
    let digits: Vec<u8> = after
        .iter()
        .copied()
        .skip_while(u8::is_ascii_whitespace)
        .take_while(u8::is_ascii_digit)
        .collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_cut_short_is_told_from_a_whole_one() {
        let whole: &[u8] = b"%PDF-1.4\n1 0 obj <<>> endobj\nxref\nstartxref\n9\n%%EOF\n";
        let linear: &[u8] =
            b"%PDF-1.4\n1 0 obj <</Linearized 1 /L 400>> endobj\nstartxref\n0\n%%EOF\n2 0 obj <<>>";
        for (bytes, expected) in [
            (whole, false),
            (&whole[..whole.len() - 12], true),
            (&whole[..20], true),
            (linear, true),
            (
                b"%PDF-1.4\n1 0 obj <</Linearized 1/L 50>>\nstartxref\n0\n%%EOF\n",
                false,
            ),
            (b"", true),
        ] {
            assert_eq!(
                breaks_off(bytes),
                expected,
                "{}",
                String::from_utf8_lossy(bytes)
            );
        }
    }
}
