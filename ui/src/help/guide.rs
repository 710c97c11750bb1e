//! The whole guide, inside the program: `docs/guide.md`, a chapter a page. It is written in English.

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

/// The chapters in their order; what stands before the first one is its introduction, under the guide's own title.
pub fn chapters() -> Vec<Chapter> {
    let whole = include_str!("../../../docs/guide.md");
    super::page::parts(whole, "\n## ")
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
        let whole = include_str!("../../../docs/guide.md");
        let headings = whole.lines().filter(|line| line.starts_with("## ")).count();
        let all = chapters();
        assert_eq!(all.len(), headings + 1);
        assert!(
            all.iter()
                .all(|chapter| !chapter.title.is_empty() && !chapter.text.is_empty())
        );
        let letters: usize = all.iter().map(|c| c.title.len() + c.text.len()).sum();
        assert!(letters + 1000 > whole.len(), "{letters} of {}", whole.len());
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
