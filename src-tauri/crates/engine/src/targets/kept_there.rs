//! What is kept on a target, by kind and size. Nothing is changed there, and no worker is needed for it.

use super::kept::target;
use super::shells::{leave, shell_on};
use crate::workspace::Result;
use lexforge_domain::api::{KeptKind, KeptThere, KeptThing};

/// What is kept on a target.
///
/// # Errors
/// When there is no such target, or it does not answer.
pub fn kept_there(name: &str) -> Result<KeptThere> {
    let target = target(name)?;
    let mut shell = shell_on(&target)?;
    let rows = shell.kept()?;
    leave(&target, shell);
    let folder = rows.iter().find(|(kind, _)| kind == "folder");
    let folder = folder.map_or(String::new(), |(_, folder)| folder.clone());
    Ok(KeptThere {
        target: target.name,
        folder,
        things: things(&rows),
    })
}

/// The things that a target reported, sorted by kind. A thing that takes no space is left out, except a bundle. Things
/// whose size could not be measured come last within their kind.
fn things(rows: &[(String, String)]) -> Vec<KeptThing> {
    let mut things: Vec<KeptThing> = rows.iter().filter_map(thing).collect();
    things.retain(|thing| thing.bytes != Some(0) || thing.kind == KeptKind::Bundle);
    things.sort_by(|a, b| (a.kind, b.bytes, &a.name).cmp(&(b.kind, a.bytes, &b.name)));
    things
}

fn thing((kind, value): &(String, String)) -> Option<KeptThing> {
    let kind = KeptKind::from_tag(kind)?;
    let (kib, rest) = value.split_once(' ').unwrap_or((value, ""));
    let (fetched, name) = match kind {
        KeptKind::Bundle | KeptKind::Checkpoints => {
            let (fetched, name) = rest.split_once(' ')?;
            (Some(fetched == "yes"), name)
        }
        KeptKind::Worker | KeptKind::Model | KeptKind::Coming => (None, rest),
    };
    Some(KeptThing {
        kind,
        name: name.to_owned(),
        bytes: kib.parse::<u64>().ok().map(|kib| kib << 10),
        fetched,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_target_become_things_by_kind_the_largest_first() {
        let rows = [
            ("folder", "/data/lexforge"),
            ("coming", "0"),
            ("model", "16 Qwen3 8B"),
            ("worker", "7 aaaa"),
            ("model", "32 small"),
            ("bundle", "0 no 1111"),
            ("checkpoints", "0 no 1111"),
            ("bundle", "4 yes 2222"),
            ("checkpoints", "9 yes 2222"),
            // Of a newer target.
            ("other", "5 x"),
            // What was not measured in time, and what cannot be read as a size.
            ("model", "? huge"),
            ("bundle", "? no 3333"),
            ("worker", "lots bbbb"),
        ]
        .map(|(kind, value)| (kind.to_owned(), value.to_owned()));
        let told: Vec<_> = things(&rows)
            .into_iter()
            .map(|t| (t.kind.tag(), t.name, t.bytes.map(|b| b >> 10), t.fetched))
            .collect();
        let expected = [
            ("worker", "aaaa", Some(7), None),
            ("worker", "bbbb", None, None),
            ("model", "small", Some(32), None),
            ("model", "Qwen3 8B", Some(16), None),
            ("model", "huge", None, None),
            ("bundle", "2222", Some(4), Some(true)),
            ("bundle", "1111", Some(0), Some(false)),
            ("bundle", "3333", None, Some(false)),
            ("checkpoints", "2222", Some(9), Some(true)),
        ]
        .map(|(kind, name, kib, fetched)| (kind, name.to_owned(), kib, fetched));
        assert_eq!(told, expected);
    }
}
