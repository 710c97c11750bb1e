//! What people's decisions say of rules and statements: which belong together, and which were found and do not.

use super::decide::STALE;
use lexforge_domain::api::{MatchRow, MatchText, MatchVerdict};
use lexforge_domain::protocol::TripletItem;
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Rejected statements that are learnt beside one that was accepted.
const MOST_NEGATIVES: usize = 3;

/// The decision about one rule.
pub(super) struct Decided<'r> {
    pub rule: &'r MatchText,
    /// Statements that a person accepted or linked.
    pub accepted: Vec<&'r MatchText>,
    /// Statements that were found (or almost found) and that a person removed, or left in the list as not covering the
    /// rule.
    pub rejected: Vec<&'r MatchText>,
    /// The last of the listed statements that nobody linked: it is in where nothing was rejected.
    pub listed: Option<&'r MatchText>,
}

/// How much there is to learn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Pairs of a rule and a statement that were accepted.
    pub accepted: usize,
    /// Pairs that were rejected.
    pub rejected: usize,
    /// Rejected pairs whose sides were never accepted with anything: they do not show what belongs together.
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

/// The rules whose decision by a person still applies. Rules judged as contradicted are left out, because this verdict
/// names neither a statement that covers the rule nor one that is about something else. A decision numbered up to
/// `decided_until` was made about an earlier matching. So such a decision rejects no statement that only the newest
/// matching found.
pub(super) fn decided(rows: &[MatchRow], decided_until: i64) -> Vec<Decided<'_>> {
    rows.iter()
        .filter(|row| row.status != STALE)
        .filter_map(|row| {
            let decision = row.decision.as_ref().filter(|d| !d.undecided)?;
            let accepted: Vec<&MatchText> = match decision.verdict {
                MatchVerdict::Contradicted => return None,
                MatchVerdict::NotCovered => Vec::new(),
                MatchVerdict::Covered | MatchVerdict::Partly => decision.policies.iter().collect(),
            };
            // A policy that was imported again has the same statements with other ids.
            let words: HashSet<String> = accepted.iter().map(|text| letters(&text.text)).collect();
            let linked = |text: &MatchText| {
                words.contains(&letters(&text.text)) || accepted.iter().any(|a| a.id == text.id)
            };
            let mut rejected: Vec<&MatchText> = Vec::new();
            if decision.id > decided_until {
                let found = row.policies.iter().filter(|p| p.covers);
                rejected.extend(found.map(|p| &p.statement));
                if decision.verdict == MatchVerdict::NotCovered {
                    rejected.extend(row.nearest.iter().map(|near| &near.policy));
                }
            }
            let mut known = BTreeSet::new();
            rejected.retain(|text| !linked(text) && known.insert(letters(&text.text)));
            let others = row.policies.iter().filter(|p| !p.covers);
            let listed = others.map(|p| &p.statement).rfind(|text| !linked(text));
            Some(Decided {
                rule: &row.rule,
                accepted,
                rejected,
                listed,
            })
        })
        .collect()
}

/// Makes triplets from the decisions. One kind consists of a rule, a statement accepted for it, and a statement
/// rejected for it. The other kind consists of a statement, a rule for which it was accepted, and a rule for which it
/// was rejected.
pub(super) fn triplets(decided: &[Decided<'_>]) -> (Vec<Learnt>, Counts) {
    let mut counts = Counts::default();
    let mut groups = Groups::default();
    let mut rules_of: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    let mut refused_of: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (number, one) in decided.iter().enumerate() {
        counts.accepted += one.accepted.len();
        counts.rejected += one.rejected.len();
        for text in &one.accepted {
            groups.join(one.rule, text);
            rules_of
                .entry(groups.number(text))
                .or_default()
                .push(number);
        }
        for text in &one.rejected {
            let text = groups.number(text);
            refused_of.entry(text).or_default().push(number);
        }
    }
    let mut learnt = Vec::new();
    let mut put = |rule: &MatchText, texts: [&MatchText; 3], group: i64| {
        let [_, near, far] = texts.map(|text| letters(&text.text));
        if near == far {
            return;
        }
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
        let group = groups.of(one.rule);
        for text in one.accepted.iter().copied() {
            let other = refused_of
                .get(&groups.number(text))
                .into_iter()
                .flatten()
                .next();
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
            let belongs = rules_of
                .get(&groups.number(rejected))
                .into_iter()
                .flatten()
                .next();
            let belongs = belongs.and_then(|number| decided.get(*number));
            match belongs {
                // A statement that covers a similar rule does not count as covering this one.
                Some(own) => {
                    let group = groups.of(own.rule);
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

/// Groups of rules and statements that were accepted for each other, directly or through others. Two members of a group
/// are never used as negatives of each other. Sentences with the same text count as one.
#[derive(Default)]
struct Groups {
    numbers: HashMap<String, i64>,
    above: HashMap<i64, i64>,
}

impl Groups {
    /// The number of a text.
    fn number(&mut self, text: &MatchText) -> i64 {
        let next = self.numbers.len() as i64;
        *self.numbers.entry(letters(&text.text)).or_insert(next)
    }

    fn join(&mut self, one: &MatchText, other: &MatchText) {
        let (one, other) = (self.of(one), self.of(other));
        if one != other {
            self.above.insert(other, one);
        }
    }

    /// The group of a text.
    fn of(&mut self, text: &MatchText) -> i64 {
        let mut number = self.number(text);
        while let Some(above) = self.above.get(&number) {
            number = *above;
        }
        number
    }
}

#[cfg(test)]
mod tests;
