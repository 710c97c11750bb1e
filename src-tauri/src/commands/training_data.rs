//! Commands about triplets and about the pairs of sentences that experts score.

use super::reply::{Reply, ask, job};
use crate::shell::Shell;
use lexforge_domain::api::commands::TrainingDataRequest as Request;
use lexforge_domain::api::{Outcome, TripletsAsked, TripletsBy};
use lexforge_engine::{AskRequest, Silent, scored_sets, shift_types_of};
use std::path::{Path, PathBuf};

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::ShiftTypes(asked) => ask(shell, asked, |_, asked| {
            shift_types_of(asked.file.as_deref().map(Path::new))
        }),
        Request::PlanTriplets(asked) => ask(shell, asked, |engine, asked| {
            engine
                .writing()
                .plan_triplets(&who(asked.asked), &asked.request, &Silent)
        }),
        Request::MakeTriplets(asked) => {
            let title = match &asked.by {
                TripletsBy::Endpoint(asked) => asked.endpoint.clone(),
                TripletsBy::Offline | TripletsBy::Graph => String::new(),
            };
            job(shell, asked, "triplets", &title, |engine, watch, asked| {
                let (writing, request) = (engine.writing(), asked.request);
                let report = match asked.by {
                    TripletsBy::Offline => writing.make_triplets(&request, watch)?,
                    TripletsBy::Graph => writing.make_triplets_of_graph(request.seed, watch)?,
                    TripletsBy::Endpoint(asked) => {
                        writing.make_triplets_with(&who(asked), &request, watch)?
                    }
                };
                watch.came_to(Outcome::Triplets(Box::new(report)));
                Ok(())
            })
        }
        Request::ImportTriplets(asked) => {
            let title = name_of(&asked.file);
            job(
                shell,
                asked,
                "import_triplets",
                &title,
                |engine, watch, asked| {
                    let report = engine
                        .writing()
                        .import_triplets_of(Path::new(&asked.file), watch)?;
                    watch.came_to(Outcome::Triplets(Box::new(report)));
                    Ok(())
                },
            )
        }
        Request::Triplets(asked) => ask(shell, asked, |engine, asked| {
            engine.writing().triplets(&asked.filter)
        }),
        Request::CountTriplets(asked) => {
            ask(shell, asked, |engine, _| engine.writing().triplet_counts())
        }
        Request::ExportTriplets(asked) => ask(shell, asked, |engine, asked| {
            engine
                .writing()
                .write_triplets(&asked.filter, Path::new(&asked.file))
        }),
        Request::MeasureTriplets(asked) => {
            let title = asked.wanted.run.map(|run| run.to_string());
            let title = title.unwrap_or_default();
            job(
                shell,
                asked,
                "measure_triplets",
                &title,
                |engine, watch, asked| {
                    let files: Vec<PathBuf> = asked.files.into_iter().map(PathBuf::from).collect();
                    let mut wanted = asked.wanted;
                    wanted.sets.extend(scored_sets(&files)?);
                    let found = engine.evaluation().measure_triplets(&wanted, watch)?;
                    watch.came_to(Outcome::TripletFigures(Box::new(found)));
                    Ok(())
                },
            )
        }
        Request::DrawSimilarity(asked) => {
            job(shell, asked, "similarity", "", |engine, watch, asked| {
                let drawn = engine.writing().draw_similarity(&asked.request, watch)?;
                watch.came_to(Outcome::Similarity(Box::new(drawn)));
                Ok(())
            })
        }
        Request::ExportSimilarity(asked) => ask(shell, asked, |engine, asked| {
            engine.writing().write_similarity(Path::new(&asked.file))
        }),
        Request::WriteScoreSheet(asked) => ask(shell, asked, |engine, asked| {
            engine.review().write_score_sheet(Path::new(&asked.file))
        }),
        Request::ImportScores(asked) => ask(shell, asked, |engine, asked| {
            engine.review().read_score_sheet(Path::new(&asked.file))
        }),
    }
}

/// The name of a file without its folder.
pub(super) fn name_of(file: &str) -> String {
    let name = Path::new(file).file_name();
    name.map_or_else(
        || file.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Who is to write, as the engine takes it.
fn who(asked: TripletsAsked) -> AskRequest {
    AskRequest {
        endpoint: asked.endpoint,
        limit: asked.limit,
        consent: asked.consent,
        ..AskRequest::default()
    }
}
