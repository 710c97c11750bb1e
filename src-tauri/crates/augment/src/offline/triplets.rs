//! Triplets without a language model: a sentence, its rewording, and the sentence with one thing changed
//! (docs/methods.md, "Financial embeddings").

use super::languages::patterns;
use super::patterns::{Edit, Patterns, Place, Variant};
use super::plan::bare;
use super::rewording::reworded;
use super::sentence_level::opened;
use super::{edits, scene::named};
use crate::anchor::Anchor;
use crate::clause::{Clause, Parsed, parse};
use crate::keeps::lost;
use crate::words::contains_words;
use crate::{seed, shifts};
use lexforge_domain::api::{ShiftType, shift_is};
use lexforge_domain::text::Language;
use lexforge_text::numerals::is_chinese_numeral;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Actors that may stand in for another: those of the most rules.
const ACTORS: usize = 40;
/// Fewest rules that an actor has.
const FEWEST_RULES: usize = 2;
/// Most words of an actor's name.
const LONGEST_NAME: usize = 5;

/// A mark of triplets that fill thin shifts: their source is a reworded sentence, and their positive the unchanged one.
pub const REWRITTEN: &str = "rewritten";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TripletDraft {
    /// The sentence as it is compared: without the marker of its list, whole.
    pub source: String,
    /// It in other words.
    pub positive: String,
    /// The sentence with one thing changed.
    pub negative: String,
    /// Tag of the shift.
    pub shift: String,
    /// The minimal edit.
    pub edit: &'static str,
    /// The words that it took away.
    pub removed: String,
    /// The words that it put there.
    pub added: String,
    /// The rewordings, in order.
    pub rewordings: Vec<&'static str>,
}

/// The drafts about a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftedTriplets {
    /// What is kept.
    pub kept: Vec<TripletDraft>,
    /// The rejected drafts, each with its reason.
    pub turned_down: Vec<(TripletDraft, &'static str)>,
}

/// Makes triplets by minimal edits and rewordings. The same seed gives the same triplets of the same sentences in the
/// same order.
#[derive(Clone, Debug)]
pub struct OfflineTriplets {
    shifts: Vec<ShiftType>,
    actors: BTreeMap<Language, Vec<String>>,
    /// Only these shifts or classes of shifts; empty = all.
    only: Vec<String>,
    most: usize,
    seed: u64,
    /// How many triplets of each shift were made. If several edits of a sentence are possible, those with the rarest
    /// shifts are made first. So no shift makes up most of the training data.
    made: BTreeMap<String, u64>,
}

impl OfflineTriplets {
    /// A maker of at most `most` triplets a sentence, with these ways of shifting.
    pub fn new(shifts: Vec<ShiftType>, most: usize, seed: u64) -> Self {
        Self {
            shifts,
            actors: BTreeMap::new(),
            only: Vec::new(),
            most,
            seed,
            made: BTreeMap::new(),
        }
    }

    /// Makes only these shifts or classes of shifts; an empty list allows all.
    #[must_use]
    pub fn only(mut self, tags: Vec<String>) -> Self {
        self.only = tags;
        self
    }

    fn is_wanted(&self, shift: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|tag| shift_is(shift, tag))
    }

    /// Takes over who acts in these sentences: each may stand in another's place.
    pub fn learn_actors<'t>(&mut self, sentences: impl Iterator<Item = (Language, &'t str)>) {
        let mut rules: BTreeMap<(Language, String), usize> = BTreeMap::new();
        for (language, text) in sentences {
            let Some(p) = patterns(language, text) else {
                continue;
            };
            let clause = p.grammar.clause(text).filter(|c| (p.is_actor)(c));
            let short = |c: &Clause| c.subject.split_whitespace().count() <= LONGEST_NAME;
            let name = |c: &Clause| p.grammar.is_noun(bare(&c.subject));
            if let Some(clause) = clause.filter(|c| short(c) && name(c)) {
                *rules.entry((language, clause.subject)).or_default() += 1;
            }
        }
        let mut rules: Vec<_> = rules
            .into_iter()
            .filter(|(_, n)| *n >= FEWEST_RULES)
            .collect();
        rules.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        for ((language, subject), _) in rules {
            let of_language = self.actors.entry(language).or_default();
            if of_language.len() < ACTORS {
                of_language.push(subject);
            }
        }
    }

    /// The triplets of a sentence.
    ///
    /// # Errors
    /// The tag of the reason why the sentence has no triplets.
    pub fn of(&mut self, anchor: &Anchor<'_>) -> Result<DraftedTriplets, &'static str> {
        let mut rng = seed::stream(self.seed, anchor.id.0, 3);
        let (p, text) = opened(anchor, &mut rng).map_err(|reason| reason.tag())?;
        let text = text.map_err(|reason| reason.tag())?;
        let parsed = parse(p.grammar, anchor.id, text, None);
        if !(p.lays_down)(&parsed, &Place::of(anchor)) {
            return Err("not_a_rule");
        }
        let positive = reworded(p, anchor.language, &parsed).ok_or("no_rewording")?;
        let mut variants = self.variants(p, anchor.language, &parsed, &mut rng);
        if variants.is_empty() {
            return Err("no_edit");
        }
        variants.shuffle(&mut rng);
        let mut drafted = DraftedTriplets::default();
        let mut edited: Vec<&'static str> = Vec::new();
        let mut drafts: Vec<TripletDraft> = variants
            .into_iter()
            .map(|variant| {
                let edit = kind(anchor.language, &parsed.text, &variant);
                TripletDraft {
                    source: parsed.text.clone(),
                    positive: positive.text.clone(),
                    shift: shifts::of_edit(&self.shifts, edit),
                    negative: variant.text,
                    edit,
                    removed: variant.removed,
                    added: variant.added,
                    rewordings: positive.how.clone(),
                }
            })
            .collect();
        drafts.retain(|draft| self.is_wanted(&draft.shift));
        if drafts.is_empty() {
            return Err("no_edit");
        }
        let made = |draft: &TripletDraft| self.made.get(&draft.shift).copied().unwrap_or(0);
        drafts.sort_by_key(made);
        for draft in drafts {
            if let Some(reason) = fault(anchor.language, &draft) {
                drafted.turned_down.push((draft, reason));
            } else if drafted.kept.len() < self.most && !edited.contains(&draft.edit) {
                edited.push(draft.edit);
                *self.made.entry(draft.shift.clone()).or_default() += 1;
                drafted.kept.push(draft);
            }
        }
        Ok(drafted)
    }

    /// Another triplet of the same shift, made from a kept one: its source is the rewording, and its positive is the
    /// sentence. It is used for shifts of which there are few triplets. `None` if the rewording does not allow such an
    /// edit.
    pub fn rewritten(&mut self, anchor: &Anchor<'_>, kept: &TripletDraft) -> Option<TripletDraft> {
        if lost(&kept.positive, &kept.source, anchor.language).is_some() {
            return None;
        }
        let mut rng = seed::stream(self.seed, anchor.id.0, 4);
        let p = patterns(anchor.language, &kept.positive)?;
        let parsed = parse(p.grammar, anchor.id, kept.positive.clone(), None);
        let variants = self.variants(p, anchor.language, &parsed, &mut rng);
        let drafts = variants.into_iter().map(|variant| {
            let edit = kind(anchor.language, &parsed.text, &variant);
            let mut rewordings = kept.rewordings.clone();
            rewordings.push(REWRITTEN);
            TripletDraft {
                source: parsed.text.clone(),
                positive: kept.source.clone(),
                shift: shifts::of_edit(&self.shifts, edit),
                negative: variant.text,
                edit,
                removed: variant.removed,
                added: variant.added,
                rewordings,
            }
        });
        let found = drafts
            .filter(|draft| draft.shift == kept.shift)
            .find(|draft| fault(anchor.language, draft).is_none())?;
        *self.made.entry(found.shift.clone()).or_default() += 1;
        Some(found)
    }

    /// The sentence with one thing changed, in every way that reads.
    fn variants(
        &self,
        p: &Patterns,
        language: Language,
        parsed: &Parsed,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Variant> {
        let mut found = edits::all(p, &parsed.text, &[], rng);
        if let Some(clause) = &parsed.clause {
            found.extend(
                edits::modal(p, clause)
                    .into_iter()
                    .map(|(_, variant)| variant),
            );
            let others = self.actors.get(&language).map_or(&[][..], Vec::as_slice);
            let others: Vec<&String> = others
                .iter()
                .filter(|other| may_act(p, clause, other))
                .collect();
            let other = others.choose(rng);
            found.extend(other.map(|other| edits::actor(p, clause, other).1));
        }
        found.retain(|variant| variant.text != parsed.text);
        found
    }
}

/// Whether another actor may replace the actor of a rule.
fn may_act(p: &Patterns, clause: &Clause, other: &str) -> bool {
    let (own, name) = (bare(&clause.subject), named(other));
    (p.is_actor)(clause)
        && named(&clause.subject) != name
        && !contains_words(&clause.predicate, &name)
        && !contains_words(&clause.lead, &name)
        && !p.grammar.may_include(own, bare(other))
        && p.grammar.interchangeable(&clause.subject, other)
}

/// Units of time, in both languages; an English figure has its unit with it.
const TIME: [&str; 5] = ["hour", "day", "week", "month", "year"];
const CHINESE_TIME: [&str; 8] = [
    "个工作日",
    "个交易日",
    "个月",
    "日",
    "天",
    "年",
    "小时",
    "周",
];

/// The name of an edit; a figure that measures time has one of its own.
fn kind(language: Language, source: &str, variant: &Variant) -> &'static str {
    if variant.edit != Edit::Number {
        return variant.edit.tag();
    }
    let time = if language == Language::Zh {
        let same = source.char_indices().zip(variant.text.chars());
        let changed = same.into_iter().find(|((_, a), b)| a != b);
        let rest = changed.and_then(|((at, _), _)| source.get(at..));
        let numeral = |c: char| c.is_ascii_digit() || is_chinese_numeral(c);
        let unit = rest.map_or("", |rest| rest.trim_start_matches(numeral));
        CHINESE_TIME.iter().any(|time| unit.starts_with(time))
    } else {
        let removed = variant.removed.to_lowercase();
        TIME.iter().any(|time| removed.contains(time))
    };
    if time { "time" } else { "number" }
}

/// Why a draft is no triplet.
fn fault(language: Language, draft: &TripletDraft) -> Option<&'static str> {
    let changed = lost(&draft.source, &draft.negative, language).is_some();
    if draft.negative == draft.positive {
        return Some("negative_is_positive");
    }
    // These edits change a number, a date or a modal. If the check finds that all of these are still the same, the edit
    // has not changed the meaning.
    if ["time", "number", "modal"].contains(&draft.edit) && !changed {
        return Some("negative_keeps_the_sense");
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
