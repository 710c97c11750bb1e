//! BERTScore of written answers: what is asked for, its figures, and what has to be said beside them.

use crate::models::{BaseModel, token_matches};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{BertScoreFigures, OverlapFigures};
use lexforge_domain::protocol::{TokenMatchItem, TokenMatchLine, TokenMatchResult};
use lexforge_domain::{Code, Failure};
use std::path::Path;

/// Above this share of unknown tokens the figures say little, which is noted.
const MANY_UNKNOWN: f64 = 0.05;
/// Characters of the encoder's hash that a signature shows.
const OF_HASH: usize = 16;

/// With which vectors answers are compared token by token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BertScore {
    /// The encoder's name or folder.
    pub encoder: String,
    /// The layer, from 1; `None` = the last.
    pub layer: Option<usize>,
    /// Tokens weigh by how rare they are among the right answers.
    pub idf: bool,
}

/// BERTScore of a list of answers.
pub(super) struct Matched {
    pub(super) figures: BertScoreFigures,
    pub(super) items: Vec<OverlapFigures>,
    /// The places of answers that were cut, or whose right answers were.
    pub(super) cut: Vec<usize>,
    /// The places of answers whose tokens, or those of their right ones, weigh nothing.
    pub(super) weightless: Vec<usize>,
    /// Longest text in tokens that the encoder reads.
    pub(super) longest: usize,
    /// Share of unknown tokens, where it is large.
    pub(super) unknown: Option<f64>,
}

/// Compares answers with the right ones by BERTScore. The job is created below `folder`. Weighting tokens by how rare
/// they are (`idf`) is refused if there are fewer than two right answers, because then all tokens would be equally
/// rare.
pub(super) fn bertscore(
    folder: &Path,
    request: &BertScore,
    items: &[TokenMatchItem],
    watcher: &dyn Watcher,
) -> Result<Matched> {
    let references: usize = items.iter().map(|item| item.references.len()).sum();
    if request.idf && references < 2 {
        return Err(Failure::new(
            Code::TooLittleData,
            "With one right answer alone every token is as common as any other, so that none weighs anything.",
            "Give more answers, or leave the weights out.",
        ));
    }
    let base = BaseModel::named(Some(&request.encoder));
    let how = (request.layer, request.idf);
    let (lines, result) = token_matches(folder, &base, how, items, watcher)?;
    Ok(of_lines(&base.name, request, &lines, &result))
}

fn of_lines(
    name: &str,
    request: &BertScore,
    lines: &[TokenMatchLine],
    result: &TokenMatchResult,
) -> Matched {
    let mean = |of: fn(&TokenMatchLine) -> f64| {
        lines.iter().map(of).sum::<f64>() / lines.len().max(1) as f64
    };
    let places = |holds: fn(&TokenMatchLine) -> bool| -> Vec<usize> {
        (0..lines.len()).filter(|&i| holds(&lines[i])).collect()
    };
    let (cut, weightless) = (places(|line| line.cut), places(|line| line.weightless));
    let hash: String = result.content.chars().take(OF_HASH).collect();
    let idf = if request.idf { "yes" } else { "no" };
    Matched {
        figures: BertScoreFigures {
            mean: OverlapFigures {
                precision: mean(|line| line.precision),
                recall: mean(|line| line.recall),
                f1: mean(|line| line.f1),
            },
            signature: format!(
                "model:{name}|hash:{hash}|layer:{}/{}|idf:{idf}|rescale:no|as:bert-score-0.3.13",
                result.layer, result.layers
            ),
            empty: places(|line| line.empty).len(),
            cut: cut.len(),
            weightless: weightless.len(),
        },
        items: lines
            .iter()
            .map(|line| OverlapFigures {
                precision: line.precision,
                recall: line.recall,
                f1: line.f1,
            })
            .collect(),
        cut,
        weightless,
        longest: result.max_length,
        unknown: (result.unknown_rate > MANY_UNKNOWN).then_some(result.unknown_rate),
    }
}

impl Matched {
    /// Notes beside the figures; `named` names the answers at some indices.
    pub(super) fn notes(&self, encoder: &str, named: impl Fn(&[usize]) -> String) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.cut.is_empty() {
            notes.push(format!(
                "Longer than the {} tokens that the encoder of BERTScore reads, and cut: {}.",
                self.longest,
                named(&self.cut)
            ));
        }
        if !self.weightless.is_empty() {
            notes.push(format!(
                "All tokens stand in every right answer and weigh nothing, so that BERTScore is 0: {}.",
                named(&self.weightless)
            ));
        }
        if let Some(unknown) = self.unknown {
            notes.push(format!(
                "{:.1} % of the tokens are unknown to {encoder}: its BERTScore says little about these texts.",
                100.0 * unknown
            ));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_means_and_what_was_cut_or_weighs_nothing_is_counted() {
        let line = |f1, empty, cut, weightless| TokenMatchLine {
            precision: f1,
            recall: f1 / 2.0,
            f1,
            empty,
            cut,
            weightless,
        };
        let lines = [
            line(0.9, false, true, false),
            line(0.0, true, false, false),
            line(0.0, false, false, true),
        ];
        let result = TokenMatchResult {
            output: String::new(),
            rows: 3,
            content: "0123456789abcdef0123".to_owned(),
            layer: 5,
            layers: 6,
            max_length: 512,
            unknown_rate: 0.2,
            peak_memory_mb: 0.0,
            seconds: 0.0,
        };
        let request = BertScore {
            idf: true,
            ..BertScore::default()
        };
        let found = of_lines("minilm", &request, &lines, &result);
        let f = &found.figures;
        assert!((f.mean.f1 - 0.3).abs() < 1e-12 && (f.mean.recall - 0.15).abs() < 1e-12);
        assert_eq!((f.empty, f.cut, f.weightless), (1, 1, 1));
        assert_eq!(
            f.signature,
            "model:minilm|hash:0123456789abcdef|layer:5/6|idf:yes|rescale:no|as:bert-score-0.3.13"
        );
        let notes = found.notes("minilm", |places| format!("answers {places:?}"));
        assert!(notes[0].contains("512 tokens") && notes[0].contains("answers [0]"));
        assert!(notes[1].contains("answers [2]") && notes[2].contains("20.0 %"));
        assert_eq!(notes.len(), 3);
    }
}
