//! ALTER.

use sqlparser::ast::Ident;
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::Token;

use super::statement::{
    AlterTable, AlterTableAction, AlterView, AlterViewAction, ColumnPosition, Statement, TableElements,
};
use super::statement_parser::StatementParser;

impl StatementParser<'_> {
    pub(super) fn alter(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        match self.word_at(0).as_str() {
            "TABLE" => self.alter_table(),
            "VIEW" => self.alter_view(),
            what @ ("FUNCTION" | "CATALOG" | "DATABASE" | "MODEL" | "MATERIALIZED" | "CONNECTION"
            | "TEMPORARY") => {
                let what = format!("ALTER {what}");
                self.unsupported(&what, "ALTER TABLE and ALTER VIEW exist.")
            }
            _ => self.expected("TABLE or VIEW after ALTER"),
        }
    }

    fn alter_table(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        let if_exists = self.if_exists();
        let name = self.object_name()?;
        let action = match self.word_at(0).as_str() {
            "RENAME" => self.rename_in_table()?,
            "ADD" => {
                self.parser.advance_token();
                AlterTableAction::Add(self.changed_elements()?)
            }
            "MODIFY" => {
                self.parser.advance_token();
                AlterTableAction::Modify(self.changed_elements()?)
            }
            "DROP" => self.drop_in_table()?,
            "SET" => {
                self.parser.advance_token();
                AlterTableAction::SetOptions(self.options()?)
            }
            "RESET" => {
                self.parser.advance_token();
                self.parser.expect_token(&Token::LParen)?;
                let mut keys = vec![self.string()?];
                while self.parser.consume_token(&Token::Comma) {
                    keys.push(self.string()?);
                }
                self.parser.expect_token(&Token::RParen)?;
                AlterTableAction::ResetOptions(keys)
            }
            _ => return self.expected("RENAME, ADD, MODIFY, DROP, SET or RESET"),
        };
        Ok(Statement::AlterTable(Box::new(AlterTable { name, if_exists, action })))
    }

    fn rename_in_table(&mut self) -> Result<AlterTableAction, ParserError> {
        self.parser.advance_token();
        if self.take(&["TO"]) {
            return self.object_name().map(AlterTableAction::RenameTable);
        }
        let from = self.name()?;
        self.keyword("TO")?;
        let to = self.name()?;
        Ok(AlterTableAction::RenameColumn { from, to })
    }

    /// One element, or several in parentheses, each with a position.
    fn changed_elements(&mut self) -> Result<TableElements, ParserError> {
        let mut elements = TableElements::default();
        let several = self.parser.consume_token(&Token::LParen);
        loop {
            let _ = self.take(&["COLUMN"]);
            let columns = elements.columns.len();
            self.table_element(&mut elements)?;
            if elements.columns.len() > columns {
                let position = self.column_position()?;
                if let Some(column) = elements.columns.last_mut() {
                    column.position = position;
                }
            }
            if !several || !self.parser.consume_token(&Token::Comma) {
                break;
            }
        }
        if several {
            self.parser.expect_token(&Token::RParen)?;
        }
        Ok(elements)
    }

    fn column_position(&mut self) -> Result<Option<ColumnPosition>, ParserError> {
        if self.take(&["FIRST"]) {
            return Ok(Some(ColumnPosition::First));
        }
        if self.take(&["AFTER"]) {
            return self.name().map(|name| Some(ColumnPosition::After(name)));
        }
        Ok(None)
    }

    fn drop_in_table(&mut self) -> Result<AlterTableAction, ParserError> {
        self.parser.advance_token();
        if self.take(&["PRIMARY", "KEY"]) {
            return Ok(AlterTableAction::DropPrimaryKey);
        }
        if self.take(&["CONSTRAINT"]) {
            self.name()?;
            return Ok(AlterTableAction::DropPrimaryKey);
        }
        if self.take(&["WATERMARK"]) {
            return Ok(AlterTableAction::DropWatermark);
        }
        let columns: Vec<Ident> = if self.parser.peek_token_ref().token == Token::LParen {
            self.names_in_parentheses()?
        } else {
            let _ = self.take(&["COLUMN"]);
            vec![self.name()?]
        };
        Ok(AlterTableAction::DropColumns(columns))
    }

    fn alter_view(&mut self) -> Result<Statement, ParserError> {
        self.parser.advance_token();
        let if_exists = self.if_exists();
        let name = self.object_name()?;
        let action = if self.take(&["RENAME", "TO"]) {
            AlterViewAction::Rename(self.object_name()?)
        } else if self.take(&["AS"]) {
            let (query, query_text) = self.query_with_text()?;
            AlterViewAction::SetQuery { query, query_text }
        } else {
            return self.expected("RENAME TO or AS");
        };
        Ok(Statement::AlterView(Box::new(AlterView { name, if_exists, action })))
    }
}
