//! The texts whose vectors the search compares with a question beside those of sentences, and making these vectors. A
//! question is compared with a clause as a whole and with the sentence of it that is nearest: either alone finds less
//! (docs/benchmarks/ask.md).

use super::Answering;
use super::clauses::{CUT_BY, Clauses};
use crate::corpus::{ClauseText, ClauseVectors, Corpus, SentenceVectors};
use crate::workspace::{Result, Watcher};
use lexforge_compute::WorkerProgram;
use lexforge_domain::api::{EncoderChoice, EncoderVectors, SearchMode};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;
use lexforge_ingest::segment::segment;
use lexforge_text::is_unspaced;
use std::sync::Arc;

/// A part of a passage has at least this many words, or characters in a script without blanks: shorter ones are numbers
/// and headings.
const FEWEST_WORDS: usize = 4;
const FEWEST_CHARACTERS: usize = 8;

impl Answering<'_> {
    /// The vectors of clauses by the encoder of these vectors of sentences. `None` if not all of them are made.
    pub(super) fn clause_vectors(
        &self,
        part: &SentenceVectors,
        clauses: &Clauses,
    ) -> Result<Option<Arc<ClauseVectors>>> {
        Corpus::of(self.workspace).clause_vectors(part, &state(&clauses.corpus))
    }

    /// Whether questions are searched by vectors of sentences alone, although those of clauses could be made.
    pub(super) fn lacks_clause_vectors(&self) -> Result<bool> {
        if self.workspace.store.read_only().is_some() || WorkerProgram::locate().is_err() {
            return Ok(false);
        }
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        Corpus::of(self.workspace).lacks_clause_vectors(&state(&corpus))
    }

    /// Makes the vectors of clauses that the search lacks, by the encoder that is named, or else by those that are
    /// searched. Returns how many were made, and by which encoders. In a workspace that is only read none are made.
    ///
    /// # Errors
    /// As [`Corpus::make_clause_vectors`].
    pub(super) fn make_clause_vectors(
        &self,
        encoder: Option<&EncoderChoice>,
        watcher: &dyn Watcher,
    ) -> Result<(u64, Vec<String>)> {
        if self.workspace.store.read_only().is_some() {
            return Ok((0, Vec::new()));
        }
        let corpus = Corpus::of(self.workspace);
        let clauses = self.clauses()?;
        let state = state(&clauses.corpus);
        let (mut made, mut encoders) = (0, Vec::new());
        for part in corpus.vectors_of(encoder)? {
            if !corpus.has_clause_vectors(&part, &state)? {
                let texts = self.clause_texts(&clauses, &part.languages)?;
                made += corpus.make_clause_vectors(&part, texts, &state, watcher)?;
                encoders.push(part.encoder.clone());
            }
        }
        Ok((made, encoders))
    }

    /// Makes the vectors that sentences and clauses lack by an encoder that a user names.
    ///
    /// # Errors
    /// As [`Corpus::prepare_encoder`]. Vectors that were made before that are kept.
    pub fn prepare_encoder(
        &self,
        choice: &EncoderChoice,
        watcher: &dyn Watcher,
    ) -> Result<EncoderVectors> {
        let made = Corpus::of(self.workspace).prepare_encoder(choice, watcher)?;
        let (clauses, _) = self.make_clause_vectors(Some(choice), watcher)?;
        Ok(EncoderVectors { clauses, ..made })
    }

    /// Makes the vectors of clauses that a search lacks which is measured or learned from: with them it ranks otherwise.
    /// A workspace that is only read is searched as it is.
    ///
    /// # Errors
    /// As [`Corpus::make_clause_vectors`].
    pub(super) fn completed_search(
        &self,
        mode: Option<SearchMode>,
        encoder: Option<&EncoderChoice>,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let meant = self.meant_encoder(encoder)?;
        if mode == Some(SearchMode::Lexical) || (meant.is_none() && !self.lacks_clause_vectors()?) {
            return Ok(());
        }
        self.make_clause_vectors(meant.as_ref(), watcher)?;
        Ok(())
    }

    /// The texts of clauses in these languages that are no sentences of the workspace.
    fn clause_texts(&self, clauses: &Clauses, languages: &[Language]) -> Result<Vec<ClauseText>> {
        let mut texts = Vec::new();
        for document in &clauses.documents {
            if !languages.contains(&document.language) {
                continue;
            }
            let sentences = self
                .workspace
                .store
                .read(|r| r.sentences(Some(document.id)))?;
            let clause_of = |sentence: &Sentence| clauses.map.clause(sentence.id);
            for run in sentences.chunk_by(|a, b| clause_of(a) == clause_of(b)) {
                if run.first().and_then(clause_of).is_some() {
                    texts.extend(of_clause(run, document.language));
                }
            }
        }
        Ok(texts)
    }
}

/// The state of the clauses: the corpus and how it is divided.
fn state(corpus: &str) -> String {
    format!("{CUT_BY} {corpus}")
}

/// The texts of a clause beside its sentences. A sentence of a document is short and needs no parts. A passage of a
/// corpus file is one sentence, however long it is.
fn of_clause(sentences: &[Sentence], language: Language) -> Vec<ClauseText> {
    match sentences {
        [] => Vec::new(),
        [passage] => {
            let parts = parts(&passage.text, language);
            let numbered = parts.into_iter().zip(1..=u8::MAX);
            numbered
                .map(|(text, part)| ClauseText {
                    sentence: passage.id,
                    part,
                    text,
                })
                .collect()
        }
        [first, ..] => {
            let texts: Vec<&str> = sentences.iter().map(|s| s.text.as_str()).collect();
            vec![ClauseText {
                sentence: first.id,
                part: 0,
                text: texts.join(" "),
            }]
        }
    }
}

/// The sentences and the items of lists of a passage; none if it is one of these.
fn parts(passage: &str, language: Language) -> Vec<String> {
    let chars: Vec<char> = passage.chars().collect();
    let spans = segment(passage, language);
    let sentences = spans
        .iter()
        .filter_map(|span| chars.get(span.start..span.end));
    let items = sentences.flat_map(items);
    let texts: Vec<String> = items
        .map(|item| item.iter().collect::<String>().trim().to_owned())
        .collect();
    match texts.len() {
        0 | 1 => Vec::new(),
        _ => texts.into_iter().filter(|text| is_text(text)).collect(),
    }
}

/// Divides a sentence after colons and semicolons. In a passage on one line these stand before the items of a list.
fn items(sentence: &[char]) -> Vec<&[char]> {
    let mut items = Vec::new();
    let mut from = 0;
    for (at, sign) in sentence.iter().enumerate() {
        let next = sentence.get(at + 1);
        let ends = match sign {
            ';' | ':' => next.is_none_or(|next| next.is_whitespace()),
            '；' | '：' => true,
            _ => false,
        };
        if ends {
            items.push(&sentence[from..=at]);
            from = at + 1;
        }
    }
    items.push(&sentence[from..]);
    items
}

fn is_text(part: &str) -> bool {
    part.split_whitespace().count() >= FEWEST_WORDS
        || part.chars().filter(|c| is_unspaced(*c)).count() >= FEWEST_CHARACTERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::text::SentenceKind;
    use lexforge_domain::{DocumentId, SentenceId};

    fn texts(sentences: &[&str], language: Language) -> Vec<(i64, u8, String)> {
        let sentences: Vec<Sentence> = (7..)
            .zip(sentences)
            .map(|(id, text)| {
                Sentence::alone(SentenceId(id), DocumentId(1), SentenceKind::Rule, text)
            })
            .collect();
        of_clause(&sentences, language)
            .into_iter()
            .map(|one| (one.sentence.0, one.part, one.text))
            .collect()
    }

    #[test]
    fn a_clause_has_its_whole_text_and_a_passage_its_sentences() {
        for (sentences, language, expected) in [
            (&["A firm must keep records."][..], Language::En, vec![]),
            (
                &["A firm must keep records.", "It keeps them for six years."],
                Language::En,
                vec![(
                    7,
                    0,
                    "A firm must keep records. It keeps them for six years.",
                )],
            ),
            (
                &["3.1 A firm must keep records. It keeps them for six years."],
                Language::En,
                vec![
                    (7, 1, "3.1 A firm must keep records."),
                    (7, 2, "It keeps them for six years."),
                ],
            ),
            (
                &[
                    "A firm must keep: (a) the contract of each client; and (b) its own accounts at 9:30.",
                ],
                Language::En,
                vec![
                    (7, 1, "A firm must keep:"),
                    (7, 2, "(a) the contract of each client;"),
                    (7, 3, "and (b) its own accounts at 9:30."),
                ],
            ),
            // A number is no part.
            (
                &["Records. A firm must keep them for six years."],
                Language::En,
                vec![(7, 1, "A firm must keep them for six years.")],
            ),
            (
                &["银行应当保存有关记录。保存期限不得少于五年。"],
                Language::Zh,
                vec![
                    (7, 1, "银行应当保存有关记录。"),
                    (7, 2, "保存期限不得少于五年。"),
                ],
            ),
        ] {
            let expected: Vec<(i64, u8, String)> = expected
                .into_iter()
                .map(|(id, part, text)| (id, part, text.to_owned()))
                .collect();
            assert_eq!(texts(sentences, language), expected, "{sentences:?}");
        }
    }
}
