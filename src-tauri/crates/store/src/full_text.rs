//! The full-text index: an FTS5 table with one column, which holds the words of the sentences. [`crate::words()`]
//! divides each text into these words. The index stores no text (`content=''`), because the table of sentences has it.
//! FTS5 only stores at which places each word occurs; these places are read through its `instance` vocabulary. The
//! ranking is computed in [`crate::bm25`], because the parameters of FTS5's own ranking are fixed.

use crate::error::Result;
use crate::step::{Migration, append_only};
use crate::words::{Side, each_word};
use crate::writer::Writer;
use lexforge_domain::document::ParsedSentence;
use lexforge_domain::{DocumentId, SentenceId};
use rayon::prelude::*;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    8,
    // `tokenize = 'ascii'`: FTS5 then treats every character beyond ASCII as part of a word. This is right here,
    // because the text was divided into words before. `hashsize`: with 16 MiB, a large document becomes one sorted
    // segment instead of dozens that must be merged. `lengths`: the lengths of all sentences of a document are in one
    // blob, because a ranking reads the lengths of a million sentences at once.
    concat!(
        "CREATE VIRTUAL TABLE full_text USING fts5 (words, content = '', columnsize = 0, tokenize = 'ascii');
        INSERT INTO full_text (full_text, rank) VALUES ('hashsize', 16777216);
        CREATE VIRTUAL TABLE full_text_place USING fts5vocab (full_text, instance);
        CREATE VIRTUAL TABLE full_text_word USING fts5vocab (full_text, row);
        CREATE TABLE full_text_length (
            document INTEGER PRIMARY KEY REFERENCES document (id),
            first_sentence INTEGER NOT NULL,
            lengths BLOB NOT NULL
        ) STRICT;",
        append_only!("full_text_length")
    ),
)];

/// Sentences segmented before they are handed to SQLite: bounds the memory of a large import.
const BATCH: usize = 4096;

/// Indexes the sentences of a document; `first` is the id of the first, the others follow without a gap.
pub(crate) fn insert(
    writer: &Writer,
    document: DocumentId,
    first: SentenceId,
    sentences: &[ParsedSentence],
) -> Result<()> {
    let mut statement = writer
        .connection
        .prepare_cached("INSERT INTO full_text (rowid, words) VALUES (?1, ?2)")?;
    let mut lengths = Vec::with_capacity(sentences.len() * 2);
    let mut id = first.0;
    // The next batch is segmented while SQLite takes in this one.
    std::thread::scope(|scope| {
        let (send, receive) = std::sync::mpsc::sync_channel::<Vec<(String, u16)>>(2);
        scope.spawn(move || {
            for batch in sentences.chunks(BATCH) {
                // Nobody receives any more once an insertion has failed.
                if send
                    .send(batch.par_iter().map(|s| shadow(&s.text)).collect())
                    .is_err()
                {
                    return;
                }
            }
        });
        for (shadow, length) in receive.into_iter().flatten() {
            statement.execute(params![id, shadow])?;
            lengths.extend_from_slice(&length.to_le_bytes());
            id += 1;
        }
        Ok::<_, rusqlite::Error>(())
    })?;
    writer
        .connection
        .prepare_cached(
            "INSERT INTO full_text_length (document, first_sentence, lengths) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![document.0, first.0, lengths])?;
    Ok(())
}

/// The words of a sentence separated by blanks, and how many they are.
fn shadow(text: &str) -> (String, u16) {
    let mut words = String::with_capacity(text.len() * 2);
    let mut length = 0_u16;
    each_word(text, Side::Document, |word| {
        words.push_str(word);
        words.push(' ');
        length = length.saturating_add(1);
    });
    (words, length)
}
