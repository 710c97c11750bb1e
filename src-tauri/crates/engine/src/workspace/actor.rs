//! Who acts, as the audit chain names them.

/// The name under which this person's actions stand in the audit chain.
pub(super) fn actor() -> String {
    ["LEXFORGE_ACTOR", "USER", "USERNAME", "LOGNAME"]
        .into_iter()
        .find_map(|key| std::env::var(key).ok().filter(|name| !name.is_empty()))
        .unwrap_or_else(|| "local user".to_owned())
}
