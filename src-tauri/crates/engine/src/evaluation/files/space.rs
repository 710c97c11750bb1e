//! How vectors of a file lie in their space.

use crate::workspace::{Result, Watcher, cancelled, io_failure, tell};
use lexforge_domain::api::{SpaceFigures, Stage};
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::space::audit_passes;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

const FORM: &str = "Give numpy's .npy with one row a vector, or lines of JSON: a list of numbers each, alone or as \"vector\".";
/// What every file of numpy begins with.
const NPY: &[u8] = b"\x93NUMPY";
/// More values in a vector than any model has.
const MOST_VALUES: usize = 65_536;
/// Rows between two looks at whether to go on.
const ROWS: usize = 4_096;
const TOO_FEW: &str = "Give at least two vectors that have a length; for figures that can be relied upon, more of them than each has values.";

/// The measures of the vectors of a file: mean pairwise cosine, IsoScore, explained variance, uniformity. The file is
/// read from its beginning to its end twice, so that memory does not grow with it.
///
/// # Errors
/// When the file cannot be read or does not hold vectors, a vector has another length than the first one, fewer than
/// two vectors can be used, or the watcher cancels.
pub fn space_figures(path: &Path, watcher: &dyn Watcher) -> Result<SpaceFigures> {
    let mut file = File::open(path).map_err(|e| io_failure(&e, path))?;
    let mut begins = Vec::new();
    Read::by_ref(&mut file)
        .take(NPY.len() as u64)
        .read_to_end(&mut begins)
        .map_err(|e| io_failure(&e, path))?;
    if begins == NPY {
        of_numpy(file, path, watcher)
    } else {
        of_lines(file, path, watcher)
    }
}

/// The measures of rows that `pass` gives: all of them, each time. They are counted here.
fn measured(
    dim: usize,
    watcher: &dyn Watcher,
    of: Option<usize>,
    mut pass: impl FnMut(&mut dyn FnMut(&[f32]) -> Result<()>) -> Result<()>,
) -> Result<SpaceFigures> {
    let (mut rows, mut passes) = (0_usize, 0_usize);
    let space = audit_passes(dim, |each| {
        rows = 0;
        let all = of.map_or(0, |n| 2 * n as u64);
        let before = passes * of.unwrap_or(0);
        passes += 1;
        pass(&mut |row| {
            if rows.is_multiple_of(ROWS) {
                if watcher.cancelled() {
                    return Err(cancelled("Nothing was written."));
                }
                let done = (before + rows) as u64;
                tell(watcher, Stage::Evaluate, "vectors", done, all);
            }
            rows += 1;
            each(row);
            Ok(())
        })
    })?;
    if space.n < 2 {
        return Err(Failure::new(
            Code::TooLittleData,
            format!("Usable vectors: {} of {rows}.", space.n),
            TOO_FEW,
        ));
    }
    let mut notes = Vec::new();
    if rows > space.n {
        notes.push(format!(
            "Left out, since they are zero or hold a value that is no number: {} of {rows}.",
            rows - space.n
        ));
    }
    if space.n <= dim {
        notes.push(format!(
            "{} vectors of {dim} values cannot fill their space: IsoScore and the shares of the variance say little.",
            space.n
        ));
    }
    Ok(SpaceFigures {
        rows,
        dim,
        space,
        notes,
    })
}

fn unusable(why: &str) -> Failure {
    Failure::new(Code::UnsupportedFormat, why, FORM)
}

fn of_lines(mut file: File, path: &Path, watcher: &dyn Watcher) -> Result<SpaceFigures> {
    let dim = {
        let mut dim = None;
        let mut first = |values: &[f32]| {
            dim.get_or_insert(values.len());
            Ok(())
        };
        each_line(&mut file, path, true, &mut first)?;
        dim
    };
    let Some(dim) = dim else {
        return Err(Failure::new(
            Code::TooLittleData,
            "The file has no vector.",
            FORM,
        ));
    };
    measured(dim, watcher, None, |each| {
        each_line(&mut file, path, false, &mut |row| {
            if row.len() == dim { each(row) } else { Ok(()) }
        })
    })
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Row {
    Bare(Vec<f64>),
    Named { vector: Vec<f64> },
}

/// Reads the vector of each line from the beginning of the file, or only that of the first line if this is requested.
/// Empty lines are skipped. A vector whose length differs from the first one is an error.
fn each_line(
    file: &mut File,
    path: &Path,
    first_alone: bool,
    each: &mut dyn FnMut(&[f32]) -> Result<()>,
) -> Result<()> {
    file.seek(SeekFrom::Start(0))
        .map_err(|e| io_failure(&e, path))?;
    let mut values: Vec<f32> = Vec::new();
    let mut dim = None;
    for (i, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(|e| match e.kind() {
            std::io::ErrorKind::InvalidData => {
                unusable("The file is neither UTF-8 text nor a file of numpy.")
            }
            _ => io_failure(&e, path),
        })?;
        let line = line.trim_start_matches('\u{FEFF}').trim();
        if line.is_empty() {
            continue;
        }
        let number = i + 1;
        let row: Row = serde_json::from_str(line)
            .map_err(|_| unusable(&format!("Line {number} holds no vector.")))?;
        let (Row::Bare(row) | Row::Named { vector: row }) = row;
        let wanted = *dim.get_or_insert(row.len());
        if row.is_empty() || row.len() > MOST_VALUES {
            return Err(unusable(&format!(
                "Line {number} holds a vector of {} values; there may be 1 to {MOST_VALUES}.",
                row.len()
            )));
        }
        if row.len() != wanted {
            return Err(unusable(&format!(
                "Line {number} holds a vector of {} values, and the first one has {wanted}.",
                row.len()
            )));
        }
        values.clear();
        values.extend(row.iter().map(|&v| v as f32));
        each(&values)?;
        if first_alone {
            break;
        }
    }
    Ok(())
}

/// What the head of a file of numpy says.
#[derive(Debug, PartialEq)]
struct Head {
    rows: usize,
    dim: usize,
    /// Eight bytes a value and not four.
    double: bool,
}

/// Reads the head of a file of numpy: a Python dictionary with `descr`, `fortran_order` and `shape`
/// (numpy.lib.format). Before it, the file has the bytes of [`NPY`], two bytes with the version, and the length of the
/// dictionary in two bytes (in four from version 2 on). We read it ourselves, because the crates for this format bring
/// a parser of Python's whole grammar.
fn head(text: &str) -> Option<Head> {
    let value = |key: &str| {
        let (_, after) = text.split_once(&format!("'{key}':"))?;
        Some(after.trim_start())
    };
    let double = match value("descr")?.get(..5)? {
        "'<f4'" => false,
        "'<f8'" => true,
        _ => return None,
    };
    if !value("fortran_order")?.starts_with("False") {
        return None;
    }
    let shape = value("shape")?.strip_prefix('(')?;
    let (shape, _) = shape.split_once(')')?;
    let mut sides = shape.split(',').map(|side| side.trim().parse().ok());
    let (rows, dim) = (sides.next()??, sides.next()??);
    let whole = sides.next().is_none() && (1..=MOST_VALUES).contains(&dim);
    whole.then_some(Head { rows, dim, double })
}

fn of_numpy(mut file: File, path: &Path, watcher: &dyn Watcher) -> Result<SpaceFigures> {
    let short = || unusable("The file of numpy is cut off.");
    let mut take = |bytes: &mut [u8]| file.read_exact(bytes).map_err(|_| short());
    let (mut version, mut length) = ([0; 2], [0; 4]);
    take(&mut version)?;
    let digits = if version[0] < 2 { 2 } else { 4 };
    take(&mut length[..digits])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_VALUES {
        return Err(short());
    }
    let mut text = vec![0; length];
    take(&mut text)?;
    let head = head(&String::from_utf8_lossy(&text)).ok_or_else(|| {
        unusable("The file of numpy holds no table of numbers with 4 or 8 bytes, row by row.")
    })?;
    let begins = (NPY.len() + 2 + digits + length) as u64;
    let size = if head.double { 8 } else { 4 };
    let there = file.metadata().map_err(|e| io_failure(&e, path))?.len();
    let wanted = (head.rows as u64)
        .checked_mul((head.dim * size) as u64)
        .and_then(|values| values.checked_add(begins));
    if wanted != Some(there) {
        return Err(unusable(&format!(
            "The file of numpy says that it has {} rows of {} values, and has not as many bytes.",
            head.rows, head.dim
        )));
    }
    measured(head.dim, watcher, Some(head.rows), |each| {
        file.seek(SeekFrom::Start(begins))
            .map_err(|e| io_failure(&e, path))?;
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let mut bytes = vec![0; head.dim * size];
        let mut row = vec![0f32; head.dim];
        for _ in 0..head.rows {
            reader
                .read_exact(&mut bytes)
                .map_err(|e| io_failure(&e, path))?;
            for (place, value) in row.iter_mut().zip(bytes.chunks_exact(size)) {
                *place = match value.try_into() {
                    Ok(eight) => f64::from_le_bytes(eight) as f32,
                    Err(_) => value.try_into().map_or(f32::NAN, f32::from_le_bytes),
                };
            }
            each(&row)?;
        }
        Ok(())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::workspace::Silent;
    use lexforge_evaluate::space::audit;

    const VECTORS: [[f32; 3]; 5] = [
        [0.5, 1.0, -0.25],
        [1.5, 0.0, 0.75],
        [-1.0, 0.5, 2.0],
        [0.25, 0.25, 0.5],
        [2.0, -1.0, 1.0],
    ];

    fn npy(descr: &str, shape: &str, values: &[u8]) -> Vec<u8> {
        let mut text =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        while (10 + text.len() + 1) % 64 != 0 {
            text.push(' ');
        }
        text.push('\n');
        let mut bytes = NPY.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(values);
        bytes
    }

    fn of(bytes: &[u8]) -> Result<SpaceFigures> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        std::fs::write(&path, bytes).unwrap();
        space_figures(&path, &Silent)
    }

    #[test]
    fn every_form_of_file_gives_the_measures_of_its_vectors() {
        let flat: Vec<f32> = VECTORS.concat();
        let four: Vec<u8> = flat.iter().flat_map(|v| v.to_le_bytes()).collect();
        let eight: Vec<u8> = flat
            .iter()
            .flat_map(|&v| f64::from(v).to_le_bytes())
            .collect();
        let bare: Vec<String> = VECTORS.iter().map(|v| format!("{v:?}")).collect();
        let named: Vec<String> = bare
            .iter()
            .map(|v| format!("{{\"id\": 7, \"vector\": {v}}}"))
            .collect();
        for file in [
            npy("<f4", "(5, 3)", &four),
            npy("<f8", "(5, 3)", &eight),
            bare.join("\n").into_bytes(),
            format!("\u{FEFF}{}\n\n", named.join("\r\n")).into_bytes(),
        ] {
            let found = of(&file).unwrap();
            assert_eq!((found.rows, found.dim), (5, 3));
            assert_eq!(found.space, audit(&flat, 3));
            assert_eq!(found.notes, Vec::<String>::new());
        }
    }

    #[test]
    fn what_is_left_out_or_says_little_is_noted() {
        let found = of(b"[1, 0, 0]\n[0, 0, 0]\n[0, 1, 0]\n").unwrap();
        assert_eq!((found.rows, found.space.n), (3, 2));
        assert!(
            found.notes[0].ends_with("no number: 1 of 3."),
            "{:?}",
            found.notes
        );
        assert!(
            found.notes[1].starts_with("2 vectors of 3 values"),
            "{:?}",
            found.notes
        );
    }

    #[test]
    fn what_is_no_file_of_vectors_is_refused_in_words() {
        let four = [0u8; 24];
        for (file, wanted) in [
            (b"".to_vec(), "no vector"),
            (b"[]\n".to_vec(), "Line 1 holds a vector of 0 values"),
            (b"[1, 2]\n[1]\n".to_vec(), "Line 2 holds a vector of 1"),
            (b"[1, 2]\nx\n".to_vec(), "Line 2 holds no vector"),
            (b"[1, NaN]\n".to_vec(), "Line 1 holds no vector"),
            (b"[1, 2]\n".to_vec(), "Usable vectors: 1 of 1"),
            (b"\xFF\xFE\x00".to_vec(), "neither UTF-8"),
            (npy("<f4", "(3, 2)", &four[..20]), "not as many bytes"),
            (npy("<f4", "(6,)", &four), "row by row"),
            (npy("<i4", "(3, 2)", &four), "row by row"),
            (
                npy("<f4", "(99999999999999999, 2)", &four),
                "not as many bytes",
            ),
            (NPY.to_vec(), "cut off"),
        ] {
            let failure = of(&file).unwrap_err();
            assert!(failure.message.contains(wanted), "{failure:?}");
        }
        let column_by_column = npy("<f4", "(3, 2)", &four);
        let text = String::from_utf8_lossy(&column_by_column).into_owned();
        assert_eq!(head(&text.replace("False", "True")), None);
    }
}
