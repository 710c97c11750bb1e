//! GGUF, version 3: one file with a model's settings, its tokenizer and its tensors. llama.cpp and programs that build
//! on it load such files. [`mod@write`] writes the file and [`read`] reads it back. [`decoder`] converts a decoder, and
//! [`words`] converts its tokenizer.
//!
//! The layout, the names of the settings and the block of `Q8_0` are taken from the format's own description
//! (ggml/docs/gguf.md).

pub mod blocks;
pub mod decoder;
pub mod read;
pub mod stored;
pub mod words;
pub mod write;

pub use stored::Stored;

/// The first bytes of a file.
pub(crate) const MAGIC: [u8; 4] = *b"GGUF";
/// The version that is written and read.
pub const VERSION: u32 = 3;
/// The places of tensors are multiples of this number unless a file says otherwise.
pub(crate) const ALIGNMENT: u64 = 32;

/// A setting with its name.
pub type Named = (String, Value);

/// A setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A natural number.
    U32(u32),
    /// A whole number.
    I32(i32),
    /// A number.
    F32(f32),
    /// Yes or no.
    Bool(bool),
    /// A text.
    Text(String),
    /// Texts.
    Texts(Vec<String>),
    /// Whole numbers.
    I32s(Vec<i32>),
    /// Numbers.
    F32s(Vec<f32>),
}

/// The format's numbers for types of settings.
mod code {
    pub const U8: u32 = 0;
    pub(crate) const I8: u32 = 1;
    pub(crate) const U16: u32 = 2;
    pub(crate) const I16: u32 = 3;
    pub(crate) const U32: u32 = 4;
    pub(crate) const I32: u32 = 5;
    pub const F32: u32 = 6;
    pub(crate) const BOOL: u32 = 7;
    pub const TEXT: u32 = 8;
    pub const LIST: u32 = 9;
    pub(crate) const U64: u32 = 10;
    pub(crate) const I64: u32 = 11;
    pub(crate) const F64: u32 = 12;
}
