//! Dense layers after the pooling, as Sentence Transformers keeps them in folders of their own (`2_Dense`).

use crate::texts::modules::{read, refused};
use crate::weights::Weights;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{DenseFunction, DenseLayer};
use serde_json::{Map, Value};
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// The name of the text's vector. A dense layer reads and writes this vector, unless its configuration names another
/// one.
const VECTOR: &str = "sentence_embedding";

/// The description of a dense layer in the model's folder.
///
/// # Errors
/// [`Code::ModelMissing`] if its configuration is missing or damaged. [`Code::ModelUnsupported`] if it needs
/// something that is not supported; the message names it.
pub fn described(folder: &Path, path: &str) -> Result<DenseLayer> {
    let name = format!("{path}/config.json");
    let damaged = |what: &str| {
        Error::told_of(
            Path::new(&name),
            Code::ModelMissing,
            format!("The model's {name} {what}."),
            "Copy the model's folder again, with the folders inside it.",
        )
    };
    let config: Map<String, Value> = read(folder, &name)?.ok_or_else(|| damaged("is not there"))?;
    let size = |name: &str| {
        let size = config.get(name).and_then(Value::as_u64);
        size.filter(|size| (1..=1 << 20).contains(size))
            .ok_or_else(|| damaged(&format!("has no possible {name}")))
    };
    let text = |name: &str| config.get(name).and_then(Value::as_str);
    for field in ["module_input_name", "module_output_name"] {
        if let Some(other) = text(field).filter(|&other| other != VECTOR) {
            return Err(refused(
                &name,
                &format!(
                    "A dense layer of the model works on {other:?} ({field}), which is not computed here."
                ),
            ));
        }
    }
    if config.get("use_residual") == Some(&Value::Bool(true)) {
        return Err(refused(
            &name,
            "A dense layer of the model adds its input to its output (use_residual), which is not computed here.",
        ));
    }
    let written = text("activation_function").unwrap_or("torch.nn.modules.activation.Tanh");
    let function = match written.rsplit('.').next().unwrap_or_default() {
        "Identity" => DenseFunction::Identity,
        "Tanh" => DenseFunction::Tanh,
        "ReLU" => DenseFunction::Relu,
        "GELU" => DenseFunction::Gelu,
        "Sigmoid" => DenseFunction::Sigmoid,
        "SiLU" => DenseFunction::Silu,
        _ => {
            return Err(refused(
                &name,
                &format!(
                    "A dense layer of the model has the function {written:?}, which is not known here."
                ),
            ));
        }
    };
    Ok(DenseLayer {
        path: path.to_owned(),
        inputs: size("in_features")? as usize,
        outputs: size("out_features")? as usize,
        bias: config.get("bias") != Some(&Value::Bool(false)),
        function,
    })
}

/// Checks that the output size of each layer is the input size of the next.
///
/// # Errors
/// [`Code::ModelMissing`] if two sizes do not fit.
pub(crate) fn check_sizes(layers: &[DenseLayer], hidden: usize) -> Result<()> {
    let mut written = hidden;
    for layer in layers {
        if layer.inputs != written {
            return Err(Error::told_of(
                Path::new(&format!("{}/config.json", layer.path)),
                Code::ModelMissing,
                format!(
                    "The dense layer {} reads vectors of {} numbers, but is given {written}.",
                    layer.path, layer.inputs
                ),
                "Copy the model's folder again, with the folders inside it.",
            ));
        }
        written = layer.outputs;
    }
    Ok(())
}

/// A dense layer: a frozen one of the folder, or the head of a cross-encoder.
pub struct Dense {
    weight: Tensor,
    bias: Option<Tensor>,
    function: DenseFunction,
}

impl Dense {
    /// Loads a layer from the model's folder.
    ///
    /// # Errors
    /// If its weights are missing or do not fit its configuration.
    pub fn load(folder: &Path, layer: &DenseLayer, device: Device) -> Result<Self> {
        let weights = Weights::open(&folder.join(&layer.path), device)?;
        let (outputs, inputs) = (layer.outputs as i64, layer.inputs as i64);
        let tensor = |name: &str, shape: &[i64]| {
            let read = weights.tensor_as(name, shape, Some(Kind::Float));
            read.map_err(|error| {
                let place = format!("{}/config.json", layer.path);
                Error::from(error.into_failure().in_file(place))
            })
        };
        Ok(Self {
            weight: tensor("linear.weight", &[outputs, inputs])?,
            bias: layer
                .bias
                .then(|| tensor("linear.bias", &[outputs]))
                .transpose()?,
            function: layer.function,
        })
    }

    /// A layer of these tensors, without a function after it.
    pub fn linear(weight: Tensor, bias: Tensor) -> Self {
        Self {
            weight,
            bias: Some(bias),
            function: DenseFunction::Identity,
        }
    }

    /// Its weight and its bias.
    pub fn tensors(&self) -> impl Iterator<Item = &Tensor> {
        std::iter::once(&self.weight).chain(&self.bias)
    }

    /// Numbers of a vector after the layer.
    pub fn outputs(&self) -> usize {
        self.weight.size()[0] as usize
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let x = x.f_linear(&self.weight, self.bias.as_ref())?;
        Ok(match self.function {
            DenseFunction::Identity => x,
            DenseFunction::Tanh => x.f_tanh()?,
            DenseFunction::Relu => x.f_relu()?,
            DenseFunction::Gelu => x.f_gelu("none")?,
            DenseFunction::Sigmoid => x.f_sigmoid()?,
            DenseFunction::Silu => x.f_silu()?,
        })
    }
}

/// Passes vectors `[texts, hidden]` through the layers in their order.
pub fn through(layers: &[Dense], vectors: Tensor) -> Result<Tensor> {
    layers
        .iter()
        .try_fold(vectors, |x, layer| layer.forward(&x))
}
