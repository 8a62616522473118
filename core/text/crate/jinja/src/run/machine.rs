// SPDX-License-Identifier: GPL-3.0-or-later
//! What is at work during one rendering, and emptied after it.

use std::rc::Rc;
use std::sync::Arc;

use crate::budget;
use crate::clock::Clock;
use crate::tree::{Callable, Name};
use crate::values::value::{Attributes, LoopState, MacroValue, Scope, Value, ITEM};

pub struct Interp {
    pub clock: Option<Clock>,
    /// "loop"
    pub loop_name: Name,
    /// Byte ranges of the output that came from generation blocks.
    pub spans: Vec<(usize, usize)>,
    /// How many captures (macros, set blocks, …) the output currently goes into instead of the result.
    pub captures: usize,
    pub in_generation: bool,
    /// What values can be put into after it was made: scopes that closures hold, namespaces, loops that remember.
    /// Emptied at the end, as they may form cycles, and chains too long to be freed from one end.
    closures: Vec<Rc<Scope>>,
    pub namespaces: Vec<Rc<Attributes>>,
    pub loops: Vec<Rc<LoopState>>,
}

impl Drop for Interp {
    fn drop(&mut self) {
        for scope in &self.closures {
            scope.empty();
        }
        for namespace in &self.namespaces {
            let attrs = std::mem::take(&mut *namespace.borrow_mut());
            drop(attrs);
        }
        for state in &self.loops {
            let last = state.last_changed.take();
            drop(last);
        }
        budget::end();
    }
}

impl Interp {
    pub fn new(clock: Option<Clock>) -> Self {
        budget::begin();
        Self {
            clock,
            loop_name: "loop".into(),
            spans: Vec::new(),
            captures: 0,
            in_generation: false,
            closures: Vec::new(),
            namespaces: Vec::new(),
            loops: Vec::new(),
        }
    }

    pub fn closure(&mut self, callable: &Arc<Callable>, scope: &Rc<Scope>) -> Value {
        self.keep(scope);
        Value::Macro(Rc::new(MacroValue { callable: callable.clone(), scope: scope.clone() }))
    }

    /// Until the end: what a value leads back to.
    pub fn keep(&mut self, scope: &Rc<Scope>) {
        budget::charge(8 * ITEM);
        self.closures.push(scope.clone());
    }
}
