//! The losses over one vector for each text, except the loss of the sentence stage ([`crate::losses::infonce`]).

use crate::Result;
use crate::losses::infonce::Comparison;
use crate::losses::loss::VectorLoss;
use tch::{Kind, Tensor};

/// InfoNCE of a batch of questions and choices, for the sentence stage. With `τ = 1 / 20` it is multiple negatives
/// ranking (docs/methods.md, "Rules and policies": cosine × 20).
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

/// Triplets with a temperature (NMIXX; docs/methods.md, "Financial embeddings"):
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

/// Margins of a cross-encoder, learnt by mean squared error (GPL; docs/methods.md, "Rules and policies"):
/// `(s·p − s·n − margin)²`. The vectors are taken as they are or scaled to unit length.
#[derive(Clone, Debug)]
pub struct MarginMse {
    /// Rows of query, positive and negative.
    pub rows: Vec<[i64; 3]>,
    /// The margin that the cross-encoder gives for each triplet.
    pub margins: Vec<f64>,
    /// They are margins of cosines.
    pub of_cosines: bool,
}

impl VectorLoss for MarginMse {
    fn name(&self) -> &'static str {
        "margin_mse"
    }

    fn reads_unit_vectors(&self) -> bool {
        self.of_cosines
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

/// A teacher's lists (listwise distillation): for each list the Kullback-Leibler divergence between the teacher's
/// shares and the softmax of the cosines over τ, with unit vectors.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// Row of each list's question.
    pub questions: Vec<i64>,
    /// Row of each text of a list, with the teacher's share in it. The shares of a list are together 1.
    pub texts: Vec<Vec<(i64, f64)>>,
    /// Temperature τ.
    pub temperature: f64,
}

impl Lists {
    /// Divergence of each list `[lists]` from the unit vectors of the texts `[texts, hidden]`.
    pub fn losses(&self, vectors: &Tensor) -> Result<Tensor> {
        let device = vectors.device();
        let width = self.texts.iter().map(Vec::len).max().unwrap_or(0);
        let shape = [self.questions.len() as i64, width as i64];
        // Short lists are filled up with row 0, which counts nothing.
        let (mut rows, mut shares, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
        let mut entropies = Vec::with_capacity(self.texts.len());
        for list in &self.texts {
            let texts = list.iter().copied().map(|(row, share)| (row, share, false));
            let filling = std::iter::repeat_n((0, 0.0, true), width - list.len());
            for (row, share, filled) in texts.chain(filling) {
                rows.push(row);
                shares.push(share as f32);
                beyond.push(filled);
            }
            // A share so small that it is 0 counts nothing.
            let counting = list.iter().map(|l| l.1).filter(|share| *share > 0.0);
            let entropy: f64 = counting.map(|share| share * share.ln()).sum();
            entropies.push(entropy as f32);
        }
        let table =
            |numbers: Tensor| -> Result<Tensor> { Ok(numbers.f_view(shape)?.f_to_device(device)?) };
        let beyond = table(Tensor::f_from_slice(&beyond)?)?;
        let questions = Tensor::f_from_slice(&self.questions)?.f_to_device(device)?;
        let logs = vectors
            .f_index_select(0, &questions)?
            .f_matmul(&vectors.f_transpose(0, 1)?)?
            .f_gather(1, &table(Tensor::f_from_slice(&rows)?)?, false)?
            .f_div_scalar(self.temperature)?
            .f_masked_fill(&beyond, f64::NEG_INFINITY)?
            .f_log_softmax(1, Kind::Float)?
            .f_masked_fill(&beyond, 0.0)?;
        let crossed = logs
            .f_mul(&table(Tensor::f_from_slice(&shares)?)?)?
            .f_sum_dim_intlist([1i64].as_slice(), false, Kind::Float)?;
        let entropies = Tensor::f_from_slice(&entropies)?.f_to_device(device)?;
        Ok(entropies.f_sub(&crossed)?)
    }
}

/// Listwise softmax over the scores of a cross-encoder, as they are: `−log( exp(right) / Σ exp(text of its list) )`.
#[derive(Clone, Debug, Default)]
pub struct Listwise {
    /// Texts of each list, at least one. The lists follow one another; of each the first text is the right one.
    pub lists: Vec<usize>,
}

impl VectorLoss for Listwise {
    fn name(&self) -> &'static str {
        "listwise"
    }

    fn reads_unit_vectors(&self) -> bool {
        false
    }

    fn loss(&self, scores: &Tensor) -> Result<Tensor> {
        let device = scores.device();
        let width = self.lists.iter().copied().max().unwrap_or(0);
        let shape = [self.lists.len() as i64, width as i64];
        // Short lists are filled up with the first text of all, which counts nothing.
        let (mut rows, mut beyond) = (Vec::new(), Vec::new());
        let mut start = 0;
        for &texts in &self.lists {
            rows.extend((0..width).map(|n| if n < texts { start + n as i64 } else { 0 }));
            beyond.extend((0..width).map(|n| n >= texts));
            start += texts as i64;
        }
        let rows = Tensor::f_from_slice(&rows)?.f_to_device(device)?;
        let beyond = Tensor::f_from_slice(&beyond)?
            .f_view(shape)?
            .f_to_device(device)?;
        Ok(scores
            .f_view([-1])?
            .f_index_select(0, &rows)?
            .f_view(shape)?
            .f_masked_fill(&beyond, f64::NEG_INFINITY)?
            .f_log_softmax(1, Kind::Float)?
            .f_select(1, 0)?
            .f_mean(Kind::Float)?
            .f_neg()?)
    }
}

/// A teacher's ranking beside the labels. Of the items of a batch some have a label, some a list, and most have both.
#[derive(Debug)]
pub struct Distilled<'a> {
    /// The comparison of labelled items. `None` if there are no labels, or if only the lists are learnt.
    pub labels: Option<InfoNce<'a>>,
    /// The lists.
    pub lists: Lists,
    /// The weight of the lists; the labels have the rest of 1.
    pub share: f64,
    /// Items of the batch.
    pub items: usize,
}

impl VectorLoss for Distilled<'_> {
    fn name(&self) -> &'static str {
        "distilled"
    }

    fn loss(&self, vectors: &Tensor) -> Result<Tensor> {
        // This zero is part of the gradient's graph, so that the loss has a gradient even if no list of the batch has
        // two texts.
        let mut sum = vectors.f_sum(Kind::Float)?.f_mul_scalar(0.0)?;
        if let Some(labels) = &self.labels {
            let losses = labels.comparison.losses(vectors, labels.temperature)?;
            let part = losses.f_sum(Kind::Float)?.f_mul_scalar(1.0 - self.share)?;
            sum = sum.f_add(&part)?;
        }
        if !self.lists.questions.is_empty() {
            let losses = self.lists.losses(vectors)?;
            sum = sum.f_add(&losses.f_sum(Kind::Float)?.f_mul_scalar(self.share)?)?;
        }
        Ok(sum.f_div_scalar(self.items.max(1) as f64)?)
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
