//! Where the cursor is in a statement, and what may come there.

use super::cursor::{Cursor, Token, Typing};
use super::offer::{Completion, Offers, Sort};
use super::relation::{Column, Reader, Relation, fields};
use super::{all_functions, words};
use crate::Session;
use crate::catalog::Entry;
use crate::plan::changelog_function;
use crate::sql::{LexemeKind, is_reserved};

/// The cursor in its statement, with all that is known around it.
pub(super) struct Place<'a> {
    pub(super) session: &'a Session,
    pub(super) cursor: Cursor<'a>,
    pub(super) offers: Offers,
    /// Whether nothing but a query or the name of a relation can stand here.
    only_query: bool,
}

impl<'a> Place<'a> {
    pub(super) fn new(session: &'a Session, cursor: Cursor<'a>, only_query: bool) -> Self {
        let offers = Offers::new(&cursor);
        Self { session, cursor, offers, only_query }
    }

    pub(super) fn complete(mut self) -> Completion {
        self.fill();
        self.offers.finish()
    }

    pub(super) fn reader(&self) -> Reader<'_, 'a> {
        Reader::new(self.session.catalog(), &self.cursor.tokens)
    }

    /// Whether the token that comes `n` places before the cursor is one of these words.
    pub(super) fn back_is(&self, n: usize, words: &[&str]) -> bool {
        self.cursor.back(n).is_some_and(|token| token.is_any(words))
    }

    fn fill(&mut self) {
        let brackets = self.cursor.open_brackets();
        let first = self.cursor.tokens.first();
        if self.cursor.at > 0
            && !self.only_query
            && first.is_some_and(|first| first.is_any(&["SET", "RESET"]))
        {
            self.setting();
            return;
        }
        if self.is_job() {
            for id in self.session.running_jobs() {
                self.offers.text(&id.to_string());
            }
            return;
        }
        if let Some(&bracket) = brackets.last()
            && self.in_bracket(bracket, brackets.len())
        {
            return;
        }
        if self.cursor.typing == Typing::Text {
            return;
        }
        if self.cursor.back(1).is_some_and(|token| token.is_symbol(b'.')) {
            self.qualified();
        } else if self.only_query && self.cursor.at == 0 {
            self.offers.keywords(&["SELECT", "WITH", "VALUES", "TABLE"]);
            self.relations(true, true);
        } else if !self.new_name() && !self.relation() && (self.only_query || !self.statement()) {
            self.clause(self.start_of_bracket());
        }
    }

    /// The first token in the innermost bracket, or of the statement.
    pub(super) fn start_of_bracket(&self) -> usize {
        self.cursor.open_brackets().last().map_or(0, |bracket| bracket + 1)
    }

    fn is_job(&self) -> bool {
        self.back_is(1, &["JOB"]) && self.back_is(2, &["STOP"])
    }

    /// What the bracket around the cursor calls for. Returns whether that is all.
    fn in_bracket(&mut self, bracket: usize, depth: usize) -> bool {
        let before = bracket.checked_sub(1).map(|index| self.cursor.tokens[index].clone());
        let is_before = |words: &[&str]| before.as_ref().is_some_and(|token| token.is_any(words));
        if self.cursor.tokens[bracket].is_symbol(b'[') {
            return is_before(&["MAP"]) && self.mapping(bracket);
        }
        let creates = self.cursor.tokens.first().is_some_and(|token| token.is("CREATE"));
        let alters = self.cursor.tokens.first().is_some_and(|token| token.is("ALTER"));
        if is_before(&["WITH"]) && creates || is_before(&["SET", "RESET"]) && alters {
            self.option(bracket);
            return true;
        }
        if is_before(&["FROM_CHANGELOG", "TO_CHANGELOG"]) {
            return self.changelog_argument(bracket);
        }
        if is_before(&["DESCRIPTOR"]) {
            self.descriptor(bracket);
            return true;
        }
        if is_before(&["CAST", "TRY_CAST"]) && self.back_is(1, &["AS"]) {
            self.offers.keywords(words::TYPES);
            return true;
        }
        if is_before(&["EXTRACT"]) && bracket + 1 == self.cursor.at {
            self.offers.keywords(words::EXTRACTED);
            return true;
        }
        if is_before(&["EXTRACT"]) && bracket + 2 == self.cursor.at {
            self.offers.keyword("FROM");
            return true;
        }
        if is_before(&["USING"]) {
            self.common_columns();
            return true;
        }
        if creates && self.in_definition(bracket, depth) {
            return true;
        }
        if depth == 1 && self.is_column_list(bracket) {
            let name = before.as_ref().map(Token::name).unwrap_or_default();
            let columns = self.reader().columns_of(&name);
            self.offers.names(Sort::Column, columns.iter().map(|column| column.name.as_str()));
            return true;
        }
        false
    }

    /// `INSERT INTO t (…)`, up to where the query starts.
    fn is_column_list(&self, bracket: usize) -> bool {
        let Some(into) = bracket.checked_sub(2) else { return false };
        self.cursor.tokens[into].is_any(&["INTO", "OVERWRITE"])
    }

    /// Behind a point: the columns of a table or the fields of a column.
    fn qualified(&mut self) {
        let mut names = Vec::new();
        let mut n = 1;
        while self.cursor.back(n).is_some_and(|token| token.is_symbol(b'.'))
            && let Some(name) = self.cursor.back(n + 1).filter(|token| token.is_name())
        {
            names.push(name.name());
            n += 2;
        }
        let Some(first) = names.pop() else { return };
        let relations = self.reader().around(self.cursor.at);
        let relation = relations.iter().find(|relation| relation.name == first);
        let mut columns = if let Some(relation) = relation {
            relation.columns.clone()
        } else {
            let all: Vec<Column> = relations.iter().flat_map(|r| r.columns.clone()).collect();
            fields_of(&all, &first)
        };
        while let Some(name) = names.pop() {
            columns = fields_of(&columns, &name);
        }
        self.offers.names(Sort::Column, columns.iter().map(|column| column.name.as_str()));
    }

    /// The name of a table or view. Returns whether one is wanted here.
    fn relation(&mut self) -> bool {
        let at = self.cursor.at;
        let before = |n: usize, words: &[&str]| self.back_is(n, words);
        let drops = self.cursor.tokens.first().is_some_and(|token| token.is_any(&["DROP", "ALTER", "SHOW"]));
        let after_if_exists = before(1, &["EXISTS"]) && before(2, &["IF"]);
        let noun = if after_if_exists { 3 } else { 1 };
        let is_table = before(noun, &["TABLE"]);
        if drops && (is_table || before(noun, &["VIEW"])) {
            self.relations(is_table, !is_table);
            if !after_if_exists && self.cursor.tokens[0].is("DROP") {
                self.offers.keyword("IF EXISTS");
            }
            return true;
        }
        if before(1, &["FUNCTION"]) && before(2, &["DESCRIBE", "DESC"]) {
            self.functions();
            return true;
        }
        if before(1, &["DESCRIBE", "DESC"]) && at == 1 {
            self.relations(true, true);
            self.offers.keyword("FUNCTION");
            return true;
        }
        if before(1, &["INTO", "OVERWRITE"]) || before(1, &["UPDATE"]) && at == 1 {
            self.relations(true, false);
            return true;
        }
        if before(1, &["TABLE"]) && before(2, &["TRUNCATE"]) {
            self.relations(true, false);
            return true;
        }
        if before(1, &["TABLE"]) && at == 1 {
            self.relations(true, true);
            return true;
        }
        let argument = before(1, &["TABLE"])
            && self
                .cursor
                .back(2)
                .is_some_and(|token| matches!(token.kind, LexemeKind::Symbol(b'(' | b',' | b'>')));
        if argument || before(1, &["JOIN"]) || self.is_after_from() {
            let deletes = before(2, &["DELETE"]);
            self.named_queries();
            self.relations(true, !deletes);
            if !argument && !deletes {
                self.table_functions();
            }
            return true;
        }
        false
    }

    /// Behind FROM, or behind a comma in its list.
    fn is_after_from(&self) -> bool {
        let before = self.cursor.before();
        let mut depth = 0_usize;
        for (index, token) in before.iter().enumerate().rev() {
            let is_last = index + 1 == before.len();
            match token.kind {
                LexemeKind::Symbol(b')' | b']') => depth += 1,
                LexemeKind::Symbol(b'(' | b'[') if depth > 0 => depth -= 1,
                LexemeKind::Symbol(b'(' | b'[') => return false,
                LexemeKind::Symbol(b',') if is_last => {}
                _ if is_last && !token.is("FROM") => return false,
                _ if depth == 0 && token.is("FROM") => {
                    let bracket = self.cursor.open_brackets().last().copied();
                    let function = bracket.and_then(|bracket| bracket.checked_sub(1));
                    let after_distinct = index > 0 && before[index - 1].is("DISTINCT");
                    return !after_distinct
                        && !function
                            .is_some_and(|f| before[f].is_any(&["EXTRACT", "TRIM", "SUBSTRING", "OVERLAY"]));
                }
                _ if depth == 0 && token.is_any(words::CLAUSES) && !token.is_any(&["JOIN", "ON"]) => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    fn relations(&mut self, tables: bool, views: bool) {
        for (name, entry) in self.session.catalog().entries() {
            match entry {
                Entry::Table(_) if tables => self.offers.name(Sort::Table, name),
                Entry::View(_) if views => self.offers.name(Sort::View, name),
                Entry::Table(_) | Entry::View(_) => {}
            }
        }
    }

    /// The queries that WITH names.
    fn named_queries(&mut self) {
        let tokens = &self.cursor.tokens;
        let names: Vec<String> = tokens
            .windows(3)
            .enumerate()
            .filter(|(index, window)| {
                let starts = index.checked_sub(1).is_none_or(|before| tokens[before].is_symbol(b','));
                let with = *index > 0 && tokens[index - 1].is("WITH");
                (starts || with) && window[0].is_name() && window[1].is("AS") && window[2].is_symbol(b'(')
            })
            .filter(|_| tokens.first().is_some_and(|token| !token.is("CREATE")) || tokens.len() > 3)
            .map(|(_, window)| window[0].name())
            .collect();
        if tokens.iter().any(|token| token.is("WITH")) {
            self.offers.names(Sort::View, names.iter().map(String::as_str));
        }
    }

    fn table_functions(&mut self) {
        for (name, ..) in changelog_function::FUNCTIONS {
            self.offers.function(name, true);
        }
        self.offers.function("UNNEST", true);
        self.offers.keyword("LATERAL TABLE");
    }

    fn functions(&mut self) {
        for name in super::function_names() {
            self.offers.function(name, false);
        }
    }

    /// How a statement starts. Returns whether one can start here.
    fn statement(&mut self) -> bool {
        let start = self.start_of_query();
        let before = &self.cursor.before()[start..];
        let is_inner = start > 0;
        if !before.iter().all(|token| token.kind == LexemeKind::Word) {
            return false;
        }
        let starts = |phrase: &&&str| {
            let words: Vec<&str> = phrase.split(' ').collect();
            words.len() > before.len() && before.iter().zip(&words).all(|(token, word)| token.is(word))
        };
        let fitting: Vec<&str> = words::STATEMENTS.iter().filter(starts).copied().collect();
        for phrase in &fitting {
            if is_inner && !phrase.starts_with("SELECT") && !phrase.starts_with("INSERT") && *phrase != "WITH"
            {
                continue;
            }
            let rest: Vec<&str> = phrase.split(' ').skip(before.len()).collect();
            self.offers.keyword(&rest.join(" "));
        }
        !fitting.is_empty()
    }

    /// Where the statement or query starts that EXPLAIN, AS or BEGIN has before it.
    fn start_of_query(&self) -> usize {
        let before = self.cursor.before();
        if let [.., last] = before
            && last.is_any(&["AS", "BEGIN"])
            && before[0].is_any(&["CREATE", "EXECUTE"])
            && !before.iter().any(|token| token.is("SELECT"))
            && self.cursor.open_brackets().is_empty()
        {
            return before.len();
        }
        if let [explain, mode, ..] = before
            && explain.is("EXPLAIN")
            && mode.is_any(&["CHANGELOG_MODE", "ESTIMATED_COST", "PLAN_ADVICE", "JSON_EXECUTION_PLAN"])
        {
            return 2;
        }
        if let [explain, plan, mode, ..] = before
            && explain.is("EXPLAIN")
            && plan.is("PLAN")
            && mode.is("FOR")
        {
            return 3;
        }
        0
    }

    /// Somewhere in a clause of a query that starts at a token.
    fn clause(&mut self, start: usize) {
        let clause = self.last_clause(start);
        let Some(last) = self.cursor.back(1).cloned() else { return };
        let ended = ends_operand(&last);
        if let Some(interval) = self.cursor.back(2)
            && interval.is("INTERVAL")
            && last.kind == LexemeKind::Text
        {
            let units =
                ["SECOND", "MINUTE", "HOUR", "DAY", "MONTH", "YEAR", "DAY TO SECOND", "YEAR TO MONTH"];
            self.offers.keywords(&units);
            return;
        }
        let over = start >= 2 && self.cursor.tokens[start - 2].is("OVER");
        if over && (last.is_symbol(b'(') || ended) {
            self.following(&["PARTITION BY", "ORDER BY", "ROWS BETWEEN", "RANGE BETWEEN"]);
        }
        if self.is_in_case(start) && (ended || last.is("CASE")) {
            self.offers.keywords(words::CASE);
        }
        match clause.as_deref() {
            Some("SELECT") if ended => {
                self.following(words::AFTER_SELECT_ITEM);
                if last.is_symbol(b')') {
                    self.following(&["OVER", "FILTER"]);
                }
            }
            Some("FROM" | "JOIN" | "USING")
                if ended || last.is_any(&["LEFT", "RIGHT", "FULL", "INNER", "CROSS"]) =>
            {
                if clause.as_deref() == Some("JOIN") && ended && !self.joins_without_condition() {
                    self.offers.keywords(&["ON", "USING ("]);
                }
                self.following(words::AFTER_RELATION);
            }
            Some("WHERE" | "ON" | "HAVING") if ended || last.is_any(&["IS", "NOT"]) => {
                self.following(words::AFTER_CONDITION);
            }
            Some("GROUP") if last.is("GROUP") => self.offers.keyword("BY"),
            Some("ORDER") if last.is("ORDER") => self.offers.keyword("BY"),
            Some("PARTITION") if last.is("PARTITION") => self.offers.keyword("BY"),
            Some("GROUP") if ended => self.following(words::AFTER_GROUP),
            Some("ORDER") if ended || last.is_any(&["NULLS", "ASC", "DESC"]) => {
                self.following(words::AFTER_ORDER);
            }
            Some("PARTITION") if ended => self.following(&["ORDER BY"]),
            Some("UNION" | "INTERSECT" | "EXCEPT") => {
                self.offers.keyword("ALL");
                self.offers.keyword("SELECT");
            }
            Some("LIMIT" | "FETCH" | "OFFSET") => {}
            Some("VALUES") => self.offers.keywords(words::VALUES),
            Some("SET") if last.is("SET") || last.is_symbol(b',') => {
                let relations = self.reader().around(self.cursor.at);
                self.columns(&relations);
            }
            Some("SET") if ended => self.following(&["WHERE", "AND", "OR"]),
            Some(clause) => {
                let selects = clause == "SELECT";
                let after_select = selects && last.is("SELECT");
                if last.is("ON") {
                    self.join_conditions();
                }
                self.expression();
                if after_select {
                    self.offers.keyword("DISTINCT");
                }
                if clause == "GROUP" {
                    self.offers.keywords(&["ROLLUP", "CUBE", "GROUPING SETS"]);
                }
            }
            None if last.is_symbol(b'(') => {
                self.offers.keyword("SELECT");
                self.expression();
            }
            None if start > 0 => self.expression(),
            None => self.after_definition(),
        }
    }

    /// What may follow the head of a statement that is no query.
    fn after_definition(&mut self) {
        let Some(first) = self.cursor.tokens.first() else { return };
        if first.is_any(&["INSERT"]) {
            self.following(&["VALUES", "SELECT"]);
        } else if first.is("UPDATE") {
            self.offers.keyword("SET");
        } else if first.is("SHOW") {
            self.following(&["LIKE", "NOT LIKE", "FROM"]);
        } else if first.is("CREATE") {
            self.after_create();
        } else if first.is("ALTER") {
            self.following(&["RENAME TO", "ADD", "MODIFY", "DROP", "SET", "RESET", "AS SELECT"]);
        } else if first.is("EXPLAIN") {
            self.following(&["SELECT", "INSERT INTO"]);
        }
    }

    fn following(&mut self, phrases: &[&str]) {
        self.offers.phrases(phrases, self.cursor.before());
    }

    /// The clause in which the cursor stands, among the tokens from `start` on.
    pub(super) fn last_clause(&self, start: usize) -> Option<String> {
        let mut depth = 0_usize;
        for token in self.cursor.before()[start..].iter().rev() {
            match token.kind {
                LexemeKind::Symbol(b')' | b']') => depth += 1,
                LexemeKind::Symbol(b'(' | b'[') => depth = depth.saturating_sub(1),
                LexemeKind::Word if depth == 0 && token.is_any(words::CLAUSES) => {
                    return Some(token.text.to_uppercase());
                }
                _ => {}
            }
        }
        None
    }

    fn is_in_case(&self, start: usize) -> bool {
        let mut cases = 0_usize;
        for token in &self.cursor.before()[start..] {
            if token.is("CASE") {
                cases += 1;
            } else if token.is("END") {
                cases = cases.saturating_sub(1);
            }
        }
        cases > 0
    }

    /// A value: columns, then what can qualify one, then functions and keywords.
    fn expression(&mut self) {
        let relations = self.reader().around(self.cursor.at);
        self.columns(&relations);
        if relations.len() > 1 || !self.offers.is_blank() {
            for relation in relations.iter().filter(|relation| !relation.name.is_empty()) {
                self.offers.name(Sort::Table, &relation.name);
            }
        }
        if relations.is_empty() && !self.offers.is_blank() {
            self.every_column();
        }
        if !self.offers.is_blank() {
            let mut functions: Vec<(&str, bool)> =
                all_functions().map(|(name, syntax)| (name, syntax.contains('('))).collect();
            functions.sort_unstable();
            functions.dedup_by_key(|(name, _)| *name);
            for (name, has_arguments) in functions {
                self.offers.function(name, has_arguments);
            }
        }
        self.offers.keywords(words::VALUES);
    }

    fn columns(&mut self, relations: &[Relation]) {
        for column in relations.iter().flat_map(|relation| &relation.columns) {
            self.offers.name(Sort::Column, &column.name);
        }
    }

    /// Before FROM is typed any table's columns may be meant.
    fn every_column(&mut self) {
        for (_, entry) in self.session.catalog().entries() {
            let schema = match entry {
                Entry::Table(table) => table.schema(),
                Entry::View(view) => view.schema.clone(),
            };
            self.offers.names(Sort::Column, schema.names());
        }
    }
}

fn fields_of(columns: &[Column], name: &str) -> Vec<Column> {
    let column = columns.iter().find(|column| column.name == name);
    column.and_then(|column| column.data_type.as_ref()).map(fields).unwrap_or_default()
}

/// Whether a value or a name ends with a token, so that no other can follow.
fn ends_operand(token: &Token<'_>) -> bool {
    match token.kind {
        LexemeKind::Symbol(symbol) => matches!(symbol, b')' | b']' | b'*'),
        LexemeKind::Word => {
            !is_reserved(token.text)
                || token.is_any(&["NULL", "TRUE", "FALSE", "END", "CURRENT_TIMESTAMP", "CURRENT_DATE", "ROW"])
        }
        LexemeKind::Name | LexemeKind::Text | LexemeKind::Number => true,
        LexemeKind::DoubleQuoted | LexemeKind::Comment => false,
    }
}
