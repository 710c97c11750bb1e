//! Tests of `grounds`.

use super::*;
use crate::i18n::{Lang, speak};

#[test]
fn a_gain_a_loss_and_no_difference_read_so_in_both_languages() {
    let passes = |low, high| {
        words(&GateGround::WithinMargin {
            measure: GateMeasure::F1,
            low,
            high: Some(high),
            margin: 0.02,
        })
    };
    for (lang, gain, loss, none) in [
        (
            Lang::En,
            "a gain of at least 14.5 points",
            "a loss of at most 1.2 points",
            "no difference shown",
        ),
        (
            Lang::Zh,
            "有提高，至少 14.5 个百分点",
            "有下降，至多 1.2 个百分点",
            "看不出差异",
        ),
    ] {
        speak(lang);
        for (said, wanted) in [
            (passes(0.145, 0.2), gain),
            (passes(-0.012, -0.003), loss),
            (passes(-0.012, 0.003), none),
        ] {
            assert!(said.contains(wanted), "{said}");
        }
    }
    speak(Lang::En);
}

#[test]
fn a_loss_that_stops_is_larger_than_what_is_tolerated_or_may_be() {
    let stops = |high| {
        words(&GateGround::Worse {
            measure: GateMeasure::F1,
            difference: -0.035,
            low: Some(-0.05),
            high,
            margin: 0.02,
        })
    };
    for (lang, is, may_be) in [
        (
            Lang::En,
            "A loss of up to 2.0 points is tolerated; this one is larger.",
            "this one may be larger.",
        ),
        (
            Lang::Zh,
            "允许下降 2.0 个百分点，此处超过了。",
            "此处可能超过。",
        ),
    ] {
        speak(lang);
        for (high, wanted) in [(-0.03, is), (-0.01, may_be)] {
            assert!(stops(high).ends_with(wanted), "{}", stops(high));
        }
    }
    speak(Lang::En);
}

#[test]
fn general_language_is_said_by_the_bound_that_decides_in_both_languages() {
    let kept = |change, low| {
        words(&GateGround::GeneralKept {
            change,
            low,
            floor: 0.02,
        })
    };
    let lost = |high| {
        words(&GateGround::GeneralLost {
            change: -0.04,
            high,
            floor: 0.02,
        })
    };
    let open = words(&GateGround::GeneralCannotTell {
        change: 0.0,
        low: -0.031,
        high: 0.03,
        floor: 0.02,
        pairs: 250,
        needed: Some(1_200),
    });
    assert!(open.ends_with("About 1,200 pairs would decide; there are 250."));
    let few = GateGround::GeneralTooFewGroups {
        groups: 3,
        least: 20,
        pairs: 250,
    };
    for (lang, told) in [
        (
            Lang::En,
            "too few groups of pairs to decide: 3, from 250 pairs; at least 20 are needed.",
        ),
        (
            Lang::Zh,
            "句对的组数太少，无法判断：250 个句对只有 3 组，至少需要 20 组。",
        ),
    ] {
        speak(lang);
        assert!(words(&few).contains(told), "{}", words(&few));
    }
    for (lang, gain, within, same, fell, old) in [
        (
            Lang::En,
            "rose by at least .004",
            "is at most .0198 lower than before. A fall of up to .0200",
            "is the same as before",
            "fell by .040, at least by .011. A loss of up to .020 is tolerated; this one may be larger.",
            "fell by .040. A fall of up to .020",
        ),
        (
            Lang::Zh,
            "至少上升 .004",
            "至多比训练前低 .0198。允许下降 .0200",
            "没有变化",
            "下降 .040，至少 .011。允许下降 .020，此处可能超过。",
            "下降 .040。允许下降 .020",
        ),
    ] {
        speak(lang);
        for (said, wanted) in [
            (kept(0.01, Some(0.004)), gain),
            (kept(0.01, Some(-0.0198)), within),
            (kept(0.0, Some(0.0)), same),
            (kept(0.0, None), same),
            (lost(Some(-0.011)), fell),
            (lost(None), old),
        ] {
            assert!(said.contains(wanted), "{said}");
        }
    }
    speak(Lang::En);
}

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
