//! Reading a write-ahead log as SQLite's recovery does: which frames would be applied to the file beside it.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek};

/// Bytes before the first frame.
pub(crate) const HEADER: u64 = 32;

/// The content of a log about one page of the file.
#[derive(Debug, Default)]
pub(crate) struct LoggedPage {
    /// The log has commits; without one nothing of it is applied.
    pub commits: u64,
    /// The page in each state that a commit gave it, oldest first.
    pub versions: Vec<Vec<u8>>,
}

/// Reads the content that a log's commits wrote to page `number` (from 1). Anything after the last complete commit is
/// ignored.
///
/// # Errors
/// When the log cannot be read.
pub(crate) fn read_page(log: &File, number: u32) -> io::Result<LoggedPage> {
    let mut found = LoggedPage::default();
    let mut input = BufReader::with_capacity(1 << 20, log);
    input.rewind()?;
    let mut header = [0; HEADER as usize];
    if !fill(&mut input, &mut header)? {
        return Ok(found);
    }
    let magic = word(&header, 0);
    let size = word(&header, 8);
    if magic & !1 != 0x377F_0682 || !size.is_power_of_two() || !(512..=65_536).contains(&size) {
        return Ok(found);
    }
    let mut sum = Checksum {
        big_endian: magic & 1 == 1,
        first: 0,
        second: 0,
    };
    sum.add(&header[..24]);
    if !sum.is(&header[24..32]) {
        return Ok(found);
    }
    let mut frame = vec![0; 24 + size as usize];
    let mut open = Vec::new();
    while fill(&mut input, &mut frame)? {
        let (about, page) = frame.split_at(24);
        sum.add(&about[..8]);
        sum.add(page);
        if word(about, 0) == 0 || about[8..16] != header[16..24] || !sum.is(&about[16..24]) {
            break;
        }
        if word(about, 0) == number {
            open.push(page.to_vec());
        }
        // A frame that ends a transaction says how large the file is after it.
        if word(about, 4) != 0 {
            found.commits += 1;
            found.versions.append(&mut open);
        }
    }
    Ok(found)
}

/// Fills `bytes`; false where the file ends before.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(e) => Err(e),
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4]
        .iter()
        .fold(0, |word, byte| word << 8 | u32::from(*byte))
}

/// The running sum of a log.
struct Checksum {
    big_endian: bool,
    first: u32,
    second: u32,
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for pair in bytes.chunks_exact(8) {
            let (mut a, mut b) = (word(pair, 0), word(pair, 4));
            if !self.big_endian {
                (a, b) = (a.swap_bytes(), b.swap_bytes());
            }
            self.first = self.first.wrapping_add(a).wrapping_add(self.second);
            self.second = self.second.wrapping_add(b).wrapping_add(self.first);
        }
    }

    fn is(&self, written: &[u8]) -> bool {
        word(written, 0) == self.first && word(written, 4) == self.second
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use rusqlite::Connection;
    use std::path::Path;

    #[test]
    fn whole_commits_are_found_and_nothing_after_them() {
        let folder = tempfile::tempdir().unwrap();
        let (path, log) = (folder.path().join("w"), folder.path().join("w-wal"));
        let connection = Connection::open(&path).unwrap();
        connection
            .pragma_update(None, "journal_mode", "WAL")
            .unwrap();
        connection.execute_batch("CREATE TABLE t (x)").unwrap();
        for i in 0..3 {
            connection
                .execute("INSERT INTO t VALUES (?1)", [i])
                .unwrap();
        }
        let read_page = |log: &Path, number| read_page(&File::open(log).unwrap(), number);
        // Page 1 is the schema, page 2 the table.
        let whole = read_page(&log, 2).unwrap();
        assert_eq!(
            (
                whole.versions.len(),
                read_page(&log, 1).unwrap().versions.len()
            ),
            (4, whole.commits as usize - 3)
        );
        let bytes = std::fs::read(&log).unwrap();
        let copy = folder.path().join("cut");
        for (cut, versions) in [(0, 4), (1, 3), (24 + 4096, 3), (24 + 4097, 2)] {
            std::fs::write(&copy, &bytes[..bytes.len() - cut]).unwrap();
            assert_eq!(
                read_page(&copy, 2).unwrap().versions.len(),
                versions,
                "without the last {cut} bytes"
            );
        }
        let mut altered = bytes.clone();
        let middle = altered.len() - 24 - 4096 - 100;
        altered[middle] ^= 1;
        std::fs::write(&copy, &altered).unwrap();
        assert_eq!(read_page(&copy, 2).unwrap().versions.len(), 2);
        std::fs::write(&copy, b"no log at all, but long enough to hold a header").unwrap();
        assert_eq!(read_page(&copy, 2).unwrap().commits, 0);
    }
}
