//! The requests of the window and the command line, and the answers to them: one file for each crate or module that
//! answers. [`commands`] is the table of everything that the window can ask.

pub mod commands;

mod agreement;
mod answer_note;
mod answer_since;
mod answering;
mod attack;
mod audit;
mod backup;
mod bench;
mod bench_judge;
mod bench_on;
mod bench_plan;
mod citation;
mod corpus_check;
mod cost;
mod deployment;
mod evaluation;
mod exam;
mod exam_task;
mod export;
mod extent;
mod file_figures;
mod glossary;
mod graph;
mod import;
mod installation;
mod library;
mod look_alike;
mod main_job;
mod match_changes;
mod match_import;
mod match_learned;
mod match_overview;
mod match_text;
mod matching;
mod neighbourhood;
mod packets;
mod papers;
mod people;
mod preset;
mod prompts;
mod questions;
mod ranking;
mod recipe_card;
mod referred;
mod reranked;
mod reranking;
mod review;
mod rows;
mod run_state;
mod similarity;
mod storage;
mod sweep;
mod targets;
mod tasks;
mod terms;
mod training;
mod triplets;
mod validity;
mod verdicts;
mod window;
mod workspace;
mod writing;
mod written;

pub use agreement::*;
pub use answer_note::{AnswerNote, VectorStep};
pub use answer_since::{AnswerChange, AnswerThen, CitedThen, DocumentChange};
pub use answering::*;
pub use attack::{Attack, AttackRow, AttackTable};
pub use audit::*;
pub use backup::*;
pub use bench::{
    BenchChoice, BenchMissing, BenchRow, BenchSnapshot, BenchTable, GeneralFigures, KeptBench,
    WrittenFigures,
};
pub use bench_judge::{BenchJudge, BenchJudging, ExpertAgreement, JudgedFigures, JudgedPair};
pub use bench_on::{BenchAsked, BenchChoices, BenchOn, BenchOutcome, GeneralPairs, KeptOutcome};
pub use bench_plan::{BenchAhead, BenchPlan, BenchTime};
pub use citation::Citation;
pub use corpus_check::*;
pub use cost::{CostEstimate, HourlyPrice, Pace, Spent};
pub use deployment::{
    Activation, ActiveModels, Deployment, DeploymentAction, DeploymentRow, GateAgainst,
    GateOverride, GateRequest, LEAST_REASON, ModelKind, ScoredPair,
};
pub use evaluation::*;
pub use exam::*;
pub use exam_task::*;
pub use export::*;
pub use extent::*;
pub use file_figures::{
    BertScoreFigures, ClassFigures, ClassificationFigures, ConfusedAt, ConfusedPair,
    OverlapFigures, QaFigures, QaItem, SimilarityFigures, SpaceFigures,
};
pub use glossary::*;
pub use graph::*;
pub use import::*;
pub use installation::{About, AboutWorker, Installation, Pack, PackTaken, Updated};
pub use library::*;
pub use look_alike::*;
pub use main_job::*;
pub use match_changes::*;
pub use match_import::*;
pub use match_learned::*;
pub use match_overview::*;
pub use match_text::{MatchChannel, MatchRelation, MatchText};
pub use matching::{
    DifferenceKind, DifferenceSide, MatchAddressee, MatchCandidate, MatchDecide, MatchDecision,
    MatchDifference, MatchExport, MatchFinding, MatchFound, MatchMethodRow, MatchPlain,
    MatchReport, MatchRequest, MatchRow, MatchSetAside, MatchThreshold, MatchVerdict,
    NearStatement, Severity, WhyNot, WhyNotReason,
};
pub use neighbourhood::*;
pub use packets::*;
pub use papers::*;
pub use people::*;
pub use preset::Preset;
pub use prompts::*;
pub use questions::*;
pub use ranking::*;
pub use recipe_card::*;
pub use referred::Referred;
pub use reranked::*;
pub use reranking::*;
pub use review::*;
pub use rows::*;
pub use run_state::RunState;
pub use similarity::{
    DrawnStratum, ScoreRefused, ScoresRead, SimilarityDraw, SimilarityFilter, SimilarityPair,
    SimilarityPlace, SimilarityRequest, SimilarityRow, SimilarityWritten,
};
pub use storage::{Storage, StoragePart, StorageRow};
pub use sweep::{
    Combination, DevFigure, DevMeasure, ItemsPerAnchor, Sweep, SweepAxes, SweepRequest, SweepRow,
};
pub use targets::{
    Cleaned, HostKey, HostKeyState, HostKeys, Installed, KeptKind, KeptThere, KeptThing,
    KeyTrusted, KnownKey, SshAsks, SshQuestion, Target, TargetList, TargetPlace, UnreadableTarget,
};
pub use tasks::*;
pub use terms::*;
pub use training::*;
pub use triplets::{
    Bounded, NewTriplet, OwnPairs, ShiftType, TripletCounts, TripletFigures, TripletFilter,
    TripletMaker, TripletOrigin, TripletPoint, TripletReport, TripletRow, TripletsAsked,
    TripletsBy, TripletsMeasured, TripletsRequest, shift_is,
};
pub use validity::{OutOfForce, Validity, ValidityProposal};
pub use verdicts::*;
pub use window::*;
pub use workspace::*;
pub use writing::*;
pub use written::*;
