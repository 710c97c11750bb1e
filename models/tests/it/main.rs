//! Tests of libtorch and the worker: one program, so that what they share is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.

mod all_weights;
mod architectures;
mod common;
mod decoder_lora;
mod demo;
mod embed;
mod encoders;
mod export;
mod folders;
mod gpu_checks;
mod gradients;
mod language;
mod less_work;
mod losses;
mod mapping;
mod masked_words;
mod memory;
mod minilm;
mod nf4;
mod peft;
mod pretrain;
mod ranks;
mod readers;
mod recompute;
mod reproducible;
mod resident;
mod resume;
mod retrieval;
mod scores;
mod serve;
mod stages;
mod token_match;
mod token_stage;
mod triplets;
