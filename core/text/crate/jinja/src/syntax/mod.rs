//! The text of a template → its tree.

mod expressions;
mod lexer;
mod parser;
pub mod statements;
