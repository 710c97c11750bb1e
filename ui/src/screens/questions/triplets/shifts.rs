//! The shifts that are wanted.

use super::reason::shift_name;
use crate::fetched::Fetched;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::ShiftType;
use std::collections::BTreeSet;

/// The choice of shifts; at first all are wanted.
#[derive(Clone, Copy)]
pub struct Chosen(RwSignal<BTreeSet<String>>);

impl Chosen {
    pub fn new() -> Self {
        Self(RwSignal::new(BTreeSet::new()))
    }

    /// The shifts to which a request is limited; an empty list limits nothing. `None` if no shift is wanted.
    pub fn only(self, shifts: &[ShiftType], offline: bool) -> Option<Vec<String>> {
        self.0.with(|left_out| only(shifts, left_out, offline))
    }
}

/// Whether a shift can be made: without a language model only by an edit.
fn can_be_made(shift: &ShiftType, offline: bool) -> bool {
    !offline || !shift.edits.is_empty()
}

fn only(shifts: &[ShiftType], left_out: &BTreeSet<String>, offline: bool) -> Option<Vec<String>> {
    let there: Vec<&String> = shifts
        .iter()
        .filter(|shift| can_be_made(shift, offline))
        .map(|shift| &shift.tag)
        .collect();
    let wanted: Vec<String> = there
        .iter()
        .filter(|tag| !left_out.contains(**tag))
        .map(|tag| (*tag).clone())
        .collect();
    match wanted.len() {
        0 => None,
        n if n == there.len() => Some(Vec::new()),
        _ => Some(wanted),
    }
}

/// A button for each shift that can be made.
#[component]
pub fn Shifts(
    /// The known shifts.
    all: Fetched<Vec<ShiftType>>,
    /// The choice.
    chosen: Chosen,
    /// No language model makes them.
    offline: bool,
) -> impl IntoView {
    let chosen = chosen.0;
    let chips = move || {
        let all = all.value.get().unwrap_or_default();
        let chip = |shift: &ShiftType| {
            let (tag, other) = (shift.tag.clone(), shift.tag.clone());
            let pressed = move || (!chosen.with(|out| out.contains(&tag))).to_string();
            let turn = move |_| {
                chosen.update(|out| {
                    if !out.remove(&other) {
                        out.insert(other.clone());
                    }
                });
            };
            view! {
                <button class="chip" data-shift=shift.tag.clone() title=shift.what.clone() aria-pressed=pressed on:click=turn>
                    {shift_name(&all, &shift.tag)}
                </button>
            }
        };
        all.iter()
            .filter(|shift| can_be_made(shift, offline))
            .map(chip)
            .collect_view()
    };
    view! {
        <h3>{t("triplets.shifts")}</h3>
        <div class="row g-1 wrap" id="triplets-shifts">{chips}</div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_left_out_is_wanted() {
        let shift = |tag: &str, edits: &[&str]| ShiftType {
            tag: tag.to_owned(),
            en: String::new(),
            zh: String::new(),
            what: String::new(),
            edits: edits.iter().map(|&edit| edit.to_owned()).collect(),
        };
        let all = [
            shift("a", &["number"]),
            shift("b", &["time"]),
            shift("c", &[]),
        ];
        for (left_out, offline, expected) in [
            (&[][..], true, Some(&[][..])),
            (&[][..], false, Some(&[][..])),
            (&["c"][..], true, Some(&[][..])),
            (&["c"][..], false, Some(&["a", "b"][..])),
            (&["a"][..], true, Some(&["b"][..])),
            (&["a", "b"][..], true, None),
            (&["a", "b"][..], false, Some(&["c"][..])),
        ] {
            let out = left_out.iter().map(|&tag: &&str| tag.to_owned()).collect();
            let found = only(&all, &out, offline);
            let found: Option<Vec<&str>> = found
                .as_ref()
                .map(|tags| tags.iter().map(String::as_str).collect());
            assert_eq!(found.as_deref(), expected, "{left_out:?} {offline}");
        }
    }
}
