//! Base models: naming them, finding them, describing them, and what the worker makes with them.

mod base;
mod bases;
mod doctor;
mod echo;
mod encoders;
mod folder_state;
mod inspect;
mod known_words;
mod more_words;
mod new_folder;
mod resident;
mod said_reading;
mod shipped;
mod storage;
mod term_vectors;
mod token_match;
mod vectors;
mod worker;

use crate::workspace::OpenWorkspace;

pub(crate) use base::{BaseModel, DEFAULT_ENCODER, DEMO_DECODER};
pub use bases::base_models;
pub(crate) use bases::{described, folder_of, hindrances, model_places};
pub use doctor::doctor;
pub(crate) use echo::{is_an_encoder, read_twice, reading_of_last_token};
pub(crate) use encoders::{
    ENCODERS_SETTING, EncoderUse, LAST_TOKEN, LSA_DIM, ahead_label, basis_name, for_languages,
    is_by_last_token, is_counted, lsa_label, minilm_label, named_label, no_graph, reads,
    suits_minilm,
};
pub(crate) use folder_state::weights_of;
pub(crate) use inspect::{inspect, tokens};
pub(crate) use known_words::is_known_word;
pub(crate) use new_folder::{GivesWay, OUTPUT, put_in_place, refuse_what_stands};
pub use said_reading::say_reading;
pub(crate) use shipped::Shipped;
pub(crate) use term_vectors::TermVectors;
pub(crate) use token_match::token_matches;
pub use vectors::embed_file;
pub(crate) use vectors::{ENCODER_MAX_LENGTH, Embedding, embedded_in};
pub(crate) use worker::{ADAPTER_DIR, copy_adapter, result_lines, run_job, wrong_result};

/// The base models that an open workspace can be worked on with.
#[derive(Clone, Copy)]
pub struct Models<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Models<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}
