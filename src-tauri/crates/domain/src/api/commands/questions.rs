//! Questions: the list, writing them by an endpoint, what was rejected, snapshots as files.

use crate::api::{
    AugmentReport, DatasetExport, DatasetFormat, QuestionFilter, QuestionRow, RejectedDraftRow,
    RejectedFilter, Rows, Writing, WritingEstimate,
};
use crate::endpoint::AskPlan;

commands! {
    QuestionsRequest;

    /// Questions that match a filter.
    Questions { filter: QuestionFilter } -> Rows<QuestionRow>;

    /// The prompts that writing questions would send, and where. Nothing is sent.
    PlanQuestions { writing: Writing } -> AskPlan;

    /// The prompts that judging them would send, and where. Nothing is sent.
    PlanJudging { writing: Writing } -> AskPlan;

    /// Writes questions in the background, once somebody agreed to what is sent; the answer is the job's number.
    WriteQuestions { writing: Writing } -> u64;

    /// The prompts that the sample of an estimate would send, and where. Nothing is sent.
    PlanEstimate { writing: Writing } -> AskPlan;

    /// Asks a sample and says what a run over all would take.
    EstimateWriting { writing: Writing } -> WritingEstimate;

    /// The report on the questions that were written last; `None` if none were written.
    WritingReport {} -> Option<AugmentReport>;

    /// Drafts that were rejected.
    RejectedDrafts { filter: RejectedFilter } -> Rows<RejectedDraftRow>;

    /// Writes the newest snapshot into a new folder within this one, with a card that says what its owner allows.
    ExportDataset { folder: String, format: DatasetFormat, without_choices: bool, licence: Option<String> } -> DatasetExport;
}
