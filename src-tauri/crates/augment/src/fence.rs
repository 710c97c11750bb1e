//! Puts texts of documents and of models between markers that these texts cannot contain.
//!
//! A marker is 128 bits of the SHA-256 of its text. To put the end marker of a text into this text, its author would
//! have to find one of 2^128 values. Anything else in a text that looks like a marker is just part of the text.
//!
//! The bits are written in base64 (22 characters). A model reads every marker, and hexadecimal markers needed about
//! twice as many tokens. That was too much for models with a small context.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Bytes of a text's hash in its markers.
const BYTES: usize = 16;
/// Characters of a marker: six bits each.
const SPELLED: usize = (BYTES * 8).div_ceil(6);
/// The number of bytes of the hash in the markers that earlier versions wrote, in hexadecimal. The keys of prompts are
/// still computed with these short markers, so that answers that an earlier version stored are found again.
const KEYED: usize = 4;

/// A text between its markers.
pub(crate) fn fenced(label: &str, text: &str) -> String {
    let tag = tag(text);
    format!("<<<{label} {tag}\n{text}\n{tag} {label}>>>")
}

fn tag(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(text.as_bytes())[..BYTES])
}

/// The short marker that replaces a marker in keys; `None` if this program did not make the marker.
fn short(tag: &str) -> Option<String> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(tag).ok()?;
    bytes.get(..KEYED).map(hex::encode)
}

/// The markers of a value that begins with a fence, one after the other; none where it is no fence.
pub(crate) fn tags(mut value: &str) -> Vec<String> {
    let mut tags = Vec::new();
    while let Some((tag, _, rest)) = first(value) {
        tags.push(tag.to_owned());
        value = rest.trim_start_matches('\n');
    }
    tags
}

/// The marker and the text of the fence that a value begins with, and what follows it.
fn first(value: &str) -> Option<(&str, &str, &str)> {
    let (head, body) = value.strip_prefix("<<<")?.split_once('\n')?;
    let (label, tag) = head.rsplit_once(' ')?;
    let (text, rest) = body.split_once(&format!("\n{tag} {label}>>>"))?;
    (tag.len() == SPELLED).then_some((tag, text, rest))
}

/// The text of a prompt from which its key is computed. The markers are replaced by the short markers of earlier
/// versions.
///
/// If a text in the prompt contains one of the markers (because it quotes the hash of another text), the prompt is
/// returned unchanged, because the texts between the markers must never be changed.
pub(crate) fn keyed(prompt: &str, tags: &[String]) -> String {
    let once = |tag: &String| {
        prompt.matches(tag.as_str()).count() == 2 * tags.iter().filter(|t| *t == tag).count()
    };
    if !tags.iter().all(once) {
        return prompt.to_owned();
    }
    let spelled = tags.iter().filter_map(|tag| Some((tag, short(tag)?)));
    spelled.fold(prompt.to_owned(), |text, (tag, short)| {
        text.replace(tag, &short)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The fence as it was with markers of 32 bits.
    fn once(label: &str, text: &str) -> String {
        let tag = hex::encode(&Sha256::digest(text.as_bytes())[..4]);
        format!("<<<{label} {tag}\n{text}\n{tag} {label}>>>")
    }

    #[test]
    fn one_fence_whatever_stands_in_the_text() {
        let texts = [
            "The bank shall pay.",
            "",
            "ends with a newline\n",
            "\n00000000 A>>>\n<<<A 00000000\n",
            &format!(
                "a fence inside\n{}\nand more",
                fenced("A", "The bank shall pay.")
            ),
            &format!("{} A>>> half of one", tag("The bank shall pay.")),
            "<<<B aaaaaaaaaaaaaaaaaaaaaa\nx\naaaaaaaaaaaaaaaaaaaaaa B>>>",
        ];
        for text in texts {
            let fence = fenced("A", text);
            let (tag, inside, rest) = first(&fence).unwrap();
            assert_eq!((tag.len(), inside, rest), (22, text, ""));
            assert_eq!(fence.matches(&format!("\n{tag} A>>>")).count(), 1);
        }
        let many: String = texts
            .iter()
            .zip(1..)
            .map(|(t, n)| format!("{}\n", fenced(&n.to_string(), t)))
            .collect();
        assert_eq!(tags(&many), texts.map(tag));
        assert!(
            tags("- \"Person\": a human").is_empty()
                && tags("<<<A 00000000\nx\n00000000 A>>>").is_empty()
        );
    }

    #[test]
    fn keys_are_those_of_the_short_markers() {
        let (a, b) = ("The bank shall pay.", "The client may pay.");
        let prompt = |fence: fn(&str, &str) -> String| {
            format!("Text A:\n{}\n\nText B:\n{}", fence("A", a), fence("B", b))
        };
        let tags = [tags(&fenced("A", a)), tags(&fenced("B", b))].concat();
        assert_eq!(keyed(&prompt(fenced), &tags), prompt(once));
        // The same text twice.
        let twice = format!("{}\n{}", fenced("A", a), fenced("B", a));
        assert_eq!(
            keyed(&twice, &[tag(a), tag(a)]),
            format!("{}\n{}", once("A", a), once("B", a))
        );
        // A text that quotes another's marker is not touched.
        let quoting = format!("quotes {}", tag(a));
        let prompt = format!("{}\n{}", fenced("A", a), fenced("B", &quoting));
        assert_eq!(keyed(&prompt, &[tag(a), tag(&quoting)]), prompt);
    }
}
