//! Echo (Springer et al., 2024): a decoder reads each text twice, and the vector is that of the last token. A decoder
//! normally computes each word only from the words before it; in the second reading, each word also depends on the
//! whole text.

use super::Models;
use super::base::BaseModel;
use super::vectors::Embedding;
use crate::workspace::{Result, Watcher};
use lexforge_domain::Failure;
use lexforge_domain::api::Stage;
use lexforge_domain::protocol::{Pooling, TextReading};
use lexforge_graph::Matrix;

/// The text that the decoder reads.
pub(crate) fn read_twice(text: &str) -> String {
    format!("Rewrite the sentence: {text}\nRewritten sentence: {text}")
}

impl Models<'_> {
    /// Vectors of unit length by a decoder that reads each text twice.
    pub(crate) fn embedded_twice(
        &self,
        base: &BaseModel,
        texts: &[&str],
        watcher: &dyn Watcher,
    ) -> Result<Matrix> {
        let twice: Vec<String> = texts.iter().map(|text| read_twice(text)).collect();
        let twice: Vec<&str> = twice.iter().map(String::as_str).collect();
        self.embedded_by_last_token(base, &twice, watcher)
    }

    /// Vectors of unit length by a decoder that reads each text once, as when it writes. The vector is that of the last
    /// token, which alone has seen the whole text.
    pub(crate) fn embedded_by_last_token(
        &self,
        base: &BaseModel,
        texts: &[&str],
        watcher: &dyn Watcher,
    ) -> Result<Matrix> {
        let what = Embedding {
            goes_on: true,
            ..Embedding::of(Stage::Embed)
        };
        let (vectors, _) = self.embed_as(base, None, texts, &what, watcher)?;
        Ok(vectors.normalized())
    }
}

/// How a folder's texts are read then: the folder's own pooling and prompts do not count.
pub(crate) fn reading_of_last_token(folder: &TextReading) -> TextReading {
    TextReading {
        pooling: Pooling::Last,
        causal: true,
        question: String::new(),
        passage: String::new(),
        ..folder.clone()
    }
}

/// The failure where something that only decoders do is asked of an encoder.
pub(crate) fn is_an_encoder(base: &BaseModel) -> Failure {
    Failure::invalid(
        format!(
            "{} is an encoder: it is given texts as they stand, and no prompt.",
            base.name
        ),
        "Name a decoder.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_stands_twice_and_the_last_token_counts() {
        let text = "Banks report.";
        let read = read_twice(text);
        assert_eq!(read.matches(text).count(), 2);
        assert!(read.ends_with(text));
        let folder = TextReading {
            question: "query: ".to_owned(),
            passage: "passage: ".to_owned(),
            max_length: 77,
            ..TextReading::default()
        };
        let reading = reading_of_last_token(&folder);
        assert_eq!((reading.pooling, reading.causal), (Pooling::Last, true));
        assert_eq!((reading.question, reading.passage), Default::default());
        assert_eq!(reading.max_length, 77);
    }
}
