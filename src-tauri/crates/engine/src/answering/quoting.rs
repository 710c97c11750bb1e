//! Which sentences of a clause are quoted. A short clause is quoted whole; of a long one, only the sentences that
//! answer. Sentences that are needed to understand these are added: the sentence that introduces an item, the items of
//! a list that is asked for, or the head of a table's row.

mod fitting;
mod lists;
mod tables;

use super::Answering;
use super::clauses::{Clauses, RECITALS, is_listed, is_named, leads_in};
use super::duties::Duty;
use super::own_words::own_words;
use super::statements::Quote;
use super::term_rows::is_labelled_with;
use crate::workspace::Result;
use fitting::{MOST_ITEMS, asks_for_a_list, shared};
use lexforge_domain::SentenceId;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_store::words;
use lexforge_text::expected::Expected;
use lexforge_text::{asked, duty, is_unspaced};
use lists::MOST_OF_AN_ITEM;
use std::collections::HashSet;
use tables::{is_row, names_a_table};

/// A clause up to this length is quoted whole, in characters.
const WHOLE: usize = 900;
/// A clause that holds the list that is asked for is quoted whole up to this length, because half a list is a wrong
/// answer. A longer clause is cut.
const WHOLE_LIST: usize = 2_400;
/// If a sentence begins with the term that is asked for, at most this number of sentences after it are quoted, too.
const MOST_OF_A_MEANING: usize = 2;
/// If a list is asked for, its introduction may be up to this number of sentences after the sentence that fits best.
const LED_IN_WITHIN: usize = 3;
/// A text of so few words that is no sentence names something.
const MOST_OF_A_NAME: usize = 2;
/// A longer word is no label of an item.
const LONGEST_LABEL: usize = 5;
/// A cell of a table with fewer words only names something.
const FEWEST_WORDS: usize = 5;

impl Answering<'_> {
    /// The sentences of a clause that are shown.
    pub(super) fn quote(
        &self,
        question: &str,
        clause: u32,
        clauses: &Clauses,
    ) -> Result<Option<Quote>> {
        let Some((from, to)) = clauses.map.sentences(clause) else {
            return Ok(None);
        };
        let ids: Vec<SentenceId> = (from.0..=to.0).map(SentenceId).collect();
        let all = self.workspace.store.read(|r| r.sentences_by_ids(&ids))?;
        let mut body: Vec<Sentence> = all
            .iter()
            .filter(|s| s.kind != SentenceKind::Heading)
            .cloned()
            .collect();
        if body.is_empty() {
            body = all;
        }
        let sentences = chosen(question, body);
        Ok((!sentences.is_empty()).then_some(Quote { sentences, own: 0 }))
    }

    /// The sentences of a clause that an answer quotes, together with sentences that are needed to understand them.
    pub(super) fn quote_in_context(
        &self,
        question: &str,
        clause: u32,
        clauses: &Clauses,
    ) -> Result<Option<Quote>> {
        let Some(quote) = self.quote(question, clause, clauses)? else {
            return Ok(None);
        };
        let mut body = quote.sentences;
        let clause_itself = body.first().map(|s| s.id);
        // Recitals have no introducing sentence that would be needed to understand them.
        let is_recital = |s: &Sentence| s.section.starts_with(RECITALS);
        if body.first().is_some_and(|s| !is_recital(s)) {
            self.whole_item(&mut body, clauses)?;
        }
        let item = body.first().cloned();
        let item = item.filter(|s| is_listed(s) && !is_recital(s));
        // A question that names an item asks for the item and not for its list.
        let whole =
            asks_for_a_list(question) && !item.as_ref().is_some_and(|s| is_named(s, question));
        if let Some(item) = item {
            self.lead_in(&mut body, clauses)?;
            if whole && body.first().is_some_and(|s| s.id != item.id) {
                self.begin_at_the_first_item(&item.section, &mut body, clauses)?;
            }
        }
        if body.first().is_some_and(is_row) {
            self.table_head(&mut body, clauses)?;
        }
        if body.last().is_some_and(leads_in) {
            self.items(question, &mut body, clauses)?;
            // None of the items fits, and "Systems must:" answers nothing.
            if body.last().is_some_and(|s| duty::breaks_off(&s.text)) {
                return Ok(None);
            }
        } else if whole && body.iter().any(leads_in) {
            self.rest_of_list(&mut body, clauses)?;
        }
        let is_explained = self.add_meaning(question, &mut body, clauses)?;
        if !is_explained && body.iter().all(names_a_table) {
            self.table_rows(question, &mut body, clauses)?;
        }
        self.what_is_wanted(question, &mut body, clauses)?;
        let looks_up = asked::looked_up(question).or_else(|| asked::meaning_of(question));
        let says_nothing = |s: &Sentence| {
            has_no_words(s) || points_elsewhere(s) || (looks_up.is_none() && only_names(s))
        };
        if body.iter().all(says_nothing) {
            return Ok(None);
        }
        let own = body.iter().position(|s| Some(s.id) == clause_itself);
        Ok(Some(Quote {
            own: own.unwrap_or_default(),
            sentences: body,
        }))
    }
}

/// Whether a sentence is only a number.
fn has_no_words(sentence: &Sentence) -> bool {
    !sentence.text.chars().any(char::is_alphabetic)
}

/// A sentence that only says where more is told: "Refer to table 1 for …".
fn points_elsewhere(sentence: &Sentence) -> bool {
    const POINTERS: [&str; 5] = [
        "Refer to ",
        "See ",
        "For more information, ",
        "For further information, ",
        "For additional information, ",
    ];
    // The mark of a footnote stands before its text.
    let mark = |c: char| c.is_ascii_digit();
    let text = sentence.text.trim_start_matches(mark).trim_start();
    POINTERS.iter().any(|begin| text.starts_with(*begin))
}

/// Whether a sentence is a heading, the name of a table or a cell of a few words. Alone it answers nothing.
fn only_names(sentence: &Sentence) -> bool {
    let is_prose = sentence.text.trim_end().ends_with(['.', '。', ';', '；']);
    let few = || words(&sentence.text).len() < FEWEST_WORDS && !sentence.text.contains('\t');
    match sentence.kind {
        SentenceKind::Heading => true,
        SentenceKind::TableCell => sentence.complete.is_none() && !is_prose && few(),
        _ => (names_a_table(sentence) || is_a_name(&sentence.text)) && !is_prose,
    }
}

/// Whether a text is only a name: "a. Enforcement". A text with a figure may say something, and so may one in a script
/// without blanks.
fn is_a_name(text: &str) -> bool {
    let label = text
        .split_once(' ')
        .filter(|(label, _)| label.chars().count() <= LONGEST_LABEL && label.ends_with(['.', ')']));
    let text = label.map_or(text, |(_, rest)| rest);
    let says = |c: char| c.is_ascii_digit() || is_unspaced(c) || matches!(c, ':' | '\t');
    !text.contains(says) && text.split_whitespace().count() <= MOST_OF_A_NAME
}

/// The sentences of a clause to quote. A short clause is quoted whole. Of a long clause, the sentence with the most
/// words of the question is quoted, together with the sentence that introduces it or with its items.
fn chosen(question: &str, mut body: Vec<Sentence>) -> Vec<Sentence> {
    let asked: HashSet<String> = words(question).into_iter().collect();
    // A footnote between the sentences of a clause is no part of it. But it may be what the question asks for.
    let is_note = |s: &Sentence| s.kind == SentenceKind::Footnote;
    if body.iter().any(is_note) && !body.iter().all(is_note) {
        let most = |notes: bool| {
            let of = body.iter().filter(|s| is_note(s) == notes);
            of.map(|s| shared(&asked, s)).max().unwrap_or_default()
        };
        let by_itself = most(true);
        if by_itself > most(false) {
            body.retain(|s| is_note(s) && shared(&asked, s) == by_itself);
            body.truncate(1);
            return body;
        }
        body.retain(|s| !is_note(s));
    }
    let term = asked::meaning_of(question).map(words);
    let labelled = term.and_then(|term| {
        let mut places = body.iter();
        places.position(|s| is_labelled_with(&s.text, &term))
    });
    // The next one that is labelled so says what something else is.
    if let Some(at) = labelled {
        let further = body.iter().skip(at + 1);
        let more = further.take_while(|s| !is_listed(s) && !s.text.contains(": "));
        let past = at + 1 + more.take(MOST_OF_A_MEANING).count();
        return body.drain(at..past).collect();
    }
    let asks_for_a_list = asks_for_a_list(question);
    let text: Vec<&str> = body.iter().map(|s| s.text.as_str()).collect();
    let length: usize = text.iter().map(|text| text.chars().count()).sum();
    let is_listed_here = || Expected::List.is_in(&text.join(" "));
    if length <= WHOLE || (length <= WHOLE_LIST && asks_for_a_list && is_listed_here()) {
        return body;
    }
    let duty = Duty::of_whom_or_when(question);
    let of_question = own_words(question);
    // First the one that says outright who must do it, or until when. Of equals the one with words of the question that no
    // other sentence has, or else the first.
    let own: Vec<HashSet<String>> = body
        .iter()
        .map(|s| words(&s.text).into_iter().collect())
        .collect();
    let fits = |i: &usize| {
        let stand_in = |word: &String| own.iter().filter(|other| other.contains(word)).count();
        let has = asked.intersection(&own[*i]);
        let alone = has.clone().filter(|word| stand_in(word) == 1);
        let sentence = std::slice::from_ref(&body[*i]);
        let is_outright = (duty.as_ref()).is_some_and(|d| d.is_outright_in(&of_question, sentence));
        (is_outright, has.count(), alone.count())
    };
    let best = (0..body.len()).rev().max_by_key(fits);
    let Some(best) = best else { return body };
    let is_item = is_listed(&body[best]);
    let takes_items = leads_in(&body[best]) || !is_item || asks_for_a_list;
    // The introduction of the list that is asked for may come right after the sentence that says what the list is
    // about.
    let begins_a_list = |i: &usize| leads_in(&body[*i]) && body.get(i + 1).is_some_and(is_listed);
    let led_in = (best..body.len())
        .take(LED_IN_WITHIN + 1)
        .find(begins_a_list)
        .filter(|_| asks_for_a_list && !is_item)
        .unwrap_or(best);
    let past = match takes_items {
        true => past_the_items(&body, led_in + 1, asks_for_a_list),
        false => led_in + 1,
    };
    // An item is read from its lead-in on.
    let from = if is_item {
        (0..best)
            .rev()
            .find(|i| !is_listed(&body[*i]))
            .filter(|lead_in| best - lead_in <= MOST_ITEMS)
            .unwrap_or(best)
    } else {
        best
    };
    body.drain(from..past).collect()
}

/// The index after the list items that begin at `from`, or `from` itself if no items follow. With `whole`, the user
/// asked for the whole list; then other sentences may come between two items.
fn past_the_items(body: &[Sentence], from: usize, whole: bool) -> usize {
    let most_between = if whole { MOST_OF_AN_ITEM } else { 0 };
    let mut past = from;
    for (at, sentence) in body.iter().enumerate().skip(from).take(MOST_ITEMS) {
        if is_listed(sentence) {
            past = at + 1;
        } else if at + 1 - past > most_between || leads_in(sentence) {
            break;
        }
    }
    past
}

#[cfg(test)]
mod tests;
