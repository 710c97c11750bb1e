//! The rules' own text: plain language modelling, and masked next token.

use super::lesson::Material;
use super::token_lesson::{HELD_OUT, Source, TokenLesson, random_of};
use crate::Result;
use crate::decoding::language::{Exchange, Language, LanguageModel};
use crate::losses::masked::{Masked, MaskedText};
use crate::losses::sft::Sft;
use lexforge_domain::protocol::TrainItem;
use std::collections::{BTreeMap, BTreeSet};

/// The different rules of items as tokens, in the order in which they first appear. Long ones are cut into
/// pieces.
fn rules(language: &Language, items: &[TrainItem], longest: usize) -> Result<Vec<Vec<u32>>> {
    let mut seen = BTreeSet::new();
    let mut rules = Vec::new();
    for item in items.iter().filter(|item| !item.rule.trim().is_empty()) {
        if !seen.insert(item.rule.as_str()) {
            continue;
        }
        let mut ids = language.encode(&language.harmless(&item.rule))?.ids;
        ids.push(language.end());
        rules.extend(
            ids.chunks(longest)
                .filter(|piece| piece.len() > 1)
                .map(<[u32]>::to_vec),
        );
    }
    Ok(rules)
}

/// Rules as they are.
pub(super) struct Plain {
    train: Vec<Vec<u32>>,
    dev: Vec<Vec<u32>>,
}

/// Plain language modelling.
pub(super) fn plain(language: &Language, material: &Material) -> Result<TokenLesson<Sft, Plain>> {
    let of = |items: &[TrainItem]| rules(language, items, material.longest);
    let source = Plain {
        train: of(&material.train)?,
        dev: of(&material.dev)?,
    };
    Ok(TokenLesson {
        loss: Sft,
        source,
        left_out: BTreeMap::new(),
    })
}

/// A text that is an answer from its first token on.
fn text(ids: &[u32]) -> Exchange {
    Exchange {
        ids: ids.to_vec(),
        ..Exchange::default()
    }
}

impl Source for Plain {
    type Item = Exchange;

    fn items(&self) -> usize {
        self.train.len()
    }

    fn held_out(&self) -> usize {
        self.dev.len()
    }

    fn item(&self, _: &LanguageModel, number: usize, _epoch: u64) -> Result<Exchange> {
        Ok(text(&self.train[number]))
    }

    fn held_out_item(&self, _: &LanguageModel, number: usize) -> Result<Exchange> {
        Ok(text(&self.dev[number]))
    }
}

/// Rules with masks, others in every epoch.
pub(super) struct WithMasks {
    rules: Plain,
    share: f64,
    mask: u32,
    seed: u64,
}

/// Masked next token.
pub(super) fn masked(
    language: &Language,
    material: &Material,
    share: f64,
) -> Result<TokenLesson<Masked, WithMasks>> {
    let of = |items: &[TrainItem]| rules(language, items, material.longest);
    let rules = Plain {
        train: of(&material.train)?,
        dev: of(&material.dev)?,
    };
    let source = WithMasks {
        rules,
        share,
        mask: language.mask()?,
        seed: material.seed,
    };
    Ok(TokenLesson {
        loss: Masked { from_before: true },
        source,
        left_out: BTreeMap::new(),
    })
}

impl WithMasks {
    fn masked(&self, ids: &[u32], number: usize, epoch: u64) -> MaskedText {
        MaskedText::of(
            ids,
            self.share,
            self.mask,
            &mut random_of(self.seed, number as i64, epoch),
        )
    }
}

impl Source for WithMasks {
    type Item = MaskedText;

    fn items(&self) -> usize {
        self.rules.items()
    }

    fn held_out(&self) -> usize {
        self.rules.held_out()
    }

    fn item(&self, _: &LanguageModel, number: usize, epoch: u64) -> Result<MaskedText> {
        Ok(self.masked(&self.rules.train[number], number, epoch))
    }

    fn held_out_item(&self, _: &LanguageModel, number: usize) -> Result<MaskedText> {
        Ok(self.masked(&self.rules.dev[number], number, HELD_OUT))
    }
}
