//! The things that are open while a body is read: a paragraph with its run of text, a table, properties.

use crate::flow::{Block, Span, TableCell};
use std::collections::HashMap;

/// A cell takes no more columns, as in a web page.
const MOST_COLUMNS: u32 = 1000;

/// How a run of text looks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) raised: bool,
    pub(super) hidden: bool,
    pub(super) struck: bool,
}

/// A paragraph in the reading.
#[derive(Default)]
pub(super) struct Open {
    pub(super) spans: Vec<Span>,
    pub(super) style: Option<String>,
    pub(super) numbering: Option<u32>,
    pub(super) level: Option<u8>,
    pub(super) outline: Option<u8>,
    /// Whether its end is a tracked deletion, so that it continues in the next paragraph.
    pub(super) joined: bool,
    /// Text boxes that hang on it.
    pub(super) after: Vec<Block>,
    pub(super) run: Run,
}

/// A table in the reading.
#[derive(Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<TableCell>>,
    pub(super) row: Vec<TableCell>,
    pub(super) deleted: bool,
    /// Columns that the open cell takes; 0 = its properties do not say.
    pub(super) columns: u32,
    /// The open cell is a part of the cell above it.
    pub(super) goes_on: bool,
}

impl Table {
    /// Adds the open cell to the row. A part of the cell above has 0 rows until [`Table::into_rows`] joins the two.
    pub(super) fn end_cell(&mut self, blocks: Vec<Block>) {
        let goes_on = std::mem::take(&mut self.goes_on);
        let columns = std::mem::take(&mut self.columns);
        self.row.push(TableCell {
            rows: u32::from(!goes_on),
            columns: columns.clamp(1, MOST_COLUMNS),
            ..TableCell::from(blocks)
        });
    }

    /// Leaves so many columns free before the first cell of the row.
    pub(super) fn leave_free(&mut self, columns: u32) {
        if columns > 0 {
            self.row.push(TableCell {
                columns: columns.min(MOST_COLUMNS),
                ..TableCell::from(Vec::<Block>::new())
            });
        }
    }

    /// The rows. Cells that were merged with the cell above them are one cell that takes several rows.
    pub(super) fn into_rows(self) -> Vec<Vec<TableCell>> {
        let mut rows: Vec<Vec<TableCell>> = Vec::with_capacity(self.rows.len());
        // The last cell that begins in a column: its row, and its place in the row.
        let mut last: HashMap<u32, (usize, usize)> = HashMap::new();
        for row in self.rows {
            let now = rows.len();
            let mut kept: Vec<TableCell> = Vec::with_capacity(row.len());
            let mut column = 0u32;
            for mut cell in row {
                let begins = column;
                column = column.saturating_add(cell.columns);
                let above = match last.get(&begins) {
                    Some(&(top, at)) if cell.rows == 0 => rows
                        .get_mut(top)
                        .and_then(|cells| cells.get_mut(at))
                        .filter(|above| top + above.rows as usize == now),
                    _ => None,
                };
                match above {
                    Some(above) => {
                        above.rows += 1;
                        above.blocks.append(&mut cell.blocks);
                    }
                    None => {
                        cell.rows = 1;
                        last.insert(begins, (now, kept.len()));
                        kept.push(cell);
                    }
                }
            }
            rows.push(kept);
        }
        rows
    }
}

/// Where in a paragraph's or a row's properties the reading is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Within {
    #[default]
    Text,
    Paragraph,
    Run,
    Row,
}
