//! The synonyms of a WordNet folder.

use crate::workspace::{Result, io_failure};
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::text_metrics::{NotWordNet, PARTS, PartTexts, WordNet};
use std::io::ErrorKind;
use std::path::Path;

/// The WordNet of a folder that holds `index.*`, `data.*` and `*.exc` of its four parts of speech.
pub(super) fn wordnet(folder: &Path) -> Result<WordNet> {
    let mut texts: [PartTexts; 4] = Default::default();
    for (of, part) in texts.iter_mut().zip(PARTS) {
        of.index = text(folder, &format!("index.{part}"))?;
        of.data = text(folder, &format!("data.{part}"))?;
        of.exceptions = text(folder, &format!("{part}.exc"))?;
    }
    WordNet::read(&texts).map_err(|wrong| not_wordnet(folder, &wrong))
}

fn text(folder: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            let shown = folder.display();
            Err(unusable(format!(
                "{shown} is no folder of WordNet: it has no {name}."
            )))
        }
        Err(e) => Err(io_failure(&e, &path)),
    }
}

fn not_wordnet(folder: &Path, wrong: &NotWordNet) -> Failure {
    let (shown, NotWordNet { file, line }) = (folder.display(), wrong);
    unusable(match line {
        0 => format!("{shown} is no folder of WordNet: its {file} holds no word."),
        _ => {
            format!("{shown} is no folder of WordNet: line {line} of its {file} has another form.")
        }
    })
}

fn unusable(message: String) -> Failure {
    Failure::new(
        Code::FileUnreadable,
        message,
        "Name the folder of WordNet 3.x that holds index.noun, data.noun, noun.exc and the like for verbs, adjectives and adverbs; often it is called dict.",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::evaluation::files::{QaRequest, qa_figures};
    use crate::workspace::Silent;
    use std::path::PathBuf;

    const INDEX: &str = "breach n 1 0 1 0 00000001\n";
    const DATA: &str = "00000001 04 n 02 breach 0 gap 0 000 | an opening in a rule\n";

    /// A WordNet of one word of our own, four times over.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for part in PARTS {
            let write = |name: String, text: &str| {
                std::fs::write(folder.path().join(name), text).unwrap();
            };
            write(format!("index.{part}"), INDEX);
            write(format!("data.{part}"), DATA);
            write(format!("{part}.exc"), "");
        }
        folder
    }

    #[test]
    fn synonyms_count_in_english_answers_alone() {
        let folder = folder();
        let answers = r#"{"prediction":"report each breach","reference":"report each gap","language":"en"}
{"prediction":"report each breach","reference":"report each gap","language":"ko"}
"#;
        let found = |wordnet: Option<PathBuf>| {
            let request = QaRequest {
                items: true,
                wordnet,
                ..QaRequest::default()
            };
            let found = qa_figures(answers, &request, None, &Silent).unwrap();
            let items = found.items.unwrap();
            (items[0].meteor, items[1].meteor, found.meteor_matches)
        };
        let (english, korean, matches) = found(None);
        assert_eq!((english, matches.as_str()), (korean, "exact, stem"));
        let (with, without, matches) = found(Some(folder.path().to_owned()));
        assert_eq!(
            (without, matches.as_str()),
            (korean, "exact, stem, synonym")
        );
        assert!(with > english, "{with} {english}");
    }

    #[test]
    fn a_folder_that_is_none_is_refused_with_what_is_wrong() {
        for (name, text, said) in [
            ("index.verb", None, "it has no index.verb."),
            ("noun.exc", None, "it has no noun.exc."),
            ("data.adj", Some(""), "its data.adj holds no word."),
            (
                "data.adv",
                Some("no number\n"),
                "line 1 of its data.adv has another form.",
            ),
        ] {
            let folder = folder();
            let path = folder.path().join(name);
            match text {
                Some(text) => std::fs::write(&path, text).unwrap(),
                None => std::fs::remove_file(&path).unwrap(),
            }
            let failure = wordnet(folder.path()).unwrap_err();
            assert!(failure.message.ends_with(said), "{}", failure.message);
            assert_eq!(failure.code, Code::FileUnreadable);
        }
        let file = folder().path().join("nowhere");
        assert!(wordnet(&file).is_err());
    }
}
