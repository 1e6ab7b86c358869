//! Text in lines that are not too wide.

use rowkind::render::{start_of, width};

/// Breaks a text into lines that are no wider than this: at blanks where that is possible.
pub(super) fn wrapped(text: &str, limit: usize) -> Vec<String> {
    let limit = limit.max(2);
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while width(rest) > limit {
            let (start, _) = start_of(rest, limit);
            let at_blank = start.rfind(' ').filter(|&at| at > start.len() / 2).map(|at| at + 1);
            // A character that is wider than the limit would stay for ever.
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let at = at_blank.unwrap_or(start.len()).max(first);
            lines.push(rest[..at].trim_end().to_owned());
            rest = &rest[at..];
        }
        lines.push(rest.to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_wrapped_at_blanks_or_where_it_must_be() {
        assert_eq!(wrapped("one two three\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrapped("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("日本語", 3), ["日", "本", "語"]);
    }
}
