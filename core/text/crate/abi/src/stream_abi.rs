// SPDX-License-Identifier: GPL-3.0-or-later
//! The C ABI of text that is decoded token by token.

use std::sync::Arc;

use tokenize::{DecodeStream, Tokenizer};

use crate::border::{guarded, write_text, RpBuffer, RpFailure};

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_new(tokenizer: *const Tokenizer, skip_special_tokens: bool) -> *mut DecodeStream {
    let shared = unsafe {
        Arc::increment_strong_count(tokenizer);
        Arc::from_raw(tokenizer)
    };
    Box::into_raw(Box::new(DecodeStream::new(shared, skip_special_tokens)))
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_free(stream: *mut DecodeStream) {
    drop(unsafe { Box::from_raw(stream) });
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_push(
    stream: *mut DecodeStream,
    id: u32,
    out: *mut RpBuffer,
    failure: *mut RpFailure,
) -> bool {
    unsafe { write_text(out, guarded(failure, || (*stream).push(id))) }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_finish(
    stream: *mut DecodeStream,
    out: *mut RpBuffer,
    failure: *mut RpFailure,
) -> bool {
    unsafe { write_text(out, guarded(failure, || (*stream).finish())) }
}
