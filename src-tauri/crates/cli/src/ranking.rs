//! `rank`.

use crate::answer_text::many;
use crate::answering::{bring_in, write_file};
use crate::answering_args::{RankAction, RankArgs};
use crate::corpus::{read_queries, read_text};
use crate::none_yet;
use crate::output::{Outcome, Output, count, done};
use crate::terminal::Terminal;
use lexforge_domain::RunId;
use lexforge_domain::api::{
    BlendPoint, RankerReport, RankingFigures, RankingReport, RerankGap, RerankReport, RerankRow,
    SearchEncoderRow,
};
use lexforge_domain::metrics::Comparison;
use lexforge_engine::{Against, Engine, RankRequest, alike_pairs};
use std::fmt::Write as _;
use std::path::Path;

pub fn rank(args: &RankArgs, out: &Output) -> Outcome {
    match &args.action {
        RankAction::Train {
            workspace,
            labels,
            mode,
            encoder,
        } => {
            let engine = Engine::open_to_write(workspace)?;
            if let Some(file) = labels {
                bring_in(&engine, file)?;
            }
            let mode = mode.map(Into::into);
            let encoder = encoder.prepared(&engine, mode)?;
            let watcher = Terminal::new(false);
            let report = watcher.finished(engine.answering().train_ranker(
                mode,
                encoder.as_ref(),
                &watcher,
            ))?;
            out.document(&report, || trained(&report));
        }
        RankAction::Use { workspace, encoder } => {
            let engine = Engine::open_to_write(workspace)?;
            let watcher = Terminal::new(false);
            let answering = engine.answering();
            watcher.finished(answering.search_with(encoder.choice().as_ref(), &watcher))?;
            let encoders = answering.search_encoders()?;
            let run = encoder.choice().and_then(|choice| choice.run);
            out.document(&encoders, || searched_with(&encoders, run));
        }
        RankAction::Rerank {
            workspace,
            run,
            labels,
            on,
            off,
        } => {
            let engine = Engine::open(workspace)?;
            return rerank(&engine, *run, labels.as_deref(), (*on, *off), out);
        }
        RankAction::Curve {
            workspace,
            run,
            queries,
            qrels,
            mode,
            general,
            points,
        } => {
            let engine = Engine::open(workspace)?;
            let general = match general {
                Some(file) => alike_pairs(read_text(file)?.as_bytes())?,
                None => Vec::new(),
            };
            let request = RankRequest {
                questions: read_queries(queries)?,
                qrels: read_text(qrels)?,
                mode: Some((*mode).into()),
                encoder: None,
                half: true,
                rerank: None,
                against: None,
            };
            let watcher = Terminal::new(false);
            let answering = engine.answering();
            let curve = watcher
                .finished(answering.blend_curve(*run, points, &request, &general, &watcher))?;
            out.document(&curve, || points_of(&curve));
        }
        RankAction::Eval {
            workspace,
            queries,
            qrels,
            mode,
            encoder,
            trec,
            half,
            rerank,
            against,
            against_mode,
            against_half,
        } => {
            let engine = Engine::open(workspace)?;
            let run = against.as_deref().map(|file| -> Result<_, _> {
                read_text(file).map(|text| Against::Run(file.display().to_string(), text))
            });
            let against = match (run.transpose()?, against_mode) {
                (Some(run), _) => Some(run),
                (None, Some(mode)) => Some(Against::Mode((*mode).into())),
                (None, None) if *against_half => Some(Against::Half),
                (None, None) => rerank.map(|_| Against::FoundOrder),
            };
            let mode = mode.map(Into::into);
            let encoder = encoder.prepared(&engine, mode)?;
            let ranked = engine.answering().rank(&RankRequest {
                questions: read_queries(queries)?,
                qrels: read_text(qrels)?,
                mode,
                encoder,
                half: *half,
                rerank: *rerank,
                against,
            })?;
            if let Some(file) = trec {
                write_file(file, Some(workspace), &ranked.run)?;
            }
            let report = ranked.report;
            out.document(&report, || evaluated(&report));
        }
    }
    done()
}

/// What questions are searched with from now on. `run` is the run that was named.
fn searched_with(encoders: &[SearchEncoderRow], run: Option<RunId>) -> String {
    let chosen = encoders.iter().find(|row| row.chosen);
    let name = chosen.map_or("", |row| row.model.as_str());
    match chosen.and_then(|row| row.choice.as_ref()).map(|c| c.run) {
        // The list has encoders alone, while a decoder's adapter can be chosen, too.
        None if run.is_some() && chosen.is_none() => {
            let run = run.map(|run| run.to_string()).unwrap_or_default();
            format!("Questions are searched with the adapter of run {run} from now on.")
        }
        None => format!("Questions are searched with what made the vectors of the graph ({name})."),
        Some(None) => format!("Questions are searched with {name} from now on."),
        Some(Some(run)) => {
            format!("Questions are searched with the adapter of run {run} on {name} from now on.")
        }
    }
}

/// A curve as a person reads it.
fn points_of(curve: &[BlendPoint]) -> String {
    let questions = curve.first().map_or(0, |point| point.questions);
    let mut text = format!(
        "Measured on {}; intervals are 95 %.\n{:<16}{:<23}{:<23}general language (Spearman)",
        many(questions, "question"),
        "of the tuning",
        "Recall@10",
        "MAP@10"
    );
    for point in curve {
        let figure = |name: &str, value: f64| match point.intervals.get(name) {
            Some([low, high]) => format!("{value:.3} [{low:.3}, {high:.3}]"),
            None => format!("{value:.3}"),
        };
        let general = point
            .general
            .map_or_else(|| "not measured".to_owned(), |rho| format!("{rho:.3}"));
        let _ = write!(
            text,
            "\n{:>12} %  {:<23}{:<23}{general}",
            point.percent,
            figure("recall@10", point.recall_10),
            figure("map@10", point.map_10)
        );
    }
    text.push_str("\nTake a point with --adapter RUN --blend PERCENT.");
    text
}

fn trained(report: &RankerReport) -> String {
    let used = if report.kept {
        "It is used from now on."
    } else {
        "It is not better than half and half, which is used as before."
    };
    let mut text = format!(
        "Fitted on {}, each measured by a ranker that was fitted without its {}.",
        many(report.questions, "question"),
        report.ranked.unit
    );
    if report.learned > 0 {
        let _ = write!(
            text,
            " {} more were left out: the encoder was tuned on them.",
            count(report.learned)
        );
    }
    if report.out_of_reach > 0 {
        let _ = write!(
            text,
            " {} have none of their right passages among the candidates.",
            count(report.out_of_reach)
        );
    }
    let _ = write!(
        text,
        "\nHalf and half: {}\nRanker: {}\n{used}",
        described(&report.half),
        described(&report.ranked)
    );
    text
}

/// Measures a cross-encoder, switches it on or off, or shows what there is.
fn rerank(
    engine: &Engine,
    run: Option<RunId>,
    labels: Option<&Path>,
    (on, off): (bool, bool),
    out: &Output,
) -> Outcome {
    let answering = engine.answering();
    if let Some(file) = labels {
        bring_in(engine, file)?;
    }
    match run {
        Some(run) if !on => {
            engine.workspace().require_writable()?;
            let watcher = Terminal::new(false);
            let report = watcher.finished(answering.measure_rerank(run, &watcher))?;
            out.document(&report, || reranked(&report));
        }
        run => {
            let rows = match on || off {
                true => answering.use_rerank(run)?,
                false => answering.rerankers()?,
            };
            out.rows(&rows, none_yet::RERANKERS, reranker);
        }
    }
    done()
}

/// A cross-encoder as a person reads it.
fn reranker(row: &RerankRow) -> String {
    let state = match (row.on, row.gap) {
        (true, None) => "on",
        (false, None) => "off",
        (_, Some(RerankGap::NotMeasured)) => "not measured",
        (_, Some(RerankGap::OtherSearch)) => "measured with another search, not used",
        (_, Some(RerankGap::Gone)) => "gone",
        (_, Some(RerankGap::NotBetter)) => "not better, not used",
    };
    let figures = row.report.as_ref().map_or_else(String::new, |report| {
        format!(
            " · weight {} % · MAP@10 {:.4} without, {:.4} with · Recall@10 {:.4} without, {:.4} with",
            report.name.percent,
            report.without.map_10,
            report.with.map_10,
            report.without.recall_10,
            report.with.recall_10
        )
    });
    format!("Run {} · {} · {state}{figures}", row.run, row.model)
}

fn reranked(report: &RerankReport) -> String {
    let used = if report.gap.is_none() {
        "It is used from now on."
    } else {
        "It is not used: that takes a MAP@10 whose interval lies above that of the search without it, and no smaller Recall@10."
    };
    let mut text = format!(
        "Measured on {} that it did not learn from, each with the weight that was chosen without its {}; from now on it would \
         count {} %.",
        many(report.with.n as u64, "question"),
        report.with.unit,
        report.name.percent
    );
    if report.learned > 0 {
        let _ = write!(
            text,
            " {} more were left out: it, or the encoder of the search, was tuned on them.",
            count(report.learned)
        );
    }
    let _ = write!(
        text,
        "\nBy words: {}\nBy the cross-encoder alone: {}\nWithout it: {}\nWith it: {}\n{used}",
        described(&report.words),
        described(&report.alone),
        described(&report.without),
        described(&report.with)
    );
    text
}

fn evaluated(report: &RankingReport) -> String {
    let ranker = match &report.ranker {
        Some(ranker) => format!(
            "ranker {} fitted on {}",
            ranker.id,
            many(ranker.questions, "question")
        ),
        None => "no ranker".to_owned(),
    };
    let cross = match &report.rerank {
        Some(rerank) => format!(
            "the first {} in order by the cross-encoder of run {} at {} %",
            rerank.first, rerank.run, rerank.percent
        ),
        None => "no cross-encoder".to_owned(),
    };
    let learned = match report.learned {
        0 => String::new(),
        n => format!(
            "\n  the cross-encoder learned from {} of these: their figures promise too much",
            many(n, "question")
        ),
    };
    format!(
        "{} ({}; {}; {ranker}; {cross}): {}{learned}",
        report.mode,
        report.tokeniser,
        report.encoder.as_deref().unwrap_or("no vectors"),
        described(&report.figures)
    )
}

/// The figures as a person reads them.
pub fn described(figures: &RankingFigures) -> String {
    let mut text = line(figures);
    if figures.missing > 0 {
        let _ = write!(
            text,
            "\n  {} with a right passage are not in the run and do not count",
            many(figures.missing as u64, "question")
        );
    }
    for (kind, of_kind) in &figures.by_kind {
        let _ = write!(text, "\n  {kind}: {}", line(of_kind));
    }
    for one in &figures.against {
        let _ = write!(text, "\n  {}", difference(one));
    }
    text
}

fn line(figures: &RankingFigures) -> String {
    let named = [
        ("Recall@10", "recall@10", Some(figures.recall_10)),
        ("MAP@10", "map@10", Some(figures.map_10)),
        ("nDCG@10", "ndcg@10", Some(figures.ndcg_10)),
        ("MRR", "mrr", Some(figures.mrr)),
        ("both@10", "both@10", figures.both_10),
    ];
    let mut parts = Vec::new();
    for (shown, name, value) in named {
        let Some(value) = value else { continue };
        let interval = figures.intervals.get(name);
        let interval = interval
            .map(|[low, high]| format!(" [{low:.3}, {high:.3}]"))
            .unwrap_or_default();
        parts.push(format!("{shown} {value:.4}{interval}"));
    }
    format!(
        "{}, {}: {}",
        many(figures.n as u64, "question"),
        many(figures.clusters as u64, &figures.unit),
        parts.join(", ")
    )
}

fn difference(one: &Comparison) -> String {
    format!(
        "{} {:+.4} [{:+.4}, {:+.4}] against {}, p = {:.4}",
        one.measure,
        one.difference.value,
        one.difference.low,
        one.difference.high,
        one.against,
        one.p_value
    )
}

#[cfg(test)]
mod tests;
