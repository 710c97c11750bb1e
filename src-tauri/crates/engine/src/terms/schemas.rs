//! Schemas of terms: those that come with the product, and a workspace's own edits of them.

use super::Terms;
use crate::workspace::Result;
use lexforge_augment::{extract, schemas};
use lexforge_domain::schema::{OwnSchema, TermSchema};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use std::collections::HashSet;

/// Setting under which a workspace keeps its own schemas.
const SETTING: &str = "terms.schemas";
/// Most classes of a schema, and most examples of a class: all of them stand in every prompt.
const MOST_CLASSES: usize = 24;
const MOST_EXAMPLES: usize = 40;

impl Terms<'_> {
    /// The schemas. A schema of the workspace replaces the product's schema of the same name and language.
    pub fn term_schemas(&self) -> Result<Vec<TermSchema>> {
        let mut own = self.own_schemas()?;
        let mut all: Vec<TermSchema> = Vec::new();
        for shipped in schemas::shipped() {
            let at = own
                .iter()
                .position(|s| is(s, &shipped.name, shipped.language));
            all.push(at.map_or(shipped, |at| own.remove(at)));
        }
        all.extend(own);
        Ok(all)
    }

    /// The schemas stored in the workspace: its own, and changed copies of those that come with the product.
    pub fn own_term_schemas(&self) -> Result<Vec<OwnSchema>> {
        let shipped = schemas::shipped();
        let own = self.own_schemas()?.into_iter();
        let row = |s: TermSchema| OwnSchema {
            shipped: shipped.iter().any(|known| is(known, &s.name, s.language)),
            name: s.name,
            language: s.language,
        };
        Ok(own.map(row).collect())
    }

    /// Stores a schema in the workspace. It replaces a schema with the same name and language.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] where the schema cannot be used; the message says what is wrong with it.
    pub fn put_term_schema(&self, schema: TermSchema) -> Result<()> {
        let schema = checked(schema)?;
        let mut own = self.own_schemas()?;
        own.retain(|s| !is(s, &schema.name, schema.language));
        if schemas::shipped().iter().all(|s| *s != schema) {
            own.push(schema);
        }
        self.keep_schemas(&own)
    }

    /// Removes a schema of the workspace. If the product has a schema with that name, it is used again.
    ///
    /// # Errors
    /// [`Code::NotFound`] where the workspace has no schema of this name and language.
    pub fn remove_term_schema(&self, name: &str, language: Language) -> Result<()> {
        let mut own = self.own_schemas()?;
        let before = own.len();
        own.retain(|s| !is(s, name, language));
        if own.len() == before {
            return Err(Failure::new(
                Code::NotFound,
                format!(
                    "This workspace has no schema {name} ({}) of its own.",
                    language.tag()
                ),
                Remedy::ListSchemas,
            ));
        }
        self.keep_schemas(&own)
    }

    /// The schemas of a workspace that differ from those that come with the product.
    pub(crate) fn own_schemas(&self) -> Result<Vec<TermSchema>> {
        let kept = self.workspace.store.read(|r| r.json_setting(SETTING))?;
        Ok(kept.unwrap_or_default())
    }

    fn keep_schemas(&self, own: &[TermSchema]) -> Result<()> {
        let text = serde_json::json!(own).to_string();
        Ok(self
            .workspace
            .store
            .write(&self.workspace.actor, |w| w.set_setting(SETTING, &text))?)
    }

    /// The names of the schemas to use: those that were asked for, or else the schema of general law.
    ///
    /// # Errors
    /// [`Code::NotFound`] where a schema asked for does not exist.
    pub(crate) fn schema_names(&self, all: &[TermSchema], asked: &[String]) -> Result<Vec<String>> {
        if asked.is_empty() {
            return Ok(vec!["general".to_owned()]);
        }
        match asked
            .iter()
            .find(|name| all.iter().all(|s| s.name != **name))
        {
            None => Ok(asked.to_vec()),
            Some(unknown) => {
                let mut names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
                names.dedup();
                Err(Failure::new(
                    Code::NotFound,
                    format!("There is no schema {unknown}."),
                    format!("There are: {}.", names.join(", ")),
                ))
            }
        }
    }
}

fn is(schema: &TermSchema, name: &str, language: Language) -> bool {
    schema.name == name && schema.language == language
}

/// A schema with blanks trimmed, if it can be used.
fn checked(mut schema: TermSchema) -> Result<TermSchema> {
    let invalid = |message: String| Err(Failure::invalid(message, "Change it and keep it again."));
    let is_name = |name: &str| {
        (1..=40).contains(&name.chars().count())
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    schema.name = schema.name.trim().to_owned();
    if !is_name(&schema.name) {
        return invalid(format!(
            "The schema's name “{}” is not one of 1 to 40 letters, digits and dashes.",
            schema.name
        ));
    }
    if schema.classes.is_empty() || schema.classes.len() > MOST_CLASSES {
        return invalid(format!(
            "A schema has 1 to {MOST_CLASSES} classes; this one has {}.",
            schema.classes.len()
        ));
    }
    let mut names = HashSet::new();
    for class in &mut schema.classes {
        class.name = class.name.trim().to_lowercase();
        class.label = class.label.trim().to_owned();
        class.description = class.description.trim().to_owned();
        if !is_name(&class.name) {
            return invalid(format!(
                "The class's name “{}” is not one of 1 to 40 letters, digits and dashes.",
                class.name
            ));
        }
        if !names.insert(class.name.clone()) {
            return invalid(format!("Two classes have the name {}.", class.name));
        }
        if class.label.is_empty() {
            class.label.clone_from(&class.name);
        }
        class.examples = class
            .examples
            .iter()
            .map(|e| e.trim().to_owned())
            .filter(|e| !e.is_empty())
            .collect();
        if class.examples.is_empty() || class.examples.len() > MOST_EXAMPLES {
            return invalid(format!(
                "The class {} needs 1 to {MOST_EXAMPLES} examples.",
                class.name
            ));
        }
        if let Some(bad) = class
            .examples
            .iter()
            .find(|e| extract::phrase(e, schema.language).is_err())
        {
            return invalid(format!(
                "“{bad}”, an example of {}, is no single noun phrase without a number.",
                class.name
            ));
        }
    }
    Ok(schema)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;

    #[test]
    fn schemas_that_cannot_be_read_are_neither_passed_over_nor_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("a.lexforge")).unwrap();
        let shipped = engine.terms().term_schemas().unwrap();
        let damaged = "[{\"name\": ";
        engine.workspace().set_setting(SETTING, damaged).unwrap();
        let failures = [
            engine.terms().term_schemas().map(drop),
            engine.terms().own_term_schemas().map(drop),
            engine.terms().put_term_schema(shipped[0].clone()),
        ];
        for failure in failures {
            let failure = failure.unwrap_err();
            assert_eq!(failure.code, Code::WorkspaceInvalid);
            assert!(failure.message.contains(SETTING), "{}", failure.message);
        }
        let kept = engine.workspace().setting(SETTING).unwrap();
        assert_eq!(kept.as_deref(), Some(damaged));
    }
}
