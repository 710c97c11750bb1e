//! One question with its answer.

use crate::terminal::Terminal;
use lexforge_domain::Failure;
use lexforge_domain::api::{Answer, Inquiry};
use lexforge_engine::Engine;

/// The answer to a question, once whatever it sends was agreed to.
pub fn asked(engine: &Engine, inquiry: Inquiry, yes: bool) -> Result<Answer, Failure> {
    let answering = engine.answering();
    let plan = answering.plan_answer(&inquiry)?;
    let asks = plan.filter(|plan| !plan.local && plan.prompts > 0);
    let consent = asks.and_then(|plan| crate::endpoints::consent(&plan, yes));
    let watcher = Terminal::new(false);
    watcher.finished(answering.ask_watched(&Inquiry { consent, ..inquiry }, &watcher))
}
