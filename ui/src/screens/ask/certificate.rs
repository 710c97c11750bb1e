//! How often answers are wrong here, as far as it was measured: a bound with its confidence, or why there is none.

use super::deeds::{MEASURING, certified_way, measure};
use super::figures::{percent, promised};
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Answer, Certificate, CertificateGap};

/// The four states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Valid,
    Void,
    NotYet,
    NotMeasured,
}

impl State {
    fn of(certificate: &Certificate) -> Self {
        match (certificate.valid, certificate.reason) {
            (true, _) => Self::Valid,
            (
                _,
                Some(
                    CertificateGap::CorpusChanged
                    | CertificateGap::EncoderChanged
                    | CertificateGap::IndexChanged
                    | CertificateGap::WriterChanged
                    | CertificateGap::LabelsChanged
                    | CertificateGap::SeveralParts
                    | CertificateGap::FalsePremise
                    | CertificateGap::GoesOn,
                ),
            ) => Self::Void,
            (_, Some(CertificateGap::TooFewLabels | CertificateGap::TooManyWrong)) => Self::NotYet,
            (_, Some(CertificateGap::NotMeasured) | None) => Self::NotMeasured,
        }
    }

    fn tag(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Void => "void",
            Self::NotYet => "not_yet",
            Self::NotMeasured => "not_measured",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Valid => "cert ok",
            Self::Void => "cert warn",
            Self::NotYet | Self::NotMeasured => "cert",
        }
    }

    fn icon(self) -> Icon {
        match self {
            Self::Valid => Icon::Shield,
            Self::Void => Icon::Warning,
            Self::NotYet | Self::NotMeasured => Icon::Info,
        }
    }
}

/// The words of the certificate, and the figures behind it.
pub fn said(certificate: &Certificate) -> (String, String) {
    let bound = || {
        tf(
            "certificate.bound",
            &[
                ("alpha", &promised(certificate.alpha)),
                ("confidence", &promised(certificate.confidence)),
            ],
        )
    };
    let joined =
        |parts: Vec<Option<String>>| parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let checked = (certificate.n > 0).then(|| {
        tf(
            "certificate.checked",
            &[
                ("n", &format::count(u64::from(certificate.n))),
                ("wrong", &format::count(u64::from(certificate.wrong))),
            ],
        )
    });
    let answered = certificate
        .answered_share
        .map(|share| tf("certificate.answered", &[("share", &percent(share))]));
    let made = certificate
        .made
        .as_ref()
        .map(|made| tf("certificate.made", &[("when", &format::minute(made))]));
    let writer = certificate
        .writer
        .as_ref()
        .map(|writer| tf("certificate.writer", &[("model", &writer.model)]));
    let needed =
        (certificate.needed > 0).then(|| tn("certificate.needed", u64::from(certificate.needed)));
    match (State::of(certificate), certificate.reason) {
        (State::Valid, _) => (bound(), joined(vec![checked, answered, writer, made])),
        (State::Void, reason) => {
            let title = match reason {
                Some(CertificateGap::EncoderChanged) => t("certificate.void_encoder"),
                Some(CertificateGap::IndexChanged) => t("certificate.void_index"),
                Some(CertificateGap::WriterChanged) => t("certificate.void_writer"),
                Some(CertificateGap::LabelsChanged) => t("certificate.void_labels"),
                Some(CertificateGap::SeveralParts) => t("certificate.void_parts"),
                Some(CertificateGap::FalsePremise) => t("certificate.void_premise"),
                Some(CertificateGap::GoesOn) => t("certificate.void_goes_on"),
                _ => t("certificate.void_corpus"),
            };
            let before = tf("certificate.before", &[("bound", &bound())]);
            (title, joined(vec![Some(before), checked, writer, made]))
        }
        (State::NotYet, Some(CertificateGap::TooManyWrong)) => (
            t("certificate.too_many_wrong"),
            joined(vec![checked, needed, writer, made]),
        ),
        (State::NotYet, _) => (
            t("certificate.not_yet"),
            joined(vec![needed, checked, writer, made]),
        ),
        (State::NotMeasured, _) => (
            t("certificate.not_measured"),
            match certificate.needed {
                0 => t("certificate.not_measured_text"),
                n => format::sentences(&[
                    t("certificate.not_measured_text"),
                    tn("certificate.needed_first", u64::from(n)),
                ]),
            },
        ),
    }
}

/// What a certificate promises, with its share of wrong answers and its confidence.
fn explanation(certificate: &Certificate) -> String {
    tf(
        "certificate.explanation",
        &[
            ("alpha", &promised(certificate.alpha)),
            ("confidence", &promised(certificate.confidence)),
        ],
    )
}

/// Whether today's certificate does not apply to this answer. This is so in four cases:
/// - the answer has several parts;
/// - the answer is about another day;
/// - the answer contradicts an assumption of the question;
/// - the question continues an earlier one.
pub fn is_apart(answer: &Answer) -> bool {
    let of_its_own = matches!(
        answer.certificate.reason,
        Some(CertificateGap::FalsePremise | CertificateGap::GoesOn)
    );
    of_its_own
        || !answer.parts.is_empty()
        || !format::minute(&answer.asked).starts_with(&answer.as_of)
}

/// The certificate as it is now; as long as that is not known, the one that came with the answer.
#[component]
pub fn CertificateLine(
    /// The certificate that came with the answer.
    given: Certificate,
    /// Whether this is the answer's only certificate ([`is_apart`]). It can only become void.
    apart: bool,
) -> impl IntoView {
    let app = use_app();
    let explained = RwSignal::new(false);
    let task = Memo::new(move |_| app.busy(MEASURING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    move || {
        let certificate = app
            .ask
            .certificate
            .value
            .get()
            .filter(|_| app.ask.certificate.failure.with(Option::is_none))
            .filter(|_| !apart || given.valid)
            .unwrap_or_else(|| given.clone());
        let state = State::of(&certificate);
        let (title, behind) = said(&certificate);
        let explanation = explanation(&certificate);
        let again = match state {
            State::Void => t("certificate.measure_again"),
            _ => t("certificate.measure"),
        };
        let measuring = move || {
            if working.get() {
                view! { <Cancellable task/> }.into_any()
            } else {
                view! { <button class="btn sm" id="cert-measure" disabled=move || app.waits.has(&t("wait.plan")) on:click=move |_| measure(app, untrack(|| certified_way(app)))>{again.clone()}</button> }
                    .into_any()
            }
        };
        view! {
            <section class=state.class() id="certificate" data-state=state.tag() aria-label=t("certificate.title")>
                <Sign icon=state.icon()/>
                <div class="stack g-half">
                    <b>{title}</b>
                    <small>{behind}</small>
                </div>
                <div class="cert-acts">
                    {(state != State::Valid).then_some(measuring)}
                    <button
                        class="link t-small nowrap"
                        id="cert-explain"
                        aria-expanded=move || explained.get().to_string()
                        on:click=move |_| explained.update(|on| *on = !*on)
                    >
                        {t("certificate.explain")}
                    </button>
                </div>
                {move || explained.get().then(|| view! { <p class="t-small" id="cert-explained">{explanation.clone()}</p> })}
            </section>
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{answer, certificate};
    use super::*;
    use lexforge_domain::api::AnswerPart;

    #[test]
    fn an_answer_in_parts_or_of_another_day_has_its_own_certificate() {
        assert!(!is_apart(&answer()));
        let mut of_another_day = answer();
        of_another_day.as_of = "2021-06-30".to_owned();
        assert!(is_apart(&of_another_day));
        let mut in_parts = answer();
        in_parts.parts.push(AnswerPart {
            question: "by whom".to_owned(),
            statements: Vec::new(),
            unsure: false,
        });
        assert!(is_apart(&in_parts));
        for reason in [CertificateGap::FalsePremise, CertificateGap::GoesOn] {
            let mut of_its_own = answer();
            of_its_own.certificate.reason = Some(reason);
            assert!(is_apart(&of_its_own), "{reason:?}");
        }
    }

    #[test]
    fn each_gap_has_its_state() {
        for (valid, reason, tag) in [
            (true, None, "valid"),
            (false, None, "not_measured"),
            (false, Some(CertificateGap::NotMeasured), "not_measured"),
            (false, Some(CertificateGap::TooFewLabels), "not_yet"),
            (false, Some(CertificateGap::TooManyWrong), "not_yet"),
            (false, Some(CertificateGap::CorpusChanged), "void"),
            (false, Some(CertificateGap::EncoderChanged), "void"),
            (false, Some(CertificateGap::IndexChanged), "void"),
            (false, Some(CertificateGap::WriterChanged), "void"),
            (false, Some(CertificateGap::LabelsChanged), "void"),
            (false, Some(CertificateGap::SeveralParts), "void"),
            (false, Some(CertificateGap::FalsePremise), "void"),
            (false, Some(CertificateGap::GoesOn), "void"),
        ] {
            let certificate = Certificate {
                valid,
                reason,
                ..certificate()
            };
            assert_eq!(State::of(&certificate).tag(), tag, "{reason:?}");
        }
    }

    #[test]
    fn a_bound_never_stands_alone() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let (title, behind) = said(&certificate());
        assert!(
            title.contains("5\u{a0}%") && title.contains("95\u{a0}%"),
            "{title}"
        );
        assert!(
            behind.contains("142") && behind.contains("81\u{a0}%"),
            "{behind}"
        );
        let few = Certificate {
            valid: false,
            reason: Some(CertificateGap::TooFewLabels),
            needed: 47,
            ..certificate()
        };
        let (title, behind) = said(&few);
        assert!(!title.contains('%') && behind.contains("47"), "{behind}");
    }
}
