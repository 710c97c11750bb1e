//! Several processes that train one adapter: as one process would, resumable, and not silent when one is lost.

use crate::common::stages::*;
use crate::common::*;
use lexforge_domain::protocol::{Event, Objective, Pooling, QuestionForm, TokenLossKind, TrainJob};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Loss of every step, as the last attempt that made it told it.
fn losses(bundle: &Path) -> BTreeMap<u64, f64> {
    let mut losses = BTreeMap::new();
    for event in events(bundle) {
        if let Event::Progress {
            step,
            loss: Some(loss),
            ..
        } = event.event
        {
            losses.insert(step, loss);
        }
    }
    losses
}

fn together(bundle: &Path, models: &Path, ranks: usize) -> Command {
    let mut command = command(bundle, models);
    command.args(["--ranks", &ranks.to_string()]);
    command
}

/// One rank of those that meet at a port.
fn rank(bundle: &Path, models: &Path, rank: usize, world: usize, port: u16) -> Child {
    command(bundle, models)
        .env("RANK", rank.to_string())
        .env("LOCAL_RANK", rank.to_string())
        .env("WORLD_SIZE", world.to_string())
        .env("MASTER_ADDR", "127.0.0.1")
        .env("MASTER_PORT", port.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

fn job(objectives: Vec<Objective>, dropout: f64) -> TrainJob {
    let mut job = decoder_job(objectives.into_iter().map(stage).collect());
    job.settings.lora.dropout = dropout;
    job
}

fn close(one: &Path, other: &Path, name: &str) {
    let (one, other) = (losses(one), losses(other));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>(),
        "{name}"
    );
    assert!(one.len() >= 15, "{name}: {} steps", one.len());
    // In parts of the loss, which is a few units: fp32 has seven digits.
    let largest = one
        .iter()
        .map(|(step, loss)| (loss - other[step]).abs() / loss.max(1.0))
        .fold(0.0, f64::max);
    println!(
        "{name}: largest relative difference of {} losses {largest:.1e}",
        one.len()
    );
    assert!(largest <= 1e-6, "{name}: {largest}");
}

#[test]
fn two_ranks_have_the_losses_of_one_process() {
    let bench = Bench::new();
    // 60 items in batches of 6 and, in the second stage, of 7: the ranks' parts are uneven.
    let cases = [
        (
            "sft",
            Objective::Sft {
                form: QuestionForm::Both,
                replay: 0.0,
            },
        ),
        ("sentence", Objective::Sentence(sentence_objective())),
        (
            "token",
            Objective::Token {
                loss: TokenLossKind::Candidates,
            },
        ),
        ("gritlm", Objective::Gritlm(sentence_objective())),
        (
            "joint",
            Objective::Joint {
                temperature: 0.07,
                sentence: 0.4,
                token: 0.6,
                pooling: Pooling::Mean,
                term_layer: None,
            },
        ),
    ];
    for (name, objective) in cases {
        let mut job = job(vec![objective], 0.0);
        job.settings.stages[0].batch_size = 7;
        // The learning rate is small, so that rounding errors do not grow over the steps: even if a gradient is nothing
        // but rounding errors, Adam moves by the whole rate. At 3e-4 they grew to 1.2e-6 on a processor without AVX-512.
        // A wrong gradient would show in the fifth digit.
        job.settings.stages[0].learning_rate = 1e-4;
        bench.trained(&format!("{name}-one"), &job);
        let check = |bundle: &Path, ranks: usize| {
            let output = together(bundle, &bench.models, ranks).output().unwrap();
            assert!(
                output.status.success(),
                "{name}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            close(
                &bench.folder.path().join(format!("{name}-one")),
                bundle,
                name,
            );
        };
        for ranks in [2, 3] {
            check(&bench.bundle(&format!("{name}-{ranks}"), &job), ranks);
        }
        // In pieces (GradCache over the ranks' vectors).
        job.settings.stages[0].micro_batch = Some(2);
        check(&bench.bundle(&format!("{name}-pieces"), &job), 2);
    }
}

#[test]
fn a_lost_rank_is_a_clear_error_and_the_run_goes_on() {
    let bench = Bench::new();
    let job = job(
        vec![
            Objective::Sft {
                form: QuestionForm::Both,
                replay: 0.0,
            },
            Objective::Token {
                loss: TokenLossKind::Candidates,
            },
        ],
        0.1,
    );
    let start = |bundle: &PathBuf| {
        let port = free_port();
        (
            rank(bundle, &bench.models, 0, 2, port),
            rank(bundle, &bench.models, 1, 2, port),
        )
    };
    let straight = bench.bundle("straight", &job);
    let (first, second) = start(&straight);
    assert!(first.wait_with_output().unwrap().status.success());
    assert!(second.wait_with_output().unwrap().status.success());

    let broken = bench.bundle("broken", &job);
    // The one that follows is killed, then the one that leads, each in another stage.
    let (mut first, mut second) = start(&broken);
    wait_for_any_step(&broken, &mut first, 1, 12);
    second.kill().unwrap();
    second.wait().unwrap();
    let output = first.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && told.contains("rank_lost") && told.contains("hint"),
        "{told}"
    );
    assert_eq!(failure(&broken).0, "rank_lost");
    let (mut first, second) = start(&broken);
    wait_for_any_step(&broken, &mut first, 2, 47);
    first.kill().unwrap();
    first.wait().unwrap();
    let output = second.wait_with_output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("rank_lost"));

    let (first, second) = start(&broken);
    assert!(first.wait_with_output().unwrap().status.success());
    assert!(second.wait_with_output().unwrap().status.success());
    // With dropout: a rank draws the same whether the run was broken off or not.
    assert_eq!(adapter(&broken), adapter(&straight), "the adapters differ");
}

#[test]
fn a_signal_to_any_rank_stops_all_with_a_checkpoint() {
    let bench = Bench::new();
    let job = job(
        vec![Objective::Sft {
            form: QuestionForm::Both,
            replay: 0.0,
        }],
        0.0,
    );
    let bundle = bench.bundle("stopped", &job);
    let port = free_port();
    let (mut first, second) = (
        rank(&bundle, &bench.models, 0, 2, port),
        rank(&bundle, &bench.models, 1, 2, port),
    );
    wait_for_any_step(&bundle, &mut first, 1, 7);
    Command::new("kill")
        .args(["-TERM", &second.id().to_string()])
        .status()
        .unwrap();
    assert!(first.wait_with_output().unwrap().status.success());
    assert!(second.wait_with_output().unwrap().status.success());
    assert!(
        events(&bundle)
            .iter()
            .any(|e| matches!(e.event, Event::Stopped { step } if step >= 7))
    );
    assert!(bundle.join("events.rank-1.jsonl").is_file());
}

#[test]
fn torchrun_starts_the_ranks() {
    let torchrun = std::env::var_os("LEXFORGE_PYTHON")
        .map(PathBuf::from)
        .map(|python| python.with_file_name("torchrun"));
    let Some(torchrun) = torchrun.filter(|path| path.is_file()) else {
        lexforge_needs::unavailable("torchrun absent");
        return;
    };
    let bench = Bench::new();
    let mut job = job(
        vec![Objective::Token {
            loss: TokenLossKind::Candidates,
        }],
        0.0,
    );
    job.settings.stages[0].learning_rate = 1e-3;
    bench.trained("one", &job);
    let bundle = bench.bundle("two", &job);
    let alone = command(&bundle, &bench.models);
    let output = Command::new(torchrun)
        .args([
            "--no-python",
            "--nproc-per-node",
            "2",
            "--master-addr",
            "127.0.0.1",
        ])
        .args(["--master-port", &free_port().to_string()])
        .arg(alone.get_program())
        .args(alone.get_args())
        .envs(
            alone
                .get_envs()
                .filter_map(|(name, value)| value.map(|value| (name, value))),
        )
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    close(&bench.folder.path().join("one"), &bundle, "torchrun");
}
