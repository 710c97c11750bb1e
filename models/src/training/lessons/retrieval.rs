//! The retrieval stage: the vectors of questions move near the sentences that answer them, and away from other
//! sentences.
//!
//! A pair is a question and a clause that answers it. The right text of a pair is the clause's nearest sentence,
//! because the search scores a clause by its nearest sentence. The wrong texts are the other sentences of the batch and
//! mined ones. For mining, the present encoder ranks all clauses before each epoch, together with the ranking by words.
//! Wrong clauses are chosen at random from the best ones.
//!
//! Clauses that may answer the question, too, are never used as wrong ones: its other right clauses, equal texts, and
//! clauses that are about as near as the right sentence.

use super::lesson::{Batch, Holding, Learnt, Lesson, RetrievalMaterial, Trainee, count};
use super::listed::draw;
use super::mining::{Mined, Passages, Question, each_nearest, mine};
use crate::architectures::encoder::Text;
use crate::files::{read_whole, write_atomically};
use crate::losses::gradients;
use crate::losses::infonce::Comparison;
use crate::losses::loss::VectorLoss;
use crate::losses::vector_loss::{Distilled, InfoNce, Lists};
use crate::texts::tokenizer::TextTokenizer;
use crate::{Error, Result};
use lexforge_domain::protocol::{RetrievalItem, RetrievalObjective};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// How deep the held-out ranking is looked at (MAP@10).
const HELD_OUT_DEPTH: usize = 10;
/// Most bytes of a file of mined negatives that are read.
const MOST_MINED: u64 = 1 << 30;

/// Streams of the lot from here on draw from lists; those before draw negatives.
const LISTS: u64 = 1 << 63;

/// The stage.
pub(super) struct Retrieval {
    train: Vec<Question>,
    /// Question and clause of each item.
    pairs: Vec<(usize, u32)>,
    /// Questions of the items behind these, which learn a teacher's list alone.
    unlabelled: Vec<usize>,
    dev: Vec<Question>,
    passages: Passages,
    objective: RetrievalObjective,
    seed: u64,
    /// The folder for mined negatives. A run that continues within an epoch uses the same negatives.
    folder: PathBuf,
    mined: RefCell<Option<Mined>>,
    holding: Holding,
}

/// The stage of a job.
pub(super) fn retrieval(
    trainee: &Trainee,
    material: &RetrievalMaterial,
    objective: &RetrievalObjective,
    seed: u64,
) -> Result<Retrieval> {
    let encoder = trainee.encoder("retrieval", "Choose an encoder as the base model.")?;
    let tokenizer = &encoder.tokenizer;
    let mut cut = 0;
    let texts = material.passages.iter().map(|p| p.text.as_str());
    let clauses: Vec<u32> = material.passages.iter().map(|p| p.clause).collect();
    let passages = Passages::of(
        tokens(tokenizer, &objective.passage_prompt, texts, &mut cut)?,
        clauses,
    );
    let mut left_out = BTreeMap::new();
    let train = questions(tokenizer, objective, &material.train, &passages, &mut cut)?;
    // If only the teacher is learnt, a label only raises the share of its clause in the list.
    let alone = objective.distillation.is_some_and(|d| d.is_alone());
    let has_list = |q: &Question| q.teacher.len() > 1;
    let unanswered = |q: &&Question| q.clauses.is_empty() && !has_list(q);
    let without_list = |q: &&Question| alone && !q.clauses.is_empty() && !has_list(q);
    let number = |of: &dyn Fn(&&Question) -> bool| train.iter().filter(|q| of(q)).count() as u64;
    count(&mut left_out, "no_passage", number(&unanswered));
    count(&mut left_out, "no_list", number(&without_list));
    let pairs: Vec<(usize, u32)> = train
        .iter()
        .enumerate()
        .filter(|_| !alone)
        .flat_map(|(i, q)| q.clauses.iter().map(move |&clause| (i, clause)))
        .collect();
    let unlabelled = train.iter().enumerate();
    let unlabelled: Vec<usize> = unlabelled
        .filter(|(_, q)| has_list(q) && (alone || q.clauses.is_empty()))
        .map(|(i, _)| i)
        .collect();
    let mut dev = questions(tokenizer, objective, &material.dev, &passages, &mut 0)?;
    dev.retain(|q| !q.clauses.is_empty());
    let holding = Holding {
        items: pairs.len() + unlabelled.len(),
        held_out: dev.len(),
        cut,
        left_out,
    };
    Ok(Retrieval {
        train,
        pairs,
        unlabelled,
        dev,
        passages,
        objective: objective.clone(),
        seed,
        folder: material.folder.clone(),
        mined: RefCell::new(None),
        holding,
    })
}

/// Texts as tokens, each after its prompt.
fn tokens<'t>(
    tokenizer: &TextTokenizer,
    prompt: &str,
    texts: impl Iterator<Item = &'t str>,
    cut: &mut usize,
) -> Result<Vec<Vec<u32>>> {
    let prompted: Vec<String> = texts.map(|text| format!("{prompt}{text}")).collect();
    let prompted: Vec<&str> = prompted.iter().map(String::as_str).collect();
    let texts = tokenizer.tokenize(&prompted)?;
    *cut += texts.iter().filter(|t| t.truncated).count();
    Ok(texts.into_iter().map(|t| t.ids).collect())
}

/// Questions as tokens; clauses that are no passage of the job are left out of them.
fn questions(
    tokenizer: &TextTokenizer,
    objective: &RetrievalObjective,
    items: &[RetrievalItem],
    passages: &Passages,
    cut: &mut usize,
) -> Result<Vec<Question>> {
    let texts = || items.iter().map(|i| i.question.as_str());
    let ids = tokens(tokenizer, &objective.question_prompt, texts(), cut)?;
    let known = |clause: &u32| passages.has(*clause);
    let scored = |of: &[(u32, f32)]| -> Vec<(u32, f32)> {
        of.iter().copied().filter(|(c, _)| known(c)).collect()
    };
    let question = |(ids, item): (Vec<u32>, &RetrievalItem)| Question {
        ids,
        clauses: item.clauses.iter().copied().filter(known).collect(),
        by_words: scored(&item.by_words),
        ..Question::default()
    };
    let mut questions: Vec<Question> = ids.into_iter().zip(items).map(question).collect();
    if objective.distillation.is_some() {
        let as_passages = tokens(tokenizer, &objective.passage_prompt, texts(), &mut 0)?;
        for ((question, item), ids) in questions.iter_mut().zip(items).zip(as_passages) {
            question.teacher = scored(&item.teacher);
            if item.clauses.is_empty() {
                question.echoes = passages.echoes(&ids);
            }
        }
    }
    Ok(questions)
}

/// A text of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Row {
    Question(usize),
    Passage(u32),
}

/// The comparisons of a batch.
struct Compared {
    /// Its texts.
    rows: Vec<Row>,
    /// Labelled questions with their answers; `None` if the batch has none.
    labels: Option<Comparison>,
    /// The teacher's lists.
    lists: Lists,
}

impl Retrieval {
    /// The question of an item.
    fn question(&self, item: usize) -> Option<usize> {
        match self.pairs.get(item) {
            Some((question, _)) => Some(*question),
            None => self.unlabelled.get(item - self.pairs.len()).copied(),
        }
    }

    /// The comparisons in a batch of items, and its texts.
    fn compared(&self, mined: &Mined, items: &[usize], epoch: u64) -> Compared {
        let mut rows: Vec<Row> = Vec::new();
        let mut places: HashMap<Row, usize> = HashMap::new();
        let mut place = |row: Row| {
            *places.entry(row).or_insert_with(|| {
                rows.push(row);
                rows.len() - 1
            }) as i64
        };
        let mut lists = Lists {
            temperature: self.objective.temperature,
            ..Lists::default()
        };
        let (mut asked, mut answers) = (Vec::new(), Vec::new());
        // Labelled items with the negatives that were drawn for them.
        let mut pairs: Vec<(usize, HashSet<u32>)> = Vec::new();
        for &item in items {
            let Some(question) = self.question(item) else {
                continue;
            };
            let row = place(Row::Question(question));
            if item < self.pairs.len() {
                asked.push(row);
                answers.push(place(Row::Passage(mined.answers[item])));
                let mut random = ChaCha8Rng::seed_from_u64(self.seed);
                random.set_stream(epoch << 40 | item as u64);
                let drawn: Vec<u32> = mined.negatives[question]
                    .choose_multiple(&mut random, self.objective.negatives)
                    .copied()
                    .collect();
                for &passage in &drawn {
                    place(Row::Passage(passage));
                }
                pairs.push((item, drawn.into_iter().collect()));
            }
            let distillation = self.objective.distillation;
            let list = mined.lists.get(question).filter(|list| list.len() > 1);
            if let (Some(list), Some(distillation)) = (list, distillation) {
                let mut random = ChaCha8Rng::seed_from_u64(self.seed);
                random.set_stream(LISTS | epoch << 40 | question as u64);
                let list = draw(list, distillation.list, &mut random);
                let texts = list.into_iter();
                let texts = texts.map(|(passage, share)| (place(Row::Passage(passage)), share));
                lists.texts.push(texts.collect());
                lists.questions.push(row);
            }
        }
        let mut in_sum = vec![false; pairs.len() * rows.len()];
        for ((pair, drawn), sum) in pairs.iter().zip(in_sum.chunks_exact_mut(rows.len().max(1))) {
            let question = self.pairs[*pair].0;
            // For the texts of a question's own list, only the teacher says how near they are to the question.
            let of_list = mined.lists.get(question).into_iter().flatten().map(|l| l.0);
            let mut right: HashSet<u32> = of_list.filter(|p| !drawn.contains(p)).collect();
            right.extend(&mined.doubtful[question]);
            right.extend(self.passages.of_clauses(&self.train[question].clauses));
            for (row, inside) in rows.iter().zip(sum) {
                *inside = match row {
                    Row::Question(_) => false,
                    Row::Passage(p) => *p == mined.answers[*pair] || !right.contains(p),
                };
            }
        }
        let labels = (!pairs.is_empty()).then(|| Comparison {
            texts: (0..rows.len()).collect(),
            questions: asked,
            answers,
            in_sum,
        });
        Compared {
            rows,
            labels,
            lists,
        }
    }

    fn ids(&self, row: Row) -> &[u32] {
        match row {
            Row::Question(i) => &self.train[i].ids,
            Row::Passage(p) => self.passages.ids(p),
        }
    }

    fn file(&self, epoch: u64) -> PathBuf {
        self.folder.join(format!("mined-{epoch}.json"))
    }

    /// The sentences that an earlier attempt mined before this epoch.
    fn kept(&self, epoch: u64) -> Option<Vec<u8>> {
        let bytes = read_whole(&self.file(epoch), MOST_MINED).ok()?;
        let mined: Mined = serde_json::from_slice(&bytes).ok()?;
        let sizes = (
            mined.answers.len(),
            mined.negatives.len(),
            mined.doubtful.len(),
        );
        let listed = self.objective.distillation.map_or(0, |_| self.train.len());
        let fits = mined.epoch == epoch
            && sizes == (self.pairs.len(), self.train.len(), self.train.len())
            && mined.lists.len() == listed;
        let inside = |p: &u32| (*p as usize) < self.passages.len();
        let lists = mined.negatives.iter().chain(&mined.doubtful).flatten();
        let taught = mined.lists.iter().flatten().map(|(passage, _)| passage);
        let all = mined.answers.iter().chain(lists).chain(taught);
        (fits && all.into_iter().all(inside)).then_some(bytes)
    }
}

impl Lesson for Retrieval {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    fn prepare(
        &self,
        trainee: &Trainee,
        batch: Batch<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<bool> {
        if self
            .mined
            .borrow()
            .as_ref()
            .is_some_and(|m| m.epoch == batch.epoch)
        {
            return Ok(true);
        }
        // Rank 0 mines. If it was told to stop, it has no result.
        let mut bytes = Vec::new();
        if batch.ranks.leads() {
            match self.kept(batch.epoch) {
                Some(kept) => bytes = kept,
                None => {
                    let found = trainee.with_vectors(self.objective.pooling, |model| {
                        let vectors = |texts: &[&[u32]]| {
                            let texts: Vec<Text<'_>> =
                                texts.iter().map(|&ids| ids.into()).collect();
                            gradients::vectors(model, &texts, batch.budget, go_on)
                        };
                        mine(
                            &self.train,
                            &self.pairs,
                            &self.passages,
                            &self.objective,
                            batch.epoch,
                            &vectors,
                        )
                    })?;
                    if let Some(mined) = found {
                        bytes =
                            serde_json::to_vec(&mined).map_err(|e| Error::Shim(e.to_string()))?;
                        std::fs::create_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
                        write_atomically(&self.file(batch.epoch), &bytes)?;
                    }
                }
            }
        }
        let bytes = batch.ranks.share_bytes(bytes)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let mined = serde_json::from_slice(&bytes).map_err(|e| Error::Shim(e.to_string()))?;
        *self.mined.borrow_mut() = Some(mined);
        Ok(true)
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let mined = self.mined.borrow();
        let Some(mined) = mined.as_ref() else {
            return Err(Error::Shim("negatives were not mined".to_owned()));
        };
        let Compared {
            rows,
            labels,
            lists,
        } = self.compared(mined, batch.numbers, batch.epoch);
        let texts: Vec<Text<'_>> = rows.iter().map(|&row| self.ids(row).into()).collect();
        let temperature = self.objective.temperature;
        let labels = labels.as_ref().map(|comparison| InfoNce {
            comparison,
            temperature,
        });
        let distilled = self.objective.distillation.map(|distillation| Distilled {
            labels,
            lists,
            share: distillation.share,
            items: batch.numbers.len(),
        });
        let loss: &dyn VectorLoss = match (&distilled, &labels) {
            (Some(distilled), _) => distilled,
            (None, Some(labels)) => labels,
            (None, None) => return Ok(Learnt::default()),
        };
        // So many items at a time: a question, its answer, its negatives and its list.
        let listed = self.objective.distillation.map_or(0, |d| d.list);
        let longest = || texts.iter().map(|t| t.ids.len()).max().unwrap_or(0);
        let budget = batch.budget_for(|| (2 + self.objective.negatives + listed) * longest());
        let read = (None, self.objective.pooling);
        batch.learn_vectors(trainee, read, &texts, loss, budget, 1.0)
    }

    /// One minus the MAP@10 of the held-out questions. The clauses that are ranked are those that answer one of these
    /// questions, and those that the search by words finds for them.
    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let named = |q: &Question| {
            let words = q.by_words.iter().map(|(clause, _)| *clause);
            words.chain(q.clauses.iter().copied()).collect::<Vec<_>>()
        };
        let pool: HashSet<u32> = self.dev.iter().flat_map(named).collect();
        let mut pool: Vec<u32> = pool.into_iter().collect();
        pool.sort_unstable();
        let passages = self.passages.only(&pool);
        let found = trainee.with_vectors(self.objective.pooling, |model| {
            let asked: Vec<Text<'_>> = self.dev.iter().map(|q| q.ids.as_slice().into()).collect();
            let texts: Vec<Text<'_>> = passages.all().map(Text::from).collect();
            let Some(asked) = gradients::vectors(model, &asked, budget, go_on)? else {
                return Ok(None);
            };
            let texts = gradients::vectors(model, &texts, budget, go_on)?;
            Ok(texts.map(|texts| (asked, texts)))
        })?;
        let Some((asked, texts)) = found else {
            return Ok(None);
        };
        let mut sum = 0.0;
        each_nearest(
            &self.dev,
            &asked,
            &texts,
            &passages,
            &mut |number, mut clauses| {
                clauses.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                let ranked = clauses.iter().take(HELD_OUT_DEPTH);
                let ranked = ranked.map(|(clause, ..)| *clause);
                sum += average_precision(ranked, &self.dev[number].clauses);
            },
        )?;
        Ok(Some((1.0 - sum / self.dev.len().max(1) as f64) as f32))
    }
}

/// Average precision of a ranking that was cut off. The sum is divided by the number of all right clauses, also those
/// after the cut.
fn average_precision(ranked: impl Iterator<Item = u32>, right: &[u32]) -> f64 {
    let (mut found, mut sum) = (0.0, 0.0);
    for (i, clause) in ranked.enumerate() {
        if right.contains(&clause) {
            found += 1.0;
            sum += found / (i + 1) as f64;
        }
    }
    sum / right.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_averaged_over_all_that_is_right() {
        let of = |ranked: &[u32], right: &[u32]| average_precision(ranked.iter().copied(), right);
        assert_eq!(of(&[1, 2, 3], &[1]), 1.0);
        assert_eq!(of(&[2, 1, 3], &[1]), 0.5);
        assert_eq!(of(&[1, 2, 3], &[1, 3]), (1.0 + 2.0 / 3.0) / 2.0);
        assert_eq!(of(&[1, 2, 3], &[1, 9]), 0.5);
        assert_eq!(of(&[1, 2, 3], &[9]), 0.0);
    }
}
