//! Systems on exams for which no system was trained: pairs of texts, scored similarity, texts with a class. The cosines
//! of a system's vectors are its answers.

use super::asked_vectors::{check_prompt, readable};
use super::counted::{Method, pace as counted_pace};
use super::course::{Course, Open, Stand};
use super::exam::ExamBenchRequest;
use super::lines::key;
use super::measured::among;
use super::systems::{Prompt, System};
use super::task::{Given, Task};
use super::task_table::table;
use crate::evaluation::Evaluations;
use crate::evaluation::texts::dot;
use crate::models::{BaseModel, LSA_DIM};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_domain::api::{BenchMissing, TaskTable};
use lexforge_domain::exam::{ClassedText, ExamKind, ExamPair};
use lexforge_domain::protocol::TextSide;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::bm25::Bm25;
use lexforge_graph::lsa;
use lexforge_graph::tfidf::{SparseVector, TfIdf};
use std::path::Path;

/// What a model is asked of an exam, with the values that are stored.
struct WantedOfTask {
    /// The very model that was looked at.
    base: BaseModel,
    prompt: Prompt,
    kind: ExamKind,
    /// The items that it can read.
    read: Vec<usize>,
    /// The name under which its values are stored.
    system: String,
    /// The hash of each item.
    hashes: Vec<String>,
    /// If the values of all items are stored: the values, and how many texts are too long for the system.
    known: Option<(Vec<f64>, u64)>,
}

impl WantedOfTask {
    /// The name under which its pace is kept.
    fn pace(&self) -> String {
        let model = key(&self.base, None, self.prompt);
        format!("{model} exam {}", self.kind.tag())
    }

    fn stand(&self) -> Stand {
        let n = self.read.len();
        match self.known {
            Some(_) => Stand::of(Open::at_once(self.pace(), 0), n),
            None => Stand::anew(self.pace(), n),
        }
    }
}

fn without_vectors(name: &str) -> Failure {
    Failure::invalid(
        format!("{name} gives no vectors, by which this exam is measured."),
        "Put a model of this machine on the bench.",
    )
}

fn without_centroids() -> Failure {
    Failure::invalid(
        "bm25 has no vectors, of which a centroid could be made.",
        "Leave it out of this exam.",
    )
}

impl Evaluations<'_> {
    /// Measures every system on an exam of pairs, of similarity or of texts with a class. A system that cannot be
    /// measured is listed with the reason, and the other systems are measured nevertheless.
    ///
    /// # Errors
    /// When there is no such exam, it holds questions or terms or too few items, a sample is requested, a name belongs
    /// to no system, the baseline is not among the systems, or the caller cancelled.
    pub(crate) fn bench_task(
        &self,
        request: &ExamBenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<TaskTable> {
        if request.sample.is_some() {
            return Err(Failure::invalid(
                "A sample is drawn of questions with choices alone.",
                "Measure the whole exam.",
            ));
        }
        let task = self.task(&request.exam)?;
        task.check()?;
        let (systems, mut missing) = self.systems(None, &request.systems)?;
        among(&systems, request.baseline.as_deref())?;
        let corpus = self.bench_corpus()?;
        // The systems that count words need texts. Without documents, the exam's own texts are used.
        let own = corpus.is_empty();
        let corpus: Vec<&str> = if own {
            task.texts.iter().map(|(_, text)| text.as_str()).collect()
        } else {
            corpus.iter().map(String::as_str).collect()
        };
        let count = systems.len() as u64;
        let stand = |system: &System| self.stand_on(system, &task, corpus.len());
        let course = &Course::of_systems(watcher, &systems, stand);
        let mut measured: Vec<(String, Given)> = Vec::new();
        for (done, system) in (0..).zip(&systems) {
            let name = system.name();
            course.begin(&name, (done, count));
            let given = self
                .given_by(system, &task, &corpus, course)
                .and_then(|given| task.usable(&name, given));
            course.end();
            match given {
                Ok(given) => measured.push((name, given)),
                Err(failure) if failure.code == Code::Cancelled => return Err(failure),
                Err(failure) => missing.push(BenchMissing {
                    system: name,
                    failure,
                }),
            }
        }
        course.scored_all(count);
        let baseline = request.baseline.as_deref();
        Ok(table(&task, &measured, missing, baseline, own))
    }

    fn task(&self, name: &str) -> Result<Task> {
        match self.exam_kind(name)? {
            ExamKind::Classes => {
                let (row, items) = self.exam_items::<ClassedText>(name, ExamKind::Classes)?;
                Ok(Task::of_classes(row, items))
            }
            // For another kind of exam the failure names what the exam contains.
            kind => {
                let kind = match kind {
                    ExamKind::Similarity => kind,
                    _ => ExamKind::Pairs,
                };
                let (row, items) = self.exam_items::<ExamPair>(name, kind)?;
                Ok(Task::of_pairs(row, items))
            }
        }
    }

    fn given_by(
        &self,
        system: &System,
        task: &Task,
        corpus: &[&str],
        course: &Course<'_>,
    ) -> Result<Given> {
        match system {
            System::Counted(method) => {
                let pace = counted_pace(*method, corpus.len());
                let n = task.gold.len() as u64;
                course.part(&pace, n, |_| counted(*method, task, corpus))
            }
            System::Model { base, prompt } => {
                let base = self.model(base)?;
                self.by_vectors(&base, None, *prompt, task, course)
            }
            System::Run(run) => {
                let (base, adapter) = self.tuned(*run)?;
                self.by_vectors(&base, Some(&adapter), Prompt::None, task, course)
            }
            System::Checkpoint(run, name) => {
                let (base, adapter) = self.tuned_until(*run, name)?;
                self.by_vectors(&base, Some(&adapter), Prompt::None, task, course)
            }
            System::Runs(runs) => {
                self.one_recipe(runs)?;
                let mut all = Given::default();
                for run in runs {
                    let (base, adapter) = self.tuned(*run)?;
                    let one = self.by_vectors(&base, Some(&adapter), Prompt::None, task, course)?;
                    // The runs have the same base model, so all read the same texts.
                    all.read = one.read;
                    all.cut = one.cut;
                    all.runs.extend(one.runs);
                }
                Ok(all)
            }
            System::Endpoint(name) => Err(without_vectors(name)),
        }
    }

    /// What each system has to score on an exam that is measured by vectors.
    ///
    /// # Errors
    /// When there is no such exam.
    pub(super) fn stands_on_task(
        &self,
        exam: &str,
        systems: &[System],
    ) -> Result<Vec<(String, Result<Stand>)>> {
        let task = self.task(exam)?;
        let corpus = match self.bench_corpus()?.len() {
            0 => task.texts.len(),
            n => n,
        };
        let of = |system: &System| (system.name(), self.stand_on(system, &task, corpus));
        Ok(systems.iter().map(of).collect())
    }

    fn stand_on(&self, system: &System, task: &Task, corpus: usize) -> Result<Stand> {
        let of = |base: &BaseModel, adapter: Option<&Path>, prompt| -> Result<Stand> {
            let wanted = self.wanted_of(base, adapter, prompt, task)?;
            Ok(wanted.stand())
        };
        match system {
            System::Counted(Method::Bm25) if task.row.kind == ExamKind::Classes => {
                Err(without_centroids())
            }
            System::Counted(method) => {
                let pace = counted_pace(*method, corpus);
                Ok(Stand::anew(pace, task.gold.len()))
            }
            System::Model { base, prompt } => of(&self.model(base)?, None, *prompt),
            System::Run(run) => {
                let (base, adapter) = self.tuned(*run)?;
                of(&base, Some(&adapter), Prompt::None)
            }
            System::Checkpoint(run, name) => {
                let (base, adapter) = self.tuned_until(*run, name)?;
                of(&base, Some(&adapter), Prompt::None)
            }
            System::Runs(runs) => {
                self.one_recipe(runs)?;
                let mut all = Stand::default();
                for run in runs {
                    let (base, adapter) = self.tuned(*run)?;
                    all.take_in(of(&base, Some(&adapter), Prompt::None)?);
                }
                Ok(all)
            }
            System::Endpoint(name) => Err(without_vectors(name)),
        }
    }

    /// The values that a model gives for the items that it can read: stored ones, or computed now.
    fn by_vectors(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
        task: &Task,
        course: &Course<'_>,
    ) -> Result<Given> {
        let wanted = self.wanted_of(base, adapter, prompt, task)?;
        let pace = wanted.pace();
        let WantedOfTask {
            base,
            read,
            system,
            hashes,
            known,
            ..
        } = wanted;
        let (values, cut) = match known {
            Some(known) => known,
            None => {
                let (values, cut) = course.part(&pace, read.len() as u64, |watcher| {
                    self.values(&base, adapter, prompt, task, &read, watcher)
                })?;
                let mut rows: Vec<(String, String)> = hashes
                    .into_iter()
                    .zip(&values)
                    .map(|(hash, value)| (hash, value.to_string()))
                    .collect();
                rows.push((task.hash_of_cut(), cut.to_string()));
                self.workspace.store.write(&self.workspace.actor, |w| {
                    w.put_bench_scores(&system, &rows)
                })?;
                (values, cut)
            }
        };
        Ok(Given {
            read,
            runs: vec![values],
            cut,
        })
    }

    /// The items that a model can read, and its stored values, if all of them are stored.
    fn wanted_of(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
        task: &Task,
    ) -> Result<WantedOfTask> {
        let languages = task.languages();
        let texts: Vec<(Language, &str)> = languages
            .iter()
            .enumerate()
            .map(|(place, language)| (*language, task.first_text(place)))
            .collect();
        let (model, read) = readable(base, &texts)?;
        check_prompt(base, &model, prompt)?;
        if read.is_empty() {
            return Err(Failure::new(
                Code::LanguageUnsupported,
                format!("{} cannot read any text of the exam.", base.name),
                "Put a model on the bench that reads their language.",
            ));
        }
        // The very model that was looked at.
        let base = BaseModel {
            sha256: model.sha256.clone(),
            ..base.clone()
        };
        let system = format!("{} task", key(&base, adapter, prompt));
        let hashes: Vec<String> = read.iter().map(|place| task.hash_of(*place)).collect();
        let kept = self.workspace.store.read(|r| r.bench_scores(&system))?;
        let known: Option<Vec<f64>> = hashes
            .iter()
            .map(|hash| kept.get(hash)?.parse().ok())
            .collect();
        let cut = kept.get(&task.hash_of_cut());
        let cut: Option<u64> = cut.and_then(|cut| cut.parse().ok());
        Ok(WantedOfTask {
            known: known.zip(cut),
            kind: task.row.kind,
            prompt,
            base,
            read,
            system,
            hashes,
        })
    }

    /// What its vectors give, and how many texts were cut since they are longer than it reads.
    fn values(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
        task: &Task,
        read: &[usize],
        watcher: &dyn Watcher,
    ) -> Result<(Vec<f64>, u64)> {
        let texts: Vec<(TextSide, &str)> = task
            .texts
            .iter()
            .map(|(side, text)| (*side, text.as_str()))
            .collect();
        let (vectors, embedded) = self.vectors_of(&texts, base, adapter, prompt, watcher)?;
        let values = task.values(read, |a, b| dot(vectors.row(a), vectors.row(b)))?;
        Ok((values, embedded.truncated))
    }
}

/// The values of a system that counts words, fitted to the corpus.
fn counted(method: Method, task: &Task, corpus: &[&str]) -> Result<Given> {
    let texts: Vec<&str> = task.texts.iter().map(|(_, text)| text.as_str()).collect();
    let read: Vec<usize> = (0..task.gold.len()).collect();
    let values = match method {
        Method::TfIdf => {
            let model = TfIdf::fit(corpus);
            let vectors: Vec<SparseVector> = texts.iter().map(|t| model.vector(t)).collect();
            task.values(&read, |a, b| f64::from(vectors[a].cosine(&vectors[b])))?
        }
        Method::Lsa => {
            let (basis, _) = lsa::fitted(corpus, LSA_DIM, DEFAULT_SEED);
            let vectors = basis.vectors(&texts);
            task.values(&read, |a, b| dot(vectors.row(a), vectors.row(b)))?
        }
        Method::Bm25 if task.row.kind == ExamKind::Classes => {
            return Err(without_centroids());
        }
        Method::Bm25 => {
            let model = Bm25::fit(corpus.iter().copied());
            task.values(&read, |a, b| model.score(texts[a], texts[b]))?
        }
    };
    Ok(Given {
        read,
        runs: vec![values],
        cut: 0,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
