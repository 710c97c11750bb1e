//! Vectors of questions, and scores of passages, made by workers that stay while a workspace is open.

use super::Models;
use super::base::BaseModel;
use crate::workspace::Result;
use lexforge_compute::{Resident, ResidentModel, WorkerProgram};
use lexforge_domain::Code;
use lexforge_domain::protocol::{RerankRequest, ResidentReady, TextSide};
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
        self.with_resident(resident(base, adapter), |resident| {
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
        self.with_resident(resident(base, adapter), |resident| {
            Ok(resident.ready().clone())
        })
    }

    /// How well each passage answers a question, by a base model with a cross-encoder's adapter in a folder.
    pub(crate) fn pair_scores(
        &self,
        base: &BaseModel,
        adapter: &Path,
        request: &RerankRequest,
    ) -> Result<Vec<f32>> {
        let model = ResidentModel {
            pairs: true,
            ..resident(base, Some(adapter))
        };
        self.with_resident(model, |resident| Ok(resident.scores(request)?.scores))
    }

    /// Sends a request to the worker that stays running for this model. If there is no such worker, it is started. If
    /// the worker has ended meanwhile, it is started again, but only once.
    fn with_resident<T>(
        &self,
        model: ResidentModel,
        ask: impl Fn(&mut Resident) -> Result<T>,
    ) -> Result<T> {
        let memo = self.workspace.memo::<Residents>();
        let mut residents = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = |model: &ResidentModel| Resident::start(&WorkerProgram::locate()?, model);
        asked(&mut residents, model, start, ask)
    }
}

/// A worker that makes vectors by a base model and, where given, an adapter.
fn resident(base: &BaseModel, adapter: Option<&Path>) -> ResidentModel {
    ResidentModel {
        model: base.name.clone(),
        content: base.sha256.clone(),
        models: base.folders.clone(),
        adapter: adapter.map(Path::to_path_buf),
        pairs: false,
    }
}

/// Asks the one that is kept under this key. If there is none, or if it has died, a new one is started, asked and kept.
fn asked<K: PartialEq, R, T>(
    staying: &mut Vec<(K, R)>,
    key: K,
    start: impl Fn(&K) -> Result<R>,
    ask: impl Fn(&mut R) -> Result<T>,
) -> Result<T> {
    if let Some(place) = staying.iter().position(|(known, _)| *known == key) {
        let (key, mut one) = staying.remove(place);
        match ask(&mut one) {
            Err(failure) if failure.code == Code::WorkerDied => {}
            answer => {
                staying.push((key, one));
                return answer;
            }
        }
    }
    let mut one = start(&key)?;
    let answer = ask(&mut one)?;
    if staying.len() >= MOST {
        staying.remove(0);
    }
    staying.push((key, one));
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::Failure;
    use std::cell::Cell;

    /// Asks one that answers its own number, and dies where it is told to.
    fn ask(one: &mut u32, dies: &[u32]) -> Result<u32> {
        match dies.contains(one) {
            true => Err(Failure::new(Code::WorkerDied, "it died", "ask again")),
            false => Ok(*one),
        }
    }

    #[test]
    fn who_stays_is_asked_again_and_who_died_is_started_once() {
        let started = Cell::new(0);
        let mut staying: Vec<(char, u32)> = Vec::new();
        let mut answer = |key: char, dies: &[u32]| {
            let start = |_: &char| {
                started.set(started.get() + 1);
                Ok(started.get())
            };
            asked(&mut staying, key, start, |one| ask(one, dies)).ok()
        };
        assert_eq!(answer('a', &[]), Some(1));
        assert_eq!(answer('a', &[]), Some(1));
        assert_eq!(answer('a', &[1]), Some(2), "started again");
        assert_eq!(answer('a', &[2, 3]), None, "and not a second time");
        assert_eq!(answer('a', &[]), Some(4));
        assert_eq!(answer('b', &[]), Some(5));
        assert_eq!(answer('a', &[]), Some(4));
        // A third takes the place of the one that was asked longest ago.
        assert_eq!(answer('c', &[]), Some(6));
        assert_eq!(answer('a', &[]), Some(4));
        assert_eq!(answer('b', &[]), Some(7));
    }
}
