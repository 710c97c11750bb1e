//! Commands about terms, their schemas, and lists of them as files.

use super::reply::{Reply, ask, job};
use crate::shell::Shell;
use lexforge_domain::api::commands::TermsRequest as Request;
use lexforge_engine::{AskRequest, TermRequest};

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Terms(asked) => ask(shell, asked, |engine, asked| {
            engine.terms().terms(&asked.filter)
        }),
        Request::Term(asked) => ask(shell, asked, |engine, asked| engine.terms().term(asked.id)),
        Request::PlanTerms(asked) => ask(shell, asked, |engine, asked| {
            let ask = AskRequest {
                endpoint: asked.endpoint,
                ..AskRequest::default()
            };
            engine.terms().plan_terms(&TermRequest {
                ask,
                schemas: asked.schemas,
            })
        }),
        Request::FindTerms(asked) => {
            let title = asked.endpoint.clone();
            job(shell, asked, "terms", &title, |engine, watch, asked| {
                let ask = AskRequest {
                    endpoint: asked.endpoint,
                    consent: asked.consent,
                    ..AskRequest::default()
                };
                engine
                    .terms()
                    .extract_terms_with(
                        &TermRequest {
                            ask,
                            schemas: asked.schemas,
                        },
                        watch,
                    )
                    .map(|_| ())
            })
        }
        Request::FindConfusables(asked) => job(
            shell,
            asked,
            "confusables",
            "",
            |engine, watch, _| match engine.terms().find_confusables(watch)?.reason {
                Some(reason) => Err(reason),
                None => Ok(()),
            },
        ),
        Request::TermSchemas(asked) => ask(shell, asked, |engine, _| engine.terms().term_schemas()),
        Request::OwnTermSchemas(asked) => {
            ask(shell, asked, |engine, _| engine.terms().own_term_schemas())
        }
        Request::PutTermSchema(asked) => ask(shell, asked, |engine, asked| {
            engine.terms().put_term_schema(asked.schema)
        }),
        Request::RemoveTermSchema(asked) => ask(shell, asked, |engine, asked| {
            engine
                .terms()
                .remove_term_schema(&asked.name, asked.language)
        }),
        Request::ImportGlossary(asked) => ask(shell, asked, |engine, asked| {
            engine
                .terms()
                .import_glossary(asked.path.as_ref(), asked.format)
        }),
        Request::ExportGlossary(asked) => ask(shell, asked, |engine, asked| {
            engine
                .terms()
                .export_glossary(asked.path.as_ref(), asked.format)
        }),
    }
}
