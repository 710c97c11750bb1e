//! Estimates the cost of a run from a sample of answers. The answers are stored, so the run does not ask for them
//! again.

use super::Writing;
use super::anchors::{Anchors, Place};
use super::open::Prompts;
use crate::asking::{AskRequest, Asking, Price, StoredAnswers, Target, agreed, plan_of};
use crate::workspace::{DEFAULT_SEED, OpenWorkspace, Result, Watcher, cancelled};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::{Chain, Planned, PromptWriter, Standing};
use lexforge_domain::api::{ESTIMATE_SAMPLE, Items, WritingEstimate};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::metrics::Interval;
use lexforge_domain::{Code, Failure};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A question that is to be written.
struct Wanted {
    /// The order in which the sample is drawn.
    order: [u8; 32],
    /// Key of its first prompt.
    key: PromptKey,
    /// The prompt, if it has no answer yet.
    open: Option<Planned>,
    /// If its newest answer could not be used: how often it may still be asked again, the next time included.
    left: Option<u32>,
    /// The place of its anchor.
    place: Place,
}

/// The prompts of a sample, and how many there are in all.
struct Sample {
    /// The sample: the key of each prompt, the prompt if it must still be sent, and the place of its anchor.
    prompts: Vec<(PromptKey, Option<Planned>, Place)>,
    /// Prompts of the corpus.
    all: u64,
    /// The number of these prompts without an answer.
    open: u64,
    /// For the other prompts with an answer: how often each may still be asked again.
    pending: Vec<u32>,
    /// Everything that could be asked.
    items: Items,
}

impl Sample {
    fn draw(
        workspace: &OpenWorkspace,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        let (mut all, mut items): (Vec<Wanted>, Items) = Default::default();
        let mut seen = HashSet::new();
        let answers = StoredAnswers::of(workspace);
        for (n, (place, anchor)) in anchors.iter().enumerate() {
            if n.is_multiple_of(64) && watcher.cancelled() {
                return Err(cancelled("Nothing was sent."));
            }
            let Some((anchor, _)) = anchor else { continue };
            writer.count_items(&anchor, &mut items);
            let chains = writer.chains(&anchor, &|key| answers.get(key));
            for (number, chain) in (0_u64..).zip(chains) {
                let Some(key) = chain.keys.first().copied().filter(|key| seen.insert(*key)) else {
                    continue;
                };
                let left = anew(writer, &chain);
                let open = match chain.standing {
                    Standing::Open(planned) if chain.keys.len() == 1 => Some(*planned),
                    Standing::Open(_) | Standing::Passed(_) | Standing::GivenUp => None,
                };
                // The prompts are ordered by a hash of what they ask about. So the sample stays the same while answers
                // arrive, and it is the same for each model. The keys of the prompts are not used, because they depend
                // on the endpoint's address.
                let mut order = Sha256::new();
                order.update(DEFAULT_SEED.to_le_bytes());
                order.update(anchor.id.0.to_le_bytes());
                order.update(number.to_le_bytes());
                all.push(Wanted {
                    order: order.finalize().into(),
                    key,
                    open,
                    left,
                    place,
                });
            }
        }
        answers.all_read()?;
        all.sort_unstable_by_key(|one| one.order);
        let (count, open) = (
            all.len() as u64,
            all.iter().filter(|one| one.open.is_some()).count() as u64,
        );
        let size = usize::try_from(ESTIMATE_SAMPLE).unwrap_or(usize::MAX);
        let pending = all.iter().skip(size).filter_map(|one| one.left).collect();
        let prompts = all
            .into_iter()
            .take(size)
            .map(|one| (one.key, one.open, one.place))
            .collect();
        Ok(Self {
            prompts,
            all: count,
            open,
            pending,
            items,
        })
    }

    fn plan(&self, workspace: &OpenWorkspace, target: &Target) -> Result<AskPlan> {
        let open: Vec<&Planned> = self
            .prompts
            .iter()
            .filter_map(|(_, open, _)| open.as_ref())
            .collect();
        plan_of(
            workspace,
            target,
            &open,
            (self.prompts.len() - open.len()) as u64,
        )
    }
}

impl Writing<'_> {
    /// The prompts of the sample that an estimate would send, and the host they would go to. This function itself sends
    /// nothing.
    ///
    /// # Errors
    /// As [`Writing::plan_questions`].
    pub fn plan_estimate(&self, request: &AskRequest, watcher: &dyn Watcher) -> Result<AskPlan> {
        let target = Asking::of(self.workspace).asked_target(request)?;
        let writer = self.prompt_writer(&target, request)?;
        self.with_writer(&writer, |writer, anchors| {
            Sample::draw(self.workspace, writer, anchors, watcher)?.plan(self.workspace, &target)
        })
    }

    /// Asks a sample of 20 prompts and estimates the cost of asking all. The questions are unchanged; the answers are
    /// kept and used by the full run.
    ///
    /// # Errors
    /// [`Code::ConsentMissing`] where the sample would leave this machine and the request carries no consent to what
    /// [`Writing::plan_estimate`] lists; [`Code::StepMissing`] where there is nothing to ask; the endpoint's failure.
    pub fn estimate_writing(
        &self,
        request: &AskRequest,
        watcher: &dyn Watcher,
    ) -> Result<WritingEstimate> {
        let target = Asking::of(self.workspace).asked_target(request)?;
        let writer = self.prompt_writer(&target, request)?;
        self.with_writer(&writer, |writer, anchors| {
            let sample = Sample::draw(self.workspace, writer, anchors, watcher)?;
            if sample.prompts.is_empty() {
                return Err(Failure::new(
                    Code::StepMissing,
                    "No sentence can be asked about.",
                    "Import more documents, or build the graph with a lower threshold.",
                ));
            }
            let plan = sample.plan(self.workspace, &target)?;
            let consent = agreed(&plan, request.consent.as_ref())?;
            let open: Vec<(Planned, Place)> = sample
                .prompts
                .iter()
                .filter_map(|(_, open, place)| Some((open.clone()?, *place)))
                .collect();
            let began = Instant::now();
            let mut answered = 0;
            if !open.is_empty() {
                let prompts = Prompts {
                    wanted: sample.all,
                    settled: sample.all - sample.open,
                    open,
                };
                let asking =
                    self.ask_open(&target, &prompts, &plan, &consent, anchors, writer, watcher)?;
                answered = self
                    .workspace
                    .store
                    .read(|r| r.asking_counts(asking))?
                    .answered;
            }
            let seconds = (answered > 0).then(|| began.elapsed().as_secs_f64() / answered as f64);
            self.estimate(
                &sample,
                writer,
                &target,
                anchors,
                request,
                (answered, seconds),
            )
        })
    }

    /// Makes the estimate of the sample's answers; `asked` = how many were asked now, and seconds for each.
    fn estimate(
        &self,
        sample: &Sample,
        writer: &PromptWriter,
        target: &Target,
        anchors: &Anchors<'_>,
        request: &AskRequest,
        (asked, seconds): (u64, Option<f64>),
    ) -> Result<WritingEstimate> {
        let (mut answers, mut accepted) = (0_u64, 0_u64);
        let (mut tokens, mut counted) = ((0_u64, 0_u64), 0_u64);
        let mut rejected: BTreeMap<String, u64> = BTreeMap::new();
        let mut pending = sample.pending.clone();
        let known = StoredAnswers::of(self.workspace);
        for (key, _, place) in &sample.prompts {
            let Some(answer) = self.workspace.store.read(|r| r.answer(key))? else {
                continue;
            };
            answers += 1;
            if let (Some(read), Some(written)) = (answer.prompt_tokens, answer.completion_tokens) {
                counted += 1;
                tokens = (tokens.0 + read, tokens.1 + written);
            }
            let Some((anchor, _)) = anchors.at(*place) else {
                continue;
            };
            let chains = writer.chains(&anchor, &|key| known.get(key));
            let Some(chain) = chains
                .into_iter()
                .find(|chain| chain.keys.first() == Some(key))
            else {
                continue;
            };
            pending.extend(anew(writer, &chain));
            // The first answer counts, whatever came of repeated requests.
            match chain.turned_down.first() {
                None => accepted += 1,
                Some(first) => *rejected.entry(first.reason.clone()).or_default() += 1,
            }
        }
        known.all_read()?;
        let open = sample.open.saturating_sub(asked);
        let share = wilson(accepted, answers);
        let failing = 1.0 - share.value;
        let reasks = reasks_of(open, failing, writer.reasks)
            + pending
                .iter()
                .map(|left| series(failing, *left))
                .sum::<f64>();
        let reasks = reasks.round() as u64;
        let judge_calls = if request.judge.is_some() {
            (share.value * sample.all as f64).round() as u64
        } else {
            0
        };
        let all = open + reasks + judge_calls;
        let of = |tokens: u64| {
            (counted > 0).then(|| (tokens as f64 / counted as f64 * all as f64).round() as u64)
        };
        let (prompt_tokens, completion_tokens) = (of(tokens.0), of(tokens.1));
        Ok(WritingEstimate {
            endpoint: target.endpoint.name.clone(),
            host: target.host.clone(),
            model: target.endpoint.model.clone(),
            sample: answers,
            asked,
            prompts: sample.all,
            open,
            calls: all,
            reasks,
            judge_calls,
            accepted: share,
            questions: Interval {
                value: share.value * sample.all as f64,
                low: share.low * sample.all as f64,
                high: share.high * sample.all as f64,
            },
            prompt_tokens,
            completion_tokens,
            seconds: seconds.map(|each| each * all as f64),
            cost: Price::of(&target.endpoint.settings).cost(prompt_tokens, completion_tokens),
            items: sample.items.clone(),
            rejected,
        })
    }
}

/// How many more times a prompt may be asked again. `None` if the prompt has no answer yet, or if its newest answer
/// could be used.
fn anew(writer: &PromptWriter, chain: &Chain) -> Option<u32> {
    let answered = u32::try_from(chain.keys.len())
        .unwrap_or(u32::MAX)
        .saturating_sub(1);
    let open = matches!(chain.standing, Standing::Open(_));
    (open && answered > 0).then(|| (writer.reasks + 1).saturating_sub(answered))
}

/// How many further requests are needed because some prompts fail and are asked again. It is assumed that the same
/// share of prompts fails at each try.
fn reasks_of(open: u64, failing: f64, reasks: u32) -> f64 {
    open as f64 * failing * series(failing, reasks)
}

/// The first terms of `1 + f + f² + …` added up, where `f` is the share that fails.
fn series(failing: f64, terms: u32) -> f64 {
    (0..terms).map(|k| failing.powi(k.cast_signed())).sum()
}

/// A share with its 95 % interval after Wilson (1927), which holds for few trials and at the ends.
fn wilson(of: u64, all: u64) -> Interval {
    if all == 0 {
        return Interval {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let (n, share) = (all as f64, of as f64 / all as f64);
    let centre = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    Interval {
        value: share,
        low: ((centre - half) / whole).max(0.0),
        high: ((centre + half) / whole).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilson_s() {
        let check = |of, all, low: f64, high: f64| {
            let found = wilson(of, all);
            assert!(
                (found.low - low).abs() < 5e-4 && (found.high - high).abs() < 5e-4,
                "{of} of {all}: {found:?}"
            );
        };
        // Published: 8 of 10 and 0 of 10 (Newcombe 1998 gives the method; the values are the formula's by hand).
        check(8, 10, 0.4902, 0.9433);
        check(0, 10, 0.0, 0.2775);
        check(20, 20, 0.8389, 1.0);
        check(0, 0, 0.0, 1.0);
    }

    #[test]
    fn what_fails_is_asked_anew_so_often() {
        let check = |open, failing, reasks, expected: f64| {
            assert!(
                (reasks_of(open, failing, reasks) - expected).abs() < 1e-9,
                "{open} {failing} {reasks}"
            );
        };
        check(100, 0.5, 2, 75.0);
        check(100, 0.0, 2, 0.0);
        check(100, 1.0, 2, 200.0);
        check(0, 0.5, 1, 0.0);
        check(100, 0.5, 0, 0.0);
        assert_eq!((series(0.5, 2), series(0.5, 0)), (1.5, 0.0));
    }
}
