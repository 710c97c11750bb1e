//! What people decide about matched rules, and which decisions a changed text opens again.

use super::Matching;
use super::carried::{Earlier, Standing, Versions};
use super::pick::{Picked, requirements};
use super::proposals::{is_proposal, unreadable};
use super::rows::there;
use crate::review::Review;
use crate::workspace::Result;
use lexforge_domain::api::{
    DocumentRow, MatchDecide, MatchDecision, MatchRelation, MatchReport, MatchRow, MatchText,
    MatchVerdict,
};
use lexforge_domain::limits::LONGEST_MATCH_NOTE;
use lexforge_domain::{DocumentId, Failure, SentenceId};
use lexforge_store::StoredMatchDecision;
use lexforge_text::fold::letters;
use std::collections::{HashMap, HashSet};

/// Nobody has decided yet.
pub(super) const UNREVIEWED: &str = "unreviewed";
/// The result of the matching was accepted.
const ACCEPTED: &str = "accepted";
/// Something else than what was found was decided.
const CORRECTED: &str = "corrected";
/// A text has changed since it was decided.
pub(super) const STALE: &str = "stale";

impl Matching<'_> {
    /// All decisions about rules, oldest first.
    pub fn decisions(&self) -> Result<Vec<MatchDecision>> {
        let kept = self.workspace.store.read(|r| r.match_decisions())?;
        kept.into_iter()
            .filter(|stored| !is_proposal(&stored.body))
            .map(decision)
            .collect()
    }

    /// Stores a person's decisions about rules of the newest matching.
    ///
    /// # Errors
    /// When nothing was matched yet, a rule or a statement does not belong to that matching, a verdict rests on no
    /// statement and no note, or the workspace cannot be written.
    pub fn decide(&self, said: &MatchDecide) -> Result<Vec<MatchDecision>> {
        let latest = self.made()?;
        let request = &latest.head().request;
        if said.rules.is_empty() {
            return Err(wrong("No rule was named."));
        }
        if said.note.chars().count() > LONGEST_MATCH_NOTE {
            return Err(wrong("The note is longer than 4,000 characters."));
        }
        if let Some(due) = &said.due
            && !is_a_day(due)
        {
            return Err(wrong(&format!(
                "The day “{due}” cannot be read: write it as 2026-12-31."
            )));
        }
        let named = self.named(&said.policies)?;
        let of_the_rules = |text: &&MatchText| request.rules.contains(&text.document);
        if let Some(MatchText { id, .. }) = named.iter().find(of_the_rules) {
            return Err(wrong(&format!(
                "Sentence {id} stands in the rules themselves: it covers none of them."
            )));
        }
        let by = Review::of(self.workspace).me()?.name;
        let rows: HashMap<SentenceId, &MatchRow> =
            latest.rows().iter().map(|row| (row.rule.id, row)).collect();
        let mut decisions = Vec::new();
        for rule in &said.rules {
            let kept = rows.get(rule).ok_or_else(|| {
                wrong(&format!(
                    "Sentence {rule} is no rule of the newest matching."
                ))
            })?;
            let row = latest.row(kept);
            let found: Vec<MatchText> = row
                .policies
                .iter()
                .filter(|p| p.covers)
                .map(|p| p.statement.clone())
                .collect();
            let chosen = said.verdict.filter(|_| !said.undecided);
            let verdict = chosen.unwrap_or(row.verdict);
            let policies = match (named.is_empty(), verdict) {
                (_, MatchVerdict::NotCovered) => Vec::new(),
                (true, _) => found.clone(),
                (false, _) => named.clone(),
            };
            if !said.undecided && says_by_nothing(verdict, &policies, &said.note) {
                return Err(by_nothing(*rule));
            }
            let relation = match verdict {
                MatchVerdict::NotCovered => None,
                _ => said
                    .relation
                    .or_else(|| left_of(&row, verdict, policies == found)),
            };
            let as_found = verdict == row.verdict && relation == row.relation && policies == found;
            decisions.push(MatchDecision {
                id: 0,
                rule: row.rule.clone(),
                accepted: as_found && !said.undecided,
                undecided: said.undecided,
                verdict,
                relation,
                policies,
                note: said.note.trim().to_owned(),
                owner: said.owner.trim().to_owned(),
                due: said.due.clone(),
                against: request.policies.clone(),
                made: String::new(),
                actor: by.clone(),
            });
        }
        let rows: Vec<(i64, String)> = decisions
            .iter()
            .map(|d| {
                Ok((
                    d.rule.id.0,
                    serde_json::to_string(d).map_err(|e| unreadable(&e))?,
                ))
            })
            .collect::<Result<_>>()?;
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.put_match_decisions(&rows))?;
        let mut kept = self.decisions()?;
        Ok(kept.split_off(kept.len().saturating_sub(decisions.len())))
    }

    /// The sentences in the documents with the rules of the newest matching that oblige nobody and were not matched.
    ///
    /// # Errors
    /// When nothing was matched yet, a document is gone, or the workspace cannot be read.
    pub fn passed_over(&self) -> Result<Vec<MatchText>> {
        let request = self.made()?.head().request.clone();
        let documents = self.workspace.store.read(|r| r.documents())?;
        let rules = there(&documents, &request.rules)?;
        Ok(self.workspace.store.read(|reader| {
            let mut all = Vec::new();
            for document in rules {
                all.extend(requirements(reader, document, request.everyone)?.passed_over);
            }
            Ok(all)
        })?)
    }

    /// Statements by their sentences.
    fn named(&self, ids: &[SentenceId]) -> Result<Vec<MatchText>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let texts = self.texts_of(ids)?;
        if let Some(id) = ids.iter().find(|id| !texts.iter().any(|s| s.id == **id)) {
            return Err(wrong(&format!("There is no sentence {id}.")));
        }
        Ok(texts)
    }

    /// The texts of those sentences that are there.
    pub(super) fn texts_of(&self, ids: &[SentenceId]) -> Result<Vec<MatchText>> {
        let sentences = self.workspace.store.read(|r| r.sentences_by_ids(ids))?;
        Ok(sentences
            .into_iter()
            .map(|s| MatchText {
                id: s.id,
                document: s.document,
                page: s.page,
                text: s.complete.unwrap_or(s.text),
                section: s.section,
                external_id: s.external_id,
            })
            .collect())
    }

    /// Keeps a matching; nothing where it is the newest already.
    pub(super) fn keep(&self, report: &MatchReport) -> Result<()> {
        let body = serde_json::to_string(report).map_err(|e| unreadable(&e))?;
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.put_matching(&body))?;
        Ok(())
    }

    /// Applies earlier decisions to the rules of a new matching. If the rule or one of the statements has another text
    /// now, the rule is undecided again. Returns the number of the newest decision.
    pub(super) fn carried(
        &self,
        rows: &mut [MatchRow],
        statements: &[Picked],
        warnings: &mut Vec<String>,
    ) -> Result<i64> {
        let decisions = self.decisions()?;
        let Some(last) = decisions.last().map(|d| d.id) else {
            return Ok(0);
        };
        let standing = Standing::of(statements.iter().map(|s| &s.shown));
        let documents = self.workspace.store.read(|r| r.documents())?;
        let rules: Vec<&MatchText> = rows.iter().map(|row| &row.rule).collect();
        let versions = Versions::of(&documents, rules.iter().map(|rule| rule.document));
        let here: HashSet<DocumentId> = statements
            .iter()
            .map(|statement| versions.first(statement.shown.document))
            .collect();
        let matched: HashSet<DocumentId> = statements.iter().map(|s| s.shown.document).collect();
        let before = self.texts_before(&decisions, &documents, &matched)?;
        // Skip decisions about other policies. The verdict "not covered" was given after looking at certain policies,
        // so it does not apply if a policy was added since.
        let about_these = |decision: &&MatchDecision| {
            let against = decision.against.iter();
            let of: HashSet<DocumentId> = against.map(|id| versions.first(*id)).collect();
            of.is_empty()
                || match decision.verdict {
                    MatchVerdict::NotCovered => here.is_subset(&of),
                    _ => !here.is_disjoint(&of),
                }
        };
        let of_these: Vec<&MatchDecision> = decisions.iter().filter(about_these).collect();
        let earlier = Earlier::of(of_these, versions, &rules);
        let found: Vec<Option<(&MatchDecision, bool)>> =
            rules.iter().map(|rule| earlier.about(rule)).collect();
        let (mut carried, mut opened) = (0, 0);
        for (row, found) in rows.iter_mut().zip(found) {
            let Some((decision, otherwise)) = found else {
                continue;
            };
            let policies = standing.now(&decision.policies);
            let changed = otherwise || policies.is_none() || is_found_since(decision, row, &before);
            if changed && !decision.undecided {
                row.status = STALE.to_owned();
                opened += 1;
            } else {
                row.status = status_of(decision).to_owned();
                carried += usize::from(!decision.undecided);
            }
            let mut decision = decision.clone();
            if let Some(policies) = policies.filter(|_| !otherwise) {
                decision.policies = policies;
            }
            row.decision = Some(decision);
        }
        if opened > 0 {
            warnings.push(format!(
                "{opened} of {} decided rules are open again, because a text has changed since.",
                carried + opened
            ));
        }
        Ok(last)
    }

    /// What stood in the policies that people looked at and that are not matched now, by their documents.
    fn texts_before(
        &self,
        decisions: &[MatchDecision],
        documents: &[DocumentRow],
        matched: &HashSet<DocumentId>,
    ) -> Result<HashMap<DocumentId, HashSet<String>>> {
        let gaps = decisions
            .iter()
            .filter(|decision| decision.verdict == MatchVerdict::NotCovered);
        let looked_at: HashSet<DocumentId> = gaps.flat_map(|gap| &gap.against).copied().collect();
        let mut before = HashMap::new();
        for document in documents {
            let id = document.id;
            if !looked_at.contains(&id) || matched.contains(&id) {
                continue;
            }
            let sentences = self.workspace.store.read(|r| r.sentences(Some(id)))?;
            let texts = sentences.into_iter().map(|s| s.complete.unwrap_or(s.text));
            before.insert(id, texts.map(|text| letters(&text)).collect());
        }
        Ok(before)
    }
}

/// Whether two things hold: somebody decided that nothing covers a rule, and now a statement covers it that was not in
/// the policies at that time. For example, the statement is in a new version of a policy.
fn is_found_since(
    decision: &MatchDecision,
    row: &MatchRow,
    before: &HashMap<DocumentId, HashSet<String>>,
) -> bool {
    let seen = &decision.against;
    let is_new = |text: &MatchText| {
        let words = letters(&text.text);
        let stood = |policy: &DocumentId| {
            before
                .get(policy)
                .is_some_and(|texts| texts.contains(&words))
        };
        !seen.contains(&text.document) && !seen.iter().any(stood)
    };
    let mut covering = row.policies.iter().filter(|found| found.covers);
    decision.verdict == MatchVerdict::NotCovered
        && row.verdict != MatchVerdict::NotCovered
        && !seen.is_empty()
        && covering.any(|found| is_new(&found.statement))
}

/// A decision as it is kept.
pub(super) fn decision(stored: StoredMatchDecision) -> Result<MatchDecision> {
    let mut decision: MatchDecision =
        serde_json::from_str(&stored.body).map_err(|e| unreadable(&e))?;
    decision.id = stored.id;
    decision.made = stored.made;
    if decision.actor.is_empty() {
        decision.actor = stored.actor;
    }
    Ok(decision)
}

/// What a decision makes of a rule.
pub(super) fn status_of(decision: &MatchDecision) -> &'static str {
    match (decision.undecided, decision.accepted) {
        (true, _) => UNREVIEWED,
        (false, true) => ACCEPTED,
        (false, false) => CORRECTED,
    }
}

/// The relation that was found, if it still holds after a person's decision. `same` says that the person left the
/// found statements as they are. For other statements the found relation does not hold.
fn left_of(row: &MatchRow, verdict: MatchVerdict, same: bool) -> Option<MatchRelation> {
    let found = row.relation.filter(|_| same)?;
    match verdict == row.verdict {
        true => Some(found),
        false => Some(found.under(verdict)),
    }
}

/// Whether a verdict says that something speaks of the rule, and neither statement nor note says what. Nobody who signs
/// a list of gaps can follow that.
fn says_by_nothing(verdict: MatchVerdict, policies: &[MatchText], note: &str) -> bool {
    verdict != MatchVerdict::NotCovered && policies.is_empty() && note.trim().is_empty()
}

fn by_nothing(rule: SentenceId) -> Failure {
    Failure::invalid(
        format!(
            "This verdict needs a statement: none was found for rule {rule}, and none was named."
        ),
        "Name the statements, or say in a note where it stands.",
    )
}

/// A day as `YYYY-MM-DD`.
fn is_a_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let number = |part: &str, digits: usize| -> Option<u8> {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse::<u16>().ok())
            .flatten()
            .map(|n| u8::try_from(n % 100).unwrap_or_default())
    };
    let (Some(_), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let Ok(month) = time::Month::try_from(month) else {
        return false;
    };
    let year = year.parse().unwrap_or_default();
    time::Date::from_calendar_date(year, month, day).is_ok()
}

fn wrong(what: &str) -> Failure {
    Failure::invalid(what, "Change it and try again.")
}

#[cfg(test)]
mod tests;
