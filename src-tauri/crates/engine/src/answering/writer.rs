//! Who puts an answer together: the clauses themselves, or a model that is given them.

use super::clauses::Clauses;
use super::force::InForce;
use super::statements::Said;
use crate::asking::Target;
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{AnswerNote, AnswerWriting, CertifiedWriter};
use lexforge_domain::endpoint::AnswerForm;
use sha2::{Digest as _, Sha256};

/// The name under which an answer of the clauses themselves is kept.
pub(super) const EXTRACTIVE: &str = "extractive";

/// The material from which an answer is made.
pub(super) struct Brief<'b> {
    pub question: &'b str,
    /// The clauses that were found, best first, with their score.
    pub hits: &'b [(u32, f64)],
    /// All clauses.
    pub clauses: &'b Clauses,
    /// The documents that are in force on the day.
    pub in_force: &'b InForce,
}

/// An answer after its writer: it was checked but not stored yet.
#[derive(Default)]
pub(super) struct Draft {
    /// Its statements and citations.
    pub said: Said,
    /// The model that wrote it; `None` where the clauses themselves are the answer.
    pub model: Option<String>,
    /// SHA-256 of the adapter.
    pub adapter: Option<String>,
    /// The text that a model wrote.
    pub written: Option<AnswerWriting>,
    /// What a reader should know of it.
    pub notes: Vec<AnswerNote>,
}

/// Puts an answer together.
pub(super) trait Writer {
    /// Writes the answer to a question whose clauses were found. If a model writes, `watcher` gets each statement that
    /// passed the check. `clear` is the answer that only quotes clauses; it is returned if the writer produces nothing
    /// better.
    fn write(&self, brief: &Brief<'_>, clear: Said, watcher: &dyn Watcher) -> Result<Draft>;

    /// The identity by which a certificate names this writer; `None` = the clauses are quoted.
    fn certified(&self) -> Option<CertifiedWriter> {
        None
    }
}

/// The clauses themselves.
pub(super) struct Extractive;

impl Writer for Extractive {
    fn write(&self, _: &Brief<'_>, clear: Said, _: &dyn Watcher) -> Result<Draft> {
        Ok(Draft {
            said: clear,
            ..Draft::default()
        })
    }
}

/// Identifies a model that writes answers, as a hexadecimal hash. It covers everything that its answers depend on, and
/// the defined terms by which its statements are checked.
pub(super) fn identity(target: &Target, wordings: &[String], terms: &str) -> String {
    let mut identity = Sha256::new();
    let mut part = |bytes: &[u8]| {
        identity.update((bytes.len() as u64).to_le_bytes());
        identity.update(bytes);
    };
    part(target.identity.as_bytes());
    part(target.weights.as_bytes());
    // An answer that is cut off cannot be read.
    part(&target.endpoint.settings.max_tokens.to_le_bytes());
    // A model that is held to a form says other things than one that is free.
    part(&[match target.endpoint.settings.form {
        AnswerForm::Free => 0,
        AnswerForm::Object => 1,
        AnswerForm::Schema => 2,
    }]);
    part(terms.as_bytes());
    wordings.iter().for_each(|wording| part(wording.as_bytes()));
    hex::encode(identity.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(change: fn(&mut Target), wordings: &[&str], terms: &str) -> String {
        let mut target = Target::nobody();
        change(&mut target);
        let wordings: Vec<String> = wordings.iter().map(|w| (*w).to_owned()).collect();
        identity(&target, &wordings, terms)
    }

    #[test]
    fn whatever_decides_what_a_model_says_makes_it_another_writer() {
        let same = of(|_| {}, &["w"], "t");
        assert_eq!(of(|_| {}, &["w"], "t"), same);
        for other in [
            of(|_| {}, &["x"], "t"),
            of(|_| {}, &[], "t"),
            of(|_| {}, &["w"], "u"),
            of(|_| {}, &["t"], "w"),
            of(|t| t.endpoint.settings.max_tokens = 9, &["w"], "t"),
            of(|t| t.endpoint.settings.form = AnswerForm::Free, &["w"], "t"),
            of(|t| t.identity = "i".to_owned(), &["w"], "t"),
            of(|t| t.weights = "i".to_owned(), &["w"], "t"),
        ] {
            assert_ne!(other, same);
        }
    }
}
