//! The words and signs of SQL.

/// A word, a literal or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    Word(String),
    Quoted(String),
    Text(String),
    Bytes(Vec<u8>),
    Number(String),
    Sign(String),
    End,
}

pub fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        if c.is_whitespace() {
            at += 1;
        } else if c == '\'' {
            let text = until(&chars, &mut at, '\'')?;
            tokens.push(Token::Text(text));
        } else if matches!(c, 'e' | 'E') && next == '\'' {
            at += 1;
            let text = until(&chars, &mut at, '\'')?;
            tokens.push(Token::Text(unescape(&text)));
        } else if matches!(c, 'x' | 'X') && next == '\'' {
            at += 1;
            let digits = until(&chars, &mut at, '\'')?;
            let pairs = (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16));
            tokens.push(Token::Bytes(pairs.collect::<Result<_, _>>().map_err(|error| error.to_string())?));
        } else if c == '`' {
            tokens.push(Token::Quoted(until(&chars, &mut at, '`')?));
        } else if c.is_ascii_digit() {
            let start = at;
            while at < chars.len() {
                let exponent_sign = matches!(chars[at], '+' | '-') && matches!(chars[at - 1], 'e' | 'E');
                let part = chars[at].is_ascii_digit() || matches!(chars[at], '.' | 'e' | 'E');
                if !part && !exponent_sign {
                    break;
                }
                at += 1;
            }
            tokens.push(Token::Number(chars[start..at].iter().collect()));
        } else if c.is_alphabetic() || c == '_' {
            let start = at;
            while at < chars.len() && (chars[at].is_alphanumeric() || matches!(chars[at], '_' | '$')) {
                at += 1;
            }
            tokens.push(Token::Word(chars[start..at].iter().collect()));
        } else if matches!((c, next), ('|', '|') | ('<' | '>', '=') | ('<', '>')) {
            at += 2;
            tokens.push(Token::Sign(format!("{c}{next}")));
        } else {
            at += 1;
            tokens.push(Token::Sign(c.to_string()));
        }
    }
    Ok(tokens)
}

/// What stands between quotes, in which a doubled quote is one.
fn until(chars: &[char], at: &mut usize, quote: char) -> Result<String, String> {
    let mut text = String::new();
    loop {
        *at += 1;
        let c = *chars.get(*at).ok_or("a quote is open")?;
        if c == quote {
            *at += 1;
            if chars.get(*at) != Some(&quote) {
                return Ok(text);
            }
        }
        text.push(c);
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('t') => out.push('\t'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                out.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
