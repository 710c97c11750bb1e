//! The terms and questions that a packet brings into the workspace made from it. They keep the ids they have in the
//! workspace that wrote the packet, so that decisions about them can be taken back into that workspace.

use crate::confusable::ConfusablePair;
use crate::definition::NewDefinition;
use crate::error::Result;
use crate::scope::Scope;
use crate::term_row;
use crate::writer::Writer;
use lexforge_domain::TermId;
use lexforge_domain::api::AugmentReport;
use lexforge_domain::qca::Qca;
use lexforge_domain::term::{Mention, Term};

/// The content of a packet besides its documents. Sentences have the ids of this workspace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Terms, under their own ids.
    pub terms: Vec<Term>,
    /// The places where terms are mentioned.
    pub mentions: Vec<Mention>,
    pub definitions: Vec<(TermId, NewDefinition)>,
    /// Their other names.
    pub names: Vec<(TermId, String)>,
    /// Terms that could be taken for each other.
    pub near: Vec<ConfusablePair>,
    /// Questions, under their own ids.
    pub questions: Vec<Qca>,
}

impl Writer<'_> {
    /// Stores the content of a packet in a workspace that has no terms and questions yet.
    ///
    /// # Errors
    /// Errors of the database, for instance where an id occurs twice.
    pub fn insert_material(&mut self, material: &Material) -> Result<()> {
        self.because("from a review packet");
        let mut statement = self.connection.prepare_cached(&term_row::insertion(""))?;
        for term in &material.terms {
            term_row::insert(&mut statement, Some(term.id), term)?;
        }
        drop(statement);
        crate::mention::insert(
            self,
            material
                .mentions
                .iter()
                .map(|m| (m.term, m.sentence, m.start, m.end)),
        )?;
        for (term, definition) in &material.definitions {
            crate::definition::insert(self, *term, definition)?;
        }
        for (term, name) in &material.names {
            self.add_name(*term, name, "packet")?;
        }
        self.record("packet.terms", &Scope::Terms)?;
        self.replace_confusables(&material.near)?;
        if material.questions.is_empty() {
            return Ok(());
        }
        for question in &material.questions {
            crate::qca::insert(self, question)?;
        }
        crate::qca::close(
            self,
            &AugmentReport {
                source: "review packet".to_owned(),
                ..AugmentReport::default()
            },
        )?;
        self.record("packet.questions", &Scope::Questions)
    }
}
