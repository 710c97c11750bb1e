//! Labelled questions that an encoder did not learn from. It finds the clauses of the others too well: weights, thresholds and
//! certificates from these would promise too much.

use super::Answering;
use crate::runs::{Runs, train_job};
use crate::training::bundle_items;
use crate::workspace::Result;
use lexforge_domain::RunId;
use lexforge_domain::api::{EncoderChoice, Pair};
use lexforge_domain::protocol::RetrievalItem;
use lexforge_text::fold::letters;
use std::collections::HashSet;

/// Labelled questions, parted by whether an encoder learned from them.
pub(super) struct Unseen {
    /// Those that it did not learn from.
    pub pairs: Vec<Pair>,
    /// How many it did.
    pub learned: u64,
}

impl Answering<'_> {
    /// The pairs without those that the encoder was tuned on. A base model was tuned on none.
    pub(super) fn unseen(
        &self,
        encoder: Option<&EncoderChoice>,
        mut pairs: Vec<Pair>,
    ) -> Result<Unseen> {
        let meant = self.meant_encoder(encoder)?;
        let Some(run) = meant.and_then(|choice| choice.run) else {
            return Ok(Unseen { pairs, learned: 0 });
        };
        let learned = self.learned(run)?;
        let all = pairs.len();
        pairs.retain(|pair| !learned.contains(&letters(&pair.question)));
        Ok(Unseen {
            learned: (all - pairs.len()) as u64,
            pairs,
        })
    }

    /// The questions that a run learned from, as they are compared. A run for another task learned from none of these.
    fn learned(&self, run: RunId) -> Result<HashSet<String>> {
        let bundle = Runs::of(self.workspace).bundle(run)?;
        let job = train_job(&bundle)?;
        if job.passages.is_none() {
            return Ok(HashSet::new());
        }
        let items: Vec<RetrievalItem> = bundle_items(&bundle, &job.train)?;
        Ok(items.iter().map(|item| letters(&item.question)).collect())
    }
}
