//! LoRA on decoders against PEFT (tests/python/record_peft.py): adapters that it made, and training.

use crate::common::formula::{values, write_model};
use lexforge_domain::Code;
use lexforge_domain::protocol::{Lineage, LoraSpec, ModelRef, Pooling, Tune};
use lexforge_models::adapters::adapter::{self, Adapter, Sidecar, Task};
use lexforge_models::adapters::lora::{self, Pass};
use lexforge_models::architectures::architecture::Config;
use lexforge_models::architectures::decoder::{Attention, Decoder};
use lexforge_models::architectures::packing::Packed;
use lexforge_models::decoding::language::Exchange;
use lexforge_models::losses::loss::TokenLoss;
use lexforge_models::losses::sft::Sft;
use lexforge_models::tensors::{self, NamedTensors};
use lexforge_models::training::optimizer::Optimizer;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

type Shapes = BTreeMap<String, Vec<i64>>;

#[derive(Deserialize)]
struct Recorded {
    config: serde_json::Value,
    tensors: Shapes,
    ids: Vec<u32>,
    adapters: Vec<Case>,
    training: Training,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: serde_json::Value,
    tensors: Shapes,
    out: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct Training {
    items: Vec<Item>,
    rate: f64,
    weight_decay: f64,
    max_grad_norm: f64,
    losses: Vec<f64>,
}

#[derive(Deserialize)]
struct Item {
    ids: Vec<u32>,
    answer: usize,
}

struct Place {
    recorded: Recorded,
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        tch::set_num_threads(1);
        let recorded: Recorded =
            serde_json::from_str(include_str!("data/peft_decoder.json")).unwrap();
        let root = tempfile::tempdir().unwrap();
        write_model(
            &root.path().join("base"),
            &recorded.config,
            &recorded.tensors,
            Kind::Float,
            1,
        );
        Self { recorded, root }
    }

    fn model(&self, kind: Option<Kind>) -> Box<dyn Decoder> {
        let folder = self.root.path().join("base");
        Config::of_folder(&folder)
            .unwrap()
            .load_decoder(&folder, kind, Device::Cpu)
            .unwrap()
    }

    /// The folder that PEFT wrote.
    fn adapter(&self, case: &Case) -> PathBuf {
        let folder = self.root.path().join(&case.name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(adapter::CONFIG_FILE), case.config.to_string()).unwrap();
        let named: NamedTensors = case
            .tensors
            .iter()
            .map(|(n, shape)| (n.clone(), values(n, shape)))
            .collect();
        std::fs::write(
            folder.join(adapter::WEIGHTS_FILE),
            tensors::to_bytes(&named).unwrap(),
        )
        .unwrap();
        folder
    }

    fn out(&self, model: &dyn Decoder, bare: bool, pass: Pass) -> Tensor {
        let packed = Packed::of(&[&self.recorded.ids], Device::Cpu).unwrap();
        let hidden = model.hidden(&packed, Attention::Causal, pass).unwrap();
        if bare {
            hidden
        } else {
            model.logits(&hidden).unwrap()
        }
    }
}

fn difference(a: &Tensor, b: &Tensor) -> f64 {
    (a.to_kind(Kind::Float) - b.to_kind(Kind::Float))
        .abs()
        .max()
        .double_value(&[])
}

#[test]
fn adapters_of_pefts_own_do_what_they_do_there() {
    let place = Place::new();
    for case in &place.recorded.adapters {
        let adapter = Adapter::read(&place.adapter(case)).unwrap();
        let theirs = Tensor::from_slice2(&case.out);
        let bare = case.name == "bare";
        let mut merged = place.model(None);
        let before = place.out(merged.as_ref(), bare, Pass::Infer);
        adapter.merge_into(&mut merged.linears()).unwrap();
        let mut beside = place.model(None);
        adapter.attach_to(&mut beside.linears()).unwrap();
        for (how, model) in [("merged", &merged), ("beside", &beside)] {
            let found = difference(&place.out(model.as_ref(), bare, Pass::Infer), &theirs);
            assert!(found <= 1e-4, "{} {how}: {found:.2e}", case.name);
        }
        assert!(
            difference(&before, &theirs) > 0.01,
            "{} changes nothing",
            case.name
        );
        let adapted = beside
            .linears_ref()
            .iter()
            .filter(|layer| layer.low_rank().is_some())
            .count();
        assert_eq!(adapted * 2, case.tensors.len());
        // Beside a half-precision base the low-rank part stays fp32.
        let mut half = place.model(Some(Kind::BFloat16));
        adapter.attach_to(&mut half.linears()).unwrap();
        let out = place.out(half.as_ref(), bare, Pass::Infer);
        let relative = difference(&out, &theirs) / theirs.abs().max().double_value(&[]);
        assert!(
            out.kind() == Kind::BFloat16 && relative < 0.05,
            "{relative}"
        );
        assert!(
            half.linears_ref()
                .iter()
                .filter_map(|l| l.low_rank())
                .all(|low| low.a.kind() == Kind::Float)
        );
    }
}

fn sidecar() -> Sidecar {
    Sidecar {
        format: 1,
        tune: Tune::Lora,
        base: ModelRef {
            name: "base".into(),
            sha256: String::new(),
        },
        attention: "causal".into(),
        pooling: Pooling::Last,
        instruction: String::new(),
        passage: String::new(),
        pairs: None,
        temperature: 0.05,
        stages: vec![],
        max_length: 64,
        base_quantization: None,
        seed: 42,
        step: 0,
        lineage: Lineage::default(),
    }
}

fn spec(targets: &[&str]) -> LoraSpec {
    LoraSpec {
        r: 4,
        alpha: 8.0,
        dropout: 0.0,
        targets: targets.iter().map(|t| (*t).to_owned()).collect(),
    }
}

#[test]
fn an_adapter_is_exported_under_pefts_names_and_comes_back() {
    let place = Place::new();
    let case = &place.recorded.adapters[0];
    let mut model = place.model(None);
    lora::adapt(&mut model.linears(), &spec(&[lora::ALL_LINEAR])).unwrap();
    tch::no_grad(|| {
        for (name, mut tensor) in adapter::trained(&model.linears_ref()) {
            tensor.copy_(&values(&name, &tensor.size()));
        }
    });
    let contents = adapter::file_contents(
        &model.linears_ref(),
        &spec(&[lora::ALL_LINEAR]),
        &sidecar(),
        Task::Language,
        Default::default(),
    )
    .unwrap();
    let folder = place.root.path().join("exported");
    std::fs::create_dir_all(&folder).unwrap();
    adapter::write(&folder, &contents).unwrap();
    let written = tensors::read(
        &folder.join(adapter::WEIGHTS_FILE),
        lexforge_models::Error::Shim,
    )
    .unwrap();
    assert!(
        written.keys().eq(case.tensors.keys()),
        "{:?}",
        written.keys()
    );
    let config: serde_json::Value =
        serde_json::from_slice(&contents[adapter::CONFIG_FILE]).unwrap();
    assert_eq!(
        (&config["task_type"], &config["peft_type"]),
        (&"CAUSAL_LM".into(), &"LORA".into())
    );
    let targets = [
        "down_proj",
        "gate_proj",
        "k_proj",
        "o_proj",
        "q_proj",
        "up_proj",
        "v_proj",
    ];
    assert_eq!(config["target_modules"], serde_json::json!(targets));
    let mut fresh = place.model(None);
    Adapter::read(&folder)
        .unwrap()
        .merge_into(&mut fresh.linears())
        .unwrap();
    let found = difference(
        &place.out(fresh.as_ref(), false, Pass::Infer),
        &Tensor::from_slice2(&case.out),
    );
    assert!(found <= 1e-4, "{found:.2e}");
}

#[test]
fn an_adapter_of_another_model_is_refused_and_changes_nothing() {
    let place = Place::new();
    let refused = |change: &dyn Fn(&mut Shapes), named: &str| {
        let case = &place.recorded.adapters[1];
        let mut tensors = case.tensors.clone();
        change(&mut tensors);
        let case = Case {
            name: "other".into(),
            config: case.config.clone(),
            tensors,
            out: Vec::new(),
        };
        let adapter = Adapter::read(&place.adapter(&case)).unwrap();
        let mut model = place.model(None);
        let before = place.out(model.as_ref(), false, Pass::Infer);
        let failure = adapter
            .merge_into(&mut model.linears())
            .unwrap_err()
            .into_failure();
        assert_eq!(failure.code, Code::ModelUnsupported);
        assert!(failure.message.contains(named), "{}", failure.message);
        assert_eq!(place.out(model.as_ref(), false, Pass::Infer), before);
    };
    let value = "base_model.model.model.layers.1.self_attn.v_proj.lora_A.weight";
    refused(
        &|tensors| drop(tensors.insert(value.into(), vec![3, 25])),
        "layers.1.self_attn.v_proj",
    );
    refused(
        &|tensors| drop(tensors.remove(value)),
        "layers.1.self_attn.v_proj",
    );
    let head = "base_model.model.lm_head.lora_A.weight";
    refused(
        &|tensors| drop(tensors.insert(head.into(), vec![3, 24])),
        "lm_head",
    );
    refused(&|tensors| tensors.clear(), "adapter_model");
}

#[test]
fn eight_steps_of_training_have_the_losses_of_peft() {
    let place = Place::new();
    let training = &place.recorded.training;
    let mut model = place.model(None);
    lora::adapt(&mut model.linears(), &spec(&[lora::ALL_LINEAR])).unwrap();
    let trained = adapter::trained(&model.linears_ref());
    tch::no_grad(|| {
        for (name, tensor) in trained.iter().filter(|(name, _)| name.contains("lora_A")) {
            tensor.shallow_clone().copy_(&values(name, &tensor.size()));
        }
    });
    let mut optimizer = Optimizer::new(trained, training.weight_decay).unwrap();
    let exchange = |item: &Item| Exchange {
        ids: item.ids.clone(),
        answer: item.answer,
        ..Exchange::default()
    };
    let items: Vec<Exchange> = training.items.iter().map(exchange).collect();
    let batch: Vec<&Exchange> = items.iter().collect();
    for (step, expected) in training.losses.iter().enumerate() {
        optimizer.clear_gradients();
        let loss = Sft.loss(model.as_ref(), &batch, Pass::Train).unwrap();
        loss.backward();
        optimizer
            .step(training.rate, training.max_grad_norm, 1.0)
            .unwrap();
        let found = loss.double_value(&[]);
        assert!(
            (found - expected).abs() < 5e-5,
            "step {step}: {found} {expected}"
        );
    }
    assert!(training.losses[7] < training.losses[0] / 2.0);
}

#[test]
fn damaged_adapters_are_refused() {
    let place = Place::new();
    let folder = place.adapter(&place.recorded.adapters[0]);
    let refused = |folder: &Path| Adapter::read(folder).err().unwrap().into_failure();
    let weights = folder.join(adapter::WEIGHTS_FILE);
    let bytes = std::fs::read(&weights).unwrap();
    std::fs::write(&weights, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(refused(&folder).code, Code::BundleInvalid);
    std::fs::remove_file(folder.join(adapter::CONFIG_FILE)).unwrap();
    assert!(refused(&folder).message.contains(adapter::CONFIG_FILE));
}
