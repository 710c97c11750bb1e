//! Mines wrong passages for a question: clauses that are near it but do not answer it.

use super::listed::{first_score, listed};
use crate::Result;
use lexforge_domain::protocol::RetrievalObjective;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use tch::Tensor;

/// Questions whose cosines are computed at a time.
const AT_A_TIME: usize = 256;

/// A sentence that has all tokens of a question and at most this many more says hardly more than the question.
const HARDLY_MORE: usize = 4;

/// Sentences that are put in order beside those that negatives are drawn from.
const ROOM_FOR_EQUAL: usize = 64;

/// A question as tokens.
#[derive(Default)]
pub(super) struct Question {
    /// Its tokens.
    pub ids: Vec<u32>,
    /// Clauses that answer it.
    pub clauses: Vec<u32>,
    /// Clauses that its words find, with their share of the greatest score.
    pub by_words: Vec<(u32, f32)>,
    /// Clauses of the teacher's ranking, with its scores.
    pub teacher: Vec<(u32, f32)>,
    /// Sentences that say hardly more than the question, in ascending order of their numbers. They are left out. For
    /// example, a question that is made from a heading finds this heading, and nothing can be learned from that.
    pub echoes: Vec<u32>,
}

/// The sentences that can be found. Of equal sentences only the first is kept.
pub(super) struct Passages {
    ids: Vec<Vec<u32>>,
    clauses: Vec<u32>,
    /// The sentences of each clause.
    ranges: HashMap<u32, Range<usize>>,
    /// The first sentence with the same tokens.
    first: Vec<u32>,
}

impl Passages {
    /// Made from the tokens and the clause of each sentence. The sentences of one clause must be next to each other.
    pub fn of(ids: Vec<Vec<u32>>, clauses: Vec<u32>) -> Self {
        let mut ranges: HashMap<u32, Range<usize>> = HashMap::new();
        let mut seen: HashMap<&[u32], u32> = HashMap::new();
        let mut first = Vec::with_capacity(ids.len());
        for (place, clause) in clauses.iter().enumerate() {
            ranges.entry(*clause).or_insert(place..place).end = place + 1;
            first.push(*seen.entry(&ids[place]).or_insert(place as u32));
        }
        Self {
            ids,
            clauses,
            ranges,
            first,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether a clause has a sentence here.
    pub fn has(&self, clause: u32) -> bool {
        self.ranges.contains_key(&clause)
    }

    /// The tokens of one.
    pub fn ids(&self, passage: u32) -> &[u32] {
        &self.ids[passage as usize]
    }

    /// The tokens of all.
    pub fn all(&self) -> impl Iterator<Item = &[u32]> {
        self.ids.iter().map(Vec::as_slice)
    }

    /// The sentences of some clauses, each by the first that is equal.
    pub(crate) fn of_clauses(&self, clauses: &[u32]) -> impl Iterator<Item = u32> {
        let ranges = clauses.iter().filter_map(|clause| self.ranges.get(clause));
        ranges.flat_map(|range| range.clone().map(|place| self.first[place]))
    }

    /// The sentences that say hardly more than a text with these tokens.
    pub fn echoes(&self, ids: &[u32]) -> Vec<u32> {
        // Between the tokens that begin and end any text.
        let own = match ids {
            [_, own @ .., _] if !own.is_empty() => own,
            all => all,
        };
        let says_it = |passage: &&Vec<u32>| {
            passage.len() <= ids.len() + HARDLY_MORE
                && passage.windows(own.len().max(1)).any(|part| part == own)
        };
        let numbered = (0..).zip(&self.ids);
        let found = numbered.filter(|(_, passage)| says_it(passage));
        found.map(|(place, _)| place).collect()
    }

    /// The passages of only some clauses.
    pub fn only(&self, clauses: &[u32]) -> Self {
        let ranges = clauses.iter().filter_map(|clause| self.ranges.get(clause));
        let places: Vec<usize> = ranges.flat_map(Range::clone).collect();
        Self::of(
            places
                .iter()
                .map(|&place| self.ids[place].clone())
                .collect(),
            places.iter().map(|&place| self.clauses[place]).collect(),
        )
    }
}

/// The sentences that were mined before an epoch, by their number.
#[derive(Serialize, Deserialize)]
pub(super) struct Mined {
    /// The epoch.
    pub epoch: u64,
    /// The right sentence of each pair.
    pub answers: Vec<u32>,
    /// The sentences from which each question's negatives are chosen, the nearest first.
    pub negatives: Vec<Vec<u32>>,
    /// The sentences that may answer each question, too.
    pub doubtful: Vec<Vec<u32>>,
    /// The teacher's list for each question, if lists are learnt, best first: each sentence with its score, as `listed`
    /// computes it.
    #[serde(default)]
    pub lists: Vec<Vec<(u32, f64)>>,
}

/// Vectors of texts of unit length; `None` if the work is to stop.
type Encode<'a> = dyn Fn(&[&[u32]]) -> Result<Option<Tensor>> + 'a;

/// Ranks all clauses for each question, by vectors and words with equal weight, and takes the best that do not answer
/// it.
pub(super) fn mine(
    questions: &[Question],
    pairs: &[(usize, u32)],
    passages: &Passages,
    objective: &RetrievalObjective,
    epoch: u64,
    encode: &Encode,
) -> Result<Option<Mined>> {
    let asked: Vec<&[u32]> = questions.iter().map(|q| q.ids.as_slice()).collect();
    let texts: Vec<&[u32]> = passages.all().collect();
    let Some(asked) = encode(&asked)? else {
        return Ok(None);
    };
    let Some(texts) = encode(&texts)? else {
        return Ok(None);
    };
    let mut mined = Mined {
        epoch,
        answers: vec![0; pairs.len()],
        negatives: Vec::with_capacity(questions.len()),
        doubtful: Vec::with_capacity(questions.len()),
        lists: Vec::new(),
    };
    let mut pair = 0;
    each_nearest(
        questions,
        &asked,
        &texts,
        passages,
        &mut |number, clauses| {
            let question = &questions[number];
            // Only the few clauses that are asked for below: there are thousands of others.
            let taught = question.teacher.iter().map(|(clause, _)| *clause);
            let asked_for: HashSet<u32> = question.clauses.iter().copied().chain(taught).collect();
            let nearest: HashMap<u32, (u32, f32)> = clauses
                .iter()
                .filter(|(clause, ..)| asked_for.contains(clause))
                .map(|(clause, cosine, passage)| (*clause, (*passage, *cosine)))
                .collect();
            while let Some((_, clause)) = pairs.get(pair).filter(|(of, _)| *of == number) {
                let passage = nearest.get(clause).map_or(0, |(passage, _)| *passage);
                mined.answers[pair] = passages.first[passage as usize];
                pair += 1;
            }
            let (negatives, doubtful) =
                sorted_out(question, &clauses, &nearest, passages, objective);
            mined.negatives.push(negatives);
            mined.doubtful.push(doubtful);
            if let Some(distillation) = &objective.distillation {
                let (teacher, right) = (&question.teacher, &question.clauses);
                let passage_of = |clause: u32| {
                    let (passage, _) = nearest.get(&clause)?;
                    Some(passages.first[*passage as usize])
                };
                let list = listed(teacher, right, passage_of, distillation.temperature);
                mined.lists.push(list);
            }
        },
    )?;
    Ok(Some(mined))
}

/// Two lists for a question. The first list has its negatives, the nearest first. The second list has clauses that are
/// too near to be negatives: the encoder finds them about as near as the right sentence, or the teacher ranks them
/// about as high as the first. For a question without a label both lists are empty.
fn sorted_out(
    question: &Question,
    clauses: &[(u32, f32, u32)],
    nearest: &HashMap<u32, (u32, f32)>,
    passages: &Passages,
    objective: &RetrievalObjective,
) -> (Vec<u32>, Vec<u32>) {
    if question.clauses.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let most = first_score(&question.teacher).unwrap_or_default();
    let called = most * objective.too_alike as f32;
    let called: HashSet<u32> = question
        .teacher
        .iter()
        .filter(|(_, score)| most > 0.0 && *score >= called)
        .filter_map(|(clause, _)| nearest.get(clause))
        .map(|(passage, _)| passages.first[*passage as usize])
        .collect();
    let right: HashSet<u32> = passages.of_clauses(&question.clauses).collect();
    let answers = question.clauses.iter().filter_map(|c| nearest.get(c));
    let own = answers.map(|(_, cosine)| *cosine).fold(0.0, f32::max);
    let limit = own * objective.too_alike as f32;
    let greatest = clauses.iter().map(|c| c.1).fold(1e-9, f32::max);
    let by_words: HashMap<u32, f32> = question.by_words.iter().copied().collect();
    let scored = clauses.iter().map(|(clause, cosine, passage)| {
        let words = by_words.get(clause).copied().unwrap_or(0.0);
        let fused = 0.5 * cosine.max(0.0) / greatest + 0.5 * words;
        let first = passages.first[*passage as usize];
        (first, fused, *cosine > limit || called.contains(&first))
    });
    let (doubtful, rest): (Vec<_>, Vec<_>) = scored
        .filter(|(passage, ..)| !right.contains(passage))
        .partition(|(_, _, too_near)| *too_near);
    let all = doubtful.len();
    let doubtful = best_first(doubtful, all);
    // Equal sentences count once, so that some more are looked at than are drawn from.
    let mut negatives = best_first(rest, 2 * objective.drawn_from + ROOM_FOR_EQUAL);
    negatives.truncate(objective.drawn_from);
    (negatives, doubtful)
}

/// At most so many of the scored sentences, the best first, equal neighbours once. Only what is kept is put in order.
fn best_first(mut scored: Vec<(u32, f32, bool)>, most: usize) -> Vec<u32> {
    let order =
        |a: &(u32, f32, bool), b: &(u32, f32, bool)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if most < scored.len() {
        scored.select_nth_unstable_by(most, order);
        scored.truncate(most);
    }
    scored.sort_unstable_by(order);
    scored.dedup_by_key(|(passage, ..)| *passage);
    scored.into_iter().map(|(passage, ..)| passage).collect()
}

/// A clause, its cosine, and the sentence that has it.
pub(super) type Nearest = (u32, f32, u32);

/// Calls `take` for each question, with its number and all clauses. Each clause has the cosine of its sentence that is
/// nearest to the question. Sentences that merely repeat the question are left out.
pub(super) fn each_nearest(
    questions: &[Question],
    asked: &Tensor,
    texts: &Tensor,
    passages: &Passages,
    take: &mut dyn FnMut(usize, Vec<Nearest>),
) -> Result<()> {
    let _no_grad = tch::no_grad_guard();
    let all = passages.len();
    let turned = texts.f_transpose(0, 1)?;
    for (from, part) in (0..).step_by(AT_A_TIME).zip(questions.chunks(AT_A_TIME)) {
        let cosines = asked
            .f_narrow(0, from as i64, part.len() as i64)?
            .f_matmul(&turned)?;
        let cosines: Vec<f32> = Vec::try_from(cosines.f_contiguous()?.f_view([-1])?)?;
        let rows = part.iter().zip(cosines.chunks_exact(all.max(1)));
        for (number, (question, row)) in (from..).zip(rows) {
            let is_echo = |place: u32| {
                !question.echoes.is_empty() && question.echoes.binary_search(&place).is_ok()
            };
            let mut clauses: Vec<Nearest> = Vec::with_capacity(passages.ranges.len());
            for (place, (clause, cosine)) in (0..).zip(passages.clauses.iter().zip(row)) {
                if is_echo(place) {
                    continue;
                }
                match clauses.last_mut() {
                    Some(last) if last.0 == *clause => {
                        if *cosine > last.1 {
                            (last.1, last.2) = (*cosine, place);
                        }
                    }
                    _ => clauses.push((*clause, *cosine, place)),
                }
            }
            take(number, clauses);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
