//! From a parsed tree to one that is safe to evaluate: only known names, only functions from the list, only loops over
//! data that exists. On the way `+` and `matches` become our own functions, loops get a meter, and the cost is added up.
//!
//! Loops bind nothing that an expression computed. If they did, nested loops could double a value at every level.

use cel::{
    common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue, operators as op},
    parser::Expression,
};

use super::{
    error::{Flaw, quoted},
    functions::{ADD, MATCHES, Patterns},
    limits::{MAX_LOOP_DEPTH, MAX_TREE_DEPTH},
    loops::{is_data, is_filter, meter},
    meter::Cost,
    scope::VARIABLES,
};

const OPERATORS: [&str; 18] = [
    op::CONDITIONAL,
    op::LOGICAL_AND,
    op::LOGICAL_OR,
    op::LOGICAL_NOT,
    op::SUBSTRACT,
    op::ADD,
    op::MULTIPLY,
    op::DIVIDE,
    op::MODULO,
    op::EQUALS,
    op::NOT_EQUALS,
    op::GREATER_EQUALS,
    op::LESS_EQUALS,
    op::GREATER,
    op::LESS,
    op::NEGATE,
    op::INDEX,
    op::IN,
];
const FUNCTIONS: [&str; 4] = ["size", "int", "double", "string"];
const METHODS: [&str; 5] = ["size", "contains", "startsWith", "endsWith", "matches"];
/// A pattern's engine may look at a byte several times.
const PASSES_OF_A_MATCH: u64 = 8;

/// What is known of an expression before it is asked.
pub(super) struct Known {
    pub cost: Cost,
    /// Whether its answer may differ from call to call of one tool by one caller.
    pub varies: bool,
}

/// Checks the tree and rewrites it in place.
pub(super) fn restrict(tree: &mut Expression, patterns: &mut Patterns) -> Result<Known, Flaw> {
    let mut walk = Walk { patterns, loops: Vec::new(), varies: false };
    let cost = walk.visit(tree, MAX_TREE_DEPTH)?;
    Ok(Known { cost, varies: walk.varies })
}

struct Walk<'p> {
    patterns: &'p mut Patterns,
    /// The variables of the loops around this place, the innermost last.
    loops: Vec<String>,
    varies: bool,
}

impl Walk<'_> {
    fn visit(&mut self, tree: &mut Expression, depth_left: usize) -> Result<Cost, Flaw> {
        let left = depth_left.checked_sub(1).ok_or_else(|| {
            Flaw::new("the expression has too many steps that depend on each other", "split the rule in two")
        })?;
        let mut cost = Cost { nodes: 1, ..Cost::default() };
        cost += match &mut tree.expr {
            Expr::Ident(name) => self.name(name)?,
            Expr::Select(select) => self.visit(&mut select.operand, left)?,
            Expr::Call(call) => self.call(call, left)?,
            Expr::Comprehension(comprehension) => {
                if matches!(comprehension.accu_init.expr, Expr::List(_)) {
                    return Err(Flaw::new(
                        "`filter` and `map` make lists, and here a list is not needed",
                        "count with `size(list.filter(x, …))`, or ask with `exists`, `exists_one` or `all`",
                    ));
                }
                self.repeat(comprehension, left)?
            }
            Expr::List(list) => self.all(&mut list.elements, left)?,
            Expr::Literal(LiteralValue::Bytes(_)) | Expr::Unspecified | Expr::Map(_) | Expr::Struct(_) => {
                return Err(Flaw::new(
                    "maps, messages and bytes cannot be written in a policy",
                    "compare with texts, numbers and lists",
                ));
            }
            Expr::Literal(_) => Cost::default(),
        };
        Ok(cost)
    }

    fn all(&mut self, trees: &mut [Expression], left: usize) -> Result<Cost, Flaw> {
        trees.iter_mut().try_fold(Cost::default(), |mut cost, tree| {
            cost += self.visit(tree, left)?;
            Ok(cost)
        })
    }

    fn name(&mut self, name: &str) -> Result<Cost, Flaw> {
        if let Some(level) = self.loops.iter().rposition(|bound| bound == name) {
            let innermost = level + 1 == self.loops.len();
            // The items of the innermost loop add up to one input; those of outer loops are there at every turn.
            return Ok(Cost { passes: u64::from(!innermost), item_passes: u64::from(innermost), nodes: 0 });
        }
        if !VARIABLES.contains(&name) && !name.starts_with('@') {
            return Err(Flaw::new(
                format!("there is no variable `{}`", quoted(name)),
                format!("use {}", VARIABLES.join(", ")),
            ));
        }
        self.varies |= matches!(name, "input" | "time");
        Ok(Cost { passes: u64::from(name == "input"), ..Cost::default() })
    }

    fn call(&mut self, call: &mut CallExpr, left: usize) -> Result<Cost, Flaw> {
        self.check_function(call)?;
        if call.func_name == "matches" {
            return self.pattern(call, left);
        }
        if call.func_name == "size"
            && let Some(Expr::Comprehension(counted)) =
                call.target.as_deref_mut().or(call.args.first_mut()).map(|tree| &mut tree.expr)
            && matches!(counted.accu_init.expr, Expr::List(_))
        {
            return self.repeat(counted, left);
        }
        let mut cost = self.all(&mut call.args, left)?;
        if let Some(target) = &mut call.target {
            cost += self.visit(target, left)?;
        }
        // A loop's own counter is left alone: it is bounded by the loop, and the evaluator knows its shape.
        let counts = matches!(call.args.first(), Some(Expression { expr: Expr::Ident(name), .. }) if name.starts_with('@'));
        if call.func_name == op::ADD && !counts {
            ADD.clone_into(&mut call.func_name);
        }
        Ok(cost)
    }

    fn check_function(&self, call: &CallExpr) -> Result<(), Flaw> {
        let name = call.func_name.as_str();
        let known = match call.target {
            Some(_) => METHODS.contains(&name),
            None => OPERATORS.contains(&name) || FUNCTIONS.contains(&name) || name == op::NOT_STRICTLY_FALSE,
        };
        #[cfg(test)]
        let known = known || name == super::functions::PANICS;
        if known {
            return Ok(());
        }
        Err(Flaw::new(
            format!("there is no function `{}`", quoted(name)),
            "use size, int, double, string, contains, startsWith, endsWith, matches, has, all, exists or exists_one",
        ))
    }

    fn pattern(&mut self, call: &mut CallExpr, left: usize) -> Result<Cost, Flaw> {
        let (Some(mut text), [Expression { expr: Expr::Literal(LiteralValue::String(pattern)), id }]) =
            (call.target.take(), call.args.as_slice())
        else {
            return Err(Flaw::new(
                "`matches` needs a pattern that is written out",
                "write `text.matches('pattern')`; a pattern cannot be computed or come from the input",
            ));
        };
        let mut cost = self.visit(&mut text, left)?;
        cost.passes *= PASSES_OF_A_MATCH;
        cost.item_passes *= PASSES_OF_A_MATCH;
        let index = Expression {
            id: *id,
            expr: Expr::Literal(LiteralValue::Int(self.patterns.add(pattern.inner())?.into())),
        };
        *call = CallExpr { func_name: MATCHES.to_owned(), target: None, args: vec![*text, index] };
        Ok(cost)
    }

    fn repeat(&mut self, each: &mut ComprehensionExpr, left: usize) -> Result<Cost, Flaw> {
        self.check_loop(each)?;
        let range = self.visit(&mut each.iter_range, left)?;
        self.loops.push(each.iter_var.clone());
        let body = self.visit(&mut each.loop_step, left).and_then(|mut cost| {
            cost += self.visit(&mut each.loop_cond, left)?;
            cost += self.visit(&mut each.result, left)?;
            Ok(cost)
        });
        self.loops.pop();
        let body = body?;
        meter(each, body);
        let mut cost = range;
        // Each item is copied once when it is bound.
        let over_items = body.item_passes + 1;
        if range.passes == 0 && range.item_passes > 0 {
            cost.item_passes += over_items;
        } else if range.passes > 0 {
            cost.passes += over_items;
        }
        cost.nodes += body.nodes;
        Ok(cost)
    }

    fn check_loop(&self, each: &ComprehensionExpr) -> Result<(), Flaw> {
        if self.loops.len() >= MAX_LOOP_DEPTH {
            return Err(Flaw::new(
                format!("more than {MAX_LOOP_DEPTH} loops are inside each other"),
                "split the rule in two",
            ));
        }
        let name = each.iter_var.as_str();
        if VARIABLES.contains(&name)
            || self.loops.iter().any(|outer| outer == name)
            || each.iter_var2.is_some()
        {
            return Err(Flaw::new(
                format!("the loop's variable `{}` hides another one", quoted(name)),
                "give it a name of its own",
            ));
        }
        if !is_data(&each.iter_range) {
            return Err(Flaw::new(
                "a loop runs over something that is computed",
                "loop over a variable's list, such as `input.to`, or over a list of plain values",
            ));
        }
        if matches!(each.accu_init.expr, Expr::List(_)) && !is_filter(each) {
            return Err(Flaw::new("there is no `map`", "use `exists`, `all` or `size(list.filter(x, …))`"));
        }
        Ok(())
    }
}
