//! An answer that is read while the model writes it.

use crate::endpoint::answer::Answer;
use crate::endpoint::client::Client;
use crate::endpoint::failure::{CallFailure, Fault};
use crate::endpoint::prompt::Prompt;
use crate::endpoint::wire::{self, Streamed};
use lexforge_domain::endpoint::AnswerForm;
use reqwest::{Response, header};
use serde_json::Value;

/// The last event of a stream.
const END: &str = "[DONE]";

/// Cuts the bytes of a stream into the data of its events.
#[derive(Default)]
struct Events {
    open: Vec<u8>,
}

impl Client {
    /// Sends a prompt once, and passes on the text of the answer while it arrives. Returns the answer in the same form
    /// as [`Client::complete`]. If the endpoint sends the whole answer at once, that answer is returned, and no text is
    /// passed on before. If the endpoint refuses to stream, it is asked again for the whole answer; the refused request
    /// costs nothing.
    ///
    /// # Errors
    /// A failure that says what went wrong. Text that was passed on before is then not part of any answer.
    pub async fn stream(
        &self,
        prompt: &Prompt,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Answer, CallFailure> {
        let form = match prompt.shape {
            Some(_) => self.form(),
            None => AnswerForm::Free,
        };
        let streamed = self
            .within_time(self.stream_in(prompt, form, on_text))
            .await;
        match streamed {
            Err(failure) if matches!(failure.status, Some(400 | 415 | 422 | 501)) => {
                self.complete(prompt).await
            }
            outcome => outcome,
        }
    }

    async fn stream_in(
        &self,
        prompt: &Prompt,
        form: AnswerForm,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Answer, CallFailure> {
        let response = self.send(self.request(prompt, form, true)).await?;
        if !is_stream(&response) {
            return self.whole(response).await;
        }
        let streamed = self.read_stream(response, on_text).await?;
        let answer = streamed
            .answer(&self.model)
            .ok_or_else(|| self.failure(Fault::Garbage, None, "the stream has no answer"))?;
        Ok(self.without_secrets(answer))
    }

    async fn read_stream(
        &self,
        mut response: Response,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Streamed, CallFailure> {
        let (mut events, mut streamed) = (Events::default(), Streamed::default());
        let (mut bytes, mut passed, mut ended) = (0_u64, 0, false);
        while !ended {
            // A model that reads a long prompt is silent before its first word, as long as a whole answer may take.
            let silence = match streamed.text() {
                "" => self.longest(),
                _ => self.silence,
            };
            let chunk = self.chunk(&mut response, silence).await?;
            let over = chunk.is_none();
            let chunk = chunk.as_deref().unwrap_or_default();
            bytes += chunk.len() as u64;
            self.within_size(bytes)?;
            for data in events.push(chunk, over) {
                let data = std::str::from_utf8(&data)
                    .map_err(|_| self.failure(Fault::Encoding, None, ""))?;
                if data == END {
                    ended = true;
                    break;
                }
                let event: Value = serde_json::from_str(data)
                    .map_err(|_| self.failure(Fault::Garbage, None, ""))?;
                if event.get("error").is_some_and(|error| !error.is_null()) {
                    let said = wire::complaint(&event).unwrap_or_default();
                    return Err(self.failure(Fault::ServerError, None, &said));
                }
                streamed.add(&event);
            }
            let rest = streamed.text().get(passed..).unwrap_or_default();
            let (settled, taken) = self.cut.settled_in_answer(rest);
            if taken > 0 {
                on_text(&settled);
                passed += taken;
            }
            if over && !ended {
                // A stream that is whole says so.
                if !streamed.is_finished() {
                    return Err(self.failure(Fault::Truncated, None, ""));
                }
                ended = true;
            }
        }
        let rest = streamed.text().get(passed..).unwrap_or_default();
        if !rest.is_empty() {
            on_text(&self.cut.out_of_answer(rest));
        }
        Ok(streamed)
    }
}

impl Events {
    /// The data of the events that are complete with these bytes; with `over`, the last line needs no end.
    fn push(&mut self, bytes: &[u8], over: bool) -> Vec<Vec<u8>> {
        let known = self.open.len();
        self.open.extend_from_slice(bytes);
        let new = self.open.get(known..).unwrap_or_default();
        let whole = match new.iter().rposition(|byte| *byte == b'\n') {
            _ if over => self.open.len(),
            Some(last) => known + last + 1,
            None => 0,
        };
        let lines: Vec<u8> = self.open.drain(..whole).collect();
        lines
            .split(|byte| *byte == b'\n')
            .filter_map(|line| line.strip_prefix(b"data:"))
            .map(|data| data.trim_ascii().to_vec())
            .filter(|data| !data.is_empty())
            .collect()
    }
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| {
            kind.trim_start()
                .to_ascii_lowercase()
                .starts_with("text/event-stream")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the bytes are cut, the events are the same: also in the middle of a character.
    #[test]
    fn the_events_of_a_stream_do_not_depend_on_its_chunks() {
        let stream = "event: x\r\ndata: {\"a\":1}\r\n\r\n: wait\ndata:问é\n\ndata:  \ndata: [DONE]";
        let expected = ["{\"a\":1}", "问é", "[DONE]"].map(|data| data.as_bytes().to_vec());
        for size in 1..=stream.len() {
            let mut events = Events::default();
            let mut found = Vec::new();
            for chunk in stream.as_bytes().chunks(size) {
                found.extend(events.push(chunk, false));
            }
            assert!(found.len() < expected.len(), "{size}");
            found.extend(events.push(b"", true));
            assert_eq!(found, expected, "{size}");
        }
    }
}
