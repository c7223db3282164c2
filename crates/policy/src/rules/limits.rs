//! Every bound of the policy language. They are part of the language and not configuration: a document that compiles
//! on one node compiles on all.

/// Rules in one document.
pub const MAX_RULES: usize = 500;
/// Bytes of a document, as it was sent and in its canonical form.
pub const MAX_DOCUMENT_BYTES: usize = 64 * 1024;
/// Levels of nested arrays and objects in a document.
pub const MAX_DOCUMENT_DEPTH: usize = 32;
/// Bytes of a rule's id.
pub const MAX_ID_BYTES: usize = 64;
/// Examples of one rule, both kinds together.
pub const MAX_EXAMPLES: usize = 20;

/// Bytes of one expression.
pub const MAX_EXPRESSION_BYTES: usize = 2_000;
/// Open brackets of any kind at one point of an expression, counted before the parser sees it: the parser recurses.
pub const MAX_EXPRESSION_NESTING: usize = 32;
/// Levels of the parsed expression: evaluation recurses too, on the stack of whoever judges.
pub const MAX_TREE_DEPTH: usize = 24;
/// Loops (`all`, `exists`, `exists_one`, `filter`) inside each other.
pub const MAX_LOOP_DEPTH: usize = 3;
/// Bytes of a text that `+` may make.
pub const MAX_JOINED_BYTES: usize = 4_096;

/// Bytes of one regular expression.
pub const MAX_PATTERN_BYTES: usize = 256;
/// Bytes of a compiled regular expression, and of what it caches while it runs.
pub const MAX_PATTERN_MEMORY_BYTES: usize = 256 * 1024;
/// Regular expressions in one document.
pub const MAX_PATTERNS: usize = 200;

/// Values (scalars, lists, maps) in an input that a rule may look at.
pub const MAX_INPUT_VALUES: usize = 100_000;
/// Levels of nesting in an input that a rule may look at.
pub const MAX_INPUT_DEPTH: usize = 128;
/// Work of one judgement, over all its rules. One unit is about a microsecond: ten steps of an expression, or one pass
/// over a kibibyte of input.
pub const MAX_WORK: u64 = 100_000;

/// Stack of the thread that compiles a document. The parser needs up to 100 kB for each level of nesting.
pub(super) const COMPILE_STACK_BYTES: usize = 32 * 1024 * 1024;
/// Characters of a foreign text (a parser's message, an expression) that an error repeats.
pub(super) const MAX_QUOTED_CHARS: usize = 200;
