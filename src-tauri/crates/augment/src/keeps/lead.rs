//! Time before something: "30 days before the change", "30 days' notice", 提前30日.
//!
//! Who has to tell something 30 days before keeps to it by telling it 60 days before. A time within which something has
//! to be done is the other way round.

use super::chinese::{self, Clause, Piece};
use super::english;
use super::fact::Fact;
use super::lexicon::Mark;
use super::token::Token;

/// Words between a figure and what says that it is counted back: "30 calendar days' written notice".
const BETWEEN: usize = 3;
/// Phrases of [`Mark::Before`] from which a time is counted back. "The 12 months preceding the application" is a time
/// that is looked at.
const COUNTED_BACK: [&str; 7] = [
    "before",
    "prior to",
    "prior",
    "in advance of",
    "in advance",
    "ahead of",
    "beforehand",
];
/// Words before a time that is looked at: "the last 12 months before the application".
const LOOKED_AT: [&str; 4] = ["the", "last", "past", "latest"];
/// Characters before a day of a month or a day that is counted forwards: 次月10日前, 收到之日起30日前.
const DAY_OF: [char; 9] = ['月', '季', '度', '年', '周', '起', '后', '底', '末'];

/// For each figure of an English text, in the order of `Text::facts`, whether it is a time before something.
pub(super) fn english(text: &english::Text) -> Vec<bool> {
    let tokens = &text.tokens;
    let figures = (0..tokens.len()).filter_map(|at| match &tokens[at] {
        Token::Fact(fact) => Some((at, fact)),
        _ => None,
    });
    figures
        .map(|(at, fact)| {
            let (before, after) = (&tokens[..at], &tokens[at + 1..]);
            let bound = match fact.bound {
                None | Some(Mark::AtLeast | Mark::More) => true,
                // "No later than 30 days before the change".
                Some(Mark::AtMost) => is_latest(before) || is_latest(after),
                Some(_) => false,
            };
            bound && !is_looked_at(before) && (leads_to(after) || of_notice(before))
        })
        .collect()
}

/// Whether the bound that stands nearest says "no later than".
fn is_latest(beside: &[Token]) -> bool {
    let near = |token: &&Token| matches!(token, Token::Mark(Mark::AtMost, _));
    let (first, last) = (beside.iter().take(5), beside.iter().rev().take(5));
    let phrase = last.clone().find(near).or_else(|| first.clone().find(near));
    phrase
        .and_then(Token::written)
        .is_some_and(|said| said.contains("late"))
}

fn is_looked_at(before: &[Token]) -> bool {
    let said = before.last().and_then(Token::written);
    said.is_some_and(|said| LOOKED_AT.contains(&said))
}

/// Whether what follows a figure counts it back.
fn leads_to(after: &[Token]) -> bool {
    let mut words = 0;
    for token in after {
        match token {
            Token::Mark(Mark::Before, said) => return COUNTED_BACK.contains(&said.as_str()),
            Token::Word(word, _) if word == "notice" => return true,
            Token::Word(..) if words < BETWEEN => words += 1,
            Token::Fact(_) | Token::Break('(' | ')') => {}
            _ => return false,
        }
    }
    false
}

/// Whether a figure is the length of a notice: "a notice of at least 30 days".
fn of_notice(before: &[Token]) -> bool {
    let passed = |token: &&Token| match token {
        Token::Little(_) | Token::Mark(Mark::AtLeast, _) => true,
        Token::Word(word, _) => word == "period",
        _ => false,
    };
    let mut rest = before.iter().rev().skip_while(passed);
    matches!(rest.next(), Some(Token::Word(word, _)) if word == "notice")
}

/// For each figure of a Chinese text, in the order of `Text::facts`, whether it is a time before something.
pub(super) fn chinese(text: &chinese::Text) -> Vec<bool> {
    text.clauses.iter().flat_map(in_clause).collect()
}

fn in_clause(clause: &Clause) -> Vec<bool> {
    let pieces = &clause.pieces;
    let figures = (0..pieces.len()).filter_map(|at| match &pieces[at] {
        Piece::Fact(fact) => Some((at, fact)),
        _ => None,
    });
    figures
        .map(|(at, fact)| counts_back(fact, &pieces[..at]))
        .collect()
}

fn counts_back(fact: &Fact, before: &[Piece]) -> bool {
    match fact.bound {
        // 会议召开10日前; not 每月15日前 and not 3月31日前.
        Some(Mark::Before) => !match before.last() {
            Some(Piece::Char(c)) => DAY_OF.contains(c),
            Some(Piece::Mark(mark, said)) => {
                mark.is_period() || *mark == Mark::After || said.ends_with(DAY_OF)
            }
            Some(Piece::Fact(_)) => true,
            None => false,
        },
        // 提前30日, 到期前至少30日; not 到期前30日内.
        None | Some(Mark::AtLeast | Mark::More) => {
            let least =
                |piece: &&Piece| matches!(piece, Piece::Mark(Mark::AtLeast | Mark::More, _));
            let mut rest = before.iter().rev().skip_while(least);
            matches!(rest.next(), Some(Piece::Mark(Mark::Before, _)))
        }
        Some(_) => false,
    }
}
