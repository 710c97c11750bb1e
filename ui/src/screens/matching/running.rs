//! How far the matching is, how long it will take, and the way to end it.

use super::deeds::{MATCHING, cancel};
use crate::components::task_progress::TaskProgress;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Progress, Stage};

/// An estimate from less than this would jump about, in seconds.
const SETTLED: f64 = 2.0;

/// Since when a step is seen, and how far it was then.
#[derive(Clone, Copy, PartialEq)]
struct Begun {
    stage: Stage,
    at: f64,
    done: u64,
}

/// The job that matches.
#[component]
pub fn Running() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(MATCHING));
    let begun = StoredValue::new(None::<Begun>);
    let amount = move || {
        let progress = task.with(|task| task.as_ref()?.progress.clone())?;
        if progress.of == 0 {
            return None;
        }
        let now = js_sys::Date::now() / 1000.0;
        let known = begun.get_value().filter(|b| b.stage == progress.stage);
        let from = known.unwrap_or(Begun {
            stage: progress.stage,
            at: now,
            done: progress.done,
        });
        begun.set_value(Some(from));
        let (done, of) = (format::count(progress.done), format::count(progress.of));
        let amount = tf("match.done_of", &[("done", &done), ("of", &of)]);
        Some(match left(from, &progress, now) {
            Some(left) => [
                amount,
                tf("match.left", &[("time", &format::duration(left))]),
            ]
            .join(" · "),
            None => amount,
        })
    };
    view! {
        <span class="progress" id="match-running" role="status">
            <TaskProgress task/>
            <span class="t-small t-mute nowrap">{amount}</span>
        </span>
        <button class="btn sm" id="match-cancel" on:click=move |_| cancel(app)>{t("action.cancel")}</button>
    }
}

/// Seconds that are left of a step; none before that can be said.
fn left(from: Begun, progress: &Progress, now: f64) -> Option<f64> {
    let (took, made) = (now - from.at, progress.done.saturating_sub(from.done));
    let open = progress.of.saturating_sub(progress.done);
    (took >= SETTLED && made > 0).then(|| took / made as f64 * open as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_once_it_can_be_known() {
        let from = Begun {
            stage: Stage::Match,
            at: 100.0,
            done: 10,
        };
        let at = |done, now| {
            let progress = Progress {
                stage: Stage::Match,
                item: String::new(),
                done,
                of: 110,
            };
            left(from, &progress, now)
        };
        assert_eq!(at(60, 101.0), None);
        assert_eq!(at(10, 110.0), None);
        assert_eq!(at(60, 110.0), Some(10.0));
    }
}
