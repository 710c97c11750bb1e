//! Presses a person's pointer makes, which arrive where they are meant to, once.

use super::driver::{FAILED, PATIENCE, Window};
use fantoccini::Locator;
use std::time::{Duration, Instant};

/// Whether an element can be pressed and stands where it stood a picture before.
const AT_REST: &str = "const at_rest = async e => { \
    const place = () => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].join() }; \
    if (!e || e.disabled) return false; \
    const before = place(); \
    await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); \
    return e.isConnected && !e.disabled && place() === before };";
/// Keeps whether a click arrives at what `wanted` selects. What is rendered anew between the two halves of a click gets
/// none, and neither does what has moved away under the pointer.
const WATCHED: &str = "window.__arrived ??= (document.addEventListener('click', \
    e => { window.__arrived.done ||= !!e.target.closest?.(window.__arrived.wanted) }, true), {}); \
    window.__arrived.done = false; window.__arrived.wanted = wanted;";
/// Whether it has arrived. A click that loads the page anew leaves nothing to ask.
const ARRIVED: &str = "return window.__arrived?.done !== false";

impl Window {
    /// Clicks an element that has to be there, can be pressed and stands still: the driver looks where an element is before
    /// the pointer goes there, and what comes beside it meanwhile moves it. A click that did not arrive is repeated; if the
    /// element is half hidden under the head of its screen, it is scrolled into view first.
    pub async fn click(&self, selector: &str) {
        let there = format!(
            "{AT_REST} const wanted = {selector:?}; \
             if (!await at_rest(document.querySelector(wanted))) return false; {WATCHED} return true"
        );
        let begun = Instant::now();
        loop {
            self.until(selector, 20, &there).await;
            let pressed = match self.client.find(Locator::Css(selector)).await {
                Ok(element) => element.click().await,
                Err(gone) => Err(gone),
            };
            // A window that the click closes does not answer. Most of the driver's errors have a kind and no message, and
            // after some of them the click has arrived all the same.
            let arrived = self.try_ask(ARRIVED).await;
            if !matches!(arrived, Ok(serde_json::Value::Bool(false))) {
                return;
            }
            let told = format!("{selector}: {pressed:?}");
            if begun.elapsed() > Duration::from_secs(PATIENCE) {
                self.picture(FAILED).await;
                panic!("it cannot be pressed: {told}");
            }
            self.unsure.borrow_mut().push(told);
            let to_it = format!(
                "document.querySelector({selector:?})?.scrollIntoView({{ block: 'center' }})"
            );
            self.run(&to_it).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}
