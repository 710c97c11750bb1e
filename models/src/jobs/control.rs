//! The user's requests to a running job: the control file and the system's signal to end.

use crate::Result;
use crate::jobs::events::EventLog;
use crate::platform::StopSignal;
use crate::training::ranks::Ranks;
use lexforge_domain::protocol::{CONTROL_FILE, Control, Event};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a step goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Go on with the next step.
    GoOn,
    /// Write a checkpoint, then on.
    Checkpoint,
    /// Write a checkpoint and leave.
    Stop,
}

/// Reads the user's wishes.
#[derive(Clone, Debug)]
pub struct ControlFile {
    path: PathBuf,
    signal: StopSignal,
}

impl ControlFile {
    /// The control file of a bundle.
    pub fn new(bundle: &Path, signal: StopSignal) -> Self {
        Self {
            path: bundle.join(CONTROL_FILE),
            signal,
        }
    }

    /// The request that the control file contains at this step. As long as the file says `pause`, this function waits.
    /// A word for a single action (`checkpoint`, `stop`, `resume`) is removed from the file, so that the action is done
    /// only once.
    ///
    /// # Errors
    /// If the event `paused` cannot be written.
    pub fn wish(&self, events: &EventLog, step: u64) -> Result<Wish> {
        self.wish_of_all(events, step, &Ranks::alone())
    }

    /// What the user asks of a job that runs in several ranks. All ranks get the same answer. Rank 0 reads the file; a
    /// signal may reach any rank.
    ///
    /// # Errors
    /// As [`ControlFile::wish`], and if a rank has ended.
    pub(crate) fn wish_of_all(&self, events: &EventLog, step: u64, ranks: &Ranks) -> Result<Wish> {
        let mut waiting = false;
        loop {
            let wish = if ranks.leads() {
                self.now()
            } else {
                Some(Wish::GoOn)
            };
            let of = |wanted: Option<Wish>| f64::from(u8::from(wish == wanted));
            let mut votes = [
                f64::from(u8::from(self.signal.asked())) + of(Some(Wish::Stop)),
                of(Some(Wish::Checkpoint)),
                of(None),
            ];
            ranks.sum_numbers(&mut votes)?;
            match votes.map(|votes| votes > 0.0) {
                [true, ..] => return Ok(Wish::Stop),
                [_, true, _] => return Ok(Wish::Checkpoint),
                [_, _, false] => return Ok(Wish::GoOn),
                [_, _, true] => {
                    if !waiting {
                        events.write(Event::Paused { step })?;
                        waiting = true;
                    }
                    std::thread::sleep(Duration::from_millis(100));
                }
            }
        }
    }

    /// The request in the file now; `None` = wait.
    fn now(&self) -> Option<Wish> {
        let wish = match self.word() {
            Some(Control::Pause) => return None,
            Some(Control::Stop) => Wish::Stop,
            Some(Control::Checkpoint) => Wish::Checkpoint,
            Some(Control::Resume) => Wish::GoOn,
            None => return Some(Wish::GoOn),
        };
        self.taken();
        Some(wish)
    }

    /// Whether the user has asked the job to stop; nothing is taken out of the file.
    pub(crate) fn stop_wanted(&self) -> bool {
        self.signal.asked() || self.word() == Some(Control::Stop)
    }

    fn word(&self) -> Option<Control> {
        Control::from_word(&std::fs::read_to_string(&self.path).ok()?)
    }

    fn taken(&self) {
        // If the file cannot be removed, the word is obeyed again at the next step, which does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_acts_once_and_a_pause_lasts() {
        let folder = tempfile::tempdir().unwrap();
        let events = EventLog::open(&folder.path().join("events.jsonl")).unwrap();
        let signal = StopSignal::default();
        let control = ControlFile::new(folder.path(), signal.clone());
        let path = folder.path().join(CONTROL_FILE);
        let check = |word: &str, first: Wish| {
            std::fs::write(&path, word).unwrap();
            assert_eq!(control.wish(&events, 1).unwrap(), first, "{word}");
            assert_eq!(
                control.wish(&events, 1).unwrap(),
                Wish::GoOn,
                "{word} acts once"
            );
        };
        assert_eq!(control.wish(&events, 1).unwrap(), Wish::GoOn);
        check("stop\n", Wish::Stop);
        check("checkpoint", Wish::Checkpoint);
        check("resume", Wish::GoOn);
        std::fs::write(&path, "pause").unwrap();
        let waiting = {
            let (control, events) = (control.clone(), events.clone());
            std::thread::spawn(move || control.wish(&events, 7).unwrap())
        };
        let log = folder.path().join("events.jsonl");
        while !std::fs::read_to_string(&log).unwrap().contains("paused") {
            std::thread::yield_now();
        }
        assert!(!waiting.is_finished());
        std::fs::write(&path, "stop").unwrap();
        assert_eq!(waiting.join().unwrap(), Wish::Stop);
        signal.ask();
        assert_eq!(control.wish(&events, 1).unwrap(), Wish::Stop);
    }
}
