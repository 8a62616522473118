// SPDX-License-Identifier: GPL-3.0-or-later
//! The C ABI of tokenizers.

use std::sync::Arc;

use tokenize::{Encoding, Tokenizer, TokenizerFile};

use crate::border::{buffer, guarded, shared_between_threads, write_text};
use crate::border::{RpBuffer, RpFailure, RpText};
use crate::folder::Folder;

const _: () = shared_between_threads::<Tokenizer>();

#[repr(C)]
pub struct RpEncoding {
    /// `len` ids; then 2·len byte offsets; then len flags: all parts of `owner`.
    ids: *const u32,
    offsets: *const [usize; 2],
    special: *const u8,
    len: usize,
    owner: *mut Encoding,
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_open(folder: RpText, failure: *mut RpFailure) -> *const Tokenizer {
    let work = || {
        let folder = unsafe { folder.path() };
        let file = TokenizerFile::read(folder)?;
        Tokenizer::new(file, &Folder::read(folder)?.tokenizer_settings())
    };
    unsafe { guarded(failure, work) }.map_or(std::ptr::null(), |tokenizer| Arc::into_raw(Arc::new(tokenizer)))
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_free(tokenizer: *const Tokenizer) {
    drop(unsafe { Arc::from_raw(tokenizer) });
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_encode(
    tokenizer: *const Tokenizer,
    text: RpText,
    add_special_tokens: bool,
    out: *mut RpEncoding,
    failure: *mut RpFailure,
) -> bool {
    let work = || unsafe { (*tokenizer).encode(text.str("the text to encode")?, add_special_tokens) };
    let Some(encoding) = (unsafe { guarded(failure, work) }) else { return false };
    let owner = Box::new(encoding);
    let made = RpEncoding {
        ids: owner.ids.as_ptr(),
        offsets: owner.offsets.as_ptr(),
        special: owner.special.as_ptr(),
        len: owner.ids.len(),
        owner: Box::into_raw(owner),
    };
    unsafe { out.write(made) };
    true
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_encoding_free(encoding: RpEncoding) {
    drop(unsafe { Box::from_raw(encoding.owner) });
}

/// # Safety
/// See the rules of the ABI; `ids` points to `len` ids.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_decode(
    tokenizer: *const Tokenizer,
    ids: *const u32,
    len: usize,
    skip_special_tokens: bool,
    out: *mut RpBuffer,
    failure: *mut RpFailure,
) -> bool {
    let work = || unsafe {
        let ids = if len == 0 { &[] } else { std::slice::from_raw_parts(ids, len) };
        (*tokenizer).decode(ids, skip_special_tokens)
    };
    unsafe { write_text(out, guarded(failure, work)) }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_id_to_token(tokenizer: *const Tokenizer, id: u32, out: *mut RpBuffer) -> bool {
    unsafe { write_text(out, (*tokenizer).id_to_token(id)) }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_vocab_size(tokenizer: *const Tokenizer) -> usize {
    unsafe { (*tokenizer).vocab_size() }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_is_special(tokenizer: *const Tokenizer, id: u32) -> bool {
    unsafe { (*tokenizer).is_special(id) }
}

/// Text and id (-1: not in the vocabulary) of a named special token, by the order of `tokenize::SPECIAL_NAMES`; false
/// where the model has none.
///
/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_special(
    tokenizer: *const Tokenizer,
    which: usize,
    out: *mut RpBuffer,
    id: *mut i64,
) -> bool {
    let Some((text, token_id)) = (unsafe { (*tokenizer).named(which) }) else { return false };
    unsafe {
        out.write(buffer(text.clone()));
        id.write(token_id.map_or(-1, i64::from));
    }
    true
}
