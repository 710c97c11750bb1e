//! Vectors that are kept, and those of now: what is kept of them, and places for what is new.

use crate::workspace::Result;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_graph::Matrix;
use lexforge_store::Embeddings;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

/// Stored vectors by id.
#[derive(Default)]
pub(super) struct Vectors {
    pub(super) dim: usize,
    pub(super) at: HashMap<i64, usize>,
    pub(super) data: Vec<f32>,
}

impl Vectors {
    pub(super) fn none(dim: usize) -> Self {
        Self {
            dim,
            ..Self::default()
        }
    }

    /// Where an id comes twice, its later vector counts.
    pub(super) fn new(kept: Embeddings) -> Self {
        Self {
            dim: kept.dim,
            at: kept
                .ids
                .iter()
                .enumerate()
                .map(|(i, id)| (*id, i))
                .collect(),
            data: kept.vectors,
        }
    }

    pub(super) fn row(&self, i: usize) -> &[f32] {
        &self.data[i * self.dim..(i + 1) * self.dim]
    }

    /// The vectors of these ids in their order; zero for one that is not there.
    pub(super) fn of(&self, ids: &[i64]) -> Matrix {
        let mut all = Matrix::zeros(ids.len(), self.dim);
        for (row, id) in ids.iter().enumerate() {
            if let Some(&i) = self.at.get(id) {
                all.row_mut(row).copy_from_slice(self.row(i));
            }
        }
        all
    }
}

/// Vectors of now: those that are kept, and places for those of new and changed texts.
pub(super) struct Gathered<'a> {
    pub(super) all: Matrix,
    pub(super) texts: Vec<&'a str>,
    pub(super) ids: Vec<i64>,
    pub(super) places: Vec<usize>,
}

impl<'a> Gathered<'a> {
    /// `now` has id, mark and text of each; `then` the marks of what the last build covers.
    pub(super) fn new(
        now: impl Iterator<Item = (i64, u64, &'a str)>,
        then: &HashMap<i64, u64>,
        kept: &Vectors,
    ) -> Self {
        let (mut all, mut texts, mut ids, mut places) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (place, (id, mark, text)) in now.enumerate() {
            match kept.at.get(&id).filter(|_| then.get(&id) == Some(&mark)) {
                Some(&i) => all.extend_from_slice(kept.row(i)),
                None => {
                    all.resize(all.len() + kept.dim, 0.0);
                    texts.push(text);
                    ids.push(id);
                    places.push(place);
                }
            }
        }
        let rows = all.len().checked_div(kept.dim).unwrap_or(0);
        Self {
            all: Matrix {
                rows,
                dim: kept.dim,
                data: all,
            },
            texts,
            ids,
            places,
        }
    }

    /// Puts the new vectors into their places; says whose they are.
    pub(super) fn fill(&mut self, new: &[f32]) -> Result<Vec<i64>> {
        if new.len() != self.places.len() * self.all.dim {
            return Err(stale_graph());
        }
        for (vector, place) in new.chunks(self.all.dim.max(1)).zip(&self.places) {
            self.all.row_mut(*place).copy_from_slice(vector);
        }
        Ok(std::mem::take(&mut self.ids))
    }
}

pub(super) fn matrix(dim: usize, data: &[f32]) -> Matrix {
    Matrix {
        rows: data.len().checked_div(dim).unwrap_or(0),
        dim,
        data: data.to_vec(),
    }
}

/// SHA-256 of a parent's hash and of vectors, hexadecimal.
pub(super) fn vectors_hash(parent: &str, vectors: &[f32]) -> String {
    let mut hash = Sha256::new();
    hash.update(parent.as_bytes());
    let mut bytes = Vec::with_capacity(4096);
    for part in vectors.chunks(1024) {
        bytes.clear();
        part.iter()
            .for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
        hash.update(&bytes);
    }
    hex::encode(hash.finalize())
}

pub(super) fn stale_graph() -> Failure {
    Failure::new(
        Code::StepMissing,
        "Documents or terms changed since the graph was built.",
        Remedy::BuildGraphAgain,
    )
}
