//! The restrictions that the parser program puts on itself before it reads, and how they are reported.

use serde::{Deserialize, Serialize};

/// How far one of the system's two means was granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granted {
    /// Everything that was requested.
    Whole,
    /// A part, since the kernel is older than the program.
    Partly,
    /// Nothing, and why.
    Refused(String),
}

/// The restrictions that are in force in a process of the parser program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// Landlock: which files can be read and which programs started.
    pub files: Granted,
    /// seccomp: which calls of the system are answered.
    pub calls: Granted,
}

impl Sandbox {
    /// In words: the actions that a hostile document cannot do, and what prevents them.
    pub fn describe(&self) -> String {
        match (&self.files, &self.calls) {
            (Granted::Refused(files), Granted::Refused(calls)) => format!(
                "limits of memory and time alone: there is no Landlock ({files}) and no seccomp ({calls})"
            ),
            (Granted::Refused(why), _) => format!(
                "no network and no writing (seccomp); there is no Landlock ({why}), so it can read what you can read"
            ),
            (_, Granted::Refused(why)) => format!(
                "no files of yours, no writing (Landlock); there is no seccomp ({why}), so it can reach the network"
            ),
            (Granted::Whole, Granted::Whole) => "no network, no writing, no files of yours, no other program than \
                                                 Tesseract (Landlock and seccomp)"
                .to_owned(),
            _ => "no network, no writing, no files of yours, no other program than Tesseract (Landlock in part, since \
                  the kernel is older, and seccomp)"
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_what_follows_from_it() {
        let refused = |why: &str| Granted::Refused(why.to_owned());
        let cases: [(Granted, Granted, &[&str], &[&str]); 5] = [
            (
                Granted::Whole,
                Granted::Whole,
                &["no network", "no files of yours"],
                &["in part", "can"],
            ),
            (
                Granted::Partly,
                Granted::Whole,
                &["no network", "in part"],
                &["can"],
            ),
            (
                refused("old"),
                Granted::Whole,
                &["(old)", "can read what you can read"],
                &["no files"],
            ),
            (
                Granted::Whole,
                refused("EPERM"),
                &["(EPERM)", "can reach the network"],
                &["no network"],
            ),
            (
                refused("old"),
                refused("EPERM"),
                &["limits", "(old)", "(EPERM)"],
                &["no network", "no writing"],
            ),
        ];
        for (files, calls, said, unsaid) in cases {
            let told = Sandbox { files, calls }.describe();
            for part in said {
                assert!(told.contains(part), "{part} is missing in: {told}");
            }
            for part in unsaid {
                assert!(!told.contains(part), "{part} is in: {told}");
            }
        }
    }
}
