//! The state of a run: colour, sign and word.

use super::icon::{Icon, Sign};
use crate::i18n::tag;
use leptos::prelude::*;
use lexforge_domain::api::RunState;

/// The state of a run.
#[component]
pub fn RunBadge(state: RunState) -> impl IntoView {
    let (class, icon) = match state {
        RunState::Queued | RunState::Starting | RunState::Unknown => ("badge", Icon::Clock),
        RunState::Running => ("badge info", Icon::Play),
        RunState::Paused => ("badge warn", Icon::Pause),
        RunState::Unfollowed => ("badge", Icon::Minus),
        RunState::Stopped => ("badge", Icon::Stop),
        RunState::Died | RunState::Failed => ("badge bad", Icon::Warning),
        RunState::Finished => ("badge ok", Icon::Check),
    };
    view! {
        <span class=class>
            <Sign icon small=true/>
            {tag("run_state", state.tag())}
        </span>
    }
}
