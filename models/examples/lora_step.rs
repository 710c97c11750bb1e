//! Runs only the LoRA step, for `tools/bench/lora_step.py`. It loads a decoder and a batch. Each line of standard input
//! gives the number of steps to make, and the answer is one line of JSON.
#![allow(clippy::print_stdout)]

use lexforge_domain::protocol::{LoraSpec, Precision};
use lexforge_models::adapters::adapter;
use lexforge_models::adapters::lora::{self, Pass};
use lexforge_models::architectures::architecture::Config;
use lexforge_models::architectures::recompute::Way;
use lexforge_models::decoding::language::Exchange;
use lexforge_models::device;
use lexforge_models::losses::loss::TokenLoss;
use lexforge_models::losses::sft::Sft;
use lexforge_models::platform::{peak_resident_mb, processor_seconds, resident_mb};
use lexforge_models::training::optimizer::Optimizer;
use serde::Deserialize;
use std::error::Error;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::Instant;
use tch::{Device, Kind};

/// The input that this program and the program compared with it both get.
#[derive(Deserialize)]
struct Plan {
    model: PathBuf,
    texts: Vec<Vec<u32>>,
    threads: usize,
    rank: usize,
    alpha: f64,
    dropout: f64,
    rate: f64,
    weight_decay: f64,
    max_grad_norm: f64,
    recompute: bool,
    #[serde(default)]
    precision: Precision,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("the plan's file is missing")?;
    let plan: Plan = serde_json::from_slice(&std::fs::read(path)?)?;
    device::set_threads(plan.threads);
    let mut decoder = Config::of_folder(&plan.model)?.load_decoder_for(
        &plan.model,
        plan.precision,
        Device::Cpu,
    )?;
    tch::manual_seed(42);
    let targets = vec![lora::ALL_LINEAR.to_owned()];
    let spec = LoraSpec {
        r: plan.rank,
        alpha: plan.alpha,
        dropout: plan.dropout,
        targets,
    };
    lora::adapt(&mut decoder.linears(), &spec)?;
    let mut optimizer =
        Optimizer::new(adapter::trained(&decoder.linears_ref()), plan.weight_decay)?;
    let way = Way {
        recompute: plan.recompute,
        ..Way::default()
    };
    let items: Vec<Exchange> = plan
        .texts
        .iter()
        .map(|ids| Exchange {
            ids: ids.clone(),
            ..Exchange::default()
        })
        .collect();
    let batch: Vec<&Exchange> = items.iter().collect();
    // The mapped weights are read once, so that both sides' memory begins with them in it.
    for layer in decoder.linears_ref() {
        let _ = layer.weight().f_sum(Kind::Float)?; // nothing to read of layers in four bits
    }
    let kind = if plan.precision == Precision::Bf16 {
        Kind::BFloat16
    } else {
        Kind::Float
    };
    let _ = decoder.logits(&tch::Tensor::f_zeros(
        [1, decoder.config().hidden],
        (kind, Device::Cpu),
    )?)?;
    let baseline = resident_mb().unwrap_or_default();
    forget_peak();
    println!("{}", serde_json::json!({"baseline_mb": baseline}));
    for line in std::io::stdin().lock().lines() {
        let steps: usize = line?.trim().parse()?;
        let (began, processor) = (Instant::now(), processor_seconds());
        let mut losses = Vec::with_capacity(steps);
        for _ in 0..steps {
            optimizer.clear_gradients();
            losses.push(Sft.backward(decoder.as_ref(), &batch, Pass::Train, way)?);
            optimizer.step(plan.rate, plan.max_grad_norm, 1.0)?;
        }
        let (wall, processor) = (
            began.elapsed().as_secs_f64(),
            processor_seconds() - processor,
        );
        let peak = peak_resident_mb() - baseline;
        println!(
            "{}",
            serde_json::json!({"wall": wall, "processor": processor, "peak_mb": peak, "losses": losses})
        );
    }
    Ok(())
}

/// Lets the peak of the resident memory begin anew (Linux; elsewhere there is none).
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
