//! The grammar of `metrics`.

use clap::{Args, Subcommand, ValueEnum};
use lexforge_domain::RunId;
use lexforge_engine::{BertScore, BleuCut};
use std::path::PathBuf;

/// `metrics`
#[derive(Debug, Args)]
pub struct MetricsArgs {
    /// What is measured.
    #[command(subcommand)]
    pub action: MetricsAction,
}

/// What is measured: files, or the accepted terms of a workspace.
#[derive(Debug, Subcommand)]
pub enum MetricsAction {
    /// Score written answers by BLEU, ROUGE, METEOR, chrF and, if an encoder is named, BERTScore. The file has lines of
    /// {"prediction", "reference" or "references", "language"?, "cluster"?}.
    Qa {
        /// The answers.
        file: PathBuf,
        /// Also show the figures of each answer.
        #[arg(long)]
        items: bool,
        /// How BLEU cuts texts into words. Default: by the language of each answer.
        #[arg(long, value_enum)]
        tokenizer: Option<Tokenizer>,
        /// Compare the stems of words for ROUGE.
        #[arg(long)]
        stem: bool,
        /// Compare with another system's answers to the same questions.
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
        /// The folder of a WordNet 3.x (index.*, data.*, *.exc). In English answers, METEOR then treats its synonyms as
        /// the same word.
        #[arg(long, value_name = "DIR")]
        wordnet: Option<PathBuf>,
        /// Which encoder compares answers token by token.
        #[command(flatten)]
        bertscore: BertScoreArgs,
    },
    /// Score a ranking by Recall@10, MAP@10, nDCG@10, MRR and both@10, as trec_eval counts them.
    Ranking {
        /// The right passages, in the form that TREC uses.
        #[arg(long, value_name = "FILE")]
        qrels: PathBuf,
        /// The ranking, in the form that TREC uses.
        #[arg(long, value_name = "RUN")]
        run: PathBuf,
        /// Compare with another ranking.
        #[arg(long, value_name = "RUN")]
        against: Option<PathBuf>,
    },
    /// Score predicted classes by accuracy and by macro precision, recall and F1. The file has lines of {"gold",
    /// "predicted", "cluster"?}.
    Classification {
        /// The predictions.
        file: PathBuf,
        /// Compare with another system's predictions for the same items.
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    /// Compare a system's scores with the right ones, by Spearman and Pearson correlation. The file has lines of
    /// {"gold", "score", "cluster"?}.
    Similarity {
        /// The scored pairs.
        file: PathBuf,
    },
    /// Measure how vectors lie in their space: mean pairwise cosine, IsoScore, explained variance, uniformity.
    Space {
        /// The vectors: a .npy of numpy with a row for each, or lines of [0.1, 0.2, …] or {"vector": [0.1, 0.2, …]}.
        file: PathBuf,
    },
    /// Measure the vectors of a workspace's accepted terms, each mention in its sentence. The measures are those of
    /// `space`, and how near two mentions of one term are (alignment), with intervals by term. With a run, this is
    /// measured before and after its tuning.
    Terms(TermSpaceArgs),
}

/// `metrics terms`
#[derive(Debug, Args)]
pub struct TermSpaceArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Compare the tuned model of this training run with its base model.
    #[arg(long, value_name = "RUN")]
    pub run: Option<RunId>,
    /// The model, by its name or the path of its folder. Default: the base model of the run, or the encoder that comes
    /// with the product.
    #[arg(long, value_name = "NAME_OR_DIR")]
    pub encoder: Option<String>,
    /// Take the vectors after this many layers; 0 = at the input. Default: after all of them.
    #[arg(long, value_name = "N")]
    pub layer: Option<usize>,
}

/// BERTScore and how it is counted.
#[derive(Debug, Args)]
pub struct BertScoreArgs {
    /// Also compute BERTScore, with this encoder's vectors of tokens: the name or the folder of a model.
    #[arg(long, value_name = "MODEL")]
    bertscore: Option<String>,
    /// The layer whose vectors are compared, counted from 1. Default: the last.
    #[arg(long, value_name = "N", requires = "bertscore")]
    layer: Option<usize>,
    /// Give a token more weight the rarer it is among the right answers.
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
    /// As mteval-v13a of WMT cuts them.
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
