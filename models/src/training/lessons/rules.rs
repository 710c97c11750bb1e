//! The rules' own text: plain language modelling, and masked next token.

use super::lesson::Material;
use super::parts::Parts;
use super::token_lesson::{Source, TokenLesson, random_of};
use crate::Result;
use crate::decoding::language::{Exchange, Language, LanguageModel};
use crate::losses::masked::{Masked, MaskedText};
use crate::losses::sft::Sft;
use lexforge_domain::protocol::TrainItem;
use std::collections::{BTreeMap, BTreeSet};

/// The distinct rules of the items as tokens, in the order in which they first appear. Long ones are cut into pieces.
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

/// Both parts of a job's rules, each piece in the form that a stage keeps.
fn parts<T>(
    language: &Language,
    material: &Material,
    kept: impl Fn(Vec<u32>) -> T,
) -> Result<Parts<T>> {
    Parts::of(material, &mut BTreeMap::new(), |items, _| {
        let rules = rules(language, items, material.longest)?;
        Ok(rules.into_iter().map(&kept).collect())
    })
}

/// Plain language modelling: a text is an answer from its first token on.
pub(super) fn plain(
    language: &Language,
    material: &Material,
) -> Result<TokenLesson<Sft, Parts<Exchange>>> {
    let rules = parts(language, material, |ids| Exchange {
        ids,
        ..Exchange::default()
    })?;
    Ok(TokenLesson::new(Sft, rules, BTreeMap::new()))
}

/// Rules with masks, others in every epoch.
pub(super) struct WithMasks {
    rules: Parts<Vec<u32>>,
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
    let source = WithMasks {
        rules: parts(language, material, |ids| ids)?,
        share,
        mask: language.mask()?,
        seed: material.seed,
    };
    let loss = Masked { from_before: true };
    Ok(TokenLesson::new(loss, source, BTreeMap::new()))
}

impl Source for WithMasks {
    type Kept = Vec<u32>;
    type Item = MaskedText;

    fn parts(&self) -> &Parts<Vec<u32>> {
        &self.rules
    }

    fn item(
        &self,
        _: &LanguageModel,
        ids: &Vec<u32>,
        number: usize,
        epoch: u64,
    ) -> Result<MaskedText> {
        let mut random = random_of(self.seed, number as i64, epoch);
        Ok(MaskedText::of(ids, self.share, self.mask, &mut random))
    }
}
