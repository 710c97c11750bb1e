//! Questions that users ask of the corpus: the answer with what it cites, who judged it, how often answers are wrong.

use super::{
    AnswerNote, AnswerWay, AnswerWriting, Citation, EncoderChoice, OutOfForce, Referred,
    RerankName, SearchMode,
};
use crate::endpoint::Consent;
use crate::id::{AnswerId, DocumentId, RunId, SentenceId, TermId};
use crate::tags::{read_by_tag, tagged};
use crate::text::Language;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

tagged!(PairSource);
read_by_tag!(PairSource);

/// A question to the corpus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inquiry {
    /// The question.
    pub question: String,
    /// How clauses are searched; `None` = by words, and by vectors where the workspace has them.
    #[serde(default)]
    pub mode: Option<SearchMode>,
    /// Only rules in force on this day count, `YYYY-MM-DD`; `None` = today.
    #[serde(default)]
    pub as_of: Option<String>,
    /// The encoder; `None` = the encoder of the graph.
    #[serde(default)]
    pub encoder: Option<EncoderChoice>,
    /// The run whose cross-encoder puts the first clauses in order; `None` = the one that is on, where one is.
    #[serde(default)]
    pub rerank: Option<RunId>,
    /// The previous answer, if the question may continue it ("And for processors?"). `None` = the question can be
    /// understood alone.
    #[serde(default)]
    pub after: Option<AnswerId>,
    /// The way in which the answer is made.
    #[serde(default)]
    pub way: AnswerWay,
    /// The person's consent, if something is sent.
    #[serde(default)]
    pub consent: Option<Consent>,
}

/// The answer to a question, or that the documents hold none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Its number in the workspace's history; `None` if it was not stored.
    pub id: Option<AnswerId>,
    /// When it was asked, RFC 3339, UTC.
    pub asked: String,
    /// The question.
    pub question: String,
    /// The documents hold an answer, as far as can be said.
    pub found: bool,
    /// The statements that hold, one after the other; empty where nothing was found.
    pub answer: String,
    /// The statements of the answer. Statements that are not supported are listed too, with the reason.
    pub statements: Vec<Statement>,
    /// The places that the statements cite.
    pub citations: Vec<Citation>,
    /// The nearest clauses, best first.
    pub passages: Vec<Clause>,
    /// The parts of a question that asks for several things, in the order of the question. Empty if the question asks
    /// for one thing, or if nothing is answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<AnswerPart>,
    /// An assumption of the question that a cited clause contradicts.
    #[serde(default)]
    pub premise: Option<Premise>,
    /// Terms of the question and of the answer that have definitions.
    #[serde(default)]
    pub terms: Vec<AnswerTerm>,
    /// The clauses that the cited ones refer to, without those that are cited themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refers: Vec<Referred>,
    /// Notes for the reader.
    #[serde(default)]
    pub notes: Vec<AnswerNote>,
    /// Probability that the best clause answers the question, 0 to 1.
    pub probability: f64,
    /// Below this probability nothing is answered.
    pub threshold: f64,
    /// How often answers are wrong here, as far as it was measured.
    pub certificate: Certificate,
    /// Who put the answer together: `extractive` (the clauses themselves), or the model.
    pub model: String,
    /// SHA-256 of the adapter, hexadecimal; `None` without one.
    pub adapter: Option<String>,
    /// The text that a model wrote; `None` if no model was asked.
    #[serde(default)]
    pub written: Option<AnswerWriting>,
    /// The index with which the answer was found.
    pub index: AnswerIndex,
    /// SHA-256 over the hashes of the documents, hexadecimal.
    pub corpus_hash: String,
    /// Documents that were searched.
    pub documents: u64,
    /// The day for which it holds, `YYYY-MM-DD`.
    pub as_of: String,
    /// Number of the audit entry that covers it.
    #[serde(default)]
    pub audit_entry: Option<u64>,
}

/// Why a question got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No clause comes near. As far as can be said, the documents hold no answer.
    NotFound,
    /// A clause comes near and may answer, but not surely enough to be quoted as the answer.
    Unsure,
}

/// A clause that reaches this share of the threshold comes near.
const NEAR_THE_THRESHOLD: f64 = 0.5;

impl Answer {
    /// Why nothing is answered; `None` if something is answered. The reasons "not in the documents" and "not certain
    /// enough" are different: the first would be wrong if a right clause was found but was too uncertain to be shown.
    pub fn refusal(&self) -> Option<Refusal> {
        let is_near = self.probability >= NEAR_THE_THRESHOLD * self.threshold;
        match (self.found, !self.passages.is_empty() && is_near) {
            (true, _) => None,
            (false, true) => Some(Refusal::Unsure),
            (false, false) => Some(Refusal::NotFound),
        }
    }

    /// The parts as they are shown. If neighbouring parts have the same statements, they are one part with the words of
    /// both, so that nothing is read twice.
    pub fn shown_parts(&self) -> Vec<AnswerPart> {
        let mut shown: Vec<AnswerPart> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match shown.last_mut() {
                Some(last) if !part.statements.is_empty() && last.statements == part.statements => {
                    last.question = format!("{} · {}", last.question, part.question);
                }
                _ => shown.push(part.clone()),
            }
        }
        shown
    }
}

/// The index in which clauses are searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AnswerIndex {
    /// How they are searched.
    pub mode: SearchMode,
    /// The version number of the rules that divide texts into clauses and rank the clauses. 0 for answers from before
    /// these rules had a number.
    #[serde(default)]
    pub clauses: u32,
    /// How texts are cut into words.
    pub tokeniser: String,
    /// What made the vectors; empty where only words are searched.
    pub encoder: String,
    /// The ranker that orders the clauses; `None` = the scores by words and by vectors, with equal weight.
    #[serde(default)]
    pub ranker: Option<RankerName>,
    /// The cross-encoder that sorts the first clauses again; `None` = no cross-encoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankName>,
}

/// A ranker that was fitted on the labelled questions of the workspace.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RankerName {
    /// Its number in the workspace.
    pub id: i64,
    /// Labelled questions that it was fitted on.
    pub questions: u64,
}

/// Something that is said in an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// The words.
    pub text: String,
    /// The citations that support it, as indices in [`Answer::citations`].
    pub citations: Vec<usize>,
    /// Whether its citations support it.
    pub kept: bool,
    /// Why not.
    #[serde(default)]
    pub reason: Option<Unsupported>,
    /// Where the words of the question stand in it: (first scalar value, one past the last), in order.
    #[serde(default)]
    pub marks: Vec<(u32, u32)>,
}

/// An answer that a model is still writing: what of it has passed its check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnswerSoFar {
    /// The statements that passed.
    pub statements: Vec<Statement>,
    /// What they cite, by the indices in their citations.
    pub citations: Vec<Citation>,
    /// Statements that did not pass, or could not be read.
    pub left_out: u32,
}

/// Why a statement does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsupported {
    /// It cites nothing.
    NothingCited,
    /// The statement cites a clause that the model was not given.
    NotGiven,
    /// The words that it quotes do not stand in the clause.
    NotQuoted,
    /// Number, amount, date or period are not those of the clause.
    Figure,
    /// The statement says "must" and the clause says "may", or the other way round.
    Force,
    /// It says the opposite.
    Opposite,
    /// A condition or exception of the clause is missing or new.
    Condition,
    /// It says before where the clause says after, or at least where it says at most.
    Direction,
    /// The statement says "all", "some" or "only", and the clause does not.
    Extent,
    /// Somebody else acts in the clause.
    Actor,
    /// The statement uses a defined term that the clause does not contain.
    Term,
    /// The clause says too little of it.
    LittleSupport,
    /// The cited clause is an order to a language model and states no rule.
    SpeaksToModel,
}

/// A clause that is near to a question: a sentence with its lead-in and its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clause {
    /// The place.
    #[serde(flatten)]
    pub place: Citation,
    /// The clause as it can be read alone: an item of a list with its lead-in.
    pub text: String,
    /// Score by which it was ranked, at most 1.
    pub score: f64,
    /// Where the words of the question stand in `text`: (first scalar value, one past the last), in order.
    #[serde(default)]
    pub marks: Vec<(u32, u32)>,
    /// The words of the question's subject that the clause does not contain, as the user wrote them. They are listed if
    /// nothing is answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
}

/// A part of a question that asks for several things, or one of two things that it compares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerPart {
    /// Its words in the question, or the things that are compared.
    pub question: String,
    /// The statements that answer it, as indices in [`Answer::statements`]; empty if the documents do not answer it.
    pub statements: Vec<usize>,
    /// Nothing answers it surely enough, and a clause comes near and may answer it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsure: bool,
}

/// Something that a question takes for granted and a clause contradicts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Premise {
    /// The words of the question.
    pub assumed: String,
    /// The clause that says otherwise: a place in [`Answer::citations`].
    pub citation: usize,
}

/// A term with its definitions in the documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerTerm {
    /// The term.
    pub id: TermId,
    /// Its name.
    pub name: String,
    /// Its definitions, one for each act.
    pub definitions: Vec<AnswerDefinition>,
    /// Two of them say different things.
    pub differ: bool,
    /// Where it stands in the question and in the statements. Places of different terms do not overlap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<TermPlace>,
}

/// Where a term stands in an answer, in Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermPlace {
    /// The statement, as an index in [`Answer::statements`]; `None` = the question.
    pub statement: Option<usize>,
    /// First scalar value.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// A definition of a term in an act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerDefinition {
    /// The words.
    pub text: String,
    /// The document.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Section path, or empty.
    pub section: String,
    /// Page, from 1.
    pub page: u32,
    /// The sentence.
    pub sentence: SentenceId,
    /// A newer version of the document is in the workspace.
    #[serde(default)]
    pub superseded_by: Option<DocumentId>,
    /// Why the document is not in force on the day of the answer, by what a person set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_force: Option<OutOfForce>,
}

/// How often an answer is wrong, with a bound that holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Share of wrong answers among those given that is promised not to be exceeded.
    pub alpha: f64,
    /// How sure that is.
    pub confidence: f64,
    /// Labelled questions that were answered above the threshold and stand behind it.
    pub n: u32,
    /// How many of these were wrong.
    pub wrong: u32,
    /// Share of the labelled questions that were answered.
    pub answered_share: Option<f64>,
    /// Whether it is valid for the workspace in its present state.
    pub valid: bool,
    /// Why not.
    #[serde(default)]
    pub reason: Option<CertificateGap>,
    /// How many more right answers would be needed, at least; 0 where it holds.
    pub needed: u32,
    /// When it was made, RFC 3339, UTC.
    #[serde(default)]
    pub made: Option<String>,
    /// The model whose written answers were measured; `None` = the clauses themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer: Option<CertifiedWriter>,
}

/// A model whose written answers were measured. A changed model, or the same model with another wording of its prompt,
/// counts as another writer and has to be measured again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedWriter {
    /// The way in which answers are made.
    pub way: AnswerWay,
    /// The model's name.
    pub model: String,
    /// The identity of a model that answers. It is a hash (SHA-256, in hexadecimal) of the wordings in use, the defined
    /// terms, the largest length and the form of an answer, and the model. A model on this machine is described by its
    /// configuration, its weights' files (name, length, time of change) and its adapter; a model elsewhere by the
    /// address of its endpoint.
    pub identity: String,
}

/// Why a certificate does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CertificateGap {
    /// Nothing was measured in this workspace yet.
    NotMeasured,
    /// Too few labelled questions.
    TooFewLabels,
    /// Too many answers are wrong at every threshold.
    TooManyWrong,
    /// Other documents are searched: some came since, versions were linked, or another version is in force on the day.
    CorpusChanged,
    /// Another encoder or adapter is used.
    EncoderChanged,
    /// Clauses are searched in another way.
    IndexChanged,
    /// Answers are put together by somebody else, or by another state of the model.
    WriterChanged,
    /// Labels that were measured were changed or taken back.
    LabelsChanged,
    /// The question asks for several things, and questions that ask for one were measured.
    SeveralParts,
    /// The answer is the clause that contradicts what the question assumes. Such answers were not measured.
    FalsePremise,
    /// The question goes on from an earlier one, and questions that stand by themselves were measured.
    GoesOn,
}

/// The source of a labelled question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PairSource {
    /// A file.
    Imported,
    /// A person's verdict on an answer.
    Verdict,
}

/// A question with the passages that answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Id that its file gave it, else its number.
    pub id: String,
    /// The question.
    pub question: String,
    /// The passages that answer the question, by the ids in the corpus file, or by the sentences' numbers if that file
    /// gave no ids. Empty if nothing in the corpus answers it.
    pub passage_ids: Vec<String>,
    /// An answer in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Where the pair comes from.
    pub source: PairSource,
}

/// The result of an import of labelled questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairsReport {
    /// Questions that came in.
    pub imported: u64,
    /// Questions that were there already, with the same passages.
    pub unchanged: u64,
    /// Lines that were left out.
    pub rejected: Vec<RejectedPair>,
    /// Questions in the workspace now.
    pub pairs: u64,
}

/// A line of labelled questions that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RejectedPair {
    /// Line, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// What calibrating did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationReport {
    /// Labelled questions that were left out because the encoder was tuned on them.
    #[serde(default)]
    pub learned: u64,
    /// Labelled questions that have an answer.
    pub answerable: u64,
    /// Labelled questions that have none, those made by leaving documents out among them.
    pub unanswerable: u64,
    /// How well the probability tells the two apart: area under the curve; `None` where one kind is missing.
    pub auc: Option<f64>,
    /// The area under the curve for each document that was left out.
    pub by_document: Vec<DocumentAuc>,
    /// How much of what answers cite is right, and how much of what is right they cite.
    #[serde(default)]
    pub support: Option<Support>,
    /// Below this probability nothing is answered from now on.
    pub threshold: f64,
    /// What was certified.
    pub certificate: Certificate,
    /// The index for which it is valid.
    pub index: AnswerIndex,
    /// The language of the questions.
    pub language: Language,
    /// The same for the other languages, if the questions are in several languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<CalibrationReport>,
}

/// How much of what answers cite is right, over the labelled questions that are answered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// Questions that are answered and have an answer.
    pub n: u64,
    /// Share of the cited clauses that a label names.
    pub precision: f64,
    /// Share of the clauses that a label names that are cited.
    pub recall: f64,
}

/// How well questions whose document was left out are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentAuc {
    /// The document.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Questions that it answers.
    pub n: u64,
    /// Area under the curve.
    pub auc: f64,
}
