//! Reading a bundle's event file while a worker writes it.

use crate::Error;
use lexforge_domain::protocol::{Event, JobEvent};
use lexforge_files::inside;
use serde::Deserialize;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Most bytes of events that are read at a time.
const MOST: u64 = 256 << 20;

/// How many bytes at the end of an event file are read first. A long run writes many megabytes, and programs that
/// follow a run read its events several times a second.
const TAIL: u64 = 64 << 10;

/// Reads the events whose `seq` is larger than `after`. The file is read from its end, and only as far back as needed.
///
/// # Errors
/// As [`EventReader::read`].
pub(crate) fn since(folder: &Path, name: &str, after: u64) -> Result<Vec<JobEvent>, Error> {
    from_the_end(folder, name, |lines, is_all| {
        let mut events: Vec<JobEvent> = lines
            .split(|&b| b == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect();
        let begins_before = events.first().is_some_and(|event| event.seq <= after);
        events.retain(|event| event.seq > after);
        (is_all || begins_before).then_some(events)
    })
}

/// The newest event whose kind and content are looked for. The search begins at the end of the file.
///
/// # Errors
/// As [`EventReader::read`].
pub(crate) fn newest(
    folder: &Path,
    name: &str,
    kind: impl Fn(&str) -> bool,
    wanted: impl Fn(&Event) -> bool,
) -> Result<Option<JobEvent>, Error> {
    /// What is cheap to read of a line.
    #[derive(Deserialize)]
    struct Kind<'l> {
        event: &'l str,
    }
    let is_kind =
        |line: &&[u8]| serde_json::from_slice::<Kind<'_>>(line).is_ok_and(|k| kind(k.event));
    from_the_end(folder, name, |lines, _| {
        let mut lines = lines.split(|&b| b == b'\n').rev().filter(is_kind);
        let found = lines.find_map(|line| {
            let event = serde_json::from_slice::<JobEvent>(line).ok()?;
            wanted(&event.event).then_some(event)
        });
        found.map(Some)
    })
}

/// Reads whole lines from the end of a file. Reads more and more of them until `look` has found its result. `look` gets
/// the lines that were read so far, and whether these are all that will be read.
fn from_the_end<T: Default>(
    folder: &Path,
    name: &str,
    look: impl Fn(&[u8], bool) -> Option<T>,
) -> Result<T, Error> {
    let mut file = match inside::open(folder, name) {
        Err(e) if e.is_absent() => return Ok(T::default()),
        other => other?,
    };
    let path = folder.join(name);
    let length = file.metadata().map_err(Error::io(&path))?.len();
    let mut block = TAIL;
    loop {
        let start = length.saturating_sub(block);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))
            .and_then(|_| (&mut file).take(length - start).read_to_end(&mut bytes))
            .map_err(Error::io(&path))?;
        // The first line may have begun before, and the last one may be torn.
        let is_break = |byte: &u8| *byte == b'\n';
        let from = match start {
            0 => Some(0),
            _ => bytes.iter().position(is_break).map(|at| at + 1),
        };
        let to = bytes.iter().rposition(is_break).map(|at| at + 1);
        let lines = from.zip(to).and_then(|(from, to)| bytes.get(from..to));
        let is_all = start == 0 || block >= MOST;
        match look(lines.unwrap_or_default(), is_all) {
            Some(found) => return Ok(found),
            None if is_all => return Ok(T::default()),
            None => block *= 4,
        }
    }
}

/// How many bytes of an event file are whole lines. The text after the last line break is an incomplete line.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn whole_length(file: &mut File) -> std::io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    while end > 0 {
        let start = end.saturating_sub(TAIL);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(end - start).read_to_end(&mut bytes)?;
        if let Some(at) = bytes.iter().rposition(|&b| b == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

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
    /// If the file exists but cannot be read, or if it is a link.
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

    /// What is looked for from the end is what a look through the whole file finds, however long the file is.
    #[test]
    fn the_end_of_a_file_says_what_the_whole_of_it_does() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, name) = (folder.path(), "events.jsonl");
        let head = |seq: u64| format!("{{\"attempt\":1,\"seq\":{seq},\"time\":1.5,\"event\":");
        let checkpoint = |best: bool, seq: u64| {
            let rest = format!("\"path\":\"p\",\"stage\":\"s\",\"step\":{seq},\"best\":{best}");
            format!("{}\"checkpoint\",{rest}}}\n", head(seq))
        };
        let metric = |seq: u64| {
            let rest = "\"name\":\"dev_loss\",\"value\":0.5,\"step\":1";
            format!("{}\"metric\",{rest}}}\n", head(seq))
        };
        let best = |event: &Event| matches!(event, Event::Checkpoint { best: true, .. });
        let seq = |found: Result<Option<JobEvent>, Error>| found.unwrap().map(|event| event.seq);
        // Not there, empty, short, and much longer than what is looked at first; each with a torn line at its end.
        assert_eq!(seq(newest(folder, name, |_| true, |_| true)), None);
        assert!(since(folder, name, 0).unwrap().is_empty());
        for events in [0, 3, 5_000] {
            let mut text = String::new();
            for seq in 0..events {
                text += &match seq {
                    1 | 2 => checkpoint(seq == 1, seq),
                    _ => metric(seq),
                };
            }
            let whole = text.len() as u64;
            assert!(events < 1_000 || whole > 4 * TAIL, "the file is too short");
            std::fs::write(folder.join(name), text + "{\"attempt\":1,\"seq\":9").unwrap();
            let all = EventReader::new(folder, name).read().unwrap();
            assert_eq!(all.len() as u64, events);
            let last = |wanted: &dyn Fn(&Event) -> bool| {
                let found = all.iter().rev().find(|event| wanted(&event.event));
                found.map(|event| event.seq)
            };
            assert_eq!(
                seq(newest(folder, name, |_| true, |_| true)),
                last(&|_| true)
            );
            let found = newest(folder, name, |kind| kind == "checkpoint", best);
            assert_eq!(seq(found), last(&best));
            let none = newest(folder, name, |kind| kind == "failed", |_| true);
            assert_eq!(seq(none), None);
            for after in [
                0,
                1,
                events / 2,
                events.saturating_sub(2),
                events,
                events + 7,
            ] {
                let mut expected = all.clone();
                expected.retain(|event| event.seq > after);
                assert_eq!(since(folder, name, after).unwrap(), expected, "{after}");
            }
            let mut file = File::open(folder.join(name)).unwrap();
            assert_eq!(whole_length(&mut file).unwrap(), whole);
        }
    }
}
