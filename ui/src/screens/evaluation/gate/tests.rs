use super::*;
use crate::i18n::{Lang, speak};

#[test]
fn vectors_are_told_to_be_an_adapters_by_its_hash() {
    let adapter = "0123456789abcdef0123456789abcdef";
    assert!(made_by(
        "all-MiniLM-L6-v2 + adapter 0123456789ab (mean, 256 tokens) ffff",
        adapter
    ));
    assert!(!made_by("all-MiniLM-L6-v2 (mean)", adapter));
    assert!(!made_by("all-MiniLM-L6-v2 (mean)", ""));
}

use lexforge_domain::gate::{CharacteristicSource, GateRates};

#[test]
fn too_few_questions_for_any_verdict_are_said_in_both_languages() {
    let characteristic = |undecided: f64| {
        let rates = GateRates {
            passes: 1.0 - undecided,
            undecided,
            ..GateRates::default()
        };
        Characteristic {
            from: CharacteristicSource::Measured,
            simulations: 2000,
            discordant: 0.1,
            within: 0.1,
            equal_passes: rates.passes,
            worse_stopped: [("3".to_owned(), 0.0)].into(),
            rates: ["0", "3"].map(|points| (points.to_owned(), rates)).into(),
            offers: Vec::new(),
        }
    };
    for (lang, never, usual) in [
        (
            Lang::En,
            "the answer will be “undecided”",
            "in 60\u{a0}% of",
        ),
        (Lang::Zh, "结论都会是“无法判定”", "为 60\u{a0}%"),
    ] {
        speak(lang);
        let (few, enough) = (characteristic(1.0), characteristic(0.4));
        assert!(how_often_right(&few).contains(never));
        assert!(!how_often_right(&few).contains('%'));
        let said = how_often_right(&enough);
        assert!(said.contains(usual) && !said.contains(never), "{said}");
    }
    speak(Lang::En);
}
