//! The grammar of `metrics`.

use clap::{Args, Subcommand, ValueEnum};
use lexforge_engine::{BertScore, BleuCut};
use std::path::PathBuf;

/// `metrics`
#[derive(Debug, Args)]
pub struct MetricsArgs {
    /// What is measured.
    #[command(subcommand)]
    pub action: MetricsAction,
}

/// What is measured, on files alone.
#[derive(Debug, Subcommand)]
pub enum MetricsAction {
    /// BLEU, ROUGE, METEOR, chrF and, where an encoder is named, BERTScore of written answers: lines of {"prediction",
    /// "reference" or "references", "language"?, "cluster"?}.
    Qa {
        /// The answers.
        file: PathBuf,
        /// The figures of each answer, too.
        #[arg(long)]
        items: bool,
        /// How BLEU cuts texts; else by each answer's language.
        #[arg(long, value_enum)]
        tokenizer: Option<Tokenizer>,
        /// Count ROUGE over stems.
        #[arg(long)]
        stem: bool,
        /// Compare with another system's answers to the same questions.
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
        /// The folder of a WordNet 3.x (index.*, data.*, *.exc), whose synonyms METEOR takes for the same word in
        /// English answers.
        #[arg(long, value_name = "DIR")]
        wordnet: Option<PathBuf>,
        /// Which encoder compares answers token by token.
        #[command(flatten)]
        bertscore: BertScoreArgs,
    },
    /// Recall@10, MAP@10, nDCG@10, MRR and both@10 of a run, as trec_eval counts them.
    Ranking {
        /// The right passages, in TREC's form.
        #[arg(long, value_name = "FILE")]
        qrels: PathBuf,
        /// The run, in TREC's form.
        #[arg(long, value_name = "RUN")]
        run: PathBuf,
        /// Compare with another run.
        #[arg(long, value_name = "RUN")]
        against: Option<PathBuf>,
    },
    /// Accuracy and macro precision, recall and F1 of classes: lines of {"gold", "predicted", "cluster"?}.
    Classification {
        /// The predictions.
        file: PathBuf,
        /// Compare with another system's predictions for the same items.
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    /// Spearman and Pearson correlation of scores: lines of {"gold", "score", "cluster"?}.
    Similarity {
        /// The scored pairs.
        file: PathBuf,
    },
}

/// BERTScore and how it is counted.
#[derive(Debug, Args)]
pub struct BertScoreArgs {
    /// BERTScore as well, by this encoder's vectors of tokens: the name or the folder of a model.
    #[arg(long, value_name = "MODEL")]
    bertscore: Option<String>,
    /// The layer whose vectors are compared, from 1; none = the last.
    #[arg(long, value_name = "N", requires = "bertscore")]
    layer: Option<usize>,
    /// Tokens weigh by how rare they are among the right answers.
    #[arg(long, requires = "bertscore")]
    idf: bool,
}

impl BertScoreArgs {
    /// What is asked for; none where no encoder is named.
    pub fn request(&self) -> Option<BertScore> {
        self.bertscore.as_ref().map(|encoder| BertScore {
            encoder: encoder.clone(),
            layer: self.layer,
            idf: self.idf,
        })
    }
}

/// sacrebleu's names of how texts are cut.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Tokenizer {
    /// WMT's mteval-v13a.
    #[value(name = "13a")]
    ThirteenA,
    /// Each Chinese character by itself.
    Zh,
    /// Every character by itself.
    Char,
}

impl From<Tokenizer> for BleuCut {
    fn from(tokenizer: Tokenizer) -> Self {
        match tokenizer {
            Tokenizer::ThirteenA => Self::ThirteenA,
            Tokenizer::Zh => Self::Chinese,
            Tokenizer::Char => Self::Characters,
        }
    }
}
