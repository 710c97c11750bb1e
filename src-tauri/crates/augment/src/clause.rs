//! A sentence taken apart, and what can be done to it, whatever its language.

use lexforge_domain::SentenceId;
use lexforge_domain::qca::QuestionType;
use lexforge_domain::text::{Language, SentenceKind};
use rand_chacha::ChaCha8Rng;

use crate::reasons::SkipReason;

/// What a rule does to its subject.
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
    /// What the modal does.
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

/// Kind of a minimal edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Edit {
    /// Another modal.
    Modal,
    /// A negation put in or taken out, or a word turned into its opposite.
    Negation,
    /// Another actor.
    Actor,
    /// Another number, amount or share.
    Number,
    /// Another time limit.
    Time,
    /// Another thing done.
    Action,
    /// A similar term.
    Term,
    /// A part of another sentence.
    Splice,
}

impl Edit {
    /// The name under which the origin of a choice records it.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::Modal => "modal",
            Self::Negation => "negation",
            Self::Actor => "actor",
            Self::Number | Self::Time => "number",
            Self::Action => "action",
            Self::Term => "term",
            Self::Splice => "splice",
        }
    }
}

/// A sentence with one thing changed.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// The changed sentence.
    pub(crate) text: String,
    /// What was done.
    pub(crate) edit: Edit,
    /// The words that went.
    pub(crate) removed: String,
    /// The words that came.
    pub(crate) added: String,
}

/// Where a rule stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    /// Path of its section: labels from the top, or empty.
    pub(crate) section: &'p str,
    /// Heading of its nearest section, or empty.
    pub(crate) heading: &'p str,
    /// Headings of the sections above that.
    pub(crate) above: &'p [&'p str],
    /// Title of its document, or empty.
    pub(crate) title: &'p str,
}

/// Part of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// The condition.
    Lead,
    /// Who acts.
    Subject,
    /// With which force.
    Modal,
    /// What is to be done.
    Predicate,
}

/// A question about the wording of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The question, without its place.
    pub(crate) question: String,
    /// Whether it repeats the condition, so that the statements need not.
    pub(crate) says_lead: bool,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// What opens the list, without its colon.
    pub(crate) lead: String,
    /// The item as a sentence of its own: a capital and a stop.
    pub(crate) text: String,
    /// How it goes on from its opening: only items of one form could stand in each other's place.
    pub(crate) form: String,
    /// The duty that the opening lays down, where it has a modal.
    pub(crate) duty: Option<Duty>,
    /// Whether the opening tells its list from others: "A bank must …" opens a hundred.
    pub(crate) told: bool,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FigureKind {
    /// A length of time.
    Time,
    /// An amount, a share or a number.
    Amount,
}

/// A question for a figure and the statement that answers it, with the figure's place open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FigureStem {
    /// The question.
    pub(crate) question: String,
    /// The statement before the figure.
    pub(crate) before: String,
    /// The statement after it, with the stop.
    pub(crate) after: String,
    /// The figure as the rule has it.
    pub(crate) figure: String,
    /// Smaller figures of the same kind, written alike.
    pub(crate) below: Vec<String>,
    /// Larger ones.
    pub(crate) above: Vec<String>,
    /// What it counts.
    pub(crate) kind: FigureKind,
}

impl FigureStem {
    /// The statement with a figure in its place.
    pub(crate) fn statement(&self, figure: &str) -> String {
        format!("{}{figure}{}", self.before, self.after)
    }
}

/// A rule that has somebody told or given something, with that somebody's place open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// "Whom must X inform of Y?"
    pub(crate) question: String,
    /// The statement before the receiver.
    pub(crate) before: String,
    /// The receiver as the rule names it.
    pub(crate) name: String,
    /// The statement behind it, with the stop.
    pub(crate) after: String,
}

impl Receipt {
    /// The statement with a receiver in its place.
    pub(crate) fn statement(&self, name: &str) -> String {
        format!("{}{name}{}", self.before, self.after)
    }
}

/// How one language cleans, takes apart, changes and asks.
pub(crate) trait Grammar: Sync {
    /// The sentence as a choice shows it: no list marker, the opening of its list resolved, a capital
    /// and a stop.
    fn sentence(
        &self,
        text: &str,
        kind: Option<SentenceKind>,
        lead_in: Option<&str>,
        rng: &mut ChaCha8Rng,
    ) -> Result<String, SkipReason>;

    /// Longest sentence that is shown whole, in scalar values; an edit may add a few more.
    fn longest(&self) -> usize;

    /// The parts of a cleaned sentence that has a modal.
    fn clause(&self, sentence: &str) -> Option<Clause>;

    /// (term, meaning) of a cleaned sentence that defines something.
    fn definition(&self, sentence: &str) -> Option<(String, String)>;

    /// A definition as a sentence, in the usual words of definitions or in others.
    fn define(&self, term: &str, meaning: &str, usual: bool) -> String;

    /// A text in slightly other words of the same sense, one rewording at a time.
    fn reworded(&self, text: &str) -> Vec<String>;

    /// Sentences that say something else by one change; `terms` = (mention text, similar terms).
    fn edits(&self, sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant>;

    /// Whether somebody who acts can be asked for with "who".
    fn is_actor(&self, clause: &Clause) -> bool;

    /// Whether a noun phrase names somebody who acts.
    fn is_agent(&self, subject: &str) -> bool;

    /// Whether one subject may stand in the place of the other without breaking the grammar.
    fn interchangeable(&self, a: &str, b: &str) -> bool;

    /// A subject with another term in the place of its mention; none where it is more than the mention.
    fn with_actor(&self, subject: &str, mention: &str, other: &str) -> Option<String>;

    /// "Who must do it?"
    fn who(&self, clause: &Clause) -> Option<String>;

    /// "It is X that must do it."
    fn actor(&self, clause: &Clause, subject: &str) -> Option<String>;

    /// Who is told or given something, where a rule says so.
    fn receipt(&self, clause: &Clause) -> Option<Receipt>;

    /// The rule without its case, and the case as it stands behind the rule; none where it states none or points
    /// elsewhere.
    fn case(&self, clause: &Clause) -> Option<(Clause, String)>;

    /// "In which case must X do it?"
    fn in_which_case(&self, clause: &Clause) -> Option<String>;

    /// "X must do it where Y."
    fn conditional(&self, clause: &Clause, case: &str) -> Option<String>;

    /// "Is X obligated, advised, free or forbidden to do it?", with one statement for each.
    fn statuses(&self, clause: &Clause) -> Option<(String, Vec<(Duty, String)>)>;

    /// Questions for the figures of a sentence.
    fn figures(&self, sentence: &Parsed) -> Vec<FigureStem>;

    /// A question with the place of its rule in front: article, act and heading, as far as they are known and do not name
    /// what is `hidden`; none where a question needs its place and that cannot be named.
    fn placed(&self, question: &str, place: &Place<'_>, hidden: &str) -> Option<String>;

    /// Whether a sentence lays something down, as far as its words and its place tell: the background to a rule, a summary
    /// and a statement of aims do not.
    fn lays_down(&self, sentence: &Parsed, place: &Place<'_>) -> bool;

    /// Whether the place of a rule can be named by its number.
    fn has_label(&self, place: &Place<'_>) -> bool;

    /// "What does X mean?"
    fn what_means(&self, term: &str) -> String;

    /// The modal of a duty as the rule has it, and another of the same force; none where there is no other that reads
    /// before the predicate. `duty` may differ from that of the clause. The other one is `brief` where that is asked for
    /// and there are two.
    fn modals(&self, clause: &Clause, duty: Duty, brief: bool) -> Option<[String; 2]>;

    /// Other forces that the rule could have and that read before its predicate.
    fn other_duties(&self, clause: &Clause) -> Vec<Duty>;

    /// A rule from its parts.
    fn rule(&self, lead: &str, subject: &str, modal: &str, predicate: &str) -> String;

    /// "What must X do as regards Y?", for a rule of which the statements change the words `touched` in
    /// the `open` parts.
    fn wording(&self, clause: &Clause, open: &[Part], topic: Option<&str>, touched: &[&str]) -> Option<Asked>;

    /// An item with what opens its list; none where one of the two does not stand for itself.
    fn item(&self, lead_in: &str, text: &str) -> Option<Item>;

    /// "Which of these stands in the list that begins so?"
    fn which_item(&self, lead: &str) -> String;

    /// "What is laid down as regards X?"
    fn laid_down(&self, topic: Option<&str>) -> String;

    /// The phrase at `mention` as a question names it.
    fn topic(&self, text: &str, mention: (usize, usize)) -> Option<String>;

    /// Whether a term can stand for what a rule is about: a noun phrase by itself.
    fn is_noun(&self, term: &str) -> bool;

    /// Whether one name may be a wider name of the other.
    fn may_include(&self, a: &str, b: &str) -> bool;

    /// Byte ranges of the mentions of a term, plural and capitals tolerated, at word boundaries.
    fn mentions(&self, text: &str, term: &str) -> Vec<(usize, usize)>;

    /// A term in the form (number, capital, article) that the place of `mention` asks for, with the range of
    /// `text` that it takes; none where it cannot be made to fit.
    fn fit(&self, text: &str, mention: (usize, usize), term: &str) -> Option<Fitted>;

    /// Whether the mention is a phrase by itself: not part of a longer one, and not told by what stands beside it.
    fn stands_free(&self, text: &str, mention: (usize, usize)) -> bool;

    /// Whether two terms are words for things of one kind, as far as their form tells.
    fn of_one_kind(&self, term: &str, other: &str) -> bool;

    /// Questions whose answer is the term at `mention`: (question, rephrased sentence).
    fn term_question(
        &self,
        sentence: &Parsed,
        mention: (usize, usize),
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)>;
}

/// A term fitted into a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fitted {
    /// The term in the number and case that the place asks for.
    pub(crate) term: String,
    /// The whole sentence with the term in its place and the article repaired.
    pub(crate) sentence: String,
}

/// The grammar of a language, where there is one.
pub(crate) fn grammar(language: Language) -> Option<&'static dyn Grammar> {
    match language {
        Language::En | Language::Other => Some(&crate::english::English),
        Language::Zh => Some(&crate::chinese::Chinese),
        Language::Ko => None,
    }
}
