//! The card of a set of scored pairs: a page of text that goes with the table.

use lexforge_domain::agreement::Interval;
use lexforge_domain::api::SimilarityDraw;
use std::fmt::Write as _;

/// What the whole points mean, from 0 on. The page of the window says the same in the reader's language.
pub const SCALE: [&str; 6] = [
    "the two are about different things",
    "not the same statement, but about the same subject",
    "not the same statement, but they share some details",
    "roughly the same, but something that matters differs or is missing",
    "the same in all that matters; only small details differ",
    "the same: nobody would act differently on one than on the other",
];

/// What a card says.
#[derive(Clone, Debug)]
pub struct SimilarityCard<'c> {
    /// The draws that the pairs came from, each with its time.
    pub draws: &'c [(String, SimilarityDraw)],
    /// Points of the pairs in the table.
    pub points: &'c [f64],
    /// Of these, pairs that one person alone scored.
    pub single: u64,
    /// Pairs that were left out because their scores are too far apart.
    pub disputed: u64,
    /// Pairs that nobody has scored.
    pub unscored: u64,
    /// People who scored.
    pub reviewers: u32,
    /// Krippendorff's α, interval-scaled.
    pub alpha: Interval,
    /// SHA-256 over the documents.
    pub corpus: &'c str,
    /// The head of the audit chain.
    pub head: &'c str,
}

/// The card as Markdown.
pub fn similarity_card(card: &SimilarityCard) -> String {
    let mut text = String::from("# Scored pairs of sentences\n\n");
    let _ = writeln!(
        text,
        "{} pairs, scored by {} people. Of these {} were scored by one person alone. Left out: {} pairs whose scores are more \
         than 2 points apart and that nobody settled, and {} that nobody has scored.\n",
        card.points.len(),
        card.reviewers,
        card.single,
        card.disputed,
        card.unscored
    );
    let alpha = match (card.alpha.value, card.alpha.low, card.alpha.high) {
        (Some(value), Some(low), Some(high)) => format!("{value:.3} [{low:.3}, {high:.3}]"),
        (Some(value), ..) => format!("{value:.3}"),
        _ => "not defined: no pair has two scores that could differ".to_owned(),
    };
    let _ = writeln!(
        text,
        "Agreement, Krippendorff's α (interval-scaled, 95 % interval by pairs): {alpha}.\n\n## The scale\n"
    );
    for (points, means) in SCALE.iter().enumerate() {
        let _ = writeln!(text, "- {points}: {means}");
    }
    text.push_str("\nHalf points lie between. A pair's score is the mean of its scores, or the one that settled it.\n\n");
    text.push_str("## How many pairs have which score\n\n| score | pairs |\n|---|---|\n");
    for points in 0..SCALE.len() {
        let near = |p: &&f64| (**p).round() as usize == points;
        let n = card.points.iter().filter(near).count();
        let _ = writeln!(text, "| about {points} | {n} |");
    }
    for (made, draw) in card.draws {
        let _ = writeln!(
            text,
            "\n## Drawn {made}\n\n{} of {} pairs that were wanted, language {}, {} within one document; seed {}; at most {} \
             pairs a sentence. {} sentences were compared by {} (SHA-256 {}).\n",
            draw.drawn,
            draw.wanted,
            draw.language.tag(),
            draw.within,
            draw.seed,
            draw.most_of_a_sentence,
            draw.sentences,
            draw.encoder,
            draw.encoder_sha256
        );
        text.push_str("| cosine | pairs there | wanted | drawn |\n|---|---|---|---|\n");
        for stratum in &draw.strata {
            let _ = writeln!(
                text,
                "| {:.3} to {:.3} | {} | {} | {} |",
                stratum.from, stratum.to, stratum.pairs, stratum.wanted, stratum.drawn
            );
        }
        for (reason, n) in &draw.left_out {
            let _ = writeln!(text, "\n{n} sentences left out: {reason}");
        }
    }
    let _ = writeln!(
        text,
        "\nCorpus SHA-256 {}\nHead of the audit chain {}",
        card.corpus, card.head
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::DrawnStratum;
    use lexforge_domain::text::Language;
    use std::collections::BTreeMap;

    #[test]
    fn a_card_says_what_the_table_holds_and_what_was_left_out() {
        let draw = SimilarityDraw {
            encoder: "an encoder".to_owned(),
            encoder_sha256: "ab".repeat(32),
            language: Language::En,
            seed: 7,
            sentences: 40,
            left_out: BTreeMap::from([("near_duplicate".to_owned(), 3)]),
            most_of_a_sentence: 2,
            wanted: 6,
            drawn: 5,
            within: 2,
            strata: vec![DrawnStratum {
                from: 0.1,
                to: 0.25,
                pairs: 9,
                wanted: 6,
                drawn: 5,
            }],
        };
        let card = similarity_card(&SimilarityCard {
            draws: &[("2026-07-01".to_owned(), draw)],
            points: &[0.0, 2.5, 3.25],
            single: 1,
            disputed: 2,
            unscored: 4,
            reviewers: 2,
            alpha: Interval {
                value: Some(0.81),
                low: Some(0.7),
                high: Some(0.9),
                undefined: None,
            },
            corpus: "cd",
            head: "ef",
        });
        for said in [
            "3 pairs, scored by 2 people",
            "Left out: 2 pairs",
            "0.810 [0.700, 0.900]",
            "| about 3 | 2 |",
            "| 0.100 to 0.250 | 9 | 6 | 5 |",
            "3 sentences left out: near_duplicate",
            "audit chain ef",
        ] {
            assert!(card.contains(said), "{said} in\n{card}");
        }
    }
}
