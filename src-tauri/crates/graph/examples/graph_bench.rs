//! Measures time and memory of a graph build, of an update and of a join, on made-up vectors. Prints one JSON line for
//! each measurement.
//!
//! Build it with `cargo build --release -p lexforge-graph --example graph_bench`. The program has these modes:
//!
//! - `graph_bench build [sentences] [entities] [dim] [entities a sentence] [approximate over]`: a complete build, and
//!   then an update that adds one document of 200 sentences;
//! - `graph_bench lexical [sentences]`: the lexical edges of sentences of made-up sub-words; a fifth of the sentences
//!   are changed copies of others;
//! - `graph_bench vectors FILE ROWS DIM`: writes vectors as `.npy` for another program;
//! - `graph_bench join FILE LOW HIGH`: joins the vectors of such a file, and counts the pairs with `LOW < cos < HIGH`.
//!
//! Vectors come in clusters, as embeddings do. A few entities occur in many sentences and most occur in few, as terms
//! do in real documents.

use lexforge_domain::graph::{GraphSettings, TypeOrigin};
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use lexforge_graph::join::pairs_between;
use lexforge_graph::lexical::{lexical_pairs, weights};
use lexforge_graph::tfidf::SparseVector;
use lexforge_graph::{Earlier, EntityNode, Left, Matrix, SentenceNode, build, build_after};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::time::Instant;

type Failed = Box<dyn std::error::Error>;

/// Sentences of the document that an update takes in.
const ADDED: usize = 200;

fn main() -> Result<(), Failed> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: usize| given.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    match given.first().map(String::as_str) {
        Some("vectors") => write_npy(
            &given[1],
            &clustered(number(2, 50_000), number(3, 384), &mut seeded()),
        )?,
        Some("lexical") => lexical(number(1, 100_000)),
        Some("join") => join(&given[1], given[2].parse()?, given[3].parse()?)?,
        _ => whole([
            number(1, 100_000),
            number(2, 50_000),
            number(3, 384),
            number(4, 10),
            number(5, 200_000),
        ]),
    }
    Ok(())
}

fn seeded() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(42)
}

/// Seconds of processor time of this process.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = |i: usize| {
        stat.rsplit(')')
            .next()?
            .split_whitespace()
            .nth(i)?
            .parse::<f64>()
            .ok()
    };
    // Fields 14 and 15 of the whole line, in hundredths of a second.
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

fn whole([n, e, dim, k, approximate_over]: [usize; 5]) {
    let mut rng = seeded();
    let sentence_vectors = clustered(n + ADDED, dim, &mut rng);
    let entity_vectors = clustered(e, dim, &mut rng);
    let entities: Vec<EntityNode> = (0..e)
        .map(|i| EntityNode {
            id: TermId(i as i64),
            text: format!("term {i}"),
        })
        .collect();
    let sentences: Vec<SentenceNode> = (0..n + ADDED)
        .map(|i| sentence(i, e, k, &mut rng))
        .collect();
    let settings = GraphSettings {
        approximate_over,
        ..GraphSettings::default()
    };
    let rows: Vec<usize> = (0..n).collect();
    let before = sentence_vectors.select(&rows);
    let (began, spent) = (Instant::now(), processor_seconds());
    let graph = build(
        &sentences[..n],
        &before,
        &entities,
        &entity_vectors,
        &settings,
        "made up",
    );
    let (seconds, spent) = (began.elapsed().as_secs_f64(), processor_seconds() - spent);
    println!(
        "{}",
        json!({"what": "build", "seconds": seconds, "processor": spent, "stats": graph.stats()})
    );

    let earlier = Earlier {
        thresholds: graph.stats().parts.first().map(|p| p.thresholds),
        words: Some(graph.words()),
        left: Some(Left {
            kept: graph.kept(),
            similar: graph.similar_entities(),
            edges: graph.sentence_edges(),
            counts: graph.stats().edges,
        }),
        ..Earlier::default()
    };
    let (began, spent) = (Instant::now(), processor_seconds());
    let update = build_after(
        &sentences,
        &sentence_vectors,
        &entities,
        &entity_vectors,
        &settings,
        "made up",
        earlier,
    );
    let (seconds, spent) = (began.elapsed().as_secs_f64(), processor_seconds() - spent);
    let (compared, _) = update.compared();
    println!(
        "{}",
        json!({"what": "update", "seconds": seconds, "processor": spent, "compared": compared,
               "sentences": update.stats().sentences, "edges": update.stats().edges})
    );
}

/// Weights, vectors and pairs of sentences of 36 sub-words on average, as a tokenizer of 30,000 gives them.
fn lexical(n: usize) {
    let mut rng = seeded();
    let mut texts: Vec<String> = Vec::with_capacity(n);
    for i in 0..n {
        let pieces: Vec<String> = if i > 50 && rng.random_bool(0.2) {
            let other = &texts[rng.random_range(0..i)];
            let mut pieces: Vec<String> = other.split(' ').map(str::to_owned).collect();
            for _ in 0..rng.random_range(1..4) {
                let place = rng.random_range(0..pieces.len());
                pieces[place] = piece(&mut rng);
            }
            pieces
        } else {
            let length = rng.random_range(8..65);
            (0..length).map(|_| piece(&mut rng)).collect()
        };
        texts.push(pieces.join(" "));
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (began, spent) = (Instant::now(), processor_seconds());
    let words = weights(&texts, true);
    let weighed = began.elapsed().as_secs_f64();
    let vectors: Vec<SparseVector> = texts.iter().map(|text| words.vector(text)).collect();
    let made = began.elapsed().as_secs_f64();
    let pairs = lexical_pairs(&vectors, words.features(), 0.75);
    let (seconds, spent) = (began.elapsed().as_secs_f64(), processor_seconds() - spent);
    println!(
        "{}",
        json!({"what": "lexical", "seconds": seconds, "processor": spent, "weights": weighed,
               "vectors": made - weighed, "join": seconds - made, "pairs": pairs.len(), "peak_mb": peak_mb()})
    );
}

/// A sub-word by its number, frequent ones far more often than rare ones (Zipf).
fn piece(rng: &mut ChaCha8Rng) -> String {
    let rank = 30_000f64.powf(rng.random::<f64>());
    (rank as usize).to_string()
}

/// Most memory of this process so far, in MiB.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}

fn join(path: &str, low: f32, high: f32) -> Result<(), Failed> {
    let unit = read_npy(path)?;
    let (began, spent) = (Instant::now(), processor_seconds());
    let joined = pairs_between(&unit, low, high, 8_000_000);
    let (seconds, spent) = (began.elapsed().as_secs_f64(), processor_seconds() - spent);
    println!(
        "{}",
        json!({"what": "join", "seconds": seconds, "processor": spent, "pairs": joined.count})
    );
    Ok(())
}

/// Format version 1.0 of NumPy's `.npy`: a header of 16-byte multiples, then the values.
fn write_npy(path: &str, matrix: &Matrix) -> Result<(), Failed> {
    let mut header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
        matrix.rows, matrix.dim
    );
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len())?.to_le_bytes());
    bytes.extend(header.as_bytes());
    matrix
        .data
        .iter()
        .for_each(|v| bytes.extend(v.to_le_bytes()));
    Ok(std::fs::write(path, bytes)?)
}

fn read_npy(path: &str) -> Result<Matrix, Failed> {
    let bytes = std::fs::read(path)?;
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length])?;
    let shape = header
        .split("'shape': (")
        .nth(1)
        .and_then(|s| s.split(')').next())
        .ok_or("no shape")?;
    let sizes: Vec<usize> = shape
        .split(',')
        .filter_map(|s| s.trim().parse().ok())
        .collect();
    let [rows, dim] = sizes[..] else {
        return Err("not a matrix".into());
    };
    let (values, _) = bytes[10 + length..].as_chunks();
    Ok(Matrix {
        rows,
        dim,
        data: values.iter().map(|b| f32::from_le_bytes(*b)).collect(),
    })
}

/// Rows around common centres, 25 to a centre on average, with cosines on both sides of the usual bounds.
fn clustered(rows: usize, dim: usize, rng: &mut ChaCha8Rng) -> Matrix {
    let centres = Matrix {
        rows: rows / 25 + 1,
        dim,
        data: (0..(rows / 25 + 1) * dim)
            .map(|_| rng.random_range(-1.0..1.0))
            .collect(),
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
    let words: Vec<String> = (0..22)
        .map(|_| word((rng.random::<f32>().powi(4) * 20_000.0) as usize))
        .collect();
    let mentioned = (0..each)
        .map(|_| TermId((rng.random::<f64>().powi(2) * entities as f64) as i64))
        .collect();
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
