//! Checks an answer while a model writes it. Only statements that pass the check are reported. The complete answer is
//! read and checked again at its end, so it does not depend on whether anybody followed it.

use super::statements::Said;
use crate::asking::Heard;
use crate::workspace::{Result, Watcher};
use lexforge_augment::{ArrivingAnswer, WrittenStatement};
use lexforge_domain::api::{AnswerSoFar, Citation, Statement};
use std::cell::RefCell;

/// Checks a statement, and adds to the citations what it cites.
type Check<'a> = &'a dyn Fn(&WrittenStatement, &mut Vec<Citation>) -> Result<Statement>;

/// Follows an answer while it is written.
pub(super) struct WhileWritten<'a> {
    check: Check<'a>,
    watcher: &'a dyn Watcher,
    come: RefCell<Come>,
}

/// What has come.
#[derive(Default)]
struct Come {
    arriving: ArrivingAnswer,
    /// Text has come.
    begun: bool,
    so_far: AnswerSoFar,
    /// Statements that did not pass.
    struck: u32,
    /// A check failed; the whole answer meets the failure again and tells it.
    failed: bool,
}

impl<'a> WhileWritten<'a> {
    pub(super) fn new(check: Check<'a>, watcher: &'a dyn Watcher) -> Self {
        Self {
            check,
            watcher,
            come: RefCell::default(),
        }
    }

    /// Takes in what was heard of the answer.
    pub(super) fn heard(&self, heard: Heard<'_>) {
        let mut come = self.come.borrow_mut();
        let before = (come.begun, come.so_far.clone());
        match heard {
            Heard::Text(text) => come.take(text, self.check),
            Heard::Nothing => *come = Come::default(),
        }
        if (come.begun, &come.so_far) != (before.0, &before.1) {
            self.watcher.written(&come.so_far);
        }
    }

    /// The whole answer came to this. What was not told before is told now.
    pub(super) fn is_whole(&self, said: &Said, unreadable: u32) {
        let (kept, struck): (Vec<_>, Vec<_>) = said.statements.iter().partition(|s| s.kept);
        let whole = AnswerSoFar {
            statements: kept.into_iter().cloned().collect(),
            citations: said.citations.clone(),
            left_out: unreadable.saturating_add(struck.len().try_into().unwrap_or(u32::MAX)),
        };
        let mut come = self.come.borrow_mut();
        if come.so_far != whole {
            come.so_far = whole;
            self.watcher.written(&come.so_far);
        }
    }
}

impl Come {
    fn take(&mut self, text: &str, check: Check<'_>) {
        self.begun = true;
        for written in self.arriving.push(text) {
            if self.failed {
                return;
            }
            match check(written, &mut self.so_far.citations) {
                Ok(statement) if statement.kept => self.so_far.statements.push(statement),
                Ok(_) => self.struck += 1,
                Err(_) => self.failed = true,
            }
        }
        self.so_far.left_out = self.struck.saturating_add(self.arriving.unreadable());
    }
}
