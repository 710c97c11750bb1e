//! Question writers and the checks on what they write.
//!
//! A [`QuestionWriter`] gets an [`Anchor`] (a sentence with its terms and its neighbours in the graph) and drafts
//! questions with choices (QCA, docs/methods.md, "Questions"). Every draft, whoever wrote it, goes through
//! [`validate()`] and the [`Deduplicator`] before it is kept. The questions that were not drafted or were rejected are
//! counted by reason ([`SkipReason`], [`Rejection`]).
//!
//! The [`OfflineWriter`] (`offline`) needs no language model. It works in English and Chinese. It splits a rule into
//! its parts (`english`, `chinese`) and asks about them: who acts, when, how much, with which force, what a term means,
//! which item is in the rule's list, or which of four wordings the rule has. The four wordings differ in two places
//! with two values each (`offline::squares`). They are chosen so that the right one cannot be recognised by its length,
//! its wording or its likeness to the others (`offline::balance`).
//!
//! The [`LlmWriter`] uses a language model: [`PromptWriter`] makes the prompt about an anchor, [`endpoint`] sends it,
//! and the writer makes drafts from the answers. The prompts are files that a user can edit ([`wording`]).
//!
//! [`OfflineTriplets`] makes triplets: a sentence, its rewording, and the sentence with one thing changed ([`shifts`]).
//! [`extract`] finds terms with a language model, by a schema ([`schemas`]). This crate stores nothing.
#![forbid(unsafe_code)]

mod addressee;
mod anchor;
mod asked;
mod chinese;
mod clause;
mod dedup;
mod distractors;
pub mod endpoint;
mod english;
pub mod extract;
mod fence;
mod grammar;
mod keeps;
mod llm;
mod meanings;
mod offline;
mod quoted;
mod reasons;
pub mod schemas;
mod seed;
pub mod shifts;
mod usage;
mod validate;
mod whom;
pub mod wording;
mod words;
mod writer;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod controls;

pub use addressee::{addressee, names_public_board};
pub use anchor::{Anchor, AnchorTerm, Neighbour};
pub use dedup::Deduplicator;
pub use keeps::{
    Binding, Compared, Difference, Force, Held, Lost, Side, differences, force, held, lost,
    lost_in_translation, reverses, reverses_a_word, tells_how_long, translated_into,
};
pub use llm::exam;
pub use llm::rubric;
pub use llm::{
    AnswerPrompter, AnswerText, Answers, ArrivingAnswer, Chain, GivenClause, JudgePrompter,
    Judgement, Judging, LlmWriter, Meant, PROMPTS_A_SENTENCE, Planned, PromptWriter, Reading,
    RewriteFault, Standing, TripletPrompter, TripletStanding, WrittenAnswer, WrittenCitation,
    WrittenStatement, WrittenTriplet, read_answer, read_judgement, read_paraphrase, read_queries,
    read_translation, read_variants, turned_down,
};
pub use offline::{
    DraftedTriplets, OfflineTriplets, OfflineWriter, REWRITTEN, SimilarTerms, TripletDraft,
    attacked,
};
pub use quoted::quotes;
pub use reasons::{Rejection, Skip, SkipReason};
pub use usage::Usage;
pub use validate::{GROUNDED, validate};
pub use whom::{Addressee, Surroundings};
pub use words::borne_out;
pub use writer::QuestionWriter;
