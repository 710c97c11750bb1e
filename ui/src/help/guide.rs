//! The whole guide, inside the program: `docs/guide.md` and the pages in `docs/guide`, a chapter a page. It is written in
//! English.

/// The guide's files, in the order in which they are read.
const PAGES: [&str; 10] = [
    include_str!("../../../docs/guide.md"),
    include_str!("../../../docs/guide/documents.md"),
    include_str!("../../../docs/guide/asking.md"),
    include_str!("../../../docs/guide/search-tuning.md"),
    include_str!("../../../docs/guide/policies.md"),
    include_str!("../../../docs/guide/reviewing.md"),
    include_str!("../../../docs/guide/training-data.md"),
    include_str!("../../../docs/guide/tuning.md"),
    include_str!("../../../docs/guide/deciding.md"),
    include_str!("../../../docs/guide/keeping.md"),
];

/// A chapter.
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

/// The chapters in their order; what stands in a file before its first one is a chapter under the file's own title.
pub fn chapters() -> Vec<Chapter> {
    PAGES
        .iter()
        .flat_map(|page| super::page::parts(page, "\n## "))
        .enumerate()
        .map(|(number, (title, text))| Chapter {
            number,
            title,
            text,
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::help::pieces::{Piece, pieces};

    #[test]
    fn every_chapter_of_the_guide_is_there() {
        let lines = PAGES.iter().flat_map(|page| page.lines());
        let headings = lines.filter(|line| line.starts_with("## ")).count();
        let all = chapters();
        assert_eq!(all.len(), headings + PAGES.len());
        assert!(
            all.iter()
                .all(|chapter| !chapter.title.is_empty() && !chapter.text.is_empty())
        );
        let whole: usize = PAGES.iter().map(|page| page.len()).sum();
        let letters: usize = all.iter().map(|c| c.title.len() + c.text.len()).sum();
        assert!(letters + 1000 > whole, "{letters} of {whole}");
    }

    /// A page that is not listed above could be read outside of the program only.
    #[test]
    fn every_page_of_the_guide_is_there() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide");
        let pages = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(pages + 1, PAGES.len());
    }

    #[test]
    fn a_search_goes_through_the_guide() {
        let found = |wanted: &str| chapters().iter().filter(|c| c.holds(wanted)).count();
        assert!(found("lexforge ask") > 0);
        assert_eq!(found("xyzzy"), 0);
    }

    /// Tables and commands are drawn as such.
    #[test]
    fn what_the_guide_holds_has_a_piece() {
        let all: Vec<Piece> = chapters().iter().flat_map(|c| pieces(c.text)).collect();
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
