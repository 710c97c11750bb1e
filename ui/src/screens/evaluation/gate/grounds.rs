//! The grounds of a decision, in words.

use crate::format;
use crate::i18n::{t, tag, tf, tn};
use lexforge_domain::dataset::ClusterKind;
use lexforge_domain::gate::{GateGround, GateMeasure};

fn name(measure: GateMeasure) -> String {
    tag("measure", measure.tag())
}

/// So many clusters by what they are: `12 sections`.
pub fn units(unit: &str, n: u64) -> String {
    let known = ClusterKind::from_tag(unit).map_or("cluster", ClusterKind::tag);
    tn(&format!("units.{known}"), n)
}

/// The keys of all units.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let known = ClusterKind::ALL.map(ClusterKind::tag);
    let units = known.into_iter().chain(["cluster"]);
    units
        .flat_map(|unit| ["one", "other"].map(|form| format!("units.{unit}.{form}")))
        .collect()
}

/// A ground as a sentence.
pub fn words(ground: &GateGround) -> String {
    let count = |n: u32| format::count(n.into());
    match ground {
        GateGround::WithinMargin {
            measure,
            low,
            margin,
        } => tf(
            "gate.within",
            &[
                ("measure", &name(*measure)),
                ("low", &format::change(*low)),
                ("margin", &format::share(*margin)),
            ],
        ),
        GateGround::Worse {
            measure,
            difference,
            high,
            margin,
        } => tf(
            "gate.worse",
            &[
                ("measure", &name(*measure)),
                ("change", &format::change(*difference)),
                ("high", &format::change(*high)),
                ("margin", &format::share(*margin)),
            ],
        ),
        GateGround::CannotTell {
            measure,
            low,
            high,
            margin,
        } => tf(
            "gate.cannot_tell",
            &[
                ("measure", &name(*measure)),
                ("interval", &format::change_interval(*low, *high)),
                ("margin", &format::share(*margin)),
            ],
        ),
        GateGround::SameModel => t("gate.same"),
        GateGround::TooFewAnchors {
            anchors,
            least,
            unit,
        } => tf(
            "gate.few_anchors",
            &[
                ("n", &units(unit, (*anchors).into())),
                ("least", &count(*least)),
            ],
        ),
        GateGround::TooFewQuestions { questions, least } => tf(
            "gate.few_questions",
            &[("n", &count(*questions)), ("least", &count(*least))],
        ),
        GateGround::Shortcut {
            accuracy, chance, ..
        } => tf(
            "gate.shortcut",
            &[
                ("accuracy", &format::share(*accuracy)),
                ("chance", &format::share(*chance)),
            ],
        ),
        GateGround::Unreviewed => t("gate.unreviewed"),
        GateGround::Leaks { leaks } => tf("gate.leaks", &[("n", &count(*leaks))]),
        GateGround::GeneralLost { change, floor } => tf(
            "gate.general_lost",
            &[
                ("change", &format::change(*change)),
                ("floor", &format::share(*floor)),
            ],
        ),
        GateGround::GeneralNotMeasured => t("gate.general_missing"),
        GateGround::AttackLost {
            attack,
            change,
            high,
            floor,
        } => tf(
            "gate.attack_lost",
            &[
                ("attack", &tag("attack", attack)),
                ("change", &format::change(*change)),
                ("high", &format::change(*high)),
                ("floor", &format::share(*floor)),
            ],
        ),
        GateGround::AttackCannotTell {
            attack,
            low,
            high,
            floor,
        } => tf(
            "gate.attack_unclear",
            &[
                ("attack", &tag("attack", attack)),
                ("interval", &format::change_interval(*low, *high)),
                ("floor", &format::share(*floor)),
            ],
        ),
        GateGround::AttackNotMeasured => t("gate.attack_missing"),
        GateGround::ExportNotProved => t("gate.no_export"),
        GateGround::OtherSnapshot { dataset } => {
            tf("gate.other_snapshot", &[("n", &dataset.to_string())])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn the_unit_is_said_as_what_it_is_in_both_languages() {
        let few = |unit: &str| {
            words(&GateGround::TooFewAnchors {
                anchors: 12,
                least: 30,
                unit: unit.to_owned(),
            })
        };
        for (lang, section, article, unknown) in [
            (Lang::En, "12 sections", "12 articles", "12 clusters"),
            (Lang::Zh, "12 个章节", "12 个条款", "12 个簇"),
        ] {
            speak(lang);
            for (unit, said) in [("section", section), ("article", article), ("", unknown)] {
                assert!(few(unit).contains(said), "{}", few(unit));
            }
        }
        speak(Lang::En);
        assert_eq!(units("section", 1), "1 section");
    }
}
