//! SHA-256 over rows, and what recognises a single one.

use crate::error::Result;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params_from_iter};
use sha2::Digest as _;

/// SHA-256 over values in a form in which no two different lists of values look the same.
#[derive(Default)]
pub(crate) struct Digest(sha2::Sha256);

impl Digest {
    fn part(&mut self, tag: u8, bytes: &[u8]) {
        let mut head = [tag; 9];
        head[1..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.update(head);
        self.0.update(bytes);
    }

    pub fn null(&mut self) {
        self.part(0, &[]);
    }

    pub fn integer(&mut self, value: i64) {
        self.part(1, &value.to_le_bytes());
    }

    pub fn text(&mut self, value: &str) {
        self.part(3, value.as_bytes());
    }

    pub fn bytes(&mut self, value: &[u8]) {
        self.part(4, value);
    }

    pub fn rows(
        &mut self,
        connection: &Connection,
        sql: &str,
        key: Option<&Value>,
        mut each: impl FnMut(u32),
    ) -> Result<()> {
        let mut statement = connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(key))?;
        let mut buffer = Vec::with_capacity(512);
        while let Some(row) = rows.next()? {
            // A row begins with the number of its values; one update a row is quicker than one a value.
            buffer.clear();
            put(&mut buffer, 5, &(columns as u64).to_le_bytes());
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Null => put(&mut buffer, 0, &[]),
                    ValueRef::Integer(v) => put(&mut buffer, 1, &v.to_le_bytes()),
                    ValueRef::Real(v) => put(&mut buffer, 2, &v.to_bits().to_le_bytes()),
                    // The bytes as they stand: a text that is no valid UTF-8 any more must show as altered, not fail.
                    ValueRef::Text(v) => put(&mut buffer, 3, v),
                    ValueRef::Blob(v) => put(&mut buffer, 4, v),
                }
            }
            self.0.update(&buffer);
            each(mark(&buffer));
        }
        Ok(())
    }

    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

fn put(buffer: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    buffer.push(tag);
    buffer.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    buffer.extend_from_slice(bytes);
}

/// A short mark by which a row is recognised. It may be forged easily: a row that is not recognised is only not named.
pub(crate) fn mark(bytes: &[u8]) -> u32 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let step = |state: u64, word: &[u8; 8]| {
        (state.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(ODD)
    };
    let state = step(eights.iter().fold(bytes.len() as u64, step), &last);
    (state >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_changes_with_each_byte_and_with_the_length() {
        let bytes: Vec<u8> = (0..37).collect();
        let whole = mark(&bytes);
        for place in 0..bytes.len() {
            let mut other = bytes.clone();
            other[place] ^= 1;
            assert_ne!(mark(&other), whole, "{place}");
            assert_ne!(mark(&bytes[..place]), whole, "{place}");
        }
        // Marks are kept in files: they must stay what they are.
        assert_eq!(mark(b"a row of a table"), 0x20BC_3E83);
    }

    #[test]
    fn moving_a_byte_from_one_value_to_the_next_changes_the_hash() {
        let hash = |a: &str, b: &str| {
            let mut digest = Digest::default();
            digest.text(a);
            digest.text(b);
            digest.finish()
        };
        assert_ne!(hash("ab", "c"), hash("a", "bc"));
    }
}
