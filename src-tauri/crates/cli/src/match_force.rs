//! Which documents of a matching are not in force, as `match` says it.

use crate::docs_force::not_in_force;
use lexforge_domain::api::{MatchRequest, MatchRow, MatchText, OutOfForce};
use lexforge_domain::{DocumentId, Failure};
use lexforge_engine::Engine;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The documents of the workspace that are not in force today, and why.
pub struct Force(HashMap<DocumentId, OutOfForce>);

/// A rule as JSON has it: with why its document, and those of its statements, are not in force.
#[derive(Serialize)]
pub struct Told<'a, T: Serialize> {
    /// The rule with what was found.
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
        let texts = policies.chain(near).chain(decided).chain([&row.rule]);
        let out = texts.filter_map(|text| Some((text.document, self.0.get(&text.document)?)));
        Told {
            of,
            out_of_force: out.collect(),
        }
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
mod tests {
    use super::*;

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
