//! What the last check said of the documents, in one line, before they are used as data.

use crate::format;
use crate::i18n::{tf, tn};
use leptos::prelude::*;
use lexforge_domain::api::CheckStanding;

/// The line. It stops nobody; a start is written into the chain with what was known.
#[component]
pub fn DataKnown(
    /// What is known.
    standing: CheckStanding,
) -> impl IntoView {
    let open = standing.unchecked + standing.personal + standing.unlicensed > 0;
    view! { <p class="t-small" class:c-warn=open>{line(standing)}</p> }
}

fn line(standing: CheckStanding) -> String {
    let n = format::count;
    let told = [
        (standing.unchecked > 0).then(|| tf("data.unchecked", &[("n", &n(standing.unchecked))])),
        (standing.personal > 0).then(|| tf("data.personal", &[("n", &n(standing.personal))])),
        (standing.noisy > 0).then(|| tf("data.noisy", &[("n", &n(standing.noisy))])),
        (standing.unlicensed > 0).then(|| tf("data.unlicensed", &[("n", &n(standing.unlicensed))])),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    let documents = tn("data.documents", standing.documents);
    match told.is_empty() {
        true => tf("data.nothing", &[("documents", &documents)]),
        false => tf(
            "data.line",
            &[("documents", &documents), ("told", &told.join(" · "))],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn what_the_last_check_said_is_one_line() {
        speak(Lang::En);
        let mut standing = CheckStanding {
            documents: 12,
            ..CheckStanding::default()
        };
        assert_eq!(
            line(standing),
            "The last check of the 12 documents in the data found nothing to look at"
        );
        standing.unchecked = 2;
        standing.unlicensed = 3;
        assert_eq!(
            line(standing),
            "The last check of the 12 documents in the data: 2 not checked · 3 with an unknown licence"
        );
    }
}
