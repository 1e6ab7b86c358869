//! Words with a meaning of their own.

/// Flink's reserved words, sorted: the words that its parser does not take as a name without backticks.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "ABS", "ALL", "ALLOCATE", "ALLOW", "ALTER", "AND", "ANY", "ARE", "ARRAY", "ARRAY_CONCAT_AGG",
    "ARRAY_MAX_CARDINALITY", "AS", "ASENSITIVE", "ASYMMETRIC", "AT", "ATOMIC", "AUTHORIZATION", "AVG",
    "BEGIN", "BEGIN_FRAME", "BEGIN_PARTITION", "BETWEEN", "BIGINT", "BINARY", "BIT", "BITMAP", "BLOB",
    "BOOLEAN", "BOTH", "BUCKETS", "BY", "BYTES", "CALL", "CALLED", "CARDINALITY", "CASCADED", "CASE",
    "CAST", "CATALOGS", "CEIL", "CEILING", "CHAR", "CHARACTER", "CHARACTER_LENGTH", "CHAR_LENGTH", "CHECK",
    "CLASSIFIER", "CLOB", "CLOSE", "COALESCE", "COLLATE", "COLLECT", "COLUMN", "COMMENT", "COMMIT",
    "CONDITION", "CONNECT", "CONNECTIONS", "CONSTRAINT", "CONTAINS", "CONTAINS_SUBSTR", "CONTINUOUS",
    "CONVERT", "CORR", "CORRESPONDING", "COUNT", "COVAR_POP", "COVAR_SAMP", "CREATE", "CROSS", "CUBE",
    "CUME_DIST", "CURRENT", "CURRENT_CATALOG", "CURRENT_DATE", "CURRENT_DEFAULT_TRANSFORM_GROUP",
    "CURRENT_PATH", "CURRENT_ROLE", "CURRENT_ROW", "CURRENT_SCHEMA", "CURRENT_TIME", "CURRENT_TIMESTAMP",
    "CURRENT_TRANSFORM_GROUP_FOR_TYPE", "CURRENT_USER", "CURSOR", "CYCLE", "DATABASES", "DATE", "DATETIME",
    "DATETIME_TRUNC", "DATE_TRUNC", "DAY", "DEALLOCATE", "DEC", "DECIMAL", "DECLARE", "DEFAULT", "DEFINE",
    "DELETE", "DENSE_RANK", "DEREF", "DESCRIBE", "DETERMINISTIC", "DISALLOW", "DISCONNECT", "DISTINCT",
    "DISTRIBUTED", "DISTRIBUTION", "DOT", "DOUBLE", "DROP", "DYNAMIC", "EACH", "ELEMENT", "ELSE", "EMPTY",
    "END", "END_FRAME", "END_PARTITION", "EQUALS", "ESCAPE", "EVERY", "EXCEPT", "EXEC", "EXECUTE",
    "EXISTS", "EXP", "EXPLAIN", "EXTEND", "EXTENDED", "EXTERNAL", "EXTRACT", "FALSE", "FETCH", "FILTER",
    "FIRST_VALUE", "FLOAT", "FLOOR", "FOR", "FOREIGN", "FRAME_ROW", "FREE", "FRESHNESS", "FRIDAY", "FROM",
    "FULL", "FUNCTION", "FUNCTIONS", "FUSION", "GET", "GLOBAL", "GRANT", "GROUP", "GROUPING", "GROUPS",
    "GROUP_CONCAT", "HASH", "HAVING", "HOLD", "HOUR", "IDENTITY", "ILIKE", "IMPORT", "IN", "INCLUDE",
    "INDICATOR", "INITIAL", "INNER", "INOUT", "INSENSITIVE", "INSERT", "INT", "INTEGER", "INTERSECT",
    "INTERSECTION", "INTERVAL", "INTO", "IS", "JOIN", "JSON_ARRAY", "JSON_ARRAYAGG", "JSON_EXISTS",
    "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_QUERY", "JSON_SCOPE", "JSON_VALUE", "LAG", "LANGUAGE", "LARGE",
    "LAST_VALUE", "LATERAL", "LEAD", "LEADING", "LEFT", "LIKE", "LIKE_REGEX", "LIMIT", "LN", "LOCAL",
    "LOCALTIME", "LOCALTIMESTAMP", "LOWER", "MATCH", "MATCHES", "MATCH_NUMBER", "MATCH_RECOGNIZE",
    "MATERIALIZED", "MAX", "MEASURES", "MEMBER", "MERGE", "METHOD", "MIN", "MINUS", "MINUTE", "MOD",
    "MODELS", "MODIFIES", "MODIFY", "MODULE", "MODULES", "MONDAY", "MONTH", "MULTISET", "NATIONAL",
    "NATURAL", "NCHAR", "NCLOB", "NEW", "NEXT", "NO", "NONE", "NORMALIZE", "NOT", "NTH_VALUE", "NTILE",
    "NULL", "NULLIF", "NUMERIC", "OCCURRENCES_REGEX", "OCTET_LENGTH", "OF", "OFFSET", "OLD", "OMIT", "ON",
    "ONE", "ONLY", "OPEN", "OR", "ORDER", "ORDINAL", "OUT", "OUTER", "OVER", "OVERLAPS", "OVERLAY",
    "PARAMETER", "PARTITION", "PATTERN", "PER", "PERCENT", "PERCENTILE_CONT", "PERCENTILE_DISC",
    "PERCENT_RANK", "PERIOD", "PERMUTE", "PIVOT", "PORTION", "POSITION", "POSITION_REGEX", "POWER",
    "PRECEDES", "PRECISION", "PREPARE", "PREV", "PRIMARY", "PROCEDURE", "PROCEDURES", "QUALIFY",
    "QUARTERS", "RANGE", "RANK", "RAW", "READS", "REAL", "RECURSIVE", "REF", "REFERENCES", "REFERENCING",
    "REFRESH", "REFRESH_MODE", "REGR_AVGX", "REGR_AVGY", "REGR_COUNT", "REGR_INTERCEPT", "REGR_R2",
    "REGR_SLOPE", "REGR_SXX", "REGR_SXY", "REGR_SYY", "RELEASE", "RENAME", "RESET", "RESULT", "RESUME",
    "RETURN", "RETURNS", "REVOKE", "RIGHT", "RLIKE", "ROLLBACK", "ROLLUP", "ROW", "ROWS", "ROW_NUMBER",
    "RUNNING", "SAFE_CAST", "SAFE_OFFSET", "SAFE_ORDINAL", "SATURDAY", "SAVEPOINT", "SCALA", "SCOPE",
    "SCROLL", "SEARCH", "SECOND", "SEEK", "SELECT", "SENSITIVE", "SEPARATOR", "SESSION_USER", "SET",
    "SHOW", "SIMILAR", "SKIP", "SMALLINT", "SOME", "SPECIFIC", "SPECIFICTYPE", "SQL", "SQLEXCEPTION",
    "SQLSTATE", "SQLWARNING", "SQRT", "START", "STATEMENT", "STATIC", "STDDEV_POP", "STDDEV_SAMP",
    "STREAM", "STRING", "STRING_AGG", "STRUCTURED", "SUBMULTISET", "SUBSET", "SUBSTRING",
    "SUBSTRING_REGEX", "SUCCEEDS", "SUM", "SUNDAY", "SUSPEND", "SYMMETRIC", "SYSTEM", "SYSTEM_TIME",
    "SYSTEM_USER", "TABLE", "TABLES", "TABLESAMPLE", "THEN", "THURSDAY", "TIME", "TIMESTAMP",
    "TIMESTAMP_DIFF", "TIMESTAMP_LTZ", "TIMESTAMP_TRUNC", "TIMEZONE_HOUR", "TIMEZONE_MINUTE", "TIME_DIFF",
    "TIME_TRUNC", "TINYINT", "TO", "TRAILING", "TRANSLATE", "TRANSLATE_REGEX", "TRANSLATION", "TREAT",
    "TRIGGER", "TRIM", "TRIM_ARRAY", "TRUE", "TRUNCATE", "TRY_CAST", "TUESDAY", "UESCAPE", "UNION",
    "UNIQUE", "UNKNOWN", "UNNEST", "UNPIVOT", "UPDATE", "UPPER", "UPSERT", "USE", "USER", "USING", "VALUE",
    "VALUES", "VALUE_OF", "VARBINARY", "VARCHAR", "VARIANT", "VARYING", "VAR_POP", "VAR_SAMP",
    "VERSIONING", "VIEWS", "WATERMARK", "WATERMARKS", "WEDNESDAY", "WEEKS", "WHEN", "WHENEVER", "WHERE",
    "WIDTH_BUCKET", "WINDOW", "WITH", "WITHIN", "WITHOUT", "YEAR",
];

/// Reserved words that start a clause or join operands, sorted. They are never taken for a name, since the
/// rest of the statement would then be read wrongly.
#[rustfmt::skip]
const CLAUSES: &[&str] = &[
    "ALL", "AND", "AS", "BETWEEN", "BY", "CASE", "CROSS", "DISTINCT", "ELSE", "END", "EXCEPT", "EXISTS",
    "FETCH", "FOR", "FROM", "FULL", "GROUP", "HAVING", "IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS",
    "JOIN", "LATERAL", "LEFT", "LIKE", "LIMIT", "MATCH_RECOGNIZE", "MINUS", "NATURAL", "NOT", "ON", "OR",
    "ORDER", "OUTER", "QUALIFY", "RIGHT", "SELECT", "SIMILAR", "TABLESAMPLE", "THEN", "UNION", "USING",
    "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
];

/// Reserved words that may follow an operand or a table, sorted. They can name a column, but are not
/// taken for an alias without AS.
#[rustfmt::skip]
const FOLLOWERS: &[&str] = &[
    "COMMENT", "DEFINE", "MEASURES", "OFFSET", "OVER", "PARTITION", "PATTERN", "PIVOT", "RANGE", "ROWS",
    "SET", "TABLE", "UNNEST", "UNPIVOT", "WITHIN",
];

/// Whether Flink wants backticks around the word if it is a name.
pub fn is_reserved(word: &str) -> bool {
    contains(RESERVED, word)
}

/// Whether the word cannot be a name without backticks, even where reserved words are tolerated.
pub(super) fn is_clause(word: &str) -> bool {
    contains(CLAUSES, word)
}

/// Whether the word continues a query after an operand, so that it cannot be an alias without AS.
pub(super) fn follows_operand(word: &str) -> bool {
    is_clause(word) || contains(FOLLOWERS, word)
}

fn contains(words: &[&str], word: &str) -> bool {
    let compare = |other: &&str| {
        let upper = word.bytes().map(|b| b.to_ascii_uppercase());
        other.bytes().cmp(upper)
    };
    words.binary_search_by(compare).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_clauses_are_reserved() {
        for list in [RESERVED, CLAUSES, FOLLOWERS] {
            assert!(list.is_sorted());
        }
        assert!(CLAUSES.iter().chain(FOLLOWERS).all(|word| is_reserved(word)));
    }

    #[test]
    fn reserved_words_are_flinks() {
        for word in ["user", "Value", "timestamp", "raw", "order", "DATE", "year"] {
            assert!(is_reserved(word), "{word}");
        }
        for word in ["op", "name", "type", "status", "key", "id", "message", "ts", "cnt"] {
            assert!(!is_reserved(word), "{word}");
        }
    }
}
