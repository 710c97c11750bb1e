//! Sets of rows that change together: each row of the audit chain names at most one.

use crate::error::{Result, StoreError};
use crate::row::unreadable;
use lexforge_domain::{
    ActId, AnswerId, AskingId, CheckpointId, DatasetId, DocumentId, EvaluationId, PersonId, RunId,
};
use rusqlite::types::Value;
use std::fmt;
use std::str::FromStr;

/// A set of rows that change together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// A document with its chunks, pages, sections and sentences.
    Document(DocumentId),
    /// All terms with their mentions.
    Terms,
    Setting(String),
    /// The vectors of one kind by one encoder.
    Embeddings(String),
    /// All graph builds, the edges and candidates of the newest, and its data for the next build.
    Graph,
    /// All questions, and the report on how they were made.
    Questions,
    /// A snapshot with its items.
    Dataset(DatasetId),
    /// A training run. Its progress figures are covered only while no worker changes them.
    Run(RunId),
    /// A checkpoint, as chains up to format 61 could name it: its table is gone, so nothing is covered.
    Checkpoint(CheckpointId),
    Evaluation(EvaluationId),
    /// An endpoint by its name.
    Endpoint(String),
    /// A person who reviews.
    Person(PersonId),
    /// An act of a person: the decisions that were made with it, or taken back.
    Act(ActId),
    /// A packet that was written, by its hash.
    Packet(String),
    /// An asking with its requests and answers, which are covered while it rests.
    Asking(AskingId),
    /// All versions of the workspace's own prompts.
    Prompts,
    /// The drafts that were rejected when questions were written last.
    Rejected,
    /// An answer to a question about the corpus, with what people think of it.
    Reply(AnswerId),
    /// All labelled questions.
    Pairs,
    /// All certificates of how often answers are wrong.
    Certificates,
    /// All rankers of clauses that were fitted in this workspace.
    Rankers,
    /// How models answered the test questions of a snapshot.
    Outcomes(DatasetId),
    /// Which adapter is active, and which were before.
    Deployments,
    /// All drift samples.
    DriftSamples,
    /// The answers of one system of the bench, identified by its components.
    Bench(String),
    /// An exam by its name.
    Exam(String),
    /// All matchings of rules with policies.
    Matchings,
    /// All decisions about matched rules.
    MatchDecisions,
    /// All triplets, with the drafts that were rejected.
    Triplets,
    /// All decisions about triplets of formats before the review queue took them.
    TripletDecisions,
    /// All pairs of sentences that are scored, with the draws that they came from.
    Similarity,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(id) => write!(f, "document {id}"),
            Self::Terms => f.write_str("terms"),
            Self::Setting(key) => write!(f, "setting {key}"),
            Self::Embeddings(set) => write!(f, "embeddings {set}"),
            Self::Graph => f.write_str("graph"),
            Self::Questions => f.write_str("questions"),
            Self::Prompts => f.write_str("prompts"),
            Self::Rejected => f.write_str("rejected"),
            Self::Dataset(id) => write!(f, "dataset {id}"),
            Self::Run(id) => write!(f, "run {id}"),
            Self::Checkpoint(id) => write!(f, "checkpoint {id}"),
            Self::Evaluation(id) => write!(f, "evaluation {id}"),
            Self::Endpoint(name) => write!(f, "endpoint {name}"),
            Self::Asking(id) => write!(f, "asking {id}"),
            Self::Person(id) => write!(f, "person {id}"),
            Self::Act(id) => write!(f, "act {id}"),
            Self::Packet(hash) => write!(f, "packet {hash}"),
            Self::Reply(id) => write!(f, "answer {id}"),
            Self::Pairs => f.write_str("pairs"),
            Self::Certificates => f.write_str("certificates"),
            Self::Rankers => f.write_str("rankers"),
            Self::Outcomes(dataset) => write!(f, "outcomes {dataset}"),
            Self::Deployments => f.write_str("deployments"),
            Self::DriftSamples => f.write_str("drift samples"),
            Self::Bench(system) => write!(f, "bench {system}"),
            Self::Exam(name) => write!(f, "exam {name}"),
            Self::Matchings => f.write_str("matchings"),
            Self::MatchDecisions => f.write_str("match_decisions"),
            Self::Triplets => f.write_str("triplets"),
            Self::TripletDecisions => f.write_str("triplet_decisions"),
            Self::Similarity => f.write_str("similarity"),
        }
    }
}

impl FromStr for Scope {
    type Err = StoreError;

    fn from_str(label: &str) -> Result<Self> {
        let (kind, key) = label.split_once(' ').unwrap_or((label, ""));
        let id = || {
            key.parse()
                .map_err(|_| unreadable("audit", format!("`{label}` names no scope")))
        };
        Ok(match kind {
            "document" => Self::Document(DocumentId(id()?)),
            "terms" => Self::Terms,
            "setting" => Self::Setting(key.to_owned()),
            "embeddings" => Self::Embeddings(key.to_owned()),
            "graph" => Self::Graph,
            "questions" => Self::Questions,
            "prompts" => Self::Prompts,
            "rejected" => Self::Rejected,
            "dataset" => Self::Dataset(DatasetId(id()?)),
            "run" => Self::Run(RunId(id()?)),
            "checkpoint" => Self::Checkpoint(CheckpointId(id()?)),
            "evaluation" => Self::Evaluation(EvaluationId(id()?)),
            "endpoint" => Self::Endpoint(key.to_owned()),
            "asking" => Self::Asking(AskingId(id()?)),
            "person" => Self::Person(PersonId(id()?)),
            "act" => Self::Act(ActId(id()?)),
            "packet" => Self::Packet(key.to_owned()),
            "answer" => Self::Reply(AnswerId(id()?)),
            "pairs" => Self::Pairs,
            "certificates" => Self::Certificates,
            "rankers" => Self::Rankers,
            "outcomes" => Self::Outcomes(DatasetId(id()?)),
            "deployments" => Self::Deployments,
            "drift" => Self::DriftSamples,
            "bench" => Self::Bench(key.to_owned()),
            "exam" => Self::Exam(key.to_owned()),
            "matchings" => Self::Matchings,
            "match_decisions" => Self::MatchDecisions,
            "triplets" => Self::Triplets,
            "triplet_decisions" => Self::TripletDecisions,
            "similarity" => Self::Similarity,
            _ => return Err(unreadable("audit", format!("`{label}` names no scope"))),
        })
    }
}

impl Scope {
    /// The value of `?1` in the parts.
    pub(crate) fn key(&self) -> Option<Value> {
        Some(match self {
            Self::Document(id) => id.0.into(),
            Self::Dataset(id) | Self::Outcomes(id) => id.0.into(),
            Self::Run(id) => id.0.into(),
            Self::Checkpoint(id) => id.0.into(),
            Self::Evaluation(id) => id.0.into(),
            Self::Asking(id) => id.0.into(),
            Self::Person(id) => id.0.into(),
            Self::Act(id) => id.0.into(),
            Self::Reply(id) => id.0.into(),
            Self::Setting(key)
            | Self::Embeddings(key)
            | Self::Endpoint(key)
            | Self::Packet(key)
            | Self::Bench(key)
            | Self::Exam(key) => key.clone().into(),
            Self::Terms
            | Self::Graph
            | Self::Questions
            | Self::Prompts
            | Self::Rejected
            | Self::Pairs
            | Self::Certificates
            | Self::Rankers
            | Self::Deployments
            | Self::DriftSamples
            | Self::Matchings
            | Self::MatchDecisions
            | Self::Triplets
            | Self::TripletDecisions
            | Self::Similarity => {
                return None;
            }
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_s_label_names_it() {
        let check = |scope: Scope| assert_eq!(scope.to_string().parse::<Scope>().unwrap(), scope);
        check(Scope::Document(DocumentId(3)));
        check(Scope::Terms);
        check(Scope::Setting("a key with blanks".to_owned()));
        check(Scope::Embeddings(
            "sentence char-ngram LSA (128)".to_owned(),
        ));
        check(Scope::Graph);
        check(Scope::Questions);
        check(Scope::Prompts);
        check(Scope::Rejected);
        check(Scope::Dataset(DatasetId(1)));
        check(Scope::Run(RunId(9)));
        check(Scope::Checkpoint(CheckpointId(2)));
        check(Scope::Evaluation(EvaluationId(7)));
        check(Scope::Endpoint("the firm's own".to_owned()));
        check(Scope::Asking(AskingId(4)));
        check(Scope::Person(PersonId(2)));
        check(Scope::Act(ActId(100_000)));
        check(Scope::Packet("ab".repeat(32)));
        check(Scope::Reply(AnswerId(5)));
        check(Scope::Pairs);
        check(Scope::Certificates);
        check(Scope::Rankers);
        check(Scope::Outcomes(DatasetId(4)));
        check(Scope::Deployments);
        check(Scope::DriftSamples);
        check(Scope::Bench("run of a base".to_owned()));
        check(Scope::Exam("FinanceIQ test".to_owned()));
        check(Scope::Matchings);
        check(Scope::MatchDecisions);
        check(Scope::Triplets);
        check(Scope::TripletDecisions);
        check(Scope::Similarity);
        assert!("planet 9".parse::<Scope>().is_err());
        assert!("document x".parse::<Scope>().is_err());
    }
}
