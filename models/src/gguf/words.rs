//! Converts a tokenizer to settings of a GGUF file and back.
//!
//! Two kinds are supported. One is byte-level BPE (`gpt2`: GPT-2, LLaMA 3, Qwen). There are several ways in which such
//! a tokenizer cuts a text into words, and GGUF has a name for each. The other is BPE over characters with single bytes
//! for unknown ones, as SentencePiece makes it (`llama`: LLaMA 2, Mistral); its merges become scores of the tokens.

mod characters;
mod from_file;
mod from_folder;

pub use from_file::GgufWords;
pub use from_folder::settings;

use crate::texts::vocabulary::QWEN_WORDS;

/// How LLaMA 3 cuts a text: as Qwen does, with up to three digits together.
const LLAMA3_WORDS: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);
/// The format's names for ways of cutting a text, by the expression that cuts.
const CUTS: [(&str, &str); 2] = [("qwen2", QWEN_WORDS), ("llama-bpe", LLAMA3_WORDS)];
/// The name of GPT-2's own cut.
const GPT2_CUT: &str = "gpt-2";
/// The character that stands for a space in the tokens of SentencePiece.
const SPACE: &str = "\u{2581}";

/// The format's numbers for kinds of tokens.
mod kind {
    pub(crate) const NORMAL: i32 = 1;
    pub(crate) const UNKNOWN: i32 = 2;
    pub const CONTROL: i32 = 3;
    pub(crate) const USER_DEFINED: i32 = 4;
    pub(crate) const UNUSED: i32 = 5;
    pub(crate) const BYTE: i32 = 6;
}
