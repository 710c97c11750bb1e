//! Finds where a mapping collection breaks OSCAL's schema of control mappings (version 1.2.1). A collection that breaks
//! it can still be read. The result only shows a person where another tool deviated from the schema.

use lexforge_domain::api::MatchBreach;
use serde_json::Value;

/// Breaches that are told; a file of another kind breaks everything.
const MOST: usize = 200;

/// The kind of value that a field may have.
enum Kind {
    Text,
    Token,
    Uuid,
    Number,
    Date,
    /// One of these texts.
    One(&'static [&'static str]),
    /// An object.
    Part(&'static Shape),
    /// A list of objects with at least one.
    Parts(&'static Shape),
    /// An object, or such a list.
    PartOrParts(&'static Shape),
    /// A list of texts with at least one.
    Tokens,
    /// The schema's demands on this field are not checked here.
    Any,
}

/// The fields of an object, and which must be there.
struct Shape {
    fields: &'static [(&'static str, bool, Kind)],
    /// Whether other fields are forbidden.
    closed: bool,
}

const METHODS: Kind = Kind::One(&["human", "automation", "hybrid"]);
const RATIONALES: Kind = Kind::One(&["syntactic", "semantic", "functional"]);
const STATES: Kind = Kind::One(&[
    "complete",
    "not-complete",
    "draft",
    "deprecated",
    "superseded",
]);

static COLLECTION: Shape = Shape {
    fields: &[
        ("uuid", true, Kind::Uuid),
        ("metadata", true, Kind::Part(&METADATA)),
        ("provenance", true, Kind::Part(&PROVENANCE)),
        ("mappings", true, Kind::PartOrParts(&MAPPING)),
        ("back-matter", false, Kind::Any),
    ],
    closed: true,
};
static METADATA: Shape = Shape {
    fields: &[
        ("title", true, Kind::Text),
        ("last-modified", true, Kind::Date),
        ("version", true, Kind::Text),
        ("oscal-version", true, Kind::Text),
    ],
    closed: false,
};
static PROVENANCE: Shape = Shape {
    fields: &[
        ("method", true, METHODS),
        ("matching-rationale", true, RATIONALES),
        ("status", true, STATES),
        ("mapping-description", true, Kind::Any),
        ("confidence-score", false, Kind::Any),
        ("coverage", false, Kind::Part(&COVERAGE)),
        ("responsible-parties", false, Kind::Any),
        ("props", false, Kind::Parts(&PROPERTY)),
        ("links", false, Kind::Any),
        ("remarks", false, Kind::Any),
    ],
    closed: true,
};
static MAPPING: Shape = Shape {
    fields: &[
        ("uuid", true, Kind::Uuid),
        ("method", false, METHODS),
        ("matching-rationale", false, RATIONALES),
        ("status", false, STATES),
        ("source-resource", true, Kind::Part(&RESOURCE)),
        ("target-resource", true, Kind::Part(&RESOURCE)),
        ("maps", true, Kind::Parts(&MAP)),
        ("props", false, Kind::Parts(&PROPERTY)),
        ("links", false, Kind::Any),
        ("remarks", false, Kind::Any),
        ("mapping-description", false, Kind::Any),
        ("source-gap-summary", false, Kind::Part(&GAPS)),
        ("target-gap-summary", false, Kind::Part(&GAPS)),
        ("confidence-score", false, Kind::Any),
        ("coverage", false, Kind::Part(&COVERAGE)),
    ],
    closed: true,
};
static RESOURCE: Shape = Shape {
    fields: &[
        ("ns", false, Kind::Any),
        ("type", true, Kind::Token),
        ("href", true, Kind::Text),
        ("props", false, Kind::Parts(&PROPERTY)),
        ("links", false, Kind::Any),
        ("remarks", false, Kind::Any),
    ],
    closed: true,
};
static MAP: Shape = Shape {
    fields: &[
        ("uuid", true, Kind::Uuid),
        ("ns", false, Kind::Any),
        ("matching-rationale", false, RATIONALES),
        ("relationship", true, Kind::Token),
        ("sources", true, Kind::Parts(&ITEM)),
        ("targets", true, Kind::Parts(&ITEM)),
        ("qualifiers", false, Kind::Parts(&QUALIFIER)),
        ("confidence-score", false, Kind::Any),
        ("coverage", false, Kind::Part(&COVERAGE)),
        ("props", false, Kind::Parts(&PROPERTY)),
        ("links", false, Kind::Any),
        ("remarks", false, Kind::Any),
    ],
    closed: true,
};
static ITEM: Shape = Shape {
    fields: &[
        ("type", true, Kind::One(&["control", "statement"])),
        ("id-ref", true, Kind::Text),
        ("props", false, Kind::Parts(&PROPERTY)),
        ("links", false, Kind::Any),
        ("remarks", false, Kind::Any),
    ],
    closed: true,
};
static QUALIFIER: Shape = Shape {
    fields: &[
        ("subject", true, Kind::One(&["source", "target", "both"])),
        (
            "predicate",
            true,
            Kind::One(&["has-requirement", "has-incompatibility"]),
        ),
        (
            "category",
            true,
            Kind::One(&["restricted", "addressable", "blocked"]),
        ),
        ("description", true, Kind::Any),
        ("remarks", false, Kind::Any),
    ],
    closed: true,
};
static COVERAGE: Shape = Shape {
    fields: &[
        ("generation-method", false, Kind::Text),
        ("target-coverage", true, Kind::Number),
    ],
    closed: false,
};
static GAPS: Shape = Shape {
    fields: &[
        ("uuid", true, Kind::Uuid),
        ("unmapped-controls", true, Kind::Parts(&UNMAPPED)),
    ],
    closed: true,
};
static UNMAPPED: Shape = Shape {
    fields: &[
        ("with-child-controls", false, Kind::One(&["yes", "no"])),
        ("with-ids", false, Kind::Tokens),
        ("matching", false, Kind::Any),
    ],
    closed: true,
};
static PROPERTY: Shape = Shape {
    fields: &[
        ("name", true, Kind::Token),
        ("uuid", false, Kind::Uuid),
        ("ns", false, Kind::Any),
        ("value", true, Kind::Text),
        ("class", false, Kind::Token),
        ("group", false, Kind::Token),
        ("remarks", false, Kind::Any),
    ],
    closed: true,
};

/// The breaches of the schema in a mapping collection, which is at `path`; only the first ones if there are many.
pub(super) fn breaches(collection: &Value, path: &str) -> Vec<MatchBreach> {
    let mut found = Vec::new();
    object(collection, path, &COLLECTION, &mut found);
    found.truncate(MOST);
    found
}

fn object(value: &Value, path: &str, shape: &Shape, found: &mut Vec<MatchBreach>) {
    let Value::Object(fields) = value else {
        put(found, "type", path, format!("{path} is no object."));
        return;
    };
    for (name, must, kind) in shape.fields {
        let place = format!("{path}/{name}");
        match fields.get(*name) {
            Some(value) => field(value, &place, kind, found),
            None if *must => put(found, "required", &place, format!("{place} is missing.")),
            None => {}
        }
    }
    let unknown = |name: &&String| !shape.fields.iter().any(|(known, _, _)| known == name);
    for name in fields.keys().filter(unknown).filter(|_| shape.closed) {
        let place = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
        let text = format!("{place} is unknown to the schema.");
        put(found, "unknown", &place, text);
    }
}

fn field(value: &Value, path: &str, kind: &Kind, found: &mut Vec<MatchBreach>) {
    let text = value.as_str();
    match kind {
        Kind::Any => {}
        Kind::Text => {
            if !text.is_some_and(is_text) {
                let told = format!("{path} is no text without blanks at its ends.");
                put(found, "pattern", path, told);
            }
        }
        Kind::Token => {
            if !text.is_some_and(is_token) {
                let told = format!(
                    "{path} is no name of letters, digits, full stops, hyphens and underscores."
                );
                put(found, "pattern", path, told);
            }
        }
        Kind::Uuid => {
            if !text.is_some_and(is_uuid) {
                let told = format!("{path} is no UUID of version 4 or 5.");
                put(found, "pattern", path, told);
            }
        }
        Kind::Number => {
            if !value.is_number() {
                put(found, "type", path, format!("{path} is no number."));
            }
        }
        Kind::Date => {
            let rfc = &time::format_description::well_known::Rfc3339;
            if text.is_none_or(|text| time::OffsetDateTime::parse(text, rfc).is_err()) {
                let told = format!("{path} is no date with a time and a zone.");
                put(found, "pattern", path, told);
            }
        }
        Kind::One(allowed) => {
            if !text.is_some_and(|text| allowed.contains(&text)) {
                let has = text.map_or_else(|| value.to_string(), str::to_owned);
                let has: String = has.chars().take(60).collect();
                let told = format!(
                    "{path} is “{has}”, which is none of {}.",
                    allowed.join(", ")
                );
                put(found, "enum", path, told);
            }
        }
        Kind::Part(shape) => object(value, path, shape, found),
        Kind::Parts(shape) => {
            list(value, path, found, |one, place, found| {
                object(one, place, shape, found);
            });
        }
        Kind::PartOrParts(shape) if value.is_object() => object(value, path, shape, found),
        Kind::PartOrParts(shape) => field(value, path, &Kind::Parts(shape), found),
        Kind::Tokens => {
            list(value, path, found, |one, place, found| {
                field(one, place, &Kind::Token, found);
            });
        }
    }
}

fn list(
    value: &Value,
    path: &str,
    found: &mut Vec<MatchBreach>,
    each: impl Fn(&Value, &str, &mut Vec<MatchBreach>),
) {
    match value.as_array().map(Vec::as_slice) {
        None => put(found, "type", path, format!("{path} is no list.")),
        Some([]) => put(
            found,
            "min_items",
            path,
            format!("{path} is an empty list."),
        ),
        Some(all) => {
            for (at, one) in all.iter().enumerate() {
                each(one, &format!("{path}/{at}"), found);
            }
        }
    }
}

fn put(found: &mut Vec<MatchBreach>, rule: &str, path: &str, text: String) {
    if found.len() < MOST {
        found.push(MatchBreach {
            path: path.to_owned(),
            rule: rule.to_owned(),
            text,
        });
    }
}

fn is_text(text: &str) -> bool {
    !text.is_empty() && text.trim() == text
}

fn is_token(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let hex = |part: &&str| part.bytes().all(|b| b.is_ascii_hexdigit());
    let begins = |part: usize, with: &[char]| {
        parts
            .get(part)
            .is_some_and(|part: &&str| part.starts_with(with))
    };
    lengths == [8, 4, 4, 4, 12]
        && parts.iter().all(hex)
        && begins(2, &['4', '5'])
        && begins(3, &['8', '9', 'a', 'b', 'A', 'B'])
}

#[cfg(test)]
mod tests;
