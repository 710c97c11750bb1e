//! Writing a GGUF file, one tensor in memory at a time.

use crate::export::output::Output;
use crate::gguf::{ALIGNMENT, MAGIC, Stored, VERSION, Value, blocks, code};
use crate::{Error, Result};
use lexforge_domain::protocol::ExportedFile;
use std::path::Path;
use tch::Tensor;

/// A tensor that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its name in the file.
    pub name: String,
    /// Its shape, outer dimension first.
    pub shape: Vec<i64>,
    /// How its numbers are stored.
    pub stored: Stored,
}

/// Writes a file. `give` is called for each tensor in turn, and returns its numbers.
///
/// # Errors
/// If a system call fails, a tensor does not fill whole blocks, or `give` fails.
pub fn write(
    path: &Path,
    settings: &[(String, Value)],
    tensors: &[Planned],
    give: &mut dyn FnMut(&Planned) -> Result<Tensor>,
) -> Result<ExportedFile> {
    let mut head = Vec::new();
    head.extend_from_slice(&MAGIC);
    head.extend_from_slice(&VERSION.to_le_bytes());
    head.extend_from_slice(&(tensors.len() as u64).to_le_bytes());
    head.extend_from_slice(&(settings.len() as u64).to_le_bytes());
    for (name, value) in settings {
        put_text(&mut head, name);
        put_value(&mut head, value);
    }
    let mut place = 0u64;
    let mut sizes = Vec::with_capacity(tensors.len());
    for planned in tensors {
        let numbers: i64 = planned.shape.iter().product();
        let bytes = planned
            .stored
            .bytes(numbers as u64)
            .ok_or_else(|| misfit(planned))?;
        put_text(&mut head, &planned.name);
        head.extend_from_slice(&(planned.shape.len() as u32).to_le_bytes());
        for &size in planned.shape.iter().rev() {
            head.extend_from_slice(&(size as u64).to_le_bytes());
        }
        head.extend_from_slice(&planned.stored.code().to_le_bytes());
        head.extend_from_slice(&place.to_le_bytes());
        place = (place + bytes).next_multiple_of(ALIGNMENT);
        sizes.push(bytes);
    }
    let mut output = Output::create(path)?;
    output.write(&head)?;
    output.fill(ALIGNMENT)?;
    for (planned, bytes) in tensors.iter().zip(sizes) {
        let before = output.bytes();
        output.write_tensor(&blocks::to_bytes(&give(planned)?, planned.stored)?)?;
        if output.bytes() - before != bytes {
            return Err(misfit(planned));
        }
        output.fill(ALIGNMENT)?;
    }
    output.finish()
}

fn misfit(planned: &Planned) -> Error {
    Error::Shim(format!(
        "tensor {} of the shape {:?} was not given as planned",
        planned.name, planned.shape
    ))
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(&(text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn put_value(out: &mut Vec<u8>, value: &Value) {
    let kind = |out: &mut Vec<u8>, code: u32| out.extend_from_slice(&code.to_le_bytes());
    let list = |out: &mut Vec<u8>, code: u32, count: usize| {
        kind(out, code::LIST);
        kind(out, code);
        out.extend_from_slice(&(count as u64).to_le_bytes());
    };
    match value {
        Value::U32(v) => {
            kind(out, code::U32);
            out.extend_from_slice(&v.to_le_bytes());
        }
        Value::I32(v) => {
            kind(out, code::I32);
            out.extend_from_slice(&v.to_le_bytes());
        }
        Value::F32(v) => {
            kind(out, code::F32);
            out.extend_from_slice(&v.to_le_bytes());
        }
        Value::Bool(v) => {
            kind(out, code::BOOL);
            out.push(u8::from(*v));
        }
        Value::Text(v) => {
            kind(out, code::TEXT);
            put_text(out, v);
        }
        Value::Texts(list_of) => {
            list(out, code::TEXT, list_of.len());
            list_of.iter().for_each(|text| put_text(out, text));
        }
        Value::I32s(list_of) => {
            list(out, code::I32, list_of.len());
            list_of
                .iter()
                .for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
        }
        Value::F32s(list_of) => {
            list(out, code::F32, list_of.len());
            list_of
                .iter()
                .for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
        }
    }
}
