//! A file that is written once from front to back, hashed on the way and flushed at the end.

use crate::{Error, Result};
use lexforge_domain::Sha256;
use lexforge_domain::protocol::ExportedFile;
use lexforge_files::name_of;
use sha2::Digest;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

/// Numbers of a tensor that are copied at a time.
const PIECE: i64 = 1 << 24;

/// A file that is being written.
pub struct Output {
    path: PathBuf,
    file: BufWriter<File>,
    digest: sha2::Sha256,
    bytes: u64,
}

impl Output {
    /// Makes a file.
    ///
    /// # Errors
    /// If a system call fails.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create_new(path).map_err(Error::io(path))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            digest: sha2::Sha256::new(),
            bytes: 0,
        })
    }

    /// Bytes that were written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// If a system call fails.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(Error::io(&self.path))?;
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes zeros until the length is a multiple of `multiple` bytes.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn fill(&mut self, multiple: u64) -> Result<()> {
        let missing = self.bytes.next_multiple_of(multiple) - self.bytes;
        self.write(&vec![0; missing as usize])
    }

    /// Writes the numbers of a tensor in the tensor's type, piece by piece.
    ///
    /// # Errors
    /// As [`Output::write`]; if libtorch fails.
    pub(crate) fn write_tensor(&mut self, tensor: &Tensor) -> Result<()> {
        let flat = tensor
            .f_detach()?
            .f_to_device(Device::Cpu)?
            .f_contiguous()?
            .f_view([-1])?;
        let kind: Kind = flat.f_kind()?;
        let mut start = 0;
        let mut buffer = Vec::new();
        while start < flat.size()[0] {
            let piece = flat.f_narrow(0, start, PIECE.min(flat.size()[0] - start))?;
            buffer.resize(piece.numel() * kind.elt_size_in_bytes(), 0);
            piece.f_copy_data_u8(&mut buffer, piece.numel())?;
            self.write(&buffer)?;
            start += PIECE;
        }
        Ok(())
    }

    /// Flushes the file to the disk and describes it.
    ///
    /// # Errors
    /// If a system call fails.
    pub fn finish(mut self) -> Result<ExportedFile> {
        self.file.flush().map_err(Error::io(&self.path))?;
        self.file
            .get_ref()
            .sync_all()
            .map_err(Error::io(&self.path))?;
        Ok(ExportedFile {
            name: name_of(&self.path),
            bytes: self.bytes,
            sha256: Sha256::of_digest(self.digest.finalize()),
        })
    }
}

/// Writes a small file whole.
///
/// # Errors
/// If a system call fails.
pub fn whole(path: &Path, bytes: &[u8]) -> Result<ExportedFile> {
    let mut output = Output::create(path)?;
    output.write(bytes)?;
    output.finish()
}

/// A name as a file may have it.
pub(super) fn file_stem(name: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
            c
        } else {
            '-'
        }
    };
    name.chars().map(plain).collect()
}
