//! Measures how fast the workspace answers the Graph screen's requests, in a workspace of 100,000 sentences and 50,000
//! terms with 10 mentions in each sentence. The figures are printed, and docs/ quotes none of them.
//!
//!     cargo run -p lexforge-engine --example neighbourhood
#![allow(clippy::unwrap_used, missing_docs)]

use lexforge_domain::api::{GroupKey, NeighbourhoodRequest, NodeRef};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, EngineCounts, ParsedDocument, ParsedPage, ParsedSection,
    ParsedSentence, ReadEngine,
};
use lexforge_domain::graph::{EdgeKind, GraphSettings, GraphStats, SentenceEdge, SimilarEntities};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{SentenceId, TermId};
use lexforge_engine::Engine;
use lexforge_store::{BuildRecord, NewGraph, NewTerm, SentenceCandidate, Workspace};
use std::path::Path;
use std::time::Instant;

const DOCUMENTS: usize = 100;
const SENTENCES: usize = 1_000;
const TERMS: usize = 50_000;
const MENTIONS: usize = 10;
/// Questions that are timed of each kind.
const TIMED: usize = 200;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.lexforge");
    let began = Instant::now();
    let (terms, sentences) = fill(&path);
    println!(
        "{} sentences, {} terms, made in {:.1} s",
        sentences.len(),
        terms.len(),
        began.elapsed().as_secs_f64()
    );
    let engine = Engine::open(&path).unwrap();
    let mut chance = Chance(3);
    // Rank 0 stands in the most sentences.
    let rare = |chance: &mut Chance| {
        NodeRef::term(terms[1_000 + chance.below(TERMS as u64 - 1_000) as usize])
    };
    let hub = |chance: &mut Chance| NodeRef::term(terms[chance.below(20) as usize]);
    let any = |chance: &mut Chance| {
        NodeRef::sentence(sentences[chance.below(sentences.len() as u64) as usize])
    };
    type Pick<'p> = &'p dyn Fn(&mut Chance) -> NodeRef;
    let kinds: [(&str, Pick); 4] = [
        ("term, the most frequent of all", &|_| {
            NodeRef::term(terms[0])
        }),
        ("term, of the 20 most frequent", &hub),
        ("term", &rare),
        ("sentence", &any),
    ];
    for (what, pick) in kinds {
        for steps in [1, 2] {
            let mut times = Vec::new();
            let mut nodes = 0;
            for _ in 0..TIMED {
                let request = NeighbourhoodRequest {
                    steps,
                    ..NeighbourhoodRequest::of(pick(&mut chance))
                };
                let began = Instant::now();
                nodes += engine.graph().neighbourhood(&request).unwrap().nodes.len();
                times.push(milliseconds(began));
            }
            println!(
                "{what}, {steps} step(s): {}; {:.1} nodes",
                summary(times),
                nodes as f64 / TIMED as f64
            );
        }
    }
    let mut times = Vec::new();
    for _ in 0..TIMED {
        let pair = chance.below(TERMS as u64 - 1) as usize;
        let began = Instant::now();
        engine
            .graph()
            .graph_edge(NodeRef::term(terms[pair]), NodeRef::term(terms[pair + 1]))
            .unwrap();
        times.push(milliseconds(began));
    }
    println!("edge between terms: {}", summary(times));
    let parent = NodeRef::term(terms[0]);
    let key = GroupKey {
        parent,
        kind: EdgeKind::SharedEntity,
        document: None,
    };
    let began = Instant::now();
    let rows = engine
        .graph()
        .group_members(&NeighbourhoodRequest::of(parent), &key, 0, 40)
        .unwrap();
    println!(
        "what is folded into the largest hub ({} sentences), 40 rows: {:.1} ms",
        rows.total,
        milliseconds(began)
    );
}

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn milliseconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

fn summary(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!(
        "median {:.1} ms, 95 % {:.1} ms, most {:.1} ms",
        at(0.5),
        at(0.95),
        at(1.0)
    )
}

fn document(number: usize) -> ParsedDocument {
    let sentences: Vec<ParsedSentence> = (0..SENTENCES)
        .map(|i| ParsedSentence {
            text: format!(
                "In case {i} of part {number} the holder keeps the record and reports it in time."
            ),
            complete: None,
            page: 1 + i as u32 / 20,
            section: Some(i / 100),
            kind: SentenceKind::Rule,
            regions: Vec::new(),
            start: i * 100,
            end: i * 100 + 90,
            external_id: None,
        })
        .collect();
    let sections = (0..SENTENCES / 100)
        .map(|i| ParsedSection {
            parent: None,
            level: 0,
            label: format!("Article {}", i + 1),
            title: String::new(),
            path: format!("Article {}", i + 1),
            page: 1,
        })
        .collect();
    ParsedDocument {
        title: format!("Rules, part {number}"),
        format: DocumentFormat::Text,
        language: Language::En,
        metadata: DocumentMetadata::default(),
        pages: (1..=SENTENCES as u32 / 20)
            .map(|n| ParsedPage {
                number: n,
                width: 0.0,
                height: 0.0,
                text: String::new(),
                engine: ReadEngine::Plain,
                agreement: None,
                scanned: false,
                differences: Vec::new(),
                removed: Vec::new(),
            })
            .collect(),
        sections,
        sentences,
        engines: EngineCounts::default(),
        tables: Vec::new(),
        reader_agreement: None,
        scanned_pages: 0,
        warnings: Vec::new(),
    }
}

fn fill(path: &Path) -> (Vec<TermId>, Vec<SentenceId>) {
    let store = Workspace::create(path).unwrap();
    for number in 0..DOCUMENTS {
        store
            .write("maker", |w| {
                w.insert_document(
                    &document(number),
                    &format!("{number}.txt"),
                    number.to_string().as_bytes(),
                )
            })
            .unwrap();
    }
    let sentences: Vec<SentenceId> = store
        .read(|r| r.sentences(None))
        .unwrap()
        .iter()
        .map(|s| s.id)
        .collect();
    let new: Vec<NewTerm> = (0..TERMS)
        .map(|i| {
            NewTerm::of(TermCandidate {
                score: (TERMS - i) as f64,
                class: format!("class {}", i % 12),
                ..TermCandidate::new(format!("duty {i}"), FoundBy::Phrase, Language::En)
            })
        })
        .collect();
    // Frequencies as in a text: rank r about 1/r, so that the first term is in most sentences.
    let mut chance = Chance(1);
    let mut mentions: Vec<(usize, SentenceId, u32, u32)> =
        Vec::with_capacity(sentences.len() * MENTIONS);
    for sentence in &sentences {
        for at in 0..MENTIONS as u32 {
            let part = chance.below(1_000_000) as f64 / 1e6;
            let rank = ((TERMS as f64).powf(part) - 1.0) as usize;
            mentions.push((rank.min(TERMS - 1), *sentence, at * 8, at * 8 + 6));
        }
    }
    let terms = store
        .write("maker", |w| {
            w.replace_terms(&new, &mentions, ReviewPolicy::UnreviewedAutomatic)
        })
        .unwrap();
    let similar: Vec<SimilarEntities> = terms
        .windows(4)
        .flat_map(|w| {
            [1, 2, 3].map(|far| SimilarEntities {
                a: w[0],
                b: w[far],
                cosine: 0.9 - 0.04 * far as f32,
            })
        })
        .collect();
    let mut edges: Vec<SentenceEdge> = Vec::new();
    let mut candidates: Vec<SentenceCandidate> = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let other = sentences[chance.below(sentences.len() as u64) as usize];
        if other != *sentence {
            let kind = if at % 2 == 0 {
                EdgeKind::Lexical
            } else {
                EdgeKind::Reference
            };
            edges.push(SentenceEdge {
                a: *sentence,
                b: other,
                kind,
                weight: 0.8,
            });
        }
        for far in 1..=12 {
            let candidate = sentences[(at + far) % sentences.len()];
            candidates.push(SentenceCandidate {
                anchor: *sentence,
                candidate,
                cosine: 0.98 - 0.005 * far as f32,
            });
        }
    }
    let new = NewGraph {
        settings: &GraphSettings::default(),
        stats: &GraphStats::default(),
        corpus_hash: "made",
        parent: None,
        record: &BuildRecord::default(),
        similar: &similar,
        edges: &edges,
        candidates: &candidates,
        kept: &[],
    };
    store.write("maker", |w| w.insert_graph(&new)).unwrap();
    (terms, sentences)
}
