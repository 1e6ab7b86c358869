//! SHOW and DESCRIBE.

use sqlparser::ast::{ObjectName, Spanned};

use super::{Error, Outcome, Receiver, Rows, Session, settings};
use crate::catalog::{ColumnSource, Entry, Table, View};
use crate::expr::{aggregate, function};
use crate::plan::bind::{Binder, nearest};
use crate::plan::changelog_function;
use crate::sql::statement::{Show, ShowLike, ShowSubject};
use crate::sql::{self, Statement};
use crate::value::{Column, DataType, Row, Schema, TypeKind, Value};

impl Session {
    pub(super) fn show(&self, show: &Show) -> Result<Outcome, Error> {
        let like = show.like.as_ref();
        let catalog = &self.engine.catalog;
        Ok(match &show.subject {
            ShowSubject::Tables(_) => names("table name", catalog.entries().map(|(name, _)| name), like),
            ShowSubject::Views(_) => {
                let views = catalog.entries().filter(|(_, entry)| matches!(entry, Entry::View(_)));
                names("view name", views.map(|(name, _)| name), like)
            }
            ShowSubject::Functions => {
                let mut all: Vec<&str> = function::all().map(|function| function.name).collect();
                all.extend(changelog_function::FUNCTIONS.map(|(name, ..)| name));
                all.extend(aggregate::FUNCTIONS.iter().map(|(name, ..)| *name));
                all.retain(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(' '));
                all.sort_unstable();
                all.dedup();
                names("function name", all, like)
            }
            // All functions are built in.
            ShowSubject::UserFunctions => names("function name", [], like),
            ShowSubject::Jobs => self.show_jobs(),
            ShowSubject::Databases => names("database name", ["default_database"], like),
            ShowSubject::Catalogs => names("catalog name", ["default_catalog"], like),
            ShowSubject::Modules => names("module name", ["core"], like),
            ShowSubject::CurrentDatabase => names("current database name", ["default_database"], like),
            ShowSubject::CurrentCatalog => names("current catalog name", ["default_catalog"], like),
            ShowSubject::Columns(name) => self.describe(name)?,
            ShowSubject::CreateTable(name) => {
                let place = name.span().into();
                let (name, entry) = self.entry(name)?;
                match entry {
                    Entry::Table(table) => Outcome::Text(create_table(&name, table)),
                    Entry::View(_) => {
                        return Err(not_a("table", "view", name, place));
                    }
                }
            }
            ShowSubject::CreateView(name) => {
                let place = name.span().into();
                let (name, entry) = self.entry(name)?;
                match entry {
                    Entry::View(view) => Outcome::Text(create_view(&name, view)),
                    Entry::Table(_) => {
                        return Err(not_a("view", "table", name, place));
                    }
                }
            }
        })
    }

    /// What a function does, with an example.
    pub(super) fn describe_function(name: &ObjectName) -> Result<Outcome, Error> {
        let span = name.0.first().and_then(|part| part.as_ident()).map(|name| name.span.into());
        let name = name.to_string().replace('`', "").to_uppercase();
        let columns = [("info name", DataType::string()), ("info value", DataType::string())];
        let line = |name: &str, value: &str| vec![Value::string(name), Value::string(value)];
        if let Some(function) = function::find(&name) {
            let mut lines = vec![
                line("name", function.name),
                line("kind", "SCALAR"),
                line("syntax", function.syntax),
                line("description", function.summary),
                line("is deterministic", if function.deterministic { "true" } else { "false" }),
            ];
            if let Some((example, result)) = function.example {
                lines.push(line("example", &format!("{example} gives {result}")));
            }
            return Ok(rows(&columns, lines.into_iter()));
        }
        let others =
            aggregate::FUNCTIONS.iter().map(|&(name, syntax, about)| (name, "AGGREGATE", syntax, about));
        let mut others = others.chain(
            changelog_function::FUNCTIONS.map(|(name, syntax, about)| (name, "PROCESS TABLE", syntax, about)),
        );
        if let Some((name, kind, syntax, about)) = others.find(|(known, ..)| *known == name) {
            let lines = [
                line("name", name),
                line("kind", kind),
                line("syntax", syntax),
                line("description", about),
                line("is deterministic", "true"),
            ];
            return Ok(rows(&columns, lines.into_iter()));
        }
        let names = function::all().map(|function| function.name);
        let nearest = nearest(&name, names.chain(aggregate::FUNCTIONS.iter().map(|(name, ..)| *name)));
        Err(Error::Missing { noun: "function", name, nearest, span })
    }

    /// The columns of a table or view, as Flink lists them.
    pub(super) fn describe(&self, name: &ObjectName) -> Result<Outcome, Error> {
        let (_, entry) = self.entry(name)?;
        let columns = [
            ("name", DataType::string()),
            ("type", DataType::string()),
            ("null", DataType::boolean()),
            ("key", DataType::string()),
            ("extras", DataType::string()),
            ("watermark", DataType::string()),
        ];
        let schema = match entry {
            Entry::Table(table) => table.schema(),
            Entry::View(view) => view.schema.clone(),
        };
        let row = |(index, column): (usize, &Column)| {
            let data_type = column.data_type.clone().with_nullable(true).to_string();
            let (mut key, mut extras, mut watermark) = (Value::NULL, Value::NULL, Value::NULL);
            if let Entry::Table(table) = entry {
                if let Some(columns) = table.primary_key.as_ref().filter(|columns| columns.contains(&index)) {
                    let names: Vec<&str> =
                        columns.iter().map(|&column| schema.columns[column].name.as_str()).collect();
                    key = Value::string(&format!("PRI({})", names.join(", ")));
                }
                match &table.columns[index].source {
                    ColumnSource::Stored => {}
                    ColumnSource::Metadata { key, is_virtual } => {
                        extras = Value::string(&metadata(&column.name, key, *is_virtual));
                    }
                    ColumnSource::Computed { text, .. } => {
                        let text = sql::with_quoted_names(text, schema.names());
                        extras = Value::string(&format!("AS {text}"));
                    }
                }
                if let Some(declared) = table.watermark.as_ref().filter(|watermark| watermark.column == index)
                {
                    watermark = Value::string(&sql::with_quoted_names(&declared.text, schema.names()));
                }
            }
            vec![
                Value::string(&column.name),
                Value::string(&data_type),
                Value::boolean(column.data_type.nullable),
                key,
                extras,
                watermark,
            ]
        };
        Ok(rows(&columns, schema.columns.iter().enumerate().map(row)))
    }

    /// The columns that a query would give: their names, types, and whether they can be NULL. It does not run. A
    /// statement that is no query has none.
    ///
    /// # Errors
    /// When the text is no statement, or the query has no plan.
    pub fn describe_query(&mut self, text: &str, receiver: &mut dyn Receiver) -> Result<Option<Rows>, Error> {
        let parsed = sql::parse(text)?;
        self.report(&parsed.notices, receiver)?;
        let Statement::Query(query) = parsed.statement else { return Ok(None) };
        let context = self.context();
        let (_, header, _) = self.planned_query(&query, &context, receiver)?;
        let columns =
            [("name", DataType::string()), ("type", DataType::string()), ("null", DataType::boolean())];
        let row = |column: &Column| -> Row {
            let data_type = column.data_type.clone().with_nullable(true).to_string();
            let null = Value::boolean(column.data_type.nullable);
            [Value::string(&column.name), Value::string(&data_type), null].into()
        };
        let schema = columns.map(|(name, data_type)| Column::new(name, data_type)).into_iter().collect();
        Ok(Some(Rows { schema, rows: header.schema.columns.iter().map(row).collect() }))
    }

    pub(super) fn show_settings(&self) -> Outcome {
        let columns = [("key", DataType::string()), ("value", DataType::string())];
        let known = settings::KNOWN.into_iter().filter(|(key, _)| self.settings.get(key).is_none());
        let mut all: Vec<(&str, &str)> = self.settings.iter().chain(known).collect();
        all.sort_unstable();
        rows(&columns, all.into_iter().map(|(key, value)| vec![Value::string(key), Value::string(value)]))
    }

    fn entry(&self, name: &ObjectName) -> Result<(String, &Entry), Error> {
        let name = Binder::name(name)?;
        match self.engine.catalog.get(&name.value) {
            Some(entry) => Ok((name.value, entry)),
            None => Err(self.missing("table or view", &name.value, Some(name.span.into()))),
        }
    }
}

fn not_a(not: &'static str, is: &'static str, name: String, place: sql::Span) -> Error {
    Error::WrongNoun { name, is, not, verb: "SHOW CREATE", span: Some(place) }
}

/// A list with these columns.
pub(super) fn rows(columns: &[(&str, DataType)], rows: impl Iterator<Item = Vec<Value>>) -> Outcome {
    let schema: Schema =
        columns.iter().map(|(name, data_type)| Column::new(*name, data_type.clone())).collect();
    Outcome::Rows(Rows { schema, rows: rows.map(Vec::into_boxed_slice).collect() })
}

/// The names without those that were there before.
pub(super) fn unique(names: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

fn names<'a>(title: &str, names: impl IntoIterator<Item = &'a str>, like: Option<&ShowLike>) -> Outcome {
    let shown = names.into_iter().filter(|name| like.is_none_or(|like| matches_pattern(like, name)));
    rows(&[(title, DataType::string())], shown.map(|name| vec![Value::string(name)]))
}

fn matches_pattern(like: &ShowLike, name: &str) -> bool {
    let fold = |text: &str| if like.ignore_case { text.to_lowercase() } else { text.to_owned() };
    let (pattern, name): (Vec<char>, Vec<char>) =
        (fold(&like.pattern.value).chars().collect(), fold(name).chars().collect());
    // Whether the first characters of the name match the part of the pattern read so far.
    let mut matched = vec![false; name.len() + 1];
    matched[0] = true;
    for sign in pattern {
        let mut next = vec![false; name.len() + 1];
        for end in 0..=name.len() {
            next[end] = match sign {
                '%' => matched[end] || (end > 0 && next[end - 1]),
                '_' => end > 0 && matched[end - 1],
                sign => end > 0 && matched[end - 1] && name[end - 1] == sign,
            };
        }
        matched = next;
    }
    matched[name.len()] != like.negated
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// `METADATA FROM 'key' VIRTUAL`, without the key if it is the column's name.
fn metadata(column: &str, key: &str, is_virtual: bool) -> String {
    let from = if key == column { String::new() } else { format!(" FROM '{}'", key.replace('\'', "''")) };
    format!("METADATA{from}{}", if is_virtual { " VIRTUAL" } else { "" })
}

/// The text that makes a table anew, as Flink writes it.
pub(super) fn create_table(name: &str, table: &Table) -> String {
    let mut parts = Vec::new();
    for column in &table.columns {
        let name = quoted(&column.column.name);
        let comment = column.comment.as_ref().map(|c| format!(" COMMENT '{}'", c.replace('\'', "''")));
        let definition = match &column.source {
            ColumnSource::Stored => long_type(&column.column.data_type),
            ColumnSource::Metadata { key, is_virtual } => {
                format!(
                    "{} {}",
                    long_type(&column.column.data_type),
                    metadata(&column.column.name, key, *is_virtual)
                )
            }
            ColumnSource::Computed { text, .. } => {
                format!("AS {}", sql::with_quoted_names(text, table.schema().names()))
            }
        };
        parts.push(format!("  {name} {definition}{}", comment.unwrap_or_default()));
    }
    if let Some(watermark) = &table.watermark {
        let column = quoted(&table.columns[watermark.column].column.name);
        let text = sql::with_quoted_names(&watermark.text, table.schema().names());
        parts.push(format!("  WATERMARK FOR {column} AS {text}"));
    }
    if let Some(key) = &table.primary_key {
        let names: Vec<&str> = key.iter().map(|&k| table.columns[k].column.name.as_str()).collect();
        let columns: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let constraint = quoted(&format!("PK_{}", names.join("_")));
        parts.push(format!("  CONSTRAINT {constraint} PRIMARY KEY ({}) NOT ENFORCED", columns.join(", ")));
    }
    let temporary = if table.temporary { "TEMPORARY " } else { "" };
    let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let comment = table.comment.as_ref().map(|comment| format!("\nCOMMENT {}", literal(comment)));
    let options = table.options.iter().map(|(key, value)| format!("  {} = {}", literal(key), literal(value)));
    let options: Vec<String> = options.collect();
    let with = (!options.is_empty()).then(|| format!("\nWITH (\n{}\n)", options.join(",\n")));
    format!(
        "CREATE {temporary}TABLE `default_catalog`.`default_database`.{} (\n{}\n){}{}",
        quoted(name),
        parts.join(",\n"),
        comment.unwrap_or_default(),
        with.unwrap_or_default()
    )
}

/// The text that makes a view anew, as Flink writes it.
pub(super) fn create_view(name: &str, view: &View) -> String {
    let temporary = if view.temporary { "TEMPORARY " } else { "" };
    let columns: Vec<String> = view.schema.names().map(|name| format!("  {}", quoted(name))).collect();
    format!(
        "CREATE {temporary}VIEW `default_catalog`.`default_database`.{} (\n{}\n)\nAS {}",
        quoted(name),
        columns.join(",\n"),
        view.query.trim()
    )
}

/// A type as SHOW CREATE TABLE writes it, without the short names.
fn long_type(data_type: &DataType) -> String {
    let kind = match &data_type.kind {
        TypeKind::VarChar(length) => format!("VARCHAR({length})"),
        TypeKind::VarBinary(length) => format!("VARBINARY({length})"),
        TypeKind::TimestampLtz(precision) => format!("TIMESTAMP({precision}) WITH LOCAL TIME ZONE"),
        TypeKind::Array(element) => format!("ARRAY<{}>", long_type(element)),
        TypeKind::Multiset(element) => format!("MULTISET<{}>", long_type(element)),
        TypeKind::Map(key, value) => format!("MAP<{}, {}>", long_type(key), long_type(value)),
        TypeKind::Row(fields) => {
            let field = |field: &crate::value::Field| {
                format!("{} {}", quoted(&field.name), long_type(&field.data_type))
            };
            format!("ROW<{}>", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        kind => kind.to_string(),
    };
    if data_type.nullable { kind } else { format!("{kind} NOT NULL") }
}
