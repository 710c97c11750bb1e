//! The verdict of the statements nearest to a rule: covered, partly, contradicted or not covered, and why.

use super::apart::{Apart, apart};
use super::holding::{allows, denies, holds, left_out, shared_stems, touches};
use super::limits::{has_figure, limit_figures, says_how_often, says_once};
use super::of_documents;
use super::pick::Picked;
use super::reversed::turns_round;
use super::says_nothing;
use super::weigh::Likeness;
use lexforge_augment::{
    Binding, Compared, Force, Held, Side, held, quotes, reverses, reverses_a_word, tells_how_long,
};
use lexforge_domain::api::{
    DifferenceKind, DifferenceSide, MatchDifference, MatchRelation, MatchVerdict, Severity,
};

/// From here on a statement covers a rule.
const COVERS: f64 = 0.6;
/// From here on it covers a part of it.
const PARTLY: f64 = 0.4;
/// A statement with a smaller share of the rule's words is about something else, and its differences mean nothing.
pub(super) const SAME_MATTER: f64 = 0.45;
/// Each side has at least this share of the other's words. Then a negation in only one of them reverses the rule.
const SAME_WORDS: f64 = 0.6;
/// From this share on, one side has the other's words.
const HAS_ALL: f64 = 0.75;
/// A statement that stands whole in a rule shares at least as many words with it.
const FEWEST_INSIDE: usize = 4;
/// A statement with at least this cosine may contradict the rule even if they share few words. Then only two
/// differences count as a contradiction: a permission against a prohibition, or one figure against another. For any
/// other kind of difference the two texts are too unlike.
const SAME_MATTER_BY_MEANING: f64 = 0.52;
/// With at least this cosine, a statement contains a part of the rule.
const PARTLY_BY_MEANING: f64 = 0.66;
/// With at least this cosine, a statement says the same as the rule.
const SAME_BY_MEANING: f64 = 0.8;

/// A statement beside the rule.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    pub likeness: Likeness,
    /// How likely it is that it covers the rule.
    pub probability: f64,
    /// What differs.
    pub differences: Vec<MatchDifference>,
    /// It quotes a law or another text, or is a copy of the rules.
    pub quotes: bool,
    /// It says what a document is for or where something is written, and the rule demands no document.
    pub of_a_document: bool,
    /// It shares words with the rule and is about another matter.
    pub apart: Option<Apart>,
    /// It is a title, or says what a word means.
    says_nothing: bool,
    /// Whether it has the rule's verb and object, or the same meaning.
    holds: bool,
    /// Whether nearly all of it stands in the rule.
    is_inside: bool,
    /// Whether it shares something with the rule itself, and is more than an introduction or a similar heading.
    touches: bool,
}

impl Beside {
    /// A rule and a statement side by side.
    pub fn of(rule: &Picked, statement: &Picked, mut likeness: Likeness) -> Self {
        let mut differences = Vec::new();
        let comparable = rule.language == statement.language;
        let (text, said) = (&rule.shown.text, &statement.shown.text);
        // A sentence that introduces a list says nothing by itself.
        let leads_in = said.trim_end().ends_with([':', '：']);
        likeness.meaning = likeness.meaning.filter(|_| !leads_in);
        let meant = likeness.meaning.unwrap_or_default();
        if comparable && likeness.covered >= SAME_MATTER {
            differences = bound(rule, statement, &likeness);
        } else if comparable && meant >= SAME_MATTER_BY_MEANING {
            differences = bound(rule, statement, &likeness);
            let near = meant >= PARTLY_BY_MEANING || tells_how_long(text) && tells_how_long(said);
            let denied = rule.force == Some(Force::MustNot) && denies(text) && allows(said);
            differences.retain(|d| match d.side {
                DifferenceSide::Looser => near,
                DifferenceSide::Weaker => denied,
                DifferenceSide::Contrary => true,
                _ => false,
            });
        }
        let silent = left_out(text, said);
        if comparable && !silent.is_empty() {
            differences.push(MatchDifference {
                kind: DifferenceKind::Silent,
                rule: silent.join(", "),
                policy: String::new(),
                side: DifferenceSide::Silent,
            });
        }
        let by_words = || !comparable || holds(text, said, &likeness);
        // Vectors of an item of a list hold the sentence that introduces the list, too, so they must be nearer.
        let same_matter = match rule.compared.item.is_empty() {
            true => PARTLY_BY_MEANING,
            false => SAME_BY_MEANING,
        };
        let apart = comparable.then(|| apart(rule, statement)).flatten();
        // The name of a control does not say that it does what the rule demands. By its meaning a name is near to every
        // rule whose heading has the same words.
        let is_short = |text| says_nothing::is_a_few_words(text);
        let is_name = says_nothing::is_title(said, statement.language)
            || statement.force.is_none() && is_short(said) && !is_short(text);
        let same_in_other_words =
            |apart: &Apart| meant >= SAME_BY_MEANING && !is_name && apart.may_be_the_same();
        Self {
            probability: likeness.probability(),
            likeness,
            differences,
            of_a_document: statement.force.is_none()
                && of_documents::speaks_of_one(said)
                && !of_documents::demands_one(text),
            says_nothing: says_nothing::is_so(statement.kind),
            quotes: statement.repeats || quotes(said, statement.language),
            is_inside: comparable
                && !is_name
                && likeness.covering >= HAS_ALL
                && shared_stems(text, said) >= FEWEST_INSIDE,
            holds: !is_name && apart.is_none() && (meant >= SAME_BY_MEANING || by_words()),
            // "Staff may share it on these conditions:" allows something, and is more than a lead-in.
            touches: apart.as_ref().is_none_or(same_in_other_words)
                && (!leads_in || statement.force.is_some())
                && (!comparable
                    || meant >= same_matter
                    || touches(text, &rule.compared.item, said)),
            apart,
        }
    }

    /// Whether it says what somebody does or has to do. A quotation, a title, the meaning of a word or the purpose of a
    /// document does not.
    pub fn tells_what_is_done(&self) -> bool {
        !self.quotes && !self.says_nothing && !self.of_a_document
    }

    /// How near the statement is to the rule, on the scale of the bounds for verdicts. It is the larger of two values:
    /// the nearness by words and vectors together, and the nearness by meaning alone. A statement that stands whole in
    /// the rule is at least a part of it, however much longer the rule is.
    fn nearness(&self) -> f64 {
        let from = if self.is_against() {
            SAME_MATTER_BY_MEANING
        } else {
            PARTLY_BY_MEANING
        };
        let least = match self.is_inside {
            true => self.probability.max(PARTLY),
            false => self.probability,
        };
        let meant = self.likeness.meaning.unwrap_or_default();
        if meant < from {
            return least;
        }
        let share = (meant - from) / (SAME_BY_MEANING - from);
        least.max(PARTLY + share * (COVERS - PARTLY))
    }

    /// Whether who keeps to the statement may break the rule.
    pub fn is_against(&self) -> bool {
        self.differences.iter().any(|d| {
            matches!(
                d.side,
                DifferenceSide::Looser | DifferenceSide::Weaker | DifferenceSide::Contrary
            )
        })
    }

    /// Whether it leaves out a figure or another thing on which the rule turns.
    fn lacks(&self) -> bool {
        self.differences
            .iter()
            .any(|d| d.side == DifferenceSide::Silent && d.kind == DifferenceKind::Number)
    }

    /// The relation between the demand of the rule and the content of the statement that decides the verdict.
    pub fn relation(&self, verdict: MatchVerdict) -> MatchRelation {
        match (verdict, self.by_words()) {
            (MatchVerdict::Covered, MatchRelation::Equal) => MatchRelation::Equal,
            // Who covers a rule has all that it demands, in whichever words.
            (MatchVerdict::Covered, _) => MatchRelation::Subset,
            (_, found) => found.under(verdict),
        }
    }

    /// The relation by the words that each has of the other.
    fn by_words(&self) -> MatchRelation {
        let (rule_in, statement_in) = (self.likeness.covered, self.likeness.covering);
        let demands = |side: DifferenceSide| self.differences.iter().any(|d| d.side == side);
        let plain = !self
            .differences
            .iter()
            .any(|d| d.kind != DifferenceKind::Silent);
        if rule_in >= HAS_ALL && statement_in >= HAS_ALL && plain {
            MatchRelation::Equal
        } else if self.is_against() {
            MatchRelation::Intersects
        } else if rule_in >= HAS_ALL && !self.lacks() || demands(DifferenceSide::Stricter) {
            MatchRelation::Subset
        } else if statement_in >= HAS_ALL {
            MatchRelation::Superset
        } else {
            MatchRelation::Intersects
        }
    }
}

/// The verdict on all statements together, and the index of the statement that decides it. `whole` is the probability
/// that together they cover the rule. A statement that shares nothing with the rule decides only against it.
pub(super) fn verdict(beside: &[Beside], whole: f64) -> (MatchVerdict, Option<usize>) {
    let bears = |b: &Beside| b.tells_what_is_done() && (b.touches || b.is_against());
    let best = |wanted: &dyn Fn(&Beside) -> bool| {
        (0..beside.len())
            .filter(|i| bears(&beside[*i]) && wanted(&beside[*i]))
            .max_by(|a, b| {
                let (a, b) = (&beside[*a], &beside[*b]);
                a.nearness().total_cmp(&b.nearness())
            })
    };
    let clean = best(&|b| !b.is_against());
    let against = best(&|b| b.is_against());
    let of = |place: Option<usize>| place.map_or(0.0, |place| beside[place].nearness());
    // A statement that demands less decides if no covering statement is as near.
    if of(against) >= PARTLY && of(against) > of(clean) {
        return (MatchVerdict::Contradicted, against);
    }
    // A statement with another verb or object does not cover the rule, however many other words it shares.
    let covers = best(&|b| !b.is_against() && b.holds && !b.lacks());
    match clean {
        Some(_) if of(covers) >= COVERS => (MatchVerdict::Covered, covers),
        // Several statements together may cover what none covers alone. A person has to check this.
        Some(_) if of(clean) >= PARTLY || whole >= COVERS => (MatchVerdict::Partly, clean),
        _ => (MatchVerdict::NotCovered, None),
    }
}

/// How bad a gap is.
pub(super) fn severity(verdict: MatchVerdict, rule: &Picked) -> Severity {
    let advice = match rule.force {
        Some(Force::Should | Force::NeedNot) => true,
        Some(Force::May) => !rule.demands,
        _ => false,
    };
    match (verdict, advice) {
        (MatchVerdict::Covered, _) => Severity::None,
        (_, true) => Severity::Low,
        (MatchVerdict::Partly, false) => Severity::Medium,
        (MatchVerdict::Contradicted | MatchVerdict::NotCovered, false) => Severity::High,
    }
}

/// The figures of a statement that are looser than those of a rule: each that of the rule and that of the statement.
pub(super) fn looser_figures(rule: &Picked, statement: &Picked) -> Vec<(String, String)> {
    let all = held(&rule.shown.text, &statement.shown.text, rule.language);
    let looser = |h: &Held| h.kind == Binding::Number && h.side == Side::Looser;
    let looser = all.into_iter().filter(looser);
    looser.map(|h| (h.rule, h.statement)).collect()
}

/// What binds in the rule and is otherwise in the statement.
fn bound(rule: &Picked, statement: &Picked, likeness: &Likeness) -> Vec<MatchDifference> {
    let (text, said) = (&rule.shown.text, &statement.shown.text);
    let meant = likeness.meaning.unwrap_or_default();
    let same = likeness.covered >= SAME_WORDS && likeness.covering >= SAME_WORDS;
    // "May" beside another verb weakens a duty only if the two say the same.
    let is_same = |action: bool| {
        action || same || meant >= SAME_BY_MEANING || rule.force == Some(Force::MustNot)
    };
    let mut found: Vec<MatchDifference> = held(text, said, rule.language)
        .into_iter()
        .map(|h| {
            let force = h.kind == Binding::Modal;
            MatchDifference {
                kind: if force {
                    DifferenceKind::Force
                } else {
                    DifferenceKind::Number
                },
                side: match h.side {
                    Side::Looser if force && !is_same(h.same_action) => DifferenceSide::Other,
                    Side::Looser if force => DifferenceSide::Weaker,
                    Side::Looser => DifferenceSide::Looser,
                    Side::Stricter => DifferenceSide::Stricter,
                    Side::Other => DifferenceSide::Other,
                },
                rule: h.rule,
                policy: h.statement,
            }
        })
        .collect();
    let compared = Compared {
        anchor: text,
        answer: said,
        asked: "",
        place: &rule.shown.section,
        language: rule.language,
        terms: &[],
    };
    let mut figures_left_out = false;
    // A deed that is denied weighs wherever the matter is the same. One word may be another's contrary by chance.
    let reversed = reverses(text, said, rule.language)
        || (likeness.covered >= SAME_WORDS || meant >= SAME_BY_MEANING)
            && reverses_a_word(text, said, rule.language);
    for difference in compared.differences() {
        let differing = [difference.anchor.as_str(), difference.answer.as_str()];
        let turned = same && turns_round(differing, [text, said]);
        let (kind, side) = match difference.kind {
            Binding::Negation => {
                let side = if same || reversed {
                    DifferenceSide::Contrary
                } else {
                    DifferenceSide::Other
                };
                (DifferenceKind::Negation, side)
            }
            Binding::Actor => (DifferenceKind::Actor, DifferenceSide::Other),
            Binding::Quantifier if turned => (DifferenceKind::Extent, DifferenceSide::Weaker),
            Binding::Quantifier => (DifferenceKind::Extent, DifferenceSide::Other),
            Binding::Condition | Binding::Direction if turned => {
                (DifferenceKind::Condition, DifferenceSide::Contrary)
            }
            // "Once every 12 months" is no condition: the figures were weighed.
            Binding::Condition
                if says_once(&difference.anchor) || says_once(&difference.answer) =>
            {
                continue;
            }
            Binding::Condition => (DifferenceKind::Condition, DifferenceSide::Other),
            Binding::Number if difference.answer.is_empty() => {
                figures_left_out = true;
                (DifferenceKind::Number, DifferenceSide::Silent)
            }
            // Forces and figures were weighed.
            Binding::Number
            | Binding::Date
            | Binding::Modal
            | Binding::Direction
            | Binding::Term => continue,
        };
        found.push(MatchDifference {
            kind,
            rule: difference.anchor,
            policy: difference.answer,
            side,
        });
    }
    if !figures_left_out && !found.iter().any(|d| d.kind == DifferenceKind::Number) {
        let limits = limit_figures(text);
        if !limits.is_empty() && !has_figure(said) && !says_how_often(said) {
            found.push(MatchDifference {
                kind: DifferenceKind::Number,
                rule: limits,
                policy: String::new(),
                side: DifferenceSide::Silent,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests;
