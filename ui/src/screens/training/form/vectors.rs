//! How a base model makes vectors of texts, as its folder says.

use crate::format;
use crate::i18n::{t, tf};
use lexforge_domain::protocol::{Pooling, TextReading};

/// How the vectors of a text's tokens become one.
pub fn pooled(pooling: Pooling) -> String {
    match pooling {
        Pooling::Mean => t("base.pooled_mean"),
        Pooling::Cls => t("base.pooled_first"),
        Pooling::Last => t("base.pooled_last"),
        Pooling::Max => t("base.pooled_max"),
        Pooling::MeanSqrt => t("base.pooled_root"),
        Pooling::WeightedMean => t("base.pooled_weighted"),
    }
}

/// Pooling and longest input; also the words before questions and passages, if there are any.
pub fn of_texts(reading: &TextReading) -> String {
    let pooled = pooled(reading.pooling);
    let longest = format::count(reading.max_length as u64);
    let text = tf("base.vectors_of", &[("pooled", &pooled), ("n", &longest)]);
    if reading.question.is_empty() && reading.passage.is_empty() {
        return text;
    }
    let words = [
        ("question", &*reading.question),
        ("passage", &*reading.passage),
    ];
    format!("{text} · {}", tf("base.words_before", &words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_before_texts_are_told_where_there_are_some() {
        let mut reading = TextReading {
            pooling: Pooling::Cls,
            max_length: 512,
            ..TextReading::default()
        };
        let plain = of_texts(&reading);
        assert!(plain.contains("512") && !plain.contains('·'), "{plain}");
        reading.pooling = Pooling::Last;
        assert_ne!(of_texts(&reading), plain);
        reading.question = "query: ".to_owned();
        let prompted = of_texts(&reading);
        assert!(prompted.contains("“query: ”"), "{prompted}");
    }
}
