//! Tests of the readers of other people's bytes with damaged inputs.
//!
//! A [`Target`] is a reader with a folder of inputs. The ordinary suite reads each input, and some hundreds of damaged
//! copies of them. With `LEXFORGE_FUZZ="TARGET EXECUTIONS"` (`tools/fuzz/run`), one target reads that many inputs, in
//! parts. Each part is a line of `docs/fuzzing.jsonl`, and a later call goes on where the last part ended. If an input
//! gives a new kind of answer, further inputs are made from it, and some of these inputs are kept in the folder. If a
//! reader panics or hangs, this is a finding: its input is also kept in the folder, and the suite fails until the
//! reader is fixed.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::panic)] // What feeds readers cannot go on without its files.

mod spoil;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What one input may take: far more than any does, so that only a hang exceeds it.
const PATIENCE: Duration = Duration::from_secs(60);
/// The stack of whoever reads, as the programs of the product give it to theirs.
const STACK: usize = 64 << 20;
/// Spoilt inputs of each target in the ordinary suite.
const FEW: u64 = 300;
/// Executions of one part.
const PART: u64 = 100_000;
/// Inputs of a target that are kept beside its seeds, and the longest of them.
const KEPT: (usize, usize) = (40, 2048);

/// A reader of foreign bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its folder of inputs.
    pub name: &'static str,
    /// Reads them; the kind of its answer.
    pub feed: fn(&[u8]) -> String,
}

/// The kind of an answer: its words without quoted texts and figures.
pub fn kind(answer: impl std::fmt::Display) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for c in answer.to_string().chars() {
        match c {
            '"' | '“' | '”' | '`' => quoted = !quoted,
            '0'..='9' => {}
            _ if quoted => {}
            _ if kind.len() >= 100 => break,
            _ => kind.push(c),
        }
    }
    kind
}

/// How many there are, roughly.
pub fn about(count: usize) -> String {
    format!("ok {}", count.checked_ilog2().map_or(0, |n| n + 1))
}

/// One part of a target's executions.
#[derive(Debug, Deserialize, Serialize)]
struct Part {
    target: String,
    from: u64,
    executions: u64,
    seconds: u64,
    kept: u64,
    crashes: u64,
}

/// What is being read, and since when.
type Now = Arc<Mutex<(Instant, Vec<u8>)>>;

/// Lets each target read its inputs and some damaged copies of them. With `LEXFORGE_FUZZ`, one target reads as many
/// inputs as the variable says.
///
/// # Panics
/// A reader panics or hangs, or a target has no inputs.
pub fn feed(targets: &[Target], corpora: &Path) {
    if let Ok(wish) = std::env::var("LEXFORGE_FUZZ") {
        let (name, times) = wish.rsplit_once(' ').unwrap_or((&wish, "1000000"));
        let times = times.parse().unwrap();
        for target in targets.iter().filter(|target| target.name == name) {
            long(*target, corpora, times);
        }
        return;
    }
    for target in targets {
        let seeds = inputs(&corpora.join(target.name));
        assert!(seeds.len() > 1, "{} has no inputs", target.name);
        let folder = corpora.join(target.name);
        let done = fed(*target, seeds, 0, FEW, &folder, false);
        assert_eq!(done.crashes, 0, "{} panics", target.name);
        assert!(done.kinds > 1, "{} answers always the same", target.name);
    }
}

fn long(target: Target, corpora: &Path, times: u64) {
    let record = lexforge_needs::root().join("docs/fuzzing.jsonl");
    let before = std::fs::read_to_string(&record).unwrap_or_default();
    let mut from: u64 = before
        .lines()
        .map(|line| serde_json::from_str::<Part>(line).unwrap())
        .filter(|part| part.target == target.name)
        .map(|part| part.executions)
        .sum();
    let end = from + times;
    let mut crashes = 0;
    while from < end {
        let folder = corpora.join(target.name);
        let (began, executions) = (Instant::now(), PART.min(end - from));
        let done = fed(target, inputs(&folder), from, executions, &folder, true);
        let part = Part {
            target: target.name.to_owned(),
            from,
            executions,
            seconds: began.elapsed().as_secs(),
            kept: done.kept,
            crashes: done.crashes,
        };
        let line = serde_json::to_string(&part).unwrap();
        eprintln!("{line}");
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&record)
            .unwrap();
        writeln!(file, "{line}").unwrap();
        from += executions;
        crashes += done.crashes;
    }
    assert_eq!(crashes, 0, "{} panics", target.name);
}

/// The inputs of a folder, in the order of their names.
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

/// The result of a part.
#[derive(Clone, Copy, Default)]
struct Done {
    kinds: usize,
    kept: u64,
    crashes: u64,
}

/// Reads all seeds and then so many spoilt inputs, on a thread that is watched.
fn fed(
    target: Target,
    seeds: Vec<Vec<u8>>,
    from: u64,
    times: u64,
    folder: &Path,
    keeps: bool,
) -> Done {
    let now: Now = Arc::new(Mutex::new((Instant::now(), Vec::new())));
    let (told, hears) = mpsc::channel();
    let (watched, place) = (Arc::clone(&now), folder.to_owned());
    let reader = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            let done = read_all(target, seeds, from, times, &place, keeps, &watched);
            let _ = told.send(done);
        })
        .unwrap();
    loop {
        match hears.recv_timeout(Duration::from_millis(500)) {
            Ok(done) => {
                reader.join().unwrap();
                return done;
            }
            Err(RecvTimeoutError::Disconnected) => panic!("{} ends", target.name),
            Err(RecvTimeoutError::Timeout) => {
                let (since, input) = now.lock().unwrap().clone();
                if since.elapsed() > PATIENCE {
                    let file = keep(folder, "hang", &input);
                    panic!("{} hangs: {}", target.name, file.display());
                }
            }
        }
    }
}

fn read_all(
    target: Target,
    seeds: Vec<Vec<u8>>,
    from: u64,
    times: u64,
    folder: &Path,
    keeps: bool,
    now: &Now,
) -> Done {
    let mut random = ChaCha8Rng::seed_from_u64(from);
    let (mut pool, mut kinds, mut done) = (seeds.clone(), HashSet::new(), Done::default());
    let room = KEPT.0.saturating_sub(names(folder, "kept"));
    let mut read = |input: Vec<u8>, seed: bool, pool: &mut Vec<Vec<u8>>| {
        *now.lock().unwrap() = (Instant::now(), input.clone());
        match catch_unwind(AssertUnwindSafe(|| (target.feed)(&input))) {
            Err(_) => {
                done.crashes += 1;
                eprintln!("a panic: {}", keep(folder, "crash", &input).display());
            }
            Ok(kind) => {
                if kinds.insert(kind) && !seed {
                    if keeps && (done.kept as usize) < room && input.len() <= KEPT.1 {
                        keep(folder, "kept", &input);
                        done.kept += 1;
                    }
                    pool.push(input);
                }
            }
        }
        done.kinds = kinds.len();
    };
    for seed in seeds {
        read(seed, true, &mut pool);
    }
    for _ in 0..times {
        let input = spoil::spoilt(&pool, &mut random);
        read(input, false, &mut pool);
    }
    done
}

fn names(folder: &Path, beginning: &str) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(beginning))
        .count()
}

/// Puts an input into the folder.
fn keep(folder: &Path, what: &str, input: &[u8]) -> PathBuf {
    let hash = hex::encode(&Sha256::digest(input)[..8]);
    let file = folder.join(format!("{what}-{hash}"));
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(&file, input).unwrap();
    file
}
