//! Which triplets are listed.

use super::reason::{reason, shift_name};
use crate::components::picker::Picker;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::api::{ShiftType, TripletCounts, TripletFilter};
use lexforge_domain::qca::Split;
use lexforge_domain::term::ReviewStatus;
use std::collections::BTreeMap;

/// The choice that lists what was rejected.
const TURNED_DOWN: &str = "turned_down";

/// A name with how many there are.
fn counted(name: &str, n: u64) -> String {
    tf(
        "rejected.counted",
        &[("reason", name), ("n", &format::count(n))],
    )
}

/// The choices of the verdict: those that occur, and the drafts that were rejected.
fn verdicts(counts: &TripletCounts) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = ReviewStatus::ALL
        .iter()
        .filter_map(|status| {
            let n = counts.by_status.get(status.tag())?;
            let name = counted(&tag("status", status.tag()), *n);
            Some((status.tag().to_owned(), name))
        })
        .collect();
    let turned_down = counts.turned_down.values().sum();
    if turned_down > 0 {
        let name = counted(&t("triplets.turned_down"), turned_down);
        all.push((TURNED_DOWN.to_owned(), name));
    }
    all
}

/// The choices of a count, the most frequent first.
fn choices(of: &BTreeMap<String, u64>, name: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let mut all: Vec<(&String, &u64)> = of.iter().filter(|(tag, _)| !tag.is_empty()).collect();
    all.sort_by_key(|(tag, n)| (std::cmp::Reverse(**n), (*tag).clone()));
    all.into_iter()
        .map(|(tag, n)| (tag.clone(), counted(&name(tag), *n)))
        .collect()
}

/// A verdict was chosen; empty = all that is kept.
fn decided(filter: &mut TripletFilter, verdict: &str) {
    filter.turned_down = verdict == TURNED_DOWN;
    filter.status = ReviewStatus::from_tag(verdict);
    filter.reason = None;
}

/// Verdict, shift, part, and for what was rejected the reason.
#[component]
pub fn Filters(
    filter: RwSignal<TripletFilter>,
    counts: Fetched<TripletCounts>,
    shifts: Fetched<Vec<ShiftType>>,
) -> impl IntoView {
    let of = move || counts.value.get().unwrap_or_default();
    let verdict = Signal::derive(move || {
        filter.with(|filter| match filter.turned_down {
            true => Some(TURNED_DOWN.to_owned()),
            false => filter.status.map(|status| status.tag().to_owned()),
        })
    });
    let named = Signal::derive(move || {
        let shifts = shifts.value.get().unwrap_or_default();
        choices(&of().by_shift, |tag| shift_name(&shifts, tag))
    });
    let parts = Split::ALL.map(|s| (s.tag().to_owned(), tag("split", s.tag())));
    let turned_down = Memo::new(move |_| filter.with(|filter| filter.turned_down));
    view! {
        <div class="pane-head filters">
            <Picker all=t("triplets.all_kept") choices=Signal::derive(move || verdicts(&of())) now=verdict
                chosen=move |tag: String| filter.update(|f| decided(f, &tag)) id="triplets-verdict"/>
            <Picker all=t("triplets.all_shifts") choices=named now=Signal::derive(move || filter.with(|f| f.shift.clone()))
                chosen=move |tag: String| filter.update(|f| f.shift = (!tag.is_empty()).then_some(tag)) id="triplets-shift"/>
            <Picker all=t("questions.all_parts") choices=parts.to_vec() now=Signal::derive(move || filter.with(|f| f.split.map(|x| x.tag().to_owned())))
                chosen=move |tag: String| filter.update(|f| f.split = Split::from_tag(&tag)) id="triplets-part"/>
            {move || turned_down.get().then(|| view! {
                <Picker all=t("rejected.all_reasons") choices=Signal::derive(move || choices(&of().turned_down, reason))
                    now=Signal::derive(move || filter.with(|f| f.reason.clone()))
                    chosen=move |tag: String| filter.update(|f| f.reason = (!tag.is_empty()).then_some(tag)) id="triplets-reason"/>
            })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_occurs_can_be_chosen_with_its_count() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let of = |all: &[(&str, u64)]| {
            all.iter()
                .map(|(tag, n)| ((*tag).to_owned(), *n))
                .collect::<BTreeMap<_, _>>()
        };
        let counts = TripletCounts {
            by_status: of(&[("accepted", 2), ("unreviewed", 1_200)]),
            by_shift: of(&[("a", 1), ("b", 5), ("", 3)]),
            turned_down: of(&[("copy", 4)]),
        };
        let tags = |all: Vec<(String, String)>| all.into_iter().map(|(tag, _)| tag);
        let verdicts: Vec<String> = tags(verdicts(&counts)).collect();
        assert_eq!(verdicts.len(), 3);
        assert_eq!(verdicts.last().map(String::as_str), Some(TURNED_DOWN));
        let shifts = choices(&counts.by_shift, str::to_owned);
        assert_eq!(tags(shifts).collect::<Vec<_>>(), ["b", "a"]);
    }

    #[test]
    fn what_was_turned_down_has_no_verdict() {
        let mut filter = TripletFilter::default();
        decided(&mut filter, TURNED_DOWN);
        assert!(filter.turned_down && filter.status.is_none());
        filter.reason = Some("copy".to_owned());
        decided(&mut filter, "accepted");
        assert!(!filter.turned_down && filter.reason.is_none());
        assert_eq!(filter.status, Some(ReviewStatus::Accepted));
        decided(&mut filter, "");
        assert_eq!(filter, TripletFilter::default());
    }
}
