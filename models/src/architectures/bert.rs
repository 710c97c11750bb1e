//! BERT (Devlin et al. 2018) as an encoder: `BertModel` folders of Hugging Face. Related models compute the same, but
//! have other names of tensors and other positions ([`crate::architectures::roberta`],
//! [`crate::architectures::distilbert`], [`crate::architectures::mpnet`]).

use crate::Result;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::activation::Activation;
use crate::architectures::attention::{Groups, attend_within};
use crate::architectures::layers::{Architecture, first_trained};
use crate::architectures::norms::LayerNorm;
use crate::architectures::packing::Packed;
use crate::architectures::parts::Parts;
use crate::architectures::recompute::{Stack, Step};
use crate::architectures::relative::{SharedBias, for_layer};
use crate::architectures::sizes::{Sizes, damaged, uneven_heads, unsupported};
use crate::weights::Source;
use serde::Deserialize;
use std::rc::Rc;
use tch::Tensor;

/// The part of `config.json` that decides what is computed.
#[derive(Clone, Debug, Deserialize)]
pub struct BertConfig {
    vocab_size: i64,
    hidden_size: i64,
    num_hidden_layers: usize,
    num_attention_heads: i64,
    intermediate_size: i64,
    max_position_embeddings: i64,
    #[serde(default = "two")]
    type_vocab_size: i64,
    #[serde(default = "usual_epsilon")]
    layer_norm_eps: f64,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default)]
    position_embedding_type: Option<String>,
    #[serde(default)]
    is_decoder: bool,
    #[serde(default)]
    add_cross_attention: bool,
    /// The settings that the family adds; they are not in the file.
    #[serde(skip)]
    pub(crate) family: Family,
}

/// The differences between BERT and its descendants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    /// `model_type`.
    pub(crate) name: &'static str,
    /// The text before the names of the weights in a folder of a model with a head.
    pub(crate) prefix: &'static str,
    /// Row of the first token in the table of positions.
    pub(crate) first_position: i64,
    /// How the parts of a layer are called.
    pub(crate) names: &'static Names,
    /// The table of biases by distance, where there is one: its name, buckets and farthest distance.
    pub(crate) biases: Option<(&'static str, i64, i64)>,
}

/// How the parts of a layer are called.
#[derive(Debug)]
pub(crate) struct Names {
    /// The part of a weight's name before the number of its layer.
    pub(crate) layers: &'static str,
    pub(crate) query: &'static str,
    pub(crate) key: &'static str,
    pub(crate) value: &'static str,
    pub(crate) attention_output: &'static str,
    pub(crate) attention_norm: &'static str,
    pub(crate) intermediate: &'static str,
    pub(crate) output: &'static str,
    pub(crate) output_norm: &'static str,
}

/// BERT's own names.
const NAMES: Names = Names {
    layers: "encoder.layer.",
    query: "attention.self.query",
    key: "attention.self.key",
    value: "attention.self.value",
    attention_output: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    intermediate: "intermediate.dense",
    output: "output.dense",
    output_norm: "output.LayerNorm",
};

impl Default for Family {
    fn default() -> Self {
        Self {
            name: "bert",
            prefix: "bert.",
            first_position: 0,
            names: &NAMES,
            biases: None,
        }
    }
}

fn two() -> i64 {
    2
}

fn usual_epsilon() -> f64 {
    1e-12
}

fn gelu() -> String {
    "gelu".into()
}

impl BertConfig {
    /// Reads and checks a configuration.
    ///
    /// # Errors
    /// [`ModelMissing`](lexforge_domain::Code::ModelMissing) if a number is missing or impossible,
    /// [`ModelUnsupported`](lexforge_domain::Code::ModelUnsupported) if a feature is not supported.
    pub(crate) fn of_value(value: serde_json::Value) -> Result<Self> {
        let config: Self =
            serde_json::from_value(value).map_err(|e| damaged(&format!("is incomplete: {e}")))?;
        let sizes = [
            config.vocab_size,
            config.hidden_size,
            config.num_attention_heads,
            config.intermediate_size,
            config.max_position_embeddings,
        ];
        if sizes.iter().any(|&n| n < 1) || config.type_vocab_size < 0 {
            return Err(damaged("has impossible sizes"));
        }
        if config.hidden_size % config.num_attention_heads != 0 {
            return Err(uneven_heads(config.hidden_size, config.num_attention_heads));
        }
        if config.is_decoder || config.add_cross_attention {
            return Err(unsupported(
                "BERT as a decoder (is_decoder or add_cross_attention)",
            ));
        }
        match config.position_embedding_type.as_deref() {
            None | Some("absolute") => {}
            Some(other) => return Err(unsupported(&format!("position_embedding_type {other:?}"))),
        }
        Activation::of_name("hidden_act", &config.hidden_act)?;
        Ok(config)
    }

    /// The architecture's name.
    pub fn name(&self) -> &'static str {
        self.family.name
    }

    /// The part of a weight's name before the number of its layer.
    pub(crate) fn layers_at(&self) -> &'static str {
        self.family.names.layers
    }

    /// How many token types it has. With one or none, the types cannot show which text of a pair a token belongs to.
    pub fn token_types(&self) -> i64 {
        self.type_vocab_size
    }

    /// The model's sizes.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            layers: self.num_hidden_layers,
            hidden: self.hidden_size as usize,
            intermediate: self.intermediate_size as usize,
            vocabulary: self.vocab_size as usize,
            positions: (self.max_position_embeddings - self.family.first_position).max(0) as usize,
        }
    }
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attention_output: Linear,
    attention_norm: LayerNorm,
    intermediate: Linear,
    output: Linear,
    output_norm: LayerNorm,
}

impl Layer {
    fn linears_ref(&self) -> [&Linear; 6] {
        [
            &self.query,
            &self.key,
            &self.value,
            &self.attention_output,
            &self.intermediate,
            &self.output,
        ]
    }
}

/// The tables of positions and token types, as the folder holds them.
struct Tables {
    positions: Tensor,
    /// Row of the first token.
    first: i64,
    types: Option<Tensor>,
}

/// The tables that are added to the words' embeddings.
struct Added {
    /// Position embeddings from the first token on. The embedding of token type 0 is already added, because every text
    /// is of that type.
    positions: Tensor,
    /// Embeddings of the token types less that of type 0, where there are types.
    types: Option<Tensor>,
}

impl Tables {
    fn added(&self) -> Result<Added> {
        let positions = self.positions.f_slice(0, self.first, None, 1)?;
        Ok(match &self.types {
            None => Added {
                positions,
                types: None,
            },
            Some(types) => Added {
                positions: positions.f_add(&types.f_select(0, 0)?)?,
                types: Some(types.f_sub(&types.f_narrow(0, 0, 1)?)?),
            },
        })
    }
}

/// A loaded BERT.
pub struct Bert {
    words: Tensor,
    tables: Tables,
    /// The vectors that are added to the words' embeddings. `None` if their tables are trained; the vectors are then
    /// computed again for each batch.
    added: Option<Added>,
    embedding_norm: LayerNorm,
    layers: Vec<Layer>,
    biases: Option<SharedBias>,
    heads: i64,
    activation: Activation,
}

impl Bert {
    /// Loads the weights of a folder; names with and without the prefix `bert.` (`roberta.`) are understood.
    ///
    /// # Errors
    /// If weights are missing, damaged or of other shapes than the configuration asks for.
    pub fn load(config: &BertConfig, source: &dyn Source) -> Result<Self> {
        let family = config.family;
        let words = "embeddings.word_embeddings.weight";
        let parts = Parts::of(source, family.prefix, words);
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let norm = |path: &str| parts.norm(path, hidden, config.layer_norm_eps, true);
        let table = |name: &str, rows: i64| parts.tensor(name, &[rows, hidden]);
        let types = (config.type_vocab_size > 0).then(|| {
            table(
                "embeddings.token_type_embeddings.weight",
                config.type_vocab_size,
            )
        });
        let tables = Tables {
            positions: table(
                "embeddings.position_embeddings.weight",
                config.max_position_embeddings,
            )?,
            // Position 0 of this program is the family's first position.
            first: family.first_position,
            types: types.transpose()?,
        };
        let frozen = !tables.positions.requires_grad();
        let names = family.names;
        let mut layers = Vec::with_capacity(config.num_hidden_layers);
        for number in 0..config.num_hidden_layers {
            let at = |name: &str| format!("{}{number}.{name}", names.layers);
            let linear = |name, outputs, inputs| parts.linear(at(name), outputs, inputs, true);
            layers.push(Layer {
                query: linear(names.query, hidden, hidden)?,
                key: linear(names.key, hidden, hidden)?,
                value: linear(names.value, hidden, hidden)?,
                attention_output: linear(names.attention_output, hidden, hidden)?,
                attention_norm: norm(&at(names.attention_norm))?,
                intermediate: linear(names.intermediate, inner, hidden)?,
                output: linear(names.output, hidden, inner)?,
                output_norm: norm(&at(names.output_norm))?,
            });
        }
        let biases = family.biases.map(|(name, buckets, farthest)| -> Result<_> {
            Ok(SharedBias {
                table: parts.tensor(name, &[buckets, config.num_attention_heads])?,
                buckets,
                farthest,
            })
        });
        Ok(Self {
            words: parts.tensor(words, &[config.vocab_size, hidden])?,
            added: frozen.then(|| tables.added()).transpose()?,
            tables,
            embedding_norm: norm("embeddings.LayerNorm")?,
            layers,
            biases: biases.transpose()?,
            heads: config.num_attention_heads,
            activation: Activation::of_name("hidden_act", &config.hidden_act)?,
        })
    }

    /// `x` `[tokens, hidden]` through a layer.
    fn layer(&self, layer: &Layer, x: &Tensor, groups: &Groups, pass: Pass) -> Result<Tensor> {
        let query = layer.query.forward(x, pass)?;
        let key = layer.key.forward(x, pass)?;
        let value = layer.value.forward(x, pass)?;
        let mixed = attend_within(&query, &key, &value, self.heads, groups)?;
        let attended = layer.attention_output.forward(&mixed, pass)?;
        let x = layer.attention_norm.forward(&attended.f_add(x)?)?;
        let inner = self
            .activation
            .apply(&layer.intermediate.forward(&x, pass)?)?; // [tokens, intermediate]
        layer
            .output_norm
            .forward(&layer.output.forward(&inner, pass)?.f_add(&x)?)
    }
}

impl Architecture for Bert {
    fn linears(&mut self) -> Vec<&mut Linear> {
        self.layers
            .iter_mut()
            .flat_map(|l| {
                [
                    &mut l.query,
                    &mut l.key,
                    &mut l.value,
                    &mut l.attention_output,
                    &mut l.intermediate,
                    &mut l.output,
                ]
            })
            .collect()
    }

    fn linears_ref(&self) -> Vec<&Linear> {
        self.layers.iter().flat_map(Layer::linears_ref).collect()
    }

    fn words(&self) -> Option<&Tensor> {
        Some(&self.words)
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        packed.without_branches()?;
        let words = Tensor::f_embedding(&self.words, &packed.ids, -1, false, false)?;
        let anew;
        let Added { positions, types } = match &self.added {
            Some(added) => added,
            None => {
                anew = self.tables.added()?;
                &anew
            }
        };
        let positions = Tensor::f_embedding(positions, &packed.positions, -1, false, false)?;
        let mut x = words.f_add(&positions)?;
        if let (Some(kinds), Some(types)) = (&packed.types, types) {
            x = x.f_add(&Tensor::f_embedding(types, kinds, -1, false, false)?)?;
        }
        let biases = self.biases.as_ref();
        let groups = Rc::new(Groups {
            groups: packed.groups.clone(),
            biases: biases
                .map(|biases| biases.of_groups(&packed.groups))
                .transpose()?,
            scale: None,
        });
        let layers = self.layers.iter().map(|layer| -> Step<'_> {
            let groups = Rc::clone(&groups);
            Box::new(move |x| {
                let groups = for_layer(self.biases.as_ref(), &groups)?;
                self.layer(layer, x, &groups, pass)
            })
        });
        Ok(Stack {
            input: self.embedding_norm.forward(&x)?, // [tokens, hidden]
            layers: layers.collect(),
            last: Box::new(|x| Ok(x.shallow_clone())),
            first_trained: first_trained(self.layers.iter().map(Layer::linears_ref)),
        })
    }
}

#[cfg(test)]
mod tests;
