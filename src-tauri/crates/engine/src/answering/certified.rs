//! Certificates as they are kept, and which of them holds for what is asked now.

use super::Answering;
use super::find::language_of;
use super::probability::SHIPPED_THRESHOLD;
use crate::models::{Shipped, is_counted};
use crate::workspace::Result;
use lexforge_domain::api::{
    AnswerIndex, AnswerWay, Certificate, CertificateGap, CertifiedWriter, Inquiry,
};
use lexforge_domain::text::Language;
use lexforge_evaluate::certificate::fewest;
use lexforge_evaluate::logistic::Logistic;
use serde::{Deserialize, Serialize};

/// Share of wrong answers that is promised, where nobody says another.
pub const ALPHA: f64 = 0.05;
/// How sure that is to be.
pub const CONFIDENCE: f64 = 0.95;

/// A measurement as it is stored.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    pub index: AnswerIndex,
    pub corpus: String,
    pub threshold: f64,
    pub weights: Option<(Vec<f64>, f64)>,
    pub certificate: Certificate,
    /// The language of the questions that were measured; `None` where an earlier version measured all together.
    #[serde(default)]
    pub language: Option<Language>,
}

impl Kept {
    fn calibrated(&self, certificate: Certificate) -> Calibrated {
        let weights = self.weights.clone();
        Calibrated {
            threshold: self.threshold,
            weights: weights.map(|(weights, constant)| Logistic { weights, constant }),
            certificate,
        }
    }
}

/// The conditions under which a certificate must have been measured to be valid.
#[derive(Clone, Copy)]
pub(super) struct Holds<'h> {
    /// The index in which clauses are searched.
    pub index: &'h AnswerIndex,
    /// The documents.
    pub corpus: &'h str,
    /// The model that puts answers together; none = the clauses themselves.
    pub writer: Option<&'h CertifiedWriter>,
    /// The language of the question.
    pub language: Language,
}

/// From when on answers are given now.
pub(super) struct Calibrated {
    pub threshold: f64,
    pub weights: Option<Logistic>,
    pub certificate: Certificate,
}

impl Answering<'_> {
    /// How often answers of this way of answering are wrong, in the workspace as it is now. It is for questions in the
    /// language of `question`; without a question, for the language of the documents' first examples.
    ///
    /// # Errors
    /// When the workspace cannot be read, or there is no such way.
    pub fn current_certificate(
        &self,
        way: &AnswerWay,
        question: Option<&str>,
    ) -> Result<Certificate> {
        let question = match question {
            Some(question) => question.to_owned(),
            None => self.usual_question()?,
        };
        let index = self.index_for(&[&question])?;
        let clauses = self.clauses()?;
        let inquiry = Inquiry {
            way: way.clone(),
            ..Inquiry::default()
        };
        let writer = self.certified_writer(&inquiry)?;
        let holds = Holds {
            index: &index,
            corpus: &clauses.corpus,
            writer: writer.as_ref(),
            language: language_of(&question, &clauses.documents),
        };
        Ok(self.calibrated(&holds)?.certificate)
    }

    /// The stored measurement that applies to this way of answering, and its certificate.
    pub(super) fn calibrated(&self, holds: &Holds<'_>) -> Result<Calibrated> {
        Ok(chosen(&self.measured()?, holds))
    }

    /// Whether a certificate holds that vectors of an encoder which comes with the product would make void.
    pub(super) fn is_certified_by_words(&self) -> Result<bool> {
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let measured = self.measured()?;
        Ok(Shipped::ALL
            .into_iter()
            .filter(|shipped| shipped.is_there())
            .any(|shipped| holds_without(&measured, &corpus, shipped)))
    }

    fn measured(&self) -> Result<Vec<Kept>> {
        let texts = self.workspace.store.read(|r| r.certificates())?;
        Ok(texts
            .iter()
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect())
    }
}

/// Whether there is a valid certificate for these documents that would become void once the encoder `shipped` makes
/// vectors. That is one measured by words alone, or on counted vectors, for a language of that encoder.
fn holds_without(measured: &[Kept], corpus: &str, shipped: Shipped) -> bool {
    let of_language = |kept: &Kept| {
        kept.language
            .is_none_or(|language| Shipped::of_language(language) == shipped)
    };
    measured.iter().any(|kept| {
        kept.certificate.valid
            && kept.corpus == corpus
            && (kept.index.encoder.is_empty() || is_counted(&kept.index.encoder))
            && of_language(kept)
    })
}

/// Chooses the measurement that was made with this way of answering on the present index; one with a valid certificate
/// is preferred. If there is none, it takes the nearest measurement, makes its certificate invalid, and says what has
/// changed since.
fn chosen(measured: &[Kept], holds: &Holds<'_>) -> Calibrated {
    let of_language = |kept: &&Kept| kept.language.is_none_or(|l| l == holds.language);
    let of_index = |kept: &&Kept| {
        of_language(kept) && kept.index == *holds.index && kept.corpus == holds.corpus
    };
    let writer = |kept: &Kept| kept.certificate.writer.clone();
    let same = |kept: &&Kept| writer(kept).as_ref() == holds.writer;
    let is_way = |kept: &&Kept| {
        let way = |w: Option<&CertifiedWriter>| w.map(|w| w.way.clone());
        way(kept.certificate.writer.as_ref()) == way(holds.writer)
    };
    let all = || measured.iter().filter(of_language);
    // A measurement with too few labels does not replace a valid one for this language or for all languages.
    let own = || all().filter(of_index).filter(same);
    if let Some(own) = own().find(|kept| kept.certificate.valid).or(own().next()) {
        return own.calibrated(own.certificate.clone());
    }
    // Whether the documents answer a question does not depend on the model that words the answer. So for this the
    // measurement on the clauses alone is used.
    let on_clauses = all().filter(of_index).find(|kept| writer(kept).is_none());
    let nearest = all().find(is_way).or(on_clauses).or(all().next());
    let certificate = match nearest {
        // A certificate that was never valid cannot become void.
        Some(kept) if kept.certificate.valid => Certificate {
            valid: false,
            reason: Some(changed(kept, holds)),
            ..kept.certificate.clone()
        },
        _ => gap(CertificateGap::NotMeasured, ALPHA, CONFIDENCE),
    };
    match on_clauses.filter(|_| holds.writer.is_some()) {
        Some(kept) => kept.calibrated(certificate),
        None => shipped(certificate),
    }
}

fn changed(kept: &Kept, holds: &Holds<'_>) -> CertificateGap {
    if kept.certificate.writer.as_ref() != holds.writer {
        CertificateGap::WriterChanged
    } else if kept.index.encoder != holds.index.encoder {
        CertificateGap::EncoderChanged
    } else if kept.index != *holds.index {
        CertificateGap::IndexChanged
    } else {
        CertificateGap::CorpusChanged
    }
}

/// The values of the product itself, used if nothing was measured for this way of answering.
fn shipped(certificate: Certificate) -> Calibrated {
    Calibrated {
        threshold: SHIPPED_THRESHOLD,
        weights: None,
        certificate,
    }
}

/// No certificate, and why.
pub(super) fn gap(reason: CertificateGap, alpha: f64, confidence: f64) -> Certificate {
    Certificate {
        alpha,
        confidence,
        n: 0,
        wrong: 0,
        answered_share: None,
        valid: false,
        reason: Some(reason),
        needed: u32::try_from(fewest(alpha, 1.0 - confidence)).unwrap_or(u32::MAX),
        made: None,
        writer: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::lsa_label;
    use lexforge_domain::api::RerankName;

    fn writer(run: i64, identity: &str) -> CertifiedWriter {
        CertifiedWriter {
            way: AnswerWay::Adapter {
                run: Some(lexforge_domain::RunId(run)),
            },
            model: format!("run-{run}"),
            identity: identity.to_owned(),
        }
    }

    fn kept(encoder: &str, corpus: &str, writer: Option<CertifiedWriter>) -> Kept {
        Kept {
            index: AnswerIndex {
                encoder: encoder.to_owned(),
                ..AnswerIndex::default()
            },
            corpus: corpus.to_owned(),
            threshold: 0.4,
            weights: None,
            certificate: Certificate {
                valid: true,
                reason: None,
                n: 142,
                needed: 0,
                writer,
                ..gap(CertificateGap::NotMeasured, ALPHA, CONFIDENCE)
            },
            language: Some(Language::En),
        }
    }

    #[test]
    fn what_was_measured_on_words_alone_is_told_from_what_was_not() {
        let words = kept("", "now", None);
        let of = |one: &Kept, shipped| holds_without(std::slice::from_ref(one), "now", shipped);
        let is = |one: &Kept| of(one, Shipped::MiniLm);
        assert!(is(&words));
        assert!(!is(&kept("e", "now", None)) && !is(&kept("", "before", None)));
        let mut other = words.clone();
        other.certificate.valid = false;
        assert!(!is(&other));
        let mut chinese = words;
        chinese.language = Some(Language::Zh);
        assert!(!is(&chinese) && of(&chinese, Shipped::Multilingual));
        chinese.index.encoder = lsa_label(&[Language::Zh]);
        assert!(of(&chinese, Shipped::Multilingual));
    }

    #[test]
    fn each_way_has_its_certificate_and_any_change_makes_it_void() {
        let tuned = writer(3, "base and adapter");
        let other = writer(3, "base and another adapter");
        let both = [kept("e", "c", Some(tuned.clone())), kept("e", "c", None)];
        let index = |encoder: &str| AnswerIndex {
            encoder: encoder.to_owned(),
            ..AnswerIndex::default()
        };
        for (measured, encoder, corpus, by, language, expected) in [
            (&both[..], "e", "c", Some(&tuned), Language::En, None),
            (&both, "e", "c", None, Language::En, None),
            (
                &both,
                "e",
                "c",
                Some(&other),
                Language::En,
                Some(CertificateGap::WriterChanged),
            ),
            (
                &both,
                "e",
                "d",
                Some(&tuned),
                Language::En,
                Some(CertificateGap::CorpusChanged),
            ),
            (
                &both,
                "f",
                "c",
                Some(&tuned),
                Language::En,
                Some(CertificateGap::EncoderChanged),
            ),
            (
                &both,
                "f",
                "c",
                None,
                Language::En,
                Some(CertificateGap::EncoderChanged),
            ),
            (
                &both,
                "e",
                "c",
                None,
                Language::Zh,
                Some(CertificateGap::NotMeasured),
            ),
            (
                &both[..1],
                "e",
                "c",
                None,
                Language::En,
                Some(CertificateGap::WriterChanged),
            ),
            (
                &both[1..],
                "e",
                "c",
                Some(&tuned),
                Language::En,
                Some(CertificateGap::WriterChanged),
            ),
            (
                &[],
                "e",
                "c",
                None,
                Language::En,
                Some(CertificateGap::NotMeasured),
            ),
        ] {
            let index = index(encoder);
            let holds = Holds {
                index: &index,
                corpus,
                writer: by,
                language,
            };
            let found = chosen(measured, &holds).certificate;
            assert_eq!((found.valid, found.reason), (expected.is_none(), expected));
        }
    }

    #[test]
    fn another_cross_encoder_or_weight_makes_it_void() {
        let rerank = |adapter: &str, percent| RerankName {
            run: lexforge_domain::RunId(7),
            adapter: adapter.to_owned(),
            percent,
            first: 50,
        };
        let index = |rerank: Option<RerankName>| AnswerIndex {
            rerank,
            ..kept("e", "c", None).index
        };
        let measured = [Kept {
            index: index(Some(rerank("a", 50))),
            ..kept("e", "c", None)
        }];
        for (now, holds) in [
            (Some(rerank("a", 50)), true),
            (Some(rerank("a", 75)), false),
            (Some(rerank("b", 50)), false),
            (None, false),
        ] {
            let index = index(now);
            let found = chosen(
                &measured,
                &Holds {
                    index: &index,
                    corpus: "c",
                    writer: None,
                    language: Language::En,
                },
            );
            let reason = (!holds).then_some(CertificateGap::IndexChanged);
            assert_eq!(
                (found.certificate.valid, found.certificate.reason),
                (holds, reason)
            );
        }
    }

    #[test]
    fn the_threshold_of_the_clauses_counts_for_an_answer_that_a_model_words() {
        let tuned = writer(3, "base and adapter");
        let measured = [kept("e", "c", None)];
        let index = measured[0].index.clone();
        let mut holds = Holds {
            index: &index,
            corpus: "c",
            writer: Some(&tuned),
            language: Language::En,
        };
        assert!((chosen(&measured, &holds).threshold - 0.4).abs() < f64::EPSILON);
        holds.corpus = "d";
        assert!((chosen(&measured, &holds).threshold - SHIPPED_THRESHOLD).abs() < f64::EPSILON);
    }

    #[test]
    fn other_rules_for_clauses_make_it_void() {
        let measured = [kept("e", "c", None)];
        let index = AnswerIndex {
            clauses: 1,
            ..kept("e", "c", None).index
        };
        let holds = Holds {
            index: &index,
            corpus: "c",
            writer: None,
            language: Language::En,
        };
        let found = chosen(&measured, &holds).certificate;
        assert_eq!(
            (found.valid, found.reason),
            (false, Some(CertificateGap::IndexChanged))
        );
    }
}
