//! The rows of tables that belong to each scope.

use crate::cover::{Cover, Part};
use crate::error::Result;
use crate::row::text_in;
use crate::scope::Scope;
use rusqlite::Connection;

/// The rows that belong to a scope.
pub(crate) fn cover(scope: &Scope) -> Cover<'_> {
    Cover {
        scope,
        own: own(scope),
        later: later(scope),
    }
}

/// The parts that later formats added to a document.
const LATER_OF_DOCUMENT: &[Part] = &[
    crate::document::COVERED_ABOUT,
    crate::page::COVERED_DIFFERENCES,
    crate::page::COVERED_REMOVED,
    crate::sentence::COVERED_COMPLETE,
    crate::succession::COVERED,
    crate::validity::COVERED,
];

/// The parts that each scope always had.
fn own(scope: &Scope) -> &'static [Part] {
    match scope {
        Scope::Document(_) => &[
            crate::document::COVERED,
            crate::chunk::COVERED,
            crate::page::COVERED,
            crate::section::COVERED,
            crate::sentence::COVERED,
        ],
        Scope::Terms => &[crate::term_row::COVERED, crate::mention::COVERED],
        Scope::Setting(_) => &[crate::setting::COVERED],
        Scope::Embeddings(_) => &[crate::embedding::COVERED],
        Scope::Graph => &[
            crate::graph_build::COVERED,
            crate::edge::COVERED,
            crate::edge::COVERED_CANDIDATES,
        ],
        Scope::Questions => &[crate::qca::COVERED, crate::qca::COVERED_REPORT],
        Scope::Prompts => &[crate::prompt_version::COVERED],
        Scope::Rejected => &[crate::rejected_draft::COVERED],
        Scope::Dataset(_) => &[crate::dataset::COVERED, crate::dataset_item::COVERED],
        Scope::Run(_) => &[crate::run::COVERED],
        Scope::Checkpoint(_) => &[],
        Scope::Evaluation(_) => &[crate::evaluation::COVERED],
        Scope::Endpoint(_) => &[crate::endpoint::COVERED],
        Scope::Asking(_) => &[
            crate::asking::COVERED,
            crate::request::COVERED,
            crate::answer::COVERED,
        ],
        Scope::Person(_) => &[crate::person::COVERED],
        Scope::Act(_) => &[
            crate::act::COVERED,
            crate::decision::COVERED,
            crate::undo::COVERED,
        ],
        Scope::Packet(_) => &[crate::packet::COVERED],
        Scope::Reply(_) => &[crate::reply::COVERED, crate::reply::COVERED_VERDICTS],
        Scope::Pairs => &[crate::pair::COVERED],
        Scope::Certificates => &[crate::certificate::COVERED],
        Scope::Rankers => &[crate::ranker::COVERED],
        Scope::Outcomes(_) => &[crate::outcome::COVERED],
        Scope::Deployments => &[crate::deployment::COVERED],
        Scope::DriftSamples => &[crate::drift_sample::COVERED],
        Scope::Bench(_) => &[crate::bench_score::COVERED],
        Scope::Exam(_) => &[crate::exam::COVERED],
        Scope::Matchings => &[crate::matching::COVERED],
        Scope::MatchDecisions => &[crate::matching::COVERED_DECISIONS],
        Scope::Triplets => &[crate::triplet::COVERED],
        Scope::TripletDecisions => &[crate::triplet::COVERED_DECISIONS],
        Scope::Similarity => &[crate::similarity::COVERED_DRAWS, crate::similarity::COVERED],
    }
}

/// What later formats added to a scope: for tables that had columns added, a list of their own.
fn later(scope: &Scope) -> &'static [&'static [Part]] {
    match scope {
        Scope::Document(_) => &[LATER_OF_DOCUMENT],
        Scope::Terms => &[
            crate::term_row::LATER,
            &[
                crate::definition::COVERED,
                crate::term_name::COVERED,
                crate::confusable::COVERED,
                crate::glossary::COVERED,
            ],
        ],
        Scope::Graph => &[&[
            crate::graph_build::COVERED_RECORDS,
            crate::graph_build::COVERED_KEPT,
        ]],
        Scope::Embeddings(_) => &[&[crate::embedding_source::COVERED]],
        Scope::Questions => &[&[crate::qca::COVERED_NOTES]],
        Scope::Triplets => &[&[crate::triplet::COVERED_KNOWN]],
        Scope::Packet(_) => &[&[crate::packet_held::COVERED]],
        Scope::Reply(_) => &[&[crate::preference::COVERED]],
        _ => &[],
    }
}

/// The scopes that the live rows ask for, in a fixed order: each must have an audit row.
pub(crate) fn live(connection: &Connection) -> Result<Vec<Scope>> {
    let mut statement = connection.prepare(
        "SELECT 'document ' || id FROM document
         UNION ALL SELECT DISTINCT 'document ' || document FROM (
            SELECT document FROM chunk UNION ALL SELECT document FROM page UNION ALL SELECT document FROM section
            UNION ALL SELECT document FROM sentence UNION ALL SELECT document FROM succession
            UNION ALL SELECT document FROM validity)
            WHERE document NOT IN (SELECT id FROM document)
         UNION ALL SELECT 'terms' WHERE EXISTS (SELECT 1 FROM term) OR EXISTS (SELECT 1 FROM mention)
            OR EXISTS (SELECT 1 FROM definition) OR EXISTS (SELECT 1 FROM term_name)
            OR EXISTS (SELECT 1 FROM confusable) OR EXISTS (SELECT 1 FROM glossary)
         UNION ALL SELECT 'setting ' || key FROM setting
         UNION ALL SELECT 'embeddings ' || name FROM (SELECT name FROM embedding UNION SELECT name FROM embedding_source)
         UNION ALL SELECT 'graph' WHERE EXISTS (SELECT 1 FROM graph_build) OR EXISTS (SELECT 1 FROM edge)
            OR EXISTS (SELECT 1 FROM candidate) OR EXISTS (SELECT 1 FROM graph_kept)
         UNION ALL SELECT 'questions' WHERE EXISTS (SELECT 1 FROM qca) OR EXISTS (SELECT 1 FROM augmentation)
         UNION ALL SELECT 'prompts' WHERE EXISTS (SELECT 1 FROM prompt_version)
         UNION ALL SELECT 'rejected' WHERE EXISTS (SELECT 1 FROM rejected_draft)
         UNION ALL SELECT 'dataset ' || id FROM (SELECT id FROM dataset UNION SELECT dataset FROM dataset_item)
         UNION ALL SELECT 'run ' || id FROM run
         UNION ALL SELECT 'evaluation ' || id FROM evaluation
         UNION ALL SELECT 'endpoint ' || name FROM endpoint
         UNION ALL SELECT 'asking ' || id
            FROM (SELECT id FROM asking UNION SELECT asking FROM request UNION SELECT asking FROM answer)
         UNION ALL SELECT 'person ' || id FROM person
         UNION ALL SELECT 'act ' || id
            FROM (SELECT id FROM act UNION SELECT act FROM decision UNION SELECT act FROM undo)
         UNION ALL SELECT 'packet ' || hash FROM packet
         UNION ALL SELECT 'answer ' || id FROM (SELECT id FROM reply UNION SELECT reply FROM reply_verdict
            UNION SELECT first FROM reply_preference)
         UNION ALL SELECT 'pairs' WHERE EXISTS (SELECT 1 FROM pair)
         UNION ALL SELECT 'certificates' WHERE EXISTS (SELECT 1 FROM certificate)
         UNION ALL SELECT 'rankers' WHERE EXISTS (SELECT 1 FROM ranker)
         UNION ALL SELECT DISTINCT 'outcomes ' || dataset FROM outcome
         UNION ALL SELECT 'deployments' WHERE EXISTS (SELECT 1 FROM deployment)
         UNION ALL SELECT 'drift samples' WHERE EXISTS (SELECT 1 FROM drift_sample)
         UNION ALL SELECT DISTINCT 'bench ' || system FROM bench_score
         UNION ALL SELECT 'exam ' || name FROM exam
         UNION ALL SELECT 'matchings' WHERE EXISTS (SELECT 1 FROM matching)
         UNION ALL SELECT 'match_decisions' WHERE EXISTS (SELECT 1 FROM match_decision)
         UNION ALL SELECT 'triplets' WHERE EXISTS (SELECT 1 FROM triplet)
            OR EXISTS (SELECT 1 FROM triplet_known)
         UNION ALL SELECT 'similarity' WHERE EXISTS (SELECT 1 FROM similarity_pair) OR EXISTS (SELECT 1 FROM similarity_draw)
         UNION ALL SELECT 'triplet_decisions' WHERE EXISTS (SELECT 1 FROM triplet_decision)",
    )?;
    let mut rows = statement.query([])?;
    let mut scopes = Vec::new();
    while let Some(row) = rows.next()? {
        scopes.push(text_in("audit", row, 0)?.parse()?);
    }
    Ok(scopes)
}
