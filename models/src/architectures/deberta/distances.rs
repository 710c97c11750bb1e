//! Distances between tokens, which have vectors of their own.

use super::config::{DebertaConfig, Terms};
use crate::Result;
use crate::architectures::norms::LayerNorm;
use crate::architectures::packing::Group;
use crate::architectures::parts::Parts;
use crate::architectures::relative::{distances, logarithmic};
use crate::architectures::sizes::unsupported;
use tch::{Device, Tensor};

/// Distances that have vectors of their own.
pub(super) struct Distances {
    /// `[2 × span, hidden]`, as in the folder.
    table: Tensor,
    norm: Option<LayerNorm>,
    /// The table after its norm. `None` if the table is trained, because it is then computed for each layer.
    normed: Option<Tensor>,
    span: i64,
    buckets: i64,
    farthest: i64,
    pub(super) terms: Terms,
}

/// The distances between the tokens of a group's texts, as rows of a part of the table.
pub(super) struct Placed {
    pub(super) group: Group,
    /// First row of the part, and rows.
    pub(super) part: (i64, i64),
    /// Row of each key from each query: `[length, length]`.
    pub(super) by_query: Tensor,
    /// Row of each query from each key.
    pub(super) by_key: Tensor,
}

impl Distances {
    /// The table of a folder; `None` if its scores know no distances.
    pub(super) fn load(config: &DebertaConfig, parts: &Parts<'_>) -> Result<Option<Self>> {
        if !config.relative_attention {
            return Ok(None);
        }
        let (span, hidden) = (config.span(), config.hidden_size);
        let table = parts.tensor("encoder.rel_embeddings.weight", &[2 * span, hidden])?;
        let mut norm = None;
        let normed = config.norm_rel_ebd.as_deref().unwrap_or("none");
        for name in normed.split('|').map(|name| name.trim().to_lowercase()) {
            match name.as_str() {
                "layer_norm" => {
                    let epsilon = config.layer_norm_eps;
                    norm = Some(parts.norm("encoder.LayerNorm", hidden, epsilon, true)?);
                }
                "none" | "" => {}
                other => return Err(unsupported(&format!("norm_rel_ebd {other:?}"))),
            }
        }
        let mut read = Self {
            table,
            norm,
            normed: None,
            span,
            buckets: config.position_buckets,
            farthest: config.farthest(),
            terms: config.terms,
        };
        if !read.table.requires_grad() {
            read.normed = Some(read.vectors()?);
        }
        Ok(Some(read))
    }

    /// The vectors of the distances: `[2 × span, hidden]`.
    pub(super) fn vectors(&self) -> Result<Tensor> {
        match (&self.normed, &self.norm) {
            (Some(normed), _) => Ok(normed.shallow_clone()),
            (None, Some(norm)) => norm.forward(&self.table),
            (None, None) => Ok(self.table.shallow_clone()),
        }
    }

    /// The distances of a group.
    pub(super) fn placed(&self, group: Group, device: Device) -> Result<Placed> {
        // How far a query is from a key to its left, as DeBERTa counts it.
        let apart = distances(group.length, device)?.f_neg()?;
        let apart = logarithmic(&apart, self.buckets, self.farthest)?;
        let farthest = apart.f_max()?.f_int64_value(&[])?;
        let first = (self.span - farthest).max(0);
        let past = (self.span + farthest + 1).min(2 * self.span);
        let row = |x: &Tensor| -> Result<Tensor> {
            Ok(x.f_add_scalar(self.span)?
                .f_clamp(0, 2 * self.span - 1)?
                .f_sub_scalar(first)?)
        };
        Ok(Placed {
            group,
            part: (first, past - first),
            by_query: row(&apart)?,
            by_key: row(&apart.f_neg()?)?,
        })
    }
}

impl Placed {
    /// A group whose scores know no distances.
    pub(super) fn without(group: Group) -> Self {
        Self {
            group,
            part: (0, 0),
            by_query: Tensor::new(),
            by_key: Tensor::new(),
        }
    }
}
