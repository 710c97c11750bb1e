//! Questions to the corpus and their answers.

use crate::api::{
    Answer, AnswerBatch, AnswerChange, AnswerPreference, AnswerRow, AnswerVerdict, AnswerWay,
    AnswerWayRow, Certificate, EncoderChoice, Inquiry, LabelsOverview, PairsReport, Preferred,
    RerankRow, SearchEncoderRow, VerdictsReport,
};
use crate::endpoint::{AskPlan, Consent};
use crate::{AnswerId, RunId};

commands! {
    AnsweringRequest;

    /// Answers a question from the documents, and keeps the answer.
    Ask { inquiry: Inquiry } -> Answer;

    /// The newest answers that were given, newest first.
    Answers {} -> Vec<AnswerRow>;

    /// An answer as it was given.
    KeptAnswer { id: AnswerId } -> Answer;

    /// What happened since an answer was given to the documents that it cites.
    AnswerSince { id: AnswerId } -> Vec<AnswerChange>;

    /// Keeps what a person thinks of an answer.
    JudgeAnswer { id: AnswerId, verdict: AnswerVerdict } -> AnswerRow;

    /// Three questions that the documents answer.
    ExampleQuestions {} -> Vec<String>;

    /// How often answers are wrong here, as the workspace is now, when they are put together in this way.
    CurrentCertificate { way: AnswerWay, question: Option<String> } -> Certificate;

    /// Measures in the background how often answers of this way of answering are wrong; the answer is the job's number.
    Calibrate { way: AnswerWay, consent: Option<Consent> } -> u64;

    /// The prompts that measuring would send, and where; `None` if nothing would be sent.
    PlanCalibration { way: AnswerWay } -> Option<AskPlan>;

    /// The labelled questions, and what they are enough for.
    Labels { way: AnswerWay } -> LabelsOverview;

    /// Brings labelled questions in from a file.
    ImportPairs { file: String } -> PairsReport;

    /// Takes the verdicts that somebody wrote into a table of answers.
    ImportVerdicts { file: String } -> VerdictsReport;

    /// Learns in the background in which order clauses come; the answer is the job's number.
    TrainRanker {} -> u64;

    /// Measures in the background which model ranks best: the base model, the tuned model, or one of several mixtures
    /// of the two. The answer is the job's number. `general` is a table of pairs of general sentences with people's
    /// scores, if there is one.
    MeasureCurve { run: RunId, general: Option<String> } -> u64;

    /// Answers a spreadsheet of questions in the background; the answer is the job's number.
    AskBatch { batch: AnswerBatch } -> u64;

    /// The prompts that answering a spreadsheet of questions would send, and where; `None` if nothing would be sent.
    PlanBatch { batch: AnswerBatch } -> Option<AskPlan>;

    /// All ways to make an answer now.
    AnswerWays {} -> Vec<AnswerWayRow>;

    /// The encoders with which questions can be searched.
    SearchEncoders {} -> Vec<SearchEncoderRow>;

    /// Makes the vectors of an encoder in the background, and searches with this encoder from then on; the answer is
    /// the job's number. `None` = the encoder of the graph.
    SearchWith { choice: Option<EncoderChoice> } -> u64;

    /// The cross-encoders that were tuned here, newest first, and which of them puts the first clauses in order.
    Rerankers {} -> Vec<RerankRow>;

    /// Measures in the background whether the cross-encoder of a run puts clauses in a better order; the answer is the
    /// job's number. If the order is better, the cross-encoder is switched on.
    MeasureRerank { run: RunId } -> u64;

    /// Puts the first clauses in order with the cross-encoder of a run that was found better; `None` = with none.
    UseRerank { run: Option<RunId> } -> Vec<RerankRow>;

    /// Sentences that only words find, and that could have vectors.
    MissingVectors {} -> u64;

    /// Makes the vectors that the search lacks in the background; the answer is the job's number.
    MakeVectors {} -> u64;

    /// The prompts that a question would send, and where; `None` if nothing would be sent.
    PlanAnswer { inquiry: Inquiry } -> Option<AskPlan>;

    /// Answers a question in the background and reports each statement; the answer is the job's number.
    AskAside { inquiry: Inquiry } -> u64;

    /// Keeps which of two answers to one question is better.
    PreferAnswer { first: AnswerId, second: AnswerId, preferred: Preferred, blind: bool } -> AnswerPreference;
}
