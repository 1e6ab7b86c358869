//! Bytes from base 64.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::value::Value;

/// As Jackson reads it: padded, and the bits that the padding leaves do not matter.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// The bytes that a text of base 64 stands for. Blanks and line ends may stand between its units of
/// four characters.
pub(super) fn parse_bytes(text: &str) -> Option<Value> {
    if let Ok(bytes) = BASE64.decode(text) {
        return Some(Value::bytes(bytes));
    }
    let mut bytes = vec![];
    let mut rest = text.trim_start_matches(|c| c <= ' ');
    while !rest.is_empty() {
        bytes.extend(BASE64.decode(rest.get(..4)?).ok()?);
        rest = rest[4..].trim_start_matches(|c| c <= ' ');
    }
    Some(Value::bytes(bytes))
}
