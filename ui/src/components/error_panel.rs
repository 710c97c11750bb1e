//! What failed, why and what to do, the code, and then the buttons.

use super::icon::{Icon, Sign};
use super::unlock::Unlock;
use crate::i18n::{Lang, lang, t, tag, text_in, tf};
use crate::remedies::worded;
use crate::said::translated;
use leptos::prelude::*;
use lexforge_domain::{Code, Failure};

/// A failure as a person reads it; its children are buttons, the remedy first.
#[component]
pub fn ErrorPanel(
    failure: Failure,
    /// Buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let code = failure.code.tag();
    let place = match failure.page {
        Some(page) => format!(
            "{code} · {}",
            tf("count.page_n", &[("n", &page.to_string())])
        ),
        None => code.clone(),
    };
    let head = tag("failure", &code);
    let title = failure
        .file
        .clone()
        .map_or_else(|| head.clone(), |file| format!("{file} · {head}"));
    let said = said(&failure, lang());
    let of_workspace = failure.code == Code::WorkspaceLocked;
    let locked = (of_workspace || failure.code == Code::KeyLocked)
        .then(|| failure.path.clone())
        .flatten();
    view! {
        <div class="error" role="alert" aria-label=t("error.label") title=failure.path.clone()>
            <Sign icon=Icon::Info/>
            <b>{title}</b>
            {said.message.map(|text| view! { <span class="t-small">{text}</span> })}
            {said.hint.map(|text| view! { <span class="t-small remedy">{text}</span> })}
            {said.detail.map(|text| view! { <span class="detail" lang="en">{text}</span> })}
            {locked.map(|path| view! { <Unlock path of_workspace/> })}
            <span class="code">{place}</span>
            {children.map(|children| view! { <span class="acts">{children()}</span> })}
        </div>
    }
}

/// The remedy for a failure, in the user's language if there are words for it.
pub fn remedy_of(failure: &Failure, lang: Lang) -> Option<String> {
    said(failure, lang).hint
}

/// The texts of a panel in the user's language.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    message: Option<String>,
    hint: Option<String>,
    /// The program's own message, if the window has another language.
    detail: Option<String>,
}

/// A failure in the user's language. If the remedy is one of the known values, the window has its own words for it.
/// The failure's message comes in English. In another language its translation is shown (see [`crate::said`]); without
/// a translation, the English text is shown as a detail. A remedy that is only text and has no translation is replaced
/// by the remedy for the failure's code.
fn said(failure: &Failure, lang: Lang) -> Said {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let own = failure
        .remedy
        .as_ref()
        .and_then(|remedy| worded(remedy, lang));
    let by_code = || text_in(lang, &format!("failure_hint.{}", failure.code.tag()));
    if lang == Lang::En {
        let hint = own.or_else(|| some(&failure.hint)).or_else(by_code);
        return Said {
            message: some(&failure.message),
            hint,
            detail: None,
        };
    }
    let hint = own
        .or_else(|| translated(&failure.hint, lang))
        .or_else(by_code)
        .or_else(|| some(&failure.hint));
    let message = translated(&failure.message, lang);
    let detail = match message {
        Some(_) => None,
        None => some(&failure.message),
    };
    Said {
        message,
        hint,
        detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_chinese_it_says_what_happened_and_what_to_do() {
        let failure = Failure::new(
            Code::PasswordRequired,
            "The file is locked with a password.",
            "Give the password, or save a copy of the file without one.",
        );
        let chinese = said(&failure, Lang::Zh);
        assert_eq!(chinese.message.as_deref(), Some("文件受密码保护。"));
        assert!(chinese.hint.is_some_and(|hint| hint.contains("副本")));
        assert_eq!(chinese.detail, None);
    }

    #[test]
    fn without_a_translation_the_remedy_comes_by_the_code() {
        let failure = Failure::new(
            Code::PasswordRequired,
            "Nobody said this before.",
            "Give the password.",
        );
        let english = said(&failure, Lang::En);
        assert_eq!(english.hint.as_deref(), Some("Give the password."));
        let chinese = said(&failure, Lang::Zh);
        assert!(chinese.hint.is_some_and(|hint| hint.contains("密码")));
        assert_eq!(chinese.detail.as_deref(), Some("Nobody said this before."));
        assert_eq!(chinese.message, None);
    }

    #[test]
    fn no_command_is_read_in_the_window() {
        use lexforge_domain::Remedy;
        use lexforge_domain::id::RunId;
        let failure = Failure::new(
            Code::WorkerDied,
            "It ended.",
            Remedy::ResumeRun { run: RunId(7) },
        );
        for lang in [Lang::En, Lang::Zh] {
            let hint = said(&failure, lang).hint.unwrap_or_default();
            assert!(hint.contains('7') && !hint.contains("lexforge"), "{hint}");
        }
        let told = Failure::new(
            Code::StepMissing,
            "Nothing is there.",
            Remedy::ImportDocument,
        );
        assert!(
            said(&told, Lang::Zh)
                .hint
                .is_some_and(|hint| hint.contains("文档库"))
        );
    }
}
