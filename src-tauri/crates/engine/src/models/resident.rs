//! Vectors of questions, made by a worker that stays while a workspace is open.

use super::Models;
use super::base::BaseModel;
use crate::workspace::Result;
use lexforge_compute::{Resident, ResidentModel, WorkerProgram};
use lexforge_domain::Code;
use lexforge_domain::protocol::{ResidentReady, TextSide};
use lexforge_graph::Matrix;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Workers that stay at a time: that of the graph's encoder, and that of one more.
const MOST: usize = 2;

/// The workers that stay, the one that was asked last at the end.
#[derive(Default)]
struct Residents(Mutex<Vec<(ResidentModel, Resident)>>);

impl Models<'_> {
    /// Questions as vectors, by a base model and, where given, the adapter in a folder.
    pub(crate) fn question_vectors(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        questions: &[&str],
    ) -> Result<Matrix> {
        self.with_resident(base, adapter, |resident| {
            let dim = resident.ready().dim;
            let rows = resident.vectors(TextSide::Question, questions)?;
            Ok(Matrix {
                rows: rows.len(),
                dim,
                data: rows.concat(),
            })
        })
    }

    /// How an encoder reads texts, and what its vectors depend on.
    pub(crate) fn read_by(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
    ) -> Result<ResidentReady> {
        self.with_resident(base, adapter, |resident| Ok(resident.ready().clone()))
    }

    /// Asks the worker that stays, which is started where there is none. One that has ended since is started again, once.
    fn with_resident<T>(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        ask: impl Fn(&mut Resident) -> Result<T>,
    ) -> Result<T> {
        let model = ResidentModel {
            model: base.name.clone(),
            content: base.sha256.clone(),
            models: base.folders.clone(),
            adapter: adapter.map(Path::to_path_buf),
        };
        let memo = self.workspace.memo::<Residents>();
        let mut residents = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = residents.iter().position(|(known, _)| *known == model);
        if let Some(place) = known {
            let (model, mut resident) = residents.remove(place);
            match ask(&mut resident) {
                Err(failure) if failure.code == Code::WorkerDied => {}
                answer => {
                    residents.push((model, resident));
                    return answer;
                }
            }
        }
        let mut resident = Resident::start(&WorkerProgram::locate()?, &model)?;
        let answer = ask(&mut resident)?;
        if residents.len() >= MOST {
            residents.remove(0);
        }
        residents.push((model, resident));
        Ok(answer)
    }
}
