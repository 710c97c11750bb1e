//! A workspace's own wordings of prompts: every version that was ever saved, and each way back to the shipped one.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_tag, now, value};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::api::{PromptKind, PromptVersion};
use lexforge_domain::text::Language;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    45,
    // `text`: NULL = back to the shipped one.
    concat!(
        "CREATE TABLE prompt_version (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            language TEXT NOT NULL,
            version INTEGER NOT NULL,
            hash TEXT NOT NULL,
            text TEXT,
            saved TEXT NOT NULL,
            UNIQUE (kind, language, version)
        ) STRICT;",
        append_only!("prompt_version")
    ),
)];

pub(crate) const COVERED: Part = (
    "prompt_version",
    "SELECT id, kind, language, version, hash, text, saved FROM prompt_version ORDER BY id",
);

impl Reader<'_> {
    /// All versions, in the order in which they were saved.
    pub fn prompt_versions(&self) -> Result<Vec<PromptVersion>> {
        let sql =
            "SELECT kind, language, version, hash, text, saved FROM prompt_version ORDER BY id";
        all(self.connection, sql, [], |row| {
            Ok(PromptVersion {
                kind: from_tag(
                    "prompt_version",
                    &row.get::<_, String>(0)?,
                    PromptKind::from_tag,
                )?,
                language: Language::from_tag(&row.get::<_, String>(1)?),
                version: row.get(2)?,
                hash: row.get(3)?,
                text: row.get(4)?,
                saved: row.get(5)?,
            })
        })
    }
}

impl Writer<'_> {
    /// Saves a new version of a prompt of this kind and language, and returns its number. A version without a text
    /// means the shipped wording.
    pub fn save_prompt(
        &mut self,
        kind: PromptKind,
        language: Language,
        hash: &str,
        text: Option<&str>,
    ) -> Result<u32> {
        let sql = "INSERT INTO prompt_version (kind, language, version, hash, text, saved)
                 SELECT ?1, ?2, coalesce(max(version), 0) + 1, ?3, ?4, ?5 FROM prompt_version
                 WHERE kind = ?1 AND language = ?2 RETURNING version";
        let version: u32 = value(
            self.connection,
            sql,
            params![kind.tag(), language.tag(), hash, text, now()],
        )?;
        let action = if text.is_some() {
            "prompt.edit"
        } else {
            "prompt.reset"
        };
        self.because(format!(
            "{} ({}), version {version}",
            kind.tag(),
            language.tag()
        ));
        self.record(action, &Scope::Prompts)?;
        Ok(version)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Workspace;

    #[test]
    fn versions_are_counted_by_kind_and_language_and_never_changed() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::create(folder.path().join("a.lexforge")).unwrap();
        let save = |kind, language, text: Option<&str>| {
            workspace
                .write("tester", |w| w.save_prompt(kind, language, "00", text))
                .unwrap()
        };
        assert_eq!(save(PromptKind::Judge, Language::En, Some("a")), 1);
        assert_eq!(save(PromptKind::Judge, Language::Zh, Some("b")), 1);
        assert_eq!(save(PromptKind::Judge, Language::En, None), 2);
        let versions = workspace.read(|r| r.prompt_versions()).unwrap();
        let found: Vec<_> = versions
            .iter()
            .map(|v| (v.language, v.version, v.text.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                (Language::En, 1, Some("a")),
                (Language::Zh, 1, Some("b")),
                (Language::En, 2, None)
            ]
        );
        assert!(workspace.read(crate::verify::verify).unwrap().ok);
        let altered = rusqlite::Connection::open(workspace.path()).unwrap();
        assert!(
            altered
                .execute("UPDATE prompt_version SET text = 'x'", [])
                .is_err()
        );
        altered
            .execute_batch("DROP TRIGGER prompt_version_is_never_changed; UPDATE prompt_version SET text = 'x'")
            .unwrap();
        assert!(!workspace.read(crate::verify::verify).unwrap().ok);
    }
}
