//! Jobs that train the tiny decoder through its stages.

use super::*;
use lexforge_domain::protocol::{
    JobResult, NegativePool, Objective, Pooling, QuestionForm, RESULT_FILE, SentenceObjective,
    StageSpec, TokenLossKind, TrainItem, TrainJob, TrainResult,
};
use lexforge_domain::qca::QcaLevel;
use std::path::{Path, PathBuf};

pub const SUBJECTS: [&str; 6] = [
    "supervisor",
    "executive supervisor",
    "board",
    "bank",
    "client",
    "executive",
];
pub const ACTS: [&str; 5] = [
    "approve the loan",
    "report the risk",
    "keep the register",
    "audit the bank",
    "limit the capital",
];

/// Items of both levels; those from different starts share no anchor.
pub fn drafted(count: usize, from: usize) -> Vec<TrainItem> {
    let sentence = |subject: usize, act: usize| {
        format!("the {} shall {}", SUBJECTS[subject % 6], ACTS[act % 5])
    };
    (from..from + count)
        .map(|n| {
            let (subject, act) = (n * 7 % 6, n * 3 % 5);
            let token = n % 2 == 1;
            let others = [1, 2, 3].map(|k| (subject + k) % 6);
            TrainItem {
                id: n as i64,
                anchor: n as i64,
                level: if token {
                    QcaLevel::Token
                } else {
                    QcaLevel::Sentence
                },
                question: format!(
                    "must {} {}",
                    ACTS[act],
                    if token {
                        "every year"
                    } else {
                        SUBJECTS[subject]
                    }
                ),
                answer: if token {
                    SUBJECTS[subject].into()
                } else {
                    sentence(subject, act)
                },
                negatives: others
                    .map(|other| {
                        if token {
                            SUBJECTS[other].to_owned()
                        } else {
                            sentence(other, act + 1)
                        }
                    })
                    .to_vec(),
                answer_group: -1,
                rephrased: token.then(|| sentence(subject, act)),
                rule: format!(
                    "every {} must not {} or {}",
                    SUBJECTS[subject],
                    ACTS[act],
                    ACTS[(act + 1) % 5]
                ),
            }
        })
        .collect()
}

pub fn stage(objective: Objective) -> StageSpec {
    StageSpec {
        objective,
        epochs: 4,
        batch_size: 6,
        learning_rate: 5e-3,
        warmup_steps: 1,
        ..sentence_stage()
    }
}

pub fn sentence_objective() -> SentenceObjective {
    SentenceObjective {
        temperature: 0.1,
        in_batch: true,
        pool: NegativePool::Batch,
        pooling: Pooling::Last,
        instruction: "the year".into(),
        all_levels: false,
    }
}

pub fn three_stages() -> Vec<StageSpec> {
    vec![
        stage(Objective::Sft {
            form: QuestionForm::Both,
            replay: 0.2,
        }),
        stage(Objective::Sentence(sentence_objective())),
        stage(Objective::Token {
            loss: TokenLossKind::Candidates,
        }),
    ]
}

pub fn decoder_job(stages: Vec<StageSpec>) -> TrainJob {
    let mut job = train_job();
    job.model.name = formula::DECODER.into();
    job.settings.stages = stages;
    job.settings.lora.targets = vec!["all-linear".into()];
    job.settings.max_length = 64;
    job.checkpoint_every = 5;
    job.evaluate_every = 5;
    job
}

/// A folder with the tiny models, and bundles in it.
pub struct Bench {
    pub folder: tempfile::TempDir,
    pub models: PathBuf,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let models = tiny_models(folder.path());
        formula::tiny_decoder(&models);
        Self { folder, models }
    }

    pub fn bundle(&self, name: &str, job: &TrainJob) -> PathBuf {
        self.bundle_of(name, job, &drafted(20, 100))
    }

    pub fn bundle_of(&self, name: &str, job: &TrainJob, dev: &[TrainItem]) -> PathBuf {
        let bundle = self.folder.path().join(name);
        train_bundle(&bundle, job, &drafted(60, 0), dev);
        if let Some(replay) = &job.replay {
            std::fs::write(
                bundle.join(replay),
                "{\"text\":\"a client may report to the board of the bank\"}\n",
            )
            .unwrap();
        }
        bundle
    }

    pub fn trained(&self, name: &str, job: &TrainJob) -> (TrainResult, Vec<u8>) {
        let bundle = self.bundle(name, job);
        run_well(&bundle, &self.models);
        (result(&bundle), adapter(&bundle))
    }
}

pub fn result(bundle: &Path) -> TrainResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Train(result) => result,
        other => panic!("{other:?}"),
    }
}

pub fn adapter(bundle: &Path) -> Vec<u8> {
    std::fs::read(
        bundle
            .join(result(bundle).adapter)
            .join("adapter_model.safetensors"),
    )
    .unwrap()
}

/// Trains a job without interruption, and once more in a run that is killed at two steps. Both must end with the same
/// weights and the same figures. Returns the bundle of the first run.
pub fn trained_and_killed(
    folder: &Path,
    models: &Path,
    job: &TrainJob,
    [train, dev]: [&[TrainItem]; 2],
) -> PathBuf {
    let (straight, killed) = (folder.join("straight"), folder.join("killed"));
    train_bundle(&straight, job, train, dev);
    run_well(&straight, models);
    train_bundle(&killed, job, train, dev);
    for (attempt, step) in [(1, 31), (2, 77)] {
        let mut child = start(&killed, models);
        wait_for_any_step(&killed, &mut child, attempt, step);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run_well(&killed, models);
    let resumed =
        |e: &Event| matches!(e, Event::Started { resumed_from: Some(_), step, .. } if *step >= 70);
    assert!(events(&killed).iter().any(|e| resumed(&e.event)));
    assert!(adapter(&straight) == adapter(&killed), "the weights differ");
    assert_eq!(result(&killed).stages, result(&straight).stages);
    straight
}
