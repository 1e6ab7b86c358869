//! The Table API: the two changelog functions as methods.

use std::fmt::Write;

use super::{Collected, Error, Outcome, Session};

/// A table that is worked on with methods instead of SQL. Each method makes a query of the one
/// before.
///
/// ```
/// use rowkind::Session;
/// use rowkind::session::{FromChangelog, ToChangelog};
///
/// let mut session = Session::new();
/// session.run_all(
///     "CREATE TABLE dynamodb_cdc (eventName STRING, `user` STRING, age INT);
///      INSERT INTO dynamodb_cdc VALUES ('INSERT', 'ana', 30), ('MODIFY', 'ana', 31), ('REMOVE', 'ana', 31);
///      CREATE TABLE debezium_cdc (op STRING, `user` STRING, age INT);",
/// )?;
/// let users = session.table("dynamodb_cdc")?.partition_by(["user"]).from_changelog(
///     FromChangelog::new()
///         .op("eventName")
///         .op_mapping([("INSERT", "INSERT"), ("MODIFY", "UPDATE_AFTER"), ("REMOVE", "DELETE")]),
/// );
/// users
///     .to_changelog(ToChangelog::new().op("op").op_mapping([("INSERT", "c"), ("UPDATE_AFTER", "u"), ("DELETE", "d")]))
///     .insert_into(&mut session, "debezium_cdc")?;
/// let log: Vec<String> = session.log("debezium_cdc")?.lines().collect();
/// assert_eq!(log, ["+I[c, ana, 30]", "+I[u, ana, 31]", "+I[d, ana, 31]"]);
/// # Ok::<(), rowkind::session::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    query: String,
    partition: Vec<String>,
    order: Option<String>,
}

/// The arguments of `FROM_CHANGELOG` beside its input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FromChangelog {
    arguments: Vec<String>,
}

/// The arguments of `TO_CHANGELOG` beside its input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToChangelog {
    arguments: Vec<String>,
}

impl Session {
    /// A table or view by its name.
    ///
    /// # Errors
    /// When there is none.
    pub fn table(&self, name: &str) -> Result<Table, Error> {
        if self.catalog().get(name).is_none() {
            return Err(self.missing("table or view", name, None));
        }
        Ok(Table { query: format!("SELECT * FROM {}", quoted(name)), partition: Vec::new(), order: None })
    }

    /// The result of a query, as a table.
    pub fn sql_query(&self, query: &str) -> Table {
        Table { query: query.to_owned(), partition: Vec::new(), order: None }
    }
}

impl Table {
    /// The key by which the next function's input is partitioned.
    #[must_use]
    pub fn partition_by<'a>(mut self, columns: impl IntoIterator<Item = &'a str>) -> Self {
        self.partition = columns.into_iter().map(quoted).collect();
        self
    }

    /// The time attribute by which the next function's input is ordered.
    #[must_use]
    pub fn order_by(mut self, column: &str) -> Self {
        self.order = Some(quoted(column));
        self
    }

    /// The table that the operation codes of this append-only table describe.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "arguments are written where they are passed")]
    pub fn from_changelog(self, arguments: FromChangelog) -> Self {
        self.call("FROM_CHANGELOG", &arguments.arguments)
    }

    /// The changes of this table, as rows with operation codes.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "arguments are written where they are passed")]
    pub fn to_changelog(self, arguments: ToChangelog) -> Self {
        self.call("TO_CHANGELOG", &arguments.arguments)
    }

    fn call(self, function: &str, arguments: &[String]) -> Self {
        let mut query = format!("SELECT * FROM {function}(input => ({})", self.query);
        if !self.partition.is_empty() {
            let _ = write!(query, " PARTITION BY ({})", self.partition.join(", "));
        }
        if let Some(order) = self.order {
            let _ = write!(query, " ORDER BY {order}");
        }
        for argument in arguments {
            let _ = write!(query, ", {argument}");
        }
        query.push(')');
        Self { query, partition: Vec::new(), order: None }
    }

    /// The SQL of the table.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Starts a pipeline that writes the table into another one.
    ///
    /// # Errors
    /// Those of `INSERT INTO … SELECT`.
    pub fn insert_into(&self, session: &mut Session, sink: &str) -> Result<Outcome, Error> {
        let statement = format!("INSERT INTO {} {}", quoted(sink), self.query);
        session.execute(&statement, &mut Collected::default())
    }

    /// The changes of the table that are there now.
    ///
    /// # Errors
    /// Those of the query.
    pub fn execute(&self, session: &mut Session) -> Result<Collected, Error> {
        let mut collected = Collected::default();
        session.execute(&self.query, &mut collected)?;
        Ok(collected)
    }
}

impl FromChangelog {
    /// No arguments: the column `op` holds `INSERT`, `UPDATE_BEFORE`, `UPDATE_AFTER` or `DELETE`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The column that holds the operation code.
    #[must_use]
    pub fn op(mut self, column: &str) -> Self {
        self.arguments.push(format!("op => DESCRIPTOR({})", quoted(column)));
        self
    }

    /// Codes, or comma-separated lists of codes, with their operations.
    #[must_use]
    pub fn op_mapping<'a>(mut self, entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        self.arguments.push(mapping(entries));
        self
    }

    /// Leaves rows with NULL or unmapped codes out, instead of failing.
    #[must_use]
    pub fn skip_errors(mut self) -> Self {
        self.arguments.push("error_handling => 'SKIP'".to_owned());
        self
    }
}

impl ToChangelog {
    /// No arguments: the column `op` gets `INSERT`, `UPDATE_BEFORE`, `UPDATE_AFTER` or `DELETE`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the column that gets the operation code.
    #[must_use]
    pub fn op(mut self, column: &str) -> Self {
        self.arguments.push(format!("op => DESCRIPTOR({})", quoted(column)));
        self
    }

    /// Operations, or comma-separated lists of operations, with their codes.
    #[must_use]
    pub fn op_mapping<'a>(mut self, entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        self.arguments.push(mapping(entries));
        self
    }

    /// Whether deletes carry the whole row.
    #[must_use]
    pub fn produces_full_deletes(mut self, full: bool) -> Self {
        self.arguments.push(format!("produces_full_deletes => {}", if full { "TRUE" } else { "FALSE" }));
        self
    }
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn mapping<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let entries: Vec<String> =
        entries.into_iter().map(|(key, value)| format!("{}, {}", literal(key), literal(value))).collect();
    format!("op_mapping => MAP[{}]", entries.join(", "))
}
