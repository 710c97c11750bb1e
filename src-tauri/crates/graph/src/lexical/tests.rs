//! Tests of `lexical`.

use super::*;
use crate::tfidf::TfIdf;

#[test]
fn finds_exactly_the_pairs_of_a_full_comparison() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let texts: Vec<String> = (0..400)
        .map(|_| {
            let words = (0..rng.random_range(1..9)).map(|_| {
                let rank = (rng.random::<f32>().powi(3) * 60.0) as u32;
                format!("w{rank}")
            });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let tfidf = TfIdf::fit(&texts);
    let vectors: Vec<SparseVector> = texts.iter().map(|t| tfidf.vector(t)).collect();
    let mut expected = Vec::new();
    for a in 0..vectors.len() {
        for b in a + 1..vectors.len() {
            if vectors[a].cosine(&vectors[b]) >= 0.75 {
                expected.push((a as u32, b as u32));
            }
        }
    }
    let found: Vec<_> = lexical_pairs(&vectors, tfidf.features(), 0.75)
        .iter()
        .map(|p| (p.a, p.b))
        .collect();
    assert!(expected.len() > 100);
    assert_eq!(found, expected);
}

/// The pairs and the bits of their cosines are the same as in a comparison of each text with each, for any texts and
/// thresholds.
#[test]
fn pairs_and_cosines_are_those_of_a_full_comparison_for_every_seed() {
    let mut found = 0;
    for seed in 0..60 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (skew, many) = (rng.random_range(1..5), rng.random_range(20..400));
        let mut texts: Vec<String> = Vec::new();
        for i in 0..120 {
            let mut words: Vec<String> = if i > 5 && rng.random_bool(0.3) {
                let earlier = &texts[rng.random_range(0..i)];
                earlier.split(' ').map(str::to_owned).collect()
            } else {
                vec![String::new(); rng.random_range(1..25)]
            };
            let changes = rng.random_range(0..=words.len());
            for word in &mut words {
                if word.is_empty() || rng.random_range(0..30) < changes {
                    let rank = (rng.random::<f32>().powi(skew) * many as f32) as u32;
                    *word = format!("w{rank}");
                }
            }
            texts.push(words.join(" "));
        }
        texts.push(String::new());
        texts.push("w0".to_owned());
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let tfidf = weights(&texts, true);
        let vectors: Vec<SparseVector> = texts.iter().map(|t| tfidf.vector(t)).collect();
        for threshold in [0.05, 0.3, 0.6, 0.75, 0.95, 1.0] {
            let mut expected = Vec::new();
            for a in 0..vectors.len() {
                for b in a + 1..vectors.len() {
                    let cosine = vectors[a].cosine(&vectors[b]);
                    if cosine >= threshold {
                        expected.push((a as u32, b as u32, cosine.to_bits()));
                    }
                }
            }
            found += expected.len();
            let pairs = lexical_pairs(&vectors, tfidf.features(), threshold);
            let pairs: Vec<_> = pairs
                .iter()
                .map(|p| (p.a, p.b, p.cosine.to_bits()))
                .collect();
            assert_eq!(pairs, expected, "seed {seed}, threshold {threshold}");
        }
    }
    assert!(found > 10_000, "{found}");
}

fn nodes(texts: &[&str]) -> Vec<SentenceNode> {
    let node = |(id, text): (usize, &&str)| SentenceNode {
        id: SentenceId(id as i64),
        document: lexforge_domain::DocumentId(1),
        group: String::new(),
        type_origin: Default::default(),
        section: String::new(),
        kind: lexforge_domain::text::SentenceKind::Rule,
        text: (*text).to_owned(),
        entities: Vec::new(),
        refers_to: Vec::new(),
    };
    texts.iter().enumerate().map(node).collect()
}

/// Sentences that share sub-words are found to be alike even if they share no whole words. A build without the
/// tokenizer keeps its edges.
#[test]
fn sub_words_tell_what_words_cannot() {
    let sentences = nodes(&[
        "Institutions supervise supervisors.",
        "An institution supervised its supervisor.",
        "Traders sell bonds.",
    ]);
    let keys: Vec<Option<String>> = sentences.iter().map(|s| Some(s.text.clone())).collect();
    let pieces = ["1 2 3 4 3 5", "1 3 6 3 5", "7 8 9"].map(str::to_owned);
    let compared = |texts, words| Compared {
        texts,
        words,
        threshold: 0.5,
    };
    let rows = |found: &LexicalEdges| -> Vec<(u32, u32)> {
        found.pairs.iter().map(|p| (p.a, p.b)).collect()
    };
    let by_words = edges(&sentences, &keys, compared(LexicalTexts::Words, None), None);
    assert_eq!(rows(&by_words), []);
    let texts = LexicalTexts::Pieces(&pieces);
    let by_pieces = edges(&sentences, &keys, compared(texts, None), None);
    assert_eq!((rows(&by_pieces), by_pieces.count), (vec![(0, 1)], 1));
    assert_eq!(by_pieces.words.features(), 9);

    let known = KnownLexical {
        pairs: by_pieces.pairs.clone(),
        new: &[false, false, true],
    };
    let left = compared(LexicalTexts::AsLeft(&[]), Some(&by_pieces.words));
    let kept = edges(&sentences, &keys, left, Some(known));
    assert_eq!((rows(&kept), kept.words.features()), (vec![(0, 1)], 9));
}

#[test]
fn a_distant_text_is_drawn_by_the_seed_or_not_at_all() {
    let texts = [
        "own funds",
        "own funds of banks",
        "bonds sold",
        "bonds bought",
    ];
    let tfidf = TfIdf::fit(&texts);
    let vectors: Vec<SparseVector> = texts.iter().map(|t| tfidf.vector(t)).collect();
    let draw = |among: &[usize], seed| distant(&vectors, 0, among, 0.2, 50, seed);
    for seed in 0..20 {
        let found = draw(&[0, 1, 2, 3], seed);
        assert!(matches!(found, Some(2 | 3)), "{found:?}");
        assert_eq!(found, draw(&[0, 1, 2, 3], seed));
    }
    assert_eq!(draw(&[0, 1], 1), None);
    assert_eq!(draw(&[], 1), None);
}
