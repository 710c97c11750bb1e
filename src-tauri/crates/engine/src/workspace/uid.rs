//! The mark by which a workspace is known elsewhere.

use lexforge_store::Writer;

/// Setting that holds the workspace's own mark.
pub(crate) const UID: &str = "workspace.uid";

/// The workspace's own mark, made at first need.
pub(crate) fn workspace_uid(w: &mut Writer) -> lexforge_store::Result<String> {
    if let Some(uid) = w.setting(UID)? {
        return Ok(uid);
    }
    let uid = w.new_uid()?;
    w.set_setting(UID, &uid)?;
    Ok(uid)
}
