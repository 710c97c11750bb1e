//! Every reader of other people's bytes that needs no libtorch and is not part of the parser, as a target for damaged
//! inputs (`lexforge_hostile`). Each target reads its kept inputs and damaged copies of them. `tools/fuzz/run` runs one
//! target for a long time. `fuzz_corpus.rs` in the tests of the parser has that of the parser, and `models/tests/it/readers.rs`
//! tests the worker's readers.

use lexforge_augment::endpoint::{Address, ProxyServer, batch};
use lexforge_augment::extract::TermPrompter;
use lexforge_augment::wording::{Wording, Wordings};
use lexforge_augment::{
    AnswerText, read_answer, read_judgement, read_paraphrase, read_queries, read_variants, rubric,
    shifts,
};
use lexforge_compute::{Bundle, WorkerProgram, remote::station};
use lexforge_domain::api::{GlossaryFormat, MergeRequest, PromptKind};
use lexforge_domain::protocol::{StationReply, StationRequest};
use lexforge_domain::schema::TermSchema;
use lexforge_domain::text::Language;
use lexforge_engine::{
    Engine, QaRequest, Silent, classification_figures, qa_figures, restore, similarity_figures,
};
use lexforge_graph::pairing::WordVectors;
use lexforge_hostile::{Target, about, kind};
use lexforge_ingest::{corpus, encoding, exam, glossary, sheet, wire, workbook};
use lexforge_store::Workspace;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A rule that answers of models are about.
const RULE: &str =
    "A bank shall report each loss above 5 % of its capital to the authority within ten days.";
/// After so many inputs the workspace that takes them in is made anew: it grows.
const RENEWED: u64 = 2000;

/// The targets, each with a folder of inputs of its name.
const TARGETS: [Target; 18] = [
    of("glossary", glossary),
    of("exam", exam),
    of("contexts", contexts),
    of("corpus", corpus),
    of("table", table),
    of("encoding", encoding),
    of("parser-frames", parser_frames),
    of("model-answers", model_answers),
    of("batch-answers", batch_answers),
    of("prompts", prompts),
    of("shifts", shifts),
    of("addresses", addresses),
    of("bundle", bundle),
    of("station", station),
    of("packet", packet),
    of("workspace", workspace),
    of("imports", imports),
    of("figures", figures),
];

#[test]
fn readers_answer_whatever_they_are_given() {
    let corpora = lexforge_needs::root().join("tests/corpora");
    lexforge_hostile::feed(&TARGETS, &corpora);
}

const fn of(name: &'static str, feed: fn(&[u8]) -> String) -> Target {
    Target { name, feed }
}

/// The first byte chooses among so many, the rest is what is read.
fn chosen(bytes: &[u8], among: usize) -> (usize, &[u8]) {
    match bytes.split_first() {
        Some((first, rest)) => (usize::from(*first) % among, rest),
        None => (0, bytes),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The answer of a reader in words.
fn told<T, E: Display>(answer: Result<T, E>, count: impl FnOnce(&T) -> usize) -> String {
    match answer {
        Ok(found) => about(count(&found)),
        Err(why) => kind(why),
    }
}

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().unwrap();
    static TAKES_IN: RefCell<Option<(u64, Engine)>> = const { RefCell::new(None) };
    static EMPTY: Vec<u8> = empty();
}

fn scratch(name: &str) -> PathBuf {
    FOLDER.with(|folder| folder.path().join(name))
}

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = scratch(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn glossary(bytes: &[u8]) -> String {
    const FORMATS: [GlossaryFormat; 4] = [
        GlossaryFormat::Csv,
        GlossaryFormat::Tbx,
        GlossaryFormat::Skos,
        GlossaryFormat::Json,
    ];
    let (format, rest) = chosen(bytes, FORMATS.len());
    let read = glossary::read(rest, FORMATS[format], rest.len().is_multiple_of(2));
    if let Ok(read) = &read {
        let entries: Vec<_> = read
            .entries
            .iter()
            .map(|(_, entry)| entry.clone())
            .collect();
        for format in FORMATS {
            let _ = glossary::write(&entries, format, "spoilt");
        }
    }
    told(read, |read| read.entries.len() + 1000 * read.unread.len())
}

fn exam(bytes: &[u8]) -> String {
    told(exam::questions(bytes, "law"), |file| {
        file.items.len() + 1000 * file.rejected.len()
    })
}

fn contexts(bytes: &[u8]) -> String {
    told(exam::contexts(bytes), |file| {
        file.items.len() + 1000 * file.rejected.len()
    })
}

fn corpus(bytes: &[u8]) -> String {
    told(corpus::parse("spoilt", bytes), |document| {
        document.warnings.len()
    })
}

fn table(bytes: &[u8]) -> String {
    let names = ["question", "问题", "verdict"];
    let column = told(sheet::column(bytes, &names), Vec::len);
    let workbook = workbook::is_workbook(bytes).is_ok_and(|is| is);
    let rows = sheet::rows(bytes);
    if let Ok(rows) = &rows {
        for cell in rows.iter().flatten() {
            // A cell that is written comes back as it was.
            assert_eq!(&sheet::text_of(&sheet::cell(cell)), cell);
        }
    }
    format!("{column} {workbook} {}", told(rows, Vec::len))
}

fn encoding(bytes: &[u8]) -> String {
    told(encoding::decode(bytes, None), |decoded| {
        decoded.warnings.len()
    })
}

fn parser_frames(bytes: &[u8]) -> String {
    let mut input = bytes;
    let mut frames = 0;
    loop {
        match wire::read(&mut input) {
            Ok(wire::Frame::End) => return about(frames),
            Ok(_) => frames += 1,
            Err(why) => return format!("{} {}", about(frames), kind(why)),
        }
    }
}

fn model_answers(bytes: &[u8]) -> String {
    let (which, rest) = chosen(bytes, 8);
    let answer = AnswerText {
        text: text(rest),
        finish: if rest.len().is_multiple_of(7) {
            "length".to_owned()
        } else {
            "stop".to_owned()
        },
    };
    match which {
        0 => told(read_answer(&answer), |read| read.statements.len()),
        1 => told(read_judgement(&answer), |read| read.reason.len()),
        2 => {
            let (text, fault) = read_paraphrase(&answer, RULE, Language::En);
            format!("{} {}", text.is_some(), fault.map(kind).unwrap_or_default())
        }
        3 => {
            let (found, fault) = read_queries(&answer, RULE, Language::En);
            format!(
                "{} {}",
                found.is_some(),
                fault.map(kind).unwrap_or_default()
            )
        }
        4 => told(read_variants(&answer), Vec::len),
        5 => told(rubric::read_marks(&answer), |marks| {
            marks.all().iter().map(|mark| usize::from(*mark)).sum()
        }),
        6 => match rubric::read_better(&answer) {
            Ok(better) => better.tag().to_owned(),
            Err(why) => kind(why),
        },
        _ => {
            let prompter = TermPrompter {
                identity: String::new(),
                model: "m".to_owned(),
                max_tokens: 100,
                wordings: Arc::new(Wordings::default()),
            };
            told(prompter.proposed(&answer, 3), |n| *n as usize)
        }
    }
}

fn batch_answers(bytes: &[u8]) -> String {
    let mut kinds = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').take(20) {
        kinds.push(match batch::read(line) {
            Ok(batch::BatchLine::Foreign) => "foreign",
            Ok(batch::BatchLine::Error(..)) => "error",
            Ok(_) => "answer",
            Err(why) => why,
        });
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds.join(" ")
}

fn prompts(bytes: &[u8]) -> String {
    let (which, rest) = chosen(bytes, PromptKind::ALL.len());
    let read = Wording::parse(PromptKind::ALL[which], Language::En, &text(rest));
    told(read, |wording| wording.text().len())
}

fn shifts(bytes: &[u8]) -> String {
    let text = text(bytes);
    let schema = serde_json::from_str::<TermSchema>(&text).is_ok();
    format!("{} {schema}", told(shifts::read(&text), Vec::len))
}

fn addresses(bytes: &[u8]) -> String {
    let typed = text(bytes);
    let address = Address::parse(&typed).map_err(|failure| failure.message);
    let proxy = ProxyServer::parse(&typed).map_err(|failure| failure.message);
    let (address, proxy) = (
        told(address, |address| usize::from(address.is_loopback())),
        told(proxy, |proxy| usize::from(proxy.password().is_some())),
    );
    format!("{address} {proxy}")
}

/// The first byte says which of a bundle's files it is; the others are as they should be.
fn bundle(bytes: &[u8]) -> String {
    const FILES: [&str; 3] = ["job.json", "result.json", "events.jsonl"];
    const JOB: &str = r#"{"protocol_version":1,"job":{"kind":"export"}}"#;
    let (which, rest) = chosen(bytes, FILES.len());
    let folder = scratch("bundle");
    std::fs::create_dir_all(&folder).unwrap();
    for name in FILES {
        let _ = std::fs::remove_file(folder.join(name));
    }
    std::fs::write(folder.join(FILES[0]), JOB).unwrap();
    std::fs::write(folder.join(FILES[which]), rest).unwrap();
    let events = lexforge_compute::events::EventReader::new(&folder, FILES[2]).read();
    let events = told(events, Vec::len);
    let words = Bundle::open(&folder).map_err(|failure| failure.message);
    let opened = match words {
        Ok(bundle) => {
            let result = bundle.result().map_err(|failure| failure.message);
            let result = told(result, |result| usize::from(result.is_some()));
            format!("{result} {:?}", bundle.last_words().map(kind))
        }
        Err(why) => kind(why),
    };
    format!("{events} {opened}")
}

/// Frames for a worker on a target. Its program does not exist. No request can reach a file outside of its folder.
fn station(bytes: &[u8]) -> String {
    let folder = scratch("target");
    let program = WorkerProgram::at(scratch("no-worker"));
    // The frames as the client would read them: messages of the other side.
    let message = bytes.get(9..).unwrap_or_default();
    let asked = serde_json::from_slice::<StationRequest>(message).is_ok();
    let said = serde_json::from_slice::<StationReply>(message).is_ok();
    let answered = station::serve(&folder, program, "0", bytes, std::io::sink());
    let answered = answered.map_err(|failure| failure.message);
    format!("{asked} {said} {}", told(answered, |()| 0))
}

/// The body of a packet or of an answer, with the hash that fits: a hash stops accidents and no forger.
fn packet(bytes: &[u8]) -> String {
    let (which, body) = chosen(bytes, 2);
    let format = ["lexforge-review-packet", "lexforge-review-answer"][which];
    let hash = hex::encode(Sha256::digest(body));
    let head = format!("{{\"format\":\"{format}\",\"version\":1,\"sha256\":\"{hash}\",\"body\":");
    let file = written("packet.json", &[head.as_bytes(), body, b"}\n"].concat());
    if which == 0 {
        let made = scratch("opened.lexforge");
        let opened = Engine::open_packet(&file, &made).map_err(|failure| failure.message);
        let answer = told(opened, |_| 0);
        removed(&made);
        return answer;
    }
    taking_in(|engine| {
        let merged = engine
            .review()
            .merge_answer(&file, &MergeRequest::default());
        told(merged.map_err(|failure| failure.message), |_| 0)
    })
}

/// Does something with a workspace that takes files in.
fn taking_in(work: impl FnOnce(&Engine) -> String) -> String {
    TAKES_IN.with(|kept| {
        let mut kept = kept.borrow_mut();
        if kept.as_ref().is_none_or(|(times, _)| *times >= RENEWED) {
            *kept = None;
            let path = scratch("takes-in.lexforge");
            removed(&path);
            *kept = Some((0, Engine::create(&path).unwrap()));
        }
        let (times, engine) = kept.as_mut().unwrap();
        *times += 1;
        work(engine)
    })
}

fn removed(workspace: &Path) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(format!("{}{end}", workspace.display()));
    }
    let _ = std::fs::remove_dir_all(format!("{}.artifacts", workspace.display()));
}

/// The bytes of a new workspace.
fn empty() -> Vec<u8> {
    let path = scratch("empty.lexforge");
    drop(Workspace::create(&path).unwrap());
    let bytes = std::fs::read(&path).unwrap();
    removed(&path);
    bytes
}

/// Patches to a new workspace: four bytes give the place, one the length, and then the new bytes follow. If the input
/// has an odd length, the file is a backup that is restored.
fn workspace(bytes: &[u8]) -> String {
    let mut file = EMPTY.with(Clone::clone);
    let mut patches = bytes;
    while let Some((head, rest)) = patches.split_first_chunk::<5>() {
        let at = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize % file.len();
        let length = usize::from(head[4]).min(rest.len()).min(file.len() - at);
        file[at..at + length].copy_from_slice(&rest[..length]);
        patches = &rest[length..];
    }
    let path = written("spoilt.lexforge", &file);
    let answer = if bytes.len().is_multiple_of(2) {
        let opened = Workspace::open(&path);
        told(opened.and_then(|w| w.read(|r| r.counts())), |_| 0)
    } else {
        let target = scratch("restored.lexforge");
        let report = restore(&path, &target, false, false).map_err(|failure| failure.message);
        let answer = told(report, |report| usize::from(report.audit_ok));
        removed(&target);
        answer
    };
    removed(&path);
    answer
}

/// Files of labels, verdicts, triplets and schemas, into a workspace.
fn imports(bytes: &[u8]) -> String {
    let (which, rest) = chosen(bytes, 4);
    let file = written("import.txt", rest);
    taking_in(|engine| match which {
        0 => told(
            engine
                .answering()
                .import_pairs(&file)
                .map_err(|f| f.message),
            |report| report.rejected.len(),
        ),
        1 => told(
            engine
                .answering()
                .import_verdicts(&file)
                .map_err(|f| f.message),
            |_| 0,
        ),
        2 => told(
            engine
                .writing()
                .import_triplets(&text(rest))
                .map_err(|f| f.message),
            |report| report.turned_down.len(),
        ),
        _ => match serde_json::from_slice::<TermSchema>(rest) {
            Ok(schema) => told(
                engine
                    .terms()
                    .put_term_schema(schema)
                    .map_err(|f| f.message),
                |()| 0,
            ),
            Err(why) => kind(why),
        },
    })
}

/// Files whose figures are taken without a workspace, and word vectors.
fn figures(bytes: &[u8]) -> String {
    let (which, rest) = chosen(bytes, 4);
    let text = text(rest);
    match which {
        0 => told(similarity_figures(&text).map_err(|f| f.message), |_| 0),
        1 => told(
            classification_figures(&text, None).map_err(|f| f.message),
            |_| 0,
        ),
        2 => told(
            qa_figures(&text, &QaRequest::default(), None, &Silent).map_err(|f| f.message),
            |_| 0,
        ),
        _ => {
            let read = WordVectors::read(&text, &["bank", "loan"], |word| vec![word.to_owned()]);
            told(read, WordVectors::known)
        }
    }
}
