//! `SIMILAR TO`: the regular expressions of the SQL standard.

use super::super::Call;
use super::super::call::{Evaluated, failure};
use super::compiled;
use crate::value::Value;

/// What must be escaped to stand for itself.
const SPECIALS: &str = "[]()|^-+*_%?{}";

/// What Java's regular expressions take specially.
const JAVA_SPECIALS: &str = "[]()|^-+*?{}$\\.";

/// The named sets within brackets.
const SETS: [(&str, &str); 7] = [
    ("[:ALPHA:]", r"\p{Alpha}"),
    ("[:UPPER:]", r"\p{Upper}"),
    ("[:LOWER:]", r"\p{Lower}"),
    ("[:DIGIT:]", r"\d"),
    ("[:SPACE:]", " "),
    ("[:WHITESPACE:]", r"\s"),
    ("[:ALNUM:]", r"\p{Alnum}"),
];

/// Called with the text, the pattern and perhaps the escape character.
pub(super) fn similar(call: &Call<'_>) -> Evaluated {
    let pattern = call.text(1);
    let escape = match call.get(2) {
        None => None,
        Some(_) => {
            let mut characters = call.text(2).chars();
            match (characters.next(), characters.next()) {
                (Some(escape), None) => Some(escape),
                _ => return failure(format!("\"{}\" is not one escape character", call.text(2))),
            }
        }
    };
    let Some(java) = to_java(pattern, escape) else {
        return failure(format!("\"{pattern}\" is not a pattern of SIMILAR TO"));
    };
    match compiled(&format!(r"\A(?:{java})\z"))? {
        Some(regex) => Ok(Value::boolean(regex.is_match(call.text(0)))),
        None => failure(format!("\"{pattern}\" is not a pattern of SIMILAR TO")),
    }
}

/// The Java regular expression of a pattern. As in Flink a `.` matches any character and `^` the
/// beginning.
fn to_java(pattern: &str, escape: Option<char>) -> Option<String> {
    let mut java = String::new();
    let mut rest = pattern;
    let mut in_brackets = false;
    while let Some(c) = rest.chars().next() {
        let set = SETS.iter().find(|(name, _)| {
            in_brackets && rest.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
        });
        if let Some((name, members)) = set {
            java.push_str(members);
            rest = &rest[name.len()..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if Some(c) == escape {
            let escaped = rest.chars().next()?;
            rest = &rest[escaped.len_utf8()..];
            if SPECIALS.contains(escaped) && JAVA_SPECIALS.contains(escaped) {
                java.push('\\');
            } else if !SPECIALS.contains(escaped) && Some(escaped) != escape {
                return None;
            }
            java.push(escaped);
            continue;
        }
        match c {
            ']' => {
                if !std::mem::replace(&mut in_brackets, false) {
                    return None;
                }
                java.push(']');
            }
            _ if in_brackets && !matches!(c, '-' | '^') && SPECIALS.contains(c) => return None,
            '[' => {
                in_brackets = true;
                java.push('[');
            }
            '_' => java.push('.'),
            '%' => java.push_str("(?s:.*)"),
            '\\' => java.push_str(r"\\"),
            '$' => java.push_str(r"\$"),
            _ => java.push(c),
        }
    }
    Some(java)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_and_sets_become_java() {
        let java = |pattern, escape| to_java(pattern, escape);
        assert_eq!(java("a_%", None).as_deref(), Some("a.(?s:.*)"));
        assert_eq!(java("[0-9[:alpha:]]$", None).as_deref(), Some(r"[0-9\p{Alpha}]\$"));
        assert_eq!(java("!%!!!_", Some('!')).as_deref(), Some("%!_"));
        assert_eq!(java("!a", Some('!')), None);
        assert_eq!(java("a]", None), None);
        assert_eq!(java("[%]", None), None);
    }
}
