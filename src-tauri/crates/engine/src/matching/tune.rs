//! Tuning an encoder on decided matches, so that a rule finds the statements that cover it (docs/methods.md, "Rules and
//! policies").

use super::Matching;
use super::evidence::{Learnt, decided, triplets};
use crate::models::{Models, hindrances};
use crate::training::{
    ItemCounts, Recipe, Training, TripletTuning, left_out, readable, without_leaks,
};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_domain::api::{Preset, RunPlan, RunRow, TrainRequest};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Triplets from which an encoder can be tuned.
const FEWEST: usize = 20;
/// Share of the triplets whose rules' sections are held out.
const HELD_OUT: f64 = 0.1;

impl Matching<'_> {
    /// Tunes an encoder on people's decisions about the newest matching. A worker process does the run. It continues
    /// after this process has ended.
    ///
    /// # Errors
    /// When nothing was matched, too little was decided, the request makes no sense, or the worker or the model is
    /// missing.
    pub fn tune(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        let tuning = self.tuning(request)?;
        Training::of(self.workspace).start_tuning(tuning, request.on.clone(), watcher)
    }

    /// Says what [`Matching::tune`] would do with this request, and what it would need, but starts nothing. Obstacles
    /// such as too few decisions are not errors here; `problems` of the plan lists them.
    ///
    /// # Errors
    /// As [`Matching::tune`], except for what is listed in `problems`.
    pub(crate) fn plan_tuning(&self, request: &TrainRequest) -> Result<RunPlan> {
        self.tuning(request)?.plan()
    }

    fn tuning(&self, request: &TrainRequest) -> Result<TripletTuning> {
        let report = self.made()?.report();
        let documents = self.workspace.store.read(|r| r.documents())?;
        let languages: HashMap<DocumentId, Language> =
            documents.iter().map(|d| (d.id, d.language)).collect();
        let language = |one: &Learnt| {
            let found = languages.get(&one.rule.document);
            found.copied().unwrap_or(Language::Other)
        };
        let (mut learnt, counts) = triplets(&decided(&report.rows, report.decided_until));
        let base = Models::of(self.workspace).base(request.base.as_deref())?;
        let mut by_language: BTreeMap<Language, Vec<&str>> = BTreeMap::new();
        for one in &learnt {
            let texts = by_language.entry(language(one)).or_default();
            texts.push(&one.item.source);
        }
        let (model, unread) = readable(&base, &by_language)?;
        learnt.retain(|one| !unread.contains_key(&language(one)));
        let (train, dev) = held_out(learnt, request.seed.unwrap_or(DEFAULT_SEED));
        let (train, leaked) = no_rule_twice(train, &dev);
        let mut problems = hindrances(&model);
        if train.len() < FEWEST {
            problems.push(Failure::new(
                Code::TooLittleData,
                format!(
                    "The decisions about matches give {} triplets to learn from that {} reads ({} accepted statements, {} rejected ones; {leaked} triplets are left out, since nearly the same rule is held out); an encoder is tuned on {FEWEST} or more.",
                    train.len(),
                    model.name,
                    counts.accepted,
                    counts.rejected
                ),
                "Decide about more rules in Match: accept what was found, and correct it where it is wrong.",
            ));
        }
        let mut recipe = Recipe::of(
            &TrainRequest {
                preset: Some(Preset::RulesAndPolicies),
                ..request.clone()
            },
            &model,
            ItemCounts::triplets(train.len()),
        )?;
        recipe.warnings.extend(left_out(&unread, &model, leaked));
        if counts.listed > 0 {
            recipe.warnings.push(format!(
                "{} of {} accepted statements have no rejected one beside them: a listed statement that nobody linked stands in.",
                counts.listed, counts.accepted
            ));
        }
        if counts.unused > 0 {
            recipe.warnings.push(format!(
                "{} of {} rejections are left out: nothing was accepted for their rule or their statement.",
                counts.unused, counts.rejected
            ));
        }
        let items = |all: Vec<Learnt>| all.into_iter().map(|one| one.item).collect();
        Ok(TripletTuning {
            base,
            model,
            recipe,
            policy: format!(
                "decided matches: {} accepted, {} rejected ({} unused), {} with a listed negative",
                counts.accepted, counts.rejected, counts.unused, counts.listed
            ),
            train: items(train),
            dev: items(dev),
            taught: None,
            problems,
        })
    }
}

/// Triplets to learn from and triplets that are held out: those of whole sections of the rules, drawn by the seed.
fn held_out(learnt: Vec<Learnt>, seed: u64) -> (Vec<Learnt>, Vec<Learnt>) {
    let section = |one: &Learnt| (one.rule.document, one.rule.section.clone());
    let mut sizes: BTreeMap<(DocumentId, String), usize> = BTreeMap::new();
    for one in &learnt {
        *sizes.entry(section(one)).or_default() += 1;
    }
    let mut sections: Vec<_> = sizes.keys().cloned().collect();
    sections.sort_by_key(|(document, section)| -> [u8; 32] {
        Sha256::digest(format!("{seed} {document} {section}")).into()
    });
    let wanted = (learnt.len() as f64 * HELD_OUT).ceil() as usize;
    let (mut chosen, mut n) = (BTreeSet::new(), 0);
    for section in sections {
        let more = sizes.get(&section).copied().unwrap_or_default();
        // A section with a large part of the triplets is needed to learn from.
        if n < wanted && n + more <= 2 * wanted {
            n += more;
            chosen.insert(section);
        }
    }
    learnt
        .into_iter()
        .partition(|one| !chosen.contains(&section(one)))
}

/// Removes the training triplets whose rule is held out or almost equals a held-out rule. Returns the other triplets
/// and the number of those removed. Rules are held out and not statements, because a policy has few statements and each
/// may belong to several rules.
fn no_rule_twice(train: Vec<Learnt>, dev: &[Learnt]) -> (Vec<Learnt>, usize) {
    without_leaks(train, dev, |one| [one.rule.text.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::api::MatchText;
    use lexforge_domain::protocol::TripletItem;

    fn learnt(id: i64, section: &str) -> Learnt {
        Learnt {
            item: TripletItem {
                id,
                group: id,
                source: format!("Rule {id}."),
                positive: format!("Statement {id}."),
                negative: "Another.".to_owned(),
                margin: None,
            },
            rule: MatchText {
                id: SentenceId(id),
                document: DocumentId(1),
                page: 1,
                text: format!("Rule {id}."),
                section: section.to_owned(),
                external_id: None,
            },
        }
    }

    #[test]
    fn a_statement_of_several_rules_is_learnt_though_one_of_them_is_held_out() {
        let rule = |id: i64, text: &str| {
            let mut one = learnt(id, &format!("Article {id}"));
            one.item.source = text.to_owned();
            one.item.positive = "All transfers are recorded in the ledger.".to_owned();
            one.rule.text = text.to_owned();
            one
        };
        let held = rule(1, "Firms must record each payment on the day it is made.");
        let other = rule(2, "A custodian shall keep a register of foreign shares.");
        let same = rule(3, &held.rule.text);
        let (train, leaked) = no_rule_twice(vec![other.clone(), same], &[held]);
        assert_eq!((train, leaked), (vec![other], 1));
    }

    #[test]
    fn whole_sections_of_the_rules_are_held_out() {
        let all: Vec<Learnt> = (0..60)
            .map(|id| learnt(id, &format!("Article {}", id / 3)))
            .collect();
        let (train, dev) = held_out(all.clone(), 1);
        assert_eq!((train.len(), dev.len()), (54, 6));
        let sections = |part: &[Learnt]| -> BTreeSet<String> {
            part.iter().map(|one| one.rule.section.clone()).collect()
        };
        assert!(sections(&train).is_disjoint(&sections(&dev)));
        assert_eq!(held_out(all.clone(), 1).1, dev);
        assert_ne!(held_out(all, 2).1, dev);
        // If there is only one large section, it is learnt from and not held out.
        let one: Vec<Learnt> = (0..10).map(|id| learnt(id, "Article 1")).collect();
        assert!(held_out(one, 1).1.is_empty());
    }
}
