//! Active models and the samples that watch them, as they are stored.

use lexforge_domain::api::{Deployment, DeploymentAction, ExamRow, GateOverride, ModelKind};
use lexforge_domain::drift::{DriftSample, DriftSeries, DriftUnit, PanelReading};
use lexforge_domain::exam::ExamKind;
use lexforge_domain::gate::{ItemOutcome, Outcomes};
use lexforge_domain::{QcaId, RunId};

/// Answers of a tuned model to one question.
pub fn outcomes() -> Outcomes {
    Outcomes {
        scorer: "embedding".to_owned(),
        base: "ab".repeat(32),
        adapter: Some("cd".repeat(32)),
        items: vec![ItemOutcome {
            id: QcaId(1),
            cluster: 1,
            answer: 0,
            chosen: Some(2),
            gap: Some(0.25),
        }],
    }
}

/// A run that was made active against the gate.
pub fn activated(run: RunId, back: Option<i64>) -> Deployment {
    Deployment {
        id: 0,
        made: "2026-07-01T00:00:00Z".to_owned(),
        action: DeploymentAction::Override,
        kind: ModelKind::Encoder,
        run: Some(run),
        adapter: Some("cd".repeat(32)),
        base: Some("MiniLM".to_owned()),
        overridden: Some(GateOverride {
            by: "Ada".to_owned(),
            reason: "a trial".to_owned(),
            accepts: true,
        }),
        decision: None,
        back,
    }
}

/// A sample of one document.
pub fn sample() -> DriftSample {
    DriftSample {
        made: "2026-07-01T00:00:00Z".to_owned(),
        encoder: "MiniLM".to_owned(),
        panel: Some(PanelReading {
            texts: vec!["A bank shall hold own funds.".to_owned()],
            vectors: "ef".repeat(32),
        }),
        units: vec![DriftUnit {
            key: "document 1".to_owned(),
            series: DriftSeries::Sentences,
            stratum: "pdf".to_owned(),
            at: "2026-07-01T00:00:00Z".to_owned(),
            n: 1,
            sum: vec![0.6, 0.8],
        }],
        terms: Vec::new(),
        found: None,
    }
}

/// An exam of one question.
pub fn exam(name: &str) -> ExamRow {
    ExamRow {
        name: name.to_owned(),
        kind: ExamKind::Questions,
        questions: 1,
        several: 0,
        subjects: [("banking".to_owned(), 1)].into(),
        hash: "ab".repeat(32),
        files: vec!["banking.csv".to_owned()],
        made: "2026-07-01T00:00:00Z".to_owned(),
    }
}
