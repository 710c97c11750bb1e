//! A sentence taken apart, whatever its language: what every question writer needs.

use crate::reasons::SkipReason;
use lexforge_domain::SentenceId;
use lexforge_domain::qca::QuestionType;
use rand_chacha::ChaCha8Rng;

/// The force of a rule for its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Duty {
    /// It obliges: must, shall, 应当.
    Must,
    /// It recommends: should.
    Should,
    /// It forbids: shall not, 不得.
    MustNot,
    /// It allows: may, 可以.
    May,
}

impl Duty {
    /// The type of a question about it.
    pub(crate) fn question_type(self) -> QuestionType {
        match self {
            Self::Must | Self::Should => QuestionType::Obligation,
            Self::MustNot => QuestionType::Prohibition,
            Self::May => QuestionType::Permission,
        }
    }
}

/// `lead subject modal predicate`, for example "Where X,|the controller|shall|notify Y".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Condition before the main clause with its comma, or empty.
    pub(crate) lead: String,
    /// Subject as inside a sentence: no capital but that of a name.
    pub(crate) subject: String,
    /// The force of the modal.
    pub(crate) duty: Duty,
    /// The modal as written.
    pub(crate) modal: String,
    /// The rest without the final stop.
    pub(crate) predicate: String,
}

/// A complete sentence that may become a choice.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    /// The sentence it comes from.
    pub(crate) id: SentenceId,
    /// The cleaned text with its final stop.
    pub(crate) text: String,
    /// Its parts, where it is a rule with a modal.
    pub(crate) clause: Option<Clause>,
    /// (term, what it means), where it is a definition.
    pub(crate) definition: Option<(String, String)>,
}

/// A term fitted into a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fitted {
    /// The term in the number and case that the place asks for.
    pub(crate) term: String,
    /// The whole sentence with the term in its place and the article repaired.
    pub(crate) sentence: String,
}

/// How sentences of one language are cleaned and taken apart, and which terms could replace each other.
pub(crate) trait Grammar: Sync {
    /// The sentence as a choice shows it: without a list marker, joined with the sentence that introduces its list,
    /// with a capital and a full stop.
    fn cleaned(
        &self,
        text: &str,
        lead_in: Option<&str>,
        rng: &mut ChaCha8Rng,
    ) -> Result<String, SkipReason>;

    /// Longest sentence that is shown whole, in scalar values; an edit may add a few more.
    fn longest(&self) -> usize;

    /// The parts of a cleaned sentence that has a modal.
    fn clause(&self, sentence: &str) -> Option<Clause>;

    /// (term, meaning) of a cleaned sentence that defines something.
    fn definition(&self, sentence: &str) -> Option<(String, String)>;

    /// Whether a noun phrase names somebody who acts.
    fn is_agent(&self, subject: &str) -> bool;

    /// Whether a term can be the subject of a question about a rule. It must be a complete noun phrase.
    fn is_noun(&self, term: &str) -> bool;

    /// Whether one subject may stand in the place of the other without breaking the grammar.
    fn interchangeable(&self, a: &str, b: &str) -> bool;

    /// Whether one name may be a wider name of the other.
    fn may_include(&self, a: &str, b: &str) -> bool;

    /// Byte ranges of the mentions of a term, plural and capitals tolerated, at word boundaries.
    fn mentions(&self, text: &str, term: &str) -> Vec<(usize, usize)>;

    /// Puts a term into the form (number, capital, article) that it needs at the place of `mention` in `text`. Also
    /// returns the range of `text` that this form replaces. `None` if the term cannot be put into that form.
    fn fit(&self, text: &str, mention: (usize, usize), term: &str) -> Option<Fitted>;

    /// Whether two terms are words for things of one kind, as far as their form shows it.
    fn of_one_kind(&self, term: &str, other: &str) -> bool;
}

/// A cleaned sentence with its parts; what it defines may be `given`.
pub(crate) fn parse(
    grammar: &dyn Grammar,
    id: SentenceId,
    text: String,
    given: Option<(String, String)>,
) -> Parsed {
    let definition = grammar.definition(&text).or(given);
    let clause = grammar.clause(&text);
    Parsed {
        id,
        text,
        clause,
        definition,
    }
}
