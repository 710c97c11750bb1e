//! Chooses the part for each unit. The shares of the questions become as near to the wanted shares (6:1:3) as is
//! possible with whole units.
//!
//! Near-duplicates must not be in several parts. The part that has most of them keeps them, and those in other parts
//! are set aside. Sentences that are set aside belong to no part, so the shares are computed from the rest.

use lexforge_domain::qca::Split;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

const PARTS: usize = Split::ALL.len();
/// Rounds in which units are moved to better places; a few are enough, and the number is a bound.
const ROUNDS: usize = 40;
/// The weight of a question that is set aside, relative to a question that is in the wrong part.
const SET_ASIDE: f64 = 0.5;
/// The penalty for a part without any question.
const EMPTY: f64 = 1.0;

/// Sentences of one group of near-duplicates: by part, what they weigh and how many they are.
type Votes = [(u64, u32); PARTS];

/// The part that keeps a group: where most of its questions stand, then most of its sentences, then the earlier part.
pub(super) fn keeper(votes: &Votes) -> usize {
    let most = votes.iter().max().copied().unwrap_or_default();
    votes.iter().position(|vote| *vote == most).unwrap_or(0)
}

/// The part of each row's unit, and the votes of each row's group.
pub(super) struct Parts {
    /// The part of each unit.
    pub(super) of_unit: BTreeMap<usize, usize>,
    /// The votes of each group.
    pub(super) votes: BTreeMap<usize, Votes>,
}

/// Puts every unit into a part. `unit_of`, `group_of` and `weights` have an entry for each row. If `stood` is not
/// empty, it holds the parts of the units in an earlier split, and the new split starts from these. `shares` holds the
/// wanted shares of train, dev and test (docs/methods.md, "Questions").
pub(super) fn assign(
    unit_of: &[usize],
    group_of: &[usize],
    weights: &[u64],
    stood: &BTreeMap<usize, usize>,
    shares: [f64; PARTS],
    seed: u64,
) -> Parts {
    let mut units: BTreeMap<usize, BTreeMap<usize, (u64, u32)>> = BTreeMap::new();
    for ((&unit, &group), &weight) in unit_of.iter().zip(group_of).zip(weights) {
        let held = units.entry(unit).or_default().entry(group).or_default();
        *held = (held.0 + weight, held.1 + 1);
    }
    let total: u64 = weights.iter().sum();
    let mut order: Vec<(usize, u64)> = units
        .iter()
        .map(|(unit, groups)| (*unit, groups.values().map(|held| held.0).sum()))
        .collect();
    order.shuffle(&mut rand_chacha::ChaCha8Rng::seed_from_u64(seed));
    order.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    let mut lacking = shares.map(|share| share * total as f64);
    let mut state = State {
        votes: BTreeMap::new(),
        kept: [0; PARTS],
        total,
        shares,
    };
    let mut of_unit = BTreeMap::new();
    for (unit, weight) in &order {
        let most_lacking =
            || (0..PARTS).max_by(|&a, &b| lacking[a].total_cmp(&lacking[b]).then(b.cmp(&a)));
        let part = stood.get(unit).copied().or_else(most_lacking).unwrap_or(0);
        lacking[part] -= *weight as f64;
        of_unit.insert(*unit, part);
        state.shift(&units[unit], None, Some(part));
    }
    for _ in 0..ROUNDS {
        let mut moved = false;
        for (unit, _) in &order {
            let (from, groups) = (of_unit[unit], &units[unit]);
            let mut best = (state.fault(), from);
            let mut at = from;
            for part in (0..PARTS).filter(|part| *part != from) {
                state.shift(groups, Some(at), Some(part));
                at = part;
                let fault = state.fault();
                if fault < best.0 - 1e-9 {
                    best = (fault, part);
                }
            }
            state.shift(groups, Some(at), Some(best.1));
            if best.1 != from {
                of_unit.insert(*unit, best.1);
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    Parts {
        of_unit,
        votes: state.votes,
    }
}

/// The present state of the split while units are moved.
struct State {
    votes: BTreeMap<usize, Votes>,
    /// What each part keeps.
    kept: [u64; PARTS],
    total: u64,
    /// The share that each part should have of all questions that are kept.
    shares: [f64; PARTS],
}

impl State {
    /// Takes a unit's sentences out of one part and puts them into another.
    fn shift(
        &mut self,
        groups: &BTreeMap<usize, (u64, u32)>,
        from: Option<usize>,
        to: Option<usize>,
    ) {
        if from == to {
            return;
        }
        for (group, held) in groups {
            let votes = self.votes.entry(*group).or_default();
            let keeps = keeper(votes);
            self.kept[keeps] -= votes[keeps].0;
            if let Some(from) = from {
                votes[from] = (votes[from].0 - held.0, votes[from].1 - held.1);
            }
            if let Some(to) = to {
                votes[to] = (votes[to].0 + held.0, votes[to].1 + held.1);
            }
            let keeps = keeper(votes);
            self.kept[keeps] += votes[keeps].0;
        }
    }

    /// How far the split is from the wanted shares.
    fn fault(&self) -> f64 {
        let kept: u64 = self.kept.iter().sum();
        let (all, of) = (self.total.max(1) as f64, kept.max(1) as f64);
        let off: f64 = self
            .kept
            .iter()
            .zip(self.shares)
            .map(|(k, share)| (*k as f64 / of - share).abs())
            .sum();
        let empty = self.kept.iter().filter(|kept| **kept == 0).count() as f64;
        off + SET_ASIDE * (self.total - kept) as f64 / all + EMPTY * empty
    }
}
