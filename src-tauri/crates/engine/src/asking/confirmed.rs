//! The endpoints that somebody on this machine has confirmed.
//!
//! A workspace may come from elsewhere and bring endpoints, proxies and places of keys with it. So confirmations are
//! kept outside the workspace, in a folder of the user: one file for each endpoint, with the hash of its definition. If
//! the definition changes, the endpoint is no longer confirmed.

use crate::workspace::{Result, now, own_folder, user_folder, writable_by_others, write_own};
use lexforge_domain::endpoint::{Endpoint, KeySource, Proxy};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// The confirmations of this user.
pub(crate) struct Confirmed {
    folder: PathBuf,
}

/// Whether an endpoint was confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    /// The endpoint was confirmed in its present form.
    Given,
    /// It had another definition when it was confirmed.
    Changed,
    /// Nobody has confirmed it here.
    Never,
}

/// The content of a file. All but the hash is for the person who opens the file.
#[derive(Serialize, Deserialize)]
struct Record {
    definition: String,
    endpoint: String,
    url: String,
    model: String,
    proxy: Proxy,
    key: KeySource,
    proxy_password: KeySource,
    workspace: String,
    confirmed: String,
}

/// SHA-256 over what is confirmed: to whom, through whom, and where the secrets are.
pub(crate) fn definition(endpoint: &Endpoint) -> String {
    let Endpoint {
        name,
        url,
        model,
        key,
        settings,
    } = endpoint;
    let parts = serde_json::json!([
        name,
        url,
        model,
        key,
        settings.proxy,
        settings.proxy_password
    ]);
    hex::encode(Sha256::digest(format!("lexforge endpoint 1 {parts}")))
}

impl Default for Confirmed {
    /// The confirmations of the user who runs the program.
    fn default() -> Self {
        Self {
            folder: user_folder().join("endpoints"),
        }
    }
}

impl Confirmed {
    /// The confirmations that are stored in a folder.
    #[cfg(test)]
    pub(crate) fn at(folder: &std::path::Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Named by a hash, since neither a workspace's mark nor a name is to choose the path.
    fn path(&self, workspace: &str, name: &str) -> PathBuf {
        let mut hash = Sha256::new();
        for part in [workspace, name] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        self.folder
            .join(format!("{}.json", hex::encode(hash.finalize())))
    }

    /// Whether an endpoint of a workspace was confirmed. A file that others could have written does not count.
    pub(crate) fn of(&self, workspace: &str, endpoint: &Endpoint) -> Confirmation {
        let path = self.path(workspace, &endpoint.name);
        if writable_by_others(&self.folder) || writable_by_others(&path) {
            return Confirmation::Never;
        }
        let record = std::fs::read(path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Record>(&bytes).ok());
        match record {
            Some(record) if record.definition == definition(endpoint) => Confirmation::Given,
            Some(_) => Confirmation::Changed,
            None => Confirmation::Never,
        }
    }

    /// Records that an endpoint is confirmed with its present settings. An earlier confirmation under its name is
    /// replaced.
    pub(crate) fn keep(&self, workspace: &str, endpoint: &Endpoint) -> Result<()> {
        own_folder(&self.folder)?;
        let record = Record {
            definition: definition(endpoint),
            endpoint: endpoint.name.clone(),
            url: endpoint.url.clone(),
            model: endpoint.model.clone(),
            proxy: endpoint.settings.proxy.clone(),
            key: endpoint.key.clone(),
            proxy_password: endpoint.settings.proxy_password.clone(),
            workspace: workspace.to_owned(),
            confirmed: now(),
        };
        let path = self.path(workspace, &endpoint.name);
        write_own(&path, serde_json::json!(record).to_string().as_bytes())
    }

    /// Takes the confirmation of an endpoint back.
    pub(crate) fn withdraw(&self, workspace: &str, name: &str) {
        // A missing file needs no removal. A file that cannot be removed belongs to an endpoint that is gone.
        let _ = std::fs::remove_file(self.path(workspace, name));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::endpoint::EndpointSettings;
    use std::path::Path;

    fn endpoint() -> Endpoint {
        let settings = EndpointSettings::default();
        let key = KeySource::Variable {
            name: "FIRM_KEY".into(),
        };
        Endpoint {
            name: "firm".into(),
            url: "https://h/v1".into(),
            model: "m".into(),
            key,
            settings,
        }
    }

    #[test]
    fn what_is_confirmed_is_just_this_definition_of_this_workspace() {
        let home = tempfile::tempdir().unwrap();
        let confirmed = Confirmed::at(&home.path().join("endpoints"));
        assert_eq!(confirmed.of("one", &endpoint()), Confirmation::Never);
        confirmed.keep("one", &endpoint()).unwrap();
        assert_eq!(confirmed.of("one", &endpoint()), Confirmation::Given);
        assert_eq!(confirmed.of("other", &endpoint()), Confirmation::Never);
        let changes: [fn(&mut Endpoint); 6] = [
            |e| e.url = "https://evil/v1".into(),
            |e| e.model = "n".into(),
            |e| {
                e.key = KeySource::File {
                    path: "/etc/passwd".into(),
                }
            },
            |e| e.settings.proxy = Proxy::Environment,
            |e| e.settings.proxy = Proxy::Url("http://p:1".into()),
            |e| e.settings.proxy_password = KeySource::KeyRing,
        ];
        for change in changes {
            let mut changed = endpoint();
            change(&mut changed);
            assert_eq!(
                confirmed.of("one", &changed),
                Confirmation::Changed,
                "{changed:?}"
            );
        }
        // How it is asked is no matter of trust.
        let mut slower = endpoint();
        (slower.settings.concurrency, slower.settings.price_in) = (1, Some(2.0));
        assert_eq!(confirmed.of("one", &slower), Confirmation::Given);
        confirmed.withdraw("one", "firm");
        assert_eq!(confirmed.of("one", &endpoint()), Confirmation::Never);
        assert_eq!(
            std::fs::read_dir(home.path().join("endpoints"))
                .unwrap()
                .count(),
            0
        );
    }

    #[test]
    #[cfg(unix)]
    fn what_others_can_write_confirms_nothing() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("endpoints");
        let confirmed = Confirmed::at(&folder);
        confirmed.keep("one", &endpoint()).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let file = std::fs::read_dir(&folder)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(confirmed.of("one", &endpoint()), Confirmation::Never);
        let failure = confirmed.keep("one", &endpoint()).unwrap_err();
        assert!(failure.hint.contains("chmod 700"), "{}", failure.hint);
    }
}
