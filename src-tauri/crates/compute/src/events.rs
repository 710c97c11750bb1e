//! Reading a bundle's event file while a worker writes it.

use crate::Error;
use lexforge_domain::protocol::JobEvent;
use lexforge_files::inside;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Most bytes of events that are read at a time.
const MOST: u64 = 256 << 20;

/// Follows an event file from where it stood.
#[derive(Debug)]
pub struct EventReader {
    folder: PathBuf,
    name: String,
    offset: u64,
}

impl EventReader {
    /// From the beginning of the file of this name in a bundle, which need not exist yet.
    pub fn new(folder: &Path, name: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            offset: 0,
        }
    }

    /// Events that were completely written since the last call. An incomplete last line is left for later; a damaged
    /// line in the middle is skipped, so that one bad byte does not hide a run.
    ///
    /// # Errors
    /// Where the file is there but cannot be read, or is a link.
    pub fn read(&mut self) -> Result<Vec<JobEvent>, Error> {
        let mut file = match inside::open(&self.folder, &self.name) {
            Err(e) if e.is_absent() => return Ok(Vec::new()),
            other => other?,
        };
        let path = self.folder.join(&self.name);
        let length = file.metadata().map_err(Error::io(&path))?.len();
        if length < self.offset {
            // A torn line was cut by a new attempt; what was given out before it was whole lines only.
            self.offset = 0;
        }
        if length == self.offset {
            return Ok(Vec::new());
        }
        file.seek(SeekFrom::Start(self.offset))
            .map_err(Error::io(&path))?;
        let mut bytes = Vec::new();
        file.take(MOST)
            .read_to_end(&mut bytes)
            .map_err(Error::io(&path))?;
        let whole = bytes
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        self.offset += whole as u64;
        Ok(bytes[..whole]
            .split(|&b| b == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;

    fn line(seq: u64) -> String {
        format!("{{\"attempt\":1,\"seq\":{seq},\"time\":1.5,\"event\":\"stopped\",\"step\":3}}\n")
    }

    #[test]
    fn events_are_given_once_and_torn_lines_wait() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let mut reader = EventReader::new(folder.path(), "events.jsonl");
        assert!(reader.read().unwrap().is_empty());
        let mut file = File::create(&path).unwrap();
        let mut check = |text: &str, expected: &[u64]| {
            file.write_all(text.as_bytes()).unwrap();
            let seqs: Vec<u64> = reader.read().unwrap().iter().map(|e| e.seq).collect();
            assert_eq!(seqs, expected, "after {text:?}");
        };
        check(&line(0), &[0]);
        check("", &[]);
        let second = line(1);
        check(&second[..10], &[]);
        check(&second[10..], &[1]);
        check(&format!("not an event\n{}{}", line(2), line(3)), &[2, 3]);
    }
}
