//! Reading paths and their filters.

use super::super::super::regexp::FullMatch;
use super::super::document::{Json, Number};
use super::filter::{Filter, Operand, Operator};
use super::function::Parameter;
use super::{Path, PathError, Step, invalid};

type Parsed<T> = Result<T, PathError>;

impl Path {
    /// Reads a path without its mode. Without a `$` in front it starts at the root too.
    pub(super) fn parse(text: &str) -> Parsed<Self> {
        let text = text.trim();
        if text.is_empty() || text.ends_with('.') {
            return invalid("a path must not end so early");
        }
        let rooted = text.starts_with(['$', '@']);
        let mut reader = Reader { chars: text.chars().collect(), at: usize::from(rooted) };
        if !rooted {
            reader.chars.insert(0, '.');
        } else if !matches!(reader.peek(), None | Some('.' | '[')) {
            return invalid("a point or a bracket must follow the $ of a path");
        }
        let steps = reader.steps()?;
        Ok(Self::new(steps))
    }

    fn new(mut steps: Vec<Step>) -> Self {
        if let (Some(Step::Scan), Some(Step::Function(..))) = (steps.first(), steps.last())
            && let Some(Step::Function(name, _)) = steps.pop()
        {
            // A function of all that a scan finds, not of each value.
            return Self::new(vec![Step::Function(name, vec![Parameter::Path(Self::new(steps))])]);
        }
        let last = steps.len().saturating_sub(1);
        let definite = steps.iter().enumerate().all(|(i, step)| step.is_definite(i == last));
        Self { steps, definite }
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        self.at += 1;
        self.chars.get(self.at - 1).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c))
    }

    fn skip(&mut self, text: &str) -> bool {
        let found = self.starts_with(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn blanks(&mut self) {
        while self.peek() == Some(' ') {
            self.at += 1;
        }
    }

    /// Skips a sign and the blanks before it.
    fn sign(&mut self, sign: &str) -> bool {
        self.blanks();
        self.skip(sign)
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.sign(sign) { Ok(()) } else { Err(PathError::Invalid(format!("a path lacks its {sign}"))) }
    }

    fn take_while(&mut self, mut belongs: impl FnMut(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&mut belongs) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn steps(&mut self) -> Parsed<Vec<Step>> {
        let mut steps = Vec::new();
        while self.peek().is_some() {
            if self.skip("..") {
                steps.push(Step::Scan);
            } else {
                self.skip(".");
            }
            let bare = matches!(self.peek(), Some('[' | '*'));
            let step = match self.peek() {
                Some('[') => self.bracket()?,
                Some('*') => {
                    self.at += 1;
                    Step::Wildcard
                }
                Some('.') | None => return invalid("a point in a path must be followed by a name"),
                Some(_) => self.property()?,
            };
            steps.push(step);
            if bare && self.at + 1 == self.chars.len() {
                // The library overlooks a single sign behind a bracket or a wildcard.
                break;
            }
        }
        Ok(steps)
    }

    /// A name after a point, or a function.
    fn property(&mut self) -> Parsed<Step> {
        let name = self.take_while(|c| !matches!(c, '.' | '[' | '(' | ' '));
        match self.peek() {
            Some(' ') => invalid("a name with blanks in a path must be put in brackets and quotes"),
            Some('(') => {
                let end = self.closing('(', ')')?;
                let parameters = self.chars[self.at + 1..end].to_vec();
                self.at = end + 1;
                Ok(Step::Function(name, parse_parameters(&parameters)?))
            }
            _ => Ok(Step::Property(name)),
        }
    }

    /// The position of the sign that closes the one here, not counting those in quotes.
    fn closing(&self, open: char, close: char) -> Parsed<usize> {
        let mut depth = 0;
        let mut quote = None;
        let mut at = self.at;
        while let Some(&c) = self.chars.get(at) {
            match quote {
                Some(_) if c == '\\' => at += 1,
                Some(end) if c == end => quote = None,
                None if c == '\'' || c == '"' => quote = Some(c),
                None if c == open => depth += 1,
                None if c == close => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(at);
                    }
                }
                Some(_) | None => {}
            }
            at += 1;
        }
        Err(PathError::Invalid(format!("a path lacks its {close}")))
    }

    fn bracket(&mut self) -> Parsed<Step> {
        self.at += 1;
        self.blanks();
        let step = match self.peek() {
            Some('\'' | '"') => self.properties()?,
            Some('*') => {
                self.at += 1;
                Step::Wildcard
            }
            Some('?') => {
                self.at += 1;
                self.expect("(")?;
                let filter = self.any()?;
                self.expect(")")?;
                Step::Filter(filter)
            }
            _ => parse_indexes(self.take_while(|c| c != ']').trim())?,
        };
        self.expect("]")?;
        Ok(step)
    }

    /// `'a', "b"`
    fn properties(&mut self) -> Parsed<Step> {
        let mut names = vec![self.quoted()?];
        while self.sign(",") {
            self.blanks();
            names.push(self.quoted()?);
        }
        Ok(match names.len() {
            1 => Step::Property(names.remove(0)),
            _ => Step::Properties(names),
        })
    }

    /// A text in either kind of quotes.
    fn quoted(&mut self) -> Parsed<String> {
        let quote = self.next().filter(|c| matches!(c, '\'' | '"'));
        let mut units = Vec::new();
        let mut unit = [0; 2];
        loop {
            let c = match self.next() {
                None => return invalid("a quote in a path is not closed"),
                c if c == quote => break,
                Some('\\') => match self.next() {
                    Some('u') => {
                        let digits: String = self.chars.iter().skip(self.at).take(4).collect();
                        self.at += 4;
                        match u16::from_str_radix(&digits, 16) {
                            Ok(digits) => units.push(digits),
                            Err(_) => return invalid("an escape in a path is malformed"),
                        }
                        continue;
                    }
                    Some('b') => '\u{8}',
                    Some('f') => '\u{c}',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some('t') => '\t',
                    Some(c) => c,
                    None => return invalid("a quote in a path is not closed"),
                },
                Some(c) => c,
            };
            units.extend_from_slice(c.encode_utf16(&mut unit));
        }
        if quote.is_none() {
            return invalid("a path lacks a quote");
        }
        Ok(char::decode_utf16(units).map(|c| c.unwrap_or('?')).collect())
    }

    /// Conditions joined with `||`.
    fn any(&mut self) -> Parsed<Filter> {
        let mut filters = vec![self.all()?];
        while self.sign("||") {
            filters.push(self.all()?);
        }
        Ok(if filters.len() == 1 { filters.remove(0) } else { Filter::Any(filters) })
    }

    /// Conditions joined with `&&`.
    fn all(&mut self) -> Parsed<Filter> {
        let mut filters = vec![self.condition()?];
        while self.sign("&&") {
            filters.push(self.condition()?);
        }
        Ok(if filters.len() == 1 { filters.remove(0) } else { Filter::All(filters) })
    }

    fn condition(&mut self) -> Parsed<Filter> {
        // In front of a path the sign would negate that it exists; a comparison ignores it.
        let negated = self.sign("!");
        if self.sign("(") {
            let filter = self.any()?;
            self.expect(")")?;
            return Ok(if negated { Filter::Not(Box::new(filter)) } else { filter });
        }
        let left = self.operand()?;
        if negated && !matches!(left, Operand::Here(_) | Operand::Root(_)) {
            return invalid("only a condition in parentheses can be negated in the filter of a path");
        }
        let Some(operator) = self.operator()? else {
            let ends = [")", "&&", "||"].iter().any(|end| self.starts_with(end));
            return match left {
                Operand::Here(_) | Operand::Root(_) if ends => unsupported("tests of existence"),
                _ => invalid("a condition in the filter of a path is not complete"),
            };
        };
        Ok(Filter::Compare(left, operator, self.operand()?))
    }

    fn operator(&mut self) -> Parsed<Option<Operator>> {
        let signs = [
            ("===", Operator::Same),
            ("!==", Operator::NotSame),
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            ("=~", Operator::Matches),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        if let Some((_, operator)) = signs.into_iter().find(|(sign, _)| self.sign(sign)) {
            return Ok(Some(operator));
        }
        let words = [
            "in", "nin", "subsetof", "anyof", "noneof", "contains", "all", "size", "exists", "type",
            "matches", "empty",
        ];
        let word = self.take_while(char::is_alphabetic);
        if words.iter().any(|known| known.eq_ignore_ascii_case(&word)) {
            return unsupported(&format!("the operator {word}"));
        }
        if word.is_empty() { Ok(None) } else { invalid("unknown operator in the filter of a path") }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        self.blanks();
        match self.peek() {
            Some('@') => Ok(Operand::Here(self.operand_path()?)),
            Some('$') => Ok(Operand::Root(self.operand_path()?)),
            Some('\'' | '"') => Ok(Operand::Constant(Json::String(self.quoted()?))),
            Some('/') => self.pattern(),
            Some('[' | '{') => unsupported("arrays and objects"),
            Some(c) if c.is_ascii_digit() || c == '-' => {
                let digits = self.take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | 'e' | 'E'));
                match Number::parse(&digits) {
                    Some(number) => Ok(Operand::Constant(Json::Number(number))),
                    None => invalid("malformed number in the filter of a path"),
                }
            }
            _ => {
                let word = self.take_while(char::is_alphabetic);
                Ok(Operand::Constant(match word.as_str() {
                    "true" => Json::Boolean(true),
                    "false" => Json::Boolean(false),
                    "null" => Json::Null,
                    _ => return invalid("malformed filter of a path"),
                }))
            }
        }
    }

    /// A path up to an operator, a blank or the end of the filter.
    fn operand_path(&mut self) -> Parsed<Path> {
        let start = self.at;
        loop {
            match self.peek() {
                Some('[') => self.at = self.closing('[', ']')? + 1,
                Some('(') => self.at = self.closing('(', ')')? + 1,
                None | Some(' ' | ')' | '<' | '>' | '=' | '~' | '!') => break,
                Some(_) => self.at += 1,
            }
        }
        Path::parse(&self.chars[start..self.at].iter().collect::<String>())
    }

    /// `/pattern/flags`
    fn pattern(&mut self) -> Parsed<Operand> {
        self.at += 1;
        let mut escaped = false;
        let pattern = self.take_while(|c| {
            let ends = c == '/' && !escaped;
            escaped = c == '\\' && !escaped;
            !ends
        });
        self.expect("/")?;
        let flags = self.take_while(|c| matches!(c, 'd' | 'i' | 'x' | 'm' | 's' | 'u' | 'U'));
        match FullMatch::new(&pattern, &flags) {
            Ok(Some(pattern)) => Ok(Operand::Pattern(pattern)),
            Ok(None) => invalid("malformed pattern in the filter of a path"),
            Err(missing) => Err(PathError::Unsupported(missing.0)),
        }
    }
}

fn unsupported<T>(what: &str) -> Parsed<T> {
    Err(PathError::Unsupported(format!("Flink has no {what} in the filter of a path")))
}

/// What stands in brackets without quotes: `1`, `1, 2` or `1:2`.
fn parse_indexes(text: &str) -> Parsed<Step> {
    let number = |text: &str| match text.parse::<i32>() {
        Ok(number) if !text.starts_with('+') => Ok(number),
        _ => invalid("malformed index in a path"),
    };
    if !text.contains(':') {
        let indexes = text.split(',').map(|index| number(index.trim())).collect::<Parsed<Vec<_>>>()?;
        return Ok(if let [index] = indexes[..] { Step::Index(index) } else { Step::Indexes(indexes) });
    }
    let mut ends = text.split(':');
    let mut end = || match ends.next() {
        None | Some("") => Ok(None),
        Some(end) => number(end).map(Some),
    };
    match (end()?, end()?) {
        (None, None) => invalid("a slice in a path has no ends"),
        (from, to) => Ok(Step::Slice(from, to)),
    }
}

/// Numbers, texts, objects and paths, separated by commas. Everything else is passed over, as the
/// library does.
fn parse_parameters(chars: &[char]) -> Parsed<Vec<Parameter>> {
    let mut parameters = Vec::new();
    let mut reader = Reader { chars: chars.to_vec(), at: 0 };
    while let Some(c) = reader.peek() {
        if !(c.is_ascii_digit() || matches!(c, '{' | '"' | '-' | '$' | '@')) {
            reader.at += 1;
            continue;
        }
        let start = reader.at;
        loop {
            match reader.peek() {
                None | Some(',') => break,
                Some('(') => reader.at = reader.closing('(', ')')? + 1,
                Some('[') => reader.at = reader.closing('[', ']')? + 1,
                Some('{') => reader.at = reader.closing('{', '}')? + 1,
                Some('"') => {
                    reader.quoted()?;
                }
                Some(_) => reader.at += 1,
            }
        }
        let parameter: String = reader.chars[start..reader.at].iter().collect();
        parameters.push(if matches!(c, '$' | '@') {
            Parameter::Path(Path::parse(&parameter)?)
        } else {
            match Json::parse(&parameter) {
                Some(value) => Parameter::Json(value),
                None => return invalid("malformed parameter in a path"),
            }
        });
    }
    Ok(parameters)
}
