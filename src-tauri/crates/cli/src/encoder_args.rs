//! Which encoder makes the vectors of questions and passages, as it is typed.

use crate::output::{count, tell};
use crate::stands_for::stands_for;
use crate::terminal::Terminal;
use crate::vectors::texts;
use clap::{Args, ValueEnum};
use lexforge_domain::api::{EncoderChoice, SaidReading, SearchMode};
use lexforge_domain::protocol::{Pooling, TextSide};
use lexforge_domain::{Failure, RunId};
use lexforge_engine::Engine;
use std::path::PathBuf;

/// Which encoder makes the vectors.
#[derive(Clone, Debug, Args)]
pub struct EncoderArgs {
    /// An encoder, by its name or the path of its folder. Sentences that lack vectors of this encoder get them first.
    /// Without this option and --adapter, the encoder that made the vectors of the graph is used.
    #[arg(long, value_name = "NAME_OR_DIR")]
    pub encoder: Option<String>,
    /// The adapter of this training run, on its base model.
    #[arg(long, value_name = "RUN")]
    pub adapter: Option<RunId>,
    /// How much of the adapter counts, in percent, between its base model alone and the whole adapter (see `rank
    /// curve`).
    #[arg(long, value_name = "PERCENT", requires = "adapter", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub blend: Option<u8>,
}

impl EncoderArgs {
    /// The encoder that was named.
    pub fn choice(&self) -> Option<EncoderChoice> {
        (self.encoder.is_some() || self.adapter.is_some()).then(|| EncoderChoice {
            model: self.encoder.clone(),
            run: self.adapter,
            percent: self.blend,
            echo: false,
        })
    }

    /// Returns the chosen encoder. Before that, every sentence that lacks a vector of this encoder gets one, and the
    /// number of new vectors is printed. If the search does not use vectors, none are made.
    pub fn prepared(
        &self,
        engine: &Engine,
        mode: Option<SearchMode>,
    ) -> Result<Option<EncoderChoice>, Failure> {
        let Some(choice) = self.choice() else {
            return Ok(None);
        };
        if mode != Some(SearchMode::Lexical) {
            let watcher = Terminal::new(false);
            let done = watcher.finished(engine.answering().prepare_encoder(&choice, &watcher))?;
            if done.made + done.clauses + done.removed > 0 {
                tell(&format!(
                    "Made vectors of {} by {}; {} old ones were removed.",
                    texts(&done),
                    done.encoder,
                    count(done.removed)
                ));
            }
        }
        Ok(Some(choice))
    }
}

/// `models reading`
#[derive(Debug, Args)]
pub struct FolderReadingArgs {
    /// The path of a Hugging Face folder.
    pub folder: PathBuf,
    /// How the vectors of a text's tokens are made into one vector.
    #[arg(long, value_enum)]
    pooling: Option<PoolingArg>,
    /// Words that are put before each question; "" = none.
    #[arg(long, value_name = "TEXT")]
    question: Option<String>,
    /// Words that are put before each passage; "" = none.
    #[arg(long, value_name = "TEXT")]
    passage: Option<String>,
    /// Longest input in tokens. Longer texts are cut off.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u16).range(8..))]
    max_length: Option<u16>,
}

impl FolderReadingArgs {
    /// What is said anew.
    pub fn said(&self) -> SaidReading {
        SaidReading {
            pooling: self.pooling.map(Into::into),
            question: self.question.clone(),
            passage: self.passage.clone(),
            max_length: self.max_length.map(usize::from),
        }
    }
}

/// How the vectors of a text's tokens become one.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PoolingArg {
    /// Their mean.
    Mean,
    /// The vector of the first token.
    Cls,
    /// The vector of the last token.
    Last,
    /// The largest value at each position of the vectors.
    Max,
}

stands_for!(PoolingArg => Pooling: Mean, Cls, Last, Max);

/// What texts are to an encoder.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Side {
    /// Texts that are neither questions nor passages.
    Plain,
    /// Questions.
    Question,
    /// Passages that may answer questions.
    Passage,
}

stands_for!(Side => TextSide: Plain, Question, Passage);
