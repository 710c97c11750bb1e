//! Questions whose choices are sentences (`Q_sen`).

use super::balance::{self, Coins, Known};
use super::edits;
use super::languages::patterns;
use super::patterns::{Patterns, Place};
use super::scene::{Family, Plan, Scene};
use crate::anchor::{Anchor, Neighbour};
use crate::clause::{Grammar, Parsed, parse};
use crate::distractors::{outermost, with_choices};
use crate::reasons::{Skip, SkipReason};
use crate::seed;
use crate::validate::validate;
use crate::words::{length, likeness};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// Most questions for one anchor.
const MOST: usize = 3;
/// Most neighbours that are borrowed from.
const NEIGHBOURS: usize = 24;
/// Most terms that stand in for one term.
const SWAPS: usize = 4;

/// The patterns for an anchor, and its cleaned sentence; or why nothing is asked about it.
pub(crate) fn opened(
    anchor: &Anchor<'_>,
    rng: &mut ChaCha8Rng,
) -> Result<(&'static Patterns, Result<String, SkipReason>), SkipReason> {
    let p = patterns(anchor.language, anchor.text).ok_or(SkipReason::LanguageUnsupported)?;
    if !anchor.is_rule() {
        return Err(SkipReason::NotARule);
    }
    Ok((p, p.grammar.cleaned(anchor.text, anchor.lead_in, rng)))
}

/// Drafts for one anchor, checked.
pub(crate) fn draft(
    anchor: &Anchor<'_>,
    taken: &mut Taken,
    seed: u64,
) -> Result<Vec<QcaDraft>, Skip> {
    let mut rng = seed::stream(seed, anchor.id.0, 1);
    let (p, text) = opened(anchor, &mut rng)?;
    let item = super::items::plan(p, anchor);
    let text = match (text, item.is_some()) {
        (Ok(text), _) => text,
        (Err(reason), false) => return Err(reason.into()),
        // A text that is not a sentence may still be an item of a list.
        (Err(reason), true) => {
            let drafts = choose(
                item.into_iter().collect(),
                anchor,
                &known(anchor, ""),
                &mut rng,
            );
            return if drafts.is_empty() {
                Err(reason.into())
            } else {
                Ok(drafts)
            };
        }
    };
    let definition = anchor.definition.map(|(t, d)| {
        (
            t.to_owned(),
            d.trim_end_matches(['.', ';', '。', '；']).to_owned(),
        )
    });
    let parsed = parse(p.grammar, anchor.id, text, definition);
    if !(p.lays_down)(&parsed, &Place::of(anchor)) {
        return Err(SkipReason::NotARule.into());
    }
    let neighbours = borrowable(p.grammar, anchor, taken, seed);
    let terms = swaps(p.grammar, anchor, &parsed);
    let topics = topics(p, anchor, &parsed.text);
    let agents: Vec<String> = anchor.local_terms.iter().map(|t| t.1.to_owned()).collect();
    let known = known(anchor, &parsed.text);
    let scene = Scene {
        p,
        anchor: &parsed,
        neighbours: &neighbours,
        place: Place::of(anchor),
        elsewhere: &anchor.elsewhere,
        terms: &terms,
        agents: &agents,
        usage: anchor.usage,
        topics: &topics,
        is_item: anchor.lead_in.is_some(),
        part_of_definition: anchor
            .lead_in
            .is_some_and(|l| l.contains(" means") || l.contains('指')),
    };
    let mut plans = scene.plans(&mut rng);
    plans.extend(item);
    if !plans.is_empty() {
        let drafts = choose(plans, anchor, &known, &mut rng);
        return if drafts.is_empty() {
            Err(SkipReason::NothingPassed.into())
        } else {
            Ok(drafts)
        };
    }
    let mut editable = || !edits::all(p, &parsed.text, &terms, &mut rng).is_empty();
    Err(match neighbours.is_empty() {
        true if anchor.neighbours.is_empty() && anchor.nearby.is_empty() => SkipReason::NoNeighbour,
        true => SkipReason::NoUsableNeighbour,
        false if editable() => SkipReason::NoTopic,
        false => SkipReason::NoEdit,
    }
    .into())
}

/// What is known of the corpus: the anchor as it stands and as a choice shows it, and all around it.
fn known(anchor: &Anchor<'_>, shown: &str) -> Known {
    let around = anchor
        .neighbours
        .iter()
        .chain(&anchor.nearby)
        .flat_map(|n| [Some(n.text), n.lead_in]);
    let own = [Some(anchor.text), anchor.lead_in, Some(shown)];
    Known::of(own.into_iter().chain(around).flatten())
}

/// Mentions of the anchor's terms that are phrases by themselves, the longest first.
fn topics(p: &Patterns, anchor: &Anchor<'_>, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for term in outermost(anchor) {
        let [mention] = p.grammar.mentions(text, term.text)[..] else {
            continue;
        };
        let surface = text.get(mention.0..mention.1).unwrap_or_default();
        if p.grammar.is_noun(surface) && !p.grammar.is_agent(surface) {
            found.extend((p.topic)(text, mention));
        }
    }
    found.sort_by_key(|t| std::cmp::Reverse(length(t)));
    found
}

/// Neighbours that were taken apart already: most sentences are a neighbour of many others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken {
    /// By sentence and the hash of its text and opening.
    by_text: HashMap<(SentenceId, u64), Option<Rc<Parsed>>>,
}

impl Taken {
    fn apart(
        &mut self,
        grammar: &dyn Grammar,
        of: &Neighbour<'_>,
        seed: u64,
    ) -> Option<Rc<Parsed>> {
        let mut hasher = DefaultHasher::new();
        (of.text, of.lead_in).hash(&mut hasher);
        let parsed = self
            .by_text
            .entry((of.id, hasher.finish()))
            .or_insert_with(|| {
                let mut rng = seed::stream(seed, of.id.0, 3);
                let text = grammar.cleaned(of.text, of.lead_in, &mut rng).ok()?;
                Some(Rc::new(parse(grammar, of.id, text, None)))
            });
        parsed.clone()
    }
}

/// All neighbours that are complete sentences, those of the graph before those that only stand near.
fn borrowable(
    grammar: &dyn Grammar,
    anchor: &Anchor<'_>,
    taken: &mut Taken,
    seed: u64,
) -> Vec<Rc<Parsed>> {
    let mut found: Vec<Rc<Parsed>> = Vec::new();
    for neighbour in anchor.neighbours.iter().chain(&anchor.nearby) {
        if neighbour.id == anchor.id || found.iter().any(|f| f.id == neighbour.id) {
            continue;
        }
        found.extend(taken.apart(grammar, neighbour, seed));
        if found.len() == NEIGHBOURS {
            break;
        }
    }
    found
}

/// For each term of the anchor the terms that can stand in its place.
fn swaps(
    grammar: &dyn Grammar,
    anchor: &Anchor<'_>,
    parsed: &Parsed,
) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for term in &anchor.terms {
        let nested = anchor.terms.iter().any(|o| {
            o.id != term.id
                && o.start <= term.start
                && term.end <= o.end
                && (o.end - o.start) > (term.end - term.start)
        });
        if nested
            || found.iter().any(|f| f.0 == term.text)
            || grammar.mentions(&parsed.text, term.text).is_empty()
        {
            continue;
        }
        let similar: Vec<String> = anchor
            .similar_terms
            .get(&term.id)
            .into_iter()
            .flatten()
            .map(|(_, text, _)| *text)
            .chain(anchor.local_terms.iter().map(|t| t.1))
            .map(str::to_owned)
            .filter(|other| grammar.is_noun(other) && grammar.of_one_kind(term.text, other))
            .take(SWAPS)
            .collect();
        found.push((term.text.to_owned(), similar));
    }
    found
}

/// Up to [`MOST`] drafts of different families.
fn choose(
    plans: Vec<Plan>,
    anchor: &Anchor<'_>,
    known: &Known,
    rng: &mut ChaCha8Rng,
) -> Vec<QcaDraft> {
    let mut by_family: HashMap<Family, Vec<Plan>> = HashMap::new();
    for plan in plans {
        by_family.entry(plan.family).or_default().push(plan);
    }
    let mut order: Vec<(f64, Family)> = Family::ALL
        .iter()
        .map(|f| (rng.random::<f64>().powf(1.0 / f.weight()), *f))
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut drafts: Vec<QcaDraft> = Vec::new();
    for (_, family) in order {
        let Some(pool) = by_family.remove(&family) else {
            continue;
        };
        let coins = Coins::thrown(rng);
        let mut fair: Vec<(f64, Plan)> = Vec::new();
        for mut plan in pool {
            let (wrong, missed) = balance::statements(&plan.right, plan.wrong, known, coins, rng);
            plan.wrong = wrong;
            fair.push((missed, plan));
        }
        fair.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, plan) in fair {
            let draft = draft_of(plan, anchor, rng);
            let new = drafts
                .iter()
                .all(|o| likeness(&o.question, &draft.question) < 0.85);
            if new && validate(&draft, anchor).is_ok() {
                drafts.push(draft);
                break;
            }
        }
        if drafts.len() == MOST {
            break;
        }
    }
    drafts
}

fn draft_of(plan: Plan, anchor: &Anchor<'_>, rng: &mut ChaCha8Rng) -> QcaDraft {
    let mut all = vec![(plan.right, ChoiceOrigin::Anchor)];
    all.extend(plan.wrong.into_iter().map(|w| (w.text, w.origin)));
    let draft = QcaDraft {
        question: plan.question,
        ..QcaDraft::new(
            QcaLevel::Sentence,
            plan.question_type,
            anchor.id,
            QuestionSource::Offline,
        )
    };
    with_choices(draft, all, rng)
}
