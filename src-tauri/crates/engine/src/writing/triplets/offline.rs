//! Triplets without a language model, of every sentence that states a rule.

use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use crate::writing::Writing;
use crate::writing::anchors::{LoneRules, Material};
use lexforge_augment::{OfflineTriplets, TripletDraft};
use lexforge_domain::api::{
    NewTriplet, Stage, TripletMaker, TripletOrigin, TripletReport, TripletsRequest,
};
use lexforge_domain::qca::Split;
use lexforge_domain::{Code, Failure, SentenceId};
use lexforge_graph::SentenceNode;
use lexforge_graph::split::{SplitPlan, split_by};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

impl Writing<'_> {
    /// Makes triplets by minimal edits and rewordings. They replace the earlier triplets of this kind. The parts of the
    /// dataset are split by document or section. A sentence that is nearly repeated in another part gives no triplet.
    ///
    /// # Errors
    /// When there is no document, a figure is impossible, or the caller cancels; the earlier triplets are unchanged
    /// then.
    pub fn make_triplets(
        &self,
        request: &TripletsRequest,
        watcher: &dyn Watcher,
    ) -> Result<TripletReport> {
        if request.most == 0 {
            return Err(Failure::invalid(
                "No triplet of a sentence is wanted.",
                "Give a number from 1 on.",
            ));
        }
        super::chosen(request)?;
        let material = Material::load(self.workspace)?;
        let rules = LoneRules::of(self.workspace)?;
        if rules.nodes.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "The workspace has no sentence that states a rule.",
                "Import a regulation first.",
            ));
        }
        let seed = request.seed.unwrap_or(DEFAULT_SEED);
        let plan = split_by(&rules.nodes, |_| 1, seed);
        let mut maker = OfflineTriplets::new(request.shifts.clone(), request.most, seed)
            .only(request.only.clone());
        let texts = rules.nodes.iter();
        maker.learn_actors(texts.map(|node| (material.language(node), node.text.as_str())));
        let mut report = TripletReport {
            source: "offline: minimal edits and rewordings by lists; no language model".to_owned(),
            looked_at: rules.nodes.len() as u64 + rules.to_a_model,
            unit: plan.unit.to_owned(),
            ..TripletReport::default()
        };
        report.skip("speaks_to_model", rules.to_a_model);
        let (mut made, mut seen) = (Vec::new(), HashSet::new());
        let mut kept: Vec<(TripletDraft, &SentenceNode, Split)> = Vec::new();
        let all = rules.nodes.len() as u64;
        for (done, node) in (1_u64..).zip(&rules.nodes) {
            if done.is_multiple_of(64) {
                tell(watcher, Stage::Questions, "triplets", done, all);
                if watcher.cancelled() {
                    return Err(cancelled("The triplets that were there are unchanged."));
                }
            }
            let Some(split) = plan.of.get(&node.id).copied() else {
                report.skip("repeated_elsewhere", 1);
                continue;
            };
            let drafted = match maker.of(&material.lone(node)) {
                Ok(drafted) => drafted,
                Err(reason) => {
                    report.skip(reason, 1);
                    continue;
                }
            };
            for draft in drafted.kept {
                let texts = [&draft.source, &draft.positive, &draft.negative];
                if !seen.insert(texts.map(Clone::clone)) {
                    report.skip("repeated", 1);
                    continue;
                }
                report.kept += 1;
                *report.by_shift.entry(draft.shift.clone()).or_default() += 1;
                *report.by_split.entry(split.tag().to_owned()).or_default() += 1;
                kept.push((draft.clone(), node, split));
                made.push(triplet(draft, node, split, &material));
            }
            for (draft, reason) in drafted.turned_down {
                *report.turned_down.entry(reason.to_owned()).or_default() += 1;
                let draft = triplet(draft, node, split, &material);
                made.push(NewTriplet {
                    reason: Some(reason.to_owned()),
                    ..draft
                });
            }
        }
        // The code above has already used the rarest shifts of each sentence. So there are no further sentences for a
        // shift that is still rare. It only gets other wordings of the same sentences.
        let thin = thin(&report.by_shift);
        for (draft, node, split) in kept.iter().filter(|one| thin.contains(&one.0.shift)) {
            let Some(more) = maker.rewritten(&material.lone(node), draft) else {
                continue;
            };
            if seen.insert([&more.source, &more.positive, &more.negative].map(Clone::clone)) {
                report.kept += 1;
                for counts in [&mut report.by_shift, &mut report.filled] {
                    *counts.entry(more.shift.clone()).or_default() += 1;
                }
                *report.by_split.entry(split.tag().to_owned()).or_default() += 1;
                made.push(triplet(more, node, *split, &material));
            }
        }
        made.iter_mut().for_each(|triplet| placed(triplet, &plan));
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.replace_triplets(TripletMaker::Offline, &made)
        })?;
        tell(watcher, Stage::Questions, "triplets", all, all);
        Ok(report)
    }
}

/// The shifts with fewer than half as many triplets as they would have if all shifts had the same number.
fn thin(counts: &BTreeMap<String, u64>) -> BTreeSet<String> {
    let all: u64 = counts.values().sum();
    let n = counts.len() as u64;
    let few = counts.iter().filter(|(_, count)| 2 * **count * n < all);
    few.map(|(shift, _)| shift.clone()).collect()
}

fn triplet(
    draft: TripletDraft,
    node: &SentenceNode,
    split: Split,
    material: &Material,
) -> NewTriplet {
    NewTriplet {
        sentence: Some(node.id),
        language: material.language(node),
        source: draft.source,
        positive: draft.positive,
        negative: draft.negative,
        shift: draft.shift,
        origin: TripletOrigin {
            by: TripletMaker::Offline,
            negative: draft.edit.to_owned(),
            removed: draft.removed,
            added: draft.added,
            positive: draft.rewordings.iter().map(|&how| how.to_owned()).collect(),
            note: String::new(),
        },
        margin: None,
        split,
        group: node.id.0,
        cluster: node.id.0,
        reason: None,
    }
}

/// Puts a triplet into the near-duplicate group and the unit of inference of its sentence.
pub(super) fn placed(triplet: &mut NewTriplet, plan: &SplitPlan) {
    if let Some(sentence) = triplet.sentence {
        let of = |all: &HashMap<SentenceId, i64>| all.get(&sentence).copied();
        triplet.group = of(&plan.group_of).unwrap_or(sentence.0);
        triplet.cluster = of(&plan.cluster_of).unwrap_or(sentence.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_thin_below_half_of_an_even_share() {
        for (counts, expected) in [
            (&[("a", 10), ("b", 10), ("c", 4)][..], &[][..]),
            (&[("a", 10), ("b", 11), ("c", 3)][..], &["c"][..]),
            (&[("a", 7)][..], &[][..]),
            (&[][..], &[][..]),
        ] {
            let counts = counts.iter().map(|(tag, n)| ((*tag).to_owned(), *n));
            let thin: Vec<String> = thin(&counts.collect()).into_iter().collect();
            assert_eq!(thin, expected);
        }
    }
}
