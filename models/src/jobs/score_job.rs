//! The score job: what a decoder thinks of the choices of questions, by every scorer (docs/methods.md, "Evaluation").

use crate::adapters::adapter::{Adapter, Sidecar};
use crate::architectures::decoder::Attention;
use crate::architectures::packing::{by_length, within_budget};
use crate::architectures::vectors::TextVectors;
use crate::data::{Records, write_lines};
use crate::decoding::generate::{Written, greedy_each};
use crate::decoding::language::LanguageModel;
use crate::decoding::named_choice::named_choice;
use crate::decoding::score::{Answers, ChoiceScore, NO_QUESTION};
use crate::device;
use crate::folder::ModelFolders;
use crate::jobs::attempt::Outcome;
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::jobs::progress::Progress;
use crate::losses::sft::Form;
use crate::platform::peak_resident_mb;
use crate::texts::reading;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    JobResult, ScoreItem, ScoreJob, ScoreLine, ScoreResult, TextReading, WrittenAnswer,
};
use std::collections::BTreeMap;
use std::time::Instant;
use tch::Device;

/// Tokens of a batch: large enough for full matrix products, small enough for the caches.
const BATCH_TOKENS: usize = 2048;
/// Tokens of a batch on a GPU.
const GPU_BATCH_TOKENS: usize = 16_384;
/// Questions whose texts are held as tokens at a time.
const BLOCK: usize = 512;
/// Tokens that a written answer may have beyond its longest choice: an opening like "The answer is".
const LEEWAY: usize = 8;
/// Why a question without usable choices cannot be scored, after its number.
const UNUSABLE: &str = "has no choices, or an empty one";

/// Runs a score job.
///
/// # Errors
/// If the model is not a decoder, the adapter belongs to another base, an input is not valid, or the output cannot
/// be written.
pub fn score(
    bundle: &HeldBundle,
    job: &ScoreJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
) -> Result<Outcome> {
    let began = Instant::now();
    let device = device::device();
    let input = bundle.path(&job.input)?;
    let items: Vec<ScoreItem> = Records::<ScoreItem>::open(&input)?.collect::<Result<_>>()?;
    for item in &items {
        if item.choices.is_empty() || item.choices.iter().any(|choice| choice.trim().is_empty()) {
            return Err(Error::told(
                Code::InvalidRequest,
                format!("Question {} {UNUSABLE}.", item.id),
                "Remove the question or write its choices.",
            ));
        }
    }
    let folder = folders.find(&job.model)?;
    // The small files first: a wrong adapter should not cost the loading of a large model.
    let adapter = match &job.adapter {
        Some(name) => {
            let adapter = Adapter::read(&bundle.path(name)?)?;
            adapter.check_base(&job.model.name, &folder)?;
            Some(adapter)
        }
        None => None,
    };
    let mut model = LanguageModel::open_for(&folder, job.precision, device)?;
    if let Some(adapter) = &adapter {
        adapter.merge_into(&mut model.decoder.linears())?;
    }
    let passes = 1 + u64::from(job.generate) + u64::from(job.open) + u64::from(job.embed);
    let mut run = Run {
        model: &model,
        reading: match job.embed {
            true => reading::with_adapter(reading::of_folder(&folder)?, adapter.as_ref()),
            false => TextReading::default(),
        },
        job,
        events,
        control,
        budget: if device == Device::Cpu {
            BATCH_TOKENS
        } else {
            GPU_BATCH_TOKENS
        },
        progress: Progress::new(events, began),
        of: items.len() as u64 * passes,
        done: 0,
        tokens: 0,
    };
    let sidecar = adapter.as_ref().and_then(Adapter::sidecar);
    let Some(lines) = run.all(&items, sidecar)? else {
        return Ok(Outcome::Stopped { step: run.done });
    };
    write_lines(&bundle.path(&job.output)?, &lines)?;
    let unparseable = |line: &&ScoreLine| {
        line.written
            .as_ref()
            .is_some_and(|written| written.choice.is_none())
    };
    Ok(Outcome::Finished(JobResult::Score(ScoreResult {
        output: job.output.clone(),
        rows: lines.len() as u64,
        too_long: lines.iter().filter(|line| line.too_long).count() as u64,
        unparseable: lines.iter().filter(unparseable).count() as u64,
        peak_memory_mb: peak_resident_mb(),
        seconds: began.elapsed().as_secs_f64(),
    })))
}

struct Run<'a> {
    model: &'a LanguageModel,
    /// How texts become vectors.
    reading: TextReading,
    job: &'a ScoreJob,
    events: &'a EventLog,
    control: &'a ControlFile,
    /// Tokens of a batch.
    budget: usize,
    progress: Progress<'a>,
    /// Units of work: a question in one pass.
    of: u64,
    done: u64,
    tokens: u64,
}

/// How long a written answer to a question may be.
type Limits = BTreeMap<usize, usize>;

impl Run<'_> {
    /// The line of every question; `None` if the user stopped the job.
    fn all(
        &mut self,
        items: &[ScoreItem],
        sidecar: Option<&Sidecar>,
    ) -> Result<Option<Vec<ScoreLine>>> {
        let mut lines: Vec<ScoreLine> = items
            .iter()
            .map(|item| ScoreLine {
                id: item.id,
                ..ScoreLine::default()
            })
            .collect();
        let mut limits = Limits::new();
        for (block, (items, lines)) in items.chunks(BLOCK).zip(lines.chunks_mut(BLOCK)).enumerate()
        {
            if !self.likelihoods(block * BLOCK, items, lines, &mut limits)? {
                return Ok(None);
            }
        }
        for (asked, form) in [
            (self.job.generate, Form::Choices),
            (self.job.open, Form::Open),
        ] {
            if asked && !self.written(items, &mut lines, &limits, form)? {
                return Ok(None);
            }
        }
        if self.job.embed && !self.cosines(items, &mut lines, sidecar)? {
            return Ok(None);
        }
        Ok(Some(lines))
    }

    /// Whether the user lets the job go on.
    fn may_go_on(&self) -> Result<bool> {
        Ok(self.control.wish(self.events, self.done)? != Wish::Stop)
    }

    /// Likelihood with the question, without it, and of the choices alone.
    fn likelihoods(
        &mut self,
        first: usize,
        items: &[ScoreItem],
        lines: &mut [ScoreLine],
        limits: &mut Limits,
    ) -> Result<bool> {
        let language = &self.model.language;
        let positions = self.model.decoder.config().positions as usize;
        let mut groups: Vec<(usize, Answers)> = Vec::with_capacity(3 * items.len());
        for (index, item) in items.iter().enumerate() {
            let choices: Vec<&str> = item.choices.iter().map(String::as_str).collect();
            let asked = language.asked(&item.question, &choices)?;
            let (alone, unasked) = (
                language.choices_alone(&choices)?,
                language.answers(NO_QUESTION, &choices)?,
            );
            if [&asked, &alone, &unasked]
                .iter()
                .any(|answers| answers.longest() > positions)
            {
                lines[index].too_long = true;
                self.done += 1;
                continue;
            }
            limits.insert(
                first + index,
                self.job.max_new_tokens.min(asked.longest_answer() + LEEWAY),
            );
            groups.extend([asked, alone, unasked].map(|answers| (index, answers)));
        }
        let lengths: Vec<usize> = groups.iter().map(|(_, answers)| answers.tokens()).collect();
        let mut logs: Vec<Vec<f64>> = vec![Vec::new(); groups.len()];
        let mut thirds = 0;
        for batch in within_budget(&by_length(&lengths), &lengths, self.budget) {
            if !self.may_go_on()? {
                return Ok(false);
            }
            let answers: Vec<&Answers> = batch.iter().map(|&i| &groups[i].1).collect();
            for (&group, sums) in batch.iter().zip(self.model.answer_logs(&answers)?) {
                logs[group] = sums;
            }
            thirds += batch.len() as u64;
            let tokens = batch.iter().map(|&i| lengths[i] as u64).sum();
            self.report(thirds / 3, tokens)?;
            thirds %= 3;
        }
        for (three, logs) in groups.chunks(3).zip(logs.chunks(3)) {
            let index = three[0].0;
            let choices: Vec<&str> = items[index].choices.iter().map(String::as_str).collect();
            let line = &mut lines[index];
            for score in ChoiceScore::of(&choices, &logs[0], &logs[2]) {
                line.likelihood.push(score.likelihood);
                line.per_byte.push(score.per_byte);
                line.pmi.push(score.pmi);
            }
            line.choices_only.clone_from(&logs[1]);
        }
        Ok(true)
    }

    /// The model's answer to a question in a given form.
    fn written(
        &mut self,
        items: &[ScoreItem],
        lines: &mut [ScoreLine],
        limits: &Limits,
        form: Form,
    ) -> Result<bool> {
        let language = &self.model.language;
        let mut prompts: Vec<(usize, Vec<u32>, usize)> = Vec::with_capacity(limits.len());
        for (&index, &most) in limits {
            let choices: Vec<&str> = items[index].choices.iter().map(String::as_str).collect();
            prompts.push((
                index,
                language.question_tokens(&items[index].question, &choices, form)?,
                most,
            ));
        }
        self.report((items.len() - prompts.len()) as u64, 0)?;
        // The space for the answers counts as if it were read.
        let lengths: Vec<usize> = prompts
            .iter()
            .map(|(_, ids, most)| ids.len() + most)
            .collect();
        for batch in within_budget(&by_length(&lengths), &lengths, 2 * self.budget) {
            if !self.may_go_on()? {
                return Ok(false);
            }
            let asked: Vec<(&[u32], usize)> = batch
                .iter()
                .map(|&i| (prompts[i].1.as_slice(), prompts[i].2))
                .collect();
            let answers = greedy_each(self.model.decoder.as_ref(), &asked, language.ends())?;
            let mut tokens = 0;
            for (&i, Written { ids, ended }) in batch.iter().zip(answers) {
                tokens += (prompts[i].1.len() + ids.len()) as u64;
                let item = &items[prompts[i].0];
                let choices: Vec<&str> = item.choices.iter().map(String::as_str).collect();
                let text = language.decode(&ids)?.trim().to_owned();
                let choice = named_choice(&text, &choices);
                let line = &mut lines[prompts[i].0];
                let answer = match form {
                    Form::Choices => &mut line.written,
                    Form::Open => &mut line.open,
                };
                *answer = Some(WrittenAnswer {
                    text,
                    choice,
                    ended,
                });
            }
            self.report(batch.len() as u64, tokens)?;
        }
        Ok(true)
    }

    /// Cosines of question and choices. With an adapter, texts are read as in its training; without one, with the
    /// pooling and the attention of the model's folder.
    fn cosines(
        &mut self,
        items: &[ScoreItem],
        lines: &mut [ScoreLine],
        sidecar: Option<&Sidecar>,
    ) -> Result<bool> {
        let mut texts = TextVectors::new(
            self.model,
            self.reading.pooling,
            sidecar.map_or("", |sidecar| sidecar.instruction.as_str()),
            self.model.decoder.config().positions as usize,
            true,
            Attention::of(self.reading.causal),
        );
        let mut places: Vec<Option<(usize, Vec<usize>)>> = Vec::with_capacity(items.len());
        for (item, line) in items.iter().zip(lines.iter()) {
            places.push(match line.too_long {
                true => None,
                false => Some((
                    texts.add(true, &item.question)?,
                    item.choices
                        .iter()
                        .map(|choice| texts.add(false, choice))
                        .collect::<Result<_>>()?,
                )),
            });
        }
        let (count, mut finished, mut told) = (texts.len().max(1) as u64, 0, 0);
        for batch in texts.batches(self.budget) {
            if !self.may_go_on()? {
                return Ok(false);
            }
            let tokens = texts.compute(&batch)?;
            finished += batch.len() as u64;
            // Questions share texts. So the progress is the finished share of the texts, counted in questions.
            let now = finished * items.len() as u64 / count;
            self.report(now - told, tokens)?;
            told = now;
        }
        for (line, place) in lines.iter_mut().zip(places) {
            if let Some((question, choices)) = place {
                line.cosine = choices
                    .iter()
                    .map(|&choice| texts.cosine(question, choice))
                    .collect();
            }
        }
        Ok(true)
    }

    fn report(&mut self, units: u64, tokens: u64) -> Result<()> {
        self.done += units;
        self.tokens += tokens;
        let tokens = Some(self.tokens);
        self.progress.tell("score", self.done, self.of, tokens)
    }
}
