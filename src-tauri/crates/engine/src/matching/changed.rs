//! What new versions of the matched documents changed: how many rules and statements have changed, and how many
//! decisions are affected.

use super::Matching;
use super::carried::Versions;
use super::decide::{STALE, UNREVIEWED};
use super::pick::{Side, requirements, statements};
use crate::corpus::compare_versions;
use crate::workspace::Result;
use lexforge_domain::api::{
    DocumentRow, MatchChanges, MatchDecision, MatchRequest, MatchRow, MatchTextChanges,
};
use lexforge_domain::document::Sentence;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_store::Reader;
use lexforge_text::fold::letters;
use std::collections::{HashMap, HashSet};

/// The sentences of a document with their whole texts, and those of them that take part.
type Chosen = (Vec<Sentence>, HashSet<SentenceId>);

impl Matching<'_> {
    /// What changed since earlier versions of these documents that were matched or decided about; `None` without any.
    pub(super) fn changes(
        &self,
        request: &MatchRequest,
        rows: &[MatchRow],
    ) -> Result<Option<MatchChanges>> {
        let documents = self.workspace.store.read(|r| r.documents())?;
        let versions = Versions::of(&documents, request.rules.iter().copied());
        let mut matched = request.rules.iter().chain(&request.policies);
        if matched.all(|id| versions.earlier(*id).is_empty()) {
            return Ok(None);
        }
        let decisions = self.decisions()?;
        let known = self.known(&decisions)?;
        let by_id: HashMap<DocumentId, &DocumentRow> =
            documents.iter().map(|d| (d.id, d)).collect();
        let pairs = |ids: &[DocumentId]| -> Vec<[&DocumentRow; 2]> {
            let pair = |id: &DocumentId| {
                let mut earlier = versions.earlier(*id).into_iter();
                let old = earlier.find(|old| known.contains(old))?;
                Some([*by_id.get(&old)?, *by_id.get(id)?])
            };
            ids.iter().filter_map(pair).collect()
        };
        let (rules, policies) = (pairs(&request.rules), pairs(&request.policies));
        if rules.is_empty() && policies.is_empty() {
            return Ok(None);
        }
        let mut changes = MatchChanges::default();
        let mut gone = HashSet::new();
        for pair in rules {
            changes.versions.push((pair[0].id, pair[1].id));
            let [old, new] = self.chosen(pair, |reader, document| {
                requirements(reader, document, request.everyone)
            })?;
            gone.extend(count(&mut changes.rules, &old, &new));
        }
        for pair in policies {
            changes.versions.push((pair[0].id, pair[1].id));
            let [old, new] = self.chosen(pair, statements)?;
            count(&mut changes.statements, &old, &new);
        }
        let decided = rows.iter().filter(|row| row.status != UNREVIEWED).count();
        let open = rows.iter().filter(|row| row.status == STALE).count();
        let lost = lost(&decisions, &gone, &versions, request);
        changes.decided = decided + lost;
        changes.affected = open + lost;
        Ok(Some(changes))
    }

    /// The documents of the newest matching, those that it was compared with, and those that were decided about.
    fn known(&self, decisions: &[MatchDecision]) -> Result<HashSet<DocumentId>> {
        let of_decision = |d: &MatchDecision| {
            let policies = d.against.clone().into_iter();
            policies.chain([d.rule.document])
        };
        let mut known: HashSet<DocumentId> = decisions.iter().flat_map(of_decision).collect();
        if let Some(latest) = self.latest()? {
            let head = latest.head();
            known.extend(&head.request.rules);
            known.extend(&head.request.policies);
            let before = head.changes.iter().flat_map(|changes| &changes.versions);
            known.extend(before.map(|(old, _)| *old));
        }
        Ok(known)
    }

    /// Both versions of a document, with what is chosen of them.
    fn chosen(
        &self,
        pair: [&DocumentRow; 2],
        choose: impl Fn(&Reader<'_>, &DocumentRow) -> lexforge_store::Result<Side>,
    ) -> Result<[Chosen; 2]> {
        Ok(self.workspace.store.read(|reader| {
            let one = |document: &DocumentRow| -> lexforge_store::Result<Chosen> {
                let mut sentences = reader.sentences(Some(document.id))?;
                for sentence in &mut sentences {
                    if let Some(whole) = sentence.complete.take() {
                        sentence.text = whole;
                    }
                }
                let side = choose(reader, document)?;
                Ok((sentences, side.ids().into_iter().collect()))
            };
            Ok([one(pair[0])?, one(pair[1])?])
        })?)
    }
}

/// Adds what became of the chosen sentences. Returns the letters of those that the newer version no longer has.
fn count(
    sums: &mut MatchTextChanges,
    (before, old): &Chosen,
    (after, new): &Chosen,
) -> Vec<String> {
    let found = compare_versions(before, after);
    let was = |at: usize| old.contains(&before[at].id);
    let is = |at: usize| new.contains(&after[at].id);
    let changed = found.changed.iter();
    // A sentence that only one of the versions has as a rule became one, or is none any more.
    sums.changed += changed.filter(|(i, j)| was(*i) || is(*j)).count();
    sums.came += found.added.iter().filter(|j| is(**j)).count();
    let went = found.removed.iter().filter(|i| was(**i));
    let gone: Vec<String> = went.map(|i| letters(&before[*i].text)).collect();
    sums.went += gone.len();
    gone
}

/// How many rules that went somebody has accepted or corrected before, with these policies.
fn lost(
    decisions: &[MatchDecision],
    gone: &HashSet<String>,
    versions: &Versions,
    request: &MatchRequest,
) -> usize {
    let policies = request.policies.iter();
    let here: HashSet<DocumentId> = policies.map(|id| versions.first(*id)).collect();
    let earlier = request.rules.iter().flat_map(|id| versions.earlier(*id));
    let earlier: HashSet<DocumentId> = earlier.collect();
    let about_these = |d: &&MatchDecision| {
        let mut against = d.against.iter();
        earlier.contains(&d.rule.document)
            && (d.against.is_empty() || against.any(|id| here.contains(&versions.first(*id))))
    };
    // The newest decision about a rule counts.
    let newest: HashMap<String, &MatchDecision> = decisions
        .iter()
        .filter(about_these)
        .map(|d| (letters(&d.rule.text), d))
        .collect();
    newest
        .iter()
        .filter(|(text, d)| gone.contains(*text) && !d.undecided)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::MatchText;
    use lexforge_domain::text::SentenceKind;

    /// A version with these sentences; the ones marked with a star are rules.
    fn version(document: i64, texts: &[&str]) -> Chosen {
        let mut chosen = HashSet::new();
        let sentences = (1_i64..).zip(texts).map(|(at, text)| {
            let id = SentenceId(document * 100 + at);
            if text.starts_with('*') {
                chosen.insert(id);
            }
            let text = text.trim_start_matches('*');
            let mut one = Sentence::alone(id, DocumentId(document), SentenceKind::Rule, text);
            one.section = "Article 1".to_owned();
            one
        });
        (sentences.collect(), chosen)
    }

    #[test]
    fn rules_that_changed_came_and_went_are_counted_and_nothing_else() {
        const KEPT: &str = "*The firm shall keep every record of its customers for five years.";
        const MOVED: &str = "*The desk shall review the access rights of its staff each month.";
        const REASON: &str = "Records help the authority to understand what happened.";
        for (before, after, expected) in [
            (vec![KEPT, MOVED], vec![MOVED, KEPT], [0, 0, 0]),
            (
                vec![KEPT, REASON],
                vec![
                    "*The firm shall keep every record of its customers for seven years.",
                    "Records help the authority to understand what has happened.",
                ],
                [1, 0, 0],
            ),
            (vec![KEPT, MOVED], vec![KEPT], [0, 0, 1]),
            (vec![KEPT], vec![KEPT, MOVED], [0, 1, 0]),
            // What was allowed is a duty now.
            (
                vec!["The firm may keep every record of its customers for five years."],
                vec![KEPT],
                [1, 0, 0],
            ),
        ] {
            let mut sums = MatchTextChanges::default();
            let gone = count(&mut sums, &version(1, &before), &version(2, &after));
            let found = [sums.changed, sums.came, sums.went];
            assert_eq!(found, expected, "{before:?} {after:?}");
            assert_eq!(gone.len(), sums.went);
        }
    }

    #[test]
    fn a_decision_about_a_rule_that_went_is_affected_once() {
        let request = MatchRequest {
            rules: vec![DocumentId(2)],
            policies: vec![DocumentId(9)],
            ..MatchRequest::default()
        };
        let versions = Versions::from_pairs(&[(2, 1)], &[2]);
        let decision = |id: i64, document: i64, against: i64, undecided: bool| MatchDecision {
            id,
            rule: MatchText {
                id: SentenceId(1),
                document: DocumentId(document),
                page: 1,
                text: "The firm shall keep it.".to_owned(),
                section: String::new(),
                external_id: None,
            },
            accepted: !undecided,
            undecided,
            verdict: lexforge_domain::api::MatchVerdict::Covered,
            relation: None,
            policies: Vec::new(),
            note: String::new(),
            owner: String::new(),
            due: None,
            against: vec![DocumentId(against)],
            made: String::new(),
            actor: "Ada".to_owned(),
        };
        let gone = HashSet::from([letters("The firm shall keep it.")]);
        for (decisions, gone, expected) in [
            (vec![decision(1, 1, 9, false)], &gone, 1),
            (
                vec![decision(1, 1, 9, false), decision(2, 1, 9, false)],
                &gone,
                1,
            ),
            // It was taken back.
            (
                vec![decision(1, 1, 9, false), decision(2, 1, 9, true)],
                &gone,
                0,
            ),
            // It is about another policy, or about a rule of another document.
            (vec![decision(1, 1, 8, false)], &gone, 0),
            (vec![decision(1, 5, 9, false)], &gone, 0),
            // The rule is still there.
            (vec![decision(1, 1, 9, false)], &HashSet::new(), 0),
        ] {
            let found = lost(&decisions, gone, &versions, &request);
            assert_eq!(found, expected, "{decisions:?}");
        }
    }
}
