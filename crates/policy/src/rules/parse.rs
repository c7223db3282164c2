//! From text to a tree. What could hurt the parser is refused before it runs.

use cel::parser::Expression;

use super::{
    error::{Flaw, quoted},
    functions::environment,
    limits::{MAX_EXPRESSION_BYTES, MAX_EXPRESSION_NESTING},
};

/// Must run on a thread with a large stack: see `COMPILE_STACK_BYTES`.
pub(super) fn parse(source: &str) -> Result<Expression, Flaw> {
    check_size(source)?;
    // Above what the brackets already bound, for chains such as `a ? b : c ? d : e`.
    let depth = MAX_EXPRESSION_NESTING as u16 + 16;
    environment().parser().max_recursion_depth(depth).parse(source).map_err(|errors| {
        let first = errors.errors.first();
        let (line, column) = first.map_or((1, 1), |e| e.pos);
        let message = first.map_or("it does not parse", |e| e.msg.as_str());
        Flaw::new(
            format!("the expression is not CEL at line {line}, column {column}: {}", quoted(message)),
            "write one CEL expression that yields a bool, such as `input.amount > 100`",
        )
    })
}

fn check_size(source: &str) -> Result<(), Flaw> {
    if source.trim().is_empty() {
        return Err(Flaw::new("the expression is empty", "leave `when` out, or write a condition"));
    }
    if source.len() > MAX_EXPRESSION_BYTES {
        return Err(Flaw::new(
            format!("the expression has {} bytes, and at most {MAX_EXPRESSION_BYTES} are read", source.len()),
            "split the rule in two",
        ));
    }
    if nesting(source) > MAX_EXPRESSION_NESTING {
        return Err(Flaw::new(
            format!("the expression nests deeper than {MAX_EXPRESSION_NESTING} brackets"),
            "split the rule in two",
        ));
    }
    Ok(())
}

/// Brackets open at once, at most. Where quotes are hard to follow (escapes, comments, triple quotes), every bracket
/// counts as if it were never closed: the answer may be too high, and never too low.
fn nesting(source: &str) -> usize {
    let opened = source.bytes().filter(|b| matches!(b, b'(' | b'[' | b'{')).count();
    let hard_to_follow = ["\\", "//", "\"\"\"", "'''"].iter().any(|mark| source.contains(mark));
    if opened <= MAX_EXPRESSION_NESTING || hard_to_follow {
        return opened;
    }
    let (mut depth, mut deepest, mut quote) = (0_usize, 0, None);
    for byte in source.bytes() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) => quote = if byte == open { None } else { quote },
            (b'(' | b'[' | b'{', None) => depth += 1,
            (b')' | b']' | b'}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
