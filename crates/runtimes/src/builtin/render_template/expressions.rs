//! Expressions, rebuilt with calls where something could grow.

use minijinja::{
    machinery::{
        Span,
        ast::{
            BinOp, BinOpKind, Call, CallArg, Const, Expr, Filter, GetAttr, GetItem, IfExpr, Spanned, Test,
            UnaryOp, UnaryOpKind, Var,
        },
    },
    value::Value,
};

/// Names of the functions that stand in for operators. No template can spell them.
pub(super) const ADD: &str = "\0add";
pub(super) const MULTIPLY: &str = "\0multiply";
pub(super) const CONCAT: &str = "\0concat";
pub(super) const LIST: &str = "\0list";
pub(super) const MAP: &str = "\0map";
pub(super) const SLICE: &str = "\0slice";

pub(super) type Rewritten<T> = Result<T, String>;

pub(super) fn expression<'a>(expr: &Expr<'a>) -> Rewritten<Expr<'a>> {
    Ok(match expr {
        Expr::Var(e) => Expr::Var(Spanned::new(Var { id: e.id }, e.span())),
        Expr::Const(e) => constant(e.value.clone(), e.span()),
        Expr::Slice(e) => {
            if e.step.is_some() {
                return unsupported("a step in a slice (the filter `reverse` turns a list around)", e.span());
            }
            let end = |end: &Option<Expr<'a>>| {
                optional(end).map(|end| end.unwrap_or_else(|| constant(Value::from(()), e.span())))
            };
            call(SLICE, vec![expression(&e.expr)?, end(&e.start)?, end(&e.stop)?], e.span())
        }
        Expr::UnaryOp(e) => {
            let op = if matches!(e.op, UnaryOpKind::Neg) { UnaryOpKind::Neg } else { UnaryOpKind::Not };
            Expr::UnaryOp(Spanned::new(UnaryOp { op, expr: expression(&e.expr)? }, e.span()))
        }
        Expr::BinOp(e) => binary(e)?,
        Expr::Compare(e) => return unsupported("a chain of comparisons (join them with `and`)", e.span()),
        Expr::IfExpr(e) => Expr::IfExpr(Spanned::new(
            IfExpr {
                test_expr: expression(&e.test_expr)?,
                true_expr: expression(&e.true_expr)?,
                false_expr: optional(&e.false_expr)?,
            },
            e.span(),
        )),
        Expr::Filter(e) => Expr::Filter(Spanned::new(
            Filter { name: e.name, expr: optional(&e.expr)?, args: arguments(&e.args, e.span())? },
            e.span(),
        )),
        Expr::Test(e) => test(e.name, expression(&e.expr)?, arguments(&e.args, e.span())?, e.span()),
        Expr::GetAttr(e) => {
            Expr::GetAttr(Spanned::new(GetAttr { expr: expression(&e.expr)?, name: e.name }, e.span()))
        }
        Expr::GetItem(e) => Expr::GetItem(Spanned::new(
            GetItem { expr: expression(&e.expr)?, subscript_expr: expression(&e.subscript_expr)? },
            e.span(),
        )),
        // The library would divide by the number of values.
        Expr::Call(e)
            if e.args.is_empty() && matches!(&e.expr, Expr::GetAttr(callee) if callee.name == "cycle") =>
        {
            return unsupported("`cycle` without values", e.span());
        }
        Expr::Call(e) => Expr::Call(Spanned::new(
            Call { expr: expression(&e.expr)?, args: arguments(&e.args, e.span())? },
            e.span(),
        )),
        Expr::List(e) => call(LIST, expressions(&e.items)?, e.span()),
        Expr::Tuple(e) => call(LIST, expressions(&e.items)?, e.span()),
        Expr::Map(e) => {
            let mut pairs = Vec::with_capacity(2 * e.keys.len());
            for (key, value) in e.keys.iter().zip(&e.values) {
                pairs.push(expression(key)?);
                pairs.push(expression(value)?);
            }
            call(MAP, pairs, e.span())
        }
    })
}

fn binary<'a>(e: &Spanned<BinOp<'a>>) -> Rewritten<Expr<'a>> {
    let (left, right, span) = (expression(&e.left)?, expression(&e.right)?, e.span());
    // Comparisons read all of both sides, so they become tests, which are paid for.
    let as_test = |name| Ok(name);
    let name: Result<&'static str, &'static str> = match e.op {
        BinOpKind::Add => Err(ADD),
        BinOpKind::Mul => Err(MULTIPLY),
        BinOpKind::Concat => Err(CONCAT),
        BinOpKind::Eq => as_test("eq"),
        BinOpKind::Ne => as_test("ne"),
        BinOpKind::Lt => as_test("lt"),
        BinOpKind::Lte => as_test("le"),
        BinOpKind::Gt => as_test("gt"),
        BinOpKind::Gte => as_test("ge"),
        BinOpKind::In => as_test("in"),
        // The rest only works on numbers, or chooses one of its sides.
        op => return Ok(Expr::BinOp(Spanned::new(BinOp { op, left, right }, span))),
    };
    Ok(match name {
        Ok(name) => test(name, left, vec![CallArg::Pos(right)], span),
        Err(function) => call(function, vec![left, right], span),
    })
}

fn arguments<'a>(args: &[CallArg<'a>], span: Span) -> Rewritten<Vec<CallArg<'a>>> {
    args.iter()
        .map(|arg| match arg {
            CallArg::Pos(value) => Ok(CallArg::Pos(expression(value)?)),
            CallArg::Kwarg(name, value) => Ok(CallArg::Kwarg(name, expression(value)?)),
            CallArg::PosSplat(_) | CallArg::KwargSplat(_) => {
                unsupported("a list or map spread into arguments", span)
            }
        })
        .collect()
}

fn expressions<'a>(items: &[Expr<'a>]) -> Rewritten<Vec<Expr<'a>>> {
    items.iter().map(expression).collect()
}

pub(super) fn optional<'a>(expr: &Option<Expr<'a>>) -> Rewritten<Option<Expr<'a>>> {
    expr.as_ref().map(expression).transpose()
}

pub(super) fn constant<'a>(value: Value, span: Span) -> Expr<'a> {
    Expr::Const(Spanned::new(Const { value }, span))
}

fn test<'a>(name: &'a str, expr: Expr<'a>, args: Vec<CallArg<'a>>, span: Span) -> Expr<'a> {
    Expr::Test(Spanned::new(Test { name, expr, args }, span))
}

fn call<'a>(function: &'static str, args: Vec<Expr<'a>>, span: Span) -> Expr<'a> {
    let function = Expr::Var(Spanned::new(Var { id: function }, span));
    Expr::Call(Spanned::new(
        Call { expr: function, args: args.into_iter().map(CallArg::Pos).collect() },
        span,
    ))
}

pub(super) fn unsupported<T>(what: &str, span: Span) -> Rewritten<T> {
    Err(format!("line {}: {what} is not supported", span.start_line))
}
