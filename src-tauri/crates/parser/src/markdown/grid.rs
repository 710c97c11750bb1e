//! Tables drawn with `+---+` and `|`, whose cells may take several lines. The Markdown reader knows only tables with
//! one line for each row, so these tables are rewritten in that form.

use std::borrow::Cow;

/// The text with every drawn table as one of pipes. What is not drawn to the end stays as it is.
pub(super) fn as_pipes(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_border) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut fenced) = (0, false);
    while let Some(line) = lines.get(at) {
        let begin = line.trim_start();
        fenced ^= begin.starts_with("```") || begin.starts_with("~~~");
        let drawn = lines[at..]
            .iter()
            .take_while(|line| line.trim_start().starts_with(['+', '|']))
            .count();
        let table = if !fenced && is_border(line) {
            pipes(&lines[at..at + drawn])
        } else {
            None
        };
        match table {
            Some(table) => {
                out.push('\n');
                out.push_str(&table);
                at += drawn;
            }
            // Lines that turn out to be no table are skipped, so that each is looked at only once.
            None => {
                let taken = drawn.max(1);
                for line in &lines[at..at + taken] {
                    out.push_str(line);
                    out.push('\n');
                }
                at += taken;
                continue;
            }
        }
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Whether a line is drawn between two rows. One that is indented further is code.
fn is_border(line: &str) -> bool {
    let drawn = line.trim();
    line.len() - line.trim_start().len() < 4
        && drawn.len() > 2
        && drawn.starts_with('+')
        && drawn.ends_with('+')
        && drawn.chars().all(|c| matches!(c, '+' | '-' | '=' | ':'))
}

/// A drawn table as one of pipes; `None` where its lines do not fit, as with a cell over several columns.
fn pipes(lines: &[&str]) -> Option<String> {
    let columns = columns(lines.first()?);
    if !is_border(lines.last()?) {
        return None;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut heads = 0;
    let mut row = vec![String::new(); columns];
    for line in &lines[1..] {
        if is_border(line) {
            if self::columns(line) != columns {
                return None;
            }
            if row.iter().any(|cell| !cell.is_empty()) {
                rows.push(std::mem::replace(&mut row, vec![String::new(); columns]));
            }
            if line.contains('=') {
                heads = rows.len();
            }
            continue;
        }
        let inside = line.trim().strip_prefix('|')?;
        let inside = inside.strip_suffix('|').unwrap_or(inside);
        // A border within a line parts rows of some columns alone.
        let parted = inside.contains("+--") || inside.contains("--+");
        if parted || inside.split('|').count() > columns {
            return None;
        }
        for (cell, part) in row.iter_mut().zip(inside.split('|')) {
            let part = part.trim();
            if !cell.is_empty() && !part.is_empty() {
                cell.push(' ');
            }
            cell.push_str(part);
        }
    }
    if rows.is_empty() {
        return None;
    }
    let mut head = vec![String::new(); columns];
    for row in rows.drain(..heads) {
        for (cell, part) in head.iter_mut().zip(row) {
            if !cell.is_empty() && !part.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&part);
        }
    }
    let told = |row: &[String]| format!("| {} |\n", row.join(" | "));
    let mut out = told(&head);
    out.push_str(&told(&vec!["---".to_owned(); columns]));
    for row in &rows {
        out.push_str(&told(row));
    }
    Some(out)
}

fn columns(border: &str) -> usize {
    border.matches('+').count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: &str = "Levels:\n\
        +-----------+--------------+\n\
        |**Level**  | Who may      |\n\
        |           | read it      |\n\
        +===========+==============+\n\
        | Secret    | The board    |\n\
        |           | alone        |\n\
        +-----------+--------------+\n\
        |           |              |\n\
        +-----------+--------------+\n\
        | Public    | Everybody\n\
        +-----------+--------------+\n\
        After.";

    #[test]
    fn a_drawn_table_is_rewritten_with_one_line_a_row() {
        assert_eq!(
            as_pipes(DRAWN),
            "Levels:\n\n| **Level** | Who may read it |\n| --- | --- |\n| Secret | The board alone |\n| Public | Everybody |\n\nAfter.\n"
        );
    }

    #[test]
    fn what_is_no_drawn_table_stays() {
        for text in ["| a | b |\n|---|---|\n| c | d |\n", "1 +2+ 3\n"] {
            assert!(matches!(as_pipes(text), Cow::Borrowed(_)), "{text}");
        }
        for text in [
            // Code, a table that is cut off, a cell over two columns, and one over two rows.
            "```\n+---+\n| a |\n+---+\n```\n",
            "+---+\n| a |\n",
            "+---+---+\n| a     |\n+-------+\n",
            "+---+---+\n| a | b |\n|   +---+\n|   | c |\n+---+---+\n",
        ] {
            assert_eq!(as_pipes(text), text);
        }
    }
}
