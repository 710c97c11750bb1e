//! The fixed panel: the same texts under the same encoder give the same vectors, to the last bit.

use lexforge_domain::drift::{DriftSample, PanelMark, PanelReading, PanelState};
use lexforge_graph::Matrix;
use sha2::{Digest, Sha256};

/// This many of the texts, evenly spread.
pub(super) fn evenly<T: Clone>(texts: &[T], most: usize) -> Vec<T> {
    let n = texts.len().min(most);
    (0..n).map(|i| texts[i * texts.len() / n].clone()).collect()
}

/// SHA-256 of the first vectors.
pub(super) fn fingerprint(vectors: &Matrix, rows: usize) -> String {
    let mut hash = Sha256::new();
    for row in 0..rows {
        for v in vectors.row(row) {
            hash.update(v.to_le_bytes());
        }
    }
    lexforge_domain::Sha256::of_digest(hash.finalize()).to_string()
}

/// Readings of one panel under one encoder must be equal.
pub(super) fn panel_state(samples: &[DriftSample]) -> PanelState {
    let readings: Vec<(&str, &PanelReading)> = samples
        .iter()
        .filter_map(|s| Some((s.made.as_str(), s.panel.as_ref()?)))
        .collect();
    let Some((_, first)) = readings.first() else {
        return PanelState::NotRead;
    };
    match readings
        .iter()
        .position(|(_, r)| r.vectors != first.vectors)
    {
        None => PanelState::Constant {
            readings: readings.len() as u32,
        },
        Some(bad) => PanelState::Fault {
            last_good: readings[bad - 1].0.to_owned(),
            first_bad: readings[bad].0.to_owned(),
        },
    }
}

/// Whether each reading was like the first, oldest first.
pub(super) fn panel_marks(samples: &[DriftSample]) -> Vec<PanelMark> {
    let mut first: Option<&str> = None;
    samples
        .iter()
        .filter_map(|s| Some((&s.made, s.panel.as_ref()?)))
        .map(|(at, panel)| PanelMark {
            at: at.clone(),
            same: *first.get_or_insert(&panel.vectors) == panel.vectors,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(made: &str, vectors: &str) -> DriftSample {
        DriftSample {
            made: made.to_owned(),
            encoder: "e".to_owned(),
            panel: Some(PanelReading {
                texts: vec!["a".to_owned()],
                vectors: vectors.to_owned(),
            }),
            units: Vec::new(),
            terms: Vec::new(),
            found: None,
        }
    }

    #[test]
    fn any_change_of_the_panel_is_a_fault_and_says_when() {
        let same = [read("1", "x"), read("2", "x")];
        assert_eq!(panel_state(&same), PanelState::Constant { readings: 2 });
        let changed = [
            read("1", "x"),
            read("2", "x"),
            read("3", "y"),
            read("4", "x"),
        ];
        assert_eq!(
            panel_state(&changed),
            PanelState::Fault {
                last_good: "2".to_owned(),
                first_bad: "3".to_owned()
            }
        );
        assert_eq!(panel_state(&[]), PanelState::NotRead);
    }
}
