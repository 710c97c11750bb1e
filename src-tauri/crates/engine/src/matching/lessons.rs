//! The decisions from which a matching learns: those about other policies than the ones that are matched.

use super::Matching;
use super::learned::{
    FEWEST_DECISIONS, FEWEST_POLICIES, Judged, Judgement, Learned, Learner, Lesson, Said,
};
use super::pick::{Picked, statements};
use crate::workspace::Result;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{
    DocumentRow, MatchDecision, MatchLearned, MatchLearning, MatchPlain, MatchRow, MatchVerdict,
};
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What was learned, ready to judge the policies that are matched.
pub(super) struct Taught {
    learner: Learner,
    learned: Learned,
    /// The number of the policy that is matched now, after the policies that were learned from.
    own: usize,
    /// The decisions, by their numbers.
    decisions: Vec<i64>,
}

impl Taught {
    /// The prediction for a rule, by its index; `None` if nothing was decided about it for other policies.
    pub fn judgement(&self, rule: usize) -> Option<(Judgement, MatchLearned)> {
        let found = self.learner.judgement(&self.learned, rule, self.own)?;
        let learned = MatchLearned {
            decisions: found.decisions,
            of_all: self.decisions.len(),
            pooled: found.is_pooled(),
            needed: FEWEST_POLICIES,
        };
        Some((found, learned))
    }
}

impl Matching<'_> {
    /// What was learned from decisions about other policies, and the predictions from it; both are `None` without such
    /// decisions.
    pub(super) fn taught(
        &self,
        rules: &[Picked],
        policies: &[Picked],
        matched: &[DocumentId],
    ) -> Result<(Option<Taught>, Option<MatchLearning>)> {
        let decisions = self.decisions()?;
        let documents = self.workspace.store.read(|r| r.documents())?;
        let there: HashSet<DocumentId> = documents.iter().map(|d| d.id).collect();
        let teaches = |against: &[DocumentId]| {
            let known = |id: &DocumentId| there.contains(id) && !matched.contains(id);
            against.iter().all(known)
        };
        let standing: Vec<Standing<'_>> = standing(&decisions)
            .into_iter()
            .filter(|one| teaches(&one.against))
            .collect();
        if standing.is_empty() {
            return Ok((None, None));
        }
        let units: BTreeSet<&[DocumentId]> =
            standing.iter().map(|one| one.against.as_slice()).collect();
        let mut learning = MatchLearning {
            decisions: standing.iter().map(|one| one.decision.id).collect(),
            policies: units.len(),
            ..MatchLearning::default()
        };
        if standing.len() < FEWEST_DECISIONS {
            learning.needed = FEWEST_DECISIONS;
            return Ok((None, Some(learning)));
        }
        let units: Vec<Vec<DocumentId>> = units.into_iter().map(<[_]>::to_vec).collect();
        let mut lesson = Lesson {
            rules: rules.iter().map(|rule| rule.shown.text.clone()).collect(),
            policies: self.statements_of(&units, &documents)?,
            groups: groups(&units, &documents),
            judged: Vec::new(),
        };
        fill(&mut lesson, &standing, &units);
        let own = lesson.policies.len();
        let said = policies.iter().map(|one| one.shown.text.clone());
        lesson.policies.push(said.collect());
        lesson.groups.push(usize::MAX);
        let from: Vec<bool> = (0..=own).map(|policy| policy != own).collect();
        let learner = Learner::new(lesson);
        let Some(learned) = learner.learned(&from) else {
            // All decisions give the same verdict.
            return Ok((None, Some(learning)));
        };
        let taught = Taught {
            learner,
            learned,
            own,
            decisions: learning.decisions.clone(),
        };
        Ok((Some(taught), Some(learning)))
    }

    /// The statements of each unit of policies.
    fn statements_of(
        &self,
        units: &[Vec<DocumentId>],
        documents: &[DocumentRow],
    ) -> Result<Vec<Vec<String>>> {
        let texts = self.workspace.store.read(|reader| {
            let mut known: HashMap<DocumentId, Vec<String>> = HashMap::new();
            let named: BTreeSet<&DocumentId> = units.iter().flatten().collect();
            for document in documents.iter().filter(|d| named.contains(&d.id)) {
                let picked = statements(reader, document)?.picked.into_iter();
                known.insert(document.id, picked.map(|one| one.shown.text).collect());
            }
            let texts = |unit: &Vec<DocumentId>| -> Vec<String> {
                let each = unit.iter().filter_map(|id| known.get(id));
                each.flatten().cloned().collect()
            };
            Ok(units.iter().map(texts).collect())
        })?;
        Ok(texts)
    }
}

/// A decision that counts, with the policies that it is about.
struct Standing<'d> {
    decision: &'d MatchDecision,
    against: Vec<DocumentId>,
}

/// The newest decision for each rule together with the policies that it is about. If the newest decision was left open
/// or taken back, the rule is left out. If the decision is from a version that did not record the policies, it is about
/// the policies whose statements it names.
fn standing(decisions: &[MatchDecision]) -> Vec<Standing<'_>> {
    let mut newest: BTreeMap<(String, Vec<DocumentId>), &MatchDecision> = BTreeMap::new();
    for decision in decisions {
        let named = decision.policies.iter().map(|text| text.document);
        let against: BTreeSet<DocumentId> = match decision.against.as_slice() {
            [] => named.collect(),
            known => known.iter().copied().collect(),
        };
        if !against.is_empty() {
            let about = (
                letters(&decision.rule.text),
                against.into_iter().collect::<Vec<_>>(),
            );
            newest.insert(about, decision);
        }
    }
    newest
        .into_iter()
        .filter(|(_, decision)| !decision.undecided)
        .map(|((_, against), decision)| Standing { decision, against })
        .collect()
}

/// Adds the decisions to a lesson whose policies are `units`. If a decision is about a rule that is not matched now,
/// the rule is added to the lesson after the others.
fn fill(lesson: &mut Lesson, standing: &[Standing<'_>], units: &[Vec<DocumentId>]) {
    let mut rules: HashMap<String, usize> = HashMap::new();
    for (number, rule) in lesson.rules.iter().enumerate() {
        rules.entry(letters(rule)).or_insert(number);
    }
    let mut places: Vec<HashMap<String, Vec<usize>>> = Vec::new();
    for statements in &lesson.policies {
        let mut of_unit: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, text) in statements.iter().enumerate() {
            of_unit.entry(letters(text)).or_default().push(place);
        }
        places.push(of_unit);
    }
    for one in standing {
        let Ok(policy) = units.binary_search(&one.against) else {
            continue;
        };
        let decision = one.decision;
        let rule = *rules
            .entry(letters(&decision.rule.text))
            .or_insert_with(|| {
                lesson.rules.push(decision.rule.text.clone());
                lesson.rules.len() - 1
            });
        let said = match decision.verdict {
            MatchVerdict::NotCovered => Said::Open,
            MatchVerdict::Contradicted => Said::Contradicted,
            MatchVerdict::Covered | MatchVerdict::Partly => Said::Covered,
        };
        let texts = decision.policies.iter();
        let named: BTreeSet<usize> = texts
            .filter_map(|text| places[policy].get(&letters(&text.text)))
            .flatten()
            .copied()
            .collect();
        lesson.judged.push(Judged {
            rule,
            policy,
            said,
            named: named.into_iter().collect(),
        });
    }
}

/// What each unit of policies belongs to: units that have a document, or versions of one, in common are of one group.
fn groups(units: &[Vec<DocumentId>], documents: &[DocumentRow]) -> Vec<usize> {
    let before: HashMap<DocumentId, DocumentId> = documents
        .iter()
        .filter_map(|d| Some((d.id, d.predecessor?)))
        .collect();
    // No chain of versions is longer than there are documents.
    let first = |id: &DocumentId| {
        std::iter::successors(Some(*id), |id| before.get(id).copied())
            .take(documents.len() + 1)
            .last()
            .unwrap_or(*id)
    };
    let mut groups: Vec<usize> = (0..units.len()).collect();
    let mut group_of: HashMap<DocumentId, usize> = HashMap::new();
    for (unit, ids) in units.iter().enumerate() {
        for id in ids.iter().map(first) {
            let (own, other) = (groups[unit], group_of.get(&id).map(|unit| groups[*unit]));
            if let Some(other) = other.filter(|other| *other != own) {
                for group in groups.iter_mut().filter(|group| **group == own) {
                    *group = other;
                }
            }
            group_of.insert(id, unit);
        }
    }
    groups
}

/// How many of the decisions that a matching learned from no longer stand. From one on nothing that was learned counts.
pub(super) fn void(learning: &MatchLearning, decisions: &[MatchDecision]) -> usize {
    let stands: HashSet<i64> = standing(decisions)
        .iter()
        .map(|one| one.decision.id)
        .collect();
    let gone = learning.decisions.iter().filter(|id| !stands.contains(id));
    gone.count()
}

/// Sets a row back to what it is without anything learned.
pub(super) fn unlearn(row: &mut MatchRow, plain: MatchPlain) {
    row.learned = None;
    row.probability = plain.probability;
    if let Some(finding) = plain.finding {
        row.verdict = finding.verdict;
        row.relation = finding.relation;
        row.policies = finding.policies;
        row.differences = finding.differences;
        row.nearest = finding.nearest;
        row.severity = finding.severity;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::api::MatchText;

    fn text(document: i64, text: &str) -> MatchText {
        MatchText {
            id: SentenceId(1),
            document: DocumentId(document),
            page: 1,
            text: text.to_owned(),
            section: String::new(),
            external_id: None,
        }
    }

    fn decision(id: i64, rule: &str, against: &[i64], named: &[MatchText]) -> MatchDecision {
        MatchDecision {
            id,
            rule: text(1, rule),
            accepted: false,
            undecided: false,
            verdict: if named.is_empty() {
                MatchVerdict::NotCovered
            } else {
                MatchVerdict::Covered
            },
            relation: None,
            policies: named.to_vec(),
            note: String::new(),
            owner: String::new(),
            due: None,
            against: against.iter().copied().map(DocumentId).collect(),
            made: String::new(),
            actor: "A".to_owned(),
        }
    }

    fn numbers(decisions: &[MatchDecision]) -> Vec<i64> {
        let mut ids: Vec<i64> = standing(decisions).iter().map(|s| s.decision.id).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn the_newest_decision_about_a_rule_and_the_same_policies_stands() {
        let keeps = text(3, "We keep records.");
        let mut all = vec![
            decision(1, "Keep records.", &[2], &[]),
            decision(2, "Keep  records.", &[3], std::slice::from_ref(&keeps)),
            decision(3, "Train staff.", &[2], &[]),
            // From versions that did not record the policies: one decision names a statement, the other names none.
            decision(4, "Lock doors.", &[], std::slice::from_ref(&keeps)),
            decision(5, "Lock doors.", &[], &[]),
        ];
        assert_eq!(numbers(&all), [1, 2, 3, 4]);
        all.push(decision(6, "Keep records.", &[2], &[keeps]));
        assert_eq!(numbers(&all), [2, 3, 4, 6]);
        // The decision is taken back. The earlier decision does not count again by itself.
        let mut back = decision(7, "Keep records.", &[2], &[]);
        back.undecided = true;
        all.push(back);
        assert_eq!(numbers(&all), [2, 3, 4]);
    }

    #[test]
    fn a_decision_names_statements_of_its_policies() {
        let units = vec![vec![DocumentId(2)], vec![DocumentId(3), DocumentId(4)]];
        let mut lesson = Lesson {
            rules: vec!["Train staff.".to_owned()],
            policies: vec![
                vec!["We keep records.".to_owned()],
                vec!["We train.".to_owned(), "We keep records.".to_owned()],
            ],
            groups: vec![0, 1],
            judged: Vec::new(),
        };
        let all = [
            decision(1, "Train staff.", &[2], &[]),
            decision(2, "Keep records.", &[4, 3], &[text(4, "We keep records.")]),
        ];
        fill(&mut lesson, &standing(&all), &units);
        assert_eq!(lesson.rules, ["Train staff.", "Keep records."]);
        lesson.judged.sort_by_key(|one| one.rule);
        let found: Vec<_> = lesson
            .judged
            .iter()
            .map(|one| (one.rule, one.policy, one.said, one.named.as_slice()))
            .collect();
        assert_eq!(
            found,
            [(0, 0, Said::Open, &[][..]), (1, 1, Said::Covered, &[1][..])]
        );
    }

    #[test]
    fn units_with_a_document_in_common_are_one_group() {
        let ids =
            |ids: &[i64]| -> Vec<DocumentId> { ids.iter().copied().map(DocumentId).collect() };
        let units = [ids(&[2]), ids(&[3]), ids(&[2, 3]), ids(&[4])];
        let found = groups(&units, &[]);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0], found[2]);
        assert_ne!(found[0], found[3]);
    }

    #[test]
    fn what_was_learned_is_void_once_a_decision_is_taken_back() {
        let learning = MatchLearning {
            decisions: vec![1, 2],
            ..MatchLearning::default()
        };
        let mut all = vec![
            decision(1, "Keep records.", &[2], &[]),
            decision(2, "Train staff.", &[2], &[]),
        ];
        assert_eq!(void(&learning, &all), 0);
        // A new decision adds to what could be learned and takes nothing back.
        all.push(decision(3, "Lock doors.", &[2], &[]));
        assert_eq!(void(&learning, &all), 0);
        all.push(decision(4, "Train staff.", &[2], &[text(2, "We train.")]));
        assert_eq!(void(&learning, &all), 1);
    }
}
