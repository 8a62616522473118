// SPDX-License-Identifier: GPL-3.0-or-later
//! Python's values and what Python does with them.

pub mod arguments;
pub mod json_read;
pub mod json_write;
pub mod lookup;
pub mod loop_variable;
pub mod methods;
pub mod operators;
pub mod order;
pub mod print;
pub mod printf;
pub mod string_methods;
pub mod strings;
pub mod value;
