//! BERT (Devlin et al. 2018) as an encoder: `BertModel` folders of Hugging Face. RoBERTa computes the
//! same from other names and positions ([`crate::roberta`]).

use crate::layers::Architecture;
use crate::lora::{Linear, Pass};
use crate::packing::{Group, Packed};
use crate::recompute::{Stack, Step};
use crate::sizes::{Sizes, unsupported};
use crate::weights::Weights;
use crate::{Error, Result};
use lexforge_domain::Code;
use serde::Deserialize;
use std::path::Path;
use std::rc::Rc;
use tch::{Device, Tensor};

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
    /// What the family adds; not a field of the file.
    #[serde(skip)]
    pub(crate) family: Family,
}

/// What tells BERT and its heirs apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    /// `model_type`.
    pub(crate) name: &'static str,
    /// What stands before the names of the weights in a folder of a model with a head.
    pub(crate) prefix: &'static str,
    /// Row of the first token in the table of positions.
    pub(crate) first_position: i64,
}

impl Default for Family {
    fn default() -> Self {
        Self {
            name: "bert",
            prefix: "bert.",
            first_position: 0,
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
    /// [`Code::ModelMissing`] where a number is missing or impossible, [`Code::ModelUnsupported`] where
    /// a feature is not supported.
    pub fn of_value(value: serde_json::Value) -> Result<Self> {
        let damaged = |why: String| {
            Error::told(
                Code::ModelMissing,
                format!("The model's configuration {why}."),
                "Copy the model's folder again.",
            )
        };
        let config: Self =
            serde_json::from_value(value).map_err(|e| damaged(format!("is incomplete: {e}")))?;
        let sizes = [
            config.vocab_size,
            config.hidden_size,
            config.num_attention_heads,
            config.intermediate_size,
            config.max_position_embeddings,
            config.type_vocab_size,
        ];
        if sizes.iter().any(|&n| n < 1) || config.hidden_size % config.num_attention_heads != 0 {
            return Err(damaged("has impossible sizes".into()));
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
        Activation::of_name(&config.hidden_act)?;
        Ok(config)
    }

    /// The architecture's name.
    pub fn name(&self) -> &'static str {
        self.family.name
    }

    /// How many token types it has.
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

#[derive(Clone, Copy)]
enum Activation {
    Gelu,
    GeluTanh,
    Relu,
}

impl Activation {
    fn of_name(name: &str) -> Result<Self> {
        match name {
            "gelu" => Ok(Self::Gelu),
            "gelu_new" | "gelu_pytorch_tanh" => Ok(Self::GeluTanh),
            "relu" => Ok(Self::Relu),
            other => Err(unsupported(&format!("hidden_act {other:?}"))),
        }
    }

    fn apply(self, x: &Tensor) -> Result<Tensor> {
        Ok(match self {
            Self::Gelu => x.f_gelu("none")?,
            Self::GeluTanh => x.f_gelu("tanh")?,
            Self::Relu => x.f_relu()?,
        })
    }
}

struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f64,
}

impl LayerNorm {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.f_layer_norm(
            self.weight.size(),
            Some(&self.weight),
            Some(&self.bias),
            self.epsilon,
            false,
        )?)
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

/// A loaded BERT.
pub struct Bert {
    words: Tensor,
    /// Position embeddings with the embedding of token type 0 added, since every text is of that type.
    positions: Tensor,
    /// Embeddings of the token types less that of type 0.
    types: Tensor,
    embedding_norm: LayerNorm,
    layers: Vec<Layer>,
    heads: i64,
    activation: Activation,
}

impl Bert {
    /// Loads the weights of a folder; names with and without the prefix `bert.` (`roberta.`) are understood.
    ///
    /// # Errors
    /// Where weights are missing, damaged or of other shapes than the configuration asks for.
    pub fn load(config: &BertConfig, folder: &Path, device: Device) -> Result<Self> {
        let weights = Weights::open(folder, device)?;
        let family = config.family;
        let headed = weights.has(&format!(
            "{}embeddings.word_embeddings.weight",
            family.prefix
        ));
        let prefix = if headed { family.prefix } else { "" };
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let tensor = |name: &str, shape: &[i64]| weights.tensor(&format!("{prefix}{name}"), shape);
        let linear = |path: String, outputs: i64, inputs: i64| -> Result<Linear> {
            let weight = tensor(&format!("{path}.weight"), &[outputs, inputs])?;
            let bias = tensor(&format!("{path}.bias"), &[outputs])?;
            Ok(Linear::new(path, weight, Some(bias)))
        };
        let norm = |path: &str| -> Result<LayerNorm> {
            // Checkpoints from TensorFlow call the two gamma and beta.
            let old = weights.has(&format!("{prefix}{path}.gamma"));
            let (scale, shift) = if old {
                ("gamma", "beta")
            } else {
                ("weight", "bias")
            };
            Ok(LayerNorm {
                weight: tensor(&format!("{path}.{scale}"), &[hidden])?,
                bias: tensor(&format!("{path}.{shift}"), &[hidden])?,
                epsilon: config.layer_norm_eps,
            })
        };
        let types = tensor(
            "embeddings.token_type_embeddings.weight",
            &[config.type_vocab_size, hidden],
        )?;
        let positions = tensor(
            "embeddings.position_embeddings.weight",
            &[config.max_position_embeddings, hidden],
        )?;
        // Position 0 of ours is the family's first.
        let positions = positions.f_slice(0, family.first_position, None, 1)?;
        let first_type = types.f_narrow(0, 0, 1)?;
        let mut layers = Vec::with_capacity(config.num_hidden_layers);
        for number in 0..config.num_hidden_layers {
            let at = |name: &str| format!("encoder.layer.{number}.{name}");
            layers.push(Layer {
                query: linear(at("attention.self.query"), hidden, hidden)?,
                key: linear(at("attention.self.key"), hidden, hidden)?,
                value: linear(at("attention.self.value"), hidden, hidden)?,
                attention_output: linear(at("attention.output.dense"), hidden, hidden)?,
                attention_norm: norm(&at("attention.output.LayerNorm"))?,
                intermediate: linear(at("intermediate.dense"), inner, hidden)?,
                output: linear(at("output.dense"), hidden, inner)?,
                output_norm: norm(&at("output.LayerNorm"))?,
            });
        }
        Ok(Self {
            words: tensor(
                "embeddings.word_embeddings.weight",
                &[config.vocab_size, hidden],
            )?,
            positions: positions.f_add(&types.f_select(0, 0)?)?,
            types: types.f_sub(&first_type)?,
            embedding_norm: norm("embeddings.LayerNorm")?,
            layers,
            heads: config.num_attention_heads,
            activation: Activation::of_name(&config.hidden_act)?,
        })
    }

    /// `x` `[tokens, hidden]` through a layer.
    fn layer(&self, layer: &Layer, x: &Tensor, groups: &[Group], pass: Pass) -> Result<Tensor> {
        let query = layer.query.forward(x, pass)?;
        let key = layer.key.forward(x, pass)?;
        let value = layer.value.forward(x, pass)?;
        let mixed = self.attend(&query, &key, &value, groups)?;
        let attended = layer.attention_output.forward(&mixed, pass)?;
        let x = layer.attention_norm.forward(&attended.f_add(x)?)?;
        let inner = self
            .activation
            .apply(&layer.intermediate.forward(&x, pass)?)?; // [tokens, intermediate]
        layer
            .output_norm
            .forward(&layer.output.forward(&inner, pass)?.f_add(&x)?)
    }

    /// Full attention within each text. `[tokens, hidden]` each.
    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        groups: &[Group],
    ) -> Result<Tensor> {
        let hidden = query.size()[1];
        let mut parts = Vec::with_capacity(groups.len());
        for group in groups {
            let tokens = group.count * group.length;
            // [texts, heads, tokens, head size]
            let heads = |x: &Tensor| -> Result<Tensor> {
                let texts = x.f_narrow(0, group.start, tokens)?;
                Ok(texts
                    .f_view([group.count, group.length, self.heads, hidden / self.heads])?
                    .f_transpose(1, 2)?)
            };
            let mixed = Tensor::f_scaled_dot_product_attention(
                &heads(query)?,
                &heads(key)?,
                &heads(value)?,
                None::<Tensor>,
                0.0,
                false,
                None,
                false,
            )?;
            parts.push(mixed.f_transpose(1, 2)?.f_reshape([tokens, hidden])?);
        }
        match parts.as_slice() {
            [only] => Ok(only.shallow_clone()),
            _ => Ok(Tensor::f_cat(&parts, 0)?),
        }
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

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        if !packed.branches.is_empty() {
            return Err(Error::Shim(
                "an encoder's tokens see the whole text; no beginning can be shared".into(),
            ));
        }
        let words = Tensor::f_embedding(&self.words, &packed.ids, -1, false, false)?;
        let positions = Tensor::f_embedding(&self.positions, &packed.positions, -1, false, false)?;
        let mut x = words.f_add(&positions)?;
        if let Some(types) = &packed.types {
            x = x.f_add(&Tensor::f_embedding(&self.types, types, -1, false, false)?)?;
        }
        let input = self.embedding_norm.forward(&x)?; // [tokens, hidden]
        let groups: Rc<[Group]> = packed.groups.as_slice().into();
        let layers = self.layers.iter().map(|layer| -> Step<'_> {
            let groups = Rc::clone(&groups);
            Box::new(move |x| self.layer(layer, x, &groups, pass))
        });
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
            layers: layers.collect(),
            last: Box::new(|x| Ok(x.shallow_clone())),
            first_trained,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::architecture::Config;
    use lexforge_domain::Code;

    #[test]
    fn what_is_not_supported_is_refused_by_name() {
        let good = r#"{"model_type":"bert","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,
            "intermediate_size":16,"max_position_embeddings":32}"#;
        assert_eq!(Config::of_text(good).unwrap().sizes().hidden, 8);
        let check = |from: &str, to: &str, code: Code, named: &str| {
            let failure = Config::of_text(&good.replace(from, to))
                .unwrap_err()
                .into_failure();
            assert_eq!(failure.code, code, "{to}");
            assert!(failure.message.contains(named), "{}", failure.message);
        };
        check("\"bert\"", "\"albert\"", Code::ModelUnsupported, "albert");
        check(
            "\"model_type\":\"bert\",",
            "",
            Code::ModelUnsupported,
            "model_type",
        );
        check(
            "\"vocab_size\":10",
            "\"vocab_size\":10,\"hidden_act\":\"swish\"",
            Code::ModelUnsupported,
            "swish",
        );
        let relative = "\"vocab_size\":10,\"position_embedding_type\":\"relative_key\"";
        check(
            "\"vocab_size\":10",
            relative,
            Code::ModelUnsupported,
            "relative_key",
        );
        check(
            "\"vocab_size\":10",
            "\"vocab_size\":10,\"is_decoder\":true",
            Code::ModelUnsupported,
            "is_decoder",
        );
        check(
            "\"num_attention_heads\":2",
            "\"num_attention_heads\":3",
            Code::ModelMissing,
            "sizes",
        );
        check("\"vocab_size\":10,", "", Code::ModelMissing, "vocab_size");
    }
}
