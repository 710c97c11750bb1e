//! Exams: what is kept of one, what an import found, and how systems did.

use super::BenchMissing;
use crate::exam::ExamKind;
use crate::metrics::TermFigures;
use crate::statistics::PairedComparison;
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An exam as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExamRow {
    /// Its name, which is unique in the workspace.
    pub name: String,
    /// The kind of its items.
    pub kind: ExamKind,
    /// Questions, or pairs of contexts.
    pub questions: u64,
    /// The number of questions with several right answers.
    pub several: u64,
    /// How many of each subject (of terms: of each act).
    pub subjects: BTreeMap<String, u64>,
    /// SHA-256 of its content, hexadecimal. It is the same in every workspace.
    pub hash: String,
    /// Names of the files that it came from.
    pub files: Vec<String>,
    /// When it was brought in, RFC 3339, UTC.
    pub made: String,
}

/// The result of an import of an exam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExamReport {
    /// The exam.
    #[serde(flatten)]
    pub exam: ExamRow,
    /// How many of its items are in each language, as their texts show it.
    pub languages: BTreeMap<Language, u64>,
    /// The very same exam was here already under this name.
    pub unchanged: bool,
    /// Questions that the files hold.
    pub read: u64,
    /// Questions that cannot be used.
    pub left_out: u64,
    /// The first thousand of them, each with its line and the reason.
    pub rejected: Vec<RejectedQuestion>,
    /// The way in which numbers were counted, encodings other than UTF-8, columns that were not read.
    pub warnings: Vec<String>,
}

/// What a file holds that may be imported as an exam. Nothing of it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExamLook {
    /// The file.
    pub file: String,
    /// What importing it would keep and leave out; the exam has no date yet.
    pub found: ExamReport,
}

/// A question that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedQuestion {
    /// Its file.
    pub file: String,
    /// Its line in the file, from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// Systems side by side on an exam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExamTable {
    /// The exam's name.
    pub exam: String,
    /// Its hash.
    pub hash: String,
    /// The kind of cluster, whose items are drawn together: `question`.
    pub unit: String,
    /// Questions that were asked.
    pub n: usize,
    /// Their clusters: questions with one wording are one.
    pub clusters: usize,
    /// Questions of the exam.
    pub of: usize,
    /// How the questions were drawn; `None` = all were asked.
    pub sample: Option<ExamSample>,
    /// The system that the others are compared with, under its own scorers.
    pub baseline: Option<String>,
    /// A line for each system and scorer.
    pub systems: Vec<ExamLine>,
    /// Systems that could not be measured.
    pub missing: Vec<BenchMissing>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
}

/// A draw of questions, the same for the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExamSample {
    /// Most questions of each subject.
    pub each: usize,
    /// The seed.
    pub seed: u64,
}

/// A system under one scorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExamLine {
    /// The system, as the bench names it.
    pub system: String,
    /// The scorer: systems are compared under the same one alone.
    pub scorer: String,
    /// Its figures over the questions that it can read.
    pub figures: ExamFigures,
    /// Its figures for each subject.
    pub by_subject: BTreeMap<String, ExamFigures>,
    /// Its figures by the exam's own kinds of questions; empty where the exam names no kinds.
    pub by_kind: BTreeMap<String, ExamFigures>,
    /// Its figures over questions with several right answers; `None` where there are no such questions.
    pub several: Option<ExamFigures>,
    /// Questions in languages that it cannot read; they are not among its figures.
    pub unread: usize,
    /// Questions that are longer than it can read; they count as wrong.
    pub too_long: usize,
    /// Written answers that name no choice; they count as wrong.
    pub unparseable: usize,
    /// Questions whose choices all have one score: they count as the share that guessing has.
    pub undecided: usize,
    /// The difference in accuracy from the baseline under the same scorer, on the questions that both can read.
    pub against: Option<PairedComparison>,
}

/// Figures of questions of an exam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExamFigures {
    /// Questions.
    pub n: usize,
    /// Their clusters.
    pub clusters: usize,
    /// Share of questions for which exactly the right choices were given, as a set.
    pub accuracy: f64,
    /// Cluster bootstrap interval of it.
    pub ci95: [f64; 2],
    /// Mean share of a question's choices that were rightly given or rightly left.
    pub by_choice: f64,
    /// Cluster bootstrap interval of it.
    pub by_choice_ci95: [f64; 2],
    /// The accuracy of guessing.
    pub chance: f64,
}

/// Encoders and adapters side by side on terms in contexts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermsTable {
    /// The set's name; `snapshot N` where it was made of one.
    pub set: String,
    /// Its hash.
    pub hash: String,
    /// The kind of cluster, whose items are drawn together: `term`.
    pub unit: String,
    /// Pairs of contexts.
    pub n: usize,
    /// Different terms.
    pub clusters: usize,
    /// A line for each system.
    pub systems: Vec<TermsLine>,
    /// Systems that could not be measured.
    pub missing: Vec<BenchMissing>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
}

/// How well a system distinguishes terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermsLine {
    /// The system, as the bench names it.
    pub system: String,
    /// Its figures.
    pub figures: TermFigures,
    /// Pairwise accuracy by act, with its interval; empty where no act is named.
    pub by_act: BTreeMap<String, TermFigures>,
    /// Pairs in languages that it cannot read; they are not among its figures.
    pub unread: usize,
}
