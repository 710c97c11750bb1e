//! Papers for people who sign: each is written as a page at a chosen place, with its data beside it.

use super::ended::Ended;
use crate::backend::{Answer, call, commands};
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::i18n::{Lang, lang, t, tf};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::PaperLanguage;

/// The kind of job that writes a paper; its title is the page's path.
const PAPER: &str = "paper";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// The systems that stand side by side.
    Comparison,
    /// The decision of the gate about a run.
    Decision(RunId),
    /// The card of a run's model.
    Card(RunId),
    /// What has moved.
    Drift,
}

impl Paper {
    /// The suggested name of the page's file.
    fn file_name(self, workspace: &str) -> String {
        match self {
            Self::Comparison => format!("{workspace}-comparison.html"),
            Self::Decision(run) => format!("{workspace}-gate-run-{run}.html"),
            Self::Card(run) => format!("{workspace}-card-run-{run}.html"),
            Self::Drift => format!("{workspace}-drift.html"),
        }
    }

    fn id(self) -> &'static str {
        match self {
            Self::Comparison => "paper-comparison",
            Self::Decision(_) => "paper-decision",
            Self::Card(_) => "paper-card",
            Self::Drift => "paper-drift",
        }
    }

    fn name(self) -> String {
        match self {
            Self::Comparison => t("paper.comparison"),
            Self::Decision(_) => t("paper.decision"),
            Self::Card(_) => t("paper.card"),
            Self::Drift => t("paper.drift"),
        }
    }

    async fn write(self, attack: bool, path: String) -> Answer<u64> {
        // The page speaks as the window does when it is asked for.
        let language = Some(match lang() {
            Lang::En => PaperLanguage::English,
            Lang::Zh => PaperLanguage::Chinese,
        });
        match self {
            Self::Comparison => {
                call(commands::WriteComparison {
                    attack,
                    path,
                    language,
                })
                .await
            }
            Self::Decision(run) => {
                call(commands::WriteDecision {
                    run,
                    path,
                    language,
                })
                .await
            }
            Self::Card(run) => {
                call(commands::WriteCard {
                    run,
                    attack,
                    path,
                    language,
                })
                .await
            }
            Self::Drift => call(commands::WriteDrift { path, language }).await,
        }
    }

    /// Whether attacks can be measured for it.
    fn has_attacks(self) -> bool {
        matches!(self, Self::Comparison | Self::Card(_))
    }

    /// Asks where, and begins to write.
    fn begin(self, app: App, attack: bool) {
        let workspace = app
            .workspace
            .with_untracked(|ws| ws.as_ref().map(|ws| ws.name.clone()).unwrap_or_default());
        let name = self.file_name(&workspace);
        let written = async move {
            let extension = "html".to_owned();
            match call(commands::PickSave { name, extension }).await? {
                Some(path) => self.write(attack, path).await,
                None => Ok(0),
            }
        };
        app.attempt_once(t("wait.choose"), written, |_| ());
    }
}

/// The papers of a place: a button each, and how far the one is that is being written.
#[component]
pub fn Papers(papers: Vec<Paper>) -> impl IntoView {
    let app = use_app();
    let attack = RwSignal::new(false);
    let task = Memo::new(move |_| app.busy(PAPER));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    let attackable = papers.iter().any(|paper| paper.has_attacks());
    let papers = StoredValue::new(papers);
    let buttons = move || {
        papers
            .get_value()
            .into_iter()
            .map(|paper| {
                view! {
                    <button class="btn" id=paper.id() on:click=move |_| paper.begin(app, attack.get_untracked())>
                        <Sign icon=Icon::File/>
                        {paper.name()}
                    </button>
                }
            })
            .collect_view()
    };
    let acts = move || match working.get() {
        Some(_) => view! { <Cancellable task name="paper"/> }.into_any(),
        None => view! {
            <div class="row paper-acts">{buttons()}</div>
            {attackable.then(|| view! {
                <label class="check t-small">
                    <input
                        type="checkbox"
                        id="paper-attack"
                        prop:checked=move || attack.get()
                        on:change:target=move |event| attack.set(event.target().checked())
                    />
                    <span>{t("paper.attack")}</span>
                </label>
            })}
        }
        .into_any(),
    };
    let written = Memo::new(move |_| {
        app.tasks.with(|tasks| {
            let last = tasks.iter().rev().find(|task| task.kind == PAPER)?;
            (last.done && last.failure.is_none()).then(|| last.title.clone())
        })
    });
    view! {
        <div class="stack papers" id="papers">
            {acts}
            <Ended kind=PAPER stopped=t("paper.stopped")/>
            {move || written.get().map(|path| view! {
                <div class="wrap-anywhere" id="paper-written"><Note tone=Tone::Ok>{tf("paper.written", &[("path", &path)])}</Note></div>
            })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_paper_has_a_file_and_a_button_of_its_own() {
        let all = [
            Paper::Comparison,
            Paper::Decision(RunId(2)),
            Paper::Card(RunId(2)),
            Paper::Drift,
        ];
        let files: Vec<String> = all.iter().map(|paper| paper.file_name("bank")).collect();
        assert_eq!(
            files,
            [
                "bank-comparison.html",
                "bank-gate-run-2.html",
                "bank-card-run-2.html",
                "bank-drift.html"
            ]
        );
        let mut ids: Vec<&str> = all.iter().map(|paper| paper.id()).collect();
        ids.dedup();
        assert_eq!(ids.len(), all.len());
    }
}
