//! Trying an endpoint.

use super::Asking;
use super::request::LocalModel;
use crate::workspace::Result;
use lexforge_augment::endpoint::{Checked, check};
use lexforge_domain::endpoint::EndpointCheck;

impl Asking<'_> {
    /// Tries an endpoint with the smallest possible request, and remembers how strictly it follows a demanded form of
    /// answer (such as JSON). The request contains nothing of the documents.
    ///
    /// # Errors
    /// When no endpoint has this name, or the workspace cannot be written. A fault of the endpoint is a result and not
    /// an error.
    pub fn check_endpoint(&self, name: &str, local: &LocalModel) -> Result<EndpointCheck> {
        let target = self.target(name, local)?;
        let mut found = EndpointCheck {
            name: name.to_owned(),
            host: target.host.clone(),
            via: target.via(),
            sent: Checked::sent().to_owned(),
            ok: false,
            models: None,
            form: None,
            counts_tokens: false,
            milliseconds: None,
            notes: Vec::new(),
            failure: None,
        };
        let checked = match self.connect(&target, &|| false) {
            Ok(connection) => check(&connection.client)?,
            Err(failure) => {
                return Ok(EndpointCheck {
                    failure: Some(failure),
                    ..found
                });
            }
        };
        let shown = target.via().map_or_else(
            || target.host.clone(),
            |via| format!("{} through {via}", target.host),
        );
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.note("endpoint.check", &format!("endpoint {name}"), Some(&shown))
        })?;
        found.counts_tokens = checked.counts_tokens;
        found.models = checked.models;
        match checked.answered {
            Ok((form, milliseconds)) => {
                (found.ok, found.form, found.milliseconds) = (true, Some(form), Some(milliseconds));
                if !target.local && form != target.endpoint.settings.form {
                    let mut endpoint = target.endpoint.clone();
                    endpoint.settings.form = form;
                    self.workspace
                        .store
                        .write(&self.workspace.actor, |w| w.put_endpoint(&endpoint))?;
                }
            }
            Err(failure) => found.failure = Some(failure.into()),
        }
        if found
            .models
            .as_ref()
            .is_some_and(|models| !models.contains(&target.endpoint.model))
        {
            found.notes.push(format!(
                "The endpoint does not list the model {}.",
                target.endpoint.model
            ));
        }
        if found.ok && !checked.in_form {
            found.notes.push(
                "Its answer had not the form that was asked for; such answers are counted."
                    .to_owned(),
            );
        }
        if found.ok && !found.counts_tokens {
            found
                .notes
                .push("It does not count tokens, so that no cost can be told.".to_owned());
        }
        if target.unencrypted {
            found
                .notes
                .push("What is sent to it is not encrypted on the way.".to_owned());
        }
        Ok(found)
    }
}
