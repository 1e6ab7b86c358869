//! CREATE and DROP.

use sqlparser::ast::Ident;
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::Token;

use super::data_type;
use super::error::ParseError;
use super::statement::{
    ColumnDefinition, ColumnKind, CreateTable, CreateView, Drop, Relation, Setting, Statement, TableElements,
    TableLike, Text,
};
use super::statement_parser::{StatementParser, span_since};

impl StatementParser<'_> {
    pub(super) fn create(&mut self) -> Result<Statement, ParserError> {
        let create = self.parser.index();
        self.parser.advance_token();
        let or_replace = self.take(&["OR", "REPLACE"]);
        let temporary = self.take(&["TEMPORARY"]);
        match self.word_at(0).as_str() {
            "TABLE" if or_replace => {
                self.unsupported("CREATE OR REPLACE TABLE", "Use DROP TABLE IF EXISTS and CREATE TABLE.")
            }
            "TABLE" => self.create_table(temporary),
            "VIEW" => self.create_view(temporary, or_replace),
            "SYSTEM" | "FUNCTION" => {
                self.unsupported("CREATE FUNCTION", "All functions are built in; SHOW FUNCTIONS lists them.")
            }
            "MATERIALIZED" => self.unsupported(
                "CREATE MATERIALIZED TABLE",
                "Use CREATE TABLE and INSERT INTO … SELECT, which keeps running; or CREATE VIEW.",
            ),
            "CATALOG" | "DATABASE" => {
                let what = format!("CREATE {}", self.word_at(0));
                self.unsupported(&what, "Everything lives in default_catalog.default_database.")
            }
            "MODEL" | "CONNECTION" => {
                let what = format!("CREATE {}", self.word_at(0));
                self.unsupported(&what, "CREATE TABLE and CREATE VIEW exist.")
            }
            _ if create + 1 == self.parser.index() => self.expected("TABLE or VIEW after CREATE"),
            _ => self.expected("TABLE or VIEW"),
        }
    }

    fn create_table(&mut self, temporary: bool) -> Result<Statement, ParserError> {
        self.keyword("TABLE")?;
        let if_not_exists = self.if_not_exists();
        let name = self.object_name()?;
        let open = self.parser.index();
        let elements = if self.parser.peek_token_ref().token == Token::LParen {
            self.table_elements()?
        } else {
            TableElements::default()
        };
        let comment = self.comment()?;
        let distributed_by = self.distribution()?;
        let partitioned_by =
            if self.take(&["PARTITIONED", "BY"]) { self.names_in_parentheses()? } else { vec![] };
        let options = if self.take(&["WITH"]) { self.options()? } else { vec![] };
        let like = if self.take(&["LIKE"]) { Some(self.like()?) } else { None };
        let query = if like.is_none() && self.take(&["AS"]) { Some(self.query()?) } else { None };
        if query.is_none()
            && like.is_none()
            && elements == TableElements::default()
            && self.parser.index() == open
        {
            return self.expected("( and the columns of the table");
        }
        Ok(Statement::CreateTable(Box::new(CreateTable {
            name,
            temporary,
            if_not_exists,
            elements,
            comment,
            options,
            partitioned_by,
            distributed_by,
            like,
            query,
        })))
    }

    /// `(column, …, PRIMARY KEY (…) NOT ENFORCED, WATERMARK FOR … AS …)`
    pub(super) fn table_elements(&mut self) -> Result<TableElements, ParserError> {
        let mut elements = TableElements::default();
        self.parser.expect_token(&Token::LParen)?;
        loop {
            self.table_element(&mut elements)?;
            if !self.parser.consume_token(&Token::Comma) {
                break;
            }
        }
        if !self.parser.consume_token(&Token::RParen) {
            return self.expected("a comma or ) after a column");
        }
        Ok(elements)
    }

    /// One column, key or watermark.
    pub(super) fn table_element(&mut self, elements: &mut TableElements) -> Result<(), ParserError> {
        let start = self.parser.index();
        match (self.word_at(0).as_str(), self.word_at(1).as_str()) {
            ("PRIMARY", "KEY") | ("CONSTRAINT", _) => {
                if self.take(&["CONSTRAINT"]) {
                    self.name()?;
                }
                if self.word_at(0) == "UNIQUE" {
                    return self.unsupported("UNIQUE", "Use PRIMARY KEY (…) NOT ENFORCED.");
                }
                self.keyword("PRIMARY")?;
                self.keyword("KEY")?;
                let key = self.names_in_parentheses()?;
                self.add_key(elements, key, start)
            }
            ("WATERMARK", "FOR") => {
                self.take(&["WATERMARK", "FOR"]);
                let column = self.name()?;
                if self.parser.peek_token_ref().token == Token::Period {
                    return self.unsupported(
                        "a watermark on a field of a row",
                        "Add a computed column for the field and use that.",
                    );
                }
                self.keyword("AS")?;
                let expr = self.parser.parse_expr()?;
                if elements.watermark.is_some() {
                    let span = span_since(&self.parser, start);
                    let error = ParseError::new("more than one watermark", span);
                    return self.fail(error.with_hint("Leave one of them out."));
                }
                elements.watermark = Some((column, expr));
                Ok(())
            }
            ("UNIQUE", _) if self.parser.peek_nth_token_ref(1).token == Token::LParen => {
                self.unsupported("UNIQUE", "Use PRIMARY KEY (…) NOT ENFORCED.")
            }
            _ => self.column(elements),
        }
    }

    /// Takes `NOT ENFORCED`, without which a key is an error.
    fn add_key(
        &mut self,
        elements: &mut TableElements,
        key: Vec<Ident>,
        start: usize,
    ) -> Result<(), ParserError> {
        if !self.take(&["NOT", "ENFORCED"]) {
            let _ = self.take(&["ENFORCED"]);
            let span = span_since(&self.parser, start);
            let names: Vec<_> = key.iter().map(ToString::to_string).collect();
            return self.fail(ParseError::new("a primary key must be NOT ENFORCED", span).with_hint(
                format!(
                    "Write PRIMARY KEY ({}) NOT ENFORCED: Flink trusts the data and does not check keys.",
                    names.join(", ")
                ),
            ));
        }
        if elements.primary_key.is_some() {
            let span = span_since(&self.parser, start);
            let error = ParseError::new("more than one primary key", span);
            return self
                .fail(error.with_hint("Name all its columns in one: PRIMARY KEY (a, b) NOT ENFORCED."));
        }
        elements.primary_key = Some(key);
        Ok(())
    }

    fn column(&mut self, elements: &mut TableElements) -> Result<(), ParserError> {
        if !matches!(self.parser.peek_token_ref().token, Token::Word(_)) {
            return self.expected("a column");
        }
        let name = self.name()?;
        let kind = if matches!(self.parser.peek_token_ref().token, Token::Comma | Token::RParen) {
            ColumnKind::FromQuery
        } else if self.take(&["AS"]) {
            ColumnKind::Computed(Box::new(self.parser.parse_expr()?))
        } else {
            self.typed_column(elements, &name)?
        };
        let comment = self.comment()?;
        elements.columns.push(ColumnDefinition { name, kind, comment, position: None });
        Ok(())
    }

    /// The type of a column and what may follow it.
    fn typed_column(
        &mut self,
        elements: &mut TableElements,
        name: &Ident,
    ) -> Result<ColumnKind, ParserError> {
        let data_type = data_type::parse_nullable(self.dialect, &mut self.parser)?;
        if self.take(&["METADATA"]) {
            let key = if self.take(&["FROM"]) { Some(self.string()?) } else { None };
            let is_virtual = self.take(&["VIRTUAL"]);
            return Ok(ColumnKind::Metadata { data_type, key, is_virtual });
        }
        let start = self.parser.index();
        if self.take(&["CONSTRAINT"]) {
            self.name()?;
        }
        match self.word_at(0).as_str() {
            "PRIMARY" => {
                self.parser.advance_token();
                self.keyword("KEY")?;
                self.add_key(elements, vec![name.clone()], start)?;
            }
            "UNIQUE" => return self.unsupported("UNIQUE", "Use PRIMARY KEY NOT ENFORCED."),
            "DEFAULT" => {
                return self.unsupported("DEFAULT", "Columns that an INSERT leaves out are NULL.");
            }
            _ => {}
        }
        Ok(ColumnKind::Physical(data_type))
    }

    fn distribution(&mut self) -> Result<Vec<Ident>, ParserError> {
        if !self.take(&["DISTRIBUTED"]) && !self.take(&["DISTRIBUTION"]) {
            return Ok(vec![]);
        }
        let mut columns = vec![];
        if self.take(&["BY"]) {
            let _ = self.take(&["HASH"]) || self.take(&["RANGE"]);
            columns = self.names_in_parentheses()?;
        }
        if self.take(&["INTO"]) {
            self.parser.parse_literal_uint()?;
            self.keyword("BUCKETS")?;
        }
        Ok(columns)
    }

    /// `('k' = 'v', …)`
    pub(super) fn options(&mut self) -> Result<Vec<Setting>, ParserError> {
        let mut options = vec![];
        self.parser.expect_token(&Token::LParen)?;
        if self.parser.consume_token(&Token::RParen) {
            return Ok(options);
        }
        loop {
            let key = self.option_text("key")?;
            self.parser.expect_token(&Token::Eq)?;
            let value = self.option_text("value")?;
            options.push(Setting { key, value });
            if !self.parser.consume_token(&Token::Comma) {
                break;
            }
        }
        self.parser.expect_token(&Token::RParen)?;
        Ok(options)
    }

    /// A string; for a word or a number, the error says to quote it.
    fn option_text(&mut self, what: &str) -> Result<Text, ParserError> {
        let token = self.parser.peek_token_ref();
        let bare = match &token.token {
            Token::Word(word) => word.value.clone(),
            Token::Number(number, _) => number.clone(),
            _ => return self.string(),
        };
        let error = ParseError::new(format!("the {what} of an option must be a string"), token.span)
            .with_hint(format!("Write '{bare}' in quotes."));
        self.dialect.fail(self.parser.index(), error)
    }

    fn like(&mut self) -> Result<TableLike, ParserError> {
        let table = self.object_name()?;
        let mut options = vec![];
        if self.parser.consume_token(&Token::LParen) {
            while !self.parser.consume_token(&Token::RParen) {
                let action = self.word_at(0);
                if !matches!(action.as_str(), "INCLUDING" | "EXCLUDING" | "OVERWRITING") {
                    return self.expected("INCLUDING, EXCLUDING or OVERWRITING");
                }
                self.parser.advance_token();
                let feature = self.word_at(0);
                let features = [
                    "ALL",
                    "CONSTRAINTS",
                    "DISTRIBUTION",
                    "GENERATED",
                    "METADATA",
                    "OPTIONS",
                    "PARTITIONS",
                    "WATERMARKS",
                ];
                if !features.contains(&feature.as_str()) {
                    return self.expected("ALL, CONSTRAINTS, GENERATED, METADATA, OPTIONS or WATERMARKS");
                }
                self.parser.advance_token();
                options.push((action, feature));
            }
        }
        Ok(TableLike { table, options })
    }

    fn create_view(&mut self, temporary: bool, or_replace: bool) -> Result<Statement, ParserError> {
        self.keyword("VIEW")?;
        let if_not_exists = self.if_not_exists();
        let name = self.object_name()?;
        let columns = if self.parser.peek_token_ref().token == Token::LParen {
            self.names_in_parentheses()?
        } else {
            vec![]
        };
        let comment = self.comment()?;
        self.keyword("AS")?;
        let (query, query_text) = self.query_with_text()?;
        Ok(Statement::CreateView(Box::new(CreateView {
            name,
            columns,
            temporary,
            or_replace,
            if_not_exists,
            comment,
            query,
            query_text,
        })))
    }

    pub(super) fn drop_relation(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        let temporary = self.take(&["TEMPORARY"]);
        let relation = match self.word_at(0).as_str() {
            "TABLE" => Relation::Table,
            "VIEW" => Relation::View,
            what @ ("FUNCTION" | "SYSTEM" | "CATALOG" | "DATABASE" | "MODEL" | "MATERIALIZED"
            | "CONNECTION") => {
                let what = format!("DROP {what}");
                return self.unsupported(&what, "DROP TABLE and DROP VIEW exist.");
            }
            _ => return self.expected("TABLE or VIEW after DROP"),
        };
        self.parser.advance_token();
        let if_exists = self.if_exists();
        let name = self.object_name()?;
        Ok(Statement::Drop(Drop { relation, temporary, if_exists, name }))
    }
}
