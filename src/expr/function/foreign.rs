//! Functions of other databases, and what Flink has for them.

/// Names in upper case, each with what gives the same here, as a sentence. Names that are almost those of
/// Flink's own function, such as `STARTS_WITH`, need no line, unless another one is as near.
#[rustfmt::skip]
const INSTEAD: &[(&[&str], &str)] = &[
    // Text
    (&["LENGTH", "LEN", "CHARLENGTH", "STRLEN"], "Use CHAR_LENGTH(text)."),
    (&["UCASE", "TOUPPER"], "Use UPPER(text)."),
    (&["LCASE", "TOLOWER"], "Use LOWER(text)."),
    (&["PROPER"], "Use INITCAP(text)."),
    (&["MID"], "Use SUBSTRING(text, start, length)."),
    (&["STRPOS", "CHARPOS", "INDEX_OF"], "Use INSTR(text, part)."),
    (&["CHARINDEX"], "Use LOCATE(part, text)."),
    (&["CONTAINS", "STR_CONTAINS"], "Use INSTR(text, part) > 0."),
    (&["SPLIT_PART", "SUBSTRING_INDEX"], "Use SPLIT_INDEX(text, separator, index), which counts from 0."),
    (&["STRING_SPLIT", "STRING_TO_ARRAY", "STR_SPLIT", "STRTOK_TO_ARRAY"], "Use SPLIT(text, separator)."),
    (&["REPLICATE"], "Use REPEAT(text, times)."),
    (&["SPACE"], "Use REPEAT(' ', times)."),
    (&["STUFF"], "Use OVERLAY(text PLACING part FROM start FOR length)."),
    (&["FORMAT", "FORMAT_STRING", "SPRINTF"], "Use PRINTF(format, values)."),
    (&["CHAR", "NCHAR"], "Use CHR(number)."),
    (&["ORD", "UNICODE"], "Use ASCII(text)."),
    (&["REGEXP_LIKE", "REGEXP_MATCHES", "REGEXP_CONTAINS", "RLIKE"], "Use REGEXP(text, pattern)."),
    (&["REGEXP_MATCH"], "Use REGEXP_EXTRACT(text, pattern, group)."),
    (&["TO_HEX"], "Use HEX(value)."),
    (&["FROM_HEX"], "Use UNHEX(text)."),
    (&["BASE64", "BASE64_ENCODE"], "Use TO_BASE64(text)."),
    (&["UNBASE64", "BASE64_DECODE"], "Use FROM_BASE64(text)."),
    (&["SHA"], "Use SHA1(text)."),
    (&["NEWID", "GEN_RANDOM_UUID", "GENERATE_UUID", "SYS_GUID"], "Use UUID()."),
    // NULL and conditions
    (&["NVL"], "Use IFNULL(value, other)."),
    (&["ISNULL"], "Use value IS NULL, or IFNULL(value, other) for another value."),
    (&["ZEROIFNULL"], "Use COALESCE(number, 0)."),
    (&["NULLIFZERO"], "Use NULLIF(number, 0)."),
    (&["NVL2"], "Use IF(value IS NOT NULL, one, other)."),
    (&["IIF", "IFF"], "Use IF(condition, one, other)."),
    (&["CHOOSE"], "Use ELT(number, one, other)."),
    // Conversion
    (&["SAFE_CAST", "TRY_CONVERT"], "Use TRY_CAST(value AS type)."),
    (&["CONVERT", "TO_NUMBER", "TO_DECIMAL", "TO_VARCHAR", "TO_STRING", "STR", "SAFE_CONVERT"],
        "Use CAST(value AS type)."),
    (&["INT", "INTEGER", "SMALLINT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL", "NUMERIC", "BOOLEAN", "STRING",
        "VARCHAR", "TEXT", "DATE", "TIME", "TIMESTAMP"], "Use CAST(value AS type)."),
    (&["PG_TYPEOF", "DATA_TYPE"], "Use TYPEOF(value)."),
    // Time
    (&["DATEDIFF", "DATE_DIFF", "TIMESTAMP_DIFF", "DATETIME_DIFF", "TIME_DIFF", "AGE", "MONTHS_BETWEEN"],
        "Use TIMESTAMPDIFF(DAY, from, to)."),
    (&["DATEADD", "DATE_ADD", "DATE_SUB", "ADDDATE", "SUBDATE", "ADD_MONTHS", "TIMESTAMP_ADD",
        "TIMESTAMP_SUB"], "Use TIMESTAMPADD(DAY, number, time)."),
    (&["TO_CHAR", "STRFTIME", "FORMAT_DATE", "FORMAT_TIMESTAMP", "FORMAT_DATETIME", "TIME_FORMAT"],
        "Use DATE_FORMAT(time, 'yyyy-MM-dd HH:mm:ss'), or CAST(number AS STRING)."),
    (&["STR_TO_DATE", "STRPTIME", "PARSE_TIMESTAMP", "PARSE_DATETIME", "PARSE_DATE", "TO_DATETIME"],
        "Use TO_TIMESTAMP(text, 'yyyy-MM-dd HH:mm:ss')."),
    (&["DATE_PART", "DATEPART"], "Use EXTRACT(DAY FROM time)."),
    (&["DATE_TRUNC", "DATETRUNC", "TIMESTAMP_TRUNC", "DATETIME_TRUNC", "TIME_TRUNC", "TIME_BUCKET"],
        "Use FLOOR(time TO DAY)."),
    (&["DAY"], "Use DAYOFMONTH(time)."),
    (&["WEEKOFYEAR", "ISOWEEK"], "Use WEEK(date)."),
    (&["WEEKDAY", "DOW"], "Use DAYOFWEEK(time)."),
    (&["DAYNAME", "DATENAME"], "Use DATE_FORMAT(time, 'EEEE')."),
    (&["MONTHNAME"], "Use DATE_FORMAT(time, 'MMMM')."),
    (&["GETDATE", "SYSDATE", "SYSTIMESTAMP", "CURRENT_DATETIME", "GETUTCDATE", "CLOCK_TIMESTAMP"],
        "Use NOW()."),
    (&["CURDATE", "TODAY"], "Use CURRENT_DATE."),
    (&["CURTIME"], "Use CURRENT_TIME."),
    (&["EPOCH", "TO_UNIXTIME", "TO_UNIX_TIMESTAMP", "UNIX_SECONDS"], "Use UNIX_TIMESTAMP(text)."),
    (&["TIMESTAMP_MILLIS", "EPOCH_MS", "FROM_UNIX_TIMESTAMP"], "Use TO_TIMESTAMP_LTZ(number, 3)."),
    // Numbers
    (&["POW", "SQUARE"], "Use POWER(base, exponent)."),
    (&["TRUNC"], "Use TRUNCATE(number, digits), or FLOOR(time TO DAY)."),
    (&["RANDOM", "DBMS_RANDOM"], "Use RAND()."),
    (&["SIGNUM"], "Use SIGN(number)."),
    // Collections and JSON
    (&["ARRAY_LENGTH", "ARRAY_SIZE", "MAP_SIZE", "SIZE", "LIST_LENGTH"], "Use CARDINALITY(array)."),
    (&["ARRAY_TO_STRING", "LIST_TO_STRING"], "Use ARRAY_JOIN(array, separator)."),
    (&["LIST_CONTAINS", "ARRAY_HAS"], "Use ARRAY_CONTAINS(array, value)."),
    (&["EXPLODE", "FLATTEN", "POSEXPLODE"], "Use FROM t CROSS JOIN UNNEST(t.array)."),
    (&["JSON_EXTRACT", "JSON_EXTRACT_SCALAR", "JSON_EXTRACT_STRING", "JSON_EXTRACT_PATH",
        "JSON_EXTRACT_PATH_TEXT", "GET_JSON_OBJECT"],
        "Use JSON_VALUE(json, '$.path'), or JSON_QUERY(json, '$.path') for an array or an object."),
    (&["TO_JSON", "TO_JSONB", "ROW_TO_JSON"], "Use JSON_STRING(value)."),
    (&["JSON_BUILD_OBJECT", "JSONB_BUILD_OBJECT"], "Use JSON_OBJECT('key' VALUE value)."),
    (&["JSON_BUILD_ARRAY", "JSONB_BUILD_ARRAY"], "Use JSON_ARRAY(values)."),
    // Aggregates
    (&["STRING_AGG", "GROUP_CONCAT", "WM_CONCAT"], "Use LISTAGG(text, separator)."),
    (&["ANY_VALUE", "ARBITRARY", "FIRST"], "Use FIRST_VALUE(value)."),
    (&["LAST"], "Use LAST_VALUE(value)."),
    (&["LIST", "GROUP_ARRAY", "COLLECT_LIST", "ARRAYAGG", "ARRAY_CONCAT_AGG"], "Use ARRAY_AGG(value)."),
    (&["COLLECT_SET"], "Use ARRAY_AGG(DISTINCT value)."),
    (&["JSON_AGG", "JSONB_AGG", "JSON_GROUP_ARRAY"], "Use JSON_ARRAYAGG(value)."),
    (&["JSONB_OBJECT_AGG", "JSON_GROUP_OBJECT"], "Use JSON_OBJECTAGG(key VALUE value)."),
    (&["APPROX_COUNT_DISTINCT", "COUNT_DISTINCT", "NDV", "UNIQ"], "Use COUNT(DISTINCT value)."),
    (&["COUNT_IF", "COUNTIF"], "Use COUNT(*) FILTER (WHERE condition)."),
    (&["SUM_IF", "SUMIF"], "Use SUM(value) FILTER (WHERE condition)."),
    (&["BOOL_AND", "EVERY", "LOGICAL_AND"], "Use COUNT(*) FILTER (WHERE NOT condition) = 0."),
    (&["BOOL_OR", "LOGICAL_OR"], "Use COUNT(*) FILTER (WHERE condition) > 0."),
    (&["MEDIAN"], "Use PERCENTILE(value, 0.5)."),
    (&["PERCENTILE_CONT", "PERCENTILE_DISC", "QUANTILE", "QUANTILE_CONT", "APPROX_PERCENTILE"],
        "Use PERCENTILE(value, fraction)."),
    (&["MAX_BY", "MIN_BY", "ARG_MAX", "ARG_MIN"],
        "Number the rows with ROW_NUMBER() OVER (… ORDER BY …) in a sub-query, and keep the first."),
];

/// What to use instead of a function that other databases have, as a sentence.
pub(in crate::expr) fn instead_of(name: &str) -> Option<&'static str> {
    let is_named = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    INSTEAD.iter().find(|(names, _)| is_named(names)).map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{aggregate, function};

    fn exists(name: &str) -> bool {
        function::find(name).is_some() || aggregate::is_aggregate(name)
    }

    #[test]
    fn no_function_of_flink_is_a_foreign_one_and_no_name_is_there_twice() {
        let mut seen = std::collections::BTreeSet::new();
        for name in INSTEAD.iter().flat_map(|(names, _)| *names) {
            assert!(!exists(name), "{name} exists");
            assert!(seen.insert(name), "{name} is there twice");
        }
    }

    #[test]
    fn what_is_to_be_used_instead_exists() {
        const SYNTAX: [&str; 6] = ["CAST", "TRY_CAST", "UNNEST", "ROW_NUMBER", "FILTER", "OVER"];
        for (names, hint) in INSTEAD {
            for (before, _) in hint.match_indices('(').map(|(at, _)| hint.split_at(at)) {
                let called = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap();
                assert!(
                    called.is_empty() || exists(called) || SYNTAX.contains(&called),
                    "{names:?}: {called} of {hint} does not exist"
                );
            }
        }
    }
}
