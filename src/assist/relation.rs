//! The tables of a statement that is being typed, and their columns.

use std::ops::Range;

use super::cursor::{Token, closing, commas};
use crate::catalog::{Catalog, Entry};
use crate::sql::LexemeKind;
use crate::value::{DataType, TypeKind};

/// A column, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) data_type: Option<DataType>,
}

/// Something that stands in FROM.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Relation {
    /// The alias, or the name of the table.
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
}

/// The place of a table's name, and whether there is such a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) token: usize,
    pub(super) known: bool,
}

/// Reads the relations of a statement.
pub(super) struct Reader<'a, 't> {
    catalog: &'a Catalog,
    tokens: &'a [Token<'t>],
    /// The queries that WITH names.
    named: Vec<Relation>,
}

/// How deep queries in queries are looked at.
const DEEPEST: usize = 16;

/// Words that cannot be an alias.
#[rustfmt::skip]
const NO_ALIAS: &[&str] = &[
    "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "MINUS", "ON", "JOIN", "LEFT",
    "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "USING", "SET", "SELECT", "FOR", "PARTITION", "FETCH", "WINDOW",
    "MATCH_RECOGNIZE", "TABLESAMPLE", "VALUES", "LATERAL", "FROM", "AS", "OUTER", "SEMI", "ANTI", "WITH",
];

impl<'a, 't> Reader<'a, 't> {
    pub(super) fn new(catalog: &'a Catalog, tokens: &'a [Token<'t>]) -> Self {
        let mut reader = Self { catalog, tokens, named: Vec::new() };
        reader.read_with();
        reader
    }

    /// The relations that can be named at a token: those of the innermost query, then those around it.
    pub(super) fn around(&self, at: usize) -> Vec<Relation> {
        let queries = self.queries(at).into_iter().rev();
        queries.flat_map(|range| self.of_query(self.branch(range, at), 0)).collect()
    }

    /// The relations of the innermost query around a token, in their order.
    pub(super) fn innermost(&self, at: usize) -> Vec<Relation> {
        let query = self.queries(at).pop();
        query.map(|range| self.of_query(self.branch(range, at), 0)).unwrap_or_default()
    }

    /// The queries around a token, the innermost last.
    fn queries(&self, at: usize) -> Vec<Range<usize>> {
        let whole = 0..self.tokens.len();
        let mut ranges = Vec::from([whole]);
        let mut open = Vec::new();
        for (index, token) in self.tokens[..at].iter().enumerate() {
            match token.kind {
                LexemeKind::Symbol(b'(' | b'[') => open.push(index),
                LexemeKind::Symbol(b')' | b']') => {
                    open.pop();
                }
                _ => {}
            }
        }
        for index in open {
            if self.tokens.get(index + 1).is_some_and(|token| token.is_any(&["SELECT", "WITH"])) {
                ranges.push(index + 1..closing(self.tokens, index, self.tokens.len()));
            }
        }
        ranges
    }

    /// Of a query with UNION and the like, the part that has the token in it.
    fn branch(&self, range: Range<usize>, at: usize) -> Range<usize> {
        let mut branch = range.clone();
        let mut depth = 0_usize;
        for index in range {
            let token = &self.tokens[index];
            match token.kind {
                LexemeKind::Symbol(b'(' | b'[') => depth += 1,
                LexemeKind::Symbol(b')' | b']') => depth = depth.saturating_sub(1),
                _ if depth == 0 && token.is_any(&["UNION", "INTERSECT", "EXCEPT", "MINUS"]) => {
                    if index < at {
                        branch.start = index + 1;
                    } else {
                        branch.end = index;
                        break;
                    }
                }
                _ => {}
            }
        }
        branch
    }

    /// Where tables are named in the whole statement, outside of DDL that names new ones.
    pub(super) fn references(&self) -> Vec<Reference> {
        let mut found = Vec::new();
        // For each open bracket, whether a comma in it comes before another table.
        let mut lists = vec![false];
        let mut index = 0;
        while index < self.tokens.len() {
            let token = &self.tokens[index];
            let mut names_table = false;
            match token.kind {
                LexemeKind::Symbol(b'(' | b'[') => lists.push(false),
                LexemeKind::Symbol(b')' | b']') if lists.len() > 1 => {
                    lists.pop();
                }
                LexemeKind::Symbol(b',') => names_table = lists.last() == Some(&true),
                LexemeKind::Word => {
                    let list = lists.last_mut().expect("the outermost list is never closed");
                    if token.is("FROM") {
                        let before = index.checked_sub(1).map(|before| &self.tokens[before]);
                        let after_distinct = before.is_some_and(|before| before.is("DISTINCT"));
                        names_table = !after_distinct && !self.is_in_function_with_from(index);
                        *list = names_table;
                    } else if token.is("JOIN") {
                        names_table = true;
                    } else if token.is("TABLE") {
                        names_table = self.is_table_argument(index);
                    } else if token.is_any(&["INTO", "UPDATE"]) {
                        names_table = index == 0 || !token.is("UPDATE");
                    } else if token.is_any(&[
                        "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "SELECT", "SET", "UNION", "WINDOW",
                    ]) {
                        *list = false;
                    }
                }
                _ => {}
            }
            index += 1;
            if names_table && let Some(next) = self.name_at(index) {
                found.push(next);
            }
        }
        found
    }

    /// `EXTRACT(DAY FROM x)`, `TRIM(a FROM b)` and the like, whose FROM comes before a value.
    fn is_in_function_with_from(&self, from: usize) -> bool {
        let mut depth = 0_usize;
        for index in (0..from).rev() {
            match self.tokens[index].kind {
                LexemeKind::Symbol(b')' | b']') => depth += 1,
                LexemeKind::Symbol(b'(' | b'[') if depth > 0 => depth -= 1,
                LexemeKind::Symbol(b'(') => {
                    let function = index.checked_sub(1).map(|before| &self.tokens[before]);
                    return function
                        .is_some_and(|f| f.is_any(&["EXTRACT", "TRIM", "SUBSTRING", "OVERLAY", "POSITION"]));
                }
                LexemeKind::Symbol(b'[') => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether TABLE comes before the name of a table that is read: as an argument.
    fn is_table_argument(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map(|before| &self.tokens[before]);
        before.is_some_and(|before| {
            matches!(before.kind, LexemeKind::Symbol(b'(' | b',' | b'>')) || before.is("TRUNCATE")
        })
    }

    /// The name of a table at a token, if one is there.
    fn name_at(&self, index: usize) -> Option<Reference> {
        let token = self.tokens.get(index).filter(|token| token.is_name())?;
        if token.is_any(NO_ALIAS) || token.is_any(&["TABLE", "UNNEST", "IF"]) {
            return None;
        }
        let mut last = index;
        while self.tokens.get(last + 1).is_some_and(|token| token.is_symbol(b'.'))
            && self.tokens.get(last + 2).is_some_and(Token::is_name)
        {
            last += 2;
        }
        let is_call = self.tokens.get(last + 1).is_some_and(|token| token.is_symbol(b'('));
        let into = index.checked_sub(1).is_some_and(|before| self.tokens[before].is("INTO"));
        if is_call && !into {
            return None;
        }
        let name = self.tokens[last].name();
        let known = self.catalog.get(&name).is_some()
            || last == index && self.named.iter().any(|relation| relation.name == name);
        Some(Reference { token: last, known })
    }

    /// `WITH a AS (SELECT …), b AS (…)`
    fn read_with(&mut self) {
        let Some(with) = self.tokens.iter().position(|token| token.is("WITH")) else { return };
        let mut index = with + 1;
        while let Some(name) = self.tokens.get(index).filter(|token| token.is_name()) {
            let name = name.name();
            let mut next = index + 1;
            let mut renamed = Vec::new();
            if self.tokens.get(next).is_some_and(|token| token.is_symbol(b'(')) {
                let end = closing(self.tokens, next, self.tokens.len());
                renamed = self.names_in(next + 1..end);
                next = end + 1;
            }
            if !self.tokens.get(next).is_some_and(|token| token.is("AS")) {
                return;
            }
            let open = next + 1;
            if !self.tokens.get(open).is_some_and(|token| token.is_symbol(b'(')) {
                return;
            }
            let end = closing(self.tokens, open, self.tokens.len());
            let columns = rename(self.results(open + 1..end, 0), &renamed);
            self.named.push(Relation { name, columns });
            if !self.tokens.get(end + 1).is_some_and(|token| token.is_symbol(b',')) {
                return;
            }
            index = end + 2;
        }
    }

    fn names_in(&self, range: Range<usize>) -> Vec<String> {
        let range = range.start.min(self.tokens.len())..range.end.min(self.tokens.len());
        self.tokens[range].iter().filter(|token| token.is_name()).map(Token::name).collect()
    }

    /// The relations of a query, which stands in a range of tokens.
    fn of_query(&self, range: Range<usize>, depth: usize) -> Vec<Relation> {
        let mut found = Vec::new();
        let mut is_list = false;
        let mut index = range.start;
        while index < range.end {
            let token = &self.tokens[index];
            let starts = match token.kind {
                LexemeKind::Symbol(b'(' | b'[') => {
                    index = closing(self.tokens, index, range.end) + 1;
                    continue;
                }
                LexemeKind::Symbol(b',') => is_list,
                LexemeKind::Word if token.is("FROM") => {
                    is_list = true;
                    true
                }
                LexemeKind::Word if token.is_any(&["JOIN", "INTO"]) => true,
                LexemeKind::Word if token.is("UPDATE") => index == range.start,
                LexemeKind::Word
                    if token.is_any(&["WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "SELECT", "SET"]) =>
                {
                    is_list = false;
                    false
                }
                _ => false,
            };
            index += 1;
            if starts {
                index = self.factor(index, range.end, depth, &mut found);
            }
        }
        found
    }

    /// Reads a table, a query in parentheses or a call, with its alias. Returns where it ends.
    fn factor(&self, start: usize, end: usize, depth: usize, found: &mut Vec<Relation>) -> usize {
        let mut index = start;
        if index < end && self.tokens[index].is("LATERAL") {
            index += 1;
        }
        let Some(token) = self.tokens.get(index).filter(|_| index < end && depth < DEEPEST) else {
            return index;
        };
        let after_into = start.checked_sub(1).is_some_and(|before| self.tokens[before].is("INTO"));
        let (name, columns, mut next) = if token.is_symbol(b'(') {
            let close = closing(self.tokens, index, end);
            let inside = index + 1..close;
            if self.tokens.get(index + 1).is_some_and(|token| token.is_any(&["SELECT", "WITH", "VALUES"])) {
                (String::new(), self.results(inside, depth + 1), close + 1)
            } else {
                self.factor(inside.start, close, depth + 1, found);
                found.extend(self.of_query(inside, depth + 1));
                return close + 1;
            }
        } else if token.is_name() && !token.is_any(NO_ALIAS) {
            let mut last = index;
            while last + 2 < end && self.tokens[last + 1].is_symbol(b'.') && self.tokens[last + 2].is_name() {
                last += 2;
            }
            let is_call = last + 1 < end && self.tokens[last + 1].is_symbol(b'(');
            if is_call && !after_into {
                let close = closing(self.tokens, last + 1, end);
                (String::new(), self.call(index, last + 1..close, depth), close + 1)
            } else {
                let name = self.tokens[last].name();
                (name.clone(), self.columns_of(&name), last + 1)
            }
        } else {
            return index;
        };
        let mut relation = Relation { name, columns };
        if next < end && self.tokens[next].is("AS") {
            next += 1;
        }
        if next < end && self.tokens[next].is_name() && !self.tokens[next].is_any(NO_ALIAS) && !after_into {
            relation.name = self.tokens[next].name();
            next += 1;
            if next < end && self.tokens[next].is_symbol(b'(') {
                let close = closing(self.tokens, next, end);
                relation.columns = rename(relation.columns, &self.names_in(next + 1..close));
                next = close + 1;
            }
        }
        found.push(relation);
        next
    }

    /// The columns of a table, a view or a query that WITH names.
    pub(super) fn columns_of(&self, name: &str) -> Vec<Column> {
        if let Some(relation) = self.named.iter().find(|relation| relation.name == name) {
            return relation.columns.clone();
        }
        let schema = match self.catalog.get(name) {
            Some(Entry::Table(table)) => table.schema(),
            Some(Entry::View(view)) => view.schema.clone(),
            None => return Vec::new(),
        };
        let column =
            |column: crate::value::Column| Column { name: column.name, data_type: Some(column.data_type) };
        schema.columns.into_iter().map(column).collect()
    }

    /// The columns of a table function's result. The range starts at its parenthesis.
    fn call(&self, function: usize, range: Range<usize>, depth: usize) -> Vec<Column> {
        let name = &self.tokens[function];
        let inside = range.start + 1..range.end;
        if name.is("TABLE") {
            let mut found = Vec::new();
            self.factor(inside.start, inside.end, depth + 1, &mut found);
            return found.into_iter().flat_map(|relation| relation.columns).collect();
        }
        let mut columns = self.input_columns(inside.clone(), depth);
        if name.is("FROM_CHANGELOG") {
            let op = self.op_column(inside);
            columns.retain(|column| column.name != op);
        } else if name.is("TO_CHANGELOG") {
            columns.insert(0, Column { name: self.op_column(inside), data_type: Some(DataType::string()) });
        } else if name.is_any(&["TUMBLE", "HOP", "CUMULATE", "SESSION"]) {
            for name in ["window_start", "window_end", "window_time"] {
                columns.push(Column { name: name.to_owned(), data_type: None });
            }
        }
        columns
    }

    /// The columns of the table that a call in this range reads.
    pub(super) fn input_columns(&self, range: Range<usize>, depth: usize) -> Vec<Column> {
        let range = range.start..range.end.min(self.tokens.len());
        if let Some(name) = self.input_table(range.clone()) {
            return self.columns_of(&name);
        }
        let query = range.clone().find(|&index| {
            self.tokens[index].is("SELECT")
                && index
                    .checked_sub(1)
                    .is_some_and(|before| matches!(self.tokens[before].kind, LexemeKind::Symbol(b'(' | b'>')))
        });
        match query {
            Some(query) if depth < DEEPEST => {
                let open = query - 1;
                let end = if self.tokens[open].is_symbol(b'(') {
                    closing(self.tokens, open, range.end)
                } else {
                    range.end
                };
                self.results(query..end, depth + 1)
            }
            _ => Vec::new(),
        }
    }

    /// The name of the table that a call in this range reads: `TABLE t`.
    pub(super) fn input_table(&self, range: Range<usize>) -> Option<String> {
        let range = range.start..range.end.min(self.tokens.len());
        let table = range.clone().find(|&index| self.tokens[index].is("TABLE"))?;
        let mut last = table + 1;
        let is_name = |index: usize| index < range.end && self.tokens[index].is_name();
        if !is_name(last) {
            return None;
        }
        while last + 1 < range.end && self.tokens[last + 1].is_symbol(b'.') && is_name(last + 2) {
            last += 2;
        }
        Some(self.tokens[last].name())
    }

    /// The name of the column with the code, in a call in this range: `op => DESCRIPTOR(op)`.
    pub(super) fn op_column(&self, range: Range<usize>) -> String {
        let range = range.start..range.end.min(self.tokens.len());
        let words = &self.tokens[range];
        let op = words.windows(6).find(|window| {
            window[0].is("op")
                && window[1].is_symbol(b'=')
                && window[3].is("DESCRIPTOR")
                && window[5].is_name()
        });
        op.map_or_else(|| "op".to_owned(), |window| window[5].name())
    }

    /// The columns that a query gives, as far as its text tells.
    fn results(&self, range: Range<usize>, depth: usize) -> Vec<Column> {
        if depth >= DEEPEST {
            return Vec::new();
        }
        let range = range.start..range.end.min(self.tokens.len());
        let mut level = 0_usize;
        let mut select = None;
        let mut end = range.end;
        for index in range.clone() {
            let token = &self.tokens[index];
            match token.kind {
                LexemeKind::Symbol(b'(' | b'[') => level += 1,
                LexemeKind::Symbol(b')' | b']') => level = level.saturating_sub(1),
                _ if level > 0 => {}
                _ if select.is_none() && token.is("SELECT") => select = Some(index),
                _ if select.is_some() && token.is_any(&["FROM", "UNION", "EXCEPT", "INTERSECT"]) => {
                    end = index;
                    break;
                }
                _ => {}
            }
        }
        let Some(select) = select else { return Vec::new() };
        let relations = self.of_query(self.branch(range, select), depth + 1);
        let mut start = select + 1;
        if self.tokens.get(start).is_some_and(|token| token.is_any(&["DISTINCT", "ALL"])) {
            start += 1;
        }
        let mut columns = Vec::new();
        let mut stops = commas(self.tokens, start..end);
        stops.push(end);
        for stop in stops {
            self.item(start..stop, &relations, &mut columns);
            start = stop + 1;
        }
        columns
    }

    /// The columns of one item of a SELECT list.
    fn item(&self, range: Range<usize>, relations: &[Relation], columns: &mut Vec<Column>) {
        if range.is_empty() {
            return;
        }
        let words = &self.tokens[range];
        let last = &words[words.len() - 1];
        match words {
            [star] if star.is_symbol(b'*') => {
                columns.extend(relations.iter().flat_map(|relation| relation.columns.iter().cloned()));
            }
            [name, dot, star] if dot.is_symbol(b'.') && star.is_symbol(b'*') => {
                let name = name.name();
                let named = relations.iter().filter(|relation| relation.name == name);
                columns.extend(named.flat_map(|relation| relation.columns.iter().cloned()));
            }
            _ if last.is_name() => {
                let name = last.name();
                let is_bare = words.len() == 1 || words.len() == 3 && words[1].is_symbol(b'.');
                let source = relations
                    .iter()
                    .flat_map(|relation| &relation.columns)
                    .find(|column| is_bare && column.name == name);
                columns.push(Column { data_type: source.and_then(|column| column.data_type.clone()), name });
            }
            _ => {}
        }
    }
}

/// The columns with other names, in their order.
fn rename(columns: Vec<Column>, names: &[String]) -> Vec<Column> {
    let mut names = names.iter();
    columns
        .into_iter()
        .map(|column| match names.next() {
            Some(name) => Column { name: name.clone(), ..column },
            None => column,
        })
        .collect()
}

/// The fields of a row type.
pub(super) fn fields(data_type: &DataType) -> Vec<Column> {
    match &data_type.kind {
        TypeKind::Row(fields) => fields
            .iter()
            .map(|field| Column { name: field.name.clone(), data_type: Some(field.data_type.clone()) })
            .collect(),
        _ => Vec::new(),
    }
}
