//! A workspace to look around in, from a fictional regulation that comes with the product.

use crate::engine::Engine;
use crate::graph::GraphRequest;
use crate::workspace::{Result, Watcher, own_folder, user_folder, write_own};
use lexforge_domain::Code;
use lexforge_domain::text::Language;
use lexforge_ingest::ParseOptions;
use std::path::Path;

/// The source of a sample workspace.
struct Sample {
    /// The name of the workspace's file, without its ending.
    name: &'static str,
    /// The name of the document's file.
    file: &'static str,
    bytes: &'static [u8],
}

/// The sample whose document is in a language: Chinese, or English for every other one.
fn sample(language: Language) -> Sample {
    if language == Language::Zh {
        Sample {
            name: "示例",
            file: "示例规定.txt",
            bytes: include_bytes!("../../../../../tools/sample/regulation-zh.txt"),
        }
    } else {
        Sample {
            name: "sample",
            file: "Sample regulation.pdf",
            bytes: include_bytes!("../../../../../tools/sample/regulation.pdf"),
        }
    }
}

impl Engine {
    /// Opens the sample workspace of a language, or makes it. The workspace is kept with the user's data, so that a
    /// user's changes in it are still there the next time.
    ///
    /// # Errors
    /// Where the workspace can be neither opened nor made.
    pub fn open_sample(language: Language) -> Result<Self> {
        let folder = user_folder().join("sample");
        own_folder(&folder)?;
        Self::open_or_create(&folder.join(format!("{}.lexforge", sample(language).name)))
    }

    /// Fills the sample workspace: imports its document, finds terms, builds the graph and writes questions. Steps
    /// that were done before are skipped.
    ///
    /// # Errors
    /// The errors of an import and of [`Engine::prepare`]. The results of finished steps are kept.
    pub fn fill_sample(&self, language: Language, watcher: &dyn Watcher) -> Result<()> {
        let sample = sample(language);
        let there = self
            .workspace()
            .store
            .read(|r| Ok(r.latest_graph()?.is_some() && r.augment_report()?.is_some()))?;
        if there {
            return Ok(());
        }
        let folder = self.workspace().store.path().with_extension("document");
        own_folder(&folder)?;
        let read = self.read_sample(&folder, &sample, watcher);
        // The workspace keeps the document itself; a copy that stays behind harms nobody.
        let _ = std::fs::remove_dir_all(&folder);
        read?;
        match self.prepare(&GraphRequest::default(), watcher)?.dataset {
            // A user can look around without a snapshot. The screen Training says what it lacks.
            Err(failure) if failure.code != Code::TooLittleData => Err(failure),
            _ => Ok(()),
        }
    }

    fn read_sample(&self, folder: &Path, sample: &Sample, watcher: &dyn Watcher) -> Result<()> {
        let file = folder.join(sample.file);
        write_own(&file, sample.bytes)?;
        let report = self
            .corpus()
            .import(&[file], &ParseOptions::default(), watcher)?;
        report.failed.into_iter().next().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn each_sample_is_in_its_language() {
        for language in [Language::En, Language::Ko, Language::Other] {
            assert!(sample(language).bytes.starts_with(b"%PDF"), "{language:?}");
        }
        let chinese = std::str::from_utf8(sample(Language::Zh).bytes).unwrap();
        assert!(chinese.contains("第一条"));
    }
}
