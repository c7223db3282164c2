//! The shapes of loops: what they run over, what they make, and how each turn is paid for.

use cel::{
    common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue, operators as op},
    parser::Expression,
};

use super::meter::{Cost, tick};

/// A variable, a part of one, or a list of such and of literals.
pub(super) fn is_data(tree: &Expression) -> bool {
    match &tree.expr {
        Expr::List(list) => {
            list.elements.iter().all(|item| matches!(item.expr, Expr::Literal(_)) || is_part(item))
        }
        _ => is_part(tree),
    }
}

fn is_part(tree: &Expression) -> bool {
    match &tree.expr {
        Expr::Ident(_) => true,
        Expr::Select(select) => !select.test && is_part(&select.operand),
        Expr::Call(call) if call.func_name == op::INDEX => call.args.first().is_some_and(is_part),
        _ => false,
    }
}

/// `condition ? result + [item] : result` is a filter; whatever else makes a list is a map.
pub(super) fn is_filter(each: &ComprehensionExpr) -> bool {
    let Expr::Call(step) = &each.loop_step.expr else { return false };
    let [_, Expression { expr: Expr::Call(append), .. }, _] = step.args.as_slice() else { return false };
    let [_, Expression { expr: Expr::List(list), .. }] = append.args.as_slice() else { return false };
    let [Expression { expr: Expr::Ident(item), .. }] = list.elements.as_slice() else { return false };
    step.func_name == op::CONDITIONAL && *item == each.iter_var
}

/// Makes every turn pay: `condition` becomes `tick ? condition : false`, and a tick that cannot be paid is an error. In
/// a filter the guard pays, because the evaluator builds the list in place only while the loop's condition is literal.
pub(super) fn meter(each: &mut ComprehensionExpr, per_turn: Cost) {
    let collects = matches!(each.accu_init.expr, Expr::List(_));
    let paying = match &mut each.loop_step.expr {
        Expr::Call(step) if collects => step.args.first_mut(),
        _ => Some(&mut each.loop_cond),
    };
    let Some(paying) = paying else { return };
    let tree = |expr| Expression { id: 0, expr };
    let condition = std::mem::take(paying);
    paying.expr = Expr::Call(CallExpr {
        func_name: op::CONDITIONAL.to_owned(),
        target: None,
        args: vec![
            tree(Expr::Ident(tick(per_turn))),
            condition,
            tree(Expr::Literal(LiteralValue::Boolean(false.into()))),
        ],
    });
}
