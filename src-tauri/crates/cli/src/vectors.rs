//! `vectors`, and the vectors that an import makes.

use crate::output::{Outcome, Output, count, counted, done, tell, word};
use crate::terminal::Terminal;
use crate::workspace_args::WorkspaceArgs;
use lexforge_domain::api::EncoderVectors;
use lexforge_engine::Engine;

pub fn vectors(args: &WorkspaceArgs, out: &Output) -> Outcome {
    let engine = Engine::open_to_write(&args.workspace)?;
    let watcher = Terminal::new(false);
    let made = watcher.finished(engine.answering().make_vectors(&watcher))?;
    out.document(&made, || told(&made));
    done()
}

/// Makes the vectors of the imported documents. If this fails or is stopped, the import is still complete.
pub fn after_import(engine: &Engine, watcher: &Terminal) {
    let made = engine.answering().make_vectors(watcher);
    watcher.finish();
    tell(&match made {
        Ok(made) => told(&made),
        Err(failure) => format!(
            "What was imported is kept. Not all vectors were made: {}",
            failure.message
        ),
    });
}

/// Says after an import how the vectors are made that the search lacks. Until then it looks at words only.
pub fn offer(engine: &Engine) {
    if engine.answering().awaits_vectors().unwrap_or(false) {
        tell(&format!(
            "Questions are searched by words only, until vectors are made: lexforge vectors {}",
            word(&engine.workspace().path().to_string_lossy())
        ));
    }
}

/// Says how many sentences were added after the vectors were made, because a search by vectors can miss these. If their
/// number cannot be read, the function says this instead. It never fails, so the caller can still show what was found.
pub fn tell_of_missing(engine: &Engine) {
    match engine.answering().missing_vectors() {
        Ok(0) => {}
        Ok(missing) => tell(&format!(
            "! {} without a vector by the encoder of their language: what they say can be missed. Make the vectors: lexforge vectors {}",
            counted(missing, "sentence"),
            word(&engine.workspace().path().to_string_lossy())
        )),
        Err(failure) => tell(&format!(
            "! It is not known how many sentences have no vector: {}",
            failure.message
        )),
    }
}

fn told(made: &EncoderVectors) -> String {
    if made.made + made.clauses == 0 {
        return "No vectors were missing that can be made before the graph is built.".to_owned();
    }
    format!("Made vectors of {} by {}.", texts(made), made.encoder)
}

/// The texts that got vectors, counted.
pub fn texts(made: &EncoderVectors) -> String {
    let sentences = format!("{} sentences", count(made.made));
    let clauses = format!(
        "{} whole clauses and parts of passages",
        count(made.clauses)
    );
    match (made.made, made.clauses) {
        (_, 0) => sentences,
        (0, _) => clauses,
        _ => format!("{sentences} and of {clauses}"),
    }
}
