//! A failure that belongs to no place on the screen.

use super::error_panel::ErrorPanel;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;

/// Shows the latest such failure until it is put away.
#[component]
pub fn Alert() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="alerts" aria-live="assertive">
            {move || {
                app.failure
                    .get()
                    .map(|failure| {
                        view! {
                            <ErrorPanel failure>
                                <button class="btn sm" id="put-away" on:click=move |_| app.failure.set(None)>
                                    {t("error.put_away")}
                                </button>
                            </ErrorPanel>
                        }
                    })
            }}
        </div>
    }
}
