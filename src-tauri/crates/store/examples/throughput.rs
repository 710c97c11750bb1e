//! Measures the store on a generated workspace: bulk insertion, verification, and the queries behind every screen.
//!
//!     cargo run --release -p lexforge-store --example throughput -- [SENTENCES] [FOLDER]
//!
//! Default: 1,000,000 sentences of 8 to 40 words from a Zipf-like vocabulary, in documents of 20,000.
#![allow(clippy::unwrap_used)]

use lexforge_domain::api::{AugmentReport, QuestionFilter, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, EngineCounts, ParsedDocument, ParsedPage, ParsedSentence,
    ReadEngine,
};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, Region, SentenceKind};
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_store::verify::verify;
use lexforge_store::{NewTerm, Workspace};
use std::time::Instant;

const PER_DOCUMENT: usize = 20_000;
const PER_PAGE: usize = 20;

/// A small generator of numbers (xorshift), so that every run measures the same rows.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// A word by Zipf's law, roughly: rank = vocabulary^u.
    fn word(&mut self, vocabulary: &[String]) -> usize {
        let u = self.below(1 << 20) as f64 / f64::from(1 << 20);
        (vocabulary.len() as f64).powf(u) as usize % vocabulary.len()
    }
}

fn vocabulary() -> Vec<String> {
    let parts = [
        "re", "port", "cap", "it", "al", "fund", "bank", "ex", "pos", "ure", "risk", "lim", "mar",
        "ket", "auth", "or",
    ];
    let mut numbers = Numbers(7);
    (0..30_000)
        .map(|_| {
            (0..2 + numbers.below(3))
                .map(|_| parts[numbers.below(16) as usize])
                .collect()
        })
        .collect()
}

fn document(
    number: usize,
    sentences: usize,
    words: &[String],
    numbers: &mut Numbers,
) -> ParsedDocument {
    let sentences: Vec<ParsedSentence> = (0..sentences)
        .map(|i| {
            let length = 8 + numbers.below(33) as usize;
            let text: Vec<&str> = (0..length)
                .map(|_| words[numbers.word(words)].as_str())
                .collect();
            let page = (i / PER_PAGE + 1) as u32;
            ParsedSentence {
                text: text.join(" "),
                complete: None,
                page,
                section: None,
                kind: SentenceKind::Rule,
                regions: vec![Region {
                    page,
                    x0: 1.0,
                    y0: 2.0,
                    x1: 3.0,
                    y1: 4.0,
                }],
                start: i * 100,
                end: i * 100 + 90,
                external_id: None,
            }
        })
        .collect();
    let pages = (0..sentences.len().div_ceil(PER_PAGE) as u32)
        .map(|i| ParsedPage {
            number: i + 1,
            width: 595.0,
            height: 842.0,
            text: String::new(),
            engine: ReadEngine::Plain,
            agreement: None,
            scanned: false,
            differences: Vec::new(),
            removed: Vec::new(),
        })
        .collect();
    ParsedDocument {
        title: format!("Document {number}"),
        format: DocumentFormat::Jsonl,
        language: Language::En,
        metadata: DocumentMetadata::default(),
        pages,
        sections: Vec::new(),
        sentences,
        engines: EngineCounts::default(),
        tables: Vec::new(),
        reader_agreement: None,
        scanned_pages: 0,
        warnings: Vec::new(),
    }
}

/// Processor time of this process so far (Linux: user and system, all threads), in seconds.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    // The kernel reports hundredths, whatever its own clock.
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

fn timed<T>(what: &str, f: impl FnOnce() -> lexforge_store::Result<T>) -> T {
    let started = Instant::now();
    let value = f().unwrap();
    println!("{:>10.2} ms  {what}", started.elapsed().as_secs_f64() * 1e3);
    value
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let total: usize = arguments.next().map_or(1_000_000, |n| n.parse().unwrap());
    let folder = arguments.next().map_or_else(std::env::temp_dir, Into::into);
    let path = folder.join(format!("throughput-{}.lexforge", std::process::id()));
    let workspace = Workspace::create(&path).unwrap();
    let (words, mut numbers) = (vocabulary(), Numbers(42));

    let (mut seconds, mut processor) = (0.0, Some(0.0));
    for (number, first) in (0..total).step_by(PER_DOCUMENT).enumerate() {
        let parsed = document(
            number,
            PER_DOCUMENT.min(total - first),
            &words,
            &mut numbers,
        );
        let started = Instant::now();
        let before = processor_seconds();
        let bytes = number.to_le_bytes();
        workspace
            .write("bench", |w| {
                w.insert_document(&parsed, "made.jsonl", &bytes)
            })
            .unwrap();
        seconds += started.elapsed().as_secs_f64();
        processor = processor
            .zip(before)
            .zip(processor_seconds())
            .map(|((sum, before), after)| sum + after - before);
    }
    println!(
        "insert: {total} sentences in {seconds:.2} s = {:.0} rows/s",
        total as f64 / seconds
    );
    if let Some(processor) = processor {
        println!(
            "insert: {processor:.2} s of processor time = {:.0} rows/s of it",
            total as f64 / processor
        );
    }
    println!("file: {} MB", std::fs::metadata(&path).unwrap().len() >> 20);

    let terms: Vec<NewTerm> = (0..total / 10)
        .map(|i| {
            let found = if i % 3 == 0 {
                FoundBy::Defined
            } else {
                FoundBy::Phrase
            };
            let text = format!("{} {}", words[numbers.word(&words)], i);
            NewTerm::of(TermCandidate {
                normal: format!("t{i}"),
                score: numbers.below(1000) as f64,
                ..TermCandidate::new(text, found, Language::En)
            })
        })
        .collect();
    let mentions: Vec<(usize, SentenceId, u32, u32)> = (0..total)
        .map(|i| (i % terms.len().max(1), SentenceId(i as i64 + 1), 0, 5))
        .collect();
    timed(
        "replace terms (a tenth as many as sentences, one mention a sentence)",
        || {
            workspace.write("bench", |w| {
                w.replace_terms(&terms, &mentions, ReviewPolicy::UnreviewedAutomatic)
            })
        },
    );
    let questions: Vec<(QcaDraft, Split)> = (0..total / 2)
        .map(|i| {
            let anchor = SentenceId(numbers.below(total as u64) as i64 + 1);
            let draft = QcaDraft {
                question: format!(
                    "What does rule {i} say about {}?",
                    words[numbers.word(&words)]
                ),
                choices: vec![
                    "one thing that it may say".to_owned(),
                    "another thing".to_owned(),
                ],
                origins: vec![
                    ChoiceOrigin::Anchor,
                    ChoiceOrigin::Neighbour { sentence: anchor },
                ],
                ..QcaDraft::new(
                    if i % 2 == 0 {
                        QcaLevel::Sentence
                    } else {
                        QcaLevel::Token
                    },
                    QuestionType::ALL[i % 8],
                    anchor,
                    QuestionSource::Offline,
                )
            };
            (draft, Split::ALL[i % 3])
        })
        .collect();
    timed("replace questions (half as many as sentences)", || {
        workspace.write("bench", |w| {
            w.replace_questions(&questions, &AugmentReport::default())
        })
    });
    drop(workspace);

    let workspace = timed("open", || Workspace::open(&path));
    let read =
        |what: &str, f: &dyn Fn(&lexforge_store::Reader) -> lexforge_store::Result<usize>| {
            timed(what, || workspace.read(|r| f(r)));
        };
    read("counts", &|r| Ok(r.counts()?.sentences as usize));
    read("documents", &|r| Ok(r.documents()?.len()));
    read("a page in the middle", &|r| {
        Ok(r.page(DocumentId(1), 7)?.sentences.len())
    });
    read("terms, first 100", &|r| {
        Ok(r.terms(&TermFilter {
            limit: 100,
            ..TermFilter::default()
        })?
        .rows
        .len())
    });
    let late = total as u64 / 10 - 100;
    read("terms, last 100", &|r| {
        Ok(r.terms(&TermFilter {
            limit: 100,
            offset: late,
            ..TermFilter::default()
        })?
        .rows
        .len())
    });
    let found = Some(FoundBy::Defined);
    read("terms found one way", &|r| {
        Ok(r.terms(&TermFilter {
            limit: 100,
            found,
            ..TermFilter::default()
        })?
        .rows
        .len())
    });
    let query = Some("capital 77".to_owned());
    read("terms containing", &|r| {
        Ok(r.terms(&TermFilter {
            limit: 100,
            query: query.clone(),
            ..TermFilter::default()
        })?
        .rows
        .len())
    });
    let questions = |filter: QuestionFilter| {
        move |r: &lexforge_store::Reader| Ok(r.questions(&filter)?.rows.len())
    };
    let first = QuestionFilter {
        limit: 100,
        ..QuestionFilter::default()
    };
    read("questions, first 100", &questions(first.clone()));
    read(
        "questions, last 100",
        &questions(QuestionFilter {
            offset: total as u64 / 2 - 100,
            ..first.clone()
        }),
    );
    let rare = QuestionFilter {
        level: Some(QcaLevel::Token),
        split: Some(Split::Dev),
        ..first.clone()
    };
    read("questions of a level and split", &questions(rare.clone()));
    read(
        "questions of a level and split, late",
        &questions(QuestionFilter {
            offset: total as u64 / 13,
            ..rare
        }),
    );
    read(
        "questions containing",
        &questions(QuestionFilter {
            query: Some("rule 4711".to_owned()),
            ..first
        }),
    );
    read("audit rows", &|r| Ok(r.audit_rows(100, None)?.len()));
    for query in [
        words[25_000].clone(),
        words[2_000].clone(),
        format!("{} {} {}", words[40], words[300], words[9_000]),
        words[1..6].join(" "),
    ] {
        read(&format!("search `{query}`, cold"), &|r| {
            Ok(r.search_lexical_in(&query, None, 20)?.len())
        });
        read(&format!("search `{query}`, warm"), &|r| {
            Ok(r.search_lexical_in(&query, None, 20)?.len())
        });
    }
    timed("verify the audit chain", || {
        workspace.read(verify).map(|report| assert!(report.ok))
    });
    drop(workspace);
    for end in ["", "-wal", "-shm"] {
        let mut file = path.clone().into_os_string();
        file.push(end);
        // SQLite removes the log itself.
        let _ = std::fs::remove_file(file);
    }
}
