//! Exports through the real worker: merged folders, GGUF files and PEFT's adapters. The tests read the exports back,
//! and check the cases that must fail.
//!
//! One file because every test needs the same set of tiny models with their adapters.

use crate::common;
use crate::common::formula::{self, values, write_model};
use crate::common::{data, failure, root, run, run_well, write_job};
use lexforge_domain::protocol::{
    CONTROL_FILE, EXPORT_FILE, ExportFormat, ExportJob, ExportResult, ExportType, Job, JobResult,
    ModelRef, PARITY_PROMPTS, ParityFigure, ParityMeasure, RESULT_FILE, USUAL_SHARD,
};
use lexforge_models::adapters::adapter::{self, Adapter};
use lexforge_models::adapters::lora::Pass;
use lexforge_models::architectures::architecture::Config;
use lexforge_models::architectures::decoder::{Attention, Decoder};
use lexforge_models::architectures::packing::Packed;
use lexforge_models::decoding::language::{Language, LanguageModel};
use lexforge_models::export::parity::{self, Batches};
use lexforge_models::export::prompts::{Prompts, worded};
use lexforge_models::gguf::decoder::GgufDecoder;
use lexforge_models::gguf::read::GgufFile;
use lexforge_models::gguf::words::{self, GgufWords};
use lexforge_models::tensors::{self, NamedTensors};
use lexforge_models::weights::{Headers, Weights};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tch::{Device, Kind, Tensor};

const DEMO: &str = "lexforge-demo";
const VOCABULARY: i64 = 8192;

/// A folder of models with an adapter for each, and bundles.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        tch::set_num_threads(1);
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn models(&self) -> PathBuf {
        self.folder.path().join("models")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A tiny decoder with the demonstration's tokenizer.
    fn decoder(&self, name: &str, extra: &Value) -> Value {
        let mut config = json!({
            "vocab_size": VOCABULARY, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 512, "rms_norm_eps": 1e-6,
            "rope_theta": 10000.0, "hidden_act": "silu", "eos_token_id": 2, "tie_word_embeddings": false,
            "torch_dtype": "float32",
        });
        config
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        let is = |name: &str| config[name] == true;
        let head = config["head_dim"].as_i64().unwrap_or(16);
        let mut shapes = formula::qwen3_shapes(VOCABULARY, 64, 96, 2, (4, 2, head));
        let kind = config["model_type"].as_str().unwrap();
        if kind != "qwen3" {
            shapes.retain(|name, _| !name.contains("q_norm") && !name.contains("k_norm"));
        }
        if !is("tie_word_embeddings") {
            shapes.insert("lm_head.weight".into(), vec![VOCABULARY, 64]);
        }
        let biased: &[&str] = match (kind, is("attention_bias"), is("mlp_bias")) {
            ("qwen2", ..) => &["q_proj", "k_proj", "v_proj"],
            (_, true, true) => &[
                "q_proj",
                "k_proj",
                "v_proj",
                "o_proj",
                "gate_proj",
                "up_proj",
                "down_proj",
            ],
            _ => &[],
        };
        let biases: Vec<(String, Vec<i64>)> = shapes
            .iter()
            .filter_map(|(name, shape)| {
                let path = name.strip_suffix(".weight")?;
                let end = path.rsplit('.').next()?;
                biased
                    .contains(&end)
                    .then(|| (format!("{path}.bias"), vec![shape[0]]))
            })
            .collect();
        shapes.extend(biases);
        write_model(&self.models().join(name), &config, &shapes, Kind::Float, 2);
        for file in [
            "tokenizer.json",
            "tokenizer_config.json",
            "generation_config.json",
        ] {
            let from = root().join("models").join("demo").join(file);
            std::fs::copy(from, self.models().join(name).join(file)).unwrap();
        }
        config
    }

    /// The demonstration model.
    fn demo(&self) {
        let to = self.models().join(DEMO);
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(root().join("models").join("demo"))
            .unwrap()
            .flatten()
        {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }

    /// An adapter with a rank of its own for queries and an α of its own for one layer, rank-stabilised.
    fn adapter(&self, model: &str, strength: f64) -> PathBuf {
        let folder = self.at(&format!("adapter-{model}"));
        std::fs::create_dir_all(&folder).unwrap();
        let headers = Headers::of_folder(&self.models().join(model)).unwrap();
        let mut tensors = NamedTensors::new();
        for (name, entry) in &headers.tensors {
            let Some(path) = name
                .strip_suffix(".weight")
                .filter(|path| path.ends_with("_proj") || path.ends_with("query"))
            else {
                continue;
            };
            if path.contains("v_proj") {
                continue;
            }
            let rank = if path.ends_with("q_proj") { 2 } else { 4 };
            let (outputs, inputs) = (entry.shape[0] as i64, entry.shape[1] as i64);
            let full = format!("base_model.model.{path}");
            let a = values(&format!("{full}.lora_A.weight"), &[rank, inputs]);
            let b = values(&format!("{full}.lora_B.weight"), &[outputs, rank]) * strength;
            tensors.insert(format!("{full}.lora_A.weight"), a);
            tensors.insert(format!("{full}.lora_B.weight"), b);
        }
        let config = json!({
            "peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": model, "r": 4, "lora_alpha": 8,
            "use_rslora": true, "rank_pattern": {"q_proj": 2}, "alpha_pattern": {"layers.1.mlp.up_proj": 2.0},
            "target_modules": ["q_proj", "k_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "query"],
            "bias": "none",
        });
        std::fs::write(folder.join(adapter::CONFIG_FILE), config.to_string()).unwrap();
        std::fs::write(
            folder.join(adapter::WEIGHTS_FILE),
            tensors::to_bytes(&tensors).unwrap(),
        )
        .unwrap();
        folder
    }

    fn job(model: &str, format: ExportFormat, dtype: ExportType) -> ExportJob {
        ExportJob {
            model: ModelRef {
                name: model.into(),
                sha256: String::new(),
            },
            adapter: "adapter".into(),
            format,
            dtype,
            shard_bytes: USUAL_SHARD,
            prompts: None,
            name: format!("{model} tuned"),
            output: "out".into(),
            threads: 1,
        }
    }

    /// A bundle with the model's adapter.
    fn bundle(&self, name: &str, job: &ExportJob) -> PathBuf {
        let bundle = self.at(name);
        write_job(&bundle, Job::Export(job.clone()));
        let adapter = bundle.join("adapter");
        std::fs::create_dir_all(&adapter).unwrap();
        for entry in std::fs::read_dir(self.at(&format!("adapter-{}", job.model.name)))
            .unwrap()
            .flatten()
        {
            std::fs::copy(entry.path(), adapter.join(entry.file_name())).unwrap();
        }
        bundle
    }

    /// Runs an export that must succeed.
    #[track_caller]
    fn exported(&self, name: &str, job: &ExportJob) -> (PathBuf, ExportResult) {
        let bundle = self.bundle(name, job);
        run_well(&bundle, &self.models());
        let text = std::fs::read_to_string(bundle.join(RESULT_FILE)).unwrap();
        let JobResult::Export(result) = serde_json::from_str(&text).unwrap() else {
            panic!("{text}")
        };
        assert!(!bundle.join("out.part").exists());
        (bundle.join("out"), result)
    }

    /// Runs an export that must fail and leave nothing.
    #[track_caller]
    fn refused(&self, name: &str, job: &ExportJob) -> (String, String) {
        let bundle = self.bundle(name, job);
        assert!(!run(&bundle, &self.models()).status.success());
        assert!(
            !bundle.join("out").exists() && !bundle.join("out.part").exists(),
            "something is left"
        );
        let (code, message, hint) = failure(&bundle);
        assert!(!hint.is_empty());
        (code, message)
    }

    /// Logits of base and adapter at run time, by the plain way through the model.
    fn logits(&self, model: &str, ids: &[u32]) -> Tensor {
        let folder = self.models().join(model);
        let mut decoder = Config::of_folder(&folder)
            .unwrap()
            .load_decoder(&folder, Some(Kind::Float), Device::Cpu)
            .unwrap();
        let adapter = Adapter::read(&self.at(&format!("adapter-{model}"))).unwrap();
        adapter.attach_to(&mut decoder.linears()).unwrap();
        forward(decoder.as_ref(), ids)
    }
}

fn forward(decoder: &dyn Decoder, ids: &[u32]) -> Tensor {
    let _no_grad = tch::no_grad_guard();
    let hidden = decoder
        .hidden(
            &Packed::of(&[ids], Device::Cpu).unwrap(),
            Attention::Causal,
            Pass::Infer,
        )
        .unwrap();
    decoder.logits(&hidden).unwrap()
}

fn apart(a: &Tensor, b: &Tensor) -> f64 {
    (a - b).abs().max().double_value(&[])
}

fn value(result: &ExportResult, measure: ParityMeasure) -> f64 {
    let parity = result.parity.as_ref().unwrap();
    parity
        .figures
        .iter()
        .find(|figure| figure.measure == measure)
        .unwrap()
        .value
}

/// Prints how far an export is from its model.
fn print_figures(model: &str, format: ExportFormat, dtype: ExportType, result: &ExportResult) {
    let parity = result.parity.as_ref().unwrap();
    let figures: Vec<String> = parity.figures.iter().map(worded).collect();
    println!(
        "{model} {} {}: {}",
        format.tag(),
        dtype.tag(),
        figures.join("; ")
    );
}

#[track_caller]
fn proved(result: &ExportResult, folder: &Path) {
    let parity = result.parity.as_ref().unwrap();
    assert_eq!(
        (parity.prompts, parity.same_tokens),
        (PARITY_PROMPTS as u64, PARITY_PROMPTS as u64)
    );
    assert!(
        parity.positions >= parity.prompts && parity.figures.iter().all(ParityFigure::holds),
        "{parity:?}"
    );
    for file in &result.files {
        let bytes = std::fs::read(folder.join(&file.name)).unwrap();
        assert_eq!(
            (bytes.len() as u64, lexforge_models::files::sha256(&bytes)),
            (file.bytes, file.sha256.clone())
        );
    }
    let described: ExportResult =
        serde_json::from_slice(&std::fs::read(folder.join(EXPORT_FILE)).unwrap()).unwrap();
    assert_eq!(described.parity, result.parity);
    let card = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for words in [
        "Does it answer the same?",
        result.adapter_sha256.as_str(),
        "What it is not for",
        &result.base.sha256,
    ] {
        assert!(card.contains(words), "{words}\n{card}");
    }
}

fn families() -> Vec<(&'static str, Value)> {
    vec![
        (
            "llama",
            json!({"model_type": "llama", "tie_word_embeddings": true}),
        ),
        (
            "llama3",
            json!({"model_type": "llama", "rope_theta": 500_000.0, "attention_bias": true, "mlp_bias": true, "head_dim": 16,
                "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                    "original_max_position_embeddings": 64}}),
        ),
        (
            "llama-linear",
            json!({"model_type": "llama", "rope_scaling": {"rope_type": "linear", "factor": 2.0}}),
        ),
        (
            "mistral",
            json!({"model_type": "mistral", "sliding_window": 300}),
        ),
        (
            "qwen2",
            json!({"model_type": "qwen2", "use_sliding_window": false, "rope_theta": 1_000_000.0}),
        ),
        (
            "qwen3",
            json!({"model_type": "qwen3", "head_dim": 32, "tie_word_embeddings": true}),
        ),
        (
            "qwen3-yarn",
            json!({"model_type": "qwen3", "head_dim": 16, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
                "original_max_position_embeddings": 32}}),
        ),
    ]
}

const IDS: [u32; 12] = [5, 900, 31, 8000, 77, 412, 6, 5, 2049, 3, 1200, 640];

#[test]
fn every_family_leaves_in_every_form_and_answers_the_same() {
    let bench = Bench::new();
    for (name, extra) in families() {
        bench.decoder(name, &extra);
        bench.adapter(name, 0.3);
        let expected = bench.logits(name, &IDS);
        let base = LanguageModel::open(&bench.models().join(name), Some(Kind::Float), Device::Cpu)
            .unwrap();
        assert!(
            apart(&forward(base.decoder.as_ref(), &IDS), &expected) > 0.1,
            "{name}: the adapter changes nothing"
        );

        let merged = Bench::job(name, ExportFormat::Merged, ExportType::F32);
        let (folder, result) = bench.exported(
            &format!("{name}-f32"),
            &ExportJob {
                shard_bytes: 1_000_000,
                ..merged
            },
        );
        proved(&result, &folder);
        assert!(
            folder.join("model.safetensors.index.json").is_file(),
            "not sharded"
        );
        let read = LanguageModel::open(&folder, None, Device::Cpu).unwrap();
        let difference = apart(&forward(read.decoder.as_ref(), &IDS), &expected);
        assert!(difference <= 1e-4, "{name}: {difference:.1e}");
        println!(
            "{name} merged f32: largest difference {:.1e} (in parity), {difference:.1e} (plain way)",
            value(&result, ParityMeasure::LargestDifference)
        );

        let types: &[ExportType] = match name {
            "llama" | "qwen3" => &[ExportType::F16, ExportType::Q8_0],
            _ => &[ExportType::F16],
        };
        for &dtype in types {
            let job = Bench::job(name, ExportFormat::Gguf, dtype);
            let (folder, result) = bench.exported(&format!("{name}-{}", dtype.tag()), &job);
            proved(&result, &folder);
            let file =
                GgufFile::open(&folder.join(format!("{name}-tuned-{}.gguf", dtype.tag()))).unwrap();
            assert_eq!(file.has("rope_freqs.weight"), name == "llama3");
            assert_eq!(
                file.has("output.weight"),
                extra["tie_word_embeddings"] != true
            );
            println!(
                "{name} gguf {}: mean KL {:.1e}, largest KL {:.1e}, agreement {:.4}",
                dtype.tag(),
                value(&result, ParityMeasure::MeanKl),
                value(&result, ParityMeasure::LargestKl),
                value(&result, ParityMeasure::Agreement)
            );
        }
    }
}

#[test]
fn the_demonstration_model_leaves_in_every_form() {
    let bench = Bench::new();
    bench.demo();
    bench.adapter(DEMO, 0.02);
    for (format, dtype) in [
        (ExportFormat::Merged, ExportType::F32),
        (ExportFormat::Merged, ExportType::Bf16),
        (ExportFormat::Merged, ExportType::F16),
        (ExportFormat::Gguf, ExportType::F16),
        (ExportFormat::Gguf, ExportType::Q8_0),
    ] {
        let (folder, result) = bench.exported(
            &format!("{}-{}", format.tag(), dtype.tag()),
            &Bench::job(DEMO, format, dtype),
        );
        proved(&result, &folder);
        print_figures(DEMO, format, dtype, &result);
        if format == ExportFormat::Merged {
            let config: Value =
                serde_json::from_slice(&std::fs::read(folder.join("config.json")).unwrap())
                    .unwrap();
            let expected = match dtype {
                ExportType::F32 => "float32",
                ExportType::Bf16 => "bfloat16",
                _ => "float16",
            };
            assert_eq!(config["torch_dtype"], expected);
            assert_eq!(config["_name_or_path"], format!("{DEMO} tuned"));
            for file in [
                "tokenizer.json",
                "tokenizer_config.json",
                "generation_config.json",
                "model.safetensors",
            ] {
                assert!(folder.join(file).is_file(), "{file}");
            }
            // Between the sum in fp32 and the file there is only a cast.
            let weights = Weights::open(&folder, Device::Cpu).unwrap();
            let base = Weights::open(&bench.models().join(DEMO), Device::Cpu).unwrap();
            let adapter = Adapter::read(&bench.at(&format!("adapter-{DEMO}"))).unwrap();
            let updates = adapter.updates().unwrap();
            let name = "model.layers.1.mlp.up_proj.weight";
            let update = updates.of("model.layers.1.mlp.up_proj").unwrap();
            let shape = base.shape(name).unwrap();
            let sum =
                base.tensor(name, &shape).unwrap() + update.b.matmul(&update.a) * update.scale;
            let stored = weights.tensor_as(name, &shape, None).unwrap();
            assert_eq!(sum.to_kind(stored.kind()), stored);
            // α of its own, over the root of the rank.
            assert!((update.scale - 2.0 / 2.0).abs() < 1e-12, "{}", update.scale);
        }
    }
    let (folder, result) = bench.exported(
        "peft",
        &Bench::job(DEMO, ExportFormat::Peft, ExportType::F32),
    );
    assert!(result.parity.is_none());
    for file in [adapter::CONFIG_FILE, adapter::WEIGHTS_FILE] {
        let from = bench.at(&format!("adapter-{DEMO}")).join(file);
        assert_eq!(
            std::fs::read(folder.join(file)).unwrap(),
            std::fs::read(from).unwrap(),
            "{file}"
        );
    }
    assert!(Adapter::read(&folder).is_ok());
}

#[test]
fn an_encoder_leaves_merged_and_as_an_adapter() {
    let bench = Bench::new();
    common::tiny_models(&bench.models());
    bench.adapter(common::TINY, 0.3);
    for dtype in [ExportType::F32, ExportType::Bf16] {
        let (folder, result) = bench.exported(
            dtype.tag(),
            &Bench::job(common::TINY, ExportFormat::Merged, dtype),
        );
        proved(&result, &folder);
        println!(
            "encoder {}: {:?}",
            dtype.tag(),
            result.parity.unwrap().figures
        );
    }
    let (code, message) = bench.refused(
        "gguf",
        &Bench::job(common::TINY, ExportFormat::Gguf, ExportType::F16),
    );
    assert!(
        code == "model_unsupported" && message.contains("bert"),
        "{message}"
    );
}

/// A file that was changed after it was written must not be accepted as the trained model.
#[test]
fn a_tampered_file_fails_the_comparison() {
    let bench = Bench::new();
    bench.decoder("llama", &json!({"model_type": "llama"}));
    bench.adapter("llama", 0.3);
    let folder = bench.models().join("llama");
    let Config::Decoder(config) = Config::of_folder(&folder).unwrap() else {
        panic!()
    };
    let language = Language::open(&folder, VOCABULARY as usize).unwrap();
    let prompts = Prompts::of(Vec::new(), &language, 512).unwrap();
    let batches = Batches::of(&prompts, VOCABULARY, Device::Cpu).unwrap();
    let updates = Adapter::read(&bench.at("adapter-llama"))
        .unwrap()
        .updates()
        .unwrap();
    let mut on = || Ok(());
    let base = Weights::open(&folder, Device::Cpu).unwrap();
    let reference = batches
        .logits(&config, &base, Some(&updates), &mut on)
        .unwrap();
    let verdict = |logits: &Tensor, dtype| {
        let figures = parity::of_logits(&reference, logits, dtype).unwrap();
        parity::judged(&prompts, PARITY_PROMPTS, batches.positions, figures)
    };

    let (out, _) = bench.exported(
        "f32",
        &Bench::job("llama", ExportFormat::Merged, ExportType::F32),
    );
    let path = out.join("model.safetensors");
    let whole = std::fs::read(&path).unwrap();
    let of_file = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        batches
            .logits(
                &config,
                &Weights::open(&out, Device::Cpu).unwrap(),
                None,
                &mut || Ok(()),
            )
            .unwrap()
    };
    assert!(verdict(&of_file(&whole), ExportType::F32).is_ok());
    let mut changed = whole.clone();
    let last = changed.len() - 4; // one number of the last norm
    changed[last..].copy_from_slice(&1.5f32.to_le_bytes());
    let failure = verdict(&of_file(&changed), ExportType::F32)
        .unwrap_err()
        .into_failure();
    assert_eq!(failure.code.tag(), "export_differs");
    assert!(
        failure.message.contains("largest difference"),
        "{}",
        failure.message
    );
    // The base without its adapter is another model, in whatever type.
    let bare = batches.logits(&config, &base, None, &mut on).unwrap();
    for dtype in ExportType::ALL {
        assert!(verdict(&bare, dtype).is_err(), "{dtype:?}");
    }

    // A GGUF file whose settings lie, and one whose rows are in the order of the folder.
    let (out, _) = bench.exported(
        "gguf",
        &Bench::job("llama", ExportFormat::Gguf, ExportType::F16),
    );
    let path = out.join("llama-tuned-f16.gguf");
    let whole = std::fs::read(&path).unwrap();
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let source = GgufDecoder::of(GgufFile::open(&path).unwrap(), Device::Cpu).unwrap();
        let logits = batches
            .logits(&source.config, &source, None, &mut || Ok(()))
            .unwrap();
        verdict(&logits, ExportType::F16)
    };
    assert!(read(&whole).is_ok());
    let name = b"llama.rope.freq_base";
    let place = whole
        .windows(name.len())
        .position(|window| window == name)
        .unwrap()
        + name.len()
        + 4;
    let mut changed = whole.clone();
    changed[place..place + 4].copy_from_slice(&20_000f32.to_le_bytes());
    assert!(read(&changed).is_err());
    let swapped = String::from_utf8_lossy(b"blk.0.attn_q.weight").into_owned();
    let mut changed = whole.clone();
    for (from, to) in [
        (swapped.as_str(), "blk.1.attn_?.weight"),
        ("blk.1.attn_q.weight", swapped.as_str()),
        ("blk.1.attn_?.weight", "blk.1.attn_q.weight"),
    ] {
        let place = changed
            .windows(from.len())
            .position(|window| window == from.as_bytes())
            .unwrap();
        changed[place..place + to.len()].copy_from_slice(to.as_bytes());
    }
    assert!(read(&changed).is_err());
    // Other tokens.
    assert!(parity::judged(&prompts, PARITY_PROMPTS - 1, 1, Vec::new()).is_err());
}

/// Logits so large that 32 bits have no fourth decimal: the export must fail by itself, and leave nothing.
#[test]
fn an_export_that_differs_leaves_nothing() {
    let bench = Bench::new();
    bench.decoder("qwen3", &json!({"model_type": "qwen3", "head_dim": 16}));
    let name = "model.norm.weight";
    for entry in std::fs::read_dir(bench.models().join("qwen3"))
        .unwrap()
        .flatten()
    {
        if entry
            .path()
            .extension()
            .is_some_and(|end| end == "safetensors")
        {
            let mut tensors = tensors::read(&entry.path(), lexforge_models::Error::Shim).unwrap();
            if let Some(norm) = tensors.remove(name) {
                tensors.insert(name.into(), norm * 1000.0);
                std::fs::write(entry.path(), tensors::to_bytes(&tensors).unwrap()).unwrap();
            }
        }
    }
    bench.adapter("qwen3", 0.3);
    let (code, message) = bench.refused(
        "f32",
        &Bench::job("qwen3", ExportFormat::Merged, ExportType::F32),
    );
    assert_eq!(code, "export_differs", "{message}");
    assert!(message.contains("at most 1.0e-4"), "{message}");
    println!("{message}");
}

#[test]
fn what_cannot_leave_is_refused_by_name() {
    let bench = Bench::new();
    bench.decoder("qwen2", &json!({"model_type": "qwen2"}));
    bench.adapter("qwen2", 0.3);
    bench.decoder(
        "windowed",
        &json!({"model_type": "qwen2", "use_sliding_window": true, "sliding_window": 8,
        "max_window_layers": 1}),
    );
    bench.adapter("windowed", 0.3);
    common::tiny_models(&bench.models());
    formula::tiny_decoder(&bench.models());
    bench.adapter(formula::DECODER, 0.3);
    let check = |name: &str, model: &str, format, dtype, code: &str, named: &str| {
        let (found, message) = bench.refused(name, &Bench::job(model, format, dtype));
        assert!(
            found == code && message.contains(named),
            "{found}: {message}"
        );
    };
    check(
        "a",
        "qwen2",
        ExportFormat::Gguf,
        ExportType::Bf16,
        "invalid_request",
        "bf16",
    );
    check(
        "b",
        "qwen2",
        ExportFormat::Merged,
        ExportType::Q8_0,
        "invalid_request",
        "q8_0",
    );
    check(
        "c",
        "windowed",
        ExportFormat::Gguf,
        ExportType::F16,
        "model_unsupported",
        "use_sliding_window",
    );
    check(
        "d",
        formula::DECODER,
        ExportFormat::Gguf,
        ExportType::F16,
        "model_unsupported",
        "WordLevel",
    );
    // An adapter of another model.
    let other = bench.bundle(
        "e",
        &Bench::job("qwen2", ExportFormat::Peft, ExportType::F32),
    );
    for entry in std::fs::read_dir(bench.at(&format!("adapter-{}", formula::DECODER)))
        .unwrap()
        .flatten()
    {
        std::fs::copy(entry.path(), other.join("adapter").join(entry.file_name())).unwrap();
    }
    assert!(!run(&other, &bench.models()).status.success());
    assert_eq!(failure(&other).0, "model_unsupported");
    // A file that is already there is not changed.
    let full = bench.bundle(
        "f",
        &Bench::job("qwen2", ExportFormat::Peft, ExportType::F32),
    );
    std::fs::create_dir_all(full.join("out")).unwrap();
    std::fs::write(full.join("out").join("mine.txt"), "mine").unwrap();
    assert!(!run(&full, &bench.models()).status.success());
    assert_eq!(failure(&full).0, "invalid_request");
    assert_eq!(
        std::fs::read_to_string(full.join("out").join("mine.txt")).unwrap(),
        "mine"
    );
}

#[test]
fn a_stopped_export_leaves_nothing_and_can_be_made_again() {
    let bench = Bench::new();
    bench.decoder("qwen2", &json!({"model_type": "qwen2"}));
    bench.adapter("qwen2", 0.3);
    let bundle = bench.bundle(
        "stopped",
        &Bench::job("qwen2", ExportFormat::Merged, ExportType::F32),
    );
    std::fs::write(bundle.join(CONTROL_FILE), "stop").unwrap();
    // Of an attempt that was killed.
    std::fs::create_dir_all(bundle.join("out.part")).unwrap();
    std::fs::write(bundle.join("out.part").join("model.safetensors"), "half").unwrap();
    run_well(&bundle, &bench.models());
    assert!(
        !bundle.join("out").exists()
            && !bundle.join("out.part").exists()
            && !bundle.join(RESULT_FILE).exists()
    );
    run_well(&bundle, &bench.models());
    assert!(bundle.join("out").join("model.safetensors").is_file());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_message_and_leaves_nothing() {
    let bench = Bench::new();
    bench.decoder("qwen2", &json!({"model_type": "qwen2"}));
    bench.adapter("qwen2", 0.3);
    bench.bundle(
        "full",
        &Bench::job("qwen2", ExportFormat::Merged, ExportType::F32),
    );
    // The mount lives in a namespace of its own and goes with it.
    let script = "mkdir disk && mount -t tmpfs -o size=2m none disk && cp -r full disk/ || exit 77; \
                  \"$0\" run disk/full --models \"$1\"; code=$?; [ $code = 1 ] || exit 78; ls -a disk/full >&2";
    let output = Command::new("unshare")
        .args([
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            script,
            env!("CARGO_BIN_EXE_lexforge-worker"),
        ])
        .arg(bench.models())
        .current_dir(bench.folder.path())
        .env("OMP_WAIT_POLICY", "passive")
        .output();
    match output {
        Ok(output) if output.status.code() == Some(0) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                said.contains("error[disk_full]") && said.contains("another disk"),
                "{said}"
            );
            assert!(!said.lines().any(|line| line.starts_with("out")), "{said}");
        }
        Ok(output) if output.status.code() == Some(78) => {
            panic!("{}", String::from_utf8_lossy(&output.stderr))
        }
        _ => lexforge_needs::unavailable("no file system can be mounted here"),
    }
}

/// A tokenizer of LLaMA 3's kind: other words, words taken whole, a token that begins every text, no template.
#[test]
fn tokenizers_come_back_from_their_settings() {
    let bench = Bench::new();
    bench.decoder("llama", &json!({"model_type": "llama"}));
    bench.adapter("llama", 0.3);
    let folder = bench.models().join("llama");
    let mut described: Value =
        serde_json::from_slice(&std::fs::read(folder.join("tokenizer.json")).unwrap()).unwrap();
    let expression = described["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"]
        .as_str()
        .unwrap()
        .to_owned();
    described["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] =
        expression.replacen(r"|\p{N}|", r"|\p{N}{1,3}|", 1).into();
    described["model"]["ignore_merges"] = true.into();
    described["post_processor"] = json!({"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [0], "tokens": ["<|endoftext|>"]}}});
    std::fs::write(folder.join("tokenizer.json"), described.to_string()).unwrap();
    let config = json!({"eos_token": "<|im_end|>", "bos_token": "<|endoftext|>"});
    std::fs::write(folder.join("tokenizer_config.json"), config.to_string()).unwrap();
    let (out, result) = bench.exported(
        "begun",
        &Bench::job("llama", ExportFormat::Gguf, ExportType::F16),
    );
    proved(&result, &out);
    let words = GgufWords::of(&GgufFile::open(&out.join("llama-tuned-f16.gguf")).unwrap()).unwrap();
    let language = Language::open(&folder, VOCABULARY as usize).unwrap();
    for text in [
        "Report 12,345.6789 within 30 days",
        "第十二条 2024年",
        "",
        " a  b\n\n\tc",
    ] {
        assert_eq!(
            words.encode(text).unwrap(),
            language.encode(text).unwrap().ids,
            "{text:?}"
        );
    }
    assert!(words.template().is_none());
}

/// Qwen's published tokenizer from its parts, and a SentencePiece one.
#[test]
fn published_tokenizers_come_back_from_their_settings() {
    let bench = Bench::new();
    let texts = [
        "The supervisor may require 1,250 reports; it's up to (them).",
        "商业银行应当自每季度终了之日起三十日内报告。",
        "  two  spaces\n\nand\ttabs ",
        "naïve – “quoted” 🙂 ½",
        "<|im_start|>user\nWho?<|im_end|>\n",
        "Once upon a time",
    ];
    let check = |folder: &Path, vocabulary: usize, end: u32, name: &str| {
        let (settings, notes) = words::settings(folder, vocabulary, end).unwrap();
        let path = bench.at(name);
        lexforge_models::gguf::write::write(&path, &settings, &[], &mut |_| unreachable!())
            .unwrap();
        let words = GgufWords::of(&GgufFile::open(&path).unwrap()).unwrap();
        let language = Language::open(folder, vocabulary).unwrap();
        for text in texts {
            assert_eq!(
                words.encode(text).unwrap(),
                language.encode(text).unwrap().ids,
                "{name} {text:?}"
            );
        }
        notes
    };
    if let Some(folder) = data("tokenizer-qwen2/vocab.json") {
        let notes = check(folder.parent().unwrap(), 151_936, 151_645, "qwen2.gguf");
        assert!(notes.iter().any(|note| note.contains("NFC")), "{notes:?}");
    }
    if let Some(oracle) = data("model-stories260k/oracle_numpy.json") {
        check(&oracle.parent().unwrap().join("hf"), 512, 2, "stories.gguf");
    }
}

/// A trained LLaMA with a SentencePiece tokenizer and rows that fill no blocks.
#[test]
fn a_published_model_leaves_as_gguf() {
    let Some(oracle) = data("model-stories260k/oracle_numpy.json") else {
        return;
    };
    let bench = Bench::new();
    let to = bench.models().join("stories");
    std::fs::create_dir_all(&to).unwrap();
    for entry in std::fs::read_dir(oracle.parent().unwrap().join("hf"))
        .unwrap()
        .flatten()
    {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    bench.adapter("stories", 0.05);
    for (format, dtype) in [
        (ExportFormat::Merged, ExportType::F32),
        (ExportFormat::Merged, ExportType::Bf16),
        (ExportFormat::Gguf, ExportType::F16),
        (ExportFormat::Gguf, ExportType::Q8_0),
    ] {
        let (folder, result) = bench.exported(
            &format!("{}-{}", format.tag(), dtype.tag()),
            &Bench::job("stories", format, dtype),
        );
        proved(&result, &folder);
        print_figures("stories260k", format, dtype, &result);
        if dtype == ExportType::Q8_0 {
            assert!(
                result
                    .notes
                    .iter()
                    .any(|note| note.contains("no multiple of 32")),
                "{:?}",
                result.notes
            );
        }
    }
}

#[test]
fn the_formats_own_package_reads_the_same() {
    let Some(python) = lexforge_needs::python("gguf, numpy, safetensors") else {
        return;
    };
    let bench = Bench::new();
    let script = root().join("tests").join("python").join("check_gguf.py");
    let mut models: BTreeMap<&str, Value> = families().into_iter().collect();
    models.retain(|name, _| ["llama3", "mistral", "qwen2", "qwen3"].contains(name));
    for (name, extra) in models {
        bench.decoder(name, &extra);
        bench.adapter(name, 0.3);
        let (merged, _) = bench.exported(
            &format!("{name}-m"),
            &Bench::job(name, ExportFormat::Merged, ExportType::F32),
        );
        for dtype in [ExportType::F16, ExportType::Q8_0] {
            let (folder, _) = bench.exported(
                &format!("{name}-{}", dtype.tag()),
                &Bench::job(name, ExportFormat::Gguf, dtype),
            );
            let file = folder.join(format!("{name}-tuned-{}.gguf", dtype.tag()));
            let output = Command::new(&python)
                .arg(&script)
                .args([&file, &merged])
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name} {}: {said}", dtype.tag());
            println!("{name} {}: {}", dtype.tag(), said.trim());
        }
    }
}

/// llama.cpp itself, where a package of it is installed, answers as Transformers does from the merged weights.
#[test]
fn llama_cpp_answers_the_same() {
    let Some(python) = lexforge_needs::python("xllamacpp, torch, transformers") else {
        return;
    };
    let bench = Bench::new();
    bench.demo();
    bench.adapter(DEMO, 0.02);
    let (merged, _) = bench.exported(
        "merged",
        &Bench::job(DEMO, ExportFormat::Merged, ExportType::F32),
    );
    let script = root()
        .join("tests")
        .join("python")
        .join("check_llama_cpp.py");
    // The largest change of a log-probability by eight bits and llama.cpp's own arithmetic.
    for (dtype, largest) in [(ExportType::F16, "0.05"), (ExportType::Q8_0, "0.3")] {
        let (folder, _) = bench.exported(dtype.tag(), &Bench::job(DEMO, ExportFormat::Gguf, dtype));
        let file = folder.join(format!("{DEMO}-tuned-{}.gguf", dtype.tag()));
        let output = Command::new(&python)
            .arg(&script)
            .args([&file, &merged])
            .arg(largest)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        println!(
            "llama.cpp {}: {}",
            dtype.tag(),
            said.lines().last().unwrap_or_default()
        );
    }
}
