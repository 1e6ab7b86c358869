//! CREATE and DROP.

use sqlparser::ast::{Ident, ObjectName};

use super::{Error, Outcome, Receiver, Session};
use crate::catalog::Entry;
use crate::plan::PlanErrorKind;
use crate::plan::bind::{Binder, Definition, nearest};
use crate::sql::Span;
use crate::sql::statement::{CreateTable, CreateView, Drop, Relation};

impl Session {
    pub(super) fn create_table(
        &mut self,
        create: &CreateTable,
        text: &str,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        let name = Binder::name(&create.name)?;
        if self.there_already(&name, create.temporary, "CREATE TABLE", create.if_not_exists)? {
            return Ok(Outcome::Done);
        }
        let context = self.context();
        let id = self.engine.catalog.next_table_id();
        let (bound, reads) = self.bind(&context, receiver, |binder| binder.bind_table(create, id))?;
        let Definition { table, query } = bound;
        let Some(query) = query else {
            self.engine.catalog.put(name.value, create.temporary, Entry::Table(Box::new(table)));
            return Ok(Outcome::Done);
        };
        // The query is known to fit before the table is there.
        let plan = self.planned(query.into_table(&name.value, &table), &context, receiver)?;
        let entry = Entry::Table(Box::new(table));
        self.engine.catalog.put(name.value.clone(), create.temporary, entry);
        self.start_pipeline(&plan, text, id, name.value, reads, &context, receiver)
    }

    pub(super) fn create_view(
        &mut self,
        create: &CreateView,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        let name = Binder::name(&create.name)?;
        let replaced = create.or_replace && self.engine.catalog.view(&name.value).is_some();
        if replaced {
            self.check_unused("view", &name)?;
        } else if self.there_already(&name, create.temporary, "CREATE VIEW", create.if_not_exists)? {
            return Ok(Outcome::Done);
        }
        let context = self.context();
        let (view, _) = self.bind(&context, receiver, |binder| binder.bind_view(create))?;
        self.engine.catalog.put(name.value, create.temporary, Entry::View(view));
        Ok(Outcome::Done)
    }

    pub(super) fn drop(&mut self, drop: &Drop) -> Result<Outcome, Error> {
        let name = Binder::name(&drop.name)?;
        let noun = match drop.relation {
            Relation::Table => "table",
            Relation::View => "view",
        };
        let catalog = &self.engine.catalog;
        let temporary =
            drop.temporary || (catalog.contains(&name.value, true) && !catalog.contains(&name.value, false));
        let found = catalog.contains(&name.value, temporary).then(|| catalog.get(&name.value)).flatten();
        match found {
            None if drop.if_exists => return Ok(Outcome::Done),
            None => return Err(self.missing(noun, &name.value, Some(name.span.into()))),
            Some(entry) if entry.noun() != noun => {
                let (name, span) = (name.value, Some(name.span.into()));
                return Err(Error::WrongNoun { name, is: entry.noun(), not: noun, verb: "DROP", span });
            }
            Some(_) => {}
        }
        self.check_unused(noun, &name)?;
        self.engine.catalog.remove(&name.value, temporary);
        Ok(Outcome::Done)
    }

    /// Whether there is something of the name that a statement would make, and that is tolerated.
    pub(super) fn there_already(
        &self,
        name: &Ident,
        temporary: bool,
        statement: &'static str,
        tolerated: bool,
    ) -> Result<bool, Error> {
        if tolerated || !self.engine.catalog.contains(&name.value, temporary) {
            return Ok(self.engine.catalog.contains(&name.value, temporary));
        }
        let noun = self.engine.catalog.get(&name.value).map_or("table", Entry::noun);
        Err(Error::Exists { noun, statement, name: name.value.clone(), span: Some(name.span.into()) })
    }

    /// What a running pipeline or a watcher reads or writes stays.
    pub(super) fn check_unused(&self, noun: &'static str, name: &Ident) -> Result<(), Error> {
        let reads_it = |reads: &[String]| reads.contains(&name.value);
        let id = self.engine.catalog.table(&name.value).map(|table| table.id);
        let jobs = self.engine.jobs.iter().filter(|job| job.dataflow().is_some());
        let origin = |id| self.engine.catalog.origin(id);
        let job = jobs.into_iter().find(|job| reads_it(&job.reads) || Some(origin(job.sink)) == id);
        let watcher = self.engine.watchers.iter().find(|watcher| reads_it(&watcher.reads));
        let id = job.map(|job| job.id);
        let user = match (job, watcher) {
            (Some(job), _) => format!("job {} into \"{}\"", job.id, job.sink_name),
            (None, Some(watcher)) => format!("the watched {}", watcher.name),
            (None, None) => return Ok(()),
        };
        Err(Error::InUse { noun, name: name.value.clone(), user, job: id, span: Some(name.span.into()) })
    }

    pub(super) fn missing(&self, noun: &'static str, name: &str, span: Option<Span>) -> Error {
        let entries = self.engine.catalog.entries();
        let names = entries.filter(|(_, entry)| entry.noun() == noun || noun == "table or view");
        let nearest = nearest(name, names.map(|(name, _)| name));
        Error::Missing { noun, name: name.to_owned(), nearest, span }
    }

    pub(super) fn use_database(name: &ObjectName) -> Result<Outcome, Error> {
        let parts: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
        let (catalogs, database) = parts.split_at(parts.len().saturating_sub(1));
        for catalog in catalogs {
            Self::use_catalog(catalog)?;
        }
        match database {
            [name] if name.value != "default_database" => Err(no_such("database", name)),
            _ => Ok(Outcome::Done),
        }
    }

    pub(super) fn use_catalog(name: &Ident) -> Result<Outcome, Error> {
        match name.value.as_str() {
            "default_catalog" => Ok(Outcome::Done),
            _ => Err(no_such("catalog", name)),
        }
    }
}

fn no_such(what: &'static str, name: &Ident) -> Error {
    PlanErrorKind::NoSuchDatabase { what, name: name.value.clone() }.at(name.span).into()
}
