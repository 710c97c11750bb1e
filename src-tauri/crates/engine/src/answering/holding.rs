//! Of the clauses that fit a question about equally well those that hold what it asks for: a time, an amount, or a permission.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_text::{expected, is_han, permits};

impl Answering<'_> {
    /// Clauses, best first, of which those that hold what the question asks for come first. Where the best does, the others
    /// are left out: beside it they answer nothing.
    pub(super) fn that_hold(
        &self,
        question: &str,
        told: Vec<u32>,
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        if told.len() < 2 || question.chars().any(is_han) {
            return Ok(told);
        }
        let Some(wanted) = Wanted::of(question) else {
            return Ok(told);
        };
        let mut held = Vec::with_capacity(told.len());
        for clause in &told {
            let quote = self.quote_in_context(question, *clause, clauses)?;
            held.push(quote.is_some_and(|quote| wanted.is_in(&quote.text())));
        }
        Ok(in_order(told, &held))
    }
}

/// What a clause is to hold.
enum Wanted {
    Figure(expected::Beside),
    Permission,
}

impl Wanted {
    fn of(question: &str) -> Option<Self> {
        let figure = expected::beside(question).map(Self::Figure);
        figure.or_else(|| permits::asks_whether(question).then_some(Self::Permission))
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Figure(figure) => figure.is_in(text),
            Self::Permission => permits::binds(text),
        }
    }
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
