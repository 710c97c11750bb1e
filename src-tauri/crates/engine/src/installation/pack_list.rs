//! The list of a pack: its files, and the parts that it comes in.

use super::release::{ReleaseFile, bytes_of, is_hash};
use crate::workspace::Result;
use lexforge_domain::plain::{is_plain_name, is_plain_path};
use lexforge_domain::{Code, Failure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The form of the list that this version reads.
const FORMAT: u32 = 1;
/// The product that a list is for.
const PRODUCT: &str = "lexforge-libtorch";
/// The folders of a pack.
const FOLDERS: [&str; 2] = ["lib/", "licences/"];
/// By these libraries a libtorch is known.
const KNOWN_BY: [&str; 2] = ["lib/libtorch.so", "lib/libtorch_cpu.so"];
/// No pack has more parts, or more bytes.
const MOST_PARTS: usize = 999;
const MOST_BYTES: u64 = 1 << 44;

/// What the signed file of a pack says. The bytes of all files are joined in the order of their paths; each part holds
/// the next piece of them, compressed with Zstandard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct List {
    /// The form of this file.
    pub(super) format: u32,
    /// `lexforge-libtorch`.
    pub(super) product: String,
    /// Version of libtorch.
    pub(super) libtorch: String,
    /// The device that it computes on.
    pub(super) device: String,
    /// System and processor that it runs on.
    pub(super) system: String,
    /// All files, by path.
    pub(super) files: BTreeMap<String, ReleaseFile>,
    /// The parts in their order.
    pub(super) parts: Vec<Part>,
}

/// A part of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    /// Its name for people; programs identify it by its hash.
    pub(super) name: String,
    /// Hash of the part as it is carried.
    pub(super) sha256: String,
    /// How many bytes of the files it holds.
    pub(super) holds: u64,
}

impl List {
    /// Reads a list.
    ///
    /// # Errors
    /// Where the bytes are not such a list, the list is for another system, or its files do not match its parts.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let list: Self = serde_json::from_slice(bytes)
            .map_err(|e| refused(format!("The list of the pack cannot be read: {e}.")))?;
        if list.product != PRODUCT {
            return Err(refused(format!(
                "It is a list of {}, not of a libtorch.",
                list.product
            )));
        }
        if list.format != FORMAT {
            return Err(refused(format!(
                "The list of the pack has form {}; this version reads form {FORMAT}.",
                list.format
            )));
        }
        let here = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        if list.system != here {
            return Err(refused(format!(
                "It is for {}, and this system is {here}.",
                list.system
            )));
        }
        for (path, file) in &list.files {
            let in_place = FOLDERS.iter().any(|folder| path.starts_with(folder));
            if !in_place || !is_plain_path(path) || !is_hash(&file.sha256) || file.bytes == 0 {
                return Err(refused(format!(
                    "It lists {path:?}, which is no file of a pack."
                )));
            }
        }
        if let Some(lacking) = KNOWN_BY
            .iter()
            .find(|path| !list.files.contains_key(**path))
        {
            return Err(refused(format!("The pack lacks {lacking}.")));
        }
        let are_parts = list.parts.len() <= MOST_PARTS
            && list
                .parts
                .iter()
                .all(|part| is_plain_name(&part.name) && is_hash(&part.sha256) && part.holds > 0);
        let held = list.parts.iter().map(|part| part.holds);
        let (held, bytes) = (held.fold(0, u64::saturating_add), bytes_of(&list.files));
        if !are_parts || held != bytes || bytes > MOST_BYTES {
            return Err(refused(
                "The parts that the list names do not make its files.".to_owned(),
            ));
        }
        Ok(list)
    }

    /// Where the bytes of a part begin among those of all files.
    pub(super) fn begin_of(&self, part: usize) -> u64 {
        self.parts[..part].iter().map(|part| part.holds).sum()
    }
}

/// The failure for a pack that is refused.
pub(super) fn refused(message: String) -> Failure {
    Failure::new(
        Code::PackageRefused,
        message,
        "The libtorch that is used stays. Ask those who made the pack for it again.",
    )
}
