//! What a tuning gains and what it forgets, as a picture over the share of the tuning that counts.

use crate::components::blend::{Blend, Share};
use crate::i18n::{t, tf};
use crate::said::said;
use leptos::prelude::*;
use lexforge_domain::api::TripletFigures;

/// The set of pairs by which a tuning gains, where no triplet was measured: that of the workspace.
fn gain_set(found: &TripletFigures) -> Option<usize> {
    (found.triplets == 0 && found.own).then_some(0)
}

/// The sets that can show what is forgotten, those of files first.
fn others(found: &TripletFigures) -> Vec<usize> {
    let own = usize::from(found.own);
    let of_files = own..found.sets.len();
    let all = of_files.chain(0..own);
    all.filter(|at| Some(*at) != gain_set(found)).collect()
}

/// The name of the figure by which a tuning gains.
fn gain_name(found: &TripletFigures) -> String {
    match gain_set(found) {
        Some(at) => set_name(found, at),
        None => t("measuring.accuracy"),
    }
}

/// What a set is called, with its figure.
fn set_name(found: &TripletFigures, at: usize) -> String {
    let set = found.sets.get(at).map(|(set, _)| said(set));
    let set = set.unwrap_or_default();
    tf("measuring.rho", &[("set", &set)])
}

/// The points of the picture, with the figure of this set beside the gain.
fn shares(found: &TripletFigures, general: Option<usize>) -> Vec<Share> {
    let own = gain_set(found);
    let points = found.points.iter();
    points
        .map(|point| {
            let rho = |at: usize| point.similarity.get(at).map(|rho| rho.value);
            let gain = match own {
                Some(at) => rho(at),
                None => point.accuracy.map(|accuracy| accuracy.value),
            };
            Share {
                percent: point.percent,
                gain: gain.filter(|value| value.is_finite()),
                general: general.and_then(rho).filter(|value| value.is_finite()),
            }
        })
        .collect()
}

/// The picture, and which set is drawn in it if there are several.
#[component]
pub fn GainAndLoss(found: TripletFigures) -> impl IntoView {
    let sets: Vec<(usize, String)> = others(&found)
        .into_iter()
        .map(|at| (at, set_name(&found, at)))
        .collect();
    let general = RwSignal::new(sets.first().map(|(at, _)| *at));
    let found = StoredValue::new(found);
    let names = StoredValue::new(sets.clone());
    let picture = move || {
        let general = general.get();
        let name = names.with_value(|names| {
            let named = names.iter().find(|(at, _)| Some(*at) == general);
            named.map(|(_, name)| name.clone()).unwrap_or_default()
        });
        found.with_value(|found| {
            view! { <Blend points=shares(found, general) gain=gain_name(found) general=name/> }
        })
    };
    let choose = (sets.len() > 1).then(|| {
        let options = sets
            .into_iter()
            .map(|(at, name)| view! { <option value=at.to_string()>{name}</option> })
            .collect_view();
        view! {
            <label class="row g-1 t-small">
                <span class="t-mute">{t("measuring.forgets_by")}</span>
                <span class="picker">
                    <select class="select" id="measure-general" on:change:target=move |event| general.set(event.target().value().parse().ok())>
                        {options}
                    </select>
                </span>
            </label>
        }
    });
    view! {
        <h3>{t("labels.tuning")}</h3>
        {choose}
        {picture}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::RunId;
    use lexforge_domain::api::{Bounded, TripletPoint};
    use lexforge_domain::qca::Split;
    use std::collections::BTreeMap;

    fn figures(triplets: u64, own: bool) -> TripletFigures {
        let bounded = |value| Bounded {
            value,
            interval: None,
        };
        let point = |percent, accuracy, rho: [f64; 2]| TripletPoint {
            percent,
            accuracy: (triplets > 0).then(|| bounded(accuracy)),
            by_shift: BTreeMap::new(),
            similarity: rho.map(bounded).to_vec(),
            pearson: Vec::new(),
            gained: Vec::new(),
            gained_p: Vec::new(),
        };
        TripletFigures {
            run: Some(RunId(3)),
            base: "base".to_owned(),
            split: Split::Test,
            triplets,
            clusters: 2,
            sets: vec![("one.csv".to_owned(), 30), ("two.csv".to_owned(), 40)],
            own,
            points: vec![point(0, 0.5, [0.6, 0.82]), point(100, 0.9, [0.7, f64::NAN])],
            remarks: Vec::new(),
        }
    }

    #[test]
    fn the_gain_is_that_on_triplets_or_on_the_own_pairs_and_another_set_shows_the_loss() {
        for (triplets, own, sets, gains) in [
            (4, false, &[0, 1][..], [Some(0.5), Some(0.9)]),
            (4, true, &[1, 0][..], [Some(0.5), Some(0.9)]),
            (0, true, &[1][..], [Some(0.6), Some(0.7)]),
            (0, false, &[0, 1][..], [None, None]),
        ] {
            let found = figures(triplets, own);
            assert_eq!(others(&found), sets, "{triplets} {own}");
            let points = shares(&found, Some(1));
            assert_eq!(
                points.iter().map(|p| p.gain).collect::<Vec<_>>(),
                gains,
                "{triplets} {own}"
            );
            // A correlation that has no value is not drawn.
            assert_eq!(
                points.iter().map(|p| p.general).collect::<Vec<_>>(),
                [Some(0.82), None]
            );
            assert!(shares(&found, None).iter().all(|p| p.general.is_none()));
        }
    }
}
