//! Commands about documents and their pages.

use super::reply::{Reply, ask};
use crate::shell::Shell;
use lexforge_domain::api::DiffCounts;
use lexforge_domain::api::commands::LibraryRequest as Request;

/// Resolution at which a page is tried, in dots per inch.
const LEAST: f32 = 36.0;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Documents(asked) => ask(shell, asked, |engine, _| engine.corpus().documents()),
        Request::Outline(asked) => ask(shell, asked, |engine, asked| {
            engine.corpus().outline(asked.document)
        }),
        Request::Page(asked) => ask(shell, asked, |engine, asked| {
            engine.corpus().page(asked.document, asked.number)
        }),
        Request::Sentence(asked) => ask(shell, asked, |engine, asked| {
            engine.corpus().sentence(asked.id)
        }),
        Request::Search(asked) => ask(shell, asked, |engine, asked| {
            engine.corpus().search(&asked.request)
        }),
        Request::PageProblem(asked) => ask(shell, asked, |engine, asked| {
            Ok(engine
                .corpus()
                .page_image(asked.document, asked.number, LEAST)
                .err())
        }),
        Request::Unlock(asked) => ask(shell, asked, |engine, asked| {
            engine.corpus().unlock(asked.document, &asked.password)
        }),
        Request::CheckCorpus(asked) => ask(shell, asked, |engine, _| {
            engine.corpus().check_and_keep(None)
        }),
        Request::CheckStanding(asked) => ask(shell, asked, |engine, _| {
            engine.corpus().check_standing(None)
        }),
        Request::DocumentDiff(asked) => ask(shell, asked, |engine, asked| {
            engine.corpus().document_diff(asked.from, asked.to)
        }),
        Request::DiffCounts(asked) => ask(shell, asked, |engine, asked| {
            engine
                .corpus()
                .document_diff(asked.from, asked.to)
                .map(|diff| DiffCounts::from(&diff))
        }),
        Request::LinkPredecessor(asked) => ask(shell, asked, |engine, asked| {
            engine
                .corpus()
                .link_predecessor(asked.document, asked.predecessor)
        }),
        Request::ValidityProposals(asked) => ask(shell, asked, |engine, _| {
            engine.corpus().validity_proposals()
        }),
        Request::SetValidity(asked) => ask(shell, asked, |engine, asked| {
            engine
                .corpus()
                .set_validity(asked.document, &asked.validity)
        }),
    }
}
