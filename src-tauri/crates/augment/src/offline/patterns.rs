//! The data and functions of one language for the offline writer: how it asks, and which words it changes.

use crate::anchor::Anchor;
use crate::clause::{Clause, Duty, Grammar, Parsed};
use lexforge_domain::qca::QuestionType;
use lexforge_text::lists::{Pair, Swap, Word};
use strum::IntoStaticStr;

/// Kind of a minimal edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Edit {
    /// Another modal.
    Modal,
    /// A negation put in or taken out, or a word turned into its opposite.
    Negation,
    /// Another actor.
    Actor,
    /// Another number, amount, share or time limit.
    Number,
    /// A condition turned into its opposite.
    Condition,
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
        self.into()
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

/// The place of a rule.
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

impl<'p> Place<'p> {
    /// The place of an anchor.
    pub(crate) fn of(anchor: &'p Anchor<'_>) -> Self {
        Self {
            section: anchor.section,
            heading: anchor.heading,
            above: &anchor.above,
            title: anchor.document_title,
        }
    }
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
    /// The words that open the list, without their colon.
    pub(crate) lead: String,
    /// The item as a sentence of its own: a capital and a stop.
    pub(crate) text: String,
    /// How the item continues its opening. Only items of the same form can replace each other.
    pub(crate) form: String,
    /// The duty that the opening lays down, where it has a modal.
    pub(crate) duty: Option<Duty>,
    /// Whether the list can be recognised by its opening: "A bank must …" opens a hundred lists.
    pub(crate) told: bool,
}

/// A question for a figure and the statement that answers it, with the figure's place open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FigureStem {
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
    /// The kind of figure that is asked for: a time limit or a threshold.
    pub(crate) question_type: QuestionType,
}

impl FigureStem {
    /// The statement with a figure in its place.
    pub(crate) fn statement(&self, figure: &str) -> String {
        format!("{}{figure}{}", self.before, self.after)
    }
}

/// A number in a sentence, with others of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    /// Its place, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Smaller figures that rules use, written alike.
    pub(crate) below: Vec<String>,
    /// Larger ones.
    pub(crate) above: Vec<String>,
}

/// The words of a language that minimal edits put in each other's place.
pub(crate) struct Words {
    /// Rewordings that keep the sense.
    pub(crate) same: &'static [Pair],
    /// Opposites, used both ways.
    pub(crate) opposites: &'static [Pair],
    /// Opposites, used one way.
    pub(crate) negated: &'static [Pair],
    /// Conditions turned round.
    pub(crate) conditions: &'static [Pair],
    /// Where a word is left as it is.
    pub(crate) unless: &'static [Swap],
}

/// The bytes where a term is mentioned.
pub(crate) type Mention = (usize, usize);
/// A question on the force of a rule, with the statement of each force.
pub(crate) type Statuses = (String, Vec<(Duty, String)>);

/// How one language asks and what it changes.
pub(crate) struct Patterns {
    /// How it takes a sentence apart.
    pub(crate) grammar: &'static dyn Grammar,
    /// The words of its minimal edits.
    pub(crate) words: fn() -> Words,
    /// The first place in a text where a word or phrase occurs by itself.
    pub(crate) find: fn(&str, &str) -> Option<usize>,
    /// The first occurrence of a phrase replaced, with what the grammar asks for around it.
    pub(crate) put: fn(&str, &str, &str) -> Option<String>,
    /// The figures of a text that can be changed.
    pub(crate) figures: fn(&str) -> Vec<Figure>,
    /// The predicates of a rule that has something else done: (predicate, the verb that went, the one that came).
    pub(crate) verbs: fn(&Clause) -> Vec<(String, Word, Word)>,
    /// Whether another term may stand in the place of every mention of a term.
    pub(crate) replaceable: fn(&str, &str) -> bool,
    /// Every mention of a term replaced by another term, in the form that each place asks for.
    pub(crate) replaced: fn(&str, &str, &str) -> Option<String>,
    /// A definition as a sentence, in the usual words of definitions or in others.
    pub(crate) define: fn(&str, &str, bool) -> String,
    /// Whether the actor can be asked for with "who".
    pub(crate) is_actor: fn(&Clause) -> bool,
    /// A subject with another term in the place of its mention; `None` if it is more than the mention.
    pub(crate) with_actor: fn(&str, &str, &str) -> Option<String>,
    /// "Who must do it?"
    pub(crate) who: fn(&Clause) -> Option<String>,
    /// "It is X that must do it."
    pub(crate) actor: fn(&Clause, &str) -> Option<String>,
    /// "Is X obligated, advised, free or forbidden to do it?", with one statement for each.
    pub(crate) statuses: fn(&Clause) -> Option<Statuses>,
    /// Questions for the figures of a sentence.
    pub(crate) figure_stems: fn(&Parsed) -> Vec<FigureStem>,
    /// Adds the place of its rule to the beginning of a question: article, act and heading, as far as they are known
    /// and do not reveal the answer. `None` if the question needs the place and the place cannot be named.
    pub(crate) placed: fn(&str, &Place<'_>, &str) -> Option<String>,
    /// Whether a sentence states a rule, judged by its words and its place. Recitals, summaries and statements of aims
    /// do not state rules.
    pub(crate) lays_down: fn(&Parsed, &Place<'_>) -> bool,
    /// Whether the place of a rule can be named by its number.
    pub(crate) has_label: fn(&Place<'_>) -> bool,
    /// "What does X mean?"
    pub(crate) what_means: fn(&str) -> String,
    /// "What is meant by X within the meaning of this act?"
    pub(crate) what_means_here: fn(&str, &str) -> String,
    /// Two modals of the same force for a duty, for example "shall" and "must". If the clause states this duty, the
    /// first one is the modal of the rule. `None` if no second modal fits before the predicate.
    pub(crate) modals: fn(&Clause, Duty) -> Option<[String; 2]>,
    /// Other forces that the rule could have and that read before its predicate.
    pub(crate) other_duties: fn(&Clause) -> Vec<Duty>,
    /// A rule from condition, subject, modal and predicate.
    pub(crate) rule: fn(&str, &str, &str, &str) -> String,
    /// The rule with its condition behind it instead of before it; `None` if it has none, or would not read so.
    pub(crate) lead_behind: fn(&Clause) -> Option<String>,
    /// The text with a figure written otherwise, in words or in digits; `None` if it has no figure that can be.
    pub(crate) figures_otherwise: fn(&str) -> Option<String>,
    /// "What must X do as regards Y?", for a rule whose statements differ in the open parts.
    pub(crate) wording: fn(&Clause, &[Part], Option<&str>) -> Option<Asked>,
    /// An item with the words that open its list. `None` if one of the two cannot be understood alone.
    pub(crate) item: fn(&str, &str) -> Option<Item>,
    /// "Which of these stands in the list that begins so?"
    pub(crate) which_item: fn(&str) -> String,
    /// "What is laid down as regards X?"
    pub(crate) laid_down: fn(Option<&str>) -> String,
    /// The phrase at a mention as a question names it.
    pub(crate) topic: fn(&str, Mention) -> Option<String>,
    /// Whether a mention is a phrase by itself: not part of a longer one, and not recognisable by the words beside it.
    pub(crate) stands_free: fn(&str, Mention) -> bool,
    /// A question whose answer is the term at a mention, and the sentence that says it whole.
    pub(crate) term_question: fn(&Parsed, Mention) -> Option<(String, String)>,
}
