//! Vectors in a file beside the workspace, for a fast scan. The file holds each vector twice: exactly, and with each
//! number rounded to one byte. A scan reads all rounded vectors, and then only the exact vectors of the few best rows.
//!
//! The file is computed from the workspace and can be made again at any time. It records the state of the rows from
//! which it was made. If that state differs or the file is damaged, the file is ignored. The file is read and not
//! memory-mapped, because a process is killed if a file that it has mapped becomes shorter.

use lexforge_domain::Sha256;
use lexforge_files::aside::Aside;
use lexforge_files::{Error, inside};
use lexforge_graph::Matrix;
use lexforge_graph::int8::{Int8, greatest};
use sha2::Digest as _;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The first bytes of the file, which name its format.
const FORM: &[u8; 8] = b"LexVec 1";
/// Bytes before the ids: form, rows, values a row, hash of the state, hash of ids, scales and bytes.
const HEAD: usize = 8 + 8 + 8 + 32 + 32;
/// Rows that are computed again exactly.
const AGAIN: usize = 400;

/// Vectors that are scanned as bytes.
pub(super) struct ScanFile {
    int8: Int8,
    /// The file, and where the exact rows begin in it.
    exact: Mutex<File>,
    begins: u64,
}

/// Name of the file of an encoder's vectors.
pub(super) fn name_of(encoder: &str) -> String {
    let hash = hex::encode(sha2::Sha256::digest(encoder));
    format!("{}.vectors", hash.get(..32).unwrap_or(&hash))
}

/// Writes the file for rows in this state.
pub(super) fn write(path: &Path, state: &str, ids: &[i64], rows: &Matrix) -> Result<(), Error> {
    let int8 = Int8::of(rows);
    let mut searched = Vec::with_capacity(ids.len() * (8 + 4 + rows.dim));
    searched.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
    searched.extend(int8.scales().iter().flat_map(|scale| scale.to_le_bytes()));
    searched.extend(int8.values().iter().map(|value| value.to_le_bytes()[0]));
    let io = Error::io(path);
    let mut file = Aside::begin(path)?;
    let written = (|| {
        file.write_all(FORM)?;
        file.write_all(&(ids.len() as u64).to_le_bytes())?;
        file.write_all(&(rows.dim as u64).to_le_bytes())?;
        file.write_all(&sha2::Sha256::digest(state))?;
        file.write_all(&sha2::Sha256::digest(&searched))?;
        file.write_all(&searched)?;
        let mut bytes = Vec::new();
        for part in rows.data.chunks(1 << 16) {
            bytes.clear();
            bytes.extend(part.iter().flat_map(|value| value.to_le_bytes()));
            file.write_all(&bytes)?;
        }
        Ok(())
    })();
    written.map_err(io)?;
    file.finish()
}

impl ScanFile {
    /// The file of a folder with its ids, where it is whole and was made of rows in this state.
    pub(super) fn open(folder: &Path, name: &str, state: &str) -> Option<(Self, Vec<i64>)> {
        let mut file = inside::open(folder, name).ok()?;
        let bytes = file.metadata().ok()?.len();
        let mut head = [0u8; HEAD];
        file.read_exact(&mut head).ok()?;
        let number = |at: usize| Some(u64::from_le_bytes(*head.get(at..)?.first_chunk()?));
        let (rows, dim) = (number(8)?, number(16)?);
        let own = head.starts_with(FORM) && head[24..56] == sha2::Sha256::digest(state)[..];
        // Checked, since a damaged head can say anything.
        let searched = rows.checked_mul(dim.checked_add(12)?)?;
        let begins = searched.checked_add(HEAD as u64)?;
        let exact = rows.checked_mul(dim)?.checked_mul(4)?;
        if !own || begins.checked_add(exact)? != bytes {
            return None;
        }
        let (rows, dim) = (usize::try_from(rows).ok()?, usize::try_from(dim).ok()?);
        let mut digest = sha2::Sha256::new();
        let mut part = |bytes: usize| -> Option<Vec<u8>> {
            let mut part = vec![0u8; bytes];
            file.read_exact(&mut part).ok()?;
            digest.update(&part);
            Some(part)
        };
        let (ids, scales, values) = (part(rows * 8)?, part(rows * 4)?, part(rows * dim)?);
        if head[56..] != digest.finalize()[..] {
            return None;
        }
        let ids = ids.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b));
        let scales = scales.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b));
        let values = values.into_iter().map(|byte| i8::from_le_bytes([byte]));
        let int8 = Int8::from_parts(dim, scales.collect(), values.collect())?;
        let scan = Self {
            int8,
            exact: Mutex::new(file),
            begins,
        };
        Some((scan, ids.collect()))
    }

    /// The product with each row, exact for the nearest rows; `None` where the file no longer holds what it should.
    pub(super) fn products(&self, asked: &[f32]) -> Option<Vec<f32>> {
        let mut all = self.int8.products(asked);
        let mut places = greatest(&all, AGAIN);
        places.sort_unstable();
        let mut file = self.exact.lock().unwrap_or_else(PoisonError::into_inner);
        let mut row = vec![0u8; self.int8.dim() * 4];
        for place in places {
            let at = self.begins + (place * row.len()) as u64;
            file.seek(SeekFrom::Start(at)).ok()?;
            file.read_exact(&mut row).ok()?;
            let values = row.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b));
            let exact: f32 = values.zip(asked).map(|(a, b)| a * b).sum();
            // If the exact value differs more than rounding allows, the file was changed after it was written.
            let off = (exact - all[place]).abs();
            if off.is_nan() || off > self.int8.bound(place, asked) {
                return None;
            }
            all[place] = exact;
        }
        Some(all)
    }
}

/// The state of rows as one text: what is recorded of them, and of what they were made.
pub(super) fn state(recorded: Option<&str>, corpus: &str) -> String {
    let whole = format!("{} {corpus}", recorded.unwrap_or_default());
    Sha256::of_digest(sha2::Sha256::digest(whole)).to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Numbers that look random, the same on every run.
    fn made(rows: usize, dim: usize) -> Matrix {
        let mut state = 7u64;
        let mut all = Matrix::zeros(rows, dim);
        for value in &mut all.data {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *value = ((state >> 40) as f32) / (1u64 << 23) as f32 - 1.0;
        }
        all.normalize_rows();
        all
    }

    #[test]
    fn the_nearest_are_exact_and_the_others_close() {
        let folder = tempfile::tempdir().unwrap();
        let all = made(2_000, 24);
        let ids: Vec<i64> = (10..).take(2_000).collect();
        write(&folder.path().join("v"), "state", &ids, &all).unwrap();
        let (scan, kept) = ScanFile::open(folder.path(), "v", "state").unwrap();
        assert_eq!(kept, ids);
        let mut ten = 0;
        for question in 0..50 {
            let asked = all.row(question * 31);
            let truth: Vec<f32> = all
                .data
                .chunks(24)
                .map(|row| row.iter().zip(asked).map(|(a, b)| a * b).sum())
                .collect();
            let found = scan.products(asked).unwrap();
            for place in greatest(&found, 10) {
                assert_eq!(found[place], truth[place]);
            }
            let right = greatest(&truth, 10);
            let first = greatest(&found, 10);
            ten += right.iter().filter(|place| first.contains(place)).count();
            assert!(found.iter().zip(&truth).all(|(a, b)| (a - b).abs() < 0.02));
            assert!(found.iter().zip(&truth).any(|(a, b)| a != b));
        }
        assert_eq!(ten, 500);
    }

    #[test]
    fn a_file_of_another_state_or_damaged_counts_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v");
        let all = made(1_000, 8);
        let ids: Vec<i64> = (0..1_000).collect();
        let opened = |state: &str| ScanFile::open(folder.path(), "v", state);
        assert!(opened("a").is_none());
        write(&path, "a", &ids, &all).unwrap();
        assert!(opened("a").is_some() && opened("b").is_none());
        let whole = std::fs::read(&path).unwrap();
        for at in [0, 9, 17, 30, 60, HEAD + 3, HEAD + 8_100, HEAD + 15_000] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert!(opened("a").is_none(), "{at}");
        }
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(opened("a").is_none());
        // Exact rows are read when they are needed, and compared with the bytes.
        let mut bytes = whole.clone();
        let exact = HEAD + 1_000 * 20;
        bytes[exact..].fill(0);
        std::fs::write(&path, &bytes).unwrap();
        let (scan, _) = opened("a").unwrap();
        assert!(scan.products(all.row(3)).is_none());
        std::fs::write(&path, &whole).unwrap();
        let (scan, _) = opened("a").unwrap();
        assert!(scan.products(all.row(3)).is_some());
    }
}
