//! The questions that are planned for a corpus, and what is still to be asked about them.

use super::Writing;
use super::anchors::{Anchors, Place};
use crate::asking::{AskRequest, Asking, StoredAnswers, Target, plan_of, reasks};
use crate::workspace::{DEFAULT_SEED, OpenWorkspace, Result, Watcher, cancelled};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::{Planned, PromptWriter, Standing};
use lexforge_domain::api::Extent;
use lexforge_domain::endpoint::AskPlan;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The questions that are planned for a corpus, by one model.
#[derive(Default)]
pub(crate) struct Prompts {
    /// How many are planned.
    pub wanted: u64,
    /// The number of anchors about which nothing needs to be asked any more: written, or given up.
    pub settled: u64,
    /// The prompts to send next, with the place of the anchor of each.
    pub open: Vec<(Planned, Place)>,
}

impl Prompts {
    /// The state of the questions about all anchors; at most `limit` prompts are open.
    pub(crate) fn collect(
        workspace: &OpenWorkspace,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        limit: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        let mut prompts = Self::default();
        let mut seen = HashSet::new();
        let answers = StoredAnswers::of(workspace);
        for (n, (place, anchor)) in anchors.iter().enumerate() {
            if n.is_multiple_of(64) && watcher.cancelled() {
                return Err(cancelled("Nothing was sent."));
            }
            let Some((anchor, _)) = anchor else { continue };
            for chain in writer.chains(&anchor, &|key| answers.get(key)) {
                // Texts that are repeated word for word are asked about once.
                if !chain.keys.first().is_some_and(|key| seen.insert(*key)) {
                    continue;
                }
                prompts.wanted += 1;
                match chain.standing {
                    Standing::Open(planned) => prompts.open.push((*planned, place)),
                    Standing::Passed(_) | Standing::GivenUp => prompts.settled += 1,
                }
            }
        }
        answers.all_read()?;
        prompts.keep_first(limit);
        Ok(prompts)
    }

    /// The prompts to repeat after a round of asking. An anchor is asked about again if its last prompt was answered in
    /// this round and the answer could not be used. A prompt without an answer is not repeated now.
    pub(super) fn anew(
        workspace: &OpenWorkspace,
        writer: &PromptWriter,
        anchors: &Anchors<'_>,
        places: &[Place],
        asked: &HashSet<PromptKey>,
        limit: Option<u64>,
    ) -> Result<Self> {
        let mut prompts = Self::default();
        let mut seen = HashSet::new();
        let answers = StoredAnswers::of(workspace);
        for place in places {
            let Some((anchor, _)) = anchors.at(*place) else {
                continue;
            };
            for chain in writer.chains(&anchor, &|key| answers.get(key)) {
                let answered = chain
                    .keys
                    .iter()
                    .rev()
                    .nth(1)
                    .is_some_and(|before| asked.contains(before));
                if let Standing::Open(planned) = chain.standing
                    && answered
                    && seen.insert(planned.key)
                {
                    prompts.open.push((*planned, *place));
                }
            }
        }
        answers.all_read()?;
        prompts.keep_first(limit);
        Ok(prompts)
    }

    fn keep_first(&mut self, limit: Option<u64>) {
        self.open
            .truncate(limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)));
    }

    /// The open prompts.
    pub(crate) fn open(&self) -> Vec<&Planned> {
        self.open.iter().map(|(planned, _)| planned).collect()
    }

    /// The plan of sending the open prompts.
    pub(crate) fn plan(&self, workspace: &OpenWorkspace, target: &Target) -> Result<AskPlan> {
        plan_of(
            workspace,
            target,
            &self.open(),
            self.wanted - self.open.len() as u64,
        )
    }
}

/// The description of a prompt writer that is recorded with an asking.
#[derive(Serialize, Deserialize)]
pub(crate) struct WriterRecord {
    identity: String,
    model: String,
    seed: u64,
    max_tokens: u32,
    #[serde(default)]
    reasks: u32,
    #[serde(default)]
    extent: Extent,
    /// Hashes of the workspace's own wordings that were in use.
    #[serde(default)]
    wordings: Vec<String>,
}

pub(crate) fn of_writer(writer: &PromptWriter) -> WriterRecord {
    let PromptWriter {
        identity,
        model,
        seed,
        max_tokens,
        reasks,
        wordings,
        extent,
        shares: _,
    } = writer.clone();
    WriterRecord {
        identity,
        model,
        seed,
        max_tokens,
        reasks,
        extent,
        wordings: wordings.own_hashes(),
    }
}

impl WriterRecord {
    /// The writer, with the wordings that it had.
    pub(crate) fn writer(self, workspace: &OpenWorkspace) -> Result<PromptWriter> {
        let Self {
            identity,
            model,
            seed,
            max_tokens,
            reasks,
            extent,
            wordings,
        } = self;
        Ok(PromptWriter {
            identity,
            model,
            seed,
            max_tokens,
            reasks,
            wordings: Asking::of(workspace).wordings_of(&wordings)?,
            extent,
            shares: None,
        })
    }
}

impl Writing<'_> {
    /// Makes the prompts about anchors for a model.
    pub(crate) fn prompt_writer(
        &self,
        target: &Target,
        request: &AskRequest,
    ) -> Result<PromptWriter> {
        Ok(PromptWriter {
            identity: target.identity.clone(),
            model: target.endpoint.model.clone(),
            seed: DEFAULT_SEED,
            max_tokens: target.endpoint.settings.max_tokens,
            reasks: reasks(request.reasks),
            wordings: Asking::of(self.workspace).wordings()?,
            extent: request.extent,
            shares: None,
        })
    }

    /// Hands out the anchors, with the writer to which the cap in all is shared out among them.
    pub(crate) fn with_writer<T>(
        &self,
        writer: &PromptWriter,
        f: impl FnOnce(&PromptWriter, &Anchors<'_>) -> Result<T>,
    ) -> Result<T> {
        self.with_anchors(&writer.extent, |anchors| {
            let all = anchors.iter().filter_map(|(_, anchor)| Some(anchor?.0));
            f(&writer.shared_out(all), anchors)
        })
    }
}
