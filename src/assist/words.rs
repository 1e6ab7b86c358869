//! Which words can come where.

/// How statements start. A word that has been typed leaves the phrases that go on with it.
#[rustfmt::skip]
pub(super) const STATEMENTS: &[&str] = &[
    "SELECT", "INSERT INTO", "CREATE TABLE", "CREATE VIEW", "EXPLAIN", "DESCRIBE", "SHOW TABLES", "DROP TABLE",
    "DROP VIEW", "SET", "RESET", "WITH", "VALUES", "UPDATE", "DELETE FROM", "TRUNCATE TABLE", "ALTER TABLE",
    "ALTER VIEW", "STOP JOB", "EXECUTE STATEMENT SET BEGIN", "USE", "USE CATALOG", "HELP", "QUIT", "EXIT",
    "CLEAR", "HISTORY",
    "CREATE TABLE IF NOT EXISTS", "CREATE TEMPORARY TABLE", "CREATE TEMPORARY VIEW", "CREATE OR REPLACE VIEW",
    "CREATE VIEW IF NOT EXISTS",
    "DROP TABLE IF EXISTS", "DROP VIEW IF EXISTS", "DROP TEMPORARY TABLE", "DROP TEMPORARY VIEW",
    "EXPLAIN CHANGELOG_MODE", "EXPLAIN PLAN_ADVICE", "EXPLAIN PLAN FOR", "EXPLAIN SELECT", "EXPLAIN INSERT INTO",
    "DESCRIBE FUNCTION",
    "SHOW VIEWS", "SHOW FUNCTIONS", "SHOW JOBS", "SHOW CREATE TABLE", "SHOW CREATE VIEW", "SHOW COLUMNS FROM",
    "SHOW DATABASES", "SHOW CATALOGS", "SHOW CURRENT DATABASE", "SHOW CURRENT CATALOG", "SHOW MODULES",
];

/// What may follow a list of results.
pub(super) const AFTER_SELECT_ITEM: &[&str] =
    &["FROM", "AS", "AND", "OR", "IS NULL", "IS NOT NULL", "UNION ALL"];

/// What may follow a table.
#[rustfmt::skip]
pub(super) const AFTER_RELATION: &[&str] = &[
    "WHERE", "GROUP BY", "JOIN", "LEFT JOIN", "INNER JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN",
    "ORDER BY", "LIMIT", "AS", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "HAVING", "FETCH FIRST",
    "FOR SYSTEM_TIME AS OF", "MATCH_RECOGNIZE", "LATERAL TABLE",
];

/// What EXTRACT takes out of a time.
#[rustfmt::skip]
pub(super) const EXTRACTED: &[&str] = &[
    "YEAR FROM", "QUARTER FROM", "MONTH FROM", "WEEK FROM", "DAY FROM", "DOY FROM", "DOW FROM", "HOUR FROM",
    "MINUTE FROM", "SECOND FROM", "MILLISECOND FROM", "MICROSECOND FROM", "NANOSECOND FROM", "ISODOW FROM",
    "ISOYEAR FROM", "DECADE FROM", "CENTURY FROM", "MILLENNIUM FROM", "EPOCH FROM",
];

/// What may follow a condition.
#[rustfmt::skip]
pub(super) const AFTER_CONDITION: &[&str] = &[
    "AND", "OR", "IS NULL", "IS NOT NULL", "IN", "NOT IN", "LIKE", "NOT LIKE", "BETWEEN", "NOT BETWEEN",
    "GROUP BY", "ORDER BY", "LIMIT", "HAVING", "UNION ALL", "UNION", "JOIN", "LEFT JOIN", "IS TRUE",
    "IS FALSE", "IS DISTINCT FROM", "IS NOT DISTINCT FROM", "SIMILAR TO", "WHERE",
];

/// What may follow the columns of GROUP BY and ORDER BY.
pub(super) const AFTER_GROUP: &[&str] = &["HAVING", "ORDER BY", "LIMIT", "UNION ALL", "UNION"];

/// What may follow the columns of ORDER BY.
pub(super) const AFTER_ORDER: &[&str] = &["ASC", "DESC", "LIMIT", "NULLS FIRST", "NULLS LAST", "FETCH FIRST"];

/// What may stand where a value is wanted.
#[rustfmt::skip]
pub(super) const VALUES: &[&str] = &[
    "CASE", "CAST", "NOT", "NULL", "TRUE", "FALSE", "INTERVAL", "EXISTS", "DATE", "TIMESTAMP",
    "CURRENT_TIMESTAMP", "CURRENT_DATE", "ROW", "ARRAY", "MAP",
];

/// What may follow the value in CASE.
pub(super) const CASE: &[&str] = &["WHEN", "THEN", "ELSE", "END"];

/// The types that a column can have.
#[rustfmt::skip]
pub(super) const TYPES: &[&str] = &[
    "STRING", "INT", "BIGINT", "BOOLEAN", "DOUBLE", "DECIMAL(10, 2)", "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "DATE",
    "TIME", "FLOAT", "SMALLINT", "TINYINT", "VARCHAR", "CHAR", "BYTES", "BINARY", "VARBINARY", "ARRAY<", "MAP<",
    "ROW<", "MULTISET<",
];

/// What may follow the type of a column.
#[rustfmt::skip]
pub(super) const AFTER_TYPE: &[&str] = &["NOT NULL", "PRIMARY KEY NOT ENFORCED", "COMMENT", "NULL", "METADATA FROM", "METADATA VIRTUAL"];

/// What else may stand in the list of columns.
pub(super) const TABLE_PARTS: &[&str] = &["PRIMARY KEY", "WATERMARK FOR", "CONSTRAINT"];

/// Words that start another clause of a query.
#[rustfmt::skip]
pub(super) const CLAUSES: &[&str] = &[
    "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "MINUS", "ON",
    "JOIN", "VALUES", "SET", "WINDOW", "USING", "PARTITION", "OVER", "FETCH", "OFFSET",
];

/// Words that mean something to Flink where they stand, though they are not reserved.
#[rustfmt::skip]
pub(super) const SOFT: &[&str] = &[
    "ASC", "CHANGELOG_MODE", "DESC", "ENFORCED", "ESTIMATED_COST", "EXIT", "EXPLAIN", "IF", "JOB", "JOBS", "KEY",
    "NULLS", "OVERWRITE", "PARTITIONED", "PLAN", "QUIT", "REPLACE", "STOP", "TEMPORARY", "VIEW", "CATALOG",
];
