//! Operators in the words of the query.

use super::join::JoinKind;
use super::node::{Op, OverCall, Plan};
use crate::value::Schema;

/// The names of columns.
pub(super) fn named(columns: &[usize], schema: &Schema) -> String {
    let name = |&column: &usize| match schema.columns[column].name.as_str() {
        // What is computed for an operator has no name of its own.
        name if name.starts_with('$') => "…",
        name => name,
    };
    columns.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// What of a query an operator stands for.
pub(super) fn in_words(plan: &Plan) -> String {
    let names = |columns: &[usize]| named(columns, &plan.input().schema);
    match &plan.op {
        Op::Scan(scan) => format!("table \"{}\"", scan.name),
        Op::Aggregate(aggregate) if aggregate.keys.is_empty() => "the aggregation".to_owned(),
        Op::Aggregate(aggregate) if aggregate.calls.is_empty() => {
            format!("DISTINCT or GROUP BY {}", names(&aggregate.keys))
        }
        Op::Aggregate(aggregate) => format!("GROUP BY {}", names(&aggregate.keys)),
        Op::Rank(rank) if rank.from_limit => "ORDER BY … LIMIT".to_owned(),
        Op::Rank(rank) => {
            let partition = match &rank.partition[..] {
                [] => String::new(),
                partition => format!("PARTITION BY {} ", names(partition)),
            };
            let order = rank.order.iter().map(|key| key.column).collect::<Vec<_>>();
            format!("ROW_NUMBER() OVER ({partition}ORDER BY {})", names(&order))
        }
        Op::Deduplicate(dedup) => {
            format!(
                "ROW_NUMBER() OVER (PARTITION BY {} ORDER BY {})",
                names(&dedup.key),
                names(&[dedup.time])
            )
        }
        Op::Limit { .. } => "LIMIT".to_owned(),
        Op::Sort { .. } => "ORDER BY without LIMIT".to_owned(),
        Op::Over(over) => {
            let functions: Vec<&str> = over.calls.iter().map(name_of).collect();
            let order: Vec<usize> = over.order.iter().map(|key| key.column).collect();
            let partition = match &over.partition[..] {
                [] => String::new(),
                partition => format!("PARTITION BY {} ", names(partition)),
            };
            format!("{} OVER ({partition}ORDER BY {})", functions.join(", "), names(&order))
        }
        Op::Unnest(_) => "UNNEST".to_owned(),
        Op::Expand(_) => "GROUPING SETS".to_owned(),
        Op::Union => "UNION".to_owned(),
        Op::Values(_) => "VALUES".to_owned(),
        Op::Join(join) => match join.kind {
            JoinKind::Inner => "the join",
            JoinKind::Left => "the LEFT JOIN",
            JoinKind::Right => "the RIGHT JOIN",
            JoinKind::Full => "the FULL JOIN",
            JoinKind::Semi => "IN or EXISTS",
            JoinKind::Anti => "NOT IN or NOT EXISTS",
        }
        .to_owned(),
        Op::FromChangelog(_) => "FROM_CHANGELOG".to_owned(),
        Op::ToChangelog(_) => "TO_CHANGELOG".to_owned(),
        // What makes changes of full rows of upserts stands for the table.
        Op::ChangelogNormalize { .. } | Op::Calc(_) | Op::Watermark { .. } | Op::DropUpdateBefore => {
            in_words(plan.input())
        }
        Op::Sink(sink) if sink.table.is_none() => "the result of the query".to_owned(),
        Op::Sink(sink) => format!("table \"{}\"", sink.name),
    }
}

fn name_of(call: &OverCall) -> &'static str {
    match call {
        OverCall::RowNumber => "ROW_NUMBER()",
        OverCall::Lag { offset: ..0, .. } => "LEAD(…)",
        OverCall::Lag { .. } => "LAG(…)",
    }
}
