//! Jinja templates, on a budget.
//!
//! minijinja counts instructions but not bytes: `{% set x = x ~ x %}` forty times over would take a terabyte. So the
//! syntax tree is rewritten before it is compiled: whatever can make a value larger (`+`, `*`, `~`, lists, slices,
//! comparisons, filters, output) becomes a call to a function of ours that keeps accounts.

mod budget;
mod expressions;
mod filters;
mod growing;
mod guard;
mod operators;
mod predicates;
mod render;
mod statements;
mod tool;

pub(super) use tool::RenderTemplate;
pub(crate) use {render::check, tool::fill};
