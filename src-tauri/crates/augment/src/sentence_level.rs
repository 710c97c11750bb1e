//! Questions whose choices are sentences (`Q_sen`).

use crate::anchor::{Anchor, Neighbour};
use crate::balance::{Coins, Known};
use crate::clause::{Grammar, Parsed, Place, grammar};
use crate::plan::{Family, Plan, Scene};
use crate::reasons::{Skip, SkipReason};
use crate::validate::validate;
use crate::words::{length, likeness};
use crate::{balance, seed};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource};
use lexforge_domain::text::SentenceKind;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// Most questions for one anchor.
const MOST: usize = 3;
/// Most neighbours that are borrowed from, and most that a language model is shown.
const NEIGHBOURS: usize = 24;
const SHOWN: usize = 8;
/// Most terms that stand in for one term.
const SWAPS: usize = 4;
/// How far the form of a question may be from what chance wants of it, and how often one that is farther is left out.
const TELLING: f64 = 1.0;
const LEFT_OUT: f64 = 0.05;
/// A neighbour that shares more of its words says much the same: it may be right as well.
const TOO_LIKE: f64 = 0.6;

/// Drafts for one anchor, checked.
pub(crate) fn draft(anchor: &Anchor<'_>, taken: &mut Taken, seed: u64) -> Result<Vec<QcaDraft>, Skip> {
    let grammar = grammar(anchor.language).ok_or(SkipReason::LanguageUnsupported)?;
    if !matches!(anchor.kind, SentenceKind::Rule | SentenceKind::Definition | SentenceKind::ListItem) {
        return Err(SkipReason::NotARule.into());
    }
    let mut rng = seed::stream(seed, anchor.id.0, 1);
    let item = crate::items::plan(grammar, anchor);
    let text = match grammar.sentence(anchor.text, Some(anchor.kind), anchor.lead_in, &mut rng) {
        Ok(text) => text,
        Err(reason) => {
            // What is no sentence may still be an item of a list.
            let Some(item) = item else { return Err(reason.into()) };
            let known = known(anchor, "");
            let drafts = choose(vec![item], anchor, &known, &mut rng);
            return if drafts.is_empty() { Err(reason.into()) } else { Ok(drafts) };
        }
    };
    let definition =
        anchor.definition.map(|(t, d)| (t.to_owned(), d.trim_end_matches(['.', ';', '。', '；']).to_owned()));
    let parsed = parse(grammar, anchor.id, text, definition);
    if !grammar.lays_down(&parsed, &place(anchor)) {
        return Err(SkipReason::NotARule.into());
    }
    let neighbours = borrowable(grammar, anchor, taken, seed);
    let terms = swaps(grammar, anchor, &parsed);
    let topics = topics(grammar, anchor, &parsed.text);
    let agents: Vec<String> = anchor.local_terms.iter().map(|t| t.1.to_owned()).collect();
    let known = known(anchor, &parsed.text);
    let scene = Scene {
        grammar,
        anchor: &parsed,
        neighbours: &neighbours,
        place: place(anchor),
        terms: &terms,
        agents: &agents,
        usage: anchor.usage,
        topics: &topics,
        is_item: anchor.lead_in.is_some(),
        part_of_definition: anchor.lead_in.is_some_and(|l| l.contains(" means") || l.contains('指')),
    };
    let mut plans = scene.plans(&mut rng);
    plans.extend(item);
    if plans.is_empty() {
        if anchor.neighbours.is_empty() && anchor.nearby.is_empty() {
            return Err(SkipReason::NoNeighbour.into());
        }
        if neighbours.is_empty() {
            return Err(SkipReason::NoUsableNeighbour.into());
        }
        let editable = !grammar.edits(&parsed, &terms, &mut rng).is_empty();
        return Err(if editable { SkipReason::NoTopic } else { SkipReason::NoEdit }.into());
    }
    let drafts = choose(plans, anchor, &known, &mut rng);
    if drafts.is_empty() { Err(SkipReason::NothingPassed.into()) } else { Ok(drafts) }
}

/// What is known of the corpus: the anchor as it stands and as a choice shows it, and all around it.
fn known(anchor: &Anchor<'_>, shown: &str) -> Known {
    let around = anchor.neighbours.iter().chain(&anchor.nearby).flat_map(|n| [Some(n.text), n.lead_in]);
    let own = [Some(anchor.text), anchor.lead_in, Some(shown)];
    Known::of(own.into_iter().chain(around).flatten())
}

/// Where the anchor stands.
pub(crate) fn place<'p>(anchor: &'p Anchor<'_>) -> Place<'p> {
    Place { section: anchor.section, heading: anchor.heading, above: &anchor.above, title: anchor.document_title }
}

/// Mentions of the anchor's terms that are phrases by themselves, the longest first.
fn topics(grammar: &dyn Grammar, anchor: &Anchor<'_>, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for term in crate::token_level::outermost(anchor) {
        let [mention] = grammar.mentions(text, term.text)[..] else { continue };
        let surface = text.get(mention.0..mention.1).unwrap_or_default();
        if grammar.is_noun(surface) && !grammar.is_agent(surface) {
            found.extend(grammar.topic(text, mention));
        }
    }
    found.sort_by_key(|t| std::cmp::Reverse(length(t)));
    found
}

/// The heading of the anchor, else the last part of its section's path, which may be one.
pub(crate) fn heading<'a>(anchor: &Anchor<'a>) -> &'a str {
    if anchor.heading.trim().is_empty() { anchor.section.rsplit(" › ").next().unwrap_or("") } else { anchor.heading }
}

pub(crate) fn parse(grammar: &dyn Grammar, id: SentenceId, text: String, given: Option<(String, String)>) -> Parsed {
    let definition = grammar.definition(&text).or(given);
    let clause = grammar.clause(&text);
    Parsed { id, text, clause, definition }
}

/// Neighbours that were taken apart already: most sentences are a neighbour of many others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken {
    /// By sentence and the hash of its text and opening.
    by_text: HashMap<(SentenceId, u64), Option<Rc<Parsed>>>,
}

impl Taken {
    fn apart(&mut self, grammar: &dyn Grammar, of: &Neighbour<'_>, seed: u64) -> Option<Rc<Parsed>> {
        let mut hasher = DefaultHasher::new();
        (of.text, of.lead_in).hash(&mut hasher);
        let parsed = self.by_text.entry((of.id, hasher.finish())).or_insert_with(|| {
            let mut rng = seed::stream(seed, of.id.0, 3);
            let text = grammar.sentence(of.text, None, of.lead_in, &mut rng).ok()?;
            Some(Rc::new(parse(grammar, of.id, text, None)))
        });
        parsed.clone()
    }
}

/// The neighbours that are complete sentences, say something else, and are about as long: what a language model is shown.
pub(crate) fn neighbours(
    grammar: &dyn Grammar,
    anchor: &Anchor<'_>,
    parsed: &Parsed,
    rng: &mut ChaCha8Rng,
) -> Vec<Parsed> {
    let own = length(&parsed.text) as f64;
    anchor
        .neighbours
        .iter()
        .filter(|n| n.id != anchor.id)
        .filter_map(|n| {
            let text = grammar.sentence(n.text, None, n.lead_in, rng).ok()?;
            let ratio = length(&text) as f64 / own;
            let fair = length(&text) <= grammar.longest()
                && (0.4..=2.5).contains(&ratio)
                && likeness(&text, &parsed.text) < TOO_LIKE;
            fair.then(|| parse(grammar, n.id, text, None))
        })
        .take(SHOWN)
        .collect()
}

/// All neighbours that are complete sentences, those of the graph before those that only stand near.
fn borrowable(grammar: &dyn Grammar, anchor: &Anchor<'_>, taken: &mut Taken, seed: u64) -> Vec<Rc<Parsed>> {
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
fn swaps(grammar: &dyn Grammar, anchor: &Anchor<'_>, parsed: &Parsed) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for term in &anchor.terms {
        let nested = anchor.terms.iter().any(|o| {
            o.id != term.id && o.start <= term.start && term.end <= o.end && (o.end - o.start) > (term.end - term.start)
        });
        if nested || found.iter().any(|f| f.0 == term.text) || grammar.mentions(&parsed.text, term.text).is_empty() {
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
fn choose(plans: Vec<Plan>, anchor: &Anchor<'_>, known: &Known, rng: &mut ChaCha8Rng) -> Vec<QcaDraft> {
    let mut by_family: HashMap<Family, Vec<Plan>> = HashMap::new();
    for plan in plans {
        by_family.entry(plan.family).or_default().push(plan);
    }
    let mut order: Vec<(f64, Family)> =
        Family::ALL.iter().map(|f| (rng.random::<f64>().powf(1.0 / f.weight()), *f)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut drafts: Vec<QcaDraft> = Vec::new();
    for (_, family) in order {
        let Some(pool) = by_family.remove(&family) else { continue };
        let coins = Coins::thrown(rng);
        let mut fair: Vec<(f64, Plan)> = Vec::new();
        for mut plan in pool {
            let (wrong, missed) = balance::statements(&plan.right, plan.wrong, known, coins, rng);
            plan.wrong = wrong;
            fair.push((missed, plan));
        }
        fair.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (missed, plan) in fair {
            // A question that its form would answer is left out, most times.
            if missed >= TELLING && rng.random_bool(LEFT_OUT) {
                continue;
            }
            let draft = draft_of(plan, anchor, rng);
            let new = drafts.iter().all(|o| likeness(&o.question, &draft.question) < 0.85);
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
    let (choices, origins, answer) = balance::shuffled(all, rng);
    QcaDraft {
        level: QcaLevel::Sentence,
        question_type: plan.question_type,
        question: plan.question,
        choices,
        answer,
        origins,
        rephrased: None,
        anchor_sentence: anchor.id,
        anchor_term: None,
        source: QuestionSource::Offline,
    }
}
