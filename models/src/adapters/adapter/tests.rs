//! Tests of `adapter`.

use super::*;

#[test]
fn modules_are_read_from_pefts_names() {
    let check = |name: &str, expected: Option<(&str, usize)>| {
        assert_eq!(module_of(name), expected, "{name}")
    };
    let query = "encoder.layer.0.attention.self.query";
    check(
        &format!("base_model.model.{query}.lora_A.weight"),
        Some((query, 0)),
    );
    check(
        &format!("base_model.model.bert.{query}.lora_B.weight"),
        Some((query, 1)),
    );
    let gate = "layers.3.mlp.gate_proj";
    check(
        &format!("base_model.model.model.{gate}.lora_B.weight"),
        Some((gate, 1)),
    );
    check(
        &format!("base_model.model.{gate}.lora_A.weight"),
        Some((gate, 0)),
    );
    check(&format!("base_model.model.{query}.weight"), None);
    check(&format!("{query}.lora_A.weight"), None);
}

#[test]
fn what_is_not_plain_lora_is_refused_by_name() {
    let check = |extra: &str, named: Option<&str>| {
        let text = format!(
            r#"{{"peft_type":"LORA","r":4,"lora_alpha":8,"target_modules":["query"],"bias":"none"{extra}}}"#
        );
        let config: PeftConfig = serde_json::from_str(&text).unwrap();
        match (config.check(), named) {
            (Ok(()), None) => {}
            (Err(error), Some(named)) => assert!(error.to_string().contains(named), "{error}"),
            (other, _) => panic!("{extra}: {other:?}"),
        }
    };
    check("", None);
    check(r#","use_rslora":true,"modules_to_save":null"#, None);
    check(r#","use_dora":true"#, Some("DoRA"));
    check(r#","modules_to_save":["pooler"]"#, Some("modules_to_save"));
    check(
        r#","rank_pattern":{"query":8},"alpha_pattern":{"layer.0.attention.self.query":16}"#,
        None,
    );
    check(r#","rank_pattern":{"^query":8}"#, Some("rank_pattern"));
    check(
        r#","alpha_pattern":{"layer.[01].query":8}"#,
        Some("alpha_pattern"),
    );
    check(
        r#","rank_pattern":{"query":1000000000}"#,
        Some("the rank 1000000000"),
    );
    check(r#","use_qalora":true"#, Some("use_qalora"));
    check(
        r#","use_qalora":false,"layer_replication":null,"eva_config":{}"#,
        None,
    );
    check(r#","layer_replication":[[0,2]]"#, Some("layer_replication"));
}

#[test]
fn of_several_patterns_that_name_a_module_the_first_of_the_file_counts() {
    for (patterns, scale) in [
        (r#"{"query":16,"layer.0.attention.self.query":32}"#, 4.0),
        (r#"{"layer.0.attention.self.query":32,"query":16}"#, 8.0),
        (r#"{"key":16,"query":32}"#, 8.0),
        (r#"{"key":16}"#, 2.0),
        (r#"{"query":16,"self.query":32,"query":64}"#, 16.0),
    ] {
        let text =
            format!(r#"{{"peft_type":"LORA","r":4,"lora_alpha":8,"alpha_pattern":{patterns}}}"#);
        let config: PeftConfig = serde_json::from_str(&text).unwrap();
        let path = "encoder.layer.0.attention.self.query";
        assert_eq!(config.scale(path, 4), scale, "{patterns}");
        // Written and read again it computes the same.
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<PeftConfig>(&text).unwrap(), config);
    }
}
