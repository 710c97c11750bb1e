//! The triplet stage: the vector of a sentence moves near the vector of its rewording. It moves away from the vector
//! of a sentence that differs in meaning but hardly in words (docs/methods.md, "Financial embeddings").

use super::lesson::{Batch, Holding, Learnt, Lesson, Trainee, TripletMaterial, count};
use crate::architectures::encoder::Text;
use crate::losses::gradients;
use crate::losses::infonce::{Comparison, Item};
use crate::losses::loss::VectorLoss;
use crate::losses::vector_loss::{InfoNce, MarginMse, Triplets as TripletLossOf};
use crate::texts::tokenizer::TextTokenizer;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{TripletItem, TripletLoss, TripletObjective};
use std::collections::{BTreeMap, HashMap};

/// Texts of a triplet.
const TEXTS: usize = 3;
/// Reason of a triplet whose texts are one text to the encoder.
const NOTHING_TO_TELL_APART: &str = "nothing_to_tell_apart";

/// Triplets of one part of the data with their distinct texts.
#[derive(Default)]
struct Set {
    items: Vec<Item>,
    margins: Vec<f64>,
    texts: Vec<Vec<u32>>,
    cut: usize,
    left_out: BTreeMap<String, u64>,
}

/// The stage.
pub(super) struct Triplets {
    train: Set,
    dev: Set,
    objective: TripletObjective,
    holding: Holding,
}

/// The stage of a job.
pub(super) fn triplets(
    trainee: &Trainee,
    material: &TripletMaterial,
    objective: &TripletObjective,
) -> Result<Triplets> {
    let encoder = trainee.encoder("triplets", "Choose an encoder as the base model.")?;
    // Margins are learnt, and what is held out is measured by them.
    let all = material.train.iter().chain(&material.dev);
    let without = all.filter(|t| t.margin.is_none()).count();
    if objective.loss == TripletLoss::MarginMse && without > 0 {
        return Err(Error::told(
            Code::InvalidRequest,
            format!(
                "The loss margin_mse learns the margins of a teacher, and {without} of {} triplets have none.",
                material.train.len() + material.dev.len()
            ),
            "Choose the loss triplet or multiple_negatives, or read in triplets with a margin each.",
        ));
    }
    let train = set(&encoder.tokenizer, &material.train)?;
    let dev = set(&encoder.tokenizer, &material.dev)?;
    let holding = Holding {
        items: train.items.len(),
        held_out: dev.items.len(),
        cut: train.cut,
        left_out: train.left_out.clone(),
    };
    Ok(Triplets {
        train,
        dev,
        objective: objective.clone(),
        holding,
    })
}

/// Triplets as tokens. One whose texts are cut or folded into the same tokens teaches nothing.
fn set(tokenizer: &TextTokenizer, triplets: &[TripletItem]) -> Result<Set> {
    let mut set = Set::default();
    let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
    for triplet in triplets {
        let texts = [&triplet.source, &triplet.positive, &triplet.negative];
        let tokens = tokenizer.tokenize(&texts.map(String::as_str))?;
        let ids = |text: usize| tokens.get(text).map(|t| &t.ids);
        if ids(2) == ids(0) || ids(2) == ids(1) {
            count(&mut set.left_out, NOTHING_TO_TELL_APART, 1);
            continue;
        }
        let mut places = Vec::with_capacity(TEXTS);
        for text in tokens {
            set.cut += usize::from(text.truncated);
            let next = set.texts.len();
            let place = *numbers.entry(text.ids.clone()).or_insert(next);
            if place == next {
                set.texts.push(text.ids);
            }
            places.push(place);
        }
        if let [source, positive, negative] = places[..] {
            set.items.push(Item {
                anchor: triplet.group,
                answer_group: triplet.group,
                question: source,
                answer: positive,
                negatives: vec![negative],
            });
            set.margins.push(triplet.margin.unwrap_or_default());
        }
    }
    Ok(set)
}

impl Set {
    /// The comparison of some triplets.
    fn compared(&self, numbers: &[usize], in_batch: bool) -> Comparison {
        let items: Vec<&Item> = numbers.iter().filter_map(|&i| self.items.get(i)).collect();
        Comparison::of(&items, in_batch)
    }

    /// Where the source, the positive and the negative of some triplets stand among the texts of a comparison.
    fn rows(&self, numbers: &[usize], comparison: &Comparison) -> Vec<[i64; 3]> {
        let places: HashMap<usize, i64> = comparison.texts.iter().copied().zip(0..).collect();
        let row = |text: usize| places.get(&text).copied().unwrap_or_default();
        let items = numbers.iter().filter_map(|&i| self.items.get(i));
        items
            .map(|item| {
                let negative = item.negatives.first().copied().unwrap_or(item.question);
                [row(item.question), row(item.answer), row(negative)]
            })
            .collect()
    }
}

impl Triplets {
    /// Whether what is held out is measured by its margins.
    fn by_margins(&self) -> bool {
        self.objective.loss == TripletLoss::MarginMse
    }

    fn loss<'c>(&self, numbers: &[usize], compared: &'c Comparison) -> Box<dyn VectorLoss + 'c> {
        let rows = || self.train.rows(numbers, compared);
        let temperature = self.objective.temperature;
        match self.objective.loss {
            TripletLoss::Triplet => Box::new(TripletLossOf {
                rows: rows(),
                temperature,
            }),
            TripletLoss::MultipleNegatives => Box::new(InfoNce {
                comparison: compared,
                temperature,
            }),
            TripletLoss::MarginMse => Box::new(MarginMse {
                rows: rows(),
                margins: numbers.iter().map(|&i| self.train.margins[i]).collect(),
                of_cosines: self.objective.of_cosines,
            }),
        }
    }
}

impl Lesson for Triplets {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let in_batch = self.objective.loss == TripletLoss::MultipleNegatives;
        let compared = self.train.compared(batch.numbers, in_batch);
        let loss = self.loss(batch.numbers, &compared);
        let of = |&text: &usize| Text::from(self.train.texts[text].as_slice());
        let texts: Vec<Text<'_>> = compared.texts.iter().map(of).collect();
        // The number of triplets that are computed at a time.
        let longest = || texts.iter().map(|t| t.ids.len()).max().unwrap_or(0);
        let budget = batch.budget_for(|| TEXTS * longest());
        let read = (None, self.objective.pooling);
        batch.learn_vectors(trainee, read, &texts, loss.as_ref(), budget, 1.0)
    }

    /// The mean loss of the held-out triplets, each against its own negative, which is also what the evaluation
    /// measures. `None` if the training is told to end.
    ///
    /// If margins are learnt, it is the mean error of the held-out margins instead. The reason is that a teacher may
    /// find a negative as good as the positive. The loss would then be lowest for weights that push this negative far
    /// away, although the teacher does not want this.
    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let _no_grad = tch::no_grad_guard();
        let texts = self.dev.texts.iter();
        let texts: Vec<Text<'_>> = texts.map(|ids| Text::from(ids.as_slice())).collect();
        let as_they_are = self.by_margins() && !self.objective.of_cosines;
        let found = trainee.with_vectors(self.objective.pooling, |model| match as_they_are {
            true => gradients::pooled_vectors(model, &texts, budget, go_on),
            false => gradients::vectors(model, &texts, budget, go_on),
        })?;
        let Some(vectors) = found else {
            return Ok(None);
        };
        let rows = self.dev.items.iter().map(|item| {
            let negative = item.negatives.first().copied().unwrap_or(item.question);
            [item.question, item.answer, negative].map(|text| text as i64)
        });
        let rows: Vec<[i64; 3]> = rows.collect();
        let loss = match self.by_margins() {
            true => MarginMse {
                rows,
                margins: self.dev.margins.clone(),
                of_cosines: self.objective.of_cosines,
            }
            .loss(&vectors)?,
            false => TripletLossOf {
                rows,
                temperature: self.objective.temperature,
            }
            .loss(&vectors)?,
        };
        Ok(Some(loss.f_double_value(&[])? as f32))
    }
}
