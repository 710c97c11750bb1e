//! Mapping collections of others: what they say of the documents' rules becomes proposals, which only a person can accept.

use super::Matching;
use super::locate::Places;
use super::oscal_read::{Collection, Item, Map, Resource};
use super::pick::{Picked, requirements, statements};
use super::rows::{in_both_roles, there};
use crate::workspace::Result;
use lexforge_domain::api::{
    DocumentRow, MatchImport, MatchImported, MatchMissing, MatchProposal, MatchSide, MatchText,
};
use lexforge_domain::{Code, Failure, SentenceId};
use lexforge_text::fold::letters;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// What was found of one mapping: its rules, its statements, and what is missing, with the side on which the rules stand.
struct Found<'p> {
    rules: Vec<&'p MatchText>,
    policies: Vec<&'p MatchText>,
    missing: Vec<MatchMissing>,
    rule_side: MatchSide,
}

impl Matching<'_> {
    /// Reads a mapping collection of OSCAL that somebody else made. What it says of rules that are found is proposed; nothing
    /// is decided.
    ///
    /// # Errors
    /// When the file is no mapping collection; when no documents are named and nothing was matched; when a document is not
    /// there, or is named in both roles; when the workspace cannot be written.
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
        let mut before: HashSet<String> = self.proposals()?.iter().map(same).collect();
        let mut done = MatchImported {
            maps: read.maps.len(),
            breaches: read.breaches,
            ..MatchImported::default()
        };
        let mut missing = BTreeSet::new();
        for map in &read.maps {
            let (source, target) = &read.resources[map.mapping];
            let straight = sides(
                map,
                (&rules, &policies),
                (source, target),
                MatchSide::Source,
            );
            // Some map policies to rules: then nothing is found the other way round.
            let found = match straight.rules.is_empty() && straight.policies.is_empty() {
                true => {
                    let turned = sides(
                        map,
                        (&rules, &policies),
                        (source, target),
                        MatchSide::Target,
                    );
                    let any = !turned.rules.is_empty() && !turned.policies.is_empty();
                    if any { turned } else { straight }
                }
                false => straight,
            };
            missing.extend(found.missing);
            let gap = map.is_gap();
            if found.rules.is_empty() || found.policies.is_empty() && !gap {
                continue;
            }
            done.found += 1;
            for rule in found.rules {
                let proposal = MatchProposal {
                    id: 0,
                    rule: rule.clone(),
                    policies: match gap {
                        true => Vec::new(),
                        false => found.policies.iter().map(|p| (*p).clone()).collect(),
                    },
                    relation: map.relation(found.rule_side),
                    said: map.said.clone(),
                    named: names_of(map, found.rule_side),
                    path: map.path.clone(),
                    confidence: map.confidence.clone(),
                    from: read.from.clone(),
                    made: String::new(),
                    actor: String::new(),
                };
                if before.insert(same(&proposal)) {
                    done.proposed.push(proposal);
                } else {
                    done.known += 1;
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
            let newest = self.newest()?.ok_or_else(|| {
                Failure::new(
                    Code::StepMissing,
                    "It is not known which documents hold rules and which hold policies.",
                    "Match rules with policies first, or name the documents of both roles.",
                )
            })?;
            if about.rules.is_empty() {
                about.rules = newest.request.rules;
            }
            if about.policies.is_empty() {
                about.policies = newest.request.policies;
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
    let sources = texts(&map.sources, source, first, MatchSide::Source, &mut missing);
    let targets = texts(
        &map.targets,
        target,
        second,
        MatchSide::Target,
        &mut missing,
    );
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

/// The texts that items mean, each once.
fn texts<'p>(
    items: &[Item],
    from: &Resource,
    places: &'p Places,
    side: MatchSide,
    missing: &mut Vec<MatchMissing>,
) -> Vec<&'p MatchText> {
    let mut known: HashSet<SentenceId> = HashSet::new();
    let mut found = Vec::new();
    for item in items {
        match places.find(item, from) {
            Ok(texts) => found.extend(texts.into_iter().filter(|text| known.insert(text.id))),
            Err(why) => missing.push(MatchMissing {
                side,
                named: name_of(item),
                why,
            }),
        }
    }
    found
}

/// What an item is called; the beginning of its words where it has no id.
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

/// By what a proposal is known again when its file is read once more.
fn same(proposal: &MatchProposal) -> String {
    let policies: Vec<String> = proposal
        .policies
        .iter()
        .map(|policy| letters(&policy.text))
        .collect();
    [
        proposal.from.sha256.as_str(),
        &proposal.path,
        &letters(&proposal.rule.text),
        &policies.join("|"),
    ]
    .join("\n")
}
