//! A reader for the SQL of the recordings: expressions with all their special forms, and types.

mod call;
mod lex;
mod types;

use jiff::tz::TimeZone;
use lex::Token;
use rowkind::expr::{CallError, Comparison, Context, Expr, common_type};
use rowkind::value::time::{IntervalUnit, parse_date, parse_interval, parse_time, parse_timestamp};
use rowkind::value::{DataType, Decimal, Field, TypeKind, Value};

/// The columns of the table.
#[derive(Default, Clone)]
pub struct Schema(pub Vec<Field>);

/// Why there is no answer.
pub enum Problem {
    /// The statement is wrong.
    Refused(String),
    /// This reader does not know the statement's form.
    Unread(String),
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<rowkind::expr::function::TypeMismatch> for Problem {
    fn from(error: rowkind::expr::function::TypeMismatch) -> Self {
        Self::Refused(error.0)
    }
}

type Read<T> = Result<T, Problem>;

pub struct Reader<'a> {
    tokens: Vec<Token>,
    at: usize,
    schema: &'a Schema,
}

impl<'a> Reader<'a> {
    pub fn new(text: &str, schema: &'a Schema) -> Read<Self> {
        Ok(Self { tokens: lex::tokens(text).map_err(Problem::Unread)?, at: 0, schema })
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&Token::End)
    }

    fn next(&mut self) -> Token {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or(Token::End)
    }

    /// Skips a word if it comes next.
    pub fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(next) if next.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    fn words(&mut self, words: &[&str]) -> bool {
        let start = self.at;
        let found = words.iter().all(|word| self.word(word));
        if !found {
            self.at = start;
        }
        found
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if next == sign);
        self.at += usize::from(found);
        found
    }

    fn unread<T>(&self, what: &str) -> Read<T> {
        Err(Problem::Unread(format!("{what} at {:?}", self.peek())))
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.sign(sign) { Ok(()) } else { self.unread(sign) }
    }

    fn expect_word(&mut self, word: &str) -> Read<()> {
        if self.word(word) { Ok(()) } else { self.unread(word) }
    }

    fn name(&mut self) -> Read<String> {
        match self.next() {
            Token::Word(name) | Token::Quoted(name) => Ok(name),
            _ => self.unread("name"),
        }
    }

    /// `TABLE t (name type, …)`
    pub fn table(&mut self) -> Read<Schema> {
        self.expect_word("TABLE")?;
        self.name()?;
        self.expect("(")?;
        let mut fields = Vec::new();
        loop {
            let name = self.name()?;
            fields.push(Field { name, data_type: self.data_type()? });
            if !self.sign(",") {
                self.expect(")")?;
                return Ok(Schema(fields));
            }
        }
    }

    /// `INTO t [(columns)] VALUES (…), …`: for each row the values of all columns.
    pub fn rows(&mut self) -> Read<Vec<Vec<Option<Expr>>>> {
        self.expect_word("INTO")?;
        self.name()?;
        let fields = &self.schema.0;
        let mut columns: Vec<usize> = (0..fields.len()).collect();
        if self.sign("(") {
            columns.clear();
            while !self.sign(")") {
                let name = self.name()?;
                columns.extend(fields.iter().position(|field| field.name == name));
                self.sign(",");
            }
        }
        self.expect_word("VALUES")?;
        let mut rows = Vec::new();
        loop {
            self.expect("(")?;
            let mut row: Vec<Option<Expr>> = vec![None; fields.len()];
            for &column in &columns {
                row[column] = Some(self.expr()?.assign(&fields[column].data_type)?);
                self.sign(",");
            }
            self.expect(")")?;
            rows.push(row);
            if !self.sign(",") {
                return Ok(rows);
            }
        }
    }

    /// `SELECT expression [AS name], … [FROM t]`
    pub fn select(&mut self) -> Read<(Vec<(String, Expr)>, bool)> {
        self.expect_word("SELECT")?;
        let mut columns = Vec::new();
        loop {
            let start = self.at;
            let value = self.expr()?;
            let name = match (self.word("AS"), &self.tokens[start..self.at]) {
                (true, _) => self.name()?,
                (false, [Token::Word(name)] | [.., Token::Sign(_), Token::Word(name)])
                    if self.tokens[start..self.at].iter().all(|token| {
                        matches!(token, Token::Word(_)) || *token == Token::Sign(".".to_owned())
                    }) =>
                {
                    name.clone()
                }
                _ => format!("EXPR${}", columns.len()),
            };
            columns.push((name, value));
            if !self.sign(",") {
                break;
            }
        }
        let from_table = self.words(&["FROM", "t"]);
        if *self.peek() != Token::End {
            return self.unread("the end");
        }
        Ok((columns, from_table))
    }

    /// Conditions joined with `OR`.
    fn expr(&mut self) -> Read<Expr> {
        let mut conditions = vec![self.all()?];
        while self.word("OR") {
            conditions.push(self.all()?);
        }
        Ok(if conditions.len() == 1 { conditions.remove(0) } else { Expr::or(conditions)? })
    }

    /// Conditions joined with `AND`.
    fn all(&mut self) -> Read<Expr> {
        let mut conditions = vec![self.condition()?];
        while self.word("AND") {
            conditions.push(self.condition()?);
        }
        Ok(if conditions.len() == 1 { conditions.remove(0) } else { Expr::and(conditions)? })
    }

    /// Comparisons and tests.
    fn condition(&mut self) -> Read<Expr> {
        if self.word("NOT") {
            return Ok(Expr::not(self.condition()?)?);
        }
        let mut left = self.sum()?;
        loop {
            let start = self.at;
            let negated = self.word("NOT");
            let result = if self.word("BETWEEN") {
                let low = self.sum()?;
                self.expect_word("AND")?;
                let high = self.sum()?;
                Expr::and(vec![
                    Expr::compare(Comparison::GreaterOrEqual, left.clone(), low)?,
                    Expr::compare(Comparison::LessOrEqual, left, high)?,
                ])?
            } else if self.word("IN") {
                self.expect("(")?;
                Expr::in_list(&left, self.list(")")?)?
            } else if let Some(pattern) =
                [&["LIKE"][..], &["SIMILAR", "TO"]].into_iter().find(|words| self.words(words))
            {
                let mut args = vec![left, self.sum()?];
                if self.word("ESCAPE") {
                    args.push(self.sum()?);
                }
                Expr::call(&pattern.join(" "), args)?
            } else if !negated && self.word("IS") {
                self.test(left)?
            } else if let Some(comparison) = self.comparison().filter(|_| !negated) {
                Expr::compare(comparison, left, self.sum()?)?
            } else {
                self.at = start;
                return Ok(left);
            };
            left = if negated { Expr::not(result)? } else { result };
        }
    }

    /// What follows `IS`.
    fn test(&mut self, value: Expr) -> Read<Expr> {
        let negated = self.word("NOT");
        let not = if negated { "NOT " } else { "" };
        if self.word("JSON") {
            let kinds = ["VALUE", "SCALAR", "ARRAY", "OBJECT"];
            let kind = kinds.into_iter().find(|kind| self.word(kind)).unwrap_or("VALUE");
            let test = Expr::call("IS JSON", vec![value, text(kind)])?;
            return Ok(if negated { Expr::not(test)? } else { test });
        }
        if self.words(&["DISTINCT", "FROM"]) {
            return Ok(Expr::call(&format!("IS {not}DISTINCT FROM"), vec![value, self.sum()?])?);
        }
        let word = ["NULL", "TRUE", "FALSE", "UNKNOWN"].into_iter().find(|word| self.word(word));
        let Some(word) = word else { return self.unread("test") };
        Ok(Expr::call(&format!("IS {not}{word}"), vec![value])?)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let signs = [
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<>", Comparison::NotEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("=", Comparison::Equal),
        ];
        signs.into_iter().find(|(sign, _)| self.sign(sign)).map(|(_, comparison)| comparison)
    }

    fn sum(&mut self) -> Read<Expr> {
        let mut left = self.product()?;
        while let Some(operator) = ["||", "+", "-"].into_iter().find(|operator| self.sign(operator)) {
            left = Expr::call(operator, vec![left, self.product()?])?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Read<Expr> {
        let mut left = self.primary()?;
        while let Some(operator) = ["*", "/", "%"].into_iter().find(|operator| self.sign(operator)) {
            left = Expr::call(operator, vec![left, self.primary()?])?;
        }
        Ok(left)
    }

    fn primary(&mut self) -> Read<Expr> {
        let mut value = match self.next() {
            Token::Text(string) => text(&string),
            Token::Bytes(bytes) => {
                let length = u32::try_from(bytes.len()).expect("literals are short");
                constant(Value::bytes(bytes), TypeKind::Binary(length))
            }
            Token::Number(number) => self.number(&number)?,
            Token::Sign(sign) if sign == "+" => self.primary()?,
            Token::Sign(sign) if sign == "-" => match self.peek().clone() {
                Token::Number(number) => {
                    self.at += 1;
                    self.number(&format!("-{number}"))?
                }
                _ => Expr::call("-", vec![self.primary()?])?,
            },
            Token::Sign(sign) if sign == "(" => self.parenthesis()?,
            Token::Quoted(name) => self.column(&name)?,
            Token::Word(word) => self.word_expr(&word)?,
            _ => return self.unread("expression"),
        };
        loop {
            if self.sign("[") {
                value = Expr::item(value, self.expr()?)?;
                self.expect("]")?;
            } else if self.sign(".") {
                value = value.field_named(&self.name()?)?;
            } else {
                return Ok(value);
            }
        }
    }

    /// `(a)` or `(a, b) OVERLAPS (c, d)`
    fn parenthesis(&mut self) -> Read<Expr> {
        let first = self.expr()?;
        if self.sign(")") {
            return Ok(first);
        }
        self.expect(",")?;
        let second = self.expr()?;
        self.expect(")")?;
        if !self.word("OVERLAPS") {
            return Ok(Expr::call("ROW", vec![first, second])?);
        }
        self.expect("(")?;
        let third = self.expr()?;
        self.expect(",")?;
        let fourth = self.expr()?;
        self.expect(")")?;
        Ok(Expr::call("OVERLAPS", vec![first, second, third, fourth])?)
    }

    fn number(&self, number: &str) -> Read<Expr> {
        if number.contains(['e', 'E']) {
            let value = number.parse().map_err(|_| Problem::Unread(number.to_owned()))?;
            return Ok(constant(Value::double(value), TypeKind::Double));
        }
        if let Ok(value) = number.parse::<i64>() {
            let kind = if i32::try_from(value).is_ok() { TypeKind::Int } else { TypeKind::BigInt };
            return Ok(constant(Value::integer(value), kind));
        }
        let refused = |_| Problem::Refused(format!("{number} is out of range"));
        let value: Decimal = number.parse().map_err(refused)?;
        let digits = number.trim_start_matches('-').replace('.', "");
        let precision = u8::try_from(digits.len()).unwrap_or(u8::MAX);
        if precision > 28 {
            return Err(Problem::Refused(format!("{number} is out of range")));
        }
        Ok(constant(Value::decimal(value), TypeKind::Decimal { precision, scale: value.scale() }))
    }

    fn column(&self, name: &str) -> Read<Expr> {
        let index = self.schema.0.iter().position(|field| field.name == name);
        let Some(index) = index else { return self.unread(&format!("column {name}")) };
        Ok(Expr::column(index, self.schema.0[index].data_type.clone()))
    }

    fn word_expr(&mut self, word: &str) -> Read<Expr> {
        let upper = word.to_ascii_uppercase();
        if let Token::Text(literal) = self.peek().clone()
            && matches!(upper.as_str(), "DATE" | "TIME" | "TIMESTAMP" | "INTERVAL")
        {
            self.at += 1;
            return self.literal(&upper, &literal);
        }
        match upper.as_str() {
            "TRUE" | "FALSE" => return Ok(constant(Value::boolean(upper == "TRUE"), TypeKind::Boolean)),
            "NULL" => return Ok(Expr::null()),
            "CASE" => return self.case(),
            "PI" if *self.peek() != Token::Sign("(".to_owned()) => return Ok(Expr::call("PI", vec![])?),
            "ARRAY" if self.sign("[") => {
                let items = self.list("]")?;
                let types: Vec<_> = items.iter().map(|item| &item.data_type).collect();
                if common_type(&types).is_none() {
                    return self.unread("array");
                }
                return Ok(Expr::call("ARRAY", items)?);
            }
            "MAP" if self.sign("[") => return Ok(Expr::call("MAP", self.list("]")?)?),
            _ => {}
        }
        if !self.sign("(") {
            return self.column(word);
        }
        self.call(&upper)
    }

    fn case(&mut self) -> Read<Expr> {
        let value = if matches!(self.peek(), Token::Word(word) if word == "WHEN") {
            None
        } else {
            Some(self.expr()?)
        };
        let mut branches = Vec::new();
        while self.word("WHEN") {
            let condition = self.expr()?;
            let condition = match &value {
                Some(value) => Expr::compare(Comparison::Equal, value.clone(), condition)?,
                None => condition,
            };
            self.expect_word("THEN")?;
            branches.push((condition, self.expr()?));
        }
        let otherwise = if self.word("ELSE") { Some(self.expr()?) } else { None };
        self.expect_word("END")?;
        Ok(Expr::case(branches, otherwise)?)
    }

    fn literal(&mut self, word: &str, literal: &str) -> Read<Expr> {
        let wrong = || Problem::Unread(literal.to_owned());
        Ok(match word {
            "DATE" => constant(Value::date(parse_date(literal).ok_or_else(wrong)?), TypeKind::Date),
            "TIME" => constant(Value::time(parse_time(literal).ok_or_else(wrong)?), TypeKind::Time(0)),
            "TIMESTAMP" => {
                let digits = literal.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                let digits = u8::try_from(digits).map_err(|_| wrong())?;
                let (millis, nanos) = parse_timestamp(literal, digits).ok_or_else(wrong)?;
                constant(Value::timestamp(millis, nanos), TypeKind::Timestamp(digits))
            }
            _ => {
                let first = IntervalUnit::from_name(&self.name()?).ok_or_else(wrong)?;
                let last = if self.word("TO") { IntervalUnit::from_name(&self.name()?) } else { Some(first) };
                let last = last.ok_or_else(wrong)?;
                let value = parse_interval(literal, first, last, 2).map_err(|_| wrong())?;
                let months = first.is_months();
                constant(value, if months { TypeKind::IntervalMonth } else { TypeKind::IntervalSecond })
            }
        })
    }

    fn list(&mut self, end: &str) -> Read<Vec<Expr>> {
        let mut items = Vec::new();
        while !self.sign(end) {
            items.push(self.expr()?);
            if !self.sign(",") {
                self.expect(end)?;
                break;
            }
        }
        Ok(items)
    }
}

/// What expressions may know before the time zone is set.
pub fn context() -> Context {
    Context { time_zone: TimeZone::UTC, now: 1_700_000_000_000, watermark: None }
}

fn constant(value: Value, kind: TypeKind) -> Expr {
    Expr::literal(value, DataType::new(kind).not_null())
}

fn text(text: &str) -> Expr {
    let length = u32::try_from(text.encode_utf16().count()).expect("literals are short");
    constant(Value::string(text), TypeKind::Char(length))
}
