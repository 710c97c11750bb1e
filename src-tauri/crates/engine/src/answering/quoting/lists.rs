//! Lists: the item that a sentence belongs to, the sentence that introduces it, and the other items.

use super::fitting::{MOST_ITEMS, fitting};
use crate::answering::Answering;
use crate::answering::clauses::{Clauses, is_labelled, is_listed, leads_in};
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;

/// An item of a list may have several sentences. If a later one is quoted, at most this number of sentences of the item
/// are put before it. If the beginning of the item is further away, the sentence is quoted alone.
pub(super) const MOST_OF_AN_ITEM: usize = 5;

impl Answering<'_> {
    /// If the text begins with a later sentence of an item of a list, puts the beginning of the item before it. Rows of
    /// tables, and sentences after them, are not items. A paragraph after a list does not belong to its last item.
    pub(super) fn whole_item(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
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
    pub(super) fn rest_of_list(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
        let Some(last) = body.last().cloned() else {
            return Ok(());
        };
        let rest = self.list_after(&last, &last.section, clauses)?;
        body.extend(rest);
        Ok(())
    }

    /// If `body` begins in the middle of a list, with an item in `section`, replaces the items by the whole list, from
    /// its first item to its last. Otherwise the quoted part would look as if it were the whole list.
    pub(super) fn begin_at_the_first_item(
        &self,
        section: &str,
        body: &mut Vec<Sentence>,
        clauses: &Clauses,
    ) -> Result<()> {
        // In `body`, the sentence that introduces the list is right before the item. It may have an introduction of its
        // own before it.
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
    pub(super) fn lead_in(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
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

    /// Adds to a sentence that leads a list in its items, of a long list those that fit.
    pub(super) fn items(
        &self,
        question: &str,
        body: &mut Vec<Sentence>,
        clauses: &Clauses,
    ) -> Result<()> {
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
pub(super) fn goes_on_an_item(sentence: &Sentence) -> bool {
    sentence.kind == SentenceKind::ListItem && !is_listed(sentence)
}

/// Whether a sentence may be a further one of an item: it is in a list, or in a place that has the label of an item.
pub(super) fn may_be_further(sentence: &Sentence) -> bool {
    let is_cell = sentence.kind == SentenceKind::TableCell;
    goes_on_an_item(sentence) || (is_labelled(sentence) && !is_listed(sentence) && !is_cell)
}

/// The sentences of a list that are quoted. If the list is short and each item fits the question, they are the whole
/// list. Otherwise they are the first sentences of the items that fit.
pub(super) fn quoted_of_list(
    question: &str,
    head: &[Sentence],
    list: Vec<Sentence>,
) -> Vec<Sentence> {
    let items: Vec<Sentence> = list.iter().filter(|s| is_listed(s)).cloned().collect();
    let all = items.len();
    let fits = fitting(question, head, items);
    if all > 0 && fits.len() == all && list.len() <= MOST_ITEMS {
        list
    } else {
        fits
    }
}
