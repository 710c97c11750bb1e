//! The use cases: what a person does with Lexforge, in modules by the field of work.
//!
//! [`Engine`] is an open workspace. Each module offers what it can do with the workspace:
//! `engine.corpus().import(..)`, `engine.graph().build_graph(..)`. The window and the command line call the same
//! functions. A [`Watcher`] gets the progress of a long function and can cancel it. Every function that reads the
//! workspace can fail because the workspace cannot be read. The functions' documentation names only other errors.
//!
//! Each module uses only the modules before it in this list: `workspace`, `installation`, `models`, `targets`, `runs`,
//! `asking`, `corpus`, `review`, `terms`, `graph`, `writing`, `training`, `evaluation`, `answering`, `matching`.
//! `engine` opens workspaces and gives access to all modules. `main_job` uses them all, and `support` says which
//! program this is, and packs what a request for support needs.
#![forbid(unsafe_code)]

mod answering;
mod asking;
mod corpus;
mod engine;
mod evaluation;
mod graph;
mod installation;
mod main_job;
mod matching;
mod models;
mod review;
mod runs;
mod support;
mod targets;
mod terms;
mod training;
mod workspace;
mod writing;

pub use answering::{
    ALPHA, Against, AlikePair, Answering, CONFIDENCE, CalibrateRequest, RankQuery, RankRequest,
    Ranked, alike_pairs, ranking_figures, scored_sets,
};
pub use asking::{AskRequest, Asking, BatchOut, JudgeRequest, LocalModel};
pub use corpus::{Corpus, text};
pub use engine::Engine;
pub use evaluation::{
    BenchOrder, BenchRequest, BertScore, DriftRequest, Evaluations, ExamBenchRequest, ExamPassage,
    ExamRequest, PaperHow, QaRequest, Since, TermSpaceRequest, TermsBenchRequest,
    classification_figures, control_in_words, qa_figures, scored_pairs_of, similarity_figures,
    space_figures,
};
pub use graph::{Encoder, Graph, GraphRequest, ShownCentre};
pub use installation::{go_back, installation, packs, remove_pack, take_pack_in, update_from};
pub use lexforge_evaluate::gate::Assumption;
pub use lexforge_evaluate::report::{SCALE, verdict_in_words};
pub use lexforge_evaluate::text_metrics::BleuCut;
pub use lexforge_ingest::ParseOptions;
pub use lexforge_log::{Deed, Log};
pub use main_job::{MainJobRequest, Prepared};
pub use matching::{
    BenchmarkRequest, Benchmarked, Matching, benchmark, benchmark_coverage, told_difference,
};
pub use models::{Models, base_models, doctor, embed_file, say_reading};
pub use review::Review;
pub use runs::Runs;
pub use support::{about, about_worker, support_parts, write_support};
pub use targets::{
    Cleaning, add_target, answer_ssh, carry_question, change_target, check_target, clean_target,
    hear_ssh, install_on, kept_there, manifest, note_trust, remove_target, replace_host_key,
    script_with, show_host_key, ssh_questions, targets,
};
pub use terms::{TermRequest, Terms, TermsBatchIn};
pub use training::{Training, inspect_for, recipe_cards};
pub use workspace::{
    AuditAgainst, DEFAULT_SEED, OpenWorkspace, Result, Seen, Silent, Watcher, ask_passphrases_with,
    begin_log, change_passphrase, decrypt_workspace, encrypt_workspace, forget_workspace,
    is_encrypted, log_view, protect_key_file, remember_workspace, removed_leftovers, restore,
    set_log_level, unlock_key_file, unlock_workspace, unprotect_key_file, write_named,
};
pub use writing::{
    BatchIn, SimilarityExport, Writing, reason_in_words, shift_types, shift_types_of,
};
