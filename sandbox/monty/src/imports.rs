//! Finds imports of modules that the interpreter does not have, before anything runs.

use std::collections::BTreeSet;

use ruff_python_ast::{
    Stmt,
    visitor::{Visitor, walk_stmt},
};

pub(crate) struct Missing {
    pub(crate) module: String,
    pub(crate) line: usize,
}

/// The first import of a module that is not there. The code has been compiled: its nesting is bounded.
pub(crate) fn missing(code: &str) -> Option<Missing> {
    let parsed = ruff_python_parser::parse_module(code).ok()?;
    let known = monty::builtin_module_names().into_iter().filter_map(|name| name.split('.').next()).collect();
    let mut search = Search { known, found: None };
    search.visit_body(parsed.suite());
    let (module, offset) = search.found?;
    let line = code.get(..offset).map_or(1, |before| before.matches('\n').count() + 1);
    Some(Missing { module, line })
}

struct Search {
    known: BTreeSet<&'static str>,
    found: Option<(String, usize)>,
}

impl Search {
    fn note(&mut self, module: &str, offset: usize) {
        let top = module.split('.').next().unwrap_or(module);
        // A future import is for the parser alone.
        if self.found.is_none() && top != "__future__" && !self.known.contains(top) {
            self.found = Some((module.chars().take(100).collect(), offset));
        }
    }
}

impl<'a> Visitor<'a> for Search {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.note(alias.name.as_str(), import.range.start().to_usize());
                }
            }
            Stmt::ImportFrom(import) => {
                if let Some(module) = &import.module {
                    self.note(module.as_str(), import.range.start().to_usize());
                }
            }
            _ => walk_stmt(self, statement),
        }
    }
}
