//! Words of ours for wrong usage that the grammar alone explains badly.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The hint for a command line such as `docs list WORKSPACE`, in which a word was taken for the workspace's file
/// because the command has no subcommand of that name. `typed` is the command line.
pub fn hint(error: &Error, typed: &[String]) -> Option<String> {
    if error.kind() != ErrorKind::ArgumentConflict {
        return None;
    }
    let Some(ContextValue::String(later)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let at = typed.iter().position(|word| word == later)?;
    let command = typed.iter().skip(1).find(|word| !word.starts_with('-'))?;
    let word = typed.get(at.checked_sub(1)?)?;
    Some(format!(
        "hint: {word} was taken for the workspace's file, because {command} has no command of this name. See: lexforge \
         {command} --help"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    #[test]
    fn a_command_that_there_is_not_is_told_from_a_workspace() {
        for (line, expected) in [
            (
                "lexforge docs list a.lexforge",
                Some("hint: list was taken"),
            ),
            (
                "lexforge docs show a.lexforge 9",
                Some("hint: show was taken"),
            ),
            (
                "lexforge --json match nothing a.lexforge",
                Some("hint: nothing was taken"),
            ),
            ("lexforge docs a.lexforge --nonsense", None),
            ("lexforge nonsense", None),
        ] {
            let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let told = match Cli::try_parse_from(&typed) {
                Err(error) => hint(&error, &typed),
                Ok(_) => Some("it was understood".to_owned()),
            };
            let begins = |expected: &str| told.as_ref().is_some_and(|t| t.starts_with(expected));
            assert!(expected.map_or(told.is_none(), begins), "{line}: {told:?}");
        }
    }
}
