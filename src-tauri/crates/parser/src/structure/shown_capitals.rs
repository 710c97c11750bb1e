//! Capitals that the page shows and the font's map to characters calls small letters. Sentences have them as shown. The
//! text of the pages and the cells of the tables stay as the file says them.

use super::blocks::Usual;
use super::footnotes;
use super::table::Tables;
use crate::layout::Line;
use lexforge_domain::document::ParsedTable;

/// Puts the capitals into the lines, if there are any. The result is then the tables as they were before.
pub fn put(lines: &mut [Line], usual: Usual) -> Option<Vec<ParsedTable>> {
    if !lines.iter().any(|l| l.chars.iter().any(|c| c.capital)) {
        return None;
    }
    let notes = footnotes::mark(lines, usual);
    let tables = Tables::of(lines, &notes).into_list();
    let chars = lines.iter_mut().flat_map(|l| &mut l.chars);
    for c in chars.filter(|c| c.capital) {
        c.ch = c.ch.to_ascii_uppercase();
    }
    Some(tables)
}
