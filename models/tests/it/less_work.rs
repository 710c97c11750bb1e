//! Saving work changes nothing: loss and gradient equal those of the naive computation, to 1e-5.

use crate::common::formula::{DECODER, tiny_decoder};
use crate::common::{naive, tiny_models};
use lexforge_domain::protocol::{LoraSpec, Pooling};
use lexforge_models::adapters::adapter;
use lexforge_models::adapters::lora::{self, Pass};
use lexforge_models::architectures::decoder::Attention;
use lexforge_models::architectures::encoder::{DecoderVectors, Text};
use lexforge_models::architectures::recompute::Way;
use lexforge_models::decoding::language::{Exchange, LanguageModel};
use lexforge_models::decoding::score::NO_QUESTION;
use lexforge_models::losses::gradients::{self, Part};
use lexforge_models::losses::infonce::{Comparison, Item};
use lexforge_models::losses::loss::TokenLoss;
use lexforge_models::losses::sft::{Form, Sft, exchange};
use lexforge_models::losses::token_loss::{Kind as LossKind, TermLoss, TokenItem};
use lexforge_models::losses::vector_loss::InfoNce;
use lexforge_models::tensors::NamedTensors;
use lexforge_models::training::ranks::Ranks;
use lexforge_models::training::token_item::Draft;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tch::{Device, Tensor};

const TOLERANCE: f64 = 1e-5;

/// The tests share libtorch's generator, one at a time.
fn generator() -> MutexGuard<'static, ()> {
    static GENERATOR: Mutex<()> = Mutex::new(());
    GENERATOR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tiny decoder with an adapter on every layer that does something, without dropout.
fn model() -> LanguageModel {
    tch::set_num_threads(1);
    let folder = tempfile::tempdir().unwrap();
    tiny_decoder(&tiny_models(folder.path()));
    let mut model = LanguageModel::open(&folder.path().join(DECODER), None, Device::Cpu).unwrap();
    tch::manual_seed(3);
    let spec = LoraSpec {
        r: 4,
        alpha: 8.0,
        dropout: 0.0,
        targets: vec![lora::ALL_LINEAR.into()],
    };
    lora::adapt(&mut model.decoder.linears(), &spec).unwrap();
    tch::no_grad(|| {
        for layer in model.decoder.linears_ref() {
            let _ = layer
                .low_rank()
                .unwrap()
                .b
                .shallow_clone()
                .normal_(0.0, 0.1);
        }
    });
    model
}

fn gradients_of(model: &LanguageModel) -> NamedTensors {
    let take = |(name, mut tensor): (String, Tensor)| {
        let gradient = tensor.grad().copy();
        tensor.zero_grad();
        (name, gradient)
    };
    adapter::trained(&model.decoder.linears_ref())
        .into_iter()
        .map(take)
        .collect()
}

fn same(
    what: &str,
    model: &LanguageModel,
    ours: impl FnOnce() -> f64,
    naively: impl FnOnce() -> Tensor,
) {
    let loss = ours();
    let gradients = gradients_of(model);
    let naive_loss = naively();
    naive_loss.backward();
    let naive_loss = naive_loss.double_value(&[]);
    assert!(
        (loss - naive_loss).abs() < TOLERANCE * naive_loss.max(1.0),
        "{what}: {loss} {naive_loss}"
    );
    let naive_gradients = gradients_of(model);
    let largest = naive_gradients
        .values()
        .map(|g| g.abs().max().double_value(&[]))
        .fold(0.0, f64::max);
    assert!(largest > 1e-3, "{what}: there is no gradient");
    for (name, gradient) in &gradients {
        let difference = (gradient - &naive_gradients[name])
            .abs()
            .max()
            .double_value(&[]);
        assert!(
            difference < TOLERANCE * largest.max(1.0),
            "{what} {name}: {difference} of {largest}"
        );
    }
    // Frozen weights have no gradient, whatever was computed.
    for layer in model.decoder.linears_ref() {
        assert!(
            !layer.weight().requires_grad() && !layer.weight().grad().defined(),
            "{what} {}",
            layer.path
        );
    }
}

const QUESTIONS: [(&str, &str, [&str; 3]); 4] = [
    (
        "must the board report risk",
        "the board shall report the risk of the bank every year",
        ["board", "supervisor", "client"],
    ),
    (
        "who must audit",
        "the executive supervisor shall audit the bank",
        ["executive supervisor", "supervisor", "executive"],
    ),
    (
        "loan",
        "a client may keep the loan",
        ["client", "bank", "board"],
    ),
    (
        "must the bank limit capital every year",
        "the bank must limit the capital",
        ["bank", "client", "supervisor"],
    ),
];

#[test]
fn packed_answers_of_uneven_length() {
    let _generator = generator();
    let model = model();
    let items: Vec<Exchange> = QUESTIONS
        .iter()
        .map(|(question, answer, _)| {
            exchange(&model.language, question, &[], answer, Form::Open).unwrap()
        })
        .collect();
    let lengths: Vec<usize> = items.iter().map(|item| item.ids.len()).collect();
    assert!(lengths.iter().min() < lengths.iter().max());
    let batch: Vec<&Exchange> = items.iter().collect();
    let decoder = model.decoder.as_ref();
    let ours = || {
        Sft.backward(decoder, &batch, Pass::Train, Way::default())
            .unwrap()
    };
    same("by themselves", &model, ours, || {
        naive::answers(decoder, &items)
    });
    same("padded", &model, ours, || {
        naive::padded_answers(decoder, &items)
    });
}

#[test]
fn a_beginning_computed_once_for_all_wrong_terms() {
    let _generator = generator();
    let model = model();
    let items: Vec<TokenItem> = QUESTIONS
        .iter()
        .filter_map(|(question, sentence, [term, wrong @ ..])| {
            let prompt = format!("{question}\n");
            Draft {
                prompt: &prompt,
                sentence,
                term,
                wrong,
            }
            .item(&model.language)
            .unwrap()
            .item
        })
        .collect();
    assert!(items.len() >= 3 && items.iter().any(|item| item.wrong.len() == 2));
    let batch: Vec<&TokenItem> = items.iter().collect();
    let decoder = model.decoder.as_ref();
    let loss = TermLoss::new(LossKind::Candidates);
    let ours = || {
        loss.backward(decoder, &batch, Pass::Train, Way::default())
            .unwrap()
    };
    same("candidates", &model, ours, || {
        naive::candidates(decoder, &items)
    });
}

#[test]
fn distinct_sentences_in_pieces_by_length() {
    let _generator = generator();
    let model = model();
    let encode = |text: &str| model.language.compared("", text, 64).unwrap().ids;
    let texts: Vec<Vec<u32>> = QUESTIONS
        .iter()
        .flat_map(|(q, a, _)| [encode(q), encode(a)])
        .collect();
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let item = |n: usize| Item {
        anchor: n as i64,
        answer_group: -1,
        question: 2 * n,
        answer: 2 * n + 1,
        // A wrong choice that is another item's answer is one text.
        negatives: vec![2 * ((n + 1) % 4) + 1],
    };
    let items: Vec<Item> = (0..4).map(item).collect();
    let comparison = Comparison::of(&items.iter().collect::<Vec<_>>(), true);
    let distinct: Vec<Text<'_>> = comparison
        .texts
        .iter()
        .map(|&text| texts[text].into())
        .collect();
    let decoder = model.decoder.as_ref();
    let vectors = DecoderVectors {
        decoder,
        pooling: Pooling::Mean,
        attention: Attention::Bidirectional,
    };
    let loss = InfoNce {
        comparison: &comparison,
        temperature: 0.1,
    };
    for budget in [1000, 12] {
        let part = Part {
            budget,
            way: Way::default(),
            ranks: &Ranks::alone(),
        };
        let ours = || {
            gradients::accumulate(&vectors, &distinct, &loss, part)
                .unwrap()
                .0
        };
        same(&format!("budget {budget}"), &model, ours, || {
            naive::comparison(decoder, &comparison, &texts, 0.1)
        });
    }
}

#[test]
fn choices_scored_on_one_beginning() {
    let model = model();
    let choices = [
        "the board",
        "the executive supervisor",
        "a client of the bank",
    ];
    for message in ["who must report the risk", NO_QUESTION] {
        let answers = model.language.answers(message, &choices).unwrap();
        let ours = model.answer_logs(&[&answers]).unwrap().swap_remove(0);
        let naive = naive::answer_logs(model.decoder.as_ref(), &answers.texts(), answers.first());
        for (a, b) in ours.iter().zip(&naive) {
            assert!(
                (a - b).abs() < TOLERANCE * b.abs().max(1.0),
                "{message}: {a} {b}"
            );
        }
    }
}
