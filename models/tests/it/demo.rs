//! The demonstration decoder that comes with the product.

use crate::common;
use crate::common::naive::logits_of;
use crate::common::root;
use lexforge_domain::protocol::{InspectJob, Job, ModelRef};
use lexforge_models::decoding::chat::Message;
use lexforge_models::decoding::generate::greedy;
use lexforge_models::decoding::language::{Language, LanguageModel};
use lexforge_models::folder::ModelFolders;
use lexforge_models::jobs::inspect::inspect;
use lexforge_models::losses::sft::{Form, question_text};
use lexforge_models::tensors::{self, NamedTensors};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tch::{Device, Kind};

const NAME: &str = "lexforge-demo";

/// Sentences of our own that no document of the corpus has.
const ENGLISH: &str = "The board secretary shall keep the minutes of the board, and the executive supervisor may inspect \
    them at any time. Within 30 days of the end of each quarter the institution reports its large exposures.";
const CHINESE: &str = "董事会秘书应当保管董事会会议记录，监督管理机构可以随时查阅。商业银行应当自每季度终了之日起三十日内报告大额风险暴露。";

fn folder() -> PathBuf {
    root().join("models").join("demo")
}

fn model() -> LanguageModel {
    LanguageModel::open(&folder(), Some(Kind::Float), Device::Cpu).unwrap()
}

#[test]
fn it_is_small_and_whole() {
    let found = inspect(&folder()).unwrap();
    assert_eq!(
        (found.architecture.as_str(), found.dtype.as_str()),
        ("qwen3", "BF16")
    );
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert!(
        found.parameters > 2_000_000 && found.parameters <= 5_000_000,
        "{}",
        found.parameters
    );
    assert_eq!(found.vocabulary, 8192);
    assert!(found.max_positions >= 1024);
    let mut names = BTreeSet::new();
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder()).unwrap().flatten() {
        bytes += entry.metadata().unwrap().len();
        names.insert(entry.file_name().into_string().unwrap());
    }
    assert!(bytes <= 12_000_000, "{bytes}");
    for needed in [
        "README.md",
        "generation_config.json",
        "sources.json",
        "tokenizer_config.json",
        "training.json",
    ] {
        assert!(names.contains(needed), "{needed}");
    }
}

#[test]
fn its_tokenizer_gives_any_text_back_and_is_far_shorter_than_bytes() {
    let language = Language::open(&folder(), 8192).unwrap();
    for text in [
        ENGLISH,
        CHINESE,
        "〇 𠮷 “½” \t\r\n  ﬁ e\u{301} 12,500 元（含）",
        "Straße № 5 – 7 %",
    ] {
        let encoded = language.encode(text).unwrap();
        assert_eq!(language.decode(&encoded.ids).unwrap(), text);
    }
    let bytes_per_token =
        |text: &str| text.len() as f64 / language.encode(text).unwrap().ids.len() as f64;
    let (english, chinese) = (bytes_per_token(ENGLISH), bytes_per_token(CHINESE));
    println!("bytes a token: English {english:.2}, Chinese {chinese:.2}");
    assert!(english > 3.0 && chinese > 3.0, "{english} {chinese}");
}

#[test]
fn it_is_asked_in_chatml_and_answers_in_both_languages() {
    let model = model();
    let prompt = model
        .language
        .prompt(&[Message::user("Who keeps the minutes?")])
        .unwrap();
    assert_eq!(
        prompt,
        "<|im_start|>user\nWho keeps the minutes?<|im_end|>\n<|im_start|>assistant\n"
    );
    let ends: Vec<String> = ["<|im_end|>", "<|endoftext|>"].map(str::to_owned).to_vec();
    let of_ends: BTreeSet<u32> = ends
        .iter()
        .map(|end| model.language.encode(end).unwrap().ids[0])
        .collect();
    assert_eq!(
        model
            .language
            .ends()
            .iter()
            .copied()
            .collect::<BTreeSet<_>>(),
        of_ends
    );
    for (question, choices) in [
        (
            "Which term fills the gap in “The ____ keeps the minutes of the board”?",
            ["board secretary", "board", "client"],
        ),
        (
            "“____负责保管会议记录”一句的空缺处应填哪个术语？",
            ["董事会秘书", "董事会", "客户"],
        ),
    ] {
        for form in [Form::Choices, Form::Open] {
            let asked = [Message::user(question_text(question, &choices, form))];
            let ids = model
                .language
                .encode(&model.language.prompt(&asked).unwrap())
                .unwrap()
                .ids;
            let written = greedy(model.decoder.as_ref(), &ids, model.language.ends(), 48).unwrap();
            let text = model.language.decode(&written.ids).unwrap();
            println!("{question} → {text}");
            assert!(!text.trim().is_empty());
        }
    }
}

/// Loss in bits a byte of the text; without a model it would be 8.
fn loss(model: &LanguageModel, text: &str) -> f64 {
    let _no_grad = tch::no_grad_guard();
    let ids = model.language.encode(text).unwrap().ids;
    let logs = logits_of(model, &ids).log_softmax(1, Kind::Float);
    let sum: f64 = (1..ids.len())
        .map(|i| logs.double_value(&[i as i64 - 1, i64::from(ids[i])]))
        .sum();
    -sum / 2f64.ln() / text.len() as f64
}

#[test]
fn it_foretells_a_regulations_wording_and_not_the_same_words_in_disorder() {
    let model = model();
    for text in [ENGLISH, CHINESE] {
        let mut pieces: Vec<&str> = if text == ENGLISH {
            text.split_inclusive(' ').collect()
        } else {
            text.split("").collect()
        };
        let ordered = loss(&model, text);
        pieces.reverse();
        let disordered = loss(&model, &pieces.concat());
        println!("{ordered:.2} bits a byte in order, {disordered:.2} in disorder");
        assert!(
            ordered < 2.5 && ordered < 0.7 * disordered,
            "{ordered} {disordered}"
        );
    }
}

#[derive(Deserialize)]
struct Document {
    identifier: String,
    title: String,
    licence: String,
    language: String,
    bytes: u64,
    sha256: String,
}

#[derive(Deserialize)]
struct Documents {
    licences: std::collections::BTreeMap<String, String>,
    documents: Vec<Document>,
}

fn documents(path: &Path) -> Documents {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn its_sources_are_named_with_licence_and_none_is_kept_for_measuring() {
    let sources = documents(&folder().join("sources.json"));
    let kept = documents(&root().join("tools").join("bench").join("ablation.json"));
    for list in [&sources, &kept] {
        for one in &list.documents {
            assert!(
                !one.identifier.is_empty() && !one.title.is_empty() && one.bytes > 0,
                "{}",
                one.identifier
            );
            assert!(list.licences.contains_key(&one.licence), "{}", one.licence);
            assert!(["en", "zh"].contains(&one.language.as_str()));
            let hexadecimal = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
            assert!(
                one.sha256.len() == 64 && one.sha256.chars().all(hexadecimal),
                "{}",
                one.sha256
            );
        }
        let hashes: BTreeSet<&str> = list
            .documents
            .iter()
            .map(|one| one.sha256.as_str())
            .collect();
        assert_eq!(hashes.len(), list.documents.len());
    }
    for one in &sources.documents {
        assert!(
            !kept
                .documents
                .iter()
                .any(|other| other.sha256 == one.sha256),
            "{}",
            one.identifier
        );
        assert!(
            !kept
                .documents
                .iter()
                .any(|other| other.identifier == one.identifier),
            "{}",
            one.identifier
        );
        let named = format!("{} {}", one.identifier, one.title).to_lowercase();
        for privacy in ["2016/679", "32016r0679", "gdpr", "general data protection"] {
            assert!(!named.contains(privacy), "{named}");
        }
    }
    let chinese = |list: &Documents| {
        list.documents
            .iter()
            .filter(|one| one.language == "zh")
            .count()
    };
    assert_eq!((chinese(&sources), chinese(&kept)), (14, 14));
}

#[test]
fn it_is_found_by_its_name_in_a_checkout_and_beside_the_program() {
    let wanted = ModelRef {
        name: NAME.into(),
        sha256: String::new(),
    };
    assert_eq!(
        ModelFolders::only(vec![folder()]).find(&wanted).unwrap(),
        folder()
    );

    let root_folder = tempfile::tempdir().unwrap();
    let at = |name: &str| root_folder.path().join(name);
    let inspect_from = |program: &Path, place: &Path, bundle: &str| {
        common::write_job(
            &at(bundle),
            Job::Inspect(InspectJob {
                model: wanted.clone(),
                plan: None,
                texts: None,
                tokens: None,
            }),
        );
        let output = Command::new(program)
            .current_dir(place)
            .env("XDG_CACHE_HOME", at("cache"))
            .env_remove("LEXFORGE_MODELS")
            .arg("run")
            .arg(at(bundle))
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let worker = Path::new(env!("CARGO_BIN_EXE_lexforge-worker"));
    let (done, said) = inspect_from(worker, &root(), "from-checkout");
    assert!(done && said.contains("qwen3"), "{said}");

    // As an installation lays it out: the program, and models beside it.
    let program = at(worker.file_name().unwrap().to_str().unwrap());
    if std::fs::hard_link(worker, &program).is_err() {
        std::fs::copy(worker, &program).unwrap();
    }
    assert!(!inspect_from(&program, root_folder.path(), "without").0);
    std::fs::create_dir_all(at("models").join(NAME)).unwrap();
    for entry in std::fs::read_dir(folder()).unwrap().flatten() {
        std::fs::copy(
            entry.path(),
            at("models").join(NAME).join(entry.file_name()),
        )
        .unwrap();
    }
    let (done, said) = inspect_from(&program, root_folder.path(), "beside");
    assert!(done && said.contains("qwen3"), "{said}");
}

#[test]
fn transformers_makes_the_same_of_it() {
    let Some(python) = lexforge_needs::python("torch, transformers, safetensors") else {
        return;
    };
    let model = model();
    let _no_grad = tch::no_grad_guard();
    let mut asked = Vec::new();
    let mut logits = NamedTensors::new();
    let listed = question_text(
        "Who keeps the minutes?",
        &["the board", "the board secretary"],
        Form::Choices,
    );
    for (number, question) in [ENGLISH, CHINESE, listed.as_str(), " \n"]
        .into_iter()
        .enumerate()
    {
        let prompt = model.language.prompt(&[Message::user(question)]).unwrap();
        let ids = model.language.encode(&prompt).unwrap().ids;
        logits.insert(number.to_string(), logits_of(&model, &ids));
        asked.push(serde_json::json!({"question": question, "prompt": prompt, "ids": ids}));
    }
    let scratch = tempfile::tempdir().unwrap();
    let (questions, values) = (
        scratch.path().join("asked.json"),
        scratch.path().join("logits.safetensors"),
    );
    std::fs::write(&questions, serde_json::Value::Array(asked).to_string()).unwrap();
    std::fs::write(&values, tensors::to_bytes(&logits).unwrap()).unwrap();
    let script = root().join("tests").join("python").join("check_decoder.py");
    let output = Command::new(&python)
        .arg(script)
        .args([&folder(), &questions, &values])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    println!("{}", said.trim());
}
