//! Names and paths that may come from elsewhere: what is allowed to become a file of a folder.

/// Longest path that is taken, in bytes.
const LONGEST: usize = 1024;

/// Whether a text can be the name of a file or folder on every system, and cannot mean anything else. It contains no
/// separator, no drive, no stream (`name:stream` on Windows), no name of a device, and no character that a system would
/// drop or change.
pub fn is_plain_name(name: &str) -> bool {
    let forbidden = |c: char| {
        matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') || c.is_control()
    };
    let ends_well = !name.ends_with(['.', ' ']) && !name.starts_with(' ');
    !name.is_empty()
        && name.len() <= 255
        && ends_well
        && !name.contains(forbidden)
        && !is_device(name)
}

/// Whether a text is a path of plain names, separated by `/`, that stays inside the folder that it is taken in.
pub fn is_plain_path(path: &str) -> bool {
    path.len() <= LONGEST && path.split('/').all(is_plain_name)
}

/// Names that Windows gives to devices, whatever follows their first dot.
fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix)
            .is_some_and(|n| n.len() == 1 && n.bytes().all(|b| (b'1'..=b'9').contains(&b)))
    };
    matches!(
        stem.as_str(),
        "con" | "prn" | "aux" | "nul" | "conin$" | "conout$"
    ) || numbered("com")
        || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_stay_inside() {
        for good in [
            "tuned",
            "bundles/run-1-1763870000000",
            "inputs/train.jsonl",
            "checkpoints/stage-1-step-0000040",
            "adapter_model.safetensors",
            ".part",
            "条例 2024.json",
            "console.json",
        ] {
            assert!(is_plain_path(good), "{good}");
        }
        let long = "a/".repeat(600) + "a";
        for bad in [
            "",
            ".",
            "..",
            "/",
            "/etc/passwd",
            "../x",
            "a/../x",
            "a/./x",
            "a//x",
            "a/",
            "C:x",
            "C:\\x",
            "a\\..\\x",
            "\\\\server\\share",
            "a\0b",
            "a\nb",
            "nul",
            "CON.json",
            "a/com1",
            "name.",
            "name ",
            "file:stream",
            &long,
        ] {
            assert!(!is_plain_path(bad), "{bad:?}");
        }
        assert!(!is_plain_name("a/b") && is_plain_name("a.b"));
    }
}
