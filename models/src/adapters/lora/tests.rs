//! Tests of `lora`.

use super::*;

fn layer(path: &str) -> Linear {
    let weight = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).view([2, 3]);
    Linear::new(
        path.into(),
        weight,
        Some(Tensor::from_slice(&[0.5f32, -0.5])),
    )
}

fn spec(targets: &[&str]) -> LoraSpec {
    LoraSpec {
        r: 2,
        alpha: 4.0,
        dropout: 0.0,
        targets: targets.iter().map(|t| (*t).to_owned()).collect(),
    }
}

#[test]
fn targets_name_modules_as_in_peft() {
    let check = |target: &str, path: &str, expected: bool| {
        assert_eq!(names_module(target, path), expected, "{target} {path}");
    };
    check("query", "encoder.layer.0.attention.self.query", true);
    check("self.query", "encoder.layer.0.attention.self.query", true);
    check("uery", "encoder.layer.0.attention.self.query", false);
    check("query", "query", true);
    check("dense", "encoder.layer.1.output.dense", true);
    check("output.dense", "encoder.layer.1.intermediate.dense", false);
}

#[test]
fn a_fresh_adapter_changes_nothing_and_a_merged_one_is_the_same_as_an_unmerged_one() {
    let x = Tensor::from_slice(&[0.3f32, -0.7, 1.1]).view([1, 3]);
    let base = layer("q").forward(&x, Pass::Infer).unwrap();
    let mut adapted = layer("q");
    adapt(&mut [&mut adapted], &spec(&["q"])).unwrap();
    assert_eq!(adapted.forward(&x, Pass::Infer).unwrap(), base);
    let low = adapted.low_rank().unwrap();
    assert!(low.a.abs().max().double_value(&[]) <= 1.0 / 3f64.sqrt());
    let b = tch::no_grad(|| low.b.shallow_clone().fill_(0.25));
    let changed = adapted.forward(&x, Pass::Infer).unwrap();
    assert!((&changed - &base).abs().max().double_value(&[]) > 1e-3);
    let mut merged = layer("q");
    merged
        .merge(&low.a.detach(), &b.detach(), low.scale)
        .unwrap();
    let difference = (merged.forward(&x, Pass::Infer).unwrap() - &changed)
        .abs()
        .max()
        .double_value(&[]);
    assert!(difference < 1e-6, "{difference}");
}

#[test]
fn all_linear_names_every_layer_and_a_name_beside_it_changes_nothing() {
    for targets in [
        &["all-linear"][..],
        &["key", "all-linear"],
        &["query", "key"],
    ] {
        let (mut one, mut two) = (layer("a.query"), layer("a.key"));
        adapt(&mut [&mut one, &mut two], &spec(targets)).unwrap();
        assert!(
            one.low_rank().is_some() && two.low_rank().is_some(),
            "{targets:?}"
        );
        let mut named = expanded(&spec(targets), &[&one, &two]);
        named.sort_unstable();
        assert_eq!(named, ["key", "query"]);
    }
}

#[test]
fn a_target_that_names_nothing_is_refused_with_the_choices() {
    let (mut one, mut two) = (layer("a.query"), layer("a.key"));
    let error = adapt(&mut [&mut one, &mut two], &spec(&["query", "wert"]))
        .unwrap_err()
        .into_failure();
    assert_eq!(error.code, Code::InvalidRequest);
    assert!(error.message.contains("wert") && error.hint.contains("key, query"));
    assert!(
        adapt(
            &mut [&mut one],
            &LoraSpec {
                r: 0,
                ..spec(&["query"])
            }
        )
        .is_err()
    );
}
