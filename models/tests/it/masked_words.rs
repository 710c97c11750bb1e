//! Tests of masked words. Loss and gradients equal PyTorch's. A run learns and can be resumed with the same bits. Its
//! result can be read like any adapter and trained further to compare texts.

use crate::common::formula::{DECODER, tiny_decoder, write_model};
use crate::common::stages::{adapter, result, trained_and_killed};
use crate::common::*;
use lexforge_domain::protocol::{
    MaskedWordsObjective, Objective, Pooling, StageSpec, TrainItem, TrainJob, Tune,
};
use lexforge_models::Error;
use lexforge_models::adapters::adapter::Sidecar;
use lexforge_models::architectures::encoder::Encoder;
use lexforge_models::architectures::recompute::Way;
use lexforge_models::architectures::word_head::WordHead;
use lexforge_models::losses::masked::MaskedText;
use lexforge_models::losses::masked_words::Foreteller;
use lexforge_models::tensors::{NamedTensors, from_bytes};
use lexforge_models::texts::tokenizer::TextTokenizer;
use lexforge_models::texts::whole_words::WholeWords;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use tch::{Device, Kind, Tensor};

#[derive(Deserialize)]
struct Recorded {
    texts: Vec<Text>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Text {
    ids: Vec<u32>,
    hidden: Vec<(usize, u32)>,
}

#[derive(Deserialize)]
struct Case {
    config: serde_json::Value,
    tensors: BTreeMap<String, Vec<i64>>,
    loss: f64,
    gradients: BTreeMap<String, Vec<f32>>,
}

/// Our name of a head's tensor, by its name in a folder.
fn in_head(name: &str) -> String {
    let side = name.rsplit('.').next().unwrap();
    let part = if name.to_lowercase().contains("norm") {
        "norm."
    } else if name.contains("dense") || name.contains("transform") {
        "dense."
    } else {
        ""
    };
    format!("word_head.{part}{side}")
}

fn gradient(tensor: &Tensor) -> Vec<f32> {
    Vec::try_from(tensor.grad().reshape([-1])).unwrap()
}

#[test]
fn loss_and_gradients_of_four_families_are_pytorchs() {
    let recorded: Recorded = serde_json::from_str(include_str!("data/mlm.json")).unwrap();
    let texts: Vec<MaskedText> = recorded
        .texts
        .into_iter()
        .map(|text| MaskedText {
            ids: text.ids,
            hidden: text.hidden,
        })
        .collect();
    let texts: Vec<&MaskedText> = texts.iter().collect();
    let weight = 1.0 / texts.iter().map(|t| t.hidden.len()).sum::<usize>() as f64;
    assert_eq!(recorded.cases.len(), 4);
    tch::set_num_threads(1);
    for case in &recorded.cases {
        let name = case.config["model_type"].as_str().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let model = tiny_models(folder.path()).join(TINY);
        write_model(&model, &case.config, &case.tensors, Kind::Float, 1);
        for recompute in [false, true] {
            let none = NamedTensors::new();
            let encoder =
                Encoder::open_to_train(&model, Pooling::Mean, 32, &none, Device::Cpu).unwrap();
            let words = encoder.words().unwrap();
            let head = WordHead::of_folder(&model, words, 16, Device::Cpu).unwrap();
            let foreteller = Foreteller {
                encoder: &encoder,
                head: &head,
                words,
            };
            let way = Way {
                recompute,
                ..Way::default()
            };
            // In two pieces, whose parts add up.
            let [first, rest] = [&texts[..1], &texts[1..]];
            let learnt = foreteller.backward(first, weight, way).unwrap()
                + foreteller.backward(rest, weight, way).unwrap();
            let value = foreteller.value(&texts, weight).unwrap();
            for loss in [learnt, value] {
                let apart = (loss - case.loss).abs();
                assert!(apart < 1e-5, "{name}: {loss} {}", case.loss);
            }
            let all = encoder.all_weights().unwrap().tensors();
            let trained: NamedTensors = all.into_iter().chain(head.tensors()).collect();
            assert!(case.gradients.len() >= 4, "{name}");
            for (parameter, expected) in &case.gradients {
                let own = trained
                    .get(parameter)
                    .unwrap_or_else(|| &trained[&in_head(parameter)]);
                let found = gradient(own);
                assert_eq!(found.len(), expected.len(), "{name}, {parameter}");
                let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
                let apart = apart.fold(0.0, f32::max);
                assert!(apart < 1e-5, "{name}, {parameter}: {apart}");
                assert!(expected.iter().any(|g| g.abs() > 1e-3), "{parameter}");
            }
            slope(&foreteller, &texts, weight, &trained);
        }
    }
}

/// Along the gradient the loss rises as steeply as the gradient is long.
fn slope(foreteller: &Foreteller<'_>, texts: &[&MaskedText], weight: f64, trained: &NamedTensors) {
    let with: Vec<&Tensor> = trained.values().filter(|t| t.grad().defined()).collect();
    let squares = with.iter().map(|t| t.grad().square().sum(Kind::Double));
    let length = squares.map(|s| s.double_value(&[])).sum::<f64>().sqrt();
    let moved = |step: f64| {
        tch::no_grad(|| {
            for tensor in &with {
                let way = tensor.grad() * (step / length);
                let _ = tensor.shallow_clone().g_add_(&way);
            }
        });
    };
    let step = 2e-3;
    moved(step);
    let above = foreteller.value(texts, weight).unwrap();
    moved(-2.0 * step);
    let below = foreteller.value(texts, weight).unwrap();
    moved(step);
    let found = (above - below) / (2.0 * step);
    assert!((found / length - 1.0).abs() < 0.02, "{found} {length}");
}

#[test]
fn the_pieces_of_a_word_are_masked_together_and_each_character_of_chinese_alone() {
    let folder = tempfile::tempdir().unwrap();
    let pieces = [
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "the",
        "re",
        "##capital",
        "##ise",
        ",",
        "银",
        "行",
        "bank",
    ];
    let numbered = pieces.iter().zip(0..);
    let vocabulary: serde_json::Map<String, serde_json::Value> = numbered
        .map(|(piece, id): (_, u32)| ((*piece).to_owned(), id.into()))
        .collect();
    let special =
        |name: &str, id: u32| serde_json::json!({"id": name, "ids": [id], "tokens": [name]});
    let tokenizer = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
            "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"[CLS]": special("[CLS]", 1), "[SEP]": special("[SEP]", 2)}},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary},
    });
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let tokenizer = TextTokenizer::open(folder.path(), 32).unwrap();
    let text = WholeWords::of(&tokenizer, "The Recapitalise, 银行 bank").unwrap();
    assert_eq!(text.ids, [1, 4, 5, 6, 7, 8, 9, 10, 11, 2]);
    assert_eq!(text.words, [1..2, 2..5, 5..6, 6..7, 7..8, 8..9]);
    assert!(!text.cut);
    assert_eq!(tokenizer.mask(), Some(3));
    // Special tokens are in no word, and a text of none has none.
    assert!(WholeWords::of(&tokenizer, " ").unwrap().words.is_empty());
}

fn masked() -> StageSpec {
    StageSpec {
        objective: Objective::MaskedWords(MaskedWordsObjective {
            share: 0.15,
            pooling: Pooling::Mean,
        }),
        epochs: 8,
        batch_size: 8,
        learning_rate: 5e-3,
        ..sentence_stage()
    }
}

fn job(tune: Tune) -> TrainJob {
    let mut job = train_job();
    job.settings.tune = tune;
    job.settings.stages = vec![masked()];
    job
}

/// The tiny models, whose tokenizer has a mask in the place of padding.
fn models(folder: &Path) -> std::path::PathBuf {
    let models = tiny_models(folder);
    let file = models.join(TINY).join("tokenizer.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("[PAD]", "[MASK]")).unwrap();
    models
}

#[test]
fn an_encoder_learns_the_order_of_words_and_a_killed_run_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path());
    let (train, dev) = (sentences(300, 1), sentences(40, 2));
    for tune in [Tune::Lora, Tune::All] {
        let folder = folder.path().join(format!("{tune:?}"));
        let straight = trained_and_killed(&folder, &models, &job(tune), [&train, &dev]);
        let whole = result(&straight);
        let stage = &whole.stages[0];
        assert_eq!((stage.name.as_str(), stage.items), ("mlm", 300));
        let (before, after) = (stage.dev_loss_before.unwrap(), stage.dev_loss_best.unwrap());
        assert!(after < 0.7 * before, "{tune:?}: {before} {after}");
        // The head that foretells words is no part of what was made.
        let named = from_bytes(&adapter(&straight), Error::Shim).unwrap();
        assert!(named.keys().all(|name| !name.contains("word_head")));
    }
}

#[test]
fn micro_batches_and_layers_computed_again_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path());
    let (train, dev) = (sentences(60, 1), sentences(10, 2));
    let made = |name: &str, change: &dyn Fn(&mut TrainJob)| {
        let mut job = job(Tune::Lora);
        job.settings.lora.dropout = 0.0;
        // A few steps: rounding differs, and every further step makes more of it.
        job.settings.stages[0].max_steps = Some(3);
        change(&mut job);
        let at = folder.path().join(name);
        train_bundle(&at, &job, &train, &dev);
        run_well(&at, &models);
        from_bytes(&adapter(&at), Error::Shim).unwrap()
    };
    let plain = made("plain", &|_| {});
    let pieces = made("pieces", &|job| {
        job.settings.stages[0].micro_batch = Some(2);
    });
    let again = made("again", &|job| {
        job.settings.activation_checkpointing = true;
    });
    for other in [&pieces, &again] {
        assert!(plain.keys().eq(other.keys()));
        for (name, tensor) in &plain {
            let apart = (tensor - &other[name]).abs().max().double_value(&[]);
            assert!(apart < 1e-4, "{name}: {apart}");
        }
    }
}

#[test]
fn adaptation_comes_before_contrast_in_one_run_or_in_two() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path());
    let train: Vec<TrainItem> = items(60, 1)
        .into_iter()
        .zip(sentences(60, 3))
        .map(|(item, text)| TrainItem {
            rule: text.rule,
            ..item
        })
        .collect();
    let mut both = job(Tune::Lora);
    both.settings.stages.push(sentence_stage());
    let one = folder.path().join("one");
    train_bundle(&one, &both, &train, &items(10, 2));
    run_well(&one, &models);
    let names: Vec<String> = result(&one).stages.into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["mlm", "sentence"]);

    let first = folder.path().join("first");
    train_bundle(&first, &job(Tune::Lora), &train, &[]);
    run_well(&first, &models);
    let mut contrast = train_job();
    contrast.adapter = Some("adapter".into());
    // At a rate of nothing the vectors stay those of the adaptation.
    contrast.settings.stages[0].learning_rate = 1e-12;
    let second = folder.path().join("second");
    train_bundle(&second, &contrast, &train, &[]);
    let tuned = |bundle: &Path| bundle.join("tuned");
    copied(&tuned(&first), &second.join("adapter"));
    run_well(&second, &models);
    let at = |name: &str| folder.path().join(name);
    let plain = vectors(&at("plain"), &models, None);
    let of_first = vectors(&at("of-first"), &models, Some(&tuned(&first)));
    let of_second = vectors(&at("of-second"), &models, Some(&tuned(&second)));
    assert!(largest_difference(&plain, &of_first) > 1e-3);
    assert!(largest_difference(&of_first, &of_second) < 1e-5);
}

#[test]
fn the_stage_that_compares_says_how_vectors_are_read_wherever_it_stands() {
    let mut masked = masked();
    if let Objective::MaskedWords(words) = &mut masked.objective {
        words.pooling = Pooling::Cls;
    }
    let mut job = job(Tune::Lora);
    job.settings.stages = vec![masked.clone()];
    let alone = Sidecar::of_job(&job, 32, 1);
    assert_eq!((alone.pooling, alone.temperature), (Pooling::Cls, 0.0));
    let mut compares = sentence_stage();
    if let Objective::Sentence(sentence) = &mut compares.objective {
        sentence.instruction = "Which rule answers?".into();
    }
    for stages in [[masked.clone(), compares.clone()], [compares, masked]] {
        job.settings.stages = stages.to_vec();
        let read = Sidecar::of_job(&job, 32, 1);
        assert_eq!((read.pooling, read.temperature), (Pooling::Mean, 0.1));
        assert_eq!(read.instruction, "Which rule answers?");
    }
}

fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

/// Vectors of the tiny model, with the adapter in the folder `start` if one is given.
fn vectors(bundle: &Path, models: &Path, start: Option<&Path>) -> Vec<Vec<f32>> {
    let mut job = embed_job(TINY, 32);
    if let Some(from) = start {
        copied(from, &bundle.join("adapter"));
        job.adapter = Some("adapter".into());
    }
    embed_bundle(
        bundle,
        &job,
        &["the bank shall report", "risk capital board"],
    );
    run_well(bundle, models);
    embeddings(&bundle.join(&job.output))
}

#[test]
fn what_cannot_be_masked_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path());
    tiny_decoder(&models);
    let refused = |name: &str, models: &Path, job: &TrainJob, train: &[TrainItem], words: &str| {
        let at = folder.path().join(name);
        train_bundle(&at, job, train, &[]);
        let output = run(&at, models);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{said}");
    };
    let texts = sentences(20, 1);
    let mut decoder = job(Tune::Lora);
    decoder.model.name = DECODER.into();
    refused("decoder", &models, &decoder, &texts, "tunes text encoders");
    refused("empty", &models, &job(Tune::Lora), &[], "no training items");
    let questions = items(20, 1);
    let nothing = "can be learnt from in any stage";
    refused("no-rules", &models, &job(Tune::Lora), &questions, nothing);
    let mut all = job(Tune::Lora);
    all.settings.stages[0].objective = Objective::MaskedWords(MaskedWordsObjective {
        share: 1.0,
        pooling: Pooling::Mean,
    });
    refused("all", &models, &all, &texts, "share of masked tokens");
    let other = tempfile::tempdir().unwrap();
    let without = tiny_models(other.path());
    refused("mask", &without, &job(Tune::Lora), &texts, "has no mask");
}
