//! The schemas that come with the product: classes of terms for six fields of law, in English and in Chinese. The
//! wording was written for the product; the examples are terms from the laws of several countries.

use lexforge_domain::schema::TermSchema;
use lexforge_domain::text::Language;

/// One file a field, with its schema in each language.
const SHIPPED: [&str; 6] = [
    include_str!("../schemas/general.json"),
    include_str!("../schemas/banking.json"),
    include_str!("../schemas/securities.json"),
    include_str!("../schemas/insurance.json"),
    include_str!("../schemas/anti-money-laundering.json"),
    include_str!("../schemas/data-protection.json"),
];

/// All schemas that come with the product, field by field.
pub fn shipped() -> Vec<TermSchema> {
    SHIPPED
        .iter()
        .flat_map(|text| serde_json::from_str::<Vec<TermSchema>>(text).unwrap_or_default())
        .collect()
}

/// The schemas with these names in a language, joined into one. Of classes with the same name the first definition is
/// used, with the examples of all. A language without schemas of its own gets the English ones.
pub fn joined(schemas: &[TermSchema], names: &[String], language: Language) -> TermSchema {
    let of = |language: Language| -> Vec<&TermSchema> {
        schemas
            .iter()
            .filter(|s| s.language == language && names.contains(&s.name))
            .collect()
    };
    let chosen = match of(language) {
        own if own.is_empty() => of(Language::En),
        own => own,
    };
    let mut joined = TermSchema {
        name: names.join(" "),
        label: chosen
            .iter()
            .map(|s| s.label.as_str())
            .collect::<Vec<_>>()
            .join(", "),
        language,
        classes: Vec::new(),
    };
    for class in chosen.into_iter().flat_map(|s| &s.classes) {
        match joined
            .classes
            .iter_mut()
            .find(|known| known.name == class.name)
        {
            Some(known) => known.examples.extend(class.examples.iter().cloned()),
            None => joined.classes.push(class.clone()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_field_has_its_schema_in_both_languages() {
        let all = shipped();
        assert_eq!(all.len(), 12);
        for schema in &all {
            let twin = all
                .iter()
                .find(|s| s.name == schema.name && s.language != schema.language);
            let names =
                |s: &TermSchema| s.classes.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
            assert_eq!(twin.map(names), Some(names(schema)), "{}", schema.name);
            let different: HashSet<&str> = schema.classes.iter().map(|c| c.name.as_str()).collect();
            assert_eq!(different.len(), schema.classes.len());
            for class in &schema.classes {
                let what = format!("{} {} {}", schema.name, schema.language.tag(), class.name);
                assert!(
                    class.examples.len() >= 3
                        && !class.description.is_empty()
                        && !class.label.is_empty(),
                    "{what}"
                );
                for example in &class.examples {
                    assert_eq!(
                        crate::extract::phrase(example, schema.language),
                        Ok(()),
                        "{what}: {example}"
                    );
                }
            }
        }
    }

    #[test]
    fn classes_of_several_schemas_are_joined() {
        let names = ["banking".to_owned(), "insurance".to_owned()];
        let joined = joined(&shipped(), &names, Language::Zh);
        assert_eq!(
            joined.classes.iter().filter(|c| c.name == "risk").count(),
            1
        );
        assert!(
            joined
                .classes
                .iter()
                .any(|c| c.examples.iter().any(|e| e == "投保人"))
        );
        assert!(
            !super::joined(&shipped(), &names, Language::Ko)
                .classes
                .is_empty()
        );
    }
}
