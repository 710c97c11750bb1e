//! Which keys there are, by where they work. The list of all keys and the help of each screen show this.

use crate::i18n::t;
use crate::review::bindings::{Bindings, Deed};
use crate::route::Route;
use leptos::prelude::*;

/// Where keys work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Everywhere,
    /// G and a letter.
    Screens,
    Library,
    /// The queues of Terms and Questions.
    Review,
    Graph,
    Ask,
    Match,
}

/// Keys, and what they do.
pub struct Line {
    keys: Vec<String>,
    text: String,
}

fn line(keys: &[&str], text: String) -> Line {
    Line {
        keys: keys.iter().map(|&key| key.to_owned()).collect(),
        text,
    }
}

impl Group {
    /// All groups in the order in which they are listed.
    pub const ALL: [Self; 7] = [
        Self::Everywhere,
        Self::Screens,
        Self::Library,
        Self::Review,
        Self::Graph,
        Self::Ask,
        Self::Match,
    ];

    /// The keys that a screen has beside those that work everywhere.
    pub fn of(route: Route) -> Option<Self> {
        match route {
            Route::Library => Some(Self::Library),
            Route::Terms | Route::Questions => Some(Self::Review),
            Route::Graph => Some(Self::Graph),
            Route::Ask => Some(Self::Ask),
            Route::Match => Some(Self::Match),
            Route::Training | Route::Evaluation | Route::Activity | Route::Settings => None,
        }
    }

    /// Its heading.
    pub fn title(self) -> String {
        match self {
            Self::Everywhere => t("keys.everywhere"),
            Self::Screens => t("keys.screens"),
            Self::Library => Route::Library.title(),
            Self::Review => format!("{} · {}", Route::Terms.title(), Route::Questions.title()),
            Self::Graph => Route::Graph.title(),
            Self::Ask => Route::Ask.title(),
            Self::Match => Route::Match.title(),
        }
    }

    /// Its keys.
    pub fn lines(self, bindings: &Bindings) -> Vec<Line> {
        match self {
            Self::Everywhere => everywhere(),
            Self::Screens => Route::ALL
                .into_iter()
                .map(|route| line(&["G", route.key().1], route.title()))
                .collect(),
            Self::Library => {
                let mut lines = vec![
                    line(&["J", "K"], t("keys.sentence")),
                    line(&["↵"], t("keys.pin")),
                ];
                lines.extend(reading());
                lines
            }
            Self::Review => review(bindings),
            Self::Graph => vec![
                line(&["↑", "↓", "←", "→"], t("keys.graph_walk")),
                line(&["↵"], t("keys.graph_enter")),
                line(&["⌫"], t("keys.graph_back")),
                line(&["Home"], t("keys.graph_centre")),
                line(&["␣"], t("keys.graph_details")),
                line(&["F"], t("keys.graph_fold")),
                line(&["+", "−"], t("keys.zoom")),
            ],
            Self::Ask => {
                let mut lines = vec![
                    line(&["↵"], t("keys.ask")),
                    line(&["Esc"], t("keys.leave_box")),
                    line(&["J", "K"], t("keys.citation")),
                    line(&["↵"], t("keys.citation_page")),
                    line(&["1", "–", "4"], t("keys.verdict")),
                ];
                lines.extend(reading());
                lines
            }
            Self::Match => {
                let mut lines = vec![
                    line(&["↑", "↓"], t("keys.match_rule")),
                    line(&["A"], t("keys.match_accept")),
                    line(&["C", "1", "–", "4"], t("keys.match_correct")),
                    line(&["L"], t("keys.match_link")),
                    line(&["N"], t("keys.match_note")),
                    line(&["O"], t("keys.match_assign")),
                    line(&["Ctrl", "↵"], t("keys.match_keep")),
                    line(&["P"], t("keys.match_page")),
                    line(&["Esc"], t("keys.match_close")),
                    line(&["U"], t("keys.match_undo")),
                    line(&["Ctrl", "Z"], t("keys.match_undo")),
                ];
                lines.extend(reading());
                lines
            }
        }
    }
}

fn everywhere() -> Vec<Line> {
    vec![
        line(&["Ctrl", "K"], t("keys.palette")),
        line(&["Ctrl", "I"], t("keys.import")),
        line(&["Ctrl", "J"], t("keys.tray")),
        line(&["Ctrl", "F"], t("keys.find")),
        line(&["Ctrl", ","], t("keys.settings")),
        line(&["Ctrl", "P"], t("keys.print")),
        line(&["Ctrl", "+", "−", "0"], t("keys.text_size")),
        line(&["F6"], t("keys.pane")),
        line(&["F1"], t("help.title")),
        line(&["?"], t("keys.help")),
        line(&["Esc"], t("keys.close")),
        line(&["↑", "↓", "PgUp", "PgDn"], t("keys.row")),
        line(&["␣"], t("keys.mark_row")),
        line(&["↵"], t("keys.take")),
        line(&["←", "→"], t("keys.tabs")),
    ]
}

/// The keys of a page that is read.
fn reading() -> [Line; 2] {
    [
        line(&["[", "]"], t("keys.page")),
        line(&["+", "−"], t("keys.zoom")),
    ]
}

/// The keys of the queues, as they are set here.
fn review(bindings: &Bindings) -> Vec<Line> {
    let mut lines: Vec<Line> = Deed::ALL
        .into_iter()
        .map(|deed| line(&[&bindings.letter(deed)], deed.title()))
        .collect();
    lines.extend([
        line(&["↑", "↓"], t("keys.candidate")),
        line(&["1", "–", "9"], t("keys.mark")),
        line(&["0", "–", "5"], t("keys.score")),
        line(&["1", "–", "9"], t("keys.conflict")),
        line(&["Ctrl", "↵"], t("keys.settle")),
        line(&["Esc"], t("keys.leave_form")),
    ]);
    lines
}

/// These lines as cells of a table of two columns: the keys, and what they do.
pub fn rows(lines: Vec<Line>) -> impl IntoView {
    let row = |line: Line| {
        let keys = line.keys.into_iter();
        view! {
            <span class="row g-1">{keys.map(|key| view! { <kbd>{key}</kbd> }).collect_view()}</span>
            <span>{line.text}</span>
        }
    };
    lines.into_iter().map(row).collect_view()
}

#[cfg(test)]
mod tests;
