//! The grounds of a decision, in words.

use crate::format;
use crate::i18n::{t, tag, tf};
use lexforge_domain::gate::{GateGround, GateMeasure};

fn name(measure: GateMeasure) -> String {
    tag("measure", measure.tag())
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
        GateGround::TooFewAnchors { anchors, least } => tf(
            "gate.few_anchors",
            &[("n", &count(*anchors)), ("least", &count(*least))],
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
