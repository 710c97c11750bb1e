//! GPL (Wang et al. 2022, docs/methods.md, "Rules and policies"): an encoder learns from questions that nobody
//! labelled. Each question is about one clause. Two searches, by words and by vectors, find other clauses for it. A
//! cross-encoder then says how much better the right clause answers than each of the others.

use super::Answering;
use super::clauses::Clauses;
use super::reranked::CrossEncoder;
use super::taught::Source;
use super::tune::{HeldOut, held_out};
use crate::models::{BaseModel, Models, hindrances, inspect};
use crate::training::{ItemCounts, Recipe, Training, TripletTuning, readable, without_leaks};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use lexforge_domain::api::{
    MarginSample, Preset, RerankReport, RunPlan, RunRow, Stage, TrainRequest,
};
use lexforge_domain::protocol::{InspectResult, RetrievalItem, Taught, TripletItem};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, RunId};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Questions from which an encoder can be tuned.
const FEWEST: usize = 20;
/// Clauses that a question's own is compared with.
const NEGATIVES: usize = 4;
/// The clauses are drawn from this many first clauses of each search.
const DEPTH: usize = 50;
/// The first questions, whose margins say on which scale all of them lie.
const FIRST: usize = 24;
/// The number of samples that are shown before a training.
const SHOWN: usize = 5;
/// The share of the margins that must lie between -`WITHIN` and `WITHIN` after a division. Every cross-encoder has a
/// scale of its own, so all margins are divided by one number. The margins are compared with differences of cosines,
/// and these are seldom larger than `WITHIN`.
const SHARE: f64 = 0.9;
const WITHIN: f64 = 0.5;

/// Questions to learn from, with all that is decided before a teacher is asked.
struct Asked {
    base: BaseModel,
    model: InspectResult,
    clauses: Arc<Clauses>,
    /// Training questions, each with the one clause that it is about.
    train: Vec<RetrievalItem>,
    dev: Vec<RetrievalItem>,
    sources: HashMap<String, Source>,
    /// Documents that are held out, by their place.
    held_out: HashSet<u32>,
    teacher: Option<CrossEncoder>,
    seed: u64,
    warnings: Vec<String>,
    problems: Vec<Failure>,
}

/// A question with the teacher's scores of its clause and of other clauses.
struct Judged {
    /// The index of the question.
    place: usize,
    question: String,
    clause: u32,
    positive: String,
    score: f32,
    negatives: Vec<(String, f32)>,
}

/// The samples that were shown last, with a mark of their request: the window asks for a plan at each change.
#[derive(Default)]
struct ShownLast(Mutex<Option<(String, Vec<MarginSample>)>>);

impl Answering<'_> {
    /// Tunes an encoder on the margins that a teacher gives (see the top of the file). A worker process does the run,
    /// and goes on when this process ends.
    ///
    /// # Errors
    /// When there are too few questions, no cross-encoder ranks better than the words do, the request makes no sense,
    /// or the worker or the model is missing.
    pub(crate) fn tune_by_margins(
        &self,
        request: &TrainRequest,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let mut asked = self.asked(request)?;
        if let Some(problem) = asked.problems.drain(..).next() {
            return Err(problem);
        }
        let teacher = asked.teacher.take().ok_or_else(no_teacher)?;
        let judged = |items: &[RetrievalItem], to_learn| {
            self.judged(&asked, &teacher, items, to_learn, Some(watcher))
        };
        let (train, dev) = (judged(&asked.train, true)?, judged(&asked.dev, false)?);
        let scale = scale_of(&train).ok_or_else(|| {
            Failure::new(
                Code::TooLittleData,
                "The teacher tells no clauses apart: all of its margins are the same.",
                "Tune the cross-encoder on more questions.",
            )
        })?;
        let dev = triplets(&dev, scale);
        let texts = |one: &TripletItem| [one.source.clone(), one.positive.clone()];
        let (train, _) = without_leaks(triplets(&train, scale), &dev, texts);
        let kept: HashSet<&str> = train.iter().map(|one| one.source.as_str()).collect();
        if kept.len() < FEWEST {
            return Err(too_few(kept.len(), &asked.model.name));
        }
        let taught = self.taught_by(&asked, teacher.run)?;
        let recipe = recipe(request, &asked.model, train.len())?;
        let tuning = TripletTuning {
            base: asked.base,
            model: asked.model,
            recipe,
            train,
            dev,
            policy: "questions without labels, as a teacher scores their clauses".to_owned(),
            taught: Some(taught),
            problems: Vec::new(),
        };
        Training::of(self.workspace).start_tuning(tuning, request.on.clone(), watcher)
    }

    /// Says what tuning by margins would do and need, with samples of the margins, but starts nothing. `problems` lists
    /// everything that would prevent it.
    ///
    /// # Errors
    /// As [`Answering::tune_by_margins`], except for what is listed in `problems`.
    pub(crate) fn plan_by_margins(&self, request: &TrainRequest) -> Result<RunPlan> {
        let mut asked = self.asked(request)?;
        let teacher = asked.teacher.take();
        let items = NEGATIVES * asked.train.len();
        let mut recipe = recipe(request, &asked.model, items)?;
        recipe.warnings.append(&mut asked.warnings);
        let (mut samples, mut taught) = (Vec::new(), None);
        if let Some(teacher) = teacher.filter(|_| asked.problems.is_empty()) {
            let by = self.taught_by(&asked, teacher.run)?;
            samples = self.samples(&asked, &teacher, &by.encoder)?;
            taught = Some(by);
        }
        let model = match asked.problems.is_empty() {
            true => inspect(&asked.base, Some(&recipe.settings), &[])?,
            false => asked.model,
        };
        Ok(RunPlan {
            taught,
            samples,
            ..recipe.plan(model, items as u64, asked.problems)
        })
    }

    /// The questions to learn from: written ones, headings and defined terms. Each is about the clause that it was
    /// taken from. None of them is labelled, because labelled questions are left for measuring.
    fn asked(&self, request: &TrainRequest) -> Result<Asked> {
        let base = Models::of(self.workspace).base(request.base.as_deref())?;
        let clauses = self.clauses()?;
        let seed = request.seed.unwrap_or(DEFAULT_SEED);
        let labelled = self.pairs()?;
        let known: Vec<&str> = labelled.iter().map(|pair| pair.question.as_str()).collect();
        let mut found = self.unlabelled(&clauses, &known, &HashSet::new(), seed)?;
        // A heading without text below it says nothing about itself.
        found.retain(|one| {
            let about = one.about;
            about.is_some_and(|clause| !clauses.bare_headings.contains(&clause))
        });
        let language = |about: Option<u32>| {
            let document = about.and_then(|clause| clauses.document_of(clause));
            document.map_or(Language::Other, |document| document.language)
        };
        let mut by_language: BTreeMap<Language, Vec<&str>> = BTreeMap::new();
        for one in &found {
            let texts = by_language.entry(language(one.about)).or_default();
            texts.push(&one.item.question);
        }
        let (model, unread) = readable(&base, &by_language)?;
        found.retain(|one| !unread.contains_key(&language(one.about)));
        let mut problems = hindrances(&model);
        let teacher = match self.margin_teacher(request.teacher) {
            Ok(teacher) => Some(teacher),
            Err(failure) => {
                problems.push(failure);
                None
            }
        };
        let sources = found.iter().map(|one| (one.item.id.clone(), one.source));
        let sources = sources.collect();
        let items = found.into_iter().map(|one| RetrievalItem {
            clauses: one.about.into_iter().collect(),
            ..one.item
        });
        let HeldOut {
            train,
            dev,
            documents,
        } = held_out(items.collect(), &clauses.document, seed);
        if train.len() < FEWEST {
            problems.push(too_few(train.len(), &model.name));
        }
        let mut warnings: Vec<String> = unread
            .iter()
            .map(|(language, n)| {
                format!(
                    "Questions in the language {} are left out ({n}): {} does not read it.",
                    language.tag(),
                    model.name
                )
            })
            .collect();
        let questions: Vec<&str> = train.iter().map(|item| item.question.as_str()).collect();
        if !questions.is_empty() && self.index_for(&questions)?.encoder.is_empty() {
            warnings.push(
                "There are no vectors yet: what the questions are compared with is found by the words alone."
                    .to_owned(),
            );
        }
        Ok(Asked {
            base,
            model,
            train,
            dev,
            sources,
            held_out: documents.into_iter().collect(),
            teacher,
            seed,
            warnings,
            problems,
            clauses,
        })
    }

    /// The teacher that is named, or the newest one that was measured and ranks better than the words.
    fn margin_teacher(&self, named: Option<RunId>) -> Result<CrossEncoder> {
        if let Some(run) = named {
            return self.teacher(run);
        }
        let rows = self.rerankers()?.into_iter();
        let mut good =
            rows.filter(|row| row.report.as_ref().is_some_and(RerankReport::beats_words));
        self.teacher(good.next().ok_or_else(no_teacher)?.run)
    }

    /// The teacher's scores for the clause that each question is about, and for other clauses that two searches found.
    /// A training question is never compared with a clause of a held-out document. A question for which nothing was
    /// found is left out.
    fn judged(
        &self,
        asked: &Asked,
        teacher: &CrossEncoder,
        items: &[RetrievalItem],
        to_learn: bool,
        watcher: Option<&dyn Watcher>,
    ) -> Result<Vec<Judged>> {
        let clauses = &asked.clauses;
        let questions: Vec<&str> = items.iter().map(|item| item.question.as_str()).collect();
        let search = self.search(None, None, &questions)?;
        let mut judged = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            if let Some(watcher) = watcher {
                if watcher.cancelled() {
                    return Err(cancelled("No run was started."));
                }
                let (done, all) = (place as u64, items.len() as u64);
                tell(watcher, Stage::Train, "questions", done, all);
            }
            let Some(&about) = item.clauses.first() else {
                continue;
            };
            let wanted = |clause: u32| {
                let document = clauses.document.get(clause as usize);
                clause != about
                    && !clauses.bare_headings.contains(&clause)
                    && document.is_some_and(|place| !to_learn || !asked.held_out.contains(place))
            };
            let question = &item.question;
            let (words, near) = self.by_words_and_vectors(&search, place, question, wanted)?;
            let by_words = words.hits.iter().map(|hit| hit.clause);
            let near = near.map_or_else(Vec::new, |near| near.clauses);
            let by_vectors = near.into_iter().map(|one| one.0);
            let lists = [
                by_words.take(DEPTH).collect(),
                by_vectors.take(DEPTH).collect(),
            ];
            let lot = |clause: u32| -> [u8; 32] {
                Sha256::digest(format!("{} {question} {clause}", asked.seed)).into()
            };
            let own = self.own_text(asked, item, about)?;
            if own.trim().is_empty() {
                continue;
            }
            let mut texts = vec![own];
            for clause in in_turn(lists, NEGATIVES, lot) {
                texts.push(self.clause_text(clauses, clause)?);
            }
            texts.retain(|text| !text.trim().is_empty());
            if texts.len() < 2 {
                continue;
            }
            let scores = self.passage_scores(teacher, question, texts.clone())?;
            let mut scored = texts.into_iter().zip(scores);
            let Some((positive, score)) = scored.next() else {
                continue;
            };
            judged.push(Judged {
                place,
                question: question.clone(),
                clause: about,
                negatives: scored.filter(|(text, _)| *text != positive).collect(),
                positive,
                score,
            });
        }
        Ok(judged)
    }

    /// The words of the clause that a question is about. A heading that is asked for is not its own answer.
    fn own_text(&self, asked: &Asked, item: &RetrievalItem, clause: u32) -> Result<String> {
        let text = self.clause_text(&asked.clauses, clause)?;
        Ok(match asked.sources.get(&item.id) {
            Some(Source::Heading) => without_heading(&text, &item.question),
            _ => text,
        })
    }

    /// Samples of the first questions with their margins. `encoder` is the one whose vectors find other clauses.
    fn samples(
        &self,
        asked: &Asked,
        teacher: &CrossEncoder,
        encoder: &str,
    ) -> Result<Vec<MarginSample>> {
        let first = asked.train.get(..FIRST.min(asked.train.len()));
        let first = first.unwrap_or_default();
        let key = format!(
            "{} {} {} {}",
            asked.clauses.corpus,
            teacher.run,
            asked.seed,
            found_by(encoder, &asked.held_out, first)
        );
        let memo = self.workspace.memo::<ShownLast>();
        let mut last = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, samples)) = last.as_ref().filter(|(of, _)| *of == key) {
            return Ok(samples.clone());
        }
        let judged = self.judged(asked, teacher, first, true, None)?;
        let samples = scale_of(&judged).map_or_else(Vec::new, |scale| shown(&judged, scale));
        *last = Some((key, samples.clone()));
        Ok(samples)
    }

    /// The teacher, and the questions from which is learned.
    fn taught_by(&self, asked: &Asked, teacher: RunId) -> Result<Taught> {
        let questions: Vec<&str> = asked
            .train
            .iter()
            .map(|one| one.question.as_str())
            .collect();
        let of = |source: Source| {
            let own = asked.train.iter().map(|item| asked.sources.get(&item.id));
            own.filter(|found| *found == Some(&source)).count() as u64
        };
        Ok(Taught {
            encoder: self.index_for(&questions)?.encoder,
            order_from: None,
            ordered_by: Some(teacher),
            labelled: 0,
            questions: of(Source::Question),
            headings: of(Source::Heading),
            terms: of(Source::Term),
        })
    }
}

fn recipe(request: &TrainRequest, model: &InspectResult, triplets: usize) -> Result<Recipe> {
    let wanted = TrainRequest {
        preset: Some(Preset::Gpl),
        ..request.clone()
    };
    Recipe::of(&wanted, model, ItemCounts::triplets(triplets))
}

fn no_teacher() -> Failure {
    Failure::new(
        Code::StepMissing,
        "The recipe gpl learns from a cross-encoder that ranks better than the words, and none was tuned and measured here.",
        "Tune one on labelled questions with the recipe for the order of the first clauses (rerank), and measure it.",
    )
}

fn too_few(n: usize, model: &str) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!(
            "There are {n} questions about clauses that {model} reads: written ones, headings and defined terms. An encoder is tuned on {FEWEST} or more."
        ),
        "Import more documents, find their terms, or write questions for their sentences.",
    )
}

/// At most `most` different clauses, taken alternately from the two lists, and at random within each list.
fn in_turn(lists: [Vec<u32>; 2], most: usize, lot: impl Fn(u32) -> [u8; 32]) -> Vec<u32> {
    let mut lists = lists.map(|mut list| {
        list.sort_by_cached_key(|clause| lot(*clause));
        list.into_iter()
    });
    let mut chosen: Vec<u32> = Vec::new();
    loop {
        let before = chosen.len();
        for list in &mut lists {
            if chosen.len() == most {
                return chosen;
            }
            if let Some(next) = list.find(|clause| !chosen.contains(clause)) {
                chosen.push(next);
            }
        }
        if chosen.len() == before {
            return chosen;
        }
    }
}

/// The text under a heading with these words, if the text begins with the heading.
fn without_heading(text: &str, heading: &str) -> String {
    match text.split_once(heading) {
        Some((label, rest)) if label.len() < 40 && !rest.trim().is_empty() => {
            rest.trim().to_owned()
        }
        _ => text.to_owned(),
    }
}

/// Describes everything on which the found clauses of these questions depend: the encoder, because other vectors find
/// other clauses; the held-out clauses, because they are never used; and the questions themselves.
fn found_by(encoder: &str, held_out: &HashSet<u32>, items: &[RetrievalItem]) -> String {
    let held_out: BTreeSet<u32> = held_out.iter().copied().collect();
    let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    format!("{encoder:?} {held_out:?} {ids:?}")
}

/// The number by which the teacher's differences are divided; `None` if there are no differences.
fn scale_of(judged: &[Judged]) -> Option<f64> {
    let first = judged.iter().filter(|one| one.place < FIRST);
    let mut all: Vec<f64> = first
        .flat_map(|one| {
            let negatives = one.negatives.iter();
            negatives.map(move |(_, score)| f64::from(one.score - score).abs())
        })
        .collect();
    all.sort_by(f64::total_cmp);
    let place = (SHARE * all.len().saturating_sub(1) as f64).round() as usize;
    let most = all.get(place).copied()?;
    (most.is_finite() && most > 0.0).then_some(most / WITHIN)
}

fn margin(scale: f64, positive: f32, negative: f32) -> f64 {
    (f64::from(positive - negative) / scale).clamp(-1.0, 1.0)
}

fn triplets(judged: &[Judged], scale: f64) -> Vec<TripletItem> {
    let each = judged.iter().flat_map(|one| {
        let negatives = one.negatives.iter();
        negatives.map(move |(text, score)| (one, text, margin(scale, one.score, *score)))
    });
    (1..)
        .zip(each)
        .map(|(id, (one, negative, margin))| TripletItem {
            id,
            group: i64::from(one.clause),
            source: one.question.clone(),
            positive: one.positive.clone(),
            negative: negative.clone(),
            margin: Some(margin),
        })
        .collect()
}

/// A few questions, each with the clause that the teacher finds hardest to tell from its own.
fn shown(judged: &[Judged], scale: f64) -> Vec<MarginSample> {
    let hardest = |one: &Judged| {
        let negatives = one.negatives.iter();
        let (text, score) = negatives.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(MarginSample {
            question: one.question.clone(),
            positive: one.positive.clone(),
            negative: text.clone(),
            margin: margin(scale, one.score, *score),
        })
    };
    judged.iter().filter_map(hardest).take(SHOWN).collect()
}

#[cfg(test)]
mod tests;
