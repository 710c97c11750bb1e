//! A corpus to train a decoder from scratch: a folder of JSONL files, each a stream of texts or of questions with
//! answers.

use super::bpe::BETWEEN;
use lexforge_domain::Code;
use lexforge_models::data::Records;
use lexforge_models::decoding::language::Language;
use lexforge_models::losses::sft::{Form, exchange};
use lexforge_models::{Error, Result, files};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use std::path::Path;

/// One line in so many is kept from training, to measure on.
const HELD_OUT: usize = 50;

/// A line of a file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Line {
    /// A question in the form in which models are asked.
    Exchange {
        question: String,
        /// Its choices in the order in which they are listed; empty = asked without.
        choices: Vec<String>,
        /// The answer's text.
        answer: String,
    },
    /// A piece of a document. Pieces that follow each other and have one source are one text.
    Text {
        text: String,
        /// The document.
        source: String,
    },
}

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name without the ending.
    pub name: String,
    /// Lines to train on, in order.
    pub train: Vec<Line>,
    /// Lines to measure on.
    pub held_out: Vec<Line>,
}

impl Source {
    /// The documents' texts to train on.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.train.iter().filter_map(|line| match line {
            Line::Text { text, .. } => Some(text.as_str()),
            Line::Exchange { .. } => None,
        })
    }
}

/// Reads every JSONL file of a folder, in the order of names. Also returns one SHA-256 over the files' hashes.
///
/// # Errors
/// If a file cannot be read, a line has neither form, or the folder has no text at all.
pub fn read(folder: &Path) -> Result<(Vec<Source>, String)> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut sources = Vec::with_capacity(paths.len());
    let mut hashes = String::new();
    for path in &paths {
        let mut source = Source {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            train: Vec::new(),
            held_out: Vec::new(),
        };
        for (number, line) in Records::<Line>::open(path)?.enumerate() {
            let part = if number % HELD_OUT == HELD_OUT / 2 {
                &mut source.held_out
            } else {
                &mut source.train
            };
            part.push(line?);
        }
        hashes.push_str(files::sha256_of(path)?.as_str());
        sources.push(source);
    }
    if sources.iter().all(|source| source.texts().next().is_none()) {
        return Err(Error::told_of(
            folder,
            Code::Empty,
            "The folder has no text to train on.",
            "Put JSONL files there whose lines are {\"text\", \"source\"} or {\"question\", \"choices\", \"answer\"}.",
        ));
    }
    Ok((sources, files::sha256(hashes.as_bytes()).to_string()))
}

/// Lines as one row of tokens.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Token numbers.
    pub ids: Vec<u32>,
    /// The places where a window may begin; empty = anywhere.
    pub starts: Vec<usize>,
    /// Bytes of text that the tokens stand for.
    pub bytes: usize,
}

impl Row {
    /// The tokens of lines; questions with answers are shuffled by the seed.
    ///
    /// # Errors
    /// If the template or the tokenizer fails.
    pub fn of(lines: &[Line], language: &Language, seed: u64) -> Result<Self> {
        let between = language.encode(BETWEEN)?.ids;
        let mut row = Self::default();
        let mut before: Option<&str> = None;
        for line in lines {
            if let Line::Text { text, source } = line {
                if before.is_some_and(|before| before != source) {
                    row.ids.extend(&between);
                }
                before = Some(source);
                row.bytes += text.len();
                row.ids
                    .extend(language.encode(&language.harmless(text))?.ids);
            }
        }
        let mut order: Vec<&Line> = lines.iter().collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        for line in order {
            if let Line::Exchange {
                question,
                choices,
                answer,
            } = line
            {
                let listed: Vec<&str> = choices.iter().map(String::as_str).collect();
                let form = if listed.is_empty() {
                    Form::Open
                } else {
                    Form::Choices
                };
                let exchange = exchange(language, question, &listed, answer, form)?;
                row.bytes += exchange.spans.last().map_or(0, |span| span.end);
                row.starts.push(row.ids.len());
                row.ids.extend(exchange.ids);
            }
        }
        Ok(row)
    }

    /// A window of at most so many tokens.
    fn window(&self, length: usize, random: &mut ChaCha8Rng) -> &[u32] {
        let last = self.ids.len().saturating_sub(length);
        let start = if self.starts.is_empty() {
            random.random_range(0..=last)
        } else {
            self.starts[random.random_range(0..self.starts.len())]
        };
        &self.ids[start..self.ids.len().min(start + length)]
    }
}

/// The windows of one step, the shortest first; they depend only on the seed and the step. A row is chosen with a
/// probability in proportion to the square root of its number of tokens, so that a small language gets enough windows
/// beside a large one.
pub fn windows(rows: &[Row], seed: u64, step: u64, count: usize, length: usize) -> Vec<&[u32]> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(step + 1);
    let weights: Vec<f64> = rows
        .iter()
        .map(|row| (row.ids.len() as f64).sqrt())
        .collect();
    let all: f64 = weights.iter().sum();
    let mut drawn = Vec::with_capacity(count);
    for _ in 0..count {
        let mut place = random.random::<f64>() * all;
        let chosen = weights.iter().position(|weight| {
            place -= weight;
            place < 0.0
        });
        let Some(row) = chosen.map(|chosen| &rows[chosen]).or(rows.last()) else {
            continue;
        };
        drawn.push(row.window(length, &mut random));
    }
    // A single token foretells nothing.
    drawn.retain(|window| window.len() > 1);
    drawn.sort_by_key(|window| window.len());
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(tokens: u32, starts: &[usize]) -> Row {
        Row {
            ids: (0..tokens).collect(),
            starts: starts.to_vec(),
            bytes: 0,
        }
    }

    #[test]
    fn windows_follow_from_seed_and_step_and_begin_where_they_may() {
        let rows = [row(400, &[]), row(100, &[0, 40, 95])];
        let drawn = windows(&rows, 1, 5, 200, 16);
        assert_eq!(drawn, windows(&rows, 1, 5, 200, 16));
        assert_ne!(drawn, windows(&rows, 1, 6, 200, 16));
        assert_ne!(drawn, windows(&rows, 2, 5, 200, 16));
        assert!(drawn.is_sorted_by_key(|window| window.len()));
        // A third of the weight (roots 20 and 10) is the smaller row's.
        let at = |start: u32, length: usize| {
            drawn
                .iter()
                .filter(|w| w[0] == start && w.len() == length)
                .count()
        };
        let smaller = at(0, 16) + at(40, 16) + at(95, 5);
        assert!((45..95).contains(&smaller) && at(95, 5) > 5, "{smaller}");
    }

    #[test]
    fn a_folder_is_read_by_name_with_one_line_in_fifty_held_out() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            read(folder.path()).unwrap_err().into_failure().code,
            Code::Empty
        );
        let text: String = (0..60)
            .map(|i| format!("{{\"text\":\"t{i}\",\"source\":\"a\"}}\n"))
            .collect();
        std::fs::write(folder.path().join("b.jsonl"), text).unwrap();
        std::fs::write(
            folder.path().join("a.jsonl"),
            "{\"question\":\"q\",\"choices\":[],\"answer\":\"a\"}\n",
        )
        .unwrap();
        std::fs::write(folder.path().join("notes.txt"), "no line").unwrap();
        let (sources, hash) = read(folder.path()).unwrap();
        let sizes: Vec<_> = sources
            .iter()
            .map(|s| (s.name.as_str(), s.train.len(), s.held_out.len()))
            .collect();
        assert_eq!(sizes, [("a", 1, 0), ("b", 59, 1)]);
        assert_eq!(
            sources[1].held_out,
            [Line::Text {
                text: "t25".into(),
                source: "a".into()
            }]
        );
        assert_eq!(hash.len(), 64);
        std::fs::write(folder.path().join("c.jsonl"), "{\"text\":1}\n").unwrap();
        assert!(read(folder.path()).is_err());
    }
}
