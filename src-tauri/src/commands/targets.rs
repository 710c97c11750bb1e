//! Commands about machines that a training can run on. They belong to the user and not to a workspace.

use super::reply::{Reply, apart, ask, job, now};
use crate::shell::Shell;
use lexforge_domain::api::commands::TargetsRequest as Request;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Targets(asked) => apart(asked, |_| lexforge_engine::targets()),
        Request::AddTarget(asked) => apart(asked, |asked| {
            lexforge_engine::add_target(
                &asked.name,
                asked.place,
                &asked.folder,
                asked.slurm,
                asked.price,
            )
        }),
        Request::ChangeTarget(asked) => apart(asked, |asked| {
            lexforge_engine::change_target(
                &asked.name,
                asked.place,
                &asked.folder,
                asked.slurm,
                asked.price,
            )
        }),
        Request::CheckTarget(asked) => {
            apart(asked, |asked| lexforge_engine::check_target(&asked.name))
        }
        Request::TargetKey(asked) => {
            let engine = shell.engine().ok();
            apart(asked, move |asked| {
                let workspace = engine.as_ref().map(|engine| engine.workspace());
                lexforge_engine::show_host_key(&asked.name, workspace)
            })
        }
        Request::ReplaceTargetKey(asked) => ask(shell, asked, |engine, asked| {
            lexforge_engine::replace_host_key(
                engine.workspace(),
                &asked.name,
                &asked.fingerprint,
                &asked.reason,
            )
        }),
        Request::TargetScript(asked) => {
            apart(asked, |asked| lexforge_engine::manifest(&asked.name))
        }
        Request::ScriptWith(asked) => apart(asked, |asked| {
            lexforge_engine::script_with(&asked.folder, &asked.slurm)
        }),
        Request::InstallTarget(asked) => {
            let title = asked.name.clone();
            job(shell, asked, "install", &title, |_, watch, asked| {
                lexforge_engine::install_on(&asked.name, None, watch).map(|_| ())
            })
        }
        Request::Packs(asked) => apart(asked, |_| lexforge_engine::packs()),
        Request::TakePackIn(asked) => {
            let title = asked.path.clone();
            job(shell, asked, "pack", &title, |_, watch, asked| {
                lexforge_engine::take_pack_in(&[asked.path.into()], watch).map(|_| ())
            })
        }
        Request::RemovePack(asked) => apart(asked, |asked| lexforge_engine::remove_pack(&asked.id)),
        Request::TargetHolds(asked) => {
            apart(asked, |asked| lexforge_engine::kept_there(&asked.name))
        }
        Request::CleanTarget(asked) => apart(asked, |asked| {
            let what = lexforge_engine::Cleaning {
                discard: asked.discard,
                ..lexforge_engine::Cleaning::default()
            };
            lexforge_engine::clean_target(&asked.name, what)
        }),
        Request::RemoveTarget(asked) => {
            apart(asked, |asked| lexforge_engine::remove_target(&asked.name))
        }
        Request::SshQuestions(asked) => now(asked, |_| Ok(lexforge_engine::ssh_questions())),
        Request::AnswerSsh(asked) => {
            let engine = shell.engine().ok();
            apart(asked, move |asked| {
                if let Some(engine) = engine {
                    let answer = asked.answer.as_deref();
                    lexforge_engine::note_trust(engine.workspace(), asked.id, answer)?;
                }
                lexforge_engine::answer_ssh(asked.id, asked.answer)
            })
        }
    }
}
