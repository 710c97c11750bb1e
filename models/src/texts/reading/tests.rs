//! Tests of `reading`.

use super::*;

const ST: &str = "sentence_transformers.models.";

fn modules(kinds: &[(&str, &str)]) -> String {
    let list: Vec<Value> = kinds
        .iter()
        .map(|(kind, path)| serde_json::json!({"type": format!("{ST}{kind}"), "path": path}))
        .collect();
    Value::from(list).to_string()
}

fn reading(files: &[(&str, &str)]) -> std::result::Result<TextReading, lexforge_domain::Failure> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    of_folder(folder.path()).map_err(Error::into_failure)
}

#[test]
fn a_folder_that_says_nothing_is_read_by_the_mean() {
    assert_eq!(reading(&[]).unwrap(), TextReading::default());
    let usual = modules(&[
        ("Transformer", ""),
        ("Pooling", "1_Pooling"),
        ("Normalize", "2_Normalize"),
    ]);
    let mean = r#"{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}"#;
    let length = r#"{"max_seq_length": 256, "do_lower_case": false}"#;
    let minilm = [
        (MODULES_FILE, usual.as_str()),
        ("1_Pooling/config.json", mean),
        ("sentence_bert_config.json", length),
        (PROMPTS_FILE, r#"{"__version__": {"pytorch": "1.8.1"}}"#),
    ];
    assert_eq!(reading(&minilm).unwrap(), TextReading::default());
}

#[test]
fn pooling_prompts_and_length_are_those_of_the_files() {
    let files = modules(&[("Transformer", ""), ("Pooling", "pool")]);
    let prompts =
        r#"{"prompts": {"query": "query: ", "passage": "passage: "}, "similarity_fn_name": "dot"}"#;
    let read = reading(&[
        (MODULES_FILE, &files),
        (
            "pool/config.json",
            r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#,
        ),
        (PROMPTS_FILE, prompts),
        ("sentence_bert_config.json", r#"{"max_seq_length": 512}"#),
    ])
    .unwrap();
    let expected = TextReading {
        pooling: Pooling::Cls,
        normalize: false,
        question: "query: ".into(),
        passage: "passage: ".into(),
        max_length: 512,
        ..TextReading::default()
    };
    assert_eq!(read, expected);
    let last = reading(&[
        ("1_Pooling/config.json", r#"{"pooling_mode": "lasttoken"}"#),
        (
            PROMPTS_FILE,
            r#"{"prompts": {"any": "x "}, "default_prompt_name": "any"}"#,
        ),
        ("sentence_bert_config.json", r#"{"max_seq_length": null}"#),
    ])
    .unwrap();
    assert_eq!(last.pooling, Pooling::Last);
    assert_eq!(
        (last.question.as_str(), last.passage.as_str()),
        ("x ", "x ")
    );
    assert_eq!((last.normalize, last.max_length), (true, 256));
}

/// As in Sentence Transformers: the lesser of what the tokenizer was made for and of the positions.
#[test]
fn without_a_stated_length_the_tokenizer_and_the_positions_bound_the_input() {
    let list = modules(&[("Transformer", ""), ("Pooling", "1_Pooling")]);
    let bert = r#"{"model_type": "bert", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "vocab_size": 12, "max_position_embeddings": 512, "type_vocab_size": 2}"#;
    let config = (CONFIG_FILE, bert);
    let check = |expected: usize, files: &[(&str, &str)]| {
        let listed = [&[(MODULES_FILE, list.as_str())], files].concat();
        assert_eq!(reading(&listed).unwrap().max_length, expected, "{files:?}");
        // Without the list of modules a folder is not one of Sentence Transformers: the usual length counts.
        let length = "sentence_bert_config.json";
        if files.iter().all(|(name, _)| *name != length) {
            assert_eq!(reading(files).unwrap().max_length, 256, "{files:?}");
        }
    };
    let tokenizer = |text| (TOKENIZER_SETTINGS, text);
    check(256, &[]);
    check(512, &[config]);
    check(384, &[config, tokenizer(r#"{"model_max_length": 384}"#)]);
    check(512, &[config, tokenizer(r#"{"model_max_length": 131072}"#)]);
    let none = r#"{"model_max_length": 1000000000000000019884624838656}"#;
    check(512, &[config, tokenizer(none)]);
    check(LONGEST_UNSTATED, &[tokenizer(none)]);
    check(512, &[config, tokenizer("{}")]);
    // What the folder states counts before both.
    let stated = ("sentence_bert_config.json", r#"{"max_seq_length": 128}"#);
    check(128, &[config, tokenizer(none), stated]);
    let unstated = ("sentence_bert_config.json", r#"{"max_seq_length": null}"#);
    check(
        384,
        &[config, tokenizer(r#"{"model_max_length": 384}"#), unstated],
    );
}

#[test]
fn every_single_way_of_pooling_is_known_in_both_spellings() {
    let check = |mode: &str, expected: Pooling| {
        let older = format!(r#"{{"pooling_mode_{mode}": true, "pooling_mode_x": false}}"#);
        let newer = format!(r#"{{"pooling_mode": "{}"}}"#, mode.replace("_tokens", ""));
        for text in [
            older,
            newer
                .replace("_len", "_len_tokens")
                .replace("cls_token", "cls"),
        ] {
            let read = reading(&[("1_Pooling/config.json", &text)]).unwrap();
            assert_eq!(read.pooling, expected, "{text}");
        }
    };
    check("mean_tokens", Pooling::Mean);
    check("cls_token", Pooling::Cls);
    check("lasttoken", Pooling::Last);
    check("max_tokens", Pooling::Max);
    check("mean_sqrt_len_tokens", Pooling::MeanSqrt);
    check("weightedmean_tokens", Pooling::WeightedMean);
}

#[test]
fn dense_layers_are_read_from_their_folders_or_refused() {
    let files = modules(&[
        ("Transformer", ""),
        ("Pooling", "1_Pooling"),
        ("Dense", "2_Dense"),
        ("Normalize", "3_Normalize"),
    ]);
    let of = |config: &str| reading(&[(MODULES_FILE, &files), ("2_Dense/config.json", config)]);
    let plain = r#"{"in_features": 8, "out_features": 4, "bias": true,
            "activation_function": "torch.nn.modules.linear.Identity"}"#;
    let read = of(plain).unwrap();
    let layer = &read.dense[0];
    assert_eq!((layer.inputs, layer.outputs, layer.bias), (8, 4, true));
    assert_eq!(
        (layer.path.as_str(), layer.function.tag()),
        ("2_Dense", "identity")
    );
    let check = |from: &str, to: &str, code: Code, named: &str| {
        let failure = of(&plain.replace(from, to)).unwrap_err();
        assert_eq!(failure.code, code, "{to}");
        assert!(failure.message.contains(named), "{}", failure.message);
    };
    check(
        "linear.Identity",
        "activation.Hardswish",
        Code::ModelUnsupported,
        "Hardswish",
    );
    check(
        "\"bias\": true",
        "\"use_residual\": true",
        Code::ModelUnsupported,
        "use_residual",
    );
    check(
        "\"bias\": true",
        "\"module_input_name\": \"token_embeddings\"",
        Code::ModelUnsupported,
        "token_embeddings",
    );
    check("8", "0", Code::ModelMissing, "in_features");
    let alone = reading(&[(MODULES_FILE, &files)]).unwrap_err();
    assert!(
        alone.message.contains("2_Dense/config.json"),
        "{}",
        alone.message
    );
}

#[test]
fn what_is_not_computed_here_is_named_and_refused() {
    let check = |files: &[(&str, &str)], code: Code, file: &str, named: &str| {
        let failure = reading(files).unwrap_err();
        assert_eq!(failure.code, code, "{named}");
        assert_eq!(failure.file.as_deref(), Some(file));
        assert!(failure.message.contains(named), "{}", failure.message);
    };
    let unknown = modules(&[
        ("Transformer", ""),
        ("Pooling", "1_Pooling"),
        ("LSTM", "2_LSTM"),
    ]);
    check(
        &[(MODULES_FILE, &unknown)],
        Code::ModelUnsupported,
        MODULES_FILE,
        "LSTM",
    );
    let outside = modules(&[("Transformer", ""), ("Pooling", "../1_Pooling")]);
    check(
        &[(MODULES_FILE, &outside)],
        Code::ModelMissing,
        MODULES_FILE,
        "../1_Pooling",
    );
    let twice = modules(&[("Transformer", ""), ("Pooling", "a"), ("Pooling", "b")]);
    check(
        &[(MODULES_FILE, &twice)],
        Code::ModelUnsupported,
        MODULES_FILE,
        "Pooling",
    );
    let pooling = "1_Pooling/config.json";
    let both = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}"#;
    check(
        &[(pooling, both)],
        Code::ModelUnsupported,
        pooling,
        "2 ways at a time (cls_token, mean_tokens)",
    );
    let other = r#"{"pooling_mode_median_tokens": true}"#;
    check(
        &[(pooling, other)],
        Code::ModelUnsupported,
        pooling,
        "median_tokens",
    );
    check(
        &[(pooling, "{}")],
        Code::ModelUnsupported,
        pooling,
        "no way",
    );
    check(
        &[(pooling, "{")],
        Code::ModelMissing,
        pooling,
        "cannot be read",
    );
    let far = r#"{"similarity_fn_name": "euclidean"}"#;
    check(
        &[(PROMPTS_FILE, far)],
        Code::ModelUnsupported,
        PROMPTS_FILE,
        "euclidean",
    );
    let lower = r#"{"max_seq_length": 128, "do_lower_case": true}"#;
    let name = "sentence_bert_config.json";
    check(&[(name, lower)], Code::ModelUnsupported, name, "lower case");
    let left_out = r#"{"pooling_mode_mean_tokens": true, "include_prompt": false}"#;
    let files = [
        (pooling, left_out),
        (PROMPTS_FILE, r#"{"prompts": {"query": "q: "}}"#),
    ];
    check(&files, Code::ModelUnsupported, pooling, "include_prompt");
}

/// A tiny decoder's configuration with further settings.
fn decoder(settings: Value) -> String {
    let mut config = serde_json::json!({"model_type": "qwen3", "hidden_size": 16, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8, "intermediate_size": 16, "vocab_size": 12,
        "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "hidden_act": "silu"});
    let all = config.as_object_mut().unwrap();
    all.extend(settings.as_object().unwrap().clone());
    config.to_string()
}

#[test]
fn a_decoder_sees_what_comes_before_unless_its_folder_says_otherwise() {
    let list = modules(&[("Transformer", ""), ("Pooling", "1_Pooling")]);
    for (settings, causal) in [
        (serde_json::json!({}), true),
        (serde_json::json!({"is_causal": true}), true),
        (serde_json::json!({"is_causal": false}), false),
        (
            serde_json::json!({"use_bidirectional_attention": true}),
            false,
        ),
        (
            serde_json::json!({"architectures": ["Qwen3ForCausalLM"]}),
            true,
        ),
        (
            serde_json::json!({"architectures": ["Qwen3BiModel"]}),
            false,
        ),
        (
            serde_json::json!({"auto_map": {"AutoModel": "modeling_llama_encoder.LlamaEncoderModel"}}),
            false,
        ),
    ] {
        let config = decoder(settings);
        let bare = (CONFIG_FILE, config.as_str());
        assert_eq!(reading(&[bare]).unwrap().causal, causal, "{config}");
        let listed = reading(&[bare, (MODULES_FILE, &list)]).unwrap();
        assert_eq!(listed.causal, causal, "{config}");
    }
    // An encoder's tokens see each other.
    let bert = r#"{"model_type": "bert", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "vocab_size": 12, "max_position_embeddings": 512, "type_vocab_size": 2}"#;
    assert!(!reading(&[(CONFIG_FILE, bert)]).unwrap().causal);
}

/// What PEFT records of the class in which it trained an adapter; its own adapters of a language model have none.
#[test]
fn an_adapter_of_a_class_that_sees_both_ways_is_read_so() {
    let folder = tempfile::tempdir().unwrap();
    let weights = [("A", [2, 16]), ("B", [16, 2])].map(|(part, shape)| {
        let name = format!("base_model.model.layers.0.mlp.down_proj.lora_{part}.weight");
        let zeros = tch::Tensor::zeros(shape, (tch::Kind::Float, tch::Device::Cpu));
        (name, zeros)
    });
    let bytes = crate::tensors::to_bytes(&weights.into_iter().collect()).unwrap();
    std::fs::write(folder.path().join("adapter_model.safetensors"), bytes).unwrap();
    let before = reading(&[(CONFIG_FILE, &decoder(serde_json::json!({})))]).unwrap();
    for (mapping, causal) in [
        (Value::Null, true),
        (
            serde_json::json!({"base_model_class": "LlamaForCausalLM"}),
            true,
        ),
        (
            serde_json::json!({"base_model_class": "LlamaBiForMNTP", "parent_library": "llm2vec.models"}),
            false,
        ),
    ] {
        let config = serde_json::json!({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["down_proj"],
            "auto_mapping": mapping});
        let path = folder.path().join("adapter_config.json");
        std::fs::write(path, config.to_string()).unwrap();
        let adapter = Adapter::read(folder.path()).unwrap();
        let read = with_adapter(before.clone(), Some(&adapter));
        assert_eq!(read.causal, causal, "{config}");
        assert_eq!(
            TextReading {
                causal: true,
                ..read
            },
            before
        );
    }
}
