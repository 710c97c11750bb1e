//! Chooses pairs of sentences for people to score. The pairs are chosen by ranges of their cosine (strata), so that
//! people see all degrees of likeness.
//!
//! In most pairs of a corpus the sentences have nothing in common. If pairs were chosen by chance, nearly all would be
//! scored 0. So all cosines below the median are one stratum, and the range from the median to the highest cosine is
//! cut into equal strata. The same number of pairs is taken from each stratum. If a stratum has too few pairs, more are
//! taken from the others.

use crate::matrix::Matrix;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Strata: one below the median, the others above.
pub(crate) const STRATA: usize = 6;

/// The wishes for a draw of pairs.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub pairs: usize,
    /// Most pairs that hold one sentence.
    pub most_of_one: usize,
    pub seed: u64,
}

/// A pair that was drawn: the places of its sentences, the earlier one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlikePair {
    /// The one.
    pub a: usize,
    /// The other.
    pub b: usize,
    pub cosine: f32,
    /// The stratum, from 0.
    pub stratum: usize,
}

/// A range of cosines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stratum {
    /// From here on.
    pub from: f32,
    /// Below this; the last one holds it, too.
    pub to: f32,
    pub pairs: usize,
    /// Pairs that are asked for.
    pub wanted: usize,
    /// Pairs that were drawn.
    pub drawn: usize,
}

/// What was drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The pairs, in an order that does not show their strata.
    pub pairs: Vec<AlikePair>,
    /// The strata, the least alike first.
    pub strata: Vec<Stratum>,
}

/// The pairs of one stratum, from which some are taken: those within a document and those across documents.
#[derive(Default)]
struct Left {
    sides: [Vec<AlikePair>; 2],
    taken: [usize; 2],
}

impl Left {
    /// Takes a pair for this stratum. A pair is only taken if each of its sentences is in fewer than `most` pairs.
    /// There are two sides: pairs within a document and pairs across documents. The pair comes from the side from which
    /// fewer pairs were taken, or from the other side if that one has none left.
    fn take(&mut self, used: &mut [usize], most: usize) -> Option<AlikePair> {
        let first = usize::from(self.taken[0] > self.taken[1]);
        for side in [first, 1 - first] {
            while let Some(pair) = self.sides[side].pop() {
                if used[pair.a] < most && used[pair.b] < most {
                    used[pair.a] += 1;
                    used[pair.b] += 1;
                    self.taken[side] += 1;
                    return Some(pair);
                }
            }
        }
        None
    }
}

/// Chooses pairs of sentences at random, by strata of the cosine of their vectors. Half of the pairs of each stratum
/// are within a document and half are across documents, as far as there are such pairs.
///
/// `documents` gives the document of each sentence. `used` gives the number of pairs that already contain each
/// sentence. `known` holds the pairs that must not be chosen again; the earlier sentence of a pair comes first.
pub fn draw(
    vectors: &Matrix,
    documents: &[i64],
    used: &[usize],
    known: &HashSet<(usize, usize)>,
    wanted: Wanted,
) -> Drawn {
    let mut pairs = compared(vectors, known);
    if pairs.is_empty() {
        return Drawn::default();
    }
    let mut strata = strata_of(&pairs);
    let (median, highest) = (strata[0].to, strata[STRATA - 1].to);
    for pair in &mut pairs {
        pair.stratum = stratum(pair.cosine, median, highest);
        strata[pair.stratum].pairs += 1;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(wanted.seed);
    pairs.shuffle(&mut rng);
    let mut left: Vec<Left> = (0..STRATA).map(|_| Left::default()).collect();
    for pair in pairs {
        let across = documents.get(pair.a) != documents.get(pair.b);
        left[pair.stratum].sides[usize::from(across)].push(pair);
    }
    let mut used = used.to_vec();
    used.resize(vectors.rows, 0);
    let mut drawn = Vec::with_capacity(wanted.pairs);
    // The most alike first: they are the fewest, and their sentences must not be used up by others.
    for (at, stratum) in strata.iter_mut().enumerate().rev() {
        let more = usize::from(STRATA - 1 - at < wanted.pairs % STRATA);
        stratum.wanted = wanted.pairs / STRATA + more;
        while stratum.drawn < stratum.wanted {
            let Some(pair) = left[at].take(&mut used, wanted.most_of_one) else {
                break;
            };
            stratum.drawn += 1;
            drawn.push(pair);
        }
    }
    // What a stratum lacks comes from the others, one of each in turn.
    let mut some = true;
    while some && drawn.len() < wanted.pairs {
        some = false;
        for (at, stratum) in strata.iter_mut().enumerate().rev() {
            if drawn.len() < wanted.pairs
                && let Some(pair) = left[at].take(&mut used, wanted.most_of_one)
            {
                stratum.drawn += 1;
                drawn.push(pair);
                some = true;
            }
        }
    }
    drawn.shuffle(&mut rng);
    Drawn {
        pairs: drawn,
        strata,
    }
}

/// All pairs that are not known, with their cosines.
fn compared(vectors: &Matrix, known: &HashSet<(usize, usize)>) -> Vec<AlikePair> {
    let dot = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let lengths: Vec<f32> = (0..vectors.rows)
        .map(|row| dot(vectors.row(row), vectors.row(row)).sqrt())
        .collect();
    let mut pairs = Vec::with_capacity(vectors.rows * vectors.rows.saturating_sub(1) / 2);
    for a in 0..vectors.rows {
        for b in a + 1..vectors.rows {
            let length = lengths[a] * lengths[b];
            if length > 0.0 && !known.contains(&(a, b)) {
                pairs.push(AlikePair {
                    a,
                    b,
                    cosine: dot(vectors.row(a), vectors.row(b)) / length,
                    stratum: 0,
                });
            }
        }
    }
    pairs
}

/// The strata of these pairs, still empty.
fn strata_of(pairs: &[AlikePair]) -> Vec<Stratum> {
    let mut cosines: Vec<f32> = pairs.iter().map(|pair| pair.cosine).collect();
    cosines.sort_by(f32::total_cmp);
    let median = cosines[cosines.len() / 2];
    let (lowest, highest) = (cosines[0], cosines[cosines.len() - 1]);
    let step = (highest - median) / (STRATA - 1) as f32;
    let edge = |at: usize| match at {
        0 => lowest,
        at if at == STRATA => highest,
        at => median + (at - 1) as f32 * step,
    };
    (0..STRATA)
        .map(|at| Stratum {
            from: edge(at),
            to: edge(at + 1),
            ..Stratum::default()
        })
        .collect()
}

fn stratum(cosine: f32, median: f32, highest: f32) -> usize {
    if cosine < median {
        return 0;
    }
    let share = (cosine - median) / (highest - median).max(f32::MIN_POSITIVE);
    1 + ((share * (STRATA - 1) as f32) as usize).min(STRATA - 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Forty sentences in four documents: vectors at different angles, ever closer to each other.
    fn sentences() -> (Matrix, Vec<i64>) {
        let rows: Vec<[f32; 2]> = (0..40)
            .map(|i| {
                let angle = (i as f32 / 40.0).powi(2) * std::f32::consts::PI;
                [angle.cos(), angle.sin()]
            })
            .collect();
        (Matrix::from_rows(&rows), (0..40).map(|i| i / 10).collect())
    }

    fn wanted(pairs: usize, most_of_one: usize) -> Wanted {
        Wanted {
            pairs,
            most_of_one,
            seed: 7,
        }
    }

    #[test]
    fn every_stratum_is_drawn_and_no_sentence_too_often() {
        let (vectors, documents) = sentences();
        let drawn = draw(&vectors, &documents, &[], &HashSet::new(), wanted(32, 2));
        assert_eq!(drawn.pairs.len(), 32);
        let mut often: HashMap<usize, usize> = HashMap::new();
        for pair in &drawn.pairs {
            assert!(pair.a < pair.b);
            let of = drawn.strata[pair.stratum];
            assert!(of.from - 1e-6 <= pair.cosine && pair.cosine <= of.to + 1e-6);
            *often.entry(pair.a).or_default() += 1;
            *often.entry(pair.b).or_default() += 1;
        }
        assert!(often.values().all(|n| *n <= 2), "{often:?}");
        assert_eq!(drawn.strata.iter().map(|s| s.wanted).sum::<usize>(), 32);
        assert_eq!(drawn.strata.iter().map(|s| s.pairs).sum::<usize>(), 780);
        assert!(drawn.strata.iter().all(|s| s.drawn > 0), "{drawn:?}");
        let within = |pair: &&AlikePair| documents[pair.a] == documents[pair.b];
        let n = drawn.pairs.iter().filter(within).count();
        assert!((4..=28).contains(&n), "{n} within a document");
        assert_eq!(
            draw(&vectors, &documents, &[], &HashSet::new(), wanted(32, 2)),
            drawn,
            "the same seed"
        );
    }

    #[test]
    fn what_is_known_or_used_up_is_not_drawn_again() {
        let (vectors, documents) = sentences();
        let first = draw(&vectors, &documents, &[], &HashSet::new(), wanted(10, 1));
        let known: HashSet<(usize, usize)> = first.pairs.iter().map(|p| (p.a, p.b)).collect();
        let mut used = vec![0; 40];
        for (a, b) in &known {
            used[*a] += 1;
            used[*b] += 1;
        }
        let second = draw(&vectors, &documents, &used, &known, wanted(100, 1));
        // Forty sentences make twenty pairs, each sentence once.
        assert!(second.pairs.len() <= 10 && !second.pairs.is_empty());
        for pair in &second.pairs {
            assert!(used[pair.a] == 0 && used[pair.b] == 0 && !known.contains(&(pair.a, pair.b)));
        }
        let missing: usize = second
            .strata
            .iter()
            .map(|s| s.wanted - s.drawn.min(s.wanted))
            .sum();
        assert!(missing >= 90, "what is missing is told: {missing}");
        assert_eq!(
            draw(
                &Matrix::zeros(1, 2),
                &[0],
                &[],
                &HashSet::new(),
                wanted(3, 2)
            ),
            Drawn::default()
        );
    }
}
