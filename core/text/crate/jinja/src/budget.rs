//! What one rendering may cost, so that no template hangs the program or takes its memory.

use std::cell::Cell;

use super::error::{runtime, Result};

/// A step is a statement, an expression, a comparison, or the making or reading of eight bytes. Fuzzers, which are slow
/// and try thousands of templates a second, are built with fewer.
#[allow(unexpected_cfgs)]
const MAX_STEPS: u64 = if cfg!(fuzzing) { 1_000_000 } else { 100_000_000 };
/// The steps of one item of a list.
pub const ITEM: usize = std::mem::size_of::<super::value::Value>() / 8;

thread_local! {
    /// Of the rendering that this thread is at; outside of one nothing is counted.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

pub fn begin() {
    LEFT.set(MAX_STEPS);
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
        return runtime(format!("the template takes more than {MAX_STEPS} steps for this conversation"));
    }
    Ok(())
}
