//! Questions to the corpus and their answers.

use crate::AnswerId;
use crate::api::{Answer, AnswerRow, AnswerVerdict, Certificate, Inquiry};

commands! {
    AnsweringRequest;

    /// Answers a question from the documents, and keeps the answer.
    Ask { inquiry: Inquiry } -> Answer;

    /// The answers that were given, newest first.
    Answers {} -> Vec<AnswerRow>;

    /// An answer as it was given.
    KeptAnswer { id: AnswerId } -> Answer;

    /// Keeps what a person thinks of an answer.
    JudgeAnswer { id: AnswerId, verdict: AnswerVerdict } -> AnswerRow;

    /// Three questions that the documents answer.
    ExampleQuestions {} -> Vec<String>;

    /// How often answers are wrong here, as the workspace is now.
    CurrentCertificate {} -> Certificate;

    /// Measures in the background how often answers are wrong; the answer is the job's number.
    Calibrate {} -> u64;

    /// Answers a spreadsheet of questions in the background; the answer is the job's number.
    AskBatch { questions: String, out: String } -> u64;
}
