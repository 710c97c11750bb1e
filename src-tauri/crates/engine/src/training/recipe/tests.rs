#![allow(clippy::unwrap_used, clippy::panic)]

use super::super::presets::{LARGE_RATE, SMALL_RATE, settings};
use super::*;
use lexforge_domain::Code;
use lexforge_domain::protocol::{Decay, Pooling, TextReading, TokenLossKind, TripletLoss};

pub(super) fn base(decoder: bool, parameters: u64) -> InspectResult {
    InspectResult {
        name: if decoder { "a-decoder" } else { "an-encoder" }.to_owned(),
        sha256: String::new(),
        architecture: if decoder { "qwen3" } else { "bert" }.to_owned(),
        parameters,
        layers: 2,
        hidden_size: 64,
        vocabulary: 8192,
        max_positions: 512,
        dtype: "F32".to_owned(),
        bytes: 0,
        decoder,
        chat_template: decoder,
        problems: Vec::new(),
        memory: None,
        reading: None,
        reading_assumed: false,
        vocabulary_use: Vec::new(),
    }
}

pub(super) fn small() -> InspectResult {
    base(true, 4_000_000)
}

pub(super) const ITEMS: ItemCounts = ItemCounts {
    meanings: 0,
    all: 1000,
    sentence: 600,
    token: 400,
    rules: 300,
    labelled: 0,
    triplets: 800,
};

fn stages(recipe: &Recipe) -> Vec<(&str, u64)> {
    recipe
        .stages
        .iter()
        .map(|s| (s.name.as_str(), s.steps))
        .collect()
}

#[test]
fn each_preset_is_what_its_name_says() {
    let recipe = |preset, base: &InspectResult| {
        Recipe::of(
            &TrainRequest {
                preset: Some(preset),
                ..TrainRequest::default()
            },
            base,
            ITEMS,
        )
        .unwrap()
    };
    let paper = recipe(Preset::TermgptPaper, &base(true, 8_000_000_000));
    assert_eq!(
        stages(&paper),
        [("sft", 189), ("sentence", 114), ("token", 75)]
    );
    let lora = &paper.settings.lora;
    assert_eq!(
        (lora.r, lora.alpha, lora.dropout, lora.targets.len()),
        (16, 32.0, 0.05, 7)
    );
    let sft = &paper.settings.stages[0];
    assert_eq!(
        (
            sft.learning_rate,
            sft.batch_size,
            sft.epochs,
            sft.weight_decay
        ),
        (1e-5, 16, 3, 0.01)
    );
    assert_eq!(
        (sft.max_grad_norm, sft.decay, paper.settings.seed),
        (1.0, Decay::Linear, 42)
    );
    assert!(matches!(
        paper.settings.stages[2].objective,
        Objective::Token {
            loss: TokenLossKind::Paper
        }
    ));
    match &paper.settings.stages[1].objective {
        Objective::Sentence(s) => assert_eq!((s.temperature, s.pooling), (0.05, Pooling::Last)),
        other => panic!("{other:?}"),
    }
    assert!(
        paper.warnings.iter().any(|w| w.contains("100")),
        "its warm-up does not fit: {:?}",
        paper.warnings
    );

    let quick = recipe(Preset::QuickLook, &small());
    assert!(
        quick
            .stages
            .iter()
            .all(|s| s.steps <= QUICK_STEPS as u64 && s.steps > 0),
        "{:?}",
        quick.stages
    );
    assert_eq!(quick.settings.stages[0].learning_rate, SMALL_RATE);
    assert_eq!(
        recipe(Preset::QuickLook, &base(true, 8_000_000_000))
            .settings
            .stages[0]
            .learning_rate,
        LARGE_RATE
    );
    assert!(
        recipe(Preset::Thorough, &small())
            .settings
            .stages
            .iter()
            .all(|s| s.patience.is_some())
    );
    let joint = recipe(Preset::Joint, &small());
    let article = |pooling| Objective::Joint {
        temperature: 0.07,
        sentence: 0.4,
        token: 0.6,
        pooling,
        term_layer: None,
    };
    let objectives = |recipe: &Recipe| -> Vec<Objective> {
        let stages = recipe.settings.stages.iter();
        stages.map(|s| s.objective.clone()).collect()
    };
    assert_eq!(objectives(&joint), [article(Pooling::Mean)]);
    let mut first_token = base(false, 22_000_000);
    first_token.reading = Some(TextReading {
        pooling: Pooling::Cls,
        ..TextReading::default()
    });
    let of_encoder = recipe(Preset::EncoderJoint, &first_token);
    assert_eq!(objectives(&of_encoder), [article(Pooling::Cls)]);
    assert_eq!(of_encoder.label(), "encoder joint · joint");
    assert_eq!(
        Preset::of_label(&of_encoder.label()),
        Some(Preset::EncoderJoint)
    );
    let gritlm = recipe(Preset::Gritlm, &small());
    match objectives(&gritlm).as_slice() {
        [Objective::Gritlm(s)] => assert_eq!(
            (s.temperature, s.pooling, s.in_batch, s.all_levels),
            (0.05, Pooling::Mean, true, true)
        ),
        other => panic!("{other:?}"),
    }
    let contrastive = recipe(Preset::ContrastiveToken, &small());
    assert_eq!(objectives(&contrastive), [Objective::ContrastiveToken]);
    for (recipe, label) in [
        (&gritlm, "GritLM · gritlm"),
        (&contrastive, "contrastive token · contrastive_token"),
    ] {
        assert_eq!(recipe.label(), label);
        assert_eq!(Preset::of_label(label), Some(recipe.preset));
        assert_eq!(stages(recipe)[0].1, 3 * (ITEMS.all as u64).div_ceil(16));
    }
    let encoder = recipe(Preset::Encoder, &base(false, 22_000_000));
    assert_eq!(encoder.label(), "encoder · sentence stage");
    let gpl = recipe(Preset::Gpl, &base(false, 22_000_000));
    assert_eq!(Preset::of_label(&gpl.label()), Some(Preset::Gpl));
    assert!(matches!(
        &gpl.settings.stages[0].objective,
        Objective::Triplets(of) if of.loss == TripletLoss::MarginMse && of.of_cosines
    ));
    let nmixx = recipe(Preset::Nmixx, &base(false, 22_000_000));
    assert_eq!(Preset::of_label(&nmixx.label()), Some(Preset::Nmixx));
    let stage = &nmixx.settings.stages[0];
    assert_eq!(
        (stage.learning_rate, stage.epochs, stage.decay),
        (5e-5, 1, Decay::Constant)
    );
    // 800 triplets, 16 a step, a tenth of the steps to warm up.
    assert_eq!(
        (stages(&nmixx), stage.warmup_steps),
        (vec![("triplets", 50)], 5)
    );
    let rules = recipe(Preset::RulesAndPolicies, &base(false, 22_000_000));
    assert_eq!(
        Preset::of_label(&rules.label()),
        Some(Preset::RulesAndPolicies)
    );
    match objectives(&rules).as_slice() {
        // Cosine × 20.
        [Objective::Triplets(t)] => assert_eq!(
            (t.loss, t.temperature),
            (TripletLoss::MultipleNegatives, 0.05)
        ),
        other => panic!("{other:?}"),
    }
    // Whole epochs within the default number of steps: 63 batches an epoch.
    assert_eq!(stages(&encoder), [("sentence", 126)]);
}

#[test]
fn an_encoder_is_adapted_in_all_its_linear_layers_by_their_own_names() {
    let targets = |architecture: &str| {
        let base = InspectResult {
            architecture: architecture.to_owned(),
            ..base(false, 1_000_000)
        };
        settings(Preset::Encoder, &base).lora.targets.join(" ")
    };
    assert_eq!(targets("bert"), "query key value dense");
    assert_eq!(targets("xlm-roberta"), "query key value dense");
    assert_eq!(targets("distilbert"), "q_lin k_lin v_lin out_lin lin1 lin2");
    assert_eq!(targets("mpnet"), "q k v o dense");
    assert_eq!(targets("modernbert"), "Wqkv Wo Wi");
    assert_eq!(
        targets("deberta-v2"),
        "query_proj key_proj value_proj dense"
    );
    assert_eq!(targets("t5"), "all-linear");
}

#[test]
fn without_a_preset_the_base_decides() {
    let of = |base: &InspectResult| {
        Recipe::of(&TrainRequest::default(), base, ITEMS)
            .unwrap()
            .preset
    };
    assert_eq!(
        (of(&small()), of(&base(false, 1))),
        (Preset::QuickLook, Preset::Encoder)
    );
}

#[test]
fn figures_of_the_user_take_the_place_of_the_recipes() {
    let request = TrainRequest {
        without: vec!["sft".to_owned()],
        token_loss: Some(TokenLossKind::Divergence),
        rank: Some(8),
        max_length: Some(4096),
        batch_size: Some(10),
        micro_batch: Some(99),
        epochs: Some(1),
        temperature: Some(0.1),
        patience: Some(2),
        ..TrainRequest::default()
    };
    let recipe = Recipe::of(&request, &small(), ITEMS).unwrap();
    assert_eq!(stages(&recipe), [("sentence", 60), ("token", 40)]);
    assert_eq!(
        (recipe.settings.lora.r, recipe.settings.lora.alpha),
        (8, 16.0)
    );
    assert_eq!(recipe.settings.max_length, 512, "the model reads no more");
    assert!(recipe.warnings.iter().any(|w| w.contains("512")));
    assert!(
        recipe
            .settings
            .stages
            .iter()
            .all(|s| s.micro_batch == Some(10) && s.patience == Some(2))
    );
    assert_eq!(recipe.label(), "quick look · sentence, token (divergence)");
}

#[test]
fn what_cannot_be_is_refused_in_one_sentence() {
    let check = |request: TrainRequest, base: &InspectResult, words: &str| {
        let failure = Recipe::of(&request, base, ITEMS).unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest, "{failure}");
        assert!(failure.message.contains(words), "{failure}");
        assert!(!failure.hint.is_empty());
    };
    let request = TrainRequest::default;
    let without = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    check(
        TrainRequest {
            without: without(&["tokens"]),
            ..request()
        },
        &small(),
        "tokens",
    );
    check(
        TrainRequest {
            preset: Some(Preset::Nmixx),
            attacks: true,
            ..request()
        },
        &base(false, 22_000_000),
        "under attack",
    );
    check(
        TrainRequest {
            without: without(&["sft", "sentence", "token"]),
            ..request()
        },
        &small(),
        "left out",
    );
    check(
        TrainRequest {
            preset: Some(Preset::QuickLook),
            ..request()
        },
        &base(false, 1),
        "encoder",
    );
    check(
        TrainRequest {
            preset: Some(Preset::Encoder),
            ..request()
        },
        &small(),
        "decoder",
    );
    check(
        TrainRequest {
            token_loss: Some(TokenLossKind::Paper),
            ..request()
        },
        &base(false, 1),
        "token loss",
    );
    let no_token = TrainRequest {
        without: without(&["token"]),
        token_loss: Some(TokenLossKind::Paper),
        ..request()
    };
    check(no_token, &small(), "token loss");
    let no_vectors = TrainRequest {
        without: without(&["sentence"]),
        temperature: Some(0.1),
        ..request()
    };
    check(no_vectors, &small(), "temperature");
    check(
        TrainRequest {
            threads: Some(100_000),
            ..request()
        },
        &small(),
        "more than 1024 threads",
    );
    check(
        TrainRequest {
            rank: Some(0),
            ..request()
        },
        &small(),
        "rank",
    );
    check(
        TrainRequest {
            batch_size: Some(0),
            ..request()
        },
        &small(),
        "batch size",
    );
    check(
        TrainRequest {
            learning_rate: Some(f64::NAN),
            ..request()
        },
        &small(),
        "learning rate",
    );
    check(
        TrainRequest {
            max_length: Some(3),
            ..request()
        },
        &small(),
        "16 tokens",
    );
}

#[test]
fn a_stage_without_questions_is_planned_with_no_step_and_left_out() {
    let mut recipe = Recipe::of(
        &TrainRequest::default(),
        &small(),
        ItemCounts { token: 0, ..ITEMS },
    )
    .unwrap();
    assert_eq!(stages(&recipe)[2], ("token", 0));
    assert!(recipe.warnings.iter().any(|w| w.contains("token")));
    recipe.keep_what_can_be_learnt();
    assert_eq!(recipe.settings.stages.len(), 2);
}

#[test]
fn stages_are_added_where_they_belong() {
    let items = ItemCounts {
        all: 90,
        sentence: 50,
        token: 40,
        rules: 30,
        labelled: 0,
        triplets: 0,
        meanings: 0,
    };
    let check = |with: &[&str], without: &[&str], expected: Option<&[(&str, u64)]>| {
        let own = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        let request = TrainRequest {
            with: own(with),
            without: own(without),
            ..TrainRequest::default()
        };
        let recipe = Recipe::of(&request, &small(), items);
        let found = recipe
            .map(|r| {
                r.stages
                    .into_iter()
                    .map(|s| (s.name, s.items))
                    .collect::<Vec<_>>()
            })
            .ok();
        let expected = expected.map(|e| {
            e.iter()
                .map(|(n, i)| ((*n).to_owned(), *i))
                .collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "{with:?} {without:?}");
    };
    let (sft, sentence, token) = (("sft", 90), ("sentence", 50), ("token", 40));
    check(&[], &[], Some(&[sft, sentence, token]));
    check(
        &["plain_text"],
        &[],
        Some(&[("plain_text", 30), sft, sentence, token]),
    );
    check(
        &["mntp", "plain_text"],
        &[],
        Some(&[("plain_text", 30), sft, ("mntp", 30), sentence, token]),
    );
    check(
        &["contrastive_token"],
        &["token"],
        Some(&[sft, sentence, ("contrastive_token", 90)]),
    );
    check(&["mntp"], &["sentence"], None);
    check(&["dance"], &[], None);
    // An encoder writes no token that could be compared with those before it.
    let of_encoder = TrainRequest {
        with: vec!["contrastive_token".to_owned()],
        ..TrainRequest::default()
    };
    let failure = Recipe::of(&of_encoder, &base(false, 22_000_000), items).unwrap_err();
    assert!(failure.message.contains("contrastive_token"), "{failure}");
}

#[test]
fn general_language_is_learnt_again_where_there_is_a_text_and_an_sft_stage() {
    let check =
        |file: Option<&str>, share: Option<f64>, without: &[&str], expected: Option<f64>| {
            let request = TrainRequest {
                replay: file.map(str::to_owned),
                replay_share: share,
                without: without.iter().map(|n| (*n).to_owned()).collect(),
                ..TrainRequest::default()
            };
            let found = Recipe::of(
                &request,
                &small(),
                ItemCounts {
                    all: 90,
                    ..ItemCounts::default()
                },
            )
            .ok();
            let found = found.and_then(|recipe| match recipe.settings.stages.first()?.objective {
                Objective::Sft { replay, .. } => Some(replay),
                _ => None,
            });
            assert_eq!(found, expected, "{file:?} {share:?} {without:?}");
        };
    check(None, None, &[], Some(0.0));
    check(Some("a.txt"), None, &[], Some(0.1));
    check(Some("a.txt"), Some(0.25), &[], Some(0.25));
    check(None, Some(0.25), &[], None);
    check(Some("a.txt"), Some(1.0), &[], None);
    check(Some("a.txt"), None, &["sft"], None);
}
