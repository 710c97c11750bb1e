//! DeBERTa, versions 2 and 3 (He et al. 2021): attention to content and attention to distance are separate.
//!
//! A score is the sum of up to three products: query and key; query and the key of the distance; key and the query of
//! the distance. A model's folder says which of them it uses.

mod config;
mod convolution;
mod distances;

use crate::Result;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::activation::Activation;
use crate::architectures::layers::{Architecture, first_trained};
use crate::architectures::norms::LayerNorm;
use crate::architectures::packing::{Group, Packed};
use crate::architectures::parts::Parts;
use crate::architectures::recompute::{Stack, Step};
use crate::weights::Source;
use convolution::Convolution;
use distances::{Distances, Placed};
use std::rc::Rc;
use tch::{Device, Kind, Tensor};

pub use config::DebertaConfig;

/// The part of a weight's name before the number of its layer.
pub(crate) const LAYERS: &str = "encoder.layer.";

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    /// Keys of distances, where they are not made by `key`.
    distance_key: Option<Linear>,
    /// Queries of distances, where they are not made by `query`.
    distance_query: Option<Linear>,
    attention_output: Linear,
    attention_norm: LayerNorm,
    intermediate: Linear,
    output: Linear,
    output_norm: LayerNorm,
}

impl Layer {
    fn linears_ref(&self) -> Vec<&Linear> {
        let mut all = vec![&self.query, &self.key, &self.value];
        all.extend(&self.distance_key);
        all.extend(&self.distance_query);
        all.extend([&self.attention_output, &self.intermediate, &self.output]);
        all
    }

    fn linears(&mut self) -> Vec<&mut Linear> {
        let mut all = vec![&mut self.query, &mut self.key, &mut self.value];
        all.extend(&mut self.distance_key);
        all.extend(&mut self.distance_query);
        all.extend([
            &mut self.attention_output,
            &mut self.intermediate,
            &mut self.output,
        ]);
        all
    }
}

/// A loaded DeBERTa.
pub struct Deberta {
    words: Tensor,
    positions: Option<Tensor>,
    /// Embeddings of the token types.
    types: Option<Tensor>,
    projection: Option<Tensor>,
    embedding_norm: LayerNorm,
    distances: Option<Distances>,
    convolution: Option<Convolution>,
    layers: Vec<Layer>,
    heads: i64,
    /// The number by which scores are divided.
    scale: f64,
    activation: Activation,
    device: Device,
}

impl Deberta {
    /// Loads the weights of a folder; names with and without the prefix `deberta.` are understood.
    ///
    /// # Errors
    /// If weights are missing, damaged or of other shapes than the configuration asks for.
    pub fn load(config: &DebertaConfig, source: &dyn Source, device: Device) -> Result<Self> {
        let words = "embeddings.word_embeddings.weight";
        let parts = Parts::of(source, "deberta.", words);
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let embedded = config.embedded();
        let norm = |path: &str| parts.norm(path, hidden, config.layer_norm_eps, true);
        let own_distances = config.relative_attention && !config.share_att_key;
        let layer = |number: usize| -> Result<Layer> {
            let linear = |name: &str, outputs, inputs| {
                parts.linear(format!("{LAYERS}{number}.{name}"), outputs, inputs, true)
            };
            let norm = |name: &str| norm(&format!("{LAYERS}{number}.{name}"));
            let of_distances = |asked: bool, name: &str| {
                (own_distances && asked)
                    .then(|| linear(name, hidden, hidden))
                    .transpose()
            };
            Ok(Layer {
                query: linear("attention.self.query_proj", hidden, hidden)?,
                key: linear("attention.self.key_proj", hidden, hidden)?,
                value: linear("attention.self.value_proj", hidden, hidden)?,
                distance_key: of_distances(config.terms.by_query, "attention.self.pos_key_proj")?,
                distance_query: of_distances(config.terms.by_key, "attention.self.pos_query_proj")?,
                attention_output: linear("attention.output.dense", hidden, hidden)?,
                attention_norm: norm("attention.output.LayerNorm")?,
                intermediate: linear("intermediate.dense", inner, hidden)?,
                output: linear("output.dense", hidden, inner)?,
                output_norm: norm("output.LayerNorm")?,
            })
        };
        let table = |asked: bool, name: &str, shape: [i64; 2]| {
            asked.then(|| parts.tensor(name, &shape)).transpose()
        };
        let positions = table(
            config.position_biased_input,
            "embeddings.position_embeddings.weight",
            [config.max_position_embeddings, embedded],
        )?;
        let types = table(
            config.type_vocab_size > 0,
            "embeddings.token_type_embeddings.weight",
            [config.type_vocab_size, embedded],
        )?;
        Ok(Self {
            words: parts.tensor(words, &[config.vocab_size, embedded])?,
            positions,
            types,
            projection: table(
                embedded != hidden,
                "embeddings.embed_proj.weight",
                [hidden, embedded],
            )?,
            embedding_norm: norm("embeddings.LayerNorm")?,
            distances: Distances::load(config, &parts)?,
            convolution: Convolution::load(config, &parts)?,
            layers: (0..config.num_hidden_layers)
                .map(layer)
                .collect::<Result<_>>()?,
            heads: config.num_attention_heads,
            scale: ((config.head() * config.terms.count()) as f64).sqrt(),
            activation: Activation::of_name("hidden_act", &config.hidden_act)?,
            device,
        })
    }

    /// Words to what the first layer reads: `[tokens, hidden]`.
    fn embed(&self, packed: &Packed) -> Result<Tensor> {
        let row = |table: &Tensor, rows: &Tensor| -> Result<Tensor> {
            Ok(Tensor::f_embedding(table, rows, -1, false, false)?)
        };
        let mut x = row(&self.words, &packed.ids)?;
        if let Some(positions) = &self.positions {
            x = x.f_add(&row(positions, &packed.positions)?)?;
        }
        if let Some(types) = &self.types {
            // Every text is of type 0, unless its tokens say otherwise.
            let first = types.f_narrow(0, 0, 1)?;
            x = x.f_add(&first)?;
            if let Some(kinds) = &packed.types {
                x = x.f_add(&row(&types.f_sub(&first)?, kinds)?)?;
            }
        }
        if let Some(projection) = &self.projection {
            x = x.f_linear(projection, None::<Tensor>)?;
        }
        self.embedding_norm.forward(&x)
    }

    /// `x` `[tokens, hidden]` through a layer.
    fn layer(&self, layer: &Layer, x: &Tensor, groups: &[Placed], pass: Pass) -> Result<Tensor> {
        let mixed = self.attend(layer, x, groups, pass)?;
        let attended = layer.attention_output.forward(&mixed, pass)?;
        let x = layer.attention_norm.forward(&attended.f_add(x)?)?;
        let inner = self
            .activation
            .apply(&layer.intermediate.forward(&x, pass)?)?;
        layer
            .output_norm
            .forward(&layer.output.forward(&inner, pass)?.f_add(&x)?)
    }

    /// Mixed values of all tokens, `[tokens, heads × head size]`.
    fn attend(&self, layer: &Layer, x: &Tensor, groups: &[Placed], pass: Pass) -> Result<Tensor> {
        let [query, key, value] = [&layer.query, &layer.key, &layer.value];
        let [query, key, value] = [
            query.forward(x, pass)?,
            key.forward(x, pass)?,
            value.forward(x, pass)?,
        ];
        let width = query.size()[1];
        // [heads, head size, distances]
        let of_distances = |linear: &Linear, table: &Distances| -> Result<Tensor> {
            let made = linear.forward(&table.vectors()?, pass)?;
            Ok(made
                .f_view([-1, self.heads, width / self.heads])?
                .f_permute([1, 2, 0])?)
        };
        let (mut far_keys, mut far_queries) = (None, None);
        if let Some(table) = &self.distances {
            if table.terms.by_query {
                let linear = layer.distance_key.as_ref().unwrap_or(&layer.key);
                far_keys = Some(of_distances(linear, table)?);
            }
            if table.terms.by_key {
                let linear = layer.distance_query.as_ref().unwrap_or(&layer.query);
                far_queries = Some(of_distances(linear, table)?);
            }
        }
        let mut parts = Vec::with_capacity(groups.len());
        for placed in groups {
            let Group {
                start,
                count,
                length,
            } = placed.group;
            // [texts, heads, tokens, head size]
            let split = |x: &Tensor| -> Result<Tensor> {
                Ok(x.f_narrow(0, start, count * length)?
                    .f_view([count, length, self.heads, width / self.heads])?
                    .f_transpose(1, 2)?)
            };
            let (query, key) = (split(&query)?, split(&key)?);
            // The score of each token with the vector of each distance that another token of its text has from it.
            let (first, rows) = placed.part;
            let with_distances = |x: &Tensor, far: &Tensor, index: &Tensor| -> Result<Tensor> {
                let index = index.f_expand([count, self.heads, length, length], false)?;
                Ok(x.f_matmul(&far.f_narrow(2, first, rows)?)?
                    .f_gather(-1, &index, false)?)
            };
            let mut scores = query.f_matmul(&key.f_transpose(-1, -2)?)?; // [texts, heads, tokens, tokens]
            if let Some(far) = &far_keys {
                scores = scores.f_add(&with_distances(&query, far, &placed.by_query)?)?;
            }
            if let Some(far) = &far_queries {
                let by_key = with_distances(&key, far, &placed.by_key)?;
                scores = scores.f_add(&by_key.f_transpose(-1, -2)?)?;
            }
            let shares = scores
                .f_div_scalar(self.scale)?
                .f_softmax(-1, Kind::Float)?;
            let mixed = shares.f_matmul(&split(&value)?)?;
            parts.push(
                mixed
                    .f_transpose(1, 2)?
                    .f_reshape([count * length, width])?,
            );
        }
        match parts.as_slice() {
            [only] => Ok(only.shallow_clone()),
            _ => Ok(Tensor::f_cat(&parts, 0)?),
        }
    }
}

impl Architecture for Deberta {
    fn linears(&mut self) -> Vec<&mut Linear> {
        self.layers.iter_mut().flat_map(Layer::linears).collect()
    }

    fn linears_ref(&self) -> Vec<&Linear> {
        self.layers.iter().flat_map(Layer::linears_ref).collect()
    }

    fn words(&self) -> Option<&Tensor> {
        Some(&self.words)
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        packed.without_branches()?;
        let place = |&group: &Group| match &self.distances {
            Some(table) => table.placed(group, self.device),
            None => Ok(Placed::without(group)),
        };
        let groups: Rc<[Placed]> = packed.groups.iter().map(place).collect::<Result<_>>()?;
        let layers = self
            .layers
            .iter()
            .enumerate()
            .map(|(number, layer)| -> Step<'_> {
                let groups = Rc::clone(&groups);
                let convolution = self.convolution.as_ref().filter(|_| number == 0);
                Box::new(move |x| {
                    let vectors = self.layer(layer, x, &groups, pass)?;
                    match convolution {
                        Some(convolution) => convolution.forward(x, &vectors, &groups),
                        None => Ok(vectors),
                    }
                })
            });
        Ok(Stack {
            input: self.embed(packed)?,
            layers: layers.collect(),
            last: Box::new(|x| Ok(x.shallow_clone())),
            first_trained: first_trained(self.layers.iter().map(Layer::linears_ref)),
        })
    }
}
