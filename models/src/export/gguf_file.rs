//! Writes a merged decoder as a file in the GGUF format.

use super::merge::Merged;
use super::steps::Steps;
use crate::Result;
use crate::architectures::decoder::DecoderConfig;
use crate::architectures::sizes::unsupported;
use crate::gguf::write::Planned;
use crate::gguf::{self, Stored};
use lexforge_domain::protocol::ExportedFile;
use std::path::Path;
use tch::Tensor;

#[allow(clippy::too_many_arguments, reason = "each is a part of the file")]
pub(super) fn write_gguf(
    path: &Path,
    name: &str,
    decoder: &DecoderConfig,
    merged: &Merged<'_>,
    stored: Stored,
    words: Vec<(String, gguf::Value)>,
    notes: &mut Vec<String>,
    steps: &mut Steps<'_>,
) -> Result<ExportedFile> {
    let mut settings = gguf::decoder::settings(decoder, name, stored)?;
    settings.extend(words);
    let mut planned = Vec::new();
    let mut names = Vec::new();
    let (mut unknown, mut coarse) = (Vec::new(), 0);
    let divisors = gguf::decoder::rotary_divisors(decoder);
    if let Some(divisors) = &divisors {
        let name = gguf::decoder::ROTARY_DIVISORS.to_owned();
        planned.push(Planned {
            name,
            shape: vec![divisors.len() as i64],
            stored: Stored::F32,
        });
        names.push(None);
    }
    for (own, shape) in merged.tensors() {
        let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
        // The output layer of a model that shares it with its embeddings says nothing new.
        let shared = decoder.tied && own == "lm_head.weight";
        match gguf::decoder::name_of(own).filter(|_| !shared) {
            Some(name) => {
                let as_stored = gguf::decoder::stored_as(&shape, stored);
                coarse += usize::from(as_stored != stored && shape.len() > 1);
                planned.push(Planned {
                    name,
                    shape,
                    stored: as_stored,
                });
                names.push(Some(own.to_owned()));
            }
            None if shared || own.ends_with("rotary_emb.inv_freq") => {}
            None => unknown.push(own.to_owned()),
        }
    }
    if !unknown.is_empty() {
        return Err(unsupported(&format!(
            "tensors that GGUF has no name for ({})",
            unknown.join(", ")
        )));
    }
    if coarse > 0 {
        notes.push(format!(
            "{coarse} matrices have rows that are no multiple of 32 and are stored in f16; the others in {}.",
            if stored == Stored::Q8_0 { "q8_0" } else { "f16" }
        ));
    }
    steps.begin("export", planned.len());
    let mut next = names.into_iter();
    gguf::write::write(path, &settings, &planned, &mut |_| {
        steps.step()?;
        match next.next().flatten() {
            Some(own) => gguf::decoder::turned(decoder, &own, &merged.tensor(&own)?),
            None => Ok(Tensor::f_from_slice(
                divisors.as_deref().unwrap_or_default(),
            )?),
        }
    })
}
