//! Values as they stand in boxes: on one line, measured in columns of a terminal.

use jiff::tz::TimeZone;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::value::display::write_value;
use crate::value::{DataType, Value};

/// What NULL is if nothing else is asked for.
pub(super) const NULL: &str = "NULL";

/// Appends a value that is not NULL. Control characters are escaped so that they cannot steer the terminal.
pub fn write_cell(out: &mut String, value: &Value, data_type: &DataType, zone: &TimeZone) {
    let start = out.len();
    write_value(out, value, data_type, zone);
    escape_controls(out, start);
}

/// Replaces the control characters from a byte on by escapes such as `\n` and `\u{1b}`.
pub(super) fn escape_controls(text: &mut String, start: usize) {
    // The controls beyond ASCII, U+0080 to U+009F, start with the byte C2.
    if !text.as_bytes()[start..].iter().any(|&byte| byte < 0x20 || byte == 0x7f || byte == 0xc2) {
        return;
    }
    if !text[start..].contains(char::is_control) {
        return;
    }
    let raw = text.split_off(start);
    for character in raw.chars() {
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
}

/// A text without control characters, which could steer a terminal or break a line.
pub fn printable(text: &str) -> String {
    let mut text = text.to_owned();
    escape_controls(&mut text, 0);
    text
}

/// The columns that a text takes on a terminal.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// The columns that a character takes on a terminal.
pub(super) fn width_of(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// The longest start of a text that takes no more than this many columns, and how many it takes. What is
/// one character to a reader, such as a family of emoji, is not taken apart.
pub fn start_of(text: &str, limit: usize) -> (&str, usize) {
    let mut taken = 0;
    for (at, character) in text.grapheme_indices(true) {
        let next = taken + width(character);
        if next > limit {
            return (&text[..at], taken);
        }
        taken = next;
    }
    (text, taken)
}

/// Appends blanks.
pub(super) fn pad(out: &mut String, blanks: usize) {
    const BLANKS: &str = "                                ";
    let mut left = blanks;
    while left > BLANKS.len() {
        out.push_str(BLANKS);
        left -= BLANKS.len();
    }
    out.push_str(&BLANKS[..left]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let mut out = String::from("\n");
        write_cell(&mut out, &Value::string("a\nb\x1b[31m\tü"), &DataType::string(), &TimeZone::UTC);
        assert_eq!(out, "\na\\nb\\u{1b}[31m\\tü");
    }

    #[test]
    fn a_wide_character_is_never_split() {
        assert_eq!(start_of("日本語", 5), ("日本", 4));
        assert_eq!(start_of("ab", 5), ("ab", 2));
        assert_eq!(width("日本語"), 6);
        let family = "👩‍👩‍👧‍👦";
        assert_eq!(width(family), 2);
        assert_eq!(start_of(&format!("{family}x{family}"), 4), (&*format!("{family}x"), 3));
        assert_eq!(start_of("e\u{301}e\u{301}", 1), ("e\u{301}", 1));
    }
}
