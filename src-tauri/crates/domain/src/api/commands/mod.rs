//! The table of the window's commands. Each command is written here once, with its arguments, its answer and what it
//! does. The page sends these structs. The shell matches on [`Request`], so the compiler makes sure that it answers
//! every one of them.
//!
//! The name that is sent is the name of the struct. The structs do not implement `Debug`, because some hold a password.

/// The commands of one room.
///
/// ```text
/// commands! {
///     RoomRequest;
///
///     /// What it does.
///     Name { argument: Type } -> Answer;
/// }
/// ```
///
/// For each command, the macro makes a struct that implements [`Command`] and has the arguments as fields. It also
/// makes an enum of all commands of the room.
macro_rules! commands {
    ($request:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident { $($argument:ident: $type:ty),* $(,)? } -> $answer:ty;
    )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(serde::Serialize, serde::Deserialize)]
            #[allow(missing_docs)]
            pub struct $name {
                $(pub $argument: $type,)*
            }

            impl super::Command for $name {
                const NAME: &'static str = stringify!($name);
                type Answer = $answer;
            }
        )+

        /// One of the commands of this room.
        // The value is matched right after it was read, and is stored nowhere.
        #[allow(clippy::large_enum_variant)]
        pub enum $request {
            $($(#[doc = $doc])+ $name($name),)+
        }

        impl $request {
            /// The names of the commands.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// Reads the command with this name and its arguments. `None` if the room has no such command.
            ///
            /// # Errors
            /// The arguments are not those of the command.
            pub fn read<'de, D: serde::Deserializer<'de>>(name: &str, arguments: D) -> Option<Result<Self, D::Error>> {
                match name {
                    $(stringify!($name) => {
                        Some(<$name as serde::Deserialize>::deserialize(arguments).map(Self::$name))
                    })+
                    _ => None,
                }
            }
        }
    };
}

use serde::de::DeserializeOwned;
use serde::{Deserializer, Serialize};

mod activity;
mod answering;
mod endpoints;
mod evaluation;
mod graph;
mod library;
mod matching;
mod packets;
mod people;
mod prompts;
mod questions;
mod review;
mod targets;
mod tasks;
mod terms;
mod training;
mod training_data;
mod workspace;

pub use activity::*;
pub use answering::*;
pub use endpoints::*;
pub use evaluation::*;
pub use graph::*;
pub use library::*;
pub use matching::*;
pub use packets::*;
pub use people::*;
pub use prompts::*;
pub use questions::*;
pub use review::*;
pub use targets::*;
pub use tasks::*;
pub use terms::*;
pub use training::*;
pub use training_data::*;
pub use workspace::*;

/// Something that the page can ask of the shell; its arguments are the fields.
pub trait Command: Serialize + DeserializeOwned + Send + 'static {
    /// Its name on the way from the page to the shell.
    const NAME: &'static str;
    /// The answer, unless the command ends with a [`Failure`](crate::Failure).
    type Answer: Serialize + DeserializeOwned + Send + 'static;
}

/// Brings the rooms under one roof.
macro_rules! rooms {
    ($($room:ident: $request:ident),+ $(,)?) => {
        /// Any command, under the room that answers it.
        #[allow(clippy::large_enum_variant, missing_docs)]
        pub enum Request {
            $($room($request),)+
        }

        impl Request {
            /// The names of the commands, room by room.
            pub const NAMES: &'static [&'static [&'static str]] = &[$($request::NAMES),+];

            /// Reads the command with this name and its arguments. `None` if no command has this name.
            ///
            /// # Errors
            /// The arguments do not belong to the command.
            pub fn read<'de, D: Deserializer<'de>>(name: &str, arguments: D) -> Option<Result<Self, D::Error>> {
                $(
                    if $request::NAMES.contains(&name) {
                        return $request::read(name, arguments).map(|read| read.map(Self::$room));
                    }
                )+
                None
            }
        }
    };
}

rooms! {
    Activity: ActivityRequest,
    Answering: AnsweringRequest,
    Endpoints: EndpointsRequest,
    Evaluation: EvaluationRequest,
    Graph: GraphRequest,
    Library: LibraryRequest,
    Matching: MatchingRequest,
    Packets: PacketsRequest,
    People: PeopleRequest,
    Prompts: PromptsRequest,
    Questions: QuestionsRequest,
    Review: ReviewRequest,
    Targets: TargetsRequest,
    Tasks: TasksRequest,
    Terms: TermsRequest,
    Training: TrainingRequest,
    TrainingData: TrainingDataRequest,
    Workspace: WorkspaceRequest,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_commands_have_one_name() {
        let all = Request::NAMES.concat();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn what_the_page_writes_is_what_the_shell_reads() {
        let asked = Page {
            document: crate::DocumentId(3),
            number: 12,
        };
        let read = Request::read(Page::NAME, serde_json::to_value(&asked).unwrap())
            .unwrap()
            .unwrap();
        let Request::Library(LibraryRequest::Page(read)) = read else {
            panic!("another command was read")
        };
        assert_eq!((read.document, read.number), (asked.document, asked.number));
    }

    #[test]
    fn every_command_is_found_by_its_name() {
        for name in Request::NAMES.concat() {
            assert!(Request::read(name, json!({})).is_some(), "{name}");
        }
        assert!(Request::read("NoSuchCommand", json!({})).is_none());
    }

    #[test]
    fn arguments_of_another_command_are_refused() {
        assert!(
            Request::read(Page::NAME, json!({ "id": 3 }))
                .unwrap()
                .is_err()
        );
    }
}
