//! Methods of matching, each giving every control a score for a requirement.

use super::reading::Set;
use super::sides::{Scores, Sides, Vectors};
use super::ways::Ways;
use crate::workspace::DEFAULT_SEED;
use lexforge_graph::{Matrix, lsa, pairing};
use lexforge_store::words;
use lexforge_text::language;

/// Name of BM25 on words as they stand, the plain baseline.
pub(super) const BM25: &str = "BM25";
/// Name of what the product uses.
pub(super) const COMBINATION: &str = "combination";
const STEMMED: &str = "BM25, stemmed words";
const ENSEMBLE: &str = "ensemble of √N";
const FUSION: &str = "fusion half and half";
const GRAPH: &str = "graph, at most three edges";
const TERMS: &str = "terms in common";
const GRAPHED: &str = "combination and graph";
/// Methods whose scores have a scale of their own.
const NO_COSINES: [&str; 8] = [
    BM25,
    STEMMED,
    ENSEMBLE,
    FUSION,
    GRAPH,
    TERMS,
    GRAPHED,
    COMBINATION,
];
/// The weight of the graph's score when it is combined with the other scores. It is only a first choice
/// (docs/methods.md, "Rules and policies").
const GRAPH_PART: f32 = 0.3;
/// Dimension of counted vectors.
const COUNTED: usize = 128;
/// A share of the pairs of each kind of score votes for a pair in the ensemble.
const FIND: f64 = 0.05;

/// One method: the scores of each requirement.
pub(super) struct Method {
    pub name: String,
    pub rows: Vec<Vec<f32>>,
    /// The scores are cosines, which can be subtracted from each other.
    pub cosines: bool,
}

/// Word vectors of a file.
pub(super) struct FromFile<'f> {
    pub name: String,
    pub text: &'f str,
}

/// The scores of all methods on a set. Methods by words are TF-IDF and BM25. Methods by vectors use vectors that are
/// counted from the texts (LSA, COALS), trained on the texts (skip-gram), read from `file`, or made by an encoder. The
/// other methods use the paths of the set's graph, or combine scores. Each of `encoders` gives one method. If the first of
/// them is `usual`, which means untuned, it also takes part in the fusion and in the combination that the product uses:
/// these names never stand for a tuned encoder.
///
/// # Errors
/// The number of the line of `file` that cannot be read.
pub(super) fn methods(
    set: &Set,
    (encoders, usual): (Vec<Vectors>, bool),
    file: Option<&FromFile<'_>>,
    ways: Ways,
) -> Result<Vec<Method>, usize> {
    let mut sides = Sides::new(&set.asked.texts, &set.texts.texts);
    sides.ways = ways;
    let n = set.asked.texts.len();
    let mut all: Vec<Method> = Vec::new();
    let mut put = |name: &str, rows: Vec<Vec<f32>>| {
        let cosines = !NO_COSINES.contains(&name);
        all.push(Method {
            name: name.to_owned(),
            rows,
            cosines,
        });
    };
    let scores = pairing::each(n, |i| sides.scores(i));
    put("TF-IDF", scores.iter().map(|s| s.tfidf.clone()).collect());
    put(
        "TF-IDF of character n-grams",
        scores.iter().map(|s| s.grams.clone()).collect(),
    );
    let counted = counted(set);
    put("LSA", counted.clone());
    let (vocabulary, texts) = numbered(set);
    let (asked, controls) = texts.split_at(n);
    let size = vocabulary.len();
    let bags = bags(set);
    let by_words = |vectors: pairing::WordVectors| -> Vec<Vec<f32>> {
        let (asked, texts) = pairing::centred(
            &vectors.texts(&bags.0, &bags.1),
            &vectors.texts(&bags.1, &bags.0),
        );
        cosine_rows(&asked, &texts)
    };
    let every: Vec<Vec<u32>> = asked.iter().chain(controls).cloned().collect();
    let coals = by_words(pairing::correlated(&every, size));
    put("COALS", coals.clone());
    let trained = by_words(pairing::skip_gram(&every, size, DEFAULT_SEED));
    put("skip-gram trained on the texts", trained.clone());
    if let Some(file) = file {
        let names = vocabulary.words();
        let read = pairing::WordVectors::read(file.text, &names, words)?;
        put(&format!("word vectors of {}", file.name), by_words(read));
    }
    put(BM25, plain_bm25(set));
    put(STEMMED, scores.iter().map(|s| s.bm25.clone()).collect());
    let mut kinds: Vec<Vec<Vec<f32>>> = vec![
        scores.iter().map(|s| s.tfidf.clone()).collect(),
        scores.iter().map(|s| s.bm25.clone()).collect(),
        counted,
        coals,
        trained,
    ];
    let mut first = None;
    for vectors in encoders {
        let rows = cosine_rows(&vectors.whole.0, &vectors.whole.1);
        put(&vectors.encoder, rows.clone());
        kinds.push(rows);
        if usual {
            first.get_or_insert(vectors);
        }
    }
    put(ENSEMBLE, ensemble(&kinds));
    let led = |of: fn(&Scores) -> Option<&Vec<f32>>| -> Option<Vec<Vec<f32>>> {
        scores.iter().map(|s| of(s).cloned()).collect()
    };
    if let Some(rows) = led(|s| s.led.graph.as_ref()) {
        put(GRAPH, rows);
    }
    if let Some(rows) = led(|s| s.led.terms.as_ref()) {
        put(TERMS, rows);
    }
    let chosen = if let Some(vectors) = first {
        let dense = cosine_rows(&vectors.whole.0, &vectors.whole.1);
        let fused = scores.iter().zip(&dense);
        put(
            FUSION,
            fused
                .map(|(s, dense)| half_and_half(&s.bm25, dense))
                .collect(),
        );
        sides.vectors = Some(vectors);
        let both = pairing::each(n, |i| sides.scores(i));
        put(
            "vectors of texts and sentences, centred",
            both.iter()
                .map(|s| s.vectors.clone().unwrap_or_default())
                .collect(),
        );
        both
    } else {
        scores
    };
    let graphed: Option<Vec<Vec<f32>>> = chosen.iter().map(with_graph).collect();
    if let Some(rows) = graphed {
        put(GRAPHED, rows);
    }
    put(COMBINATION, chosen.into_iter().map(|s| s.both).collect());
    Ok(all)
}

/// The combination with the graph as one more kind of score; `None` where there is no graph.
fn with_graph(scores: &Scores) -> Option<Vec<f32>> {
    let graph = pairing::standardised(scores.led.graph.as_ref()?);
    let both = scores.both.iter().zip(graph);
    Some(
        both.map(|(both, graph)| (1.0 - GRAPH_PART) * both + GRAPH_PART * graph)
            .collect(),
    )
}

/// Cosines of each row of one side with those of the other.
fn cosine_rows(asked: &Matrix, texts: &Matrix) -> Vec<Vec<f32>> {
    pairing::each(asked.rows, |i| pairing::cosines(asked.row(i), texts))
}

fn counted(set: &Set) -> Vec<Vec<f32>> {
    let sides = [&set.asked.texts, &set.texts.texts];
    let all: Vec<String> = sides
        .iter()
        .flat_map(|s| s.iter())
        .map(|t| t.whole())
        .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let rows = lsa::char_ngram_lsa(&all, COUNTED, DEFAULT_SEED);
    let n = set.asked.texts.len();
    let asked = rows.select(&(0..n).collect::<Vec<_>>());
    let texts = rows.select(&(n..all.len()).collect::<Vec<_>>());
    cosine_rows(&asked, &texts)
}

/// BM25 on words as they stand, in lower case: k1 = 1.2, b = 0.75, no stop words left out, nothing stemmed.
fn plain_bm25(set: &Set) -> Vec<Vec<f32>> {
    let mut vocabulary = pairing::Vocabulary::default();
    let mut bags = |texts: &[super::sides::Text]| -> Vec<pairing::Bag> {
        texts
            .iter()
            .map(|text| vocabulary.bag(&plain_words(&text.whole())))
            .collect()
    };
    let (asked, texts) = (bags(&set.asked.texts), bags(&set.texts.texts));
    let index = pairing::Index::new(&texts, &[]);
    pairing::each(asked.len(), |i| index.bm25(&asked[i]))
}

/// Runs of letters and digits of Latin script. In another script, words as the crate `text` finds them.
fn plain_words(text: &str) -> Vec<String> {
    if language::detect(text) == lexforge_domain::text::Language::Zh {
        return words(text);
    }
    let lower = text.to_lowercase();
    let runs = lower.split(|c: char| !c.is_ascii_alphanumeric());
    runs.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// Texts as numbers of their words, in order: the requirements, then the controls.
fn numbered(set: &Set) -> (pairing::Vocabulary, Vec<Vec<u32>>) {
    let mut vocabulary = pairing::Vocabulary::default();
    let texts = set.asked.texts.iter().chain(&set.texts.texts);
    let numbered = texts
        .map(|text| {
            let words = words(&text.whole());
            words.iter().map(|word| vocabulary.number(word)).collect()
        })
        .collect();
    (vocabulary, numbered)
}

/// The bags of both sides, by the same numbers as [`numbered`].
fn bags(set: &Set) -> (Vec<pairing::Bag>, Vec<pairing::Bag>) {
    let mut vocabulary = pairing::Vocabulary::default();
    let mut of = |texts: &[super::sides::Text]| -> Vec<pairing::Bag> {
        texts
            .iter()
            .map(|text| vocabulary.bag(&words(&text.whole())))
            .collect()
    };
    (of(&set.asked.texts), of(&set.texts.texts))
}

/// Combines N kinds of scores of pairs. A kind votes for a pair if the pair's score is above a quantile of this kind's
/// scores. Votes count only if a pair has more than √N of them. Pairs with more votes come first. Pairs with equal
/// votes are ordered by the mean of their scores, where each kind is standardised first.
fn ensemble(kinds: &[Vec<Vec<f32>>]) -> Vec<Vec<f32>> {
    let bounds: Vec<f32> = kinds
        .iter()
        .map(|kind| {
            let scores = kind.iter().flatten().copied();
            pairing::quantile(scores, 1.0 - FIND).unwrap_or(f32::INFINITY)
        })
        .collect();
    let least = (kinds.len() as f64).sqrt();
    let rows = kinds.first().map_or(0, Vec::len);
    pairing::each(rows, |i| {
        let of: Vec<&[f32]> = kinds.iter().map(|kind| kind[i].as_slice()).collect();
        let votes = pairing::votes(&of, &bounds);
        let mean = pairing::mean_of(&of);
        votes
            .iter()
            .zip(mean)
            .map(|(n, mean)| {
                let found = if f64::from(*n) > least {
                    *n as f32
                } else {
                    0.0
                };
                // A mean on this scale stays far below one vote.
                found + mean / 1_000.0
            })
            .collect()
    })
}

/// Scores by words and by vectors with equal weight, each as a share of its own greatest.
fn half_and_half(words: &[f32], vectors: &[f32]) -> Vec<f32> {
    let greatest = |scores: &[f32]| scores.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let (a, b) = (greatest(words), greatest(vectors));
    words
        .iter()
        .zip(vectors)
        .map(|(word, vector)| 0.5 * word / a + 0.5 * vector.max(0.0) / b)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::reading::Listed;
    use super::super::sides::Text;
    use super::*;

    fn side(texts: [&str; 2]) -> Listed {
        let text = |text: &str| Text {
            text: text.to_owned(),
            ..Text::default()
        };
        Listed {
            ids: vec!["1".to_owned(), "2".to_owned()],
            texts: texts.map(text).into(),
            standards: vec![None, None],
        }
    }

    #[test]
    fn a_tuned_encoder_takes_no_part_in_the_combination() {
        let set = Set {
            name: "own".to_owned(),
            asked: side([
                "The firm shall lock the vault.",
                "The firm shall train its staff.",
            ]),
            texts: side(["The vault is locked.", "Staff attend a course."]),
            links: vec![[0].into(), [1].into()],
        };
        let names = |usual: bool| -> Vec<String> {
            let sides = [set.asked.texts.as_slice(), set.texts.texts.as_slice()];
            let vectors = vec![Vectors::counted(sides)];
            let all = methods(&set, (vectors, usual), None, Ways::default());
            all.unwrap().into_iter().map(|one| one.name).collect()
        };
        // The encoder has a row of its own in both cases.
        let encoder = "character n-gram LSA (128)".to_owned();
        for usual in [true, false] {
            let all = names(usual);
            assert!(all.contains(&encoder), "{all:?}");
            assert!(all.contains(&COMBINATION.to_owned()), "{all:?}");
            assert_eq!(all.contains(&FUSION.to_owned()), usual, "{all:?}");
        }
    }

    #[test]
    fn more_than_the_root_must_find_a_pair() {
        // Four kinds: three must find a pair.
        let high = vec![vec![0.9, 0.1, 0.0]; 3];
        let other = vec![vec![0.0, 0.1, 0.9]];
        let kinds: Vec<Vec<Vec<f32>>> =
            high.into_iter().chain(other).map(|row| vec![row]).collect();
        let found = ensemble(&kinds);
        assert_eq!(found.len(), 1);
        assert!(found[0][0] > found[0][1]);
        assert_eq!(half_and_half(&[2.0, 1.0], &[0.5, 1.0]), [0.75, 0.75]);
    }

    #[test]
    fn words_as_they_stand() {
        assert_eq!(
            plain_words("Access-Control, 2.1: PR.AC"),
            ["access", "control", "2", "1", "pr", "ac"]
        );
    }
}
