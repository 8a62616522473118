// SPDX-License-Identifier: GPL-3.0-or-later
//! What one rendering may cost (steps, nesting, the length of a text), so that no template hangs the program, exhausts its
//! stack or takes its memory.

use std::cell::Cell;

use crate::error::{runtime, unsupported, Error, Kind, Result};

/// A step is a statement, an expression, a comparison, or the making or reading of eight bytes. Fuzzers, which are slow
/// and try thousands of templates a second, are built with fewer.
#[allow(unexpected_cfgs)]
const MAX_STEPS: u64 = if cfg!(fuzzing) { 1_000_000 } else { 100_000_000 };
/// Nesting of statements, expressions, calls and filters at work.
const MAX_DEPTH: usize = 700;
/// The longest text that a template may build.
const MAX_TEXT_BYTES: usize = 1 << 28;

thread_local! {
    /// Of the rendering that this thread is at; outside of one nothing is counted.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

pub fn begin() {
    LEFT.set(MAX_STEPS);
    DEPTH.set(0);
}

pub fn end() {
    LEFT.set(u64::MAX);
}

/// Counts in places that cannot fail; the next `spend` fails in their stead.
pub fn charge(steps: usize) {
    LEFT.set(LEFT.get().saturating_sub(steps as u64));
}

pub fn is_spent() -> bool {
    LEFT.get() == 0
}

/// Counts; refuses what the steps that are left do not cover, before it is done.
pub fn spend(steps: usize) -> Result<()> {
    charge(steps);
    if is_spent() {
        let message = format!("the template takes more than {MAX_STEPS} steps for this conversation");
        return Err(Error::new(Kind::Spent, message));
    }
    Ok(())
}

/// Does `work` one level deeper, as a step of its own.
pub fn deeper<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    spend(1)?;
    let depth = DEPTH.get();
    if depth >= MAX_DEPTH {
        return runtime("maximum recursion depth exceeded");
    }
    DEPTH.set(depth + 1);
    let result = work();
    DEPTH.set(depth);
    result
}

pub fn check_size(bytes: usize) -> Result<()> {
    if bytes > MAX_TEXT_BYTES {
        return unsupported("a text of more than 256 MiB");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> Result<usize> {
        deeper(|| if levels == 0 { Ok(DEPTH.get()) } else { nested(levels - 1) })
    }

    #[test]
    fn refuses_what_nests_too_deeply_and_comes_back_up_from_it() {
        begin();
        assert_eq!(nested(MAX_DEPTH - 1).unwrap(), MAX_DEPTH);
        assert!(nested(MAX_DEPTH).is_err());
        assert_eq!(nested(0).unwrap(), 1);
        end();
    }

    #[test]
    fn refuses_steps_that_are_not_left() {
        begin();
        assert!(spend(MAX_STEPS as usize - 1).is_ok());
        assert!(spend(1).is_err());
        begin();
        assert!(spend(1).is_ok());
        end();
    }
}
