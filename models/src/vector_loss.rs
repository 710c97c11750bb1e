//! The losses over one vector a text beside the sentence stage's own ([`crate::infonce`]).

use crate::Result;
use crate::infonce::Comparison;
use crate::loss::VectorLoss;
use tch::{Kind, Tensor};

/// InfoNCE of a batch of questions and choices: the sentence stage, and with `τ = 1 / 20` multiple
/// negatives ranking (METHODS §4: cosine × 20).
#[derive(Clone, Copy, Debug)]
pub struct InfoNce<'a> {
    /// What is compared with what.
    pub comparison: &'a Comparison,
    /// Temperature τ.
    pub temperature: f64,
}

impl VectorLoss for InfoNce<'_> {
    fn name(&self) -> &'static str {
        "infonce"
    }

    fn loss(&self, vectors: &Tensor) -> Result<Tensor> {
        self.comparison.mean_loss(vectors, self.temperature)
    }
}

/// Triplets with a temperature (METHODS §3, NMIXX):
/// `−log( exp(cos(s,p)/τ) / (exp(cos(s,p)/τ) + exp(cos(s,n)/τ)) )`, over unit vectors.
#[derive(Clone, Debug)]
pub struct Triplets {
    /// Rows of source, positive and negative.
    pub rows: Vec<[i64; 3]>,
    /// Temperature τ.
    pub temperature: f64,
}

impl VectorLoss for Triplets {
    fn name(&self) -> &'static str {
        "triplet"
    }

    fn loss(&self, vectors: &Tensor) -> Result<Tensor> {
        let [right, wrong] = scores(vectors, &self.rows)?;
        // −log σ((right − wrong) / τ)
        let gap = right.f_sub(&wrong)?.f_div_scalar(self.temperature)?;
        Ok(gap.f_log_sigmoid()?.f_mean(Kind::Float)?.f_neg()?)
    }
}

/// Margins of a cross-encoder learnt by mean squared error (GPL, METHODS §4), over vectors as they are:
/// `(s·p − s·n − margin)²`.
#[derive(Clone, Debug)]
pub struct MarginMse {
    /// Rows of query, positive and negative.
    pub rows: Vec<[i64; 3]>,
    /// What the cross-encoder says of each.
    pub margins: Vec<f64>,
}

impl VectorLoss for MarginMse {
    fn name(&self) -> &'static str {
        "margin_mse"
    }

    fn reads_unit_vectors(&self) -> bool {
        false
    }

    fn loss(&self, vectors: &Tensor) -> Result<Tensor> {
        let [right, wrong] = scores(vectors, &self.rows)?;
        let margins = Tensor::f_from_slice(&self.margins)?
            .f_to_kind(Kind::Float)?
            .f_to_device(vectors.device())?;
        Ok(right
            .f_sub(&wrong)?
            .f_sub(&margins)?
            .f_square()?
            .f_mean(Kind::Float)?)
    }
}

/// Products of the first with the second and with the third of each triple.
fn scores(vectors: &Tensor, rows: &[[i64; 3]]) -> Result<[Tensor; 2]> {
    let column = |number: usize| -> Result<Tensor> {
        let rows: Vec<i64> = rows.iter().map(|triple| triple[number]).collect();
        Ok(vectors.f_index_select(
            0,
            &Tensor::f_from_slice(&rows)?.f_to_device(vectors.device())?,
        )?)
    };
    let source = column(0)?;
    let with = |other: &Tensor| -> Result<Tensor> {
        Ok(source
            .f_mul(other)?
            .f_sum_dim_intlist([1i64].as_slice(), false, Kind::Float)?)
    };
    Ok([with(&column(1)?)?, with(&column(2)?)?])
}
