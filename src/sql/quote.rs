//! Names between backticks.

use super::scan::{Chunk, Scanner};
use super::words::is_reserved;

/// A name as it is written: between backticks where it needs them.
pub fn quoted_if_needed(name: &str) -> String {
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_word && !is_reserved(name) { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// The text of an expression with these names between backticks wherever they stand without, as
/// Flink shows the expressions of computed columns and watermarks.
pub fn with_quoted_names<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let chunks: Vec<_> = Scanner::new(text).collect();
    let mut quoted = String::with_capacity(text.len() + 8);
    for (i, chunk) in chunks.iter().enumerate() {
        let word = &text[chunk.range.clone()];
        let next = chunks[i + 1..].iter().find(|chunk| chunk.chunk != Chunk::Space);
        let is_call = next.is_some_and(|next| next.chunk == Chunk::Symbol(b'('));
        if chunk.chunk == Chunk::Word && !is_call && names.contains(&word) {
            quoted.push('`');
            quoted.push_str(word);
            quoted.push('`');
        } else {
            quoted.push_str(word);
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_functions_strings_and_quoted_names_are_not() {
        let text = "upper(a) || 'a' || `a` || A || COALESCE(b , a)";
        let quoted = "upper(`a`) || 'a' || `a` || A || COALESCE(`b` , `a`)";
        assert_eq!(with_quoted_names(text, ["a", "b", "upper"]), quoted);
    }

    #[test]
    fn a_name_has_backticks_where_it_needs_them() {
        let names = ["orders", "_1", "1st", "Order", "a b", "a`b", "größe", ""];
        let written = ["orders", "_1", "`1st`", "`Order`", "`a b`", "`a``b`", "`größe`", "``"];
        assert_eq!(names.map(quoted_if_needed), written);
    }
}
