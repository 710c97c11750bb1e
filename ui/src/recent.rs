//! The workspaces that were opened last.

/// Workspaces that are remembered.
const RECENT: usize = 5;

/// These workspaces, a line each, with this one before the others.
pub fn with_newest(recent: &str, path: &str) -> String {
    let others = recent.lines().filter(|line| *line != path);
    let all = std::iter::once(path).chain(others);
    all.take(RECENT).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_workspace_stands_first_and_once() {
        for (recent, path, expected) in [
            ("", "a", "a"),
            ("b\nc", "a", "a\nb\nc"),
            ("b\na\nc", "a", "a\nb\nc"),
            ("1\n2\n3\n4\n5", "6", "6\n1\n2\n3\n4"),
        ] {
            assert_eq!(with_newest(recent, path), expected);
        }
    }
}
