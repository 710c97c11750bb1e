//! Losses and their gradients against what PyTorch computes (tests/python/record_losses.py).

use lexforge_models::architectures::continuations::Continuations;
use lexforge_models::architectures::pooling::unit_rows;
use lexforge_models::decoding::language::Exchange;
use lexforge_models::losses::contrastive_token::ContrastiveToken;
use lexforge_models::losses::infonce::{Comparison, Item};
use lexforge_models::losses::loss::{Placed, TokenLoss, VectorLoss};
use lexforge_models::losses::masked::{Masked, MaskedText};
use lexforge_models::losses::sft::Sft;
use lexforge_models::losses::terms::Terms;
use lexforge_models::losses::token_loss::{Kind as LossKind, TermLoss, TokenItem, Wrong};
use lexforge_models::losses::vector_loss::{
    Distilled, InfoNce, Lists, Listwise, MarginMse, Triplets,
};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use tch::{Device, Kind, Tensor};

const TOLERANCE: f64 = 1e-5;

#[derive(Deserialize)]
struct Recorded {
    items: Vec<RecordedItem>,
    beginnings: Vec<Vec<u32>>,
    logits: Vec<Vec<f32>>,
    losses: BTreeMap<String, Value>,
    vectors: Vectors,
}

#[derive(Deserialize)]
struct RecordedItem {
    ids: Vec<u32>,
    answer: usize,
    scored: [usize; 2],
    wrong: Vec<RecordedWrong>,
}

#[derive(Deserialize)]
struct RecordedWrong {
    ids: Vec<u32>,
    divergence: usize,
    term_end: usize,
    scored: [usize; 2],
}

#[derive(Deserialize)]
struct Value {
    loss: f64,
    gradient: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Vectors {
    table: Vec<Vec<f32>>,
    triples: Vec<[i64; 3]>,
    margins: Vec<f64>,
    temperature: f64,
    losses: BTreeMap<String, Value>,
}

fn recorded() -> Recorded {
    serde_json::from_str(include_str!("data/losses.json")).unwrap()
}

impl RecordedItem {
    fn item(&self) -> TokenItem {
        let wrong = |w: &RecordedWrong| Wrong {
            ids: w.ids.clone(),
            divergence: w.divergence,
            term_end: w.term_end,
            scored: w.scored[0]..w.scored[1],
        };
        TokenItem {
            ids: self.ids.clone(),
            answer: self.answer,
            scored: self.scored[0]..self.scored[1],
            wrong: self.wrong.iter().map(wrong).collect(),
        }
    }
}

/// Loss of a batch, with the recorded table of logits in the place of a model, and the table's gradient.
fn run<L: TokenLoss>(loss: &L, batch: &[L::Item], recorded: &Recorded) -> (f64, Vec<Vec<f64>>) {
    let table = Tensor::from_slice2(&recorded.logits).set_requires_grad(true);
    let place: HashMap<&[u32], i64> = recorded
        .beginnings
        .iter()
        .map(Vec::as_slice)
        .zip(0..)
        .collect();
    let groups: Vec<Vec<&[u32]>> = batch.iter().map(|item| loss.texts(item)).collect();
    let all = Continuations::of(&groups, Device::Cpu).unwrap();
    // The beginning that each row of the batch is the last token of.
    let mut beginning = vec![-1i64; all.packed.ids.size()[0] as usize];
    for (group, texts) in groups.iter().enumerate() {
        for (text, ids) in texts.iter().enumerate() {
            for token in 0..ids.len() {
                let row = all.row(group, text, token) as usize;
                let found = place.get(&ids[..=token]).copied().unwrap_or(-1);
                assert!(beginning[row] == -1 || beginning[row] == found);
                beginning[row] = found;
            }
        }
    }
    let mut terms = Terms::default();
    for (group, item) in batch.iter().enumerate() {
        let placed = Placed {
            all: &all,
            group,
            texts: &groups[group],
        };
        loss.add_terms(item, &placed, 1.0 / batch.len() as f64, &mut terms);
    }
    let rows: Vec<i64> = terms
        .rows()
        .iter()
        .map(|&row| beginning[row as usize])
        .collect();
    assert!(
        rows.iter().all(|&row| row >= 0),
        "a row was read that no formula reads"
    );
    let value = terms
        .loss(&table.index_select(0, &Tensor::from_slice(&rows)))
        .unwrap();
    value.backward();
    (value.double_value(&[]), rows_of(&table.grad()))
}

fn rows_of(table: &Tensor) -> Vec<Vec<f64>> {
    Vec::try_from(table.to_kind(Kind::Double)).unwrap()
}

#[track_caller]
fn same(name: &str, (loss, gradient): (f64, Vec<Vec<f64>>), expected: &Value) {
    assert!(
        (loss - expected.loss).abs() <= TOLERANCE,
        "{name}: {loss} {}",
        expected.loss
    );
    for (row, (ours, theirs)) in gradient.iter().zip(&expected.gradient).enumerate() {
        for (a, b) in ours.iter().zip(theirs) {
            assert!(
                (a - b).abs() <= TOLERANCE,
                "{name}: gradient of row {row}: {ours:?} {theirs:?}"
            );
        }
    }
}

#[test]
fn token_losses_and_gradients_are_those_of_the_formulas() {
    let recorded = recorded();
    let items: Vec<TokenItem> = recorded.items.iter().map(RecordedItem::item).collect();
    for kind in [LossKind::Candidates, LossKind::Divergence, LossKind::Paper] {
        let loss = TermLoss::new(kind);
        same(
            loss.name(),
            run(&loss, &items, &recorded),
            &recorded.losses[loss.name()],
        );
    }
    let negative = TermLoss::negative_only(LossKind::Paper);
    same(
        "negative",
        run(&negative, &items, &recorded),
        &recorded.losses["paper_negative"],
    );
}

#[test]
fn the_likelihood_of_answers_is_that_of_the_formula() {
    let recorded = recorded();
    let exchange = |i: &RecordedItem| Exchange {
        ids: i.ids.clone(),
        answer: i.answer,
        ..Exchange::default()
    };
    let items: Vec<Exchange> = recorded.items.iter().map(exchange).collect();
    same("sft", run(&Sft, &items, &recorded), &recorded.losses["sft"]);
}

#[test]
fn losses_to_compare_with_and_masked_ones_are_those_of_the_formulas() {
    let recorded = recorded();
    let exchange = |i: &RecordedItem| Exchange {
        ids: i.ids.clone(),
        answer: i.answer,
        ..Exchange::default()
    };
    let items: Vec<Exchange> = recorded.items.iter().map(exchange).collect();
    same(
        "contrastive",
        run(&ContrastiveToken, &items, &recorded),
        &recorded.losses["contrastive_token"],
    );
    // The second and the fourth token are masked by token 0.
    let masked = |item: &RecordedItem| {
        let mut text = MaskedText {
            ids: item.ids.clone(),
            hidden: Vec::new(),
        };
        for place in [1, 3] {
            text.hidden
                .push((place, std::mem::replace(&mut text.ids[place], 0)));
        }
        text
    };
    let items: Vec<MaskedText> = recorded.items.iter().map(masked).collect();
    for from_before in [true, false] {
        let loss = Masked { from_before };
        same(
            loss.name(),
            run(&loss, &items, &recorded),
            &recorded.losses[loss.name()],
        );
    }
}

#[test]
fn vector_losses_and_gradients_are_those_of_the_formulas() {
    let Vectors {
        table,
        triples,
        margins,
        temperature,
        losses,
    } = recorded().vectors;
    let check = |loss: &dyn VectorLoss| {
        let table = Tensor::from_slice2(&table).set_requires_grad(true);
        let vectors = if loss.reads_unit_vectors() {
            unit_rows(&table).unwrap()
        } else {
            table.shallow_clone()
        };
        let value = loss.loss(&vectors).unwrap();
        value.backward();
        same(
            loss.name(),
            (value.double_value(&[]), rows_of(&table.grad())),
            &losses[loss.name()],
        );
    };
    check(&Triplets {
        rows: triples.clone(),
        temperature,
    });
    check(&MarginMse {
        rows: triples,
        margins,
        of_cosines: false,
    });
}

#[test]
fn margins_are_of_cosines_where_that_is_said() {
    let margins = |of_cosines| MarginMse {
        rows: vec![[0, 1, 2], [1, 2, 0]],
        margins: vec![0.25, -0.5],
        of_cosines,
    };
    assert!(margins(true).reads_unit_vectors() && !margins(false).reads_unit_vectors());
    let vectors = Tensor::from_slice2(&[[3.0f32, 4.0], [0.0, 2.0], [5.0, 0.0]]);
    // By hand: the cosines are .8, .6 and 0.
    let by_hand = ((0.8f64 - 0.6 - 0.25).powi(2) + (0.0f64 - 0.8 + 0.5).powi(2)) / 2.0;
    let found = margins(true).loss(&unit_rows(&vectors).unwrap()).unwrap();
    assert!(
        (found.double_value(&[]) - by_hand).abs() < 1e-6,
        "{found:?}"
    );
    let plain = margins(false).loss(&vectors).unwrap().double_value(&[]);
    let by_hand = ((8.0f64 - 15.0 - 0.25).powi(2) + (0.0f64 - 8.0 + 0.5).powi(2)) / 2.0;
    assert!((plain - by_hand).abs() < 1e-3, "{plain}");
}

#[test]
fn a_triplet_is_the_contest_of_two() {
    let items = [Item {
        anchor: 0,
        answer_group: -1,
        question: 0,
        answer: 1,
        negatives: vec![2],
    }];
    let comparison = Comparison::of(&[&items[0]], false);
    let vectors = unit_rows(&Tensor::from_slice2(&recorded().vectors.table[..3])).unwrap();
    let value = |loss: &dyn VectorLoss| loss.loss(&vectors).unwrap().double_value(&[]);
    let triplet = value(&Triplets {
        rows: vec![[0, 1, 2]],
        temperature: 0.05,
    });
    assert!(
        (triplet
            - value(&InfoNce {
                comparison: &comparison,
                temperature: 0.05
            }))
        .abs()
            < 1e-6
    );
}

const TEMPERATURE: f64 = 0.2;
const SHARE: f64 = 0.7;
/// Question and list of two items; the second's is shorter. The first has a label, too: row 1 against row 2.
const LISTS: [(usize, &[(usize, f64)]); 2] = [
    (0, &[(1, 0.6), (2, 0.3), (4, 0.1)]),
    (3, &[(5, 0.25), (1, 0.75)]),
];

/// The formula in numbers of 64 bits, over a table of vectors of any length.
fn distilled(table: &[Vec<f64>]) -> f64 {
    let cosine = |a: usize, b: usize| {
        let product = |a: usize, b: usize| -> f64 {
            table[a].iter().zip(&table[b]).map(|(x, y)| x * y).sum()
        };
        product(a, b) / (product(a, a) * product(b, b)).sqrt()
    };
    let divergence = |(question, list): (usize, &[(usize, f64)])| -> f64 {
        let weight = |text: usize| (cosine(question, text) / TEMPERATURE).exp();
        let all: f64 = list.iter().map(|(text, _)| weight(*text)).sum();
        let terms = list.iter();
        terms
            .map(|(text, p)| p * (p / (weight(*text) / all)).ln())
            .sum()
    };
    let [right, wrong] = [1, 2].map(|text| (cosine(0, text) / TEMPERATURE).exp());
    let labelled = -(right / (right + wrong)).ln();
    let lists: f64 = LISTS.iter().map(|list| divergence(*list)).sum();
    ((1.0 - SHARE) * labelled + SHARE * lists) / LISTS.len() as f64
}

#[test]
fn a_teachers_lists_are_learnt_as_the_formula_says() {
    let table = recorded().vectors.table;
    let item = Item {
        anchor: 0,
        answer_group: -1,
        question: 0,
        answer: 1,
        negatives: vec![2],
    };
    // The rows of the whole table; the label compares the first three of them.
    let comparison = Comparison {
        texts: (0..table.len()).collect(),
        in_sum: (0..table.len()).map(|row| row == 1 || row == 2).collect(),
        ..Comparison::of(&[&item], false)
    };
    let row = |(row, share): &(usize, f64)| (*row as i64, *share);
    let loss = Distilled {
        labels: Some(InfoNce {
            comparison: &comparison,
            temperature: TEMPERATURE,
        }),
        lists: Lists {
            questions: LISTS.iter().map(|l| l.0 as i64).collect(),
            texts: LISTS
                .iter()
                .map(|l| l.1.iter().map(row).collect())
                .collect(),
            temperature: TEMPERATURE,
        },
        share: SHARE,
        items: LISTS.len(),
    };
    let vectors = Tensor::from_slice2(&table).set_requires_grad(true);
    let value = loss.loss(&unit_rows(&vectors).unwrap()).unwrap();
    value.backward();
    let exact: Vec<Vec<f64>> = table
        .iter()
        .map(|row| row.iter().map(|x| f64::from(*x)).collect())
        .collect();
    let moved = |row: usize, column: usize, by: f64| {
        let mut table = exact.clone();
        table[row][column] += by;
        distilled(&table)
    };
    let step = 1e-5;
    let slope = |row: usize, column: usize| {
        (moved(row, column, step) - moved(row, column, -step)) / (2.0 * step)
    };
    let gradient = (0..exact.len())
        .map(|row| (0..exact[row].len()).map(|c| slope(row, c)).collect())
        .collect();
    let expected = Value {
        loss: distilled(&exact),
        gradient,
    };
    same(
        loss.name(),
        (value.double_value(&[]), rows_of(&vectors.grad())),
        &expected,
    );
    // A teacher that says the same as the cosines has nothing to teach.
    let unit = unit_rows(&Tensor::from_slice2(&table)).unwrap();
    let weight = |text: i64| {
        let cosine = unit.get(0).dot(&unit.get(text)).double_value(&[]);
        (cosine / TEMPERATURE).exp()
    };
    let all = weight(1) + weight(2);
    let known = Lists {
        questions: vec![0],
        texts: vec![vec![(1, weight(1) / all), (2, weight(2) / all)]],
        temperature: TEMPERATURE,
    };
    let nothing = known.losses(&unit).unwrap().double_value(&[0]);
    assert!(nothing.abs() < TOLERANCE, "{nothing}");
}

#[test]
fn a_batch_without_a_list_or_a_label_has_no_loss_and_still_a_gradient() {
    let vectors = Tensor::from_slice2(&recorded().vectors.table).set_requires_grad(true);
    let loss = Distilled {
        labels: None,
        lists: Lists {
            temperature: TEMPERATURE,
            ..Lists::default()
        },
        share: SHARE,
        items: 3,
    };
    let value = loss.loss(&unit_rows(&vectors).unwrap()).unwrap();
    value.backward();
    assert_eq!(value.double_value(&[]), 0.0);
    let largest = vectors.grad().abs().max().double_value(&[]);
    assert_eq!(largest, 0.0);
}

#[test]
fn a_list_counts_its_own_scores_and_nothing_that_fills_it_up() {
    let scores = [0.5f32, -1.0, 2.0, 0.25, 3.0, -0.75];
    let lists = [&scores[..3], &scores[3..5], &scores[5..]];
    let table = Tensor::from_slice(&scores)
        .view([-1, 1])
        .set_requires_grad(true);
    let loss = Listwise {
        lists: lists.map(<[f32]>::len).to_vec(),
    };
    let value = loss.loss(&table).unwrap();
    value.backward();
    let (mut expected, mut slopes) = (0.0, Vec::new());
    for list in lists {
        let all: f64 = list.iter().map(|s| f64::from(*s).exp()).sum();
        expected += (all.ln() - f64::from(list[0])) / 3.0;
        slopes.extend(list.iter().enumerate().map(|(place, score)| {
            let right = if place == 0 { 1.0 } else { 0.0 };
            (f64::from(*score).exp() / all - right) / 3.0
        }));
    }
    assert!((value.double_value(&[]) - expected).abs() < TOLERANCE);
    for (place, slope) in slopes.iter().enumerate() {
        let found = table.grad().double_value(&[place as i64, 0]);
        assert!((found - slope).abs() < TOLERANCE, "{place}: {found}");
    }
}
