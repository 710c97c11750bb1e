use super::*;
use lexforge_domain::api::{CARD_SETTINGS, CARD_VALUES};
use lexforge_domain::protocol::Objective;

/// Both kinds of bases and sizes that a recipe can get.
fn bases(preset: Preset) -> [InspectResult; 2] {
    let large = usual_base(preset);
    let small = InspectResult {
        parameters: 4_000_000,
        ..large.clone()
    };
    [large, small]
}

#[test]
fn each_setting_of_a_recipe_with_a_source_has_an_entry() {
    for preset in Preset::ALL {
        let Some(publication) = publication(preset) else {
            continue;
        };
        for base in bases(preset) {
            for (setting, _) in values(&settings(preset, &base)) {
                let stated = publication.facts.iter().any(|f| f.setting == setting);
                let not_stated = publication.not_stated.contains(&setting);
                assert!(stated || not_stated, "{}: {setting}", preset.tag());
            }
        }
    }
}

#[test]
fn each_setting_and_each_word_of_a_card_has_a_name_in_the_window() {
    let is_word = |value: &&str| value.parse::<f64>().is_err() && !value.contains(['+', ',', '–']);
    for card in recipe_cards() {
        for line in card.lines {
            assert!(CARD_SETTINGS.contains(&line.setting.as_str()), "{line:?}");
            if ["stages", "precision", "targets"].contains(&line.setting.as_str()) {
                continue;
            }
            let published = line.published.as_deref().unwrap_or_default();
            let values = line.here.split(" / ").chain(published.split(" / "));
            for value in values.filter(|value| !value.is_empty()).filter(is_word) {
                assert!(CARD_VALUES.contains(&value), "{value}");
            }
        }
    }
}

#[test]
fn a_recipe_says_why_it_departs_and_never_without_a_reason_of_its_own() {
    for preset in Preset::ALL {
        for base in bases(preset) {
            let Some(card) = card(preset, &base, &settings(preset, &base)) else {
                continue;
            };
            for line in card.lines {
                let departs = line.standing == Standing::Departs;
                let why = line.why.as_deref();
                assert_eq!(why.is_some(), departs, "{line:?}");
                assert_ne!(why, Some(CHANGED), "{}: {line:?}", preset.tag());
            }
        }
    }
}

#[test]
fn what_is_as_published_is_found_by_its_value() {
    let base = usual_base(Preset::TermgptPaper);
    let mut run = settings(Preset::TermgptPaper, &base);
    let of = |run: &TrainSettings, setting: &str| {
        let card = card(Preset::TermgptPaper, &base, run).unwrap();
        let mut lines = card.lines.into_iter();
        lines.find(|line| line.setting == setting).unwrap()
    };
    assert_eq!(of(&run, "learning_rate").standing, Standing::AsPublished);
    assert_eq!(of(&run, "rank").standing, Standing::AsInCode);
    assert_eq!(of(&run, "max_length").standing, Standing::NotStated);
    assert_eq!(of(&run, "negatives").standing, Standing::Departs);
    for stage in &mut run.stages {
        stage.learning_rate = 3e-4;
    }
    let changed = of(&run, "learning_rate");
    assert_eq!(
        (changed.here.as_str(), changed.standing),
        ("3e-4", Standing::Departs)
    );
    assert_eq!(changed.published.as_deref(), Some("5e-6 / 1e-5 / 5e-5"));
    assert_eq!(changed.why.as_deref(), Some(CHANGED));
}

#[test]
fn a_stage_that_a_run_adds_is_none_of_the_publication() {
    let base = usual_base(Preset::TermgptPaper);
    let mut run = settings(Preset::TermgptPaper, &base);
    run.stages[0].objective = Objective::MaskedNextToken { share: 0.15 };
    let card = card(Preset::TermgptPaper, &base, &run).unwrap();
    let of = |setting: &str| card.lines.iter().find(|line| line.setting == setting);
    assert_eq!(of("share").unwrap().standing, Standing::Added);
    assert_eq!(of("stages").unwrap().why.as_deref(), Some(CHANGED));
}

#[test]
fn a_number_within_published_bounds_is_as_published() {
    let base = usual_base(Preset::Nmixx);
    let mut run = settings(Preset::Nmixx, &base);
    let standing = |run: &TrainSettings| {
        let card = card(Preset::Nmixx, &base, run).unwrap();
        let mut lines = card.lines.into_iter();
        lines
            .find(|line| line.setting == "batch_size")
            .unwrap()
            .standing
    };
    assert_eq!(standing(&run), Standing::AsPublished);
    run.stages[0].batch_size = 65;
    assert_eq!(standing(&run), Standing::Departs);
}
