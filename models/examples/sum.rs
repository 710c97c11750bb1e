//! Measures how long several ranks take to sum an adapter's gradient through the host's memory.
//! It is started like `lexforge-worker run`, by torchrun or with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT set; the
//! argument is the number of values.
#![allow(clippy::print_stdout)]

use lexforge_models::training::ranks::Place;
use std::error::Error;
use std::time::Instant;
use tch::{Device, Kind, Tensor};

fn main() -> Result<(), Box<dyn Error>> {
    let values: i64 = std::env::args()
        .nth(1)
        .ok_or("the number of values is missing")?
        .parse()?;
    let ranks = Place::of_environment()?.join()?;
    let mut gradient = Tensor::f_ones([values], (Kind::Float, Device::Cpu))?;
    ranks.sum(&mut gradient)?;
    let mut seconds: Vec<f64> = Vec::new();
    for _ in 0..7 {
        let _ = gradient.f_fill_(1.0)?;
        let began = Instant::now();
        ranks.sum(&mut gradient)?;
        seconds.push(began.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    if ranks.leads() {
        println!(
            "{}",
            serde_json::json!({"values": values, "ranks": ranks.world(), "median_s": seconds[3], "all_s": seconds})
        );
    }
    Ok(())
}
