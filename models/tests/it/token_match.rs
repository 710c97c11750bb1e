//! BERTScore with the real program: against values that were computed without libtorch, and what has no figure.

use crate::common::*;
use lexforge_domain::protocol::{
    Job, JobResult, ModelRef, RESULT_FILE, TokenMatchItem, TokenMatchJob, TokenMatchLine,
    TokenMatchResult,
};
use lexforge_models::tensors;
use serde::Deserialize;
use std::path::Path;

fn job(model: &str, layer: Option<usize>, idf: bool) -> TokenMatchJob {
    TokenMatchJob {
        model: ModelRef {
            name: model.into(),
            sha256: String::new(),
        },
        input: "inputs/answers.jsonl".into(),
        output: "matches.jsonl".into(),
        layer,
        idf,
        threads: 1,
    }
}

fn matched(
    bundle: &Path,
    models: &Path,
    job: &TokenMatchJob,
    items: &[TokenMatchItem],
) -> (Vec<TokenMatchLine>, TokenMatchResult) {
    write_job(bundle, Job::TokenMatch(job.clone()));
    write_jsonl(&bundle.join(&job.input), items);
    run_well(bundle, models);
    let result = std::fs::read(bundle.join(RESULT_FILE)).unwrap();
    let JobResult::TokenMatch(result) = serde_json::from_slice(&result).unwrap() else {
        panic!("another result");
    };
    let lines = std::fs::read_to_string(bundle.join(&result.output)).unwrap();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    (lines, result)
}

fn item(prediction: &str, references: &[&str]) -> TokenMatchItem {
    TokenMatchItem {
        prediction: prediction.into(),
        references: references.iter().map(|text| (*text).into()).collect(),
    }
}

#[test]
fn figures_are_those_computed_directly_from_the_weights() {
    #[derive(Deserialize)]
    struct Run {
        layer: usize,
        idf: bool,
        scores: Vec<[f64; 3]>,
    }
    #[derive(Deserialize)]
    struct Recorded {
        items: Vec<TokenMatchItem>,
        runs: Vec<Run>,
    }
    let Some(model) = minilm() else { return };
    let recorded: Recorded =
        serde_json::from_str(include_str!("data/minilm_bertscore.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (number, run) in recorded.runs.iter().enumerate() {
        // The last layer is the one that is taken where none is named.
        let layer = (run.layer < 6).then_some(run.layer);
        let (lines, result) = matched(
            &folder.path().join(number.to_string()),
            model.parent().unwrap(),
            &job(MINILM, layer, run.idf),
            &recorded.items,
        );
        assert_eq!((result.layer, result.layers), (run.layer, 6));
        assert_eq!(result.max_length, 512);
        for (line, expected) in lines.iter().zip(&run.scores) {
            let found = [line.precision, line.recall, line.f1];
            let far = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
            assert!(
                far.fold(0.0, f64::max) < 3e-5,
                "layer {}, idf {}: {found:?}, {expected:?}",
                run.layer,
                run.idf
            );
        }
        let at = |holds: fn(&TokenMatchLine) -> bool| -> Vec<usize> {
            (0..lines.len()).filter(|&i| holds(&lines[i])).collect()
        };
        assert_eq!(at(|line| line.empty), [2]);
        assert_eq!(at(|line| line.cut), [6]);
        assert_eq!(at(|line| line.weightless), Vec::<usize>::new());
    }
}

#[test]
fn a_text_matches_itself_in_every_block_and_batch() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    let mut random = Random(5);
    let texts: Vec<String> = (0..150).map(|i| words(&mut random, 1 + i % 9)).collect();
    let items: Vec<TokenMatchItem> = texts.iter().map(|text| item(text, &[text])).collect();
    let bundle = folder.path().join("same");
    let (lines, result) = matched(&bundle, folder.path(), &job(TINY, Some(1), false), &items);
    assert_eq!((lines.len(), result.rows), (150, 150));
    for line in &lines {
        assert!((line.f1 - 1.0).abs() < 1e-6, "{line:?}");
    }
    // A word that is in every right answer has no weight. With only one right answer, this is true of all its words.
    let bundle = folder.path().join("weightless");
    let one = [item("the bank", &["the bank shall report"])];
    let (lines, _) = matched(&bundle, folder.path(), &job(TINY, None, true), &one);
    assert!(lines[0].weightless && lines[0].f1 == 0.0, "{lines:?}");
}

#[test]
fn a_layer_that_is_not_there_and_weights_that_are_no_numbers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    let refused = |name: &str, layer: Option<usize>| {
        let bundle = folder.path().join(name);
        let job = job(TINY, layer, false);
        write_job(&bundle, Job::TokenMatch(job.clone()));
        write_jsonl(
            &bundle.join(&job.input),
            &[item("the bank", &["the board"])],
        );
        let output = run(&bundle, folder.path());
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (name, layer) in [("none", 0), ("beyond", 3)] {
        let said = refused(name, Some(layer));
        assert!(said.contains("The encoder has 2 layers"), "{said}");
    }
    let file = folder.path().join(TINY).join("model.safetensors");
    let invalid = |why| lexforge_models::Error::Shim(why);
    let mut weights = tensors::read(&file, invalid).unwrap();
    let name = "bert.encoder.layer.1.output.LayerNorm.weight";
    let _ = weights.get_mut(name).unwrap().fill_(f64::NAN);
    std::fs::write(&file, tensors::to_bytes(&weights).unwrap()).unwrap();
    let said = refused("damaged", None);
    assert!(said.contains("no numbers"), "{said}");
}
