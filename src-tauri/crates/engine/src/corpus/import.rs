//! Import: files in, documents with pages, sections and sentences out; one failure a file, never for the others.

use super::Corpus;
use super::folder;
use super::passwords::Passwords;
use super::versions::{Known, link};
use crate::workspace::{Result, Watcher, cancelled, io_failure, tell};
use lexforge_domain::api::{ImportReport, ImportedDocument, Stage, UnchangedDocument};
use lexforge_domain::document::ParsedDocument;
use lexforge_domain::{Code, Failure};
use lexforge_ingest::{ParseOptions, Parser};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, SystemTime};

/// Largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 512 << 20;

/// How many files may be read before an earlier one is kept.
const READ_AHEAD: usize = 4;

impl Read {
    /// This result. A failure gets the path of the file, so that the file can be tried again.
    fn from(self, path: &Path) -> Self {
        match self {
            Self::Failed(failure) => Self::Failed(failure.at_path(path.display().to_string())),
            read => read,
        }
    }
}

/// The result that a reading thread passes to the thread that writes the workspace.
enum Read {
    Parsed {
        file: String,
        bytes: Vec<u8>,
        document: Box<ParsedDocument>,
    },
    Known(UnchangedDocument),
    Failed(Failure),
}

impl Corpus<'_> {
    /// Imports files, and folders with everything below them that can be imported. Files whose bytes are already there
    /// are skipped. Two files are read at a time while earlier ones are stored. Each file is committed as a whole, so
    /// an import that is cut short keeps the files it finished. A new version of a known document is linked to it.
    ///
    /// # Errors
    /// Only when the workspace cannot be written or the caller cancels; a file that cannot be imported is listed in the
    /// report's `failed`.
    pub fn import(
        &self,
        files: &[PathBuf],
        options: &ParseOptions,
        watcher: &dyn Watcher,
    ) -> Result<ImportReport> {
        let parser = Parser::locate()?;
        let (files, skipped) = folder::files(files);
        let mut report = ImportReport {
            skipped,
            ..ImportReport::default()
        };
        let mut known = self.known_documents()?;
        let (next, kept) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let broken: Mutex<Option<Failure>> = Mutex::new(None);
        let threads = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(files.len())
            .max(1);
        let of = files.len() as u64;
        std::thread::scope(|scope| {
            // A bound of one: a slow disk holds the readers back instead of filling memory with parsed documents.
            let (send, receive) = sync_channel::<(usize, Read)>(1);
            for _ in 0..threads {
                let (send, next, kept, parser, broken) =
                    (send.clone(), &next, &kept, &parser, &broken);
                let files = &files;
                scope.spawn(move || {
                    loop {
                        let turn = next.fetch_add(1, Ordering::Relaxed);
                        let Some(path) = files.get(turn) else { return };
                        // No reader runs far ahead of a slow file: what is read waits in memory for its turn.
                        while turn >= kept.load(Ordering::Relaxed) + READ_AHEAD && !is_set(broken) {
                            std::thread::sleep(Duration::from_millis(5));
                        }
                        if watcher.cancelled() || is_set(broken) {
                            return;
                        }
                        let read = self.read_file(parser, path, options, watcher).from(path);
                        if send.send((turn, read)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            // Documents are kept in the order in which they were named, so that an import is repeatable to the id.
            let mut waiting: BTreeMap<usize, Read> = BTreeMap::new();
            for (turn, read) in receive {
                waiting.insert(turn, read);
                while let Some(read) = waiting.remove(&kept.load(Ordering::Relaxed)) {
                    if let Err(failure) = self.keep(read, &mut known, &mut report) {
                        // The workspace itself cannot be written: no further file can be kept either.
                        if let Ok(mut slot) = broken.lock() {
                            slot.get_or_insert(failure);
                        }
                        return;
                    }
                    let done = kept.fetch_add(1, Ordering::Relaxed) + 1;
                    tell(watcher, Stage::Import, "", done as u64, of);
                    watcher.imported(&report);
                }
            }
        });
        if let Ok(Some(failure)) = broken.into_inner() {
            watcher.import_ended_early(&report);
            return Err(failure);
        }
        if watcher.cancelled() {
            watcher.import_ended_early(&report);
            return Err(cancelled("Files that were finished are in the workspace."));
        }
        Ok(report)
    }

    /// Read and parse one file; nothing is stored.
    fn read_file(
        &self,
        parser: &Parser,
        path: &Path,
        options: &ParseOptions,
        watcher: &dyn Watcher,
    ) -> Read {
        let file = path.file_name().map_or_else(
            || path.display().to_string(),
            |n| n.to_string_lossy().into_owned(),
        );
        let bytes = match read_bytes(path) {
            Ok(bytes) => bytes,
            Err(failure) => return Read::Failed(failure.in_file(file)),
        };
        let hash = hex::encode(Sha256::digest(&bytes));
        if let Some(password) = &options.password {
            self.workspace.memo::<Passwords>().keep(&hash, password);
        }
        match self.workspace.store.read(|r| r.document_by_hash(&hash)) {
            Ok(Some(id)) => return Read::Known(UnchangedDocument { id, file }),
            Ok(None) => {}
            Err(e) => return Read::Failed(Failure::from(e).in_file(file)),
        }
        tell(watcher, Stage::Import, &file, 0, 0);
        let mut on_page =
            |done: u32, of: u32| tell(watcher, Stage::Import, &file, done.into(), of.into());
        match parser.parse(&file, &bytes, options, &mut on_page, &|| {
            watcher.cancelled()
        }) {
            Ok(document) => Read::Parsed {
                file,
                bytes,
                document: Box::new(document),
            },
            Err(failure) => Read::Failed(failure.in_file(file)),
        }
    }

    /// Store what was read, with its place among the versions.
    fn keep(&self, read: Read, known: &mut Vec<Known>, report: &mut ImportReport) -> Result<()> {
        match read {
            Read::Known(known) => report.unchanged.push(known),
            Read::Failed(failure) => {
                tracing::warn!(code = failure.code.tag(), "a file was not read");
                report.failed.push(failure);
            }
            Read::Parsed {
                file,
                bytes,
                document,
            } => {
                let hash = hex::encode(Sha256::digest(&bytes));
                let outcome = self.workspace.store.write(&self.workspace.actor, |w| {
                    // Asked again under the write lock: the same bytes may have come twice, or from another process.
                    if let Some(id) = w.document_by_hash(&hash)? {
                        return Ok(Err(id));
                    }
                    let id = w.insert_document(&document, &file, &bytes)?;
                    let new = Known::new(id, &document.title, &document.metadata);
                    let linked = link(w, &new, known)?;
                    Ok(Ok((new, linked)))
                })?;
                let (new, linked) = match outcome {
                    Err(id) => {
                        report.unchanged.push(UnchangedDocument { id, file });
                        return Ok(());
                    }
                    Ok(kept) => kept,
                };
                let id = new.id;
                known.push(new);
                if let Some((later, earlier)) = linked {
                    for k in known.iter_mut() {
                        k.follows |= k.id == later;
                        k.followed |= k.id == earlier;
                    }
                }
                let (pages, sentences) = (document.pages.len(), document.sentences.len());
                tracing::info!(pages, sentences, "a document was read");
                report.imported.push(ImportedDocument {
                    id,
                    file,
                    title: document.title,
                    language: document.language,
                    pages: document.pages.len() as u32,
                    sentences: document.sentences.len() as u32,
                    scanned_pages: document.scanned_pages,
                    engines: document.engines,
                    reader_agreement: document.reader_agreement,
                    warnings: document.warnings,
                    metadata: document.metadata,
                    predecessor: linked.filter(|l| l.0 == id).map(|l| l.1),
                    successor: linked.filter(|l| l.1 == id).map(|l| l.0),
                });
            }
        }
        Ok(())
    }
}

fn is_set(slot: &Mutex<Option<Failure>>) -> bool {
    slot.lock().map_or(true, |s| s.is_some())
}

/// The bytes of a regular file of at most the largest size, however large it grows meanwhile.
fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    // Opening a pipe could block for ever, so the kind of file is checked first.
    let meta = std::fs::metadata(path).map_err(|e| unreadable(&e, path))?;
    if !meta.is_file() {
        return Err(Failure::new(
            Code::FileUnreadable,
            "This is no regular file but a device, a pipe or a socket.",
            "Save its content as a file and import that.",
        ));
    }
    if meta.len() > MAX_FILE_BYTES {
        return Err(too_large(meta.len()));
    }
    let file = File::open(path).map_err(|e| unreadable(&e, path))?;
    let before = Look::of(&file).map_err(|e| unreadable(&e, path))?;
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    (&file)
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| unreadable(&e, path))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    let after = Look::of(&file).map_err(|e| unreadable(&e, path))?;
    if before != after {
        return Err(Failure::new(
            Code::FileUnreadable,
            "The file was changed while it was read.",
            "Wait until it is written or copied in full, and import it again.",
        ));
    }
    Ok(bytes)
}

/// The size and time of change of an open file. If they differ before and after reading, the file was changed
/// meanwhile: a file that is still being copied would be stored without its end.
#[derive(Debug, PartialEq, Eq)]
struct Look {
    bytes: u64,
    changed: Option<SystemTime>,
}

impl Look {
    fn of(file: &File) -> std::io::Result<Self> {
        let meta = file.metadata()?;
        Ok(Self {
            bytes: meta.len(),
            changed: meta.modified().ok(),
        })
    }
}

fn too_large(bytes: u64) -> Failure {
    Failure::new(
        Code::TooLarge,
        format!(
            "The file has {} MB; the limit is {} MB.",
            bytes >> 20,
            MAX_FILE_BYTES >> 20
        ),
        "Split it into parts and import these.",
    )
}

/// Reading differs from writing: a missing permission is about the file, not about the workspace.
fn unreadable(error: &std::io::Error, path: &Path) -> Failure {
    if error.kind() == std::io::ErrorKind::PermissionDenied {
        return Failure::new(
            Code::FileUnreadable,
            "You may not read this file.",
            "Ask its owner for read permission, or import a copy.",
        );
    }
    io_failure(error, path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_file_that_grows_looks_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.md");
        std::fs::write(&path, "A bank shall").unwrap();
        let file = File::open(&path).unwrap();
        let before = Look::of(&file).unwrap();
        assert_eq!(Look::of(&file).unwrap(), before);
        assert_eq!(read_bytes(&path).unwrap(), b"A bank shall");
        let mut writer = File::options().append(true).open(&path).unwrap();
        writer.write_all(b" report.").unwrap();
        assert_ne!(Look::of(&file).unwrap(), before);
        assert_eq!(read_bytes(&path).unwrap(), b"A bank shall report.");
    }
}
