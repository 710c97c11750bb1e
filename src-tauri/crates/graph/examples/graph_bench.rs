//! Time and memory of a graph build on made-up vectors:
//! `cargo run --release -p lexforge-graph --example graph_bench -- [sentences] [entities] [dim] [entities a sentence]`.
//!
//! Vectors come in clusters, as embeddings do; entities are drawn with a skew, as terms are (a few of them stand
//! in a good part of the sentences). Prints one JSON line.

use lexforge_domain::graph::{GraphSettings, TypeOrigin};
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use lexforge_graph::{EntityNode, Matrix, SentenceNode, build};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let argument = |i: usize, default: usize| given.get(i).copied().unwrap_or(default);
    let (n, e, dim, k) = (argument(0, 100_000), argument(1, 50_000), argument(2, 384), argument(3, 10));
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    let sentence_vectors = clustered(n, dim, &mut rng);
    let entity_vectors = clustered(e, dim, &mut rng);
    let entities: Vec<EntityNode> =
        (0..e).map(|i| EntityNode { id: TermId(i as i64), text: format!("term {i}") }).collect();
    let sentences: Vec<SentenceNode> = (0..n).map(|i| sentence(i, e, k, &mut rng)).collect();
    let graph = build(&sentences, &sentence_vectors, &entities, &entity_vectors, &GraphSettings::default(), "made up");
    match serde_json::to_string(graph.stats()) {
        Ok(line) => println!("{line}"),
        Err(error) => eprintln!("{error}"),
    }
}

/// Rows around common centres, 25 to a centre on average, with cosines on both sides of the usual bounds.
fn clustered(rows: usize, dim: usize, rng: &mut ChaCha8Rng) -> Matrix {
    let centres = Matrix {
        rows: rows / 25 + 1,
        dim,
        data: (0..(rows / 25 + 1) * dim).map(|_| rng.random_range(-1.0..1.0)).collect(),
    };
    let mut matrix = Matrix::zeros(rows, dim);
    for i in 0..rows {
        let centre = centres.row(rng.random_range(0..centres.rows));
        let noise = rng.random_range(0.2..0.6f32);
        for (value, mean) in matrix.row_mut(i).iter_mut().zip(centre) {
            *value = mean + rng.random_range(-noise..noise) * 1.5;
        }
    }
    matrix.normalize_rows();
    matrix
}

fn sentence(i: usize, entities: usize, each: usize, rng: &mut ChaCha8Rng) -> SentenceNode {
    let words: Vec<String> = (0..22).map(|_| word((rng.random::<f32>().powi(4) * 20_000.0) as usize)).collect();
    let mentioned = (0..each).map(|_| TermId((rng.random::<f64>().powi(2) * entities as f64) as i64)).collect();
    SentenceNode {
        id: SentenceId(i as i64),
        document: DocumentId((i / 500) as i64),
        group: format!("type {}", i % 40),
        type_origin: TypeOrigin::TopSection,
        section: format!("Article {}", i / 7),
        kind: SentenceKind::Rule,
        text: format!(
            "The institution shall {} as set out in Article {}.",
            words.join(" "),
            rng.random_range(1..15_000)
        ),
        entities: mentioned,
        refers_to: vec![SentenceId(7 * rng.random_range(1..15_000))],
    }
}

/// A pronounceable word for a number.
fn word(mut number: usize) -> String {
    let mut word = String::new();
    for _ in 0..3 {
        word.push(b"bcdfglmnprstvz"[number % 14] as char);
        word.push(b"aeiou"[(number / 14) % 5] as char);
        number /= 70;
    }
    word
}
