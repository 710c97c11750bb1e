//! Compares encoders with what Transformers, PEFT and Sentence Transformers compute from the same weights
//! (tests/python/record_encoders.py). One file because all its parts use the same recorded cases.

use crate::common;
use crate::common::formula::{values, write_model};
use lexforge_domain::protocol::{
    ExportFormat, ExportJob, ExportType, Job, LoraSpec, ModelRef, Pooling, TextSide, USUAL_SHARD,
};
use lexforge_domain::{Code, Failure};
use lexforge_models::Error;
use lexforge_models::adapters::adapter::{Adapter, Sidecar};
use lexforge_models::adapters::lora::{self, Pass};
use lexforge_models::architectures::architecture::{Architecture, Config};
use lexforge_models::architectures::packing::{Node, Packed};
use lexforge_models::architectures::reader::{Counts, Reader};
use lexforge_models::architectures::recompute::gradient_of;
use lexforge_models::jobs::inspect::inspect;
use lexforge_models::tensors::{self, NamedTensors};
use lexforge_models::texts::reading;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tch::{Device, Kind, Tensor};

const TOLERANCE: f64 = 1e-5;

type Shapes = BTreeMap<String, Vec<i64>>;
type Rows = Vec<Vec<f32>>;

#[derive(Deserialize)]
struct Recorded {
    sequences: Vec<Vec<u32>>,
    cases: Vec<Case>,
    folders: Vec<Folder>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: Value,
    tensors: Shapes,
    hidden: Vec<Rows>,
    adapted: Option<Adapted>,
}

#[derive(Deserialize)]
struct Adapted {
    targets: Vec<String>,
    tensors: Shapes,
    hidden: Vec<Rows>,
}

#[derive(Deserialize)]
struct Folder {
    name: String,
    files: BTreeMap<String, Value>,
    /// By the folder that they lie in; empty = the model's own.
    tensors: BTreeMap<String, Shapes>,
    texts: Vec<String>,
    vectors: BTreeMap<String, Rows>,
}

fn recorded() -> Recorded {
    tch::set_num_threads(1);
    serde_json::from_str(include_str!("data/encoders.json")).unwrap()
}

impl Case {
    fn write(&self, root: &Path) -> PathBuf {
        let folder = root.join(&self.name);
        write_model(&folder, &self.config, &self.tensors, Kind::Float, 1);
        folder
    }

    fn load(&self, root: &Path) -> Box<dyn Architecture> {
        let folder = self.write(root);
        let config = Config::of_folder(&folder).unwrap();
        config.load(&folder, Device::Cpu).unwrap()
    }
}

impl Folder {
    fn write(&self, root: &Path) -> PathBuf {
        let folder = root.join(&self.name);
        for (name, content) in &self.files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content.to_string()).unwrap();
        }
        for (inside, shapes) in &self.tensors {
            let path = folder.join(inside).join("model.safetensors");
            std::fs::write(path, tensors::to_bytes(&filled(shapes)).unwrap()).unwrap();
        }
        folder
    }
}

fn filled(shapes: &Shapes) -> NamedTensors {
    let filled = |(name, shape): (&String, &Vec<i64>)| (name.clone(), values(name, shape));
    shapes.iter().map(filled).collect()
}

fn difference(a: &Tensor, b: &Tensor) -> f64 {
    assert_eq!(a.size(), b.size());
    (a - b).abs().max().double_value(&[])
}

#[track_caller]
fn close(what: &str, ours: &Tensor, theirs: &[Vec<f32>]) {
    let found = difference(ours, &Tensor::from_slice2(theirs));
    assert!(found <= TOLERANCE, "{what}: {found:.2e}");
}

/// All sequences in one batch; each one's rows, in their order.
fn batched(model: &dyn Architecture, sequences: &[Vec<u32>]) -> Vec<Tensor> {
    let node = |ids| Node { ids, after: None };
    let nodes: Vec<Node> = sequences.iter().map(|ids| node(ids)).collect();
    let (packed, starts) = Packed::tree(&nodes, Device::Cpu).unwrap();
    let rows = model.forward(&packed, Pass::Infer).unwrap();
    let own = |(&start, ids): (&i64, &Vec<u32>)| rows.narrow(0, start, ids.len() as i64);
    starts.iter().zip(sequences).map(own).collect()
}

#[test]
fn token_vectors_are_those_of_transformers() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    for case in &recorded.cases {
        let model = case.load(root.path());
        let together = batched(model.as_ref(), &recorded.sequences);
        for ((ids, ours), theirs) in recorded.sequences.iter().zip(&together).zip(&case.hidden) {
            close(&case.name, ours, theirs);
            let alone = batched(model.as_ref(), std::slice::from_ref(ids));
            close(&format!("{} alone", case.name), &alone[0], theirs);
        }
        // Several texts of one length.
        let ids = &recorded.sequences[0];
        let other = ids.iter().rev().copied().collect();
        let pair = batched(model.as_ref(), &[other, ids.clone()]);
        close(
            &format!("{} in a pair", case.name),
            &pair[1],
            &case.hidden[0],
        );
    }
    assert_eq!(recorded.cases.len(), 14);
}

#[test]
fn an_adapter_of_peft_gives_the_vectors_of_peft() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for case in &recorded.cases {
        let Some(adapted) = &case.adapted else {
            continue;
        };
        let folder = root.path().join(format!("{}-adapter", case.name));
        std::fs::create_dir_all(&folder).unwrap();
        let config = json!({"peft_type": "LORA", "r": 3, "lora_alpha": 6, "target_modules": adapted.targets});
        std::fs::write(folder.join("adapter_config.json"), config.to_string()).unwrap();
        let weights = tensors::to_bytes(&filled(&adapted.tensors)).unwrap();
        std::fs::write(folder.join("adapter_model.safetensors"), weights).unwrap();
        let adapter = Adapter::read(&folder).unwrap();
        let sequences = &recorded.sequences[..2];
        for merges in [true, false] {
            let mut model = case.load(root.path());
            let before = batched(model.as_ref(), sequences);
            let mut linears = model.linears();
            match merges {
                true => adapter.merge_into(&mut linears).unwrap(),
                false => adapter.attach_to(&mut linears).unwrap(),
            }
            let after = batched(model.as_ref(), sequences);
            for ((ours, theirs), before) in after.iter().zip(&adapted.hidden).zip(&before) {
                close(&format!("{} adapted", case.name), ours, theirs);
                assert!(difference(ours, before) > 1e-2, "{}", case.name);
            }
        }
        // The same names adapt the same layers here.
        let mut model = case.load(root.path());
        lora::adapt(&mut model.linears(), &spec(&adapted.targets)).unwrap();
        let mut ours: Vec<String> = model
            .linears_ref()
            .iter()
            .filter(|linear| linear.low_rank().is_some())
            .map(|linear| format!("base_model.model.{}.lora_A.weight", linear.path))
            .collect();
        ours.sort();
        let theirs = adapted
            .tensors
            .keys()
            .filter(|name| name.contains("lora_A"));
        let theirs: Vec<String> = theirs
            .filter(|name| !name.contains("pooler"))
            .cloned()
            .collect();
        assert_eq!(ours, theirs, "{}", case.name);
        checked += 1;
    }
    assert_eq!(checked, 6);
}

fn spec(targets: &[String]) -> LoraSpec {
    LoraSpec {
        r: 3,
        alpha: 6.0,
        dropout: 0.0,
        targets: targets.to_vec(),
    }
}

/// The gradients of all low-rank parts for a loss over the token vectors.
fn gradients(model: &mut dyn Architecture, packed: &Packed, recompute: bool) -> Vec<Tensor> {
    for linear in model.linears() {
        let low = linear.low_rank().unwrap();
        for mut part in [low.a.shallow_clone(), low.b.shallow_clone()] {
            part.zero_grad();
        }
    }
    let stack = model.stack(packed, Pass::Train).unwrap();
    let loss = stack.backward(recompute, &mut |hidden| {
        gradient_of(hidden, 1.0, |hidden| {
            Ok(hidden.f_mul(hidden)?.f_mul(hidden)?.f_mean(Kind::Float)?)
        })
    });
    assert!(loss.unwrap().is_finite());
    drop(stack);
    let of = |linear: &&lora::Linear| {
        let low = linear.low_rank().unwrap();
        [low.a.grad().copy(), low.b.grad().copy()]
    };
    model.linears_ref().iter().flat_map(of).collect()
}

#[test]
fn every_layer_learns_and_layer_by_layer_the_gradient_is_the_same() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    let (mut texts, _) = (recorded.sequences.clone(), ());
    texts.sort_by_key(Vec::len);
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let packed = Packed::of(&texts, Device::Cpu).unwrap();
    for case in &recorded.cases {
        let mut model = case.load(root.path());
        tch::manual_seed(7);
        let mut linears = model.linears();
        lora::adapt(&mut linears, &spec(&["all-linear".to_owned()])).unwrap();
        for linear in linears {
            // B is zero at first, and A then learns nothing.
            let b = &linear.low_rank().unwrap().b;
            let _ = tch::no_grad(|| b.shallow_clone().uniform_(-0.1, 0.1));
        }
        let plain = gradients(model.as_mut(), &packed, false);
        let again = gradients(model.as_mut(), &packed, true);
        let paths = model.linears_ref().into_iter().flat_map(|l| [&l.path; 2]);
        for ((one, two), path) in plain.iter().zip(&again).zip(paths) {
            let size = one.abs().max().double_value(&[]);
            assert!(size > 0.0, "{} {path} learns nothing", case.name);
            assert!(
                difference(one, two) <= 1e-5 * size.max(1e-3),
                "{} {path}",
                case.name
            );
        }
    }
}

fn read(folder: &Path, side: TextSide, texts: &[String]) -> Tensor {
    read_with(folder, None, side, texts)
}

#[test]
fn whole_folders_give_the_vectors_of_sentence_transformers() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    for folder in &recorded.folders {
        let path = folder.write(root.path());
        let found = inspect(&path).unwrap();
        assert!(found.problems.is_empty(), "{:?}", found.problems);
        for (side, name) in [
            (TextSide::Plain, "plain"),
            (TextSide::Question, "question"),
            (TextSide::Passage, "passage"),
        ] {
            let ours = read(&path, side, &folder.texts);
            close(
                &format!("{} {name}", folder.name),
                &ours,
                &folder.vectors[name],
            );
        }
        // Prompts and dense layers are there where the folder has them.
        let differ = folder.vectors["plain"] != folder.vectors["question"];
        let prompted = ["deberta", "qwen3"].contains(&folder.name.as_str());
        assert_eq!(differ, prompted, "{}", folder.name);
    }
    assert_eq!(recorded.folders.len(), 9);
}

fn failure(result: Result<impl Sized, Error>) -> Failure {
    match result {
        Ok(_) => panic!("it should have been refused"),
        Err(error) => error.into_failure(),
    }
}

#[test]
fn a_configuration_that_contradicts_the_weights_is_one_clear_error() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    let check = |case: &str, name: &str, to: Value, said: &str| {
        let case = recorded.cases.iter().find(|c| c.name == case).unwrap();
        let mut config = case.config.clone();
        config[name] = to;
        let folder = root.path().join("contradiction");
        write_model(&folder, &config, &case.tensors, Kind::Float, 1);
        let read = Config::of_folder(&folder).unwrap();
        let loaded = failure(read.load(&folder, Device::Cpu));
        assert_eq!(loaded.code, Code::ModelMissing, "{name}");
        assert!(loaded.message.contains(said), "{}", loaded.message);
        // The problem is found without loading the weights.
        let problems = inspect(&folder).unwrap().problems;
        assert!(problems.contains(&loaded), "{problems:?}");
    };
    check(
        "distilbert",
        "n_layers",
        json!(1),
        "has 1 layers, but its weights hold 2",
    );
    check(
        "distilbert",
        "n_layers",
        json!(3),
        "transformer.layer.2.attention.q_lin.weight",
    );
    check("mpnet-headed", "hidden_size", json!(8), "asks for");
    check(
        "modernbert",
        "num_hidden_layers",
        json!(2),
        "has 2 layers, but its weights hold 3",
    );
    check(
        "modernbert",
        "intermediate_size",
        json!(20),
        "layers.0.mlp.Wi.weight",
    );
    check(
        "deberta-v3",
        "position_buckets",
        json!(4),
        "encoder.rel_embeddings.weight",
    );
    check("deberta-v3", "share_att_key", json!(false), "pos_key_proj");
    check(
        "t5",
        "feed_forward_proj",
        json!("gated-gelu"),
        "DenseReluDense.wi_0",
    );
    check(
        "t5-whole",
        "num_layers",
        json!(1),
        "has 1 layers, but its weights hold 2",
    );
}

#[test]
fn a_dense_layer_that_fits_nothing_is_refused() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    let folder = recorded
        .folders
        .iter()
        .find(|f| f.name == "distilbert")
        .unwrap();
    let path = folder.write(root.path());
    let config = path.join("2_Dense/config.json");
    let usual = std::fs::read_to_string(&config).unwrap();
    let opened = || {
        let read_as = reading::of_folder(&path)?;
        Reader::open(&path, &read_as, None, Device::Cpu)
    };
    assert!(opened().is_ok());
    std::fs::write(
        &config,
        usual.replace("\"in_features\":16", "\"in_features\":12"),
    )
    .unwrap();
    let refused = failure(opened());
    assert!(
        refused.message.contains("12 numbers, but is given 16"),
        "{}",
        refused.message
    );
    std::fs::write(
        &config,
        usual.replace("\"out_features\":8", "\"out_features\":9"),
    )
    .unwrap();
    let refused = failure(opened());
    assert!(
        refused.message.contains("linear.weight"),
        "{}",
        refused.message
    );
    std::fs::write(&config, &usual).unwrap();
    std::fs::remove_file(path.join("2_Dense/model.safetensors")).unwrap();
    std::fs::write(path.join("2_Dense/pytorch_model.bin"), "x").unwrap();
    let refused = failure(opened());
    assert_eq!(refused.code, Code::ModelUnsupported);
    assert!(refused.message.contains("pickle"), "{}", refused.message);
}

#[test]
fn what_is_not_read_is_not_counted() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    let counted = |name: &str| {
        let case = recorded.cases.iter().find(|c| c.name == name).unwrap();
        let found = inspect(&case.write(root.path())).unwrap();
        (found.architecture, found.parameters, found.decoder)
    };
    let numbers = |name: &str, part: &str| -> u64 {
        let case = recorded.cases.iter().find(|c| c.name == name).unwrap();
        let read = case
            .tensors
            .iter()
            .filter(|(name, _)| !name.starts_with(part));
        read.map(|(_, shape)| shape.iter().product::<i64>() as u64)
            .sum()
    };
    for (case, name) in [
        ("distilbert", "distilbert"),
        ("mpnet", "mpnet"),
        ("modernbert", "modernbert"),
        ("deberta-v3", "deberta-v2"),
        ("t5-whole", "t5"),
        ("mt5", "mt5"),
    ] {
        assert_eq!(
            counted(case),
            (name.to_owned(), numbers(case, "decoder."), false)
        );
    }
    assert!(numbers("t5-whole", "decoder.") < numbers("t5-whole", "-"));
}

/// An adapter over all linear layers of a folder's encoder, with weights of the formula.
fn adapter_over(folder: &Path, into: &Path) {
    std::fs::create_dir_all(into).unwrap();
    let config = Config::of_folder(folder).unwrap();
    let model = config.load(folder, Device::Cpu).unwrap();
    let mut weights = NamedTensors::new();
    for linear in model.linears_ref() {
        let (outputs, inputs) = linear.shape();
        for (part, shape) in [("lora_A", [2, inputs]), ("lora_B", [outputs, 2])] {
            let name = format!("base_model.model.{}.{part}.weight", linear.path);
            weights.insert(name.clone(), values(&name, &shape) * 0.7);
        }
    }
    let config =
        json!({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": "all-linear"});
    std::fs::write(into.join("adapter_config.json"), config.to_string()).unwrap();
    let bytes = tensors::to_bytes(&weights).unwrap();
    std::fs::write(into.join("adapter_model.safetensors"), bytes).unwrap();
}

fn read_with(folder: &Path, adapter: Option<&Path>, side: TextSide, texts: &[String]) -> Tensor {
    let adapter = adapter.map(|path| Adapter::read(path).unwrap());
    let read_as = reading::of_folder(folder).unwrap();
    let read_as = reading::with_adapter(read_as, adapter.as_ref());
    let reader = Reader::open(folder, &read_as, adapter.as_ref(), Device::Cpu).unwrap();
    let mut counts = Counts::default();
    let all = reader.vectors(side, texts, &mut counts, &mut |_, _| Ok(true));
    Tensor::from_slice(&all.unwrap().unwrap()).view([texts.len() as i64, reader.dim() as i64])
}

/// A Python that has Sentence Transformers; without one that is said and the rest is tested.
fn python() -> Option<String> {
    lexforge_needs::python("sentence_transformers")
}

#[test]
fn an_export_gives_the_same_vectors_here_and_in_sentence_transformers() {
    let recorded = recorded();
    let root = tempfile::tempdir().unwrap();
    let models = root.path().join("models");
    let python = python();
    // A decoder's export is compared by its logits (export.rs).
    let encoders = |f: &&Folder| !f.name.contains('-') && f.name != "qwen3";
    for folder in recorded.folders.iter().filter(encoders) {
        let base = folder.write(&models);
        let bundle = root.path().join(&folder.name);
        let adapter = bundle.join("adapter");
        adapter_over(&base, &adapter);
        // A folder that says nothing, and a training that pooled by the first token.
        let silent = folder.name == "mpnet";
        if silent {
            std::fs::remove_file(base.join("modules.json")).unwrap();
            std::fs::remove_dir_all(base.join("1_Pooling")).unwrap();
            let sidecar = Sidecar {
                pooling: Pooling::Cls,
                base: ModelRef {
                    name: folder.name.clone(),
                    sha256: String::new(),
                },
                ..Sidecar::of_job(&common::train_job(), 64, 1)
            };
            let text = serde_json::to_string(&sidecar).unwrap();
            std::fs::write(adapter.join("lexforge.json"), text).unwrap();
        }
        let out = exported(&folder.name, &bundle, &models);
        let expected = read_with(&base, Some(&adapter), TextSide::Plain, &folder.texts);
        let found = read(&out, TextSide::Plain, &folder.texts);
        let cosines = Tensor::cosine_similarity(&found, &expected, 1, 1e-12);
        let lowest = cosines.min().double_value(&[]);
        assert!(lowest >= 0.99999, "{}: {lowest}", folder.name);
        let plain = read(&base, TextSide::Plain, &folder.texts);
        let moved = Tensor::cosine_similarity(&found, &plain, 1, 1e-12).min();
        assert!(moved.double_value(&[]) < 0.999, "{}", folder.name);
        if let Some(python) = &python {
            check_there(python, &out, &folder.texts, &found);
        }
    }
}

/// Architectures whose token vectors were recorded earlier (architectures.json) are exported with the same vectors. A
/// folder that lists no modules is exported as a folder that Sentence Transformers can open.
#[test]
fn the_berts_are_exported_with_the_same_vectors_too() {
    #[derive(Deserialize)]
    struct Earlier {
        cases: Vec<Shaped>,
    }
    #[derive(Deserialize)]
    struct Shaped {
        name: String,
        config: Value,
        tensors: Shapes,
    }
    tch::set_num_threads(1);
    let earlier: Earlier = serde_json::from_str(include_str!("data/architectures.json")).unwrap();
    let root = tempfile::tempdir().unwrap();
    let models = root.path().join("models");
    let words = common::tiny_models(root.path()).join(common::TINY);
    let python = python();
    let texts: Vec<String> = [
        "the bank shall report every loan",
        "the supervisor may not approve a loan to the board of the bank",
        "risk",
    ]
    .map(str::to_owned)
    .to_vec();
    for name in ["bert", "roberta", "xlm-roberta"] {
        let case = earlier.cases.iter().find(|case| case.name == name).unwrap();
        let base = models.join(name);
        write_model(&base, &case.config, &case.tensors, Kind::Float, 1);
        std::fs::copy(words.join("tokenizer.json"), base.join("tokenizer.json")).unwrap();
        // By itself Transformers would take RoBERTa's own tokenizer.
        let class = json!({"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "unk_token": "[UNK]",
            "cls_token": "[CLS]", "sep_token": "[SEP]"});
        std::fs::write(base.join("tokenizer_config.json"), class.to_string()).unwrap();
        let bundle = root.path().join(format!("{name}-bundle"));
        let adapter = bundle.join("adapter");
        adapter_over(&base, &adapter);
        let out = exported(name, &bundle, &models);
        let expected = read_with(&base, Some(&adapter), TextSide::Plain, &texts);
        let found = read(&out, TextSide::Plain, &texts);
        let cosines = Tensor::cosine_similarity(&found, &expected, 1, 1e-12);
        let lowest = cosines.min().double_value(&[]);
        assert!(lowest >= 0.99999, "{name}: {lowest}");
        if let Some(python) = &python {
            check_there(python, &out, &texts, &found);
        }
    }
}

/// A model with the adapter in its bundle, merged by the worker.
fn exported(name: &str, bundle: &Path, models: &Path) -> PathBuf {
    let job = ExportJob {
        model: ModelRef {
            name: name.to_owned(),
            sha256: String::new(),
        },
        adapter: "adapter".into(),
        format: ExportFormat::Merged,
        dtype: ExportType::F32,
        shard_bytes: USUAL_SHARD,
        prompts: None,
        name: format!("{name} tuned"),
        output: "out".into(),
        threads: 1,
    };
    common::write_job(bundle, Job::Export(job));
    common::run_well(bundle, models);
    bundle.join("out")
}

/// Sentence Transformers opens the folder and gives the same vectors.
fn check_there(python: &str, folder: &Path, texts: &[String], vectors: &Tensor) {
    let rows: Vec<Vec<f32>> = Vec::try_from(vectors).unwrap();
    let given = folder.with_extension("vectors.json");
    let text = json!({"texts": texts, "vectors": rows}).to_string();
    std::fs::write(&given, text).unwrap();
    let script = common::root().join("tests/python/check_sentence_transformers.py");
    let output = Command::new(python)
        .arg(script)
        .args([folder, &given])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "{}: {said}{wrong}",
        folder.display()
    );
    println!("{}", said.trim());
}
