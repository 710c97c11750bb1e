//! Everything that links libtorch: the worker that embeds texts, trains adapters and describes
//! model folders.
//!
//! It meets the rest of the product only through files (the job bundle of
//! [`lexforge_domain::protocol`]) and through its process. The way through the crate: [`command`]
//! reads the command line; [`job`] holds a bundle, writes its events and runs its job;
//! [`embed`] and [`train`] (whose stages are [`lessons`]) do the work with an [`encoder`], which is a [`tokenizer`], an
//! architecture ([`architecture`]: [`bert`] with its heirs, [`modernbert`], [`deberta`], [`t5`], [`transformer`], over [`layers`] and [`sizes`]) over memory-mapped [`weights`], [`lora`]
//! layers and [`pooling`]; a [`decoder`] is the same without pooling, with logits and a [`cache`]; [`adapter`] reads and writes PEFT's format; [`infonce`] is the sentence stage's
//! loss, [`optimizer`] and [`schedule`] make the step, [`checkpoint`] makes it survive a crash.
//!
//! A decoder with its tokenizer is a [`language`] model, asked through its [`chat`] template; it writes
//! ([`generate`]), scores choices ([`score`], [`score_job`]) and learns by a [`loss`]: [`sft`], the sentence stage's
//! ([`infonce`], [`vector_loss`]) or the token stage's ([`token_item`], [`token_loss`]), whose logits are
//! read off texts with shared beginnings ([`continuations`], [`terms`]). [`recompute`] takes a gradient layer by
//! layer where memory is short. Several processes train one adapter as [`ranks`].
//!
//! [`token_match`] compares texts token by token.
//!
//! [`serving`] puts a model behind an HTTP address. A training holds the [`lease`] of its GPU meanwhile.
//!
//! What was trained leaves by an [`export`]: merged weights, a GGUF file ([`gguf`]) or the adapter itself, each read back
//! and compared.
//!
//! A small decoder of one's own is made from texts by [`pretrain`]: a tokenizer ([`bpe`]), weights at random,
//! and full training on windows of a [`corpus`].
//!
//! `unsafe` is allowed in [`shim`] (calls into C++), [`weights`] (memory mapping) and [`allowance`] (an allocator that
//! counts) alone.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod activation;
pub mod adapter;
pub mod all_weights;
pub mod allowance;
pub mod architecture;
pub mod attempt;
pub mod attention;
pub mod bert;
pub mod bpe;
pub mod bundle;
pub mod cache;
pub mod caches;
pub mod chat;
pub mod checkpoint;
pub mod classifier;
pub mod command;
pub mod continuations;
pub mod contrastive_token;
pub mod control;
pub mod corpus;
pub mod cuda;
pub mod data;
pub mod deberta;
pub mod decoder;
pub mod dense;
pub mod device;
pub mod distilbert;
pub mod embed;
pub mod encoder;
pub mod encoder_config;
pub mod error;
pub mod events;
pub mod export;
pub mod files;
pub mod folder;
pub mod generate;
pub mod gguf;
pub mod gradients;
pub mod infonce;
pub mod inspect;
pub mod job;
pub mod language;
pub mod layers;
pub mod lease;
pub mod lessons;
pub mod llama;
pub mod lora;
pub mod loss;
pub mod loss_scale;
pub mod masked;
pub mod memory;
pub mod mentions;
pub mod mistral;
pub mod modernbert;
pub mod modules;
pub mod mpnet;
pub mod named_choice;
pub mod nf4;
pub mod normaliser;
pub mod norms;
pub mod optimizer;
pub mod outlines;
pub mod packing;
pub mod parts;
pub mod peft;
pub mod platform;
pub mod pooling;
pub mod pretrain;
pub mod qwen2;
pub mod qwen3;
pub mod ranks;
pub mod reader;
pub mod reading;
pub mod recompute;
pub mod relative;
pub mod resident;
pub mod roberta;
pub mod rope;
pub mod schedule;
pub mod score;
pub mod score_job;
pub mod serving;
pub mod sft;
pub mod shim;
pub mod sidecar;
pub mod sizes;
pub mod t5;
pub mod tensors;
pub mod terms;
pub mod token_item;
pub mod token_loss;
pub mod token_match;
pub mod tokenizer;
pub mod train;
pub mod transformer;
pub mod updates;
pub mod vector_loss;
pub mod vectors;
pub mod vocabulary;
pub mod weights;

pub use error::{Error, Result};
