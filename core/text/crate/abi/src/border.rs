// SPDX-License-Identifier: GPL-3.0-or-later
//! How values cross between Rust and C++: borrowed text, owned buffers, failures. ffi.h declares the same structures.

use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use failure::{Failure, FailureKind, Outcome};

/// Text borrowed from the caller.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RpText {
    data: *const u8,
    pub len: usize,
}

/// Bytes owned by this library.
#[repr(C)]
pub struct RpBuffer {
    data: *mut u8,
    pub len: usize,
}

#[repr(C)]
pub struct RpFailure {
    kind: u8,
    message: RpBuffer,
    advice: RpBuffer,
}

impl RpText {
    /// # Safety
    /// `data` must point to `len` readable bytes that outlive the use of the result.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }

    /// # Safety
    /// As `bytes`.
    pub unsafe fn str<'a>(self, what: &str) -> Outcome<&'a str> {
        std::str::from_utf8(unsafe { self.bytes() })
            .map_err(|error| Failure::invalid(format!("{what} is not UTF-8 text (byte {})", error.valid_up_to())))
    }

    /// # Safety
    /// As `bytes`.
    pub unsafe fn path<'a>(self) -> &'a Path {
        use std::os::unix::ffi::OsStrExt;
        Path::new(std::ffi::OsStr::from_bytes(unsafe { self.bytes() }))
    }
}

/// How many of the text's first bytes are UTF-8, up to the end of a character.
///
/// # Safety
/// As `RpText::bytes`.
#[no_mangle]
pub unsafe extern "C" fn rp_valid_utf8(text: RpText) -> usize {
    std::str::from_utf8(unsafe { text.bytes() }).map_or_else(|error| error.valid_up_to(), str::len)
}

pub fn into_raw<T>(items: Vec<T>) -> *mut T {
    Box::into_raw(items.into_boxed_slice()).cast()
}

/// # Safety
/// `data` and `len` must come from `into_raw`, and be given back only once.
pub unsafe fn free_raw<T>(data: *mut T, len: usize) {
    if !data.is_null() {
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(data, len)) });
    }
}

pub fn buffer(text: String) -> RpBuffer {
    let bytes = text.into_bytes();
    RpBuffer { len: bytes.len(), data: into_raw(bytes) }
}

/// Panics become failures, which whoever calls says in words: on the terminal they would only frighten.
fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| set_hook(Box::new(|_| {})));
}

/// Runs `work`; a failure or a panic goes to `failure` and gives None.
///
/// # Safety
/// `failure` must be writable.
pub unsafe fn guarded<T>(failure: *mut RpFailure, work: impl FnOnce() -> Outcome<T>) -> Option<T> {
    keep_panics_quiet();
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default();
        Err(Failure::new(FailureKind::Internal, format!("the text library stopped: {text}"), ""))
    });
    match outcome {
        Ok(value) => Some(value),
        Err(error) => {
            let made =
                RpFailure { kind: error.kind as u8, message: buffer(error.message), advice: buffer(error.advice) };
            unsafe { failure.write(made) };
            None
        }
    }
}

/// # Safety
/// The buffer must come from this library and be freed once.
#[no_mangle]
pub unsafe extern "C" fn rp_buffer_free(buffer: RpBuffer) {
    unsafe { free_raw(buffer.data, buffer.len) }
}

/// # Safety
/// `out` must be writable.
pub unsafe fn write_text(out: *mut RpBuffer, text: Option<String>) -> bool {
    let found = text.is_some();
    if let Some(text) = text {
        unsafe { out.write(buffer(text)) };
    }
    found
}

/// Handles are used by any number of C++ threads at once.
pub const fn shared_between_threads<T: Send + Sync>() {}
