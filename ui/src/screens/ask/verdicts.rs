//! What a person thinks of an answer.

use super::copied::copy;
use super::deeds::judge;
use crate::components::icon::{Icon, Sign};
use crate::i18n::t;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::AnswerId;
use lexforge_domain::api::{Answer, AnswerVerdict};

/// The verdicts that fit an answer: where nothing was found, only whether that is right.
pub fn fitting(found: bool) -> &'static [AnswerVerdict] {
    if found {
        &AnswerVerdict::ALL
    } else {
        &[AnswerVerdict::Right, AnswerVerdict::Wrong]
    }
}

/// A verdict in words.
pub fn words(verdict: AnswerVerdict, found: bool) -> String {
    match (verdict, found) {
        (AnswerVerdict::Right, true) => t("verdict.right"),
        (AnswerVerdict::Wrong, true) => t("verdict.wrong"),
        (AnswerVerdict::Incomplete, true) => t("verdict.incomplete"),
        (AnswerVerdict::ShouldHaveRefused, true) => t("verdict.should_have_refused"),
        (AnswerVerdict::Right | AnswerVerdict::ShouldHaveRefused, false) => {
            t("verdict.right_to_refuse")
        }
        (AnswerVerdict::Wrong | AnswerVerdict::Incomplete, false) => t("verdict.is_answered"),
    }
}

/// The newest verdict on an answer.
fn verdict(app: App, id: AnswerId) -> Option<AnswerVerdict> {
    app.ask.history.value.with(|rows| {
        rows.iter()
            .flatten()
            .find(|row| row.id == id)
            .and_then(|row| row.verdict)
    })
}

/// The buttons; a verdict can be changed.
#[component]
pub fn Verdicts(answer: Answer) -> impl IntoView {
    let app = use_app();
    let found = answer.found;
    let buttons = answer.id.map(|id| {
        let chosen = Memo::new(move |_| verdict(app, id));
        fitting(found)
            .iter()
            .enumerate()
            .map(|(at, verdict)| {
                let verdict = *verdict;
                view! {
                    <button
                        class="btn sm"
                        data-verdict=verdict.tag()
                        aria-pressed=move || (chosen.get() == Some(verdict)).to_string()
                        on:click=move |_| judge(app, id, verdict)
                    >
                        <kbd>{(at + 1).to_string()}</kbd>
                        {words(verdict, found)}
                    </button>
                }
            })
            .collect_view()
    });
    let kept = StoredValue::new(answer);
    view! {
        <div class="row wrap verdicts" role="group" aria-label=t("verdict.label")>
            <span class="t-small t-mute" aria-hidden="true">{t("verdict.label")}</span>
            {buttons}
            <span class="row push">
                <button class="btn ghost sm" id="copy-answer" on:click=move |_| copy(app, kept.get_value())>
                    <Sign icon=Icon::File small=true/>
                    {t("answering.copy")}
                </button>
                <button class="btn ghost sm" id="print-answer" on:click=|_| crate::keys::print()>
                    <Sign icon=Icon::Out small=true/>
                    {t("action.print")}
                </button>
            </span>
        </div>
    }
}

/// Keeps the verdict of a number on the answer that is shown.
pub fn judge_by_number(app: App, number: usize) {
    let shown = app
        .ask
        .answer
        .with_untracked(|answer| answer.as_ref().and_then(|a| Some((a.id?, a.found))));
    if let Some((id, found)) = shown
        && let Some(verdict) = number.checked_sub(1).and_then(|at| fitting(found).get(at))
    {
        judge(app, id, *verdict);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_said_as_fits_the_answer() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let said = |found: bool| {
            fitting(found)
                .iter()
                .map(|verdict| words(*verdict, found))
                .collect::<Vec<_>>()
        };
        let (answered, refused) = (said(true), said(false));
        assert_eq!((answered.len(), refused.len()), (4, 2));
        assert!(refused.iter().all(|words| !answered.contains(words)));
    }
}
