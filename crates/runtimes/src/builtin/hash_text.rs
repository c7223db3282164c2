//! `hash_text`: the digest of a text.

use serde_json::{Value, json};
use sha2::{Digest, Sha256, Sha512};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::{
    definition::{Definition, answers, refuses, section},
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Computes the cryptographic digest of a text (its UTF-8 bytes). Use it to fingerprint or \
compare content, to check a published checksum, or to make a stable key out of a long text. Algorithms: sha256 (the \
default), sha512, blake3; encodings: hex (the default) or base64. The same text always gives the same digest. Not \
for passwords (a plain digest of one can be guessed) and not for signatures: there is no key. The text is hashed \
as it is: a trailing newline or other white space changes the digest. At most 1,000,000 characters.";

/// Digests of text.
pub(super) struct HashText;

impl Builtin for HashText {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "hash_text",
            category: "utility",
            icon: "fingerprint",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "text": {"type": "string", "maxLength": 1_000_000, "description": "The text to hash."},
                    "algorithm": {
                        "type": "string", "enum": ["sha256", "sha512", "blake3"], "default": "sha256",
                        "description": "The hash function."
                    },
                    "encoding": {
                        "type": "string", "enum": ["hex", "base64"], "default": "hex",
                        "description": "How the digest is written."
                    }
                },
                "required": ["text"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "digest": {"type": "string", "description": "The digest, in the encoding asked for."},
                    "algorithm": {"type": "string", "description": "The hash function used."},
                    "encoding": {"type": "string", "description": "The encoding of the digest."},
                    "bytes": {"type": "integer", "description": "How many bytes were hashed."}
                },
                "required": ["digest", "algorithm", "encoding", "bytes"],
                "additionalProperties": false
            }),
            examples: vec![
                answers(
                    "SHA-256, the default",
                    json!({"text": "abc"}),
                    json!({
                        "digest": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                        "algorithm": "sha256", "encoding": "hex", "bytes": 3
                    }),
                ),
                answers(
                    "BLAKE3 in base64",
                    json!({"text": "abc", "algorithm": "blake3", "encoding": "base64"}),
                    json!({
                        "digest": "ZDezrDhGUTP/tjt1JzqNtUjFWEZdedsD/TWcbNW9nYU=",
                        "algorithm": "blake3", "encoding": "base64", "bytes": 3
                    }),
                ),
                refuses("An algorithm that is not offered", json!({"text": "abc", "algorithm": "md5"})),
            ],
            output_sections: vec![section("digest", "Digest", SectionType::Summary)],
            repeatable: true,
        }
        .into_spec()
    }

    /// Hashing runs at hundreds of megabytes a second.
    fn weight(&self, input: &Value) -> Weight {
        const MAX_INLINE_BYTES: usize = 16 * 1024;
        let bytes = input["text"].as_str().unwrap_or_default().len();
        if bytes <= MAX_INLINE_BYTES { Weight::Inline } else { Weight::Blocking }
    }

    fn call(&self, input: &Value, _ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let text = input["text"].as_str().unwrap_or_default();
        let algorithm = input["algorithm"].as_str().unwrap_or("sha256");
        let encoding = input["encoding"].as_str().unwrap_or("hex");
        let digest: Vec<u8> = match algorithm {
            "sha256" => Sha256::digest(text).to_vec(),
            "sha512" => Sha512::digest(text).to_vec(),
            "blake3" => blake3::hash(text.as_bytes()).as_bytes().to_vec(),
            _ => {
                return Err(ToolError::validation("`algorithm` is one of sha256, sha512, blake3"));
            }
        };
        let written = match encoding {
            "hex" => data_encoding::HEXLOWER.encode(&digest),
            "base64" => data_encoding::BASE64.encode(&digest),
            _ => return Err(ToolError::validation("`encoding` is one of hex, base64")),
        };
        Ok(json!({"digest": written, "algorithm": algorithm, "encoding": encoding, "bytes": text.len()}))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::builtin::testing::call;

    #[rstest]
    #[case("", "sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")]
    #[case("", "blake3", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262")]
    #[case(
        "abc",
        "sha512",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    )]
    fn known_answers(#[case] text: &str, #[case] algorithm: &str, #[case] digest: &str) {
        assert_eq!(call(&HashText, json!({"text": text, "algorithm": algorithm}))["digest"], digest);
    }

    #[test]
    fn counts_bytes_not_characters_and_moves_large_texts_off_the_event_loop() {
        assert_eq!(call(&HashText, json!({"text": "größe"}))["bytes"], 7);
        assert_eq!(HashText.weight(&json!({"text": "x"})), Weight::Inline);
        assert_eq!(HashText.weight(&json!({"text": "x".repeat(100_000)})), Weight::Blocking);
    }
}
