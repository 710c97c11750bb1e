//! All weights of an encoder: their gradients in every architecture, what comes out of a training, and who reads it.

use crate::common::formula::{DECODER, tiny_decoder, values, write_model};
use crate::common::*;
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    Event, ExportFormat, ExportJob, ExportType, Job, JobResult, ModelRef, Precision, RESULT_FILE,
    TrainJob, TrainResult, Tune, USUAL_SHARD,
};
use lexforge_models::adapters::adapter::{self, Adapter, Sidecar};
use lexforge_models::adapters::all_weights::AllWeights;
use lexforge_models::adapters::lora::Pass;
use lexforge_models::architectures::architecture::{Architecture, Config};
use lexforge_models::architectures::packing::Packed;
use lexforge_models::architectures::recompute::gradient_of;
use lexforge_models::export::merge::Merged;
use lexforge_models::serving::served::Served;
use lexforge_models::serving::watch::Watch;
use lexforge_models::tensors::NamedTensors;
use lexforge_models::weights::Weights;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

#[derive(Deserialize)]
struct Recorded {
    sequences: Vec<Vec<u32>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: Value,
    tensors: BTreeMap<String, Vec<i64>>,
}

/// The small random folders of all architectures (tests/python/record_encoders.py, record_architectures.py).
fn recorded() -> (Vec<Vec<u32>>, Vec<Case>) {
    #[derive(Deserialize)]
    struct Earlier {
        cases: Vec<Case>,
    }
    tch::set_num_threads(1);
    let recorded: Recorded = serde_json::from_str(include_str!("data/encoders.json")).unwrap();
    let earlier: Earlier = serde_json::from_str(include_str!("data/architectures.json")).unwrap();
    let berts = ["bert", "roberta", "xlm-roberta"];
    let earlier = earlier.cases.into_iter();
    let mut cases: Vec<Case> = earlier
        .filter(|case| berts.contains(&case.name.as_str()))
        .collect();
    assert_eq!(cases.len(), 3);
    cases.extend(recorded.cases);
    (recorded.sequences, cases)
}

impl Case {
    fn write(&self, root: &Path) -> PathBuf {
        let folder = root.join(&self.name);
        write_model(&folder, &self.config, &self.tensors, Kind::Float, 1);
        folder
    }
}

fn loss_of(vectors: &Tensor) -> Result<Tensor, lexforge_models::Error> {
    let cubes = vectors.f_mul(vectors)?.f_mul(vectors)?;
    Ok(cubes.f_mean(Kind::Float)?)
}

/// The loss over all token vectors, and the gradients of all weights.
fn gradients(
    model: &dyn Architecture,
    all: &AllWeights,
    packed: &Packed,
    recompute: bool,
) -> NamedTensors {
    for mut tensor in all.tensors().into_values() {
        tensor.zero_grad();
    }
    let stack = model.stack(packed, Pass::Train).unwrap();
    let found = stack.backward(recompute, &mut |hidden| gradient_of(hidden, 1.0, loss_of));
    assert!(found.unwrap().is_finite());
    let of = |(name, tensor): (String, Tensor)| (name, tensor.grad().copy());
    all.tensors().into_iter().map(of).collect()
}

fn loss(model: &dyn Architecture, packed: &Packed) -> f64 {
    let _no_grad = tch::no_grad_guard();
    let vectors = model.forward(packed, Pass::Infer).unwrap();
    loss_of(&vectors).unwrap().double_value(&[])
}

/// Goes so far along directions.
fn go(all: &AllWeights, along: &NamedTensors, far: f64) {
    let _no_grad = tch::no_grad_guard();
    for (name, mut tensor) in all.tensors() {
        let _ = tensor.g_add_(&(&along[&name] * far));
    }
}

fn difference(a: &Tensor, b: &Tensor) -> f64 {
    assert_eq!(a.size(), b.size());
    (a - b).abs().max().double_value(&[])
}

/// Keys are compared with one another: what is added to all of them alike changes nothing.
fn changes_nothing(name: &str) -> bool {
    let keys = [".key.bias", ".k_lin.bias", ".attn.k.bias", "key_proj.bias"];
    keys.iter().any(|end| name.ends_with(end))
}

#[test]
fn every_weight_of_every_architecture_has_its_gradient() {
    let (mut texts, cases) = recorded();
    let root = tempfile::tempdir().unwrap();
    texts.sort_by_key(Vec::len);
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let packed = Packed::of(&texts, Device::Cpu).unwrap();
    for case in &cases {
        let folder = case.write(root.path());
        let config = Config::of_folder(&folder).unwrap();
        let (model, all) = config
            .load_to_train(&folder, &NamedTensors::new(), Device::Cpu)
            .unwrap();
        let plain = gradients(model.as_ref(), &all, &packed, false);
        let again = gradients(model.as_ref(), &all, &packed, true);
        for (name, gradient) in &plain {
            let size = gradient.abs().max().double_value(&[]);
            assert!(
                size > 0.0 || changes_nothing(name),
                "{} {name} learns nothing",
                case.name
            );
            let apart = difference(gradient, &again[name]);
            assert!(
                apart <= 1e-5 * size.max(1e-3),
                "{} {name}: {apart}",
                case.name
            );
        }
        // The loss rises along the gradient as fast as it says: by its norm.
        let squares = plain.values().map(|g| (g * g).sum(Kind::Double));
        let norm = squares.map(|s| s.double_value(&[])).sum::<f64>().sqrt();
        let along: NamedTensors = plain
            .iter()
            .map(|(name, gradient)| (name.clone(), gradient / norm))
            .collect();
        let step = 4e-3;
        go(&all, &along, step);
        let above = loss(model.as_ref(), &packed);
        go(&all, &along, -2.0 * step);
        let below = loss(model.as_ref(), &packed);
        let rise = (above - below) / (2.0 * step);
        assert!(
            (rise - norm).abs() <= 0.03 * norm,
            "{}: {rise} {norm}",
            case.name
        );
    }
}

#[test]
fn differences_from_the_base_lead_to_the_trained_model_here_and_in_an_export() {
    let (mut texts, cases) = recorded();
    let root = tempfile::tempdir().unwrap();
    texts.sort_by_key(Vec::len);
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let packed = Packed::of(&texts, Device::Cpu).unwrap();
    let vectors =
        |model: &dyn Architecture| tch::no_grad(|| model.forward(&packed, Pass::Infer).unwrap());
    for case in &cases {
        let folder = case.write(root.path());
        let config = Config::of_folder(&folder).unwrap();
        let base = vectors(config.load(&folder, Device::Cpu).unwrap().as_ref());
        let (model, all) = config
            .load_to_train(&folder, &NamedTensors::new(), Device::Cpu)
            .unwrap();
        let fresh = difference(&vectors(model.as_ref()), &base);
        // Within the rounding of fp32: biases by distance are added up in another order where they are trained.
        assert!(fresh <= 1e-5, "{}: a fresh one changes {fresh}", case.name);
        let along: NamedTensors = all
            .tensors()
            .into_iter()
            .map(|(name, tensor)| {
                let moved = values(&format!("{name} moved"), &tensor.size());
                (name, moved)
            })
            .collect();
        go(&all, &along, 0.3);
        let trained = vectors(model.as_ref());
        assert!(difference(&trained, &base) > 1e-2, "{}", case.name);

        let kept = root.path().join(format!("{}-adapter", case.name));
        std::fs::create_dir_all(&kept).unwrap();
        let mut job = train_job();
        job.settings.tune = Tune::All;
        let sidecar = Sidecar::of_job(&job, 32, 1);
        let differences = all.differences().unwrap();
        let contents =
            adapter::contents_of_differences(differences, &sidecar, Default::default()).unwrap();
        adapter::write(&kept, &contents).unwrap();
        let read = Adapter::read(&kept).unwrap();
        let differences = read.differences().unwrap();
        let tuned = config.load_with(&folder, differences, Device::Cpu).unwrap();
        let apart = difference(&vectors(tuned.as_ref()), &trained);
        assert!(apart <= 1e-5, "{}: {apart}", case.name);
        // Half of each difference is half of the way.
        let half = differences.iter().map(|(name, t)| (name.clone(), t * 0.5));
        let half: NamedTensors = half.collect();
        let halved = config.load_with(&folder, &half, Device::Cpu).unwrap();
        go(&all, &along, -0.15);
        let apart = difference(&vectors(halved.as_ref()), &vectors(model.as_ref()));
        assert!(apart <= 1e-5, "{}: {apart}", case.name);
        go(&all, &along, 0.15);

        let weights = Weights::open(&folder, Device::Cpu).unwrap();
        let updates = read.updates().unwrap();
        let merged = Merged::of(&weights, &updates).unwrap();
        assert_eq!(updates.len(), all.tensors().len());
        for (name, tensor) in all.tensors() {
            let apart = difference(&merged.tensor(&name).unwrap(), &tensor);
            assert!(apart <= 1e-6, "{} {name}: {apart}", case.name);
        }
        // No function reads it as a low-rank adapter.
        let mut model = config.load(&folder, Device::Cpu).unwrap();
        let refused = read.merge_into(&mut model.linears()).unwrap_err();
        assert_eq!(refused.into_failure().code, Code::ModelUnsupported);
        assert!(!kept.join(adapter::CONFIG_FILE).exists());
    }
}

#[test]
fn differences_of_another_model_and_other_tensors_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let config = Config::of_folder(&models.join(TINY)).unwrap();
    let load = |name: &str, values: &[f32]| {
        let foreign: NamedTensors = [(name.to_owned(), Tensor::from_slice(values))].into();
        let error = config
            .load_with(&models.join(TINY), &foreign, Device::Cpu)
            .err()
            .unwrap();
        error.into_failure()
    };
    let unknown = load("encoder.layer.7.output.dense.bias", &[0.0]);
    assert_eq!(unknown.code, Code::ModelUnsupported);
    assert!(unknown.message.contains("layer.7"), "{}", unknown.message);
    let narrow = load("encoder.layer.0.output.dense.bias", &[0.0]);
    assert_eq!(narrow.code, Code::ModelUnsupported);

    // A folder that claims to have differences but has none.
    let mut job = train_job();
    job.settings.tune = Tune::All;
    let sidecar = Sidecar::of_job(&job, 32, 1);
    let weight: NamedTensors = [("w".to_owned(), Tensor::from_slice(&[1f32]))].into();
    let mut contents =
        adapter::contents_of_differences(weight, &sidecar, Default::default()).unwrap();
    let kept = folder.path().join("kept");
    std::fs::create_dir_all(&kept).unwrap();
    adapter::write(&kept, &contents).unwrap();
    assert!(Adapter::read(&kept).is_ok());
    let other: NamedTensors = [("w".to_owned(), Tensor::from_slice(&[1f32]))].into();
    contents.insert(
        adapter::WEIGHTS_FILE,
        lexforge_models::tensors::to_bytes(&other).unwrap(),
    );
    adapter::write(&kept, &contents).unwrap();
    let failure = Adapter::read(&kept).err().unwrap().into_failure();
    assert_eq!(failure.code, Code::ModelUnsupported);
}

fn job() -> TrainJob {
    let mut job = train_job();
    job.settings.tune = Tune::All;
    job.settings.stages = vec![sentence_stage(), sentence_stage()];
    job
}

fn result(bundle: &Path) -> TrainResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Train(result) => result,
        other => panic!("{other:?}"),
    }
}

fn weights(bundle: &Path) -> Vec<u8> {
    std::fs::read(bundle.join("tuned").join(adapter::WEIGHTS_FILE)).unwrap()
}

fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

/// Vectors of a model, with the adapter in the folder `adapter` if one is given.
fn vectors(bundle: &Path, models: &Path, model: &str, adapter: Option<&Path>) -> Vec<Vec<f32>> {
    let mut job = embed_job(model, 32);
    if let Some(from) = adapter {
        copied(from, &bundle.join("adapter"));
        job.adapter = Some("adapter".into());
    }
    let texts = [
        "the bank shall report",
        "every supervisor may approve a loan",
    ];
    embed_bundle(bundle, &job, &texts);
    run_well(bundle, models);
    embeddings(&bundle.join(&job.output))
}

#[test]
fn a_killed_run_over_two_stages_ends_with_the_weights_of_an_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let (train, dev) = (items(400, 1), items(30, 2));
    for layer_by_layer in [false, true] {
        let mut job = job();
        job.settings.activation_checkpointing = layer_by_layer;
        let at = |name: &str| folder.path().join(format!("{name}-{layer_by_layer}"));
        let straight = at("straight");
        train_bundle(&straight, &job, &train, &dev);
        run_well(&straight, &models);
        let whole = result(&straight);
        assert_eq!((whole.steps, whole.stages.len()), (400, 2));
        assert!(whole.stages[0].last_loss < whole.stages[0].first_loss);
        let numbers = Weights::open(&models.join(TINY), Device::Cpu)
            .unwrap()
            .headers()
            .bytes
            / 4;
        assert!(
            whole.trainable_parameters <= numbers && whole.trainable_parameters > numbers / 2,
            "{} of {numbers}",
            whole.trainable_parameters
        );

        // In the first stage, in the second, and once more.
        let killed = at("killed");
        train_bundle(&killed, &job, &train, &dev);
        for (attempt, step) in [(1, 57), (2, 223), (3, 311)] {
            let mut child = start(&killed, &models);
            wait_for_step(&killed, &mut child, attempt, step);
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(!killed.join(RESULT_FILE).exists());
        }
        run_well(&killed, &models);
        let resumed = |e: &Event| matches!(e, Event::Started { resumed_from: Some(_), step, .. } if *step >= 300);
        assert!(events(&killed).iter().any(|e| resumed(&e.event)));
        assert!(weights(&straight) == weights(&killed), "the weights differ");
        assert_eq!(result(&killed).stages, whole.stages);
    }
}

#[test]
fn two_ranks_tune_all_weights_as_one_process_does() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let mut job = job();
    // So small that rounding does not grow over the steps.
    for stage in &mut job.settings.stages {
        stage.learning_rate = 3e-4;
    }
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    for bundle in [&one, &two] {
        train_bundle(bundle, &job, &items(60, 1), &items(10, 2));
    }
    run_well(&one, &models);
    let output = command(&two, &models)
        .args(["--ranks", "2"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (one, two) = (result(&one), result(&two));
    assert_eq!(one.trainable_parameters, two.trainable_parameters);
    for (one, two) in one.stages.iter().zip(&two.stages) {
        let (a, b) = (one.last_loss, two.last_loss);
        assert!((a - b).abs() <= 1e-4 * a.max(1.0), "{a} {b}");
    }
}

#[test]
fn what_was_trained_makes_vectors_goes_on_and_leaves_as_a_whole_model() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let at = |name: &str| folder.path().join(name);
    let trained = at("trained");
    train_bundle(&trained, &job(), &items(60, 1), &items(10, 2));
    run_well(&trained, &models);
    let tuned = trained.join("tuned");
    let plain = vectors(&at("plain"), &models, TINY, None);
    let of_tuned = vectors(&at("with"), &models, TINY, Some(&tuned));
    assert!(largest_difference(&plain, &of_tuned) > 1e-3);

    // Merged it gives the same vectors; as an adapter of PEFT it cannot leave.
    let export = |format| ExportJob {
        model: ModelRef {
            name: TINY.into(),
            sha256: String::new(),
        },
        adapter: "adapter".into(),
        format,
        dtype: ExportType::F32,
        shard_bytes: USUAL_SHARD,
        prompts: None,
        name: "tiny tuned".into(),
        output: "out".into(),
        threads: 1,
    };
    let merged = at("merged");
    copied(&tuned, &merged.join("adapter"));
    write_job(&merged, Job::Export(export(ExportFormat::Merged)));
    run_well(&merged, &models);
    std::fs::rename(merged.join("out"), models.join("whole")).unwrap();
    let of_export = vectors(&at("exported"), &models, "whole", None);
    let apart = largest_difference(&of_export, &of_tuned);
    assert!(apart <= 1e-6, "{apart}");
    let peft = at("peft");
    copied(&tuned, &peft.join("adapter"));
    write_job(&peft, Job::Export(export(ExportFormat::Peft)));
    assert_eq!(run(&peft, &models).status.code(), Some(1));
    let (code, message, hint) = failure(&peft);
    assert_eq!(code, "invalid_request", "{message}");
    assert!(hint.contains("merged"), "{hint}");

    // It cannot be served beside a base either. The error comes before the base is loaded.
    let beside = [("tuned".to_owned(), tuned.clone())];
    let opened = Served::open(TINY, &models.join(TINY), &beside, &mut Watch::default());
    let told = opened
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert!(told.contains("all weights"), "{told}");

    // A training that continues from it begins where it ended. With a learning rate of zero it stays there.
    let further = at("further");
    let mut on = job();
    on.adapter = Some("start".into());
    on.settings.stages.truncate(1);
    on.settings.stages[0].learning_rate = 1e-12;
    train_bundle(&further, &on, &items(60, 1), &[]);
    copied(&tuned, &further.join("start"));
    run_well(&further, &models);
    let of_further = vectors(
        &at("with-further"),
        &models,
        TINY,
        Some(&further.join("tuned")),
    );
    let apart = largest_difference(&of_further, &of_tuned);
    assert!(apart <= 1e-5, "{apart}");
}

#[test]
fn what_cannot_be_tuned_whole_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    tiny_decoder(&models);
    let low_rank = folder.path().join("low-rank");
    train_bundle(&low_rank, &train_job(), &items(40, 1), &[]);
    run_well(&low_rank, &models);
    let all = folder.path().join("all");
    train_bundle(&all, &job(), &items(40, 1), &[]);
    run_well(&all, &models);
    let refused = |name: &str, job: &TrainJob, start: Option<&Path>, said: &str| {
        let bundle = folder.path().join(name);
        train_bundle(&bundle, job, &items(40, 1), &[]);
        if let Some(start) = start {
            copied(&start.join("tuned"), &bundle.join("start"));
        }
        assert_eq!(run(&bundle, &models).status.code(), Some(1), "{name}");
        let (_, message, hint) = failure(&bundle);
        assert!(message.contains(said) && !hint.is_empty(), "{message}");
    };
    let mut of_decoder = job();
    of_decoder.model.name = DECODER.into();
    refused("decoder", &of_decoder, None, "encoders alone");
    let mut in_four_bits = job();
    in_four_bits.settings.precision = Precision::Nf4;
    refused("nf4", &in_four_bits, None, "four bits");
    let mut from_low_rank = job();
    from_low_rank.adapter = Some("start".into());
    refused("mixed", &from_low_rank, Some(&low_rank), "low-rank");
    let mut from_all = train_job();
    from_all.adapter = Some("start".into());
    refused("other-way", &from_all, Some(&all), "low-rank");
}
