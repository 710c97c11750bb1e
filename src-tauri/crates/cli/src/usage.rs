//! Words of ours for wrong usage that the grammar alone explains badly.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};

/// The hint for a wrong command line, where there is one; `typed` is the command line.
pub fn hint(error: &Error, typed: &[String]) -> Option<String> {
    no_such_command(error, typed).or_else(|| option_without_dashes(error, typed))
}

/// The hint for a command line such as `docs list WORKSPACE`, in which a word was taken for the workspace's file
/// because the command has no subcommand of that name.
fn no_such_command(error: &Error, typed: &[String]) -> Option<String> {
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

/// The hint for a command line such as `terms decide WORKSPACE 1 accept`, in which an option stands without its dashes.
fn option_without_dashes(error: &Error, typed: &[String]) -> Option<String> {
    let wrong = match error.kind() {
        ErrorKind::ValueValidation => ContextKind::InvalidValue,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(word)) = error.get(wrong) else {
        return None;
    };
    let mut all = Cli::command();
    all.build();
    let mut command = &mut all;
    for name in typed.iter().skip(1).filter(|name| !name.starts_with('-')) {
        if command.find_subcommand(name).is_none() {
            break;
        }
        command = command.find_subcommand_mut(name)?;
    }
    let is_option = |arg: &clap::Arg| arg.get_long() == Some(word.as_str());
    if !command.get_arguments().any(is_option) {
        return None;
    }
    let hint = format!("hint: {word} is an option here, and is written --{word}.");
    // Of other errors the usage stands there already.
    Some(match error.kind() {
        ErrorKind::ValueValidation => format!("{hint}\n\n{}", command.render_usage()),
        _ => hint,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn told(line: &str) -> Option<String> {
        let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
        match Cli::try_parse_from(&typed) {
            Err(error) => hint(&error, &typed),
            Ok(_) => Some("it was understood".to_owned()),
        }
    }

    #[test]
    fn an_option_without_its_dashes_is_named_with_them() {
        for (line, option) in [
            ("lexforge terms decide a.lexforge 1 accept", "--accept"),
            ("lexforge terms decide 1 accept", "--accept"),
            ("lexforge --json qca decide a.lexforge 1 2 skip", "--skip"),
            ("lexforge triplets decide a.lexforge 1 reject", "--reject"),
            ("lexforge audit verify a.lexforge json", "--json"),
        ] {
            let told = told(line).unwrap_or_default();
            assert!(
                told.contains(&format!("is written {option}.")),
                "{line}: {told}"
            );
        }
        let usage = told("lexforge terms decide 1 accept").unwrap_or_default();
        for part in [
            "Usage: lexforge terms decide",
            "<WORKSPACE>",
            "--accept|--reject",
        ] {
            assert!(usage.contains(part), "{usage}");
        }
        assert_eq!(told("lexforge terms decide a.lexforge 1 yes"), None);
    }

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
            let told = told(line);
            let begins = |expected: &str| told.as_ref().is_some_and(|t| t.starts_with(expected));
            assert!(expected.map_or(told.is_none(), begins), "{line}: {told:?}");
        }
    }
}
