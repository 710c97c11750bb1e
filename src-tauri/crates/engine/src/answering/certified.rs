//! Certificates as they are kept, and which of them holds for what is asked now.

mod labels;

pub(super) use labels::MeasuredLabel;

use super::Answering;
use super::find::{Search, language_of};
use super::force::InForce;
use super::pairs::distinct;
use super::probability::SHIPPED_THRESHOLD;
use crate::corpus::Corpus;
use crate::models::{Shipped, is_counted};
use crate::workspace::{Result, today};
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
    /// The documents that were searched ([`InForce::searched`]).
    pub corpus: String,
    /// How many vectors were searched; `None` where an earlier version measured, which did not measure what Ask says.
    #[serde(default)]
    pub vectors: Option<u64>,
    pub threshold: f64,
    pub weights: Option<(Vec<f64>, f64)>,
    pub certificate: Certificate,
    /// The language of the questions that were measured; `None` where an earlier version measured all together.
    #[serde(default)]
    pub language: Option<Language>,
    /// The labels that were measured; `None` where an earlier version measured, which did not keep them.
    #[serde(default)]
    pub labels: Option<Vec<MeasuredLabel>>,
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
    /// The documents that are searched ([`InForce::searched`]).
    pub corpus: &'h str,
    /// How many vectors are searched, of sentences and of clauses. New ones of the same encoder find other clauses.
    pub vectors: u64,
    /// The model that puts answers together; none = the clauses themselves.
    pub writer: Option<&'h CertifiedWriter>,
    /// The language of the question.
    pub language: Language,
}

impl<'h> Holds<'h> {
    /// The conditions of a search whose clauses are quoted as the answer.
    pub(crate) fn on_clauses(search: &'h Search, searched: &'h str, question: &str) -> Self {
        Self {
            index: &search.index,
            corpus: searched,
            vectors: search.vectors_searched(),
            writer: None,
            language: language_of(question, &search.clauses.documents),
        }
    }
}

/// From when on answers are given now.
pub(super) struct Calibrated {
    pub threshold: f64,
    pub weights: Option<Logistic>,
    pub certificate: Certificate,
}

impl Answering<'_> {
    /// The certificate that says how often answers are wrong if they are given in this way and in the workspace as it
    /// is now. It holds for questions in the language of `question`. Without a question, it is the language of the
    /// questions that are shown as examples.
    ///
    /// # Errors
    /// When the workspace cannot be read, or there is no such way of answering.
    pub fn current_certificate(
        &self,
        way: &AnswerWay,
        question: Option<&str>,
    ) -> Result<Certificate> {
        Ok(self.current(way, question)?.certificate)
    }

    /// What answers of this way are decided by now, with their certificate, as [`Answering::current_certificate`].
    pub(super) fn current(&self, way: &AnswerWay, question: Option<&str>) -> Result<Calibrated> {
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
        let in_force = InForce::on(&today(), false, &clauses.documents);
        let searched = in_force.searched(&clauses.corpus);
        let holds = Holds {
            index: &index,
            corpus: &searched,
            vectors: self.vectors_searched_for(&[&question])?,
            writer: writer.as_ref(),
            language: language_of(&question, &clauses.documents),
        };
        self.calibrated(&holds)
    }

    /// The stored measurement that applies to this way of answering, and its certificate.
    pub(super) fn calibrated(&self, holds: &Holds<'_>) -> Result<Calibrated> {
        let mut measured = self.measured()?;
        let rests_on_labels = |kept: &Kept| {
            kept.certificate.valid
                && kept.labels.is_some()
                && kept.corpus == holds.corpus
                && kept.index == *holds.index
        };
        if measured.iter().any(rests_on_labels) {
            let clauses = self.clauses()?;
            let today: Vec<MeasuredLabel> = distinct(self.pairs()?)
                .iter()
                .map(|pair| MeasuredLabel::of(pair, clauses.answering(pair)))
                .collect();
            for kept in measured.iter_mut().filter(|kept| rests_on_labels(kept)) {
                let own = kept.labels.as_deref().unwrap_or_default();
                if !labels::stand(own, &today) {
                    let made = kept.certificate.clone();
                    kept.certificate = not_here(made, CertificateGap::LabelsChanged);
                }
            }
        }
        Ok(chosen(&measured, holds))
    }

    /// Whether a certificate holds that the vectors which an encoder of the product has still to make would make void.
    pub(super) fn is_certified_without_them(&self) -> Result<bool> {
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let measured = self.measured()?;
        let of_clauses = self.lacks_clause_vectors()?;
        for shipped in Shipped::ALL.into_iter().filter(|s| s.is_there()) {
            if holds_without(&measured, &corpus, shipped)
                && (of_clauses || Corpus::of(self.workspace).lacking_by(shipped)? > 0)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn measured(&self) -> Result<Vec<Kept>> {
        let texts = self.workspace.store.read(|r| r.certificates())?;
        Ok(texts
            .iter()
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect())
    }
}

/// Whether the missing vectors of the encoder `shipped`, once they are made, would make a valid certificate of these
/// documents void. Such a certificate is for a language of this encoder. Its measurement used words alone, vectors made
/// by counting, or the vectors of this encoder that existed at that time.
fn holds_without(measured: &[Kept], corpus: &str, shipped: Shipped) -> bool {
    let of_language = |kept: &Kept| {
        kept.language
            .is_none_or(|language| Shipped::of_language(language) == shipped)
    };
    measured.iter().any(|kept| {
        kept.certificate.valid
            && kept.corpus.starts_with(corpus)
            && (kept.index.encoder.is_empty()
                || is_counted(&kept.index.encoder)
                || kept.index.encoder == shipped.label())
            && of_language(kept)
    })
}

/// Chooses the measurement that was made with this way of answering on the present index. If there are several, one
/// with a valid certificate is preferred. If there is none, the function takes the measurement that is most similar,
/// makes its certificate invalid, and says what has changed since.
fn chosen(measured: &[Kept], holds: &Holds<'_>) -> Calibrated {
    let of_language = |kept: &&Kept| kept.language.is_none_or(|l| l == holds.language);
    let of_index = |kept: &&Kept| {
        of_language(kept)
            && kept.index == *holds.index
            && kept.corpus == holds.corpus
            && kept.vectors == Some(holds.vectors)
    };
    let writer = |kept: &Kept| kept.certificate.writer.clone();
    let same = |kept: &&Kept| writer(kept).as_ref() == holds.writer;
    let is_way = |kept: &&Kept| {
        let way = |w: Option<&CertifiedWriter>| w.map(|w| w.way.clone());
        way(kept.certificate.writer.as_ref()) == way(holds.writer)
    };
    let all = || measured.iter().filter(of_language);
    // A valid measurement for this language, or for all languages, stays in use if a newer measurement had too few
    // labels. It does not stay in use if a newer one found too many wrong answers.
    let own: Vec<&Kept> = all().filter(of_index).filter(same).collect();
    let stands = |place: usize| {
        let (newer, kept) = (&own[..place], &own[place].certificate);
        kept.valid
            && !newer
                .iter()
                .any(|newer| takes_back(&newer.certificate, kept))
    };
    let standing = (0..own.len()).find(|place| stands(*place)).unwrap_or(0);
    if let Some(own) = own.get(standing) {
        let certificate = own.certificate.clone();
        return match certificate.reason {
            // A threshold that other labels set is borne out no more than the certificate.
            Some(CertificateGap::LabelsChanged) => shipped(certificate),
            _ => own.calibrated(certificate),
        };
    }
    // Whether the documents answer a question does not depend on the model that writes the answer. So for this the
    // measurement on the clauses alone is used.
    let on_clauses = all().filter(of_index).find(|kept| writer(kept).is_none());
    let nearest = all().find(is_way).or(on_clauses).or(all().next());
    let certificate = match nearest {
        Some(kept) if kept.certificate.valid => {
            not_here(kept.certificate.clone(), changed(kept, holds))
        }
        _ => gap(CertificateGap::NotMeasured, ALPHA, CONFIDENCE),
    };
    match on_clauses.filter(|_| holds.writer.is_some()) {
        Some(kept) => kept.calibrated(certificate),
        None => shipped(certificate),
    }
}

/// Whether a newer measurement shows that an earlier certificate is wrong: too many answers were wrong, although the
/// newer measurement was not stricter than the earlier one.
fn takes_back(newer: &Certificate, earlier: &Certificate) -> bool {
    newer.reason == Some(CertificateGap::TooManyWrong)
        && newer.alpha >= earlier.alpha
        && newer.confidence <= earlier.confidence
}

fn changed(kept: &Kept, holds: &Holds<'_>) -> CertificateGap {
    if kept.certificate.writer.as_ref() != holds.writer {
        CertificateGap::WriterChanged
    } else if kept.index.encoder != holds.index.encoder {
        CertificateGap::EncoderChanged
    } else if kept.index != *holds.index {
        CertificateGap::IndexChanged
    } else if kept.corpus != holds.corpus {
        CertificateGap::CorpusChanged
    } else {
        // The same encoder has made vectors of more sentences since, or an earlier version measured.
        CertificateGap::IndexChanged
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

/// Makes a certificate invalid and gives the reason. A certificate that was never valid is returned unchanged.
pub(super) fn not_here(certificate: Certificate, reason: CertificateGap) -> Certificate {
    if !certificate.valid {
        return certificate;
    }
    Certificate {
        valid: false,
        reason: Some(reason),
        ..certificate
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
mod tests;
