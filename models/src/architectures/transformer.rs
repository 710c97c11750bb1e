//! The computation that Qwen, LLaMA and Mistral share: norms before each part, rotary positions, grouped queries, a
//! gated feed-forward part. [`DecoderConfig`] says where they differ.

mod layer;
mod parts;

use crate::adapters::lora::{Linear, Pass, rows_linear};
use crate::architectures::attention::{Plan, attend_after, attend_each, attend_own};
use crate::architectures::cache::Cache;
use crate::architectures::caches::Caches;
use crate::architectures::decoder::{Attention, Decoder, DecoderConfig};
use crate::architectures::norms::RmsNorm;
use crate::architectures::packing::Packed;
use crate::architectures::recompute::{Stack, Step};
use crate::architectures::rope::Rotary;
use crate::weights::{Source, Weights};
use crate::{Error, Result};
use layer::Layer;
use lexforge_domain::Code;
use parts::Parts;
use std::path::Path;
use std::rc::Rc;
use tch::{Device, Kind, Tensor};

/// A part of a batch, and the places in it whose logits are needed.
pub struct Piece {
    /// The texts.
    pub packed: Packed,
    /// Places in the packed row.
    pub rows: Tensor,
}

/// Logits at some places of a batch `[places, vocabulary]`, in fp32. Only one layer is in memory at a time. This is for
/// a decoder that is too large to be loaded twice. `prepare` gets the linear layers of each layer before it is
/// computed.
///
/// # Errors
/// If a tensor is missing, libtorch fails, or `prepare` fails.
pub(crate) fn logits_by_layers(
    config: &DecoderConfig,
    source: &dyn Source,
    pieces: &[Piece],
    device: Device,
    prepare: &mut dyn FnMut(&mut [&mut Linear]) -> Result<()>,
) -> Result<Tensor> {
    let _no_grad = tch::no_grad_guard();
    let parts = Parts::of(config, source, Some(Kind::Float))?;
    let mut rotary = Rotary::new(&config.rope, config.head, device)?;
    if let Some(divisors) = source.rotary_divisors()? {
        rotary.divide(&divisors)?;
    }
    let mut all = Vec::with_capacity(pieces.len());
    {
        let embeddings = parts.embeddings()?;
        for Piece { packed, .. } in pieces {
            config.check_length(packed.longest())?;
            let x = Tensor::f_embedding(&embeddings, &packed.ids, -1, false, false)?;
            all.push((x, rotary.tables(&packed.positions, Kind::Float)?));
        }
    }
    for number in 0..config.layers {
        let mut layer = parts.layer(number)?;
        prepare(&mut layer.linears())?;
        for (Piece { packed, .. }, (x, tables)) in pieces.iter().zip(&mut all) {
            let plan = Plan::of(packed, Attention::Causal, layer.window, device)?;
            *x = layer.forward(config, x, tables, Pass::Infer, |q, k, v| {
                plan.attend(q, k, v)
            })?;
        }
    }
    let norm = parts.norm("norm", config.hidden)?;
    let head = match parts.head()? {
        Some(head) => head,
        None => parts.embeddings()?,
    };
    let logits = pieces.iter().zip(&all).map(|(piece, (x, _))| {
        Ok(norm
            .forward(&x.f_index_select(0, &piece.rows)?)?
            .f_linear(&head, None::<Tensor>)?)
    });
    Ok(Tensor::f_cat(&logits.collect::<Result<Vec<_>>>()?, 0)?)
}

/// A loaded decoder.
pub struct Transformer {
    config: DecoderConfig,
    embeddings: Tensor,
    /// Output layer `[vocabulary, hidden]`; `None` = the embeddings.
    head: Option<Tensor>,
    norm: RmsNorm,
    layers: Vec<Layer>,
    rotary: Rotary,
    device: Device,
}

impl Transformer {
    /// Loads the weights of a folder. They get the number type `kind`; with `None`, they keep the type of their file.
    /// On the CPU nothing is copied if the type of the file is kept.
    ///
    /// # Errors
    /// If weights are missing, damaged or of other shapes than the configuration requires.
    pub fn load(
        config: &DecoderConfig,
        folder: &Path,
        kind: Option<Kind>,
        device: Device,
    ) -> Result<Self> {
        Self::load_as(config, folder, kind, false, device)
    }

    /// Loads the weights as [`Transformer::load`] does. With `four_bits` the linear layers are stored in four bits;
    /// each layer is packed before the next one is read.
    ///
    /// # Errors
    /// As [`Transformer::load`].
    pub(crate) fn load_as(
        config: &DecoderConfig,
        folder: &Path,
        kind: Option<Kind>,
        four_bits: bool,
        device: Device,
    ) -> Result<Self> {
        Self::of(
            config,
            &Weights::open(folder, device)?,
            kind,
            four_bits,
            device,
        )
    }

    /// Loads the weights as `Transformer::load_as` does, from any source.
    ///
    /// # Errors
    /// As [`Transformer::load`].
    pub fn of(
        config: &DecoderConfig,
        source: &dyn Source,
        kind: Option<Kind>,
        four_bits: bool,
        device: Device,
    ) -> Result<Self> {
        let mut parts = Parts::of(config, source, kind)?;
        parts.four_bits = four_bits;
        Ok(Self {
            embeddings: parts.embeddings()?,
            layers: (0..config.layers)
                .map(|number| parts.layer(number))
                .collect::<Result<_>>()?,
            norm: parts.norm("norm", config.hidden)?,
            head: parts.head()?,
            rotary: Rotary::new(&config.rope, config.head, device)?,
            config: config.clone(),
            device,
        })
    }

    /// All its weights by their names in a folder, to be looked at or replaced.
    pub fn weights_mut(&mut self) -> Vec<(String, &mut Tensor)> {
        let mut all = vec![("model.embed_tokens.weight".to_owned(), &mut self.embeddings)];
        for (number, layer) in self.layers.iter_mut().enumerate() {
            all.extend(layer.weights_mut(number));
        }
        all.push(("model.norm.weight".to_owned(), &mut self.norm.weight));
        all.extend(
            self.head
                .as_mut()
                .map(|head| ("lm_head.weight".to_owned(), head)),
        );
        all
    }

    /// The vectors of new tokens `[tokens, hidden]`, and what turns them at their places.
    fn placed(&self, ids: &[u32], positions: &[i64]) -> Result<(Tensor, (Tensor, Tensor))> {
        let last = positions.iter().max().map_or(0, |last| last + 1);
        self.config.check_length(last)?;
        let ids: Vec<i64> = ids.iter().map(|&id| i64::from(id)).collect();
        let x = self.embed(&Tensor::f_from_slice(&ids)?.f_to_device(self.device)?)?;
        let positions = Tensor::f_from_slice(positions)?.f_to_device(self.device)?;
        let tables = self.rotary.tables(&positions, x.f_kind()?)?;
        Ok((x, tables))
    }

    /// Passes `x` `[tokens, hidden]` through all layers. `attend` gets the number of a layer, the layer itself and its
    /// queries, keys and values, and returns the output of attention.
    fn through(
        &self,
        mut x: Tensor,
        tables: &(Tensor, Tensor),
        pass: Pass,
        mut attend: impl FnMut(usize, &Layer, [&Tensor; 3]) -> Result<Tensor>,
    ) -> Result<Tensor> {
        for (number, layer) in self.layers.iter().enumerate() {
            x = layer.forward(&self.config, &x, tables, pass, |query, key, value| {
                attend(number, layer, [query, key, value])
            })?;
        }
        Ok(x)
    }

    fn embed(&self, ids: &Tensor) -> Result<Tensor> {
        Ok(Tensor::f_embedding(
            &self.embeddings,
            ids,
            -1,
            false,
            false,
        )?)
    }
}

/// Values that all layers with the same window share, by the window.
type OfWindows<T> = Vec<(Option<i64>, T)>;

/// The value for a window. It is made if no earlier layer had this window.
fn of_window<T>(
    known: &mut OfWindows<T>,
    window: Option<i64>,
    make: impl FnOnce() -> Result<T>,
) -> Result<&T> {
    let place = match known.iter().position(|(of, _)| *of == window) {
        Some(place) => place,
        None => {
            known.push((window, make()?));
            known.len() - 1
        }
    };
    Ok(&known[place].1)
}

impl Decoder for Transformer {
    fn config(&self) -> &DecoderConfig {
        &self.config
    }

    fn device(&self) -> Device {
        self.device
    }

    fn linears(&mut self) -> Vec<&mut Linear> {
        self.layers.iter_mut().flat_map(Layer::linears).collect()
    }

    fn linears_ref(&self) -> Vec<&Linear> {
        self.layers.iter().flat_map(Layer::linears_ref).collect()
    }

    fn own_weights(&mut self) -> Result<()> {
        for (_, tensor) in self.weights_mut() {
            let mut own = tensor.f_empty_like()?;
            own.f_copy_(tensor)?;
            *tensor = own;
        }
        Ok(())
    }

    fn stack(&self, packed: &Packed, attention: Attention, pass: Pass) -> Result<Stack<'_>> {
        self.config.check_length(packed.longest())?;
        let mut plans: OfWindows<Rc<Plan>> = Vec::new();
        let input = self.embed(&packed.ids)?; // [tokens, hidden]
        let tables = Rc::new(self.rotary.tables(&packed.positions, input.f_kind()?)?);
        let mut layers: Vec<Step<'_>> = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            let plan = Rc::clone(of_window(&mut plans, layer.window, || {
                Ok(Rc::new(Plan::of(
                    packed,
                    attention,
                    layer.window,
                    self.device,
                )?))
            })?);
            let tables = Rc::clone(&tables);
            layers.push(Box::new(move |x| {
                layer.forward(&self.config, x, &tables, pass, |q, k, v| {
                    plan.attend(q, k, v)
                })
            }));
        }
        let trained = |layer: &Layer| {
            layer
                .linears_ref()
                .iter()
                .any(|linear| linear.low_rank().is_some())
        };
        let first_trained = self
            .layers
            .iter()
            .position(trained)
            .unwrap_or(self.layers.len());
        Ok(Stack {
            input,
            layers,
            last: Box::new(|x| self.norm.forward(x)),
            first_trained,
        })
    }

    fn follow(&self, ids: &[u32], cache: &mut Cache) -> Result<Tensor> {
        let (past, new) = (cache.length(), ids.len() as i64);
        if new == 0 {
            return Err(Error::told(
                Code::InvalidRequest,
                "There is no token to read.",
                "Give a text.",
            ));
        }
        let positions: Vec<i64> = (past..past + new).collect();
        let (x, tables) = self.placed(ids, &positions)?;
        let x = self.through(
            x,
            &tables,
            Pass::Infer,
            |number, layer, [query, key, value]| {
                let (keys, values) = cache.extend(number, key, value)?;
                attend_after(query, &keys, &values, layer.window)
            },
        )?;
        cache.advance(new);
        self.norm.forward(&x)
    }

    fn read_into(&self, packed: &Packed, caches: &mut Caches) -> Result<Tensor> {
        self.config.check_length(packed.longest())?;
        let x = self.embed(&packed.ids)?; // [tokens, hidden]
        let tables = self.rotary.tables(&packed.positions, x.f_kind()?)?;
        let x = self.through(x, &tables, Pass::Infer, |_, layer, [query, key, value]| {
            let plan = Plan::of(packed, Attention::Causal, layer.window, self.device)?;
            caches.fill(packed, key, value)?;
            plan.attend(query, key, value)
        })?;
        self.norm.forward(&x)
    }

    fn follow_each(&self, ids: &[u32], caches: &mut Caches) -> Result<Tensor> {
        let (x, tables) = self.placed(ids, &caches.positions())?; // [texts, hidden]
        let mut masks: OfWindows<Option<Tensor>> = Vec::new();
        let x = self.through(
            x,
            &tables,
            Pass::Infer,
            |number, layer, [query, key, value]| {
                let mask = of_window(&mut masks, layer.window, || {
                    caches.mask(layer.window, self.device)
                })?;
                let (keys, values) = caches.extend(number, key, value)?;
                attend_each(query, &keys, &values, mask.as_ref())
            },
        )?;
        caches.advance();
        self.norm.forward(&x)
    }

    fn read_each(&self, packed: &Packed, caches: &mut [&mut Cache]) -> Result<Tensor> {
        self.config.check_length(packed.longest())?;
        let x = self.embed(&packed.ids)?; // [tokens, hidden]
        let tables = self.rotary.tables(&packed.positions, x.f_kind()?)?;
        let mut plans: OfWindows<Plan> = Vec::new();
        let texts: Vec<(i64, i64)> = packed.texts().collect();
        if texts.len() != caches.len() || caches.iter().any(|cache| cache.length() != 0) {
            return Err(Error::Shim("each text needs an empty cache".into()));
        }
        let x = self.through(
            x,
            &tables,
            Pass::Infer,
            |number, layer, [query, key, value]| {
                let plan = of_window(&mut plans, layer.window, || {
                    Plan::of(packed, Attention::Causal, layer.window, self.device)
                })?;
                for (&(start, length), cache) in texts.iter().zip(caches.iter_mut()) {
                    let own = |x: &Tensor| x.f_narrow(0, start, length);
                    let _ = cache.extend(number, &own(key)?, &own(value)?)?;
                }
                plan.attend(query, key, value)
            },
        )?;
        for ((_, length), cache) in texts.into_iter().zip(caches) {
            cache.advance(length);
        }
        self.norm.forward(&x)
    }

    fn step_each(&self, ids: &[u32], caches: &mut [&mut Cache]) -> Result<Tensor> {
        let positions: Vec<i64> = caches.iter().map(|cache| cache.length()).collect();
        if positions.is_empty() || positions.len() != ids.len() {
            return Err(Error::Shim("each token needs a cache".into()));
        }
        let (x, tables) = self.placed(ids, &positions)?; // [texts, hidden]
        for cache in caches.iter_mut() {
            cache.reserve(1)?;
        }
        let x = self.through(
            x,
            &tables,
            Pass::Step,
            |number, layer, [query, key, value]| {
                attend_own(query, key, value, number, caches, layer.window)
            },
        )?;
        for cache in caches {
            cache.advance(1);
        }
        self.norm.forward(&x)
    }

    fn step_logits(&self, hidden: &Tensor) -> Result<Tensor> {
        rows_linear(hidden, self.head.as_ref().unwrap_or(&self.embeddings), None)
    }

    fn logits(&self, hidden: &Tensor) -> Result<Tensor> {
        Ok(hidden.f_linear(
            self.head.as_ref().unwrap_or(&self.embeddings),
            None::<Tensor>,
        )?)
    }

    fn before_logits(&self, gradient: &Tensor) -> Result<Tensor> {
        let head = self.head.as_ref().unwrap_or(&self.embeddings);
        Ok(gradient.f_to_kind(head.f_kind()?)?.f_matmul(head)?)
    }
}
