//! Recipes that tune all weights.
#![allow(clippy::unwrap_used)]

use super::tests::base;
use super::*;
use lexforge_domain::Code;
use lexforge_domain::protocol::Precision;

const ITEMS: ItemCounts = ItemCounts {
    all: 1000,
    sentence: 600,
    token: 400,
    rules: 300,
    labelled: 4614,
    triplets: 800,
    meanings: 0,
};

fn request() -> TrainRequest {
    TrainRequest {
        preset: Some(Preset::Retrieval),
        tune: Some(Tune::All),
        ..TrainRequest::default()
    }
}

#[test]
fn all_weights_bring_a_rate_of_their_own_and_keep_the_rest_of_the_recipe() {
    let encoder = base(false, 22_000_000);
    let all = Recipe::of(&request(), &encoder, ITEMS).unwrap();
    let low_rank = TrainRequest {
        tune: None,
        ..request()
    };
    let low_rank = Recipe::of(&low_rank, &encoder, ITEMS).unwrap();
    assert_eq!(
        (all.settings.tune, low_rank.settings.tune),
        (Tune::All, Tune::Lora)
    );
    let rate = |recipe: &Recipe| recipe.settings.stages[0].learning_rate;
    assert_eq!((rate(&all), rate(&low_rank)), (5e-5, 5e-4));
    assert_eq!(all.stages, low_rank.stages);
    assert_eq!(all.settings.lora.r, 0, "an older worker refuses it");
    assert_eq!(
        all.label(),
        "retrieval · retrieval stage (all weights)",
        "the two stand apart in lists"
    );
    assert_eq!(Preset::of_label(&all.label()), Some(Preset::Retrieval));
    // A rate of the user's own goes before.
    let own = TrainRequest {
        learning_rate: Some(2e-5),
        ..request()
    };
    assert_eq!(rate(&Recipe::of(&own, &encoder, ITEMS).unwrap()), 2e-5);
    // What runs recorded before there was a choice is a low-rank adapter.
    let text = serde_json::to_string(&low_rank.settings).unwrap();
    assert!(!text.contains("tune"), "{text}");
    let read: TrainSettings = serde_json::from_str(&text).unwrap();
    assert_eq!(read, low_rank.settings);
}

#[test]
fn all_weights_of_a_decoder_or_with_a_rank_are_refused_in_words() {
    let check = |request: TrainRequest, base: &InspectResult, words: &str| {
        let failure = Recipe::of(&request, base, ITEMS).unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest, "{failure}");
        assert!(failure.message.contains(words), "{failure}");
        assert!(!failure.hint.is_empty());
    };
    let of_decoder = TrainRequest {
        preset: None,
        precision: Some(Precision::Nf4),
        ..request()
    };
    check(of_decoder, &base(true, 4_000_000), "encoders alone");
    let with_rank = TrainRequest {
        rank: Some(8),
        ..request()
    };
    check(with_rank, &base(false, 22_000_000), "rank");
}
