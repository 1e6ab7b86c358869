//! The special forms of calls.

use rowkind::expr::{Expr, ExprKind};
use rowkind::value::{DataType, Value};

use super::lex::Token;
use super::{Problem, Read, Reader, context, text};

impl Reader<'_> {
    /// A call after its parenthesis.
    pub fn call(&mut self, name: &str) -> Read<Expr> {
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
