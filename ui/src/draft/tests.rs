//! Tests of `draft`.

use super::*;

fn typed(figure: Figure, text: &str) -> Draft {
    Draft {
        figures: [(figure, text.to_owned())].into(),
        ..Draft::default()
    }
}

#[test]
fn an_empty_field_means_the_recipes_own_value() {
    for figure in Figure::FIRST.into_iter().chain(Figure::MORE) {
        assert!(figure.takes(" "), "{}", figure.tag());
    }
    assert_eq!(
        typed(Figure::Batch, " ").request().unwrap().batch_size,
        None
    );
    assert!(!typed(Figure::Batch, " ").is_changed());
}

#[test]
fn a_figure_is_read_or_nothing_is_asked() {
    for (figure, right, wrong) in [
        (Figure::Batch, "8", "1"),
        (Figure::Rate, "5e-4", "fast"),
        (Figure::Rate, "0.9", "1"),
        (Figure::MaxSteps, "400", "0"),
        (Figure::Temperature, "0.07", "-1"),
        (Figure::MaxLength, "128", "15"),
        (Figure::Seed, "0", "x"),
        (Figure::Threads, "0", "2.5"),
    ] {
        assert!(
            typed(figure, right).request().is_some(),
            "{} {right}",
            figure.tag()
        );
        assert_eq!(
            typed(figure, wrong).request(),
            None,
            "{} {wrong}",
            figure.tag()
        );
    }
    assert_eq!(
        typed(Figure::Rate, "5e-4").request().unwrap().learning_rate,
        Some(5e-4)
    );
}

#[test]
fn another_recipe_brings_its_own_figures_and_keeps_the_base() {
    let mut draft = typed(Figure::Epochs, "9");
    draft.base = Some("tiny".to_owned());
    draft.without = vec!["sft".to_owned()];
    draft.choose(Preset::Joint);
    assert_eq!(draft.base.as_deref(), Some("tiny"));
    assert!(!draft.is_changed());
}

#[test]
fn a_figure_that_is_tried_takes_the_place_of_the_one_value() {
    use crate::swept::Tried;
    let mut draft = typed(Figure::Rate, "5e-4");
    assert_eq!(draft.sweep(), None);
    draft.swept.put(Tried::Rate, "1e-4, 2e-4".to_owned());
    let sweep = draft.sweep().unwrap();
    assert_eq!(sweep.train.learning_rate, None);
    assert_eq!(sweep.axes.learning_rate, [1e-4, 2e-4]);
    // A single training keeps what was typed for it.
    assert_eq!(draft.request().unwrap().learning_rate, Some(5e-4));
    draft.swept.put(Tried::Rate, "fast".to_owned());
    assert_eq!(draft.sweep(), None);
    assert!(draft.request().is_some() && draft.is_changed());
}

#[test]
fn a_run_can_be_set_up_again() {
    let stage = |kind: &str, rate: f64| {
        serde_json::json!({ "objective": { "kind": kind, "loss": "paper" }, "epochs": 3, "batch_size": 8,
            "max_steps": 40, "learning_rate": rate, "warmup_steps": 1, "weight_decay": 0.0, "max_grad_norm": 1.0 })
    };
    let detail = serde_json::json!({
        "run": { "id": 1, "state": "failed", "recipe": "", "base": "own", "dataset": 1, "stage": "", "step": 1, "of": 1,
            "started": "", "best": null, "adapter": null, "loss": null, "eta_s": null, "failure": null,
            "evaluated": false },
        "settings": { "lora": { "r": 8, "alpha": 16.0, "dropout": 0.0, "targets": [] },
            "stages": [stage("contrastive_token", 1e-5), stage("token", 2e-5)], "max_length": 256, "seed": 7,
            "threads": 0, "activation_checkpointing": true },
        "device": "cpu", "result": null, "evaluation": null,
    });
    let mut draft = Draft::default();
    draft.take_over(
        Some(Preset::Thorough),
        &serde_json::from_value(detail).unwrap(),
    );
    let request = draft.request().unwrap();
    assert_eq!(request.base.as_deref(), Some("own"));
    assert_eq!(request.without, ["sft", "sentence"]);
    assert_eq!(
        (request.batch_size, request.max_steps, request.rank),
        (Some(8), Some(40), Some(8))
    );
    assert_eq!(request.learning_rate, None, "the stages differ in it");
    assert_eq!(
        (request.token_loss, request.activation_checkpointing),
        (Some(TokenLossKind::Paper), Some(true))
    );
}

#[test]
fn all_weights_have_no_rank_and_go_with_their_recipe() {
    let mut draft = typed(Figure::Rank, "8");
    draft.all_weights = true;
    let request = draft.request().unwrap();
    assert_eq!((request.tune, request.rank), (Some(Tune::All), None));
    assert!(draft.is_changed());
    draft.choose(Preset::Encoder);
    let request = draft.request().unwrap();
    assert_eq!((request.tune, draft.is_changed()), (None, false));
}

#[test]
fn an_advice_about_memory_fills_its_field() {
    let advice = |setting: &str, value: &str| MemoryAdvice {
        setting: setting.to_owned(),
        value: value.to_owned(),
        total_mb: 0.0,
    };
    let mut draft = Draft::default();
    assert!(draft.take(&advice("micro_batch", "4")));
    assert_eq!(draft.text(Figure::MicroBatch), "4");
    assert!(draft.take(&advice("activation_checkpointing", "true")));
    assert_eq!(draft.checkpointing, Some(true));
    assert!(draft.take(&advice("precision", "bf16")));
    assert_eq!(draft.precision, Some(Precision::Bf16));
    assert!(!draft.take(&advice("precision", "fp8")));
    assert!(!draft.take(&advice("colour", "blue")));
}

#[test]
fn a_teacher_is_asked_for_where_it_was_chosen() {
    let wanted = Distillation {
        share: 0.9,
        unlabelled: true,
        ..Distillation::default()
    };
    let mut draft = Draft {
        distillation: Some(wanted),
        ..Draft::default()
    };
    assert!(draft.is_changed());
    assert_eq!(draft.request().unwrap().distillation, Some(wanted));
    draft.choose(Preset::Nmixx);
    assert_eq!(draft.request().unwrap().distillation, None);
}

#[test]
fn complete_labels_are_named_for_the_search_alone() {
    let mut draft = Draft {
        preset: Some(Preset::Retrieval),
        complete_labels: true,
        ..Draft::default()
    };
    assert!(draft.is_changed());
    assert!(draft.request().unwrap().complete_labels);
    draft.choose(Preset::Nmixx);
    assert!(!draft.request().unwrap().complete_labels);
}

#[test]
fn a_training_goes_on_from_a_run_in_the_runs_own_way_until_another_base_is_chosen() {
    let detail = |tune: &str| -> RunDetail {
        serde_json::from_value(serde_json::json!({
            "run": { "id": 4, "state": "finished", "recipe": "", "base": "own", "dataset": null, "stage": "", "step": 1,
                "of": 1, "started": "", "best": null, "adapter": "a", "loss": null, "eta_s": null, "failure": null,
                "evaluated": false },
            "settings": { "lora": { "r": 8, "alpha": 16.0, "dropout": 0.0, "targets": [] }, "stages": [],
                "max_length": 256, "seed": 7, "threads": 0, "tune": tune },
            "device": "cpu", "result": null, "evaluation": null, "start_from": 2,
        }))
        .unwrap()
    };
    let mut draft = typed(Figure::Rank, "16");
    draft.preset = Some(Preset::Nmixx);
    draft.go_on_from(&detail("all"));
    let request = draft.request().unwrap();
    assert_eq!(request.start_from, Some(RunId(4)));
    assert_eq!(
        (request.base.as_deref(), request.tune, request.rank),
        (Some("own"), Some(Tune::All), None)
    );
    assert!(!draft.is_changed(), "its way of tuning is the run's");
    draft.choose(Preset::Gpl);
    assert_eq!(
        draft.request().unwrap().tune,
        Some(Tune::All),
        "another recipe goes on from the same run"
    );
    // A run of the same number in another workspace is another run.
    draft.begin_anew();
    let request = draft.request().unwrap();
    assert_eq!((request.start_from, request.tune), (None, None));
    assert_eq!(request.base.as_deref(), Some("own"));
    draft.all_weights = true;
    draft.begin_anew();
    assert_eq!(
        draft.request().unwrap().tune,
        Some(Tune::All),
        "it was chosen for the base model itself"
    );
    draft.go_on_from(&detail("lora"));
    assert_eq!(draft.request().unwrap().tune, None);
    // The settings of a run that was a second step are those of a second step.
    draft.take_over(Some(Preset::Nmixx), &detail("lora"));
    assert_eq!(draft.request().unwrap().start_from, Some(RunId(2)));
}
