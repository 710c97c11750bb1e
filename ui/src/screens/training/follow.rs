//! The events of a run: read once from the beginning, then received as they come.

use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::protocol::JobEvent;
use std::time::Duration;

/// How often what was heard is drawn; a small model makes many steps a second.
const EVERY: Duration = Duration::from_millis(200);

#[derive(Clone, Copy)]
struct Ear {
    id: RunId,
    events: Fetched<Vec<JobEvent>>,
    /// Heard and not yet taken over.
    heard: StoredValue<Vec<JobEvent>>,
    /// A look at what was heard is due.
    due: StoredValue<bool>,
    /// The whole file is being read.
    reading: StoredValue<bool>,
}

/// All events of a run, from the first on and without a gap, whatever was missed in between.
pub fn follow(id: RunId) -> Fetched<Vec<JobEvent>> {
    let app = use_app();
    let ear = Ear {
        id,
        events: Fetched::default(),
        heard: StoredValue::new(Vec::new()),
        due: StoredValue::new(false),
        reading: StoredValue::new(false),
    };
    ear.read();
    Effect::new(move |_| {
        if let Some((from, event)) = app.heard.get()
            && from == id
        {
            ear.heard.update_value(|heard| heard.push(event));
            if ear.due.try_update_value(|due| std::mem::replace(due, true)) == Some(false) {
                set_timeout(move || ear.look(), EVERY);
            }
        }
    });
    ear.events
}

impl Ear {
    fn read(self) {
        self.reading.set_value(true);
        self.events.ask(async move {
            let answer = call(commands::RunEvents { id: self.id }).await;
            self.reading.try_set_value(false);
            answer
        });
    }

    /// Takes over the new events; if earlier ones are missing, all are read again. Does nothing if the screen was
    /// closed meanwhile.
    fn look(self) {
        self.due.try_set_value(false);
        if self.reading.try_get_value() != Some(false) {
            // New events wait until the reading in progress is done.
            return;
        }
        let Some(heard) = self.heard.try_update_value(std::mem::take) else {
            return;
        };
        let mut missed = false;
        self.events.value.try_update(|known| match known {
            Some(known) => missed = !append(known, heard),
            None => missed = true,
        });
        if missed {
            self.read();
        }
    }
}

/// Appends events that follow on what is known; false at a gap.
fn append(known: &mut Vec<JobEvent>, heard: Vec<JobEvent>) -> bool {
    for event in heard {
        let next = known.last().map_or(0, |last| last.seq + 1);
        if event.seq > next {
            return false;
        }
        if event.seq == next {
            known.push(event);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::Event;

    fn events(numbers: &[u64]) -> Vec<JobEvent> {
        let event = |seq: &u64| JobEvent {
            attempt: 1,
            seq: *seq,
            time: 0.0,
            event: Event::Paused { step: *seq },
        };
        numbers.iter().map(event).collect()
    }

    #[test]
    fn each_event_is_taken_once_and_a_gap_is_seen() {
        let mut known = events(&[0, 1]);
        assert!(append(&mut known, events(&[1, 2, 3])));
        assert_eq!(known, events(&[0, 1, 2, 3]));
        assert!(!append(&mut known, events(&[4, 6])));
        assert_eq!(known, events(&[0, 1, 2, 3, 4]));
        assert!(append(&mut Vec::new(), events(&[0])));
        assert!(!append(&mut Vec::new(), events(&[3])));
    }
}
