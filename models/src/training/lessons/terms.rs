//! The token stage: right and wrong terms in one place of one sentence.

use super::lesson::{Material, TOO_LONG, count};
use super::parts::Parts;
use super::token_lesson::TokenLesson;
use crate::Result;
use crate::decoding::chat::Message;
use crate::decoding::language::Language;
use crate::losses::token_loss::{Kind, TermLoss, TokenItem};
use crate::training::token_item::{Draft, Dropped};
use lexforge_domain::protocol::{TokenLossKind, TrainItem};
use lexforge_domain::qca::QcaLevel;
use std::collections::BTreeMap;

/// The token stage (docs/methods.md, "Training").
pub(super) fn terms(
    language: &Language,
    material: &Material,
    loss: TokenLossKind,
) -> Result<TokenLesson<TermLoss, Parts<TokenItem>>> {
    let kind = match loss {
        TokenLossKind::Candidates => Kind::Candidates,
        TokenLossKind::Divergence => Kind::Divergence,
        TokenLossKind::Paper => Kind::Paper,
    };
    let mut left_out = BTreeMap::new();
    let items = Parts::of(material, &mut left_out, |given, left_out| {
        items(language, given, material.longest, left_out)
    })?;
    Ok(TokenLesson::new(TermLoss::new(kind), items, left_out))
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
