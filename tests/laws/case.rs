//! Random cases: a query, and a history of the tables that it reads.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::choices::Choices;
use crate::generate::Generator;
use crate::query::Query;
use crate::tables::History;
use crate::text;

/// A query, and a history of the tables that it reads. Shown as a script.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) history: History,
    pub(crate) query: Query,
    pub(crate) sql: String,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}{};", self.history.script(), self.sql)
    }
}

/// What a random case may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) tables: &'static [usize],
    /// Whether the result must not depend on the order in which rows came.
    pub(crate) deterministic: bool,
    /// Whether changes may be read as rows.
    pub(crate) logs: bool,
    /// Whether only what other databases have, too, is used.
    pub(crate) plain: bool,
}

pub(crate) fn cases(scope: Scope) -> impl Strategy<Value = Case> {
    let steps = vec(vec(any::<u8>(), 0..9), 0..24);
    (vec(any::<u8>(), 0..60), any::<u64>(), steps).prop_map(move |(bytes, hoisted, steps)| {
        let mut choices = Choices::new(&bytes);
        let depth = choices.of(&[1, 2, 3, 2]);
        let Scope { tables, deterministic, logs, plain } = scope;
        let query = Generator { choices: &mut choices, tables, deterministic, logs, plain }.query(depth);
        let mut read = query.tables();
        read.sort_unstable();
        read.dedup();
        let sql = text::sql(&query, hoisted);
        Case { history: History::new(&steps, &read), query, sql }
    })
}

/// A thousand cases, or as many as `PROPTEST_CASES` says. What failed once, which a file remembers, is
/// tried first.
pub(crate) fn config(regressions: &'static str) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(1000),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(regressions))),
        ..ProptestConfig::default()
    }
}
