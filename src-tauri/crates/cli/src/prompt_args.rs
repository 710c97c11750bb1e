//! The arguments of `prompts`.

use crate::endpoint_args::LocalArgs;
use crate::stands_for::stands_for;
use clap::{Args, Subcommand, ValueEnum};
use lexforge_domain::SentenceId;
use lexforge_domain::api::PromptKind;
use lexforge_domain::text::Language;
use std::path::PathBuf;

/// `prompts`
#[derive(Debug, Args)]
pub struct PromptsArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: PromptsAction,
}

/// A prompt.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum KindArg {
    /// Finds terms.
    EntityExtraction,
    /// Writes a question whose choices are sentences.
    SentenceQca,
    /// Writes a question whose answer is a term.
    TokenQca,
    /// Writes a question about what a term means in its act, where other acts define it differently.
    MeaningQca,
    /// Says a sentence in other words.
    Paraphrase,
    /// Translates a sentence into the other of two languages.
    Translation,
    /// Scores a question.
    Judge,
    /// Writes search queries.
    QueryGeneration,
    /// Answers a question from clauses.
    Answer,
    /// Writes sentences that differ from a given one in meaning but hardly in words.
    Triplet,
    /// Scores a sentence that `triplet` wrote, or a rewording.
    TripletJudge,
    /// Gives a written answer five marks.
    AnswerMarks,
    /// Says which of two written answers is better.
    AnswerPair,
}

stands_for!(KindArg => PromptKind:
    EntityExtraction, SentenceQca, TokenQca, MeaningQca, Paraphrase, Translation, Judge,
    QueryGeneration, Answer, Triplet, TripletJudge, AnswerMarks, AnswerPair
);

/// The language of a prompt.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LanguageArg {
    /// English, and every language that has no wording of its own.
    En,
    /// Chinese.
    Zh,
}

stands_for!(LanguageArg => Language: En, Zh);

/// What to do with prompts.
#[derive(Debug, Subcommand)]
pub enum PromptsAction {
    /// List the prompts in use or, with --versions, every version that was ever saved.
    List {
        /// The workspace's file.
        workspace: PathBuf,
        /// List the workspace's own versions, the oldest first.
        #[arg(long)]
        versions: bool,
    },
    /// Print a prompt as it is used now; edit the output and keep it with `prompts edit`.
    Show {
        /// The workspace's file.
        workspace: PathBuf,
        /// The prompt.
        #[arg(value_enum)]
        kind: KindArg,
        /// The prompt's language.
        #[arg(long, value_enum, default_value_t = LanguageArg::En)]
        language: LanguageArg,
        /// Print the shipped prompt, whichever one is in use.
        #[arg(long)]
        shipped: bool,
    },
    /// Keep a file as the newest version of its prompt. Its first line says which prompt and language it is.
    Edit {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// Go back to the shipped wording. The workspace's versions are kept.
    Reset {
        /// The workspace's file.
        workspace: PathBuf,
        /// The prompt.
        #[arg(value_enum)]
        kind: KindArg,
        /// The prompt's language.
        #[arg(long, value_enum, default_value_t = LanguageArg::En)]
        language: LanguageArg,
    },
    /// Try a prompt on one sentence. You see what is sent, what is answered, and how the answer is read. No question is
    /// kept.
    Try {
        /// The workspace's file.
        workspace: PathBuf,
        /// The prompt.
        #[arg(value_enum)]
        kind: KindArg,
        /// The sentence, by its number in `docs --sentences`.
        #[arg(long, value_name = "ID")]
        sentence: SentenceId,
        /// Ask the language model behind this endpoint; `local` = a decoder of this machine. Without this option the
        /// prompt is shown and nothing is sent.
        #[arg(long, value_name = "NAME")]
        endpoint: Option<String>,
        /// A file with a wording that was not kept yet; it is tried instead of the one in use.
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
        /// Longest answer, in tokens.
        #[arg(long, value_name = "N")]
        max_tokens: Option<u32>,
        /// Agree in advance to what is sent, so that the command does not ask.
        #[arg(long)]
        yes: bool,
        /// Which model of this machine is asked.
        #[command(flatten)]
        local: LocalArgs,
    },
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// `prompts list` shows all of them, so that each can be named to the other verbs.
    #[test]
    fn every_prompt_can_be_named() {
        for kind in PromptKind::ALL {
            let named = KindArg::from_str(kind.tag(), false).unwrap();
            assert_eq!(PromptKind::from(named), kind);
        }
    }
}
