//! How likely it is that a statement, or a whole policy, covers a rule.

use super::sides::{Scores, Sides};
use lexforge_domain::api::MatchChannel;
use lexforge_graph::pairing;

/// Weights of four figures, then the constant. The figures are: the cosine of words; the share of the rule's words; the
/// cosine of vectors; and the cosine of vectors from which the part that all texts share was removed. Fitted on
/// ContractNLI's public part, on the best statement of each contract for each demand (tools/bench/coverage.py). The
/// weights for words alone were fitted on the same data.
const WITH_VECTORS: ([f64; 4], f64) = ([2.837, 3.449, 1.708, 1.598], -3.679);
const WORDS_ALONE: ([f64; 2], f64) = ([3.965, 4.113], -2.478);

/// A cosine says something only if it is at least this much above the mean of all statements, because some encoders
/// give even unrelated texts high cosines.
const STANDS_OUT: f64 = 0.25;
/// If an encoder's mean cosine is at least this high, unrelated texts have nearly as high a cosine as related ones
/// (multilingual-e5-small: .845 between questions and articles of Chinese statutes). Then only the distance of a cosine
/// above the mean is informative.
const USUALLY_HIGH: f64 = 0.7;

/// How a statement and a rule compare by numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Likeness {
    /// Cosine of the weights of their words.
    pub words: f64,
    /// Share of the rule's words that the statement has, by weight. Of an item of a list its own words count half, if
    /// that is more.
    pub covered: f64,
    /// How much of that share is due to the weight of the item's own words.
    pub by_item: f64,
    /// Share of the statement's words that the rule has.
    pub covering: f64,
    /// Cosine of their vectors, and the same less what all texts share.
    pub vectors: Option<(f64, f64)>,
    /// The cosine of the rule with the nearest sentence of the statement. `None` if no encoder made the vectors, or if
    /// the cosine is hardly higher than those of all statements on average.
    pub meaning: Option<f64>,
}

impl Likeness {
    /// The likeness of an asked text and a text of the other side.
    pub fn of(sides: &Sides, scores: &Scores, asked: usize, text: usize) -> Self {
        let (rule, statement) = (&sides.asked[asked], &sides.texts[text]);
        let cosine =
            |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(x, y)| f64::from(x * y)).sum() };
        let share = |of: &pairing::Bag| f64::from(sides.words.covered(of, statement));
        let (whole, item) = (share(rule), share(&sides.items[asked]));
        Self {
            words: f64::from(scores.tfidf[text]),
            // The introduction of a list may be much longer than its items.
            covered: whole.max(f64::midpoint(whole, item)),
            by_item: (f64::midpoint(whole, item) - whole).max(0.0),
            covering: f64::from(sides.words.covered(statement, rule)),
            vectors: sides.vectors.as_ref().map(|v| {
                let usual = scores.pieces.as_ref().map(|(_, usual)| *usual);
                (
                    told(cosine(v.whole.0.row(asked), v.whole.1.row(text)), usual),
                    cosine(v.centred.0.row(asked), v.centred.1.row(text)),
                )
            }),
            meaning: scores.pieces.as_ref().and_then(|(cosines, usual)| {
                let pieces = sides.vectors.as_ref()?.pieces.as_ref()?;
                let nearest = pieces.nearest(cosines, text);
                (nearest - usual >= STANDS_OUT).then_some(nearest)
            }),
        }
    }

    /// The greatest of each, over statements: what a policy has to say of a rule.
    pub fn best(all: &[Self]) -> Self {
        let mut best = Self::default();
        for one in all {
            best.words = best.words.max(one.words);
            best.covered = best.covered.max(one.covered);
            best.covering = best.covering.max(one.covering);
            best.vectors = match (best.vectors, one.vectors) {
                (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.max(b.1))),
                (a, b) => a.or(b),
            };
            best.meaning = best.meaning.into_iter().chain(one.meaning).reduce(f64::max);
        }
        best
    }

    /// How likely it is that the rule is covered.
    pub fn probability(&self) -> f64 {
        let sum = match self.vectors {
            Some((plain, centred)) => {
                let ([a, b, c, d], constant) = WITH_VECTORS;
                a * self.words + b * self.covered + c * plain + d * centred + constant
            }
            None => {
                let ([a, b], constant) = WORDS_ALONE;
                a * self.words + b * self.covered + constant
            }
        };
        1.0 / (1.0 + (-sum).exp())
    }
}

/// The meaning of a cosine, given the mean of all cosines.
fn told(cosine: f64, usual: Option<f64>) -> f64 {
    cosine - usual.filter(|usual| *usual >= USUALLY_HIGH).unwrap_or(0.0)
}

/// The first statements by some scores; a score of 0 finds nothing.
pub(super) fn first_ones(scores: &[f32], most: usize) -> impl Iterator<Item = usize> {
    let first = pairing::greatest(scores, most).into_iter();
    first
        .filter(|(_, score)| *score > 0.0)
        .map(|(place, _)| place)
}

/// For each kind of scores the statements that it finds: those among its own first ones.
pub(super) struct Finds<'s> {
    /// Kinds, each with its channel, its scores and the least score of the first ones. Words and vectors vote.
    kinds: Vec<(MatchChannel, &'s [f32], f32)>,
}

impl<'s> Finds<'s> {
    /// The finds of each kind of scores, where the `first` highest scores of a kind find something.
    pub fn of(scores: &'s Scores, first: usize) -> Self {
        let words = [&scores.bm25, &scores.tfidf, &scores.grams];
        let words = words.into_iter().map(|kind| (MatchChannel::Words, kind));
        let others = [
            (MatchChannel::Meaning, &scores.vectors),
            (MatchChannel::Graph, &scores.led.graph),
            (MatchChannel::Terms, &scores.led.terms),
        ];
        let others = others
            .into_iter()
            .filter_map(|(channel, kind)| Some((channel, kind.as_ref()?)));
        let kinds = words.chain(others).map(|(channel, kind)| {
            let bound = pairing::nth_greatest(kind, first);
            (channel, kind.as_slice(), bound.unwrap_or(f32::INFINITY))
        });
        Self {
            kinds: kinds.collect(),
        }
    }

    /// The kinds that find a statement.
    fn finding(&self, text: usize) -> impl Iterator<Item = MatchChannel> {
        let finding = self.kinds.iter().filter(move |(_, kind, bound)| {
            kind.get(text)
                .is_some_and(|score| *score >= *bound && *score > 0.0)
        });
        finding.map(|(channel, _, _)| *channel)
    }

    /// How many kinds of scores of words and vectors find a statement.
    pub fn votes(&self, text: usize) -> u32 {
        let voting = [MatchChannel::Words, MatchChannel::Meaning];
        let finding = self.finding(text);
        finding.filter(|channel| voting.contains(channel)).count() as u32
    }

    /// The channels that find a statement, each once.
    pub fn channels(&self, text: usize) -> Vec<MatchChannel> {
        let mut channels: Vec<MatchChannel> = self.finding(text).collect();
        channels.dedup();
        channels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ones_do_not_keep_the_memory_of_all() {
        let scores: Vec<f32> = (1_u16..=10_000).map(f32::from).collect();
        let kept: Vec<usize> = first_ones(&scores, 3).collect();
        assert_eq!(kept, [9_999, 9_998, 9_997]);
        assert!(kept.capacity() < 100, "{}", kept.capacity());
    }

    #[test]
    fn the_nearer_the_likelier() {
        let near = Likeness {
            words: 0.6,
            covered: 0.8,
            by_item: 0.0,
            covering: 0.7,
            vectors: Some((0.85, 0.8)),
            meaning: Some(0.8),
        };
        let far = Likeness {
            words: 0.1,
            covered: 0.2,
            by_item: 0.0,
            covering: 0.1,
            vectors: Some((0.3, 0.1)),
            meaning: Some(0.2),
        };
        assert!(near.probability() > 0.9 && far.probability() < 0.2);
        let alone = |one: Likeness| Likeness {
            vectors: None,
            ..one
        };
        assert!(alone(near).probability() > 0.9 && alone(far).probability() < 0.3);
        assert_eq!(Likeness::best(&[near, far]), near);
    }

    #[test]
    fn what_all_have_tells_nothing() {
        for (cosine, usual, expected) in [
            (0.9, Some(0.85), 0.05),
            (0.9, Some(0.3), 0.9),
            (0.9, None, 0.9),
        ] {
            assert!(
                (told(cosine, usual) - expected).abs() < 1e-9,
                "{cosine} {usual:?}"
            );
        }
    }

    #[test]
    fn each_channel_finds_its_own_first_ones() {
        use super::super::ways::Led;
        let scores = Scores {
            bm25: vec![3.0, 2.0, 1.0, 0.0],
            tfidf: vec![0.3, 0.1, 0.2, 0.0],
            grams: vec![0.3, 0.1, 0.2, 0.0],
            vectors: Some(vec![-0.2, 0.1, 0.0, 0.4]),
            both: Vec::new(),
            pieces: None,
            led: Led {
                graph: Some(vec![0.0, 0.2, 0.0, 0.1]),
                terms: None,
                ..Led::default()
            },
        };
        // The first one or two of each, as the bound is a quantile of four.
        let finds = Finds::of(&scores, 1);
        use MatchChannel::{Graph, Meaning, Words};
        for (text, votes, channels) in [
            (0, 3, vec![Words]),
            (1, 2, vec![Words, Meaning, Graph]),
            (2, 2, vec![Words]),
            (3, 1, vec![Meaning, Graph]),
        ] {
            assert_eq!(finds.channels(text), channels, "{text}");
            assert_eq!(finds.votes(text), votes, "{text}");
        }
        // A text without a score is not found, even if there are only few texts.
        assert_eq!(first_ones(&[0.0, 0.2, 0.0], 2).collect::<Vec<_>>(), [1]);
    }
}
