//! Bounds on a template's shape, checked on its tokens: the parser recurses, and not everywhere with a limit.

use minijinja::{
    machinery::{Token, tokenize},
    syntax::SyntaxConfig,
};

use super::render::described;

/// `{{ … }}` and `{% … %}` together.
const MAX_TAGS: usize = 2_000;
/// Words, numbers and signs that chain or nest within one tag; a comma begins a new chain.
const MAX_CHAIN: usize = 100;
/// Brackets within each other.
const MAX_BRACKETS: usize = 24;
/// Blocks within each other; a chain of `elif` nests as deep as it is long.
const MAX_BLOCKS: usize = 24;

/// Refuses a template whose shape is out of bounds.
pub(super) fn check(template: &str) -> Result<(), String> {
    let mut tags = 0_usize;
    // The length of the chain in every bracket that is open, outermost first.
    let mut chains = vec![0_usize];
    let mut blocks: Vec<usize> = Vec::new();
    let mut at_block_start = false;
    for token in tokenize(template, false, SyntaxConfig::default()) {
        let (token, span) = token.map_err(|error| described(&error, template))?;
        let line = span.start_line;
        match token {
            Token::VariableStart | Token::BlockStart => {
                tags += 1;
                chains = vec![0];
            }
            Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => {
                // `a[0][0]…` is a chain as well, although each bracket closes again.
                chains.iter_mut().last().into_iter().for_each(|chain| *chain += 1);
                chains.push(0);
            }
            Token::ParenClose | Token::BracketClose | Token::BraceClose if chains.len() > 1 => {
                chains.pop();
            }
            Token::Comma => chains.iter_mut().last().into_iter().for_each(|chain| *chain = 0),
            Token::Ident("if" | "for" | "with" | "autoescape") if at_block_start => blocks.push(1),
            Token::Ident("elif") if at_block_start => {
                if let Some(levels) = blocks.last_mut() {
                    *levels += 1;
                }
            }
            Token::Ident(name) if at_block_start && name.starts_with("end") => {
                blocks.pop();
            }
            _ => chains.iter_mut().last().into_iter().for_each(|chain| *chain += 1),
        }
        at_block_start = matches!(token, Token::BlockStart);
        let too_many =
            |what: &str, limit: usize| Err(format!("line {line}: {what}; at most {limit} are accepted"));
        if tags > MAX_TAGS {
            return too_many("too many tags", MAX_TAGS);
        }
        if chains.iter().sum::<usize>() > MAX_CHAIN {
            return too_many("too many words and signs in one chain", MAX_CHAIN);
        }
        if chains.len() > MAX_BRACKETS {
            return too_many("too many brackets within each other", MAX_BRACKETS);
        }
        if blocks.iter().sum::<usize>() > MAX_BLOCKS {
            return too_many("too many blocks (or elif branches) within each other", MAX_BLOCKS);
        }
    }
    Ok(())
}
