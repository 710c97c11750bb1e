//! Compares the speed of two scans on made-up vectors in one run: the scan of vectors rounded to bytes, and the scan of
//! the exact vectors. Prints one JSON line.
//!
//! `cargo run --release -p lexforge-graph --example scan_bench [rows] [dim] [questions]`

use lexforge_graph::Matrix;
use lexforge_graph::int8::{Int8, greatest};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// Rows that are computed again exactly.
const AGAIN: usize = 400;

fn main() {
    let given: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    let number = |i: usize, default: usize| given.get(i).copied().unwrap_or(default);
    let (rows, dim, questions) = (number(0, 1_000_000), number(1, 384), number(2, 200));
    let mut random = ChaCha8Rng::seed_from_u64(42);
    let centres = vectors(rows.div_ceil(50), dim, &mut random);
    let mut all = Matrix::zeros(rows, dim);
    for row in 0..rows {
        let centre = centres.row(row % centres.rows).to_vec();
        for (value, centre) in all.row_mut(row).iter_mut().zip(centre) {
            *value = centre + 0.4 * random.random_range(-1.7f32..1.7);
        }
    }
    all.normalize_rows();
    let before = resident_mb();
    let scan = Int8::of(&all);
    let bytes = resident_mb() - before;
    let (mut exact_ms, mut scan_ms, mut found) = (Vec::new(), Vec::new(), 0usize);
    for question in 0..questions {
        // A question is near a cluster, and none of its vectors.
        let mut asked = Matrix::zeros(1, dim);
        let centre = centres.row(question * 7919 % centres.rows).to_vec();
        for (value, centre) in asked.row_mut(0).iter_mut().zip(centre) {
            *value = centre + 0.4 * random.random_range(-1.7f32..1.7);
        }
        asked.normalize_rows();
        let asked = asked.row(0);
        let began = Instant::now();
        let truth = exact(&all, asked);
        let ten = greatest(&truth, 10);
        exact_ms.push(began.elapsed().as_secs_f64() * 1e3);
        let began = Instant::now();
        let about = scan.products(asked);
        let again: Vec<(usize, f32)> = greatest(&about, AGAIN)
            .into_iter()
            .map(|row| (row, product(all.row(row), asked)))
            .collect();
        let scores: Vec<f32> = again.iter().map(|(_, score)| *score).collect();
        let first: Vec<usize> = greatest(&scores, 10)
            .into_iter()
            .map(|place| again[place].0)
            .collect();
        scan_ms.push(began.elapsed().as_secs_f64() * 1e3);
        found += ten.iter().filter(|row| first.contains(row)).count();
    }
    let line = serde_json::json!({
        "rows": rows, "dim": dim, "questions": questions,
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
        "f32_ms": figures(&mut exact_ms), "int8_ms": figures(&mut scan_ms),
        "ratio_of_medians": exact_ms[exact_ms.len() / 2] / scan_ms[scan_ms.len() / 2],
        "f32_mb": all.data.len() as f64 * 4.0 / f64::from(1 << 20), "int8_mb": bytes,
        "recall_10": found as f64 / (10 * questions) as f64,
    });
    println!("{line}");
}

fn vectors(rows: usize, dim: usize, random: &mut ChaCha8Rng) -> Matrix {
    let mut all = Matrix::zeros(rows, dim);
    for value in &mut all.data {
        *value = random.random_range(-1.7f32..1.7);
    }
    all
}

/// The product with every row, on all cores.
fn exact(all: &Matrix, asked: &[f32]) -> Vec<f32> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = all.rows.div_ceil(threads).max(1) * all.dim;
    std::thread::scope(|scope| {
        let workers: Vec<_> = all
            .data
            .chunks(part)
            .map(|rows| {
                let each = move || rows.chunks(asked.len()).map(|row| product(row, asked));
                scope.spawn(move || each().collect::<Vec<f32>>())
            })
            .collect();
        let parts = workers.into_iter().filter_map(|worker| worker.join().ok());
        parts.flatten().collect()
    })
}

/// In sixteen sums, so that several are computed at a time.
fn product(row: &[f32], asked: &[f32]) -> f32 {
    let mut sums = [0f32; 16];
    let ((a, a_rest), (b, b_rest)) = (row.as_chunks::<16>(), asked.as_chunks::<16>());
    for (a, b) in a.iter().zip(b) {
        for ((sum, x), y) in sums.iter_mut().zip(a).zip(b) {
            *sum += x * y;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + rest
}

/// Median and 95th percentile; the figures are sorted.
fn figures(ms: &mut [f64]) -> serde_json::Value {
    ms.sort_by(f64::total_cmp);
    let at = |share: f64| ms[((ms.len() - 1) as f64 * share).round() as usize];
    serde_json::json!({ "median": at(0.5), "p95": at(0.95) })
}

/// Memory of this process in MiB.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kb = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kb.unwrap_or_default() / 1024.0
}
