//! Which documents of a matching are not in force, as `match` says it.

use crate::docs_force::not_in_force;
use lexforge_domain::api::{
    MatchChanges, MatchProposal, MatchRequest, MatchRow, MatchText, OutOfForce,
};
use lexforge_domain::{DocumentId, Failure};
use lexforge_engine::Engine;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The documents of the workspace that are not in force today, and why.
pub struct Force(HashMap<DocumentId, OutOfForce>);

/// A rule, a proposal or what changed, as JSON has it: with why documents of it are not in force.
#[derive(Serialize)]
pub struct Told<'a, T: Serialize> {
    /// What it is.
    #[serde(flatten)]
    pub of: &'a T,
    /// By the document; left out where all are in force.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    out_of_force: BTreeMap<DocumentId, &'a OutOfForce>,
}

impl Force {
    /// What is not in force today in the workspace.
    pub fn of(engine: &Engine) -> Result<Self, Failure> {
        Ok(Self(engine.matching().out_of_force()?))
    }

    /// Why the document of a text is not in force, to stand behind its page; empty where it is.
    pub fn why(&self, text: &MatchText) -> String {
        not_in_force(self.0.get(&text.document))
    }

    /// `of` with what is not in force of the documents that a rule names.
    pub fn told<'a, T: Serialize>(&'a self, of: &'a T, row: &MatchRow) -> Told<'a, T> {
        let policies = row.policies.iter().map(|p| &p.statement);
        let near = row.nearest.iter().map(|near| &near.policy);
        let decided = row.decision.iter().flat_map(|d| &d.policies);
        let proposed = row.proposed.iter().flat_map(|one| &one.policies);
        let texts = policies.chain(near).chain(decided).chain(proposed);
        let texts = texts.chain([&row.rule]);
        self.among(of, texts.map(|text| text.document))
    }

    /// `of` with what is not in force among these documents.
    fn among<'a, T: Serialize>(
        &'a self,
        of: &'a T,
        documents: impl Iterator<Item = DocumentId>,
    ) -> Told<'a, T> {
        let out = documents.filter_map(|id| Some((id, self.0.get(&id)?)));
        Told {
            of,
            out_of_force: out.collect(),
        }
    }

    /// Proposals of others, each with what is not in force of its documents.
    pub fn proposals<'a>(&'a self, proposals: &'a [MatchProposal]) -> Vec<Told<'a, MatchProposal>> {
        let each = proposals.iter().map(|one| {
            let texts = one.policies.iter().chain([&one.rule]);
            self.among(one, texts.map(|text| text.document))
        });
        each.collect()
    }

    /// What changed since an earlier version, with what is not in force of the documents that are matched now.
    pub fn changes<'a>(
        &'a self,
        changes: &'a MatchChanges,
        request: &MatchRequest,
    ) -> Told<'a, MatchChanges> {
        let matched = request.rules.iter().chain(&request.policies);
        self.among(changes, matched.copied())
    }

    /// Rules, each with what is not in force of its documents.
    pub fn rows<'a>(&'a self, rows: &'a [MatchRow]) -> Vec<Told<'a, MatchRow>> {
        rows.iter().map(|row| self.told(row, row)).collect()
    }

    /// Which of the matched documents are not in force today; `None` where all of them are.
    pub fn matched(&self, request: &MatchRequest) -> Option<String> {
        let matched = request.rules.iter().chain(&request.policies);
        let out: Vec<String> = matched
            .filter_map(|id| {
                Some(format!(
                    "document {id}{}",
                    not_in_force(Some(self.0.get(id)?))
                ))
            })
            .collect();
        (!out.is_empty()).then(|| {
            format!(
                "Not in force today, and matched all the same: {}.",
                out.join("; ")
            )
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn proposals_and_changes_say_it_of_their_own_documents() {
        let since = "2024-01-01".to_owned();
        let force = Force(HashMap::from([(
            DocumentId(7),
            OutOfForce::Repealed { since },
        )]));
        let text = |document: i64| serde_json::json!({"id": 1, "document": document, "page": 1, "section": "", "text": ""});
        let proposal = |rule: i64, policy: i64| -> MatchProposal {
            let value = serde_json::json!({"rule": text(rule), "policies": [text(policy)], "relation": null, "said": "",
                "named": "", "path": "", "from": {}});
            serde_json::from_value(value).unwrap()
        };
        let told = |rule, policy| {
            let proposals = [proposal(rule, policy)];
            let json = serde_json::json!(force.proposals(&proposals));
            json[0]["out_of_force"].clone()
        };
        let repealed = serde_json::json!({"7": {"why": "repealed", "since": "2024-01-01"}});
        assert_eq!(told(1, 2), serde_json::Value::Null);
        assert_eq!(told(7, 2), repealed);
        assert_eq!(told(1, 7), repealed);

        let changes = MatchChanges::default();
        let request = |policy| MatchRequest {
            rules: vec![DocumentId(1)],
            policies: vec![DocumentId(policy)],
            ..MatchRequest::default()
        };
        let told = |policy| serde_json::json!(force.changes(&changes, &request(policy)));
        assert_eq!(told(2)["out_of_force"], serde_json::Value::Null);
        assert_eq!(told(7)["out_of_force"], repealed);
        assert_eq!(told(7)["decided"], 0);
    }

    #[test]
    fn what_is_not_in_force_is_said_of_the_documents_that_were_matched() {
        let until = "2020-12-31".to_owned();
        let force = Force(HashMap::from([
            (DocumentId(2), OutOfForce::Expired { until }),
            (
                DocumentId(7),
                OutOfForce::Repealed {
                    since: "2024-01-01".to_owned(),
                },
            ),
        ]));
        let request = |rules: &[i64], policies: &[i64]| MatchRequest {
            rules: rules.iter().copied().map(DocumentId).collect(),
            policies: policies.iter().copied().map(DocumentId).collect(),
            ..MatchRequest::default()
        };
        assert_eq!(force.matched(&request(&[1], &[3])), None);
        let told = "Not in force today, and matched all the same: document 2 (was in force until 2020-12-31).";
        assert_eq!(force.matched(&request(&[1], &[2])).as_deref(), Some(told));
        let both = "Not in force today, and matched all the same: document 7 (repealed from 2024-01-01); document 2 \
                    (was in force until 2020-12-31).";
        assert_eq!(force.matched(&request(&[7], &[2])).as_deref(), Some(both));
    }
}
