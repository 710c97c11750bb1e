//! Predicts which policies cover which rule. It learns from what experts decided about other policies.
//!
//! If there are enough decisions about a rule, the rule has its own classifier of words and pairs of words. The
//! classifier is fitted on the statements that experts named for the rule and on all other statements of the same
//! policies. The probability that a policy covers the rule is then computed from four things: the policy's best scores,
//! its likeness to statements that experts named, how often the rule was covered elsewhere, and a constant of the rule.
//! The weights of these are the same for all rules. They are fitted on scores of policies that the classifiers did not
//! see.
//!
//! A rule with fewer decisions is judged by the likeness of words and by the decisions about it. The weights come from
//! the decisions about all rules.

use super::learned_weights::{Weighable, Weights};
use crate::workspace::DEFAULT_SEED;
use lexforge_evaluate::margin::{Costs, Margin, SparseRow};
use lexforge_graph::pairing::{self, Bag, Vocabulary};
use lexforge_text::words;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeSet, HashMap};

/// The number of policies that need a decision before a rule has its own classifier.
pub(super) const FEWEST_POLICIES: usize = 5;
/// The number of these policies in which a statement must have been named.
const FEWEST_NAMED: usize = 2;
/// The number of decisions, about all rules together, without which nothing is weighed.
pub(super) const FEWEST_DECISIONS: usize = 20;
/// The number of parts into which the policies are divided. Each part is scored with weights that were fitted on the
/// others.
const PARTS: usize = 4;
/// Statements that were named are rare: a wrong one costs more.
const COSTS: Costs = Costs {
    positive: 1.5,
    negative: 0.5,
};
/// Likest named statements that count.
const LIKEST: usize = 3;
/// The rate at which a rule is covered is estimated from the decisions about the rule and from the rate over all rules.
/// The rate over all rules weighs as much as this number of decisions.
const SHRUNK: f64 = 2.0;
/// Score where there is no classifier.
const NO_SCORE: f64 = -1.0;

/// What an expert said of a rule and a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// No statement of the policy covers the rule.
    Open,
    /// Statements cover it, or a part of it.
    Covered,
    /// Statements contradict it.
    Contradicted,
}

/// One decision.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    pub rule: usize,
    pub policy: usize,
    pub said: Said,
    /// The statements that were named, by their places in the policy, ascending.
    pub named: Vec<usize>,
}

/// Rules and policies with the decisions about them. The policy that is to be judged is in the list like the others; it
/// has no decisions, or its decisions are not learned from.
#[derive(Default)]
pub(super) struct Lesson {
    /// The words of each rule.
    pub rules: Vec<String>,
    /// The statements of each policy.
    pub policies: Vec<Vec<String>>,
    /// What each policy belongs to: versions of one document are kept together where scores are made for weighing.
    pub groups: Vec<usize>,
    pub judged: Vec<Judged>,
}

/// A lesson with the counts of its texts.
pub(super) struct Learner {
    asked: Vec<SparseRow>,
    statements: Vec<Vec<SparseRow>>,
    groups: Vec<usize>,
    judged: Vec<Judged>,
    features: usize,
}

/// What was learned.
pub(super) struct Learned {
    own: Vec<Option<Own>>,
    rates: Rates,
    by_own: Option<Weights>,
    pooled: Weights,
    against: Option<Weights>,
    /// Decisions about each rule.
    about: Vec<usize>,
}

/// The prediction for a rule and a policy.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    /// The probability that the policy speaks about the demand of the rule, whether it agrees with the rule or
    /// contradicts it.
    pub spoken: f64,
    /// How likely it is against it, where it speaks of it.
    pub against: f64,
    /// How well each statement fits: by the rule's own classifier; empty where it has none.
    pub scores: Vec<f32>,
    /// Decisions about this rule that it rests on.
    pub decisions: usize,
}

impl Judgement {
    /// How likely the policy covers the rule.
    pub fn covered(&self) -> f64 {
        self.spoken * (1.0 - self.against)
    }

    /// The likeliest verdict.
    pub fn said(&self) -> Said {
        let against = self.spoken * self.against;
        let open = 1.0 - self.spoken;
        match self.spoken - against {
            covers if covers >= open && covers >= against => Said::Covered,
            _ if against > open => Said::Contradicted,
            _ => Said::Open,
        }
    }

    /// Whether the weights come from all rules, without a classifier of this rule's own.
    pub(crate) fn is_pooled(&self) -> bool {
        self.scores.is_empty()
    }
}

/// What the decisions about a rule itself teach.
struct Own {
    covers: Margin,
    contradicts: Option<Margin>,
    named: Likest,
}

/// Statements that were named, by their features.
struct Likest {
    places: HashMap<u32, Vec<(usize, f32)>>,
    count: usize,
}

impl Likest {
    fn of(rows: &[&SparseRow]) -> Self {
        let mut places: HashMap<u32, Vec<(usize, f32)>> = HashMap::new();
        for (number, row) in rows.iter().enumerate() {
            for (feature, value) in row.iter() {
                places.entry(*feature).or_default().push((number, *value));
            }
        }
        Self {
            places,
            count: rows.len(),
        }
    }

    /// The mean cosine of a row with those that are likest to it.
    fn nearness(&self, row: &[(u32, f32)]) -> f64 {
        let mut cosines = vec![0.0_f32; self.count];
        for (feature, value) in row {
            for (number, other) in self.places.get(feature).into_iter().flatten() {
                cosines[*number] += value * other;
            }
        }
        cosines.sort_unstable_by(|a, b| b.total_cmp(a));
        cosines.truncate(LIKEST);
        f64::from(cosines.iter().sum::<f32>()) / cosines.len().max(1) as f64
    }
}

/// How often rules are covered, and contradicted where something is said of them, as logarithms of the odds.
struct Rates {
    covered: Vec<f64>,
    contradicted: Vec<f64>,
}

/// The row of figures of a judged pair, and whether the pair is a positive one. `None` leaves the pair out.
type Wanted<'a> = &'a dyn Fn(&Judged, &Weighed) -> Option<(Vec<f64>, bool)>;

/// The figures that are weighed for a rule and a policy.
struct Weighed {
    own: Option<Vec<f64>>,
    pooled: Vec<f64>,
    against: Option<Vec<f64>>,
    scores: Vec<f32>,
}

impl Learner {
    pub fn new(lesson: Lesson) -> Self {
        let mut vocabulary = Vocabulary::default();
        let mut bag = |text: &String| counted(&mut vocabulary, text);
        let statements: Vec<Vec<Bag>> = lesson
            .policies
            .iter()
            .map(|policy| policy.iter().map(&mut bag).collect())
            .collect();
        let asked: Vec<Bag> = lesson.rules.iter().map(&mut bag).collect();
        let features = vocabulary.len();
        let mut standing = vec![0_u32; features];
        for (entry, _) in statements.iter().flatten().flat_map(|bag| &bag.counts) {
            standing[*entry as usize] += 1;
        }
        let all = statements.iter().map(Vec::len).sum::<usize>() as f32;
        let weights: Vec<f32> = standing
            .iter()
            // A word that is only in one statement says nothing about other statements.
            .map(|n| match n {
                0 | 1 => 0.0,
                n => ((1.0 + all) / (1.0 + *n as f32)).ln() + 1.0,
            })
            .collect();
        let rows = |bags: &[Bag]| -> Vec<SparseRow> {
            bags.iter().map(|bag| row(bag, &weights)).collect()
        };
        Self {
            asked: rows(&asked),
            statements: statements.iter().map(|bags| rows(bags)).collect(),
            groups: lesson.groups,
            judged: lesson.judged,
            features,
        }
    }

    /// Learns from the decisions about the policies that `from` marks. `None` if there are too few decisions, or if all
    /// give the same verdict.
    pub fn learned(&self, from: &[bool]) -> Option<Learned> {
        let given = |one: &&Judged| from[one.policy];
        let judged: Vec<&Judged> = self.judged.iter().filter(given).collect();
        if judged.len() < FEWEST_DECISIONS {
            return None;
        }
        let parts = self.parts(from);
        let mut rows = Vec::with_capacity(judged.len());
        for part in 0..PARTS {
            let held: Vec<&Judged> = judged
                .iter()
                .copied()
                .filter(|one| parts[one.policy] == Some(part))
                .collect();
            let others: Vec<bool> = parts
                .iter()
                .map(|of| of.is_some_and(|of| of != part))
                .collect();
            // A part of the decisions is missing here.
            let own = self.classifiers(&others, FEWEST_POLICIES - 2);
            let rates = self.rates(&others);
            let weighed = pairing::each(held.len(), |at| {
                let weighed = self.weighed(held[at].rule, held[at].policy, &own, &rates);
                // There would be one score for each statement, and they are not needed here.
                Weighed {
                    scores: Vec::new(),
                    ..weighed
                }
            });
            rows.extend(held.into_iter().zip(weighed));
        }
        let spoken = |one: &Judged| one.said != Said::Open;
        let of = |wanted: Wanted| {
            let rows: Vec<Weighable> = rows
                .iter()
                .filter_map(|(judged, weighed)| {
                    let (row, positive) = wanted(judged, weighed)?;
                    Some((judged.rule, row, positive))
                })
                .collect();
            Weights::fit(&rows, self.asked.len())
        };
        let pooled = of(&|judged, weighed| Some((weighed.pooled.clone(), spoken(judged))))?;
        let by_own = of(&|judged, weighed| Some((weighed.own.clone()?, spoken(judged))));
        let against = of(&|judged, weighed| {
            let row = weighed.against.clone().filter(|_| spoken(judged))?;
            Some((row, judged.said == Said::Contradicted))
        });
        let mut about = vec![0; self.asked.len()];
        for one in &judged {
            about[one.rule] += 1;
        }
        Some(Learned {
            own: self.classifiers(from, FEWEST_POLICIES),
            rates: self.rates(from),
            by_own,
            pooled,
            against,
            about,
        })
    }

    /// The prediction for a rule and a policy; `None` if nothing was decided about the rule.
    pub fn judgement(&self, learned: &Learned, rule: usize, policy: usize) -> Option<Judgement> {
        let decisions = learned.about.get(rule).copied().filter(|n| *n > 0)?;
        let weighed = self.weighed(rule, policy, &learned.own, &learned.rates);
        let own = learned.by_own.as_ref().zip(weighed.own.as_ref());
        let (spoken, scores) = match own {
            Some((weights, row)) => (weights.probability(rule, row), weighed.scores),
            None => (
                learned.pooled.probability(rule, &weighed.pooled),
                Vec::new(),
            ),
        };
        let against = learned.against.as_ref().zip(weighed.against.as_ref());
        Some(Judgement {
            spoken,
            against: against.map_or(0.0, |(weights, row)| weights.probability(rule, row)),
            scores,
            decisions,
        })
    }

    /// The part of each policy that is learned from. Policies of one group are in the same part.
    fn parts(&self, from: &[bool]) -> Vec<Option<usize>> {
        let learned = self
            .groups
            .iter()
            .zip(from)
            .filter(|(_, learned)| **learned);
        let groups: BTreeSet<usize> = learned.map(|(group, _)| *group).collect();
        let mut order: Vec<usize> = groups.into_iter().collect();
        order.sort_by_key(|group| -> [u8; 32] { Sha256::digest(group.to_le_bytes()).into() });
        let part_of: HashMap<usize, usize> = order
            .into_iter()
            .enumerate()
            .map(|(at, group)| (group, at % PARTS))
            .collect();
        self.groups
            .iter()
            .zip(from)
            .map(|(group, learned)| part_of.get(group).copied().filter(|_| *learned))
            .collect()
    }

    /// The classifier of each rule that was decided about for so many policies.
    fn classifiers(&self, from: &[bool], fewest: usize) -> Vec<Option<Own>> {
        let mut by_rule: Vec<Vec<&Judged>> = vec![Vec::new(); self.asked.len()];
        for one in self.judged.iter().filter(|one| from[one.policy]) {
            by_rule[one.rule].push(one);
        }
        pairing::each(by_rule.len(), |rule| {
            self.classifier(&by_rule[rule], fewest)
        })
    }

    fn classifier(&self, judged: &[&Judged], fewest: usize) -> Option<Own> {
        let named = judged.iter().filter(|one| !one.named.is_empty()).count();
        if judged.len() < fewest || named < FEWEST_NAMED {
            return None;
        }
        let fitted = |contradicted: bool| {
            let mut rows: Vec<(&[(u32, f32)], bool)> = Vec::new();
            for one in judged {
                let counts = !contradicted || one.said == Said::Contradicted;
                for (place, row) in self.statements[one.policy].iter().enumerate() {
                    let named = counts && one.named.binary_search(&place).is_ok();
                    rows.push((row.as_slice(), named));
                }
            }
            Margin::fit(&rows, self.features, COSTS, DEFAULT_SEED)
        };
        let rows: Vec<&SparseRow> = judged
            .iter()
            .flat_map(|one| {
                let statements = &self.statements[one.policy];
                let places = one.named.iter();
                places.filter_map(move |place| statements.get(*place))
            })
            .collect();
        Some(Own {
            covers: fitted(false)?,
            contradicts: fitted(true),
            named: Likest::of(&rows),
        })
    }

    /// How often each rule is covered, drawn towards how often all are.
    fn rates(&self, from: &[bool]) -> Rates {
        let mut counts = vec![[0.0_f64; 3]; self.asked.len()];
        let mut all = [0.0_f64; 3];
        for one in self.judged.iter().filter(|one| from[one.policy]) {
            counts[one.rule][one.said as usize] += 1.0;
            all[one.said as usize] += 1.0;
        }
        let share = |part: f64, whole: f64| (part + 0.5) / (whole + 1.0);
        let odds = |part: f64, whole: f64, usual: f64| {
            let rate = (part + SHRUNK * usual) / (whole + SHRUNK);
            (rate / (1.0 - rate)).ln()
        };
        let spoken = |[_, covered, against]: &[f64; 3]| covered + against;
        let usual = share(spoken(&all), spoken(&all) + all[0]);
        let usually_against = share(all[2], spoken(&all));
        Rates {
            covered: counts
                .iter()
                .map(|of| odds(spoken(of), spoken(of) + of[0], usual))
                .collect(),
            contradicted: counts
                .iter()
                .map(|of| odds(of[2], spoken(of), usually_against))
                .collect(),
        }
    }

    fn weighed(&self, rule: usize, policy: usize, own: &[Option<Own>], rates: &Rates) -> Weighed {
        let statements = &self.statements[policy];
        let cosines = statements
            .iter()
            .map(|row| f64::from(cosine(&self.asked[rule], row)));
        let [likest, second] = greatest(cosines, 0.0);
        let rate = rates.covered[rule];
        let mut weighed = Weighed {
            own: None,
            pooled: vec![likest, second, rate],
            against: None,
            scores: Vec::new(),
        };
        let Some(own) = &own[rule] else {
            return weighed;
        };
        weighed.scores = statements.iter().map(|row| own.covers.score(row)).collect();
        let [first, next] = greatest(weighed.scores.iter().map(|s| f64::from(*s)), NO_SCORE);
        let near = statements.iter().map(|row| own.named.nearness(row));
        let [nearest, near] = greatest(near, 0.0);
        let against = own.contradicts.as_ref().map(|margin| {
            let scores = statements.iter().map(|row| f64::from(margin.score(row)));
            greatest(scores, NO_SCORE)[0]
        });
        let against = against.unwrap_or(NO_SCORE);
        weighed.own = Some(vec![first, next, nearest, near, likest, against, rate]);
        weighed.against = Some(vec![against, first, rates.contradicted[rule]]);
        weighed
    }
}

/// Words and pairs of words of a text.
fn counted(vocabulary: &mut Vocabulary, text: &str) -> Bag {
    let mut all = words(text);
    let pairs: Vec<String> = all.windows(2).map(|pair| pair.join(" ")).collect();
    all.extend(pairs);
    vocabulary.bag(&all)
}

/// A bag by the weights of its entries, with length 1.
fn row(bag: &Bag, weights: &[f32]) -> SparseRow {
    let each = bag.counts.iter().map(|(entry, count)| {
        let weight = weights.get(*entry as usize).copied().unwrap_or_default();
        (*entry, (1.0 + (*count as f32).ln()) * weight)
    });
    let mut row: SparseRow = each.filter(|(_, value)| *value > 0.0).collect();
    let length = row.iter().map(|(_, v)| v * v).sum::<f32>().sqrt();
    row.iter_mut().for_each(|(_, value)| *value /= length);
    row
}

/// The cosine of two rows of length 1 whose features ascend.
fn cosine(one: &[(u32, f32)], other: &[(u32, f32)]) -> f32 {
    let mut others = other.iter().peekable();
    let mut sum = 0.0;
    for (feature, value) in one {
        while others.next_if(|(known, _)| known < feature).is_some() {}
        if let Some((_, with)) = others.next_if(|(known, _)| known == feature) {
            sum += value * with;
        }
    }
    sum
}

/// The two greatest of some values. If there are fewer than two values, `least` takes the place of the missing ones.
fn greatest(values: impl Iterator<Item = f64>, least: f64) -> [f64; 2] {
    let mut found = [f64::NEG_INFINITY; 2];
    for value in values {
        if value > found[0] {
            found = [value, found[0]];
        } else if value > found[1] {
            found[1] = value;
        }
    }
    found.map(|value| if value.is_finite() { value } else { least })
}

#[cfg(test)]
mod tests;
