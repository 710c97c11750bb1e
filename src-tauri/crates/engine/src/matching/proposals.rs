//! Proposals of others about rules. They are stored beside the decisions and never count as decisions.

use super::Matching;
use crate::workspace::Result;
use lexforge_domain::api::{MatchProposal, MatchRequest, MatchRow};
use lexforge_domain::{Code, DocumentId, Failure, Remedy};
use lexforge_store::StoredMatchDecision;
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
    /// The proposals that imported mappings make about rules, in the order of import.
    pub fn proposals(&self) -> Result<Vec<MatchProposal>> {
        let kept = self.workspace.store.read(|r| r.match_decisions())?;
        kept.into_iter()
            .filter(|stored| is_proposal(&stored.body))
            .map(proposal)
            .collect()
    }

    /// Puts beside each rule what others say of it: of one that reads as it did then.
    pub(super) fn propose(&self, rows: &mut [MatchRow], request: &MatchRequest) -> Result<()> {
        let by_rule = by_rule(self.proposals()?, &request.policies);
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

/// A proposal as it is kept.
pub(super) fn proposal(stored: StoredMatchDecision) -> Result<MatchProposal> {
    let kept: Kept<MatchProposal> =
        serde_json::from_str(&stored.body).map_err(|e| unreadable(&e))?;
    Ok(MatchProposal {
        id: stored.id,
        made: stored.made,
        actor: stored.actor,
        ..kept.proposal
    })
}

/// Proposals by the letters of their rules, where these policies are matched.
pub(super) fn by_rule(
    proposals: Vec<MatchProposal>,
    policies: &[DocumentId],
) -> HashMap<String, Vec<MatchProposal>> {
    let mut by_rule: HashMap<String, Vec<MatchProposal>> = HashMap::new();
    for mut proposal in proposals {
        proposal.gone = is_gone(&proposal, policies);
        let rule = letters(&proposal.rule.text);
        by_rule.entry(rule).or_default().push(proposal);
    }
    by_rule
}

/// Whether a proposal names a statement that is in none of these documents, for example a statement of an earlier
/// version of a policy. If an earlier version of the product made the matching, the documents were not recorded. Then
/// this is `false`.
pub(super) fn is_gone(proposal: &MatchProposal, policies: &[DocumentId]) -> bool {
    let mut statements = proposal.policies.iter();
    !policies.is_empty() && statements.any(|text| !policies.contains(&text.document))
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
    use lexforge_domain::SentenceId;
    use lexforge_domain::api::{MatchSource, MatchText};

    #[test]
    fn a_statement_of_a_policy_that_was_replaced_is_gone() {
        let text = |document: i64| MatchText {
            id: SentenceId(document * 10),
            document: DocumentId(document),
            page: 1,
            text: "Access is reviewed.".to_owned(),
            section: String::new(),
            external_id: None,
        };
        let gone = |statements: &[i64], policies: &[i64]| {
            let proposal = MatchProposal {
                id: 1,
                rule: text(1),
                policies: statements.iter().map(|d| text(*d)).collect(),
                relation: None,
                said: String::new(),
                named: String::new(),
                path: String::new(),
                confidence: None,
                from: MatchSource::default(),
                made: String::new(),
                actor: String::new(),
                gone: false,
            };
            let policies: Vec<DocumentId> = policies.iter().map(|d| DocumentId(*d)).collect();
            is_gone(&proposal, &policies)
        };
        assert!(!gone(&[2, 3], &[2, 3]));
        assert!(gone(&[2, 3], &[2, 4]));
        // A gap has no statements.
        assert!(!gone(&[], &[4]));
        assert!(!gone(&[2], &[]));
    }

    #[test]
    fn a_decision_is_no_proposal() {
        assert!(is_proposal(r#"{"proposal":{"rule":1}}"#));
        assert!(!is_proposal(
            r#"{"rule":1,"accepted":true,"note":"proposal"}"#
        ));
    }
}
