//! A language model behind an endpoint that judges the answers that systems wrote. It gives five marks for each answer.
//! It also compares the answers of two systems, which it sees in both orders. It is asked like every model: with
//! consent, through the ledger, and nothing twice. So judging can stop at any moment and continue later.

use super::BenchRequest;
use super::experts::{Expert, Said, experts};
use super::judged::{Heard, Question, Writer, both, compared, marked};
use super::lines::Answers;
use super::systems::ENDPOINT;
use crate::asking::{
    Agreed, AskRequest, Asking, Judged as Counted, StoredAnswers, Target, add, agreed, plan_of,
    reasks,
};
use crate::evaluation::Evaluations;
use crate::evaluation::scorers::GENERATION;
use crate::workspace::{OpenWorkspace, Result, Watcher};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::endpoint::object::Unparseable;
use lexforge_augment::rubric::{Asked, RubricPrompter, read_better, read_marks};
use lexforge_augment::{AnswerText, Planned};
use lexforge_domain::api::{BenchJudge, BenchMissing, BenchTable, Progress};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, SentenceId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Something that the judge is to say.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Marks(Asked<'a>, &'a str),
    Better(Asked<'a>, [&'a str; 2]),
}

/// Everything that the judge should judge.
struct Material<'m> {
    questions: Vec<Question>,
    writers: Vec<Writer<'m>>,
    /// The place of the writer that the others are compared with.
    base: usize,
    experts: Vec<Expert>,
}

/// A judge that can be asked.
pub(super) struct Judge {
    target: Target,
    prompter: RubricPrompter,
}

/// The judge of a bench.
pub(super) enum TheJudge {
    /// The judge is asked what it has not judged yet.
    Asked(Box<Judge>, Option<Consent>),
    /// The judge is not asked. Only its stored answers count.
    Known(Box<Judge>),
    /// The judge's stored answers would count, but it is no longer known which model it was.
    Gone(BenchMissing),
}

/// Ends a measurement before a system is asked anything.
struct AsksNothing;

impl Watcher for AsksNothing {
    fn progress(&self, _: Progress) {}

    fn cancelled(&self) -> bool {
        true
    }
}

impl Evaluations<'_> {
    /// The prompts that a judge of this bench would get, and the endpoint they would go to. To know them, the systems
    /// are measured first and their results are stored. The judge itself is not asked.
    ///
    /// # Errors
    /// The errors of the bench; when the request names no judge, there is no such endpoint, or no system writes
    /// answers.
    pub fn plan_bench_judging(
        &self,
        request: &BenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<AskPlan> {
        let ask = request.judge.as_ref().ok_or_else(|| {
            Failure::invalid("No judge is named.", "Name the endpoint that is to judge.")
        })?;
        let judge = self.bench_judge(ask)?;
        let request = &self.put_together(request)?;
        let measured = self.bench_measured(request, watcher)?;
        let material = self.judged_material(&measured.systems, request)?;
        self.judging_plan(&judge, &material)
    }

    /// The prompts that a judge would get about systems that were measured before. No system is asked anything.
    ///
    /// # Errors
    /// As [`Evaluations::plan_bench_judging`]; also when a system has not answered all test questions yet.
    pub fn plan_judging_of_kept(&self, request: &BenchRequest) -> Result<AskPlan> {
        self.plan_bench_judging(request, &AsksNothing)
            .map_err(|failure| match failure.code {
                Code::Cancelled => Failure::new(
                    Code::StepMissing,
                    "Not all of these systems have answered the test questions of the newest snapshot yet.",
                    "Measure them first; a judge can look at what they wrote then.",
                ),
                _ => failure,
            })
    }

    /// Adds the judge's marks to each system, and the judge's preferences to the table. If an endpoint fails, it is
    /// listed as missing with the reason. The replies that it gave before still count.
    pub(super) fn add_judged(
        &self,
        table: &mut BenchTable,
        measured: &[(String, Answers)],
        (request, judge): (&BenchRequest, TheJudge),
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let (judge, asked) = match judge {
            TheJudge::Asked(judge, consent) => (judge, Some(consent)),
            TheJudge::Known(judge) => (judge, None),
            TheJudge::Gone(missing) => {
                table.missing.push(missing);
                return Ok(());
            }
        };
        let writes = measured.iter().any(|(_, answers)| answers.by.writes());
        if asked.is_none() && !writes {
            return Ok(());
        }
        let material = self.judged_material(measured, request)?;
        let mut report = BenchJudge {
            endpoint: judge.target.endpoint.name.clone(),
            model: judge.target.endpoint.model.clone(),
            host: judge.target.host.clone(),
            ..BenchJudge::default()
        };
        if let Some(consent) = asked {
            let plan = self.judging_plan(&judge, &material)?;
            let consent = agreed(&plan, consent.as_ref())?;
            let asked = self.ask_all(&judge, &material, &consent, &mut report, watcher);
            if let Err(failure) = asked {
                if failure.code == Code::Cancelled {
                    return Err(failure);
                }
                table.missing.push(missing(&report.endpoint, failure));
            }
        } else {
            let wanted = material.wanted();
            let open = judge.open(&wanted, self.workspace)?.len();
            report.asked.prompts = wanted.len() as u64;
            report.asked.from_cache = wanted.len().saturating_sub(open) as u64;
        }
        self.take(&judge, &material, table, report)
    }

    /// The judge of a request; one that is only to be quoted need not be there any more.
    pub(super) fn judge_of(&self, ask: &AskRequest, known: bool) -> Result<TheJudge> {
        match self.bench_judge(ask) {
            Ok(judge) if known => Ok(TheJudge::Known(Box::new(judge))),
            Ok(judge) => Ok(TheJudge::Asked(Box::new(judge), ask.consent.clone())),
            Err(failure) if known => Ok(TheJudge::Gone(missing(&ask.endpoint, failure))),
            Err(failure) => Err(failure),
        }
    }

    fn bench_judge(&self, ask: &AskRequest) -> Result<Judge> {
        let asking = Asking::of(self.workspace);
        let target = asking.asked_target(ask)?;
        let prompter = RubricPrompter {
            identity: target.identity.clone(),
            model: target.endpoint.model.clone(),
            max_tokens: target.endpoint.settings.max_tokens,
            reasks: reasks(ask.reasks),
            wordings: asking.wordings()?,
        };
        Ok(Judge { target, prompter })
    }

    fn judged_material<'m>(
        &self,
        measured: &'m [(String, Answers)],
        request: &BenchRequest,
    ) -> Result<Material<'m>> {
        let (mut questions, mut places) = (Vec::new(), HashMap::new());
        let mut writers = Vec::new();
        for (system, answers) in measured.iter().filter(|(_, answers)| answers.by.writes()) {
            let mut wrote = Vec::new();
            for (item, line) in answers.items.iter().zip(&answers.lines) {
                let draft = &item.question.draft;
                let place = *places.entry(item.question.id).or_insert_with(|| {
                    questions.push((draft.anchor_sentence, draft.question.clone(), item.cluster));
                    questions.len() - 1
                });
                let text = line.open.as_ref().map_or("", |w| w.text.trim());
                wrote.push((place, text));
            }
            writers.push(Writer { system, wrote });
        }
        if writers.is_empty() {
            return Err(Failure::invalid(
                "None of these systems writes answers, so that there is nothing to judge.",
                "Put a decoder on the bench, or leave the judge out.",
            ));
        }
        let named = |name: &str| writers.iter().position(|w| w.system == name);
        let first_base = || writers.iter().position(|w| w.system.starts_with("base "));
        let base = request.baseline.as_deref().and_then(named);
        Ok(Material {
            base: base.or_else(first_base).unwrap_or_default(),
            questions: self.with_rules(questions)?,
            writers,
            experts: experts(&self.workspace.store)?,
        })
    }

    fn with_rules(&self, questions: Vec<(SentenceId, String, i64)>) -> Result<Vec<Question>> {
        let ids: Vec<SentenceId> = questions.iter().map(|(id, _, _)| *id).collect();
        let (sentences, documents) = self
            .workspace
            .store
            .read(|r| Ok((r.sentences_by_ids(&ids)?, r.documents()?)))?;
        let spoken: HashMap<_, _> = documents.iter().map(|d| (d.id, d.language)).collect();
        let known: HashMap<_, _> = sentences.iter().map(|s| (s.id, s)).collect();
        let mut clusters: HashMap<i64, usize> = HashMap::new();
        let with_rule = |(id, text, cluster): (SentenceId, String, i64)| {
            let next = clusters.len();
            let sentence = known.get(&id);
            let whole = sentence.map(|s| s.complete.as_ref().unwrap_or(&s.text));
            let language = sentence.and_then(|s| spoken.get(&s.document));
            Question {
                sentences: vec![id],
                rule: whole.cloned().unwrap_or_default(),
                language: language.copied().unwrap_or(Language::Other),
                text,
                cluster: *clusters.entry(cluster).or_insert(next),
            }
        };
        Ok(questions.into_iter().map(with_rule).collect())
    }

    fn judging_plan(&self, judge: &Judge, material: &Material<'_>) -> Result<AskPlan> {
        let wanted = material.wanted();
        let open = judge.open(&wanted, self.workspace)?;
        let open: Vec<&Planned> = open.iter().collect();
        let answered = (wanted.len() - open.len().min(wanted.len())) as u64;
        plan_of(self.workspace, &judge.target, &open, answered)
    }

    /// Asks the judge until every answer can be used or was given up. A repeated request is about the same sentences,
    /// so the consent to the first prompts covers it.
    fn ask_all(
        &self,
        judge: &Judge,
        material: &Material<'_>,
        consent: &Consent,
        report: &mut BenchJudge,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let asking = Asking::of(self.workspace);
        let wanted = material.wanted();
        let mut asked: HashSet<PromptKey> = HashSet::new();
        let mut known = None;
        loop {
            let mut open = judge.open(&wanted, self.workspace)?;
            open.retain(|planned| asked.insert(planned.key));
            known.get_or_insert(wanted.len() - open.len().min(wanted.len()));
            report.asked.prompts = wanted.len() as u64;
            report.asked.from_cache = known.unwrap_or_default() as u64;
            if open.is_empty() {
                return Ok(());
            }
            let all: Vec<&Planned> = open.iter().collect();
            let plan = plan_of(self.workspace, &judge.target, &all, 0)?;
            let made = serde_json::json!({
                "identity": judge.prompter.identity,
                "model": judge.prompter.model,
                "wordings": judge.prompter.wordings.own_hashes(),
            });
            let agreed = Agreed {
                purpose: "judge",
                plan: &plan,
                consent,
                made: ("bench", made),
            };
            let judged = |_: usize, answer: &AnswerText| -> Counted {
                match (read_marks(answer), read_better(answer)) {
                    (Err(why), Err(_)) => (0, BTreeMap::from([(why.tag().to_owned(), 1)])),
                    _ => (1, BTreeMap::new()),
                }
            };
            let prompts = open.iter().map(|p| (p.key, p.prompt.clone())).collect();
            let done = asking.ask_agreed(&judge.target, &agreed, prompts, &judged, watcher)?;
            let counts = self.workspace.store.read(|r| r.asking_counts(done))?;
            add(&mut report.asked, counts);
        }
    }

    /// The figures of what the judge said.
    fn take(
        &self,
        judge: &Judge,
        material: &Material<'_>,
        table: &mut BenchTable,
        mut report: BenchJudge,
    ) -> Result<()> {
        let stored = StoredAnswers::of(self.workspace);
        let answers = |key: &PromptKey| stored.get(key);
        let mut unparseable: BTreeMap<String, u64> = BTreeMap::new();
        let mut unreadable = |why: Unparseable| {
            *unparseable.entry(why.tag().to_owned()).or_default() += 1;
        };
        let mut heard = Heard {
            prompter: &judge.prompter,
            answers: &answers,
            unreadable: &mut unreadable,
        };
        for writer in &material.writers {
            let figures = marked(&material.questions, writer, &mut heard);
            let mut rows = table.systems.iter_mut();
            let row = rows.find(|r| r.system == writer.system && r.scorer == GENERATION);
            if let Some(written) = row.and_then(|row| row.written.as_mut()) {
                written.judged = Some(figures);
            }
        }
        let base = &material.writers[material.base];
        for (_, other) in material.others() {
            report
                .pairs
                .push(compared(&material.questions, other, base, &mut heard));
        }
        let (preferences, verdicts): (Vec<&Expert>, Vec<&Expert>) = material
            .experts
            .iter()
            .partition(|expert| matches!(expert.said, Said::Better(..)));
        report.preferences = heard.agreement(&preferences);
        report.verdicts = heard.agreement(&verdicts);
        report.asked.unparseable = unparseable;
        if report.preferences.is_none() && report.verdicts.is_none() {
            table.notes.push(
                "The judge is not compared with experts: nobody has said yet what they think of an answer."
                    .to_owned(),
            );
        }
        let own = |writer: &Writer<'_>| {
            writer.system.strip_prefix(ENDPOINT) == Some(judge.target.endpoint.name.as_str())
        };
        if material.writers.iter().any(own) {
            table.notes.push(format!(
                "{} judges its own answers too: models tend to prefer what they would write themselves.",
                report.endpoint
            ));
        }
        table.judge = Some(report);
        stored.all_read()
    }
}

impl<'m> Material<'m> {
    fn others(&self) -> impl Iterator<Item = (usize, &Writer<'m>)> {
        let writers = self.writers.iter().enumerate();
        writers.filter(move |(place, _)| *place != self.base)
    }

    /// All judgements that are needed.
    fn wanted(&self) -> Vec<Wanted<'_>> {
        let mut wanted = Vec::new();
        for writer in &self.writers {
            for (place, text) in &writer.wrote {
                let question = &self.questions[*place];
                if !text.is_empty() && !question.rule.is_empty() {
                    wanted.push(Wanted::Marks(question.asked(), text));
                }
            }
        }
        for (_, other) in self.others() {
            for (question, [one, two]) in both(&self.questions, other, &self.writers[self.base]) {
                if shown(question, [one, two]) {
                    wanted.push(Wanted::Better(question.asked(), [one, two]));
                    wanted.push(Wanted::Better(question.asked(), [two, one]));
                }
            }
        }
        for expert in self.experts.iter().filter(|expert| expert.can_be_shown()) {
            match &expert.said {
                Said::Better([one, two], _) => {
                    wanted.push(Wanted::Better(expert.asked(), [one, two]));
                    wanted.push(Wanted::Better(expert.asked(), [two, one]));
                }
                Said::Right(text, _) => wanted.push(Wanted::Marks(expert.asked(), text)),
            }
        }
        wanted
    }
}

fn missing(endpoint: &str, failure: Failure) -> BenchMissing {
    BenchMissing {
        system: format!("judge {endpoint}"),
        failure,
    }
}

/// Whether two answers are shown to the judge: neither is empty, and they differ.
fn shown(question: &Question, [one, two]: [&str; 2]) -> bool {
    !question.rule.is_empty() && !one.is_empty() && !two.is_empty() && one != two
}

impl Judge {
    /// The prompts that are to be asked next, each once.
    fn open(&self, wanted: &[Wanted<'_>], workspace: &OpenWorkspace) -> Result<Vec<Planned>> {
        let stored = StoredAnswers::of(workspace);
        let answers = |key: &PromptKey| stored.get(key);
        let mut seen = HashSet::new();
        let open = wanted.iter().filter_map(|one| match one {
            Wanted::Marks(asked, text) => self
                .prompter
                .marks(*asked, text, &answers, &mut |_| ())
                .open(),
            Wanted::Better(asked, pair) => self
                .prompter
                .better(*asked, *pair, &answers, &mut |_| ())
                .open(),
        });
        let open = open.filter(|planned| seen.insert(planned.key)).collect();
        stored.all_read()?;
        Ok(open)
    }
}
