//! Writing questions: the prompts and their test bench, the judge, the estimate before a run, and rejected drafts.
//! Snapshots as files are here, too.

use super::{Extent, Items};
use crate::endpoint::{AskCounts, AskPlan, Consent};
use crate::id::{DatasetId, DocumentId, SentenceId};
use crate::metrics::Interval;
use crate::qca::{QcaDraft, QcaLevel, QuestionSource};
use crate::tags::{all, read_by_tag, tagged};
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(PromptKind, DatasetFormat);
read_by_tag!(PromptKind);

/// How often an answer that cannot be used is asked for anew with the reason, unless a request says otherwise.
pub const DEFAULT_REASKS: u32 = 2;
/// Lowest score, of 10, at which a judge's question is kept, unless a request says otherwise.
pub const DEFAULT_THRESHOLD: f64 = 8.0;
/// Prompts that an estimate asks.
pub const ESTIMATE_SAMPLE: u64 = 20;

/// The model that writes questions, and the judge of these questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Writing {
    /// The endpoint's name.
    pub endpoint: String,
    /// The person's consent.
    pub consent: Option<Consent>,
    /// Lowest score that keeps a question; `None` = nobody judges.
    pub judged_from: Option<f64>,
    /// How many questions are to be written.
    #[serde(default)]
    pub extent: Extent,
    /// The person's consent for the judge.
    pub judge_consent: Option<Consent>,
}

/// The purpose of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum PromptKind {
    /// Finds the terms of sentences, by the classes of a schema.
    EntityExtraction,
    /// Writes a question whose choices are sentences.
    SentenceQca,
    /// Writes a question whose answer is a term, and the rephrased sentence.
    TokenQca,
    /// Writes a question about what a term means in its act, where other acts define it differently.
    MeaningQca,
    /// Says a sentence in other words; every number, date, modal and negation stays.
    Paraphrase,
    /// Says a sentence in the other of two languages; every number, date, modal and negation stays.
    Translation,
    /// Scores a question from 0 to 10, with a reason.
    Judge,
    /// Writes what a person would type to find a sentence.
    QueryGeneration,
    /// Answers a question from clauses, in statements that each quote what bears them out.
    Answer,
    /// Writes sentences that differ from one in meaning and hardly in words.
    Triplet,
    /// Scores such a sentence, or a rewording, from 0 to 10, with a reason.
    TripletJudge,
    /// Gives an answer to a question about a rule five marks from 1 to 5.
    AnswerMarks,
    /// Says which of two answers is better.
    AnswerPair,
}

impl PromptKind {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 13] = all(Self::VARIANTS);
}

/// A place in a prompt that is filled in when the prompt is sent. Markers are put around document text, and no wording
/// can remove them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placeholder {
    /// The name as it is written in the file, without braces: `anchor`.
    pub name: String,
    /// Part of the file in which it stands: `system`, `user` or `again`.
    pub part: String,
    /// The text that replaces it.
    pub meaning: String,
}

/// A prompt as it is used now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptFile {
    /// Its purpose.
    pub kind: PromptKind,
    /// The language of the documents that it is about: English or Chinese.
    pub language: Language,
    /// 0 = as shipped; else the number of the workspace's own version.
    pub version: u32,
    /// SHA-256 of the text, hexadecimal.
    pub hash: String,
    /// The whole file: a first line, then the parts `[system]` and `[user]`, and `[again]` if unusable answers are
    /// asked for again.
    pub text: String,
    /// The shipped file, to compare with and to go back to.
    pub shipped: String,
    /// The placeholders that it must contain.
    pub placeholders: Vec<Placeholder>,
}

/// A version of a prompt that the workspace keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptVersion {
    /// Its purpose.
    pub kind: PromptKind,
    /// Its language.
    pub language: Language,
    /// Its number, counted from 1 for each prompt and language.
    pub version: u32,
    /// SHA-256 of the text, hexadecimal.
    pub hash: String,
    /// The text; `None` = back to the shipped one.
    pub text: Option<String>,
    /// When it was saved, RFC 3339, UTC.
    pub saved: String,
}

/// The prompt that the test bench should try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialSubject {
    /// The prompt.
    pub kind: PromptKind,
    /// The sentence that it is tried on; its language decides which file is used.
    pub sentence: SentenceId,
    /// A wording that is not saved yet; `None` = the one in use.
    pub text: Option<String>,
}

/// The prompt that the test bench would send, shown before anything is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialPlan {
    /// The plan, which a person agrees to unless the endpoint is this machine.
    pub plan: AskPlan,
    /// The instructions to the model (the system part of the prompt).
    pub system: String,
    /// The question with the document's text between its markers.
    pub user: String,
    /// SHA-256 of the wording, hexadecimal.
    pub wording: String,
}

/// What an answer on the test bench turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TrialParsed {
    /// Terms with their classes, as proposed; those that the checks turned down are under `rejected`.
    Terms {
        /// (class, term).
        terms: Vec<(String, String)>,
        /// (term, why it was turned down).
        rejected: Vec<(String, String)>,
    },
    /// A question.
    Question {
        /// The draft as it was read, even if it failed the checks.
        draft: QcaDraft,
    },
    /// A paraphrase.
    Paraphrase {
        /// The text.
        text: String,
    },
    /// A judgement.
    Judgement {
        /// 0 to 10.
        score: f64,
        /// Why.
        reason: String,
    },
    /// Queries.
    Queries {
        /// The texts.
        queries: Vec<String>,
    },
    /// The statements of an answer.
    Statements {
        /// The statements.
        statements: Vec<String>,
    },
}

/// Why something that a model wrote was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnedDown {
    /// The tag under which it is counted.
    pub reason: String,
    /// In words.
    pub message: String,
}

/// The result of the test bench. Nothing of it is kept as a question or a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromptTrial {
    /// The prompt.
    pub kind: PromptKind,
    /// The language of the wording that was used.
    pub language: Language,
    /// SHA-256 of the wording, hexadecimal.
    pub wording: String,
    /// The host that answered.
    pub host: String,
    /// And the model.
    pub model: String,
    /// The system part of the prompt that was sent.
    pub system: String,
    /// The user part of the prompt that was sent.
    pub user: String,
    /// The answer, word for word; empty where none came.
    pub answer: String,
    /// Why it ended: `stop`, `length`, or whatever the endpoint says.
    pub finish: String,
    /// The parsed answer; `None` if the answer could not be read.
    pub parsed: Option<TrialParsed>,
    /// Why it would not be taken; `None` where it passes every check.
    pub turned_down: Option<TurnedDown>,
    /// The workspace had the answer already; nothing was sent.
    pub known: bool,
    /// Tokens of the prompt, as the endpoint counts them.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
    /// Its cost at the endpoint's prices.
    pub cost: Option<f64>,
    /// Milliseconds until the answer was there; `None` where nothing was sent.
    pub milliseconds: Option<u64>,
}

/// A judge's report on the questions that passed the checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JudgeReport {
    /// The judge's model.
    pub model: String,
    /// Its host.
    pub host: String,
    /// Lowest score that keeps a question.
    pub threshold: f64,
    /// Questions that it scored.
    pub judged: u64,
    /// Of these, at or above the threshold: kept.
    pub kept: u64,
    /// Below it: left out, and listed with the judge's reason.
    pub below: u64,
    /// Questions left out because no answer about them could be read.
    pub unreadable: u64,
    /// Questions left out because the judge was not asked about them yet, or did not answer.
    pub unjudged: u64,
    /// Questions by score, rounded down: 0 to 10.
    pub scores: Vec<u64>,
    /// Counts of the requests to it and their answers.
    pub asked: AskCounts,
}

/// The estimated cost of a run, from a sample of answers that are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WritingEstimate {
    /// The endpoint's name.
    pub endpoint: String,
    /// Its host.
    pub host: String,
    /// The model.
    pub model: String,
    /// Prompts of the sample that have an answer.
    pub sample: u64,
    /// Of these, asked for this estimate; the others had an answer already.
    pub asked: u64,
    /// Prompts of the whole corpus.
    pub prompts: u64,
    /// The number of those without an answer yet: a run would ask these first.
    pub open: u64,
    /// Requests that a run would make, those for answers that have to be asked for anew and those to a judge included.
    pub calls: u64,
    /// The number of these prompts that would be asked again.
    pub reasks: u64,
    /// The number of those to the judge; 0 without a judge.
    pub judge_calls: u64,
    /// Share of prompts whose first answer gave a question that passed the checks, with its 95 % interval (Wilson).
    pub accepted: Interval,
    /// Questions that a run would leave, before near-duplicates and the judge: the share times all prompts.
    pub questions: Interval,
    /// Tokens that a run would send; `None` where the endpoint does not count.
    pub prompt_tokens: Option<u64>,
    /// Tokens that it would receive.
    pub completion_tokens: Option<u64>,
    /// Seconds that it would take at the sample's pace; `None` where nothing was asked now.
    pub seconds: Option<f64>,
    /// The cost at the endpoint's prices; `None` if it has no prices or does not count tokens.
    pub cost: Option<f64>,
    /// Everything that could be asked, and what is left out before anything is asked.
    #[serde(default)]
    pub items: Items,
    /// What did not pass in the sample, by reason: a check's or the parser's.
    pub rejected: BTreeMap<String, u64>,
}

/// The rejected drafts to list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RejectedFilter {
    /// Only drafts rejected for this reason.
    pub reason: Option<String>,
    /// Only those of this level.
    pub level: Option<QcaLevel>,
    /// First row.
    pub offset: u64,
    /// Most rows; 0 = all.
    pub limit: u64,
}

/// A draft that was rejected when questions were last written, or an answer from which no draft could be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RejectedDraft {
    /// The tag under which it is counted.
    pub reason: String,
    /// More about it: the judge's reason, or the beginning of an answer that could not be read. May be empty.
    pub note: String,
    /// The judge's score, where a judge turned it down.
    pub score: Option<f64>,
    /// Sentence or token level.
    pub level: QcaLevel,
    /// Who wrote it.
    pub source: QuestionSource,
    /// The number of the answer to its prompt: 0 = the first, 1 = the first repeated one …
    pub attempt: u32,
    /// The question; empty where the answer could not be read.
    pub question: String,
    /// The choices; none where the answer could not be read.
    pub choices: Vec<String>,
    /// Index of the choice that it takes for right.
    pub answer: usize,
    /// Token level: the rephrased sentence.
    pub rephrased: Option<String>,
    /// The anchor sentence.
    pub anchor_sentence: SentenceId,
}

/// A draft that was turned down, with its anchor's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RejectedDraftRow {
    /// The draft.
    #[serde(flatten)]
    pub draft: RejectedDraft,
    /// The anchor's text.
    pub anchor_text: String,
    /// The anchor's document.
    pub document: DocumentId,
    /// Title of that document.
    pub document_title: String,
    /// Page of the anchor.
    pub page: u32,
}

/// The form of an exported snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DatasetFormat {
    /// One JSON object a line with everything about the item.
    #[default]
    Jsonl,
    /// Alpaca's `instruction`, `input`, `output`, with the `dataset_info.json` that LLaMA-Factory reads.
    Alpaca,
    /// ShareGPT's `conversations` of `human` and `gpt`, with the `dataset_info.json` that LLaMA-Factory reads.
    Sharegpt,
}

impl DatasetFormat {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Jsonl, Self::Alpaca, Self::Sharegpt];
}

/// The snapshot to write, and the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetExportRequest {
    /// The snapshot; `None` = the newest.
    pub dataset: Option<DatasetId>,
    /// The form.
    #[serde(default)]
    pub format: DatasetFormat,
    /// Leave the choices out of the question (QA form); they stay in `jsonl`.
    #[serde(default)]
    pub without_choices: bool,
    /// The permission of the documents' owner, in the owner's words; it is in the card.
    pub licence: Option<String>,
    /// A folder that is not there yet, or empty.
    pub out: String,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetExport {
    /// The snapshot.
    pub dataset: DatasetId,
    /// Its hash.
    pub hash: String,
    /// The form.
    pub format: DatasetFormat,
    /// The folder.
    pub folder: String,
    /// File name → items in it.
    pub files: BTreeMap<String, u64>,
    /// Head of the audit chain, as it is in the side file `snapshot.json`.
    pub audit_head: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_comes_back_from_its_tag_and_is_written_by_it() {
        for kind in PromptKind::ALL {
            assert_eq!(PromptKind::from_tag(kind.tag()), Some(kind));
            assert_eq!(serde_json::json!(kind), kind.tag());
        }
        for format in DatasetFormat::ALL {
            assert_eq!(serde_json::json!(format), format.tag());
        }
        assert_eq!(PromptKind::from_tag("poem"), None);
    }
}
