//! A Flink SQL engine for changelogs: any changelog in, any SQL in the middle, any changelog out.
//!
//! A [`Session`] has a catalog of tables, each the log of its changes, and runs statements:
//!
//! ```
//! use rowkind::Session;
//! use rowkind::changelog::RowKind;
//! use rowkind::session::Collected;
//!
//! let mut session = Session::new();
//! let mut results = Collected::default();
//! session.execute("CREATE TABLE orders (id INT, region STRING)", &mut results)?;
//! session.execute("INSERT INTO orders VALUES (1, 'EU'), (2, 'EU')", &mut results)?;
//! session.execute("SELECT region, COUNT(*) AS cnt FROM orders GROUP BY region", &mut results)?;
//!
//! let kinds: Vec<RowKind> = results.changes.iter().map(|change| change.kind).collect();
//! assert_eq!(kinds, [RowKind::Insert, RowKind::UpdateBefore, RowKind::UpdateAfter]);
//! # Ok::<(), rowkind::session::Error>(())
//! ```
//!
//! # The life of a statement
//!
//! 1. [`sql`] splits what was typed into statements and parses each ([`sql::parse`]): a tree of
//!    `sqlparser`, or of our own where Flink has syntax that it lacks.
//! 2. [`session`] decides what to do with it. Statements about the [`catalog`] end here.
//! 3. [`plan::bind`] gives the names of a query their meaning and its expressions their types: a
//!    [`plan::node::Plan`] of relational operators over typed [`expr::Expr`]s.
//! 4. [`plan::passes`] simplify it, as Flink does, so that the changes are Flink's.
//! 5. [`plan::modes`] decide which kinds of changes flow between the operators, or find that no
//!    choice works; then the statement is refused, or helped with a notice. [`plan::determinism`]
//!    finds values that are computed anew where a row is taken back.
//! 6. [`exec::build`] makes a dataflow of it, and the session pushes the log of each table through,
//!    slice by slice, and then what [`connect`] reads of files and streams. Pipelines and watched
//!    queries keep their dataflow and go on with what comes; a connected sink writes it.
//! 7. What comes out goes to a [`session::Receiver`]: the writers of [`render`], or yours.
//!
//! Beside that way stand [`assist`], which knows what may be typed at a cursor, and [`import`], which
//! guesses the table that a file holds.
//!
//! Two laws hold for each operator: what a changelog adds up to is what the query gives on the
//! table that the input adds up to; and it does not matter when the input comes, or in which
//! slices.

pub mod assist;
pub mod catalog;
pub mod changelog;
pub mod connect;
pub mod exec;
pub mod expr;
mod hash_map;
pub mod import;
pub mod plan;
pub mod render;
pub mod session;
pub mod spelling;
pub mod sql;
pub mod value;

pub use session::Session;
