//! Tests of `memory`.

use super::layer::kept_by_decoder;
use super::*;
use lexforge_domain::protocol::{Decay, QuestionForm};

fn model() -> Model {
    let text = r#"{"model_type":"qwen3","vocab_size":28672,"hidden_size":512,"intermediate_size":1536,
            "num_hidden_layers":8,"num_attention_heads":8,"num_key_value_heads":4,"head_dim":64,
            "max_position_embeddings":1024,"tie_word_embeddings":true}"#;
    let matrices = (0..8).flat_map(|layer| {
        let named =
            |name: &str, outputs, inputs| (format!("model.layers.{layer}.{name}"), outputs, inputs);
        [
            named("self_attn.q_proj", 512, 512),
            named("mlp.down_proj", 512, 1536),
        ]
    });
    let stored = Stored {
        bytes: 160 << 20,
        numbers: 40 << 20,
        width: 4,
        matrices: matrices.collect(),
    };
    Model {
        shape: Shape::of(&Config::of_text(text).unwrap()),
        stored,
        device: Device::Cpu,
    }
}

fn settings() -> TrainSettings {
    let stage = StageSpec {
        objective: Objective::Sft {
            form: QuestionForm::Both,
            replay: 0.0,
        },
        epochs: 1,
        batch_size: 4,
        micro_batch: None,
        max_steps: None,
        learning_rate: 1e-4,
        warmup_steps: 0,
        decay: Decay::Linear,
        weight_decay: 0.0,
        max_grad_norm: 1.0,
        patience: None,
    };
    TrainSettings {
        tune: Tune::Lora,
        lora: LoraSpec {
            r: 16,
            alpha: 32.0,
            dropout: 0.05,
            targets: vec!["all-linear".into()],
        },
        stages: vec![stage],
        max_length: 256,
        precision: Precision::Auto,
        activation_checkpointing: false,
        seed: 1,
        threads: 1,
    }
}

#[test]
fn what_is_kept_is_counted() {
    let found = model().plain(&settings());
    assert!((found.weights_mb - 160.0).abs() < 1e-9);
    // 8 layers, r (512 + 512) and r (512 + 1536), 16 bytes each.
    assert!((found.adapter_mb - 8.0 * 16.0 * 3072.0 * 16.0 / MIB).abs() < 1e-9);
    assert_eq!(
        (found.stage.as_str(), found.device.as_str()),
        ("sft", "cpu")
    );
    assert_eq!(kept_by_decoder(match &Config::of_text(
            r#"{"model_type":"llama","vocab_size":8,"hidden_size":16,"intermediate_size":32,"num_hidden_layers":1,
            "num_attention_heads":2,"max_position_embeddings":8}"#).unwrap() {
            Config::Decoder(config) => config,
            Config::Encoder(_) => unreachable!(),
        }), 4 * 16 + 4 * 16 + 3 * 32);
}

fn on_a_gpu() -> (Model, TrainSettings) {
    let model = Model {
        device: Device::Cuda(0),
        ..model()
    };
    let mut settings = settings();
    settings.precision = Precision::Bf16;
    settings.stages[0].batch_size = 1;
    (model, settings)
}

/// Bytes that a layer keeps for each token in bf16 on a GPU, tensor by tensor. The model has hidden size 512, queries
/// 512, keys 256, inner size 1,536.
const NORMED_BEFORE_LINEARS: usize = 2 * 2 * 512;
const QUERIES_KEYS_VALUES_MIXED: usize = 2 * 4 * 512;
const INNER: usize = 2 * 3 * 1536;
const READ_BY_NORMS: usize = 4 * (2 * 512 + 512 + 256);
const NARROW: usize = 4 * 7 * 16;
const MASKS: usize = 512 + 1536;

#[test]
fn on_a_gpu_what_norms_read_is_kept_once_and_wide() {
    let (model, mut settings) = on_a_gpu();
    let layer = |settings: &TrainSettings, model: &Model| {
        model.shape.layer(settings, model.how(settings, 2))
    };
    let all = NORMED_BEFORE_LINEARS + QUERIES_KEYS_VALUES_MIXED + INNER + READ_BY_NORMS + NARROW;
    assert_eq!(layer(&settings, &model), (all + MASKS) as f64);
    // Without dropout nothing says what was dropped, and an adapter of fewer parts has fewer masks.
    settings.lora.targets = vec!["q_proj".into()];
    assert_eq!(layer(&settings, &model), (all + 512) as f64);
    settings.lora.dropout = 0.0;
    assert_eq!(layer(&settings, &model), all as f64);
    settings.lora.dropout = 0.05;
    settings.tune = Tune::All;
    assert_eq!(layer(&settings, &model), (all - NARROW) as f64);
    // In fp32 the norms keep what they read and no copy.
    let wide = model.shape.layer(&settings, model.how(&settings, 4));
    let read = READ_BY_NORMS;
    let others = 2 * (NORMED_BEFORE_LINEARS + QUERIES_KEYS_VALUES_MIXED + INNER);
    assert_eq!(wide, (read + others) as f64);
}

#[test]
fn a_layer_that_is_computed_again_keeps_its_input_alone() {
    let (model, mut settings) = on_a_gpu();
    settings.activation_checkpointing = true;
    let how = model.how(&settings, 2);
    assert_eq!(model.shape.kept(&settings, how), (8 * 2 * 512) as f64);
}

/// Of a step only the layers grow with the length: the logits are computed for some rows at a time.
#[test]
fn on_a_gpu_a_step_grows_with_the_length_by_its_layers_alone() {
    let (model, mut settings) = on_a_gpu();
    let mut step = |length: usize| {
        settings.max_length = length;
        model.step(&settings, &settings.stages[0], 2)
    };
    let (half, whole) = (step(512), step(1024));
    let layer =
        NORMED_BEFORE_LINEARS + QUERIES_KEYS_VALUES_MIXED + INNER + READ_BY_NORMS + NARROW + MASKS;
    // The tensors in fp32 while the gradient of a layer is computed: four inner and six hidden vectors.
    let passing = 4 * (4 * 1536 + 6 * 512);
    let token = (8 * layer) as f64 + GPU_GAPS * (layer + passing) as f64;
    assert!((whole - half - 512.0 * token).abs() < 1.0);
    let rows = loss::rows_of(28_672);
    assert!(rows < 512);
    let table = (2 * 4 * rows * 28_672) as f64;
    assert!((half - 512.0 * token - table).abs() < 1.0);
}

#[test]
fn each_setting_moves_the_estimate_its_way() {
    let (model, settings) = (model(), settings());
    let total = |change: &dyn Fn(&mut TrainSettings)| {
        let mut changed = settings.clone();
        change(&mut changed);
        model.plain(&changed).total_mb
    };
    let plain = total(&|_| {});
    assert!(total(&|s| s.stages[0].micro_batch = Some(2)) < plain);
    assert!(total(&|s| s.activation_checkpointing = true) < plain);
    assert!(total(&|s| s.max_length = 128) < plain);
    assert!(total(&|s| s.lora.r = 64) > plain);
    assert!(total(&|s| s.stages[0].batch_size = 8) > plain);
    // A batch beyond the trainer's own budget is cut there.
    let most = total(&|s| s.stages[0].batch_size = 1000);
    assert!((most - total(&|s| s.stages[0].batch_size = 2000)).abs() < 1e-9);
}

#[test]
fn what_does_not_fit_comes_with_one_change_that_does() {
    let (model, settings) = (model(), settings());
    let plain = model.plain(&settings).total_mb;
    assert!(
        model.estimate(&settings, Some(plain + 1.0)).fits && model.estimate(&settings, None).fits
    );
    let tight = model.estimate(&settings, Some(plain - 1.0));
    let advice = tight.advice.unwrap();
    assert_eq!(
        (advice.setting.as_str(), advice.value.as_str()),
        ("micro_batch", "2")
    );
    assert!(!tight.fits && advice.total_mb < plain);
    // If no change is enough, the change that saves most is named.
    let hopeless = model.estimate(&settings, Some(1.0));
    assert!(!hopeless.fits && hopeless.advice.unwrap().total_mb < advice.total_mb);
}

#[test]
fn all_weights_take_a_gradient_and_two_moments_each_and_no_rank() {
    let mut settings = settings();
    settings.tune = Tune::All;
    let found = model().plain(&settings);
    assert!((found.adapter_mb - 12.0 * 40.0).abs() < 1e-9);
    settings.lora.r = 512;
    assert!((model().plain(&settings).total_mb - found.total_mb).abs() < 1e-9);
    // If a step takes little memory, the checkpoint takes most.
    settings.stages[0].batch_size = 1;
    settings.max_length = 16;
    let small = model().plain(&settings);
    assert!((small.activations_mb - STORED * 40.0 - LIBRARY_MB).abs() < 1e-9);
}
