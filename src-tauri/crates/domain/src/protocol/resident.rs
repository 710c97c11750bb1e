//! The messages between the engine and a worker that stays running to make vectors of questions or to score pairs: one
//! line of JSON in each direction.

use super::{RerankScores, TextReading, TextSide};
use crate::Failure;
use serde::{Deserialize, Serialize};

/// The worker's first line: it is ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidentReady {
    /// [`super::PROTOCOL_VERSION`] of the worker.
    pub protocol_version: u32,
    /// Values a vector; 1 where pairs are scored.
    pub dim: usize,
    /// How texts are read.
    pub reading: TextReading,
    /// One SHA-256 over everything that the vectors depend on: configuration, tokenizer, weights and adapter.
    pub content: String,
}

/// A line to the worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidentRequest {
    /// The kind of the texts: questions or passages.
    pub side: TextSide,
    /// The texts.
    pub texts: Vec<String>,
}

/// The worker's answer to a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResidentReply {
    /// A vector a text, in their order, each as [`vector_to_hex`] writes it.
    Vectors(Vec<String>),
    /// Of a worker that reads pairs: the scores of a [`super::RerankRequest`].
    Scores(RerankScores),
    /// Why there is neither.
    Failed(Failure),
}

/// A vector in hexadecimal, its values as four bytes each, the lowest first: to the last bit what it was.
pub fn vector_to_hex(vector: &[f32]) -> String {
    let mut text = String::with_capacity(vector.len() * 8);
    for byte in vector.iter().flat_map(|value| value.to_le_bytes()) {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    text
}

/// The vector that [`vector_to_hex`] wrote; `None` where the text is not of that form.
pub fn vector_of_hex(text: &str) -> Option<Vec<f32>> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    let (values, rest) = text.as_bytes().as_chunks::<8>();
    if !rest.is_empty() {
        return None;
    }
    values
        .iter()
        .map(|digits| {
            let mut bytes = [0u8; 4];
            for (byte, pair) in bytes.iter_mut().zip(digits.as_chunks::<2>().0) {
                *byte = digit(pair[0])? << 4 | digit(pair[1])?;
            }
            Some(f32::from_le_bytes(bytes))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_comes_back_to_the_last_bit() {
        let vector = [0.1f32, -0.0, f32::MIN_POSITIVE, 1e-40, -3.5e7];
        let back = vector_of_hex(&vector_to_hex(&vector)).unwrap_or_default();
        let bits = |v: &[f32]| v.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
        assert_eq!(bits(&back), bits(&vector));
        assert_eq!(vector_to_hex(&[1.0]), "0000803f");
        for wrong in ["0000803", "0000803g", "zz"] {
            assert_eq!(vector_of_hex(wrong), None, "{wrong}");
        }
        assert_eq!(vector_of_hex(""), Some(Vec::new()));
    }
}
