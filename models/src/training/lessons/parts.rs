//! The two parts of a stage's items: those that are learnt from, and those that are held out.

use super::lesson::{Holding, Material};
use crate::Result;
use lexforge_domain::protocol::TrainItem;
use std::collections::BTreeMap;

/// Both parts, in the form in which the stage keeps its items.
pub(super) struct Parts<T> {
    pub(super) train: Vec<T>,
    pub(super) dev: Vec<T>,
}

impl<T> Parts<T> {
    /// The training part and the held-out part of a job's items, made in the same way. Items that cannot be learnt from
    /// are counted only in the training part.
    pub(super) fn of(
        material: &Material,
        left_out: &mut BTreeMap<String, u64>,
        make: impl Fn(&[TrainItem], &mut BTreeMap<String, u64>) -> Result<Vec<T>>,
    ) -> Result<Self> {
        Ok(Self {
            train: make(&material.train, left_out)?,
            dev: make(&material.dev, &mut BTreeMap::new())?,
        })
    }

    /// The numbers of items of the stage.
    pub(super) fn holding(&self, cut: usize, left_out: BTreeMap<String, u64>) -> Holding {
        Holding {
            items: self.train.len(),
            held_out: self.dev.len(),
            cut,
            left_out,
        }
    }
}
