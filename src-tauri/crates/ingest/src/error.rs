//! What can go wrong while a document is read, and how it is told to a person.

use lexforge_domain::{Advice, Code, Failure, Remedy};
use thiserror::Error;

/// A reason why a document could not be read.
#[derive(Debug, Error)]
pub enum IngestError {
    /// No bytes.
    #[error("the file is empty (0 bytes)")]
    Empty,
    /// Not one of the formats that can be imported.
    #[error("{0}")]
    Unsupported(String),
    /// A document of Word before 2007.
    #[error("the file is in the format of an older word processor (.doc), which cannot be read")]
    OldWord,
    /// Named like a PDF, and none.
    #[error("the file is named .pdf but is no PDF: its mark %PDF is missing")]
    NotAPdf,
    /// The bytes do not hold together.
    #[error("{0}")]
    Damaged(String),
    /// Locked, and no or the wrong password was given.
    #[error("{}", if *.given { "the password does not open the file" } else { "the file is locked with a password" })]
    Password {
        /// A password was given, and it was wrong.
        given: bool,
    },
    /// Encrypted in a way that is not supported.
    #[error("the file is encrypted with a method that is not supported")]
    Encryption,
    /// More bytes or pages than the limit.
    #[error("{0}")]
    TooLarge(String),
    /// More memory than the parser may take, in MiB.
    #[error("the document needs more memory than the {0} MiB that are allowed")]
    Memory(u64),
    /// Objects within objects, deeper than can be followed.
    #[error("the file nests its objects too deeply to be followed")]
    Nesting,
    /// The pages are images without a text layer.
    #[error("{0}")]
    Scanned(String),
    /// No page carries anything to read.
    #[error("{0}")]
    NoText(String),
    /// No line of a corpus file can be used.
    #[error("{0}")]
    Corpus(String),
    /// The page does not exist or cannot be drawn.
    #[error("{message}")]
    Page {
        /// Page number, from 1.
        page: u32,
        /// The fault.
        message: String,
    },
    /// The parser took longer than allowed.
    #[error("the parser did not finish within {0} s and was stopped")]
    Timeout(u64),
    /// The parser ended without an answer.
    #[error("the parser ended before it had finished: {0}")]
    Crashed(String),
    /// The user stopped it.
    #[error("stopped by the user")]
    Cancelled,
    /// The parser program cannot be started.
    #[error("the parser program cannot be started: {0}")]
    ProgramMissing(String),
}

impl From<IngestError> for Failure {
    fn from(error: IngestError) -> Self {
        let message = error.to_string();
        let (code, advice): (Code, Advice) = match &error {
            IngestError::Empty => (Code::Empty, "Copy or download the file again.".into()),
            IngestError::Unsupported(_) => (
                Code::UnsupportedFormat,
                "Import a PDF, a .docx, .html, .md or .txt file, or a corpus file (.jsonl with one passage a line).".into(),
            ),
            IngestError::OldWord => {
                (Code::UnsupportedFormat, "Open it in a word processor, save it as .docx or PDF, and import that.".into())
            }
            IngestError::NotAPdf => (
                Code::NotAPdf,
                "Find out what the file really is: a web page or a Word document under this name, for example. Give it the ending \
                 of its kind, or download it again."
                    .into(),
            ),
            IngestError::Damaged(_) => (
                Code::Damaged,
                "Get the file again from its source, or open it in the program that made it and save it anew.".into(),
            ),
            IngestError::Password { given: false } => {
                (Code::PasswordRequired, "Give the password, or save a copy of the file without one.".into())
            }
            IngestError::Password { given: true } => {
                (Code::PasswordRequired, "Check the password, or save a copy of the file without one.".into())
            }
            IngestError::Encryption => {
                (Code::Encrypted, "Open the file in the program that made it and save a copy without protection.".into())
            }
            IngestError::Nesting => {
                (Code::Damaged, "Open the file in a PDF viewer and save it as a new PDF, or leave it out.".into())
            }
            IngestError::TooLarge(_) | IngestError::Memory(_) => {
                (Code::TooLarge, "Split the file into parts, or raise the limit, and import again.".into())
            }
            IngestError::NoText(_) => {
                (Code::Empty, "Open the file in a viewer: if you see text there, get another copy of it.".into())
            }
            IngestError::Scanned(_) => (
                Code::ScannedNoText,
                "Install Tesseract with the file's languages (Debian: tesseract-ocr, tesseract-ocr-chi-sim; macOS: brew \
                 install tesseract tesseract-lang) and import again, or get a copy of the file with a text layer.".into(),
            ),
            IngestError::Corpus(_) => (
                Code::CorpusLineInvalid,
                "Write one JSON object a line, with the fields id and text (and title and section, if there are any).".into(),
            ),
            IngestError::Page { .. } => (Code::Damaged, "Choose another page, or get the file again from its source.".into()),
            IngestError::Timeout(_) => {
                (Code::TimedOut, "Split the file into parts, or raise the time limit, and import again.".into())
            }
            IngestError::Crashed(_) => (
                Code::ParserCrashed,
                "The other files are not affected. Open the file in a program that shows it, save it anew and import that.".into(),
            ),
            IngestError::Cancelled => (Code::Cancelled, "Import the file again when you are ready.".into()),
            IngestError::ProgramMissing(_) => (
                Code::Internal,
                Remedy::InstallParser.into(),
            ),
        };
        let failure = Self::new(code, sentence(&message), advice);
        match error {
            IngestError::Page { page, .. } => failure.on_page(page),
            _ => failure,
        }
    }
}

/// The message with a capital at its start and a full stop at its end.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let mut text: String = match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    };
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}
