//! The keys of endpoints and the passwords of their proxies. They are kept in the key ring of the operating system, in
//! an environment variable, or in a file that only its owner can read. They are never written into the workspace, a log
//! or a message.

use crate::workspace::{Result, SERVICE, key_missing, no_ring, secret_of_file};
use lexforge_augment::endpoint::Secret;
use lexforge_domain::Remedy;
use lexforge_domain::endpoint::{Endpoint, KeySource, Proxy};
use std::path::Path;

/// The place of a secret of an endpoint, and its name.
pub(crate) struct Held<'e> {
    endpoint: &'e Endpoint,
    proxy: bool,
}

/// The key of an endpoint.
pub(crate) fn key(endpoint: &Endpoint) -> Held<'_> {
    Held {
        endpoint,
        proxy: false,
    }
}

/// The password of an endpoint's proxy.
pub(crate) fn proxy_password(endpoint: &Endpoint) -> Held<'_> {
    Held {
        endpoint,
        proxy: true,
    }
}

impl Held<'_> {
    fn source(&self) -> &KeySource {
        if self.proxy {
            &self.endpoint.settings.proxy_password
        } else {
            &self.endpoint.key
        }
    }

    fn name(&self) -> String {
        let what = if self.proxy {
            "proxy's password"
        } else {
            "key"
        };
        format!("The {what} of {}", self.endpoint.name)
    }

    fn entry(&self) -> keyring::v1::Result<keyring::v1::Entry> {
        let Endpoint {
            name,
            url,
            settings,
            ..
        } = self.endpoint;
        let user = match &settings.proxy {
            Proxy::Url(proxy) if self.proxy => format!("{name} {url} proxy {proxy}"),
            _ => format!("{name} {url}"),
        };
        keyring::v1::Entry::new(SERVICE, &user)
    }

    /// The secret, if the endpoint has one.
    pub(crate) fn find(&self) -> Result<Option<Secret>> {
        let found = match self.source() {
            KeySource::None => return Ok(None),
            KeySource::KeyRing => self.out_of_ring()?,
            KeySource::Variable { name } => std::env::var(name).map_err(|_| {
                key_missing(
                    format!(
                        "{} is to stand in the variable {name}, which is not set.",
                        self.name()
                    ),
                    format!("Set {name}, or name another place for it."),
                )
            })?,
            KeySource::File { path } => secret_of_file(Path::new(path))?,
        };
        let found = Secret::new(found.lines().next().unwrap_or_default());
        if found.reveal().is_empty() {
            return Err(key_missing(
                format!("{} ({}) is empty.", self.name(), self.source().words()),
                "Put it there, on one line.".to_owned(),
            ));
        }
        Ok(Some(found))
    }

    /// Puts it into the key ring.
    pub(crate) fn put(&self, secret: &Secret) -> Result<()> {
        self.entry()
            .and_then(|entry| entry.set_password(secret.reveal()))
            .map_err(|e| no_ring(&e))
    }

    /// Takes it out of the key ring, where it is in there.
    pub(crate) fn forget(&self) {
        if *self.source() == KeySource::KeyRing
            && let Ok(entry) = self.entry()
        {
            // A missing entry needs no removal. If the key ring is locked, the entry stays there unused.
            let _ = entry.delete_credential();
        }
    }

    fn out_of_ring(&self) -> Result<String> {
        self.entry()
            .and_then(|entry| entry.get_password())
            .map_err(|error| match error {
                keyring::v1::Error::NoEntry => key_missing(
                    format!("{} is not in this user's key ring.", self.name()),
                    Remedy::EnterKeyAgain,
                ),
                error => no_ring(&error),
            })
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::Code;
    use lexforge_domain::endpoint::EndpointSettings;
    use std::os::unix::fs::PermissionsExt;

    fn endpoint(source: KeySource) -> Endpoint {
        let settings = EndpointSettings::default();
        Endpoint {
            name: "e".into(),
            url: "https://h/v1".into(),
            model: "m".into(),
            key: source,
            settings,
        }
    }

    #[test]
    fn a_proxy_s_password_is_looked_for_where_it_is_said_to_be() {
        let mut endpoint = endpoint(KeySource::None);
        endpoint.settings.proxy_password = KeySource::Variable {
            name: "LEXFORGE_TEST_NO_SUCH_KEY".into(),
        };
        assert_eq!(key(&endpoint).find().unwrap(), None);
        let failure = proxy_password(&endpoint).find().unwrap_err();
        assert!(
            failure.message.contains("proxy's password of e"),
            "{}",
            failure.message
        );
    }

    #[test]
    fn a_key_file_must_be_its_owner_s_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-one\nsecond line\n").unwrap();
        let with_mode = |mode: u32| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            key(&endpoint(KeySource::File {
                path: path.display().to_string(),
            }))
            .find()
        };
        assert_eq!(with_mode(0o600).unwrap().unwrap().reveal(), "sk-one");
        assert_eq!(with_mode(0o400).unwrap().unwrap().reveal(), "sk-one");
        for mode in [0o640, 0o604, 0o660] {
            let failure = with_mode(mode).unwrap_err();
            assert_eq!(failure.code, Code::KeyMissing);
            assert!(
                failure.hint.contains("chmod 600") && !format!("{failure:?}").contains("sk-one")
            );
        }
        std::fs::write(&path, "\n").unwrap();
        assert_eq!(with_mode(0o600).unwrap_err().code, Code::KeyMissing);
        let missing = key(&endpoint(KeySource::File {
            path: "/nowhere/key".into(),
        }))
        .find();
        assert_eq!(missing.unwrap_err().code, Code::KeyMissing);
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let source = KeySource::Variable {
            name: "LEXFORGE_TEST_NO_SUCH_KEY".into(),
        };
        let failure = key(&endpoint(source)).find().unwrap_err();
        assert!(failure.message.contains("LEXFORGE_TEST_NO_SUCH_KEY"));
        assert_eq!(key(&endpoint(KeySource::None)).find().unwrap(), None);
    }
}
