//! What others say of rules: kept beside the decisions, and never one of them.

use super::Matching;
use crate::workspace::Result;
use lexforge_domain::api::{MatchProposal, MatchRow};
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_text::fold::letters;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How a proposal is kept: a decision has no such field.
#[derive(Serialize, Deserialize)]
struct Kept<P> {
    proposal: P,
}

/// Whether what is kept is a proposal.
pub(super) fn is_proposal(body: &str) -> bool {
    serde_json::from_str::<Kept<IgnoredAny>>(body).is_ok()
}

impl Matching<'_> {
    /// What others say of rules, in the order in which it was read in.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn proposals(&self) -> Result<Vec<MatchProposal>> {
        let kept = self.workspace.store.read(|r| r.match_decisions())?;
        kept.into_iter()
            .filter(|stored| is_proposal(&stored.body))
            .map(|stored| {
                let kept: Kept<MatchProposal> =
                    serde_json::from_str(&stored.body).map_err(|e| unreadable(&e))?;
                Ok(MatchProposal {
                    id: stored.id,
                    made: stored.made,
                    actor: stored.actor,
                    ..kept.proposal
                })
            })
            .collect()
    }

    /// Puts beside each rule what others say of it: of one that reads as it did then.
    pub(super) fn propose(&self, rows: &mut [MatchRow]) -> Result<()> {
        let mut by_rule: HashMap<String, Vec<MatchProposal>> = HashMap::new();
        for proposal in self.proposals()? {
            let rule = letters(&proposal.rule.text);
            by_rule.entry(rule).or_default().push(proposal);
        }
        if !by_rule.is_empty() {
            for row in rows {
                let about = by_rule.get(&letters(&row.rule.text));
                row.proposed = about.cloned().unwrap_or_default();
            }
        }
        Ok(())
    }

    /// Keeps proposals, all of one file.
    pub(super) fn keep_proposals(&self, proposals: &[MatchProposal], from: &str) -> Result<()> {
        let rows: Vec<(i64, String)> = proposals
            .iter()
            .map(|proposal| {
                let body = serde_json::to_string(&Kept { proposal });
                Ok((proposal.rule.id.0, body.map_err(|e| unreadable(&e))?))
            })
            .collect::<Result<_>>()?;
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.put_match_proposals(&rows, from)
        })?;
        Ok(())
    }
}

pub(super) fn unreadable(error: &serde_json::Error) -> Failure {
    Failure::new(
        Code::WorkspaceInvalid,
        format!("A kept matching cannot be read: {error}."),
        Remedy::VerifyAudit,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_no_proposal() {
        assert!(is_proposal(r#"{"proposal":{"rule":1}}"#));
        assert!(!is_proposal(
            r#"{"rule":1,"accepted":true,"note":"proposal"}"#
        ));
    }
}
