//! JSONL of a bundle: inputs that are read record by record, and results.

use crate::files::write_atomically;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::TextSide;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// A line of an embed job's input.
#[derive(Debug, Deserialize)]
pub struct TextLine {
    /// The text.
    pub text: String,
    /// Whether the text is a question or a passage, if the job does not say it for all texts.
    #[serde(default)]
    pub side: Option<TextSide>,
    /// Where vectors of terms are made: the bytes of the term in the text; none = all of it.
    #[serde(default)]
    pub part: Option<[usize; 2]>,
}

/// The records of a JSONL file, one at a time; empty lines are no records.
pub struct Records<T> {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
    number: usize,
    of: PhantomData<T>,
}

impl<T: DeserializeOwned> Records<T> {
    /// Opens a file.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] if it cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path)
            .map_err(|e| invalid(path, format!("The job's input cannot be read: {e}.")))?;
        Ok(Self {
            path: path.to_owned(),
            lines: BufReader::new(file).lines(),
            number: 0,
            of: PhantomData,
        })
    }
}

impl<T: DeserializeOwned> Iterator for Records<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        loop {
            self.number += 1;
            let line = match self.lines.next()? {
                Ok(line) => line,
                Err(e) => {
                    return Some(Err(invalid(
                        &self.path,
                        format!("Line {} cannot be read: {e}.", self.number),
                    )));
                }
            };
            if line.trim().is_empty() {
                continue;
            }
            let record = serde_json::from_str(&line);
            return Some(record.map_err(|e| {
                invalid(
                    &self.path,
                    format!("Line {} is not what the job needs: {e}.", self.number),
                )
            }));
        }
    }
}

/// Writes each record as one line of a file. The file gets its name only once it is complete.
///
/// # Errors
/// If a system call fails.
pub fn write_lines<T: Serialize>(path: &Path, lines: &[T]) -> Result<()> {
    let mut text = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut text, line).map_err(|e| Error::Shim(e.to_string()))?;
        text.push(b'\n');
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(Error::io(parent))?;
    }
    write_atomically(path, &text)
}

fn invalid(path: &Path, message: String) -> Error {
    Error::told_of(path, Code::BundleInvalid, message, "Make the job again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_and_a_bad_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(
            &path,
            "{\"text\":\"a\"}\n\n{\"text\":\"b\",\"id\":3}\n{\"txt\":1}\n",
        )
        .unwrap();
        let mut records = Records::<TextLine>::open(&path).unwrap();
        assert_eq!(records.next().unwrap().unwrap().text, "a");
        assert_eq!(records.next().unwrap().unwrap().text, "b");
        let failure = records.next().unwrap().unwrap_err().into_failure();
        assert_eq!(failure.code, Code::BundleInvalid);
        assert!(
            failure.message.starts_with("Line 4 "),
            "{}",
            failure.message
        );
        assert!(records.next().is_none());
    }
}
