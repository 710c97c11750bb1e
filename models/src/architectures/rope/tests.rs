//! Tests of `rope`.

use super::*;
use lexforge_domain::Code;
use serde_json::json;

#[test]
fn both_forms_of_a_configuration_are_read() {
    let check = |config: Value, theta: f64, scaling: Scaling| {
        assert_eq!(
            RopeConfig::of_value(&config, 64).unwrap(),
            RopeConfig { theta, scaling },
            "{config}"
        );
    };
    check(json!({}), 1e4, Scaling::None);
    check(
        json!({"rope_theta": 5e5, "rope_scaling": null}),
        5e5,
        Scaling::None,
    );
    check(
        json!({"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}),
        1e6,
        Scaling::None,
    );
    check(
        json!({"rope_scaling": {"type": "linear", "factor": 2}}),
        1e4,
        Scaling::Linear { factor: 2.0 },
    );
    check(
        json!({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}),
        1e4,
        Scaling::Dynamic,
    );
    let yarn = Scaling::Yarn {
        factor: 4.0,
        original: 64.0,
        beta_fast: 32.0,
        beta_slow: 1.0,
        attention: 0.1 * 4f64.ln() + 1.0,
        truncate: true,
    };
    check(
        json!({"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}),
        1e4,
        yarn,
    );
}

#[test]
fn turning_by_hand_is_turning_by_libtorch() {
    tch::manual_seed(2);
    let rotary = Rotary::new(
        &RopeConfig {
            theta: 1e4,
            scaling: Scaling::None,
        },
        12,
        Device::Cpu,
    )
    .unwrap();
    let positions = Tensor::from_slice(&[0i64, 1, 5, 3, 40]);
    let x = Tensor::randn([5, 3, 12], (Kind::Float, Device::Cpu)).set_requires_grad(true);
    let gradient = x.randn_like();
    let turned = |kind: Kind| {
        let out = turn(&x.to_kind(kind), &rotary.tables(&positions, kind).unwrap())
            .unwrap()
            .to_kind(Kind::Float);
        shim::backward(&out, &gradient).unwrap();
        let by_x = x.grad().copy();
        x.shallow_clone().zero_grad();
        (out, by_x)
    };
    // Other types than fp32 take libtorch's way.
    let (by_hand, by_libtorch) = (turned(Kind::Float), turned(Kind::Double));
    let difference = |a: &Tensor, b: &Tensor| (a - b).abs().max().double_value(&[]);
    assert!(
        difference(&by_hand.0, &by_libtorch.0) < 1e-5
            && difference(&by_hand.1, &by_libtorch.1) < 1e-5
    );
    assert!(difference(&by_hand.0, &x) > 0.5);
}

#[test]
fn an_unknown_kind_is_refused_by_name() {
    let check = |config: Value, code: Code, named: &str| {
        let failure = RopeConfig::of_value(&config, 64)
            .unwrap_err()
            .into_failure();
        assert_eq!(failure.code, code, "{config}");
        assert!(failure.message.contains(named), "{}", failure.message);
    };
    check(
        json!({"rope_scaling": {"rope_type": "longrope"}}),
        Code::ModelUnsupported,
        "longrope",
    );
    check(
        json!({"rope_scaling": {"type": "su", "factor": 2}}),
        Code::ModelUnsupported,
        "su",
    );
    check(
        json!({"partial_rotary_factor": 0.5}),
        Code::ModelUnsupported,
        "partial_rotary_factor",
    );
    check(
        json!({"rope_parameters": {"full_attention": {}}}),
        Code::ModelUnsupported,
        "by layer",
    );
    check(
        json!({"rope_scaling": {"type": "linear"}}),
        Code::ModelMissing,
        "factor",
    );
    check(
        json!({"rope_scaling": {"type": "linear", "factor": 0.5}}),
        Code::ModelMissing,
        "0.5",
    );
    check(
        json!({"rope_scaling": {"rope_type": "llama3", "factor": 8}}),
        Code::ModelMissing,
        "low_freq_factor",
    );
    check(json!({"rope_theta": 0.0}), Code::ModelMissing, "base");
}
