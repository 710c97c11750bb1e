//! The wordings of prompts: the shipped files, and a workspace's own versions of them.

use super::Asking;
use crate::workspace::Result;
use lexforge_augment::wording::{Wording, Wordings, own_language, placeholders, shipped};
use lexforge_domain::api::{PromptFile, PromptKind, PromptVersion};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Asking<'_> {
    /// The prompts in use now: for each kind an English and a Chinese one.
    pub fn prompts(&self) -> Result<Vec<PromptFile>> {
        let newest = self.newest_versions()?;
        let of = |kind: PromptKind, language: Language| {
            let shipped = shipped(kind, language);
            let own = newest.get(&(kind, language)).filter(|v| v.text.is_some());
            PromptFile {
                kind,
                language,
                version: own.map_or(0, |v| v.version),
                hash: own.map_or_else(|| shipped.hash(), |v| v.hash.clone()),
                text: own
                    .and_then(|v| v.text.clone())
                    .unwrap_or_else(|| shipped.text().to_owned()),
                shipped: shipped.text().to_owned(),
                placeholders: placeholders(kind),
            }
        };
        let both = |kind| [Language::En, Language::Zh].map(|language| of(kind, language));
        Ok(PromptKind::ALL.into_iter().flat_map(both).collect())
    }

    /// One prompt in its present wording.
    pub fn prompt(&self, kind: PromptKind, language: Language) -> Result<PromptFile> {
        let language = own_language(language);
        let found = self
            .prompts()?
            .into_iter()
            .find(|p| (p.kind, p.language) == (kind, language));
        found.ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                "There is no such prompt.",
                Remedy::ListPrompts,
            )
        })
    }

    /// Every version that the workspace ever stored, oldest first.
    pub fn prompt_versions(&self) -> Result<Vec<PromptVersion>> {
        Ok(self.workspace.store.read(|r| r.prompt_versions())?)
    }

    /// Keeps a wording as the workspace's newest version and uses it from now on. A wording that equals the one in use
    /// is not kept again. If the wording is the shipped one, the workspace goes back to it.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] where the wording cannot be used: a placeholder is missing or unknown, it is in another
    /// language, or its length is wrong.
    pub fn put_prompt(
        &self,
        kind: PromptKind,
        language: Language,
        text: &str,
    ) -> Result<PromptFile> {
        let wording = parsed(kind, language, text)?;
        let now = self.prompt(kind, language)?;
        if wording.text() == shipped(kind, language).text() && now.version > 0 {
            return self.reset_prompt(kind, language);
        }
        if wording.text() != now.text {
            let (hash, text) = (wording.hash(), wording.text());
            self.workspace.store.write(&self.workspace.actor, |w| {
                w.save_prompt(kind, language, &hash, Some(text))
            })?;
        }
        self.prompt(kind, language)
    }

    /// Goes back to the shipped wording. The workspace's own versions are kept.
    ///
    /// # Errors
    /// [`Code::NotFound`] where the shipped wording is in use already.
    pub fn reset_prompt(&self, kind: PromptKind, language: Language) -> Result<PromptFile> {
        let language = own_language(language);
        if self.prompt(kind, language)?.version == 0 {
            return Err(Failure::new(
                Code::NotFound,
                format!(
                    "The prompt {} ({}) is the shipped one.",
                    kind.tag(),
                    language.tag()
                ),
                "There is nothing to take back.",
            ));
        }
        let hash = shipped(kind, language).hash();
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.save_prompt(kind, language, &hash, None)
        })?;
        self.prompt(kind, language)
    }

    /// The wordings in use. If a wording of the workspace cannot be used, this is an error; the shipped wording is not
    /// used instead without telling the user.
    pub(crate) fn wordings(&self) -> Result<Arc<Wordings>> {
        let mut own = Vec::new();
        for version in self.newest_versions()?.into_values() {
            if let Some(text) = &version.text {
                own.push(parsed(version.kind, version.language, text)?);
            }
        }
        Ok(Arc::new(Wordings::new(own)))
    }

    /// The wordings that were in use when these hashes were recorded; the shipped ones for the rest.
    pub(crate) fn wordings_of(&self, hashes: &[String]) -> Result<Arc<Wordings>> {
        let mut wordings = Wordings::default();
        for version in self.prompt_versions()? {
            if let (true, Some(text)) = (hashes.contains(&version.hash), &version.text) {
                wordings = wordings.with(parsed(version.kind, version.language, text)?);
            }
        }
        Ok(Arc::new(wordings))
    }

    fn newest_versions(&self) -> Result<BTreeMap<(PromptKind, Language), PromptVersion>> {
        Ok(self
            .prompt_versions()?
            .into_iter()
            .map(|v| ((v.kind, v.language), v))
            .collect())
    }
}

/// A wording that can be used.
pub(crate) fn parsed(kind: PromptKind, language: Language, text: &str) -> Result<Wording> {
    Wording::parse(kind, language, text).map_err(|fault| {
        Failure::new(
            Code::InvalidRequest,
            format!(
                "This wording of {} ({}) cannot be used. {fault}",
                kind.tag(),
                language.tag()
            ),
            Remedy::ChangeWording,
        )
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;

    #[test]
    fn an_edit_is_a_new_version_and_the_shipped_one_is_a_way_back() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("a.lexforge")).unwrap();
        assert_eq!(
            engine.asking().prompts().unwrap().len(),
            PromptKind::ALL.len() * 2
        );
        let (kind, language) = (PromptKind::SentenceQca, Language::En);
        let first = engine.asking().prompt(kind, language).unwrap();
        assert_eq!((first.version, &first.text), (0, &first.shipped));
        assert_eq!(
            engine
                .asking()
                .reset_prompt(kind, language)
                .unwrap_err()
                .code,
            Code::NotFound
        );
        let edited = first.text.replace("exam questions", "hard exam questions");
        let second = engine.asking().put_prompt(kind, language, &edited).unwrap();
        assert_eq!((second.version, &second.text), (1, &edited));
        assert_ne!(second.hash, first.hash);
        // The same text again makes no new version, and neither does a text that cannot be used.
        engine.asking().put_prompt(kind, language, &edited).unwrap();
        let bad = engine
            .asking()
            .put_prompt(kind, language, &edited.replace("{neighbour}", ""))
            .unwrap_err();
        assert!(
            bad.code == Code::InvalidRequest && bad.message.contains("{neighbour} is missing"),
            "{}",
            bad.message
        );
        let back = engine.asking().reset_prompt(kind, language).unwrap();
        assert_eq!(
            (back.version, &back.text, &back.hash),
            (0, &first.text, &first.hash)
        );
        engine.asking().put_prompt(kind, language, &edited).unwrap();
        // Saving the shipped text is the same as going back.
        assert_eq!(
            engine
                .asking()
                .put_prompt(kind, language, &first.shipped)
                .unwrap()
                .version,
            0
        );
        let versions = engine.asking().prompt_versions().unwrap();
        let kept: Vec<_> = versions
            .iter()
            .map(|v| (v.version, v.text.is_some()))
            .collect();
        assert_eq!(kept, [(1, true), (2, false), (3, true), (4, false)]);
        assert!(engine.asking().wordings().unwrap().own_hashes().is_empty());
        let then = engine
            .asking()
            .wordings_of(std::slice::from_ref(&second.hash))
            .unwrap();
        assert_eq!(then.get(kind, language).hash(), second.hash);
        assert!(engine.workspace().audit_verify().unwrap().ok);
        // A wording that another version stored and this one cannot use is told, and is not passed over.
        let store = &engine.workspace().store;
        store
            .write("other", |w| {
                w.save_prompt(kind, language, "unfit", Some("Write something."))
            })
            .unwrap();
        assert_eq!(
            engine.asking().wordings().unwrap_err().code,
            Code::InvalidRequest
        );
        engine.asking().reset_prompt(kind, language).unwrap();
        assert!(engine.asking().wordings().is_ok());
    }
}
