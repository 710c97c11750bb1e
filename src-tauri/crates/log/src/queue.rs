//! The queue of lines for the log file. A separate thread writes the lines, and the program never waits for it.
//!
//! The queue of `tracing-appender` is not used: it panics if no thread can be started, and prints to the standard
//! output if it cannot end. A log must do neither.

use crate::rolling::{Rolling, lose};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Lines that may wait.
const WAITING: usize = 8192;
/// The end of a program waits so long for the lines that are on their way.
const ENDS_WITHIN: Duration = Duration::from_secs(1);
/// Pause between two tries to say that it is the end.
const PAUSE: Duration = Duration::from_millis(5);

enum Sent {
    Line(Vec<u8>),
    End,
}

/// The sending end of the queue of lines.
#[derive(Clone)]
pub(crate) struct Queue(SyncSender<Sent>);

/// The thread that writes. When this goes, what was given to it before is written.
pub(crate) struct Writing {
    queue: Queue,
    ended: Mutex<Receiver<()>>,
}

impl Queue {
    /// A queue with its thread; the file comes back where no thread can be had.
    pub(crate) fn begin(mut file: Rolling) -> Option<(Self, Writing)> {
        let (sender, lines) = sync_channel(WAITING);
        let (tell, ended) = sync_channel(1);
        let write = move || {
            for sent in lines {
                match sent {
                    // The file itself counts the lines that it cannot write.
                    Sent::Line(line) => file.put(&line),
                    Sent::End => break,
                }
            }
            // Whoever waited for the end may have gone.
            let _ = tell.send(());
        };
        std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(write)
            .ok()?;
        let queue = Self(sender);
        let writing = Writing {
            queue: queue.clone(),
            ended: Mutex::new(ended),
        };
        Some((queue, writing))
    }

    /// Gives it a line; where too many wait already, the line is lost.
    pub(crate) fn give(&self, line: &[u8]) {
        if self.0.try_send(Sent::Line(line.to_vec())).is_err() {
            lose();
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        let since = Instant::now();
        while let Err(TrySendError::Full(_)) = self.queue.0.try_send(Sent::End) {
            if since.elapsed() > ENDS_WITHIN {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        let left = ENDS_WITHIN.saturating_sub(since.elapsed());
        // A disk that does not answer keeps no program from its end.
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(left) {
            lose();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_before_the_end_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (queue, writing) = Queue::begin(Rolling::new(folder.path(), "it")).unwrap();
        for number in 0..1000 {
            queue.give(format!("{number}\n").as_bytes());
        }
        drop(writing);
        let text = std::fs::read_to_string(folder.path().join("it.log")).unwrap();
        assert_eq!(text.lines().count(), 1000);
        // Lines that are given after the end are dropped.
        queue.give(b"late\n");
    }
}
