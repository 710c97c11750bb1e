//! Decoder folders that are damaged or of another kind: one clear message each.

use crate::common;
use crate::common::formula::{values, write_model};
use lexforge_domain::{Code, Failure};
use lexforge_models::architectures::architecture::Config;
use lexforge_models::tensors;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tch::{Device, Kind};

fn config() -> serde_json::Value {
    json!({
        "model_type": "llama", "vocab_size": 10, "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 32, "rms_norm_eps": 1e-5,
        "tie_word_embeddings": true,
    })
}

fn shapes() -> BTreeMap<String, Vec<i64>> {
    let layer =
        |name: &str, shape: &[i64]| (format!("model.layers.0.{name}.weight"), shape.to_vec());
    BTreeMap::from([
        ("model.embed_tokens.weight".into(), vec![10, 8]),
        ("model.norm.weight".into(), vec![8]),
        layer("input_layernorm", &[8]),
        layer("post_attention_layernorm", &[8]),
        layer("self_attn.q_proj", &[8, 8]),
        layer("self_attn.k_proj", &[4, 8]),
        layer("self_attn.v_proj", &[4, 8]),
        layer("self_attn.o_proj", &[8, 8]),
        layer("mlp.gate_proj", &[12, 8]),
        layer("mlp.up_proj", &[12, 8]),
        layer("mlp.down_proj", &[8, 12]),
    ])
}

fn load(folder: &Path) -> Result<(), Failure> {
    let config = Config::of_folder(folder).map_err(lexforge_models::Error::into_failure)?;
    config
        .load_decoder(folder, None, Device::Cpu)
        .map(drop)
        .map_err(lexforge_models::Error::into_failure)
}

struct Folder {
    root: tempfile::TempDir,
}

impl Folder {
    fn new(shards: usize) -> Self {
        let root = tempfile::tempdir().unwrap();
        write_model(
            &root.path().join("m"),
            &config(),
            &shapes(),
            Kind::Float,
            shards,
        );
        Self { root }
    }

    fn path(&self) -> PathBuf {
        self.root.path().join("m")
    }

    #[track_caller]
    fn refused(&self, code: Code, named: &str) {
        let failure = load(&self.path()).unwrap_err();
        assert_eq!(failure.code, code, "{failure:?}");
        assert!(
            failure.message.contains(named),
            "{named:?} is not in {:?}",
            failure.message
        );
        assert!(!failure.hint.is_empty());
    }
}

#[test]
fn whole_folders_load() {
    for shards in [1, 3] {
        load(&Folder::new(shards).path()).unwrap();
    }
}

#[test]
fn a_shard_that_is_cut_short_or_missing_is_named() {
    let folder = Folder::new(3);
    let shard = folder.path().join("model-00002-of-00003.safetensors");
    let whole = std::fs::read(&shard).unwrap();
    std::fs::write(&shard, &whole[..whole.len() - 4]).unwrap();
    folder.refused(Code::ModelMissing, "model-00002-of-00003.safetensors");
    std::fs::remove_file(&shard).unwrap();
    folder.refused(Code::ModelMissing, "part of the model's weights is missing");
}

#[test]
fn an_index_that_does_not_match_its_shards_is_refused() {
    let folder = Folder::new(2);
    let index = folder.path().join("model.safetensors.index.json");
    let text = std::fs::read_to_string(&index).unwrap();
    std::fs::write(
        &index,
        text.replace("model.norm.weight", "model.other.weight"),
    )
    .unwrap();
    folder.refused(Code::ModelMissing, "model.other.weight");
}

#[test]
fn a_tensor_that_is_missing_or_of_another_shape_or_type_is_named() {
    let rewrite = |folder: &Folder, change: &dyn Fn(&mut tensors::NamedTensors)| {
        let mut all: tensors::NamedTensors = shapes()
            .iter()
            .map(|(name, shape)| (name.clone(), values(name, shape)))
            .collect();
        change(&mut all);
        std::fs::write(
            folder.path().join("model.safetensors"),
            tensors::to_bytes(&all).unwrap(),
        )
        .unwrap();
    };
    let name = "model.layers.0.mlp.up_proj.weight";
    let folder = Folder::new(1);
    rewrite(&folder, &|all| drop(all.remove(name)));
    folder.refused(Code::ModelMissing, name);
    rewrite(&folder, &|all| {
        drop(all.insert(name.into(), values(name, &[12, 9])))
    });
    folder.refused(Code::ModelMissing, "[12, 9]");
    rewrite(&folder, &|all| {
        drop(all.insert(name.into(), values(name, &[12, 8]).to_kind(Kind::Uint8)))
    });
    folder.refused(Code::ModelUnsupported, "U8");
    // An untied model without its output layer.
    let folder = Folder::new(1);
    let mut untied = config();
    untied["tie_word_embeddings"] = false.into();
    std::fs::write(folder.path().join("config.json"), untied.to_string()).unwrap();
    folder.refused(Code::ModelMissing, "lm_head.weight");
}

#[test]
fn pickled_weights_and_unknown_features_are_refused_by_name() {
    let folder = Folder::new(1);
    std::fs::rename(
        folder.path().join("model.safetensors"),
        folder.path().join("pytorch_model.bin"),
    )
    .unwrap();
    folder.refused(Code::ModelUnsupported, "pytorch_model.bin");

    let check = |name: &str, value: serde_json::Value, code: Code, named: &str| {
        let folder = Folder::new(1);
        let mut changed = config();
        changed[name] = value;
        std::fs::write(folder.path().join("config.json"), changed.to_string()).unwrap();
        folder.refused(code, named);
    };
    check(
        "model_type",
        json!("gemma2"),
        Code::ModelUnsupported,
        "gemma2",
    );
    check(
        "model_type",
        json!("qwen3_moe"),
        Code::ModelUnsupported,
        "qwen3_moe",
    );
    check(
        "num_experts",
        json!(8),
        Code::ModelUnsupported,
        "num_experts",
    );
    check("hidden_act", json!("gelu"), Code::ModelUnsupported, "gelu");
    check(
        "attn_logit_softcapping",
        json!(50.0),
        Code::ModelUnsupported,
        "attn_logit_softcapping",
    );
    check(
        "quantization_config",
        json!({"bits": 4}),
        Code::ModelUnsupported,
        "quantization_config",
    );
    check(
        "rope_scaling",
        json!({"rope_type": "longrope"}),
        Code::ModelUnsupported,
        "longrope",
    );
    check("num_key_value_heads", json!(3), Code::ModelMissing, "sizes");
    check(
        "vocab_size",
        json!("many"),
        Code::ModelMissing,
        "incomplete",
    );
}

#[test]
fn a_decoder_is_asked_for_where_an_encoder_lies() {
    let root = tempfile::tempdir().unwrap();
    common::tiny_models(root.path());
    let failure = load(&root.path().join(common::TINY)).unwrap_err();
    assert_eq!(failure.code, Code::ModelUnsupported);
    assert!(failure.message.contains("bert"));
}

#[test]
fn a_text_is_cut_into_the_tokens_of_a_folder_without_special_ones() {
    let folder = tempfile::tempdir().unwrap();
    let model = common::tiny_models(folder.path()).join(common::TINY);
    let (texts, tokens) = (folder.path().join("texts"), folder.path().join("tokens"));
    let lines = ["the bank shall report", "", "the board shall"];
    let json: Vec<String> = lines
        .iter()
        .map(|text| json!({ "text": text }).to_string())
        .collect();
    std::fs::write(&texts, json.join("\n")).unwrap();
    lexforge_models::jobs::inspect::tokens(&model, &texts, &tokens).unwrap();
    // The four special tokens come first in the vocabulary, then the words.
    assert_eq!(
        std::fs::read_to_string(&tokens).unwrap(),
        "4 5 6 7\n\n4 11 6\n"
    );
    // Many texts are cut in blocks: in their order, and the last block is not full.
    let many: Vec<String> = json.iter().cycle().take(10_001).cloned().collect();
    std::fs::write(&texts, many.join("\n")).unwrap();
    lexforge_models::jobs::inspect::tokens(&model, &texts, &tokens).unwrap();
    let expected = "4 5 6 7\n\n4 11 6\n".repeat(3_333) + "4 5 6 7\n\n";
    assert_eq!(std::fs::read_to_string(&tokens).unwrap(), expected);
    std::fs::remove_file(model.join("tokenizer.json")).unwrap();
    assert!(lexforge_models::jobs::inspect::tokens(&model, &texts, &tokens).is_err());
}
