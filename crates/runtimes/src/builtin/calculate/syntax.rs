//! From text to a tree. The grammar is winnow's precedence parser; what it may be asked to parse is bounded first,
//! because it recurses once per parenthesis, sign and power.

use winnow::{
    ModalResult, Parser,
    ascii::{digit1, multispace0},
    combinator::{Infix, Prefix, alt, delimited, expression, opt, preceded, separated},
    stream::{LocatingSlice, Location},
    token::{one_of, take_while},
};

use crate::builtin::suggest;

/// Characters of an expression.
pub(super) const MAX_CHARS: usize = 1_000;
/// Parentheses, signs and powers that may be open at a time.
const MAX_NESTING: usize = 40;

/// A part of an expression, and the character (from 1) at which it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Number(String),
    Constant(String),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}

type Input<'i> = LocatingSlice<&'i str>;

/// Parses a whole expression; the error says what is wrong, and where.
pub(super) fn parse(text: &str) -> Result<Expr, String> {
    check_bounds(text)?;
    whole.parse(LocatingSlice::new(text)).map_err(|error| {
        let offset = error.offset().min(text.len());
        let at = text.get(..offset).map_or(0, |before| before.chars().count()) + 1;
        match text.get(offset..).and_then(|rest| rest.chars().next()) {
            None => "the expression ends where a number, a name or `(` is expected".to_owned(),
            Some(found) => format!("unexpected `{}` at character {at}", suggest::shown(&found.to_string())),
        }
    })
}

/// Refuses what is too long or nests too deeply, and parentheses that do not match.
fn check_bounds(text: &str) -> Result<(), String> {
    let chars = text.chars().count();
    if chars > MAX_CHARS {
        return Err(format!("the expression has {chars} characters; at most {MAX_CHARS} are accepted"));
    }
    let mut open = Vec::new();
    // Every sign before an operand and every power is one level deeper, and stays open until the term ends.
    let mut pending = 0_usize;
    let mut before_operand = true;
    let mut previous = ' ';
    let mut chars = text.chars().enumerate().peekable();
    while let Some((index, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match c {
            '(' => open.push((index + 1, std::mem::take(&mut pending))),
            ')' => {
                pending = open.pop().ok_or_else(|| format!("unexpected `)` at character {}", index + 1))?.1;
            }
            '^' => pending += 1,
            '*' if next == Some('*') => pending += 1,
            '*' if previous == '*' => {}
            '-' | '+' if before_operand => pending += 1,
            '+' | '-' | '*' | '/' | '%' | ',' => pending = 0,
            _ => {}
        }
        previous = c;
        let outer: usize = open.iter().map(|(_, pending)| pending + 1).sum();
        if outer + pending > MAX_NESTING {
            return Err(format!(
                "the expression nests deeper than {MAX_NESTING} levels at character {}",
                index + 1
            ));
        }
        if !c.is_whitespace() {
            before_operand = matches!(c, '(' | ',' | '+' | '-' | '*' | '/' | '%' | '^');
        }
    }
    match open.first() {
        Some((at, _)) => Err(format!("the `(` at character {at} is never closed")),
        None => Ok(()),
    }
}

fn whole(input: &mut Input<'_>) -> ModalResult<Expr> {
    delimited(multispace0, sum, multispace0).parse_next(input)
}

/// Powers bind tightest and to the right, then signs (so that `-2^2` is -4), then `* / %`, then `+ -`.
fn sum(input: &mut Input<'_>) -> ModalResult<Expr> {
    // Texts and not characters are matched: a character that is no operator must not be taken, or the error would
    // stand behind it.
    expression(operand)
        .prefix(preceded(
            multispace0,
            alt((
                "-".value(Prefix(8, |_: &mut Input<'_>, inner| Ok(negate(inner)))),
                "+".value(Prefix(8, |_: &mut Input<'_>, inner| Ok(inner))),
            )),
        ))
        .infix(preceded(
            multispace0,
            alt((
                "**".value(Infix::Right(10, |_: &mut Input<'_>, a, b| Ok(binary(Operator::Power, a, b)))),
                "^".value(Infix::Right(10, |_: &mut Input<'_>, a, b| Ok(binary(Operator::Power, a, b)))),
                "*".value(Infix::Left(7, |_: &mut Input<'_>, a, b| Ok(binary(Operator::Multiply, a, b)))),
                "/".value(Infix::Left(7, |_: &mut Input<'_>, a, b| Ok(binary(Operator::Divide, a, b)))),
                "%".value(Infix::Left(7, |_: &mut Input<'_>, a, b| Ok(binary(Operator::Remainder, a, b)))),
                "+".value(Infix::Left(5, |_: &mut Input<'_>, a, b| Ok(binary(Operator::Add, a, b)))),
                "-".value(Infix::Left(5, |_: &mut Input<'_>, a, b| Ok(binary(Operator::Subtract, a, b)))),
            )),
        ))
        .parse_next(input)
}

fn negate(inner: Expr) -> Expr {
    Expr { at: inner.at, kind: Kind::Negate(Box::new(inner)) }
}

fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    Expr { at: left.at, kind: Kind::Binary(operator, Box::new(left), Box::new(right)) }
}

fn operand(input: &mut Input<'_>) -> ModalResult<Expr> {
    multispace0.parse_next(input)?;
    let at = input.current_token_start() + 1;
    let kind = alt((number, named, group)).parse_next(input)?;
    Ok(Expr { at, kind })
}

fn group(input: &mut Input<'_>) -> ModalResult<Kind> {
    delimited('(', sum, (multispace0, ')')).map(|inner| inner.kind).parse_next(input)
}

fn number(input: &mut Input<'_>) -> ModalResult<Kind> {
    let mantissa = alt(((digit1, opt(('.', opt(digit1)))).void(), ('.', digit1).void()));
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1);
    (mantissa, opt(exponent)).take().map(|text: &str| Kind::Number(text.to_owned())).parse_next(input)
}

/// A constant, or a call where arguments follow.
fn named(input: &mut Input<'_>) -> ModalResult<Kind> {
    let name = (
        one_of(|c: char| c.is_ascii_alphabetic()),
        take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_'),
    )
        .take()
        .parse_next(input)?;
    let arguments =
        delimited((multispace0, '('), separated(0.., sum, (multispace0, ',')), (multispace0, ')'));
    let arguments: Option<Vec<Expr>> = opt(arguments).parse_next(input)?;
    Ok(match arguments {
        Some(arguments) => Kind::Call(name.to_owned(), arguments),
        None => Kind::Constant(name.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::empty("", "ends where")]
    #[case::blank("   ", "ends where")]
    #[case::dangling("1+", "ends where")]
    #[case::adjacent("2 3", "`3` at character 3")]
    #[case::implicit("2(3)", "`(` at character 2")]
    #[case::closed_twice("(1))", "`)` at character 4")]
    #[case::open("((1)", "`(` at character 1 is never closed")]
    #[case::symbol("1 $ 2", "`$` at character 3")]
    #[case::wide("１+1", "at character 1")]
    fn says_what_is_wrong_and_where(#[case] text: &str, #[case] says: &str) {
        let error = parse(text).unwrap_err();
        assert!(error.contains(says), "{error}");
    }

    #[rstest]
    #[case("(", ")")]
    #[case("-", "")]
    #[case("2^", "")]
    #[case("2**", "")]
    #[case("2^-", "")]
    #[case("sqrt(", ")")]
    #[case("-(", ")")]
    fn deep_nesting_is_refused_and_what_is_let_through_fits_the_stack(
        #[case] open: &str,
        #[case] close: &str,
    ) {
        for levels in 1..900 {
            let text = open.repeat(levels) + "1" + &close.repeat(levels);
            if text.len() <= MAX_CHARS && parse(&text).is_err() {
                assert!(levels > 20, "{levels}");
                return;
            }
        }
    }
}
