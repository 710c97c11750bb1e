//! Finds the blocks that are in a frame, separate from the text around it.

use crate::structure::blocks::{Block, BlockKind, BlockText};

/// A frame around no more blocks than this, all of them headings, is the look of a heading.
const HEADING: usize = 2;

/// For every block, the number of the frame around it. A frame may continue on the next page. A frame that contains
/// only a heading is decoration and is ignored.
pub(super) fn insets(blocks: &[Block], texts: &[BlockText]) -> Vec<Option<usize>> {
    let mut out = vec![None; blocks.len()];
    let body: Vec<usize> = (0..blocks.len())
        .filter(|&i| blocks[i].kind != BlockKind::Footnote)
        .collect();
    let mut start = 0;
    while start < body.len() {
        let goes_on = |pair: &&[usize]| {
            let (a, b) = (pair[0], pair[1]);
            let both = blocks[a].framed.is_some() && blocks[b].framed.is_some();
            both && (blocks[a].framed == blocks[b].framed || texts[a].page < texts[b].page)
        };
        let own = body[start..].windows(2).take_while(goes_on).count() + 1;
        let part = &body[start..start + own];
        let all_heads = part.iter().all(|&i| blocks[i].kind == BlockKind::Heading);
        if blocks[part[0]].framed.is_some() && !(all_heads && own <= HEADING) {
            part.iter().for_each(|&i| out[i] = Some(start));
        }
        start += own;
    }
    out
}
