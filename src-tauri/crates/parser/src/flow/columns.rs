//! The columns in which the cells of a table stand, where cells take several rows or columns.

use crate::layout::Line;

/// No table is wider; what claims more is hostile.
const MOST: usize = 4_000;

/// For each column of a table the rows below that a cell above still takes.
#[derive(Debug, Default)]
pub struct Columns {
    taken: Vec<u32>,
}

impl Columns {
    /// Places the cells of the next row. Each of `cells` gives the number of rows and the number of columns that the
    /// cell takes. The result gives for each cell its first column and the number of columns that it takes.
    pub fn row(&mut self, cells: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut column = 0;
        let mut places = Vec::with_capacity(cells.len());
        let mut begun = Vec::new();
        for &(rows, columns) in cells {
            while self.taken.get(column).is_some_and(|rows| *rows > 0) {
                column += 1;
            }
            let room = MOST.saturating_sub(column).max(1);
            let columns = (columns.max(1) as usize).min(room);
            let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            places.push((number(column), number(columns)));
            begun.push((column..column + columns, rows.saturating_sub(1)));
            column += columns;
        }
        for rows in &mut self.taken {
            *rows = rows.saturating_sub(1);
        }
        for (columns, rows) in begun {
            let length = self.taken.len().max(columns.end);
            self.taken.resize(length, 0);
            self.taken[columns].fill(rows);
        }
        while self.taken.last() == Some(&0) {
            self.taken.pop();
        }
        places
    }
}

/// The cells of a table that also take rows below the present one. For each cell: the place of its line, and the number
/// of further rows that it takes.
#[derive(Debug, Default)]
pub struct Reaching(Vec<(usize, u32)>);

impl Reaching {
    /// Adds a cell that takes so many rows. `line` is the place of its line.
    pub fn add(&mut self, line: usize, rows: u32) {
        if rows > 1 {
            self.0.push((line, rows - 1));
        }
    }

    /// Call this after each row. For each cell that spans further rows, the number of its remaining rows is reduced. A
    /// row that became plain text is not a row of the table. So each cell that spans it gets one row less.
    pub fn pass(&mut self, lines: &mut [Line], becomes_text: bool) {
        for (line, left) in &mut self.0 {
            *left -= 1;
            let cell = lines.get_mut(*line).and_then(|line| line.cell.as_mut());
            if let Some(cell) = cell.filter(|_| becomes_text) {
                cell.rows -= 1;
            }
        }
        self.0.retain(|(_, left)| *left > 0);
    }

    /// Forgets all cells, as when the table or the page ends.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_beside_what_reaches_down() {
        let mut table = Columns::default();
        for (cells, places) in [
            (&[(2, 1), (1, 2)][..], &[(0, 1), (1, 2)][..]),
            (&[(1, 1), (1, 1)], &[(1, 1), (2, 1)]),
            (&[(1, 1), (1, 1), (1, 1)], &[(0, 1), (1, 1), (2, 1)]),
            (&[(1, 9_000), (1, 7)], &[(0, 4_000), (4_000, 1)]),
        ] {
            assert_eq!(table.row(cells), places, "{cells:?}");
        }
    }
}
