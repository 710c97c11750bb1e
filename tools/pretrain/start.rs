//! The folder that a training from nothing begins with: vocabulary, configuration, and weights at random.

use super::bpe;
use super::corpus::Source;
use super::settings::Settings;
use lexforge_domain::Code;
use lexforge_models::folder::{CONFIG_FILE, TOKENIZER_FILE};
use lexforge_models::tensors::{self, NamedTensors};
use lexforge_models::texts::vocabulary::TOKENIZER_CONFIG_FILE;
use lexforge_models::weights::SINGLE_FILE;
use lexforge_models::{Error, Result, files};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

/// Settings and figures of the training, kept beside the weights.
pub const RECORD_FILE: &str = "training.json";

/// Standard deviation of fresh weights.
const SPREAD: f64 = 0.02;

/// The folder of the unfinished model. If an earlier run with the same settings on the same corpus left such a folder,
/// it is used again. Otherwise it is created with tokenizer, configuration and random weights.
pub fn begin(
    out: &Path,
    settings: &Settings,
    corpus_sha256: &str,
    sources: &[Source],
) -> Result<PathBuf> {
    let part = files::unfinished(out);
    let record = json!({"settings": settings, "corpus_sha256": corpus_sha256});
    let path = part.join(RECORD_FILE);
    if path.is_file() {
        let found: Value = lexforge_models::texts::vocabulary::read_json(&path)?;
        if found == record {
            return Ok(part);
        }
        return Err(Error::told_of(
            &part,
            Code::InvalidRequest,
            "Another training, with other settings or another corpus, was broken off here.",
            "Delete the folder, or name another one.",
        ));
    }
    std::fs::create_dir_all(&part).map_err(Error::io(&part))?;
    eprintln!("learning a vocabulary");
    // Every language counts about alike, however much of it there is.
    let sizes: Vec<usize> = sources
        .iter()
        .map(|source| source.texts().map(str::len).sum())
        .collect();
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let texts = sources.iter().zip(&sizes).flat_map(|(source, &size)| {
        let times = (largest as f64 / size.max(1) as f64)
            .round()
            .clamp(1.0, 8.0) as usize;
        std::iter::repeat_n(source, times).flat_map(Source::texts)
    });
    let tokenizer = bpe::train(texts, settings.vocabulary)?;
    tokenizer
        .save(part.join(TOKENIZER_FILE), false)
        .map_err(|e| Error::Shim(e.to_string()))?;
    let (end, between) = (
        bpe::special(&tokenizer, bpe::END)?,
        bpe::special(&tokenizer, bpe::BETWEEN)?,
    );
    let config = json!({
        "_name_or_path": out.file_name().unwrap_or_default().to_string_lossy(),
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": settings.vocabulary,
        "hidden_size": settings.hidden,
        "intermediate_size": settings.inner,
        "num_hidden_layers": settings.layers,
        "num_attention_heads": settings.heads,
        "num_key_value_heads": settings.key_heads,
        "head_dim": settings.hidden / settings.heads,
        "max_position_embeddings": settings.positions,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-6,
        "rope_theta": 10_000.0,
        "attention_bias": false,
        "tie_word_embeddings": true,
        "use_sliding_window": false,
        "torch_dtype": "bfloat16",
        "eos_token_id": end,
        "pad_token_id": between,
    });
    write_json(&part.join(CONFIG_FILE), &config)?;
    write_json(
        &part.join(TOKENIZER_CONFIG_FILE),
        &bpe::configuration(&tokenizer, settings.positions)?,
    )?;
    let generation =
        json!({"do_sample": false, "eos_token_id": [end, between], "pad_token_id": between});
    write_json(&part.join("generation_config.json"), &generation)?;
    files::write_atomically(
        &part.join(SINGLE_FILE),
        &tensors::to_bytes(&random_weights(settings)?)?,
    )?;
    write_json(&path, &record)?; // last: with it the folder is one to go on from
    Ok(part)
}

/// Weights as GPT-2's began: normal around zero, layers that add to the stream made smaller by their number.
fn random_weights(settings: &Settings) -> Result<NamedTensors> {
    tch::manual_seed(i64::try_from(settings.seed % (1 << 62)).unwrap_or_default());
    let head = settings.hidden / settings.heads.max(1);
    let (queries, keys) = (settings.heads * head, settings.key_heads * head);
    let (hidden, inner) = (settings.hidden, settings.inner);
    let mut all = NamedTensors::new();
    let mut add = |name: String, shape: &[i64], spread: f64| -> Result<()> {
        let mut tensor = Tensor::f_ones(shape, (Kind::Float, Device::Cpu))?;
        if spread > 0.0 {
            let _ = tensor.f_normal_(0.0, spread)?;
        }
        all.insert(name, tensor);
        Ok(())
    };
    add(
        "model.embed_tokens.weight".into(),
        &[settings.vocabulary as i64, hidden],
        SPREAD,
    )?;
    let adding = SPREAD / (2.0 * settings.layers as f64).sqrt();
    for layer in 0..settings.layers {
        let parts: [(&str, Vec<i64>, f64); 11] = [
            ("input_layernorm", vec![hidden], 0.0),
            ("self_attn.q_proj", vec![queries, hidden], SPREAD),
            ("self_attn.k_proj", vec![keys, hidden], SPREAD),
            ("self_attn.v_proj", vec![keys, hidden], SPREAD),
            ("self_attn.o_proj", vec![hidden, queries], adding),
            ("self_attn.q_norm", vec![head], 0.0),
            ("self_attn.k_norm", vec![head], 0.0),
            ("post_attention_layernorm", vec![hidden], 0.0),
            ("mlp.gate_proj", vec![inner, hidden], SPREAD),
            ("mlp.up_proj", vec![inner, hidden], SPREAD),
            ("mlp.down_proj", vec![hidden, inner], adding),
        ];
        for (name, shape, spread) in parts {
            add(
                format!("model.layers.{layer}.{name}.weight"),
                &shape,
                spread,
            )?;
        }
    }
    add("model.norm.weight".into(), &[hidden], 0.0)?;
    Ok(all)
}

pub fn write_json(path: &Path, value: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Error::Shim(e.to_string()))?;
    files::write_atomically(path, format!("{text}\n").as_bytes())
}
