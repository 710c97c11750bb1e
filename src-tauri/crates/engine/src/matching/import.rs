//! Mapping collections that others made. What they say about the rules of these documents becomes a proposal, and only
//! a person can accept it.

use super::Matching;
use super::locate::Places;
use super::oscal_read::{Collection, Item, Map, Resource};
use super::pick::{Picked, requirements, statements};
use super::proposals::is_gone;
use super::rows::{in_both_roles, there};
use crate::workspace::Result;
use lexforge_domain::api::{
    DocumentRow, MatchImport, MatchImported, MatchMissing, MatchMissingWhy, MatchProposal,
    MatchRelation, MatchSide, MatchText,
};
use lexforge_domain::{Code, Failure, SentenceId};
use lexforge_text::fold::letters;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The result for one mapping: the rules and statements that were found, what is missing, and which side of the mapping
/// holds the rules.
struct Found<'p> {
    rules: Vec<&'p MatchText>,
    policies: Vec<&'p MatchText>,
    missing: Vec<MatchMissing>,
    rule_side: MatchSide,
}

impl Matching<'_> {
    /// Reads an OSCAL mapping collection that somebody else made. Its statements about rules in this workspace become
    /// proposals; nothing is decided.
    ///
    /// # Errors
    /// When the file is not a mapping collection; when no documents are named and nothing was matched; when a document
    /// does not exist, or is named in both roles; when the workspace cannot be written.
    pub fn import_mapping(&self, path: &Path, about: &MatchImport) -> Result<MatchImported> {
        let about = self.about(about)?;
        let read = Collection::read(path)?;
        let documents = self.workspace.store.read(|r| r.documents())?;
        let rules = there(&documents, &about.rules)?;
        let policies = there(&documents, &about.policies)?;
        if let Some(both) = rules.iter().find(|d| about.policies.contains(&d.id)) {
            return Err(in_both_roles(&both.title));
        }
        let (rules, policies) = (self.places(&rules, true)?, self.places(&policies, false)?);
        let mut before = self.proposals()?;
        // A proposal about an earlier version of a policy is made again for the newest version.
        before.retain(|proposal| !is_gone(proposal, &about.policies));
        let before: HashSet<String> = before.iter().map(same).collect();
        let mut done = MatchImported {
            maps: read.maps.len(),
            breaches: read.breaches,
            ..MatchImported::default()
        };
        let all: Vec<(&Map, Found<'_>)> = read
            .maps
            .iter()
            .map(|map| {
                (
                    map,
                    found_of(map, (&rules, &policies), &read.resources[map.mapping]),
                )
            })
            .collect();
        // A rule without a counterpart in one document may have one in another. Then there is no gap.
        let related: HashSet<SentenceId> = all
            .iter()
            .filter(|(map, _)| map.relates())
            .flat_map(|(_, found)| found.rules.iter().map(|rule| rule.id))
            .collect();
        let (mut missing, mut said) = (BTreeSet::new(), HashSet::new());
        for (map, found) in all {
            let relation = found.relation(map);
            missing.extend(found.missing);
            if found.rules.is_empty() || found.policies.is_empty() && !map.gap {
                continue;
            }
            done.found += 1;
            for rule in found.rules {
                if map.gap && related.contains(&rule.id) {
                    continue;
                }
                let proposal = MatchProposal {
                    id: 0,
                    rule: rule.clone(),
                    policies: found.policies.iter().map(|p| (*p).clone()).collect(),
                    relation,
                    said: map.said.clone(),
                    named: names_of(map, found.rule_side),
                    path: map.path.clone(),
                    confidence: map.confidence.clone(),
                    from: read.from.clone(),
                    made: String::new(),
                    actor: String::new(),
                    gone: false,
                };
                let same = same(&proposal);
                match (said.insert(same.clone()), before.contains(&same)) {
                    (true, false) => done.proposed.push(proposal),
                    (true, true) => done.known += 1,
                    // A file may say of each of several documents that it does not cover a rule.
                    (false, _) => {}
                }
            }
        }
        done.missing = missing.into_iter().collect();
        if !done.proposed.is_empty() {
            let from = format!("{}, SHA-256 {}", read.from.file, read.from.sha256);
            self.keep_proposals(&done.proposed, &from)?;
        }
        done.from = read.from;
        Ok(done)
    }

    /// The documents that are meant.
    fn about(&self, about: &MatchImport) -> Result<MatchImport> {
        let mut about = about.clone();
        if about.rules.is_empty() || about.policies.is_empty() {
            let newest = self.latest()?.ok_or_else(|| {
                Failure::new(
                    Code::StepMissing,
                    "It is not known which documents hold rules and which hold policies.",
                    "Match rules with policies first, or name the documents of both roles.",
                )
            })?;
            let request = &newest.head().request;
            if about.rules.is_empty() {
                about.rules = request.rules.clone();
            }
            if about.policies.is_empty() {
                about.policies = request.policies.clone();
            }
        }
        Ok(about)
    }

    fn places(&self, documents: &[&DocumentRow], rules: bool) -> Result<Places> {
        let picked: Vec<Picked> = self.workspace.store.read(|reader| {
            let mut picked = Vec::new();
            for document in documents {
                let side = match rules {
                    true => requirements(reader, document, true)?,
                    false => statements(reader, document)?,
                };
                picked.extend(side.picked);
            }
            Ok(picked)
        })?;
        Ok(Places::of(picked, documents))
    }
}

impl Found<'_> {
    /// The relation of each rule to the statements. This relation claims no more than the mapping says about the rules
    /// and statements that were found.
    fn relation(&self, map: &Map) -> Option<MatchRelation> {
        let (rules, policies) = match self.rule_side {
            MatchSide::Source => (&map.sources, &map.targets),
            MatchSide::Target => (&map.targets, &map.sources),
        };
        let one_rule = self.rules.len() == 1 && rules.len() == 1;
        let all = self.missing.is_empty();
        let certain = match map.relation(self.rule_side)? {
            MatchRelation::Equal => one_rule && all && self.policies.len() <= policies.len(),
            MatchRelation::Superset => one_rule,
            MatchRelation::Subset => all,
            MatchRelation::Intersects => true,
        };
        match certain {
            true => map.relation(self.rule_side),
            false => Some(MatchRelation::Intersects),
        }
    }
}

/// Which entries of a map are found in the documents. A map may lead from rules to policies, or from policies to rules.
/// The names of the catalogues show the direction. If they do not, both directions are tried, and the one in which
/// texts are found is used.
fn found_of<'p>(
    map: &Map,
    places: (&'p Places, &'p Places),
    (source, target): &(Resource, Resource),
) -> Found<'p> {
    let (rules, policies) = places;
    let is = |places: &Places, catalogue: &Resource| !places.meant(catalogue).is_empty();
    let straight = is(rules, source) || is(policies, target);
    let backwards = is(rules, target) || is(policies, source);
    let read = |rule_side| sides(map, places, (source, target), rule_side);
    match (straight, backwards) {
        (false, true) => read(MatchSide::Target),
        (true, false) => read(MatchSide::Source),
        _ => {
            let straight = read(MatchSide::Source);
            if !straight.rules.is_empty() || !straight.policies.is_empty() {
                return straight;
            }
            let turned = read(MatchSide::Target);
            let any = !turned.rules.is_empty() && !turned.policies.is_empty();
            if any { turned } else { straight }
        }
    }
}

/// The texts of both sides of a mapping, with its rules on the side that is named.
fn sides<'p>(
    map: &Map,
    (rules, policies): (&'p Places, &'p Places),
    (source, target): (&Resource, &Resource),
    rule_side: MatchSide,
) -> Found<'p> {
    let (first, second) = match rule_side {
        MatchSide::Source => (rules, policies),
        MatchSide::Target => (policies, rules),
    };
    let mut missing = Vec::new();
    let mut read = |items: &[Item], from, places, others, side| {
        let (found, not) = texts(items, from, (places, others), side);
        missing.extend(not);
        found
    };
    let sources = read(&map.sources, source, first, second, MatchSide::Source);
    let targets = read(&map.targets, target, second, first, MatchSide::Target);
    let (rules, policies) = match rule_side {
        MatchSide::Source => (sources, targets),
        MatchSide::Target => (targets, sources),
    };
    Found {
        rules,
        policies,
        missing,
        rule_side,
    }
}

/// Finds the texts that items refer to, each once, and lists the items whose text is missing. `from` is the catalogue
/// of the items. If it is a document of the other side, no text is searched and all items are missing.
fn texts<'p>(
    items: &[Item],
    from: &Resource,
    (places, others): (&'p Places, &'p Places),
    side: MatchSide,
) -> (Vec<&'p MatchText>, Vec<MatchMissing>) {
    let elsewhere = places.meant(from).is_empty() && !others.meant(from).is_empty();
    let mut known: HashSet<SentenceId> = HashSet::new();
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for item in items {
        let meant = match elsewhere {
            true => Err(MatchMissingWhy::NotFound),
            false => places.find(item, from),
        };
        match meant {
            Ok(texts) => found.extend(texts.into_iter().filter(|text| known.insert(text.id))),
            Err(why) => missing.push(MatchMissing {
                side,
                named: name_of(item),
                why,
            }),
        }
    }
    (found, missing)
}

/// The name of an item; the beginning of its words if it has no id.
fn name_of(item: &Item) -> String {
    if !item.id.is_empty() {
        return item.id.clone();
    }
    let words = item.words.first().map(String::as_str).unwrap_or_default();
    words.chars().take(80).collect()
}

fn names_of(map: &Map, rule_side: MatchSide) -> String {
    let items = match rule_side {
        MatchSide::Source => &map.sources,
        MatchSide::Target => &map.targets,
    };
    let names: Vec<String> = items.iter().map(name_of).collect();
    names.join(", ")
}

/// What identifies a proposal when its file is read again. A gap is one proposal, wherever in the file it is named.
fn same(proposal: &MatchProposal) -> String {
    let policies: Vec<String> = proposal
        .policies
        .iter()
        .map(|policy| letters(&policy.text))
        .collect();
    let path = match policies.is_empty() {
        true => "",
        false => proposal.path.as_str(),
    };
    [
        proposal.from.sha256.as_str(),
        path,
        &letters(&proposal.rule.text),
        &policies.join("|"),
    ]
    .join("\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;

    fn text(id: i64) -> MatchText {
        MatchText {
            id: SentenceId(id),
            document: DocumentId(1),
            page: 1,
            text: format!("Text {id}."),
            section: String::new(),
            external_id: None,
        }
    }

    /// The relation of a number of rules (from a number of sources) to a number of statements of one target.
    fn relation(said: &str, sources: usize, rules: usize, policies: usize) -> MatchRelation {
        let texts: Vec<MatchText> = (0..9).map(text).collect();
        let map = Map {
            said: said.to_owned(),
            sources: vec![Item::default(); sources],
            targets: vec![Item::default()],
            confidence: None,
            gap: false,
            path: String::new(),
            mapping: 0,
        };
        let missing = MatchMissing {
            side: MatchSide::Source,
            named: "AC-9".to_owned(),
            why: MatchMissingWhy::NotFound,
        };
        let found = Found {
            rules: texts.iter().take(rules).collect(),
            policies: texts.iter().rev().take(policies).collect(),
            missing: vec![missing; sources.saturating_sub(rules)],
            rule_side: MatchSide::Source,
        };
        found.relation(&map).unwrap()
    }

    #[test]
    fn no_more_is_said_than_the_map_says_of_what_was_found() {
        use MatchRelation::{Equal, Intersects, Subset, Superset};
        for (said, sources, rules, policies, expected) in [
            ("equal-to", 1, 1, 1, Equal),
            // A part was not found; two rules together; a control of two sentences on either side.
            ("equal-to", 2, 1, 1, Intersects),
            ("equal-to", 2, 2, 1, Intersects),
            ("equal-to", 1, 2, 1, Intersects),
            ("equal-to", 1, 1, 2, Intersects),
            ("subset-of", 2, 2, 1, Subset),
            ("subset-of", 2, 1, 1, Intersects),
            ("superset-of", 1, 1, 2, Superset),
            ("superset-of", 2, 2, 1, Intersects),
            ("intersects-with", 2, 2, 2, Intersects),
        ] {
            let told = relation(said, sources, rules, policies);
            assert_eq!(told, expected, "{said} {sources} {rules} {policies}");
        }
    }
}
