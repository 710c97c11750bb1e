//! The GPUs of a target, by what it says of itself: which there are, and what they or their driver lack.

use super::rows::{Row, all, value};
use lexforge_domain::api::{Check, Target};
use lexforge_domain::protocol::SlurmSettings;

/// The first driver of Linux that runs CUDA 13, which libtorch's build is made for (`models/src/cuda.rs`).
const LEAST_DRIVER: u32 = 580;
/// The smallest compute capability that this build computes on.
const LEAST_CAPABILITY: (u32, u32) = (7, 5);
/// The smallest with bf16 in hardware.
const BF16_CAPABILITY: (u32, u32) = (8, 0);

/// A card as `nvidia-smi` names it.
struct Card<'r> {
    /// Name and memory.
    shown: String,
    driver: &'r str,
    /// Its compute capability, if it is told.
    capability: Option<(u32, u32)>,
}

/// Reads a line of `nvidia-smi`: name, memory, driver, compute capability. `None` for an error message, because
/// `nvidia-smi` prints these like its lines about GPUs.
fn card(line: &str) -> Option<Card<'_>> {
    // A name may have a comma in it.
    let mut fields = line.rsplitn(4, ',').map(str::trim);
    let (capability, driver) = (fields.next()?, fields.next()?);
    let (memory, name) = (fields.next()?, fields.next()?);
    major(driver)?;
    let capability = capability.split_once('.');
    Some(Card {
        shown: format!("{name}, {memory}"),
        driver,
        capability: capability.and_then(|(major, minor)| {
            let number = |text: &str| text.parse().ok();
            Some((number(major)?, number(minor)?))
        }),
    })
}

/// The major version of a driver.
fn major(driver: &str) -> Option<u32> {
    driver.split('.').next()?.parse().ok()
}

/// Whether a target computes on a GPU, by what it says of itself: it has one, or its queue is asked for some.
pub(super) fn is_on_gpu(target: &Target, rows: &[Row]) -> bool {
    asked_for(target).is_some()
        || all(rows, "gpu")
            .into_iter()
            .any(|line| card(line).is_some())
}

/// What the queue of a target is asked for.
fn asked_for(target: &Target) -> Option<&str> {
    let gres = target.slurm.as_ref().map(|slurm| slurm.gres.as_str());
    gres.filter(|gres| !gres.is_empty())
}

/// The lines about GPUs. `is_used` says whether the worker there already computes on a GPU. `is_for_cuda` says whether
/// the libtorch that would be sent can compute on one.
pub(super) fn lines(
    target: &Target,
    rows: &[Row],
    is_used: bool,
    is_for_cuda: Option<bool>,
) -> Vec<Check> {
    let said = all(rows, "gpu");
    let cards: Vec<Card<'_>> = said.iter().filter_map(|line| card(line)).collect();
    let Some(first) = cards.first() else {
        let mut lines = vec![without_card(target, &said, is_used, is_for_cuda)];
        lines.extend(value(rows, "driver").map(|driver| Check::found("driver", driver)));
        return lines;
    };
    let shown: Vec<&str> = cards.iter().map(|card| card.shown.as_str()).collect();
    let idle = !is_used && is_for_cuda == Some(false);
    let mut lines = vec![with_cuda(shown.join("; "), idle), driver(first, is_used)];
    lines.push(capability(&cards));
    lines
}

/// A GPU that is there or asked for, which a libtorch for processors would leave idle.
fn with_cuda(shown: String, idle: bool) -> Check {
    if idle {
        Check::missing(
            "gpu",
            shown,
            "The libtorch of this machine computes on processors alone: take in the pack for CUDA here, then install the worker on the target. Until then runs there leave the GPU idle.",
        )
    } else {
        Check::found("gpu", shown)
    }
}

fn without_card(target: &Target, said: &[&str], is_used: bool, is_for_cuda: Option<bool>) -> Check {
    match (&target.slurm, asked_for(target), said.first()) {
        // A login node seldom has a GPU. Slurm knows the GPUs of the partition's nodes.
        (Some(SlurmSettings { .. }), Some(gres), _) => with_cuda(
            format!("none on the login node; a run asks the queue for {gres}"),
            !is_used && is_for_cuda == Some(false),
        ),
        (Some(_), None, _) => Check::found(
            "gpu",
            "none on the login node, and a run asks for none (gres): it trains on the processor",
        ),
        (None, _, Some(said)) => Check::missing(
            "gpu",
            format!("nvidia-smi says: {said}"),
            "Have the NVIDIA driver there mended or updated until nvidia-smi lists the GPU. Until then training runs on the processor.",
        ),
        (None, _, None) => Check::found("gpu", "none is seen here; training runs on the processor"),
    }
}

fn driver(card: &Card<'_>, is_used: bool) -> Check {
    if is_used || major(card.driver).is_none_or(|major| major >= LEAST_DRIVER) {
        return Check::found("driver", card.driver);
    }
    Check::missing(
        "driver",
        card.driver,
        format!(
            "The libtorch that is sent computes with CUDA 13, which needs the NVIDIA driver {LEAST_DRIVER} or newer: have it updated there. Until then training runs on the processor."
        ),
    )
}

/// The weakest card counts: a run may get any of them.
fn capability(cards: &[Card<'_>]) -> Check {
    let least = cards.iter().filter_map(|card| card.capability).min();
    let Some(least) = least else {
        return Check::missing(
            "cuda capability",
            "not known",
            "Have the NVIDIA driver updated there: its nvidia-smi does not say what the card can compute.",
        );
    };
    let shown = format!("{}.{}", least.0, least.1);
    if least < LEAST_CAPABILITY {
        Check::missing(
            "cuda capability",
            shown,
            format!(
                "The libtorch that is sent computes on cards from {}.{} on: choose another target, or hide this card there (CUDA_VISIBLE_DEVICES=), and training runs on the processor.",
                LEAST_CAPABILITY.0, LEAST_CAPABILITY.1
            ),
        )
    } else if least < BF16_CAPABILITY {
        Check::found(
            "cuda capability",
            format!("{shown}, without bf16: choose fp16 or fp32 for a training there"),
        )
    } else {
        Check::found("cuda capability", shown)
    }
}

#[cfg(test)]
mod tests;
