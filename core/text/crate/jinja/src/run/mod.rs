// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs the tree. Statements, expressions and calls are one machine in three files, as a macro's body holds statements and
//! a call stands in an expression; filters and tests know nothing of it.

mod calls;
mod expressions;
mod filters;
pub mod machine;
mod predicates;
mod statements;
