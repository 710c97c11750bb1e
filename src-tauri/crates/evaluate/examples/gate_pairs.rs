//! Simulates pairs of models on the clusters of a snapshot, and counts how often the gate passes and stops them. These
//! rates are compared with the rates that the gate predicts before there is a second model. The simulation here is
//! separate from that of the gate, and each pair goes through the whole decision.
//!
//! cargo run --release -p lexforge-evaluate --example gate_pairs -- SIZES.json
//!
//! SIZES.json is a list with the number of test questions of each cluster.

use lexforge_domain::QcaId;
use lexforge_domain::gate::{GateMeasure, GatePolicy, GateVerdict, ItemOutcome, Margin};
use lexforge_evaluate::gate::{Assumption, Evidence, Paired, assumed, decide};
use std::error::Error;

const PAIRS: usize = 1_000;
/// Margin of accuracy and F1.
const MARGIN: f64 = 0.02;
/// Share of questions that both models of a pair answer right, of those on which they agree.
const BOTH_RIGHT: f64 = 0.8;
/// The clusters are repeated until the predicted rates reach these shares: the share of cases in which an equal model
/// passes, and the share in which a model that is 3 points worse is stopped.
const DECIDES: (f64, f64) = (0.83, 0.965);

/// Shares between 0 and 1 (xorshift64*).
struct Dice(u64);

impl Dice {
    fn share(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One question: the second model loses it, wins it, or answers as the first.
    fn difference(&mut self, loses: f64, wins: f64) -> i8 {
        let place = self.share();
        match place {
            _ if place < loses => -1,
            _ if place < loses + wins => 1,
            _ => 0,
        }
    }
}

/// The answers of two models, of which the second is worse by `shift`. Two questions of one cluster have the
/// correlation `within`. To get this, a question uses the random number of its cluster with probability √within, and
/// otherwise a number of its own.
fn pair(
    sizes: &[usize],
    assumption: Assumption,
    shift: f64,
    dice: &mut Dice,
) -> [Vec<ItemOutcome>; 2] {
    let loses = (assumption.discordant + shift) / 2.0;
    let wins = loses - shift;
    let follows = assumption.within.sqrt();
    let mut models = [Vec::new(), Vec::new()];
    for (cluster, &size) in (0..).zip(sizes) {
        let common = dice.difference(loses, wins);
        for _ in 0..size {
            let alone = dice.difference(loses, wins);
            let difference = if dice.share() < follows {
                common
            } else {
                alone
            };
            let right = match difference {
                -1 => [true, false],
                1 => [false, true],
                _ => [dice.share() < BOTH_RIGHT; 2],
            };
            let id = models[0].len();
            for (outcomes, right) in models.iter_mut().zip(right) {
                outcomes.push(ItemOutcome {
                    id: QcaId(id as i64),
                    cluster,
                    answer: id % 4,
                    chosen: Some(if right { id % 4 } else { (id + 1) % 4 }),
                    gap: None,
                });
            }
        }
    }
    models
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args()
        .nth(1)
        .ok_or("a file with the sizes of the clusters is needed")?;
    let once: Vec<usize> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    if once.is_empty() {
        return Err("there is no cluster".into());
    }
    let margin = |measure| Margin {
        measure,
        margin: MARGIN,
    };
    let policy = GatePolicy {
        measures: vec![margin(GateMeasure::Accuracy), margin(GateMeasure::F1)],
        ..GatePolicy::default()
    };
    let assumption = Assumption {
        discordant: 0.10,
        within: 0.10,
    };
    let mut many = once.clone();
    loop {
        let printed = assumed(&many, assumption, &policy, PAIRS, 7);
        if printed.equal_passes >= DECIDES.0 && printed.worse_stopped["3"] >= DECIDES.1 {
            break;
        }
        many.extend_from_slice(&once);
    }
    let mut dice = Dice(42);
    for (times, sizes) in [(1, &once), (many.len() / once.len(), &many)] {
        let questions: usize = sizes.iter().sum();
        println!(
            "{} clusters ({times} × the snapshot's), {questions} questions",
            sizes.len()
        );
        let printed = assumed(sizes, assumption, &policy, PAIRS, 7);
        for points in 0..=3_u32 {
            let (mut passes, mut stopped) = (0_usize, 0_usize);
            for _ in 0..PAIRS {
                let shift = f64::from(points) / 100.0;
                let [first, second] = pair(sizes, assumption, shift, &mut dice);
                let paired = Paired::new(&first, &second)?;
                match decide(&paired, &policy, &Evidence::default()).verdict {
                    GateVerdict::Pass => passes += 1,
                    GateVerdict::Stop => stopped += 1,
                    GateVerdict::Undecided => {}
                }
            }
            let share = |count: usize| count as f64 / PAIRS as f64;
            let rates = &printed.rates[&points.to_string()];
            println!(
                "{points} points worse: counted passes {:.3}, stopped {:.3}; printed {:.3}, {:.3} (error {:.3})",
                share(passes),
                share(stopped),
                rates.passes,
                rates.stopped,
                rates.error
            );
        }
    }
    Ok(())
}
