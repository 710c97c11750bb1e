//! What people's decisions say of rules and statements: which belong together, and which were found and do not.

use super::decide::STALE;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{MatchRow, MatchText, MatchVerdict};
use lexforge_domain::protocol::TripletItem;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rejected statements that are learnt beside one that was accepted.
const MOST_NEGATIVES: usize = 3;

/// What was decided of one rule.
pub(super) struct Decided<'r> {
    pub rule: &'r MatchText,
    /// Statements that a person accepted or linked.
    pub accepted: Vec<&'r MatchText>,
    /// Statements that were found or came near, and that a person took away or let stand as not covering.
    pub rejected: Vec<&'r MatchText>,
    /// The last of the listed statements that nobody linked: it stands in where nothing was rejected.
    pub listed: Option<&'r MatchText>,
}

/// How much there is to learn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Pairs of a rule and a statement that were accepted.
    pub accepted: usize,
    /// Pairs that were rejected.
    pub rejected: usize,
    /// Rejected pairs of which neither side was accepted anywhere: they say nothing of what belongs together.
    pub unused: usize,
    /// Triplets whose negative was only listed.
    pub listed: usize,
}

/// A triplet with the section of its rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Learnt {
    pub item: TripletItem,
    pub rule: MatchText,
}

/// The rules on which a person's decision stands. A contradicted one says neither that its statement covers it nor that it
/// is about something else.
pub(super) fn decided(rows: &[MatchRow]) -> Vec<Decided<'_>> {
    rows.iter()
        .filter(|row| row.status != STALE)
        .filter_map(|row| {
            let decision = row.decision.as_ref().filter(|d| !d.undecided)?;
            let accepted: Vec<&MatchText> = match decision.verdict {
                MatchVerdict::Contradicted => return None,
                MatchVerdict::NotCovered => Vec::new(),
                MatchVerdict::Covered | MatchVerdict::Partly => decision.policies.iter().collect(),
            };
            let linked = |id: SentenceId| accepted.iter().any(|text| text.id == id);
            let found = row.policies.iter().filter(|p| p.covers);
            let mut rejected: Vec<&MatchText> = found.map(|p| &p.statement).collect();
            if decision.verdict == MatchVerdict::NotCovered {
                rejected.extend(row.nearest.iter().map(|near| &near.policy));
            }
            let mut known = BTreeSet::new();
            rejected.retain(|text| !linked(text.id) && known.insert(text.id));
            let others = row.policies.iter().filter(|p| !p.covers);
            let listed = others.map(|p| &p.statement).rfind(|text| !linked(text.id));
            Some(Decided {
                rule: &row.rule,
                accepted,
                rejected,
                listed,
            })
        })
        .collect()
}

/// Triplets of what was decided: a rule, a statement that was accepted for it, and one that was rejected; or seen from the
/// statement, the rule that it was accepted for and one that it was rejected for.
pub(super) fn triplets(decided: &[Decided<'_>]) -> (Vec<Learnt>, Counts) {
    let mut counts = Counts::default();
    let mut groups = Groups::default();
    let mut rules_of: BTreeMap<SentenceId, Vec<usize>> = BTreeMap::new();
    let mut refused_of: BTreeMap<SentenceId, Vec<usize>> = BTreeMap::new();
    for (number, one) in decided.iter().enumerate() {
        counts.accepted += one.accepted.len();
        counts.rejected += one.rejected.len();
        for text in &one.accepted {
            groups.join(one.rule.id, text.id);
            rules_of.entry(text.id).or_default().push(number);
        }
        for text in &one.rejected {
            refused_of.entry(text.id).or_default().push(number);
        }
    }
    let mut learnt = Vec::new();
    let mut put = |rule: &MatchText, texts: [&MatchText; 3], group: i64| {
        let [source, positive, negative] = texts.map(|text| text.text.clone());
        let item = TripletItem {
            id: learnt.len() as i64 + 1,
            group,
            source,
            positive,
            negative,
            margin: None,
        };
        let rule = rule.clone();
        learnt.push(Learnt { item, rule });
    };
    for one in decided {
        let group = groups.of(one.rule.id);
        for text in one.accepted.iter().copied() {
            let other = refused_of.get(&text.id).into_iter().flatten().next();
            let other = other.and_then(|number| decided.get(*number));
            if !one.rejected.is_empty() {
                for rejected in one.rejected.iter().copied().take(MOST_NEGATIVES) {
                    put(one.rule, [one.rule, text, rejected], group);
                }
            } else if let Some(other) = other {
                put(one.rule, [text, one.rule, other.rule], group);
            } else if let Some(listed) = one.listed {
                counts.listed += 1;
                put(one.rule, [one.rule, text, listed], group);
            }
        }
        for rejected in one.rejected.iter().copied() {
            let belongs = rules_of.get(&rejected.id).into_iter().flatten().next();
            let belongs = belongs.and_then(|number| decided.get(*number));
            match belongs {
                // What covers another rule does not cover this one.
                Some(own) => {
                    let group = groups.of(own.rule.id);
                    put(own.rule, [rejected, own.rule, one.rule], group);
                }
                None if one.accepted.is_empty() => counts.unused += 1,
                None => {}
            }
        }
    }
    let mut known = BTreeSet::new();
    learnt.retain(|one| {
        let item = &one.item;
        known.insert([&item.source, &item.positive, &item.negative].map(String::clone))
    });
    (learnt, counts)
}

/// Rules and statements that were accepted for each other, directly or through others: none is another's negative.
#[derive(Default)]
struct Groups {
    above: HashMap<SentenceId, SentenceId>,
}

impl Groups {
    fn root(&self, mut id: SentenceId) -> SentenceId {
        while let Some(above) = self.above.get(&id) {
            id = *above;
        }
        id
    }

    fn join(&mut self, one: SentenceId, other: SentenceId) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.above.insert(other, one);
        }
    }

    fn of(&self, id: SentenceId) -> i64 {
        self.root(id).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;

    fn text(id: i64) -> MatchText {
        MatchText {
            id: SentenceId(id),
            document: DocumentId(1),
            page: 1,
            text: format!("Text {id}."),
            section: format!("Article {id}"),
            external_id: None,
        }
    }

    fn one<'r>(
        texts: &'r [MatchText],
        rule: usize,
        accepted: &[usize],
        rejected: &[usize],
        listed: Option<usize>,
    ) -> Decided<'r> {
        let of = |numbers: &[usize]| numbers.iter().map(|n| &texts[*n]).collect();
        Decided {
            rule: &texts[rule],
            accepted: of(accepted),
            rejected: of(rejected),
            listed: listed.map(|n| &texts[n]),
        }
    }

    fn told(learnt: &[Learnt]) -> Vec<(&str, &str, &str)> {
        learnt
            .iter()
            .map(|one| {
                let item = &one.item;
                (
                    item.source.as_str(),
                    item.positive.as_str(),
                    item.negative.as_str(),
                )
            })
            .collect()
    }

    #[test]
    fn what_was_accepted_is_near_and_what_was_rejected_is_far() {
        let texts: Vec<MatchText> = (0..8).map(text).collect();
        // Rule 0 has statement 4 and not 5; rule 1 has 5; rule 2 has nothing, 6 came near; rule 3 has 7, and 4 was listed.
        let decided = [
            one(&texts, 0, &[4], &[5], None),
            one(&texts, 1, &[5], &[], Some(4)),
            one(&texts, 2, &[], &[6], None),
            one(&texts, 3, &[7], &[], Some(4)),
        ];
        let (learnt, counts) = triplets(&decided);
        assert_eq!(
            told(&learnt),
            [
                ("Text 0.", "Text 4.", "Text 5."),
                // Statement 5 covers rule 1 and not rule 0.
                ("Text 5.", "Text 1.", "Text 0."),
                ("Text 3.", "Text 7.", "Text 4."),
            ]
        );
        let expected = Counts {
            accepted: 3,
            rejected: 2,
            unused: 1,
            listed: 1,
        };
        assert_eq!(counts, expected);
        // A section is held out whole: that of the rule, on whichever side it stands.
        assert_eq!(learnt[1].rule.id, SentenceId(1));
    }

    #[test]
    fn what_belongs_together_through_others_is_one_group() {
        let texts: Vec<MatchText> = (0..6).map(text).collect();
        let decided = [
            one(&texts, 0, &[3, 4], &[5], None),
            one(&texts, 1, &[4], &[5], None),
            one(&texts, 2, &[5], &[3], None),
        ];
        let (learnt, _) = triplets(&decided);
        let group = |source: &str| {
            let found = learnt.iter().find(|one| one.item.source == source);
            found.map(|one| one.item.group)
        };
        assert_eq!(group("Text 0."), group("Text 1."));
        assert_ne!(group("Text 0."), group("Text 2."));
    }
}
