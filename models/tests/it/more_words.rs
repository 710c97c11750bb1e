//! Tests of an encoder with more words. Each new word replaces its pieces and begins as their mean; everything else is
//! unchanged. The folder is a base model like any other.

use crate::common::formula::{DECODER, tiny_decoder};
use crate::common::*;
use lexforge_domain::protocol::{
    AddWordsJob, AddWordsResult, AddedWord, Job, JobResult, ModelRef, RESULT_FILE, Tune,
};
use lexforge_models::architectures::architecture::Config;
use lexforge_models::texts::tokenizer::TextTokenizer;
use lexforge_models::weights::Weights;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

fn job(model: &str, pieces: usize) -> AddWordsJob {
    AddWordsJob {
        model: ModelRef {
            name: model.into(),
            sha256: String::new(),
        },
        words: "inputs/words.jsonl".into(),
        most: 2,
        pieces,
        name: "grown".into(),
        output: "grown".into(),
    }
}

fn bundle(folder: &Path, job: &AddWordsJob, words: &[&str]) -> PathBuf {
    write_job(folder, Job::AddWords(job.clone()));
    let lines: Vec<_> = words
        .iter()
        .map(|word| serde_json::json!({ "text": word }))
        .collect();
    write_jsonl(&folder.join(&job.words), &lines);
    folder.join(&job.output)
}

fn result(bundle: &Path) -> AddWordsResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::AddWords(result) => result,
        other => panic!("{other:?}"),
    }
}

fn table(folder: &Path) -> Tensor {
    let weights = Weights::open(folder, Device::Cpu).unwrap();
    let rows = Config::of_folder(folder).unwrap().sizes().vocabulary as i64;
    let name = "bert.embeddings.word_embeddings.weight";
    weights.tensor(name, &[rows, 32]).unwrap().copy()
}

fn ids(folder: &Path, text: &str) -> Vec<u32> {
    let tokenizer = TextTokenizer::open(folder, 32).unwrap();
    tokenizer.tokenize(&[text]).unwrap().remove(0).ids
}

/// Words in the order of a user's wishes. The first is one piece; the fourth would be one too many.
const WANTED: [&str; 4] = ["loan", "risk capital board", "Supervisor Shall", "may not"];

#[test]
fn words_take_the_place_of_their_pieces_and_begin_as_their_mean() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let config =
        serde_json::json!({"added_tokens_decoder": {"0": {"content": "[PAD]", "special": true}}});
    let listed = models.join(TINY).join("tokenizer_config.json");
    std::fs::write(listed, config.to_string()).unwrap();
    let at = folder.path().join("bundle");
    let grown = bundle(&at, &job(TINY, 2), &WANTED);
    run_well(&at, &models);
    let made = result(&at);
    let added = |word: &str, pieces| AddedWord {
        word: word.to_owned(),
        pieces,
    };
    assert_eq!(
        made.added,
        [added("risk capital board", 3), added("Supervisor Shall", 2)]
    );
    let base = models.join(TINY);
    let before = table(&base);
    let (rows, _) = before.size2().unwrap();
    assert_eq!(made.vocabulary as i64, rows + 2);

    let config = std::fs::read_to_string(grown.join("tokenizer_config.json")).unwrap();
    let config: serde_json::Value = serde_json::from_str(&config).unwrap();
    let listed = &config["added_tokens_decoder"];
    assert_eq!(listed.as_object().unwrap().len(), 3);
    let second = &listed[(rows + 1).to_string()];
    assert_eq!(second["content"], "Supervisor Shall");
    assert_eq!(second["single_word"], true);

    // Between other words, whatever the case and the marks beside it, and not within a word.
    let first = rows as u32;
    let pieces = ids(&base, "risk capital board");
    assert_eq!(ids(&base, "the risk capital board shall").len(), 7);
    let of = |text: &str| ids(&grown, text);
    let around = |text: &str| -> (u32, u32) {
        let all = of(text);
        (all[1], all[all.len() - 2])
    };
    let [the, shall] = ["the", "shall"].map(|word| ids(&base, word)[1]);
    assert_eq!(around("the risk capital board shall"), (the, shall));
    assert_eq!(of("the risk capital board shall")[2], first);
    assert_eq!(of("the Risk Capital Board shall")[2], first);
    assert_eq!(of("the supervisor shall")[2], first + 1);
    assert!(!of("the risk capital boards shall").contains(&first));
    assert_eq!(
        of("the bank shall report"),
        ids(&base, "the bank shall report")
    );

    // The table: the old rows, and the means.
    let after = table(&grown);
    assert!(after.narrow(0, 0, rows).equal(&before));
    let own: Vec<i64> = pieces[1..pieces.len() - 1]
        .iter()
        .map(|&id| i64::from(id))
        .collect();
    let mean = before.index_select(0, &Tensor::from_slice(&own)).mean_dim(
        [0i64].as_slice(),
        false,
        Kind::Float,
    );
    let apart = (after.get(rows) - mean).abs().max().double_value(&[]);
    assert!(apart < 1e-6, "{apart}");

    // Texts without a new word have the vectors that they had, and one with it has another.
    let vectors = |model: &str, models: &Path, name: &str| {
        let at = folder.path().join(name);
        let job = embed_job(model, 32);
        embed_bundle(&at, &job, &["the bank shall report", "risk capital board"]);
        run_well(&at, models);
        embeddings(&at.join(&job.output))
    };
    let (old, new) = (vectors(TINY, &models, "old"), vectors("grown", &at, "new"));
    assert!(largest_difference(&old[..1], &new[..1]) < 1e-5);
    assert!(largest_difference(&old[1..], &new[1..]) > 1e-3);

    // It is trained like any base model, and more words can be added to it.
    let mut training = train_job();
    training.model.name = "grown".into();
    training.settings.tune = Tune::All;
    training.settings.stages[0].max_steps = Some(3);
    let run = folder.path().join("run");
    train_bundle(&run, &training, &items(20, 1), &[]);
    run_well(&run, &at);
    let further = folder.path().join("further");
    let twice = bundle(&further, &job("grown", 2), &["the risk capital board"]);
    run_well(&further, &at);
    assert_eq!(result(&further).added, [added("the risk capital board", 2)]);
    assert_eq!(ids(&twice, "the risk capital board")[1], first + 2);
    assert_eq!(ids(&twice, "risk capital board")[1], first);
}

/// A tokenizer may have a piece with the same name as a term that it breaks. Tokenizers with a mark for the beginning
/// of a word can have such pieces.
#[test]
fn a_term_with_the_name_of_a_piece_leaves_the_row_of_that_piece_alone() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let base = models.join(TINY);
    let file = base.join("tokenizer.json");
    let mut tokenizer: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let vocabulary = tokenizer["model"]["vocab"].as_object_mut().unwrap();
    let row = vocabulary.remove("year").unwrap();
    vocabulary.insert("risk-capital".to_owned(), row);
    std::fs::write(&file, tokenizer.to_string()).unwrap();
    assert!(ids(&base, "risk-capital").len() > 3);

    let at = folder.path().join("bundle");
    let grown = bundle(&at, &job(TINY, 2), &["risk-capital", "may not"]);
    run_well(&at, &models);
    let added: Vec<String> = result(&at).added.into_iter().map(|one| one.word).collect();
    assert_eq!(added, ["may not"]);
    let before = table(&base);
    let (rows, _) = before.size2().unwrap();
    assert!(table(&grown).narrow(0, 0, rows).equal(&before));
}

#[test]
fn what_cannot_have_more_words_is_refused_and_a_broken_off_job_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    tiny_decoder(&models);
    let refused = |name: &str, job: &AddWordsJob, words: &[&str], said: &str| {
        let at = folder.path().join(name);
        bundle(&at, job, words);
        let output = run(&at, &models);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(said), "{told}");
    };
    refused("decoder", &job(DECODER, 2), &WANTED, "is a decoder");
    refused("whole", &job(TINY, 4), &WANTED, "4 pieces or more");
    refused("none", &job(TINY, 2), &[], "none of the 0 terms");
    // The files of a killed attempt do not disturb a new attempt.
    let at = folder.path().join("again");
    let grown = bundle(&at, &job(TINY, 2), &WANTED);
    std::fs::create_dir_all(&grown).unwrap();
    std::fs::write(grown.join("model.safetensors"), "half").unwrap();
    run_well(&at, &models);
    assert_eq!(result(&at).added.len(), 2);
}
