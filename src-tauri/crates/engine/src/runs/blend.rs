//! Applies an adapter only in part: θ = base + λ · (tuned − base). λ = 0 is the base model, λ = 1 the tuned model.
//!
//! The update of a low-rank adapter is a product of two matrices, so multiplying one of them by λ scales the whole
//! update. If all weights were tuned, the adapter holds the difference of each weight, and this difference is
//! multiplied by λ.

use super::Runs;
use super::bundles::check_adapter;
use crate::workspace::{ADAPTERS, Result, Scratch, file_failure, io_failure};
use lexforge_domain::{Code, Failure, RunId, Sha256};
use lexforge_files::inside;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use sha2::Digest as _;
use std::collections::HashMap;
use std::path::PathBuf;

/// The weights of an adapter.
const WEIGHTS: &str = "adapter_model.safetensors";
/// The matrix of each pair that is scaled, in PEFT's names.
const SCALED: &str = "lora_B";
/// The beginning of the name of a weight whose difference from the base is stored. All such weights are scaled.
const DIFFERENCE: &str = "difference.";
/// All of it.
pub(crate) const WHOLE: u8 = 100;

impl Runs<'_> {
    /// Scales the adapter of a run to `percent` per cent, and returns the folder of the result and the hash of its
    /// weights. The result is stored under this hash.
    ///
    /// # Errors
    /// When the run has no adapter, `percent` is not a valid share, or the adapter's weights cannot be read.
    pub(crate) fn blended(&self, run: RunId, percent: u8) -> Result<(PathBuf, Sha256)> {
        if percent == 0 || percent > WHOLE {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("{percent} hundredths of a tuning cannot be taken."),
                "Give a number from 1 to 100; 0 is the base model itself.",
            ));
        }
        let whole = self.adapter_dir(run)?;
        if percent == WHOLE {
            return Ok((whole, self.train_result(run)?.adapter_sha256));
        }
        let path = whole.join(WEIGHTS);
        let bytes = std::fs::read(&path).map_err(|e| io_failure(&e, &path))?;
        let weights = scaled(&bytes, f32::from(percent) / f32::from(WHOLE))?;
        let sha256 = Sha256::of_digest(sha2::Sha256::digest(&weights));
        let artifacts = self.workspace.store.artifacts_path();
        let kept = format!("{ADAPTERS}/{sha256}");
        match inside::folder(&artifacts, &kept) {
            Err(e) if e.is_absent() => {}
            Err(e) => return Err(file_failure(e)),
            Ok(folder) => {
                check_adapter(&folder, &sha256)?;
                return Ok((folder, sha256));
            }
        }
        let target = inside::place(&artifacts, &kept).map_err(file_failure)?;
        let adapters = self.workspace.artifacts_folder(ADAPTERS)?;
        let scratch = Scratch::new(&adapters, "adopt")?;
        for name in inside::files(&whole).map_err(file_failure)? {
            let (from, to) = (whole.join(&name), scratch.path().join(&name));
            let written = match name == WEIGHTS {
                true => std::fs::write(&to, &weights),
                false => std::fs::copy(&from, &to).map(drop),
            };
            written.map_err(|e| io_failure(&e, &to))?;
        }
        if let Err(failure) = scratch.keep_as(&target)
            && !target.is_dir()
        {
            return Err(failure);
        }
        Ok((target, sha256))
    }
}

/// An adapter's weights with its update times λ.
fn scaled(bytes: &[u8], share: f32) -> Result<Vec<u8>> {
    let unreadable = |why: String| {
        Failure::new(
            Code::BundleInvalid,
            format!("The adapter's weights cannot be read: {why}."),
            "Train again, or ask for the workspace again.",
        )
    };
    let tensors = SafeTensors::deserialize(bytes).map_err(|e| unreadable(e.to_string()))?;
    let mut changed: HashMap<String, Vec<u8>> = HashMap::new();
    for (name, view) in tensors.tensors() {
        if !name.contains(SCALED) && !name.starts_with(DIFFERENCE) {
            continue;
        }
        if view.dtype() != Dtype::F32 {
            return Err(unreadable(format!("{name} is not of 32 bits")));
        }
        let (values, _) = view.data().as_chunks::<4>();
        let times = |value: &[u8; 4]| (f32::from_le_bytes(*value) * share).to_le_bytes();
        changed.insert(name, values.iter().flat_map(times).collect());
    }
    let all = tensors.tensors();
    let views = all.iter().map(|(name, view)| {
        let data = changed.get(name).map_or(view.data(), Vec::as_slice);
        let view = TensorView::new(view.dtype(), view.shape().to_vec(), data);
        view.map(|view| (name.clone(), view))
    });
    let views: Vec<_> = views
        .collect::<std::result::Result<_, _>>()
        .map_err(|e| unreadable(e.to_string()))?;
    // The order of a file's entries is that of the names, so that the same weights have the same hash.
    let metadata = SafeTensors::read_metadata(bytes)
        .map(|(_, metadata)| metadata.metadata().clone())
        .map_err(|e| unreadable(e.to_string()))?;
    safetensors::serialize(views, metadata).map_err(|e| unreadable(e.to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_matrix_of_each_pair_is_scaled_and_every_difference() {
        let bytes = |values: &[f32]| -> Vec<u8> {
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect()
        };
        let (a, b) = (bytes(&[1.0, -2.0]), bytes(&[4.0, 8.0]));
        let view = |data| TensorView::new(Dtype::F32, vec![2, 1], data).unwrap();
        let names = ["x.lora_A.weight", "x.lora_B.weight"];
        let views = [(names[0], view(&a)), (names[1], view(&b))];
        let file = safetensors::serialize(views, None).unwrap();
        let half = scaled(&file, 0.5).unwrap();
        let read = SafeTensors::deserialize(&half).unwrap();
        assert_eq!(read.tensor(names[0]).unwrap().data(), a);
        assert_eq!(read.tensor(names[1]).unwrap().data(), bytes(&[2.0, 4.0]));
        assert_eq!(half, scaled(&file, 0.5).unwrap());
        // The changes of all weights are scaled directly.
        let views = [
            ("difference.x.weight", view(&a)),
            ("difference.x.bias", view(&b)),
        ];
        let half = scaled(&safetensors::serialize(views, None).unwrap(), 0.5).unwrap();
        let read = SafeTensors::deserialize(&half).unwrap();
        let of = |name: &str| read.tensor(name).unwrap().data().to_vec();
        assert_eq!(of("difference.x.weight"), bytes(&[0.5, -1.0]));
        assert_eq!(of("difference.x.bias"), bytes(&[2.0, 4.0]));
        assert_eq!(
            scaled(b"no weights", 0.5).unwrap_err().code,
            Code::BundleInvalid
        );
    }
}
