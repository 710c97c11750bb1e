//! Measures the search by words and vectors over many sentences: the figures of docs/benchmarks/ask.md.
//!
//!     cargo run --profile dist -p lexforge-engine --example search_million LINES QUESTIONS FOLDER [sentences]
//!
//! LINES and QUESTIONS are files of text, one sentence and one question a line. A made sentence is the first half of one
//! line and the second half of another, so that its words are as frequent as in real text. The vectors are made up, in
//! clusters, except for those of the questions, which the encoder makes. The workspace is kept in FOLDER, where a second
//! run finds it. The programs are named by `LEXFORGE_PARSE` and `LEXFORGE_WORKER`.
#![allow(clippy::unwrap_used, missing_docs)]

use lexforge_domain::api::{Inquiry, SearchMode, SearchRequest};
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, EngineCounts, ParsedDocument, ParsedPage, ParsedSentence,
    ReadEngine,
};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_engine::{Engine, Silent};
use lexforge_store::{EmbeddingKind, Workspace};
use std::path::Path;
use std::time::Instant;

/// Sentences of one document.
const OF_A_DOCUMENT: usize = 10_000;
/// Sentences around one centre.
const OF_A_CLUSTER: usize = 50;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [lines, questions, folder, rest @ ..] = given.as_slice() else {
        println!("search_million LINES QUESTIONS FOLDER [sentences]");
        return;
    };
    let sentences: usize = rest
        .first()
        .map_or(1_000_000, |number| number.parse().unwrap());
    let path = Path::new(folder).join(format!("{sentences}.lexforge"));
    if !path.exists() {
        let began = Instant::now();
        fill(&path, &std::fs::read_to_string(lines).unwrap(), sentences);
        println!("filled in {:.0} s", began.elapsed().as_secs_f64());
    }
    let began = Instant::now();
    let engine = Engine::open(&path).unwrap();
    println!("opened in {:.0} ms", milliseconds(began));
    let asked = std::fs::read_to_string(questions).unwrap();
    let asked: Vec<&str> = asked.lines().filter(|line| !line.is_empty()).collect();
    for mode in [SearchMode::Lexical, SearchMode::Dense, SearchMode::Hybrid] {
        let mut times = Vec::new();
        for question in &asked {
            let request = SearchRequest {
                query: (*question).to_owned(),
                mode,
                top: 10,
                document: None,
                encoder: None,
            };
            let began = Instant::now();
            let hits = engine.corpus().search(&request).unwrap();
            times.push(milliseconds(began));
            assert_eq!(hits.len(), 10);
        }
        told(&format!("search {mode:?}"), times);
    }
    let mut times = Vec::new();
    for question in asked.iter().take(20) {
        let inquiry = Inquiry {
            question: (*question).to_owned(),
            ..Inquiry::default()
        };
        let began = Instant::now();
        engine.answering().ask(&inquiry).unwrap();
        times.push(milliseconds(began));
    }
    told("ask", times);
}

/// A workspace of so many sentences, each with a vector.
fn fill(path: &Path, lines: &str, sentences: usize) {
    let lines: Vec<Vec<&str>> = lines
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|words: &Vec<&str>| words.len() > 4)
        .collect();
    let mut random = Random(42);
    let workspace = Workspace::create(path).unwrap();
    for document in 0..sentences.div_ceil(OF_A_DOCUMENT) {
        let count = OF_A_DOCUMENT.min(sentences - document * OF_A_DOCUMENT);
        let texts = (0..count).map(|_| {
            let (first, second) = (random.one_of(&lines), random.one_of(&lines));
            let halves = first[..first.len() / 2]
                .iter()
                .chain(&second[second.len() / 2..]);
            halves.copied().collect::<Vec<_>>().join(" ")
        });
        let parsed = parsed(texts.collect());
        let name = format!("rules-{document}.txt");
        workspace
            .write("bench", |w| {
                w.insert_document(&parsed, &name, name.as_bytes())
            })
            .unwrap();
    }
    drop(workspace);
    put_vectors(path, &mut random);
}

/// Gives each sentence a made-up vector under the name that the encoder's vectors have.
fn put_vectors(path: &Path, random: &mut Random) {
    let small = tempfile::tempdir().unwrap();
    let small = small.path().join("small.lexforge");
    let one = parsed(vec![
        "A bank shall report a breach within 72 hours.".to_owned(),
    ]);
    let workspace = Workspace::create(&small).unwrap();
    workspace
        .write("bench", |w| w.insert_document(&one, "one.txt", b"one"))
        .unwrap();
    drop(workspace);
    let engine = Engine::open_to_write(&small).unwrap();
    engine.answering().make_vectors(&Silent).unwrap();
    drop(engine);
    let workspace = Workspace::open(&small).unwrap();
    let sentence = EmbeddingKind::Sentence;
    let (encoder, dim) = workspace
        .read(|r| {
            let name = r.encoders(sentence)?.remove(0);
            let made = r.embeddings(sentence, &name)?.unwrap();
            Ok((name, made.dim))
        })
        .unwrap();
    let workspace = Workspace::open(path).unwrap();
    let ids: Vec<i64> = workspace
        .read(|r| Ok(r.sentences(None)?.iter().map(|s| s.id.0).collect()))
        .unwrap();
    let mut centre = Vec::new();
    for some in ids.chunks(OF_A_CLUSTER * 200) {
        let mut vectors = Vec::with_capacity(some.len() * dim);
        for place in 0..some.len() {
            if place % OF_A_CLUSTER == 0 {
                centre = (0..dim).map(|_| random.around_zero()).collect();
            }
            let one: Vec<f32> = centre
                .iter()
                .map(|value| value + 0.7 * random.around_zero())
                .collect();
            let length = one.iter().map(|x| x * x).sum::<f32>().sqrt();
            vectors.extend(one.iter().map(|value| value / length));
        }
        workspace
            .write("bench", |w| {
                w.add_embeddings(sentence, &encoder, some, dim, &vectors)
            })
            .unwrap();
    }
}

/// A document of one page for every 40 sentences.
fn parsed(texts: Vec<String>) -> ParsedDocument {
    let pages = texts.len().div_ceil(40);
    let mut start = 0;
    let sentence = |(at, text): (usize, String)| {
        let end = start + text.chars().count();
        let sentence = ParsedSentence {
            text,
            complete: None,
            page: (at / 40) as u32 + 1,
            section: None,
            kind: SentenceKind::Rule,
            regions: Vec::new(),
            start,
            end,
            external_id: None,
        };
        start = end + 1;
        sentence
    };
    let sentences = texts.into_iter().enumerate().map(sentence).collect();
    let page = |number: usize| ParsedPage {
        number: number as u32,
        width: 0.0,
        height: 0.0,
        text: String::new(),
        engine: ReadEngine::Plain,
        agreement: None,
        scanned: false,
        differences: Vec::new(),
        removed: Vec::new(),
    };
    ParsedDocument {
        title: "Rules".to_owned(),
        format: DocumentFormat::Text,
        language: Language::En,
        metadata: DocumentMetadata::default(),
        pages: (1..=pages).map(page).collect(),
        sections: Vec::new(),
        sentences,
        engines: EngineCounts::default(),
        tables: Vec::new(),
        reader_agreement: None,
        scanned_pages: 0,
        warnings: Vec::new(),
    }
}

/// A small generator of numbers (xorshift64*), the same at each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[(self.next() >> 16) as usize % all.len()]
    }

    /// A number from −1 to 1.
    fn around_zero(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// The first, then the median and the 95th of a hundred, and the greatest memory so far.
fn told(what: &str, mut times: Vec<f64>) {
    let first = times[0];
    times.sort_by(f64::total_cmp);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        line.map_or("?", |line| line.trim_start_matches(name).trim())
            .to_owned()
    };
    println!(
        "{what}: first {first:.0} ms, median {:.0} ms, 95 % within {:.0} ms, of {}; memory {}, at most {}",
        times[times.len() / 2],
        times[(times.len() * 95).div_ceil(100) - 1],
        times.len(),
        memory("VmRSS:"),
        memory("VmHWM:"),
    );
}
