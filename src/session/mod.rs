//! The library's one door: a session runs statements, owns the catalog, the settings, the running
//! pipelines and the watchers. It does not print and does not know a terminal.

mod alter;
mod change;
mod ddl;
mod dump;
mod engine;
mod error;
mod explain;
mod insert;
mod last;
mod outlets;
mod pipeline;
mod query;
mod replay;
mod response;
mod rewrite;
mod settings;
mod show;
mod table;
mod watch;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use error::Error;
pub use response::{Collected, Command, Header, LogEntry, Outcome, Progress, Receiver, Rows, Watched};
pub use settings::{
    KNOWN, PRINT_TIME_COST, RESULT_MODE, STRICT, SettingError, Settings, VERBOSE, setting_values,
};
pub use table::{FromChangelog, Table, ToChangelog};

use crate::catalog::Catalog;
use crate::changelog::RowKind;
use crate::connect::Streams;
use crate::expr::Context;
use crate::plan::bind::Binder;
use crate::plan::{PlanError, PlanErrorKind};
use crate::sql::{self, Parsed, Statement};
use engine::Engine;

/// Runs statements, one after the other.
pub struct Session {
    engine: Engine,
    settings: Settings,
    /// The kinds of the rows of the next `INSERT … VALUES`.
    kinds: Option<Vec<RowKind>>,
    /// The reserved words, in upper case, that a notice has told about.
    told_words: BTreeSet<String>,
    /// The time, in milliseconds since 1970-01-01 00:00:00 UTC.
    clock: Box<dyn FnMut() -> i64 + Send>,
    interrupted: Arc<AtomicBool>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session without tables, with default settings and the system's clock.
    pub fn new() -> Self {
        Self::with_clock(|| jiff::Timestamp::now().as_millisecond())
    }

    /// A session whose rows arrive at the times that a clock gives, in milliseconds since
    /// 1970-01-01 00:00:00 UTC.
    pub fn with_clock(clock: impl FnMut() -> i64 + Send + 'static) -> Self {
        let interrupted = Arc::new(AtomicBool::new(false));
        Self {
            engine: Engine::new(),
            settings: Settings::default(),
            kinds: None,
            told_words: BTreeSet::new(),
            clock: Box::new(clock),
            interrupted,
        }
    }

    /// Runs one statement, without a semicolon behind it. The changes of a query go to the
    /// receiver as they are made, and if they are not too many the table `_` has them until the next
    /// query; a strict session has no such table.
    ///
    /// # Errors
    /// When the text is no statement, or the statement is refused, or it fails while it runs.
    pub fn execute(&mut self, text: &str, receiver: &mut dyn Receiver) -> Result<Outcome, Error> {
        self.interrupted.store(false, Ordering::Relaxed);
        let kinds = self.kinds.take();
        self.engine.forget_variants();
        if self.settings.strict {
            self.engine.catalog.set_last(None);
        }
        let Parsed { statement, notices } = sql::parse(text)?;
        self.report(&notices, receiver)?;
        let result = self.run(statement, text, kinds.as_deref(), receiver);
        if self.engine.pause().is_some() {
            let arrival = self.now();
            self.engine.follow(arrival);
        }
        let written = self.engine.outlets.close().map_err(|error| Error::Run(error.into()));
        let result = result.and_then(|outcome| written.map(|()| outcome));
        // What has no place of its own is wrong with the statement.
        result
            .map_err(|error| error.or_at(sql::Span::of_bytes(text, 0..text.len())))
            .map_err(|error| self.with_rewrites(with_misread_keyword(error, text), text))
    }

    /// Runs a text of several statements and keeps what the last query gave.
    ///
    /// ```
    /// use rowkind::Session;
    ///
    /// let mut session = Session::new();
    /// let result = session.run_all(
    ///     "CREATE TABLE orders (region STRING);
    ///      INSERT INTO orders VALUES ('EU'), ('EU');
    ///      SELECT region, COUNT(*) AS cnt FROM orders GROUP BY region;",
    /// )?;
    /// let changes: Vec<String> = result.lines().collect();
    /// assert_eq!(changes, ["+I[EU, 1]", "-U[EU, 1]", "+U[EU, 2]"]);
    /// # Ok::<(), rowkind::session::Error>(())
    /// ```
    ///
    /// # Errors
    /// The error of the first statement that fails; those before it stay done.
    pub fn run_all(&mut self, text: &str) -> Result<Collected, Error> {
        let mut collected = Collected::default();
        for piece in sql::Splitter::new(text) {
            if let sql::Item::Statement { text, .. } = piece?.item {
                self.execute(text, &mut collected)?;
            }
        }
        Ok(collected)
    }

    fn run(
        &mut self,
        statement: Statement,
        text: &str,
        kinds: Option<&[RowKind]>,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        match statement {
            Statement::Query(query) => self.query(&query, receiver),
            Statement::Insert(insert) => self.insert(&insert, text, kinds, receiver),
            Statement::StatementSet(inserts) => self.statement_set(&inserts, text, receiver),
            Statement::CreateTable(create) => self.create_table(&create, text, receiver),
            Statement::CreateView(create) => self.create_view(&create, receiver),
            Statement::Drop(drop) => self.drop(&drop),
            Statement::Describe(name) => self.describe(&name),
            Statement::DescribeFunction(name) => Self::describe_function(&name),
            Statement::Show(show) => self.show(&show),
            Statement::Set(None) => Ok(self.show_settings()),
            Statement::Set(Some(setting)) => {
                let set = self.set(&setting.key.value, &setting.value.value);
                let span = Some(setting.value.span);
                if let Some(notice) = set.map_err(|error| Error::Setting { error, span })? {
                    receiver.notice(&notice);
                }
                Ok(Outcome::Done)
            }
            Statement::Reset(key) => {
                self.settings.reset(key.as_ref().map(|key| key.value.as_str()));
                Ok(Outcome::Done)
            }
            Statement::Explain(explain) => self.explain(&explain, receiver),
            Statement::StopJob(id) => self.stop_job(&id),
            Statement::UseDatabase(name) => Self::use_database(&name),
            Statement::UseCatalog(name) => Self::use_catalog(&name),
            Statement::Help => Ok(Outcome::Command(Command::Help)),
            Statement::Quit => Ok(Outcome::Command(Command::Quit)),
            Statement::Clear => Ok(Outcome::Command(Command::Clear)),
            Statement::History => Ok(Outcome::Command(Command::History)),
            Statement::AlterTable(alter) => self.alter_table(&alter),
            Statement::AlterView(alter) => self.alter_view(&alter),
            Statement::Update(update) => self.update(&update, receiver),
            Statement::Delete(delete) => self.delete(&delete, receiver),
            Statement::Truncate(name) => self.truncate(&name, receiver),
        }
    }

    /// The error with what can be written instead of a statement whose operators do not fit together.
    fn with_rewrites(&self, error: Error, text: &str) -> Error {
        let Error::Plan(mut error) = error else { return error };
        if let PlanErrorKind::Mode(mode) = &mut *error.kind {
            let rewrites = rewrite::of(mode, text, &self.engine.catalog, self.settings.strict);
            *mode = mode.clone().with_rewrites(rewrites);
        }
        Error::Plan(error)
    }

    /// Says what was tolerated in a statement, of each reserved word once. A strict session tolerates less.
    fn report(
        &mut self,
        notices: &sql::statement::Notices,
        receiver: &mut dyn Receiver,
    ) -> Result<(), Error> {
        if let Some((word, span)) = notices.reserved_words.first()
            && self.settings.strict
        {
            let problem = format!("\"{word}\" is a reserved word");
            return Err(refused(problem, format!("Write it as `{word}`."), Some(*span)));
        }
        let words = notices.reserved_words.iter().map(|(word, _)| word);
        let new = words.filter(|word| self.told_words.insert(word.to_uppercase()));
        let new: Vec<String> = new.map(|word| format!("`{word}`")).collect();
        if !new.is_empty() {
            let new = new.join(", ");
            receiver.notice(&format!("Flink reserves these names and wants backticks: {new}"));
        }
        if !notices.smart_quotes.is_empty() {
            receiver.notice("typographic quotes were read as '");
        }
        if !notices.hints.is_empty() {
            receiver.notice("hints have no effect here");
        }
        Ok(())
    }

    /// Gives the rows of the next `INSERT … VALUES` these kinds, one for each row.
    pub fn set_kinds(&mut self, kinds: Vec<RowKind>) {
        self.kinds = Some(kinds);
    }

    /// What tables of the connectors `stdin`, `stdout` and `print` read and write. At first there is
    /// no input, and the output is the process's own.
    pub fn streams(&mut self) -> &mut Streams {
        &mut self.engine.outlets.streams
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets a setting, as `SET 'key' = 'value'` does. Returns a notice if it has no effect.
    ///
    /// # Errors
    /// When the key is known and cannot have the value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<Option<String>, SettingError> {
        self.settings.set(key, value)
    }

    /// The tables and views.
    pub fn catalog(&self) -> &Catalog {
        &self.engine.catalog
    }

    /// A flag that stops the running statement when it is set. The next statement clears it.
    pub fn interrupter(&self) -> Arc<AtomicBool> {
        self.interrupted.clone()
    }

    fn now(&mut self) -> i64 {
        (self.clock)()
    }

    /// What expressions may know, at this time.
    fn context(&mut self) -> Context {
        Context { time_zone: self.settings.time_zone.clone(), now: self.now(), watermark: None }
    }

    fn binder(&self, context: &Context) -> Binder<'_> {
        Binder::new(&self.engine.catalog, context.clone(), self.settings.strict)
    }

    /// Binds a statement, tells what is to be known about it, and keeps the tables with other options that
    /// its hints make. Gives the names of the tables and views that it reads, too.
    fn bind<T>(
        &mut self,
        context: &Context,
        receiver: &mut dyn Receiver,
        bind: impl FnOnce(&Binder<'_>) -> Result<T, PlanError>,
    ) -> Result<(T, Vec<String>), PlanError> {
        let binder = self.binder(context);
        let bound = bind(&binder)?;
        binder.take_notices().iter().for_each(|notice| receiver.notice(notice));
        let (reads, variants) = (binder.take_read(), binder.take_variants());
        self.engine.catalog.add_variants(variants);
        Ok((bound, reads))
    }
}

/// The error of the keyword whose misspelling was read as a name, if that is why a name means nothing.
fn with_misread_keyword(error: Error, text: &str) -> Error {
    let Error::Plan(plan_error) = &error else { return error };
    let misread = match &*plan_error.kind {
        PlanErrorKind::NoSuchColumn { .. } => {
            let keyword = sql::misread_keyword(text, sql::Misread::Column);
            keyword.filter(|keyword| plan_error.span == Some(keyword.span))
        }
        PlanErrorKind::NoSuchRelation { .. } | PlanErrorKind::JoinWithoutCondition => {
            sql::misread_keyword(text, sql::Misread::TableAlias)
        }
        _ => None,
    };
    misread.map_or(error, Error::Parse)
}

fn refused(problem: impl Into<String>, hint: impl Into<String>, span: Option<sql::Span>) -> Error {
    Error::Refused { problem: problem.into(), hint: hint.into(), span }
}
