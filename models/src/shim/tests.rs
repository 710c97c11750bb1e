//! Tests of `shim`.

use super::*;
use tch::{Device, Kind};

#[test]
fn a_generator_put_back_gives_the_same_numbers() {
    tch::manual_seed(7);
    let state = generator_state(None).unwrap();
    let draw = || Vec::<f32>::try_from(Tensor::rand([5], (Kind::Float, Device::Cpu))).unwrap();
    let first = draw();
    assert_ne!(first, draw());
    set_generator_state(None, &state).unwrap();
    assert_eq!(first, draw());
}

/// Normally distributed numbers with a gradient.
fn random(shape: &[i64], kind: Kind) -> Tensor {
    Tensor::randn(shape, (Kind::Float, Device::Cpu))
        .to_kind(kind)
        .set_requires_grad(true)
}

/// Compares two computations of the same inputs: what they give, and the gradients of what needs one.
fn same(inputs: &[&Tensor], by_hand: Tensor, by_libtorch: Tensor, within: f64) {
    let difference = |a: &Tensor, b: &Tensor| (a - b).abs().max().double_value(&[]);
    assert!(
        difference(&by_hand, &by_libtorch) < within,
        "{}",
        difference(&by_hand, &by_libtorch)
    );
    let gradient = by_hand.randn_like();
    let gradients = |out: &Tensor| {
        backward(out, &gradient).unwrap();
        inputs
            .iter()
            .map(|input| {
                let gradient = input.grad().copy();
                let mut input = input.shallow_clone();
                input.zero_grad();
                gradient
            })
            .collect::<Vec<_>>()
    };
    for (a, b) in gradients(&by_hand).iter().zip(gradients(&by_libtorch)) {
        let largest = b.abs().max().double_value(&[]);
        assert!(
            largest > 0.1 && difference(a, &b) < within * largest.max(1.0),
            "{}",
            difference(a, &b)
        );
    }
}

#[test]
fn layers_by_hand_have_the_gradients_of_libtorch() {
    tch::manual_seed(5);
    // 100 is no multiple of the width of any processor's registers.
    for width in [100, 8] {
        let (x, weight) = (
            random(&[7, 3, width], Kind::Float),
            random(&[width], Kind::Float).detach(),
        );
        same(
            &[&x],
            rms_norm(&x, &weight, 1e-6).unwrap(),
            x.rms_norm([width], Some(&weight), 1e-6),
            1e-5,
        );
        let up = random(&[7, 3, width], Kind::Float);
        same(&[&x, &up], gate(&x, &up).unwrap(), x.silu() * &up, 1e-5);
    }
    for (kind, within) in [(Kind::Float, 1e-4), (Kind::BFloat16, 0.1)] {
        let x = random(&[9, 20], kind);
        let (weight, bias) = (
            random(&[12, 20], kind).detach(),
            random(&[12], kind).detach(),
        );
        let (a, b) = (random(&[4, 20], Kind::Float), random(&[12, 4], Kind::Float));
        for bias in [None, Some(&bias)] {
            let layer = LowRankTensors {
                weight: &weight,
                largest: None,
                bias,
                a: &a,
                b: &b,
            };
            let low = x
                .to_kind(Kind::Float)
                .linear(&a, None::<Tensor>)
                .linear(&b, None::<Tensor>)
                * 0.5;
            let plain = (x.linear(&weight, bias).to_kind(Kind::Float) + low).to_kind(kind);
            same(
                &[&x, &a, &b],
                low_rank_linear(&x, &layer, 0.5, 0.0).unwrap(),
                plain,
                within,
            );
        }
    }
}

#[test]
fn a_row_is_the_same_to_the_bit_whatever_stands_beside_it() {
    let _no_grad = tch::no_grad_guard();
    tch::manual_seed(8);
    for (outputs, inputs) in [(37, 100), (64, 16), (5, 7), (200, 512)] {
        let x = Tensor::randn([70, inputs], (Kind::Float, Device::Cpu));
        let weight = Tensor::randn([outputs, inputs], (Kind::Float, Device::Cpu));
        let bias = Tensor::randn([outputs], (Kind::Float, Device::Cpu));
        let all = rows_linear(&x, &weight, Some(&bias)).unwrap();
        let exact = x.to_kind(Kind::Double).linear(
            &weight.to_kind(Kind::Double),
            Some(&bias.to_kind(Kind::Double)),
        );
        assert!((&all - exact).abs().max().double_value(&[]) < 1e-4);
        for (start, count) in [
            (0, 1),
            (3, 1),
            (5, 2),
            (9, 3),
            (20, 4),
            (31, 6),
            (2, 33),
            (69, 1),
        ] {
            let some = rows_linear(&x.narrow(0, start, count), &weight, Some(&bias)).unwrap();
            assert_eq!(
                some,
                all.narrow(0, start, count),
                "{outputs} {inputs} {start} {count}"
            );
        }
    }
    assert!(
        rows_linear(
            &Tensor::zeros([1, 3], (Kind::Float, Device::Cpu)),
            &Tensor::zeros([2, 4], (Kind::Float, Device::Cpu)),
            None
        )
        .is_err()
    );
}

#[test]
fn a_step_of_attention_is_libtorchs_and_the_same_to_the_bit_in_any_company() {
    let _no_grad = tch::no_grad_guard();
    tch::manual_seed(9);
    let random = |shape: &[i64]| Tensor::randn(shape, (Kind::Float, Device::Cpu));
    for (heads, key_heads, width) in [(8, 4, 64), (4, 4, 8), (6, 2, 24)] {
        let lengths = [0i64, 1, 40, 300];
        let texts = lengths.len() as i64;
        let (q, k, v) = (
            random(&[texts, heads, width]),
            random(&[texts, key_heads, width]),
            random(&[texts, key_heads, width]),
        );
        let caches: Vec<(Tensor, Tensor)> = lengths
            .iter()
            .map(|length| {
                (
                    random(&[length + 5, key_heads, width]),
                    random(&[length + 5, key_heads, width]),
                )
            })
            .collect();
        for window in [i64::MAX, 16] {
            let step = |text: usize| StepCache {
                keys: &caches[text].0,
                values: &caches[text].1,
                first: (lengths[text] + 1 - window.min(lengths[text] + 1)).max(0),
                length: lengths[text],
            };
            let all: Vec<StepCache<'_>> = (0..lengths.len()).map(step).collect();
            let together = attend_step(&q, &k, &v, &all).unwrap();
            for (text, (keys, values)) in caches.iter().enumerate() {
                let own = |x: &Tensor| x.narrow(0, text as i64, 1);
                let alone = attend_step(&own(&q), &own(&k), &own(&v), &[step(text)]).unwrap();
                assert_eq!(alone, own(&together));
                let StepCache { first, length, .. } = step(text);
                assert_eq!(keys.get(length), k.get(text as i64));
                let seen = |held: &Tensor| {
                    held.narrow(0, first, length + 1 - first)
                        .unsqueeze(0)
                        .transpose(1, 2)
                };
                let expected = Tensor::scaled_dot_product_attention(
                    &own(&q).unsqueeze(2),
                    &seen(keys),
                    &seen(values),
                    None::<Tensor>,
                    0.0,
                    false,
                    None,
                    heads != key_heads,
                );
                let difference = (alone - expected.reshape([1, -1]))
                    .abs()
                    .max()
                    .double_value(&[]);
                assert!(difference < 1e-5, "{heads} {width} {length}: {difference}");
            }
        }
        let full = StepCache {
            keys: &caches[0].0,
            values: &caches[0].1,
            first: 0,
            length: 5,
        };
        let own = |x: &Tensor| x.narrow(0, 0, 1);
        assert!(attend_step(&own(&q), &own(&k), &own(&v), &[full]).is_err());
    }
}

#[test]
fn one_adamw_step_is_that_of_the_formula() {
    // One weight 1.0 with gradient 0.5: m̂/√v̂ = 1, so p = 1·(1 − lr·wd) − lr·1.
    let one = |x: f32| vec![Tensor::from_slice(&[x])];
    let (p, g, m, v) = (one(1.0), one(0.5), one(0.0), one(0.0));
    let s = vec![Tensor::from(0f32)];
    let tensors = AdamWTensors {
        parameters: &p,
        gradients: &g,
        averages: &m,
        squares: &v,
        steps: &s,
    };
    let numbers = AdamWNumbers {
        learning_rate: 0.1,
        beta1: 0.9,
        beta2: 0.999,
        weight_decay: 0.01,
        epsilon: 1e-8,
    };
    adamw(&tensors, numbers).unwrap();
    assert!((p[0].double_value(&[0]) - (1.0 - 0.1 * 0.01 - 0.1)).abs() < 1e-6);
    assert!((s[0].double_value(&[]) - 1.0).abs() < 1e-12);
    let short = AdamWTensors {
        steps: &[],
        ..tensors
    };
    assert!(adamw(&short, numbers).is_err());
}

#[test]
fn a_library_that_is_not_there_is_an_error_with_its_name() {
    let error = load_cuda("liblexforge_absent.so").unwrap_err().to_string();
    assert!(error.contains("liblexforge_absent"), "{error}");
}
