//! The name of a content: its SHA-256.

use serde::{Deserialize, Deserializer, Serialize, de};

/// A SHA-256: exactly 64 lower-case hexadecimal digits. It may be the name of a file, because it cannot contain a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Sha256(String);

/// A text that is no SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASha256(String);

impl std::fmt::Display for NotASha256 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The text is foreign, so it is escaped and shortened to one line.
        let shown: String = self
            .0
            .chars()
            .take(80)
            .flat_map(char::escape_debug)
            .collect();
        write!(f, "“{shown}” is no SHA-256 (64 digits, 0 to 9 and a to f)")
    }
}

impl std::error::Error for NotASha256 {}

impl Sha256 {
    /// Of the 32 bytes of a digest.
    pub fn of_digest(digest: impl AsRef<[u8]>) -> Self {
        let mut text: String = digest
            .as_ref()
            .iter()
            .take(32)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        // A shorter value is not a digest that this program made; the result still names no path.
        text.extend(std::iter::repeat_n('0', 64 - text.len()));
        Self(text)
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads a field of a file. If this fails, the error names the field.
    ///
    /// # Errors
    /// Where the value is not a text or not a SHA-256.
    pub fn field<'de, D: Deserializer<'de>>(deserializer: D, name: &str) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)
            .map_err(|e| de::Error::custom(format!("{name}: {e}")))?;
        Self::try_from(text).map_err(|e| de::Error::custom(format!("{name}: {e}")))
    }
}

impl TryFrom<String> for Sha256 {
    type Error = NotASha256;

    fn try_from(text: String) -> Result<Self, NotASha256> {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if text.len() == 64 && text.bytes().all(digit) {
            Ok(Self(text))
        } else {
            Err(NotASha256(text))
        }
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl std::fmt::Display for Sha256 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Sha256 {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_64_lower_case_digits_is_a_hash() {
        let good = "0123456789abcdef".repeat(4);
        assert_eq!(Sha256::try_from(good.clone()).unwrap().as_str(), good);
        let json = serde_json::to_string(&Sha256::try_from(good.clone()).unwrap()).unwrap();
        assert_eq!(
            serde_json::from_str::<Sha256>(&json).unwrap().as_str(),
            good
        );
        let slashes = format!("../{}", &good[3..]);
        for bad in [
            "",
            "../../x",
            &good[1..],
            &good.to_uppercase(),
            &slashes,
            &format!("{good}0"),
            "/etc/passwd",
        ] {
            let told = serde_json::from_value::<Sha256>(bad.into())
                .unwrap_err()
                .to_string();
            assert!(told.contains("no SHA-256"), "{bad}: {told}");
        }
        let long = NotASha256("\u{1b}[2J".repeat(1000)).to_string();
        assert!(long.len() < 800 && !long.contains('\u{1b}'), "{long}");
    }

    #[test]
    fn a_digest_is_written_in_full() {
        let digest = Sha256::of_digest([0xab_u8; 32]);
        assert_eq!(digest.as_str(), "ab".repeat(32));
        assert_eq!(Sha256::of_digest([1_u8]).as_str().len(), 64);
    }
}
