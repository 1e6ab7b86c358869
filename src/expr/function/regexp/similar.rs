//! `SIMILAR TO`: the regular expressions of the SQL standard.

use super::super::EvalError;
use super::FullMatch;

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

/// Whether a whole text matches a pattern, in which an escape makes a special sign ordinary.
///
/// # Errors
/// The pattern is none.
pub(in crate::expr::function) fn similar(
    text: &str,
    pattern: &str,
    escape: Option<char>,
) -> Result<bool, EvalError> {
    let regex = match to_java(pattern, escape) {
        Some(java) => FullMatch::new(&java, "")?,
        None => None,
    };
    let regex = regex.ok_or_else(|| EvalError(format!("\"{pattern}\" is not a pattern of SIMILAR TO")))?;
    Ok(regex.matches(text))
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

    #[test]
    fn a_whole_text_matches_a_pattern() {
        for (text, pattern, matches) in [
            ("abc", "(a|b)%", true),
            ("abc", "a.c", true),
            ("abc", "b", false),
            ("aaa", "a{3}", true),
            ("a1", "a[[:DIGIT:]]", true),
            ("p|q", "p|q", false),
            ("a\\c", "a\\c", true),
            ("a\nc", "a_c", false),
        ] {
            assert_eq!(similar(text, pattern, None), Ok(matches), "{text} SIMILAR TO {pattern}");
        }
        assert_eq!(similar("p%", "p!%", Some('!')), Ok(true));
        assert!(similar("p", "p[", None).is_err());
    }
}
