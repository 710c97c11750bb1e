//! Stages that compare vectors: questions with choices, and in the joint variant terms with terms too.

use super::lesson::{Batch, Holding, Learnt, Lesson, Material, TOO_LONG, Trainee, count};
use super::placed::{Encoded, Reader, Tokens};
use crate::architectures::encoder::Text;
use crate::losses::gradients;
use crate::losses::infonce::{Comparison, Item};
use crate::losses::loss::VectorLoss;
use crate::texts::mentions::{mentions, replaced};
use crate::{Error, Result};
use lexforge_domain::protocol::{MeaningItem, NegativePool, Pooling, SentenceObjective, TrainItem};
use lexforge_domain::qca::QcaLevel;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use tch::{Kind, Tensor};

/// Items of one part of the data with their distinct texts.
#[derive(Default)]
struct Set {
    /// Items with the level that they belong to (its number in [`Comparisons::levels`]).
    items: Vec<(usize, Item)>,
    texts: Vec<Tokens>,
    cut: usize,
    left_out: BTreeMap<String, u64>,
}

/// A level's part in the loss.
#[derive(Clone, Copy)]
struct Level {
    temperature: f64,
    weight: f64,
    /// After how many layers its vectors are read; none = after all.
    layer: Option<usize>,
}

/// The stage.
pub(super) struct Comparisons {
    train: Set,
    dev: Set,
    levels: Vec<Level>,
    in_batch: bool,
    pool: NegativePool,
    pooling: Pooling,
    batch_size: usize,
    holding: Holding,
}

/// The numbers of items in these two sets.
fn holding(train: &Set, dev: &Set) -> Holding {
    Holding {
        items: train.items.len(),
        held_out: dev.items.len(),
        cut: train.cut,
        left_out: train.left_out.clone(),
    }
}

/// The sentence stage (docs/methods.md, "Training").
pub(super) fn sentences(
    trainee: &Trainee,
    material: &Material,
    objective: &SentenceObjective,
    batch_size: usize,
) -> Result<Comparisons> {
    let wanted = |item: &&TrainItem| objective.all_levels || item.level == QcaLevel::Sentence;
    let set = |items: &[TrainItem]| -> Result<Set> {
        let items: Vec<&TrainItem> = items.iter().filter(wanted).collect();
        questions(trainee, &items, &objective.instruction, material.longest)
    };
    let (train, dev) = (set(&material.train)?, set(&material.dev)?);
    Ok(Comparisons {
        holding: holding(&train, &dev),
        train,
        dev,
        levels: vec![Level {
            temperature: objective.temperature,
            weight: 1.0,
            layer: None,
        }],
        in_batch: objective.in_batch,
        pool: objective.pool,
        pooling: objective.pooling,
        batch_size,
    })
}

/// The joint variant: sentence level and token level in one pass. A term's vector is the mean over its tokens. Its
/// positive is the same term in another sentence; its negatives are the wrong terms in its place. If acts define a term
/// differently, the positive of its use is the definition in the same act, and the negatives are the definitions in
/// other acts. `levels` gives the weights of sentences and of terms, and the layer after which each is read.
pub(super) fn joint(
    reader: &Reader<'_>,
    material: &Material,
    temperature: f64,
    levels: [(f64, Option<usize>); 2],
    batch_size: usize,
) -> Result<Comparisons> {
    let set = |items: &[TrainItem], meanings: &[MeaningItem]| -> Result<Set> {
        let mut builder = Builder::default();
        for item in items {
            match item.level {
                QcaLevel::Sentence => builder.sentence(reader, item)?,
                QcaLevel::Token => builder.term(reader, item)?,
            }
        }
        for item in meanings {
            builder.meaning(reader, item)?;
        }
        Ok(builder.set)
    };
    let level = |(weight, layer)| Level {
        temperature,
        weight,
        layer,
    };
    let train = set(&material.train, &material.meanings)?;
    let dev = set(&material.dev, &[])?;
    Ok(Comparisons {
        holding: holding(&train, &dev),
        train,
        dev,
        levels: levels.map(level).to_vec(),
        in_batch: true,
        pool: NegativePool::Batch,
        pooling: reader.pooling(),
        batch_size,
    })
}

/// Numbers the distinct texts of a set.
#[derive(Default)]
struct Builder {
    set: Set,
    numbers: HashMap<(String, Range<usize>), usize>,
    terms: HashMap<String, i64>,
}

impl Builder {
    fn number(
        &mut self,
        key: (String, Range<usize>),
        encode: impl FnOnce() -> Result<Encoded>,
    ) -> Result<usize> {
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let (tokens, cut) = encode()?;
        self.set.cut += usize::from(cut);
        self.set.texts.push(tokens);
        self.numbers.insert(key, self.set.texts.len() - 1);
        Ok(self.set.texts.len() - 1)
    }

    fn sentence(&mut self, reader: &Reader<'_>, item: &TrainItem) -> Result<()> {
        let mut number = |text: &str| self.number((text.to_owned(), 0..0), || reader.text(text));
        let item = Item {
            anchor: item.anchor,
            answer_group: item.answer_group,
            question: number(&item.question)?,
            answer: number(&item.answer)?,
            negatives: item
                .negatives
                .iter()
                .map(|text| number(text))
                .collect::<Result<_>>()?,
        };
        self.set.items.push((0, item));
        Ok(())
    }

    /// A term in its sentence. `None` if it would be beyond the longest length.
    fn placed(
        &mut self,
        reader: &Reader<'_>,
        text: &str,
        bytes: Range<usize>,
    ) -> Result<Option<usize>> {
        let Some(tokens) = reader.term(text, &bytes)? else {
            return Ok(None);
        };
        self.number((text.to_owned(), bytes), || Ok((tokens, false)))
            .map(Some)
    }

    fn term(&mut self, reader: &Reader<'_>, item: &TrainItem) -> Result<()> {
        let left = &mut self.set.left_out;
        let Some(rephrased) = &item.rephrased else {
            count(left, "no_rephrased_sentence", 1);
            return Ok(());
        };
        let (rule, rephrased) = (reader.harmless(&item.rule), reader.harmless(rephrased));
        let all: Vec<&str> = item
            .negatives
            .iter()
            .chain([&item.answer])
            .map(String::as_str)
            .collect();
        let first = |text: &str| mentions(text, &item.answer, &all).into_iter().next();
        let (Some(in_rule), Some(in_sentence)) = (first(&rule), first(&rephrased)) else {
            count(left, "term_not_in_sentence", 1);
            return Ok(());
        };
        let question = self.placed(reader, &rule, in_rule)?;
        let answer = self.placed(reader, &rephrased, in_sentence)?;
        let mut negatives = Vec::with_capacity(item.negatives.len());
        for other in &item.negatives {
            match replaced(&rephrased, &item.answer, other, &all) {
                Some(wrong) => negatives.extend(self.placed(reader, &wrong.text, wrong.first)?),
                None => count(&mut self.set.left_out, "wrong_term_unusable", 1),
            }
        }
        let (Some(question), Some(answer)) = (question, answer) else {
            count(&mut self.set.left_out, TOO_LONG, 1);
            return Ok(());
        };
        self.compare_terms(item.anchor, &item.answer, question, answer, negatives);
        Ok(())
    }

    /// A term in two sentences and what it is told from. The same term in another sentence is right there too.
    fn compare_terms(
        &mut self,
        anchor: i64,
        term: &str,
        question: usize,
        answer: usize,
        negatives: Vec<usize>,
    ) {
        let next = self.terms.len() as i64;
        let item = Item {
            anchor,
            answer_group: *self.terms.entry(term.to_lowercase()).or_insert(next),
            question,
            answer,
            negatives,
        };
        self.set.items.push((1, item));
    }

    /// A term in its use, in the definition of its act, and in the definitions of other acts.
    fn meaning(&mut self, reader: &Reader<'_>, item: &MeaningItem) -> Result<()> {
        let mut place = |text: &str| -> Result<Option<usize>> {
            let text = reader.harmless(text);
            match mentions(&text, &item.term, &[]).into_iter().next() {
                Some(bytes) => self.placed(reader, &text, bytes),
                None => Ok(None),
            }
        };
        let (question, answer) = (place(&item.used)?, place(&item.meaning)?);
        let mut negatives = Vec::with_capacity(item.others.len());
        for other in &item.others {
            negatives.extend(place(other)?);
        }
        let (Some(question), Some(answer), false) = (question, answer, negatives.is_empty()) else {
            count(&mut self.set.left_out, "meaning_not_readable", 1);
            return Ok(());
        };
        self.compare_terms(item.anchor, &item.term, question, answer, negatives);
        Ok(())
    }
}

/// Questions with their choices, whole.
fn questions(
    trainee: &Trainee,
    items: &[&TrainItem],
    instruction: &str,
    longest: usize,
) -> Result<Set> {
    let mut numbers: HashMap<(bool, &str), usize> = HashMap::new();
    let mut texts: Vec<(bool, &str)> = Vec::new();
    let mut number = |asked: bool, text| {
        // Without an instruction a question is a text like any other.
        *numbers
            .entry((asked && !instruction.is_empty(), text))
            .or_insert_with_key(|key| {
                texts.push(*key);
                texts.len() - 1
            })
    };
    let mut set = Set::default();
    for item in items {
        let item = Item {
            anchor: item.anchor,
            answer_group: item.answer_group,
            question: number(true, &item.question),
            answer: number(false, &item.answer),
            negatives: item
                .negatives
                .iter()
                .map(|text| number(false, text))
                .collect(),
        };
        set.items.push((0, item));
    }
    match trainee {
        Trainee::Encoder(encoder) => {
            if !instruction.is_empty() {
                return Err(Error::told(
                    lexforge_domain::Code::InvalidRequest,
                    "The recipe puts an instruction before questions, which only decoders are trained with.",
                    "Leave the instruction out.",
                ));
            }
            let references: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
            for text in encoder.tokenizer.tokenize(&references)? {
                set.cut += usize::from(text.truncated);
                set.texts.push(Tokens {
                    pooled: 0..text.ids.len(),
                    ids: text.ids,
                });
            }
        }
        Trainee::Decoder(model) => {
            for (asked, text) in texts {
                let asked = if asked { instruction } else { "" };
                let compared = model.language.compared(asked, text, longest)?;
                set.cut += usize::from(compared.cut);
                set.texts.push(Tokens {
                    ids: compared.ids,
                    pooled: compared.pooled,
                });
            }
        }
    }
    Ok(set)
}

/// The weighted sum of the levels' losses over the vectors of all their texts, one level after another.
struct Levels {
    comparisons: Vec<(Level, Comparison)>,
}

impl VectorLoss for Levels {
    fn name(&self) -> &'static str {
        "infonce"
    }

    fn loss(&self, vectors: &Tensor) -> Result<Tensor> {
        let mut sum = Tensor::f_zeros([], (Kind::Float, vectors.device()))?;
        let mut first = 0;
        for (level, comparison) in &self.comparisons {
            let count = comparison.texts.len() as i64;
            let loss =
                comparison.mean_loss(&vectors.f_narrow(0, first, count)?, level.temperature)?;
            sum = sum.f_add(&loss.f_mul_scalar(level.weight)?)?;
            first += count;
        }
        Ok(sum)
    }
}

impl Comparisons {
    /// After which layers vectors are read, each once.
    fn layers(&self) -> Vec<Option<usize>> {
        let mut layers: Vec<Option<usize>> = self.levels.iter().map(|level| level.layer).collect();
        layers.dedup();
        layers
    }

    /// The comparisons among some items of a set after a layer, by level.
    fn compared(&self, set: &Set, numbers: &[usize], layer: Option<usize>) -> Levels {
        let of_level = |(number, level): (usize, &Level)| {
            let items: Vec<&Item> = numbers
                .iter()
                .map(|&i| &set.items[i])
                .filter(|(of, _)| *of == number && level.layer == layer)
                .map(|(_, i)| i)
                .collect();
            (!items.is_empty()).then(|| (*level, Comparison::of(&items, self.in_batch)))
        };
        Levels {
            comparisons: self
                .levels
                .iter()
                .enumerate()
                .filter_map(of_level)
                .collect(),
        }
    }
}

fn texts_of<'a>(set: &'a Set, levels: &Levels) -> Vec<Text<'a>> {
    let numbers = levels
        .comparisons
        .iter()
        .flat_map(|(_, comparison)| &comparison.texts);
    numbers
        .map(|&text| Text::part(&set.texts[text].ids, set.texts[text].pooled.clone()))
        .collect()
}

impl Lesson for Comparisons {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let tokens_of = |texts: &[Text<'_>]| texts.iter().map(|text| text.ids.len()).sum::<usize>();
        let tokens_of_item = |&i: &usize| {
            let layer = self.levels[self.train.items[i].0].layer;
            tokens_of(&texts_of(
                &self.train,
                &self.compared(&self.train, &[i], layer),
            ))
        };
        // The number of items at a time, counted as if all were as large as the largest of the batch.
        let largest = batch.numbers.iter().map(tokens_of_item);
        let budget = batch.budget_for(|| largest.max().unwrap_or(0));
        let pools: Vec<&[usize]> = match (self.pool, batch.micro_batch) {
            (NegativePool::MicroBatch, Some(most)) => batch.numbers.chunks(most.max(1)).collect(),
            _ => vec![batch.numbers],
        };
        let mut learnt = Learnt::default();
        let layers = self.layers();
        let passes = pools
            .into_iter()
            .flat_map(|pool| layers.iter().map(move |&layer| (pool, layer)));
        for (pool, layer) in passes {
            let mut levels = self.compared(&self.train, pool, layer);
            if levels.comparisons.is_empty() {
                continue;
            }
            let share = pool.len() as f64 / batch.numbers.len() as f64;
            levels
                .comparisons
                .iter_mut()
                .for_each(|(level, _)| level.weight *= share);
            let texts = texts_of(&self.train, &levels);
            let read = (layer, self.pooling);
            learnt += batch.learn_vectors(trainee, read, &texts, &levels, budget, 1.0)?;
        }
        Ok(learnt)
    }

    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let _no_grad = tch::no_grad_guard();
        let texts: Vec<Text<'_>> = self
            .dev
            .texts
            .iter()
            .map(|text| Text::part(&text.ids, text.pooled.clone()))
            .collect();
        let numbers: Vec<usize> = (0..self.dev.items.len()).collect();
        let mut mean = 0.0;
        let mut read: Option<(Option<usize>, Tensor)> = None;
        for (number, level) in self.levels.iter().enumerate() {
            let vectors = match read {
                Some((layer, vectors)) if layer == level.layer => vectors,
                _ => {
                    let found = trainee.with_vectors_after(level.layer, self.pooling, |model| {
                        gradients::vectors(model, &texts, budget, go_on)
                    })?;
                    let Some(vectors) = found else {
                        return Ok(None);
                    };
                    vectors
                }
            };
            let items: Vec<usize> = numbers
                .iter()
                .copied()
                .filter(|&i| self.dev.items[i].0 == number)
                .collect();
            let mut sum = 0.0;
            for batch in items.chunks(self.batch_size) {
                for (_, comparison) in &self.compared(&self.dev, batch, level.layer).comparisons {
                    let rows: Vec<i64> = comparison.texts.iter().map(|&text| text as i64).collect();
                    let rows = Tensor::f_from_slice(&rows)?.f_to_device(trainee.device())?;
                    let losses =
                        comparison.losses(&vectors.f_index_select(0, &rows)?, level.temperature)?;
                    sum += losses.f_sum(Kind::Double)?.f_double_value(&[])?;
                }
            }
            if !items.is_empty() {
                mean += level.weight * sum / items.len() as f64;
            }
            read = Some((level.layer, vectors));
        }
        Ok(Some(mean as f32))
    }
}
