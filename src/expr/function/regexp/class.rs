//! Character classes of Java's regular expressions: `[…]`, `\w`, `\p{…}` and their like.

use std::fmt::Write;

use super::java::{Flags, PatternError, Reader};

/// Reads a class after its bracket and writes it for the crate.
pub(super) fn read(reader: &mut Reader<'_>, flags: Flags) -> Result<(), PatternError> {
    let mut set = String::new();
    read_set(reader, flags, &mut set)?;
    if flags.ignore_case && flags.unicode_case {
        let _ = write!(reader.out, "(?i:{set})");
    } else {
        reader.out.push_str(&set);
    }
    Ok(())
}

fn read_set(reader: &mut Reader<'_>, flags: Flags, set: &mut String) -> Result<(), PatternError> {
    set.push('[');
    if reader.skip("^") {
        set.push('^');
    }
    let mut empty = true;
    loop {
        if flags.comments {
            reader.skip_comments();
        }
        match reader.next().ok_or(PatternError::Invalid)? {
            ']' if !empty => {
                set.push(']');
                return Ok(());
            }
            '[' => read_set(reader, flags, set)?,
            '&' if reader.skip("&") => {
                while reader.skip("&") {}
                if reader.peek() != Some(']') {
                    set.push_str("&&");
                }
            }
            '\\' => {
                if reader.skip("Q") {
                    while !reader.skip(r"\E") {
                        let c = reader.next().ok_or(PatternError::Invalid)?;
                        push_range(set, c, c, flags);
                    }
                } else if let Some(shorthand) = shorthand(reader, flags)? {
                    set.push_str(&shorthand);
                } else {
                    let first = reader.escaped_character()?;
                    read_range(reader, flags, set, first)?;
                }
            }
            first => read_range(reader, flags, set, first)?,
        }
        empty = false;
    }
}

/// Reads the rest of `a-z`, or nothing if it is a single character.
fn read_range(
    reader: &mut Reader<'_>,
    flags: Flags,
    set: &mut String,
    first: char,
) -> Result<(), PatternError> {
    let mut ahead = reader.clone_rest();
    let is_range = ahead.next() == Some('-') && !matches!(ahead.next(), None | Some(']' | '['));
    if !is_range {
        push_range(set, first, first, flags);
        return Ok(());
    }
    reader.next();
    let last = match reader.next().ok_or(PatternError::Invalid)? {
        '\\' => reader.escaped_character()?,
        last => last,
    };
    if last < first {
        return Err(PatternError::Invalid);
    }
    push_range(set, first, last, flags);
    Ok(())
}

/// The characters, and with `(?i)` the ASCII letters among them in the other case.
fn push_range(set: &mut String, first: char, last: char, flags: Flags) {
    let mut push = |first: char, last: char| {
        let _ = write!(set, r"\u{{{:x}}}-\u{{{:x}}}", u32::from(first), u32::from(last));
    };
    push(first, last);
    if flags.ignore_case && !flags.unicode_case {
        for (low, high) in [('a', 'z'), ('A', 'Z')] {
            let (low, high) = (first.max(low), last.min(high));
            if low <= high {
                let other = |c: char| char::from(u8::try_from(c).unwrap_or(b'?') ^ 0x20);
                push(other(low), other(high));
            }
        }
    }
}

/// Reads what follows a backslash if it is the name of a set; gives the set for the crate.
pub(super) fn shorthand(reader: &mut Reader<'_>, flags: Flags) -> Result<Option<String>, PatternError> {
    let Some(letter) = reader.peek() else { return Ok(None) };
    if matches!(letter, 'p' | 'P') {
        reader.next();
        return property(reader, flags, letter == 'P').map(Some);
    }
    if flags.unicode_class && matches!(letter, 'd' | 'D' | 'w' | 'W' | 's' | 'S') {
        reader.next();
        return Ok(Some(format!("\\{letter}")));
    }
    let members = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        'w' => "0-9A-Za-z_",
        's' => r" \t\n\x0B\f\r",
        'h' => r" \t\u{A0}\u{1680}\u{180e}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}",
        'v' => r"\n\x0B\f\r\u{85}\u{2028}\u{2029}",
        _ => return Ok(None),
    };
    reader.next();
    let not = if letter.is_ascii_uppercase() { "^" } else { "" };
    Ok(Some(format!("[{not}{members}]")))
}

/// Reads the name of a property: `L`, `{Lu}`, `{IsGreek}`, `{Alpha}`, `{javaLowerCase}`.
fn property(reader: &mut Reader<'_>, flags: Flags, negated: bool) -> Result<String, PatternError> {
    let name = if reader.skip("{") {
        let mut name = String::new();
        loop {
            match reader.next().ok_or(PatternError::Invalid)? {
                '}' => break name,
                c => name.push(c),
            }
        }
    } else {
        reader.next().ok_or(PatternError::Invalid)?.to_string()
    };
    let not = if negated { "^" } else { "" };
    if let Some(members) = posix(&name).filter(|_| !flags.unicode_class) {
        return Ok(format!("[{not}{members}]"));
    }
    let members = match name.strip_prefix("java") {
        Some(test) => java_test(test).ok_or(PatternError::Invalid)?.to_owned(),
        None => format!(r"\p{{{}}}", unicode_name(&name)?),
    };
    let set = format!("[{not}{members}]");
    // The crate knows which names exist.
    regex::Regex::new(&set).map_err(|_| PatternError::Invalid)?;
    Ok(set)
}

/// The classes of POSIX, which are ASCII only.
fn posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "Lower" => "a-z",
        "Upper" => "A-Z",
        "ASCII" => r"\x00-\x7F",
        "Alpha" => "A-Za-z",
        "Digit" => "0-9",
        "Alnum" => "0-9A-Za-z",
        "Punct" => r"!-/:-@\[-`{-~",
        "Graph" => "!-~",
        "Print" => " -~",
        "Blank" => r" \t",
        "Cntrl" => r"\x00-\x1F\x7F",
        "XDigit" => "0-9A-Fa-f",
        "Space" => r" \t\n\x0B\f\r",
        _ => return None,
    })
}

/// The tests of Java's `Character`.
fn java_test(name: &str) -> Option<&'static str> {
    Some(match name {
        "LowerCase" => r"\p{Lowercase}",
        "UpperCase" => r"\p{Uppercase}",
        "TitleCase" => r"\p{Lt}",
        "Alphabetic" => r"\p{Alphabetic}",
        "Ideographic" => r"\p{Ideographic}",
        "Digit" => r"\p{Nd}",
        "Letter" => r"\p{L}",
        "LetterOrDigit" => r"\p{L}\p{Nd}",
        "SpaceChar" => r"\p{Z}",
        "Whitespace" => r"\p{Z}\t\n\x0B\f\r\x1C-\x1F--[\u{A0}\u{2007}\u{202F}]",
        "ISOControl" => r"\p{Cc}",
        _ => return None,
    })
}

/// The crate's name of a general category, a script or a binary property.
fn unicode_name(name: &str) -> Result<String, PatternError> {
    if let Some((key, value)) = name.split_once('=') {
        return match key.to_ascii_lowercase().as_str() {
            "script" | "sc" | "general_category" | "gc" => Ok(format!("{key}={value}")),
            "block" | "blk" => Err(PatternError::Unsupported("a Unicode block")),
            _ => Err(PatternError::Invalid),
        };
    }
    if name.starts_with("In") {
        return Err(PatternError::Unsupported("a Unicode block"));
    }
    Ok(match name.strip_prefix("Is").unwrap_or(name) {
        "L1" => return Err(PatternError::Unsupported("the class L1")),
        "LC" => "Cased_Letter".to_owned(),
        "LD" => return Err(PatternError::Unsupported("the class LD")),
        "WhiteSpace" => "White_Space".to_owned(),
        "Titlecase" => "Lt".to_owned(),
        "Punctuation" => "P".to_owned(),
        "Control" => "Cc".to_owned(),
        "Digit" => "Nd".to_owned(),
        name => name.to_owned(),
    })
}
