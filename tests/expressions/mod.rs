//! A reader for the SQL of the recordings: expressions with all their special forms, and types.

mod lex;
mod types;

use jiff::tz::TimeZone;
use lex::Token;
use rowkind::expr::{CallError, Comparison, Context, Expr, ExprKind, common_type};
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

    /// `SELECT expression AS name, … [FROM t]`
    pub fn select(&mut self) -> Read<(Vec<(String, Expr)>, bool)> {
        self.expect_word("SELECT")?;
        let mut columns = Vec::new();
        loop {
            let value = self.expr()?;
            self.expect_word("AS")?;
            columns.push((self.name()?, value));
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

    /// Comparisons and tests.
    fn expr(&mut self) -> Read<Expr> {
        let left = self.sum()?;
        let negated = self.word("NOT");
        let result = if self.word("BETWEEN") {
            let low = self.sum()?;
            self.expect_word("AND")?;
            let high = self.sum()?;
            Expr::and(vec![
                Expr::compare(Comparison::GreaterOrEqual, left.clone(), low)?,
                Expr::compare(Comparison::LessOrEqual, left, high)?,
            ])?
        } else if self.words(&["SIMILAR", "TO"]) {
            let mut args = vec![left, self.sum()?];
            if self.word("ESCAPE") {
                args.push(self.sum()?);
            }
            Expr::call("SIMILAR TO", args)?
        } else if self.word("IS") {
            let negated = self.word("NOT");
            let test = if self.word("JSON") {
                let kinds = ["VALUE", "SCALAR", "ARRAY", "OBJECT"];
                let kind = kinds.into_iter().find(|kind| self.word(kind)).unwrap_or("VALUE");
                Expr::call("IS JSON", vec![left, text(kind)])?
            } else {
                self.expect_word("NULL")?;
                Expr::call("IS NULL", vec![left])?
            };
            return Ok(if negated { Expr::not(test)? } else { test });
        } else if self.sign("=") {
            Expr::compare(Comparison::Equal, left, self.sum()?)?
        } else {
            return if negated { self.unread("NOT") } else { Ok(left) };
        };
        Ok(if negated { Expr::not(result)? } else { result })
    }

    fn sum(&mut self) -> Read<Expr> {
        let mut left = self.primary()?;
        loop {
            let operator = ["||", "+", "-", "*", "/", "%"].into_iter().find(|operator| self.sign(operator));
            let Some(operator) = operator else { return Ok(left) };
            left = Expr::call(operator, vec![left, self.primary()?])?;
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let mut value = match self.next() {
            Token::Text(string) => text(&string),
            Token::Bytes(bytes) => {
                let length = u32::try_from(bytes.len()).expect("literals are short");
                constant(Value::bytes(bytes), TypeKind::Binary(length))
            }
            Token::Number(number) => self.number(&number)?,
            Token::Sign(sign) if sign == "-" => match self.next() {
                Token::Number(number) => self.number(&format!("-{number}"))?,
                _ => return self.unread("minus"),
            },
            Token::Sign(sign) if sign == "(" => self.parenthesis()?,
            Token::Quoted(name) => self.column(&name)?,
            Token::Word(word) => self.word_expr(&word)?,
            _ => return self.unread("expression"),
        };
        while self.sign("[") {
            value = Expr::item(value, self.expr()?)?;
            self.expect("]")?;
        }
        Ok(value)
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

    /// A call after its parenthesis.
    fn call(&mut self, name: &str) -> Read<Expr> {
        let args = match name {
            "CAST" | "TRY_CAST" => {
                let value = self.expr()?;
                self.expect_word("AS")?;
                let data_type = self.data_type()?;
                self.expect(")")?;
                return Ok(value.cast(data_type, name == "TRY_CAST")?);
            }
            "TRIM" => {
                let sides = ["BOTH", "LEADING", "TRAILING"];
                let side = sides.into_iter().find(|side| self.word(side)).unwrap_or("BOTH");
                let what = if self.word("FROM") { text(" ") } else { self.expr()? };
                if self.sign(")") {
                    return Ok(Expr::call("TRIM", vec![text(side), text(" "), what])?);
                }
                self.word("FROM");
                vec![text(side), what, self.expr()?]
            }
            "SUBSTRING" | "OVERLAY" => {
                let mut args = vec![self.expr()?];
                while self.word("PLACING") || self.word("FROM") || self.word("FOR") || self.sign(",") {
                    args.push(self.expr()?);
                }
                args
            }
            "POSITION" => {
                let mut args = vec![self.sum()?];
                self.expect_word("IN")?;
                args.push(self.expr()?);
                if self.word("FROM") {
                    args.push(self.expr()?);
                }
                args
            }
            "EXTRACT" => {
                let unit = self.name()?;
                self.expect_word("FROM")?;
                vec![text(&unit), self.expr()?]
            }
            "FLOOR" | "CEIL" | "CEILING" => {
                let mut args = vec![self.expr()?];
                if self.word("TO") {
                    args.push(text(&self.name()?));
                }
                args
            }
            "TIMESTAMPADD" | "TIMESTAMPDIFF" => {
                let mut args = vec![text(&self.name()?)];
                while self.sign(",") {
                    args.push(self.expr()?);
                }
                args
            }
            "JSON_EXISTS" => {
                let mut args = self.two()?;
                let actions = ["TRUE", "FALSE", "UNKNOWN", "ERROR"];
                if let Some(action) = actions.into_iter().find(|action| self.words(&[action, "ON", "ERROR"]))
                {
                    args.push(text(action));
                }
                args
            }
            "JSON_VALUE" => self.json_value()?,
            "JSON_QUERY" => self.json_query()?,
            "JSON_OBJECT" | "JSON_ARRAY" => self.json_construction(name == "JSON_OBJECT")?,
            _ => return Ok(Expr::call(name, self.list(")")?)?),
        };
        self.expect(")")?;
        Ok(Expr::call(name, args)?)
    }

    fn two(&mut self) -> Read<Vec<Expr>> {
        let first = self.expr()?;
        if !self.sign(",") {
            return Err(Problem::Refused("two arguments".to_owned()));
        }
        Ok(vec![first, self.expr()?])
    }

    fn returning(&mut self) -> Read<Expr> {
        let data_type = if self.word("RETURNING") { self.data_type()? } else { DataType::string() };
        Ok(Expr::literal(Value::NULL, data_type))
    }

    fn json_value(&mut self) -> Read<Vec<Expr>> {
        let mut args = self.two()?;
        args.push(self.returning()?);
        for event in ["EMPTY", "ERROR"] {
            let (action, default) = if self.words(&["NULL", "ON", event]) {
                ("NULL", Expr::null())
            } else if self.words(&["ERROR", "ON", event]) {
                ("ERROR", Expr::null())
            } else if self.word("DEFAULT") {
                let default = self.expr()?;
                let is_cast = matches!(&default.kind, ExprKind::Cast { input, .. } if input.is_constant());
                let default = if is_cast { default.fold(&context()) } else { default };
                if self.words(&["ON", "ERROR"]) && event == "EMPTY" {
                    args.extend([text("NULL"), Expr::null(), text("DEFAULT"), default]);
                    return Ok(args);
                }
                self.words(&["ON", event]);
                ("DEFAULT", default)
            } else {
                ("NULL", Expr::null())
            };
            args.extend([text(action), default]);
        }
        Ok(args)
    }

    fn json_query(&mut self) -> Read<Vec<Expr>> {
        let mut args = self.two()?;
        args.push(self.returning()?);
        let wrapper = if self.word("WITHOUT") {
            "WITHOUT"
        } else if self.word("WITH") {
            if self.word("CONDITIONAL") {
                "CONDITIONAL"
            } else {
                self.word("UNCONDITIONAL");
                "UNCONDITIONAL"
            }
        } else {
            ""
        };
        if !wrapper.is_empty() {
            self.word("ARRAY");
            self.expect_word("WRAPPER")?;
        }
        args.push(text(if wrapper.is_empty() { "WITHOUT" } else { wrapper }));
        for event in ["EMPTY", "ERROR"] {
            let actions: [&[&str]; 4] = [&["NULL"], &["ERROR"], &["EMPTY", "ARRAY"], &["EMPTY", "OBJECT"]];
            let action = actions.into_iter().find(|action| self.words(&[*action, &["ON", event]].concat()));
            args.push(text(&action.unwrap_or(&["NULL"]).join(" ")));
        }
        Ok(args)
    }

    fn json_construction(&mut self, object: bool) -> Read<Vec<Expr>> {
        let mut mask = String::new();
        let mut values = Vec::new();
        while *self.peek() != Token::Sign(")".to_owned()) && !self.on_null_follows() {
            if object {
                self.word("KEY");
                values.push(self.sum()?);
                if !self.word("VALUE") {
                    self.expect(":")?;
                }
            }
            mask.push(match self.peek() {
                Token::Word(word) if ["JSON_OBJECT", "JSON_ARRAY"].contains(&word.as_str()) => 'j',
                Token::Word(word) if word == "JSON" => 'p',
                _ => 'v',
            });
            if mask.ends_with('p') {
                self.at += 1;
            }
            values.push(self.expr()?);
            if !self.sign(",") {
                break;
            }
        }
        let action = if self.words(&["NULL", "ON", "NULL"]) {
            "NULL"
        } else if self.words(&["ABSENT", "ON", "NULL"]) {
            "ABSENT"
        } else if object {
            "NULL"
        } else {
            "ABSENT"
        };
        let mut args = vec![text(action), text(&mask)];
        args.append(&mut values);
        Ok(args)
    }

    fn on_null_follows(&mut self) -> bool {
        let start = self.at;
        let found = self.words(&["NULL", "ON"]) || self.words(&["ABSENT", "ON"]);
        self.at = start;
        found
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
