//! Whether the found clauses are about the subject of a Chinese question. A clause may match a question without
//! containing its subject: "证券公司的净资本" (the net capital of securities firms) also finds the net capital of banks. This
//! file also checks whether a clause holds the figure that the question asks for.

use super::Answering;
use super::clauses::Clauses;
use super::share::share;
use crate::workspace::Result;
use lexforge_store::{ClauseHit, ClauseRanking, words};
use lexforge_text::{asked, expected, is_han, sanction};

/// One of this many first clauses must contain it.
const FIRST: usize = 3;
/// A clause and its title must contain at least this share of the pairs of characters of the subject; rare pairs weigh
/// more. Measured on 114 questions about Chinese financial regulations that have an answer: all of them pass this
/// check.
const LEAST: f64 = 0.4;
/// If a question begins with words at least this rare, they show what it is about. 4.6 is the weight of a word that
/// occurs in one of a hundred clauses.
const RARE: f64 = 4.6;
/// If a question asks for a figure, one of the clauses with a figure must fit the question. It must contain at least
/// this part of what the best clause contains of the question's words. Otherwise the figure is about something else.
const OF_THE_BEST: f64 = 0.5;

/// If an act's title contains more than this share of a question, all clauses of the act match the question well,
/// whatever they say.
const OF_A_TITLE: f64 = 0.3;
/// If [`OF_A_TITLE`] is exceeded, or if the question names a kind of body, the rest of the question is looked at
/// separately. A clause must contain this share of it. Words of the rest count only if some clause has them. Measured
/// with a search by words alone on 59 questions about Chinese regulations and statutes that name a kind of body: right
/// answers have .44 of the rest or more, and four wrong answers have .21 or less.
const OF_THE_REST: f64 = 0.3;

impl Answering<'_> {
    /// Whether a Chinese question asks for an amount or a time, and all clauses with such a figure fit clearly worse
    /// than the best clause. `found` are the results of a search for `subject`.
    pub(super) fn lacks_the_figure(
        &self,
        question: &str,
        subject: &str,
        found: &ClauseRanking,
        order: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<bool> {
        // Where a text that says nothing would do, no figure is asked for. A fine may stand in another article than its
        // rule; whether it does is looked at when the clauses to quote are chosen.
        if !question.chars().any(is_han)
            || expected::is_told(question, "")
            || sanction::asked_for(question).is_some()
        {
            return Ok(false);
        }
        let body = Topic::of(subject, found).filter(|topic| topic.is_body);
        let (mut most, mut told) = (0.0_f64, 0.0_f64);
        for hit in first(found, order) {
            let Some((from, to)) = clauses.map.sentences(hit.clause) else {
                continue;
            };
            let has = share(&found.words, &hit.words);
            let store = &self.workspace.store;
            let texts = store.read(|r| r.texts_between(from, to))?;
            most = most.max(has);
            // A figure of another kind of body, or of something else about this one, is not the one that is asked for.
            let is_of_it = body
                .as_ref()
                .is_none_or(|body| !body.lacks(hit) && body.has_of_the_rest(hit, found));
            if is_of_it && expected::is_told(question, &texts.join("\n")) {
                told = told.max(has);
            }
        }
        Ok(told < OF_THE_BEST * most)
    }
}

/// The first clauses, each with the share of the question that it has.
fn first<'f>(
    found: &'f ClauseRanking,
    order: &'f [(u32, f64)],
) -> impl Iterator<Item = &'f ClauseHit> {
    let hit = move |clause: u32| found.hits.iter().find(move |hit| hit.clause == clause);
    order.iter().take(FIRST).filter_map(move |one| hit(one.0))
}

/// Whether the first clauses lack most of what the question is about. `found` are the results of a search for
/// `subject`. `title` gives the words of the title above a clause.
pub(super) fn is_absent(
    subject: &str,
    found: &ClauseRanking,
    order: &[(u32, f64)],
    title: impl Fn(u32) -> Vec<String>,
) -> bool {
    if !subject.chars().any(is_han) {
        return false;
    }
    let different = different(subject);
    // Where words were left out as too common it is not known which is which.
    if different.len() != found.words.len() || found.hits.is_empty() {
        return false;
    }
    if begins_with_another(&different, found, order) || only_titles(&different, found, order, title)
    {
        return true;
    }
    let mut first = first(found, order);
    Topic::of(subject, found).is_some_and(|topic| match topic.is_body {
        // Rules for one kind of body do not apply to another. So only the best clause is answered with.
        true => first.next().is_some_and(|hit| topic.lacks(hit)),
        false => first.all(|hit| topic.lacks(hit)),
    })
}

/// The different words of a text, in their order.
fn different(text: &str) -> Vec<String> {
    let mut different: Vec<String> = Vec::new();
    for word in words(text) {
        if !different.contains(&word) {
            different.push(word);
        }
    }
    different
}

/// The subject of a Chinese question.
pub(super) struct Topic {
    /// The weights of its words among those that were looked for; of the others none.
    weights: Vec<f64>,
    /// It is a kind of body: 引航公司.
    pub is_body: bool,
}

impl Topic {
    /// The topic of a subject. `found` are the results of a search for the subject. `None` if the subject names no
    /// topic, or if no word of the topic was found.
    pub fn of(subject: &str, found: &ClauseRanking) -> Option<Self> {
        let topic = asked::topic(subject)?;
        let different = different(subject);
        if different.len() != found.words.len() {
            return None;
        }
        let own = words(topic);
        let weighed = found.words.iter().zip(&different);
        let weights: Vec<f64> = weighed
            .map(|(weight, word)| if own.contains(word) { *weight } else { 0.0 })
            .collect();
        let is_body = asked::is_body(topic);
        (weights.iter().sum::<f64>() > 0.0).then_some(Self { weights, is_body })
    }

    /// Whether a clause has little of it.
    pub fn lacks(&self, hit: &ClauseHit) -> bool {
        share(&self.weights, &hit.words) < LEAST
    }

    /// The weights of the other words of the search that some clause has.
    fn rest(&self, found: &ClauseRanking) -> Vec<f64> {
        let weighed = found.words.iter().zip(&self.weights).zip(standing(found));
        weighed
            .map(
                |((weight, of_the_topic), stands)| match stands && *of_the_topic <= 0.0 {
                    true => *weight,
                    false => 0.0,
                },
            )
            .collect()
    }

    /// Whether a clause has enough of these other words, if there are any.
    fn has_of_the_rest(&self, hit: &ClauseHit, found: &ClauseRanking) -> bool {
        let rest = self.rest(found);
        rest.iter().sum::<f64>() <= 0.0 || share(&rest, &hit.words) >= OF_THE_REST
    }
}

/// Whether the question begins with two rare characters that some clauses have, but none of the first clauses. Then the
/// question is about something else than these clauses. Characters that no clause has do not count: they may be another
/// word for the same thing.
fn begins_with_another(different: &[String], found: &ClauseRanking, order: &[(u32, f64)]) -> bool {
    let is_pair = |word: &String| word.chars().count() == 2 && word.chars().all(is_han);
    let has = |hit: &ClauseHit| hit.words.first().is_some_and(|has| *has);
    different
        .first()
        .is_some_and(|word| is_pair(word) && !asked::is_no_word(word))
        && found.words.first().is_some_and(|weight| *weight > RARE)
        && found.hits.iter().any(has)
        && !first(found, order).any(has)
}

/// Whether the first clauses have little more of a question than the titles of their acts have.
fn only_titles(
    different: &[String],
    found: &ClauseRanking,
    order: &[(u32, f64)],
    title: impl Fn(u32) -> Vec<String>,
) -> bool {
    let all: f64 = found.words.iter().sum();
    let standing = standing(found);
    let mut first = first(found, order).peekable();
    let is_found = first.peek().is_some();
    let only_title = |hit: &ClauseHit| {
        let title = title(hit.clause);
        let words = || different.iter().zip(&found.words).zip(&standing);
        let of_title: f64 = words()
            .filter(|((word, _), _)| title.contains(word))
            .map(|((_, weight), _)| weight)
            .sum();
        let rest: Vec<f64> = words()
            .map(
                |((word, weight), stands)| match *stands && !title.contains(word) {
                    true => *weight,
                    false => 0.0,
                },
            )
            .collect();
        let asks_more = rest.iter().sum::<f64>() > 0.0;
        asks_more && of_title > OF_A_TITLE * all && share(&rest, &hit.words) < OF_THE_REST
    };
    is_found && first.all(only_title)
}

/// Whether a question is about a kind of body, and the first clauses about it have hardly anything else of the
/// question: "引航公司的停泊费" (the mooring fees of pilotage companies) finds every clause about these companies. Words that
/// no clause has do not count: they may be other words for what a clause says.
pub(super) fn have_only_the_body(
    subject: &str,
    found: &ClauseRanking,
    order: &[(u32, f64)],
) -> bool {
    let Some(topic) = Topic::of(subject, found).filter(|topic| topic.is_body) else {
        return false;
    };
    let rest = topic.rest(found);
    let asks_more = rest.iter().sum::<f64>() > 0.0;
    let mut about_it = first(found, order)
        .filter(|hit| !topic.lacks(hit))
        .peekable();
    let is_found = about_it.peek().is_some();
    asks_more && is_found && about_it.all(|hit| share(&rest, &hit.words) < OF_THE_REST)
}

/// Which words of a search some clause has.
fn standing(found: &ClauseRanking) -> Vec<bool> {
    let stands = |at: usize| {
        let has = |hit: &ClauseHit| hit.words.get(at).is_some_and(|has| *has);
        found.hits.iter().any(has)
    };
    (0..found.words.len()).map(stands).collect()
}

#[cfg(test)]
mod tests;
