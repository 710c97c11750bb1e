//! All questions that are planned about an anchor. There is one question for the anchor, or one for each pair and each
//! term, as far as the limits allow.

use super::plan::Plan;
use super::{meaning, sentence, term};
use crate::anchor::Anchor;
use crate::distractors::outermost;
use crate::reasons::SkipReason;
use crate::seed::lot;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Extent, Per};
use lexforge_domain::qca::QcaLevel;
use std::collections::{BTreeMap, HashMap};

/// The questions that are planned about an anchor.
#[derive(Default)]
pub(super) struct Plans {
    /// A question of each level in turn, so that a cap leaves some of both.
    pub of: Vec<Box<dyn Plan>>,
    /// Questions that the anchor gives, those that are left out among them.
    pub possible: u64,
    /// The questions that are left out, by reason.
    pub left_out: BTreeMap<SkipReason, u64>,
    none: BTreeMap<QcaLevel, SkipReason>,
}

/// The questions about an anchor; at most `share` of them where there is a cap in all.
pub(super) fn plans(anchor: &Anchor<'_>, seed: u64, extent: &Extent, share: Option<u64>) -> Plans {
    let mut plans = Plans::default();
    let sentences = sentences(anchor, seed, extent.per);
    let terms = boxed(match extent.per {
        Per::Anchor => term::plans(anchor, seed).map(|plans| plans.into_iter().map(Ok).collect()),
        Per::Pair => term::each(anchor, seed, true),
    });
    let candidates = match extent.per {
        Per::Anchor => (0, 0),
        Per::Pair => (anchor.neighbours.len(), outermost(anchor).len()),
    };
    let sentences = plans.sorted(QcaLevel::Sentence, sentences, candidates.0);
    let terms = plans.sorted(QcaLevel::Token, terms, candidates.1);
    plans.of = in_turn(sentences, terms);
    plans.cap(extent.most_per_anchor, SkipReason::CappedPerAnchor);
    plans.cap(share, SkipReason::CappedInAll);
    plans
}

/// The attempts for a level: plans, and reasons why there is no plan; or why the anchor cannot be asked about at all.
type Tried = Result<Vec<Result<Box<dyn Plan>, SkipReason>>, SkipReason>;

fn boxed<P: Plan + 'static>(tried: Result<Vec<Result<P, SkipReason>>, SkipReason>) -> Tried {
    let all = tried?.into_iter();
    Ok(all
        .map(|one| one.map(|plan| Box::new(plan) as Box<dyn Plan>))
        .collect())
}

/// The questions whose choices are sentences. If other acts define the anchor's term differently, one question asks
/// what the term means in this act. This question comes first. If an anchor gets only one question, it is this one.
fn sentences(anchor: &Anchor<'_>, seed: u64, per: Per) -> Tried {
    let meaning = meaning::plan(anchor, seed);
    match (per, meaning) {
        (Per::Anchor, Some(Ok(plan))) => boxed(Ok(vec![Ok(plan)])),
        (Per::Anchor, _) => boxed(sentence::plan(anchor, seed).map(|plan| vec![Ok(plan)])),
        (Per::Pair, None) => boxed(sentence::pairs(anchor, seed)),
        (Per::Pair, Some(meaning)) => {
            let mut all = boxed(Ok(vec![meaning]))?;
            match boxed(sentence::pairs(anchor, seed)) {
                Ok(pairs) => all.extend(pairs),
                Err(reason) => all.extend(anchor.neighbours.iter().map(|_| Err(reason))),
            }
            Ok(all)
        }
    }
}

impl Plans {
    /// Why there is no question of a level.
    pub(super) fn why_none(&self, level: QcaLevel) -> Option<SkipReason> {
        self.none.get(&level).copied()
    }

    /// Counts the plans of a level, and returns those that were made. If nothing can be asked about the anchor, each of
    /// the `candidates` is counted as a plan that could not be made.
    fn sorted(&mut self, level: QcaLevel, tried: Tried, candidates: usize) -> Vec<Box<dyn Plan>> {
        let tried = match tried {
            Ok(tried) => tried,
            Err(reason) => {
                self.none.insert(level, reason);
                (0..candidates).map(|_| Err(reason)).collect()
            }
        };
        self.possible += tried.len() as u64;
        let mut found: Vec<Box<dyn Plan>> = Vec::new();
        for one in tried {
            match one {
                Ok(plan) => found.push(plan),
                Err(reason) => {
                    *self.left_out.entry(reason).or_default() += 1;
                    self.none.entry(level).or_insert(reason);
                }
            }
        }
        if !found.is_empty() {
            self.none.remove(&level);
        }
        found
    }

    fn cap(&mut self, most: Option<u64>, reason: SkipReason) {
        let most = most.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        if self.of.len() <= most {
            return;
        }
        let over = self.of.split_off(most);
        *self.left_out.entry(reason).or_default() += over.len() as u64;
        for plan in over {
            if !self.of.iter().any(|kept| kept.level() == plan.level()) {
                self.none.insert(plan.level(), reason);
            }
        }
    }
}

/// One of the first, one of the second, and so on.
fn in_turn<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut all = Vec::new();
    loop {
        let pair = [first.next(), second.next()];
        if pair.iter().all(Option::is_none) {
            return all;
        }
        all.extend(pair.into_iter().flatten());
    }
}

/// How many questions each anchor gets if the total is limited. The total is shared as evenly as possible, and the
/// remainder goes to randomly chosen anchors.
pub(super) fn share_out(
    wanted: &[(SentenceId, u64)],
    most: u64,
    seed: u64,
) -> HashMap<SentenceId, u64> {
    let (mut level, mut left) = (0, most);
    loop {
        let above = wanted.iter().filter(|(_, n)| *n > level).count() as u64;
        if above == 0 || above > left {
            break;
        }
        (level, left) = (level + 1, left - above);
    }
    let mut anchors = wanted.to_vec();
    anchors.sort_unstable_by_key(|(id, _)| (lot(seed, id.0), *id));
    let mut share = |n: u64| {
        let more = n > level && left > 0;
        left -= u64::from(more);
        n.min(level) + u64::from(more)
    };
    anchors.into_iter().map(|(id, n)| (id, share(n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_in_all_is_shared_out_evenly() {
        let wanted: Vec<(SentenceId, u64)> = [1, 5, 3, 0, 9]
            .into_iter()
            .enumerate()
            .map(|(i, n)| (SentenceId(i as i64), n))
            .collect();
        let check = |most: u64, level: u64| {
            let shares = share_out(&wanted, most, 1);
            let all: u64 = shares.values().sum();
            assert_eq!(all, most.min(18), "{most}");
            for (id, n) in &wanted {
                let share = shares[id];
                assert!(
                    share == (*n).min(level) || share == (*n).min(level + 1),
                    "{most}: {share} of {n}"
                );
            }
        };
        check(0, 0);
        check(3, 0);
        check(4, 1);
        check(9, 2);
        check(10, 3);
        check(18, 9);
        check(100, 9);
    }

    #[test]
    fn levels_take_turns() {
        assert_eq!(in_turn(vec![1, 3], vec![2, 4, 5, 6]), [1, 2, 3, 4, 5, 6]);
        assert!(in_turn(Vec::<u8>::new(), Vec::new()).is_empty());
    }
}
