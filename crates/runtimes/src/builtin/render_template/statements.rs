//! Statements, rebuilt. What cannot be bounded is refused.

use minijinja::{
    machinery::ast::{
        AutoEscape, EmitExpr, Expr, ForLoop, IfCond, List, Set, Spanned, Stmt, Template, Var, WithBlock,
    },
    value::Value,
};

use super::expressions::{Rewritten, constant, expression, optional, unsupported};

pub(super) fn statement<'a>(stmt: &Stmt<'a>) -> Rewritten<Stmt<'a>> {
    Ok(match stmt {
        Stmt::Template(s) => {
            Stmt::Template(Spanned::new(Template { children: body(&s.children)? }, s.span()))
        }
        Stmt::EmitExpr(s) => Stmt::EmitExpr(Spanned::new(EmitExpr { expr: expression(&s.expr)? }, s.span())),
        // Text between tags goes through the formatter too, which is where output is counted.
        Stmt::EmitRaw(s) => {
            Stmt::EmitExpr(Spanned::new(EmitExpr { expr: constant(Value::from(s.raw), s.span()) }, s.span()))
        }
        Stmt::ForLoop(s) if s.recursive => return unsupported("a recursive loop", s.span()),
        Stmt::ForLoop(s) => Stmt::ForLoop(Spanned::new(
            ForLoop {
                target: target(&s.target)?,
                iter: expression(&s.iter)?,
                filter_expr: optional(&s.filter_expr)?,
                recursive: false,
                body: body(&s.body)?,
                else_body: body(&s.else_body)?,
            },
            s.span(),
        )),
        Stmt::IfCond(s) => Stmt::IfCond(Spanned::new(
            IfCond {
                expr: expression(&s.expr)?,
                true_body: body(&s.true_body)?,
                false_body: body(&s.false_body)?,
            },
            s.span(),
        )),
        Stmt::WithBlock(s) => {
            let assignments = s
                .assignments
                .iter()
                .map(|(name, value)| Ok((target(name)?, expression(value)?)))
                .collect::<Rewritten<_>>()?;
            Stmt::WithBlock(Spanned::new(WithBlock { assignments, body: body(&s.body)? }, s.span()))
        }
        Stmt::Set(s) => {
            Stmt::Set(Spanned::new(Set { target: target(&s.target)?, expr: expression(&s.expr)? }, s.span()))
        }
        Stmt::AutoEscape(s) => Stmt::AutoEscape(Spanned::new(
            AutoEscape { enabled: expression(&s.enabled)?, body: body(&s.body)? },
            s.span(),
        )),
        Stmt::SetBlock(s) => return unsupported("a `set` block (write `{% set name = value %}`)", s.span()),
        Stmt::FilterBlock(s) => return unsupported("a `filter` block", s.span()),
        Stmt::Do(s) => return unsupported("`do`", s.span()),
    })
}

fn body<'a>(statements: &[Stmt<'a>]) -> Rewritten<Vec<Stmt<'a>>> {
    statements.iter().map(statement).collect()
}

/// Where a value is stored: a name, or several that take a list apart.
fn target<'a>(expr: &Expr<'a>) -> Rewritten<Expr<'a>> {
    match expr {
        Expr::Var(e) => Ok(Expr::Var(Spanned::new(Var { id: e.id }, e.span()))),
        Expr::List(e) => {
            let items = e.items.iter().map(target).collect::<Rewritten<_>>()?;
            Ok(Expr::List(Spanned::new(List { items }, e.span())))
        }
        other => unsupported("storing into part of a value", other.span()),
    }
}
