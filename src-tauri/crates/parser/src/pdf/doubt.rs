//! Text layers that cannot be right: both readers may agree on what nobody can read.

use super::reading::{Reading, page_number, warning};
use crate::reader::overprint::overprinted;
use crate::reader::quality::{Strange, in_no_language};
use lexforge_domain::document::{DocumentWarning, ReadEngine};

/// Share of a page's characters on other ones from which its layers say different things.
const OVERPRINTED: f64 = 0.1;

/// Marks pages whose text layer can hardly be right, and says why.
pub fn mark(readings: &mut [Reading]) {
    let pages: Vec<_> = readings.iter().map(|r| &r.page).collect();
    let strange = in_no_language(&pages);
    for (reading, strange) in readings.iter_mut().zip(strange) {
        let hidden = overprinted(&reading.page);
        reading.doubt = if hidden >= OVERPRINTED {
            Some(format!(
                "{:.0} % of its characters are drawn over others",
                100.0 * hidden
            ))
        } else {
            strange.map(said)
        };
    }
}

fn said(strange: Strange) -> String {
    match strange {
        Strange::Pairs(share) => format!(
            "only {:.0} % of its pairs of letters are common in a language",
            100.0 * share
        ),
        Strange::Ideographs(share) => format!(
            "only {:.0} % of its Chinese characters are common ones",
            100.0 * share
        ),
        Strange::Words(share) => format!(
            "only {:.0} % of its letters stand in words of a language",
            100.0 * share
        ),
    }
}

/// Names the pages whose doubtful text layer is kept.
pub fn warn(readings: &[Reading], warnings: &mut Vec<DocumentWarning>) {
    for (index, reading) in readings.iter().enumerate() {
        if let Some(why) = &reading.doubt
            && reading.engine != ReadEngine::Ocr
        {
            let message = format!(
                "The text of the page can hardly be right: {why}. Compare it with the page's image."
            );
            warnings.push(warning("text_doubtful", Some(page_number(index)), &message));
        }
    }
}
