//! `search`.

use super::read_text;
use crate::answering::write_file;
use crate::args::SearchArgs;
use crate::mode::Mode;
use crate::none_yet;
use crate::output::{Outcome, Output, done, in_full, tell};
use crate::{docs_force, vectors};
use lexforge_domain::api::SearchRequest;
use lexforge_domain::{Code, Failure};
use lexforge_engine::{Engine, RankQuery};
use std::fmt::Write as _;
use std::path::Path;

/// `search`
pub fn search(args: &SearchArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let encoder = args.encoder.prepared(&engine, Some(args.mode.into()))?;
    let request = |query: &str| SearchRequest {
        query: query.to_owned(),
        mode: args.mode.into(),
        top: args.top.into(),
        document: None,
        encoder: encoder.clone(),
    };
    if let (Some(queries), Some(trec)) = (&args.queries, &args.trec) {
        let queries = read_queries(queries)?;
        let texts: Vec<&str> = queries.iter().map(|q| q.text.as_str()).collect();
        let mut run = String::new();
        for (RankQuery { id, .. }, hits) in queries.iter().zip(engine.corpus().search_all(
            &texts,
            args.mode.into(),
            encoder.as_ref(),
            args.top.into(),
        )?) {
            for hit in hits {
                let document = hit.external_id.unwrap_or_else(|| hit.id.to_string());
                let _ = writeln!(
                    run,
                    "{id} Q0 {document} {} {:.6} lexforge",
                    hit.rank, hit.score
                );
            }
        }
        write_file(trec, Some(&args.workspace), &run)?;
        let done = serde_json::json!({ "queries": queries.len(), "trec": trec });
        out.document(&done, || {
            format!("{} queries answered into {}.", queries.len(), in_full(trec))
        });
    }
    if let Some(query) = &args.query {
        let hits = match args.rerank {
            Some(run) => engine.answering().search_reranked(&request(query), run)?,
            None => engine.corpus().search(&request(query))?,
        };
        if encoder.is_none() && matches!(args.mode, Mode::Dense | Mode::Hybrid) {
            vectors::tell_of_missing(&engine);
        }
        if hits.is_empty() {
            // This goes to standard error, because standard output must contain only hits.
            tell("No sentence fits.");
            return done();
        }
        out.rows(&hits, none_yet::NOTHING, |h| {
            // Not every sentence stands in a section.
            let comma = if h.section.is_empty() { "" } else { ", " };
            format!(
                "{:>3}  {:.3}  document {}, page {}{comma}{}{}\n     {}",
                h.rank,
                h.score,
                h.document,
                h.page,
                h.section,
                docs_force::not_in_force(h.out_of_force.as_ref()),
                h.text
            )
        });
    }
    done()
}

/// The query of each line.
pub fn read_queries(path: &Path) -> Result<Vec<RankQuery>, Failure> {
    let mut queries = Vec::new();
    for (i, line) in read_text(path)?
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
    {
        let bad = |why: &str| {
            Failure::new(
                Code::CorpusLineInvalid,
                format!("{}, line {}: {why}.", path.display(), i + 1),
                "Each line must be a JSON object with an \"id\" and a \"text\".",
            )
        };
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|e| bad(&e.to_string()))?;
        let id = match value.get("id") {
            Some(serde_json::Value::String(id)) => id.clone(),
            Some(serde_json::Value::Number(id)) => id.to_string(),
            _ => return Err(bad("it has no \"id\"")),
        };
        let text = value
            .get("text")
            .or_else(|| value.get("question"))
            .and_then(|t| t.as_str())
            .ok_or_else(|| bad("it has no \"text\""))?;
        let kind = value.get("kind").and_then(|k| k.as_str());
        queries.push(RankQuery {
            id,
            text: text.to_owned(),
            kind: kind.map(str::to_owned),
        });
    }
    Ok(queries)
}
