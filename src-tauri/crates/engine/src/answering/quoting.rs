//! Which sentences of a clause are quoted. A short clause is quoted whole; of a long one, only the sentences that
//! answer. Sentences that are needed to understand these are added: the sentence that introduces an item, the items of
//! a list that is asked for, or the head of a table's row.
//!
//! One file because each of these rules adds to what the others have put beside a sentence.

use super::Answering;
use super::clauses::{Clauses, RECITALS, is_labelled, is_listed, is_named, leads_in};
use super::statements::Quote;
use super::term_rows::is_labelled_with;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_store::words;
use lexforge_text::asked;
use lexforge_text::expected::{self, Expected};
use lexforge_text::numerals::is_chinese_numeral;
use std::collections::HashSet;

/// A clause up to this length is quoted whole, in characters.
const WHOLE: usize = 900;
/// A longer clause is cut. Up to this length a clause is quoted whole if it holds the list that is asked for, because
/// half a list is a wrong answer.
const WHOLE_LIST: usize = 2_400;
/// Sentences after a lead-in that are quoted with it.
const MOST_ITEMS: usize = 20;
/// Sentences of an item that are put before a further one of it. One that is further away is read without it.
const MOST_OF_AN_ITEM: usize = 5;
/// If a sentence begins with the term that is asked for, at most this number of sentences after it are quoted, too.
const MOST_OF_A_MEANING: usize = 2;
/// If a list is asked for, its introduction may be up to this number of sentences after the sentence that fits best.
const LED_IN_WITHIN: usize = 3;
/// A cell of a table with fewer words only names something.
const FEWEST_WORDS: usize = 5;
/// Rows of a table, or items of a long list, that are quoted with its head.
const MOST_ROWS: usize = 3;

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

    /// If the sentence is a further sentence of an item of a list, puts the item before it. Rows of tables, and
    /// sentences after them, are not items. A paragraph after a list is no part of its last item.
    fn whole_item(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
        let is_cell = |s: &Sentence| s.kind == SentenceKind::TableCell;
        let first = body.first().filter(|s| may_be_further(s));
        let Some(first) = first.cloned() else {
            return Ok(());
        };
        let mut item = Vec::new();
        self.walk(Some(&first), clauses, false, |sentence| {
            let goes_on = sentence.section == first.section
                && !first.section.is_empty()
                && !is_cell(&sentence);
            let begins = is_listed(&sentence);
            if goes_on {
                item.push(sentence);
            }
            goes_on && !begins && item.len() < MOST_OF_AN_ITEM
        })?;
        if item.last().is_some_and(|s| s.is_item()) {
            item.reverse();
            drop(body.splice(0..0, item));
        }
        Ok(())
    }

    /// Adds to the first items of a list those that are in the clauses after.
    fn rest_of_list(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
        let Some(last) = body.last().cloned() else {
            return Ok(());
        };
        let rest = self.list_after(&last, &last.section, clauses)?;
        body.extend(rest);
        Ok(())
    }

    /// If `body` begins in the middle of a list, with an item in `section`, the items are replaced by the whole list:
    /// from the item after the introducing sentence to the last one. Otherwise the excerpt would look as if it were the
    /// whole list.
    fn begin_at_the_first_item(
        &self,
        section: &str,
        body: &mut Vec<Sentence>,
        clauses: &Clauses,
    ) -> Result<()> {
        // In `body`, the introduction of the list is right before the item. Before it there may be an introduction to
        // that sentence, too.
        let begin = body.iter().position(|s| s.section == section);
        let before = begin.unwrap_or_default();
        let Some(lead_in) = before.checked_sub(1).and_then(|at| body.get(at)).cloned() else {
            return Ok(());
        };
        let items = self.list_after(&lead_in, section, clauses)?;
        // If the list is longer than the part that is quoted, the item that was found must still be quoted.
        let is_there = |of: &Sentence| items.iter().any(|item| item.id == of.id);
        if body.iter().skip(before).all(is_there) {
            body.truncate(before);
            body.extend(items);
        }
        Ok(())
    }

    /// The items after a sentence, with their further sentences, of the list that an item of this section is of.
    fn list_after(
        &self,
        after: &Sentence,
        section: &str,
        clauses: &Clauses,
    ) -> Result<Vec<Sentence>> {
        let mut rest: Vec<Sentence> = Vec::new();
        let Some((list, _)) = section.rsplit_once(" › ") else {
            return Ok(rest);
        };
        let list = format!("{list} › ");
        self.walk(Some(after), clauses, true, |sentence| {
            // At the end of a page.
            if sentence.kind == SentenceKind::Footnote {
                return true;
            }
            let before = rest.last().unwrap_or(after);
            let of_the_list = sentence.section.starts_with(&list)
                && (is_listed(&sentence)
                    || goes_on_an_item(&sentence)
                    || (sentence.section == before.section && is_labelled(before)));
            if of_the_list {
                rest.push(sentence);
            }
            of_the_list && rest.len() < MOST_ITEMS
        })?;
        Ok(rest)
    }

    /// Puts the introduction of a list before its item, if the introduction is in an earlier clause.
    fn lead_in(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
        let mut found = Vec::new();
        let first = body.first().cloned();
        let mut item = first
            .as_ref()
            .map_or_else(String::new, |s| s.section.clone());
        let below = |above: &str, section: &str| {
            let rest = section.strip_prefix(above);
            !above.is_empty() && rest.is_some_and(|rest| rest.starts_with(" › "))
        };
        self.walk(first.as_ref(), clauses, false, |sentence| {
            // If an item introduces items of its own, the introduction of this item is quoted, too.
            if is_listed(&sentence) && leads_in(&sentence) && below(&sentence.section, &item) {
                item.clone_from(&sentence.section);
                found.push(sentence);
                return true;
            }
            // Other items, their further sentences, and what interrupts a list.
            let list = item.rsplit_once(" › ").map(|(above, _)| above);
            let of_an_item =
                list.is_some_and(|list| below(list, &sentence.section)) && !leads_in(&sentence);
            if is_listed(&sentence) || sentence.kind == SentenceKind::Footnote || of_an_item {
                return true;
            }
            found.extend(leads_in(&sentence).then_some(sentence));
            false
        })?;
        found.reverse();
        drop(body.splice(0..0, found));
        Ok(())
    }

    /// Puts before a row of a table the names of its columns and of the table.
    fn table_head(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
        let mut head = Vec::new();
        let first = body.first().cloned();
        self.walk(first.as_ref(), clauses, false, |sentence| {
            let is_head = names_a_table(&sentence);
            if is_row(&sentence) && head.is_empty() {
                return true;
            }
            let ends = sentence.kind != SentenceKind::TableCell;
            if is_head {
                head.push(sentence);
            }
            is_head && !ends
        })?;
        head.reverse();
        drop(body.splice(0..0, head));
        Ok(())
    }

    /// Adds the rows of a table if the quoted text is the name of the table. The rows are those that share the most
    /// words with the question, or the first ones if no row shares any.
    fn table_rows(
        &self,
        question: &str,
        body: &mut Vec<Sentence>,
        clauses: &Clauses,
    ) -> Result<()> {
        let (mut head, mut rows) = (Vec::new(), Vec::new());
        let last = body.last().cloned();
        self.walk(last.as_ref(), clauses, true, |sentence| {
            if is_row(&sentence) {
                rows.push(sentence);
                return true;
            }
            let goes_on = rows.is_empty() && names_a_table(&sentence);
            if goes_on {
                head.push(sentence);
            }
            goes_on
        })?;
        let rows = fitting(question, body, rows);
        if !rows.is_empty() {
            body.extend(head);
            body.extend(rows);
        }
        Ok(())
    }

    /// Adds to a sentence that leads a list in its items, of a long list those that fit.
    fn items(&self, question: &str, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
        let mut list = Vec::new();
        let last = body.last().cloned();
        self.walk(last.as_ref(), clauses, true, |sentence| {
            let of_the_list = is_listed(&sentence) || goes_on_an_item(&sentence);
            let goes_on = of_the_list || sentence.kind == SentenceKind::Footnote;
            if of_the_list {
                list.push(sentence);
            }
            goes_on
        })?;
        let quoted = quoted_of_list(question, body, list);
        body.extend(quoted);
        Ok(())
    }
}

/// Whether a sentence is a further one of an item of a list, without a sign of its own.
fn goes_on_an_item(sentence: &Sentence) -> bool {
    sentence.kind == SentenceKind::ListItem && !is_listed(sentence)
}

/// Whether a sentence may be a further one of an item: it is in a list, or in a place that has the label of an item.
fn may_be_further(sentence: &Sentence) -> bool {
    let is_cell = sentence.kind == SentenceKind::TableCell;
    goes_on_an_item(sentence) || (is_labelled(sentence) && !is_listed(sentence) && !is_cell)
}

/// The sentences that are quoted of a list: all of it if it is short and each item fits, or else the items that fit,
/// without their further sentences.
fn quoted_of_list(question: &str, head: &[Sentence], list: Vec<Sentence>) -> Vec<Sentence> {
    let items: Vec<Sentence> = list.iter().filter(|s| is_listed(s)).cloned().collect();
    let all = items.len();
    let fits = fitting(question, head, items);
    if all > 0 && fits.len() == all && list.len() <= MOST_ITEMS {
        list
    } else {
        fits
    }
}

/// Whether a sentence is a row of a table that can be understood alone.
fn is_row(sentence: &Sentence) -> bool {
    sentence.kind == SentenceKind::TableCell && sentence.complete.is_some()
}

/// The name of a table, or of its columns.
fn names_a_table(sentence: &Sentence) -> bool {
    if sentence.kind == SentenceKind::TableCell {
        let is_prose = sentence.text.trim_end().ends_with(['.', '。', ';', '；']);
        return sentence.complete.is_none() && !is_prose && !is_listed(sentence);
    }
    let text = sentence.text.as_str();
    let english = text.strip_prefix("Table ").is_some_and(|rest| {
        let number = rest
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '.');
        number.take(8).any(|c| c.is_ascii_digit())
    });
    let chinese = text.strip_prefix('表').is_some_and(|rest| {
        rest.trim_start()
            .starts_with(|c: char| c.is_ascii_digit() || is_chinese_numeral(c))
    });
    english || chinese
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
        _ => names_a_table(sentence) && !is_prose,
    }
}

/// The rows of a table, or the items of a list, that contain the most words of the question that the head lacks. If no
/// row has such words, or if the question asks for a list, the first rows are taken.
fn fitting(question: &str, head: &[Sentence], mut rows: Vec<Sentence>) -> Vec<Sentence> {
    let named: HashSet<String> = head.iter().flat_map(|s| words(&s.text)).collect();
    let mut asked: HashSet<String> = words(question).into_iter().collect();
    asked.retain(|word| !named.contains(word));
    // If a figure is asked for and some items of the list tell it, only these items are quoted.
    let by_figure = matches!(
        expected::of_question(question),
        Some(Expected::Amount | Expected::Time)
    );
    let wanted = expected::beside(question).filter(|_| by_figure);
    let tells = |row: &Sentence| wanted.is_some_and(|wanted| wanted.is_in(&row.text));
    if rows.iter().any(tells) {
        rows.retain(tells);
    }
    let most = rows.iter().map(|row| shared(&asked, row)).max();
    let most = most.filter(|most| *most > 0 && !asks_for_a_list(question));
    if let Some(most) = most {
        rows.retain(|row| shared(&asked, row) == most);
    }
    rows.truncate(most.map_or(MOST_ITEMS, |_| MOST_ROWS));
    rows
}

fn asks_for_a_list(question: &str) -> bool {
    expected::of_question(question) == Some(Expected::List)
        || expected::asks_what_is_in_it(question)
}

/// How many words of a question a sentence has.
fn shared(asked: &HashSet<String>, sentence: &Sentence) -> usize {
    let own: HashSet<String> = words(&sentence.text).into_iter().collect();
    asked.intersection(&own).count()
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
    // Of equals the one with words of the question that no other sentence has, or else the first.
    let own: Vec<HashSet<String>> = body
        .iter()
        .map(|s| words(&s.text).into_iter().collect())
        .collect();
    let fits = |i: &usize| {
        let stand_in = |word: &String| own.iter().filter(|other| other.contains(word)).count();
        let has = asked.intersection(&own[*i]);
        let alone = has.clone().filter(|word| stand_in(word) == 1);
        (has.count(), alone.count())
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

/// The index after the list items that begin at `from`, or `from` itself if no items follow. With `whole`, the whole
/// list is asked for; then further sentences may come between two items.
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
