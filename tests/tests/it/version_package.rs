//! Made-up packages of a version, laid out and signed as `tools/dist` does it.

pub use minisign::KeyPair;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use tar::{Builder, Header};

/// A package of a version.
pub struct Package {
    version: String,
    files: Vec<(String, Vec<u8>)>,
}

/// The hash of some bytes as it is written.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

impl Package {
    /// A package of these files; `lexforge` is the program among them.
    pub fn of(version: &str, files: Vec<(String, Vec<u8>)>) -> Self {
        Self {
            version: version.to_owned(),
            files,
        }
    }

    /// The description of the package.
    pub fn release(&self) -> Vec<u8> {
        let listed: serde_json::Map<String, serde_json::Value> = self
            .files
            .iter()
            .map(|(path, bytes)| {
                let file = serde_json::json!({
                    "bytes": bytes.len(), "sha256": sha256(bytes), "runs": path == "lexforge",
                });
                (path.clone(), file)
            })
            .collect();
        let system = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        serde_json::to_vec(&serde_json::json!({
            "format": 1, "product": "lexforge", "version": self.version, "system": system, "files": listed,
        }))
        .unwrap()
    }

    /// Writes the archive, and its signature beside it.
    pub fn write(&self, path: &Path, key: &KeyPair) {
        let encoder = zstd::Encoder::new(fs::File::create(path).unwrap(), 1).unwrap();
        let mut builder = Builder::new(encoder);
        let mut add = |name: &str, bytes: &[u8], mode: u32| {
            let mut header = Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(mode);
            let name = format!("lexforge/versions/{}/{name}", self.version);
            builder.append_data(&mut header, name, bytes).unwrap();
        };
        add("release.json", &self.release(), 0o644);
        for (name, bytes) in &self.files {
            add(name, bytes, if name == "lexforge" { 0o755 } else { 0o644 });
        }
        builder.into_inner().unwrap().finish().unwrap();
        let bytes = fs::File::open(path).unwrap();
        let signature = minisign::sign(None, &key.sk, bytes, Some("made up"), None).unwrap();
        fs::write(format!("{}.minisig", path.display()), signature.to_string()).unwrap();
    }
}
