//! What a secret is called, and its value while it is in memory.

use std::{fmt, str::FromStr};

use zeroize::Zeroizing;

/// Shorter values cannot be redacted: they would match half of every output.
const MIN_VALUE_BYTES: usize = 4;
const MAX_VALUE_BYTES: usize = 65_536;
const MAX_NAME_BYTES: usize = 128;

#[derive(Debug, thiserror::Error)]
#[error(
    "the name of a secret starts with a letter and goes on with letters, digits, `_`, `.` or `-`, at most {MAX_NAME_BYTES} in all"
)]
pub struct SecretNameError;

/// `[A-Za-z][A-Za-z0-9_.-]{0,127}`
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretName(String);

impl SecretName {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SecretName {
    type Err = SecretNameError;

    fn from_str(text: &str) -> Result<Self, SecretNameError> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        let valid = text.len() <= MAX_NAME_BYTES
            && text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(allowed);
        // The text is left out of the error: a value pasted into the wrong field must not end up in a log.
        if valid { Ok(Self(text.to_owned())) } else { Err(SecretNameError) }
    }
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SecretValueError {
    #[error(
        "the value has {0} bytes: it needs at least {MIN_VALUE_BYTES}, so that it can be redacted from outputs"
    )]
    TooShort(usize),
    #[error(
        "the value has {0} bytes: at most {MAX_VALUE_BYTES} are kept; store a reference to the data instead"
    )]
    TooLong(usize),
}

/// A value in the clear. It is wiped when dropped, has no `Display`, and its `Debug` says nothing of it. Binary data is
/// set as text, in base64 for instance.
#[derive(Clone)]
pub struct SecretValue(Zeroizing<String>);

impl SecretValue {
    pub fn new(value: String) -> Result<Self, SecretValueError> {
        let value = Zeroizing::new(value);
        match value.len() {
            0..MIN_VALUE_BYTES => Err(SecretValueError::TooShort(value.len())),
            MIN_VALUE_BYTES..=MAX_VALUE_BYTES => Ok(Self(value)),
            _ => Err(SecretValueError::TooLong(value.len())),
        }
    }

    /// The value itself. Named so that each use stands out in a review.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(…)")
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("API_KEY", true)]
    #[case("a", true)]
    #[case("github.token-2", true)]
    #[case("", false)]
    #[case("2fa", false)]
    #[case("_x", false)]
    #[case("with space", false)]
    #[case("naïve", false)]
    #[case("a]b", false)]
    #[case(&"n".repeat(128), true)]
    #[case(&"n".repeat(129), false)]
    fn a_name_is_a_letter_and_up_to_127_more_characters(#[case] name: &str, #[case] valid: bool) {
        assert_eq!(name.parse::<SecretName>().is_ok(), valid);
    }

    #[test]
    fn a_refused_name_is_not_repeated_because_it_may_be_a_pasted_value() {
        let error = "sk live 123".parse::<SecretName>().unwrap_err();
        assert!(!format!("{error} {error:?}").contains("123"));
    }

    #[test]
    fn a_value_has_4_to_65536_bytes() {
        assert!(matches!(SecretValue::new("abc".into()), Err(SecretValueError::TooShort(3))));
        assert!(SecretValue::new("abcd".into()).is_ok());
        assert!(SecretValue::new("x".repeat(65_536)).is_ok());
        assert!(matches!(SecretValue::new("x".repeat(65_537)), Err(SecretValueError::TooLong(65_537))));
    }

    #[test]
    fn debug_shows_nothing_of_a_value() {
        assert_eq!(format!("{:?}", SecretValue::new("hunter2!".into()).unwrap()), "SecretValue(…)");
    }
}
