//! The prompts for models, as files that a user can edit (`prompts/`, one for each kind and language). Their wording
//! and their examples were written for the product.
//!
//! A file begins with the line `lexforge prompt: KIND, LANGUAGE`. The text up to the first part is a note and is never
//! sent. The parts are `[system]` (the role of the model), `[user]` (the question) and `[again]` (the text that is
//! added when an unusable answer is asked for again). Names in braces are replaced by values; [`placeholders`] lists
//! the names for each kind.
//!
//! Texts of documents and of models are put between markers that contain the text's own hash (`fence`). No wording can
//! remove these markers, and filled-in values are never searched for names again.

mod places;
mod shipped;

pub(crate) use places::Filled;
pub use places::placeholders;

use crate::endpoint::object::Unparseable;
use crate::endpoint::{Prompt, Shape};
use crate::fence;
use crate::reasons::Rejection;
use lexforge_domain::api::PromptKind;
use lexforge_domain::text::Language;
use lexforge_text::is_han;
use places::{ATTEMPT, REASON, fill, names};
use sha2::{Digest, Sha256};
use shipped::SHIPPED;
use std::sync::LazyLock;

/// The beginning of the first line.
const HEAD: &str = "lexforge prompt:";
/// Fewest and most characters of the part `system`.
const SYSTEM: (usize, usize) = (40, 12_000);
/// Most characters of the part `user`, and of the part `again`.
const USER: usize = 4_000;
const AGAIN: usize = 1_000;
/// The share of Chinese characters among the letters of the part `system`. In a Chinese wording the share must be at
/// least the first figure. This figure is low, because the examples contain JSON keys in Latin letters. In an English
/// wording the share must not be larger than the second figure.
const HAN: (f64, f64) = (0.3, 0.2);

static PARSED: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let parse = |(kind, language, text): &(PromptKind, Language, &str)| {
        let mut wording = Wording::parse(*kind, *language, text).ok()?;
        wording.shipped = true;
        Some(wording)
    };
    SHIPPED.iter().filter_map(parse).collect()
});
/// Used if a kind has no wording. The tests check that each kind has one.
static NONE: LazyLock<Wording> = LazyLock::new(|| Wording {
    kind: PromptKind::SentenceQca,
    language: Language::En,
    text: String::new(),
    hash: [0; 32],
    system: String::new(),
    user: String::new(),
    again: String::new(),
    shipped: true,
});

/// The wording of one prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    kind: PromptKind,
    language: Language,
    text: String,
    hash: [u8; 32],
    system: String,
    user: String,
    again: String,
    shipped: bool,
}

/// Why the model is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The answer could not be read.
    Unparseable(Unparseable),
    /// The content of the answer was rejected.
    Rejected(Rejection),
}

impl Why {
    /// Whether the same model could mend it: some faults lie in what it was given.
    pub(crate) fn can_be_mended(self) -> bool {
        use Rejection as R;
        !matches!(
            self,
            Self::Rejected(
                R::DuplicateQuestion
                    | R::LevelMismatch
                    | R::NestedChoice
                    | R::OriginMismatch
                    | R::WrongAnchor
            )
        )
    }

    fn words(self, language: Language) -> String {
        match (self, language) {
            (Self::Unparseable(why), Language::Zh) => why.chinese().to_owned(),
            (Self::Rejected(why), Language::Zh) => why.chinese().to_owned(),
            (Self::Unparseable(why), _) => why.to_string(),
            (Self::Rejected(why), _) => why.to_string(),
        }
    }
}

/// The file of a kind and language that comes with the product; every language but Chinese has the English one.
pub fn shipped(kind: PromptKind, language: Language) -> &'static Wording {
    let language = own_language(language);
    PARSED
        .iter()
        .find(|w| w.kind == kind && w.language == language)
        .unwrap_or(&NONE)
}

/// The language of whose wording a text is asked about.
pub fn own_language(language: Language) -> Language {
    if language == Language::Zh {
        Language::Zh
    } else {
        Language::En
    }
}

impl Wording {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(kind: PromptKind, language: Language, text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let head = format!("{HEAD} {}, {}", kind.tag(), language.tag());
        let first = text.lines().next().unwrap_or_default().trim();
        if first != head {
            return Err(format!("The first line is not “{head}”."));
        }
        const NAMES: [&str; 3] = ["[system]", "[user]", "[again]"];
        let mut parts: [Option<String>; 3] = Default::default();
        let mut at: Option<usize> = None;
        for line in text.lines().skip(1) {
            if let Some(next) = NAMES.iter().position(|name| *name == line.trim_end()) {
                if parts[next].replace(String::new()).is_some() {
                    return Err(format!("The part {} stands there twice.", NAMES[next]));
                }
                at = Some(next);
            } else if let Some(at) = at
                && let Some(body) = &mut parts[at]
            {
                body.push_str(line);
                body.push('\n');
            }
        }
        let [system, user, again] =
            parts.map(|part| part.unwrap_or_default().trim_matches('\n').to_owned());
        let wording = Self {
            kind,
            language,
            hash: Sha256::digest(text.as_bytes()).into(),
            system,
            user,
            again,
            text,
            shipped: false,
        };
        wording.check()?;
        Ok(wording)
    }

    fn check(&self) -> Result<(), String> {
        let parts = [
            ("system", &self.system),
            ("user", &self.user),
            ("again", &self.again),
        ];
        let wanted = placeholders(self.kind);
        for (name, text) in parts {
            let needed = name == "system" || wanted.iter().any(|p| p.part == name);
            if needed && text.trim().is_empty() {
                return Err(format!("The part [{name}] is missing or empty."));
            }
            if text.contains("<<<") || text.contains(">>>") {
                return Err(
                    "“<<<” and “>>>” mark the texts of documents and must not stand in a wording."
                        .to_owned(),
                );
            }
            let found = names(text);
            for placeholder in wanted.iter().filter(|p| p.part == name) {
                let times = found.iter().filter(|n| **n == placeholder.name).count();
                let may_lack = placeholder.name == ATTEMPT;
                if times == 0 && !may_lack {
                    return Err(format!(
                        "{{{}}} is missing in the part [{name}]: {}.",
                        placeholder.name, placeholder.meaning
                    ));
                }
                if times > 1 {
                    return Err(format!(
                        "{{{}}} stands in the part [{name}] {times} times.",
                        placeholder.name
                    ));
                }
            }
            if let Some(unknown) = found
                .iter()
                .find(|n| !wanted.iter().any(|p| p.part == name && p.name == **n))
            {
                return Err(format!(
                    "{{{unknown}}} is nothing that is filled in in the part [{name}]."
                ));
            }
        }
        let length = |text: &str| text.chars().count();
        if !(SYSTEM.0..=SYSTEM.1).contains(&length(&self.system)) {
            return Err(format!(
                "The part [system] has {} characters; {} to {} can be used.",
                length(&self.system),
                SYSTEM.0,
                SYSTEM.1
            ));
        }
        for (name, text, most) in [("user", &self.user, USER), ("again", &self.again, AGAIN)] {
            if length(text) > most {
                return Err(format!(
                    "The part [{name}] has {} characters, more than {most}.",
                    length(text)
                ));
            }
        }
        let letters: Vec<char> = self.system.chars().filter(|c| c.is_alphabetic()).collect();
        let han =
            letters.iter().filter(|c| is_han(**c)).count() as f64 / letters.len().max(1) as f64;
        match self.language {
            Language::Zh if han < HAN.0 => {
                Err("It is to be in Chinese; models answer in the language of the task.".to_owned())
            }
            Language::En if han > HAN.1 => {
                Err("It is to be in English; models answer in the language of the task.".to_owned())
            }
            Language::En | Language::Zh => Ok(()),
            _ => Err("Prompts are in English (en) or Chinese (zh).".to_owned()),
        }
    }

    pub fn kind(&self) -> PromptKind {
        self.kind
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// The whole file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// SHA-256 of the file, hexadecimal.
    pub fn hash(&self) -> String {
        hex::encode(self.hash)
    }

    /// Whether it is the one that comes with the product.
    pub fn is_shipped(&self) -> bool {
        self.shipped
    }

    /// The prompt with everything filled in; `again` = which answer could not be used, and why.
    pub(crate) fn prompt(
        &self,
        filled: &[Filled<'_>],
        again: Option<(usize, Why)>,
        max_tokens: u32,
        shape: Shape,
    ) -> Prompt {
        let mut user = fill(&self.user, filled);
        if let Some((attempt, why)) = again {
            let (attempt, reason) = (attempt.to_string(), why.words(self.language));
            let added = fill(
                &self.again,
                &[(ATTEMPT, attempt.as_str()), (REASON, reason.as_str())],
            );
            user = format!("{}\n\n{added}", user.trim_end_matches('\n'));
        }
        let mut prompt = Prompt::new(fill(&self.system, filled), user, max_tokens).in_shape(shape);
        prompt.tags = filled
            .iter()
            .flat_map(|(_, value)| fence::tags(value))
            .collect();
        // Answers of the shipped wording keep the keys that they had before wordings were files.
        prompt.wording = (!self.shipped).then_some(self.hash);
        prompt
    }
}

/// The wordings in use: a workspace's own, and the shipped ones for the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wordings {
    own: Vec<Wording>,
}

impl Wordings {
    /// Wordings in which these replace the shipped ones of the same kind and language.
    pub fn new(own: Vec<Wording>) -> Self {
        Self { own }
    }

    /// The wording of a kind for texts of a language.
    pub fn get(&self, kind: PromptKind, language: Language) -> &Wording {
        let language = own_language(language);
        self.own
            .iter()
            .find(|w| w.kind == kind && w.language == language)
            .unwrap_or_else(|| shipped(kind, language))
    }

    /// The same wordings, with this one instead of that of the same kind and language.
    #[must_use]
    pub fn with(mut self, wording: Wording) -> Self {
        self.own
            .retain(|w| (w.kind, w.language) != (wording.kind, wording.language));
        self.own.push(wording);
        self
    }

    /// Hashes of those that are not the shipped ones, hexadecimal.
    pub fn own_hashes(&self) -> Vec<String> {
        self.own
            .iter()
            .filter(|w| !w.shipped)
            .map(Wording::hash)
            .collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
