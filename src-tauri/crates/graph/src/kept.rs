//! The data that a build stores for the next build: the covered sentences and terms, marks of them, and their nearest.

use crate::neighbours::Neighbour;
use crate::{EntityNode, SentenceNode};
use lexforge_domain::{SentenceId, TermId};

/// What a build leaves for the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    pub sentences: Vec<KeptSentence>,
    /// Its terms, with the mark of each one's text.
    pub terms: Vec<(TermId, u64)>,
}

/// A sentence of a build.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptSentence {
    pub id: SentenceId,
    /// Mark of its text: another text has another vector.
    pub text: u64,
    /// Mark of everything else that decides its edges: entities, type, section, kind.
    pub ties: u64,
    /// Its nearest related sentences; `row` is an index into [`Kept::sentences`].
    pub near: Vec<Neighbour>,
    /// The candidates among them, as bits.
    pub chosen: u64,
}

/// The mark of a sentence's text.
pub fn text_mark(sentence: &SentenceNode) -> u64 {
    mark([sentence.text.as_bytes()])
}

/// A mark of everything besides its text that decides a sentence's edges.
pub(crate) fn ties_mark(sentence: &SentenceNode) -> u64 {
    let mut entities: Vec<i64> = sentence.entities.iter().map(|e| e.0).collect();
    entities.sort_unstable();
    entities.dedup();
    let entities: Vec<u8> = entities.iter().flat_map(|e| e.to_le_bytes()).collect();
    let kind = format!("{:?}", sentence.kind);
    mark([
        sentence.group.as_bytes(),
        sentence.section.as_bytes(),
        kind.as_bytes(),
        &entities,
    ])
}

pub fn term_mark(entity: &EntityNode) -> u64 {
    mark([entity.text.as_bytes()])
}

/// A hash of the parts (FNV-1a), each preceded by its length. Marks are stored in files, so this function must give the
/// same result in every version and on every machine. A collision that somebody makes on purpose does no harm, because
/// marks only detect changes.
fn mark<const N: usize>(parts: [&[u8]; N]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for part in parts {
        (part.len() as u64)
            .to_le_bytes()
            .into_iter()
            .chain(part.iter().copied())
            .for_each(&mut eat);
    }
    hash
}

impl Kept {
    /// The sentences as bytes, little-endian. For each sentence: its id, marks, chosen bits, the number of near
    /// sentences, and the row and cosine of each of these.
    pub fn sentence_bytes(&self) -> Vec<u8> {
        let mut bytes =
            Vec::with_capacity(self.sentences.iter().map(|s| 36 + 8 * s.near.len()).sum());
        for s in &self.sentences {
            bytes.extend(s.id.0.to_le_bytes());
            bytes.extend(s.text.to_le_bytes());
            bytes.extend(s.ties.to_le_bytes());
            bytes.extend(s.chosen.to_le_bytes());
            bytes.extend((s.near.len() as u32).to_le_bytes());
            for n in &s.near {
                bytes.extend(n.row.to_le_bytes());
                bytes.extend(n.cosine.to_le_bytes());
            }
        }
        bytes
    }

    /// The terms as bytes, little-endian: id and mark of each.
    pub fn term_bytes(&self) -> Vec<u8> {
        self.terms
            .iter()
            .flat_map(|(id, mark)| [id.0.to_le_bytes(), mark.to_le_bytes()])
            .flatten()
            .collect()
    }

    /// Reads what [`Kept::sentence_bytes`] and [`Kept::term_bytes`] wrote. `None` if the bytes are incomplete, or if
    /// they name rows that do not exist.
    pub fn from_bytes(sentences: &[u8], terms: &[u8]) -> Option<Self> {
        let mut rest = Bytes(sentences);
        let mut kept = Self {
            sentences: Vec::new(),
            terms: Self::terms_from_bytes(terms)?,
        };
        while !rest.0.is_empty() {
            let (id, text, ties, chosen) = (rest.long()?, rest.long()?, rest.long()?, rest.long()?);
            let many = rest.short()? as usize;
            if many > rest.0.len() / 8 {
                return None;
            }
            let mut near = Vec::with_capacity(many);
            for _ in 0..many {
                near.push(Neighbour {
                    row: rest.short()?,
                    cosine: f32::from_bits(rest.short()?),
                });
            }
            kept.sentences.push(KeptSentence {
                id: SentenceId(id as i64),
                text,
                ties,
                near,
                chosen,
            });
        }
        let rows = kept.sentences.len();
        let within = kept
            .sentences
            .iter()
            .flat_map(|s| &s.near)
            .all(|n| (n.row as usize) < rows);
        within.then_some(kept)
    }

    /// Reads what [`Kept::term_bytes`] wrote. `None` if the bytes are incomplete.
    pub fn terms_from_bytes(bytes: &[u8]) -> Option<Vec<(TermId, u64)>> {
        let mut rest = Bytes(bytes);
        let mut terms = Vec::with_capacity(bytes.len() / 16);
        while !rest.0.is_empty() {
            terms.push((TermId(rest.long()? as i64), rest.long()?));
        }
        Some(terms)
    }
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn long(&mut self) -> Option<u64> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*head))
    }

    fn short(&mut self) -> Option<u32> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_cut_ones_do_not() {
        let near = vec![
            Neighbour {
                row: 1,
                cosine: 0.5,
            },
            Neighbour {
                row: 0,
                cosine: -0.25,
            },
        ];
        let sentence = |id, near| KeptSentence {
            id: SentenceId(id),
            text: 7,
            ties: u64::MAX,
            near,
            chosen: 1 << 63,
        };
        let kept = Kept {
            sentences: vec![sentence(3, near), sentence(-4, Vec::new())],
            terms: vec![(TermId(9), 1), (TermId(i64::MAX), 0)],
        };
        let (s, t) = (kept.sentence_bytes(), kept.term_bytes());
        assert_eq!(Kept::from_bytes(&s, &t), Some(kept));
        assert_eq!(Kept::from_bytes(&[], &[]), Some(Kept::default()));
        for cut in [1, 20, 35, s.len() - 1] {
            assert_eq!(Kept::from_bytes(&s[..cut], &t), None, "cut at {cut}");
        }
        assert_eq!(Kept::from_bytes(&s, &t[..9]), None);
        assert_eq!(
            Kept::from_bytes(&s[..52], &t),
            None,
            "a neighbour that is not there"
        );
    }

    #[test]
    fn a_mark_is_of_the_content_and_never_changes() {
        assert_eq!(mark([b"".as_slice()]), mark([b"".as_slice()]));
        assert_ne!(
            mark([b"ab".as_slice(), b"c"]),
            mark([b"a".as_slice(), b"bc"])
        );
        assert_eq!(mark([b"own funds".as_slice()]), 0x92de_a6d5_e64e_bb80);
    }
}
