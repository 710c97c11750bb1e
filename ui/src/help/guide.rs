//! The whole user guide, included in the program, in the window's language. The English text is from `docs/guide.md`
//! and `docs/guide`, the Chinese text from `docs/zh`. Each chapter is a page of the help.

use crate::i18n::{Lang, lang};

/// A file of the guide in both languages.
macro_rules! page {
    ($name:literal) => {
        (
            include_str!(concat!("../../../docs/", $name)),
            include_str!(concat!("../../../docs/zh/", $name)),
        )
    };
}

/// The guide's files, English and Chinese, in the order in which they are read.
const PAGES: [(&str, &str); 10] = [
    page!("guide.md"),
    page!("guide/documents.md"),
    page!("guide/asking.md"),
    page!("guide/search-tuning.md"),
    page!("guide/policies.md"),
    page!("guide/reviewing.md"),
    page!("guide/training-data.md"),
    page!("guide/tuning.md"),
    page!("guide/deciding.md"),
    page!("guide/keeping.md"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// Its place in the guide.
    pub number: usize,
    pub title: &'static str,
    /// Its text, in Markdown.
    pub text: &'static str,
}

impl Chapter {
    /// Whether it contains all words of a search, in upper or lower case.
    pub fn holds(&self, wanted: &str) -> bool {
        super::page::holds(self.title, self.text, wanted)
    }
}

/// The chapters in the window's language, in their order. The text before the first chapter of a file is a chapter with
/// the title of the file.
pub fn chapters() -> Vec<Chapter> {
    chapters_in(lang())
}

fn chapters_in(lang: Lang) -> Vec<Chapter> {
    files(lang)
        .flat_map(|page| super::page::parts(page, "\n## "))
        .enumerate()
        .map(|(number, (title, text))| Chapter {
            number,
            title,
            text,
        })
        .collect()
}

fn files(lang: Lang) -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(move |(english, chinese)| match lang {
        Lang::En => *english,
        Lang::Zh => *chinese,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::help::pieces::{Piece, pieces};

    #[test]
    fn every_chapter_of_the_guide_is_there() {
        for lang in [Lang::En, Lang::Zh] {
            let lines = files(lang).flat_map(str::lines);
            let headings = lines.filter(|line| line.starts_with("## ")).count();
            let all = chapters_in(lang);
            assert_eq!(all.len(), headings + PAGES.len());
            assert!(
                all.iter()
                    .all(|chapter| !chapter.title.is_empty() && !chapter.text.is_empty())
            );
            let whole: usize = files(lang).map(str::len).sum();
            let letters: usize = all.iter().map(|c| c.title.len() + c.text.len()).sum();
            assert!(letters + 1000 > whole, "{letters} of {whole}");
        }
    }

    /// A page that is not listed above could be read outside of the program only.
    #[test]
    fn every_page_of_the_guide_is_there() {
        for folder in ["guide", "zh/guide"] {
            let folder = format!("{}/../docs/{folder}", env!("CARGO_MANIFEST_DIR"));
            let pages = std::fs::read_dir(folder).unwrap().count();
            assert_eq!(pages + 1, PAGES.len());
        }
    }

    /// Collects what must be the same in both languages. `blocks` must also have the same order: headings, lists,
    /// tables, and blocks of code. `codes` are the words written as code, whose order within a sentence may differ.
    fn skeleton(all: &[Piece], blocks: &mut Vec<String>, codes: &mut Vec<String>) {
        for piece in all {
            let (name, inner) = match piece {
                Piece::Key(words) => {
                    codes.push(words.clone());
                    continue;
                }
                Piece::Words(_) => continue,
                Piece::Strong(inner) | Piece::Named(inner) => (None, inner),
                Piece::Typed(lines) => {
                    blocks.push(format!("typed {lines}"));
                    continue;
                }
                Piece::Heading(inner) => (Some("heading".to_owned()), inner),
                Piece::Paragraph(inner) => (Some("paragraph".to_owned()), inner),
                Piece::List { numbered, items } => (Some(format!("list {numbered}")), items),
                Piece::Item(inner) => (Some("item".to_owned()), inner),
                Piece::Table(rows) => (Some("table".to_owned()), rows),
                Piece::Row(cells) => (Some(format!("row of {}", cells.len())), cells),
                Piece::Cell(inner) => (None, inner),
            };
            blocks.extend(name);
            skeleton(inner, blocks, codes);
        }
    }

    #[test]
    fn both_languages_have_the_same_chapters_tables_and_commands() {
        let (english, chinese) = (chapters_in(Lang::En), chapters_in(Lang::Zh));
        assert_eq!(english.len(), chinese.len());
        for (en, zh) in english.iter().zip(&chinese) {
            let [of_en, of_zh] = [en.text, zh.text].map(|text| {
                let (mut blocks, mut codes) = (Vec::new(), Vec::new());
                skeleton(&pieces(text), &mut blocks, &mut codes);
                codes.sort();
                (blocks, codes)
            });
            assert_eq!(of_en, of_zh, "{:?} / {:?}", en.title, zh.title);
        }
    }

    #[test]
    fn a_search_goes_through_the_guide() {
        for (lang, wanted) in [(Lang::En, "lexforge ask"), (Lang::Zh, "错误率")] {
            let found = |wanted: &str| chapters_in(lang).iter().filter(|c| c.holds(wanted)).count();
            assert!(found(wanted) > 0);
            assert_eq!(found("xyzzy"), 0);
        }
    }

    /// Tables and commands are drawn as such.
    #[test]
    fn what_the_guide_holds_has_a_piece() {
        let all: Vec<Piece> = chapters_in(Lang::En)
            .iter()
            .flat_map(|c| pieces(c.text))
            .collect();
        assert!(
            all.iter()
                .any(|piece| matches!(piece, Piece::Table(rows) if rows.len() > 2))
        );
        assert!(
            all.iter()
                .any(|piece| matches!(piece, Piece::Typed(text) if text.contains("lexforge")))
        );
        assert!(all.iter().any(|piece| matches!(piece, Piece::Heading(_))));
    }
}
