//! The sentence stage's loss and gradients against recorded ones of PyTorch
//! (`tests/python/record_infonce.py` records them and checks the record).
#![allow(clippy::unwrap_used, clippy::panic)]

use lexforge_models::infonce::{Comparison, Item};
use serde_json::Value;
use tch::{Kind, Tensor};

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn item(value: &Value) -> Item {
    let text = |v: &Value| v.as_u64().unwrap() as usize;
    Item {
        anchor: value["anchor"].as_i64().unwrap(),
        answer_group: value["answer_group"].as_i64().unwrap(),
        question: text(&value["question"]),
        answer: text(&value["answer"]),
        negatives: value["negatives"].as_array().unwrap().iter().map(text).collect(),
    }
}

/// Largest difference of loss and gradients from the recorded ones, in single precision as in training.
fn largest_difference(case: &Value) -> f64 {
    let items: Vec<Item> = case["items"].as_array().unwrap().iter().map(item).collect();
    let comparison = Comparison::of(&items.iter().collect::<Vec<_>>(), case["in_batch"].as_bool().unwrap());
    let rows: Vec<Vec<f64>> = comparison.texts.iter().map(|&text| numbers(&case["vectors"][text])).collect();
    let (texts, dimension) = (rows.len() as i64, rows[0].len() as i64);
    let vectors =
        Tensor::from_slice(&rows.concat()).view([texts, dimension]).to_kind(Kind::Float).set_requires_grad(true);
    let length = vectors.square().sum_dim_intlist([1i64].as_slice(), true, Kind::Float).sqrt();
    let loss = comparison.mean_loss(&(&vectors / length), case["temperature"].as_f64().unwrap()).unwrap();
    loss.backward();

    let found = Vec::<f32>::try_from(vectors.grad().view([-1])).unwrap();
    let recorded: Vec<f64> = comparison.texts.iter().flat_map(|&text| numbers(&case["gradient"][text])).collect();
    let of_gradients = found.iter().zip(recorded).map(|(&f, r)| (f64::from(f) - r).abs()).fold(0.0, f64::max);
    of_gradients.max((loss.double_value(&[]) - case["loss"].as_f64().unwrap()).abs())
}

#[test]
fn loss_and_gradients_are_pytorchs() {
    let recorded: Value = serde_json::from_str(include_str!("infonce.json")).unwrap();
    let cases = recorded["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let difference = largest_difference(case);
        assert!(difference < 1e-5, "{}: {difference:e}", case["name"]);
    }
}

#[test]
fn another_temperature_gives_other_gradients() {
    let mut recorded: Value = serde_json::from_str(include_str!("infonce.json")).unwrap();
    recorded["cases"][1]["temperature"] = 0.06.into();
    assert!(largest_difference(&recorded["cases"][1]) > 1e-2);
}
