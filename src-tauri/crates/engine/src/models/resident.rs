//! Vectors of questions, and scores of passages, made by workers that stay while a workspace is open.

use super::Models;
use super::base::BaseModel;
use super::bases::folder_of;
use super::folder_state::folder_state;
use crate::workspace::Result;
use lexforge_compute::{Resident, ResidentModel, WorkerProgram};
use lexforge_domain::Code;
use lexforge_domain::protocol::{RerankRequest, ResidentReady, TextSide};
use lexforge_graph::Matrix;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Workers that stay at a time: that of the graph's encoder, and that of one more.
const MOST: usize = 2;
/// A worker that was not asked for this long is ended, because it takes a hundred megabytes. The next question starts
/// it again, which takes about a second.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// How often it is looked for such workers.
const LOOK: Duration = Duration::from_secs(30);

/// A model that a worker has loaded.
#[derive(Clone, PartialEq)]
struct Loaded {
    model: ResidentModel,
    /// The state of its folder. If it has changed, the model is loaded again.
    folder: Option<String>,
}

/// A worker that stays, and when it was asked last.
struct Staying<K, R> {
    key: K,
    one: R,
    asked: Instant,
}

/// The workers that stay, the one that was asked last at the end.
#[derive(Default)]
struct Residents(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    staying: Vec<Staying<Loaded, Resident>>,
    /// Whether a thread looks for workers that nobody asks.
    watched: bool,
}

impl Models<'_> {
    /// Questions as vectors, by a base model and, where given, the adapter in a folder.
    pub(crate) fn question_vectors(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        questions: &[&str],
    ) -> Result<Matrix> {
        self.with_resident(base, resident(base, adapter), |resident| {
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
        self.with_resident(base, resident(base, adapter), |resident| {
            Ok(resident.ready().clone())
        })
    }

    /// The state of a base model's folder; `None` if this machine has no such folder.
    pub(crate) fn state_of(&self, base: &BaseModel) -> Option<String> {
        folder_of(base).as_deref().and_then(folder_state)
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
        self.with_resident(base, model, |resident| Ok(resident.scores(request)?.scores))
    }

    /// Sends a request to the worker that stays running for this model. If there is no such worker, it is started. If
    /// the worker has ended meanwhile, it is started again, but only once. A worker that loaded the model before its
    /// folder was changed is ended.
    fn with_resident<T>(
        &self,
        base: &BaseModel,
        model: ResidentModel,
        ask: impl Fn(&mut Resident) -> Result<T>,
    ) -> Result<T> {
        let residents = self.workspace.memo::<Residents>();
        let mut kept = residents.0.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = self.state_of(base);
        kept.staying
            .retain(|one| one.key.model != model || one.key.folder == folder);
        let start = |key: &Loaded| Resident::start(&WorkerProgram::locate()?, &key.model);
        let answer = asked(&mut kept.staying, Loaded { model, folder }, start, ask);
        if !kept.staying.is_empty() && !kept.watched {
            // It does not keep them: they end when the workspace is closed.
            let those = Arc::downgrade(&residents);
            let watch = std::thread::Builder::new().spawn(move || end_idle(&those));
            // Where no thread can be started now, the next question tries again; this one has its answer.
            kept.watched = watch.is_ok();
        }
        answer
    }
}

/// Ends workers that nobody asks, until there are none.
fn end_idle(those: &Weak<Residents>) {
    loop {
        std::thread::sleep(LOOK);
        let Some(residents) = those.upgrade() else {
            return;
        };
        let mut kept = residents.0.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = take_idle(&mut kept.staying, Instant::now());
        kept.watched = !kept.staying.is_empty();
        let goes_on = kept.watched;
        // A question need not wait until they have ended.
        drop(kept);
        drop(idle);
        if !goes_on {
            return;
        }
    }
}

/// Takes out those that were not asked for long.
fn take_idle<K, R>(staying: &mut Vec<Staying<K, R>>, now: Instant) -> Vec<Staying<K, R>> {
    let is_idle = |one: &Staying<K, R>| now.saturating_duration_since(one.asked) >= IDLE;
    let (idle, rest) = std::mem::take(staying).into_iter().partition(is_idle);
    *staying = rest;
    idle
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
    staying: &mut Vec<Staying<K, R>>,
    key: K,
    start: impl Fn(&K) -> Result<R>,
    ask: impl Fn(&mut R) -> Result<T>,
) -> Result<T> {
    if let Some(place) = staying.iter().position(|known| known.key == key) {
        let mut known = staying.remove(place);
        match ask(&mut known.one) {
            Err(failure) if failure.code == Code::WorkerDied => {}
            answer => {
                known.asked = Instant::now();
                staying.push(known);
                return answer;
            }
        }
    }
    let mut one = start(&key)?;
    let answer = ask(&mut one)?;
    if staying.len() >= MOST {
        staying.remove(0);
    }
    let asked = Instant::now();
    staying.push(Staying { key, one, asked });
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
        let mut staying: Vec<Staying<char, u32>> = Vec::new();
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

    #[test]
    fn who_is_not_asked_for_five_minutes_leaves() {
        let began = Instant::now();
        let mut staying: Vec<Staying<char, u32>> = Vec::new();
        for (key, after) in [('a', 0), ('b', 200)] {
            let asked = began + Duration::from_secs(after);
            staying.push(Staying { key, one: 1, asked });
        }
        let mut left = |after: u64| -> Vec<char> {
            let now = began + Duration::from_secs(after);
            take_idle(&mut staying, now)
                .iter()
                .map(|one| one.key)
                .collect()
        };
        let nobody: [char; 0] = [];
        assert_eq!(left(0), nobody);
        assert_eq!(left(299), nobody);
        assert_eq!(left(300), ['a']);
        assert_eq!(left(499), nobody);
        assert_eq!(left(500), ['b']);
        assert_eq!(left(10_000), nobody);
    }

    /// A question counts from its answer, so that a long one is no idle time.
    #[test]
    fn who_was_asked_again_stays_as_long_from_then_on() {
        let long_ago = Instant::now().checked_sub(IDLE);
        let mut staying: Vec<Staying<char, u32>> = Vec::new();
        // A machine that has only just started knows no earlier instant.
        let asked_before = long_ago.unwrap_or_else(Instant::now);
        staying.push(Staying {
            key: 'a',
            one: 1,
            asked: asked_before,
        });
        let start = |_: &char| Ok(2);
        assert_eq!(
            asked(&mut staying, 'a', start, |one| ask(one, &[])).ok(),
            Some(1)
        );
        assert!(take_idle(&mut staying, Instant::now()).is_empty());
    }
}
