//! Of the clauses that fit a question about equally well those that hold what it asks for: a time, an amount, or a permission.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_store::words;
use lexforge_text::expected::{self, Beside, Expected};
use lexforge_text::{everyday, is_han, money, permits, when};

impl Answering<'_> {
    /// The clauses that hold what the question asks for come first; otherwise the order stays. If the best clause holds
    /// it, those that do not are left out, since they add no answer. If the question asks how long, how often or how
    /// much and no clause may tell it, none are left.
    pub(super) fn that_hold(
        &self,
        question: &str,
        told: Vec<u32>,
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        let wanted = Wanted::of(question).filter(|_| !question.chars().any(is_han));
        let Some(wanted) = wanted else {
            return Ok(told);
        };
        let mut texts = Vec::with_capacity(told.len());
        for clause in &told {
            let quote = self.quote_in_context(question, *clause, clauses)?;
            texts.push(quote.map_or_else(String::new, |quote| quote.text()));
        }
        if !texts
            .iter()
            .any(|text| wanted.may_be_told_in(question, text))
        {
            return Ok(Vec::new());
        }
        let held: Vec<bool> = texts.iter().map(|text| wanted.is_in(text)).collect();
        Ok(in_order(told, &held))
    }
}

/// What a clause, or a sentence beside another, is to hold.
pub(super) enum Wanted {
    Figure(Beside),
    Permission,
}

impl Wanted {
    pub(super) fn of(question: &str) -> Option<Self> {
        let figure = expected::beside(question).map(Self::Figure);
        figure.or_else(|| permits::asks_whether(question).then_some(Self::Permission))
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Figure(figure) => figure.is_in(text),
            Self::Permission => permits::binds(text),
        }
    }

    /// Whether a text may answer a question that wants this. "When is it needed?" can also be answered by a condition
    /// ("if …"), which no fixed words mark.
    fn may_be_told_in(&self, question: &str, text: &str) -> bool {
        let by_figure = matches!(
            expected::of_question(question),
            Some(Expected::Amount | Expected::Time)
        );
        match self {
            Self::Figure(Beside::Amount) if !money::is_of_the_sum(question, text) => false,
            Self::Figure(figure) if by_figure => {
                figure.may_be_told_in(text) && has_what_is_counted(question, text)
            }
            Self::Figure(_) if when::asks_when_it_is_done(question) => when::tells_when(text),
            _ => true,
        }
    }
}

/// Whether a text speaks of what a question asks the number of, by its name or by one that rules have in its place.
fn has_what_is_counted(question: &str, text: &str) -> bool {
    let Some(counted) = expected::counted(question) else {
        return true;
    };
    let own = words(text);
    let swaps = everyday::swaps();
    let others = swaps.filter(|(forms, _)| forms.contains(&counted.as_str()));
    let mut names = words(&counted);
    names.extend(
        others
            .flat_map(|(_, others)| others)
            .flat_map(|other| words(other)),
    );
    names.is_empty() || names.iter().any(|name| own.contains(name))
}

/// Those that hold it first; alone, where the first does.
fn in_order(told: Vec<u32>, held: &[bool]) -> Vec<u32> {
    let those = |wanted: bool| {
        let of = told.iter().zip(held);
        of.filter(move |(_, held)| **held == wanted)
            .map(|(clause, _)| *clause)
    };
    match held.first() {
        Some(true) => those(true).collect(),
        _ => those(true).chain(those(false)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_what_is_asked_for_comes_first_and_stands_alone() {
        let order = |held: [bool; 3]| in_order(vec![4, 7, 2], &held);
        assert_eq!(order([true, false, true]), [4, 2]);
        assert_eq!(order([true, false, false]), [4]);
        assert_eq!(order([false, true, false]), [7, 4, 2]);
        assert_eq!(order([false; 3]), [4, 7, 2]);
    }

    #[test]
    fn what_cannot_tell_a_figure_answers_no_question_for_it() {
        let told = |question, text| {
            let wanted = Wanted::of(question);
            wanted.is_none_or(|wanted| wanted.may_be_told_in(question, text))
        };
        for (question, text, so) in [
            (
                "How long is a log kept?",
                "A log is kept by its master.",
                false,
            ),
            ("How long is a log kept?", "It is kept for 5 years.", true),
            (
                "How long is a log kept?",
                "It is kept until the vessel is sold.",
                true,
            ),
            // In which case it is kept is not how long.
            (
                "How long is a log kept?",
                "It is kept when a vessel was damaged.",
                false,
            ),
            ("How often is a log read?", "It is read once a year.", true),
            (
                "How much is paid for a log?",
                "A log has a red cover.",
                false,
            ),
            (
                "How much is paid for a log?",
                "A log is free of charge.",
                true,
            ),
            (
                "How many pilots has a port?",
                "A port is open for 12 hours.",
                false,
            ),
            (
                "How many pilots has a port?",
                "A port has two pilots.",
                true,
            ),
            (
                "How many jobs has a pilot?",
                "A pilot has three tasks.",
                true,
            ),
            ("When is a log needed?", "A log is needed in fog.", true),
            (
                "When must a log be filed?",
                "A log is filed with the port.",
                false,
            ),
            (
                "When must a log be filed?",
                "A log is filed within 5 days.",
                true,
            ),
            (
                "When must a log be filed?",
                "A log is filed if a vessel sinks.",
                true,
            ),
            ("Who keeps a log?", "A log has a red cover.", true),
        ] {
            assert_eq!(told(question, text), so, "{question}: {text}");
        }
    }

    #[test]
    fn a_question_wants_a_figure_or_a_permission() {
        let holds = |question, text| Wanted::of(question).map(|wanted| wanted.is_in(text));
        let rule = "A master shall report within 10 days.";
        assert_eq!(holds("How long has a master to report?", rule), Some(true));
        assert_eq!(
            holds("How long has a master to report?", "He reports."),
            Some(false)
        );
        assert_eq!(holds("May a master report late?", rule), Some(true));
        assert_eq!(
            holds("May a master report late?", "A log is a book."),
            Some(false)
        );
        assert_eq!(holds("Who reports?", rule), None);
    }
}
