//! Bases in four bits: the same bytes as bitsandbytes makes, a training beside one, and what its export says.

use crate::common::formula::{qwen3_shapes, values, write_model};
use crate::common::*;
use lexforge_domain::protocol::{
    ExportFormat, ExportJob, ExportType, Job, JobResult, Objective, ParityMeasure, Precision,
    QuestionForm, RESULT_FILE, StageSpec, USUAL_SHARD,
};
use lexforge_models::adapters::nf4::Nf4;
use lexforge_models::tensors::{self, NamedTensors};
use std::path::Path;
use std::process::Command;
use tch::{Device, Kind, Tensor};

const DECODER: &str = "four-bits";
const VOCABULARY: i64 = 28;

/// A decoder whose matrices fill whole blocks, with the tiny BERT's words.
fn models(folder: &Path) {
    tiny_models(folder);
    let config = serde_json::json!({
        "model_type": "qwen3", "vocab_size": VOCABULARY, "hidden_size": 64, "intermediate_size": 96,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
        "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "tie_word_embeddings": true, "eos_token_id": 3,
    });
    let shapes = qwen3_shapes(VOCABULARY, 64, 96, 2, (4, 2, 16));
    write_model(&folder.join(DECODER), &config, &shapes, Kind::Float, 1);
    std::fs::copy(
        folder.join(TINY).join("tokenizer.json"),
        folder.join(DECODER).join("tokenizer.json"),
    )
    .unwrap();
}

fn result(bundle: &Path) -> JobResult {
    serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap()
}

#[test]
fn a_training_in_four_bits_says_so_and_so_does_its_export() {
    let folder = tempfile::tempdir().unwrap();
    models(folder.path());
    let mut job = train_job();
    job.model.name = DECODER.into();
    job.settings.lora.targets = vec!["all-linear".into()];
    let objective = Objective::Sft {
        form: QuestionForm::Open,
        replay: 0.0,
    };
    job.settings.stages = vec![StageSpec {
        objective,
        ..sentence_stage()
    }];
    let mut losses = Vec::new();
    for precision in [Precision::Fp32, Precision::Nf4] {
        job.settings.precision = precision;
        let bundle = folder.path().join(format!("{precision:?}"));
        train_bundle(&bundle, &job, &items(24, 3), &items(8, 4));
        run_well(&bundle, folder.path());
        let JobResult::Train(made) = result(&bundle) else {
            panic!()
        };
        assert_eq!(
            made.precision,
            if precision == Precision::Nf4 {
                "nf4"
            } else {
                "fp32"
            }
        );
        assert!(
            made.stages[0].last_loss < made.stages[0].first_loss,
            "{:?}",
            made.stages
        );
        let sidecar: serde_json::Value = serde_json::from_slice(
            &std::fs::read(bundle.join(&made.adapter).join("lexforge.json")).unwrap(),
        )
        .unwrap();
        assert_eq!(
            sidecar["base_quantization"] == "nf4",
            precision == Precision::Nf4,
            "{sidecar}"
        );
        losses.push(made.stages[0].first_loss);

        let out = folder.path().join(format!("export-{precision:?}"));
        let export = ExportJob {
            model: job.model.clone(),
            adapter: "adapter".into(),
            format: ExportFormat::Merged,
            dtype: ExportType::F32,
            shard_bytes: USUAL_SHARD,
            prompts: None,
            name: "tuned".into(),
            output: "out".into(),
            threads: 1,
        };
        write_job(&out, Job::Export(export));
        std::fs::create_dir_all(out.join("adapter")).unwrap();
        for entry in std::fs::read_dir(bundle.join(&made.adapter))
            .unwrap()
            .flatten()
        {
            std::fs::copy(entry.path(), out.join("adapter").join(entry.file_name())).unwrap();
        }
        run_well(&out, folder.path());
        let JobResult::Export(made) = result(&out) else {
            panic!()
        };
        let figures = made.parity.unwrap().figures;
        let quantized = figures
            .iter()
            .find(|figure| figure.measure == ParityMeasure::QuantizedBaseKl);
        let card = std::fs::read_to_string(out.join("out").join("README.md")).unwrap();
        assert_eq!(card.contains("in four bits"), precision == Precision::Nf4);
        assert_eq!(
            made.notes.iter().any(|note| note.contains("four bits")),
            precision == Precision::Nf4
        );
        match precision {
            Precision::Nf4 => {
                println!(
                    "mean KL to the quantized base: {:.2e}",
                    quantized.unwrap().value
                );
                assert!(quantized.unwrap().value > 1e-6);
            }
            _ => assert!(quantized.is_none()),
        }
    }
    // Another base, and not far from it.
    let off = (losses[0] - losses[1]).abs();
    println!("first losses: fp32 {:.4}, nf4 {:.4}", losses[0], losses[1]);
    assert!(off > 1e-6 && off < 0.5 * losses[0], "{losses:?}");
}

#[test]
fn bitsandbytes_makes_the_same_bytes() {
    let Some(python) = lexforge_needs::python("torch, bitsandbytes, safetensors") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut file = NamedTensors::new();
    for (name, weight) in [
        (
            "formula",
            values("model.layers.0.mlp.up_proj.weight", &[96, 128]),
        ),
        (
            "normal",
            Tensor::randn([64, 192], (Kind::Float, Device::Cpu)) * 0.02,
        ),
        ("sparse", values("w.weight", &[8, 64]).relu() * 1e-3),
    ] {
        let packed = Nf4::of(&weight).unwrap().unwrap();
        file.insert(format!("{name}.dense"), packed.dense().unwrap());
        file.insert(format!("{name}.codes"), packed.codes);
        file.insert(format!("{name}.largest"), packed.largest);
        file.insert(format!("{name}.weight"), weight);
    }
    let path = folder.path().join("nf4.safetensors");
    std::fs::write(&path, tensors::to_bytes(&file).unwrap()).unwrap();
    let script = root().join("tests").join("python").join("check_nf4.py");
    let output = Command::new(&python)
        .arg(script)
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    println!("{}", said.lines().last().unwrap_or_default());
}
