//! How values that SQLite has no type for stand in a row.

use crate::error::{Result, StoreError};
use lexforge_domain::review::CLOCKS_DIFFER_SECONDS;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, Row};
use serde::{Serialize, de::DeserializeOwned};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

/// The error of a row of `table` that this version cannot read.
pub(crate) fn unreadable(table: &'static str, reason: impl std::fmt::Display) -> StoreError {
    StoreError::Row {
        table,
        reason: reason.to_string(),
    }
}

/// The error of something that is not there.
pub(crate) fn not_found(what: &'static str, id: impl std::fmt::Display) -> StoreError {
    StoreError::NotFound {
        what,
        id: id.to_string(),
    }
}

/// The text in a column of a row of `table`.
pub(crate) fn text_in<'r>(table: &'static str, row: &'r Row<'_>, column: usize) -> Result<&'r str> {
    let text = row.get_ref(column)?.as_str();
    text.map_err(|e| unreadable(table, e))
}

/// The bytes in a column of a row of `table`.
pub(crate) fn bytes_in<'r>(
    table: &'static str,
    row: &'r Row<'_>,
    column: usize,
) -> Result<&'r [u8]> {
    let bytes = row.get_ref(column)?.as_blob();
    bytes.map_err(|e| unreadable(table, e))
}

/// The tagged value in a column of a row of `table`.
pub(crate) fn tag_in<T>(
    table: &'static str,
    row: &Row<'_>,
    column: usize,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T> {
    from_tag(table, text_in(table, row, column)?, parse)
}

/// A value as JSON text.
pub(crate) fn to_json(table: &'static str, value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|e| unreadable(table, e))
}

/// A value from its JSON text.
pub(crate) fn from_json<T: DeserializeOwned>(table: &'static str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| unreadable(table, e))
}

/// A tagged value from its tag.
pub(crate) fn from_tag<T>(
    table: &'static str,
    tag: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T> {
    parse(tag).ok_or_else(|| unreadable(table, format!("unknown tag `{tag}`")))
}

/// Now, RFC 3339, UTC, to the millisecond.
pub(crate) fn now() -> String {
    let now = OffsetDateTime::now_utc();
    let whole = now
        .replace_nanosecond(now.millisecond() as u32 * 1_000_000)
        .unwrap_or(now);
    // RFC 3339 fails only for years that four digits cannot write.
    whole
        .format(&Rfc3339)
        .unwrap_or_else(|_| "1970-01-01T00:00:00Z".to_owned())
}

/// The present time as text. It always has three digits of milliseconds, so that such texts can be sorted. It is at
/// least one millisecond later than `newest`, even if the clock was set back a little. If `newest` is so far in the
/// future that a clock must have been wrong, it is ignored.
pub(crate) fn moment_after(newest: Option<&str>) -> String {
    let now = OffsetDateTime::now_utc();
    let newest = newest.and_then(|text| OffsetDateTime::parse(text, &Rfc3339).ok());
    let next = newest.and_then(|newest| newest.checked_add(Duration::milliseconds(1)));
    written(
        next.filter(|next| *next <= latest(now))
            .map_or(now, |next| now.max(next)),
    )
}

/// The latest time, in that form, that a clock of today could have written.
pub(crate) fn latest_moment() -> String {
    written(latest(OffsetDateTime::now_utc()))
}

fn latest(now: OffsetDateTime) -> OffsetDateTime {
    now.saturating_add(Duration::seconds(CLOCKS_DIFFER_SECONDS))
}

fn written(at: OffsetDateTime) -> String {
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        at.year(),
        u8::from(at.month()),
        at.day(),
        at.hour(),
        at.minute(),
        at.second(),
        at.millisecond()
    )
}

/// The pattern by which `LIKE … ESCAPE '\'` finds a text that contains what was typed. `None` if nothing was typed.
pub(crate) fn typed(query: Option<&str>) -> Option<String> {
    query
        .map(str::trim)
        .filter(|q| !q.is_empty())
        .map(containing)
}

fn containing(part: &str) -> String {
    let mut pattern = String::with_capacity(part.len() + 2);
    pattern.push('%');
    for c in part.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// `LIMIT` of a filter in which 0 means all (SQLite: −1).
pub(crate) fn limit(rows: u64) -> i64 {
    if rows == 0 {
        -1
    } else {
        i64::try_from(rows).unwrap_or(i64::MAX)
    }
}

/// `OFFSET` of a filter.
pub(crate) fn offset(rows: u64) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

/// The ids that a query gives.
pub(crate) fn ids(connection: &Connection, sql: &str, values: impl Params) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement
        .query_map(values, |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?)
}

/// The rows that a query gives, as `read` understands them.
pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl Fn(&Row) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// The first row that a query gives, as `read` understands it; `None` if it gives none.
pub(crate) fn first<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row) -> Result<T>,
) -> Result<Option<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(values)?;
    rows.next()?.map(read).transpose()
}

/// The one value that a query gives.
pub(crate) fn value<T: FromSql>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> Result<T> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(values, |row| row.get(0))?)
}

/// The row that a query gives for an id, as `read` understands it. If there is none, `what` says what is missing.
pub(crate) fn one<T>(
    connection: &Connection,
    sql: &str,
    what: &'static str,
    id: i64,
    read: impl FnOnce(&Row) -> Result<T>,
) -> Result<T> {
    first(connection, sql, [id], read)?.ok_or_else(|| not_found(what, id))
}

/// The part of a list that a filter asks for; a limit of 0 means all.
pub(crate) fn page_of<T>(rows: Vec<T>, offset: u64, limit: u64) -> Vec<T> {
    let most = if limit == 0 {
        usize::MAX
    } else {
        usize::try_from(limit).unwrap_or(usize::MAX)
    };
    rows.into_iter()
        .skip(usize::try_from(offset).unwrap_or(usize::MAX))
        .take(most)
        .collect()
}

/// The bytes of a decision's mark.
pub(crate) fn uid_bytes(uid: &str) -> Result<[u8; 16]> {
    let mut bytes = [0; 16];
    hex::decode_to_slice(uid, &mut bytes).map_err(|_| not_found("decision", uid))?;
    Ok(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn moments_sort_as_texts() {
        let first = moment_after(None);
        assert_eq!(first.len(), "2026-01-01T00:00:00.000Z".len());
        assert!(OffsetDateTime::parse(&first, &Rfc3339).is_ok());
        assert!(moment_after(Some(&first)) > first);
        let soon = latest_moment().replace("Z", "");
        let soon = format!("{}.000Z", soon.split_once('.').unwrap().0);
        assert!(soon > first && moment_after(Some(&soon)) == soon.replace(".000Z", ".001Z"));
    }

    #[test]
    fn a_time_that_no_clock_of_today_writes_is_not_gone_by() {
        for ahead in [
            "2999-12-31T23:59:59.999Z",
            "9999-12-31T23:59:59.999Z",
            "no time",
            "",
        ] {
            let made = moment_after(Some(ahead));
            assert!(
                made <= latest_moment() && made.len() == "2026-01-01T00:00:00.000Z".len(),
                "{ahead}: {made}"
            );
        }
    }
}
