//! Training items: their distinct texts, tokenized once, and the order of the batches.

use crate::Result;
use crate::data::Records;
use crate::encoder::Text;
use crate::infonce::{Comparison, Item};
use crate::tokenizer::TextTokenizer;
use lexforge_domain::protocol::TrainItem;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::path::Path;

/// Items with their texts.
pub struct Items {
    /// The items, in file order.
    pub items: Vec<Item>,
    /// Tokens of the distinct texts.
    pub tokens: Vec<Vec<u32>>,
    /// Distinct texts that were cut.
    pub truncated: usize,
}

impl Items {
    /// Reads a JSONL file of [`TrainItem`].
    ///
    /// # Errors
    /// Where a line is not an item.
    pub fn read(path: &Path, tokenizer: &TextTokenizer) -> Result<Self> {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut texts: Vec<String> = Vec::new();
        let mut number = |text: String| {
            *numbers.entry(text).or_insert_with_key(|text| {
                texts.push(text.clone());
                texts.len() - 1
            })
        };
        let mut items = Vec::new();
        for record in Records::<TrainItem>::open(path)? {
            let item = record?;
            items.push(Item {
                anchor: item.anchor,
                answer_group: item.answer_group,
                question: number(item.question),
                answer: number(item.answer),
                negatives: item.negatives.into_iter().map(&mut number).collect(),
            });
        }
        let references: Vec<&str> = texts.iter().map(String::as_str).collect();
        let tokenized = tokenizer.tokenize(&references)?;
        let truncated = tokenized.iter().filter(|t| t.truncated).count();
        Ok(Self { items, tokens: tokenized.into_iter().map(|t| t.ids).collect(), truncated })
    }

    /// Batches of one epoch.
    pub fn batches(&self, batch_size: usize) -> u64 {
        self.items.len().div_ceil(batch_size) as u64
    }

    /// Item numbers of an epoch in their order, which follows from seed and epoch alone.
    pub fn order(&self, seed: u64, epoch: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(epoch);
        order.shuffle(&mut random);
        order
    }

    /// What is compared in a batch of these items.
    pub fn comparison(&self, numbers: &[usize], in_batch: bool) -> Comparison {
        let items: Vec<&Item> = numbers.iter().map(|&i| &self.items[i]).collect();
        Comparison::of(&items, in_batch)
    }

    /// Tokens of a comparison's texts.
    pub fn tokens_of(&self, comparison: &Comparison) -> Vec<Text<'_>> {
        comparison.texts.iter().map(|&text| self.tokens[text].as_slice().into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_follows_from_seed_and_epoch() {
        let item = Item { anchor: 0, answer_group: 0, question: 0, answer: 0, negatives: vec![] };
        let items = Items { items: vec![item; 50], tokens: vec![], truncated: 0 };
        assert_eq!(items.order(42, 3), items.order(42, 3));
        assert_ne!(items.order(42, 3), items.order(42, 4));
        assert_ne!(items.order(42, 3), items.order(43, 3));
        let mut sorted = items.order(42, 3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
        assert_eq!(items.batches(16), 4);
    }
}
