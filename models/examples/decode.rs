//! Runs only decoding, for `tools/bench/decode.py`. Loads a decoder and questions. Each line of standard input gives
//! the length of answers and the size of batches. The reply is one line of JSON.
#![allow(clippy::print_stdout)]

use lexforge_models::architectures::architecture::Config;
use lexforge_models::architectures::cache::Cache;
use lexforge_models::architectures::decoder::Decoder;
use lexforge_models::architectures::packing::Packed;
use lexforge_models::device;
use lexforge_models::platform::processor_seconds;
use serde::Deserialize;
use std::error::Error;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::Instant;
use tch::{Device, Kind, Tensor};

/// The input that this program and the program compared with it both get.
#[derive(Deserialize)]
struct Plan {
    model: PathBuf,
    prompts: Vec<Vec<u32>>,
    threads: usize,
}

/// The request in one line of standard input.
#[derive(Deserialize)]
struct Asked {
    batch: usize,
    tokens: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("the plan's file is missing")?;
    let plan: Plan = serde_json::from_slice(&std::fs::read(path)?)?;
    device::set_threads(plan.threads);
    let decoder = Config::of_folder(&plan.model)?.load_decoder(
        &plan.model,
        Some(Kind::Float),
        Device::Cpu,
    )?;
    println!("{}", serde_json::json!({"ready": true}));
    for line in std::io::stdin().lock().lines() {
        let asked: Asked = serde_json::from_str(&line?)?;
        let (began, processor) = (Instant::now(), processor_seconds());
        let texts = written(decoder.as_ref(), &plan.prompts[..asked.batch], asked.tokens)?;
        let (wall, processor) = (
            began.elapsed().as_secs_f64(),
            processor_seconds() - processor,
        );
        println!(
            "{}",
            serde_json::json!({"wall": wall, "processor": processor, "texts": texts})
        );
    }
    Ok(())
}

/// The likeliest continuations, of one length, by the functions of the serving engine.
fn written(
    decoder: &dyn Decoder,
    prompts: &[Vec<u32>],
    tokens: usize,
) -> Result<Vec<Vec<i64>>, Box<dyn Error>> {
    let _no_grad = tch::no_grad_guard();
    let mut caches: Vec<Cache> = prompts.iter().map(|_| Cache::new()).collect();
    let ids: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
    let packed = Packed::of(&ids, Device::Cpu)?;
    let lasts: Vec<i64> = packed
        .texts()
        .map(|(start, length)| start + length - 1)
        .collect();
    let hidden = decoder.read_each(&packed, &mut caches.iter_mut().collect::<Vec<_>>())?;
    let mut hidden = hidden.f_index_select(0, &Tensor::f_from_slice(&lasts)?)?;
    let mut texts: Vec<Vec<i64>> = vec![Vec::new(); prompts.len()];
    loop {
        let next = Vec::<i64>::try_from(decoder.step_logits(&hidden)?.f_argmax(1, false)?)?;
        for (text, &token) in texts.iter_mut().zip(&next) {
            text.push(token);
        }
        if texts[0].len() == tokens {
            return Ok(texts);
        }
        let next = next
            .into_iter()
            .map(u32::try_from)
            .collect::<Result<Vec<u32>, _>>()?;
        hidden = decoder.step_each(&next, &mut caches.iter_mut().collect::<Vec<_>>())?;
    }
}
