//! Writing questions: the judge, the estimate before a run, and rejected drafts. Snapshots as files are here, too.

use super::{Extent, Items};
use crate::endpoint::{AskCounts, Consent};
use crate::id::{DatasetId, DocumentId, SentenceId};
use crate::metrics::Interval;
use crate::qca::{QcaLevel, QuestionSource};
use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::IntoStaticStr;

tagged!(DatasetFormat);

/// How often an answer that cannot be used is asked for again with the reason, unless a request says otherwise.
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
    /// Requests that a run would make, those for answers that have to be asked for again and those to a judge included.
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

/// A draft that was rejected, with its anchor's place.
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
    use crate::api::PromptKind;

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
