//! Remedies in the window's own words: where to go in the window, in the reader's language.

use crate::i18n::{Lang, text_in};
use lexforge_domain::Remedy;
use std::fmt::Display;

/// What to do, if this language has words for it.
pub fn worded(remedy: &Remedy, lang: Lang) -> Option<String> {
    let word = |key: &str, arguments: &[(&str, &dyn Display)]| {
        arguments
            .iter()
            .fold(text_in(lang, key), |text, (name, value)| {
                text.map(|text| text.replace(&format!("{{{name}}}"), &value.to_string()))
            })
    };
    match remedy {
        Remedy::ImportDocument => word("remedy.import_document", &[]),
        Remedy::NameFiles => word("remedy.name_files", &[]),
        Remedy::FindTerms => word("remedy.find_terms", &[]),
        Remedy::ReviewTerms => word("remedy.review_terms", &[]),
        Remedy::BuildGraph => word("remedy.build_graph", &[]),
        Remedy::BuildGraphAgain => word("remedy.build_graph_again", &[]),
        Remedy::WriteQuestions => word("remedy.write_questions", &[]),
        Remedy::FreezeSnapshot => word("remedy.freeze_snapshot", &[]),
        Remedy::Train => word("remedy.train", &[]),
        Remedy::MeasureRanking => word("remedy.measure_ranking", &[]),
        Remedy::MeasureTriplets => word("remedy.measure_triplets", &[]),
        Remedy::MakeTriplets => word("remedy.make_triplets", &[]),
        Remedy::TrainAnew => word("remedy.train_anew", &[]),
        Remedy::PutArtifactsBack => word("remedy.put_artifacts_back", &[]),
        Remedy::ResumeRun { run } => word("remedy.resume_run", &[("run", run)]),
        Remedy::StopFollowing { run } => word("remedy.stop_following", &[("run", run)]),
        Remedy::StopFollowingAnyway { .. } => word("remedy.stop_following_anyway", &[]),
        Remedy::WaitOrResume => word("remedy.wait_or_resume", &[]),
        Remedy::ListRuns => word("remedy.list_runs", &[]),
        Remedy::ListDocuments => word("remedy.list_documents", &[]),
        Remedy::ListSentences => word("remedy.list_sentences", &[]),
        Remedy::ListTerms => word("remedy.list_terms", &[]),
        Remedy::ListPrompts => word("remedy.list_prompts", &[]),
        Remedy::ListSchemas => word("remedy.list_schemas", &[]),
        Remedy::NameEndpoint => word("remedy.name_endpoint", &[]),
        Remedy::ConfirmEndpoint { name } => word("remedy.confirm_endpoint", &[("name", name)]),
        Remedy::LookAtBothKeys => word("remedy.look_at_both_keys", &[]),
        Remedy::CheckEndpoint => word("remedy.check_endpoint", &[]),
        Remedy::NameProxy => word("remedy.name_proxy", &[]),
        Remedy::ReachEndpoint => word("remedy.reach_endpoint", &[]),
        Remedy::AskSlower => word("remedy.ask_slower", &[]),
        Remedy::RaiseByteLimit => word("remedy.raise_byte_limit", &[]),
        Remedy::GiveKey => word("remedy.give_key", &[]),
        Remedy::CheckModelName => word("remedy.check_model_name", &[]),
        Remedy::WaitForEndpoint => word("remedy.wait_for_endpoint", &[]),
        Remedy::EnterKeyAgain => word("remedy.enter_key_again", &[]),
        Remedy::UnlockKeyRing => word("remedy.unlock_key_ring", &[]),
        Remedy::KeepToYourself { path, mode } => {
            word("remedy.keep_to_yourself", &[("path", path), ("mode", mode)])
        }
        Remedy::AgreeToSending => word("remedy.agree_to_sending", &[]),
        Remedy::NameBatchModel => word("remedy.name_batch_model", &[]),
        Remedy::WriteBatch { .. } => word("remedy.write_batch", &[]),
        Remedy::ChooseDecoder => word("remedy.choose_decoder", &[]),
        Remedy::ChooseEncoderOrDecoder => word("remedy.choose_encoder_or_decoder", &[]),
        Remedy::ChooseModelOfLanguage => word("remedy.choose_model_of_language", &[]),
        Remedy::SeeRejected => word("remedy.see_rejected", &[]),
        Remedy::VerifyAudit => word("remedy.verify_audit", &[]),
        Remedy::VerifyAndFreezeAgain => word("remedy.verify_and_freeze_again", &[]),
        Remedy::VerifyAndSignCopy => word("remedy.verify_and_sign_copy", &[]),
        Remedy::GoBackToCopy => word("remedy.go_back_to_copy", &[]),
        Remedy::WorkFromEarlierCopy => word("remedy.work_from_earlier_copy", &[]),
        Remedy::NameSignedHead => word("remedy.name_signed_head", &[]),
        Remedy::NameBackup => word("remedy.name_backup", &[]),
        Remedy::KeepBothOrReplace => word("remedy.keep_both_or_replace", &[]),
        Remedy::MakeWorkspace => word("remedy.make_workspace", &[]),
        Remedy::WriteElsewhere => word("remedy.write_elsewhere", &[]),
        Remedy::MoveLogAside => word("remedy.move_log_aside", &[]),
        Remedy::MakeSigningKey => word("remedy.make_signing_key", &[]),
        Remedy::OtherKeyFile => word("remedy.other_key_file", &[]),
        Remedy::GivePassphrase => word("remedy.give_passphrase", &[]),
        Remedy::GiveWorkspacePassphrase => word("remedy.give_workspace_passphrase", &[]),
        Remedy::UnlockRingOrKeyFile => word("remedy.unlock_ring_or_key_file", &[]),
        Remedy::SayWhoItIs => word("remedy.say_who_it_is", &[]),
        Remedy::NamePacketFile => word("remedy.name_packet_file", &[]),
        Remedy::LinkVersions { .. } => word("remedy.link_versions", &[]),
        Remedy::GiveWord => word("remedy.give_word", &[]),
        Remedy::ChangeWording => word("remedy.change_wording", &[]),
        Remedy::InstallSameVersion => word("remedy.install_same_version", &[]),
        Remedy::SetUpWorker => word("remedy.set_up_worker", &[]),
        Remedy::InstallParser => word("remedy.install_parser", &[]),
        Remedy::ExportTypes { types } => word("remedy.export_types", &[("types", types)]),
        Remedy::ExportGguf => word("remedy.export_gguf", &[]),
        Remedy::ExportMerged => word("remedy.export_merged", &[]),
        Remedy::LeaveTypeOut => word("remedy.leave_type_out", &[]),
        Remedy::OtherFolderOrReplace => word("remedy.other_folder_or_replace", &[]),
        Remedy::OtherFolder => word("remedy.other_folder", &[]),
        Remedy::NameModelAlone => word("remedy.name_model_alone", &[]),
        Remedy::StandForRun { .. } => word("remedy.stand_for_run", &[]),
    }
}
