//! The interface: a page that Leptos draws in the web view of the window shell.
//!
//! [`state`] is what the page knows, and [`backend`] what it can ask of the shell. [`screens`] has one folder for each
//! screen, and [`components`] what the screens share. [`review`] is the queue in which terms and questions are decided,
//! and [`reading`] the page with its marked region. [`help`] says what each screen is for, and [`actions`] lists
//! everything that a button does; [`waits`] holds the requests that have no answer yet. Strings come from the locale
//! files through [`i18n`], figures are written by [`mod@format`]; colours and sizes are only in the style sheets.
#![forbid(unsafe_code)]

pub mod actions;
pub mod app;
mod attempt;
pub mod backend;
mod bench_time;
pub mod choices;
pub mod clipboard;
pub mod components;
pub mod draft;
pub mod fetched;
pub mod format;
mod found;
mod fuzzy;
mod hearing;
pub mod help;
pub mod i18n;
pub mod imports;
mod in_view;
pub mod keys;
pub mod notify;
mod opening;
pub mod out_of_force;
pub mod outcomes;
pub mod pace;
pub mod place;
pub mod power;
pub mod prefs;
pub mod reading;
pub mod reasons;
pub mod recent;
mod reloading;
mod remedies;
pub mod review;
pub mod route;
pub mod said;
pub mod screens;
pub mod state;
pub mod swept;
pub mod text_size;
mod theme;
pub mod toast;
pub mod waits;

#[cfg(test)]
mod contrast;

/// Shows the page in place of the line that stands there until this program runs.
pub fn start() {
    let line = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("begins"));
    if let Some(line) = line {
        line.remove();
    }
    leptos::mount::mount_to_body(app::Page);
}
