//! Corpus files: one passage a line, as JSON.

use crate::encoding::utf8;
use crate::error::IngestError;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, DocumentWarning, EngineCounts, ParsedDocument, ParsedPage,
    ParsedSection, ParsedSentence,
};
use lexforge_domain::text::SentenceKind;
use lexforge_text::fold::spaced;
use lexforge_text::language;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};

/// Warnings about single lines that are listed; the rest is counted.
const LISTED: usize = 100;
/// Runs of further lines that are named together.
const RANGES: usize = 1000;

/// A line of a corpus file.
#[derive(Deserialize)]
pub(crate) struct Passage {
    pub(crate) id: Id,
    pub(crate) text: String,
    pub(crate) title: Option<String>,
    pub(crate) section: Option<String>,
}

/// Ids come as strings or as numbers.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Id {
    Text(String),
    Number(serde_json::Number),
}

impl Id {
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(id) => id,
            Self::Number(id) => id.to_string(),
        }
    }
}

/// Reads a corpus. Every passage is one sentence and keeps its id. A line that cannot be read gives a warning.
///
/// # Errors
/// When the file is not UTF-8, or no line is a passage.
pub fn parse(stem: &str, bytes: &[u8]) -> Result<ParsedDocument, IngestError> {
    let text = utf8(bytes)?;
    let mut builder = Builder::default();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Passage>(line) {
            Ok(passage) => builder.passage(passage, number),
            Err(error) => builder.bad_line(number, &reason(&error)),
        }
    }
    builder.finish(stem)
}

/// What serde says, without its position within the line's own text.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

#[derive(Default)]
struct Builder {
    sections: Vec<ParsedSection>,
    by_path: HashMap<String, usize>,
    sentences: Vec<ParsedSentence>,
    texts: Vec<String>,
    ids: HashSet<String>,
    offset: usize,
    warnings: Vec<DocumentWarning>,
    bad: usize,
    /// Passages that name no title.
    untitled: usize,
    /// Lines that could not be used beyond those that have a warning each, from and to.
    further: Vec<(usize, usize)>,
}

impl Builder {
    fn bad_line(&mut self, number: usize, reason: &str) {
        self.bad += 1;
        if self.bad <= LISTED {
            let message = format!("Line {number} is not a passage and was left out: {reason}.");
            self.warnings.push(DocumentWarning {
                code: "corpus_line_invalid".to_owned(),
                page: None,
                message,
            });
            return;
        }
        if let Some((_, to)) = self.further.last_mut().filter(|(_, to)| *to + 1 == number) {
            *to = number;
        } else if self.further.len() < RANGES {
            self.further.push((number, number));
        }
    }

    /// The lines beyond those that have a warning each: how many, and which.
    fn further_lines(&self) -> String {
        let range = |&(from, to): &(usize, usize)| {
            if from == to {
                from.to_string()
            } else {
                format!("{from}–{to}")
            }
        };
        let named: Vec<String> = self.further.iter().map(range).collect();
        let all: usize = self.further.iter().map(|(from, to)| to - from + 1).sum();
        let rest = self.bad - LISTED - all;
        let rest = if rest > 0 {
            format!(" and {rest} after those")
        } else {
            String::new()
        };
        let (n, named) = (self.bad - LISTED, named.join(", "));
        format!("{n} more lines are not passages and were left out: {named}{rest}.")
    }

    fn passage(&mut self, passage: Passage, number: usize) {
        let id = passage.id.into_text();
        let text = spaced(&passage.text);
        if text.is_empty() {
            return self.bad_line(number, "its text is empty");
        }
        if !self.ids.insert(id.clone()) {
            return self.bad_line(number, &format!("the id {id} occurs before"));
        }
        let named = |text: &Option<String>| text.as_deref().is_some_and(|t| !t.trim().is_empty());
        self.untitled += usize::from(!named(&passage.title));
        let path = [passage.title, passage.section];
        let section = self.section(
            path.iter()
                .flatten()
                .map(|p| p.trim())
                .filter(|p| !p.is_empty()),
        );
        let length = text.chars().count();
        self.sentences.push(ParsedSentence {
            text: text.clone(),
            complete: None,
            page: 1,
            section,
            kind: SentenceKind::Rule,
            regions: Vec::new(),
            start: self.offset,
            end: self.offset + length,
            external_id: Some(id),
        });
        self.offset += length + 1;
        self.texts.push(text);
    }

    fn section<'a>(&mut self, parts: impl Iterator<Item = &'a str>) -> Option<usize> {
        let mut parent: Option<usize> = None;
        for (level, part) in (0u8..).zip(parts) {
            let path = match parent {
                Some(parent) => format!("{} › {part}", self.sections[parent].path),
                None => part.to_owned(),
            };
            let next = self.sections.len();
            let index = *self.by_path.entry(path.clone()).or_insert(next);
            if index == next {
                let title = part.to_owned();
                self.sections.push(ParsedSection {
                    parent,
                    level,
                    label: String::new(),
                    title,
                    path,
                    page: 1,
                });
            }
            parent = Some(index);
        }
        parent
    }

    /// Warns if two or more passages have no title. Passages without a title belong to no document, which has three
    /// effects: references from other documents to them cannot be resolved, an answer can name only the file, and a
    /// split by document cannot separate them.
    fn tell_of_titles(&mut self) {
        let (untitled, all) = (self.untitled, self.sentences.len());
        if untitled < 2 {
            return;
        }
        self.warnings.push(DocumentWarning {
            code: "corpus_without_titles".to_owned(),
            page: None,
            message: format!(
                "{untitled} of {all} passages name no title, so nobody knows which document they are of: references between \
                 documents are not found. Give each line the field title and import the file again."
            ),
        });
    }

    fn finish(mut self, stem: &str) -> Result<ParsedDocument, IngestError> {
        if self.sentences.is_empty() {
            let why = self.warnings.first().map_or(String::new(), |w| {
                format!(" ({})", w.message.trim_end_matches('.'))
            });
            return Err(IngestError::Corpus(format!(
                "no passage: no line of the corpus file can be used{why}"
            )));
        }
        if self.bad > LISTED {
            let message = self.further_lines();
            self.warnings.push(DocumentWarning {
                code: "corpus_line_invalid".to_owned(),
                page: None,
                message,
            });
        }
        self.tell_of_titles();
        let text = self.texts.join("\n");
        let language = language::detect(&text);
        for sentence in &mut self.sentences {
            if crate::definitions::defines(&sentence.text, language) {
                sentence.kind = SentenceKind::Definition;
            }
        }
        Ok(ParsedDocument {
            title: stem.to_owned(),
            format: DocumentFormat::Jsonl,
            language,
            metadata: DocumentMetadata::default(),
            pages: vec![ParsedPage::plain(1, text)],
            sections: self.sections,
            sentences: self.sentences,
            engines: EngineCounts::default(),
            tables: Vec::new(),
            reader_agreement: None,
            scanned_pages: 0,
            warnings: self.warnings,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn a_passage_is_one_sentence_and_bad_lines_are_named() {
        let text = concat!(
            "{\"id\":\"a\",\"text\":\"One. Two.\",\"title\":\"Rulebook\",\"section\":\"1.1\"}\n",
            "not json\n\n",
            "{\"id\":7,\"text\":\"Three\\n four.\",\"title\":\"Rulebook\"}\n",
            "{\"id\":\"a\",\"text\":\"again\"}\n",
            "{\"id\":\"b\",\"text\":\"  \"}\n",
        );
        let document = parse("corpus", text.as_bytes()).unwrap();
        let rows: Vec<(&str, &str)> = document
            .sentences
            .iter()
            .map(|s| (s.external_id.as_deref().unwrap_or(""), s.text.as_str()))
            .collect();
        assert_eq!(rows, [("a", "One. Two."), ("7", "Three four.")]);
        assert_eq!(
            document.sections[document.sentences[0].section.unwrap()].path,
            "Rulebook › 1.1"
        );
        let lines: Vec<&str> = document.warnings.iter().map(|w| &w.message[..6]).collect();
        assert_eq!(lines, ["Line 2", "Line 5", "Line 6"]);
        let second = &document.sentences[1];
        let slice: String = document.pages[0]
            .text
            .chars()
            .skip(second.start)
            .take(second.end - second.start)
            .collect();
        assert_eq!(slice, second.text);
    }

    /// A reader is told of every line that was left out, however many there are.
    #[test]
    fn every_line_that_is_left_out_is_named() {
        let mut text =
            String::from("{\"id\":\"a\",\"title\":\"R\",\"text\":\"A passage of this corpus.\"}\n");
        for line in 2..=300 {
            // Lines 201 and 250 are passages.
            let good = [201, 250].contains(&line);
            let _ = match good {
                true => writeln!(
                    text,
                    "{{\"id\":{line},\"title\":\"R\",\"text\":\"Another passage of this corpus.\"}}"
                ),
                false => writeln!(text, "no passage"),
            };
        }
        let document = parse("corpus", text.as_bytes()).unwrap();
        assert_eq!(document.warnings.len(), LISTED + 1);
        assert!(
            document.warnings[LISTED - 1]
                .message
                .starts_with("Line 101 ")
        );
        let last = &document.warnings[LISTED].message;
        assert!(
            last.starts_with("197 more lines") && last.contains(": 102–200, 202–249, 251–300."),
            "{last}"
        );
        // No list without end: every second line of very many.
        let text: String = (0..5000)
            .map(|n| format!("{{\"id\":{n},\"text\":\"A passage.\"}}\nno passage\n"))
            .collect();
        let document = parse("corpus", text.as_bytes()).unwrap();
        let last = &document.warnings[LISTED].message;
        assert!(
            last.starts_with("4900 more lines") && last.ends_with(" and 3900 after those."),
            "{last}"
        );
    }

    #[test]
    fn passages_without_a_title_are_counted() {
        let untitled = |lines: &[&str]| {
            let document = parse("corpus", lines.join("\n").as_bytes()).unwrap();
            document.warnings.into_iter().map(|w| w.message).next()
        };
        let titled = "{\"id\":1,\"title\":\"R\",\"text\":\"One passage.\"}";
        let without = "{\"id\":2,\"text\":\"Another passage.\"}";
        let blank = "{\"id\":3,\"title\":\" \",\"text\":\"A third passage.\"}";
        assert_eq!(untitled(&[titled]), None);
        assert_eq!(untitled(&[titled, without]), None);
        let told = untitled(&[titled, without, blank]).unwrap();
        assert!(told.starts_with("2 of 3 passages name no title"), "{told}");
    }
}
