//! What a figure does in its sentence: which way it is strict, and what it counts.
//!
//! "At least" and "above" do not say by themselves whether more is stricter. In "transactions above EUR 10,000 shall be
//! reported" the figure says when the duty begins, and in "gifts above EUR 100 shall not be accepted" it is the most
//! that is allowed: there more is looser. In "at least every two years" the longer time is looser, too.

use super::chinese::{self, Clause, Piece};
use super::english;
use super::fact::Fact;
use super::lead;
use super::lexicon::Mark;
use super::token::Token;

/// What a figure does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Role {
    /// It is a time before something.
    pub(super) ahead: bool,
    /// It says how often.
    pub(super) often: bool,
    /// Its bound holds the other way round: it says from where on a duty or a prohibition begins.
    pub(super) turned: bool,
    /// Its bound may be a demand as well as a case: "10 % or more" before what is demanded.
    pub(super) unclear: bool,
    /// On which side of it one must stay.
    pub(super) bound: Option<Mark>,
    /// What it counts, where this is no known unit: "character" in "12 characters".
    pub(super) counts: Option<String>,
}

/// Stems of verbs whose object is an amount that must be there: "shall hold capital above 8 %".
const HOLDS: [&str; 13] = [
    "hold", "maintain", "keep", "have", "possess", "own", "ensur", "provid", "contain", "pai",
    "pay", "reserv", "reach",
];
/// The same in Chinese.
const HOLDS_HAN: [&str; 8] = [
    "持有", "保持", "具有", "具备", "维持", "缴纳", "达到", "留存",
];
/// Phrases of [`Mark::More`] that stand behind what they select: "transactions above EUR 10,000".
const SELECTS: [&str; 5] = ["above", "exceeding", "exceeds", "in excess of", "over"];

/// A case of at most as many words, with the word that begins it, is an aside: "where feasible,".
const LONGEST_ASIDE: usize = 3;

/// The Chinese unit of how many times.
pub(super) const TIMES: &str = "次";

fn binds(mark: Mark) -> bool {
    matches!(
        mark,
        Mark::Must | Mark::MustNot | Mark::Should | Mark::ShouldNot
    )
}

fn forbids(mark: Mark) -> bool {
    matches!(mark, Mark::MustNot | Mark::ShouldNot)
}

fn is_money(fact: &Fact) -> bool {
    fact.unit.len() == 3 && fact.unit.chars().all(|c| c.is_ascii_uppercase())
}

/// What each figure of an English text does, in the order of `Text::facts`.
pub(super) fn english(text: &english::Text) -> Vec<Role> {
    let tokens = &text.tokens;
    let figures = (0..tokens.len()).filter_map(|at| match &tokens[at] {
        Token::Fact(fact) => Some((at, fact)),
        _ => None,
    });
    figures
        .zip(lead::english(text))
        .map(|((at, fact), ahead)| Role {
            ahead,
            often: is_often(&tokens[..at]),
            unclear: is_or_more(&tokens[at..]) && is_before_the_force(tokens, at),
            turned: is_turned(tokens, at, fact),
            bound: fact.bound,
            counts: counted(fact, tokens.get(at + 1)),
        })
        .collect()
}

/// Whether a place stands before what its sentence demands.
fn is_before_the_force(tokens: &[Token], at: usize) -> bool {
    let inside = |token: &&Token| !matches!(token, Token::Break('.' | ';'));
    let force = |token: &Token| token.mark().is_some_and(Mark::is_force);
    let mut before = tokens[..at].iter().rev().take_while(inside);
    let mut after = tokens[at..].iter().take_while(inside);
    !before.any(force) && after.any(force)
}

fn is_often(before: &[Token]) -> bool {
    let last = before.iter().rev().find(|t| !matches!(t, Token::Little(_)));
    last.and_then(Token::mark) == Some(Mark::Each)
}

/// The word behind a number that has no known unit. A year counts nothing.
fn counted(fact: &Fact, next: Option<&Token>) -> Option<String> {
    let times = |token: &&Token| matches!(token, Token::Word(word, _) if word == "times");
    let next = next.filter(|token| !times(token));
    let plain = fact.unit.is_empty() && fact.value.parse::<u32>().is_ok_and(|n| n < 1900);
    next.and_then(Token::stem)
        .filter(|_| plain)
        .map(str::to_owned)
}

fn is_turned(tokens: &[Token], at: usize, fact: &Fact) -> bool {
    let Some(bound) = fact.bound else {
        return false;
    };
    let ends = |token: &Token| matches!(token, Token::Break('.' | ';' | '!' | '?'));
    let from = tokens[..at].iter().rposition(ends).map_or(0, |end| end + 1);
    let to = tokens[at..]
        .iter()
        .position(ends)
        .map_or(tokens.len(), |n| at + n);
    let force = |token: &Token| token.mark().filter(|mark| mark.is_force());
    let before = &tokens[from..at];
    let governing = before.iter().rposition(|t| force(t).is_some());
    // From here on the figure's own part of the sentence begins.
    let part = &before[governing.map_or(0, |place| place + 1)..];
    let in_a_case = has_a_case(part);
    let or_more = bound == Mark::AtLeast && is_or_more(&tokens[at..to]);
    match governing.and_then(|place| force(&before[place])) {
        // "Transactions above EUR 10,000 shall be reported."
        None => {
            let binding = tokens[at..to].iter().find_map(force).is_some_and(binds);
            let selects = matches!(bound, Mark::More | Mark::Less) && bound_at(part) > Some(0);
            binding && (in_a_case || selects || or_more && is_money(fact))
        }
        Some(mark) if !binds(mark) => false,
        Some(_) if in_a_case => true,
        // "Staff shall not accept gifts above EUR 100."
        Some(mark) if forbids(mark) => matches!(bound, Mark::More | Mark::Less) || or_more,
        // "The bank shall report transactions above EUR 10,000."
        Some(_) => {
            let verb = part.iter().find_map(Token::stem);
            let held = verb.is_none_or(|verb| HOLDS.contains(&verb));
            !held && (bound == Mark::More && selects_before(part) || or_more && is_money(fact))
        }
    }
}

/// Whether a case begins in a part of a sentence: "where the transaction exceeds". "Where feasible," is an aside.
fn has_a_case(part: &[Token]) -> bool {
    let is_case = |token: &Token| matches!(token.mark(), Some(Mark::If | Mark::When));
    let is_comma = |token: &Token| matches!(token, Token::Break(','));
    part.iter().enumerate().any(|(at, token)| {
        let end = part[at..].iter().position(is_comma);
        is_case(token) && end.is_none_or(|words| words > LONGEST_ASIDE)
    })
}

fn is_or_more(rest: &[Token]) -> bool {
    let mut near = rest.iter().take(4);
    near.any(|token| match token {
        Token::Mark(Mark::AtLeast, said) => said.starts_with("or ") || said.starts_with("and "),
        _ => false,
    })
}

/// The place of the bound that stands nearest before a figure.
fn bound_at(part: &[Token]) -> Option<usize> {
    part.iter()
        .rposition(|token| token.mark().is_some_and(Mark::is_bound))
}

/// Whether a bound selects some of what stands before it: "transactions above", "transactions of more than".
fn selects_before(part: &[Token]) -> bool {
    let Some(at) = bound_at(part) else {
        return false;
    };
    let selects = matches!(&part[at], Token::Mark(_, said) if SELECTS.contains(&said.as_str()));
    match part[..at].last() {
        Some(Token::Word(..)) => selects,
        Some(Token::Little(of)) => of == "of",
        _ => false,
    }
}

/// A mark of an English text, its words, and how many times it says something is done: "four times a year".
pub(super) type Timed = (Mark, String, f64);

/// The marks of an English text; of "four times a year" with the four times.
pub(super) fn english_marks(text: &english::Text) -> Vec<Timed> {
    let timed = |(at, mark, said): (usize, Mark, &str)| match &text.tokens[..at] {
        [.., Token::Fact(fact), Token::Word(word, _)] if mark.is_period() && word == "times" => {
            let times = fact.value.parse().ok().filter(|n| *n > 0.0);
            let said = format!("{} times {said}", fact.value);
            (mark, said, times.unwrap_or(1.0))
        }
        _ => (mark, said.to_owned(), 1.0),
    };
    text.marks().map(timed).collect()
}

/// The marks of a Chinese text; of 每年四次 with the four times.
pub(super) fn chinese_marks(text: &chinese::Text) -> Vec<Timed> {
    let mut found = Vec::new();
    for clause in &text.clauses {
        for (at, piece) in clause.pieces.iter().enumerate() {
            let Piece::Mark(mark, said) = piece else {
                continue;
            };
            let times = clause.pieces[at..].iter().find_map(|piece| match piece {
                Piece::Fact(fact) if fact.unit == TIMES => fact.value.parse().ok(),
                _ => None,
            });
            let times = times.filter(|n| mark.is_period() && *n > 0.0);
            found.push((*mark, (*said).to_owned(), times.unwrap_or(1.0)));
        }
    }
    found
}

/// What each figure of a Chinese text does, in the order of `Text::facts`.
pub(super) fn chinese(text: &chinese::Text) -> Vec<Role> {
    let clauses = &text.clauses;
    let mut found = Vec::new();
    for (place, clause) in clauses.iter().enumerate() {
        let later = clauses[place + 1..].iter().flat_map(Clause::marks);
        let later = later.map(|(mark, _)| mark).find(|mark| mark.is_force());
        for at in 0..clause.pieces.len() {
            if let Piece::Fact(fact) = &clause.pieces[at] {
                found.push(in_clause(&clause.pieces, at, fact, later));
            }
        }
    }
    for (role, ahead) in found.iter_mut().zip(lead::chinese(text)) {
        role.ahead = ahead;
    }
    found
}

fn in_clause(pieces: &[Piece], at: usize, fact: &Fact, later: Option<Mark>) -> Role {
    let (before, after) = (&pieces[..at], &pieces[at + 1..]);
    let bound = fact.bound.or_else(|| bound_before(before));
    let period = |piece: &Piece| matches!(piece, Piece::Mark(mark, _) if mark.is_period());
    let often = matches!(before.last(), Some(Piece::Mark(Mark::Each, _)))
        || fact.unit == TIMES && before.iter().any(period);
    Role {
        ahead: false,
        often,
        unclear: false,
        turned: bound.is_some_and(|bound| is_turned_han(before, after, bound, later)),
        bound,
        counts: None,
    }
}

/// The bound of 不得超过资本净额的百分之十: words may stand between it and its figure.
fn bound_before(before: &[Piece]) -> Option<Mark> {
    for piece in before.iter().rev() {
        match piece {
            Piece::Mark(mark, _) if mark.is_bound() => return Some(*mark),
            Piece::Mark(mark, _) if mark.is_force() => return None,
            Piece::Fact(_) => return None,
            _ => {}
        }
    }
    None
}

fn is_turned_han(before: &[Piece], after: &[Piece], bound: Mark, later: Option<Mark>) -> bool {
    let force = |piece: &Piece| match piece {
        Piece::Mark(mark, _) if mark.is_force() => Some(*mark),
        _ => None,
    };
    // 五万元以上的交易, 超过五万元的.
    let is_of = |piece: &Piece| matches!(piece, Piece::Char('的'));
    let selects = after.iter().take(2).any(is_of);
    let governing = before.iter().rposition(|piece| force(piece).is_some());
    let Some(place) = governing else {
        let binding = after.iter().find_map(force).or(later).is_some_and(binds);
        return binding
            && match bound {
                Mark::More | Mark::Less => true,
                Mark::AtLeast | Mark::AtMost => selects,
                _ => false,
            };
    };
    let mark = force(&before[place]);
    if mark.is_some_and(forbids) {
        return matches!(bound, Mark::More | Mark::Less);
    }
    let chars = before[place + 1..].iter().map_while(|piece| match piece {
        Piece::Char(c) => Some(*c),
        _ => None,
    });
    let verb: String = chars.collect();
    let held = verb.is_empty() || HOLDS_HAN.iter().any(|known| verb.starts_with(known));
    mark.is_some_and(binds) && selects && !held && matches!(bound, Mark::More | Mark::AtLeast)
}
