//! A precision that makes a training slow on this machine.

use lexforge_domain::api::RunPlan;
use lexforge_domain::protocol::Precision;

/// A warning if a training that is planned for this machine is slow because of its precision.
pub(crate) fn slow_precision(plan: &RunPlan) -> Option<String> {
    slow(plan, multiplies_bf16())
}

fn slow(plan: &RunPlan, multiplies_bf16: bool) -> Option<String> {
    let memory = plan.base.memory.as_ref()?;
    // The weights of encoders stay as they are on the disk: the precision is that of a decoder.
    let bf16 = plan.base.decoder && plan.settings.precision == Precision::Bf16;
    (bf16 && memory.device == "cpu" && !multiplies_bf16).then(|| {
        "This machine's processor lacks AVX-512, so a training in bf16 takes many times as long as in fp32."
            .to_owned()
    })
}

/// Whether libtorch has fast kernels for bf16 on this processor. Without AVX-512 it has none, and a step was about
/// thirty times slower than in fp32.
#[cfg(target_arch = "x86_64")]
fn multiplies_bf16() -> bool {
    std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl")
}

/// Nothing was measured on other kinds of processors, so there is no warning on them.
#[cfg(not(target_arch = "x86_64"))]
fn multiplies_bf16() -> bool {
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::{ITEMS, base};
    use super::super::{Recipe, TrainRequest};
    use super::{Precision, slow};
    use lexforge_domain::protocol::MemoryEstimate;

    #[test]
    fn bf16_is_warned_of_where_a_decoder_is_trained_on_a_processor_without_it() {
        let warned = |precision, decoder, device: &str, multiplies_bf16| {
            let request = TrainRequest {
                precision: Some(precision),
                ..TrainRequest::default()
            };
            let mut model = base(decoder, 4_000_000);
            let recipe = Recipe::of(&request, &model, ITEMS).unwrap();
            model.memory = Some(MemoryEstimate {
                device: device.to_owned(),
                weights_mb: 1.0,
                adapter_mb: 1.0,
                activations_mb: 1.0,
                total_mb: 3.0,
                stage: "sft".to_owned(),
                available_mb: None,
                fits: true,
                advice: None,
            });
            slow(&recipe.plan(model, 1000, Vec::new()), multiplies_bf16).is_some()
        };
        assert!(warned(Precision::Bf16, true, "cpu", false));
        assert!(!warned(Precision::Bf16, true, "cpu", true));
        assert!(!warned(Precision::Bf16, true, "cuda:0", false));
        assert!(!warned(Precision::Bf16, false, "cpu", false));
        assert!(!warned(Precision::Auto, true, "cpu", false));
        assert!(!warned(Precision::Fp32, true, "cpu", false));
    }
}
