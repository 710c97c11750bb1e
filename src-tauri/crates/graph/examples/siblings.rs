//! How many of a term's true siblings (terms with the same hypernym) are among its nearest ten, by vectors, by spelling
//! and by both, with 95 % intervals:
//!
//! `cargo run --release -p lexforge-graph --example siblings -- TERMS.jsonl VECTORS.safetensors [N]`
//!
//! The first file has lines with `term` and `hypernym_iris`. The second file has the vectors of these terms in the same
//! order, as `lexforge models embed` writes them. With a number N, the example also measures how long the comparison by
//! spelling takes for N terms. It makes these terms from the beginnings and ends of the terms in the file.
#![forbid(unsafe_code)]

use lexforge_graph::confusable::{Spelling, pairs};
use lexforge_graph::{Matrix, neighbours};
use rand::{Rng, SeedableRng};
use std::collections::{HashMap, HashSet};
use std::time::Instant;

type Failed = Box<dyn std::error::Error>;

const NEAREST: usize = 10;
const RESAMPLES: usize = 2000;

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [terms, vectors, more @ ..] = arguments.as_slice() else {
        return Err("TERMS.jsonl VECTORS.safetensors".into());
    };
    let (mut texts, mut holders): (Vec<String>, HashMap<String, Vec<usize>>) = Default::default();
    for (row, line) in std::fs::read_to_string(terms)?.lines().enumerate() {
        let value: serde_json::Value = serde_json::from_str(line)?;
        texts.push(value["term"].as_str().unwrap_or_default().to_owned());
        for hypernym in value["hypernym_iris"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|h| h.as_str())
        {
            holders.entry(hypernym.to_owned()).or_default().push(row);
        }
    }
    let mut siblings: Vec<HashSet<usize>> = vec![HashSet::new(); texts.len()];
    for group in holders.values() {
        for one in group {
            siblings[*one].extend(group.iter().filter(|other| *other != one));
        }
    }
    let mut unit = matrix(&std::fs::read(vectors)?)?;
    unit.normalize_rows();
    if unit.rows != texts.len() {
        return Err(format!("{} vectors for {} terms", unit.rows, texts.len()).into());
    }
    let terms: Vec<&str> = texts.iter().map(String::as_str).collect();
    let asked = siblings.iter().filter(|s| !s.is_empty()).count();
    println!("{} terms, {asked} with siblings", terms.len());

    let by_vector = neighbours::nearest(&unit, NEAREST, -1.0, f32::INFINITY, |_, _| true);
    let by_vector: Vec<Vec<usize>> = by_vector
        .into_iter()
        .map(|list| list.into_iter().map(|n| n.row as usize).collect())
        .collect();
    let index = Spelling::new(&terms);
    let by_spelling: Vec<Vec<usize>> = (0..terms.len())
        .map(|i| first(&|j| index.similarity(i, j), i, terms.len()))
        .collect();
    let began = Instant::now();
    let found = pairs(&terms, Some(&unit), NEAREST, |_, _| false);
    let seconds = began.elapsed().as_secs_f64();
    let mut both: Vec<Vec<(f32, usize)>> = vec![Vec::new(); terms.len()];
    for pair in &found {
        both[pair.a as usize].push((pair.score, pair.b as usize));
        both[pair.b as usize].push((pair.score, pair.a as usize));
    }
    let both: Vec<Vec<usize>> = both
        .into_iter()
        .map(|mut list| {
            list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            list.into_iter().take(NEAREST).map(|(_, j)| j).collect()
        })
        .collect();
    for (what, lists) in [
        ("vectors", &by_vector),
        ("spelling", &by_spelling),
        ("both, as the product ranks", &both),
    ] {
        let hits = |i: usize| lists[i].iter().filter(|j| siblings[i].contains(j)).count() as f64;
        let each: Vec<(f64, f64)> = (0..terms.len())
            .filter(|i| !siblings[*i].is_empty())
            .map(|i| {
                (
                    hits(i) / siblings[i].len() as f64,
                    hits(i) / siblings[i].len().min(NEAREST) as f64,
                )
            })
            .collect();
        let strict: Vec<f64> = each.iter().map(|e| e.0).collect();
        let reachable: Vec<f64> = each.iter().map(|e| e.1).collect();
        println!(
            "{what}: recall@10 {}; of the siblings that ten places can hold {}",
            interval(&strict),
            interval(&reachable)
        );
    }
    println!("{} pairs in {seconds:.2} s", found.len());
    if let Some(most) = more.first() {
        scale(&terms, most.parse()?);
    }
    Ok(())
}

/// Times the spelling alone of so many made-up terms.
fn scale(terms: &[&str], most: usize) {
    let half = |term: &str, last: bool| {
        let words: Vec<&str> = term.split(' ').collect();
        let (first, rest) = words.split_at(words.len().div_ceil(2));
        if last && !rest.is_empty() {
            rest.join(" ")
        } else {
            first.join(" ")
        }
    };
    let mut made: HashSet<String> = HashSet::new();
    for (i, step) in (0..)
        .map(|n| (n % terms.len(), n / terms.len()))
        .take(8 * most)
    {
        made.insert(format!(
            "{} {}",
            half(terms[i], false),
            half(terms[(i + 7 * step + 1) % terms.len()], true)
        ));
        if made.len() == most {
            break;
        }
    }
    let mut made: Vec<&str> = made.iter().map(String::as_str).collect();
    made.sort_unstable();
    let began = Instant::now();
    let found = pairs(&made, None, NEAREST, |_, _| false);
    println!(
        "{} terms by spelling alone: {} pairs in {:.1} s",
        made.len(),
        found.len(),
        began.elapsed().as_secs_f64()
    );
}

/// The ten nearest by a similarity, all compared.
fn first(similarity: &dyn Fn(usize) -> f32, i: usize, terms: usize) -> Vec<usize> {
    let mut all: Vec<(f32, usize)> = (0..terms)
        .filter(|j| *j != i)
        .map(|j| (similarity(j), j))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.into_iter().take(NEAREST).map(|(_, j)| j).collect()
}

/// Mean with its 95 % percentile bootstrap interval over terms.
fn interval(values: &[f64]) -> String {
    let mean = |of: &dyn Fn(usize) -> f64| {
        (0..values.len()).map(of).sum::<f64>() / values.len().max(1) as f64
    };
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(42);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn: Vec<usize> = (0..values.len())
                .map(|_| rng.random_range(0..values.len()))
                .collect();
            mean(&|i| values[drawn[i]])
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| {
        means
            .get((share * RESAMPLES as f64) as usize)
            .copied()
            .unwrap_or_default()
    };
    format!(
        "{:.3} [{:.3}, {:.3}]",
        mean(&|i| values[i]),
        at(0.025),
        at(0.975)
    )
}

/// The one F32 matrix of a safetensors file.
fn matrix(bytes: &[u8]) -> Result<Matrix, Failed> {
    let length = u64::from_le_bytes(bytes.get(..8).ok_or("too short")?.try_into()?) as usize;
    let header: serde_json::Value =
        serde_json::from_slice(bytes.get(8..8 + length).ok_or("too short")?)?;
    let tensor = &header["embeddings"];
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or(0) as usize;
    let (rows, dim) = (number(&tensor["shape"][0]), number(&tensor["shape"][1]));
    let begin = 8 + length + number(&tensor["data_offsets"][0]);
    let data = bytes
        .get(begin..begin + 4 * rows * dim)
        .ok_or("too short")?;
    let values = data
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    Ok(Matrix {
        rows,
        dim,
        data: values,
    })
}
