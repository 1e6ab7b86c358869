//! Statements, by their first words. Queries and expressions inside are the parser's.

use sqlparser::ast::{self, Ident, ObjectName, ObjectNamePart, Query, SetExpr};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::diagnose;
use super::dialect::FlinkDialect;
use super::error::ParseError;
use super::insert::fast_insert;
use super::span::Span;
use super::statement::{
    Explain, ExplainDetails, Notices, Parsed, Setting, Show, ShowLike, ShowSubject, Statement, Text,
};
use super::tokens::{self, Tokens};
use super::words;

/// How deep the parser may recurse. Brackets are limited before; this bounds what nests without them,
/// such as NOT and CASE.
const RECURSION_LIMIT: usize = 300;

/// The stack, in bytes, on which nested statements are read. Unoptimised, the parser takes up to 100 KiB for a
/// subquery in a subquery, more than the stack of an ordinary thread has room for.
const DEEP_STACK: usize = 32 << 20;

/// Reads one statement. A semicolon at its end is allowed.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    if let Some(insert) = fast_insert(text) {
        let statement = Statement::Insert(Box::new(insert));
        return Ok(Parsed { statement, notices: Notices::default() });
    }
    parse_all(text)
}

/// Reads one statement without the shortcut for literal rows.
pub(super) fn parse_all(text: &str) -> Result<Parsed, ParseError> {
    let read = tokens::read(text)?;
    if !read.deep {
        return parse_tokens(read);
    }
    let end = Span::of_bytes(text, text.len()..text.len());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("deep statement".to_string()).stack_size(DEEP_STACK);
        match thread.spawn_scoped(scope, || parse_tokens(read)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Err(ParseError::new(format!("the statement cannot be read: {error}"), end)),
        }
    })
}

fn parse_tokens(read: Tokens<'_>) -> Result<Parsed, ParseError> {
    let dialect = FlinkDialect::default();
    let mut statements = StatementParser::new(&dialect, &read.text, read.list);
    let statement = statements.whole_statement().map_err(|error| diagnose::explain(error, &statements))?;
    let notices = Notices {
        reserved_words: dialect.take_reserved(),
        smart_quotes: read.smart_quotes,
        hints: read.hints,
    };
    Ok(Parsed { statement, notices })
}

/// The parser with what it lacks: statements, and errors that carry a hint.
pub(super) struct StatementParser<'a> {
    pub(super) parser: Parser<'a>,
    pub(super) dialect: &'a FlinkDialect,
    pub(super) text: &'a str,
}

/// The span of the tokens from one on up to the one read last.
pub(super) fn span_since(parser: &Parser<'_>, start: usize) -> Span {
    let first = parser.token_at(start).span;
    let last = parser.get_current_token().span;
    Span::from(first).union(last.into())
}

impl<'a> StatementParser<'a> {
    pub(super) fn new(dialect: &'a FlinkDialect, text: &'a str, tokens: Vec<TokenWithSpan>) -> Self {
        let parser =
            Parser::new(dialect).with_recursion_limit(RECURSION_LIMIT).with_tokens_with_locations(tokens);
        Self { parser, dialect, text }
    }

    fn whole_statement(&mut self) -> Result<Statement, ParserError> {
        let statement = self.statement()?;
        while self.parser.consume_token(&Token::SemiColon) {}
        if self.parser.peek_token_ref().token != Token::EOF {
            return self.expected("the end of the statement");
        }
        self.note_fields();
        Ok(statement)
    }

    /// Records reserved words behind a dot, which the parser takes for names without asking.
    fn note_fields(&self) {
        let mut index = 1;
        loop {
            let TokenWithSpan { token, span } = self.parser.token_at(index);
            match token {
                Token::EOF => return,
                Token::Word(word) if word.quote_style.is_none() => {
                    let called = self.parser.token_at(index + 1).token == Token::LParen;
                    if self.parser.token_at(index - 1).token == Token::Period && !called {
                        self.dialect.note_name(&word.value, *span);
                    }
                }
                _ => {}
            }
            index += 1;
        }
    }

    fn statement(&mut self) -> Result<Statement, ParserError> {
        let first = self.word_at(0);
        match first.as_str() {
            "SELECT" | "WITH" | "VALUES" | "TABLE" => return self.query().map(Statement::Query),
            "INSERT" => return self.insert().map(|insert| Statement::Insert(Box::new(insert))),
            "CREATE" => return self.create(),
            "DROP" => return self.drop_relation(),
            "ALTER" => return self.alter(),
            "DESCRIBE" | "DESC" => return self.describe(),
            "SHOW" => return self.show(),
            "SET" => return self.set(),
            "RESET" => return self.reset(),
            "EXPLAIN" => return self.explain(),
            "EXECUTE" if self.word_at(1) == "INSERT" => {
                self.parser.advance_token();
                return self.insert().map(|insert| Statement::Insert(Box::new(insert)));
            }
            "EXECUTE" if self.word_at(1) == "STATEMENT" => {
                self.parser.advance_token();
                return self.statement_set().map(Statement::StatementSet);
            }
            "BEGIN" if self.word_at(1) == "STATEMENT" => {
                return self.statement_set().map(Statement::StatementSet);
            }
            "STOP" => return self.stop_job(),
            "UPDATE" | "DELETE" => return self.modify(),
            "TRUNCATE" => {
                self.parser.advance_token();
                self.keyword("TABLE")?;
                return self.object_name().map(Statement::Truncate);
            }
            "USE" => return self.use_name(),
            _ => {}
        }
        let bare = match first.as_str() {
            "HELP" => Some(Statement::Help),
            "QUIT" | "EXIT" => Some(Statement::Quit),
            "CLEAR" => Some(Statement::Clear),
            "HISTORY" => Some(Statement::History),
            _ => None,
        };
        if let Some(statement) = bare {
            self.parser.advance_token();
            return Ok(statement);
        }
        if self.parser.peek_token_ref().token == Token::LParen {
            return self.query().map(Statement::Query);
        }
        self.unknown_statement()
    }

    /// A statement that starts with no known word.
    fn unknown_statement<T>(&mut self) -> Result<T, ParserError> {
        let (first, second) = (self.word_at(0), self.word_at(1));
        let hint = match first.as_str() {
            "ADD" | "REMOVE" => "All functions are built in.",
            "COMPILE" | "EXECUTE" => "EXPLAIN shows the plan of a statement; to run it, write it as it is.",
            "LOAD" | "UNLOAD" => "All functions are built in; SHOW FUNCTIONS lists them.",
            "CALL" | "ANALYZE" => "SHOW TABLES, DESCRIBE and EXPLAIN tell about tables and plans.",
            "MERGE" => "Use INSERT INTO a table with a primary key, which updates rows by key.",
            "BEGIN" | "COMMIT" | "ROLLBACK" => {
                "There are no transactions; EXECUTE STATEMENT SET BEGIN … END runs several INSERTs together."
            }
            _ => return self.expected("a statement"),
        };
        let named = match second.as_str() {
            "" => first,
            _ => format!("{first} {second}"),
        };
        self.unsupported(&named, hint)
    }

    /// Fails with "… is not supported" at the next token.
    pub(super) fn unsupported<T>(&mut self, what: &str, instead: &str) -> Result<T, ParserError> {
        let span = self.parser.peek_token_ref().span;
        let error = ParseError::new(format!("{what} is not supported"), span).with_hint(instead);
        self.dialect.fail(self.parser.index(), error)
    }

    /// Fails at the token read last.
    pub(super) fn fail<T>(&self, error: ParseError) -> Result<T, ParserError> {
        self.dialect.fail(self.parser.get_current_index(), error)
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T, ParserError> {
        self.parser.expected_ref(what, self.parser.peek_token_ref())
    }

    /// The n-th token ahead in upper case, if it is a word without quotes; otherwise nothing.
    pub(super) fn word_at(&self, n: usize) -> String {
        match &self.parser.peek_nth_token_ref(n).token {
            Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
            _ => String::new(),
        }
    }

    /// Takes the words if they come next.
    pub(super) fn take(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(i, word)| self.word_at(i) == *word);
        if found {
            self.skip(words.len());
        }
        found
    }

    fn skip(&mut self, tokens: usize) {
        for _ in 0..tokens {
            self.parser.advance_token();
        }
    }

    pub(super) fn keyword(&mut self, word: &str) -> Result<(), ParserError> {
        if self.take(&[word]) { Ok(()) } else { self.expected(word) }
    }

    pub(super) fn if_exists(&mut self) -> bool {
        self.take(&["IF", "EXISTS"])
    }

    pub(super) fn if_not_exists(&mut self) -> bool {
        self.take(&["IF", "NOT", "EXISTS"])
    }

    /// A name without dots.
    pub(super) fn name(&mut self) -> Result<Ident, ParserError> {
        let token = self.parser.peek_token_ref();
        let Token::Word(word) = &token.token else { return self.expected("a name") };
        if word.quote_style.is_none() {
            let allowed = matches!(word.keyword, Keyword::ORDER | Keyword::GROUP);
            if words::is_clause(&word.value) && !allowed {
                return self.expected("a name");
            }
            self.dialect.note_name(&word.value, token.span);
        }
        self.parser.parse_identifier()
    }

    /// A name with up to two qualifiers.
    pub(super) fn object_name(&mut self) -> Result<ObjectName, ParserError> {
        let mut parts = vec![ObjectNamePart::Identifier(self.name()?)];
        while self.parser.consume_token(&Token::Period) {
            parts.push(ObjectNamePart::Identifier(self.name()?));
        }
        Ok(ObjectName(parts))
    }

    /// `(a, b)`
    pub(super) fn names_in_parentheses(&mut self) -> Result<Vec<Ident>, ParserError> {
        self.parser.expect_token(&Token::LParen)?;
        let mut names = vec![self.name()?];
        while self.parser.consume_token(&Token::Comma) {
            names.push(self.name()?);
        }
        self.parser.expect_token(&Token::RParen)?;
        Ok(names)
    }

    /// A string in quotes.
    pub(super) fn string(&mut self) -> Result<Text, ParserError> {
        let TokenWithSpan { token, span } = self.parser.peek_token_ref().clone();
        let Token::SingleQuotedString(value) = token else { return self.expected("a string") };
        self.parser.advance_token();
        Ok(Text { value, span: span.into() })
    }

    pub(super) fn comment(&mut self) -> Result<Option<String>, ParserError> {
        if !self.take(&["COMMENT"]) {
            return Ok(None);
        }
        self.string().map(|text| Some(text.value))
    }

    /// A query, with the forms refused that the parser takes from other dialects.
    pub(super) fn query(&mut self) -> Result<Box<Query>, ParserError> {
        let start = self.parser.index();
        let query = self.parser.parse_query()?;
        let foreign = if matches!(*query.body, SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_)) {
            Some(("INSERT, UPDATE or DELETE inside of a query", "Write it as a statement of its own."))
        } else if !query.locks.is_empty() || query.for_clause.is_some() {
            Some(("FOR at the end of a query", "Leave FOR out: nothing is locked."))
        } else {
            None
        };
        match foreign {
            Some((what, instead)) => {
                let span = span_since(&self.parser, start);
                let error = ParseError::new(format!("{what} is not supported"), span);
                self.fail(error.with_hint(instead))
            }
            None => Ok(query),
        }
    }

    /// A query and its text.
    pub(super) fn query_with_text(&mut self) -> Result<(Box<Query>, String), ParserError> {
        let start = self.parser.index();
        let query = self.query()?;
        let span = span_since(&self.parser, start);
        Ok((query, self.text[span.bytes(self.text)].to_string()))
    }

    fn describe(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        if self.parser.peek_nth_token_ref(1).token != Token::EOF {
            match self.word_at(0).as_str() {
                "EXTENDED" => self.parser.advance_token(),
                "FUNCTION" if self.parser.peek_nth_token_ref(1).token != Token::Period => {
                    self.parser.advance_token();
                    if self.word_at(0) == "EXTENDED" && self.parser.peek_nth_token_ref(1).token != Token::EOF
                    {
                        self.parser.advance_token();
                    }
                    return self.object_name().map(Statement::DescribeFunction);
                }
                what @ ("CATALOG" | "DATABASE" | "JOB" | "MODEL")
                    if self.parser.peek_nth_token_ref(1).token != Token::Period
                        && self.parser.peek_nth_token_ref(1).token != Token::SemiColon =>
                {
                    let what = format!("DESCRIBE {what}");
                    return self.unsupported(&what, "DESCRIBE shows the columns of a table or a view.");
                }
                _ => {}
            }
        }
        self.object_name().map(Statement::Describe)
    }

    fn show(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        let (first, second) = (self.word_at(0), self.word_at(1));
        let subject = match (first.as_str(), second.as_str()) {
            ("CREATE", "TABLE" | "VIEW") => {
                self.take(&["CREATE", &second]);
                let name = self.object_name()?;
                if second == "TABLE" { ShowSubject::CreateTable(name) } else { ShowSubject::CreateView(name) }
            }
            ("CURRENT", "DATABASE") => self.shown(2, ShowSubject::CurrentDatabase),
            ("CURRENT", "CATALOG") => self.shown(2, ShowSubject::CurrentCatalog),
            ("USER", "FUNCTIONS") => self.shown(2, ShowSubject::UserFunctions),
            ("FULL", "MODULES") => self.shown(2, ShowSubject::Modules),
            ("TABLES", _) => {
                self.parser.advance_token();
                ShowSubject::Tables(self.optional_from()?)
            }
            ("VIEWS", _) => {
                self.parser.advance_token();
                ShowSubject::Views(self.optional_from()?)
            }
            ("COLUMNS", _) => {
                self.parser.advance_token();
                match self.optional_from()? {
                    Some(table) => ShowSubject::Columns(table),
                    None => return self.expected("FROM"),
                }
            }
            ("FUNCTIONS", _) => self.shown(1, ShowSubject::Functions),
            ("JOBS", _) => self.shown(1, ShowSubject::Jobs),
            ("DATABASES", _) => self.shown(1, ShowSubject::Databases),
            ("CATALOGS", _) => self.shown(1, ShowSubject::Catalogs),
            ("MODULES", _) => self.shown(1, ShowSubject::Modules),
            ("PARTITIONS" | "PROCEDURES" | "JARS" | "MODELS" | "CONNECTIONS" | "MATERIALIZED", _) => {
                let what = format!("SHOW {first}");
                return self.unsupported(&what, "SHOW TABLES, VIEWS, COLUMNS, FUNCTIONS and JOBS exist.");
            }
            _ => {
                return self.expected("TABLES, VIEWS, COLUMNS, CREATE TABLE, CREATE VIEW, FUNCTIONS or JOBS");
            }
        };
        let like = self.show_like()?;
        Ok(Statement::Show(Show { subject, like }))
    }

    fn shown(&mut self, words: usize, subject: ShowSubject) -> ShowSubject {
        self.skip(words);
        subject
    }

    fn optional_from(&mut self) -> Result<Option<ObjectName>, ParserError> {
        if self.take(&["FROM"]) || self.take(&["IN"]) {
            return self.object_name().map(Some);
        }
        Ok(None)
    }

    fn show_like(&mut self) -> Result<Option<ShowLike>, ParserError> {
        let negated = self.take(&["NOT"]);
        let ignore_case = self.take(&["ILIKE"]);
        if !ignore_case && !self.take(&["LIKE"]) {
            return if negated { self.expected("LIKE") } else { Ok(None) };
        }
        let pattern = self.string()?;
        Ok(Some(ShowLike { pattern, negated, ignore_case }))
    }

    fn set(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        if self.at_end() {
            return Ok(Statement::Set(None));
        }
        let key = self.loose_text(&Token::Eq, "a key")?;
        self.parser.expect_token(&Token::Eq)?;
        let value = self.loose_text(&Token::SemiColon, "a value")?;
        Ok(Statement::Set(Some(Setting { key, value })))
    }

    fn reset(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        if self.at_end() {
            return Ok(Statement::Reset(None));
        }
        let key = self.loose_text(&Token::SemiColon, "a key")?;
        Ok(Statement::Reset(Some(key)))
    }

    fn at_end(&self) -> bool {
        matches!(self.parser.peek_token_ref().token, Token::EOF | Token::SemiColon)
    }

    /// A string, or what stands up to a token or the end, as it is written: keys such as
    /// `table.exec.state.ttl` and values such as `10 s` need no quotes.
    fn loose_text(&mut self, until: &Token, what: &str) -> Result<Text, ParserError> {
        let start = self.parser.index();
        while !self.at_end() && self.parser.peek_token_ref().token != *until {
            self.parser.advance_token();
        }
        if self.parser.index() == start {
            return self.expected(what);
        }
        let first = self.parser.token_at(start);
        if let (Token::SingleQuotedString(value), true) = (&first.token, self.parser.index() == start + 1) {
            return Ok(Text { value: value.clone(), span: first.span.into() });
        }
        let span = span_since(&self.parser, start);
        Ok(Text { value: self.text[span.bytes(self.text)].to_string(), span })
    }

    fn explain(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        let mut details = ExplainDetails::default();
        if !self.take(&["PLAN", "FOR"]) {
            loop {
                match self.word_at(0).as_str() {
                    "CHANGELOG_MODE" => details.changelog_mode = true,
                    "ESTIMATED_COST" => details.estimated_cost = true,
                    "PLAN_ADVICE" => details.plan_advice = true,
                    "JSON_EXECUTION_PLAN" => details.json_execution_plan = true,
                    _ => break,
                }
                self.parser.advance_token();
                if !self.parser.consume_token(&Token::Comma) {
                    break;
                }
            }
        }
        let start = self.parser.index();
        let statement = match self.word_at(0).as_str() {
            "INSERT" => Statement::Insert(Box::new(self.insert()?)),
            "EXECUTE" if self.word_at(1) == "STATEMENT" => {
                self.parser.advance_token();
                Statement::StatementSet(self.statement_set()?)
            }
            "STATEMENT" | "BEGIN" => Statement::StatementSet(self.statement_set()?),
            "CREATE" if self.word_at(1) == "TABLE" => self.create()?,
            _ => Statement::Query(self.query()?),
        };
        let span = span_since(&self.parser, start);
        Ok(Statement::Explain(Explain { details, statement: Box::new(statement), span }))
    }

    fn stop_job(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        self.keyword("JOB")?;
        let TokenWithSpan { token, span } = self.parser.peek_token_ref().clone();
        let value = match token {
            Token::SingleQuotedString(id) => id,
            Token::Word(word) => word.value,
            Token::Number(number, _) => number,
            _ => return self.expected("the id of a job"),
        };
        self.parser.advance_token();
        while self.take(&["WITH", "SAVEPOINT"]) || self.take(&["WITH", "DRAIN"]) {}
        Ok(Statement::StopJob(Text { value, span: span.into() }))
    }

    fn modify(&mut self) -> Result<Statement, ParserError> {
        match self.parser.parse_statement()? {
            ast::Statement::Update(update) => Ok(Statement::Update(Box::new(update))),
            ast::Statement::Delete(delete) => Ok(Statement::Delete(Box::new(delete))),
            _ => self.expected("UPDATE or DELETE"),
        }
    }

    fn use_name(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        if self.word_at(0) == "MODULES" {
            return self.unsupported("USE MODULES", "All functions are built in.");
        }
        if self.take(&["CATALOG"]) {
            return self.name().map(Statement::UseCatalog);
        }
        self.object_name().map(Statement::UseDatabase)
    }
}

#[cfg(test)]
mod tests;
