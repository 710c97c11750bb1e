//! The token stage: right and wrong terms in one place of one sentence.

use super::lesson::{Material, TOO_LONG, count};
use super::token_lesson::{Source, TokenLesson};
use crate::Result;
use crate::decoding::chat::Message;
use crate::decoding::language::{Language, LanguageModel};
use crate::losses::token_loss::{Kind, TermLoss, TokenItem};
use crate::training::token_item::{Draft, Dropped};
use lexforge_domain::protocol::{TokenLossKind, TrainItem};
use lexforge_domain::qca::QcaLevel;
use std::collections::BTreeMap;

/// The stage's items.
pub(super) struct TermItems {
    train: Vec<TokenItem>,
    dev: Vec<TokenItem>,
}

/// The token stage (METHODS §1.3.3).
pub(super) fn terms(
    language: &Language,
    material: &Material,
    loss: TokenLossKind,
) -> Result<TokenLesson<TermLoss, TermItems>> {
    let kind = match loss {
        TokenLossKind::Candidates => Kind::Candidates,
        TokenLossKind::Divergence => Kind::Divergence,
        TokenLossKind::Paper => Kind::Paper,
    };
    let mut left_out = BTreeMap::new();
    let train = items(language, &material.train, material.longest, &mut left_out)?;
    let dev = items(
        language,
        &material.dev,
        material.longest,
        &mut BTreeMap::new(),
    )?;
    Ok(TokenLesson {
        loss: TermLoss::new(kind),
        source: TermItems { train, dev },
        left_out,
    })
}

fn items(
    language: &Language,
    items: &[TrainItem],
    longest: usize,
    left_out: &mut BTreeMap<String, u64>,
) -> Result<Vec<TokenItem>> {
    let mut made = Vec::new();
    for item in items.iter().filter(|item| item.level == QcaLevel::Token) {
        let Some(sentence) = &item.rephrased else {
            count(left_out, "no_rephrased_sentence", 1);
            continue;
        };
        let prompt = language.prompt(&[Message::user(&item.question)])?;
        let wrong: Vec<&str> = item.negatives.iter().map(String::as_str).collect();
        let sentence = language.harmless(sentence);
        let draft = Draft {
            prompt: &prompt,
            sentence: &sentence,
            term: &item.answer,
            wrong: &wrong,
        };
        let drafted = draft.item(language)?;
        for dropped in drafted.dropped {
            let reason = match dropped {
                Dropped::NoMention => "term_not_in_sentence",
                Dropped::NoWrongTerm => "no_usable_wrong_term",
                Dropped::WrongTerm => "wrong_term_unusable",
            };
            count(left_out, reason, 1);
        }
        let Some(mut drafted) = drafted.item else {
            continue;
        };
        if drafted.ids.len() > longest {
            count(left_out, TOO_LONG, 1);
            continue;
        }
        let before = drafted.wrong.len();
        drafted.wrong.retain(|wrong| wrong.ids.len() <= longest);
        count(left_out, TOO_LONG, (before - drafted.wrong.len()) as u64);
        if !drafted.wrong.is_empty() {
            made.push(drafted);
        }
    }
    Ok(made)
}

impl Source for TermItems {
    type Item = TokenItem;

    fn items(&self) -> usize {
        self.train.len()
    }

    fn held_out(&self) -> usize {
        self.dev.len()
    }

    fn item(&self, _: &LanguageModel, number: usize, _epoch: u64) -> Result<TokenItem> {
        Ok(self.train[number].clone())
    }

    fn held_out_item(&self, _: &LanguageModel, number: usize) -> Result<TokenItem> {
        Ok(self.dev[number].clone())
    }
}
