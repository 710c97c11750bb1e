//! A stage's items and loss, the model that learns from them, and the data that all stages of a job share.

use crate::adapters::all_weights::AllWeights;
use crate::adapters::lora::Linear;
use crate::architectures::decoder::Attention;
use crate::architectures::dense::Dense;
use crate::architectures::encoder::{
    DecoderVectors, Encoder, InnerLayer, PooledEncoder, Text, Vectors,
};
use crate::architectures::recompute::Way;
use crate::architectures::sizes::Sizes;
use crate::data::{Records, TextLine};
use crate::decoding::language::LanguageModel;
use crate::losses::gradients;
use crate::losses::loss::VectorLoss;
use crate::tensors::NamedTensors;
use crate::training::ranks::Ranks;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    MeaningItem, Pooling, RerankItem, RetrievalItem, RetrievalPassage, TrainItem, TripletItem,
};
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use tch::Device;

/// The model that is trained.
#[allow(
    clippy::large_enum_variant,
    reason = "a process holds one; nothing is saved by a box"
)]
pub enum Trainee {
    /// A text encoder.
    Encoder(Encoder),
    /// A decoder with its language.
    Decoder(LanguageModel),
}

impl Trainee {
    /// The device of its tensors.
    pub fn device(&self) -> Device {
        match self {
            Self::Encoder(encoder) => Vectors::device(encoder),
            Self::Decoder(model) => model.decoder.device(),
        }
    }

    /// Its sizes.
    pub fn sizes(&self) -> Sizes {
        match self {
            Self::Encoder(encoder) => encoder.sizes,
            Self::Decoder(model) => model.decoder.config().sizes(),
        }
    }

    /// Linear layers in the order of the modules.
    pub fn linears(&mut self) -> Vec<&mut Linear> {
        match self {
            Self::Encoder(encoder) => encoder.linears(),
            Self::Decoder(model) => model.decoder.linears(),
        }
    }

    /// The linear layers of [`Self::linears`], for reading only.
    pub fn linears_ref(&self) -> Vec<&Linear> {
        match self {
            Self::Encoder(encoder) => encoder.linears_ref(),
            Self::Decoder(model) => model.decoder.linears_ref(),
        }
    }

    /// Its weights, where all of them are trained.
    pub fn all_weights(&self) -> Option<&AllWeights> {
        match self {
            Self::Encoder(encoder) => encoder.all_weights(),
            Self::Decoder(_) => None,
        }
    }

    /// Its head, where it is a cross-encoder.
    pub fn head(&self) -> Option<&Dense> {
        match self {
            Self::Encoder(encoder) => encoder.head(),
            Self::Decoder(_) => None,
        }
    }

    /// The model as a decoder.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if it is not a decoder.
    pub fn decoder(&self) -> Result<&LanguageModel> {
        match self {
            Self::Decoder(model) => Ok(model),
            Self::Encoder(_) => Err(Error::told(
                Code::InvalidRequest,
                "The recipe has a stage that only a decoder can learn; the base model is a text encoder.",
                "Choose the recipe for encoders, or a decoder (Qwen3, Qwen2, LLaMA, Mistral) as the base model.",
            )),
        }
    }

    /// The model as a text encoder. `stage` is the name of the stage that needs it.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] with `advice`, if the model is not an encoder.
    pub fn encoder(&self, stage: &str, advice: &str) -> Result<&Encoder> {
        match self {
            Self::Encoder(encoder) => Ok(encoder),
            Self::Decoder(_) => Err(Error::told(
                Code::InvalidRequest,
                format!("The stage {stage} tunes text encoders; the base model is a decoder."),
                advice,
            )),
        }
    }

    /// The model as one that turns texts into vectors after so many of its layers; none = after all.
    pub(crate) fn with_vectors_after<T>(
        &self,
        layer: Option<usize>,
        pooling: Pooling,
        act: impl FnOnce(&dyn Vectors) -> Result<T>,
    ) -> Result<T> {
        self.with_vectors(pooling, |all| match layer {
            None => act(all),
            Some(layer) => act(&InnerLayer { of: all, layer }),
        })
    }

    /// The model as one that turns texts into vectors.
    pub fn with_vectors<T>(
        &self,
        pooling: Pooling,
        act: impl FnOnce(&dyn Vectors) -> Result<T>,
    ) -> Result<T> {
        match self {
            Self::Encoder(encoder) => act(&PooledEncoder { encoder, pooling }),
            Self::Decoder(model) => act(&DecoderVectors {
                decoder: model.decoder.as_ref(),
                pooling,
                attention: Attention::Bidirectional,
            }),
        }
    }
}

/// A batch of a stage.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// Items by number.
    pub numbers: &'a [usize],
    /// Epoch, from 0.
    pub epoch: u64,
    /// Number of the batch within its epoch, from 0.
    pub number: u64,
    /// Most items computed at a time.
    pub micro_batch: Option<usize>,
    /// Most tokens computed at a time.
    pub budget: usize,
    /// How the gradient is computed.
    pub way: Way,
    /// Among whom the batch is shared out.
    pub ranks: &'a Ranks,
}

impl Batch<'_> {
    /// Most tokens computed at a time. Where only so many items may be, each counts as `largest` tokens.
    pub(super) fn budget_for(&self, largest: impl FnOnce() -> usize) -> usize {
        self.micro_batch
            .map_or(self.budget, |most| self.budget.min(most.max(1) * largest()))
    }

    /// Learns from a loss over one vector for each text. The vector is read after `layer` and made by `pooling`; the
    /// loss covers `share` of the batch.
    pub(super) fn learn_vectors(
        &self,
        trainee: &Trainee,
        (layer, pooling): (Option<usize>, Pooling),
        texts: &[Text<'_>],
        loss: &dyn VectorLoss,
        budget: usize,
        share: f64,
    ) -> Result<Learnt> {
        let part = gradients::Part {
            budget,
            way: self.way.share(share),
            ranks: self.ranks,
        };
        let (loss, tokens) = trainee.with_vectors_after(layer, pooling, |model| {
            gradients::accumulate(model, texts, loss, part)
        })?;
        Ok(Learnt {
            loss: share * loss,
            tokens,
        })
    }
}

/// The result of this rank's part of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Learnt {
    /// Its part of the mean loss of the batch's items; the sum over the ranks is the mean.
    pub loss: f64,
    /// Tokens that went through the model.
    pub tokens: usize,
}

impl AddAssign for Learnt {
    fn add_assign(&mut self, more: Self) {
        self.loss += more.loss;
        self.tokens += more.tokens;
    }
}

/// The numbers of items of a stage.
#[derive(Clone, Debug, Default)]
pub struct Holding {
    /// Training items.
    pub items: usize,
    /// Held-out items.
    pub held_out: usize,
    /// Texts that were cut at the longest length.
    pub cut: usize,
    /// Items that could not be learnt from: reason → number.
    pub left_out: BTreeMap<String, u64>,
}

/// One stage's items and loss.
pub trait Lesson {
    /// The numbers of its items.
    fn holding(&self) -> &Holding;

    /// Training items.
    fn items(&self) -> usize {
        self.holding().items
    }

    /// Held-out items.
    fn held_out(&self) -> usize {
        self.holding().held_out
    }

    /// Items that could not be learnt from: reason → number.
    fn left_out(&self) -> &BTreeMap<String, u64> {
        &self.holding().left_out
    }

    /// Texts that were cut at the longest length.
    fn cut(&self) -> usize {
        self.holding().cut
    }

    /// Prepares the data that stay the same for all batches of an epoch. The last argument is a function that says
    /// whether to go on. If it returns false meanwhile, nothing is prepared, and the result is `false`.
    ///
    /// # Errors
    /// If libtorch or a system call fails.
    fn prepare(&self, _: &Trainee, _: Batch<'_>, _: &dyn Fn() -> bool) -> Result<bool> {
        Ok(true)
    }

    /// The tensors that are trained beside the model. They are stored in checkpoints but not in an adapter.
    fn beside(&self) -> NamedTensors {
        NamedTensors::new()
    }

    /// Adds this rank's part of the gradient of a batch's mean loss to the trained parameters.
    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt>;

    /// Mean held-out loss without dropout; `None` as soon as `go_on` returns false.
    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>>;
}

/// Questions and what they are to find.
pub struct RetrievalMaterial {
    /// Training questions.
    pub train: Vec<RetrievalItem>,
    /// Held-out questions.
    pub dev: Vec<RetrievalItem>,
    /// The passages that the questions should find.
    pub passages: Vec<RetrievalPassage>,
    /// The folder for the mined wrong passages.
    pub folder: PathBuf,
}

/// The material of the triplet stage.
pub struct TripletMaterial {
    /// Training triplets.
    pub train: Vec<TripletItem>,
    /// Held-out triplets.
    pub dev: Vec<TripletItem>,
}

/// The material of a cross-encoder.
pub struct RerankMaterial {
    /// Training questions.
    pub train: Vec<RerankItem>,
    /// Held-out questions.
    pub dev: Vec<RerankItem>,
    /// Passages that they name by number.
    pub passages: Vec<String>,
}

/// The data of a job, as all of its stages share them.
pub struct Material {
    /// Training items.
    pub train: Vec<TrainItem>,
    /// Held-out items.
    pub dev: Vec<TrainItem>,
    /// General language.
    pub replay: Vec<String>,
    /// Terms that acts define differently.
    pub meanings: Vec<MeaningItem>,
    /// The material of the retrieval stage.
    pub retrieval: Option<RetrievalMaterial>,
    /// The material of the triplet stage.
    pub triplets: Option<TripletMaterial>,
    /// The material of a cross-encoder.
    pub rerank: Option<RerankMaterial>,
    /// Longest text in tokens.
    pub longest: usize,
    /// Seed of the job.
    pub seed: u64,
}

impl Material {
    /// Training items, whatever their kind.
    pub fn items(&self) -> usize {
        let questions = self.retrieval.as_ref().map_or(0, |r| r.train.len());
        let triplets = self.triplets.as_ref().map_or(0, |t| t.train.len());
        let pairs = self.rerank.as_ref().map_or(0, |r| r.train.len());
        self.train.len() + questions + triplets + pairs
    }

    /// Reads a job's files. If there are passages, the items are questions that should find them; if triplets are
    /// learnt, the items are the triplets.
    ///
    /// # Errors
    /// If a line is not an item.
    pub fn read(files: &Inputs<'_>, longest: usize, seed: u64) -> Result<Self> {
        let texts = |path: &Path| -> Result<Vec<String>> {
            let lines = Records::<TextLine>::open(path)?;
            lines.map(|line| line.map(|l| l.text)).collect()
        };
        let replay = files.replay.map(texts).transpose()?.unwrap_or_default();
        let meanings = match files.meanings {
            Some(path) => Records::open(path)?.collect::<Result<_>>()?,
            None => Vec::new(),
        };
        let (mut train, mut dev) = (Vec::new(), Vec::new());
        let (mut retrieval, mut triplets, mut rerank) = (None, None, None);
        match files.passages {
            None if files.triplets => {
                triplets = Some(TripletMaterial {
                    train: Records::open(files.train)?.collect::<Result<_>>()?,
                    dev: Records::open(files.dev)?.collect::<Result<_>>()?,
                });
            }
            Some(passages) if files.pairs => {
                rerank = Some(RerankMaterial {
                    train: Records::open(files.train)?.collect::<Result<_>>()?,
                    dev: Records::open(files.dev)?.collect::<Result<_>>()?,
                    passages: texts(passages)?,
                });
            }
            // Without passages the stage says so.
            None if files.pairs => {}
            Some(passages) => {
                retrieval = Some(RetrievalMaterial {
                    train: Records::open(files.train)?.collect::<Result<_>>()?,
                    dev: Records::open(files.dev)?.collect::<Result<_>>()?,
                    passages: Records::open(passages)?.collect::<Result<_>>()?,
                    folder: files.mined.to_owned(),
                });
            }
            None => {
                train = Records::open(files.train)?.collect::<Result<_>>()?;
                dev = Records::open(files.dev)?.collect::<Result<_>>()?;
            }
        }
        Ok(Self {
            train,
            dev,
            replay,
            meanings,
            retrieval,
            triplets,
            rerank,
            longest,
            seed,
        })
    }
}

/// The files of a job's data.
pub struct Inputs<'a> {
    /// Training items.
    pub train: &'a Path,
    /// Held-out items.
    pub dev: &'a Path,
    /// General language.
    pub replay: Option<&'a Path>,
    /// Terms that acts define differently.
    pub meanings: Option<&'a Path>,
    /// The passages that questions should find.
    pub passages: Option<&'a Path>,
    /// The folder for the mined wrong passages.
    pub mined: &'a Path,
    /// The items are triplets.
    pub triplets: bool,
    /// The items are questions with the passages that they are read with.
    pub pairs: bool,
}

/// Counts a reason.
pub(super) fn count(left_out: &mut BTreeMap<String, u64>, reason: &str, n: u64) {
    if n > 0 {
        *left_out.entry(reason.to_owned()).or_default() += n;
    }
}

/// Reason of an item that is longer than the longest length.
pub(super) const TOO_LONG: &str = "longer_than_max_length";
