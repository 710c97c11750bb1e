//! English words from the vocabulary of the default encoder. A word of this list is taken as it is typed, and not as a
//! misspelling of another word.

use super::base::BaseModel;
use super::bases::folder_of;
use std::collections::HashSet;
use std::path::Path;
use std::sync::OnceLock;

/// The file of a model's folder with its vocabulary.
const TOKENIZER: &str = "tokenizer.json";

/// Whether a word in lower case is one of these. If the encoder is not installed, no word is.
pub(crate) fn is_known_word(word: &str) -> bool {
    static KNOWN: OnceLock<HashSet<String>> = OnceLock::new();
    if KNOWN.get().is_none()
        && let Some(words) = folder_of(&BaseModel::named(None)).and_then(|folder| read(&folder))
    {
        // Another thread may have read them meanwhile; they are the same.
        let _ = KNOWN.set(words);
    }
    KNOWN.get().is_some_and(|words| words.contains(word))
}

/// The pieces of a vocabulary that are words by themselves.
fn read(folder: &Path) -> Option<HashSet<String>> {
    let text = std::fs::read(folder.join(TOKENIZER)).ok()?;
    let tokenizer: serde_json::Value = serde_json::from_slice(&text).ok()?;
    let pieces = tokenizer["model"]["vocab"].as_object()?;
    let of_letters = |piece: &&String| piece.bytes().all(|b| b.is_ascii_lowercase());
    Some(pieces.keys().filter(of_letters).cloned().collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_vocabulary_are_its_pieces_of_letters() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), None);
        let text = r###"{"model": {"vocab": {"[UNK]": 0, "harbour": 1, "##ing": 2, "12": 3}}}"###;
        std::fs::write(folder.path().join(TOKENIZER), text).unwrap();
        let words = read(folder.path()).unwrap();
        assert_eq!(words, HashSet::from(["harbour".to_owned()]));
        std::fs::write(folder.path().join(TOKENIZER), "[").unwrap();
        assert_eq!(read(folder.path()), None);
    }
}
