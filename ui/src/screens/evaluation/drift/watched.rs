//! What was found last, for as long as the screen is shown.

use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::drift::{DriftReport, DriftState, DriftView, PanelState};

/// The kind of job that takes a sample.
pub const DRIFT: &str = "drift";

/// What was found last.
pub fn watched() -> Fetched<DriftView> {
    let app = use_app();
    let view = Fetched::<DriftView>::default();
    Effect::new(move |_| {
        app.changes.track();
        view.refresh(call(commands::Drift {}));
    });
    view
}

/// How many series moved. A fault of the panel counts as one. `None` if there is nothing to count.
pub fn alarms(view: Fetched<DriftView>) -> Signal<Option<u64>> {
    Signal::derive(move || {
        view.value.with(|view| {
            let n = raised(view.as_ref()?.report.as_ref()?);
            (n > 0).then_some(n)
        })
    })
}

fn raised(report: &DriftReport) -> u64 {
    let fault = matches!(report.panel, PanelState::Fault { .. });
    let moved = report
        .tests
        .iter()
        .filter(|test| test.state == DriftState::Alarm);
    moved.count() as u64 + u64::from(fault)
}

#[cfg(test)]
mod tests {
    use super::super::sample::report;
    use super::*;

    #[test]
    fn a_fault_and_each_series_that_moved_count() {
        let mut report = report();
        assert_eq!(raised(&report), 1);
        report.panel = PanelState::Fault {
            last_good: String::new(),
            first_bad: String::new(),
        };
        assert_eq!(raised(&report), 2);
    }
}
