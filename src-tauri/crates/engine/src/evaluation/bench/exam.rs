//! Systems on an exam.

use super::asked::Questions;
use super::exam_table::{Asked, table};
use super::measured::among;
use super::systems::{asks, each_alone};
use crate::evaluation::Evaluations;
use crate::evaluation::exam_passages::known;
use crate::training::FrozenItem;
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{ExamSample, ExamTable};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::exam::ExamQuestion;
use lexforge_domain::qca::{Qca, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split};
use lexforge_domain::{Failure, QcaId, SentenceId};
use lexforge_text::fold::letters;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

/// Which systems are put side by side on which exam.
#[derive(Clone, Debug, Default)]
pub struct ExamBenchRequest {
    /// The exam's name.
    pub exam: String,
    /// Draw so many questions of each subject; `None` = ask all.
    pub sample: Option<ExamSample>,
    /// The systems, as the bench names them. If none are named, all of them.
    pub systems: Vec<String>,
    /// The system that the others are compared with. `None` = the first untuned base model, or else the first system.
    pub baseline: Option<String>,
    /// A person's consent to the prompts that are sent to endpoints. Each consent holds the scope of a plan that
    /// `plan_exam_asking` returned.
    pub agreed: Vec<Consent>,
}

impl Evaluations<'_> {
    /// Measures every system on an exam, by subject. A system that cannot be measured is listed with the reason, and
    /// the other systems are measured nevertheless.
    ///
    /// # Errors
    /// When there is no such exam, a name belongs to no system, the baseline is not among the systems, or the caller
    /// cancelled.
    pub(crate) fn bench_exam(
        &self,
        request: &ExamBenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<ExamTable> {
        let (about, all) = self.exam_questions(&request.exam)?;
        if request.sample.is_some_and(|sample| sample.each == 0) {
            return Err(Failure::invalid(
                "A sample of no question measures nothing.",
                "Draw at least one question of each subject.",
            ));
        }
        let (systems, mut missing) = self.systems(None, &request.systems)?;
        each_alone(&systems)?;
        among(&systems, request.baseline.as_deref())?;
        let questions = drawn(&all, request.sample);
        let items = items(&questions);
        let corpus = self.bench_corpus()?;
        // Counting needs texts to count: without documents those of the exam itself, whatever is right in it.
        let own = corpus.is_empty();
        let in_documents = known(&questions, &corpus);
        let corpus = if own { texts(&all) } else { corpus };
        let asked = Questions::Others(&items);
        let measured = self.all_measured(
            &systems,
            asked,
            (&corpus, &request.agreed),
            &mut missing,
            watcher,
        )?;
        let asked = Asked {
            about: &about,
            questions: &questions,
            clusters: &items.iter().map(|i| i.cluster as usize).collect::<Vec<_>>(),
            sample: request.sample,
            counted_on_itself: own,
            in_documents,
        };
        table(&asked, &measured, missing, request.baseline.as_deref())
    }
}

impl Evaluations<'_> {
    /// The prompts that would be sent to the endpoints among these systems: one plan for each endpoint. This function
    /// itself sends nothing.
    ///
    /// # Errors
    /// When there is no such exam, or a name belongs to no system.
    pub(crate) fn plan_exam_asking(&self, request: &ExamBenchRequest) -> Result<Vec<AskPlan>> {
        if !asks(&request.systems) {
            return Ok(Vec::new());
        }
        let items = self.drawn_of_exam(request)?;
        let (systems, _) = self.systems(None, &request.systems)?;
        self.asking_plans(&systems, Questions::Others(&items))
    }

    /// The questions that a bench on an exam asks.
    pub(super) fn drawn_of_exam(&self, request: &ExamBenchRequest) -> Result<Vec<FrozenItem>> {
        let (_, all) = self.exam_questions(&request.exam)?;
        Ok(items(&drawn(&all, request.sample)))
    }
}

/// All questions, or the sample of each subject, in the exam's order. The sample depends only on the seed and on the
/// questions' words.
fn drawn(all: &[ExamQuestion], sample: Option<ExamSample>) -> Vec<&ExamQuestion> {
    let Some(sample) = sample else {
        return all.iter().collect();
    };
    let mut by_subject: BTreeMap<&str, Vec<(Vec<u8>, usize)>> = BTreeMap::new();
    for (place, question) in all.iter().enumerate() {
        let said = serde_json::json!([sample.seed, question.question, question.choices]);
        let lot = Sha256::digest(said.to_string()).to_vec();
        let of = by_subject.entry(question.subject.as_str()).or_default();
        of.push((lot, place));
    }
    let mut places: Vec<usize> = by_subject
        .into_values()
        .flat_map(|mut lots| {
            lots.sort_unstable();
            lots.truncate(sample.each);
            lots.into_iter().map(|(_, place)| place)
        })
        .collect();
    places.sort_unstable();
    places.into_iter().map(|place| &all[place]).collect()
}

/// The questions as the bench asks them, numbered from 1; those with one wording are one cluster.
fn items(questions: &[&ExamQuestion]) -> Vec<FrozenItem> {
    let mut clusters: HashMap<String, i64> = HashMap::new();
    (1..)
        .zip(questions)
        .map(|(id, question)| {
            let next = clusters.len() as i64;
            let cluster = *clusters.entry(letters(&question.question)).or_insert(next);
            let draft = QcaDraft {
                question: question.question.clone(),
                choices: question.choices.clone(),
                answer: question.answers.first().copied().unwrap_or_default(),
                ..QcaDraft::new(
                    QcaLevel::Sentence,
                    QuestionType::Statement,
                    SentenceId(id),
                    QuestionSource::Llm,
                )
            };
            FrozenItem {
                question: Qca::unreviewed(QcaId(id), draft, Split::Test),
                cluster,
                answer_group: id,
            }
        })
        .collect()
}

fn texts(questions: &[ExamQuestion]) -> Vec<String> {
    let of = |q: &ExamQuestion| {
        let mut all = vec![q.question.clone()];
        all.extend(q.choices.iter().cloned());
        all
    };
    questions.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exam() -> Vec<ExamQuestion> {
        (0..30)
            .map(|i| ExamQuestion {
                question: format!("Who approves {}?", i / 2),
                choices: vec![format!("the board {i}"), "the clerk".to_owned()],
                answers: vec![0],
                subject: if i < 25 { "law" } else { "tax" }.to_owned(),
                kind: String::new(),
            })
            .collect()
    }

    #[test]
    fn a_sample_has_so_many_of_each_subject_and_goes_by_its_seed() {
        let all = exam();
        let sample = |each, seed| drawn(&all, Some(ExamSample { each, seed }));
        let of = |questions: &[&ExamQuestion], subject: &str| {
            questions.iter().filter(|q| q.subject == subject).count()
        };
        let one = sample(10, 1);
        assert_eq!((of(&one, "law"), of(&one, "tax")), (10, 5));
        assert_eq!(sample(10, 1), one);
        assert_ne!(sample(10, 2), one);
        // A larger sample with the same seed contains the smaller one.
        let larger = sample(12, 1);
        assert!(one.iter().all(|question| larger.contains(question)));
        assert_eq!(drawn(&all, None).len(), 30);
    }

    #[test]
    fn questions_with_one_wording_are_one_cluster() {
        let all = exam();
        let items = items(&drawn(&all, None));
        let clusters: Vec<i64> = items.iter().map(|i| i.cluster).collect();
        assert_eq!(clusters[..5], [0, 0, 1, 1, 2]);
        assert_eq!(items[29].question.id, QcaId(30));
    }
}
