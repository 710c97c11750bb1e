//! Texts with the same beginning: the beginning is computed once, and then each continuation.
//!
//! The choices of a question differ only near their ends. The same is true of sentences that differ only in one term.
//! The tokens that such texts have in common are in the packed row once; attention lets each continuation see them.

use crate::Result;
use crate::architectures::packing::{Node, Packed};
use tch::Device;

/// The places of the texts of a group.
#[derive(Debug)]
struct Place {
    /// Tokens that all texts of the group begin with.
    shared: usize,
    /// First row of the shared tokens.
    root: i64,
    /// First row of what follows, by text; none where the group has one text, which is all shared.
    branches: Vec<i64>,
}

/// A packed batch of groups of texts.
pub struct Continuations {
    /// The batch.
    pub packed: Packed,
    places: Vec<Place>,
}

impl Continuations {
    /// Packs groups of texts, none of them empty.
    pub fn of(groups: &[Vec<&[u32]>], device: Device) -> Result<Self> {
        let mut nodes: Vec<Node<'_>> = Vec::new();
        let mut owners: Vec<(usize, usize, Vec<usize>)> = Vec::with_capacity(groups.len());
        for texts in groups {
            let shared = match texts.as_slice() {
                [only] => only.len(),
                // Each text keeps a token of its own.
                _ => common_beginning(texts).min(
                    texts
                        .iter()
                        .map(|t| t.len().saturating_sub(1))
                        .min()
                        .unwrap_or(0),
                ),
            };
            let root = nodes.len();
            let beginning = texts.first().map_or(&[][..], |text| &text[..shared]);
            if shared > 0 {
                nodes.push(Node {
                    ids: beginning,
                    after: None,
                });
            }
            let mut branches = Vec::new();
            for text in texts.iter().filter(|text| text.len() > shared) {
                branches.push(nodes.len());
                nodes.push(Node {
                    ids: &text[shared..],
                    after: (shared > 0).then_some(root),
                });
            }
            owners.push((shared, root, branches));
        }
        let (packed, starts) = Packed::tree(&nodes, device)?;
        let places = owners
            .into_iter()
            .map(|(shared, root, branches)| Place {
                shared,
                root: starts.get(root).copied().unwrap_or(0),
                branches: branches.into_iter().map(|node| starts[node]).collect(),
            })
            .collect();
        Ok(Self { packed, places })
    }

    /// Row of a token of a text of a group.
    pub fn row(&self, group: usize, text: usize, token: usize) -> i64 {
        let place = &self.places[group];
        match token.checked_sub(place.shared) {
            None => place.root + token as i64,
            Some(beyond) => place.branches[text] + beyond as i64,
        }
    }

    /// The row whose vector predicts a token of a text, which is the row of the token before it. No row predicts the
    /// first token of a text; for it, the result is the token's own row.
    pub fn foretelling(&self, group: usize, text: usize, token: usize) -> i64 {
        self.row(group, text, token.saturating_sub(1))
    }
}

/// How many tokens all texts begin with.
pub(crate) fn common_beginning(texts: &[&[u32]]) -> usize {
    let Some((first, others)) = texts.split_first() else {
        return 0;
    };
    let alike = |other: &&[u32]| first.iter().zip(*other).take_while(|(a, b)| a == b).count();
    others.iter().map(alike).min().unwrap_or(first.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_of_every_text_is_found() {
        let groups: Vec<Vec<&[u32]>> = vec![
            vec![&[1, 2, 3, 4], &[1, 2, 5], &[1, 2, 3, 6, 7]],
            vec![&[8, 9]],
            vec![&[1, 2], &[1, 2, 3]],
            vec![&[5], &[6, 7]],
        ];
        let all = Continuations::of(&groups, Device::Cpu).unwrap();
        let ids = Vec::<i64>::try_from(&all.packed.ids).unwrap();
        assert_eq!(ids.len(), 2 + 2 + 1 + 3 + 2 + 1 + 1 + 2 + 1 + 2);
        for (group, texts) in groups.iter().enumerate() {
            for (text, tokens) in texts.iter().enumerate() {
                for (token, &id) in tokens.iter().enumerate() {
                    let row = all.row(group, text, token);
                    assert_eq!(ids[row as usize], i64::from(id), "{group} {text} {token}");
                    let position = all.packed.positions.int64_value(&[row]);
                    assert_eq!(position, token as i64);
                }
            }
        }
        assert_eq!(all.foretelling(0, 2, 2), all.row(0, 0, 1));
    }
}
